// What an exercise measures, as blocks: as wide as their cases, as high as the number that is written,
// or pulled; dashed until then. A mean is a level across them.

import { shown } from "./calculation.js";
import { box, draw, line, mark, outline, put, small } from "../kit/draw.js";
import { BOLD, CENTRED, colour, DASHED, MIDDLE, PAPER } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { grip } from "../kit/reach.js";
import { explained } from "./shown.js";
import { clamp, picture, scale, within } from "../kit/stage.js";
import { COLOURS } from "./samples.js";

const NAMES_WIDE = 64; // room for the names of levels
const OPEN = 0.6; // how high, of the scale, is what nobody has written
export const FINE = 100; // so many stops what is pulled has for each 1 of its number
const LEAF_MARK = 5; // of what is no class
const ON_PAPER = { ...CENTRED, stroke: PAPER, "stroke-width": 5, "paint-order": "stroke" };
const NOW_WRITTEN = { stroke: "var(--book-green)", "stroke-width": 3 }; // is being written
const STANDS = { stroke: "#8b8676", "stroke-width": 1.5 };
const UNKNOWN = { ...DASHED, "fill-opacity": 0 };
const KNOWN = { "stroke-dasharray": "none", "fill-opacity": 1 };

/** The cases of a block, each below its share of it, and its fill. @param {TableGiven} table */
function casesIn({ head, rows }) {
  const isTiles = head[0] === "tile",
    classes = [...new Set(rows.map((row) => row[2]))].sort();
  const fillOf = (/** @type {string} */ name) =>
    isTiles ? colour(COLOURS.indexOf(name)) : "#ab9f88";
  /** @param {string} name @param {Scale} x @param {number} y @param {number} from @param {number} wide */
  function casesOf(name, x, y, from, wide) {
    const classesIn = rows.flatMap((row) => (row[1] === name ? [classes.indexOf(row[2])] : [])),
      alike = Array(wide).fill(isTiles ? COLOURS.indexOf(name) : LEAF_MARK),
      marks = classesIn.length ? classesIn.sort() : alike,
      r = Math.min(8, 0.45 * (x(1) - x(0)));
    return marks.map((k, i) => mark(k, x(from + i + 0.5), y, r));
  }
  return { fillOf, casesOf };
}

/** Blocks and levels upon a ground, and where the one that is written has its top. @param {Standing} about */
function upright({ blocks, bars, now, right: aimed, numbers, casesOf, all, ground, enough }) {
  const aim = (blocks[now] && Number(aimed)) || 0,
    most = Math.max(enough, ...numbers.filter(Number.isFinite)),
    y = scale(0, most, ground, 36),
    // What is still open has a height that tells nothing.
    tops = numbers.map((number) => y(clamp(number >= 0 ? number : OPEN * enough, 0, most))),
    isOpen = (/** @type {number} */ i) => Number.isNaN(numbers[i]),
    levels = tops.filter((_, i) => !blocks[i].wide && (i === now || !isOpen(i))), // in their turn
    end = all - (levels.length ? NAMES_WIDE : 0),
    x = scale(0, sum(blocks.map(({ wide = 0 }) => wide)), 0, end),
    /** @type {Element[]} */ parts = [line(0, ground, end, ground)],
    /** @type {Element[]} */ told = [];
  let from = 0,
    free = 0, // from where there is room for a name
    level = -99,
    middle = end;
  blocks.forEach(({ name, wide = 0 }, i) => {
    const [top, isNow] = [tops[i], i === now],
      [left, right] = wide ? [x(from) + 2, x(from + wide) - 2] : [0, end],
      [centre, sides] = [(left + right) / 2, wide ? ground : y(aim)],
      words = isOpen(i) ? "?" : shown(numbers[i]),
      edge = isNow ? NOW_WRITTEN : wide ? STANDS : { "stroke-width": 2 },
      look = { ...edge, ...(isOpen(i) ? UNKNOWN : KNOWN) };
    from += wide;
    if (isNow && aim) {
      const way = `M${left} ${sides}V${y(aim)}H${right}V${sides}`;
      told.push(outline(way, { "stroke-width": 3, ...DASHED }));
    }
    if (!wide) {
      if (isOpen(i) && !isNow) return;
      level = Math.abs(top - level) < 36 ? level + 36 : top;
      parts.push(line(0, top, end, top, look));
      const said = [name, words].map((one, k) => small(end + 16, level - 3 + 16 * k, one, BOLD));
      return told.push(...said);
    }
    if (isNow) middle = centre;
    const asks = isNow && isOpen(i) ? " dtb-asks" : "",
      block = { x: left, width: right - left, y: top, height: ground - top };
    put(bars[i], { ...block, ...look, class: `dtb-rises${asks}` });
    const named = `${name} ${wide}`,
      half = 4 * named.length,
      at = Math.min(Math.max(centre, free + half), all - half),
      // A number does not stand in a level.
      above = Math.min(top, ...levels.filter((high) => high < top && high > top - 22)),
      high = isOpen(i) ? (top + ground) / 2 + 6 : above - (isNow ? 16 : 6);
    free = at + half + 8;
    parts.push(small(at, ground + 42, named, MIDDLE));
    parts.push(...casesOf(name, x, ground + 14, from - wide, wide));
    told.push(within(words, centre, high, [0, all], ON_PAPER));
  });
  return { y, middle, parts: [...parts, ...told] };
}

/** A drawing, and what shows in it the numbers that there are. @param {Exercise} made */
export function blocksOf({ blocks = [], note, table, steps }) {
  const { fillOf, casesOf } = casesIn(table),
    bars = blocks.map(({ name }) => box(0, 0, 0, 0, { fill: fillOf(name) })),
    parts = draw("g"),
    // The scale does not tell how high the highest is, and stays while one is pulled.
    enough = Math.floor(2 * Math.max(...blocks.map((_, i) => Number(steps[i].value))) + 1) / 2;
  let /** @type {Raised} */ known = { values: [], now: -1, right: NaN },
    middle = 0,
    y = scale(0, 1, 0, 0);
  const written = () => Number(known.values[known.now] ?? NaN);
  const sheet = picture("The lines as blocks", (wide) => {
    const ground = wide > 360 ? 190 : 140,
      numbers = blocks.map((_, i) => Number(known.values[i] ?? NaN)),
      stands = upright({ ...known, blocks, bars, numbers, casesOf, all: wide, ground, enough });
    ({ y, middle } = stands);
    parts.replaceChildren(...stands.parts);
    const now = blocks[known.now];
    if (now) {
      if (!knob.isConnected) sheet.append(knob);
      put(knob, { "aria-label": `How high is ${now.name}?` });
      knob.show();
    } else knob.remove();
    return ground + 52;
  });
  const knob = grip(sheet, {
    label: "",
    count: () => FINE * enough + 1,
    at: () => Math.round(FINE * (written() >= 0 ? written() : OPEN * enough)),
    place: (stop) => [middle, y(stop / FINE)],
    words: (stop) => (written() >= 0 ? `${stop / FINE}` : "no number yet"),
    onMove: (stop) => known.pull?.(stop / FINE),
  });
  sheet.append(draw("g", { "aria-hidden": "true" }, ...bars, parts));
  return {
    place: note ? explained(sheet.place, [], note) : sheet.place,
    /** @param {Raised} raised */
    show(raised) {
      known = raised;
      sheet.paint();
    },
  };
}
