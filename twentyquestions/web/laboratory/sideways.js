// A tree that grows to the right, so that words stay whole: every node a card with its question or
// answer, a bar of its classes and their counts, and links as wide as the cases that take them.

import { branchHere, layout } from "../kit/diagram.js";
import { box, draw, fitted, mark, outline, small, stripes } from "../kit/draw.js";
import { colour, END, MIDDLE } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { isPlain } from "../kit/reach.js";
import { clamp } from "../kit/stage.js";
import { answer, asked, branchShown, inDigits, parents, wayTo } from "../algorithms/tree.js";
import { percent } from "../kit/words.js";

// A card: how wide it is at least and at most, how high, and the room above it, more for the name of a branch;
// of two trees side by side a small one.
const CARD = { least: 118, most: 200, high: 70, above: 8, named: 18 };
const SMALL = { least: 90, most: 180, high: 25, above: 4, named: 15 };
const SMALL_WORDS = { "font-size": 11, "font-weight": 600 };
const LINES = [{ "font-weight": 600 }, { "font-weight": 500 }];
const CASES = { ...MIDDLE, opacity: 0.7, "font-size": 13 };
const LINK = [12, 60]; // how long a link is at least and at most
const LONG = 13; // of a set of values in more letters it is said how many there are
const SMALL_TREE = 120; // one of more nodes begins with few, and what is below one is drawn when it is chosen

// The nodes that are drawn: of a large tree as many from the root down as there is room for, and those on the
// ways to the chosen one and of a case; of many branches the largest.
/** @param {Tree} tree @param {number} chosen @param {Iterable<number>} way @param {number} most rows */
export function drawnOf(tree, chosen, way, most) {
  const { nodes } = tree;
  if (nodes.length <= SMALL_TREE) return new Set(nodes.keys());
  const open = new Set(wayTo(tree, chosen)),
    drawn = new Set([0, ...open, ...way]),
    ahead = [0],
    size = (/** @type {number} */ i) => sum(nodes[i].counts);
  let rows = 1;
  for (const i of ahead) {
    const { children = [] } = nodes[i],
      largest = [...children].sort((one, other) => size(other) - size(one)).slice(0, most);
    if (!open.has(i) && rows + largest.length - 1 > most) continue;
    rows += largest.length - 1;
    for (const child of largest) drawn.add(child);
    ahead.push(...children.filter((child) => drawn.has(child)));
  }
  return drawn;
}

/** Whether a node is drawn. @param {Tree} tree @param {Look} look */
export function isDrawnIn(tree, { isKnown, drawn }) {
  const parent = parents(tree);
  return (/** @type {number} */ i) => drawn.has(i) && (!i || isKnown(parent[i]));
}

// How many branches of a node are not drawn, or if none is, how many leaves lie below it.
/** @param {Tree} tree @param {Look} look @param {number} i @param {number} leaves */
export function foldedIn({ nodes }, { drawn, isKnown }, i, leaves) {
  const { children = [] } = nodes[i],
    hidden = children.filter((child) => !drawn.has(child)).length;
  if (!hidden || !isKnown(i)) return "";
  return hidden < children.length ? `+ ${hidden} more` : `▸ ${leaves} leaves`;
}

// What a node asks, or answers; with two ways the first, which is taken upwards.
export function cardWords(/** @type {Tree} */ tree, /** @type {TreeNode} */ node) {
  if (!node.split) return answer(tree, node);
  return node.split.kind === "multiway" ? `${asked(tree, node)}?` : branchShown(tree, node, 0);
}

// The classes of a node as parts of a bar.
/** @param {Tree} tree @param {TreeNode} about @param {number} x @param {number} y
 * @param {number} wide @param {number} high */
export function bars(tree, { counts }, x, y, wide, high) {
  const total = sum(counts);
  let from = x;
  return (tree.classes ? counts : []).flatMap((count, k) => {
    const width = total ? (wide * count) / total : 0,
      left = from;
    from += width;
    if (!width) return [];
    const bar = (/** @type {string} */ fill) => box(left, y, width, high, { fill });
    return k % 2 ? [bar(colour(k)), bar("url(#dtb-hatch)")] : [bar(colour(k))];
  });
}

// The same in two lines: a question's name, and what is asked of it, briefly; an answer, and its share.
export function cardLines(/** @type {Tree} */ tree, /** @type {TreeNode} */ node) {
  const words = cardWords(tree, node),
    { split, counts, label } = node;
  const n = sum(counts);
  if (!split) return [words, tree.classes ? (n ? percent(counts[label] / n) : "no cases") : ""];
  if (split.kind === "multiway") return [words, ""];
  const name = asked(tree, { split }),
    rest = words.slice(name.length + 1),
    { groups, attribute } = split;
  const few = groups && `in ${groups[0].length} of ${tree.attributes[attribute].levels.length}`;
  return [name, few && rest.length > LONG ? few : rest];
}

// Both on one: where there is no room, the first is cut short.
const inOneLine = (/** @type {string[]} */ [first, rest = ""], /** @type {number} */ room) =>
  `${fitted(first, room - 7.6 * (rest.length + 1))} ${rest}`;

const briefly = (/** @type {number} */ count) => inDigits(count, 4, 0);

// The bar of a node and what stands below it.
/** @param {Tree} tree @param {TreeNode} node @param {number} x @param {number} y @param {number} wide */
function contents(tree, { counts, label, split }, x, y, wide) {
  const whole = Number(briefly(sum(counts))),
    [left, right, low] = [x + 8, x + wide - 8, y + 24];
  if (!tree.classes)
    return [
      split ? small(left, y + 20, `mean ${inDigits(label, 3, 0)}`) : null, // a leaf says it above
      small(right, y + 20, whole, { ...END, "font-size": 13 }),
    ];
  /** @param {number} k @param {number} at @param {Attributes} [more] */
  const said = (k, at, more) => [
    mark(k, at, low - 4, 4),
    small(at + (more ? -8 : 8), low, briefly(counts[k]), { "font-weight": 600, ...more }),
  ];
  const isTwo = counts.length === 2,
    [first, second] = counts.map((count) => `${briefly(count)}`.length);
  return [
    ...bars(tree, { counts, label }, left, y, wide - 16, 9),
    ...said(isTwo ? 0 : label, left + 4),
    ...(isTwo
      ? [
          wide > 37 + 8.7 * `${counts.map(briefly)}${whole}`.length // the three of the root may be too long
            ? small(x + wide / 2 + 4 * (first - second), low, whole, CASES)
            : null,
          ...said(1, right - 4, END),
        ]
      : [small(right, low, whole, END)]),
  ];
}

export const hatch = () => stripes("dtb-hatch", { fill: "#fff", "fill-opacity": 0.45 });

// The card of a node, marked if it is chosen, on the way of a case, or not in another tree.
/** @param {Tree} tree @param {number} i @param {string} branch @param {Look} look
 * @param {readonly [number, number, number, number]} place @param {string} stroke
 * @param {Children} inside */
export function cardOf(tree, i, branch, look, place, stroke, ...inside) {
  const is = [
    ["dtb-chosen", i === look.chosen],
    ["dtb-way", look.way.has(i)],
    ["dtb-unlike", look.differs?.has(i)],
  ];
  const pale = look.differs?.size && !look.differs.has(i) ? { opacity: 0.5 } : {};
  const names = is.flatMap(([name, so]) => (so ? name : [])).join(" "),
    words = look.isKnown(i) ? cardWords(tree, tree.nodes[i]) : "?";
  return draw(
    "g",
    { ...look.about(i), ...pale },
    box(...place, { rx: 8, class: `dtb-card ${names}`, stroke }),
    draw("title", `${branch || "all cases"}: ${words}`),
    ...inside,
  );
}

// Of each node its row: as high as there is room beside those above it, in the middle of its branches.
/** @param {Tree} tree @param {number[]} depth @param {Set<number>} drawn */
function rowsOf({ nodes }, depth, drawn) {
  const below = (/** @type {number} */ i) =>
    nodes[i].children?.filter((child) => drawn.has(child)) ?? [];
  /** @type {number[]} */
  const rows = [],
    /** @type {number[]} */ free = []; // of each depth the first row that nobody has
  const lower = (/** @type {number} */ i, /** @type {number} */ by) => {
    rows[i] += by;
    free[depth[i]] = rows[i] + 1;
    for (const child of below(i)) lower(child, by);
  };
  const place = (/** @type {number} */ i) => {
    const least = free[depth[i]] ?? 0,
      children = below(i);
    children.forEach(place);
    rows[i] = children.length
      ? (rows[children[0]] + rows[children[children.length - 1]]) / 2
      : least;
    lower(i, Math.max(least - rows[i], 0));
  };
  place(0);
  return { rows, most: Math.max(...free) };
}

// Where the cards of a tree are in a frame, and how wide: as narrow and as near to each other as it takes to
// show the whole tree, if that can be read.
/** @param {Tree} tree @param {Look} look @param {typeof CARD} card @param {boolean} isNamed */
function placed(tree, { width, height, drawn }, card, isNamed) {
  const { depth, spans } = layout(tree),
    { rows, most } = rowsOf(tree, depth, drawn),
    { least, most: widest, high, above, named } = card,
    deepest = rows.reduce((far, _, i) => Math.max(far, depth[i]), 0); // of those that have a row
  const wide = clamp((width - 16 - deepest * LINK[0]) / (deepest + 1), least, widest),
    across = wide + clamp((width - 16 - wide) / (deepest || 1) - wide, LINK[0], LINK[1]),
    near = high + (isNamed ? named : above),
    down = clamp((height - 24) / most, near, near + 40);
  return {
    wide,
    spans,
    at: rows.map((row, i) => [8 + depth[i] * across, 18 + row * down]),
    width: 16 + deepest * across + wide,
    height: 24 + (most - 1) * down + high,
  };
}

// The pictures of a tree, { parts, width, height }. `about(i)` are the attributes of a node's card;
// `isKnown` says which nodes were looked at, `way` which a new case passes.
export function sidewaysTree(/** @type {Tree} */ tree, /** @type {Look} */ look) {
  const { isKnown, way } = look,
    parent = parents(tree),
    weight = sum(tree.nodes[0].counts) || 1,
    isNamed = tree.nodes.some(({ split }) => split?.kind === "multiway"),
    card = look.isSmall ? SMALL : CARD,
    { at, wide, spans, width, height } = placed(tree, look, card, isNamed),
    isDrawn = isDrawnIn(tree, look);
  const links = tree.nodes.flatMap((node, i) => {
    if (!i || !isDrawn(i)) return [];
    const [x0, y0] = at[parent[i]],
      [x1, y1] = at[i],
      [begin, half] = [x0 + wide, card.high / 2],
      turn = (begin + x1) / 2;
    const d = `M${begin} ${y0 + half}C${turn} ${y0 + half} ${turn} ${y1 + half} ${x1} ${y1 + half}`;
    const stroke = Math.max((14 * sum(node.counts)) / weight, 1),
      own = outline(d, { stroke: "#b5ab97", "stroke-width": stroke });
    return way.has(i) ? [own, outline(d, { class: "dtb-one", "stroke-width": 4 })] : [own];
  });
  const cards = tree.nodes.flatMap((node, i) => {
    if (!isDrawn(i)) return [];
    const [x, y] = at[i],
      words = isKnown(i) ? cardLines(tree, node) : ["?"],
      stroke = node.split || !tree.classes ? "currentColor" : colour(node.label),
      branch = branchHere(tree, i, parent);
    const named =
        isNamed || (parent[i] === 0 && !look.isSmall)
          ? small(x + 4, y - 5, fitted(branch, wide))
          : null,
      folded = foldedIn(tree, look, i, spans[i][1]),
      room = wide - 12 - 7.6 * folded.length,
      lines = look.isSmall
        ? [small(x + 6, y + 13, inOneLine(words, 1.12 * room), SMALL_WORDS)]
        : words.map((line, n) =>
            small(x + 8, y + 17 + 17 * n, fitted(line, n ? room : wide - 12), LINES[n]),
          );
    const inside = look.isSmall
      ? bars(tree, node, x + 6, y + 18, wide - 12, 4)
      : contents(tree, node, x, y + 41, wide);
    const place = /** @type {const} */ ([x, y, wide, card.high]),
      more = folded && small(x + wide - 6, y + (look.isSmall ? 13 : 34), folded, END);
    return cardOf(
      tree,
      i,
      branch,
      look,
      place,
      stroke,
      named,
      lines,
      isKnown(i) ? inside : [],
      more,
    );
  });
  return { parts: [hatch(), ...links, ...cards], width, height };
}

// The node that an arrow key leads to from another: into the tree, back, and to a neighbour; of an
// outline, to the next of its `rows`.
/** @param {Tree} tree @param {number} i @param {KeyboardEvent} event @param {number[] | false} rows */
export function neighbour(tree, i, event, rows) {
  if (!isPlain(event)) return i;
  const parent = parents(tree),
    { depth } = layout(tree);
  if (event.key === "ArrowRight") return tree.nodes[i].children?.[0] ?? i;
  if (event.key === "ArrowLeft") return i ? parent[i] : i;
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return i;
  if (rows) return rows[rows.indexOf(i) + step] ?? i;
  const level = [...depth.keys()].filter((j) => depth[j] === depth[i]);
  return level[level.indexOf(i) + step] ?? i;
}
