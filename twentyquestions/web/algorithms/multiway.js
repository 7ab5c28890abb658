// What ID3 and C4.5 ask at a node: a branch for every value, and how they choose among the questions.

import {
  describeClasses,
  EPSILON,
  everybody,
  grow,
  handOn,
  offersAt,
  ROUNDING,
  sendAt,
} from "./growth.js";
import { informationGain, splitInformation, sum, TIE } from "./measures.js";

// The weight of every value and class at a node, and of the unknown values.
function levelTable(/** @type {Cases} */ cases, /** @type {Here} */ here, /** @type {number} */ a) {
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

// How ID3 and C4.5 choose; the names are those of the package's options.
const ID3 = {
  criterion: "gain",
  minGain: 0,
  maxDepth: /** @type {number | null} */ (null),
  minWeight: 0,
  averageGainGuard: false,
  mdlPenalty: false,
  fractions: false,
};
const C45 = { criterion: "gain_ratio", minWeight: 2, averageGainGuard: true, mdlPenalty: true };

/** @param {Cases} cases @param {Id3Options} [options] */
export const id3 = (cases, options) => grow(cases, id3Recipe(cases, options));

// ID3: the most information gain, a branch for each value. Numbers must be made levels first.
/** @param {Cases} cases @param {Id3Options} [options] */
export const id3Recipe = (cases, options) =>
  manyBranches(cases, { ...ID3, ...options, values: [] });

/** The rules of C4.5 before anything is pruned. @param {C45Options} [options] */
export const c45Rules = (options) => ({
  ...{ ...ID3, ...C45, ...options },
  ...{ fractions: true, values: [] },
});

// A branch for every value; `findCut` finds where to cut a number, where there are any.
/** @param {Cases} cases @param {Rules} recipe @param {OfferSearch} [findCut] @returns {Recipe} */
export function manyBranches(cases, recipe, findCut = everyValue) {
  const n = sum(everybody(cases).weights);
  const few = cases.attributes.map(
    ({ kind, levels }) => kind === "numeric" || levels.length < 0.3 * n,
  );
  if (!few.includes(true)) few.fill(true);
  /** @type {NonNullable<Recipe["offers"]>} */
  const offers = (here, node) =>
    offersAt(cases, here, ({ kind }, a) =>
      (kind === "numeric" ? findCut : everyValue)(cases, here, node, a, recipe),
    ).map((offer) => ({
      ...offer,
      score: recipe.criterion === "gain" ? offer.gain : offer.gain / offer.information,
    }));
  return {
    offers,
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
    choose: (_, here, node) => chooseByScore(offers(here, node), few, recipe),
    divide: (_, here, node, { split }) => {
      const isCut = split.kind === "threshold",
        size = isCut ? 2 : cases.attributes[split.attribute].levels.length;
      const weights = sendAt(cases, here, split, size),
        known = sum(weights),
        shares = recipe.fractions ? weights.map((w) => w / known) : null;
      node.split = split;
      const available = here.available.map((may, a) => may && (isCut || a !== split.attribute));
      return handOn(here, node.label, size, shares, available);
    },
  };
}

/** @type {OfferSearch} */
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

// By gain, or by the ratio of those with at least average gain (the guard); of equals the first.
/** @param {(Offer & Candidate)[]} offers @param {boolean[]} few @param {Rules} recipe */
function chooseByScore(offers, few, recipe) {
  let candidates = offers;
  if (recipe.criterion === "gain_ratio") {
    const counted = recipe.averageGainGuard
      ? offers.filter(({ split }) => few[split.attribute])
      : [];
    const average = counted.length
      ? sum(counted.map((offer) => offer.gain)) / counted.length
      : Infinity;
    candidates = offers.filter(
      ({ gain, information }) =>
        information > (recipe.averageGainGuard ? EPSILON : 0) &&
        (!recipe.averageGainGuard || gain >= average - EPSILON),
    );
  }
  const best = Math.max(...candidates.map((candidate) => candidate.score));
  if (!candidates.length) return { candidates, reason: "no attribute divides the cases" };
  if (best < recipe.minGain - TIE) return { candidates, reason: "best score below the least" };
  const chosen = candidates.find((one) => one.score >= best - TIE);
  return { candidates, chosen, reason: "best score" };
}
