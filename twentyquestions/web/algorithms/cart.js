// CART as a whole: the entropy too, and the values of nominal attributes in two groups.

import { amountsOf, binaryRecipe, squaresOfSurplus } from "./binary.js";
import { grow } from "./growth.js";
import { sum } from "./measures.js";

const MOST_VALUES = 12; // with more than two classes, so many values are divided in every possible way

/** @param {Cases} cases @param {CartOptions} [options] */
export const cart = (cases, options) => grow(cases, cartRecipe(cases, options));
/** @param {Cases} cases @param {CartOptions} [options] */
export function cartRecipe(cases, { criterion = "gini", ...options } = {}) {
  const measure = cases.classes && criterion !== "gini" ? toldBySurplus : squaresOfSurplus;
  return binaryRecipe(cases, options, measure, bestSubset);
}

// By how much a cut lowers the entropy, in bits, times weight. Near a fair share the logarithm of 1 +
// surplus / share keeps all digits.
/** @type {Measure} */
function toldBySurplus(left, total, below, all) {
  let told = 0,
    restLeft = left,
    restTotal = total,
    rest = 0;
  // Where next to nothing is there, rounding must not make the logarithm infinite.
  const tell = (/** @type {number} */ weight, /** @type {number} */ surplus) => {
    const fair = weight - surplus;
    if (weight > 0 && fair > 0)
      told += weight * Math.log1p(Math.max(surplus / fair, Number.EPSILON - 1));
  };
  /** @param {number} l @param {number} n @param {number} surplus */
  const tellBoth = (l, n, surplus) => (tell(l, surplus), tell(n - l, -surplus));
  for (let k = 0; k < below.length; k++) {
    const surplus = below[k] - left * (all[k] / total);
    tellBoth(below[k], all[k], surplus);
    ((rest -= surplus), (restLeft -= below[k]), (restTotal -= all[k]));
  }
  tellBoth(restLeft, restTotal, rest);
  return Math.max(told, 0) / Math.LN2;
}

// The best division of the values of a nominal attribute into two groups. With two classes, or
// numbers, it is a cut of the values in the order of their mean (Breiman et al. 1984, theorem 4.5);
// otherwise every division is tried.
/** @type {BinarySearch} */
function bestSubset(cases, here, a, limits) {
  const column = cases.columns[a],
    nValues = cases.attributes[a].levels.length;
  const { n, add } = amountsOf(cases, here);
  const values = Array.from({ length: nValues }, (_, code) => {
    return { code, size: 0, weight: 0, amounts: new Float64Array(n) };
  });
  for (const row of here.rows) {
    if (column[row] < 0) continue;
    const value = values[column[row]];
    value.size += 1;
    value.weight += here.weightOf[row];
    add(value.amounts, row);
  }
  const present = values.filter(({ size }) => size > 0);
  if (present.length < 2) return null;
  const isClasses = cases.classes !== null;
  const everyWay = n > 1 && present.length <= MOST_VALUES;
  const firsts = everyWay
    ? everyFirst(present)
    : firstsOf(inOneOrder(present, n, isClasses, limits));
  const found = bestDivision(present, firsts, n, isClasses, limits);
  if (!found) return null;
  // The first value that is present is on the first side.
  const first = new Set(found.first.map(({ code }) => code)),
    groups = [true, false].map((is) => present.filter(({ code }) => first.has(code) === is));
  if (!first.has(present[0].code)) groups.reverse();
  const codes = groups.map((group) => group.map(({ code }) => code));
  return { split: { kind: "subset", attribute: a, groups: codes }, score: found.score };
}

// What may be the first of two groups: each beginning of an order, or any values but the last.
/** @param {Level[]} order */
const firstsOf = (order) => order.slice(1).map((_, i) => order.slice(0, i + 1));
const everyFirst = (/** @type {Level[]} */ values) =>
  Array.from({ length: 2 ** (values.length - 1) - 1 }, (_, c) =>
    values.filter((_, i) => ((c + 1) >> i) & 1),
  );

// The best of some first groups as { score, first }, of equals the first, of those with the sizes that are
// wanted.
/** @param {Level[]} values @param {Level[][]} firsts @param {number} n @param {boolean} isClasses
 * @param {Limits} limits */
function bestDivision(values, firsts, n, isClasses, { measure, minLeaf, floor }) {
  const total = addUp(values, n);
  const divisions = firsts.flatMap((first) => {
    const chosen = new Set(first);
    const sides = [first, values.filter((value) => !chosen.has(value))].map((of) => addUp(of, n));
    if (sides.some(({ size }) => size < minLeaf)) return [];
    const { weight, amounts } = sides[Number(sides[1].weight < sides[0].weight)];
    return { first, score: measure(weight, total.weight, amounts, total.amounts, isClasses) };
  });
  const most = divisions.reduce((best, { score }) => Math.max(best, score), -Infinity);
  return divisions.find(({ score }) => score >= floor(most));
}

function addUp(/** @type {Group[]} */ values, /** @type {number} */ n) {
  const amounts = new Float64Array(n);
  for (const value of values) for (let k = 0; k < n; k++) amounts[k] += value.amounts[k];
  const [size, weight] = [sum(values.map((v) => v.size)), sum(values.map((v) => v.weight))];
  return { size, weight, amounts };
}

// With one sum, values stand in the order of their mean. With more, along the first principal
// component of their class shares (Coppersmith, Hong and Hosking 1999).
/** @param {Level[]} values @param {number} n @param {boolean} isClasses @param {Limits} limits */
function inOneOrder(values, n, isClasses, { floor }) {
  let place = (/** @type {Group} */ { amounts, weight }) => amounts[0] / weight;
  if (n > 1) {
    const shares = (/** @type {Group} */ { amounts, weight }) =>
      [...amounts, weight - sum(amounts)].map((amount) => amount / weight);
    const total = sum(values.map(({ weight }) => weight));
    const mean = shares(addUp(values, n));
    /** @param {Group} value */
    const centred = (value) => shares(value).map((share, k) => share - mean[k]);
    let axis = mean.map((_, k) => 1 / (k + 1)); // any start that is not on a side of the simplex
    for (let turn = 0; turn < 2000; turn++) {
      const next = mean.map(() => 0);
      for (const value of values) {
        const c = centred(value);
        const along = (sum(c.map((x, k) => x * axis[k])) * value.weight) / total;
        c.forEach((x, k) => (next[k] += x * along));
      }
      const length = Math.hypot(...next);
      if (!(length > 0)) break;
      axis = next.map((x) => x / length);
    }
    place = (value) => sum(centred(value).map((x, k) => x * axis[k]));
  }
  // What is equal but for rounding stays in the order of the values: numbers all are where each mean is
  // that of the node.
  const most = Math.max(...values.map((value) => Math.abs(place(value))));
  const isEven = !isClasses && most ** 2 * sum(values.map(({ weight }) => weight)) <= -floor(0);
  const unit = isEven ? Infinity : most / 2 ** 40 || 1;
  const step = (/** @type {Level} */ value) => Math.round(place(value) / unit);
  return [...values].sort((one, other) => step(one) - step(other) || one.code - other.code);
}
