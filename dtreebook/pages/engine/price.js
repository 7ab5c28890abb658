// The price of a leaf: the tree of the plane, pruned by what a leaf must save. The curve of errors
// is its slider, with a stop for each tree of the pruning path. Errors are shares of all cases,
// from the root alone to the whole tree.

import { layout } from "./diagram.js";
import { circle, curve, draw, line, outline, pathOf, small } from "./draw.js";
import { boxOf, partsOf, people, planeOn, regions, striped, wall } from "./ground.js";
import { ANSWER, colour, DASHED, DOTTED, MIDDLE } from "./looks.js";
import { sum, TIE } from "./measures.js";
import { beside, inRow, legend, legendOf, litUp, quietly } from "./parts.js";
import { nodeRisks, pruningPath, weakestLinks } from "./prune.js";
import { button, grip, primary } from "./reach.js";
import { axisY, clamp, keyOf, picture, scale, within } from "./stage.js";
import { start } from "./start.js";
import { towerOf } from "./tower.js";
import { answer, inDigits, parents, wayTo, whereIs } from "./tree.js";
import { percent, share, some } from "./words.js";

const FIRST = 8; // so many leaves stand at first, or fewer
const SLIDER = 36; // where the slider is, between the plane and the errors
const STANDS = { "stroke-width": 3 };
const GOES = { "stroke-width": 2, "stroke-dasharray": "5 4" };

/**
 * @type {Build<Plane & {border: Point[], tree: PlaneTree,
 *   path: {leaves: number, error: number, spread: number}[]}>}
 */
function priceExplorable(play, data, say) {
  const { tree, points, what } = data;
  const total = sum(tree.nodes[0].counts),
    risks = nodeRisks(tree),
    links = weakestLinks(tree, risks).map((link) => link / total),
    parent = parents(tree);
  const path = pruningPath(tree).map((step, at, all) => ({
    ...step,
    ...(data.path.find(({ leaves }) => leaves === step.leaves) ?? { error: NaN, spread: NaN }),
    next: all[at + 1]?.alpha,
  }));
  const least = path.reduce((best, step, i) => (step.error <= path[best].error ? i : best), 0);
  const state = { at: path.findIndex(({ leaves }) => leaves <= FIRST) };
  let /** @type {Drawn} */ drawn,
    /** @type {Attributes} */ stripes,
    /** @type {Axes & {marks: Element}} */ chart;

  // What has fallen at a price: the leaves of the tree that stands, and what is below them.
  /** @type {(i: number, alpha: number) => boolean} */
  const falls = (i, alpha) => Boolean(tree.nodes[i].split) && links[i] <= alpha * (1 + TIE);
  /** @type {(i: number, alpha: number) => boolean} */
  const isGone = (i, alpha) => i > 0 && (falls(parent[i], alpha) || isGone(parent[i], alpha));
  const now = () => path[state.at];
  const isLeaf = (/** @type {number} */ i) => !tree.nodes[i].split || falls(i, now().alpha);
  /** @param {number} i */
  const goesNext = (i) =>
    now().next !== undefined && falls(i, now().next) && !falls(i, now().alpha);

  const sheet = picture(`${data.x} and ${data.y}: the regions that stand`, (width) => {
    const size = Math.min(width - 60, 400);
    sheet.replaceChildren();
    drawn = planeOn(sheet, 40, 30, size, data, ["regions", "stripes", "people", "walls"]);
    stripes = striped(sheet);
    drawn.layers.stripes.classList.add("dtb-secret");
    drawn.layers.people.replaceChildren(...people(points, drawn.to));
    show();
    return size + 76;
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
    chart = { x, y, marks: draw("g") };
    errors.replaceChildren(
      axisY(40, y, 0, Math.ceil(most * 10) / 10, "errors, of all cases", 4, share),
      draw("path", { d: `${pathOf(band)}z`, ...ANSWER, fill: colour(4), "fill-opacity": 0.2 }),
      curve(
        path.map(({ risk }, i) => [x(i), y(risk)]),
        { "stroke-width": 2, ...DASHED },
      ),
      curve(
        path.map(({ error }, i) => [x(i), y(error)]),
        { ...ANSWER, "stroke-width": 2.5 },
      ),
      circle(x(least), y(path[least].error), 8, { class: "dtb-knob dtb-secret" }),
      line(x(0), SLIDER, x(path.length - 1), SLIDER, {
        "stroke-width": 4,
        "stroke-opacity": 0.25,
        "stroke-linecap": "round",
      }),
      ...path.map(({ leaves }, i) => small(x(i), SLIDER + 32, leaves, MIDDLE)),
      small(0, SLIDER + 32, "leaves"),
      chart.marks,
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

  /** @param {number} at */
  function go(at) {
    state.at = clamp(at, 0, path.length - 1);
    show();
  }

  function show() {
    if (!drawn || !chart) return;
    const { to, layers } = drawn,
      { at } = state,
      parts = partsOf(tree);
    regions(drawn, tree, isLeaf);
    const going = tree.nodes.map((_, i) => i).filter((i) => goesNext(i) && !isGone(i, now().alpha));
    layers.stripes.replaceChildren(
      ...going.filter((i) => !going.includes(parent[i])).map((i) => boxOf(parts[i], to, stripes)),
    );
    const gone = (/** @type {number} */ i) => isLeaf(i) || isGone(i, now().alpha);
    /** @param {(i: number) => boolean} isOne @param {Attributes} look */
    const wallsOf = (isOne, look) =>
      outline(
        tree.nodes
          .flatMap(({ split }, i) => (split && isOne(i) ? wall(parts[i], split, to) : []))
          .join(""),
        look,
      );
    layers.walls.replaceChildren(
      wallsOf(gone, { "stroke-width": 0.8, "stroke-opacity": 0.3 }),
      wallsOf((i) => !gone(i) && goesNext(i), GOES),
      wallsOf(
        (i) => !gone(i) && !goesNext(i),
        now().leaves > 20 ? { "stroke-width": 1.2 } : STANDS,
      ),
    );
    const [cx, error, risk] = [chart.x(at), chart.y(now().error), chart.y(now().risk)];
    chart.marks.replaceChildren(
      draw(
        "g",
        ANSWER,
        line(cx, error, cx, SLIDER + 38, { class: "dtb-one", "stroke-width": 3 }),
        circle(cx, error, 7, { class: "dtb-dot" }),
        ...keyOf(0, 268, `validated ${percent(now().error)} ± ${percent(now().spread)}`, {}),
      ),
      circle(cx, risk, 5),
      ...keyOf(0, 286, `training ${percent(now().risk)}`, DASHED),
      within(priceOf(now().alpha), cx, 16, [0, errors.wide], {
        class: "dtb-done",
      }),
    );
    knob.show();
    main.disabled = at === path.length - 1;
    back.disabled = !at;
    tower.show(tree);
    tell();
  }

  const errorsOf = (/** @type {number} */ alpha) => inDigits(alpha * total, 3, 0);
  const priceOf = (/** @type {number} */ alpha) =>
    `${some(Number(errorsOf(alpha)), "error")} per leaf`;
  function tell() {
    const { alpha, leaves, next } = now();
    const after =
      next === undefined
        ? "Only the root is left."
        : `The striped ones go next, at ${errorsOf(next)}.`;
    say(
      `At a price of ${priceOf(alpha)}, ${leaves} of ${some(path[0].leaves, "leaf", "leaves")} ${leaves === 1 ? "remains" : "remain"}. ${after}` +
        (state.at === least ? " The validated error is least here." : ""),
      [`${leaves} of ${some(path[0].leaves, "leaf", "leaves")}`, () => drawn.rects],
    );
  }

  const main = primary("Cut the weakest link", () => go(state.at + 1));
  const back = button("Take it back", () => go(state.at - 1));
  const tower = towerOf("The tree: a block for each node, the leaves equally wide", {
    tall: 24,
    high: 180,
    rows: layout(tree).deepest + 1,
    inLeaves: true,
    words: (i) =>
      `${whereIs(tree, i, "everybody")}: ${answer(tree, tree.nodes[i])}, ${some(sum(tree.nodes[i].counts), ...what)}${isGone(i, now().alpha) ? ", gone" : isLeaf(i) ? ", a leaf" : ""}`,
    look: (i) => {
      const below = drawn?.rects.filter((rect, j) => rect && wayTo(tree, j).includes(i)) ?? [];
      litUp(play, tower.ring(i), ...below);
    },
    press: (i) => tree.nodes[i].split && go(path.findIndex(({ alpha }) => falls(i, alpha))),
    isPressed: (i) => isLeaf(i) && !isGone(i, now().alpha),
    isBare: (i) => isLeaf(i) || isGone(i, now().alpha),
    dress: (i) => {
      const gone = isGone(i, now().alpha),
        edge = { stroke: "currentColor", "stroke-opacity": 0.4 };
      if (gone) return { "fill-opacity": 0.1, ...edge };
      if (goesNext(i)) return { fill: stripes.fill, "fill-opacity": 1, ...edge };
      return { "fill-opacity": isLeaf(i) ? 0.7 : 0.2 };
    },
  });
  tower.place.classList.add("dtb-secret");
  play.append(
    beside(
      sheet.place,
      errors.place,
      inRow(main, back),
      tower.place,
      quietly(
        legend(tree.classes ?? []),
        legendOf(["the truth", { ...STANDS, ...DOTTED }], ["stands", STANDS], ["goes next", GOES]),
      ),
    ),
  );
  return (gone) => go(path.findIndex(({ leaves }) => leaves <= path[0].leaves - gone));
}

start("price", priceExplorable);
