// Can poor trees vote well? On planes whose truth is known a tree is grown on one bootstrap sample after
// another, each with luck of its own; then all vote, and the border of the vote is seen to settle.

import { crossings, errorOf, gridOf, tinted } from "./border.js";
import { circle, line, make, outline, small } from "./draw.js";
import { casesOf, grownOn, person, planeOn } from "./ground.js";
import { BOLD, DASHED, DOTTED, END } from "./looks.js";
import { sum } from "./measures.js";
import { inRow, legend, legendOf, quietly } from "./parts.js";
import { randomOf } from "./random.js";
import { choices, primary, range } from "./reach.js";
import { clamp, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { route } from "./tree.js";
import { percent, share } from "./words.js";

const BELOW = 56; // where the errors are
const ERRORS = 72; // and how high those of a plane
const NARROW = 560;
const SAMPLES = 6; // that are seen to come, one after another
const ONE_TREE = { class: "dtb-one", "stroke-width": 2.5 };
const FROM = 15; // per cent of errors that the drawing reaches from and to
const UP_TO = 40;

/** @typedef {{name: string, points: Person[], border: Point[], pruned: PlaneTree}} Voted */

/** @type {Build<Omit<Plane, "points"> & {turned: number, trees: number, planes: Voted[]}>} */
function votesExplorable(play, data, say) {
  const { classes, turned, planes, what } = data;
  const LEAVES = [1, 5, 15],
    CELLS = 60;
  const state = { draw: 1, leaf: 15, lit: 0, trees: 1, isVote: false };
  let /** @type {Drawn[]} */ drawn,
    /** @type {ReturnType<typeof votesOn>[]} */ grown,
    /** @type {{random: ReturnType<typeof randomOf>, grids: Float64Array[][]}[]} */ draws;

  // The trees of a draw, the same for the same number: what each answers in each cell.
  function draw(number = state.draw, trees = 1) {
    Object.assign(state, { draw: number, trees: state.lit ? data.trees : trees });
    draws = planes.map(() => ({ random: randomOf(`draw ${state.draw}`), grids: [] }));
    grow();
  }
  const answersOf = (/** @type {PlaneTree} */ tree) =>
    gridOf(CELLS, (x, y) => {
      const { counts } = tree.nodes[route(tree, [x, y])];
      return counts[1] / sum(counts);
    });

  /** @param {Voted} plane @param {number} p */
  const votesOn = ({ name, points, border, pruned }, p) => {
    const { random, grids: all } = draws[p];
    while (all.length < state.trees) {
      const some = points.map(() => random.one(points));
      all.push(answersOf(grownOn(casesOf(data, some), { minLeaf: state.leaf })));
    }
    const grids = all.slice(0, state.trees),
      voters = state.isVote ? grids : grids.slice(-1),
      vote = gridOf(CELLS, () => 0);
    for (const grid of voters)
      grid.forEach((row, j) => row.forEach((value, i) => (vote[j][i] += value / voters.length)));
    const single = grids.map((grid) => errorOf(grid, border, turned));
    const both = [vote, answersOf(pruned)],
      [together, alone] = both.map((grid) => errorOf(grid, border, turned));
    return { name, grids, vote, single, together, alone };
  };

  function grow() {
    grown = planes.map(votesOn);
    more.textContent = state.isVote ? `Draw another ${data.trees}` : "Draw another sample";
    show();
  }
  const isAll = () => state.trees === data.trees;
  // From one tree to all of them, so that their vote is seen to settle; then as many others.
  function vote() {
    state.trees = Math.min(2 * state.trees + 1, data.trees);
    grow();
    if (!isAll()) setTimeout(vote, 400);
  }
  const more = primary("", () => {
    if (!state.isVote) return sample();
    draw(state.draw + 1);
    vote();
  });
  // Before they vote: the tree of one more sample, alone.
  const sample = () => ((state.trees = (state.trees % data.trees) + 1), grow());
  function samples() {
    if (state.isVote || state.trees >= SAMPLES) return;
    sample();
    setTimeout(samples, 900);
  }

  const sheet = picture("The borders of twenty trees and of their vote", (width) => {
    const isNarrow = width < NARROW,
      part = width / planes.length,
      [left, top] = isNarrow ? [26, 44] : [38, 48],
      size = Math.min(part - left - 8, clamp(innerHeight - 580, 280, 400));
    sheet.replaceChildren();
    drawn = planes.map((plane, p) => {
      const from = left + p * part,
        layers = ["tint", "people", "thin", "vote", "lit", "errors"];
      const one = planeOn(sheet, from, top, size, { ...data, ...plane }, layers);
      sheet.append(small(from, 18, isNarrow ? plane.name : `The truth has ${plane.name}`, BOLD));
      one.layers.people.append(
        ...plane.points.map((at) => person(at, one.to, size < 200 ? 1.7 : 3.4)),
      );
      return one;
    });
    show();
    return top + size + BELOW + (isNarrow ? 2 * (ERRORS + 24) : ERRORS);
  });

  /** The errors of the trees and of their vote on one scale, below a plane, or below both. @param {number} p */
  function errorsOf(p) {
    const { single, together, alone, name } = grown[p],
      { to } = drawn[p],
      isNarrow = sheet.wide < NARROW,
      [left, right] = isNarrow ? [0, sheet.wide] : [to.x(0) - 38, to.x(1) + 8],
      x = scale(FROM, UP_TO, left + 120, right - 56),
      at = (/** @type {number} */ error) => x(clamp(100 * error, FROM, UP_TO)),
      best = at(turned),
      top = to.y(0) + BELOW + (isNarrow ? 20 + p * (ERRORS + 24) : 0);
    /** @type {[string, number[], number, Attributes][]} */
    const rows = [
      [state.lit ? `tree ${state.lit}` : "one tree", single, oneOf(single), { class: "dtb-dot" }],
      ["one pruned tree", [], alone, { class: "dtb-knob" }],
    ];
    if (state.isVote) rows.splice(1, 0, ["their vote", [], together, { fill: "currentColor" }]);
    return [
      isNarrow ? small(left, top - 18, `The truth has ${name}`, BOLD) : "",
      line(best, top - 8, best, top + 62, DASHED),
      small(best + 6, top + 62, `${share(turned)} wrong at best`),
      ...rows.flatMap(([name, each, value, look], i) => {
        const cy = top + 20 * i;
        return [
          small(left, cy + 5, name, { "font-weight": 600 }),
          line(x(FROM), cy, x(UP_TO), cy, { "stroke-opacity": 0.25 }),
          ...each.map((error) => circle(at(error), cy, 4, { "fill-opacity": 0.3, ...look })),
          circle(at(value), cy, 7, look),
          small(right, cy + 5, percent(value), { ...END, "font-weight": 600 }),
        ];
      }),
    ];
  }

  const lines = make("span");
  // With one person a leaf all of them are a mesh.
  const areSeen = () => state.isVote && state.leaf > 1;
  function show() {
    if (!drawn || !grown) return;
    const thick = state.isVote && sheet.wide > NARROW ? 5 : 3;
    drawn.forEach(({ to, layers }, p) => {
      const { grids, vote } = grown[p],
        thin = areSeen() ? grids.map((grid) => crossings(grid, to)) : [];
      layers.people.style.opacity = state.isVote ? "0.15" : "";
      layers.tint.replaceChildren(tinted(vote, to));
      layers.thin.replaceChildren(...thin.map((d) => outline(d, { "stroke-opacity": 0.25 })));
      layers.vote.replaceChildren(outline(crossings(vote, to), { "stroke-width": thick }));
    });
    light();
  }

  // What one tree changes: its border, and the errors.
  function light() {
    /** @type {[string, Attributes][]} */
    const there = [
      ["the truth", { "stroke-width": 3, ...DOTTED }],
      [state.isVote ? "the vote" : "the tree", { "stroke-width": 3 }],
      [areSeen() ? "each tree" : "", { "stroke-opacity": 0.5 }],
      [state.lit ? `tree ${state.lit}` : "", ONE_TREE],
    ];
    lines.replaceChildren(legendOf(...there.filter(([name]) => name)));
    drawn.forEach(({ to, layers }, p) => {
      const { grids } = grown[p];
      layers.errors.replaceChildren(...errorsOf(p));
      layers.lit.replaceChildren(
        state.lit ? outline(crossings(grids[state.lit - 1], to), ONE_TREE) : "",
      );
    });
    const told = grown.map(({ name, single, together, alone }) => {
      const by = 100 * ((state.lit ? oneOf(single) : alone) - together);
      return `${Math.abs(by).toFixed(1)} ${by < 0 ? "more" : "fewer"} wrong where the truth has ${name}`;
    });
    /** @type {Link[]} */
    const links = told.map((words, i) => [
      words.split(" ")[0],
      () => [drawn[i]?.layers.vote.firstElementChild],
    ]);
    say(
      state.isVote
        ? `Of 100 new ${what[1]} the vote gets ${told.join(", ")} than ${state.lit ? `tree ${state.lit}` : "one pruned tree"}.`
        : `Sample ${state.trees} of the same ${what[1]} has a tree of its own: what it gets wrong is luck as well.\n`,
      ...links,
    );
  }
  /** @param {number[]} single */
  const oneOf = (single) =>
    state.isVote && !state.lit
      ? sum(single) / single.length
      : single[(state.lit || state.trees) - 1];

  const shown = range(
    "Show one tree",
    { min: 0, max: data.trees, value: 0, words: (v) => (v ? `tree ${v}` : "none") },
    (v) => {
      state.lit = v;
      if (isAll()) return light();
      state.trees = data.trees;
      grow();
    },
  );
  shown.classList.add("dtb-secret");
  play.append(
    quietly(legend(classes), lines),
    sheet.place,
    inRow(
      more,
      choices(
        `Fewest ${what[1]} in a leaf`,
        LEAVES.map(String),
        LEAVES.indexOf(state.leaf),
        (i) => ((state.leaf = LEAVES[i]), draw(state.draw, state.trees)),
      ),
      shown,
    ),
  );
  draw();
  new IntersectionObserver(([{ isIntersecting }], eye) => {
    if (!isIntersecting) return;
    eye.disconnect();
    setTimeout(samples, 600);
  }).observe(sheet);
  return () => (Object.assign(state, { isVote: true, trees: 1 }), vote());
}

start("votes", votesExplorable);
