// A curve drawn by a tree: drag the points, choose the depth; how far the staircase is from the
// points and, where it is known, from the true curve and new points of it.

import {
  axisX,
  axisY,
  beside,
  clamp,
  colour,
  curve,
  DASHED,
  draw,
  line,
  make,
  mark,
  MARKS,
  scale,
  short,
  some,
  stage,
  inRow,
} from "./draw.js";
import { grownOn } from "./ground.js";
import { sum } from "./measures.js";
import { button, check, grip, hold, range } from "./reach.js";
import { start } from "./start.js";
import { depthOf, leavesOf, route } from "./tree.js";

/**
 * @type {Build<{x: number[], y: number[], truth: number[] | null, fresh: number[] | null, names: [string, string],
 *   depths: number}>}
 */
function staircaseExplorable(play, data, say) {
  const { x, depths } = data,
    truth = data.truth ?? [],
    fresh = data.fresh ?? [],
    [nameX, nameY] = data.names;
  const state = { y: [...data.y], depth: Math.min(2, depths), leaf: 1, truth: false, held: 0 };
  /** @param {number[]} numbers */
  const span = (numbers) => Math.max(...numbers) - Math.min(...numbers);
  const pad = 0.12 * span(data.y),
    /** @type {Point} */ ends = [Math.min(...data.y) - pad, Math.max(...data.y) + pad];
  let /** @type {Sheet} */ sheet,
    /** @type {SVGGElement} */ moving,
    /** @type {SVGGElement[]} */ points,
    /** @type {Scale} */ atX,
    /** @type {Scale} */ atY,
    /** @type {GrownTree<Threshold>} */ tree;

  /** @param {number} depth */
  const grown = (depth) =>
    grownOn(
      {
        attributes: [{ name: nameX, kind: "numeric", levels: [] }],
        columns: [x],
        target: state.y,
        classes: null,
        weight: null,
      },
      { maxDepth: depth, minLeaf: state.leaf },
    );
  /** @param {Tree} of @param {number} value */
  const said = (of, value) => of.nodes[route(of, [value])].label;
  /** @param {Tree} of @param {number[]} goal */
  const squares = (of, goal) => sum(x.map((value, i) => (said(of, value) - goal[i]) ** 2));

  /** @param {number} width */
  function paint(width) {
    atX = scale(Math.min(...x) - 0.02 * span(x), Math.max(...x) + 0.02 * span(x), 48, width - 12);
    atY = scale(...ends, 300, 34);
    moving = draw("g");
    points = x.map((value, i) =>
      draw(
        "g",
        { class: "dtb-grip", pointerdown: (event) => drag(event, i) },
        draw("circle", { r: 12, class: "dtb-reach" }),
        draw("path", { d: MARKS[0](5), fill: colour(0) }),
      ),
    );
    knob = grip(sheet, {
      label: "Point: left and right choose it, then use the slider below to move it",
      count: () => x.length,
      at: () => state.held,
      place: (at) => [atX(x[at]), 318],
      words: (at) => `${nameX} ${x[at]}, ${nameY} ${short(state.y[at], 2)}`,
      onMove: (at) => {
        state.held = at;
        mover.set(state.y[at]);
        show();
      },
    });
    sheet.replaceChildren(
      axisX(atX, 330, Math.min(...x), Math.max(...x), nameX),
      axisY(48, atY, ...ends, nameY),
      moving,
      ...points,
      knob,
    );
    show();
    return 372;
  }
  let /** @type {Grip} */ knob;

  /** @param {PointerEvent} event @param {number} i */
  function drag(event, i) {
    state.held = i;
    hold(sheet, event, ([, py]) => {
      state.y[i] = clamp(Math.round(atY.back(py) * 100) / 100, ...ends);
      mover.set(state.y[i]);
      show();
    });
  }

  function show() {
    if (!points) return;
    tree = grown(state.depth);
    const cuts = tree.nodes
      .flatMap(({ split }) => split?.cut ?? [])
      .sort((one, other) => one - other);
    const borders = [Math.min(...x), ...cuts, Math.max(...x)];
    const steps = borders.slice(1).flatMap((end, i) => {
      const level = atY(said(tree, (borders[i] + end) / 2));
      return /** @type {Point[]} */ ([
        [atX(borders[i]), level],
        [atX(end), level],
      ]);
    });
    const misses = x.map((value, i) =>
      line(atX(value), atY(state.y[i]), atX(value), atY(said(tree, value)), {
        "stroke-opacity": 0.35,
      }),
    );
    moving.replaceChildren(
      ...misses,
      state.truth
        ? draw(
            "g",
            {},
            curve(
              x.map((value, i) => [atX(value), atY(truth[i])]),
              { stroke: colour(2), "stroke-width": 3, ...DASHED },
            ),
            x.map((value, i) => mark(3, atX(value), atY(fresh[i]), 3)),
          )
        : "",
      curve(steps, { stroke: colour(1), "stroke-width": 3 }),
    );
    points.forEach((point, i) =>
      point.setAttribute("transform", `translate(${atX(x[i])} ${atY(state.y[i])})`),
    );
    knob.show();
    const leaves = leavesOf(tree).length,
      own = short(squares(tree, state.y), 2);
    const far = state.truth
      ? ` From the true curve it is off by ${short(squares(tree, truth), 2)}, squared and added up; on ${x.length} new points it leaves ${short(squares(tree, fresh), 2)}.`
      : "";
    say(
      `Depth ${depthOf(tree)}: ${some(leaves, "leaf leaves", "leaves leave")} a squared error of ${own}; one leaf leaves ${short(squares(grown(0), state.y), 2)}.${far}`,
      [some(leaves, "leaf", "leaves"), () => [moving.lastElementChild]],
      [own, () => misses],
    );
  }

  const place = make("div");
  const mover = range(
    `${nameY} of the chosen point`,
    {
      min: ends[0].toFixed(2),
      max: ends[1].toFixed(2),
      step: 0.05,
      value: state.y[0],
      words: (v) => v.toFixed(2),
    },
    (v) => ((state.y[state.held] = v), show()),
  );
  /** @param {number} to */
  function goTo(to) {
    state.depth = Math.min(to, depths);
    deep.set(state.depth);
    show();
  }
  const deep = range("Depth", { min: 0, max: depths, value: state.depth }, goTo);
  play.append(
    beside(
      place,
      deep,
      range("Least leaf", { min: 1, max: 20, value: 1 }, (v) => ((state.leaf = v), show())),
      mover,
      data.truth
        ? check(
            "show the true curve, and new points of it",
            false,
            (on) => ((state.truth = on), show()),
          )
        : null,
      inRow(
        button("One question deeper", () => goTo(state.depth + 1), { class: "dtb-main" }),
        button("The points as they were", () => ((state.y = [...data.y]), show())),
      ),
    ),
  );
  sheet = stage(place, `${nameY} along ${nameX}: the points, and the staircase of the tree`, paint);
}

start("staircase", staircaseExplorable);
