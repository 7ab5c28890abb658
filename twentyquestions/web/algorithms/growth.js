// Growing a tree level by level, by the recipe of an algorithm. Equal to the package's own growing,
// node for node.
// A tree is what the package writes as JSON, and here also has the `decisions`, one for each node.

import { TIE } from "./measures.js";
import { branchOf, isKnown } from "./tree.js";

export const EPSILON = 1e-3; // gains and informations up to this count as none (C4.5 Release 8)
export const ROUNDING = 1e-9; // weights closer than this are equal

// Grow a tree by a recipe. As a generator it stops after every node, and yields how many have been
// looked at, so that a page can answer meanwhile.
/** @param {Cases} cases @param {Recipe} recipe @param {Begin} [begin] */
export function* growing(cases, recipe, begin = {}) {
  const /** @type {Draft[]} */ nodes = [];
  const /** @type {Decision[]} */ decisions = [];
  const open = [startAt(cases, recipe, begin)];
  for (let i = 0; i < open.length; i++) {
    // the list grows while we walk it: level by level
    const here = open[i];
    delete open[i]; // its arrays are large
    for (let p = 0; p < here.rows.length; p++) here.weightOf[here.rows[p]] = here.weights[p];
    const node = recipe.describe(cases, here);
    const reason = recipe.reasonToStop(here, node);
    const decision = reason
      ? { candidates: [], chosen: null, reason }
      : recipe.choose(cases, here, node);
    if (decision.chosen) {
      const below = recipe.divide(cases, here, node, decision.chosen);
      node.children = below.map((_, branch) => open.length + branch);
      open.push(...below);
    }
    nodes.push(node);
    decisions.push(decision);
    yield nodes.length;
  }
  const { attributes, classes } = cases;
  return { attributes, classes, nodes: /** @type {TreeNode[]} */ (nodes), decisions };
}

/** The same to its end. @param {Cases} cases @param {Recipe} recipe @param {Begin} [begin] */
export function grow(cases, recipe, begin) {
  const steps = growing(cases, recipe, begin);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** All cases, each with its weight. @param {Cases} cases */
export const everybody = ({ target, weight }) => ({
  rows: Int32Array.from({ length: target.length }, (_, row) => row),
  weights: weight ? Float64Array.from(weight) : new Float64Array(target.length).fill(1),
});

/** @param {Cases} cases @param {Recipe} recipe @param {Begin} begin @returns {Here} */
function startAt(cases, recipe, begin) {
  const n = cases.target.length,
    all = { ...everybody(cases), available: cases.attributes.map(() => true) },
    here = { ...all, depth: 0, parentLabel: 0, ...begin };
  const sorted = cases.attributes.map((attribute, a) => {
    const column = cases.columns[a],
      isHere = (/** @type {number} */ row) => isKnown(attribute, column[row]);
    if (!recipe.isCut(attribute)) return null;
    return here.rows.filter(isHere).sort((one, other) => column[one] - column[other]);
  });
  return {
    ...here,
    weightOf: new Float64Array(n),
    branchOf: new Int32Array(n),
    scores: new Float64Array(n),
    above: new Float64Array(cases.classes ? 0 : n),
    isConstant: false,
    sorted,
  };
}

// What may be asked at a node: what `look` finds in each column that is available, where it finds something.
/** @template T @param {Cases} cases @param {Here} here
 * @param {(attribute: Attribute, a: number) => T | null} look */
export const offersAt = (cases, here, look) =>
  cases.attributes.flatMap((attribute, a) => (here.available[a] && look(attribute, a)) || []);

// Note to which branch of a split each case of a node goes; the weight of each branch.
/** @param {Cases} cases @param {Here} here @param {Split} split @param {number} size */
export function sendAt(cases, here, split, size) {
  const attribute = cases.attributes[split.attribute],
    column = cases.columns[split.attribute],
    weights = new Array(size).fill(0);
  for (const row of here.rows) {
    const branch = (here.branchOf[row] = branchOf(split, attribute, column[row]));
    if (branch >= 0) weights[branch] += here.weightOf[row];
  }
  return weights;
}

// Hand the cases of a node on: `here.branchOf` says to which branch; a case of branch -1 goes down
// every one, with the share of its weight that stands in `shares`, or stays behind if there are
// none.
/** @param {Here} here @param {number} label @param {number} nBranches
 * @param {number[] | null} shares @param {boolean[]} available */
export function handOn(here, label, nBranches, shares, available) {
  const { branchOf, weightOf } = here;
  const /** @type {Here[]} */ below = [];
  for (let branch = 0; branch < nBranches; branch++) {
    const share = shares ? shares[branch] : 0;
    /** @param {number} row */
    const comes = (row) => branchOf[row] === branch || (share > 0 && branchOf[row] < 0);
    const rows = here.rows.filter(comes);
    below.push({
      ...here,
      rows,
      weights: Float64Array.from(rows, (row) =>
        branchOf[row] < 0 ? weightOf[row] * share : weightOf[row],
      ),
      sorted: here.sorted.map((order) => order && order.filter(comes)),
      available,
      depth: here.depth + 1,
      parentLabel: label,
    });
  }
  return below;
}

// The weight of each class, and the commonest one (the first of equals); an empty branch says what
// its parent would.
export function describeClasses(/** @type {Cases} */ cases, /** @type {Here} */ here) {
  const counts = (cases.classes ?? []).map(() => 0);
  for (let p = 0; p < here.rows.length; p++) counts[cases.target[here.rows[p]]] += here.weights[p];
  const most = Math.max(...counts) * (1 - TIE);
  return {
    counts,
    label: most > 0 ? counts.findIndex((count) => count >= most) : here.parentLabel,
  };
}

/** The number half-way between two, never the higher one. @param {number} low @param {number} high */
export function middle(low, high) {
  const half = low / 2 + high / 2;
  return half < high ? half : low;
}
