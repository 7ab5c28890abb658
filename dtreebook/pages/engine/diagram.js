// Trees as drawings: where their nodes lie, what stands in their boxes.

import { box, colour, draw, line, small } from "./draw.js";
import { sum } from "./measures.js";
import { asked, asks, branchWord, parents } from "./tree.js";

// Of each node its depth, and which leaves lie below it: [first, number].
/** @param {Tree} tree */
export function layout(tree) {
  /** @type {number[]} */
  const depth = [];
  /** @type {Point[]} */
  const spans = [];
  let leaves = 0;
  /** @param {number} i @param {number} level */
  const visit = (i, level) => {
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

// The branch to a node from the one above, without the name of what is asked there.
/** @param {Tree} tree @param {number} i @param {number[]} parent @param {string} [first] */
export function branchTo(tree, i, parent, first = "all cases") {
  const above = tree.nodes[parent[i]];
  if (!above?.split) return first;
  return branchWord(tree, above, i - above.children[0])
    .slice(asked(tree, above).length + 1)
    .replace(/^(= |in )/, "")
    .replace("<=", "≤");
}

// The edge into a node, straight down: as wide as the share of all cases that take it,
// as in dtreebook.plot.trees. Into the root there is none.
const EDGE = 10;
/** @param {Tree} about @param {number} i @param {number} x @param {number} top */
function edgeInto({ nodes }, i, x, top) {
  const width = Math.max((12 * sum(nodes[i].counts)) / sum(nodes[0].counts), 1);
  return line(x, top, x, top - (i && EDGE), { "stroke-width": width, opacity: 0.5 });
}

// Every node a box as wide as its leaves, with its branch, and its question or answer; `about` are
// its attributes. The first child of each is the box itself. Where there is no room for the words of
// some, they stand on their side, and all boxes are higher.
/** @param {Tree} tree @param {number} width @param {(i: number) => Attributes} about */
export function treeBoxes(tree, width, about) {
  const { depth, spans, leaves, deepest } = layout(tree),
    parent = parents(tree),
    unit = width / leaves;
  const words = tree.nodes.map((node, i) => [branchTo(tree, i, parent), asks(tree, node)]),
    wide = words.map((both) => 10 + 7.3 * Math.max(...both.map(({ length }) => length))),
    isTall = (/** @type {number} */ i) => wide[i] > spans[i][1] * unit,
    high = Math.max(42, ...wide.filter((_, i) => isTall(i)));
  const boxes = tree.nodes.map((node, i) => {
    const [left, room] = spans[i].map((leaf) => leaf * unit),
      top = 1 + depth[i] * (high + EDGE);
    /** @param {number} k @param {Attributes} [more] */
    const said = (k, more) =>
      isTall(i)
        ? small(top + 5, 11 * k - left - room / 2 - 2, words[i][k], {
            "font-size": 12,
            transform: "rotate(90)",
            ...more,
          })
        : small(left + 6, top + 17 * (k + 1), words[i][k], more);
    return draw(
      "g",
      about(i),
      box(left + 1, top, room - 2, high, {
        rx: 4,
        class: "dtb-ring",
        fill: colour(tree.classes ? node.label : 0),
        stroke: "currentColor",
      }),
      draw("title", {}, words[i].join(": ")),
      edgeInto(tree, i, left + room / 2, top),
      said(0),
      said(1, { "font-weight": 700 }),
    );
  });
  return { boxes, height: (deepest + 1) * (high + EDGE) };
}
