// From a table to cases for the engine: which column is the answer, which rows are kept apart.

import { BLANK } from "./csv.js";
import { sum } from "../algorithms/measures.js";

// Steps of the golden ratio around a circle: a share of the rows, spread evenly, whatever order
// they are in.
export const SPREAD = 0.6180339887498949;

/** @type {Set<Label>} */
const UNKNOWN = new Set([...BLANK, NaN]);

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

// In the order of Python, by code points: letters of two halves stand behind all others.
const sortKey = (/** @type {Label} */ level) => `${level}`.replace(/[\ud800-\udfff]/g, "\uffff$&");
const byCodePoint = (/** @type {Label} */ one, /** @type {Label} */ other) =>
  typeof one === "number" ? one - Number(other) : sortKey(one) < sortKey(other) ? -1 : 1;

// The rows that have an answer, as cases for the engine; levels are those of the rows that the
// tree is grown on.
export function read(/** @type {Lab} */ lab) {
  const { table, hold, algorithm } = lab.state,
    y = lab.column();
  const asked = table.columns.filter((one) => one !== y && one.kind !== "out");
  const rows = [...y.values.keys()].filter((i) => !UNKNOWN.has(y.values[i]));
  const isApart = (/** @type {number} */ place) => hold > 0 && (place * SPREAD) % 1 < 1 / hold;
  const own = rows.filter((_, place) => !isApart(place)),
    held = rows.filter((_, place) => isApart(place));
  /** @param {Column} one @returns {Label[]} */
  const said = (one) => (one.kind === "number" ? one.numbers : one.values);
  const levels = (/** @type {Column} */ one) =>
    [...new Set(own.map((i) => said(one)[i]))]
      .filter((value) => !UNKNOWN.has(value))
      .sort(byCodePoint);
  // To ID3 each number is a level of its own.
  const isCut = (/** @type {Column} */ { kind }) => kind === "number" && algorithm !== "ID3";
  /** @param {Column} one @returns {Attribute} */
  const attributeOf = (one) =>
    isCut(one)
      ? { name: one.name, kind: "numeric", levels: [] }
      : { name: one.name, kind: "nominal", levels: levels(one) };
  /** @param {Label[]} values @param {Label[]} all */
  const coded = (values, all) => {
    const code = new Map(all.map((level, c) => [level, c]));
    return values.map((value) => code.get(value) ?? -1);
  };
  const attributes = asked.map(attributeOf),
    columns = asked.map((one, a) =>
      isCut(one) ? one.numbers : coded(said(one), attributes[a].levels),
    ),
    classes = lab.isNumberAnswer() ? null : levels(y),
    target = classes ? coded(y.values, classes) : y.numbers;
  const at = (/** @type {number[]} */ some) => ({
    columns: columns.map((values) => some.map((i) => values[i])),
    target: some.map((i) => target[i]),
  });
  const { columns: test, target: answers } = at(held);
  return { cases: { attributes, classes, weight: null, ...at(own) }, own, held, test, answers };
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
