// What ID3 and C4.5 ask at a node: a branch for every value, or for numbers a cut; and how they
// choose among the questions.

import {
  describeClasses,
  EPSILON,
  grow,
  handOn,
  middle,
  offersAt,
  ROUNDING,
  sendAt,
} from "./grow.js";
import { ascending, informationGain, nLogN, splitInformation, sum, TIE } from "./measures.js";

const NEAR = 1e-5; // values closer than this are not told apart (C4.5 Release 8)

// The weight of every value and class at a node, and of the unknown values.
/** @param {Cases} cases @param {Here} here @param {number} a */
function levelTable(cases, here, a) {
  const column = cases.columns[a],
    nClasses = cases.classes?.length ?? 0;
  const table = cases.attributes[a].levels.map(() => new Array(nClasses).fill(0));
  let unknown = 0;
  for (let p = 0; p < here.rows.length; p++) {
    const row = here.rows[p];
    if (column[row] < 0) unknown += here.weights[p];
    else table[column[row]][cases.target[row]] += here.weights[p];
  }
  return { table, unknown };
}

/**
 * @typedef {{minGain?: number, maxDepth?: number | null}} Id3Options
 * @typedef {{criterion?: string, minWeight?: number, averageGainGuard?: boolean,
 *   mdlPenalty?: boolean}} C45Options
 * @typedef {typeof PLAIN & {values: Float64Array[]}} Rules `values` are those of each number, in order.
 * @typedef {{split: Split, gain: number, information: number}} Offer
 * @typedef {(cases: Cases, here: Here, node: Draft, a: number, recipe: Rules) => Offer | null} Search
 */

// What C4.5 has beside the gain of ID3, all off.
const PLAIN = {
  score: "gain",
  least: 0,
  maxDepth: /** @type {number | null} */ (null),
  minWeight: 0,
  guard: false,
  penalty: false,
  fractions: false,
};

/** @param {Cases} cases @param {Id3Options} [options] */
export const id3 = (cases, options) => grow(cases, id3Recipe(cases, options));

/** @param {Cases} cases @param {C45Options} [options] */
export const c45 = (cases, options) => grow(cases, c45Recipe(cases, options));

/**
 * ID3: the most information gain, a branch for each value. Numbers must be made levels first.
 * @param {Cases} cases @param {Id3Options} [options]
 */
export const id3Recipe = (cases, { minGain = 0, maxDepth = null } = {}) =>
  manyBranches(cases, { ...PLAIN, least: minGain, maxDepth, values: [] });

/**
 * C4.5 as Release 8 grows it, before anything is pruned. The switches are those of the package.
 * @param {Cases} cases @param {C45Options} [options]
 */
export function c45Recipe(
  cases,
  { criterion = "gain_ratio", minWeight = 2, averageGainGuard = true, mdlPenalty = true } = {},
) {
  const guard = averageGainGuard && criterion === "gain_ratio";
  const more = { score: criterion, minWeight, guard, penalty: mdlPenalty, fractions: true };
  return manyBranches(cases, { ...PLAIN, ...more, values: [] });
}

/** @param {Cases} cases @param {Rules} recipe @returns {Recipe} */
function manyBranches(cases, recipe) {
  const n = cases.weight ? sum(cases.weight) : cases.target.length;
  const few = cases.attributes.map(
    ({ kind, levels }) => kind === "numeric" || levels.length < 0.3 * n,
  );
  if (!few.includes(true)) few.fill(true);
  return {
    isCut: (attribute) => attribute.kind === "numeric",
    describe: describeClasses,
    reasonToStop: (here, { counts }) => {
      const present = counts.filter((count) => count !== 0).length;
      if (present === 0) return "no cases";
      if (present === 1) return "pure";
      if (sum(counts) < 2 * recipe.minWeight - ROUNDING) return "too few cases";
      if (here.depth === recipe.maxDepth) return "depth";
      return here.available.includes(true) ? "" : "no attribute divides the cases";
    },
    choose: (_, here, node) => {
      const offers = offersAt(cases, here, ({ kind }, a) =>
        (kind === "numeric" ? bestCut : everyValue)(cases, here, node, a, recipe),
      );
      return chooseByScore(offers, few, recipe);
    },
    divide: (_, here, node, { split }) => {
      const isCut = split.kind === "threshold",
        size = isCut ? 2 : cases.attributes[split.attribute].levels.length;
      const weights = sendAt(cases, here, split, size),
        known = sum(weights);
      node.split = split;
      const available = here.available.map((may, a) => may && (isCut || a !== split.attribute));
      return handOn(
        here,
        node.label,
        size,
        recipe.fractions ? weights.map((w) => w / known) : null,
        available,
      );
    },
  };
}

/** @type {Search} */
function everyValue(cases, here, node, a, recipe) {
  const { table, unknown } = levelTable(cases, here, a);
  const enough = table
    .map(sum)
    .filter((weight) => weight > 0 && weight >= recipe.minWeight - ROUNDING);
  if (enough.length < 2) return null; // it divides nothing
  return {
    split: { kind: "multiway", attribute: a },
    gain: informationGain(table, unknown),
    information: splitInformation(table, unknown),
  };
}

// What Release 8 wants on either side of a cut: a tenth of a class's average share, at most 25 (its
// window).
/** @param {number} known @param {number} nClasses @param {number} minWeight */
export function leastBeside(known, nClasses, minWeight) {
  const share = (0.1 * known) / nClasses;
  return share <= minWeight ? minWeight : Math.min(share, 25);
}

// All cuts of a number at a node that may be made, each { place, value, next, gain }, and what is
// left of the best.
/** @param {Cases} cases @param {Here} here @param {Draft} node @param {number} a @param {Rules} recipe */
function cutsOf(cases, here, node, a, recipe) {
  const rows = here.sorted[a] ?? [],
    column = cases.columns[a],
    nClasses = cases.classes?.length ?? 0;
  const all = new Array(nClasses).fill(0),
    below = new Array(nClasses).fill(0);
  for (let p = 0; p < rows.length; p++) all[cases.target[rows[p]]] += here.weightOf[rows[p]];
  const known = sum(all),
    total = sum(node.counts);
  const least =
    (recipe.penalty ? leastBeside(known, nClasses, recipe.minWeight) : recipe.minWeight) - ROUNDING;
  let bits = nLogN(known);
  for (const count of all) bits -= nLogN(count);
  const cuts = [];
  let left = 0;
  for (let p = 0; p + 1 < rows.length; p++) {
    const row = rows[p],
      value = column[row],
      next = column[rows[p + 1]];
    below[cases.target[row]] += here.weightOf[row];
    left += here.weightOf[row];
    if (!(value < next - NEAR) || left < least || left > known - least) continue;
    let needed = nLogN(left) + nLogN(known - left);
    for (let k = 0; k < nClasses; k++) needed -= nLogN(below[k]) + nLogN(all[k] - below[k]);
    cuts.push({ value, next, left, gain: (bits - needed) / total });
  }
  const price = recipe.penalty ? Math.log2(Math.max(cuts.length, 1)) / total : 0;
  for (const cut of cuts) cut.gain -= price;
  return { cuts, known, unknown: Math.max(total - known, 0), price };
}

/** @type {Search} */
function bestCut(cases, here, node, a, recipe) {
  const { cuts, known, unknown } = cutsOf(cases, here, node, a, recipe);
  const most = cuts.reduce((best, cut) => Math.max(best, cut.gain), -Infinity);
  const best = cuts.find((cut) => cut.gain >= most - TIE);
  if (!best || (recipe.penalty && !(best.gain > TIE))) return null;
  const cut = largestUpTo(valuesOf(cases, a, recipe), middle(best.value, best.next));
  return {
    split: { kind: "threshold", attribute: a, cut },
    gain: best.gain,
    information: splitInformation([[best.left], [known - best.left]], unknown),
  };
}

// All training values of an attribute in order, sorted when they are first asked for.
/** @param {Cases} cases @param {number} a @param {Rules} recipe */
function valuesOf(cases, a, { values }) {
  values[a] ??= Float64Array.from(cases.columns[a])
    .filter((value) => value === value)
    .sort();
  return values[a];
}

// The largest of some values in order up to a number: the cuts of C4.5 stand in the data.
/** @param {Float64Array} values @param {number} limit */
function largestUpTo(values, limit) {
  let low = 0,
    high = values.length - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (values[half] <= limit) low = half;
    else high = half - 1;
  }
  return values[low];
}

// By gain, or by the ratio of those with at least average gain (the guard); of equals the first.
/** @param {Offer[]} offers @param {boolean[]} few @param {Rules} recipe @returns {Decision} */
function chooseByScore(offers, few, recipe) {
  let fit = offers;
  if (recipe.score === "gain_ratio") {
    const counted = recipe.guard ? offers.filter(({ split }) => few[split.attribute]) : [];
    const average = counted.length
      ? sum(counted.map((offer) => offer.gain)) / counted.length
      : Infinity;
    fit = offers.filter(
      ({ gain, information }) =>
        information > (recipe.guard ? EPSILON : 0) && (!recipe.guard || gain >= average - EPSILON),
    );
  }
  /** @param {Offer} offer */
  const score = ({ gain, information }) => (recipe.score === "gain" ? gain : gain / information);
  const candidates = fit.map((offer) => ({ ...offer, score: score(offer) }));
  const best = Math.max(...candidates.map((candidate) => candidate.score));
  if (!candidates.length) return { candidates, reason: "no attribute divides the cases" };
  if (best < recipe.least - TIE) return { candidates, reason: "best score below the least" };
  return {
    candidates,
    chosen: candidates.find((one) => one.score >= best - TIE),
    reason: "best score",
  };
}

/** A number becomes a level of its own, as ID3 takes it. @param {Cases} cases @returns {Cases} */
export function asNominal(cases) {
  /** @type {Attribute[]} */
  const attributes = [];
  /** @type {Numbers[]} */
  const columns = [];
  cases.attributes.forEach((attribute, a) => {
    const column = cases.columns[a];
    if (attribute.kind !== "numeric") return (attributes.push(attribute), columns.push(column));
    const levels = ascending(new Set([...column].filter((value) => value === value)));
    const code = new Map(levels.map((level, i) => [level, i]));
    attributes.push({ name: attribute.name, kind: "nominal", levels });
    columns.push(Int32Array.from(column, (value) => code.get(value) ?? -1));
  });
  return { ...cases, attributes, columns };
}
