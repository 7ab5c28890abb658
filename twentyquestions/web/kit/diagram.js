// Trees as drawings: where their nodes lie, and the branches between them in words.

import { asked, branchWord } from "../algorithms/tree.js";

/** Of each node its depth, and which leaves lie below it: [first, number]. @param {Tree} tree */
export function layout(tree) {
  const /** @type {number[]} */ depth = [];
  const /** @type {Point[]} */ spans = [];
  let leaves = 0;
  const visit = (/** @type {number} */ i, /** @type {number} */ level) => {
    const first = leaves,
      { children } = tree.nodes[i];
    depth[i] = level;
    if (children) children.forEach((child) => visit(child, level + 1));
    else leaves += 1;
    spans[i] = [first, leaves - first];
  };
  visit(0, 0);
  return { depth, spans, leaves, deepest: depth.reduce((most, level) => Math.max(most, level), 0) };
}

// The nodes as they are read: a node, then what is below its first branch, and so on.
export function inOrder(/** @type {Tree} */ tree) {
  const rows = [0];
  // the list grows while we walk it: below each node come its branches
  for (let at = 0; at < rows.length; at++)
    rows.splice(at + 1, 0, ...(tree.nodes[rows[at]].children ?? []));
  return rows;
}

// The branch to a node from the one above, without the name of what is asked there.
/** @param {Tree} tree @param {number} i @param {number[]} parent */
export function branchTo(tree, i, parent, first = "all cases") {
  const above = tree.nodes[parent[i]];
  if (!above?.split) return first;
  return branchWord(tree, above, i - above.children[0])
    .slice(asked(tree, above).length + 1)
    .replace(/^(= |in )/, "")
    .replace("<=", "≤");
}

// The branch to a node; of two that are no values, yes or no.
/** @param {Tree} tree @param {number} i @param {number[]} parent */
export function branchHere(tree, i, parent) {
  const above = tree.nodes[parent[i]];
  const isTwo = above?.split && above.split.kind !== "multiway" && above.children.length === 2;
  return isTwo ? (above.children[0] === i ? "yes" : "no") : branchTo(tree, i, parent, "");
}
