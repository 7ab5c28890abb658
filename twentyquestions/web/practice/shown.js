// An exercise to look at: its table, and its calculation in lines.

import { sumOf } from "./calculation.js";
import { draw, make, mark } from "../kit/draw.js";
import { withMark } from "../kit/legends.js";
import { pick, rove } from "../kit/reach.js";
import { gridOf } from "../kit/tables.js";
import { COLOURS } from "./samples.js";

const TILES = { class: "dtb-tiles", "aria-hidden": "true" };

// What a question divides a table of one question into: a row for each value, a mark for each case.
export function pilesOf(/** @type {TableGiven} */ { head, rows, answer }) {
  const values = [...new Set(rows.map((row) => row[1]))],
    classes = [...new Set(rows.map((row) => row[2]))].sort();
  if (head.length !== 3 || answer !== 2 || values.length > 5) return "";
  const pile = (/** @type {Label} */ value) => {
    const marks = classes.flatMap((name, k) =>
      rows.flatMap((row, r) => (row[1] === value && row[2] === name ? [{ k, r }] : [])),
    );
    const shapes = marks.map(({ k, r }, i) => draw("g", { "data-row": r }, mark(k, 8 + 17 * i, 8))),
      row = draw("svg", { width: 17 * marks.length, height: 16 }, shapes);
    return make("tr", make("th", { scope: "row" }, `${value}`), make("td", row));
  };
  return make("table", { class: "dtb-given dtb-piles", "aria-hidden": "true" }, values.map(pile));
}

/** A table and its piles, into which each case goes when its name is pressed. @param {TableGiven} table */
export function sortedByHand(table) {
  const piles = pilesOf(table),
    grid = given(table);
  if (!piles) return grid;
  grid.querySelectorAll("tbody td:first-child").forEach((cell, r) => {
    const press = () => {
      const isIn = piles.querySelector(`[data-row="${r}"]`)?.classList.toggle("dtb-in");
      name.ariaPressed = String(isIn);
    };
    const about = pick(null, press, { "aria-pressed": "false", tabindex: r ? -1 : 0 }),
      name = make("span", about, cell.textContent);
    cell.replaceChildren(name);
  });
  rove(grid);
  const hint = make("p", { class: "dtb-quiet" }, "Press names into their piles.");
  return [grid, make("div", { class: "dtb-by-hand" }, hint, piles)];
}

/** The table of an exercise; the column of the classes has their marks. @param {TableGiven} about */
export function given({ head, rows, answer }) {
  const classes = answer === null ? [] : [...new Set(rows.map((row) => row[answer]))].sort();
  const size = { width: 14, height: 14, "aria-hidden": "true" };
  const marked = (/** @type {Label} */ value) => [
    draw("svg", size, mark(classes.indexOf(value), 7, 7, 5)),
    ` ${value} `,
  ];
  // So many tiles are seen.
  const tiles = (/** @type {Label[]} */ [name, many]) => {
    const k = COLOURS.indexOf(`${name}`),
      wide = 16 * Number(many),
      all = Array.from({ length: Number(many) }, (_, i) => mark(k, 8 + 16 * i, 8));
    return draw("svg", { viewBox: `0 0 ${wide} 16`, width: wide, ...TILES }, all);
  };
  const cells = (/** @type {Label[]} */ row) =>
    row.map((value, c) => {
      const seen = c && head[0] === "tile" ? tiles(row) : null;
      return make("td", c === answer ? marked(value) : ` ${value} `, seen);
    });
  // Where there is no room for words in the table, below it.
  const legend = make("p", { class: "dtb-legend", "aria-hidden": "true" }, classes.flatMap(marked));
  const lines = rows.map((row) => make("tr", cells(row))),
    grid = gridOf(head, lines, { class: "dtb-given" });
  const look = { class: head[0] === "tile" && "dtb-tiled" };
  return make("div", look, grid, classes.length ? legend : null);
}

/** A drawing, and what its marks are. @param {Element} place @param {string[]} classes @param {string} [more] */
export const explained = (place, classes, more) =>
  make(
    "div",
    { class: "dtb-seen" },
    place,
    make(
      "p",
      { class: "dtb-quiet" },
      classes.map((name, k) => withMark(name, 16, mark(k, 8, 8))),
      more,
    ),
  );

/** The whole calculation, in lines. @param {Step[]} steps */
export const solution = (steps) =>
  make(
    "ol",
    { class: "dtb-lines" },
    steps.map((step) => make("li", `${step.says}: `, make("b", sumOf(step)))),
  );
