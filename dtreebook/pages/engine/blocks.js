// What an exercise measures, as blocks: as wide as their cases, as high as the number that is written;
// dashed until then. A mean is a level across them.

import { shown } from "./calculation.js";
import { box, circle, draw, line, mark, outline, put, small } from "./draw.js";
import { BOLD, CENTRED, DASHED, MIDDLE, PAPER } from "./looks.js";
import { sum } from "./measures.js";
import { clamp, picture, scale } from "./stage.js";

const NAMES_WIDE = 92; // room for the names of levels
const ON_PAPER = { ...CENTRED, stroke: PAPER, "stroke-width": 5, "paint-order": "stroke" };
const NOW_WRITTEN = { stroke: "var(--book-green)", "stroke-width": 3 }; // is being written
const STANDS = { stroke: "#8b8676", "stroke-width": 1.5 };
const UNKNOWN = { ...DASHED, "fill-opacity": 0 };
const KNOWN = { "stroke-dasharray": "none", "fill-opacity": 1 };

/** The cases of a block, each below its share of it, and its fill. @param {TableGiven} table */
function casesIn({ head, rows }) {
  const isBalls = head[0] === "ball",
    classes = [...new Set(rows.map((row) => row[2]))].sort();
  const fillOf = (/** @type {string} */ name) =>
    `color-mix(in srgb, ${isBalls ? name : "#b5ab97"} 75%, #8b8676)`;
  /** @param {string} name @param {Scale} x @param {number} y @param {number} from @param {number} wide */
  function casesOf(name, x, y, from, wide) {
    const found = rows.flatMap((row) => (row[1] === name ? [classes.indexOf(row[2])] : [])).sort(),
      look = { fill: fillOf(name), stroke: "#8b8676" },
      r = Math.min(9, 0.45 * (x(1) - x(0)));
    return Array.from({ length: wide }, (_, i) => {
      const middle = x(from + i + 0.5);
      return isBalls ? circle(middle, y, r, look) : mark(found[i], middle, y);
    });
  }
  return { fillOf, casesOf };
}

/** A drawing, and what shows in it the numbers that there are. @param {Exercise} made */
export function blocksOf({ blocks = [], table }) {
  const { fillOf, casesOf } = casesIn(table),
    bars = blocks.map(({ name }) => box(0, 0, 0, 0, { fill: fillOf(name), class: "dtb-rises" })),
    parts = draw("g");
  let known = { values: /** @type {Answer[]} */ ([]), now: -1, right: /** @type {Answer} */ (NaN) };
  const sheet = picture("", (wide) => paint(wide, wide > 350 ? 160 : 100));
  sheet.ariaHidden = "true";
  sheet.append(...bars, parts);
  /** @param {number} all the width @param {number} ground where the blocks stand */
  function paint(all, ground) {
    const { values, now } = known,
      end = all - NAMES_WIDE,
      x = scale(0, sum(blocks.map(({ wide = 0 }) => wide)), 0, end),
      aim = (blocks[now] && Number(known.right)) || 0,
      numbers = blocks.map((_, i) => Number(values[i] ?? NaN)),
      most = Math.max(0.5, aim, ...numbers.filter(Number.isFinite)),
      y = scale(0, most, ground, 20),
      /** @type {Element[]} */ told = [];
    let from = 0,
      free = 0, // from where there is room for a name
      level = -99;
    parts.replaceChildren(line(0, ground, end, ground));
    blocks.forEach(({ name, wide = 0 }, i) => {
      const isOpen = Number.isNaN(numbers[i]),
        // What is still open has a height that tells nothing.
        top = y(isOpen ? 0.6 * most : clamp(numbers[i], 0, most)),
        [left, right] = wide ? [x(from) + 2, x(from + wide) - 2] : [0, end],
        [middle, sides] = [(left + right) / 2, wide ? ground : y(aim)],
        words = isOpen ? "?" : shown(numbers[i]),
        edge = i === now ? NOW_WRITTEN : wide ? STANDS : { "stroke-width": 2 },
        look = { ...edge, ...(isOpen ? UNKNOWN : KNOWN) };
      from += wide;
      if (i === now && aim) {
        const way = `M${left} ${sides}V${y(aim)}H${right}V${sides}`;
        told.push(outline(way, { ...edge, ...DASHED }));
      }
      if (!wide) {
        // A level is seen in its turn; names stand beside, and not upon each other.
        if (isOpen && i !== now) return;
        level = Math.abs(top - level) < 18 ? level + 18 : top;
        parts.append(line(0, top, end, top, look));
        return told.push(small(end + 6, level + 5, `${name} ${words}`, BOLD));
      }
      put(bars[i], { x: left, width: right - left, y: top, height: ground - top, ...look });
      const named = `${name} ${wide}`,
        half = 4 * named.length,
        at = Math.max(middle, free + half);
      free = at + half + 8;
      parts.append(small(at, ground + 42, named, MIDDLE));
      parts.append(...casesOf(name, x, ground + 14, from - wide, wide));
      return told.push(small(middle, isOpen ? (top + ground) / 2 + 6 : top - 6, words, ON_PAPER));
    });
    parts.append(...told);
    return ground + 52;
  }
  return {
    place: sheet.place,
    /** @param {Answer[]} values @param {number} [now] which of them is being written @param {Answer} [right] how high it should be */
    show(values, now = -1, right = NaN) {
      known = { values, now, right };
      sheet.paint();
    },
  };
}
