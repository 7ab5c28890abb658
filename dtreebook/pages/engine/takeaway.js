// A tree to take away, as the package has it: text and JSON.

// A tree as indented text, as the package prints it: leaves before subtrees, six digits of a cut.
function asText(tree, errors = tree.nodes.map(riskOf)) {
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
    const { kind, attribute, cut } = node.split;
    const { name, kind: of } = tree.attributes[attribute];
    let branches = branchWords(tree, node);
    if (kind === "threshold") {
      const at = of === "numeric" ? general(cut, 6) : tree.attributes[attribute].levels[cut];
      branches = [`${name} <= ${at} `, `${name} > ${at} `];
    }
    const below = branches.map((branch, b) => [branch, node.children[b]]);
    below.sort(
      ([, one], [, other]) => Boolean(tree.nodes[one].split) - Boolean(tree.nodes[other].split),
    );
    for (const [branch, child] of below.reverse())
      stack.push([indent + branch, `${indent}|   `, child]);
  }
  return lines.join("\n").replace(/^: /, "");
}

// A tree as the package reads it: `Tree.from_json`.
function asJson(tree) {
  const plain = ({ counts, label, risk, split, children, default: to, improvement }) => ({
    counts,
    label,
    risk,
    split,
    children,
    default: to,
    improvement,
  }); // what is undefined is left out
  const { attributes, classes } = tree;
  const document = {
    format: "dtreebook.tree",
    version: 1,
    attributes,
    classes,
    nodes: tree.nodes.map(plain),
  };
  return JSON.stringify(document, null, 1);
}
