// What CART asks at a node: the cut in two that lowers an impurity most, for classes and for
// numbers. Equal to CARTClassifier and CARTRegressor without surrogates: where a value is unknown,
// the case goes with the majority.

import { describeClasses, grow, handOn, middle, offersAt, ROUNDING, sendAt } from "./grow.js";
import { sum, TIE } from "./measures.js";

const MOST_VALUES = 12; // with more than two classes, so many values are divided in every possible way

/**
 * @typedef {{criterion?: string, maxDepth?: number | null, minSplit?: number, minLeaf?: number}} Options
 * @typedef {{add: (sums: Float64Array, row: number) => void, n: number}} Amounts
 * @typedef {{size: number, weight: number, amounts: Float64Array}} Value Cases and what they add.
 * @typedef {Value & {code: number}} Level
 * @typedef {(left: number, total: number, below: Float64Array, all: Float64Array,
 *   isClasses: boolean) => number} Measure By how much a division lowers the impurity, times weight.
 * @typedef {{measure: Measure, minLeaf: number, rounding: number}} Limits
 */

/** @param {Cases} cases @param {Options} [options] */
export const cart = (cases, options) => grow(cases, cartRecipe(cases, options));

/** @param {Cases} cases @param {Options} [options] @returns {Recipe} */
export function cartRecipe(
  cases,
  { criterion = "gini", maxDepth = null, minSplit = 2, minLeaf = 1 } = {},
) {
  const isClasses = cases.classes !== null;
  const measure = isClasses && criterion !== "gini" ? toldBySurplus : squaresOfSurplus;
  let largest = Number(isClasses);
  if (!isClasses) for (const y of cases.target) largest = Math.max(largest, Math.abs(y));
  const eps = Number.EPSILON * largest; // how far a number may be off, as a share of the weight
  // A decrease up to this is only rounding; of one that is the square of a sum, the square of it.
  const isSquare = measure === squaresOfSurplus && !(cases.classes && cases.classes.length > 8);
  const nothing = isSquare ? (16 * eps) ** 2 : 16 * eps;
  return {
    isCut: (attribute) => attribute.kind !== "nominal",
    describe: isClasses ? describeClasses : (cases, here) => describeNumbers(cases, here, eps),
    reasonToStop: (here, node) => {
      const isPure = isClasses
        ? node.counts.filter((count) => count > 0).length === 1
        : here.isConstant;
      if (isPure) return "pure";
      if (here.rows.length < minSplit) return "too few cases";
      return here.depth === maxDepth ? "depth" : "";
    },
    choose: (_, here, node) => {
      const rounding = sum(node.counts) * nothing;
      const candidates = offersAt(cases, here, ({ kind }, a) =>
        (kind === "nominal" ? bestSubset : bestBinaryCut)(cases, here, a, {
          measure,
          minLeaf,
          rounding,
        }),
      );
      if (!candidates.length) return { candidates, reason: "no attribute divides the cases" };
      let best = Math.max(...candidates.map(({ score }) => score));
      if (best > 0 && best <= rounding) best = 0;
      if (best < 0) return { candidates, reason: "best score below the least" };
      const floor = best - Math.abs(best) * TIE - rounding;
      const chosen = candidates.find(({ score }) => score >= floor);
      return { candidates, chosen, best, reason: "best score" };
    },
    divide: (_, here, node, chosen) => {
      const weights = sendAt(cases, here, chosen.split, 2);
      node.split = chosen.split;
      if (Math.abs(weights[1] - weights[0]) > ROUNDING * sum(weights))
        node.default = Number(weights[1] > weights[0]);
      node.improvement =
        chosen.score > 0 && chosen.score <= sum(node.counts) * nothing ? 0 : chosen.score;
      const shares =
        "default" in node ? [0, 1].map((branch) => Number(branch === node.default)) : null;
      return handOn(here, node.label, 2, shares, here.available);
    },
  };
}

// The mean of a node, and the squared error around it; `here.above` is how far each case is above
// the mean.
/** @param {Cases} cases @param {Here} here @param {number} eps @returns {Draft} */
function describeNumbers(cases, here, eps) {
  const { rows, weights } = here,
    { target } = cases;
  const weight = sum(weights);
  const first = target[rows[0]];
  let mean = 0;
  for (let p = 0; p < rows.length; p++) mean += (weights[p] * (target[rows[p]] - first)) / weight;
  let risk = 0;
  for (let p = 0; p < rows.length; p++) {
    const above = target[rows[p]] - first - mean;
    here.above[rows[p]] = above;
    risk += weights[p] * above * above;
  }
  here.isConstant = risk <= weight * (4 * eps) ** 2;
  return { counts: [weight], label: first + mean, risk };
}

// What every case adds to the sums: its weight to its class, but nothing for the last class, which
// has what the others leave; or its number above the mean.
/** @param {Cases} cases @param {Here} here @returns {Amounts} */
function amountsOf(cases, here) {
  if (cases.classes === null)
    return { n: 1, add: (sums, row) => (sums[0] += here.weightOf[row] * here.above[row]) };
  const n = cases.classes.length - 1;
  return {
    n,
    add: (sums, row) => cases.target[row] < n && (sums[cases.target[row]] += here.weightOf[row]),
  };
}

// By how much a cut lowers the Gini impurity, or the squared error, times weight. The surplus of a
// class is what the first side has of it beyond its fair share: d_k = l_k - l n_k / n. Then the
// decrease is sum_k d_k^2 n / (l r).
/** @type {Measure} */
function squaresOfSurplus(left, total, below, all, isClasses) {
  let squares = 0,
    rest = 0;
  for (let k = 0; k < below.length; k++) {
    const surplus = below[k] - left * (all[k] / total);
    rest += surplus;
    squares += surplus * surplus;
  }
  const right = total - left;
  if (!(left * right > 0)) return 0;
  return (squares + (isClasses ? rest * rest : 0)) * (total / (left * right));
}

// The same for the entropy, in bits. Near a fair share the logarithm of 1 + surplus / share keeps
// all digits.
/** @type {Measure} */
function toldBySurplus(left, total, below, all) {
  let told = 0,
    restLeft = left,
    restTotal = total,
    rest = 0;
  // Where next to nothing is there, rounding must not make the logarithm infinite.
  /** @param {number} weight @param {number} surplus */
  const tell = (weight, surplus) => {
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

// The best cut of a number, or of levels in order; of equals the first.
/** @type {(cases: Cases, here: Here, a: number, limits: Limits) => Candidate | null} */
function bestBinaryCut(cases, here, a, { measure, minLeaf, rounding }) {
  const rows = here.sorted[a] ?? [],
    column = cases.columns[a],
    isClasses = cases.classes !== null;
  const { n, add } = amountsOf(cases, here);
  const all = new Float64Array(n),
    below = new Float64Array(n);
  let total = 0,
    left = 0,
    most = -Infinity;
  for (const row of rows) (add(all, row), (total += here.weightOf[row]));
  const scores = here.scores.subarray(0, rows.length).fill(-Infinity);
  for (let p = 0; p + 1 < rows.length; p++) {
    add(below, rows[p]);
    left += here.weightOf[rows[p]];
    const number = p + 1;
    if (
      column[rows[p]] === column[rows[p + 1]] ||
      number < minLeaf ||
      rows.length - number < minLeaf
    )
      continue;
    const score = measure(left, total, below, all, isClasses);
    scores[p] = score;
    if (score > most) most = score;
  }
  if (most === -Infinity) return null;
  const floor = most - Math.abs(most) * TIE - rounding;
  const p = scores.findIndex((score) => score >= floor);
  const low = column[rows[p]],
    high = column[rows[p + 1]];
  const cut = cases.attributes[a].kind === "numeric" ? middle(low, high) : low;
  return { split: { kind: "threshold", attribute: a, cut }, score: most };
}

// The best division of the values of a nominal attribute into two groups. With two classes, or
// numbers, it is a cut of the values in the order of their mean (Breiman et al. 1984, theorem 4.5);
// otherwise every division is tried.
/** @type {(cases: Cases, here: Here, a: number, limits: Limits) => Candidate | null} */
function bestSubset(cases, here, a, limits) {
  const column = cases.columns[a],
    nValues = cases.attributes[a].levels.length;
  const { n, add } = amountsOf(cases, here);
  /** @type {(_: unknown, code: number) => Level} */
  const empty = (_, code) => ({ code, size: 0, weight: 0, amounts: new Float64Array(n) });
  const values = Array.from({ length: nValues }, empty);
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
  const found = bestDivision(
    present,
    everyWay ? everyFirst(present) : firstsOf(inOneOrder(present, n)),
    n,
    isClasses,
    limits,
  );
  if (!found) return null;
  // The first value that is present is on the first side.
  const first = new Set(found.first.map(({ code }) => code));
  const groups = [
    present.filter(({ code }) => first.has(code)),
    present.filter(({ code }) => !first.has(code)),
  ];
  if (!first.has(present[0].code)) groups.reverse();
  const codes = groups.map((group) => group.map(({ code }) => code));
  return { split: { kind: "subset", attribute: a, groups: codes }, score: found.score };
}

// What may be the first of two groups: each beginning of an order, or any values but the last.
/** @param {Level[]} order */
const firstsOf = (order) => order.slice(1).map((_, i) => order.slice(0, i + 1));
/** @param {Level[]} values */
const everyFirst = (values) =>
  Array.from({ length: 2 ** (values.length - 1) - 1 }, (_, c) =>
    values.filter((_, i) => ((c + 1) >> i) & 1),
  );

// The best of some first groups as { score, first }, of equals the first, of those with the sizes that are
// wanted.
/**
 * @param {Level[]} values @param {Level[][]} firsts @param {number} n @param {boolean} isClasses
 * @param {Limits} limits
 */
function bestDivision(values, firsts, n, isClasses, { measure, minLeaf, rounding }) {
  const total = addUp(values, n);
  const divisions = firsts.flatMap((first) => {
    const { size, weight, amounts } = addUp(first, n);
    if (size < minLeaf || total.size - size < minLeaf) return [];
    return { first, score: measure(weight, total.weight, amounts, total.amounts, isClasses) };
  });
  const most = divisions.reduce((best, { score }) => Math.max(best, score), -Infinity);
  return divisions.find(({ score }) => score >= most - Math.abs(most) * TIE - rounding);
}

/** @param {Value[]} values @param {number} n @returns {Value} */
function addUp(values, n) {
  const amounts = new Float64Array(n);
  for (const value of values) for (let k = 0; k < n; k++) amounts[k] += value.amounts[k];
  return {
    size: sum(values.map((v) => v.size)),
    weight: sum(values.map((v) => v.weight)),
    amounts,
  };
}

// With one sum, values stand in the order of their mean. With more, along the first principal
// component of their class shares (Coppersmith, Hong and Hosking 1999).
/** @param {Level[]} values @param {number} n */
function inOneOrder(values, n) {
  /** @param {Value} value */
  let place = ({ amounts, weight }) => amounts[0] / weight;
  if (n > 1) {
    /** @param {Value} value */
    const shares = ({ amounts, weight }) =>
      [...amounts, weight - sum(amounts)].map((amount) => amount / weight);
    const total = sum(values.map(({ weight }) => weight));
    const mean = shares(addUp(values, n));
    /** @param {Value} value */
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
  // What is equal but for rounding stays in the order of the values.
  const unit = Math.max(...values.map((value) => Math.abs(place(value)))) / 2 ** 40 || 1;
  /** @param {Level} value */
  const step = (value) => Math.round(place(value) / unit);
  return [...values].sort((one, other) => step(one) - step(other) || one.code - other.code);
}
