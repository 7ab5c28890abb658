// Can poor trees vote well? On planes whose truth is known a tree is grown on one bootstrap sample after
// another, each with luck of its own; then all vote, and the border of the vote is seen to settle.

import { canvasBelow, crossings, errorOf, gridOf, tint, WRONG } from "./border.js";
import { become, circle, line, outline, small } from "../kit/draw.js";
import { casesOf, grownOn, person, planeOn, TRUTH } from "../kit/regions.js";
import { BOLD, DASHED, END } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { inRow, legend, legendOf, quietly } from "../kit/legends.js";
import { randomOf } from "../algorithms/random.js";
import { choices, grip, primary } from "../kit/reach.js";
import { clamp, keyOf, picture, scale } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { route } from "../algorithms/tree.js";
import { percent, share } from "../kit/words.js";

const LEFT = 38; // of a plane
const TOP = 34;
const NARROW = 560;
const SAMPLES = 6; // that are seen to come, one after another
const ONE_TREE = { class: "dtb-one", "stroke-width": 3 };
const VOTE = { "stroke-width": 3 };
const FROM = 0.15; // errors that the drawing reaches from and to
const UP_TO = 0.4;

/** @typedef {{name: string, points: Person[], test: Person[], border: Point[], pruned: PlaneTree}} Voted */
/** What a tree or a vote answers in each cell, and to each new person. @typedef {{grid: Float64Array[], said: Float64Array}} Answers */

/** @type {Build<Omit<Plane, "points"> & {turned: number, trees: number, planes: Voted[]}>} */
function votesExplorable(play, data, say) {
  const { classes, turned, planes, what } = data;
  const LEAVES = [1, 5, 15],
    CELLS = 60;
  const state = { draw: 1, leaf: 15, lit: 0, trees: 1, isVote: false };
  let /** @type {Drawn[]} */ drawn,
    /** @type {ReturnType<typeof votesOn>[]} */ grown,
    /** @type {{random: ReturnType<typeof randomOf>, answers: Answers[]}[]} */ draws;

  // The trees of a draw, the same for the same number: what each answers.
  function draw() {
    draws = planes.map(() => ({ random: randomOf(`draw ${state.draw}`), answers: [] }));
    grow();
  }
  /** @param {PlaneTree} tree @param {Person[]} test @returns {Answers} */
  const answersOf = (tree, test) => {
    /** @param {number} x @param {number} y */
    const answer = (x, y) => {
      const { counts } = tree.nodes[route(tree, [x, y])];
      return counts[1] / sum(counts);
    };
    return {
      grid: gridOf(CELLS, answer),
      said: Float64Array.from(test, ([x, y]) => answer(x, y)),
    };
  };
  /** @param {Float64Array[]} rows */
  const meanOf = (rows) => rows[0].map((_, i) => sum(rows.map((row) => row[i])) / rows.length);

  /** @param {Voted} plane @param {number} p */
  const votesOn = ({ name, points, test, pruned }, p) => {
    const { random, answers: all } = draws[p];
    while (all.length < state.trees) {
      const some = points.map(() => random.one(points));
      all.push(answersOf(grownOn(casesOf(data, some), { minLeaf: state.leaf }), test));
    }
    const answers = all.slice(0, state.trees),
      grids = answers.map(({ grid }) => grid),
      voters = state.isVote ? answers : answers.slice(-1),
      vote = grids[0].map((_, j) => meanOf(voters.map(({ grid }) => grid[j]))),
      said = meanOf(voters.map((voter) => voter.said));
    const [together, alone, ...single] = [
      said,
      answersOf(pruned, test).said,
      ...answers.map((one) => one.said),
    ].map((each) => errorOf(each, test));
    // The trees, the best first.
    const order = [...grids.keys()].sort((a, b) => single[a] - single[b]);
    return { name, grids, vote, single, order, together, alone };
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
    Object.assign(state, { draw: state.draw + 1, trees: 1 });
    draw();
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

  const sheet = picture("The borders of twenty trees and of their vote", (width) => {
    const isWide = width > NARROW, // else the planes stand below each other
      part = isWide ? width / planes.length : width,
      high = isWide ? clamp(innerHeight - 570, 270, 400) : 190,
      tall = TOP + high + 128,
      layers = ["people", "vote", "lit", "errors", "one"];
    sheet.replaceChildren();
    drawn = planes.map((plane, p) => {
      const left = LEFT + (isWide ? p * part : 0),
        top = TOP + (isWide ? 0 : p * tall),
        about = { ...data, ...plane, look: {} };
      const one = planeOn(sheet, left, top, part - LEFT - 24, about, layers, high);
      one.layers.people.append(...plane.points.map((at) => person(at, one.to, 3.4)));
      sheet.append(...keyOf(left + 34, top - 10, `The truth has ${plane.name}`, TRUTH), knobs[p]);
      return one;
    });
    show();
    return isWide ? tall : tall * planes.length;
  });

  const canvases = planes.map(() => canvasBelow(sheet));

  // Where an error is drawn below its plane, on one scale for all.
  /** @param {number} p @param {number} error @returns {Point} */
  const errorAt = (p, error, row = 0) => {
    const { x, y } = drawn[p].to,
      across = scale(FROM, UP_TO, x(0) + 92, x(1) - 50);
    return [across(clamp(error, FROM, UP_TO)), y(0) + 56 + 22 * row];
  };
  // The tree that is looked at: the latest, or one that was chosen.
  const treeNow = () => Math.min(state.lit || data.trees, state.trees);
  const oneOf = (/** @type {number} */ p) => grown[p].single[treeNow() - 1];
  // One tree is taken along the errors of all.
  const knobs = planes.map(({ name }, p) =>
    grip(sheet, {
      label: `One tree where the truth has ${name}`,
      count: () => grown[p].order.length,
      at: () => grown[p].order.indexOf(treeNow() - 1),
      place: (at) => errorAt(p, grown[p].single[grown[p].order[at]]),
      words: () => `tree ${treeNow()}: ${percent(oneOf(p))}`,
      onMove: (at) => ((state.lit = grown[p].order[at] + 1), light()),
    }),
  );

  /** A row of errors: the border that they are of, its name, and one of them. @param {number} p @param {number} i @param {string} name @param {number} error @param {Attributes} look */
  function rowOf(p, i, name, error, look) {
    const { x } = drawn[p].to,
      [from, y] = errorAt(p, 0, i);
    return [
      line(from, y, errorAt(p, 1)[0], y, { "stroke-opacity": 0.25 }),
      ...keyOf(x(0) - LEFT, y + 5, name, look),
      small(x(1) + 8, y + 5, percent(error), { ...END, ...BOLD }),
    ];
  }

  /** The errors of all trees, of one that was pruned, and of the vote, below a plane. @param {number} p */
  function errorsOf(p) {
    const { single, together, alone } = grown[p],
      [best, top] = errorAt(p, turned);
    return [
      line(best, top - 8, best, top + 66, DASHED),
      small(best + 6, top + 66, `${share(turned)} wrong at best`),
      ...single.map((error) =>
        circle(...errorAt(p, error), 4, { "fill-opacity": 0.3, class: "dtb-dot" }),
      ),
      ...rowOf(p, 1, "pruned tree", alone, { stroke: "none" }),
      circle(...errorAt(p, alone, 1), 7, { class: "dtb-knob" }),
      ...(state.isVote ? rowOf(p, 2, "their vote", together, VOTE) : []),
      state.isVote ? circle(...errorAt(p, together, 2), 7) : "",
    ];
  }

  function show() {
    if (!drawn || !grown) return;
    drawn.forEach(({ to, layers }, p) => {
      const { vote } = grown[p];
      layers.people.style.opacity = state.isVote ? "0" : "0.5";
      tint(canvases[p], vote, to, planes[p].border);
      become(layers.vote, state.isVote ? outline(crossings(vote, to), VOTE) : "");
      become(layers.errors, errorsOf(p));
    });
    light();
  }

  // What one tree changes: its border, and its error.
  function light() {
    const { isVote, lit } = state,
      tree = treeNow();
    drawn.forEach(({ to, layers }, p) => {
      become(layers.one, ...rowOf(p, 0, `tree ${tree}`, oneOf(p), ONE_TREE));
      // Beside the vote, that of a tree which was chosen; the others are in the tint.
      const isSeen = lit || !isVote;
      become(layers.lit, isSeen ? outline(crossings(grown[p].grids[tree - 1], to), ONE_TREE) : "");
      knobs[p].show();
    });
    // The vote beside one tree; before it, one tree beside one that was pruned.
    const told = grown.map(({ name, together, alone }, p) => {
      const [from, to] = isVote ? [lit ? oneOf(p) : alone, together] : [alone, oneOf(p)],
        by = 100 * (to - from);
      return `${Math.abs(by).toFixed(1)} ${by > 0 ? "more" : "fewer"} wrong where the truth has ${name}`;
    });
    say(
      `Of 100 new ${what[1]} ${isVote ? "the vote" : `tree ${tree}`} gets ${told.join(", ")} than ${isVote && lit ? `tree ${tree}` : "one pruned tree"}.${isVote ? "" : "\n"}`,
      ...told.map(
        (words, p) =>
          /** @type {Link} */ ([
            words.split(" ")[0],
            () => [drawn[p].layers[isVote ? "vote" : "lit"].firstElementChild],
          ]),
      ),
    );
  }

  play.append(
    quietly(legend(classes), legendOf(["wrong here", { "stroke-width": 16, ...WRONG }])),
    sheet.place,
    inRow(
      more,
      choices(
        `Fewest ${what[1]} in a leaf`,
        LEAVES.map(String),
        LEAVES.indexOf(state.leaf),
        (i) => ((state.leaf = LEAVES[i]), draw()),
      ),
    ),
  );
  draw();
  // When it is seen and its knobs nudge; where nothing shall move, nothing does.
  sheet.addEventListener("animationstart", samples, { once: true });
  return () => (Object.assign(state, { isVote: true, trees: 1, lit: 0 }), vote());
}

start("votes", votesExplorable);
