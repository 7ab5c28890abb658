// Many values: deal the cases in turn into groups by their running number, which knows nothing, and
// see its gain and its gain ratio grow against a column that knows something.
// data: { target, classes, other: { name, gain, ratio }, what }.

import {
  axisX,
  axisY,
  colour,
  curve,
  DASHED,
  disc,
  draw,
  legend,
  legendOf,
  line,
  make,
  mark,
  ringed,
  scale,
  short,
  stage,
} from "./draw.js";
import { gainRatio, informationGain, splitInformation } from "./measures.js";
import { grip } from "./reach.js";
import { start } from "./start.js";

function groupsExplorable(play, data, say) {
  const { target, classes, other, what } = data;
  const n = target.length;
  const dealt = (k) => {
    const table = Array.from({ length: k }, () => classes.map(() => 0));
    target.forEach((c, row) => (table[row % k][c] += 1));
    return table;
  };
  const stops = Array.from({ length: n - 1 }, (_, i) => {
    const table = dealt(i + 2);
    return { gain: informationGain(table), ratio: gainRatio(table), split: splitInformation(table) };
  });
  const state = { at: 0, seen: 0 };
  let piles, lines, x, y, layer, wide;

  // The cases as they are dealt: a column for each group.
  function showPiles() {
    const k = state.at + 2,
      unit = Math.min(wide / k, 64),
      r = Math.min(unit * 0.4, 9);
    piles.replaceChildren(
      ...target.map((c, row) =>
        draw(
          "g",
          {},
          mark(c, (row % k) * unit + unit / 2, 14 + Math.floor(row / k) * 21, r),
          draw("title", {}, `${what[0]} ${row + 1}`),
        ),
      ),
      ...Array.from({ length: k + 1 }, (_, i) =>
        line(i * unit, 2, i * unit, 172, { "stroke-opacity": 0.2 }),
      ),
    );
  }

  function paint(width) {
    x = scale(2, n, 64, width - 14);
    y = scale(0, 1, 230, 30);
    layer = draw("g");
    const level = (value, k) =>
      line(48, y(value), width - 14, y(value), {
        stroke: colour(k),
        "stroke-width": 2,
        ...DASHED,
      });
    lines.replaceChildren(
      axisX(x, 230, 2, n, "groups"),
      line(48, 230, 64, 230, { "stroke-opacity": 0.6 }),
      axisY(48, y, 0, 1, "bits, or ratio"),
      level(other.gain, 0),
      level(other.ratio, 1),
      layer,
      knob,
    );
    show();
    return 276;
  }

  function show() {
    if (wide) showPiles();
    if (layer) {
      const traced = stops.slice(0, state.seen + 1);
      const path = (key, k) => [
        curve(
          traced.map((stop, i) => [x(i + 2), y(stop[key])]),
          { stroke: colour(k), "stroke-width": 2.5 },
        ),
        ...traced.map((stop, i) => disc(x(i + 2), y(stop[key]), colour(k), 3.5)),
        ringed(x(state.at + 2), y(stops[state.at][key]), k),
      ];
      layer.replaceChildren(...path("gain", 0), ...path("ratio", 1));
    }
    knob.show();
    const { gain: bits, ratio, split } = stops[state.at];
    say(
      `Dealt in turn into ${state.at + 2} groups, the running number gains ${short(bits)} bits, and ${other.name} gains ${short(other.gain)}: by gain ${wins(bits, other.gain)}. ` +
        `Its split information is ${short(split)}, so its gain ratio is ${short(ratio)}, and that of ${other.name} is ${short(other.ratio)}: by ratio ${wins(ratio, other.ratio)}.`,
    );
  }
  const wins = (one, two) =>
    Math.abs(one - two) < 1e-9
      ? "neither wins"
      : one > two
        ? "the number wins"
        : `${other.name} wins`;

  const places = [make("div"), make("div")];
  play.append(
    legend(classes),
    places[0],
    legendOf(
      ["gain of the number", 0],
      ["its gain ratio", 1],
      [`gain of ${other.name}`, 0, DASHED],
      [`its ratio`, 1, DASHED],
    ),
    places[1],
  );
  piles = stage(places[0], `The ${what[1]}, dealt into groups`, (width) => {
    wide = width;
    show();
    return 176;
  });
  lines = stage(places[1], "Gain and gain ratio over the number of groups", paint);
  const knob = grip(lines, {
    label: "Groups that the running number is dealt into",
    count: () => stops.length,
    at: () => state.at,
    place: (at) => (x ? [x(at + 2), 230] : [0, 0]),
    words: (at) => `${at + 2} groups`,
    onMove: (at) => {
      state.at = at;
      state.seen = Math.max(state.seen, at);
      show();
    },
  });
}

start("groups", groupsExplorable);
