// A function, line by line: for the p that is dragged which lines run, what it returns, and what is
// asked. Python has run it, also what a reader has written below: here is what it gave.

import {
  become,
  box,
  circle,
  curve,
  draw,
  layers,
  line,
  put,
  rings,
  small,
  text,
} from "../kit/draw.js";
import { ANSWER, BOLD, colour, DOTTED, END } from "../kit/looks.js";
import { inRow, telling } from "../kit/legends.js";
import { button, grip } from "../kit/reach.js";
import { axisX, axisY, clamp, keyOf, picture, scale } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { short } from "../kit/words.js";

const ALL_HIGH = 300; // of many lines
const MOST_BITS = 7; // so many bits are drawn
const LETTER_WIDE = 9; // how wide a letter of code is
const IN_CODE = { style: "font-family: var(--pst-font-family-monospace, monospace) !important" };
const IS_RUN = { rx: 6, class: "dtb-hill" };
const SQUEEZED = { lengthAdjust: "spacingAndGlyphs" };
const ASTRAY = { fill: colour(1), "fill-opacity": 0.25, stroke: "none" };

/** What a function gave: bits, or in words what is no number. @typedef {number | string} Given */
const told = (/** @type {Given} */ bits) => (typeof bits === "string" ? bits : short(bits));
const bitsOf = (/** @type {Given} */ bits) =>
  bits === "inf" ? MOST_BITS : clamp(Number(bits) || 0, 0, MOST_BITS);
/** @param {Given[]} bits */
const look = ([given, asked]) => ({
  fill: colour(1),
  class: `dtb-judged${given === asked ? " dtb-dot" : ""}`,
});

/**
 * The lines of a function, and of those that run what they find; one that goes wrong has the colour of its gap.
 * @param {string[]} code @param {number[]} runs @param {number} p @param {Given[]} found @param {number} wide @param {Scale} row
 */
const codeLines = (code, runs, p, [given, asked], wide, row) =>
  code.map((words, i) => {
    const bare = words.trimStart(),
      high = row(1) - row(0) - 4,
      isRun = !i || runs.includes(i),
      isLast = i && i === runs.at(-1),
      x = 10 + LETTER_WIDE * (words.length - bare.length),
      y = row(i);
    let found = isLast ? `→ ${told(given)}` : "";
    if (!i) found = `p = ${p}`;
    else if (isRun && !found && /^(el)?if/.test(bare))
      found = runs.includes(i + 1) ? "True" : "False";
    const room = wide - x - LETTER_WIDE * (found.length + 2),
      squeezed = LETTER_WIDE * bare.length > room ? { ...SQUEEZED, textLength: room } : {};
    const bar = (/** @type {Attributes} */ look) => box(0, y - high / 2, wide, high, look);
    return draw(
      "g",
      { opacity: isRun ? 1 : 0.65 },
      isRun ? bar(IS_RUN) : "",
      isLast && given !== asked ? bar({ rx: 6, ...ASTRAY, ...ANSWER }) : "",
      text(x, y + 6, bare, { ...IN_CODE, ...squeezed }),
      text(wide - 10, y + 6, found, { ...END, ...BOLD }),
    );
  });

/** What is returned, a point for each p, green where it is right, and what is asked. Each point is in both colours, and has no size in one: so all slide when another function is tried. @param {Given[]} values @param {Given[]} right @param {Axes} to */
function gapCurves(values, right, to) {
  const [given, asked] = [values, right].map((all) =>
    all.map((bits, i) => /** @type {Point} */ ([to.x(i / (all.length - 1)), to.y(bitsOf(bits))])),
  );
  return [
    curve([...given, ...asked.toReversed()], { ...ASTRAY, class: "dtb-secret dtb-moves" }),
    curve(asked, { "stroke-width": 2.5, ...DOTTED }),
    ...keyOf(to.x(0.42) - 8, to.y(MOST_BITS) + 68, "what is asked", DOTTED),
    ...["dtb-dot", ""].map((name, isWrong) => {
      const dots = given.map(([x, y], i) => {
        const isSeen = !isWrong === (values[i] === right[i]) && !(Number(values[i]) > MOST_BITS);
        return /** @type {[number, number, number]} */ ([x, y, isSeen ? 2.5 : 0]);
      });
      const moves = { fill: colour(1), stroke: "none", class: `dtb-moves dtb-judged ${name}` };
      return draw("g", { class: "dtb-draws" }, rings(dots, moves));
    }),
  ];
}

/** What is returned and asked at p, and in words. @param {Axes} to @param {number} p @param {Given[]} bits */
function gapAt(to, p, bits) {
  const left = to.x(0.42),
    top = to.y(MOST_BITS) + 14,
    x = to.x(p),
    [given, asked] = bits.map((one) => to.y(bitsOf(one)));
  return [
    line(x, to.y(0), x, given, { class: "dtb-one" }),
    draw(
      "g",
      ANSWER,
      line(x, given, x, asked, { stroke: colour(1), "stroke-width": 6 }),
      circle(x, asked, 8, { class: "dtb-knob" }),
      circle(left, top, 8, { class: "dtb-knob" }),
      small(left + 16, top + 5, `right: ${told(bits[1])}`, BOLD),
    ),
    circle(left, top + 22, 6, look(bits)),
    small(left + 16, top + 27, `returned: ${told(bits[0])}`, BOLD),
  ];
}

/** Down the lines, and out of the last one to its place in the curve. @param {number} wide @param {number} top @param {number} out @param {Point} end */
const wayDown = (wide, top, out, [x, y]) =>
  `offset-path: path("M${wide} ${top}V${out}Q${(wide + x) / 2} ${out} ${x} ${y}")`;

/** The lines, and beside or below them the chart. @param {number} width @param {number} many */
function placesIn(width, many) {
  const isWide = width > 600,
    high = Math.min(many * (isWide ? 52 : 44), ALL_HIGH),
    top = isWide ? 24 : 0,
    wide = isWide ? 0.46 * width : width,
    left = isWide ? wide + 68 : 36,
    low = isWide ? 232 : high + 236, // where there are 0 bits
    x = scale(0, 1, left + 20, width - 20),
    y = scale(0, MOST_BITS, low, low - 204);
  const axes = [
    axisX(x, low + 12, 0, 1, "p, the probability", 5), // below the grip
    axisY(left, y, 0, MOST_BITS, "bits of surprise"),
    text(left - 8, y(MOST_BITS) + 5, "∞", END),
  ];
  const row = scale(-0.5, many - 0.5, top, top + high); // the middle of a line
  return { wide, row, to: { x, y }, axes, tall: Math.max(low + 54, top + high) };
}

/** @type {Build<{tries: {code: string[], ran: number[][], values: Given[]}[]}>} */
function traceExplorable(play, { tries }, say) {
  const right = tries[tries.length - 1].values,
    last = right.length - 1;
  let at = last / 10,
    tried = tries[0],
    /** @type {ReturnType<typeof placesIn>} */ room;

  const [words, axes, curves, marks] = layers(4),
    token = draw("g", { class: "dtb-walks" });
  const sheet = picture("The function, line by line", (width) => {
    room = placesIn(width, tried.code.length);
    become(axes, ...room.axes);
    become(curves, ...gapCurves(tried.values, right, room.to));
    knob.before(token); // walks again
    show();
    return room.tall;
  });
  const knob = grip(sheet, {
    label: "p",
    count: () => last + 1,
    at: () => at,
    place: (stop) => [room.to.x(stop / last), room.to.y(0)],
    words: (stop) => `${stop / last}, returned ${told(tried.values[stop])}`,
    onMove: (stop) => ((at = stop), show()),
  });

  sheet.append(words, axes, curves, marks, token, knob);
  function show() {
    const { code, ran, values } = tried,
      { wide, row, to } = room,
      bits = [values[at], right[at]],
      p = at / last,
      runs = ran[at],
      wrong = right.filter((bits, i) => bits !== values[i]).length,
      count = `${wrong} of ${values.length} values`;
    become(words, ...codeLines(code, runs, p, bits, wide, row));
    become(marks, ...gapAt(to, p, bits));
    put(token, {
      style: wayDown(wide, row(0), row(runs.at(-1) ?? 0), [to.x(p), to.y(bitsOf(bits[0]))]),
    });
    become(token, circle(0, 0, 6, look(bits)));
    knob.show();
    say(
      `At p = ${p} it returns ${told(values[at])}\n and should return ${told(right[at])} bits. It is ${wrong ? `wrong for ${count}` : `right for all ${values.length} values`} of p.`,
      [count, () => [curves.lastElementChild]],
    );
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
