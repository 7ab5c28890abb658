// A function, line by line: for the p that is dragged which lines run, what it returns, and what is
// asked. Python has run it: here is what it gave.

import { box, circle, curve, draw, layers, line, make, small, text } from "./draw.js";
import { ANSWER, BOLD, colour, DOTTED, END } from "./looks.js";
import { beside, inRow } from "./parts.js";
import { button, grip } from "./reach.js";
import { axisX, axisY, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { short } from "./words.js";

const LINE_HIGH = 48; // how high a line is
const P_AXIS = 232; // where p is
const MOST_BITS = 7; // so many bits are drawn
const LETTER_WIDE = 9; // how wide a letter of code is
const IN_CODE = { style: "font-family: var(--pst-font-family-monospace, monospace) !important" };

const BETWEEN = { fill: colour(1), "fill-opacity": 0.3, stroke: "none", ...ANSWER };

const bitsOf = (/** @type {number | null} */ bits) => (bits === null ? "math.inf" : short(bits));
const unitOf = (/** @type {number | null} */ bits) => (bits === null ? "" : " bits");

/**
 * The lines of a function, and of those that run what they find.
 * @param {string[]} code @param {number[]} runs @param {number} p @param {number | null} given @param {number} wide
 */
const codeLines = (code, runs, p, given, wide) =>
  code.map((words, i) => {
    const bare = words.trimStart(),
      isRun = !i || runs.includes(i),
      x = 10 + LETTER_WIDE * (words.length - bare.length),
      y = i * LINE_HIGH,
      look = isRun ? { class: "dtb-hill" } : { fill: "none" };
    let found = `→ ${bitsOf(given)}`;
    if (!i) found = `p = ${p}`;
    else if (bare.startsWith("if")) found = runs.includes(i + 1) ? "True" : "False";
    return draw(
      "g",
      { opacity: isRun ? 1 : 0.65 },
      box(0, y + 2, wide, LINE_HIGH - 4, { rx: 6, ...look }),
      text(x, y + 30, bare, IN_CODE),
      text(wide - 10, y + 30, isRun ? found : "", { ...END, ...BOLD }),
    );
  });

/** What is returned and asked at x, and in words at `key`. @param {number} x @param {number} key @param {Point} high @param {(number | null)[]} bits */
const gapAt = (x, key, high, [given, asked]) => [
  line(x, P_AXIS, x, Math.min(...high), { class: "dtb-one" }),
  line(x, high[0], x, high[1], { stroke: colour(1), "stroke-width": 6 }),
  circle(x, high[1], 7, { class: "dtb-knob" }),
  circle(x, high[0], 5),
  circle(key, 49, 7, { class: "dtb-knob" }),
  small(key + 16, 54, `right: ${bitsOf(asked)}${unitOf(asked)}`, BOLD),
  circle(key, 73, 5),
  small(key + 16, 78, `returned: ${bitsOf(given)}`, BOLD),
];

/** Curves of what is returned and asked, and what lies between. @param {Point[]} given @param {Point[]} asked */
const gapCurves = (given, asked) => [
  curve([...given, ...asked.toReversed()], BETWEEN),
  curve(asked, { "stroke-width": 2.5, ...DOTTED }),
  curve(given, { "stroke-width": 2.5, ...ANSWER }),
];

/** @type {Build<{code: string[], ran: number[][], tries: {words: string, values: (number | null)[]}[]}>} */
function traceExplorable(play, { code, ran, tries }, say) {
  const last = ran.length - 1,
    state = { at: last / 10, one: 0 },
    right = tries[tries.length - 1].values; // null is infinite
  const p = () => state.at / last,
    values = () => tries[state.one].values;
  let /** @type {Axes} */ to;

  const lines = picture("The function, line by line", () => (show(), code.length * LINE_HIGH + 8));
  const sheet = picture("What it returns, and what is asked, for each p", (width) => {
    to = { x: scale(0, 1, 44, width - 20), y: scale(0, MOST_BITS, P_AXIS, 36) };
    sheet.replaceChildren(
      axisX(to.x, P_AXIS, 0, 1, "p, the probability", 5),
      axisY(44, to.y, 0, MOST_BITS, "bits of surprise", 7),
      curves,
      marks,
      knob,
    );
    showCurves();
    return P_AXIS + 42;
  });
  const [curves, marks] = layers(2);
  const knob = grip(sheet, {
    label: "p",
    count: () => ran.length,
    at: () => state.at,
    place: (stop) => [to.x(stop / last), P_AXIS],
    words: (stop) => `${stop / last}, returned ${bitsOf(values()[stop])}`,
    onMove: (stop) => ((state.at = stop), show()),
  });

  const height = (/** @type {number | null} */ bits) =>
    to.y(Math.min(bits ?? MOST_BITS, MOST_BITS));
  const pointsOf = (/** @type {(number | null)[]} */ all) =>
    all.map((bits, i) => /** @type {Point} */ ([to.x(i / last), height(bits)]));
  function showCurves() {
    curves.replaceChildren(...gapCurves(pointsOf(values()), pointsOf(right)));
    show();
  }

  function show() {
    if (!to || !lines.wide) return;
    const { words } = tries[state.one],
      [asked, given] = [right[state.at], values()[state.at]],
      body = [...code.slice(0, -1), `    return ${words}`];
    lines.replaceChildren(...codeLines(body, ran[state.at], p(), given, lines.wide));
    marks.replaceChildren(
      ...gapAt(to.x(p()), to.x(0.42), [height(given), height(asked)], [given, asked]),
    );
    knob.show();
    const wrong = right.filter((bits, i) => bits !== values()[i]).length;
    say(
      `At p = ${p()} it returns ${bitsOf(given)} and should return ${bitsOf(asked)}${unitOf(asked)}.\n` +
        ` With ${words} it is ${wrong ? `wrong for ${wrong}` : "right for all"} of ${ran.length} values of p.`,
    );
  }

  const next = () => ((state.one = (state.one + 1) % tries.length), showCurves());
  const another = button("Try another last line", next, { class: "dtb-main dtb-secret" });
  play.append(beside(make("div", {}, lines.place, inRow(another)), sheet.place));
}

start("trace", traceExplorable);
