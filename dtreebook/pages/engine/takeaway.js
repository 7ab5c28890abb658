// A tree to take away, as the package has it: text and JSON.

import { fixed, sum } from "./measures.js";
import { answer, branchWord, general, riskOf } from "./tree.js";

// A tree as indented text, as the package prints it: leaves before subtrees, six digits of a cut.
export function asText(tree, errors = tree.nodes.map(riskOf)) {
  const says = (i) => {
    const node = tree.nodes[i];
    const cost = !errors[i] ? "" : `/${tree.classes ? fixed(errors[i], 1) : general(errors[i], 4)}`;
    return `${answer(tree, node)} (${fixed(sum(node.counts), 1)}${cost})`;
  };
  const lines = [];
  const stack = [["", "", 0]];
  while (stack.length) {
    const [words, indent, i] = stack.pop();
    const node = tree.nodes[i];
    if (!node.split) {
      lines.push(`${words}: ${says(i)}`);
      continue;
    }
    if (words) lines.push(`${words}:`);
    const end = node.split.kind === "threshold" ? " " : "";
    const below = node.children.map((child, b) => [branchWord(tree, node, b, general) + end, child]);
    below.sort(
      ([, one], [, other]) => Boolean(tree.nodes[one].split) - Boolean(tree.nodes[other].split),
    );
    for (const [branch, child] of below.reverse())
      stack.push([indent + branch, `${indent}|   `, child]);
  }
  return lines.join("\n").replace(/^: /, "");
}

// A tree as the package reads it: `Tree.from_json`.
export function asJson({ attributes, classes, nodes }) {
  const document = { format: "dtreebook.tree", version: 1, attributes, classes, nodes };
  return JSON.stringify(document, null, 1);
}
