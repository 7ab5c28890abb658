// A tree to take away, as the package has it: text and JSON.

import { fixed, sum } from "../algorithms/measures.js";
import { answer, branchWord, general, riskOf } from "../algorithms/tree.js";

// A leaf in words: its answer, its cases and what it costs.
/** @param {Tree} tree @param {number} i */
export function leafWords(tree, i, error = riskOf(tree.nodes[i])) {
  const cost = error ? `/${tree.classes ? fixed(error, 1) : general(error, 4)}` : "";
  return `${answer(tree, tree.nodes[i])} (${fixed(sum(tree.nodes[i].counts), 1)}${cost})`;
}

// A tree as indented text, as the package prints it: leaves before subtrees, six digits of a cut.
/** @param {Tree} tree @param {number[]} [errors] */
export function asText(tree, errors) {
  const lines = [];
  /** @type {[string, string, number][]} What is to be written, the last first. */
  const stack = [["", "", 0]];
  for (let next; (next = stack.pop());) {
    const [words, indent, i] = next;
    const node = tree.nodes[i];
    if (!node.split) {
      lines.push(`${words}: ${leafWords(tree, i, errors?.[i])}`);
      continue;
    }
    if (words) lines.push(`${words}:`);
    const end = node.split.kind === "threshold" ? " " : "";
    const branches = node.children.map((_, b) => indent + branchWord(tree, node, b, general) + end),
      isInner = node.children.map((child) => Boolean(tree.nodes[child].split));
    for (const which of [true, false])
      for (let b = branches.length - 1; b >= 0; b--)
        if (isInner[b] === which) stack.push([branches[b], `${indent}|   `, node.children[b]]);
  }
  return lines.join("\n").replace(/^: /, "");
}

// A tree as the package reads it: `Tree.from_json`; `fractional` if a case goes down every branch in
// parts where its value is unknown.
/** @param {Tree} about @param {boolean} fractional */
export function asJson({ attributes, classes, nodes }, fractional) {
  const document = { format: "dtreebook.tree", version: 1, attributes, classes, nodes };
  return JSON.stringify(fractional ? { ...document, fractional } : document, null, 1);
}
