// Pruning, equal to dtreebook: what does not help, C4.5's error-based pruning, and the weakest
// links of CART.

import { EPSILON, everybody } from "./growth.js";
import { ascending, leafErrors, majority, sum, TIE } from "./measures.js";
import { branchOf, numbered, parents, riskOf } from "./tree.js";

// The tree in which the nodes for which `isCut` holds are leaves.
/** @template S @param {GrownTree<S>} tree @param {(i: number) => boolean} isCut */
export function cutAt(tree, isCut) {
  return numbered(tree, 0, (number) => {
    const node = tree.nodes[number];
    return node.split && !isCut(number)
      ? { node, below: node.children, number }
      : { node: leafOf(node), number };
  });
}

const leafOf = (/** @type {TreeNode<unknown>} */ { counts, label, risk }) =>
  risk === undefined ? { counts, label } : { counts, label, risk };

const fromBelow = (/** @type {Tree} */ tree) => tree.nodes.map((_, i) => i).reverse(); // children stand behind their parents

/** C4.5 keeps no subtree that makes no fewer training errors than a leaf would. @param {GrownTree} tree */
export function collapse(tree) {
  const wrong = tree.nodes.map(({ counts }) => sum(counts) - Math.max(...counts));
  const useless = /** @type {Set<number>} */ (new Set());
  for (const i of fromBelow(tree)) {
    const { children } = tree.nodes[i];
    if (!children) continue;
    const below = sum(children.map((child) => wrong[child]));
    if (below >= wrong[i] - EPSILON) useless.add(i);
    else wrong[i] = below;
  }
  return cutAt(tree, (i) => useless.has(i));
}

// Error-based pruning (dtreebook/prune): from the bottom up a subtree gives way to a leaf, or to
// its largest branch, if that is expected to make no more errors in new cases; 0.1 errors do not
// count. Returns the tree, and what was compared at each node, in order.
const SLACK = 0.1;

/** @param {GrownTree} tree @param {Cases} cases */
export function errorBased(tree, cases, confidence = 0.25, raising = true) {
  /** @type {(i: number) => Twig} */
  const link = (i) => {
    const { split, children = [] } = tree.nodes[i];
    return { ...leafOf(tree.nodes[i]), number: i, split, children: children.map(link) };
  };
  const /** @type {Comparison[]} */ comparisons = [];
  const root = link(0);
  pruneFromBelow(root, everybody(cases), { tree, cases, confidence, raising, comparisons });
  const pruned = numbered(tree, root, ({ children: below, number, split, ...node }) => ({
    node: split ? { ...node, split } : node,
    below,
    number,
  }));
  return { tree: pruned, comparisons };
}

// Prune what hangs below a node, then the node itself.
/** @param {Twig} node @param {Parts} parts @param {Pruning} context */
function pruneFromBelow(node, parts, context) {
  const { confidence, raising, comparisons } = context;
  if (!node.split) return;
  const divided = down(node.split, node.children, parts, context);
  node.children.forEach((child, b) => pruneFromBelow(child, divided[b], context));
  const largest = largestChild(node),
    below = leavesBelow(node),
    leaves = {
      keep: below.map(({ counts }) => counts),
      branch: largest.split ? leavesOfAll(largest, parts, context) : [node.counts],
      leaf: [node.counts],
    };
  const errors = (/** @type {number[][]} */ all) =>
    sum(all.map((counts) => leafErrors(counts, confidence)));
  const leaf = errors(leaves.leaf),
    subtree = errors(leaves.keep),
    branch = raising ? errors(leaves.branch) : Infinity;
  const toLeaf = leaf <= branch + SLACK && leaf <= subtree + SLACK;
  const raised = !toLeaf && branch <= subtree + SLACK;
  const choice = toLeaf ? "leaf" : raised ? "branch" : "keep";
  const ends = below.map(({ number }) => number);
  const about = { node: node.number, largest: largest.number, leaves, ends };
  comparisons.push({ ...about, leaf, subtree, branch, choice });
  if (toLeaf) {
    delete node.split;
    node.children = [];
  } else if (raised) {
    // The branch takes the place of its parent, with all its cases, and is pruned again.
    const { split, children, label, number } = largest;
    Object.assign(node, { split, children, label, number });
    recount(node, parts, context);
    pruneFromBelow(node, parts, context);
  }
}

/** The leaves below a node. @param {Twig} node @returns {Twig[]} */
const leavesBelow = (node) => (node.split ? node.children.flatMap(leavesBelow) : [node]);

/** Of equally heavy branches the last. @param {Twig} node */
function largestChild({ children }) {
  const weights = children.map(({ counts }) => sum(counts));
  const most = Math.max(...weights) * (1 - TIE);
  return children[weights.findLastIndex((weight) => weight >= most)];
}

// The parts of cases in every branch of a node; unknown values divide in proportion to the known
// ones.
/** @param {Split} split @param {Twig[]} children @param {Parts} parts @param {Pruning} context */
function down(split, children, { rows, weights }, { cases }) {
  const attribute = cases.attributes[split.attribute],
    column = cases.columns[split.attribute];
  /** @type {{rows: number[], weights: number[]}[]} */
  const below = children.map(() => ({ rows: [], weights: [] }));
  const branches = Array.from(rows, (row) => branchOf(split, attribute, column[row]));
  const known = children.map(() => 0);
  branches.forEach((branch, p) => branch >= 0 && (known[branch] += weights[p]));
  const together = sum(known);
  branches.forEach((branch, p) => {
    below.forEach((part, b) => {
      const share = branch < 0 ? (together ? known[b] / together : 0) : Number(branch === b);
      if (share > 0) (part.rows.push(rows[p]), part.weights.push(weights[p] * share));
    });
  });
  return below;
}

function countsIn(/** @type {Parts} */ { rows, weights }, /** @type {Pruning} */ { cases, tree }) {
  const counts = (tree.classes ?? []).map(() => 0);
  for (let p = 0; p < rows.length; p++) counts[cases.target[rows[p]]] += weights[p];
  return counts;
}

// The counts of its leaves if all cases of the parent went down one branch.
/** @param {Twig} node @param {Parts} parts @param {Pruning} context @returns {number[][]} */
function leavesOfAll(node, parts, context) {
  if (!node.split) return [countsIn(parts, context)];
  const below = down(node.split, node.children, parts, context);
  return node.children.flatMap((child, b) => leavesOfAll(child, below[b], context));
}

// Give the nodes of a raised branch their cases; where another class is no more common, they keep
// their own.
/** @param {Twig} node @param {Parts} parts @param {Pruning} context */
function recount(node, parts, context) {
  if (!parts.rows.length) return;
  const counts = countsIn(parts, context);
  const best = majority(counts);
  if (counts[best] > counts[node.label] * (1 + TIE)) node.label = best;
  node.counts = counts;
  if (!node.split) return;
  const below = down(node.split, node.children, parts, context);
  below.forEach((part, b) => recount(node.children[b], part, context));
}

// What each node costs as a leaf: its own risk, or its weight times an impurity, as scikit-learn
// prunes.
/** @param {Tree} tree @param {Impurity | null} [impurity] */
export const nodeRisks = (tree, impurity) =>
  tree.nodes.map((node) =>
    impurity && tree.classes ? sum(node.counts) * impurity(node.counts) : riskOf(node),
  );

// The alpha at which each node becomes a leaf. A link is as strong as what its subtree saves for
// each leaf that it has more, g(t) = (R(t) - R(T_t)) / (|T_t| - 1); a stronger link below falls
// together with it.
export function weakestLinks(/** @type {Tree} */ tree, /** @type {number[]} */ risks) {
  const alpha = tree.nodes.map(() => 0);
  /** @type {{strength: number, saved: number, leaves: number}[][]} */
  const linksBelow = tree.nodes.map(() => []);
  for (const i of fromBelow(tree)) {
    const { children } = tree.nodes[i];
    if (!children) continue;
    const links = children.flatMap((child) => linksBelow[child]);
    let saved = risks[i] - sum(children.map((child) => risks[child]));
    if (Math.abs(saved) <= TIE * risks[i]) saved = 0;
    let leaves = children.length - 1;
    const strength = () => (leaves ? saved / leaves : saved > 0 ? Infinity : 0);
    links.sort((one, other) => one.strength - other.strength);
    for (let link; (link = links.at(-1)) && link.strength > strength(); links.pop()) {
      saved += link.saved;
      leaves += link.leaves;
    }
    alpha[i] = Math.max(strength(), 0);
    links.push({ strength: strength(), saved, leaves });
    linksBelow[i] = links;
  }
  // Equal where they differ by rounding only: the largest of them. Nowhere more than in the parent.
  const distinct = ascending(new Set(alpha));
  const largest = new Map();
  for (let d = distinct.length - 1; d >= 0; d--) {
    const isNear = distinct[d + 1] <= distinct[d] * (1 + TIE);
    largest.set(distinct[d], isNear ? largest.get(distinct[d + 1]) : distinct[d]);
  }
  const level = alpha.map((a) => largest.get(a));
  tree.nodes.forEach(({ children }, i) =>
    children?.forEach((child) => (level[child] = Math.min(level[child], level[i]))),
  );
  return level;
}

// The trees that cost least for some alpha, R(T) + alpha |T|, from the largest to the root, each
// { alpha, leaves, risk }: alphas and risks are shares of the weight of all cases.
/** @param {Tree} tree @param {Impurity | null} [impurity] */
export function pruningPath(tree, impurity) {
  const risks = nodeRisks(tree, impurity),
    links = weakestLinks(tree, risks);
  const weight = sum(tree.nodes[0].counts),
    parent = parents(tree);
  const alphas = ascending(new Set([0, ...links.filter((a) => a < Infinity)]));
  return alphas.map((alpha) => {
    const leaves = [...links.keys()].filter(
      (i) => links[i] <= alpha && !(i && links[parent[i]] <= alpha),
    );
    const risk = sum(leaves.map((i) => risks[i])) / weight;
    return { alpha: alpha / weight, leaves: leaves.length, risk };
  });
}

// The smallest of the trees that cost least at an alpha.
/** @param {GrownTree} tree @param {number} alpha @param {Impurity | null} [impurity] */
export function pruneAt(tree, alpha, impurity) {
  const links = weakestLinks(tree, nodeRisks(tree, impurity)),
    weight = sum(tree.nodes[0].counts);
  return cutAt(tree, (i) => links[i] / weight <= alpha * (1 + TIE));
}
