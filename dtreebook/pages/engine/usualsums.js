// Sums that many kinds of exercises need, as [how, value], and the slips in lines that are such sums.

import { as, minus, over, plus, rounded, shown, slip } from "./calculation.js";
import { columnSums, entropy, gini, majority, misclassification, sum } from "./measures.js";

/** @param {number} count @param {number} n */
const shareOf = (count, n) => `${shown(count)}/${shown(n)}`;

/** An entropy in bits, or in another unit. @param {number[]} counts @returns {Sum<number>} */
export function entropyOf(counts, log = "log₂", unit = 1) {
  const n = sum(counts);
  const present = counts.filter((count) => count > 0);
  const how = present.map((c) => `${shareOf(c, n)} · ${log} ${shareOf(n, c)}`);
  return [how.join(" + "), entropy(counts) * unit];
}

/** Each share squared. @param {number[]} counts @param {string} sign between them */
const squaresOf = (counts, sign) =>
  counts.map((c) => `(${shareOf(c, sum(counts))})²`).join(` ${sign} `);
/** @param {number[]} counts @returns {Sum<number>} */
export const giniOf = (counts) => [`1 − ${squaresOf(counts, "−")}`, gini(counts)];

// What is taken for a measure of impurity, by the name of the slip.
/** @type {Record<string, Measured>} */
const TAKEN = {
  "natural logarithm": (counts) => entropyOf(counts, "ln", Math.LN2),
  "Gini for entropy": giniOf,
  "entropy for Gini": (counts) => entropyOf(counts),
  "share missed": (counts) => [
    `1 − ${shareOf(Math.max(...counts), sum(counts))}`,
    misclassification(counts),
  ],
  "squares not taken from one": (counts) => [squaresOf(counts, "+"), 1 - gini(counts)],
};

// Slips in lines that are the impurities of some counts, from one of the lines on.
export const taken = (/** @type {string[]} */ names, /** @type {number[][]} */ piles, from = 0) =>
  names.map((name) =>
    slip(
      name,
      piles.map((_, i) => from + i),
      (_, i) => TAKEN[name](piles[i - from]),
    ),
  );

// The mean of some values, each weighing as much as its cases.
/** @param {number[]} sizes @param {number[]} values @returns {Sum<number>} */
export function weighted(sizes, values) {
  const n = sum(sizes);
  const how = sizes.map((size, i) => `${shareOf(size, n)} · ${shown(values[i])}`).join(" + ");
  const mean = (/** @type {number[]} */ of) => sum(sizes.map((size, i) => size * of[i])) / n;
  return [how, mean(values), mean(values.map(rounded))];
}
export const plainMean = (/** @type {number[]} */ values) =>
  values.length === 1 ? as(values[0]) : over(plus(values), values.length);

// By how much a question lowers an impurity, in one line; and the slips in such lines.
/** @param {number[][]} table @param {Measured} [measure] @param {Averaged} [mean] */
export function fallOf(table, measure = entropyOf, mean = weighted) {
  const [before, ...after] = [columnSums(table), ...table].map((counts) => measure(counts)[1]);
  return minus(before, mean(table.map(sum), after));
}
/** @param {number[][][]} tables @param {number} from @param {Measured} right
 * @param {string[]} wrong */
export const fallSlips = (tables, from, right, wrong) => {
  const places = tables.map((_, i) => from + i);
  return [
    slip("plain mean", places, (_, i) =>
      fallOf(tables[i - from], right, (_sizes, values) => plainMean(values)),
    ),
    ...wrong.map((name) => slip(name, places, (_, i) => fallOf(tables[i - from], TAKEN[name]))),
  ];
};

/** The share of the second class, and slips in lines that are such shares. @param {number[]} counts */
export const shareIn = (counts) => over(counts[1], sum(counts));
export const shareSlips = (/** @type {number[][]} */ leaves, /** @type {number} */ from = 0) => {
  const places = leaves.map((_, i) => from + i);
  const leaf = (/** @type {number} */ i) => leaves[i - from];
  return [
    slip("votes for shares", places, (_, i) =>
      over(majority(leaf(i)) * sum(leaf(i)), sum(leaf(i))),
    ),
    slip("other class", places, (_, i) => over(leaf(i)[0], sum(leaf(i)))),
  ];
};
