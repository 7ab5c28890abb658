// Which feature stands in? A test on one axis, a stand-in on the other: a case without an answer to the
// test waits on its line, and the stand-in sends it left or right. Drag its cut until most go the same way.

import { meterOf } from "./cards.js";
import { box, circle, layers, line, make, mark, rings, small, text } from "./draw.js";
import { middle } from "./grow.js";
import { BOLD, CENTRED, DASHED, MIDDLE, PAPER } from "./looks.js";
import { ascending } from "./measures.js";
import { beside, inRow, legend } from "./parts.js";
import { button, choices, drags, grip, primary } from "./reach.js";
import { axisX, axisY, picture, renewed, scale } from "./stage.js";
import { start } from "./start.js";
import { general } from "./tree.js";
import { short, some } from "./words.js";

const PLANE_TOP = 46;
const PLANE_FOOT = 376;
const RIDER = { class: "dtb-comes", stroke: "currentColor", "stroke-width": 2 };

/**
 * @type {Build<{test: {name: string, cut: number, values: number[]},
 *   others: {name: string, values: number[]}[], first: number, what: What}>}
 */
function standinExplorable(play, data, say) {
  const { test, others, what } = data,
    n = test.values.length;
  const goesLeft = test.values.map((value) => value <= test.cut);
  const stops = others.map(({ values }) => {
    const distinct = ascending(new Set(values));
    return distinct.slice(0, -1).map((value, i) => middle(value, distinct[i + 1]));
  });
  const state = {
    other: data.first,
    at: stops.map((cuts) => Math.floor(cuts.length / 2)),
    blank: Math.floor(n / 2), // the case whose answer to the test is unknown
  };
  const [quarters, cases, wrongs, way, rider] = layers(5),
    told = small(0, 36, "", { role: "status" });
  let /** @type {Scale} */ x, /** @type {Scale} */ y;

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
  const left = goesLeft.filter(Boolean).length,
    majority = Math.max(left, n - left);

  /** From where to where an axis goes, with room for words. @param {number[]} values @param {number} room */
  const ends = (values, room) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return [low - room * (high - low), high + room * (high - low)];
  };

  const sheet = picture(`${test.name} and its stand-in, both with their cuts`, (width) => {
    const { name, values } = others[state.other],
      [xl, xh] = ends(test.values, 0.06),
      [yl, yh] = ends(values, 0.13),
      named = `${test.name} ≤ ${general(test.cut, 4)}`;
    x = scale(xl, xh, 48, width - 16);
    y = scale(yl, yh, PLANE_FOOT, PLANE_TOP);
    cases.replaceChildren(
      ...values.map((value, i) => mark(goesLeft[i] ? 0 : 1, x(test.values[i]), y(value), 4)),
    );
    drags(knob, 64 - width, 0, { class: "dtb-one", "stroke-width": 3, ...DASHED });
    sheet.replaceChildren(
      axisX(x, PLANE_FOOT, xl, xh, ""),
      axisY(48, y, yl, yh, ""),
      text((x(xl) + x(xh)) / 2, PLANE_FOOT + 40, `The tree: ${named}`, CENTRED),
      text(0, 0, name, { ...MIDDLE, transform: `translate(14 ${PLANE_FOOT / 2}) rotate(-90)` }),
      quarters,
      line(x(test.cut), PLANE_FOOT, x(test.cut), PLANE_TOP, { "stroke-width": 2 }),
      cases,
      wrongs,
      way,
      rider,
      told,
      knob,
    );
    show();
    return PLANE_FOOT + 48;
  });
  const knob = grip(sheet, {
    label: "Cut of the stand-in",
    count: () => stops[state.other].length,
    at: () => state.at[state.other],
    place: (at) => [sheet.wide - 16, y(stops[state.other][at])],
    words: (at) => `${others[state.other].name} ${general(stops[state.other][at], 4)}`,
    onMove: (at) => ((state.at[state.other] = at), show()),
  });

  function show() {
    const other = state.other,
      cut = stops[other][state.at[other]],
      { name, values } = others[other];
    const { agrees, isFlipped, number } = judge(other, cut);
    const sign = isFlipped ? ">" : "≤",
      right = sheet.wide - 16;
    const quarter = (/** @type {boolean} */ left, /** @type {boolean} */ low) => {
      const isSame = left === (low !== isFlipped),
        [from, to] = left ? [48, x(test.cut)] : [x(test.cut), right],
        [top, foot] = low ? [y(cut), PLANE_FOOT] : [PLANE_TOP, y(cut)],
        n = values.filter((value, i) => goesLeft[i] === left && value <= cut === low).length;
      const look = isSame ? { class: "dtb-hill" } : { fill: "#b5ab97", "fill-opacity": 0.3 },
        [at, under] = [(from + to) / 2, low ? PLANE_FOOT - 8 : PLANE_TOP + 36],
        inside = { class: "dtb-halo", ...MIDDLE };
      return [
        box(from, top, to - from, foot - top, look),
        text(at, under - 16, n, { ...inside, ...BOLD, "font-size": 18 }),
        small(at, under, isSame ? "agree" : "differ", inside),
      ];
    };
    quarters.replaceChildren(
      ...[true, false].flatMap((left) => [...quarter(left, true), ...quarter(left, false)]),
      small(0, 16, `No ${test.name}? Ask ${name} ${sign} ${general(cut, 4)}`, {
        class: "dtb-done",
      }),
    );
    ride(values[state.blank], values[state.blank] <= cut !== isFlipped, agrees[state.blank]);
    wrongs.replaceChildren(
      rings(
        values.flatMap((value, i) => (agrees[i] ? [] : [[x(test.values[i]), y(value), 7]])),
        { "stroke-opacity": 0.6 },
      ),
    );
    // How many go the same way: by the stand-in at its place, and by the others at their best.
    const count = (/** @type {string} */ words, /** @type {number} */ many, isOn = false) =>
      meterOf(`${words}: ${many}`, many / n, isOn);
    bars.replaceChildren(
      `Of ${some(n, ...what)}, how many go the way of the tree:`,
      ...others.map((one, i) => count(one.name, i === other ? number : most[i], i === other)),
      count("None: the majority", majority),
    );
    knob.show();
    /** @param {boolean} left */
    const wrong = (left) => agrees.filter((is, i) => !is && goesLeft[i] === left).length;
    const best = number === most[other] ? ` No cut of ${name} agrees more.` : "";
    say(
      `If ${test.name} is unknown, ${name} ${sign} ${general(cut, 4)} sends ${number} of ${some(n, ...what)} the same way: its agreement is ${short(number / n)}. ` +
        `It errs on ${wrong(true)} that go left and on ${wrong(false)} that go right.\n${best}`,
      [`${number} of ${some(n, ...what)}`, () => marksOf((i) => agrees[i])],
      [`${wrong(true)} that go left`, () => marksOf((i) => !agrees[i] && goesLeft[i])],
      [`${wrong(false)} that go right`, () => marksOf((i) => !agrees[i] && !goesLeft[i])],
    );
  }

  // The case without an answer waits on the line of the test, and goes where the stand-in sends it.
  /** @param {number} value @param {boolean} left @param {boolean} isRight */
  function ride(value, left, isRight) {
    const { blank } = state,
      [from, home, level] = [x(test.cut), x(test.values[blank]), y(value)],
      to = isRight ? home : ((left ? 48 : sheet.wide - 16) + from) / 2,
      look = { "stroke-width": 3 };
    way.replaceChildren(
      line(from, level, to, level, look),
      line(from, level, home, level, { ...look, ...DASHED }),
      circle(from, level, 10, { fill: PAPER, stroke: "currentColor", "stroke-width": 2 }),
      text(from, level + 5, "?", CENTRED),
      small(to, level - 16, isRight ? "✓" : "✗ wrong", { ...CENTRED, class: "dtb-halo" }),
    );
    renewed(rider, [`${blank} ${from} ${to} ${level}`], () =>
      mark(goesLeft[blank] ? 0 : 1, to, level, 9, { ...RIDER, style: `--over:${from - to}px` }),
    );
    const says = `This ${what[0]} has ${general(value, 4)}: ${left ? "yes, so it goes left" : "no, so it goes right"}.`;
    if (told.textContent !== says) told.textContent = says;
  }

  /** Another case loses its answer: after one that goes the right way one that does not, and the reverse. */
  function blankNext() {
    const { agrees } = judge(state.other, stops[state.other][state.at[state.other]]),
      order = Array.from({ length: n }, (_, k) => (state.blank + 37 * (k + 1)) % n);
    state.blank = order.find((i) => agrees[i] !== agrees[state.blank]) ?? order[0];
    show();
  }

  function settle() {
    const { other } = state;
    state.at[other] = stops[other].findIndex((cut) => judge(other, cut).number === most[other]);
    show();
  }

  /** @param {(i: number) => boolean} isMeant */
  const marksOf = (isMeant) => test.values.flatMap((_, i) => (isMeant(i) ? cases.children[i] : []));
  const names = others.map(({ name }) => name);
  const bars = make("div", { class: "dtb-meters" });
  play.append(
    beside(
      sheet.place,
      inRow(primary(`Another ${what[0]}`, blankNext)),
      choices("Stand-in", names, data.first, (i) => ((state.other = i), sheet.paint())),
      bars,
      inRow(button("Move it to the best place", settle, { class: "dtb-secret" })),
      legend(["goes left", "goes right"]),
    ),
  );
  return settle;
}

start("standin", standinExplorable);
