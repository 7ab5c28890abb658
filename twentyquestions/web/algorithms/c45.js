// C4.5, which also cuts numbers.

import { c45Rules, manyBranches } from "./multiway.js";
import { grow, middle, ROUNDING } from "./growth.js";
import { nLogN, splitInformation, sum, TIE } from "./measures.js";

const NEAR = 1e-5; // values closer than this are not told apart (C4.5 Release 8)

/** @param {Cases} cases @param {C45Options} [options] */
export const c45 = (cases, options) => grow(cases, c45Recipe(cases, options));

/** C4.5 as Release 8 grows it. @param {Cases} cases @param {C45Options} [options] */
export const c45Recipe = (cases, options) => manyBranches(cases, c45Rules(options), bestCut);

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
    (recipe.mdlPenalty ? leastBeside(known, nClasses, recipe.minWeight) : recipe.minWeight) -
    ROUNDING;
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
  const price = recipe.mdlPenalty ? Math.log2(Math.max(cuts.length, 1)) / total : 0;
  for (const cut of cuts) cut.gain -= price;
  return { cuts, known, unknown: Math.max(total - known, 0), price };
}

/** @type {OfferSearch} */
function bestCut(cases, here, node, a, recipe) {
  const { cuts, known, unknown } = cutsOf(cases, here, node, a, recipe);
  const most = cuts.reduce((best, cut) => Math.max(best, cut.gain), -Infinity);
  const best = cuts.find((cut) => cut.gain >= most - TIE);
  if (!best || (recipe.mdlPenalty && !(best.gain > TIE))) return null;
  const cut = largestUpTo(sortedValues(cases, a, recipe), middle(best.value, best.next));
  return {
    split: { kind: "threshold", attribute: a, cut },
    gain: best.gain,
    information: splitInformation([[best.left], [known - best.left]], unknown),
  };
}

// All training values of an attribute in order, sorted when they are first asked for.
/** @param {Cases} cases @param {number} a @param {Rules} recipe */
function sortedValues(cases, a, { values }) {
  values[a] ??= Float64Array.from(cases.columns[a])
    .filter((value) => value === value)
    .sort();
  return values[a];
}

// The largest of some values in order up to a number: the cuts of C4.5 stand in the data.
function largestUpTo(/** @type {Float64Array} */ values, /** @type {number} */ limit) {
  let low = 0,
    high = values.length - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (values[half] <= limit) low = half;
    else high = half - 1;
  }
  return values[low];
}
