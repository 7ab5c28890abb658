// The same question from other cases? Draw the cases again, with replacement, and see which column
// the tree asks about first, at which cut, and the whole tree of any sample.
// data: { attributes, columns, target, classes, samples: [[row]], depth, what }.

import { cart } from "./cart.js";
import {
  clamp,
  colour,
  draw,
  fitted,
  line,
  make,
  mark,
  scale,
  small,
  some,
  stage,
  text,
} from "./draw.js";
import { button, range } from "./reach.js";
import { start } from "./start.js";
import { asText } from "./takeaway.js";
import { branchWord } from "./tree.js";

function againExplorable(play, data, say) {
  const { attributes, columns, target, classes, samples, depth, what } = data;
  const n = target.length,
    ROW = clamp(130 / attributes.length, 16, 26);
  const ends = columns.map((column) => [Math.min(...column), Math.max(...column)]);
  const grown = (rows) =>
    cart(
      {
        attributes,
        columns: columns.map((column) => Float64Array.from(rows, (row) => column[row])),
        target: Int32Array.from(rows, (row) => target[row]),
        classes,
        weight: null,
      },
      { maxDepth: depth },
    );
  const whole = grown(target.map((_, row) => row));
  const state = { trees: [whole], at: 0 };
  const asked = (tree) => tree.nodes[0].split?.attribute ?? -1;
  const drawn = () =>
    Array.from({ length: n }, () => Math.floor(Math.random() * n));
  let layer, x, wide;

  function paint(width) {
    wide = width;
    x = scale(0, 1, 92, width - 46);
    layer = draw("g");
    sheet.replaceChildren(
      ...attributes.flatMap(({ name }, a) => [
        small(86, level(a) + 4, fitted(name, 86), { "text-anchor": "end" }),
        line(x(0), level(a), x(1), level(a), { "stroke-opacity": 0.2 }),
      ]),
      small(x(0), height() - 6, "least value"),
      small(x(1), height() - 6, "largest", { "text-anchor": "end" }),
      small(wide, 12, "first", { "text-anchor": "end" }),
      layer,
    );
    show();
    return height();
  }
  const level = (a) => 26 + a * ROW;
  const height = () => level(attributes.length - 1) + 34;

  // Where a tree makes its first cut, as a mark that can be pressed.
  function cutMark(tree, number) {
    const a = asked(tree);
    if (a < 0) return "";
    const at = x((tree.nodes[0].split.cut - ends[a][0]) / (ends[a][1] - ends[a][0] || 1));
    const isHere = number === state.at,
      high = isHere ? ROW * 0.7 : ROW * 0.45;
    return draw(
      "g",
      { pointerdown: () => goTo(number), class: "dtb-pick" },
      number
        ? line(at, level(a) - high, at, level(a) + high, {
            stroke: isHere ? colour(1) : "currentColor",
            "stroke-width": isHere ? 4 : 2,
            "stroke-opacity": isHere ? 1 : 0.45,
          })
        : mark(3, at, level(a), isHere ? 9 : 6),
      draw("title", {}, nameOf(number)),
    );
  }
  const nameOf = (number) => (number ? `sample ${number}` : "all cases");

  function show() {
    const { trees, at } = state,
      own = trees.slice(1);
    const count = (a) => own.filter((tree) => asked(tree) === a).length;
    layer?.replaceChildren(
      ...attributes.map((_, a) =>
        count(a) ? text(wide, level(a) + 4, count(a), { "text-anchor": "end" }) : "",
      ),
      ...trees.map(cutMark),
      cutMark(trees[at], at),
    );
    shown.textContent = asText(trees[at]);
    steps.set(at);
    const a = asked(trees[at]),
      alike = own.filter((tree) => asked(tree) === a);
    const cuts = new Set(alike.map((tree) => tree.nodes[0].split?.cut)).size;
    const of = own.length
      ? `Of ${some(own.length, "sample")} ${alike.length} ${alike.length === 1 ? "asks" : "ask"} for ${a < 0 ? "nothing" : attributes[a].name} first, at ${some(cuts, "cut", "different cuts")}.`
      : `Draw the ${what[1]} again: some come twice, some not at all.`;
    const name = at ? `Sample ${at}` : `All ${n} ${what[1]}`;
    const first = a < 0 ? "nothing" : branchWord(trees[at], trees[at].nodes[0], 0);
    say(`${name}: the first question is ${first}. ${of}`);
  }

  function goTo(number) {
    state.at = number;
    show();
  }
  function more(number) {
    for (let i = 0; i < number; i++) {
      const next = state.trees.length - 1;
      state.trees.push(grown(samples[next] ?? drawn()));
    }
    steps.input.max = state.trees.length - 1;
    goTo(state.trees.length - 1);
  }

  const shown = make("pre", { tabindex: 0, "aria-label": "The tree", class: "dtb-text" });
  const place = make("div");
  const steps = range("Tree of", { min: 0, max: 0, value: 0, words: nameOf }, goTo);
  play.append(
    make(
      "div",
      { class: "dtb-row" },
      button(`Draw the ${what[1]} again`, () => more(1)),
      button(`${samples.length} times`, () => more(samples.length)),
      button("Start again", () => {
        state.trees = [whole];
        steps.input.max = 0;
        goTo(0);
      }),
    ),
    place,
    steps,
    shown,
  );
  const sheet = stage(place, "The first question of every tree: its column and its cut", paint);
  show();
}

start("again", againExplorable);
