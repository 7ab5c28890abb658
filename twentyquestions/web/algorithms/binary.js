// What CART asks at a node: the cut in two that lowers an impurity most, for classes and for
// numbers. Equal to CARTClassifier and CARTRegressor without surrogates: where a value is unknown,
// the case goes with the majority.

import { describeClasses, handOn, middle, offersAt, ROUNDING, sendAt } from "./growth.js";
import { sum, TIE } from "./measures.js";

// The recipe of CART; `findGroups` finds the groups of a nominal attribute, where there are any.
/** @param {Cases} cases @param {Omit<CartOptions, "criterion">} [options]
 * @param {Measure} [measure] @param {BinarySearch} [findGroups] @returns {Recipe} */
export function binaryRecipe(
  cases,
  { maxDepth = null, minSplit = 2, minLeaf = 1 } = {},
  measure = squaresOfSurplus,
  findGroups = bestBinaryCut,
) {
  const isClasses = cases.classes !== null;
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
      // From where on a score is as good as the best; a square's root is off by that of rounding.
      const floor = (/** @type {number} */ best) =>
        best - best * TIE - rounding - (isSquare ? 2 * best ** 0.5 * rounding ** 0.5 : 0);
      const candidates = offersAt(cases, here, ({ kind }, a) =>
        (kind === "nominal" ? findGroups : bestBinaryCut)(cases, here, a, {
          measure,
          minLeaf,
          floor,
        }),
      );
      if (!candidates.length) return { candidates, reason: "no attribute divides the cases" };
      let best = Math.max(...candidates.map(({ score }) => score));
      if (best > 0 && best <= rounding) best = 0;
      if (best < 0) return { candidates, reason: "best score below the least" };
      const chosen = candidates.find(({ score }) => score >= floor(best));
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
/** @param {Cases} cases @param {Here} here @param {number} eps */
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
export function amountsOf(/** @type {Cases} */ cases, /** @type {Here} */ here) {
  const n = cases.classes ? cases.classes.length - 1 : 1;
  /** @type {(sums: Float64Array, row: number) => unknown} */
  const add = cases.classes
    ? (sums, row) => cases.target[row] < n && (sums[cases.target[row]] += here.weightOf[row])
    : (sums, row) => (sums[0] += here.weightOf[row] * here.above[row]);
  return { n, add };
}

// By how much a cut lowers the Gini impurity, or the squared error, times weight. The surplus of a
// class is what the first side has of it beyond its fair share: d_k = l_k - l n_k / n. Then the
// decrease is sum_k d_k^2 n / (l r).
/** @type {Measure} */
export function squaresOfSurplus(left, total, below, all, isClasses) {
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

/** The best cut of a number, or of levels in order; of equals the first. @type {BinarySearch} */
function bestBinaryCut(cases, here, a, { measure, minLeaf, floor }) {
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
  const p = scores.findIndex((score) => score >= floor(most));
  const low = column[rows[p]],
    high = column[rows[p + 1]];
  const cut = cases.attributes[a].kind === "numeric" ? middle(low, high) : low;
  return { split: { kind: "threshold", attribute: a, cut }, score: most };
}
