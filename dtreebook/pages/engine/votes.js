// The vote of twenty trees and its border: trees of bootstrap samples on planes whose truth is
// known.

import { crossings, errorOf, gridOf, tinted } from "./border.js";
import { circle, line, make, outline, small, text } from "./draw.js";
import { casesOf, grownOn, people, planeOn } from "./ground.js";
import { BOLD, DASHED, DOTTED, END } from "./looks.js";
import { sum } from "./measures.js";
import { inRow, legend, legendOf } from "./parts.js";
import { randomOf } from "./random.js";
import { choices, primary, range } from "./reach.js";
import { axisX, clamp, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { route } from "./tree.js";
import { percent, share } from "./words.js";

const BELOW = 58; // where the errors are
const ERRORS = 90; // and how high those of a plane
const NARROW = 560;
const ONE_TREE = { class: "dtb-one", "stroke-width": 3 };
const FROM = 15; // per cent of errors that the drawing reaches from and to
const UP_TO = 40;

/** @typedef {{name: string, points: Person[], border: Point[], pruned: PlaneTree}} Voted */

/** @type {Build<Omit<Plane, "points"> & {turned: number, trees: number, planes: Voted[]}>} */
function votesExplorable(play, data, say) {
  const { classes, turned, planes, what } = data;
  const LEAVES = [1, 5, 15],
    CELLS = 60;
  const state = { draw: 1, leaf: 15, lit: 0, trees: 1, plane: 0 };
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
    const { random, grids } = draws[p],
      vote = gridOf(CELLS, () => 0);
    while (grids.length < state.trees) {
      const some = points.map(() => random.one(points));
      grids.push(answersOf(grownOn(casesOf(data, some), { minLeaf: state.leaf })));
    }
    for (const grid of grids)
      grid.forEach((row, j) => row.forEach((value, i) => (vote[j][i] += value / grids.length)));
    const single = grids.map((grid) => errorOf(grid, border, turned));
    const both = [vote, answersOf(pruned)],
      [together, alone] = both.map((grid) => errorOf(grid, border, turned));
    return { name, grids, vote, single, together, alone };
  };

  function grow() {
    grown = planes.map(votesOn);
    more.textContent = isAll() ? `Draw another ${data.trees}` : `Let ${data.trees} trees vote`;
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
    if (isAll()) draw(state.draw + 1);
    vote();
  });

  const sheet = picture("The borders of twenty trees and of their vote", (width) => {
    const isNarrow = width < NARROW,
      part = width / (isNarrow ? 1 : planes.length),
      top = isNarrow ? 30 : 48,
      size = Math.min(part - 52, clamp(innerHeight - 540, 280, 400));
    sheet.replaceChildren();
    one.style.display = isNarrow ? "" : "none";
    drawn = [];
    planes.forEach((plane, p) => {
      if (isNarrow && p !== state.plane) return;
      const left = 38 + (isNarrow ? 0 : p) * part,
        layers = ["tint", "people", "thin", "lit", "vote", "errors"];
      if (!isNarrow) sheet.append(text(left, 18, `The truth has ${plane.name}`, BOLD));
      drawn[p] = planeOn(sheet, left, top, size, { ...data, ...plane }, layers);
      drawn[p].layers.people.append(...people(plane.points, drawn[p].to));
    });
    show();
    return top + size + BELOW + ERRORS + (isNarrow ? ERRORS + 20 : 0);
  });
  // Where there is room for one plane alone.
  const names = planes.map(({ name }) => name);
  const one = choices("The truth has", names, 0, (p) => ((state.plane = p), sheet.paint()));

  /** The errors of the trees and of their vote on one scale, below a plane. @param {number} p @param {Axes} to @param {number} below @param {boolean} isLast */
  function errorsOf(p, to, below, isLast) {
    const { single, together, alone } = grown[p],
      [left, right] = [to.x(0) - 38, to.x(1) + 8],
      x = scale(FROM, UP_TO, left + 120, right - 50),
      at = (/** @type {number} */ error) => x(clamp(100 * error, FROM, UP_TO)),
      best = at(turned),
      top = to.y(0) + below,
      mean = oneOf(single);
    /** @type {[string, number[], number, Attributes][]} */
    const rows = [
      [state.lit ? `tree ${state.lit}` : "one tree", single, mean, { class: "dtb-dot" }],
      ["one pruned tree", [], alone, { class: "dtb-knob" }],
    ];
    if (state.trees > 1) rows.splice(1, 0, ["their vote", [], together, { fill: "currentColor" }]);
    return [
      line(best, top - 8, best, top + (isLast ? 68 : 50), DASHED),
      ...(isLast
        ? [
            axisX(x, top + 68, FROM, UP_TO, "", (right - left) / 80),
            small(left, top + 87, "% wrong"),
            small(best + 6, top + 62, `${share(turned)} at best`),
          ]
        : []),
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

  const lines = make("div");
  /** The lines that are there. */
  function nameLines() {
    const isVote = state.trees > 1;
    /** @type {[string, Attributes][]} */
    const there = [
      ["the truth", { "stroke-width": 3, ...DOTTED }],
      [isVote ? "where the vote turns" : "the tree", { "stroke-width": 3.2 }],
    ];
    if (isVote && state.leaf > 1) there.push(["each tree", { "stroke-opacity": 0.5 }]);
    if (state.lit) there.push(["the tree shown", ONE_TREE]);
    lines.replaceChildren(legendOf(...there));
  }

  function show() {
    if (!drawn || !grown) return;
    drawn.forEach(({ to, layers }, p) => {
      const { grids, vote } = grown[p];
      layers.people.style.opacity = state.trees > 1 ? "0.15" : "";
      layers.tint.replaceChildren(tinted(vote, to));
      // With one person a leaf all of them are a mesh.
      const thin = state.leaf > 1 ? grids.map((grid) => crossings(grid, to)) : [];
      layers.thin.replaceChildren(...thin.map((d) => outline(d, { "stroke-opacity": 0.25 })));
      layers.vote.replaceChildren(outline(crossings(vote, to), { "stroke-width": 3.2 }));
    });
    light();
  }

  // What one tree changes: its border, and the errors.
  function light() {
    nameLines();
    drawn.forEach(({ to, layers }, p) => {
      const { grids } = grown[p];
      // A plane that is alone has the errors on both below it, which are compared.
      layers.errors.replaceChildren(
        ...(sheet.wide < NARROW
          ? planes.flatMap(({ name }, q) => {
              const below = BELOW + 20 + ERRORS * q,
                [left, top] = [to.x(0) - 38, to.y(0) + below - 16];
              return [
                small(left, top, `The truth has ${name}`, BOLD),
                ...errorsOf(q, to, below, q > 0),
              ];
            })
          : errorsOf(p, to, BELOW, true)),
      );
      layers.lit.replaceChildren(
        state.lit ? outline(crossings(grids[state.lit - 1], to), ONE_TREE) : "",
      );
    });
    const told = grown.map(({ name, single, together }) => {
      const by = 100 * (oneOf(single) - together);
      return `${Math.abs(by).toFixed(1)} ${by < 0 ? "more" : "fewer"} wrong where the truth has ${name}`;
    });
    /** @type {Link[]} */
    const links = told.map((words, i) => [
      words.split(" ")[0],
      () => [drawn[i]?.layers.vote.firstElementChild],
    ]);
    say(
      state.trees > 1
        ? `Of 100 new ${what[1]} the vote gets ${told.join(", ")} than ${state.lit ? `tree ${state.lit}` : "one tree on average"}.`
        : "One tree follows the luck of its draw.",
      ...links,
    );
  }
  /** @param {number[]} single */
  const oneOf = (single) => (state.lit ? single[state.lit - 1] : sum(single) / single.length);

  play.append(
    legend(classes),
    inRow(more, lines),
    one,
    sheet.place,
    inRow(
      choices(
        `Fewest ${what[1]} in a leaf`,
        LEAVES.map(String),
        LEAVES.indexOf(state.leaf),
        (i) => ((state.leaf = LEAVES[i]), draw(state.draw, state.trees)),
      ),
      range(
        "Show one tree",
        { min: 0, max: data.trees, value: 0, words: (v) => (v ? `tree ${v}` : "none") },
        (v) => {
          state.lit = v;
          if (isAll()) return light();
          state.trees = data.trees;
          grow();
        },
      ),
    ),
  );
  draw();
}

start("votes", votesExplorable);
