// A tree as an outline for a narrow window: a row for each node, its words whole, a bar of its classes and
// the number of its cases.

import { branchHere, inOrder, layout } from "../kit/diagram.js";
import { fitted, mark, outline, small } from "../kit/draw.js";
import { BOLD, END } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { bars, cardLines, cardOf, foldedIn, hatch, isDrawnIn } from "./sideways.js";
import { inDigits, parents } from "../algorithms/tree.js";

// As in laboratory.css: where one part is seen at a time, and where the whole window is the laboratory's.
export const NARROW = matchMedia("(max-width: 699px)");
export const WIDE = matchMedia("(min-width: 1150px)");

const ROW = 40;
const INDENT = 15;
const BAR = 56;
const NUMBER = 54;

export function outlineTree(/** @type {Tree} */ tree, /** @type {Look} */ look) {
  const { isKnown, way, width } = look,
    { depth, spans } = layout(tree),
    parent = parents(tree),
    rows = inOrder(tree).filter(isDrawnIn(tree, look)),
    deepest = Math.max(...rows.map((i) => depth[i]));
  const wide = Math.max(width - 4, 8 + deepest * INDENT + 150 + BAR + NUMBER),
    at = Object.fromEntries(rows.map((i, row) => [i, row * ROW]));
  const left = (/** @type {number} */ i) => 12 + depth[i] * INDENT;
  const last = rows.slice(1).sort((one, other) => Number(way.has(one)) - Number(way.has(other))); // what is passed lies above
  const links = last.map((i) => {
    const [from, y] = [left(parent[i]) - 4, at[i] + ROW / 2];
    const look = way.has(i) ? { class: "dtb-one", "stroke-width": 3 } : { stroke: "#b5ab97" };
    return outline(`M${from} ${at[parent[i]] + ROW - 10}V${y}H${left(i) - 4}`, look);
  });
  const cards = rows.map((i) => {
    const node = tree.nodes[i],
      y = at[i];
    const branch = branchHere(tree, i, parent);
    const isMarked = isKnown(i) && !node.split && tree.classes;
    const from = left(i) + (branch ? branch.length * 7.4 + 8 : 0);
    const folded = foldedIn(tree, look, i, spans[i][1]),
      end = wide - NUMBER - BAR - 8;
    const room = end - 8 * folded.length - from - (isMarked ? 16 : 0);
    const words = isKnown(i) ? cardLines(tree, node).join(" ") : "?";
    return cardOf(
      tree,
      i,
      branch,
      { ...look, way: new Set() },
      [1, y + 1, wide - 2, ROW - 2],
      "none",
      small(left(i), y + 25, branch, { opacity: 0.75 }),
      isMarked ? mark(node.label, from + 6, y + ROW / 2, 5) : null,
      small(from + (isMarked ? 16 : 0), y + 25, fitted(words, room), BOLD),
      folded && small(end, y + 25, folded, END),
      isKnown(i) ? bars(tree, node, wide - NUMBER - BAR, y + ROW / 2 - 6, BAR, 12) : [],
      isKnown(i) ? small(wide - 12, y + 25, inDigits(sum(node.counts), 4, 0), END) : null,
    );
  });
  const size = { width: wide, height: rows.length * ROW };
  return { parts: [hatch(), ...cards, ...links], ...size, least: 1, most: 1 };
}
