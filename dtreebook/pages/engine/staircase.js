// A curve drawn by a tree: drag the points, choose the depth; how far the staircase is from the
// points, from the true curve and from new points of it.

import { layout } from "./diagram.js";
import { box, curve, draw, outline, put, rings, small } from "./draw.js";
import { grownOn, numericCases } from "./ground.js";
import { BOLD, DASHED, MIDDLE } from "./looks.js";
import { sum } from "./measures.js";
import { beside, inRow } from "./parts.js";
import { cutAt } from "./prune.js";
import { button, check, grip, hold, primary, range } from "./reach.js";
import { axisX, axisY, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { inDigits, leavesOf, route } from "./tree.js";
import { short, some } from "./words.js";

const STEP = 0.05; // by so much a point is moved
const LEVEL = 24; // a question above the points
const LEVELS = 6;
const FAR = { fill: "#D55E00", "fill-opacity": 0.45, stroke: "none" };
const OWN = { fill: "currentColor", "fill-opacity": 0.35 };
const MISS = { "stroke-width": 1.5, "stroke-opacity": 0.5 };

/**
 * @type {Build<{x: number[], y: number[], truth: number[], fresh: number[], names: [string, string],
 *   depths: number}>}
 */
function staircaseExplorable(play, data, say) {
  const { x, truth, fresh, depths } = data,
    [nameX, nameY] = data.names;
  const held = Math.floor(0.45 * x.length);
  const state = { y: [...data.y], depth: Math.min(2, depths), leaf: 1, truth: false, held };
  const span = (/** @type {number[]} */ numbers) => Math.max(...numbers) - Math.min(...numbers);
  const pad = 0.12 * span(data.y),
    /** @type {Point} */ ends = [Math.min(...data.y) - pad, Math.max(...data.y) + pad];
  const moving = draw("g"),
    atY = scale(...ends, 400, LEVEL * LEVELS + 34);
  const points = draw("g"),
    unseen = draw("g"); // the true curve
  let /** @type {Scale} */ atX;

  // The tree of every depth: the deepest, cut there.
  function treesOf() {
    const options = { maxDepth: depths, minLeaf: state.leaf },
      full = grownOn(numericCases([nameX], [x], state.y), options),
      { depth } = layout(full);
    return Array.from({ length: depths + 1 }, (_, most) => cutAt(full, (i) => depth[i] >= most));
  }
  /** @param {Tree} of @param {number} value */
  const said = (of, value) => of.nodes[route(of, [value])].label;
  /** @param {Tree} of @param {number[]} goal */
  const squares = (of, goal) => sum(x.map((value, i) => (said(of, value) - goal[i]) ** 2));

  const label = `${nameY} along ${nameX}: the points, and the staircase of the tree`;
  const sheet = picture(label, (width) => {
    atX = scale(Math.min(...x) - 0.02 * span(x), Math.max(...x) + 0.02 * span(x), 48, width - 12);
    points.replaceChildren(
      ...x.map((_, i) =>
        draw(
          "g",
          {
            class: "dtb-grip",
            pointerdown: (event) => {
              state.held = i;
              hold(sheet, event, ([, py]) => lift(Math.round((atY.back(py) - ends[0]) / STEP)));
            },
          },
          draw("circle", { r: 12, class: "dtb-reach" }),
          draw("circle", { r: 5, fill: "currentColor", "fill-opacity": 0.75 }),
        ),
      ),
    );
    x.forEach((_, i) => place(i));
    unseen.replaceChildren(curve(curved(), { "stroke-width": 3, ...DASHED }));
    sheet.replaceChildren(
      axisX(atX, 410, Math.min(...x), Math.max(...x), nameX),
      axisY(48, atY, ...ends, nameY),
      unseen,
      moving,
      points,
      knob,
    );
    show();
    return 452;
  });
  const knob = grip(sheet, {
    label: "Point: up and down move it, left and right choose one",
    count: () => Math.floor((ends[1] - ends[0]) / STEP) + 1,
    at: () => Math.round((state.y[state.held] - ends[0]) / STEP),
    place: (at) => [atX(x[state.held]), atY(ends[0] + at * STEP)],
    words: () => `${nameX} ${x[state.held]}, ${nameY} ${short(state.y[state.held], 2)}`,
    onMove: lift,
  });

  const curved = () => x.map((value, i) => /** @type {Point} */ ([atX(value), atY(truth[i])]));
  const place = (/** @type {number} */ i) =>
    put(points.children[i], { transform: `translate(${atX(x[i])} ${atY(state.y[i])})` });
  function lift(/** @type {number} */ stop) {
    state.y[state.held] = Number((ends[0] + stop * STEP).toFixed(2));
    place(state.held);
    show();
  }

  // The questions of the tree, each over its part of the axis; below, its steps.
  /** @param {NumberedTree<Threshold>} tree @param {number} i @param {number} low @param {number} high */
  function stepsOf(tree, i, low, high, row = 0) {
    const { split, children, label } = tree.nodes[i];
    if (!split) {
      steps.push([atX(low), atY(label)], [atX(high), atY(label)]);
      return;
    }
    const at = atX(split.cut),
      y = 14 + LEVEL * row;
    if (row < LEVELS) {
      if (row === Math.min(state.depth, LEVELS) - 1) asked.cuts += `M${at} ${y}V${atY(ends[0])}`;
      asked.parts += `M${atX(low) + 2} ${y}H${atX(high) - 2}`;
      asked.places.push([at, y, 4]);
      (named[row] ??= []).push([at, y + 16, `≤ ${inDigits(split.cut, 3)}`]);
    }
    stepsOf(tree, children[0], low, split.cut, row + 1);
    stepsOf(tree, children[1], split.cut, high, row + 1);
  }
  let /** @type {Point[]} */ steps = [],
    asked = { cuts: "", parts: "", places: /** @type {[number, number, number][]} */ ([]) },
    /** @type {[number, number, string][][]} */ named = [];

  function show() {
    if (!atX) return;
    const trees = treesOf(),
      tree = trees[state.depth];
    [steps, asked, named] = [[], { cuts: "", parts: "", places: [] }, []];
    stepsOf(tree, 0, Math.min(...x), Math.max(...x));
    // The first rows have their numbers where there is room for all of them.
    const numbers = named
      .slice(0, 3)
      .filter((row) => row.every(([at], i) => !i || at - row[i - 1][0] > 58))
      .flatMap((row) => row.map((one) => small(...one, { ...MIDDLE, class: "dtb-halo" })));
    const ways = x.map((at, i) => `M${atX(at)} ${atY(state.y[i])}V${atY(said(tree, at))}`),
      misses = outline(ways.join(""), MISS);
    const stairs = curve(steps, { class: "dtb-one", "stroke-width": 4 });
    moving.replaceChildren(
      outline(asked.cuts, { "stroke-opacity": 0.4, ...DASHED }),
      outline(asked.parts, { class: "dtb-one", "stroke-width": 2 }),
      rings(asked.places, { class: "dtb-dot", stroke: "none" }),
      ...numbers,
      misses,
      state.truth ? curve([...steps, ...curved().reverse()], FAR) : "",
      stairs,
    );
    points.style.opacity = misses.style.opacity = state.truth ? "0.35" : "";
    unseen.style.display = state.truth ? "" : "none";
    knob.show();
    showErrors(trees);
    const leaves = leavesOf(tree).length,
      own = short(squares(tree, state.y), 2);
    const far = state.truth
      ? ` From the true curve it is off by ${short(squares(tree, truth), 2)}; on ${x.length} new points it leaves ${short(squares(tree, fresh), 2)}.`
      : "";
    say(
      `Depth ${layout(tree).deepest}: ${some(leaves, "leaf has", "leaves have")} a squared error of ${own}.\n${far}`,
      [some(leaves, "leaf", "leaves"), () => [stairs]],
      [own, () => [misses]],
    );
  }

  const errors = picture("What each depth leaves", () => (show(), 248));

  /** What every depth misses: bars for the points and, beside them, for the true curve. @param {Tree[]} trees */
  function showErrors(trees) {
    const own = trees.map((tree) => squares(tree, state.y)),
      far = state.truth ? trees.map((tree) => squares(tree, truth)) : [],
      y = scale(0, Math.max(...own, ...far), 184, 54),
      step = (errors.wide - 4) / trees.length,
      half = (step - 8) / (state.truth ? 2 : 1);
    /** @type {(left: number, error: number, look: Attributes) => Element} */
    const bar = (left, error, look) => box(left, y(error), half - 1, 184 - y(error), look);
    errors.replaceChildren(
      small(0, 14, "Squared error at each depth", BOLD),
      ...own.flatMap((error, depth) => {
        const isHere = depth === state.depth,
          middle = step * depth + step / 2 - 4;
        return [
          bar(step * depth, error, isHere ? { class: "dtb-dot" } : OWN),
          small(middle, 202, depth, { ...MIDDLE, "font-weight": isHere ? 700 : 400 }),
          small(middle, 220, inDigits(error, 2, 0), MIDDLE),
        ];
      }),
      ...far.flatMap((error, depth) => {
        const isBest = error === Math.min(...far);
        return [
          bar(step * depth + half, error, { ...FAR, "fill-opacity": 0.8 }),
          small(step * depth + step / 2 - 4, 238, `${isBest ? "★" : ""}${inDigits(error, 2, 0)}`, {
            ...MIDDLE,
            ...(isBest ? { class: "dtb-done" } : {}),
          }),
        ];
      }),
      box(0, 25, 12, 12, OWN),
      small(17, 36, "from the points"),
      ...(state.truth
        ? [
            box(128, 25, 12, 12, { ...FAR, "fill-opacity": 0.8 }),
            small(145, 36, "from the true curve"),
          ]
        : []),
    );
  }

  function goTo(/** @type {number} */ to) {
    state.depth = to;
    deeper.disabled = to === depths;
    deep.set(state.depth);
    show();
  }
  const unveil = check(
    "show the true curve, and how far it is",
    false,
    (on) => ((state.truth = on), show()),
  );
  unveil.classList.add("dtb-secret");
  const deeper = primary("One question deeper", () => goTo(state.depth + 1));
  const again = button("The points as they were", () => ((state.y = [...data.y]), sheet.paint()));
  const deep = range("Depth", { min: 0, max: depths, value: state.depth }, goTo);
  play.append(
    beside(
      sheet.place,
      inRow(deeper, again),
      deep,
      errors.place,
      range(
        "Fewest points in a leaf",
        { min: 1, max: 20, value: 1 },
        (v) => ((state.leaf = v), show()),
      ),
      unveil,
    ),
  );
  // The point that was chosen; left and right choose another.
  sheet.addEventListener(
    "keydown",
    (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || !x[state.held + by]) return;
      event.preventDefault();
      event.stopPropagation();
      state.held += by;
      show();
    },
    true,
  );
  return (best) => {
    unveil.input.checked = state.truth = true;
    goTo(best);
  };
}

start("staircase", staircaseExplorable);
