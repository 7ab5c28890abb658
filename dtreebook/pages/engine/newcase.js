// A case that a reader makes up, or takes from the table, and the way it goes through the tree.

import { make, some } from "./draw.js";
import { sum } from "./measures.js";
import { button } from "./reach.js";
import { answer, branchOf, inDigits, pour, printable, route, wayTo, whereIs } from "./tree.js";

// The columns that a tree asks about, in the order in which it does.
const columnsOf = (tree) => [...new Set(tree.nodes.flatMap(({ split }) => (split ? [split.attribute] : [])))];

// What would have to be otherwise for another answer: the nearest question on the way, from below.
function change(tree, values, way) {
  for (const i of way.slice(0, -1).reverse()) {
    const { split, children } = tree.nodes[i],
      attribute = tree.attributes[split.attribute];
    const taken = branchOf(split, attribute, values[split.attribute]);
    for (const [branch] of children.entries()) {
      if (branch === taken || taken < 0) continue;
      const other = [...values];
      other[split.attribute] = valueOf(split, branch, tree, i);
      const end = route(tree, other);
      if (tree.nodes[end].label !== tree.nodes[way.at(-1)].label)
        return `With ${whereIs(tree, children[branch], "").split(" and ").at(-1)}, the tree would say ${answer(tree, tree.nodes[end])}.`;
    }
  }
  return "";
}

// A value that takes a branch.
function valueOf({ kind, cut, groups, attribute }, branch, tree) {
  if (kind !== "threshold") return groups ? groups[branch][0] : branch;
  if (tree.attributes[attribute].kind !== "numeric") return branch ? cut + 1 : cut;
  return branch ? cut + Math.abs(cut) * 1e-6 + 1e-9 : cut;
}

// The form. `rows` are cases to take from: [row, columns, place]; `show` is given the nodes on the way
// of the case; with `inParts` an unknown value goes down every branch.
export function newCase(tree, { rows, truthOf, inParts, predict, show }) {
  const asked = columnsOf(tree);
  const values = tree.attributes.map(({ kind }) => (kind === "numeric" ? NaN : -1));
  const said = make("p", { role: "status", class: "dtb-answer" });
  const inputs = new Map();
  for (const a of asked) {
    const { name, kind, levels } = tree.attributes[a];
    const change = () => {
      values[a] = kind === "numeric" ? input.valueAsNumber : input.selectedIndex - 1;
      tell();
    };
    const input =
      kind === "numeric"
        ? make("input", { type: "number", step: "any", input: change })
        : make(
            "select",
            { change },
            make("option", { value: "" }, "unknown"),
            levels.map((level) => make("option", {}, printable(level))),
          );
    inputs.set(a, input);
    input.setAttribute("aria-label", `${name} of the case`);
  }
  const row = make("input", {
    type: "number",
    min: 1,
    value: rows[0][0] + 1,
    "aria-label": "Row",
    input: takeRow,
  });
  let truth = "";
  function takeRow() {
    const found = rows.find(([number]) => number + 1 === row.valueAsNumber);
    if (!found) return void (said.textContent = "There is no such row with an answer.");
    const [number, columns, place] = found;
    for (const [a, input] of inputs) {
      values[a] = columns[a][place];
      if (tree.attributes[a].kind === "numeric")
        input.value = Number.isNaN(values[a]) ? "" : values[a];
      else input.selectedIndex = values[a] + 1;
    }
    tell(truthOf(number));
  }
  function tell(known = "") {
    truth = known;
    const ends = inParts
      ? [...pour(tree, values)].filter(([i]) => !tree.nodes[i].split)
      : [[route(tree, values), 1]];
    const ways = ends.map(([i, part]) => {
      const node = tree.nodes[i],
        of = sum(node.counts),
        stop = node.split ? ` It stops there, for ${tree.attributes[node.split.attribute].name} is unknown.` : "";
      const cases = tree.classes
        ? `${inDigits(node.counts[node.label], 4, 0)} of ${some(Number(inDigits(of, 4, 0)), "case")}`
        : some(Number(inDigits(of, 4, 0)), "case");
      return `${part < 1 ? `${Math.round(100 * part)}% of it: ` : ""}${whereIs(tree, i, "no question")}: ${answer(tree, node)} (${cases}).${stop}`;
    });
    const way = ends.length === 1 ? wayTo(tree, ends[0][0]) : [...pour(tree, values).keys()];
    const best = ends.length === 1 ? tree.nodes[ends[0][0]] : null;
    said.textContent = [
      ways.join(" "),
      best ? change(tree, values, way) : "",
      truth ? `The tree says ${answer(tree, { label: predict(tree, values) })}, the table ${truth}.` : "",
    ]
      .filter(Boolean)
      .join(" ");
    show(new Set(way));
  }
  takeRow();
  return make(
    "div",
    { class: "dtb-part" },
    make("h3", {}, "A case, and why it gets its answer"),
    make("label", {}, "Row ", row),
    asked.map((a) => make("label", { class: "dtb-field" }, make("span", {}, tree.attributes[a].name), inputs.get(a))),
    said,
    button("Clear the case", () => {
      for (const [a, input] of inputs) {
        values[a] = tree.attributes[a].kind === "numeric" ? NaN : -1;
        if (input.tagName === "SELECT") input.selectedIndex = 0;
        else input.value = "";
      }
      tell();
    }),
  );
}
