// Counts of cases by class, and the name that they are largest for.

import { misclassification, sum } from "../algorithms/measures.js";

// The name with the largest number, or with the smallest; null if two come within a distance.
/** @template {Answer} T @param {T[]} names @param {number[]} numbers */
export function most(names, numbers, apart = 0, sign = 1) {
  const order = numbers.map((_, i) => i).sort((i, j) => sign * (numbers[j] - numbers[i]));
  return sign * (numbers[order[0]] - numbers[order[1]]) > apart ? names[order[0]] : null;
}
/** @template {Answer} T @param {T[]} names @param {number[]} numbers @param {number} [apart] */
export const least = (names, numbers, apart) => most(names, numbers, apart, -1);

// How many cases of each value, by class: what a question divides.
/** @param {string[]} column @param {string[]} target @param {string[]} values @param {string[]} classes */
export const crossed = (column, target, values, classes) =>
  values.map((value) =>
    countsOf(
      target.filter((_, i) => column[i] === value),
      classes,
    ),
  );

export const countsOf = (/** @type {string[]} */ target, /** @type {string[]} */ classes) =>
  classes.map((name) => target.filter((label) => label === name).length);
/** How many are wrong if each pile answers by its majority. @param {number[][]} table */
export const mistakes = (table) => sum(table.map((row) => sum(row) * misclassification(row)));

/** Words for a pile: "stays 2, comes 4". @param {number[]} counts @param {string[]} classes */
export const few = (counts, classes) =>
  counts.map((count, k) => `${classes[k]} ${count}`).join(", ");
