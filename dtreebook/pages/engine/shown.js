// An exercise to look at: its table, and its calculation in lines.

import { sumOf } from "./calculation.js";
import { circle, draw, make, mark } from "./draw.js";
import { gridOf } from "./sheets.js";

/** The table of an exercise; the column of the classes has their marks. @param {TableGiven} about */
export function given({ head, rows, answer }) {
  const classes = answer === null ? [] : [...new Set(rows.map((row) => row[answer]))].sort();
  const marked = (/** @type {Label} */ value) => [
    draw(
      "svg",
      { width: 14, height: 14, "aria-hidden": "true" },
      mark(classes.indexOf(value), 7, 7, 5),
    ),
    ` ${value} `,
  ];
  // So many balls are seen.
  const balls = (/** @type {Label[]} */ [colour, n]) =>
    draw(
      "svg",
      { width: 16 * Number(n), height: 16, class: "dtb-balls", "aria-hidden": "true" },
      Array.from({ length: Number(n) }, (_, i) =>
        circle(8 + 16 * i, 8, 7, {
          fill: `color-mix(in srgb, ${colour} 75%, #8b8676)`,
          stroke: "#8b8676",
        }),
      ),
    );
  /** @param {Label[]} row */
  const cells = (row) =>
    row.map((value, c) =>
      make(
        "td",
        {},
        c === answer ? marked(value) : ` ${value} `,
        c && head[0] === "ball" ? balls(row) : null,
      ),
    );
  // Where there is no room for words in the table, below it.
  const legend = make("p", { class: "dtb-legend", "aria-hidden": "true" }, classes.flatMap(marked));
  const grid = gridOf(
    head,
    rows.map((row) => make("tr", {}, cells(row))),
    { class: "dtb-given" },
  );
  return make("div", {}, grid, classes.length ? legend : null);
}

/** The whole calculation, in lines. @param {Step[]} steps */
export const solution = (steps) =>
  make(
    "ol",
    { class: "dtb-lines" },
    steps.map((step) => make("li", {}, `${step.says}: `, make("b", {}, sumOf(step)))),
  );
