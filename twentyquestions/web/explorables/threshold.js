// The cut: drag it through the cases on a number line. How unsure either side leaves one follows as a bar
// below it; both together leave free, of what it was before, what the cut gains: a step of the hill below.

import { barOf, box, draw, layers, line, mark, outline, ringed, small } from "../kit/draw.js";
import { middle } from "../algorithms/growth.js";
import { ANSWER, DASHED, END } from "../kit/looks.js";
import {
  ascending,
  columnSums,
  entropy,
  informationGain,
  sum,
  TIE,
} from "../algorithms/measures.js";
import { leastBeside } from "../algorithms/c45.js";
import { inRow, legend } from "../kit/legends.js";
import { check, drags, grip, primary } from "../kit/reach.js";
import { axisX, axisY, picture, scale, within } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { short, some } from "../kit/words.js";

const DOT = 20; // from one case to the next above it
const CUT = { "stroke-width": 2, ...DASHED };
const UNSURE = { fill: "#b5ab97", "fill-opacity": 0.6 };
const GAINED = { class: "dtb-one", "stroke-width": 2 };
const TRACK = { fill: "none", stroke: "#8b8676" };

/** @typedef {{value: number, next: number, between: number, table: number[][], gain: number}} Stop */

/** @type {Build<{name: string, values: number[], target: number[], classes: string[], what: What}>} */
function cutExplorable(play, data, say) {
  const { values, target, classes, name, what } = data;
  const n = values.length,
    rows = values.map((_, row) => row);
  const distinct = ascending(new Set(values));
  const tallest = Math.max(
    ...distinct.map((value) => values.filter((other) => other === value).length),
  );
  const counted = (/** @type {(value: number) => boolean} */ belongs) =>
    classes.map((_, k) => rows.filter((row) => target[row] === k && belongs(values[row])).length);
  /** @type {Stop[]} */
  const stops = distinct.slice(0, -1).map((value, i) => {
    const table = [counted((other) => other <= value), counted((other) => other > value)],
      next = distinct[i + 1];
    return { value, next, between: middle(value, next), table, gain: informationGain(table) };
  });
  const gains = stops.map(({ gain }) => gain);
  const lowest = () => Math.floor(10 * Math.min(0, Math.min(...gains) - price())) / 10,
    highest = 1.15 * Math.max(...gains);
  const first = Math.floor(stops.length / 4);
  const seen = new Set(gains.slice(0, first + 1).keys());
  const state = { at: first, window: false, price: false, seen };
  const [moving, cases] = layers(2);
  let x = scale(0, 1, 0, 0),
    y = x;

  // The cuts that Release 8 allows, and what it takes off the gain of each for having tried so
  // many.
  const least = () => (state.window ? leastBeside(n, classes.length, 2) : 0);
  const isOpen = (/** @type {Stop} */ { table }) => Math.min(...table.map(sum)) >= least();
  const price = () => (state.price ? Math.log2(stops.filter(isOpen).length) / n : 0);

  const lineFoot = 38 + DOT * tallest,
    barsTop = lineFoot + 52,
    curveTop = barsTop + 142,
    curveFoot = curveTop + 150;
  const left = 48,
    last = distinct[distinct.length - 1];

  const sheet = picture(`The cases by ${name}, and the curve of gains`, (width) => {
    const right = width - 12,
      margin = (last - distinct[0]) * 0.03;
    const /** @type {Point} */ ends = [distinct[0] - margin, last + margin];
    x = scale(...ends, left, right);
    y = scale(lowest(), highest, curveFoot, curveTop);
    cases.replaceChildren();
    const /** @type {Record<number, number>} */ heap = {};
    for (const row of rows) {
      heap[values[row]] = (heap[values[row]] ?? 0) + 1;
      const above = DOT * heap[values[row]] - 6;
      cases.append(mark(target[row], x(values[row]), lineFoot - above, width < 480 ? 4 : 9));
    }
    sheet.replaceChildren(
      moving,
      axisX(x, lineFoot, ...ends, name),
      axisY(left, y, lowest(), highest, "gain in bits"),
      line(left, y(0), right, y(0), { "stroke-opacity": 0.5 }),
      cases,
      knob,
    );
    show();
    return curveFoot + 14;
  });
  const knob = grip(sheet, {
    label: `Cut of ${name}`,
    count: () => stops.length,
    at: () => state.at,
    place: (at) => [x(stops[at].between), 14],
    words: (at) => `${name} up to ${stops[at].value}`,
    onMove: go,
  });

  /** @type {(side: number) => () => Element[]} */
  const casesOf = (side) => () =>
    [...cases.children].filter((_, row) => values[row] > stops[state.at].value === Boolean(side));

  function show() {
    const cut = stops[state.at],
      here = x(cut.between),
      gain = cut.gain - price();
    const traced = ascending(state.seen).map((at) => stops[at]);
    moving.replaceChildren(
      line(here, barsTop - 8, here, barsTop + 44, CUT),
      ...bars(cut.table),
      ...together(cut.table, gain),
      ...traced.map((stop) => {
        const level = y(stop.gain - price()),
          open = isOpen(stop);
        const [from, to] = [x(stop.value), x(stop.next)],
          fill = stop === cut ? { class: "dtb-dot", "fill-opacity": 0.45 } : { class: "dtb-hill" },
          hill = box(from, Math.min(level, y(0)), to - from, Math.abs(y(0) - level), fill);
        return draw(
          "g",
          stop.value > stops[first].value ? ANSWER : {},
          open ? hill : "",
          line(from, level, to, level, { "stroke-width": 3, "stroke-opacity": open ? 1 : 0.45 }),
          stop === cut ? ringed(here, level) : "",
        );
      }),
      draw("g", ANSWER, starred(traced)),
    );
    knob.show();
    /** @type {Link[]} */
    const links = cut.table.map((counts, side) => [some(sum(counts), ...what), casesOf(side)]);
    say(words(cut), ...links);
  }

  /** The classes on either side of the cut, and below them how unsure they leave one. @param {number[][]} table */
  function bars(table) {
    const here = x(stops[state.at].between);
    return table.flatMap((counts, side) => {
      const [from, to] = side ? [here + 4, sheet.wide - 12] : [left, here - 4],
        unsure = entropy(counts),
        words = `${short(unsure)} bits${sheet.wide < 480 ? "" : " unsure"}`,
        told = to - from < 60 ? "" : words; // else the next one's words are met
      return [
        ...barOf(counts, from, barsTop, to - from, 24),
        box(from, barsTop + 28, ((to - from) * unsure) / Math.log2(classes.length), 12, UNSURE),
        box(from, barsTop + 28, to - from, 12, TRACK),
        within(told, (from + to) / 2, barsTop + 57, [0, sheet.wide]),
      ];
    });
  }

  /** Of how unsure it was before the cut, what its sides leave, and what it gains. @param {number[][]} table @param {number} gain */
  function together(table, gain) {
    const before = entropy(columnSums(table)),
      unit = (sheet.wide - 12 - left) / (n * before || 1),
      top = barsTop + 88,
      parts = table.map((counts) => unit * sum(counts) * entropy(counts)),
      free = unit * n * Math.max(gain, 0),
      turn = left + sum(parts) + free / 2;
    return [
      small(left, top - 6, `${sheet.wide < 480 ? "was" : "before:"} ${short(before)} bits`),
      small(sheet.wide - 12, top - 6, `${price() ? "gain less price" : "gain"} ${short(gain)}`, {
        ...END,
        class: "dtb-done",
      }),
      box(left, top, parts[0], 18, UNSURE),
      box(left + parts[0] + 1, top, parts[1] - 1, 18, UNSURE),
      box(left + sum(parts), top, free, 18, { class: "dtb-dot" }),
      // What is gained there, here as high.
      outline(`M${turn} ${top + 18}V${y(gain)}H${x(stops[state.at].between)}`, GAINED),
      box(left, top, sheet.wide - 12 - left, 18, TRACK),
    ];
  }

  /** The best cut of those that were tried. @param {Stop[]} traced */
  function starred(traced) {
    const open = traced.filter(isOpen),
      best = open.find(({ gain }) => open.every((other) => other.gain <= gain + TIE));
    const paid = best ? best.gain - price() : 0;
    if (!best || paid <= 0) return "";
    return within(`★ ${short(paid)}`, x(best.between), y(paid) - 14, [left, sheet.wide]);
  }

  function words(/** @type {Stop} */ { value, table, gain }) {
    const [low, high] = table.map((counts) => some(sum(counts), ...what));
    const paid = price()
      ? `, ${short(price())} less for having tried ${some(stops.filter(isOpen).length, "cut")}: ${short(gain - price())}`
      : "";
    const none = stops.some((stop) => isOpen(stop) && stop.gain > price()) ? "" : " No cut pays.";
    const closed = isOpen(stops[state.at]) ? "" : " It leaves one side too small.";
    return `Up to ${value}: ${low}; above: ${high}. The cut gains ${short(gain)} bits${paid}.${closed}${none}\n`;
  }

  function go(/** @type {number} */ to) {
    while (state.at !== to) state.seen.add((state.at += Math.sign(to - state.at))); // no cut is passed over
    show();
  }
  const switched = (/** @type {"window" | "price"} */ name) => (/** @type {boolean} */ on) => {
    state[name] = on;
    sheet.paint();
  };
  drags(knob, 0, lineFoot - 14, CUT);
  play.append(
    sheet.place,
    inRow(
      primary("Try the next cut", () => go((state.at + 1) % stops.length)),
      check("no side too small", false, switched("window")),
      check("pay for trying many cuts", false, switched("price")),
    ),
    legend(classes),
  );
  // Every cut is tried, up to the best.
  return () => {
    go(stops.length - 1);
    go(gains.findIndex((gain) => gain >= Math.max(...gains) - TIE));
  };
}

start("threshold", cutExplorable);
