// Cases in the order of their numbers, and a cut that is pulled between them: what lies on each side, and the
// gains that are known, each above its cut.

import { shown } from "./calculation.js";
import { barOf, become, circle, draw, line, mark, put, small } from "../kit/draw.js";
import { twoPiles } from "./kinds_numbers.js";
import { CENTRED, DASHED, MIDDLE } from "../kit/looks.js";
import { drags, grip } from "../kit/reach.js";
import { explained } from "./shown.js";
import { picture, scale, within } from "../kit/stage.js";

const [HIGHEST, GAINS, CASES, SIDES, GRIP] = [30, 92, 122, 158, 204]; // from above
const TO_TOP = GAINS + 8 - GRIP; // of the cut
const GREEN = { stroke: "var(--book-green)", "stroke-width": 4 };

/** The gain of a cut, known or asked for. @param {number} x @param {Scale} y @param {number} gain */
function gainAt(x, y, gain) {
  const isOpen = Number.isNaN(gain),
    high = y(isOpen ? 0.3 : gain);
  return [
    line(x, GAINS, x, high, isOpen ? DASHED : { "stroke-width": 3 }),
    isOpen ? "" : circle(x, high, 5),
    small(x, high - 9, isOpen ? "?" : shown(gain), CENTRED),
  ];
}

/** A drawing, and what shows in it the cut and the gains that there are. @param {Exercise} made */
export function inOrder({ cuts = [], table: { rows } }) {
  const numbers = rows.map(([value]) => Number(value)),
    names = rows.map(([, name]) => `${name}`),
    classes = [...new Set(names)].sort(),
    sides = (/** @type {number} */ stop) => twoPiles(names, classes, stop + 1),
    stops = numbers.slice(1).map((value, i) => (numbers[i] + value) / 2),
    parts = draw("g", { "aria-hidden": "true" }),
    last = cuts.length;
  let /** @type {Raised} */ known = { values: [], now: -1, right: NaN },
    x = scale(0, 1, 0, 1);
  // The cut that is pulled, or that the line which is written asks about; -1 before all cases.
  const at = () => stops.indexOf(cuts[known.now] ?? Number(known.values[last]));
  const below = (/** @type {number} */ stop) => x(stop + 1);

  const sheet = picture("The cases in order, and a cut", (wide) => {
    x = scale(0, numbers.length, 14, wide - 14);
    const gains = cuts.map((_, i) => Number(known.values[i] ?? NaN)),
      y = scale(0, Math.max(0.5, ...gains.filter(Number.isFinite)), GAINS, HIGHEST),
      here = below(at()),
      ends = [x(0), x(numbers.length)];
    const cut = [
      ...(gains.some(Number.isFinite) ? [] : gainAt(here, y, NaN)),
      ...sides(at()).flatMap((counts, s) =>
        barOf(counts, [ends[0], here + 3][s], SIDES, Math.abs(ends[s] - here) - 3, 22),
      ),
      known.now === last ? "" : line(here, GRIP + TO_TOP, here, GRIP + 12, GREEN),
      within(`≤ ${shown(stops[at()])}`, here, GRIP + 30, [0, wide]),
    ];
    become(
      parts,
      line(ends[0], GAINS, ends[1], GAINS, { "stroke-opacity": 0.4 }),
      ...gains.flatMap((gain, i) =>
        gain >= 0 || i === known.now ? gainAt(below(stops.indexOf(cuts[i])), y, gain) : [],
      ),
      ...numbers.map((number, i) => small(x(i + 0.5), CASES + 27, number, MIDDLE)),
      ...names.map((name, i) => mark(classes.indexOf(name), x(i + 0.5), CASES, 10)),
      ...(at() < 0 ? [] : cut),
    );
    put(knob, { visibility: known.now === last ? "visible" : "hidden" });
    knob.show();
    return GRIP + 36;
  });
  const knob = grip(sheet, {
    label: "Where is the cut?",
    count: () => stops.length,
    at,
    place: (stop) => [below(stop), GRIP],
    words: (stop) =>
      stop < 0 ? "no cut yet" : `${shown(stops[stop])}: ${sides(stop).join(" against ")}`,
    onMove: (stop) => known.pull?.(stops[stop]),
  });
  drags(knob, 0, TO_TOP, GREEN);
  sheet.append(parts, knob);
  return {
    place: explained(sheet.place, classes),
    /** @param {Raised} raised */
    show(raised) {
      known = raised;
      sheet.paint();
    },
  };
}
