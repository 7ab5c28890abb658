// A curve drawn by a tree: drag the points, choose the depth; how far the staircase is from the
// points, from the true curve and from new points of it.

import { layout } from "../kit/diagram.js";
import { become, box, curve, draw, line, outline, put, rings, small } from "../kit/draw.js";
import { grownOn, numericCases } from "../kit/regions.js";
import { BOLD, DASHED, MIDDLE, RAIL } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { beside, inRow } from "../kit/legends.js";
import { cutAt } from "../algorithms/prune.js";
import { button, check, grip, hold, primary } from "../kit/reach.js";
import { axisX, axisY, onSheet, picture, scale } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { inDigits, leavesOf, route } from "../algorithms/tree.js";
import { short, some } from "../kit/words.js";

const STEP = 0.05; // by so much a point is moved
const LEVEL = 16; // from a question above the points to the next
const FAR = { fill: "#D55E00", "fill-opacity": 0.45, stroke: "none" };
const OFF = { ...FAR, "fill-opacity": 0.8 };
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
  const state = { y: [...data.y], depth: Math.min(2, depths), truth: false, held };
  const span = (/** @type {number[]} */ numbers) => Math.max(...numbers) - Math.min(...numbers);
  const pad = 0.12 * span(data.y),
    /** @type {Point} */ ends = [Math.min(...data.y) - pad, Math.max(...data.y) + pad];
  const moving = draw("g");
  const points = draw("g"),
    unseen = draw("g"); // the true curve
  let /** @type {Scale} */ atX, /** @type {Scale} */ atY;
  const low = (/** @type {number} */ width) => (width < 360 ? 290 : 410);

  // The tree of every depth: the deepest, cut there.
  function treesOf() {
    const full = grownOn(numericCases([nameX], [x], state.y), { maxDepth: depths }),
      { depth } = layout(full);
    return Array.from({ length: depths + 1 }, (_, most) => cutAt(full, (i) => depth[i] >= most));
  }
  /** @param {Tree} of @param {number} value */
  const said = (of, value) => of.nodes[route(of, [value])].label;
  /** @param {Tree} of @param {number[]} goal */
  const squares = (of, goal) => sum(x.map((value, i) => (said(of, value) - goal[i]) ** 2));

  const label = `${nameY} along ${nameX}: the points, and the staircase of the tree`;
  const sheet = picture(label, (width) => {
    atX = scale(Math.min(...x) - 0.06 * span(x), Math.max(...x) + 0.02 * span(x), 48, width - 12);
    atY = scale(...ends, low(width), LEVEL * depths + 36);
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
          draw("circle", { r: 6, fill: "currentColor", "fill-opacity": 0.75 }),
        ),
      ),
    );
    x.forEach((_, i) => place(i));
    unseen.replaceChildren(curve(curved(), { "stroke-width": 3, ...DASHED }));
    sheet.replaceChildren(
      axisX(atX, low(width) + 10, Math.min(...x), Math.max(...x), nameX),
      axisY(48, atY, ...ends, nameY),
      unseen,
      moving,
      points,
      knob,
    );
    show();
    return low(width) + 50;
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

  // The questions of the tree, each above its cut; below, its steps.
  /** @param {NumberedTree<Threshold>} tree @param {number} i @param {number} low @param {number} high */
  function stepsOf(tree, i, low, high, row = 0, from = "") {
    const { split, children, label } = tree.nodes[i];
    if (!split) {
      steps.push([atX(low), atY(label)], [atX(high), atY(label)]);
      return;
    }
    const at = atX(split.cut),
      y = 26 + LEVEL * row;
    if (row === state.depth - 1) asked.cuts += `M${at} ${y}V${atY(ends[0])}`;
    if (row) asked.ways += `${from}L${at} ${y}`;
    asked.places.push([at, y, 4]);
    stepsOf(tree, children[0], low, split.cut, row + 1, `M${at} ${y}`);
    stepsOf(tree, children[1], split.cut, high, row + 1, `M${at} ${y}`);
  }
  let /** @type {Point[]} */ steps = [],
    asked = { cuts: "", ways: "", places: /** @type {[number, number, number][]} */ ([]) };

  function show() {
    if (!atX) return;
    const trees = treesOf(),
      tree = trees[state.depth],
      { split } = tree.nodes[0];
    [steps, asked] = [[], { cuts: "", ways: "", places: [] }];
    stepsOf(tree, 0, Math.min(...x), Math.max(...x));
    const ways = x.map((at, i) => `M${atX(at)} ${atY(state.y[i])}V${atY(said(tree, at))}`),
      misses = { ...MISS, opacity: state.truth ? 0.35 : 1 };
    become(
      moving,
      outline(ways.join(""), misses),
      outline(asked.cuts, { "stroke-opacity": 0.4, ...DASHED }),
      outline(asked.ways, { class: "dtb-one", "stroke-width": 2 }),
      rings(asked.places, { class: "dtb-dot", stroke: "none" }),
      split ? small(atX(split.cut), 14, `${nameX} ≤ ${inDigits(split.cut, 3)}`, MIDDLE) : "",
      state.truth ? curve([...steps, ...curved().reverse()], FAR) : "",
      curve(steps, { class: "dtb-one", "stroke-width": 4 }),
    );
    points.style.opacity = state.truth ? "0.35" : "";
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
      [some(leaves, "leaf", "leaves"), () => [moving.lastElementChild]],
      [own, () => [moving.firstElementChild]],
    );
  }

  // Bars for the points and, beside them, for the true curve; below them the depth is moved.
  const bars = draw("g");
  const errors = picture("What each depth leaves", () => (show(), foot() + 84));
  const foot = () => low(errors.wide) / 2 + 35; // of the bars
  const middle = (/** @type {number} */ depth) =>
    ((errors.wide - 4) * (depth + 0.5)) / (depths + 1);
  const deep = grip(errors, {
    label: "Depth",
    count: () => depths + 1,
    at: () => state.depth,
    place: (depth) => [middle(depth), foot() + 14],
    words: (depth) => `depth ${depth}`,
    onMove: goTo,
  });
  errors.append(bars, deep);
  errors.addEventListener("click", (event) => deep.onPoint(onSheet(errors, event)));

  /** What every depth misses. @param {Tree[]} trees */
  function showErrors(trees) {
    const own = trees.map((tree) => squares(tree, state.y)),
      far = state.truth ? trees.map((tree) => squares(tree, truth)) : [],
      floor = foot(),
      y = scale(0, Math.max(...own, ...far), floor, 54),
      half = (middle(1) - middle(0) - 8) / (state.truth ? 2 : 1);
    /** @type {(left: number, error: number, look: Attributes) => Element} */
    const bar = (left, error, look) => box(left, y(error), half - 1, floor - y(error), look);
    /** @type {(depth: number, row: number, words: Label, isStrong: boolean) => Element} */
    const write = (depth, row, words, isStrong) =>
      small(middle(depth), floor + 25 + 18 * row, words, {
        ...MIDDLE,
        ...(isStrong ? { class: "dtb-done" } : {}),
      });
    become(
      bars,
      small(0, 14, "Squared error at each depth", BOLD),
      line(middle(0), floor + 14, middle(depths), floor + 14, RAIL),
      ...own.flatMap((error, depth) => {
        const isHere = depth === state.depth,
          left = middle(depth) - (state.truth ? half : half / 2);
        return [
          bar(left, error, isHere ? { class: "dtb-dot" } : OWN),
          write(depth, 1, depth, isHere),
          write(depth, 2, inDigits(error, 2, 0), false),
        ];
      }),
      ...far.flatMap((error, depth) => {
        const isBest = error === Math.min(...far);
        return [
          bar(middle(depth), error, OFF),
          write(depth, 3, `${isBest ? "★" : ""}${inDigits(error, 2, 0)}`, isBest),
        ];
      }),
      box(0, 25, 12, 12, OWN),
      small(17, 36, "from the points"),
      ...(state.truth ? [box(128, 25, 12, 12, OFF), small(145, 36, "from the true curve")] : []),
      box(0, floor + 53, 8, 8, OWN),
      state.truth ? box(0, floor + 71, 8, 8, OFF) : "",
    );
    deep.show();
  }

  function goTo(/** @type {number} */ to) {
    state.depth = to;
    deeper.disabled = to === depths;
    show();
  }
  const unveil = check(
    "show the true curve, and how far it is",
    false,
    (on) => ((state.truth = on), show()),
  );
  unveil.classList.add("dtb-secret");
  const deeper = primary("One question deeper", () => goTo(state.depth + 1));
  const again = button("Reset points", () => ((state.y = [...data.y]), sheet.paint()));
  play.append(beside(sheet.place, errors.place, inRow(deeper, again), unveil));
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
