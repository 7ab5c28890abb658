// A plane whose truth is known: "yes" above a border [[x, y], ...] that goes from left to right.

import { draw } from "./draw.js";
import { ANSWER, colour } from "./looks.js";
import { clamp } from "./stage.js";

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

// The share of new people that a grid gets wrong if a share of their answers is turned round.
/** @param {Float64Array[]} grid @param {Point[]} border @param {number} turned */
export const errorOf = (grid, border, turned) =>
  turned + (1 - 2 * turned) * (wrongIn(grid, border).length / grid.length ** 2);

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

// The cells of a grid, tinted by how far they are from a half: those of one shade in one path. Those that
// are wrong beside a border are grey.
/** @param {Float64Array[]} grid @param {Axes} to @param {Point[]} [border] */
export function tinted(grid, { x, y }, border) {
  const n = grid.length,
    wrong = border ? wrongIn(grid, border) : [],
    paths = Array(51).fill("");
  grid.forEach((row, j) => {
    const shades = Array.from(row, (value) => Math.round(50 * clamp(value, 0, 1)));
    for (let i = 0, from = 0; i < n; i++) {
      if (shades[i + 1] === shades[i]) continue;
      paths[shades[i]] += `M${from} ${j}H${i + 1}v1H${from}z`;
      from = i + 1;
    }
  });
  return draw(
    "g",
    {
      transform: `translate(${x(0)} ${y(0)}) scale(${(x(1) - x(0)) / n} ${(y(1) - y(0)) / n})`,
      "shape-rendering": "crispEdges",
    },
    draw(
      "g",
      paths.map((d, shade) =>
        draw("path", {
          d,
          fill: colour(Number(shade > 25)),
          "fill-opacity": Math.abs(shade - 25) / 50,
        }),
      ),
    ),
    draw("path", {
      d: wrong.map((at) => `M${at}h1v1h-1z`).join(""),
      fill: "currentColor",
      "fill-opacity": 0.4,
      ...ANSWER,
    }),
  );
}
