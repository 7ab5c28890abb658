// Which feature stands in? A test on one axis, a stand-in on the other: drag its cut until most
// cases go the same way.

import { meterOf } from "./cards.js";
import { box, circle, draw, line, make, mark, put, text } from "./draw.js";
import { middle } from "./grow.js";
import { ANSWER, BOLD, DASHED, END, MIDDLE } from "./looks.js";
import { ascending } from "./measures.js";
import { inRow, legend } from "./parts.js";
import { button, choices, grip } from "./reach.js";
import { axisX, axisY, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { general } from "./tree.js";
import { short, some } from "./words.js";

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
  const state = { other: data.first, at: stops.map((cuts) => Math.floor(cuts.length / 2)) };
  const moving = draw("g"),
    quarters = draw("g"),
    cases = draw("g");
  let /** @type {Scale} */ x, /** @type {Scale} */ y;

  // The cases that a cut sends the way of the test; the other way round, if that agrees more.
  /** @param {number} other @param {number} cut */
  function judge(other, cut) {
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

  const ends = (/** @type {number[]} */ values) => {
    const low = Math.min(...values),
      high = Math.max(...values),
      margin = 0.06 * (high - low);
    return [low - margin, high + margin];
  };

  const sheet = picture(`${test.name} and its stand-in, both with their cuts`, (width) => {
    const foot = 300;
    const { values } = others[state.other],
      [xl, xh] = ends(test.values),
      [yl, yh] = ends(values);
    x = scale(xl, xh, 48, width - 16);
    y = scale(yl, yh, foot, 50);
    // Each case with a ring, which is seen if it goes the wrong way.
    cases.replaceChildren(
      ...values.map((value, i) => {
        const [cx, cy] = [x(test.values[i]), y(value)],
          ring = circle(cx, cy, 8, { class: "dtb-wrong" });
        return draw("g", {}, mark(goesLeft[i] ? 0 : 1, cx, cy, 4), ring);
      }),
    );
    sheet.replaceChildren(
      axisX(x, foot, xl, xh, ""),
      axisY(48, y, yl, yh, ""),
      text((x(xl) + x(xh)) / 2, foot + 62, `the tree: ${test.name} ≤ ${general(test.cut, 4)}`, {
        ...MIDDLE,
        ...BOLD,
      }),
      text(0, 0, others[state.other].name, {
        ...MIDDLE,
        transform: `translate(14 ${(foot + 50) / 2}) rotate(-90)`,
      }),
      quarters,
      cases,
      moving,
      knob,
    );
    show();
    return foot + 70;
  });
  const knob = grip(sheet, {
    label: "Cut of the stand-in",
    count: () => stops[state.other].length,
    at: () => state.at[state.other],
    place: (at) => [x(ends(test.values)[1]), y(stops[state.other][at])],
    words: (at) => `${others[state.other].name} ${general(stops[state.other][at], 4)}`,
    onMove: (at) => {
      state.at[state.other] = at;
      show();
    },
  });

  function show() {
    const other = state.other,
      cut = stops[other][state.at[other]],
      { name, values } = others[other];
    const { agrees, isFlipped, number } = judge(other, cut);
    const sign = isFlipped ? ">" : "≤",
      right = x(ends(test.values)[1]),
      [yl, yh] = ends(values);
    /** @param {boolean} left @param {boolean} low */
    const quarter = (left, low) => {
      const isSame = left === (low !== isFlipped),
        [from, to] = left ? [48, x(test.cut)] : [x(test.cut), right],
        [top, foot] = low ? [y(cut), y(yl)] : [y(yh), y(cut)],
        n = values.filter((value, i) => goesLeft[i] === left && value <= cut === low).length;
      const look = isSame ? { class: "dtb-hill" } : { fill: "#b5ab97", "fill-opacity": 0.3 },
        said = text(
          left ? 48 : right,
          low ? foot + 41 : top - 8,
          isSame ? "agree " : "differ ",
          BOLD,
        );
      put(said, left ? {} : END);
      said.append(draw("tspan", ANSWER, n));
      return [box(from, top, to - from, foot - top, look), said];
    };
    quarters.replaceChildren(
      ...[true, false].flatMap((left) => [...quarter(left, true), ...quarter(left, false)]),
    );
    agrees.forEach((is, i) =>
      cases.children[i].lastElementChild?.setAttribute("visibility", is ? "hidden" : "visible"),
    );
    moving.replaceChildren(
      line(x(test.cut), y(yl), x(test.cut), y(yh), { "stroke-width": 2 }),
      line(48, y(cut), right, y(cut), { class: "dtb-one", "stroke-width": 3, ...DASHED }),
      text(0, 16, `stand-in: ${name} ${sign} ${general(cut, 4)}`, { class: "dtb-done" }),
    );
    // How many go the same way: by the stand-in at its place, and by the others at their best.
    const count = (/** @type {string} */ words, /** @type {number} */ many, isOn = false) =>
      meterOf(`${words}: ${many}`, many / n, isOn);
    bars.replaceChildren(
      `Of ${some(n, ...what)}, how many go the way of the tree:`,
      ...others.map((one, i) => count(one.name, i === other ? number : most[i], i === other)),
      count("none: the majority", majority),
    );
    knob.show();
    /** @param {boolean} left */
    const wrong = (left) => agrees.filter((is, i) => !is && goesLeft[i] === left).length;
    const best = number === most[other] ? ` No cut of ${name} agrees more.` : "";
    say(
      `If ${test.name} is unknown, ${name} ${sign} ${general(cut, 4)} sends ${number} of ${some(n, ...what)} the same way: its agreement is ${short(number / n)}. ` +
        `It errs on ${wrong(true)} that go left and on ${wrong(false)} that go right.${best}`,
      [`${number} of ${some(n, ...what)}`, () => marksOf((i) => agrees[i])],
      [`${wrong(true)} that go left`, () => marksOf((i) => !agrees[i] && goesLeft[i])],
      [`${wrong(false)} that go right`, () => marksOf((i) => !agrees[i] && !goesLeft[i])],
    );
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
    sheet.place,
    bars,
    inRow(
      button("Move it to the best place", settle, { class: "dtb-main dtb-secret" }),
      choices("Stand-in", names, data.first, (i) => ((state.other = i), sheet.paint())),
    ),
    legend(["goes left", "goes right"]),
  );
  return settle;
}

start("standin", standinExplorable);
