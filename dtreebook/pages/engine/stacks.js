// The errors to expect of leaves: a cell with its mark for each case that they get wrong, and, hatched, what
// caution adds.

import { box, draw, mark, stripes } from "./draw.js";
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
    const wrong = counts.flatMap((amount, k) =>
      Array.from({ length: k === majority(counts) ? 0 : Math.ceil(amount) }, (_, e) => {
        const size = Math.min(amount - e, 1);
        return errorCell(k, next(size), y, unit * size, high);
      }),
    );
    const added = leafErrors(counts, confidence) - sum(counts) + Math.max(...counts);
    return [...wrong, box(next(added), y - high / 2, unit * added - 1, high, HATCHED)];
  });
}

/** @type {(k: number, x: number, y: number, wide: number, high: number) => Element} */
const errorCell = (k, x, y, wide, high) =>
  draw(
    "g",
    box(x, y - high / 2, wide - 1, high, { fill: colour(k), "fill-opacity": 0.3 }),
    mark(k, x + wide / 2, y, Math.min(7, 0.42 * wide)),
  );
