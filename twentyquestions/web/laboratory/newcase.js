// A case that a reader makes up, or takes from the table, and the way it goes through the tree.

import { make } from "../kit/draw.js";
import { casesIn } from "./nodepanel.js";
import { button, select } from "../kit/reach.js";
import { foundIn } from "./readcases.js";
import {
  answer,
  branchOf,
  branchShown,
  conditions,
  inDigits,
  pour,
  predicted,
  route,
  valueInWords,
  wayTo,
  whereIs,
} from "../algorithms/tree.js";

// What would have to be otherwise for another answer: the nearest question on the way, from below.
/** @param {Tree} tree @param {number[]} values @param {number[]} way */
function change(tree, values, way) {
  for (const i of way.slice(0, -1).reverse()) {
    const { split, children = [] } = tree.nodes[i];
    if (!split) continue;
    const { attribute, groups, cut = NaN } = split;
    const taken = branchOf(split, tree.attributes[attribute], values[attribute]);
    for (const [branch, child] of children.entries()) {
      if (branch === taken || taken < 0) continue;
      const above = branch ? cut + Math.abs(cut) * 1e-6 + 1e-9 : cut;
      const value = split.kind === "threshold" ? above : groups ? groups[branch][0] : branch;
      const end = route(tree, Object.assign([...values], { [attribute]: value }));
      if (tree.nodes[end].label !== tree.nodes[way[way.length - 1]].label)
        return `With ${conditions(tree, child, branchShown).at(-1)}, the tree would predict ${answer(tree, tree.nodes[end])}.`;
    }
  }
  return "";
}

// A column's field in the form: what stands in it, and how it is filled in.
/** @param {Attribute} about @param {() => void} tell */
function fieldOf({ name, kind, levels }, tell) {
  const label = `${name} of the case`;
  if (kind === "numeric") {
    const about = { type: "number", step: "any", "aria-label": label };
    /** @type {HTMLInputElement} */
    const input = make("input", { ...about, input: tell });
    /** @param {number} value */
    const fill = (value) => (input.value = Number.isNaN(value) ? "" : String(value));
    return { input, fill, read: () => input.valueAsNumber, unknown: NaN };
  }
  const options = ["unknown", ...levels.map(valueInWords)].map((words) => [words]),
    input = select(label, options, 0, tell);
  const fill = (/** @type {number} */ value) => (input.selectedIndex = value + 1);
  return { input, fill, read: () => input.selectedIndex - 1, unknown: -1 };
}

// Where a case, or a part of it, ends, in words.
function endWords(/** @type {Tree} */ tree, /** @type {Point} */ [i, part]) {
  const { split, counts, label } = tree.nodes[i],
    cases = casesIn(tree.nodes[i]);
  return [
    part < 1 ? `${Math.round(100 * part)}% of it: ` : "",
    `${whereIs(tree, i, "no question")}: ${answer(tree, tree.nodes[i])} `,
    `(${tree.classes ? `${inDigits(counts[label], 4, 0)} of ` : ""}${cases}).`,
    split ? ` It stops there, for ${tree.attributes[split.attribute].name} is unknown.` : "",
  ].join("");
}

// The form, for the columns that the tree asks about; the way of the case is shown in the tree.
export function caseForm(/** @type {Lab} */ lab) {
  const { tree, cases, own, test, held, how } = foundIn(lab),
    said = make("p", { role: "status", class: "dtb-answer" }),
    asked = new Set(tree.nodes.flatMap(({ split }) => split?.attribute ?? [])),
    fields = new Map([...asked].map((a) => [a, fieldOf(tree.attributes[a], () => tell())]));
  function takeRow() {
    const number = row.valueAsNumber - 1,
      [columns, rows] = own.includes(number) ? [cases.columns, own] : [test, held];
    const place = rows.indexOf(number);
    if (place < 0) return void (said.textContent = "There is no such row with an answer.");
    for (const [a, { fill }] of fields) fill(columns[a][place]);
    tell(`, the table ${lab.column().values[number]}`);
  }
  /** @param {string} [truth] */
  function tell(truth) {
    const values = tree.attributes.map((_, a) => fields.get(a)?.read() ?? NaN),
      reached = [...(how.inParts ? pour(tree, values) : new Map([[route(tree, values), 1]]))],
      ends = reached.filter(([i]) => reached.length === 1 || !tree.nodes[i].split);
    const way = ends.length === 1 ? wayTo(tree, ends[0][0]) : reached.map(([i]) => i);
    const words = ends.map((end) => endWords(tree, end));
    if (ends.length === 1) words.push(change(tree, values, way));
    const label = predicted(tree, values, how.inParts);
    if (truth) words.push(`The tree predicts ${answer(tree, { label })}${truth}.`);
    said.textContent = words.filter(Boolean).join(" ");
    lab.showWay?.(new Set(way));
  }
  function clear() {
    for (const { fill, unknown } of fields.values()) fill(unknown);
    tell();
  }
  const first = Math.min(own[0], held[0] ?? Infinity) + 1,
    about = { type: "number", min: 1, value: first, "aria-label": "Row" };
  const row = make("input", { ...about, input: takeRow });
  takeRow();
  return make(
    "div",
    { class: "dtb-part" },
    make("h3", "A case, and why it gets its answer"),
    said,
    make("label", { class: "dtb-field" }, make("span", "Row"), row),
    [...fields].map(([a, { input }]) =>
      make("label", { class: "dtb-field" }, make("span", tree.attributes[a].name), input),
    ),
    button("Clear the case", clear),
  );
}
