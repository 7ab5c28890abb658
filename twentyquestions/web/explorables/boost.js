// Trees that correct each other: each stump is fitted to what the sum of those before leaves.

import { canvasBelow, errorOf, gridOf, tint } from "./border.js";
import { become, circle, curve, draw, layers, line, make, outline, text } from "../kit/draw.js";
import { boxOf, casesOf, grownOn, partsOf, person, planeOn, TRUTH } from "../kit/regions.js";
import { ANSWER, DASHED, MIDDLE } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { beside, legend, legendOf, quietly, withMark } from "../kit/legends.js";
import { choices, grip, primary } from "../kit/reach.js";
import { axisY, clamp, keyOf, picture, scale } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { sumOn } from "./sums.js";
import { route } from "../algorithms/tree.js";
import { percent, share, some } from "../kit/words.js";

const MOST = 0.5; // errors that the drawing reaches
const BEFORE = 70; // no tree, on the axis of trees
const LIMIT = { "stroke-width": 1, "stroke-opacity": 0.4 };
const LACK = { "stroke-width": 1.5, "stroke-opacity": 0.7 };
const FAR_OFF = { "stroke-width": 3 };
const LONG = 0.06; // a bar of 1, on the plane
const NEXT = { class: "dtb-one", fill: "none", "stroke-width": 2.5, ...DASHED };

/** @type {Build<Plane & {test: Person[], turned: number, border: Point[], rounds: number}>} */
function boostExplorable(play, data, say) {
  const { turned, points, test, what, classes } = data;
  const cases = { ...casesOf(data, points), classes: null },
    { columns, target } = cases;
  const RATES = [1, 0.5, 0.1],
    CELLS = 50;
  const state = { at: 1, rate: 1 };
  let /** @type {Judged[]} */ rounds, /** @type {Drawn} */ drawn;
  const [curves, errors] = layers(2);

  // Round 0 is the mean. A round has its cut, the sum in each point, each cell and each new point, and two errors.
  function begin() {
    const mean = sum(target) / target.length,
      all = () => mean;
    rounds = [judged({ total: target.map(all), grid: gridOf(CELLS, all), said: test.map(all) })];
    go(state.at);
  }
  // What a sum leaves of each person, and about whom it is wrong.
  function judged(/** @type {Round} */ round) {
    const rest = target.map((value, i) => value - round.total[i]),
      wrong = [...rest.keys()].filter((i) => Math.abs(rest[i]) > 0.5);
    return {
      ...round,
      rest,
      wrong,
      left: sum(rest.map((value) => value ** 2)) / rest.length,
      own: wrong.length / rest.length,
      fresh: errorOf(round.said, test),
      next: grownOn({ ...cases, target: rest }, { maxDepth: 1 }),
    };
  }
  function next(/** @type {Judged} */ { next: stump, total, grid, said }) {
    /** @param {number} x @param {number} y */
    const step = (x, y) => state.rate * stump.nodes[route(stump, [x, y])].label;
    return judged({
      stump,
      rate: state.rate,
      total: total.map((value, i) => value + step(columns[0][i], columns[1][i])),
      grid: grid.map((row, j) =>
        row.map((value, i) => value + step((i + 0.5) / CELLS, (j + 0.5) / CELLS)),
      ),
      said: said.map((value, i) => value + step(test[i][0], test[i][1])),
    });
  }
  /** @param {number} to @param {string} [moves] a class */
  function go(to, moves) {
    state.at = clamp(to, 0, data.rounds);
    while (rounds.length <= state.at) rounds.push(next(rounds[rounds.length - 1]));
    if (chart.wide) showCurves();
    show(moves);
  }

  const plane = picture("The plane: what the sum leaves of each person", (width) => {
    const size = Math.min(width - 52, 500);
    plane.replaceChildren();
    drawn = planeOn(plane, 38, 34, size, data, ["cuts", "bars", "people"]);
    drawn.layers.people.append(...points.map((one) => person(one, drawn.to, size / 125)));
    show();
    return size + 84;
  });
  const canvas = canvasBelow(plane);
  const strip = picture("The trees of the sum", (width) =>
    rounds ? sumOn(strip, width, rounds, state.at) : 0,
  );
  // The errors by the number of trees, as far as they were made; its axis is the slider.
  const chart = picture("The share of errors against the number of trees", (width) => {
    const end = width - 16;
    low = width < 400 ? 190 : 250;
    y = scale(0, MOST, low, 28);
    chart.replaceChildren(
      axisY(48, y, 0, MOST, "share of errors", 4, share),
      line(48, low, end, low),
      ...[0, 1, 3, 10, 30, 100, 300].map((n) => text(x(n), low + 30, n, MIDDLE)),
      text((48 + end) / 2, low + 48, "trees", MIDDLE),
      line(48, y(turned), end, y(turned), LIMIT),
      ...keyOf(width - 208, 54, `${share(turned)} at best`, LIMIT),
      curves,
      errors,
      knob,
    );
    showCurves();
    show();
    return low + 56;
  });
  let /** @type {Scale} */ y, /** @type {number} */ low;
  const x = (/** @type {number} */ n) =>
    BEFORE + ((chart.wide - BEFORE - 16) * Math.log(n + 1)) / Math.log(data.rounds + 1);
  const knob = grip(chart, {
    label: "Trees in the sum",
    count: () => data.rounds + 1,
    at: () => state.at,
    place: (n) => [x(n), low],
    words: (n) => some(n, "tree"),
    onMove: go,
  });

  // Those on new people answer the guess.
  /** @type {["own" | "fresh", string, Attributes][]} */
  const both = [
    ["own", `these ${points.length} ${what[1]}`, DASHED],
    ["fresh", `new ${what[1]}`, ANSWER],
  ];
  const high = (/** @type {number} */ error) => y(Math.min(error, MOST));
  // They change only where a tree is added for the first time.
  const showCurves = () =>
    become(
      curves,
      both.map(([of, , look]) =>
        curve(
          rounds.map((round, n) => [x(n), high(round[of])]),
          { "stroke-width": 2, ...look },
        ),
      ),
    );
  function showErrors() {
    const at = x(state.at);
    const ends = both.map(([of, name, look], i) => {
      const error = rounds[state.at][of],
        words = `${name} ${percent(error)}`;
      return draw(
        "g",
        { class: look.class },
        line(at, high(error), at, low, { class: "dtb-one", "stroke-width": 2 }),
        circle(at, high(error), 5),
        ...keyOf(chart.wide - 208, 34 + 40 * i, words, look),
      );
    });
    become(errors, ends);
    knob.show();
  }

  // The smaller side of the next cut: its part of the plane, and whom it would fit.
  function cutOff() {
    const stump = rounds[state.at].next,
      { split, children } = stump.nodes[0];
    const sides = (split ? children : []).map((child) => ({
      part: partsOf(stump)[child],
      few: [...points.keys()].filter((i) => route(stump, points[i]) === child),
    }));
    return sides.sort((a, b) => a.few.length - b.few.length)[0] ?? { part: null, few: [] };
  }

  function show(/** @type {string} */ moves = "") {
    if (!drawn || !chart.wide || !strip.wide || !rounds) return;
    const { to, layers } = drawn,
      { grid, rest, wrong } = rounds[state.at],
      { part, few } = cutOff();
    tint(canvas, grid, to);
    become(layers.cuts, part ? boxOf(part, to, NEXT) : "");
    // From each person a bar: up by what the sum lacks, or down by what it has too much.
    const barsOf = (/** @type {number[]} */ which) =>
      which.map((i) => {
        const [a, b] = points[i];
        return `M${to.x(a)} ${to.y(b)}V${to.y(b + LONG * rest[i])}`;
      });
    become(
      layers.bars,
      outline(barsOf([...points.keys()]).join(""), { class: moves, ...LACK }),
      outline(barsOf(wrong).join(""), { class: moves, ...FAR_OFF }),
    );
    const peopleOf = (/** @type {number[]} */ which) => which.map((i) => layers.people.children[i]);
    showErrors();
    sumOn(strip, strip.wide, rounds, state.at);
    add.disabled = state.at === data.rounds;
    const far = some(wrong.length, ...what),
      next = some(few.length, ...what);
    say(
      `After ${some(state.at, "tree")} the sum is wrong about ${far}, the long bars; the next tree would split off ${next}.\n`,
      [far, () => peopleOf(wrong)],
      [next, () => peopleOf(few)],
    );
  }

  const add = primary("Add the next tree", () => go(state.at + 1, "dtb-moves"));
  play.append(
    beside(
      make("div", plane.place, add),
      strip.place,
      chart.place,
      choices(
        "Of what each tree says, the sum takes",
        ["all", "half", "a tenth"],
        0,
        (i) => ((state.rate = RATES[i]), begin()),
      ),
      quietly(
        legend(classes),
        withMark("residual: up where the sum is too low", 8, line(4, 15, 4, 1, FAR_OFF)),
        legendOf(["split off next", NEXT], ["the truth", TRUTH]),
      ),
    ),
  );
  begin();
  // All trees, then those with which it errs least.
  return () => {
    go(data.rounds);
    const errors = rounds.map(({ fresh }) => fresh);
    go(errors.indexOf(Math.min(...errors)));
  };
}

start("boost", boostExplorable);
