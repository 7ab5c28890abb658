// Piles on a sheet: questions above, the cases below them, and the branches between.

import { barOf, box, draw, fitted, mark, outline, small, text } from "../kit/draw.js";
import { BOLD, CENTRED, MIDDLE } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { clamp } from "../kit/stage.js";

const CHIP = 46; // how high a question is
const LABEL = 20;
const HEAD = 30; // room above the cases of a pile for its sign
const FOOT = 24; // room below a pile for its counts
const SEATS = 112; // room for seats below a question
const EMPTY = { class: "dtb-ghost", stroke: "currentColor", "stroke-width": 2 };

/** The name of a pile, with its question where its width has room for both. @param {Pile} about */
const nameOn = ({ names, name, wide }) =>
  names.slice(-1).find((whole) => whole.length * 7.5 + 10 <= wide) ?? name;

/** Is it what a question leaves whole? @param {Pile} about */
export const isWhole = ({ path }) => path.endsWith(".");

/** How many cases of a size stand side by side. @param {number} across @param {number} unit @param {number} size */
const perRow = (across, unit, size) => Math.max(Math.floor((across - 8) / (unit * size)), 1);

// Give piles their places: side by side, as wide as they need and more by what is in them, on one
// ground; above them the questions. All cases have one size, as large as there is room for, and
// words stand at all piles or none.
/** @param {Piles} tree @param {Field} field */
export function placed({ leaves, all }, { wide, high, unit, classes }) {
  const deepest = Math.max(...leaves.map(({ depth }) => depth)),
    row = clamp((high - 150) / deepest, CHIP + 1.5 * LABEL, 96);
  // Words take so much below a pile, for each of its classes.
  let word = 32 + 7.5 * Math.max(...classes.map((name) => name.length + 2));
  /** @param {Pile} node @returns {number} */
  const needOf = ({ name, question, rows, counts, children = [], seats = [] }) =>
    Math.max(
      7.6 * name.length + 4,
      children.length ? 8 * question.length + 20 : rows.length === 1 ? 52 : 40,
      (word || 30) * counts.filter(Boolean).length,
      seats.length && 24 * (rows.length + 3),
      sum(children.map(needOf)),
    );
  if (needOf(all[0]) > wide) word = 0;
  const least = (/** @type {Pile} */ node) => needOf(node) * Math.min(1, wide / needOf(all[0]));
  /** @param {Pile} node @param {number} left @param {number} wide */
  const visit = (node, left, wide) => {
    const { depth, children = [], rows } = node,
      spare = wide - sum(children.map(least)),
      top = depth * row + (depth ? LABEL : 0) + (isWhole(node) ? SEATS + CHIP - row : 0);
    Object.assign(node, { left, wide, top, middle: left + wide / 2 });
    let from = left;
    for (const child of children) {
      const across = least(child) + (spare * child.rows.length) / rows.length;
      visit(child, from, across);
      from += across;
    }
  };
  visit(all[0], 0, wide);
  const tall = (/** @type {Pile} */ leaf, /** @type {number} */ size) =>
    HEAD + Math.ceil(leaf.rows.length / perRow(leaf.wide, unit[0], size)) * unit[1] * size;
  let size = 1.5;
  const isTight = (/** @type {Pile} */ leaf) =>
    leaf.top + tall(leaf, size) > high - FOOT || unit[0] * size > leaf.wide - 4;
  while (size > 0.1 && leaves.some(isTight)) size *= 0.96;
  // Before any question is asked, those who stand there fill the sheet.
  const by = leaves[1] ? 1 : (high - FOOT) / tall(leaves[0], size);
  for (const leaf of leaves) {
    leaf.high = tall(leaf, size) * by;
    leaf.top = high - FOOT - leaf.high;
  }
  return { size, word, step: unit[1] * size * by };
}

// Where the cases of a pile stand, and whether in its first row.
/** @param {Pile} pile @param {Field} field */
export function standing({ rows, middle, wide }, { high, unit, size, step }) {
  const n = rows.length,
    line = Math.ceil(n / Math.ceil(n / perRow(wide, unit[0], size))) || 1;
  return rows.map((_, i) => {
    const there = Math.min(line, n - line * Math.floor(i / line)),
      x = middle + ((i % line) - (there - 1) / 2) * unit[0] * size,
      y = high - FOOT - (step - 0.9 * unit[1] * size) / 2 - 2 - Math.floor(i / line) * step;
    return { x, y, isFirst: i < line };
  });
}

/** They part above the highest child, and then go down. @param {Pile} node @param {boolean} isChosen @param {Field} field */
export function branchesOf(node, isChosen, field) {
  if (node.seats) return seatsOf(node, node.seats, field);
  const { children = [], middle: from } = node,
    y = node.top + CHIP,
    high = Math.min(...children.map(({ top }) => top)) - LABEL,
    turn = (y + high) / 2;
  return children.map(({ middle, top, rows }) =>
    outline(`M${from} ${y}C${from} ${turn} ${middle} ${turn} ${middle} ${high}V${top - LABEL}`, {
      class: isChosen ? "dtb-one" : null,
      stroke: "#b5ab97",
      "stroke-width": 1 + (field.wide * 0.03 * rows.length) / field.target.length,
    }),
  );
}

// A pile, or the question that is asked of one; a pile has a sign, a button on the one to press next.
/** @param {Pile} node @param {Attributes} about @param {Field} field @param {string} sign @param {boolean} isNext */
export function pileOf(node, about, field, sign, isNext) {
  const { left, top, middle, children, seats } = node,
    across = children ? clamp(node.wide - 8, 76, 150) : Math.max(node.wide - 6, 4),
    x = children ? middle - across / 2 : left + 3,
    said = nameOn(node),
    size = Math.min(14, (1.65 * node.wide) / said.length);
  return draw(
    "g",
    about,
    box(x, top, across, children ? CHIP : node.high + FOOT, {
      rx: 8,
      class: `dtb-ring dtb-pile${seats ? " dtb-ghost" : about["aria-pressed"] || isWhole(node) ? " dtb-chosen" : ""}`,
    }),
    node.depth && size > 9 && !isWhole(node)
      ? text(middle, top - 5, said, { ...MIDDLE, "font-size": size })
      : "",
    children
      ? [
          small(middle, top + 16, node.question, CENTRED),
          ...barOf(node.counts, x + 8, top + 22, across - 16, 18),
        ]
      : footOf(node, field),
    isNext ? box(middle - 30, top + 3, 60, 21, { rx: 10, class: "dtb-next" }) : "",
    text(middle, top + 18, children ? "" : sign, { ...MIDDLE, class: "dtb-done" }),
  );
}

// The seats that each branch of a question has to fill, between it and the pile that stays whole.
/** @param {Pile} node @param {Pile[]} seats @param {Field} field */
function seatsOf({ wide, middle, top }, seats, { needs, unit, drawn, high }) {
  const many = seats.map(({ rows }) => Math.max(rows.length, needs)),
    next = Math.min(42, (wide - 8) / (sum(many) + seats.length)),
    size = next - 2,
    tall = (size * unit[1]) / unit[0],
    y = top + CHIP + 22,
    end = y + tall + 8;
  const isOne = seats.some(({ rows }) => rows.length >= needs),
    told = [isOne ? "only 1 branch" : "no branch", `has ${needs} or more`],
    lines = 7.7 * told.join(" ").length > wide ? told : [told.join(" ")];
  let from = middle - (next * (sum(many) + seats.length - 1)) / 2;
  const each = seats.flatMap(({ name, rows }, i) => {
    const across = next * many[i],
      first = from + next / 2;
    from += across + next;
    return [
      small(from - next - across / 2, y - 5, fitted(name, across + next), MIDDLE),
      ...Array.from({ length: many[i] }, (_, i) => {
        const look = i < rows.length ? { class: "dtb-pile" } : EMPTY;
        return box(first + next * i - size / 2, y, size, tall, { rx: 4, ...look });
      }),
      ...rows.map((row, i) => {
        const at = `translate(${first + next * i} ${y + tall - 3}) scale(${size / unit[0]})`;
        return draw("g", { transform: at }, drawn(row));
      }),
    ];
  });
  return [
    outline(`M${middle} ${end + 16 * lines.length}V${high - FOOT}`, {
      class: "dtb-one",
      "stroke-width": 6,
    }),
    ...each,
    ...lines.map((line, i) => small(middle, end + 8 + 16 * i, line, CENTRED)),
  ];
}

/** How many there are of each class, below a pile. @param {Pile} about @param {Field} field */
const footOf = ({ counts, middle, wide }, { high, classes, word }) =>
  counts
    .flatMap((count, k) => (count ? [{ count, k }] : []))
    .flatMap(({ count, k }, i, { length }) => {
      const step = word || Math.min(40, (wide - 8) / length),
        at = middle + step * (i + 0.5 - length / 2),
        says = word ? `${count} ${classes[k]}` : `${count}`,
        half = 8 + 3.9 * says.length;
      if (step < 2 * half) return small(at, high - 4, says, CENTRED);
      return [mark(k, at - half + 5, high - 9, 5), small(at - half + 14, high - 4, says, BOLD)];
    });
