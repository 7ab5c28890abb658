// Can poor trees vote well? On planes whose truth is known a tree is grown on one bootstrap sample after
// another, each with luck of its own; then all vote, and the border of the vote is seen to settle.

import { canvasBelow, crossings, errorOf, gridOf, tint, WRONG } from "./border.js";
import { become, circle, line, make, outline, small } from "./draw.js";
import { casesOf, grownOn, person, planeOn } from "./ground.js";
import { BOLD, DASHED, DOTTED, END } from "./looks.js";
import { sum } from "./measures.js";
import { inRow, legend, legendOf, quietly } from "./parts.js";
import { randomOf } from "./random.js";
import { choices, grip, primary } from "./reach.js";
import { clamp, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { route } from "./tree.js";
import { percent, share } from "./words.js";

const LEFT = 38; // of a plane
const TOP = 34;
const NARROW = 560;
const SAMPLES = 6; // that are seen to come, one after another
const ONE_TREE = { class: "dtb-one", "stroke-width": 2.5 };
const THICK = { "stroke-width": 4 };
const FROM = 0.15; // errors that the drawing reaches from and to
const UP_TO = 0.4;

/** @typedef {{name: string, points: Person[], border: Point[], pruned: PlaneTree}} Voted */

/** @type {Build<Omit<Plane, "points"> & {turned: number, trees: number, planes: Voted[]}>} */
function votesExplorable(play, data, say) {
  const { classes, turned, planes, what } = data;
  const LEAVES = [1, 5, 15],
    CELLS = 60;
  const state = { draw: 1, leaf: 15, lit: 0, trees: 1, isVote: false, plane: 1 };
  let /** @type {Drawn[]} */ drawn,
    /** @type {ReturnType<typeof votesOn>[]} */ grown,
    /** @type {{random: ReturnType<typeof randomOf>, grids: Float64Array[][]}[]} */ draws;

  // The trees of a draw, the same for the same number: what each answers in each cell.
  function draw(number = state.draw, trees = 1) {
    Object.assign(state, { draw: number, trees: state.lit ? state.trees : trees });
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
    const wrongOf = (/** @type {Float64Array[]} */ grid) => errorOf(grid, border, turned);
    const single = grids.map(wrongOf);
    // The trees by their errors, the best first; before them what stands for all, their mean.
    const order = single.map((error, t) => [t + 1, error]).sort((a, b) => a[1] - b[1]),
      mean = sum(single) / single.length,
      stops = [[0, state.isVote ? mean : single[single.length - 1]], ...order];
    const [together, alone] = [wrongOf(vote), wrongOf(answersOf(pruned))];
    return { name, grids, vote, single, stops, together, alone };
  };

  function grow() {
    grown = planes.map(votesOn);
    become(more, state.isVote ? `Draw another ${data.trees}` : "Draw another sample");
    show();
  }
  // From one tree to all of them, so that their vote is seen to settle; then as many others.
  function vote() {
    state.trees = Math.min(2 * state.trees + 1, data.trees);
    grow();
    if (state.trees < data.trees) setTimeout(vote, 400);
  }
  const more = primary("", () => {
    if (!state.isVote) return sample();
    draw(state.draw + 1);
    vote();
  });
  // Before they vote: the tree of one more sample, alone.
  function sample() {
    Object.assign(state, { trees: (state.trees % data.trees) + 1, lit: 0 });
    grow();
  }
  function samples() {
    if (state.isVote || state.trees >= SAMPLES) return;
    sample();
    setTimeout(samples, 900);
  }

  // A phone has room for one plane.
  const names = planes.map(({ name }) => name);
  const take = (/** @type {number} */ p) =>
    ((state.plane = p), sheet.paint());
  const truth = choices("The truth has", names, state.plane, take);
  const sheet = picture("The borders of twenty trees and of their vote", (width) => {
    truth.hidden = width > NARROW;
    const part = truth.hidden ? width / planes.length : width,
      high = clamp(innerHeight - 570, 270, 400),
      layers = ["people", "thin", "vote", "lit", "errors"];
    sheet.replaceChildren();
    drawn = [];
    planes.forEach((plane, p) => {
      canvases[p].hidden = !truth.hidden && p !== state.plane;
      if (canvases[p].hidden) return;
      const left = LEFT + (truth.hidden ? p * part : 0);
      const one = planeOn(sheet, left, TOP, part - LEFT - 24, { ...data, ...plane }, layers, high);
      one.layers.people.append(...plane.points.map((at) => person(at, one.to, 3.4)));
      one.layers.thin.classList.add("dtb-secret");
      sheet.append(small(left + 40, TOP - 10, `The truth has ${plane.name}`, BOLD), knobs[p]);
      drawn[p] = one;
    });
    show();
    return TOP + high + 128;
  });

  const canvases = planes.map(() => canvasBelow(sheet));

  // Where an error is drawn below its plane, on one scale for all.
  /** @param {number} p @param {number} error @returns {Point} */
  const errorAt = (p, error, row = 0) => {
    const { x, y } = drawn[p].to,
      across = scale(FROM, UP_TO, x(0) + 86, x(1) - 50);
    return [across(clamp(error, FROM, UP_TO)), y(0) + 56 + 22 * row];
  };
  const atOf = (/** @type {number} */ p) => grown[p].stops.findIndex(([t]) => t === state.lit);
  const oneOf = (/** @type {number} */ p) => grown[p].stops[atOf(p)][1];
  const treeName = () => (state.lit ? `tree ${state.lit}` : "one tree");
  // One tree is taken along the errors of all.
  const knobs = planes.map((_, p) =>
    grip(sheet, {
      label: `One tree where the truth has ${names[p]}`,
      count: () => grown[p].stops.length,
      at: () => atOf(p),
      place: (at) => errorAt(p, grown[p].stops[at][1]),
      words: () => `${treeName()}: ${percent(oneOf(p))}`,
      onMove: (at) => ((state.lit = grown[p].stops[at][0]), light()),
    }),
  );

  /** The errors of the trees and of their vote, below a plane. @param {number} p */
  function errorsOf(p) {
    const { single, together, alone } = grown[p],
      { x } = drawn[p].to,
      [best, top] = errorAt(p, turned);
    /** @type {[string, number[], number, Attributes][]} */
    const rows = [
      [treeName(), single, oneOf(p), { class: "dtb-dot" }],
      ["one pruned tree", [], alone, { class: "dtb-knob" }],
    ];
    if (state.isVote) rows.splice(1, 0, ["their vote", [], together, { fill: "currentColor" }]);
    return [
      line(best, top - 8, best, top + 66, DASHED),
      small(best + 6, top + 66, `${share(turned)} wrong at best`),
      ...rows.flatMap(([name, each, value, look], i) => {
        const [at, cy] = errorAt(p, value, i);
        return [
          small(x(0) - LEFT, cy + 5, name, { "font-weight": 600 }),
          line(errorAt(p, 0)[0], cy, errorAt(p, 1)[0], cy, { "stroke-opacity": 0.25 }),
          ...each.map((error) =>
            circle(errorAt(p, error)[0], cy, 4, { "fill-opacity": 0.3, ...look }),
          ),
          circle(at, cy, 7, look),
          small(x(1) + 8, cy + 5, percent(value), { ...END, "font-weight": 600 }),
        ];
      }),
    ];
  }

  const lines = make("span");
  function show() {
    if (!drawn || !grown) return;
    // With one person a leaf all of them are a mesh: it is pale.
    const each = { "stroke-opacity": 0.02 * state.leaf };
    /** @type {[string, Attributes][]} */
    const kinds = [
      [state.isVote ? "vote" : "tree", THICK],
      ["truth", { "stroke-width": 3, ...DOTTED }],
      ["each tree", each],
      ["wrong here", { "stroke-width": 16, stroke: WRONG }],
    ];
    become(lines, legendOf(...(state.isVote ? kinds : kinds.slice(0, 1))));
    drawn.forEach(({ to, layers }, p) => {
      const { grids, vote } = grown[p],
        thin = grids.map((grid) => outline(crossings(grid, to), each));
      layers.people.style.opacity = state.isVote ? "0.15" : "";
      tint(canvases[p], vote, to, state.isVote && planes[p].border);
      become(layers.thin, thin);
      become(layers.vote, outline(crossings(vote, to), THICK));
    });
    light();
  }

  // What one tree changes: its border, and the errors.
  function light() {
    drawn.forEach(({ to, layers }, p) => {
      const { grids } = grown[p];
      become(layers.errors, errorsOf(p));
      become(layers.lit, state.lit ? outline(crossings(grids[state.lit - 1], to), ONE_TREE) : "");
      knobs[p].show();
    });
    const told = grown.map(({ name, together, alone }, p) => {
      const by = 100 * ((state.lit ? oneOf(p) : alone) - together);
      return `${Math.abs(by).toFixed(1)} ${by < 0 ? "more" : "fewer"} wrong where the truth has ${name}`;
    });
    say(
      state.isVote
        ? `Of 100 new ${what[1]} the vote gets ${told.join(", ")} than ${state.lit ? treeName() : "one pruned tree"}.`
        : `Sample ${state.trees} of the same ${what[1]} has a tree of its own: what it gets wrong is luck as well.\n`,
      ...told.map(
        (words, p) =>
          /** @type {Link} */ ([
            words.split(" ")[0],
            () => [drawn[p]?.layers.vote.firstElementChild],
          ]),
      ),
    );
  }

  play.append(
    quietly(legend(classes), lines),
    truth,
    sheet.place,
    inRow(
      more,
      choices(
        `Fewest ${what[1]} in a leaf`,
        LEAVES.map(String),
        LEAVES.indexOf(state.leaf),
        (i) => ((state.leaf = LEAVES[i]), draw(state.draw, state.trees)),
      ),
    ),
  );
  draw();
  new IntersectionObserver(([{ isIntersecting }], eye) => {
    if (!isIntersecting) return;
    eye.disconnect();
    setTimeout(samples, 600);
  }).observe(sheet);
  return () => (Object.assign(state, { isVote: true, trees: 1, lit: 0 }), vote());
}

start("votes", votesExplorable);
