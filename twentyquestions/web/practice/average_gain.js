// Questions by their gain, from left to right, and how high the ratio of each is, written or pulled: C4.5
// takes the highest on the right of the average gain.

import { FINE } from "./blocks.js";
import { shown } from "./calculation.js";
import { become, box, circle, draw, line, put, ringed } from "../kit/draw.js";
import { DASHED } from "../kit/looks.js";
import { grip } from "../kit/reach.js";
import { axisX, axisY, clamp, picture, scale, within } from "../kit/stage.js";

const [ROOF, FLOOR, SIDE] = [40, 190, 40];
const WALL = { stroke: "var(--book-green)", "stroke-width": 3 };

/** A drawing, and what shows in it the average and the ratios that there are. @param {Exercise} made */
export function guardOf({ gains = [], options = [], steps }) {
  const most = 1.1 * Math.max(...gains),
    enough = Math.max(1, ...steps.slice(0, -1).map(({ value }) => Number(value))),
    y = scale(0, enough, FLOOR, ROOF),
    parts = draw("g", { "aria-hidden": "true" });
  let /** @type {Raised} */ known = { values: [], now: -1, right: NaN },
    x = scale(0, 1, 0, 1);
  // The ratio of a question, NaN if it is open, and where it is: what is open has a height that tells nothing.
  const ratio = (/** @type {number} */ q) => Number(known.values[q + 1] ?? NaN);
  const high = (/** @type {number} */ q) =>
    ratio(q) >= 0 ? clamp(ratio(q), 0, enough) : (enough * (q + 2)) / 6;
  const now = () => known.now - 1; // the question that is written

  const sheet = picture("The gain and the ratio of each question", (wide) => {
    x = scale(0, most, SIDE, wide - 14);
    const average = Number(known.values[0]),
      chosen = options.indexOf(`${known.values[gains.length + 1]}`),
      edges = /** @type {Point} */ ([SIDE, wide]);
    const questions = gains.map((gain, q) => {
      const at = /** @type {Point} */ ([x(gain), y(high(q))]),
        isOpen = Number.isNaN(ratio(q)),
        words = `${options[q]} ${isOpen ? "?" : shown(ratio(q))}`;
      return draw(
        "g",
        { opacity: gain < average ? 0.4 : 1 },
        line(at[0], FLOOR, ...at, isOpen ? DASHED : { "stroke-width": 2 }),
        isOpen ? "" : circle(...at, 5),
        q === chosen ? ringed(...at) : "",
        within(words, at[0], at[1] - 14, edges),
      );
    });
    become(
      parts,
      axisX(x, FLOOR, 0, most, "gain"),
      axisY(SIDE, y, 0, enough, "ratio"),
      box(SIDE, ROOF, x(average) - SIDE, FLOOR - ROOF, { fill: "currentColor", opacity: 0.08 }),
      line(x(average), ROOF - 4, x(average), FLOOR, WALL),
      within("average", x(average), ROOF - 12, edges),
      questions,
    );
    const isWritten = gains[now()] !== undefined;
    put(knob, { visibility: isWritten ? "visible" : "hidden" });
    if (isWritten) knob.show();
    return FLOOR + 44;
  });
  const knob = grip(sheet, {
    label: "How high is the ratio?",
    count: () => FINE * enough + 1,
    at: () => Math.round(FINE * high(now())),
    place: (stop) => [x(gains[now()]), y(stop / FINE)],
    words: (stop) => (ratio(now()) >= 0 ? `${stop / FINE}` : "no number yet"),
    onMove: (stop) => known.pull?.(stop / FINE),
  });
  sheet.append(parts, knob);
  return {
    place: sheet.place,
    /** @param {Raised} raised */
    show(raised) {
      known = raised;
      sheet.paint();
    },
  };
}
