// A tree to take away, as the package has it: text and JSON.

import { fixed, sum } from "./measures.js";
import { answer, branchWord, general, riskOf } from "./tree.js";

// A leaf in words: its answer, its cases and what it costs.
export function leafWords(tree, i, error = riskOf(tree.nodes[i])) {
  const cost = error ? `/${tree.classes ? fixed(error, 1) : general(error, 4)}` : "";
  return `${answer(tree, tree.nodes[i])} (${fixed(sum(tree.nodes[i].counts), 1)}${cost})`;
}

// A tree as indented text, as the package prints it: leaves before subtrees, six digits of a cut.
export function asText(tree, errors) {
  const lines = [];
  const stack = [["", "", 0]];
  while (stack.length) {
    const [words, indent, i] = stack.pop();
    const node = tree.nodes[i];
    if (!node.split) {
      lines.push(`${words}: ${leafWords(tree, i, errors?.[i])}`);
      continue;
    }
    if (words) lines.push(`${words}:`);
    const end = node.split.kind === "threshold" ? " " : "";
    const below = node.children.map((child, b) => [
      branchWord(tree, node, b, general) + end,
      child,
    ]);
    below.sort(
      ([, one], [, other]) => Boolean(tree.nodes[one].split) - Boolean(tree.nodes[other].split),
    );
    for (const [branch, child] of below.reverse())
      stack.push([indent + branch, `${indent}|   `, child]);
  }
  return lines.join("\n").replace(/^: /, "");
}

// A tree as the package reads it: `Tree.from_json`; `fractional` if a case goes down every branch in
// parts where its value is unknown.
export function asJson({ attributes, classes, nodes }, fractional) {
  const document = { format: "dtreebook.tree", version: 1, attributes, classes, nodes };
  if (fractional) document.fractional = true;
  return JSON.stringify(document, null, 1);
}
