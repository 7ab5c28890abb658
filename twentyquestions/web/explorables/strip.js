// What a criterion thinks of every cut along an axis, as a curve, and the cut that is asked, or the best.

import { circle, curve, line } from "../kit/draw.js";

/** @param {Point[]} path
 * @param {(point: Point) => Point} foot where the curve's base is below a point
 * @param {Point} from where the cut begins @param {Point} to where it meets the curve
 * @param {boolean} isAsked @param {number} across the plane, to the words of its axis */
export function stripOf(path, foot, from, to, isAsked, across) {
  const look = isAsked
    ? { class: "dtb-one", "stroke-width": 2.5, "stroke-dasharray": `${across} 40 999` }
    : { "stroke-width": 1.5, "stroke-dasharray": "3 5", "stroke-opacity": 0.6 };
  const hill = { class: "dtb-hill", stroke: "none" };
  return [
    curve([foot(path[0]), ...path, foot(path[path.length - 1])], hill),
    curve(path, { class: isAsked ? "dtb-one" : null, "stroke-width": 2 }),
    line(...from, ...to, look),
    circle(to[0], to[1], 6, { class: isAsked ? "dtb-dot" : "dtb-knob" }),
  ];
}
