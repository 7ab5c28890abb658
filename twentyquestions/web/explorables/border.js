// A plane whose truth is known: "yes" above a border [[x, y], ...] that goes from left to right.

import { make } from "../kit/draw.js";
import { colour } from "../kit/looks.js";

/** What a grid gets wrong: a grey, and how much of it covers the page. */
export const WRONG = { stroke: "#666", "stroke-opacity": 0.6 };

// How high the border stands at x; at a step, how high it stands behind it.
function heightAt(/** @type {Point[]} */ border, /** @type {number} */ x) {
  const after = border.findIndex(([at]) => at > x);
  const [[x0, y0], [x1, y1]] = after < 0 ? border.slice(-2) : border.slice(after - 1, after + 1);
  return x1 === x0 ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

// What `answer(x, y)` is in the middle of each cell of a grid: rows from below, n cells each.
/** @param {number} n @param {(x: number, y: number) => number} answer */
export const gridOf = (n, answer) =>
  Array.from({ length: n }, (_, j) =>
    Float64Array.from({ length: n }, (__, i) => answer((i + 0.5) / n, (j + 0.5) / n)),
  );

// The cells [i, j] that a grid gets wrong: it is above a half and below the border, or the other way round.
function wrongIn(/** @type {Float64Array[]} */ grid, /** @type {Point[]} */ border) {
  const heights = grid.map((_, i) => heightAt(border, (i + 0.5) / grid.length));
  return grid.flatMap((row, j) =>
    heights.flatMap((height, i) =>
      row[i] > 0.5 === (j + 0.5) / grid.length > height ? [] : [[i, j]],
    ),
  );
}

/** The share of people whom answers above a half, one for each, get wrong. @param {ArrayLike<number>} answers @param {Person[]} people */
export const errorOf = (answers, people) =>
  people.filter(([, , code], i) => answers[i] > 0.5 !== code > 0).length / people.length;

/** Where a grid crosses a half, as a path. @param {Float64Array[]} grid @param {Axes} about */
export function crossings(grid, { x, y }) {
  const n = grid.length;
  let d = "";
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const side = grid[j][i] > 0.5;
      if (i && side !== grid[j][i - 1] > 0.5) d += `M${x(i / n)} ${y(j / n)}V${y((j + 1) / n)}`;
      if (j && side !== grid[j - 1][i] > 0.5) d += `M${x(i / n)} ${y(j / n)}H${x((i + 1) / n)}`;
    }
  return d;
}

// A canvas below a sheet, for a tint: drawn there, thousands of cells cost a step next to nothing.
export function canvasBelow(/** @type {SVGSVGElement} */ sheet) {
  const canvas = make("canvas", { class: "dtb-tint", "aria-hidden": "true" });
  sheet.before(canvas);
  return canvas;
}

// Tint a plane by how far the cells of a grid are from a half; those that are wrong beside a border are grey.
/** @param {HTMLCanvasElement} canvas @param {Float64Array[]} grid @param {Axes} to @param {Point[]} [border] */
export function tint(canvas, grid, { x, y }, border) {
  const n = grid.length,
    sheet = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  canvas.width = canvas.height = n; // this clears it
  canvas.style = `left:${x(0)}px;top:${y(1)}px;width:${x(1) - x(0)}px;height:${y(0) - y(1)}px`;
  grid.forEach((row, j) => {
    for (let i = 0, from = 0; i < n; i++) {
      if (row[i] === row[i + 1]) continue;
      sheet.fillStyle = colour(Number(row[i] > 0.5));
      sheet.globalAlpha = Math.min(Math.abs(row[i] - 0.5), 0.5);
      sheet.fillRect(from, n - 1 - j, i + 1 - from, 1);
      from = i + 1;
    }
  });
  if (!border) return;
  sheet.fillStyle = WRONG.stroke;
  sheet.globalAlpha = WRONG["stroke-opacity"];
  for (const [i, j] of wrongIn(grid, border)) sheet.fillRect(i, n - 1 - j, 1, 1);
}
