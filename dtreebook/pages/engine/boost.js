// Trees that correct each other: each stump is fitted to what the sum of those before leaves.

import { errorOf, gridOf, tinted } from "./border.js";
import { circle, curve, draw, line, make, outline, put, rings, shapeOf, text } from "./draw.js";
import { casesOf, grownOn, planeOn, UNIT, wall } from "./ground.js";
import { ANSWER, colour, DASHED, MIDDLE } from "./looks.js";
import { sum } from "./measures.js";
import { beside, inRow, legend, quietly, withMark } from "./parts.js";
import { button, choices, grip, primary } from "./reach.js";
import { axisY, clamp, keyOf, picture, renewed, scale } from "./stage.js";
import { start } from "./start.js";
import { sumOn } from "./sums.js";
import { route } from "./tree.js";
import { percent, share, some } from "./words.js";

const LEAST = 0.1; // errors that the drawing reaches from and to
const MOST = 0.5;
const BEFORE = 70; // no tree, on the axis of trees
const OLDER = { "stroke-opacity": 0.3 };
const LATEST = { class: "dtb-one", "stroke-width": 4 };
const LIMIT = { "stroke-width": 1, "stroke-opacity": 0.4 };
const RINGED = { "stroke-opacity": 0.5 };

/** @type {Build<Plane & {turned: number, border: Point[], rounds: number}>} */
function boostExplorable(play, data, say) {
  const { turned, points, border, what } = data;
  const cases = { ...casesOf(data, points), classes: null },
    { columns, target } = cases;
  const RATES = [1, 0.5, 0.1],
    CELLS = 50;
  const state = { at: 1, rate: 1 };
  let /** @type {Judged[]} */ rounds, /** @type {Drawn} */ drawn;
  const traces = draw("g"),
    curves = draw("g");

  // Round 0 is the mean. A round has its cut, the sum in each point and each cell, and two errors.
  function begin() {
    const mean = sum(target) / target.length;
    rounds = [judged({ total: target.map(() => mean), grid: gridOf(CELLS, () => mean) })];
    go(state.at);
  }
  const judged = (/** @type {Round} */ round) => ({
    ...round,
    left: sum(round.total.map((value, i) => (target[i] - value) ** 2)) / target.length,
    own:
      sum(round.total.map((value, i) => Number(value > 0.5 !== target[i] > 0.5))) / target.length,
    fresh: errorOf(round.grid, border, turned),
  });
  function stumpAfter(/** @type {{ total: number[] }} */ { total }) {
    const rest = target.map((value, i) => value - total[i]);
    return grownOn({ ...cases, target: rest }, { maxDepth: 1 });
  }
  function next(/** @type {Judged} */ last) {
    const stump = stumpAfter(last);
    /** @param {number} x @param {number} y */
    const step = (x, y) => state.rate * stump.nodes[route(stump, [x, y])].label;
    return judged({
      stump,
      rate: state.rate,
      total: last.total.map((value, i) => value + step(columns[0][i], columns[1][i])),
      grid: last.grid.map((row, j) =>
        row.map((value, i) => value + step((i + 0.5) / CELLS, (j + 0.5) / CELLS)),
      ),
    });
  }
  function go(/** @type {number} */ to) {
    state.at = clamp(to, 0, data.rounds);
    while (rounds.length <= state.at) rounds.push(next(rounds[rounds.length - 1]));
    show();
  }

  const plane = picture("The plane: what the sum so far leaves of each person", (width) => {
    const size = Math.min(width - 52, 500);
    plane.replaceChildren();
    drawn = planeOn(plane, 38, 34, size, data, ["tint", "cuts", "marks", "rings"]);
    const { x, y } = drawn.to;
    const places = points.map(([a, b]) => ({ transform: `translate(${x(a)} ${y(b)})` }));
    drawn.layers.marks.append(...places.map((place) => draw("path", place)));
    put(drawn.layers.cuts, { class: "dtb-comes", style: "--over: -9rem" });
    show();
    return size + 84;
  });
  const strip = picture("The trees of the sum, and the sum", (width) =>
    rounds ? sumOn(strip, width, rounds, state.at) : 0,
  );
  // The errors by the number of trees, as far as they were made; its axis is the slider.
  const chart = picture("The share of errors against the number of trees", (width) => {
    const end = width - 16;
    low = width < 400 ? 190 : 250;
    y = scale(LEAST, MOST, low, 28);
    chart.replaceChildren(
      axisY(48, y, LEAST, MOST, "share of errors", 4, share),
      line(48, low, end, low),
      ...[0, 1, 3, 10, 30, 100, 300].map((n) => text(x(n), low + 30, n, MIDDLE)),
      text((48 + end) / 2, low + 48, "trees", MIDDLE),
      line(48, y(turned), end, y(turned), LIMIT),
      ...keyOf(width - 200, 54, `${share(turned)} at best`, LIMIT),
      traces,
      knob,
    );
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
    ["own", "their own", DASHED],
    ["fresh", `new ${what[1]}`, ANSWER],
  ];
  function showTraces() {
    const at = x(state.at),
      high = (/** @type {number} */ error) => y(clamp(error, LEAST, MOST)),
      known = `${chart.wide} ${state.rate} ${rounds.length}`;
    renewed(
      curves,
      both.map(([of]) => of + known),
      (i) => {
        const [of, , look] = both[i];
        return curve(
          rounds.map((round, n) => [x(n), high(round[of])]),
          { "stroke-width": 2, ...look },
        );
      },
    );
    const ends = both.map(([of, name, look], i) => {
      const error = rounds[state.at][of],
        words = `${name} ${percent(error)}`;
      return draw(
        "g",
        { class: look.class },
        line(at, high(error), at, low, { class: "dtb-one", "stroke-width": 2 }),
        circle(at, high(error), 5),
        ...keyOf(chart.wide - 200, 34 + 40 * i, words, look),
      );
    });
    traces.replaceChildren(curves, ...ends);
    knob.show();
  }

  // The smaller side of the next cut: whom it would fit.
  function cutOff() {
    const { split } = (rounds[state.at + 1]?.stump ?? stumpAfter(rounds[state.at])).nodes[0];
    if (!split) return [];
    const isLow = points.map((point) => point[split.attribute] <= split.cut),
      few = sum(isLow.map(Number)) <= points.length / 2;
    return isLow.flatMap((low, i) => (low === few ? i : []));
  }

  function show() {
    if (!drawn || !chart.wide || !strip.wide || !rounds) return;
    const { to, layers } = drawn,
      now = rounds[state.at],
      ringedOnes = cutOff(),
      walls = rounds.slice(1, state.at + 1).flatMap(({ stump }) => stump?.nodes[0].split ?? []),
      latest = walls.pop();
    layers.tint.replaceChildren(tinted(now.grid, to));
    layers.cuts.replaceChildren(
      outline([...new Set(walls.map((split) => wall(UNIT, split, to)))].join(""), OLDER),
      latest ? outline(wall(UNIT, latest, to), LATEST) : "",
    );
    const rest = target.map((value, i) => value - now.total[i]),
      sizes = rest.map((left) => 1 + Math.round(7 * Math.min(Math.abs(left), 1.2))),
      marks = [...layers.marks.children];
    marks.forEach((one, i) => {
      const k = Number(rest[i] > 0),
        d = shapeOf(k, sizes[i]);
      if (one.getAttribute("d") !== d) put(one, { d, fill: colour(k) });
    });
    /** @type {[number, number, number][]} */
    const places = ringedOnes.map((i) => [to.x(points[i][0]), to.y(points[i][1]), sizes[i] + 3]);
    layers.rings.replaceChildren(rings(places, RINGED));
    showTraces();
    sumOn(strip, strip.wide, rounds, state.at);
    add.disabled = state.at === data.rounds;
    back.disabled = !state.at;
    const large = marks.filter((_, i) => Math.abs(rest[i]) > 0.5);
    say(
      `${some(state.at, "tree leaves", "trees leave")} ${some(large.length, "large mark")}; the next tree would cut off ${some(ringedOnes.length, ...what)}.\n`,
      [some(large.length, "large mark"), () => large],
      [some(ringedOnes.length, ...what), () => ringedOnes.map((i) => marks[i])],
    );
  }

  const add = primary("Add the next tree", () => go(state.at + 1)),
    back = button("Take it back", () => go(state.at - 1));
  const names = RATES.map((rate) => (rate === 1 ? "whole" : `times ${rate}`));
  play.append(
    beside(
      make("div", {}, plane.place, inRow(add, back)),
      strip.place,
      chart.place,
      choices("Each tree is added", names, 0, (i) => ((state.rate = RATES[i]), begin())),
      quietly(
        legend(["too high so far", "too low so far"]),
        withMark("cut off next", 16, rings([[8, 8, 7]], RINGED)),
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
