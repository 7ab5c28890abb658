// Trees that correct each other: each stump is fitted to what the sum of those before leaves.

import { errorOf, gridOf, tinted } from "./border.js";
import {
  axisY,
  beside,
  clamp,
  curve,
  DASHED,
  disc,
  DOTTED,
  draw,
  legend,
  legendOf,
  line,
  make,
  mark,
  scale,
  short,
  some,
  stage,
  text,
  MIDDLE,
  inRow,
} from "./draw.js";
import { casesOf, grownOn, planeOn } from "./ground.js";
import { sum } from "./measures.js";
import { button, choices, range } from "./reach.js";
import { start } from "./start.js";
import { route } from "./tree.js";

/**
 * @typedef {{total: number[], grid: Float64Array[], split?: Threshold}} Round
 * @typedef {Round & {left: number, own: number, fresh: number}} Judged
 */

/** @type {Build<Plane & {turned: number, border: Point[], rounds: number}>} */
function boostExplorable(play, data, say) {
  const { turned, points, border, what } = data;
  const cases = { ...casesOf(data, points), classes: null },
    { columns, target } = cases;
  const RATES = [1, 0.5, 0.1],
    CELLS = 50,
    lines = draw("g");
  const state = { at: 3, rate: 1 };
  let /** @type {Judged[]} */ rounds,
    /** @type {Sheet} */ plane,
    /** @type {Sheet} */ chart,
    /** @type {Drawn} */ drawn,
    /** @type {Axes} */ scales;

  // Round 0 is the mean. A round has its cut, the sum in each point and each cell, and two errors.
  function begin() {
    const mean = sum(target) / target.length;
    rounds = [judged({ total: target.map(() => mean), grid: gridOf(CELLS, () => mean) })];
    go(state.at);
  }
  /** @param {Round} round */
  const judged = (round) => ({
    ...round,
    left: sum(round.total.map((value, i) => (target[i] - value) ** 2)) / target.length,
    own:
      sum(round.total.map((value, i) => Number(value > 0.5 !== target[i] > 0.5))) / target.length,
    fresh: errorOf(round.grid, border, turned),
  });
  /** @param {{ total: number[] }} about */
  function stumpAfter({ total }) {
    const rest = target.map((value, i) => value - total[i]);
    return grownOn({ ...cases, target: rest }, { maxDepth: 1 });
  }
  /** @param {Judged} last */
  function next(last) {
    const stump = stumpAfter(last);
    /** @param {number} x @param {number} y */
    const step = (x, y) => state.rate * stump.nodes[route(stump, [x, y])].label;
    return judged({
      split: stump.nodes[0].split,
      total: last.total.map((value, i) => value + step(columns[0][i], columns[1][i])),
      grid: last.grid.map((row, j) =>
        row.map((value, i) => value + step((i + 0.5) / CELLS, (j + 0.5) / CELLS)),
      ),
    });
  }
  /** @param {number} to */
  function go(to) {
    state.at = clamp(to, 0, data.rounds);
    while (rounds.length <= state.at) rounds.push(next(rounds[rounds.length - 1]));
    show();
  }

  /** @param {number} width */
  function paintPlane(width) {
    const size = Math.min(width - 52, 500);
    plane.replaceChildren();
    drawn = planeOn(plane, 38, 34, size, data, ["tint", "cuts", "marks", "rings"]);
    show();
    return size + 84;
  }

  /** @param {number} width */
  function paintChart(width) {
    scales = {
      x: scale(0, Math.log(data.rounds), 44, width - 16),
      y: scale(0, 0.5, 230, 34),
    };
    /** @param {number} n */
    const at = (n) => scales.x(Math.log(n));
    chart.replaceChildren(
      axisY(44, scales.y, 0, 0.5, "share of errors", 5),
      line(44, 230, width - 16, 230),
      ...[1, 3, 10, 30, 100, 300]
        .filter((n) => n <= data.rounds)
        .map((n) => text(at(n), 250, n, MIDDLE)),
      text((44 + width) / 2, 270, "trees", MIDDLE),
      lines,
    );
    show();
    return 282;
  }

  // The smaller side of the next cut: whom it would fit.
  function cutOff() {
    const { split } = stumpAfter(rounds[state.at]).nodes[0];
    if (!split) return [];
    const low = points.filter((point) => point[split.attribute] <= split.cut);
    return low.length <= points.length / 2
      ? low
      : points.filter((point) => point[split.attribute] > split.cut);
  }

  function show() {
    if (!drawn || !scales || !rounds) return;
    const { to, layers } = drawn,
      now = rounds[state.at],
      ringedOnes = cutOff();
    layers.tint.replaceChildren(...tinted(now.grid, to));
    layers.cuts.replaceChildren(
      ...rounds.slice(1, state.at + 1).map(({ split }, n) => {
        if (!split) return "";
        const latest = n + 1 === state.at;
        const [x1, y1, x2, y2] = split.attribute
          ? [0, split.cut, 1, split.cut]
          : [split.cut, 0, split.cut, 1];
        return line(to.x(x1), to.y(y1), to.x(x2), to.y(y2), {
          class: latest ? "dtb-one" : null,
          "stroke-width": latest ? 4 : 1,
          "stroke-opacity": latest ? 1 : 0.3,
        });
      }),
    );
    const marks = points.map(([x, y], i) => {
      const rest = target[i] - now.total[i];
      return mark(Number(rest > 0), to.x(x), to.y(y), 1.5 + 6 * Math.min(Math.abs(rest), 1.2), {
        "fill-opacity": Math.abs(rest) > 0.5 ? 1 : 0.4,
      });
    });
    layers.marks.replaceChildren(...marks);
    layers.rings.replaceChildren(
      ...(ringedOnes.length <= 12
        ? ringedOnes.map(([x, y]) =>
            draw("circle", {
              cx: to.x(x),
              cy: to.y(y),
              r: 12,
              fill: "none",
              stroke: "currentColor",
              "stroke-width": 2,
            }),
          )
        : []),
    );
    /** @param {number} n */
    const at = (n) => scales.x(Math.log(Math.max(n, 1)));
    /** @param {"fresh" | "own"} name @param {Attributes} [more] */
    const trace = (name, more) =>
      curve(
        rounds.slice(1).map((round, n) => [at(n + 1), scales.y(round[name])]),
        { "stroke-width": 2, ...more },
      );
    lines.replaceChildren(
      trace("fresh"),
      trace("own", DASHED),
      line(44, scales.y(turned), at(data.rounds), scales.y(turned), DOTTED),
      state.at ? disc(at(state.at), scales.y(now.fresh), "currentColor", 6) : "",
    );
    slider.set(state.at);
    const large = now.total.filter((value, i) => Math.abs(target[i] - value) > 0.5).length;
    say(
      `${some(state.at, "tree leaves", "trees leave")} a mean square of ${short(now.left)} and ${some(large, "large mark")}. ` +
        `New ${what[1]}: ${(100 * now.fresh).toFixed(1)}% wrong; their own ${what[1]}: ${(100 * now.own).toFixed(1)}%. ` +
        `The next tree would cut off ${some(ringedOnes.length, ...what)}.`,
      [
        some(large, "large mark"),
        () => marks.filter((_, i) => Math.abs(target[i] - now.total[i]) > 0.5),
      ],
      [
        some(ringedOnes.length, ...what),
        () => marks.filter((_, i) => ringedOnes.includes(points[i])),
      ],
    );
  }

  const places = [make("div"), make("div")];
  const slider = range("Trees in the sum", { min: 0, max: data.rounds, value: 0 }, (v) => go(v));
  play.append(
    beside(
      places[0],
      inRow(
        button("Add the next tree", () => go(state.at + 1), { class: "dtb-main" }),
        button("Take it back", () => go(state.at - 1)),
        button("Add 100", () => go(state.at + 100)),
      ),
      slider,
      choices(
        "Each tree is added",
        RATES.map((rate) => (rate === 1 ? "whole" : `times ${rate}`)),
        0,
        (i) => {
          state.rate = RATES[i];
          begin();
        },
      ),
      places[1],
      legend(["too high so far", "too low so far"]),
      legendOf(
        [`new ${what[1]}`, 0, { stroke: "currentColor" }],
        [`their own ${what[1]}`, 0, { stroke: "currentColor", ...DASHED }],
        ["the least possible", 0, { stroke: "currentColor", ...DOTTED }],
      ),
    ),
  );
  plane = stage(places[0], "The plane: what the sum so far leaves of each person", paintPlane);
  chart = stage(places[1], "The share of errors against the number of trees", paintChart);
  begin();
}

start("boost", boostExplorable);
