// A function, line by line: for the p that is dragged which lines run, what it returns, and what is
// asked. Python has run it, also what a reader has written below: here is what it gave.

import { box, circle, curve, draw, layers, line, put, rings, small, text } from "./draw.js";
import { ANSWER, BOLD, colour, DOTTED, END } from "./looks.js";
import { inRow, telling } from "./parts.js";
import { button, grip } from "./reach.js";
import { axisX, axisY, clamp, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { short } from "./words.js";

const ALL_HIGH = 300; // of many lines
const MOST_BITS = 7; // so many bits are drawn
const LETTER_WIDE = 9; // how wide a letter of code is
const IN_CODE = { style: "font-family: var(--pst-font-family-monospace, monospace) !important" };
const IS_RUN = { rx: 6, class: "dtb-hill" };
const SQUEEZED = { lengthAdjust: "spacingAndGlyphs" };
const BETWEEN = { fill: colour(1), "fill-opacity": 0.25, stroke: "none", ...ANSWER };

/** What a function gave: bits, or in words what is no number. @typedef {number | string} Given */
const told = (/** @type {Given} */ bits) => (typeof bits === "string" ? bits : short(bits));
const bitsOf = (/** @type {Given} */ bits) =>
  bits === "inf" ? MOST_BITS : clamp(Number(bits) || 0, 0, MOST_BITS);
const look = (/** @type {boolean} */ isRight) =>
  isRight ? { class: "dtb-dot" } : { fill: colour(1) };

/**
 * The lines of a function, and of those that run what they find; one that goes wrong has the colour of its gap.
 * @param {string[]} code @param {number[]} runs @param {number} p @param {Given[]} found @param {number} wide @param {number} high
 */
const codeLines = (code, runs, p, [given, asked], wide, high) =>
  code.map((words, i) => {
    const bare = words.trimStart(),
      isRun = !i || runs.includes(i),
      isLast = i && i === runs.at(-1),
      x = 10 + LETTER_WIDE * (words.length - bare.length),
      y = (i + 0.5) * high;
    let found = isLast ? `→ ${told(given)}` : "";
    if (!i) found = `p = ${p}`;
    else if (isRun && !found && /^(el)?if/.test(bare))
      found = runs.includes(i + 1) ? "True" : "False";
    const room = wide - x - LETTER_WIDE * (found.length + 2),
      squeezed = LETTER_WIDE * bare.length > room ? { ...SQUEEZED, textLength: room } : {};
    const bar = (/** @type {Attributes} */ look) => box(0, y - high / 2 + 2, wide, high - 4, look);
    return draw(
      "g",
      { opacity: isRun ? 1 : 0.65 },
      isRun ? bar(IS_RUN) : "",
      isLast && given !== asked ? bar({ rx: 6, ...BETWEEN }) : "",
      text(x, y + 6, bare, { ...IN_CODE, ...squeezed }),
      text(wide - 10, y + 6, found, { ...END, ...BOLD }),
    );
  });

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

/** What is returned and asked at x, and in words. @param {Axes} to @param {number} x @param {Point} high @param {Given[]} bits */
function gapAt(to, x, high, [given, asked]) {
  const left = to.x(0.42),
    top = to.y(MOST_BITS) - 26;
  return [
    line(x, to.y(0), x, Math.min(...high), { class: "dtb-one" }),
    line(x, high[0], x, high[1], { stroke: colour(1), "stroke-width": 6 }),
    circle(x, high[1], 8, { class: "dtb-knob" }),
    circle(left, top, 8, { class: "dtb-knob" }),
    small(left + 16, top + 5, `right: ${told(asked)}`, BOLD),
    circle(left, top + 22, 6, look(given === asked)),
    small(left + 16, top + 27, `returned: ${told(given)}`, BOLD),
  ];
}

/** What is said of one p, and of all. @param {number} p @param {Given[]} values @param {Given[]} right @param {number} at */
function saidOf(p, values, right, at) {
  const asked = told(right[at]) + (typeof right[at] === "string" ? "" : " bits"),
    wrong = right.filter((bits, i) => bits !== values[i]).length,
    found = `${wrong ? `wrong for ${wrong}` : "right for all"} of ${right.length} values of p`;
  return `At p = ${p} it returns ${told(values[at])} and should return ${asked}.\n It is ${found}.`;
}

/** Down the lines, and out of the last one to its place in the curve. @param {number} wide @param {number} high @param {number} last @param {Point} end */
const wayDown = (wide, high, last, [x, y]) => {
  const out = high * (last + 0.5);
  return `offset-path: path("M${wide} ${high / 2}V${out}Q${(wide + x) / 2} ${out} ${x} ${y}")`;
};

/** @type {Build<{tries: {code: string[], ran: number[][], values: Given[]}[]}>} */
function traceExplorable(play, { tries }, say) {
  const right = tries[tries.length - 1].values,
    last = right.length - 1;
  let at = last / 10,
    tried = tries[0],
    high = 0, // of a line
    wide = 0, // the lines
    /** @type {Axes} */ to;

  const [words, curves, marks] = layers(3),
    token = draw("g", { class: "dtb-walks" });
  const sheet = picture("The function, line by line", (width) => {
    const { length } = tried.code,
      isWide = width > 600;
    high = Math.min(isWide ? 75 : 44, ALL_HIGH / length);
    wide = isWide ? 0.46 * width : width;
    const low = isWide ? 248 : length * high + 238, // where there are 0 bits
      x0 = isWide ? wide + 68 : 36;
    to = { x: scale(0, 1, x0 + 20, width - 20), y: scale(0, MOST_BITS, low, low - 200) };
    const bottom = axisX(to.x, low + 12, 0, 1, "p, the probability", 5), // below the grip
      left = axisY(x0, to.y, 0, MOST_BITS, "bits of surprise");
    curves.replaceChildren(...gapCurves(tried.values, right, to));
    sheet.replaceChildren(words, bottom, left, curves, marks, token, knob);
    show();
    return low + 54;
  });
  const knob = grip(sheet, {
    label: "p",
    count: () => last + 1,
    at: () => at,
    place: (stop) => [to.x(stop / last), to.y(0)],
    words: (stop) => `${stop / last}, returned ${told(tried.values[stop])}`,
    onMove: (stop) => ((at = stop), show()),
  });

  function show() {
    const { code, ran, values } = tried,
      bits = [values[at], right[at]],
      [given, asked] = bits,
      p = at / last,
      x = to.x(p),
      heights = /** @type {Point} */ (bits.map((one) => to.y(bitsOf(one)))),
      runs = ran[at];
    words.replaceChildren(...codeLines(code, runs, p, bits, wide, high));
    marks.replaceChildren(...gapAt(to, x, heights, bits));
    put(token, { style: wayDown(wide, high, runs.at(-1) ?? 0, [x, heights[0]]) });
    token.replaceChildren(circle(0, 0, 6, look(given === asked)));
    knob.show();
    say(saidOf(p, values, right, at));
  }

  const attempt = (/** @type {typeof tried} */ now) =>
    ((tried = now), sheet.paint());
  const next = () => attempt(tries[(tries.indexOf(tried) + 1) % tries.length]);
  const another = button("Try another last line", next, { class: "dtb-main dtb-secret" });
  play.append(sheet.place, telling(), inRow(another));
  // What a reader wrote is no guess: nothing is hidden any more.
  document.addEventListener("dtb-tried", (event) => {
    play.parentElement?.classList.remove("dtb-asking");
    at = last / 2; // what its check begins with
    attempt(/** @type {CustomEvent} */ (event).detail);
  });
  return sheet.paint;
}

start("trace", traceExplorable);
