// Hills and a roof: two ways to split the same cases, their borders dragged, and by how much each
// lowers entropy, Gini and misclassification; for three classes a pile in the triangle.
// data: { side }: half of the cases, as many of one class as of the other.

import {
  axisX,
  axisY,
  colour,
  countBar,
  curve,
  DASHED,
  disc,
  draw,
  legend,
  legendOf,
  line,
  make,
  scale,
  short,
  small,
  stage,
  text,
} from "./draw.js";
import { entropy, expectedImpurity, gain, gini, misclassification, sum } from "./measures.js";
import { choices, grip, grip2d } from "./reach.js";
import { start } from "./start.js";
import { triangleAt, triangleDrawing } from "./triangle.js";

const IMPURITIES = { entropy, Gini: gini, misclassification };

function hillExplorable(play, data, say) {
  const { side } = data,
    names = Object.keys(IMPURITIES);
  const state = { a: (3 * side) / 4, b: 1, pile: [34, 33, 33], measure: 0 };
  const splits = () => ({
    A: [
      [state.a, side - state.a],
      [side - state.a, state.a],
    ],
    B: [
      [state.b, 0],
      [side - state.b, side],
    ],
  });
  const lowered = (name) =>
    Object.values(splits()).map((table) => gain(table, IMPURITIES[name]));
  let x, bars;

  // --- the two splits: every pile a bar, its border dragged ---------------------------------------

  function paintPiles(width) {
    x = scale(0, 2 * side, 10, width - 10);
    bars = draw("g");
    piles.replaceChildren(bars, ...knobs);
    show();
    return 150;
  }

  // A bar for each pile, as wide as its cases: class 1, then class 2.
  function showPiles() {
    bars.replaceChildren(
      ...Object.entries(splits()).flatMap(([name, table], row) => {
        const top = 26 + row * 72;
        let from = 0;
        return [
          small(10, top - 8, `split ${name}`),
          ...table.flatMap((counts, pile) => [
            ...counts.flatMap((count, k) => {
              const left = x(from);
              from += count;
              return countBar(k, count, left + 1, top, x(from) - left - 2, 26);
            }),
            pile ? "" : line(x(from), top - 6, x(from), top + 32, { "stroke-width": 3 }),
          ]),
        ];
      }),
    );
  }

  const border = (row, key, label, most, words) => ({
    label,
    count: () => most,
    at: () => state[key] - 1,
    place: (at) => (x ? [x(at + 1), 39 + row * 72] : [0, 0]),
    words: (at) => words(at + 1),
    onMove: (to) => {
      state[key] = to + 1;
      show();
    },
  });

  // --- the hills: a split is a chord, and what it gains is the gap under the top ------------------

  function showHill(sheet, name) {
    const width = sheet.wide,
      at = scale(0, 1, 30, width - 8),
      up = scale(0, name === "entropy" ? 1 : 0.5, 150, 32),
      of = (share) => IMPURITIES[name]([share, 1 - share]);
    const chords = Object.values(splits()).flatMap((table, k) => {
      const ends = table.map((counts) => [at(counts[0] / sum(counts)), up(IMPURITIES[name](counts))]);
      const foot = up(expectedImpurity(table, IMPURITIES[name])),
        middle = at(0.5) + (k ? 5 : -5);
      const look = { stroke: colour(k + 2), "stroke-width": 2.5, ...(k ? DASHED : {}) };
      return [
        curve(ends, look),
        ...ends.map(([cx, cy]) => disc(cx, cy, colour(k + 2), 4.5)),
        line(middle, up(of(0.5)), middle, foot, { ...look, "stroke-width": 5 }),
      ];
    });
    sheet.replaceChildren(
      axisX(at, 150, 0, 1, "share of class 1", 2),
      axisY(30, up, 0, name === "entropy" ? 1 : 0.5, "", 2),
      text(30, 18, name, { "font-weight": 700 }),
      curve(
        Array.from({ length: 101 }, (_, i) => [at(i / 100), up(of(i / 100))]),
        { "stroke-opacity": 0.6, "stroke-width": 2 },
      ),
      ...chords,
    );
  }

  function words() {
    const verdicts = names.map((name) => {
      const [a, b] = lowered(name),
        equal = Math.abs(a - b) < 1e-9;
      const better = equal ? "they are equal" : `${a > b ? "A" : "B"} is better`;
      return `by ${name} ${better}, ${short(Math.max(a, b))} to ${short(Math.min(a, b))}`;
    });
    return `Split B sets aside ${state.b} of ${side} cases of class 1: ${verdicts.join("; ")}.`;
  }

  // --- three classes ------------------------------------------------------------------------------

  let triangle;
  function paintTriangle(width) {
    const length = Math.min(width - 90, 300);
    triangle = triangleAt((width - length) / 2, 26, length);
    const name = names[state.measure],
      top = IMPURITIES[name]([1, 1, 1]);
    corner.replaceChildren(
      ...triangleDrawing(
        triangle,
        ["class 1", "class 2", "class 3"],
        IMPURITIES[name],
        [0.3, 0.5, 0.7, 0.85, 0.95].map((part) => part * top),
      ),
      dot,
    );
    dot.show();
    return triangle.high + 56;
  }

  const setPile = (parts) => {
    if (Math.min(...parts) < 0) return;
    state.pile = parts;
    show();
  };
  function pileWords() {
    const shares = state.pile.map((part) => (part / 100).toFixed(2)).join(", ");
    const values = names.map((name) => {
      const value = IMPURITIES[name](state.pile),
        most = IMPURITIES[name]([1, 1, 1]);
      return `${name} ${short(value)} (at most ${short(most)})`;
    });
    return ` A pile with the shares ${shares} of three classes has ${values.join(", ")}.`;
  }

  function show() {
    if (bars) showPiles();
    hills.forEach((sheet, i) => sheet.wide && showHill(sheet, names[i]));
    knobs.forEach((knob) => knob.show());
    dot.show();
    say(words() + pileWords());
  }

  const places = Array.from({ length: 5 }, () => make("div"));
  play.append(
    legend(["class 1", "class 2"]),
    places[0],
    legendOf(["split A", 2], ["split B", 3, DASHED]),
    make("div", { class: "dtb-three" }, places.slice(1, 4)),
    choices("Three classes: lines of equal", names, 0, (i) => {
      state.measure = i;
      corner.paint();
    }),
    places[4],
  );
  const piles = stage(places[0], "Two ways to split the same cases", paintPiles);
  const knobs = [
    border(
      0,
      "a",
      "Split A: cases of class 1 on the left",
      side,
      (n) => `${n} of ${side} of class 1 on the left, ${n} of class 2 on the right`,
    ),
    border(1, "b", "Split B: cases of class 1 that it sets aside", side, (n) => `${n} of ${side}`),
  ].map((about) => grip(piles, about));
  const hills = names.map((name, i) => {
    const sheet = stage(places[i + 1], `The ${name}, and what both splits gain`, (width) => {
      sheet.wide = width;
      showHill(sheet, name);
      return 192;
    });
    return sheet;
  });
  const corner = stage(places[4], "The triangle of three classes", paintTriangle);
  const dot = grip2d(corner, {
    label:
      "A pile of three classes: arrow keys left and right move cases between classes 2 and 3, up and down to class 1 and back",
    place: () => triangle?.place(state.pile) ?? [0, 0],
    onKey: ([across, up]) => {
      const [a, b, c] = state.pile,
        half = Math.sign(up) * Math.floor(Math.abs(up) / 2);
      setPile([a + up, b - across - (up - half), c + across - half]);
    },
    onDrag: (pixel) => {
      const [a, , c] = triangle.back(pixel).map((part) => Math.round(100 * part));
      setPile([a, Math.max(100 - a - c, 0), Math.min(c, 100 - a)]);
    },
  });
  show();
}

start("hill", hillExplorable);
