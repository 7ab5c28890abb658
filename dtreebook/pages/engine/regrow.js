// Growing a tree anew below one of its nodes, where a question is forced or columns are forbidden; the
// rest of the tree stays. Equal to the package's `regrow`.

import { sum } from "./measures.js";
import { conditions, numbered, partAt, wayTo } from "./tree.js";

// The number of the node whose path, the tests on the way to it, is `at`; -1 if there is none.
export const nodeAt = (tree, at) =>
  tree.nodes.findIndex((_, i) => conditions(tree, i).join(", ") === at);

// A tree with other trees in the place of some of its nodes, a Map by number, from a node on.
export function graft(tree, below = new Map(), root = 0) {
  return numbered(tree, [tree, root], ([of, i]) => {
    if (of === tree && below.has(i)) [of, i] = [below.get(i), 0];
    return {
      node: of.nodes[i],
      below: of.nodes[i].children?.map((child) => [of, child]),
      number: i,
      of,
    };
  });
}

// The cases that come to a node, with the weight of their part there; whole ones, or in parts.
function casesAt(tree, cases, number, inParts) {
  const rows = [],
    weights = [];
  cases.target.forEach((_, row) => {
    const values = cases.columns.map((column) => column[row]),
      part = partAt(tree, values, number, inParts);
    if (part > 0) (rows.push(row), weights.push(part * (cases.weight?.[row] ?? 1)));
  });
  return { rows: Int32Array.from(rows), weights: Float64Array.from(weights) };
}

const taken = (cases, { rows, weights }) => ({
  ...cases,
  columns: cases.columns.map((column) => Array.from(rows, (row) => column[row])),
  target: Array.from(rows, (row) => cases.target[row]),
  weight: weights,
});

// Grow anew below a node. `wanted` is { ask: a column or -1, forbid: a Set of columns }; `how` is
// { grow(cases, begin), prune(tree, cases, share), inParts, usesUp(attribute) }.
export function regrow(tree, cases, number, wanted, how) {
  const here = casesAt(tree, cases, number, how.inParts),
    way = wayTo(tree, number).slice(0, -1),
    used = way.map((i) => tree.nodes[i].split.attribute).filter(how.usesUp);
  const share = (weights) =>
    sum(weights) / (cases.weight ? sum(cases.weight) : cases.target.length);
  const grown = how.grow(cases, {
    ...here,
    ask: wanted.ask,
    available: cases.attributes.map((_, a) => !wanted.forbid.has(a) && !used.includes(a)),
    depth: way.length,
    parentLabel: way.length ? tree.nodes[way.at(-1)].label : 0,
  });
  let pruned = how.prune(grown, taken(cases, here), share(here.weights));
  const { split, children } = grown.nodes[0];
  if (wanted.ask >= 0 && split && !sameTest(split, pruned.nodes[0].split)) {
    const below = new Map();
    const inside = taken(cases, here);
    for (const child of children) {
      const branch = graft(grown, new Map(), child);
      if (!branch.nodes[0].split) continue;
      const part = casesAt(grown, inside, child, how.inParts);
      below.set(child, how.prune(branch, taken(inside, part), share(part.weights)));
    }
    pruned = graft(grown, below); // what is forced stays
  }
  return graft(tree, new Map([[number, pruned]]));
}

const sameTest = (one, other) => JSON.stringify(one) === JSON.stringify(other);
