// From a table to cases for the engine: which column is the answer, which rows are kept apart.

import { asNominal } from "./branches.js";
import { BLANK } from "./csv.js";
import { sum } from "./measures.js";

// Steps of the golden ratio around a circle: a share of the rows, spread evenly, whatever order
// they are in.
export const SPREAD = 0.6180339887498949;

// More classes would fill the memory; the squares of larger numbers, added up, may be infinite.
const MOST_CLASSES = 1000;
const LARGEST_ANSWER = 1e145;

const MOST_BRANCHES = 2e7; // so many branches times cases take ID3 some seconds

// The column that is most likely what a table is about: one of a telling name, else the last one
// of few words, else the last.
export function answerOf(/** @type {Column[]} */ columns) {
  const asked = columns.filter(({ kind, levels }) => kind !== "out" && levels.length > 1);
  const few = asked.filter(({ levels, isNumber }) => levels.length <= 20 && !isNumber);
  const telling =
    /^(y|class|label|target|answer|outcome|result|diagnosis|species|survived|churn|default)$/i;
  return (
    asked.findLast(({ name }) => telling.test(name)) ??
    few.at(-1) ??
    asked.at(-1) ??
    columns[columns.length - 1]
  );
}

// The rows that have an answer, as cases for the engine; levels are those of the rows that the
// tree is grown on.
export function read(/** @type {Lab} */ lab) {
  const { columns, n } = lab.state.table,
    y = lab.column(lab.state.answer);
  const asked = columns.filter((one) => one !== y && one.kind !== "out");
  const rows = Array.from({ length: n }, (_, i) => i).filter((i) => !BLANK.has(y.values[i]));
  /** @param {number} place */
  const apart = (place) => lab.state.hold > 0 && (place * SPREAD) % 1 < 1 / lab.state.hold;
  const own = rows.filter((_, place) => !apart(place)),
    held = rows.filter((_, place) => apart(place));
  // In the order of Python, by code points: letters of two halves stand behind all others.
  const key = (/** @type {string} */ level) => level.replace(/[\ud800-\udfff]/g, "\uffff$&");
  const levels = (/** @type {Column} */ one) =>
    [...new Set(own.map((i) => one.values[i]).filter((value) => !BLANK.has(value)))].sort((a, b) =>
      key(a) < key(b) ? -1 : 1,
    );
  const attributes = asked.map(
    (one) =>
      /** @type {Attribute} */ ({
        name: one.name,
        kind: one.kind === "number" ? "numeric" : "nominal",
        levels: one.kind === "number" ? [] : levels(one),
      }),
  );
  const code = (/** @type {Column} */ one, /** @type {number} */ a) => {
    if (attributes[a].kind === "numeric") return (/** @type {number} */ i) => one.numbers[i];
    const place = new Map(attributes[a].levels.map((level, c) => [level, c]));
    return (/** @type {number} */ i) => place.get(one.values[i]) ?? -1;
  };
  const take = (/** @type {number[]} */ some) => asked.map((one, a) => some.map(code(one, a)));
  const classes = lab.isNumberAnswer() ? null : levels(y);
  const answers = (/** @type {number[]} */ some) =>
    some.map((i) => (classes ? classes.indexOf(y.values[i]) : y.numbers[i]));
  /** @type {Cases} */
  let cases = { attributes, columns: take(own), target: answers(own), classes, weight: null };
  let test = take(held);
  if (lab.state.algorithm === "ID3") {
    const numbers = attributes.map(({ kind }) => kind === "numeric");
    cases = asNominal(cases);
    test = test.map((values, a) =>
      numbers[a] ? values.map((value) => cases.attributes[a].levels.indexOf(value)) : values,
    );
  }
  return { cases, own, held, test, answers: answers(held) };
}

/** @param {Lab} lab @param {Cases} cases */
export function troubleWith(lab, { attributes, target, classes }) {
  if (!attributes.length) return "Choose a column to ask about: all are left out.";
  const wide = attributes.find(({ levels }) => typeof levels[0] === "number" && levels.length > 1);
  if (wide && sum(attributes.map(({ levels }) => levels.length)) * target.length > MOST_BRANCHES)
    return `ID3 makes a branch for every number, and ${wide.name} has ${wide.levels.length} of them. Leave such columns out, or take C4.5 or CART, which cut numbers.`;
  if (!target.length) return "No row with an answer is left to grow a tree from.";
  if (classes && classes.length > MOST_CLASSES)
    return `${lab.state.answer} has ${classes.length} values, too many for an answer: choose another column.`;
  if (!classes && Array.from(target).some((y) => Math.abs(y) > LARGEST_ANSWER))
    return `${lab.state.answer} is too large to be squared: give it in a larger unit.`;
  return "";
}

/** The values of one case. @param {Numbers[]} columns @param {number} i */
export const valuesOf = (columns, i) => columns.map((values) => values[i]);

/** The tree that has grown, and what it has grown from. @param {Lab} lab */
export function foundIn({ state: { found } }) {
  if (!found) throw new Error("No tree has grown yet.");
  return found;
}
