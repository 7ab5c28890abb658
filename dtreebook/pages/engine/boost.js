// Trees that correct each other: each stump is fitted to what the sum of those before leaves.

import { errorOf, gridOf, tinted } from "./border.js";
import { circle, curve, line, make, mark, ring, small, text } from "./draw.js";
import { casesOf, grownOn, planeOn, UNIT, wall } from "./ground.js";
import { colour, DASHED, MIDDLE } from "./looks.js";
import { sum } from "./measures.js";
import { beside, inRow, legend } from "./parts.js";
import { button, choices, primary, range } from "./reach.js";
import { axisY, clamp, picture, scale, within } from "./stage.js";
import { start } from "./start.js";
import { sumOn } from "./sums.js";
import { route } from "./tree.js";
import { percent, share, some } from "./words.js";

const LEAST = 0.1; // errors that the drawing reaches from and to
const MOST = 0.35;

/** @type {Build<Plane & {turned: number, border: Point[], rounds: number}>} */
function boostExplorable(play, data, say) {
  const { turned, points, border, what } = data;
  const cases = { ...casesOf(data, points), classes: null },
    { columns, target } = cases;
  const RATES = [1, 0.5, 0.1],
    CELLS = 50;
  const state = { at: 0, rate: 1 };
  let /** @type {Judged[]} */ rounds, /** @type {Drawn} */ drawn;

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
      stump,
      rate: state.rate,
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

  const plane = picture("The plane: what the sum so far leaves of each person", (width) => {
    const size = Math.min(width - 52, 500);
    plane.replaceChildren();
    drawn = planeOn(plane, 38, 34, size, data, ["tint", "cuts", "marks", "rings"]);
    show();
    return size + 84;
  });
  const strip = picture("The trees of the sum, and the sum", (width) =>
    rounds ? sumOn(strip, width, rounds, state.at) : 0,
  );
  const chart = picture("The share of errors against the number of trees", () => (show(), 216));

  // The errors by the number of trees, as far as they were made.
  function showChart() {
    const across = chart.wide,
      most = Math.max(10, rounds.length - 1),
      x = scale(0, Math.log(most), 48, across - 16),
      y = scale(LEAST, MOST, 170, 28),
      now = rounds[state.at],
      at = (/** @type {number} */ n) => x(Math.log(Math.max(n, 1)));
    /** @param {"fresh" | "own"} name @param {Attributes} [more] */
    const trace = (name, more) =>
      curve(
        rounds.slice(1).map((round, n) => [at(n + 1), y(clamp(round[name], LEAST, MOST))]),
        { "stroke-width": 2, ...more },
      );
    /** @param {string} name @param {number} value @param {number} by */
    const named = (name, value, by) => {
      const words = `${name} ${percent(value)}`,
        middle = Math.min(at(state.at) + 8, across - 9 * words.length) + 4.5 * words.length,
        near = rounds.slice(1).filter((_, n) => Math.abs(at(n + 1) - middle) < 5 * words.length);
      const levels = [{ fresh: value, own: value }, ...near].map((round) =>
          y(clamp(by < 0 ? round.fresh : round.own, LEAST, MOST)),
        ),
        high = by < 0 ? Math.min(...levels) : Math.max(...levels);
      // Above it, where there is no room below.
      return within(words, middle, high + (high + by > 166 ? -12 : by), [52, across]);
    };
    chart.replaceChildren(
      axisY(48, y, LEAST, MOST, "share of errors"),
      line(48, 170, across - 16, 170),
      ...[1, 3, 10, 30, 100, 300].filter((n) => n <= most).map((n) => text(at(n), 190, n, MIDDLE)),
      text((48 + across) / 2, 208, "trees", MIDDLE),
      line(48, y(turned), across - 16, y(turned), { "stroke-opacity": 0.4 }),
      small(52, y(turned) + 17, `${share(turned, 1)} at best`),
      trace("fresh"),
      trace("own", DASHED),
      ...(state.at
        ? [
            line(at(state.at), 28, at(state.at), 170, { class: "dtb-one", "stroke-width": 2 }),
            circle(at(state.at), y(clamp(now.fresh, LEAST, MOST)), 6),
            named(`new ${what[1]}`, now.fresh, -12),
            named("their own", now.own, 24),
          ]
        : []),
    );
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
    if (!drawn || !chart.wide || !rounds) return;
    const { to, layers } = drawn,
      now = rounds[state.at],
      ringedOnes = cutOff();
    layers.tint.replaceChildren(...tinted(now.grid, to));
    layers.cuts.replaceChildren(
      ...rounds.slice(1, state.at + 1).map(({ stump }, n) => {
        const split = stump?.nodes[0].split;
        if (!split) return "";
        const latest = n + 1 === state.at;
        return wall(UNIT, split, to, {
          class: latest ? "dtb-one" : null,
          "stroke-width": latest ? 4 : 1,
          "stroke-opacity": latest ? 1 : 0.3,
        });
      }),
    );
    const marks = points.map(([x, y], i) => {
      const rest = target[i] - now.total[i];
      const k = Number(rest > 0),
        look = Math.abs(rest) > 0.5 ? {} : { fill: "none", stroke: colour(k), "stroke-width": 1.5 };
      return mark(k, to.x(x), to.y(y), 1.5 + 6 * Math.min(Math.abs(rest), 1.2), look);
    });
    layers.marks.replaceChildren(...marks);
    layers.rings.replaceChildren(
      ...(ringedOnes.length <= 12
        ? ringedOnes.map(([x, y]) => ring(to.x(x), to.y(y), 12, { "stroke-width": 2 }))
        : []),
    );
    showChart();
    strip.paint();
    slider.set(state.at);
    add.disabled = state.at === data.rounds;
    back.disabled = !state.at;
    const large = now.total.filter((value, i) => Math.abs(target[i] - value) > 0.5).length;
    say(
      `${some(state.at, "tree leaves", "trees leave")} ${some(large, "large mark")}; the next tree would cut off ${some(ringedOnes.length, ...what)}.`,
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

  const add = primary("Add the next tree", () => go(state.at + 1)),
    back = button("Take it back", () => go(state.at - 1));
  const slider = range("Trees in the sum", { min: 0, max: data.rounds, value: 0 }, go);
  play.append(
    beside(
      make("div", {}, plane.place, inRow(add, back)),
      strip.place,
      chart.place,
      slider,
      choices(
        "Each tree is added",
        RATES.map((rate) => (rate === 1 ? "whole" : `times ${rate}`)),
        0,
        (i) => ((state.rate = RATES[i]), begin()),
      ),
      legend(["too high so far", "too low so far"]),
    ),
  );
  begin();
}

start("boost", boostExplorable);
