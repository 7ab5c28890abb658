// What an exercise measures, as blocks: as wide as their cases, as high as the number that is written. A
// mean is a level across them.

import { shown } from "./calculation.js";
import { box, circle, draw, line, mark, outline, put, small } from "./draw.js";
import { BOLD, DASHED, END, MIDDLE, PAPER } from "./looks.js";
import { sum } from "./measures.js";
import { clamp, scale } from "./stage.js";

const BLOCKS_WIDE = 220;
const GROUND = 150;
const HALO = { stroke: PAPER, "stroke-width": 5, "paint-order": "stroke" };

/** No nearer to an edge than its letters need. @param {number} x @param {string} words */
const inside = (x, words) => clamp(x, 4 * words.length, BLOCKS_WIDE - 4 * words.length);

/** A drawing, and what shows in it the numbers that there are. @param {Exercise} made */
export function blocksOf({ blocks = [], table: { head, rows } }) {
  const sheet = draw("svg", { width: BLOCKS_WIDE }),
    x = scale(0, sum(blocks.map(({ wide = 0 }) => wide)), 0, BLOCKS_WIDE),
    isBalls = head[0] === "ball",
    classes = [...new Set(rows.map((row) => row[2]))].sort();
  sheet.ariaHidden = "true";
  /** @param {string} name */
  const colourOf = (name) => `color-mix(in srgb, ${isBalls ? name : "#b5ab97"} 75%, #8b8676)`;
  /** The cases of a block, each below its share of it. @param {string} name @param {number} wide @param {number} from */
  function casesOf(name, wide, from) {
    const found = rows.flatMap((row) => (row[1] === name ? [classes.indexOf(row[2])] : [])).sort();
    return Array.from({ length: wide }, (_, i) =>
      isBalls
        ? circle(x(from + i + 0.5), GROUND + 12, 7, { fill: colourOf(name), stroke: "#8b8676" })
        : mark(found[i], x(from + i + 0.5), GROUND + 12),
    );
  }
  /** @param {Answer[]} values @param {number} [now] which of them is being written @param {Answer} [right] how high it should be */
  function show(values, now = -1, right = NaN) {
    const high = blocks.map((_, i) => Math.max(Number(values[i]) || 0, 0)),
      aim = (blocks[now] && Number(right)) || 0,
      y = scale(0, Math.max(0.5, aim, ...high), GROUND, 18);
    const /** @type {Element[]} */ numbers = [],
      tops = high.filter((_, i) => blocks[i].wide);
    let from = 0,
      narrow = 0;
    const parts = blocks.flatMap(({ name, wide }, i) => {
      const top = y(high[i]),
        [left, middle] = [from, from + (wide ?? 0) / 2].map(x),
        number = shown(high[i]),
        isNarrow = x(wide ?? 0) <= 7.5 * name.length,
        look = { stroke: i === now ? "var(--book-green)" : "currentColor", "stroke-width": 3 };
      // A level's name stands at an end of it, above or below, where the block there ends not.
      const under = (i ? tops[tops.length - 1] : tops[0]) > high[i],
        end = i ? { ...BOLD, ...HALO, ...END } : { ...BOLD, ...HALO };
      const told = wide
        ? small(inside(middle, number), top - 6, number, { ...BOLD, ...HALO, ...MIDDLE })
        : small(i && BLOCKS_WIDE, top + (under ? 18 : -7), `${name} ${number}`, end);
      if (high[i]) numbers.push(told);
      if (i === now && aim) {
        const [x1, x2] = wide ? [left + 2, x(from + wide) - 2] : [0, BLOCKS_WIDE],
          way = `M${x1} ${GROUND}V${y(aim)}H${x2}V${GROUND}`;
        numbers.push(outline(way, { ...look, ...DASHED }));
      }
      if (!wide) return high[i] ? [line(0, top, BLOCKS_WIDE, top, look)] : [];
      from += wide;
      return [
        box(left + 2, Math.min(top, GROUND - 4), x(wide) - 4, Math.max(GROUND - top, 4), {
          fill: colourOf(name),
          ...(i === now ? look : {}),
        }),
        ...casesOf(name, wide, from - wide),
        // Where a block is narrow, its name stands in a row of its own.
        small(inside(middle, name), GROUND + 34 + 15 * (isNarrow ? ++narrow : 0), name, MIDDLE),
      ];
    });
    put(sheet, { viewBox: `0 0 ${BLOCKS_WIDE} ${GROUND + 40 + 15 * narrow}` });
    sheet.replaceChildren(...parts, line(0, GROUND, BLOCKS_WIDE, GROUND), ...numbers);
  }
  return { sheet, show };
}
