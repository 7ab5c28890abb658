// The errors to expect of leaves: a cell with its mark for each case that they get wrong, and, hatched, what
// caution adds.

import { box, draw, markAt, stripes } from "./draw.js";
import { colour } from "./looks.js";
import { leafErrors, majority, sum } from "./measures.js";

/** How caution looks. */
export const caution = () => stripes("dtb-caution", { fill: "currentColor", "fill-opacity": 0.45 });
const HATCHED = { fill: "url(#dtb-caution)", stroke: "#8b8676" };

/** What is hatched, in the legend. */
export const hatched = () => box(1, 2, 20, 13, HATCHED);

// The errors of leaves, one behind the other from a place on: so many pixels an error, so high.
/** @param {number[][]} leaves @param {number} confidence @param {Point} from @param {number} unit
 * @param {number} high */
export function errorCells(leaves, confidence, [x, y], unit, high) {
  let at = x;
  const next = (/** @type {number} */ size) => (at += unit * size) - unit * size;
  return leaves.flatMap((counts) => {
    const wrong = counts.flatMap((amount, k) => {
      const many = k === majority(counts) ? 0 : Math.ceil(amount),
        cells = Array.from({ length: many }, (_, e) => {
          const size = Math.min(amount - e, 1);
          return [next(size), unit * size];
        });
      const boxes = cells.map(
          ([x, wide]) => `M${x} ${y - high / 2}h${wide - 1}v${high}h${1 - wide}z`,
        ),
        marks = cells.map(([x, wide]) => markAt(k, [x + wide / 2, y], Math.min(7, 0.42 * wide))),
        fill = colour(k);
      return [
        draw("path", { d: boxes.join(""), fill, "fill-opacity": 0.3 }),
        draw("path", { d: marks.join(""), fill }),
      ];
    });
    const added = leafErrors(counts, confidence) - sum(counts) + Math.max(...counts);
    return [...wrong, box(next(added), y - high / 2, unit * added - 1, high, HATCHED)];
  });
}
