// Which feature stands in? A test on one axis, a stand-in on the other: a case without an answer to the
// test waits on its line, and the stand-in sends it left or right. Drag its cut until most go the same way.

import { meter } from "./cards.js";
import {
  become,
  box,
  circle,
  draw,
  layers,
  line,
  make,
  mark,
  put,
  rings,
  small,
  text,
} from "../kit/draw.js";
import { middle } from "../algorithms/growth.js";
import { ANSWER, BOLD, CENTRED, colour, DASHED, END, MIDDLE, PAPER } from "../kit/looks.js";
import { ascending, sum } from "../algorithms/measures.js";
import { beside, inRow, legend, telling } from "../kit/legends.js";
import { ARROWS, button, choices, drags, grip, isPlain, pick, primary } from "../kit/reach.js";
import { axisX, axisY, onSheet, picture, renewed, scale } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { general } from "../algorithms/tree.js";
import { short, some } from "../kit/words.js";

const PLANE_TOP = 28;
const PLANE_FOOT = 400;
const BAND = 44; // above and below all cases, for the counts
const PLANE_LEFT = 48;
const SENDS = { ...END, class: "dtb-halo dtb-done" };

/**
 * @type {Build<{test: {name: string, cut: number, values: number[]},
 *   others: {name: string, values: number[]}[], what: What}>}
 */
function standinExplorable(play, data, say) {
  const { test, others, what } = data,
    n = test.values.length;
  const goesLeft = test.values.map((value) => value <= test.cut);
  const stops = others.map(({ values }) => {
    const distinct = ascending(new Set(values));
    return distinct.slice(0, -1).map((value, i) => middle(value, distinct[i + 1]));
  });
  // The cases that a cut sends the way of the test; the other way round, if that agrees more.
  function judge(/** @type {number} */ other, /** @type {number} */ cut) {
    const below = others[other].values.map((value) => value <= cut);
    const same = below.filter((is, i) => is === goesLeft[i]).length;
    const isFlipped = n - same > same;
    const agrees = below.map((is, i) => (is === goesLeft[i]) !== isFlipped);
    return { agrees, isFlipped, number: agrees.filter(Boolean).length };
  }
  const most = others.map((_, other) =>
    Math.max(...stops[other].map((cut) => judge(other, cut).number)),
  );
  const bestOf = (/** @type {number} */ other) =>
    stops[other].findIndex((cut) => judge(other, cut).number === most[other]);
  const state = {
    other: others.length - 1, // whose cases are mixed most
    at: others.map((_, other) => bestOf(other)), // each opens at its best cut
    blank: Math.floor(n / 2), // the case whose answer to the test is unknown
  };
  const layered = layers(3),
    [quarters, cases, rider] = layered,
    told = small(0, 0, "", { role: "status", class: "dtb-halo", ...BOLD }),
    flowers = draw("g", pick(`Another ${what[0]}`, blankNext, { click: pressed }), layered);
  flowers.addEventListener("keydown", (event) => {
    const by = sum(ARROWS[event.key] ?? []);
    if (!by || !isPlain(event)) return;
    event.preventDefault();
    choose((state.blank + by + n) % n);
  });
  let /** @type {Scale} */ x, /** @type {Scale} */ y;

  /** @param {number[]} values @param {number} from @param {number} to */
  const across = (values, from, to) => scale(Math.min(...values), Math.max(...values), from, to);

  const sheet = picture(`${test.name} and its stand-in, both with their cuts`, (width) => {
    const { name, values } = others[state.other],
      right = width - 16;
    x = across(test.values, PLANE_LEFT + 42, right - (width < 400 ? 54 : 116));
    y = across(values, PLANE_FOOT - BAND, PLANE_TOP + BAND);
    const here = x(test.cut);
    cases.replaceChildren(
      ...values.map((value, i) => {
        const k = goesLeft[i] ? 0 : 1;
        return mark(k, x(test.values[i]), y(value), 4, { stroke: colour(k) });
      }),
    );
    drags(knob, PLANE_LEFT - right, 0, { class: "dtb-one", "stroke-width": 3, ...DASHED });
    sheet.replaceChildren(
      axisX(x, PLANE_FOOT, x.back(PLANE_LEFT), x.back(right), ""),
      axisY(PLANE_LEFT, y, y.back(PLANE_FOOT), y.back(PLANE_TOP), ""),
      text(here - 8, PLANE_FOOT + 40, "tree: left", { ...END, ...BOLD }),
      text(here + 8, PLANE_FOOT + 40, "tree: right", BOLD),
      text(right, PLANE_FOOT + 62, `The tree asks: ${test.name} ≤ ${general(test.cut, 4)}`, END),
      text(0, 0, name, { ...MIDDLE, transform: `translate(14 ${PLANE_FOOT / 2}) rotate(-90)` }),
      flowers,
      told,
      knob,
    );
    show();
    return PLANE_FOOT + 68;
  });
  const knob = grip(sheet, {
    label: "Cut of the stand-in",
    count: () => stops[state.other].length,
    at: () => state.at[state.other],
    place: (at) => [sheet.wide - 16, y(stops[state.other][at])],
    words: (at) => `${others[state.other].name} ${general(stops[state.other][at], 4)}`,
    onMove: (at) => ((state.at[state.other] = at), show()),
  });
  const sent = knob.appendChild(draw("g"));

  function show() {
    const other = state.other,
      cut = stops[other][state.at[other]],
      { name, values } = others[other];
    const { agrees, isFlipped, number } = judge(other, cut);
    const asked = `${name} ${isFlipped ? ">" : "≤"} ${general(cut, 4)}`,
      isNarrow = sheet.wide < 400,
      [here, level, right] = [x(test.cut), y(cut), sheet.wide - 16];
    const quarter = (/** @type {boolean} */ left, /** @type {boolean} */ low) => {
      const isSame = left === (low !== isFlipped),
        [from, to] = left ? [PLANE_LEFT, here] : [here, right],
        [top, foot] = low ? [level, PLANE_FOOT] : [PLANE_TOP, level],
        n = values.filter((value, i) => goesLeft[i] === left && value <= cut === low).length,
        counted = [draw("tspan", ANSWER, `${n} `), isSame ? "agree" : "differ"];
      const look = isSame ? { class: "dtb-hill" } : { fill: "#b5ab97", "fill-opacity": 0.3 },
        y = low ? foot - 12 : top + 22,
        place = left ? { x: from + 6 } : { x: to - 6, ...END };
      return [
        box(from, top, to - from, foot - top, look),
        draw("text", { ...place, y, fill: "currentColor", ...BOLD }, counted),
      ];
    };
    // On which side of its line the stand-in sends which way.
    const sends = (/** @type {boolean} */ low) =>
      `${isNarrow ? "" : "stand-in: "}${low === isFlipped ? "right" : "left"}`;
    become(
      quarters,
      ...[true, false].flatMap((left) => [...quarter(left, true), ...quarter(left, false)]),
      line(here, PLANE_FOOT + 44, here, PLANE_TOP, { "stroke-width": 2 }),
      small(0, 16, `No ${test.name}? Ask ${asked}`, { class: "dtb-done" }),
    );
    become(sent, small(-18, -9, sends(false), SENDS), small(-18, 19, sends(true), SENDS));
    ride(values[state.blank], values[state.blank] <= cut !== isFlipped, agrees[state.blank]);
    agrees.forEach((is, i) => cases.children[i].classList.toggle("dtb-astray", !is));
    // How many go the same way: by the stand-in at its place, and by the others at their best.
    counts.forEach(([said, bar], i) => {
      const many = i === other ? number : most[i];
      become(said, `${many}`);
      put(bar, { style: `--share:${(100 * many) / n}%` });
    });
    knob.show();
    const wrongLeft = agrees.filter((is, i) => !is && goesLeft[i]).length,
      wrongRight = n - number - wrongLeft;
    const best = number === most[other] ? ", at its best" : "";
    say(
      `\n${number} of ${some(n, ...what)} go the same way: agreement ${short(number / n)}${best}. ` +
        `It errs on ${wrongLeft} that go left, on ${wrongRight} that go right.`,
      [`${number} of ${some(n, ...what)}`, () => marksOf((i) => agrees[i])],
      [`${wrongLeft} that go left`, () => marksOf((i) => !agrees[i] && goesLeft[i])],
      [`${wrongRight} that go right`, () => marksOf((i) => !agrees[i] && !goesLeft[i])],
    );
  }

  // The case without an answer waits on the line of the test, and goes where the stand-in sends it.
  /** @param {number} value @param {boolean} left @param {boolean} isRight */
  function ride(value, left, isRight) {
    const { blank } = state,
      k = goesLeft[blank] ? 0 : 1,
      [from, at, level] = [x(test.cut), x(test.values[blank]), y(value)],
      to = isRight ? at : ((left ? PLANE_LEFT : sheet.wide - 16) + from) / 2,
      trail = { stroke: colour(k), "stroke-width": 8, "stroke-opacity": 0.5, class: "dtb-trail" };
    // It sets out again when another does, or it goes another way.
    renewed(rider, [`${[blank, from, level, to]}`], () =>
      draw(
        "g",
        line(from, level, at, level, { "stroke-width": 2, ...DASHED }),
        circle(from, level, 10, { fill: PAPER, stroke: "currentColor", "stroke-width": 2 }),
        text(from, level + 5, "?", CENTRED),
        rings([[at, level, 10]], { class: "dtb-ring" }),
        line(from, level, to, level, { ...trail, style: `transform-origin:${from}px` }),
        draw(
          "g",
          { class: "dtb-comes", style: `--over:${from - to}px;--slow:1.8s` },
          mark(k, to, level, 6, { stroke: "currentColor", "stroke-width": 2 }),
        ),
      ),
    );
    const says = `${general(value, 4)}: ${left ? "left" : "right"} ${isRight ? "✓" : "✗"}`;
    put(told, {
      x: from + (left ? -12 : 12),
      y: level - 10,
      "text-anchor": left ? "end" : "start",
    });
    become(told, says);
  }

  const choose = (/** @type {number} */ blank) =>
    ((state.blank = blank), show());

  // The case that is nearest to where the plane is pressed.
  function pressed(/** @type {MouseEvent} */ event) {
    const [px, py] = onSheet(sheet, event),
      { values } = others[state.other],
      far = values.map((value, i) => Math.hypot(x(test.values[i]) - px, y(value) - py));
    choose(far.indexOf(Math.min(...far)));
  }

  /** Another case loses its answer: after one that goes the right way one that does not, and the reverse. */
  function blankNext() {
    const { agrees } = judge(state.other, stops[state.other][state.at[state.other]]),
      order = Array.from({ length: n }, (_, k) => (state.blank + 37 * (k + 1)) % n);
    choose(order.find((i) => agrees[i] !== agrees[state.blank]) ?? order[0]);
  }

  function settle() {
    state.at[state.other] = bestOf(state.other);
    show();
  }

  /** @param {(i: number) => boolean} isMeant */
  const marksOf = (isMeant) => [...cases.children].filter((_, i) => isMeant(i));
  const counts = others.map(() => [make("strong", ANSWER), meter(0, " dtb-secret")]);
  play.append(
    beside(
      sheet.place,
      telling(
        inRow(
          primary(`Another ${what[0]}`, blankNext),
          button("Best place", settle, { class: "dtb-secret" }),
        ),
      ),
      choices(
        `So many of ${n} go the way of the tree`,
        others.map(({ name }, i) => [name, ...counts[i]]),
        state.other,
        (i) => ((state.other = i), sheet.paint()),
      ),
      legend(["goes left", "goes right"]),
    ),
  );
  return settle;
}

start("standin", standinExplorable);
