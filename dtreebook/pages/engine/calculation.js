// An exercise is a short calculation: lines of words, each with a value that may use those of the
// lines above it. Somebody with a misconception writes one of the lines otherwise, and reckons on
// rightly from there: that is a slip. The right answer, the wrong ones and every form of an exercise
// follow from the two.
//
// A kind of exercise belongs to a part of the book and to a page, and `draw(random)` gives one, or null.
// A line says what is worked out; its `calc(values)` is [how, value], the sum in signs and what it
// gives, a number or one of some options; and what it gives with its numbers as they are printed, if
// not all of them come from `values`. A slip has the places of the lines that it changes; if it
// gives a value alone, its line reads as the right one does.

import { sum } from "./measures.js";

/** @param {Line["says"]} says @param {Calc} calc @param {Answer[] | null} [options] @returns {Line} */
export const lineOf = (says, calc, options = null) => ({ says, calc, options });
/** @param {string} title @param {number} part @param {string} page @param {Kind["draw"]} draw */
export const kind = (title, part, page, draw) => ({ title, part, page, draw });
/** @param {string} name @param {number | number[]} at @param {SlipLine["calc"]} calc */
export const slip = (name, at, calc) => ({ name, at: [at].flat(), calc });

// A number as it is printed: three digits after the point at most.
/** @type {(value: Answer | null | undefined) => string} */
export const shown = (value) =>
  typeof value === "number"
    ? String(Number(value.toFixed(3)) + 0).replace("-", "−")
    : String(value);

/** @type {(value: number) => number} */
export const rounded = (value) => Number(value.toFixed(3));

/** A number inside a sum. @param {number} value */
export const term = (value) => (value < 0 ? `(${shown(value)})` : shown(value));

/** A sum and what joins it to its value: "=" only if nothing was rounded on the way. @param {Step} about */
export function joined({ how, value, printed }) {
  if (how === shown(value)) return ""; // a number alone
  if (typeof value === "string" || /[a-z]{4}/.test(how)) return `${how}:`;
  const isExact = [rounded(value), printed].every((one) => Math.abs(value - Number(one)) < 1e-9);
  return `${how} ${isExact ? "=" : "≈"}`;
}
export const sumOf = (/** @type {Step} */ step) => `${joined(step)} ${shown(step.value)}`.trim();

// Whether who reckons with the numbers of a line as they are printed gets what is printed.
export const isTrue = (/** @type {Step} */ { value, printed }) =>
  typeof value === "number"
    ? Math.abs(rounded(value) - Number(printed)) < 0.000501
    : value === printed;

// The calculation, as it is right or with a slip.
/** @param {Line[]} lines @param {Omit<SlipLine, "name">} [wrong] @returns {Step[]} */
export function worked(lines, wrong) {
  const /** @type {never[]} */ values = [];
  return lines.map(({ says, calc }, i) => {
    const found = (/** @type {never[]} */ from) => {
      const sum = calc(from, i);
      const other = wrong?.at.includes(i) ? wrong.calc(from, i) : sum;
      return Array.isArray(other) ? other : [sum[0], other];
    };
    const [how, value] = found(values);
    const asPrinted = values.map((one) => (typeof one === "number" ? rounded(one) : one));
    const [, again, printed = again] = found(/** @type {never[]} */ (asPrinted));
    const step = {
      says: typeof says === "string" ? says : says(values),
      how: String(how),
      value: /** @type {Answer} */ (value),
      printed: /** @type {Answer} */ (printed),
    };
    values.push(/** @type {never} */ (value));
    return step;
  });
}

// --- plain sums, as [how, value] ---------------------------------------------------------------------

/** @param {number} one @param {number[]} others @returns {Sum<number>} */
export const minus = (one, ...others) => [
  `${shown(one)} − ${others.map(term).join(" − ")}`,
  others.reduce((left, other) => left - other, one),
];
/** @param {number} one @param {number} other @returns {Sum<number>} */
export const times = (one, other) => [`${shown(one)} · ${term(other)}`, one * other];
/** @param {number} one @param {number} other @returns {Sum<number>} */
export const over = (one, other) => [
  `${shown(one)} / ${shown(other)}`,
  one / other,
  rounded(one) / rounded(other),
];
/** @param {number[]} values @returns {Sum<number>} */
export const plus = (values) => [values.map(term).join(" + "), sum(values)];

/** @template {Answer | null | undefined} T @param {T} value @returns {Sum<T>} */
export const as = (value) => [String(shown(value)), value];
