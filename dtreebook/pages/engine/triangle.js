// The triangle of three chances: every point is three chances that add up to 1, nearer to a corner
// the larger its chance.

import { clamp, curve, draw, pathOf, text } from "./draw.js";
import { sum } from "./measures.js";

// Where chances lie, and which chances lie at a point. `side` is its length, [left, top] its box.
export function triangleAt(left, top, side) {
  const high = side * 0.866;
  const corners = [
    [left + side / 2, top],
    [left, top + high],
    [left + side, top + high],
  ];
  const place = (parts) => {
    const all = sum(parts);
    return [0, 1].map((i) => sum(parts.map((part, k) => (part / all) * corners[k][i])));
  };
  const back = ([px, py]) => {
    const a = clamp((top + high - py) / high, 0, 1);
    const c = clamp((px - left) / side - a / 2, 0, 1 - a);
    return [a, 1 - a - c, c];
  };
  return { corners, place, back, high };
}

// The triangle itself, the names of its corners, and lines on which an impurity has the same value.
export function triangleDrawing(triangle, names, impurity, levels) {
  const [a, b, c] = triangle.corners;
  return [
    draw("path", { d: `${pathOf([a, b, c])}z`, fill: "none", stroke: "currentColor" }),
    ...levels.flatMap((level) => levelLine(triangle, impurity, level)),
    text(a[0], a[1] - 8, names[0], { "text-anchor": "middle" }),
    text(b[0], b[1] + 20, names[1], { "text-anchor": "middle" }),
    text(c[0], c[1] + 20, names[2], { "text-anchor": "middle" }),
  ];
}

// From the centre outwards an impurity only falls: on every ray one point has the level, or none.
function levelLine(triangle, impurity, level) {
  const pieces = [[]];
  for (let turn = 0; turn <= 120; turn++) {
    const angle = (turn / 120) * 2 * Math.PI;
    const way = [0, 2, 4].map((third) => Math.cos(angle + (third * Math.PI) / 3));
    let low = 0,
      high = Math.min(...way.map((w) => (w < 0 ? -1 / (3 * w) : Infinity)));
    const at = (far) => way.map((w) => Math.max(1 / 3 + far * w, 0));
    if (impurity(at(high)) > level) {
      pieces.push([]);
      continue;
    }
    for (let step = 0; step < 30; step++) {
      const half = (low + high) / 2;
      if (impurity(at(half)) > level) low = half;
      else high = half;
    }
    pieces.at(-1).push(triangle.place(at(low)));
  }
  return pieces
    .filter((piece) => piece.length > 1)
    .map((piece) => curve(piece, { "stroke-opacity": 0.45 }));
}
