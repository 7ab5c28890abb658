// A tree as a tower of blocks: the root on top, every block as wide as its cases, or as its leaves.
// One block at a time is in the order of Tab: arrows go to its parent, first child and neighbours.

import { layout } from "../kit/diagram.js";
import { barOf, box, draw, mark, put, small } from "../kit/draw.js";
import { colour, END, PAPER } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { pick } from "../kit/reach.js";
import { picture, renewed } from "../kit/stage.js";
import { answer, asked, inDigits, parents } from "../algorithms/tree.js";

const FALL = 0.85; // so high is a row, of that above it: its blocks are narrower, too

// Where the blocks lie: [left, width] of each, as shares of the whole.
function shares(/** @type {PlaneTree} */ tree, /** @type {boolean | undefined} */ inLeaves) {
  const { depth, spans, leaves } = layout(tree);
  if (inLeaves) return { depth, places: spans.map((span) => span.map((leaf) => leaf / leaves)) };
  const total = sum(tree.nodes[0].counts) || 1,
    places = [[0, 1]];
  tree.nodes.forEach(({ children }, i) => {
    let [from] = places[i];
    for (const child of children ?? []) {
      const wide = sum(tree.nodes[child].counts) / total;
      places[child] = [from, wide];
      from += wide;
    }
  });
  return { depth, places };
}

// What stands in a block, as far as there is room for the whole of it.
/**
 * @param {PlaneTree} tree @param {TreeNode<Threshold>} node @param {number} x @param {number} y
 * @param {number} wide @param {number} tall
 */
function contents(tree, node, x, y, wide, tall) {
  const room = (/** @type {string} */ words) => wide - words.length * 7.7,
    leaf = answer(tree, node);
  const words = node.split
    ? [`${asked(tree, node)} ≤ ${inDigits(node.split.cut, 4)}`, asked(tree, node)]
    : [leaf];
  const /** @type {Element[]} */ made = [],
    said = words.find((one) => room(one) >= 8);
  const isLow = tall < 50,
    first = y + (isLow ? Math.min(14, tall / 2 + 5) : 16);
  if (said && tall > 13) made.push(small(x + 6, first, said, { "font-weight": 600 }));
  if (tall < 40 || node.counts.length !== 2) return made;
  if (!said && !node.split && wide > 9) made.push(mark(node.label, x + wide / 2, first - 4, 4));
  const high = isLow ? 5 : Math.max(tall - 48, 8),
    top = y + (isLow ? 18 : 23),
    foot = top + high + (isLow ? 12 : 16),
    bar = barOf(node.counts, x + 5, 0, Math.max(wide - 10, 0), 1);
  made.push(draw("g", { transform: `translate(0 ${top}) scale(1 ${high})` }, ...bar));
  const left = room(node.counts.join("")); // of this the marks need 50
  if (left >= 50) made.push(mark(0, x + 11, foot - 4, 4), mark(1, x + wide - 11, foot - 4, 4));
  const edge = left >= 50 ? 19 : 5;
  if (left >= 22)
    made.push(
      small(x + edge, foot, node.counts[0]),
      small(x + wide - edge, foot, node.counts[1], END),
    );
  return made;
}

/**
 * A tower in its place, which is so high; no row of it is higher than `tall`.
 * `show(tree, key)` draws a tree, where key(i) names a node from one tree to the next.
 * @param {string} label
 * @param {{tall: number, high: number, inLeaves?: boolean, words: (i: number) => string, look: (i: number) => unknown,
 *   press: (i: number) => unknown, isPressed: (i: number) => boolean,
 *   dress?: (i: number) => Attributes}} about
 * @typedef {(i: number) => string | number} Key
 * @typedef {{node: TreeNode<Threshold>, at: number[], label: string, isPressed: boolean,
 *   dress?: Attributes}} BlockLook
 */
export function towerOf(label, { tall, high, inLeaves, words, look, press, isPressed, dress }) {
  let /** @type {PlaneTree | null} */ tree = null,
    /** @type {Key} */ key = (i) => i,
    /** @type {string | number} */ at = 0,
    /** @type {SVGGElement[]} */ cells = [];
  const sheet = picture(label, () => (paint(), high + 2));

  function paint() {
    const here = tree,
      { wide } = sheet;
    if (!here || !wide) return;
    const focused = sheet.contains(document.activeElement),
      { depth, places } = shares(here, inLeaves),
      rows = Array.from({ length: Math.max(...depth) + 1 }, (_, row) => FALL ** row),
      first = Math.min(tall, high / sum(rows));
    const looks = here.nodes.map((node, i) => ({
      node,
      at: [
        places[i][0] * wide,
        1 + first * sum(rows.slice(0, depth[i])),
        places[i][1] * wide,
        first * rows[depth[i]],
      ],
      label: words(i),
      isPressed: isPressed(i),
      dress: dress?.(i),
    }));
    const known = looks.map((one) => JSON.stringify(one));
    cells = renewed(sheet, known, (i) => block(here, looks[i]));
    const now = cells.find((_, i) => key(i) === at) ?? cells[0];
    for (const cell of cells) put(cell, { tabindex: cell === now ? 0 : -1 });
    if (focused) now.focus();
  }

  // A block. It may stay while the tree changes, so it asks which node it is.
  /** @param {PlaneTree} here @param {BlockLook} about */
  function block(here, { node, at: [left, top, width, row], label, isPressed: isOn, dress: more }) {
    const which = () => cells.indexOf(cell);
    /** @type {SVGGElement} */
    const cell = draw(
      "g",
      pick(label, () => press(which()), {
        tabindex: -1,
        "aria-pressed": isOn,
        pointerenter: () => look(which()),
        pointerleave: () => look(-1),
        focus: () => comeTo(which()),
        keydown: (event) => walk(event, which()),
      }),
      box(left, top, width, row, {
        class: "dtb-ring",
        fill: colour(node.label),
        "fill-opacity": node.split ? 0.16 : 0.4,
        stroke: PAPER,
        ...more,
      }),
      ...contents(here, node, left, top, width, row),
    );
    return cell;
  }

  function walk(/** @type {KeyboardEvent} */ event, /** @type {number} */ i) {
    const here = tree;
    if (!here) return;
    const parent = parents(here)[i],
      row = here.nodes[parent]?.children ?? [i];
    /** @type {Record<string, number | undefined>} */
    const to = {
      ArrowUp: parent,
      ArrowDown: here.nodes[i].children?.[0],
      ArrowLeft: row[row.indexOf(i) - 1],
      ArrowRight: row[row.indexOf(i) + 1],
    };
    if (event.key === "Enter" || event.key === " ") press(i);
    else if (!(event.key in to)) return;
    event.preventDefault();
    cells[to[event.key] ?? -1]?.focus();
  }
  function comeTo(/** @type {number} */ i) {
    for (const cell of cells) cell.setAttribute("tabindex", cell === cells[i] ? "0" : "-1");
    at = key(i);
    look(i);
  }

  return {
    place: sheet.place,
    /** @param {number} i */
    ring: (i) => cells[i]?.firstElementChild,
    /** @param {PlaneTree} now @param {Key} [named] */
    show(now, named = (i) => i) {
      [tree, key] = [now, named];
      paint();
    },
  };
}
