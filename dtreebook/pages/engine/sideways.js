// A tree that grows to the right, so that words stay whole: every node a card with its question or
// answer, a bar of its classes and their counts, and links as wide as the cases that take them.

import { branchTo, layout } from "./diagram.js";
import { box, draw, fitted, mark, small, text } from "./draw.js";
import { colour, END } from "./looks.js";
import { sum } from "./measures.js";
import { isPlain } from "./reach.js";
import { answer, asked, branchWord, inDigits, parents } from "./tree.js";

const CARD = { width: 200, height: 64, across: 236, down: 88, above: 20 };

// What a node asks, or answers; with two ways the first, which is taken upwards.
/** @param {Tree} tree @param {TreeNode} node */
export function cardWords(tree, node) {
  if (!node.split) return answer(tree, node);
  return node.split.kind === "multiway"
    ? `${asked(tree, node)}?`
    : branchWord(tree, node, 0).replace("<=", "≤");
}

// The classes of a node as parts of a bar.
/**
 * @param {Tree} tree @param {TreeNode} about @param {number} x @param {number} y
 * @param {number} wide @param {number} high
 */
export function bars(tree, { counts }, x, y, wide, high) {
  const total = sum(counts);
  let from = x;
  return (tree.classes ? counts : []).flatMap((count, k) => {
    const width = total ? (wide * count) / total : 0,
      left = from;
    from += width;
    if (!width) return [];
    /** @param {string} fill */
    const bar = (fill) => box(left, y, width, high, { fill });
    return k % 2 ? [bar(colour(k)), bar("url(#dtb-hatch)")] : [bar(colour(k))];
  });
}

// The bar of a node and what stands below it.
/** @param {Tree} tree @param {TreeNode} node @param {number} x @param {number} y */
function contents(tree, node, x, y) {
  const { counts, label } = node,
    whole = Number(inDigits(sum(counts), 4, 0)),
    right = END;
  if (!tree.classes)
    return [
      small(x + 10, y + 52, `mean ${inDigits(label, 4, 0)}`),
      small(x + CARD.width - 10, y + 52, whole, right),
    ];
  const bar = bars(tree, node, x + 10, y + 28, CARD.width - 20, 10);
  /** @param {number} k @param {number} at @param {Attributes} [more] */
  const said = (k, at, more) => [
    mark(k, at, y + 48, 4),
    small(at + (more ? -8 : 8), y + 52, inDigits(counts[k], 4, 0), { "font-weight": 600, ...more }),
  ];
  if (counts.length !== 2)
    return [...bar, ...said(label, x + 16), small(x + CARD.width - 10, y + 52, whole, right)];
  return [
    ...bar,
    ...said(0, x + 16),
    small(x + CARD.width / 2, y + 52, whole, { "text-anchor": "middle", opacity: 0.7 }),
    ...said(1, x + CARD.width - 14, right),
  ];
}

export function hatch() {
  const about = {
    id: "dtb-hatch",
    width: 6,
    height: 6,
    patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)",
  };
  return draw(
    "defs",
    {},
    draw("pattern", about, box(0, 0, 2, 6, { fill: "#fff", "fill-opacity": 0.45 })),
  );
}

// What a node stands on: marked if it is chosen, on the way of a case, or not in another tree.
/**
 * @param {Tree} tree @param {number} i @param {number} x @param {number} y @param {number} width
 * @param {number} height
 * @param {{ way: Set<number>, chosen: number, differs?: Set<number> | null, stroke: string }} about
 */
export function cardBox(tree, i, x, y, width, height, { way, chosen, differs, stroke }) {
  const is = [
    ["dtb-chosen", i === chosen],
    ["dtb-way", way.has(i)],
    ["dtb-unlike", differs?.has(i)],
  ];
  const names = is.flatMap(([name, so]) => (so ? name : [])).join(" ");
  return box(x, y, width, height, { rx: 8, class: `dtb-card ${names}`, stroke });
}

// The pictures of a tree, { parts, width, height }. `about(i)` are the attributes of a node's card;
// `isKnown` says which nodes were looked at, `way` which a new case passes.
/** @param {Tree} tree @param {Look} about */
export function sidewaysTree(tree, { about, isKnown, way, chosen, differs }) {
  const { depth, spans, deepest } = layout(tree),
    parent = parents(tree),
    weight = sum(tree.nodes[0].counts) || 1;
  const at = tree.nodes.map((_, i) => {
    const [first, number] = spans[i];
    return [8 + depth[i] * CARD.across, CARD.above + (first + (number - 1) / 2) * CARD.down];
  });
  /** @param {number} i */
  const isDrawn = (i) => !i || isKnown(parent[i]);
  const links = tree.nodes.flatMap((node, i) => {
    if (!i || !isDrawn(i)) return [];
    const [x0, y0] = at[parent[i]],
      [x1, y1] = at[i],
      [begin, half] = [x0 + CARD.width, CARD.height / 2],
      turn = (begin + x1) / 2;
    const d = `M${begin} ${y0 + half}C${turn} ${y0 + half} ${turn} ${y1 + half} ${x1} ${y1 + half}`;
    const width = Math.max((14 * sum(node.counts)) / weight, 1);
    /** @param {Attributes} more */
    const link = (more) => draw("path", { d, fill: "none", ...more });
    const own = link({ stroke: "#b5ab97", "stroke-width": width });
    return way.has(i) ? [own, link({ class: "dtb-one", "stroke-width": 4 })] : [own];
  });
  const cards = tree.nodes.flatMap((node, i) => {
    if (!isDrawn(i)) return [];
    const [x, y] = at[i],
      words = isKnown(i) ? cardWords(tree, node) : "?",
      stroke = node.split || !tree.classes ? "currentColor" : colour(node.label),
      branch = i ? branchTo(tree, i, parent) : "";
    return [
      draw(
        "g",
        about(i),
        cardBox(tree, i, x, y, CARD.width, CARD.height, { way, chosen, differs, stroke }),
        draw("title", {}, `${branch || "all cases"}: ${words}`),
        small(x + 6, y - 5, fitted(branch, CARD.width), { opacity: 0.75 }),
        text(x + 10, y + 20, fitted(words, (CARD.width - 20) * 0.86), {
          "font-size": 15,
          "font-weight": 700,
        }),
        ...(isKnown(i) ? contents(tree, node, x, y) : []),
      ),
    ];
  });
  return {
    parts: [hatch(), ...links, ...cards],
    width: 16 + deepest * CARD.across + CARD.width,
    height: CARD.above + Math.max(spans[0][1], 1) * CARD.down,
  };
}

// The node that an arrow key leads to from another: into the tree, back, and to a neighbour; of an
// outline, to the next of its `rows`.
/**
 * @param {Tree} tree @param {number} i @param {KeyboardEvent} event @param {number[] | false} rows
 */
export function neighbour(tree, i, event, rows) {
  if (!isPlain(event)) return i;
  const parent = parents(tree),
    { depth, spans } = layout(tree);
  if (event.key === "ArrowRight") return tree.nodes[i].children?.[0] ?? i;
  if (event.key === "ArrowLeft") return i ? parent[i] : i;
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return i;
  if (rows) return rows[rows.indexOf(i) + step] ?? i;
  const beside = tree.nodes
    .map((_, j) => j)
    .filter((j) => depth[j] === depth[i])
    .sort((one, other) => spans[one][0] - spans[other][0]);
  return beside[beside.indexOf(i) + step] ?? i;
}
