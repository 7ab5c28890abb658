// Sums that many kinds of exercises need, as [how, value], and the slips in lines that are such sums.

import { as, minus, over, plus, rounded, shown, slipEach } from "./calculation.js";
import {
  columnSums,
  entropy,
  gini,
  majority,
  misclassification,
  sum,
} from "../algorithms/measures.js";

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

// Slips in lines that are the impurities of some counts.
export const taken = (/** @type {string[]} */ names, /** @type {number[][]} */ piles) =>
  names.map((name) => slipEach(name, 0, piles, TAKEN[name]));

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
export const fallSlips = (tables, from, right, wrong) => [
  slipEach("plain mean", from, tables, (table) => fallOf(table, right, (_, of) => plainMean(of))),
  ...wrong.map((name) => slipEach(name, from, tables, (table) => fallOf(table, TAKEN[name]))),
];

/** The share of the second class, and slips in lines that are such shares. @param {number[]} counts */
export const shareIn = (counts) => over(counts[1], sum(counts));
export const shareSlips = (/** @type {number[][]} */ leaves, /** @type {number} */ from = 0) => [
  slipEach("votes for shares", from, leaves, (of) => over(majority(of) * sum(of), sum(of))),
  slipEach("other class", from, leaves, (of) => over(of[0], sum(of))),
];
