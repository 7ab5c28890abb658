// A function, line by line: for the p that is dragged which lines run, what it returns, and what is
// asked. Python has run it, also what a reader has written below: here is what it gave.

import { box, circle, curve, draw, layers, line, put, rings, small, text } from "./draw.js";
import { ANSWER, BOLD, colour, DOTTED, END } from "./looks.js";
import { beside, inRow, telling } from "./parts.js";
import { button, grip } from "./reach.js";
import { axisX, axisY, clamp, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { short } from "./words.js";

const ALL_HIGH = 300; // of many lines
const P_LINE = 262; // where there are 0 bits
const MOST_BITS = 7; // so many bits are drawn
const LETTER_WIDE = 9; // how wide a letter of code is
const IN_CODE = { style: "font-family: var(--pst-font-family-monospace, monospace) !important" };
const IS_RUN = { rx: 6, class: "dtb-hill" };
const SQUEEZED = { lengthAdjust: "spacingAndGlyphs" };
const BETWEEN = { fill: colour(1), "fill-opacity": 0.25, stroke: "none", ...ANSWER };

/** What a function gave: bits, or in words what is no number. @typedef {number | string} Given */
const told = (/** @type {Given} */ bits) => (typeof bits === "string" ? bits : short(bits));
const unitOf = (/** @type {Given} */ bits) => (typeof bits === "string" ? "" : " bits");
const bitsOf = (/** @type {Given} */ bits) =>
  bits === "inf" ? MOST_BITS : clamp(Number(bits) || 0, 0, MOST_BITS);
const look = (/** @type {boolean} */ isRight) =>
  isRight ? { class: "dtb-dot" } : { fill: colour(1) };

/**
 * The lines of a function, and of those that run what they find.
 * @param {string[]} code @param {number[]} runs @param {number} p @param {Given} given @param {number} wide
 */
function codeLines(code, runs, p, given, wide) {
  const high = Math.min(48, ALL_HIGH / code.length);
  return code.map((words, i) => {
    const bare = words.trimStart(),
      isRun = !i || runs.includes(i),
      x = 10 + LETTER_WIDE * (words.length - bare.length),
      y = (i + 0.5) * high;
    let found = i && i === runs.at(-1) ? `→ ${told(given)}` : "";
    if (!i) found = `p = ${p}`;
    else if (isRun && !found && /^(el)?if/.test(bare))
      found = runs.includes(i + 1) ? "True" : "False";
    const room = wide - x - LETTER_WIDE * (found.length + 2),
      isLong = LETTER_WIDE * bare.length > room;
    return draw(
      "g",
      { opacity: isRun ? 1 : 0.65 },
      box(0, y - high / 2 + 2, wide, high - 4, isRun ? IS_RUN : { fill: "none" }),
      text(x, y + 6, bare, { ...IN_CODE, ...(isLong ? { ...SQUEEZED, textLength: room } : {}) }),
      text(wide - 10, y + 6, found, { ...END, ...BOLD }),
    );
  });
}

/** What is returned and asked at x, and in words at `key`. @param {number} x @param {number} key @param {Point} high @param {Given[]} bits */
const gapAt = (x, key, high, [given, asked]) => [
  line(x, P_LINE, x, Math.min(...high), { class: "dtb-one" }),
  line(x, high[0], x, high[1], { stroke: colour(1), "stroke-width": 6 }),
  circle(x, high[1], 8, { class: "dtb-knob" }),
  circle(x, high[0], 5, look(given === asked)),
  circle(key, 49, 8, { class: "dtb-knob" }),
  small(key + 16, 54, `right: ${told(asked)}${unitOf(asked)}`, BOLD),
  circle(key, 73, 5, look(given === asked)),
  small(key + 16, 78, `returned: ${told(given)}`, BOLD),
];

/** What is returned, a point for each p, green where it is right, and what is asked. @param {Given[]} values @param {Given[]} right @param {Axes} to */
function gapCurves(values, right, to) {
  const [given, asked] = [values, right].map((all) =>
    all.map((bits, i) => /** @type {Point} */ ([to.x(i / (all.length - 1)), to.y(bitsOf(bits))])),
  );
  return [
    curve([...given, ...asked.toReversed()], BETWEEN),
    curve(asked, { "stroke-width": 2.5, ...DOTTED }),
    ...[true, false].map((isRight) => {
      const some = given.filter((_, i) => isRight === (values[i] === right[i]));
      const dots = some.map(([x, y]) => /** @type {[number, number, number]} */ ([x, y, 2.5]));
      return draw("g", { class: "dtb-draws" }, rings(dots, { stroke: "none", ...look(isRight) }));
    }),
  ];
}

/** For how many p it is wrong. @param {Given[]} values @param {Given[]} right */
function inAll(values, right) {
  const wrong = right.filter((bits, i) => bits !== values[i]).length,
    found = wrong ? `wrong for ${wrong}` : "right for all";
  return ` It is ${found} of ${right.length} values of p.`;
}

// The lines are what is pressed as the guess.
const linesAsked = (/** @type {string[]} */ code) =>
  code.slice(1).map((_, i) => box(1, 48 * i + 50, 0, 44, { class: "dtb-option" }));

/** @type {Build<{tries: {code: string[], ran: number[][], values: Given[]}[]}>} */
function traceExplorable(play, { tries }, say) {
  const right = tries[tries.length - 1].values,
    last = right.length - 1,
    state = { at: last / 10, tried: tries[0] };
  const p = () => state.at / last;
  let /** @type {Axes} */ to;

  const [words, curves, marks] = layers(3);
  const places = linesAsked(tries[0].code);
  const lines = picture("The function, line by line", (width) => {
    for (const place of places) put(place, { width: width - 2 });
    show();
    return Math.min(48 * state.tried.code.length, ALL_HIGH) + 8;
  });
  lines.append(words, ...places);
  const sheet = picture("What it returns", (width) => {
    to = { x: scale(0, 1, 56, width - 20), y: scale(0, MOST_BITS, P_LINE, 36) };
    const low = axisX(to.x, P_LINE + 12, 0, 1, "p, the probability", 5), // below the grip
      left = axisY(36, to.y, 0, MOST_BITS, "bits of surprise");
    sheet.replaceChildren(low, left, curves, marks, knob);
    showCurves();
    return P_LINE + 54;
  });
  const knob = grip(sheet, {
    label: "p",
    count: () => last + 1,
    at: () => state.at,
    place: (stop) => [to.x(stop / last), P_LINE],
    words: (stop) => `${stop / last}, returned ${told(state.tried.values[stop])}`,
    onMove: (stop) => ((state.at = stop), show()),
  });

  function showCurves() {
    curves.replaceChildren(...gapCurves(state.tried.values, right, to));
    show();
  }

  function show() {
    if (!to || !lines.wide) return;
    const { code, ran, values } = state.tried;
    const [asked, given] = [right[state.at], values[state.at]];
    words.replaceChildren(...codeLines(code, ran[state.at], p(), given, lines.wide));
    const high = /** @type {Point} */ ([given, asked].map((bits) => to.y(bitsOf(bits))));
    marks.replaceChildren(...gapAt(to.x(p()), to.x(0.42), high, [given, asked]));
    knob.show();
    const here = `At p = ${p()} it returns ${told(given)} and should return ${told(asked)}${unitOf(asked)}.`;
    say(`${here}\n${inAll(values, right)}`);
  }

  function attempt(/** @type {typeof tries[0]} */ tried) {
    state.tried = tried;
    lines.paint();
    showCurves();
  }
  const next = () => attempt(tries[(tries.indexOf(state.tried) + 1) % tries.length]);
  const another = button("Try another last line", next, { class: "dtb-main dtb-secret" });
  const left = telling(lines.place, inRow(another));
  play.append(beside(left, sheet.place));
  // What a reader wrote is no guess: nothing is hidden any more.
  document.addEventListener("dtb-tried", (event) => {
    play.parentElement?.classList.remove("dtb-asking");
    state.at = last / 2; // what its check begins with
    attempt(/** @type {CustomEvent} */ (event).detail);
  });
}

start("trace", traceExplorable);
