// A case that a reader makes up, or takes from the table, and the way it goes through the tree.

import { make, some } from "./draw.js";
import { sum } from "./measures.js";
import { button } from "./reach.js";
import {
  answer,
  branchOf,
  conditions,
  inDigits,
  pour,
  printable,
  route,
  wayTo,
  whereIs,
} from "./tree.js";

// What would have to be otherwise for another answer: the nearest question on the way, from below.
function change(tree, values, way) {
  for (const i of way.slice(0, -1).reverse()) {
    const { split, children } = tree.nodes[i],
      { attribute, kind, cut, groups } = split;
    const taken = branchOf(split, tree.attributes[attribute], values[attribute]);
    for (const [branch, child] of children.entries()) {
      if (branch === taken || taken < 0) continue;
      const above = branch ? cut + Math.abs(cut) * 1e-6 + 1e-9 : cut;
      const value = kind === "threshold" ? above : groups ? groups[branch][0] : branch;
      const end = route(tree, Object.assign([...values], { [attribute]: value }));
      if (tree.nodes[end].label !== tree.nodes[way.at(-1)].label)
        return `With ${conditions(tree, child).at(-1)}, the tree would say ${answer(tree, tree.nodes[end])}.`;
    }
  }
  return "";
}

// A column's field in the form: what stands for no value, and how it is filled in.
function fieldOf({ name, kind, levels }, put) {
  const label = { "aria-label": `${name} of the case` };
  if (kind === "numeric") {
    const input = make("input", {
      type: "number",
      step: "any",
      ...label,
      input: () => put(input.valueAsNumber),
    });
    return { input, none: NaN, fill: (value) => (input.value = Number.isNaN(value) ? "" : value) };
  }
  const options = ["unknown", ...levels.map(printable)].map((words) => make("option", {}, words));
  const input = make("select", { ...label, change: () => put(input.selectedIndex - 1) }, options);
  return { input, none: -1, fill: (value) => (input.selectedIndex = value + 1) };
}

// Where a case, or a part of it, ends, in words.
function endWords(tree, [i, part]) {
  const { split, counts, label } = tree.nodes[i],
    cases = some(Number(inDigits(sum(counts), 4, 0)), "case");
  return [
    part < 1 ? `${Math.round(100 * part)}% of it: ` : "",
    `${whereIs(tree, i, "no question")}: ${answer(tree, tree.nodes[i])} `,
    `(${tree.classes ? `${inDigits(counts[label], 4, 0)} of ` : ""}${cases}).`,
    split ? ` It stops there, for ${tree.attributes[split.attribute].name} is unknown.` : "",
  ].join("");
}

// The form, for the columns that the tree asks about; `show` is given the nodes on the way of the case.
export function caseForm(lab, show) {
  const { tree, cases, own, test, held } = lab.state.found;
  const fields = new Map(),
    values = tree.attributes.map(({ kind }) => (kind === "numeric" ? NaN : -1)),
    said = make("p", { role: "status", class: "dtb-answer" });
  for (const { split } of tree.nodes) {
    const a = split?.attribute;
    if (split && !fields.has(a))
      fields.set(
        a,
        fieldOf(tree.attributes[a], (value) => ((values[a] = value), tell())),
      );
  }
  function takeRow() {
    const number = row.valueAsNumber - 1,
      [columns, rows] = own.includes(number) ? [cases.columns, own] : [test, held];
    const place = rows.indexOf(number);
    if (place < 0) return void (said.textContent = "There is no such row with an answer.");
    fill((a) => columns[a][place], lab.column(lab.state.answer).values[number]);
  }
  function fill(valueOf, truth) {
    for (const [a, field] of fields) field.fill((values[a] = valueOf(a)));
    tell(truth);
  }
  function tell(truth) {
    const reached =
        lab.state.algorithm === "C4.5" ? [...pour(tree, values)] : [[route(tree, values), 1]],
      ends = reached.filter(([i]) => reached.length === 1 || !tree.nodes[i].split);
    const way = ends.length === 1 ? wayTo(tree, ends[0][0]) : reached.map(([i]) => i);
    const words = ends.map((end) => endWords(tree, end));
    if (ends.length === 1) words.push(change(tree, values, way));
    if (truth !== undefined)
      words.push(
        `The tree says ${answer(tree, { label: lab.predict(tree, values) })}, the table ${truth}.`,
      );
    said.textContent = words.filter(Boolean).join(" ");
    show(new Set(way));
  }
  const first = Math.min(own[0], held[0] ?? Infinity) + 1;
  const row = make("input", {
    type: "number",
    min: 1,
    value: first,
    "aria-label": "Row",
    input: takeRow,
  });
  takeRow();
  return make(
    "div",
    { class: "dtb-part" },
    make("h3", {}, "A case, and why it gets its answer"),
    make("label", {}, "Row ", row),
    [...fields].map(([a, { input }]) =>
      make("label", { class: "dtb-field" }, make("span", {}, tree.attributes[a].name), input),
    ),
    said,
    button("Clear the case", () => fill((a) => fields.get(a).none)),
  );
}
