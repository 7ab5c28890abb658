// The price of a leaf: the tree of the plane, pruned by what a leaf must save. The curve of errors
// is its slider, with a stop for each tree of the pruning path. Errors are shares of all cases,
// from the root alone to the whole tree.

import { circle, curve, draw, line, make, outline, pathOf, put, small } from "./draw.js";
import { partsOf, people, planeOn, regions, wall } from "./ground.js";
import { ANSWER, colour, DASHED, DOTTED, HALOED, RAIL } from "./looks.js";
import { sum, TIE } from "./measures.js";
import { beside, legend, legendOf, litUp, quietly } from "./parts.js";
import { cutAt, nodeRisks, pruningPath, weakestLinks } from "./prune.js";
import { grip, primary } from "./reach.js";
import { axisY, clamp, keyOf, picture, scale, spaced, within } from "./stage.js";
import { start } from "./start.js";
import { towerOf } from "./tower.js";
import { answer, inDigits, parents, wayTo, whereIs } from "./tree.js";
import { percent, share, some } from "./words.js";

const FIRST = 8; // so many leaves stand at first, or fewer
const SLIDER = 36; // where the slider is, between the plane and the errors
const STANDS = { "stroke-width": 3 };
const GOES = { "stroke-width": 2, "stroke-dasharray": "5 4" };

/**
 * @type {Build<Plane & {border: Point[], tree: GrownTree<Threshold>,
 *   path: {leaves: number, error: number, spread: number}[]}>}
 */
function priceExplorable(play, data, say) {
  const { tree, points, what } = data;
  const total = sum(tree.nodes[0].counts),
    links = weakestLinks(tree, nodeRisks(tree)).map((link) => link / total),
    parts = partsOf(tree),
    where = tree.nodes.map((_, i) => whereIs(tree, i, "everybody"));
  /** @type {(i: number, alpha: number) => boolean} */
  const falls = (i, alpha) => Boolean(tree.nodes[i].split) && links[i] <= alpha * (1 + TIE);
  const path = pruningPath(tree).map((step, at, all) => ({
    ...step,
    ...(data.path.find(({ leaves }) => leaves === step.leaves) ?? { error: NaN, spread: NaN }),
    next: all[at + 1]?.alpha,
    left: cutAt(tree, (i) => falls(i, step.alpha)), // the tree that stands
  }));
  const least = path.reduce((best, step, i) => (step.error <= path[best].error ? i : best), 0);
  const state = { at: path.findIndex(({ leaves }) => leaves <= FIRST) };
  let /** @type {Drawn} */ drawn, /** @type {Axes & {marks: Element}} */ chart;

  const now = () => path[state.at];
  // A node of the tree that stands becomes a leaf at the next price, or is below one that does.
  const isNext = (/** @type {number} */ i) =>
    Boolean(now().left.nodes[i].split) && falls(now().left.from[i], now().next ?? -1);
  const goes = (/** @type {number} */ i) => i > 0 && isNext(parents(now().left)[i]);

  const sheet = picture(`${data.x} and ${data.y}: the regions that stand`, (width) => {
    const size = Math.min(width - 60, 460);
    sheet.replaceChildren();
    drawn = planeOn(sheet, 40, 30, size, data, ["regions", "people", "walls"]);
    drawn.layers.people.replaceChildren(...people(points, drawn.to));
    show();
    return size + 76;
  });
  put(sheet, {
    pointerover: ({ target }) => look(drawn.rects.indexOf(/** @type {Element} */ (target))),
    pointerleave: () => look(-1),
  });

  // Every tree of the path has a stop, equally far from the next.
  const errors = picture("Errors of each tree of the path", (width) => {
    const [low, high] = [104, 242],
      most = Math.max(...path.map(({ error, spread }) => error + spread)),
      x = scale(0, path.length - 1, 62, width - 22),
      y = scale(0, Math.ceil(most * 10) / 10, high, low);
    /** @type {(sign: number) => Point[]} */
    const edge = (sign) => path.map(({ error, spread }, i) => [x(i), y(error + sign * spread)]);
    const band = [...edge(1), ...edge(-1).reverse()];
    const traced = (/** @type {"risk" | "error"} */ of) =>
      path.map((step, i) => /** @type {Point} */ ([x(i), y(step[of])]));
    chart = { x, y, marks: draw("g") };
    errors.replaceChildren(
      draw("path", { d: `${pathOf(band)}z`, ...ANSWER, fill: colour(4), "fill-opacity": 0.2 }),
      curve(traced("risk"), { "stroke-width": 2, ...DASHED }),
      curve(traced("error"), { ...ANSWER, "stroke-width": 2.5 }),
      circle(x(least), y(path[least].error), 8, { class: "dtb-knob dtb-secret" }),
      line(x(0), SLIDER, x(path.length - 1), SLIDER, RAIL),
      ...spaced(path.map(({ leaves }, i) => [x(i), SLIDER + 32, String(leaves)])),
      small(0, SLIDER + 32, "leaves"),
      small(0, low - 8, "errors"),
      chart.marks,
      axisY(40, y, 0, Math.ceil(most * 10) / 10, "", 4, share),
      knob,
    );
    show();
    return high + 46;
  });
  const knob = grip(errors, {
    label: "Price of a leaf",
    count: () => path.length,
    at: () => state.at,
    place: (stop) => [chart.x(stop), SLIDER],
    words: (stop) => `${priceOf(path[stop].alpha)}, ${some(path[stop].leaves, "leaf", "leaves")}`,
    onMove: go,
  });

  function go(/** @type {number} */ at) {
    state.at = clamp(at, 0, path.length - 1);
    show();
  }

  function show() {
    if (!drawn || !chart) return;
    const { at } = state,
      { left } = now();
    const next = left.from.filter((_, i) => isNext(i)),
      others = left.from.filter((_, i) => left.nodes[i].split && !isNext(i));
    regions(drawn, left);
    drawn.layers.walls.replaceChildren(
      wallsOf(next, GOES),
      wallsOf(others, now().leaves > 20 ? { "stroke-width": 1.2 } : STANDS),
    );
    const apart = `${what[1]} kept apart`,
      [cx, error, risk] = [chart.x(at), chart.y(now().error), chart.y(now().risk)];
    chart.marks.replaceChildren(
      draw(
        "g",
        ANSWER,
        line(cx, error, cx, SLIDER + 38, { class: "dtb-one", "stroke-width": 3 }),
        circle(cx, error, 7, { class: "dtb-dot" }),
        ...keyOf(0, 268, `${apart} ${percent(now().error)} ± ${percent(now().spread)}`, {}),
      ),
      circle(cx, risk, 5),
      ...keyOf(0, 286, `its own ${what[1]} ${percent(now().risk)}`, DASHED),
      small(cx, SLIDER + 32, now().leaves, { ...HALOED, class: "dtb-halo dtb-done" }),
      within(priceOf(now().alpha), cx, 16, [0, errors.wide], { class: "dtb-done" }),
    );
    knob.show();
    main.disabled = at === path.length - 1;
    look(-1);
    tower.show(left, (i) => left.from[i]);
    tell();
  }

  const wallAt = (/** @type {number} */ i) => {
    const { split } = tree.nodes[i];
    return split ? wall(parts[i], split, drawn.to) : "";
  };
  const wallsOf = (/** @type {number[]} */ nodes, /** @type {Attributes} */ how) =>
    outline(nodes.map(wallAt).join(""), how);

  // What is below a node lights up.
  const look = (/** @type {number} */ i) =>
    litUp(play, tower.ring(i), ...drawn.rects.filter((_, j) => wayTo(now().left, j).includes(i)));

  const errorsOf = (/** @type {number} */ alpha) => inDigits(alpha * total, 3, 0);
  const priceOf = (/** @type {number} */ alpha) =>
    `${some(Number(errorsOf(alpha)), "error")} per leaf`;
  function tell() {
    const { alpha, leaves, next } = now();
    const after =
      next === undefined
        ? "Only the root is left."
        : `The dashed ones go next, at ${errorsOf(next)}.`;
    say(
      `At a price of ${priceOf(alpha)}, ${leaves} of ${some(path[0].leaves, "leaf", "leaves")} ${leaves === 1 ? "remains" : "remain"}. ${after}` +
        `\n${state.at === least ? " The validated error is least here." : ""}`,
      [`${leaves} of ${some(path[0].leaves, "leaf", "leaves")}`, () => drawn.rects],
    );
  }

  const main = primary("Cut the weakest link", () => go(state.at + 1));
  const tower = towerOf("The tree that stands, its leaves equally wide", {
    tall: 96,
    high: 216,
    inLeaves: true,
    words: (i) => {
      const { left } = now(),
        node = left.nodes[i];
      return `${where[left.from[i]]}: ${answer(left, node)}, ${some(sum(node.counts), ...what)}${node.split ? "" : ", a leaf"}`;
    },
    look,
    // A node falls at its price; a leaf that has fallen grows again.
    press: (i) => {
      const { left } = now(),
        stop = path.findIndex(({ alpha }) => falls(left.from[i], alpha));
      if (tree.nodes[left.from[i]].split) go(stop - Number(!left.nodes[i].split));
    },
    isPressed: (i) => !now().left.nodes[i].split,
    dress: (i) =>
      goes(i) ? { stroke: "currentColor", "stroke-dasharray": "5 4", "fill-opacity": 0.15 } : {},
  });
  play.append(
    beside(
      make("div", sheet.place, main),
      errors.place,
      tower.place,
      quietly(
        legend(tree.classes ?? []),
        make("span", ANSWER, legendOf(["the truth", { ...STANDS, ...DOTTED }])),
      ),
    ),
  );
  return (gone) => go(path.findIndex(({ leaves }) => leaves <= path[0].leaves - gone));
}

start("price", priceExplorable);
