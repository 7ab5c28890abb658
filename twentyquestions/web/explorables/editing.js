// The points of a plane under a cursor: what keys do to them.

import { ARROWS } from "../kit/reach.js";
import { clamp } from "../kit/stage.js";

/** @type {(value: Point) => Point} */
export const round = ([x, y]) => [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];

// Do what a key says at the cursor, where `near` is the nearest point, -1 for none, one may be
// held, and a new one is of the class `click`, of n. What comes of it, or nothing.
/** @param {KeyboardEvent} event @param {Point} cursor @param {number} near
 * @param {{points: Person[], held: number, click: number}} about @param {number} n */
export function keyed(event, cursor, near, { points, held, click }, n) {
  const step = ARROWS[event.key],
    key = event.key.toLowerCase();
  if (step) {
    const far = event.shiftKey ? 0.1 : 0.02,
      [x, y] = cursor.map((value, axis) => clamp(value + far * step[axis], 0, 1));
    cursor = round([x, y]);
    if (held >= 0) points[held] = [...cursor, points[held][2]];
    return { cursor, held, isChanged: held >= 0 };
  }
  if (key === "enter") points.push([...cursor, Math.min(click, n - 1)]);
  else if (near < 0) return null;
  else if (key === "c") points[near][2] = (points[near][2] + 1) % n;
  else if (key === "delete" || key === "backspace") points.splice(near, 1);
  else if (key !== "m") return null;
  else if (held >= 0) return { cursor, held: -1, isChanged: false };
  else return { cursor: [points[near][0], points[near][1]], held: near, isChanged: false };
  return { cursor, held: -1, isChanged: true };
}
