// The price of a leaf: the tree of the plane, pruned by what a leaf must save. Each tree of the pruning path
// is a bar of its errors, and on them what its leaves cost: the higher the price, the more do the larger
// trees, and the one whose bar is lowest stands.

import {
  become,
  circle,
  curve,
  draw,
  line,
  make,
  outline,
  pathOf,
  put,
  small,
} from "../kit/draw.js";
import { partsOf, people, planeOn, regions, wall } from "../kit/regions.js";
import { ANSWER, colour, DOTTED, MIDDLE, RAIL } from "../kit/looks.js";
import { sum, TIE } from "../algorithms/measures.js";
import { beside, legend, legendOf, litUp, quietly } from "../kit/legends.js";
import { cutAt, nodeRisks, pruningPath, weakestLinks } from "../algorithms/prune.js";
import { grip, primary } from "../kit/reach.js";
import { axisY, clamp, keyOf, picture, scale, spaced, within } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { towerOf } from "./tower.js";
import { answer, inDigits, parents, wayTo, whereIs } from "../algorithms/tree.js";
import { some } from "../kit/words.js";

const FIRST = 8; // so many leaves stand at first, or fewer
const SLIDER = 32; // where the slider is, above the bars
const BAR_TOP = 84;
const BAR_FOOT = 236;
const MISTAKES = { "stroke-width": 16, "stroke-opacity": 0.75 };
const KEPT = { stroke: colour(4), "stroke-width": 2.5 };
const SWATCH = { "stroke-width": 12 };
const STANDS = { "stroke-width": 3 };
const GOES = { "stroke-width": 2, "stroke-dasharray": "5 4" };

/**
 * @type {Build<Plane & {border: Point[], tree: GrownTree<Threshold>,
 *   path: {leaves: number, error: number, spread: number}[]}>}
 */
function priceExplorable(play, data, say) {
  const { tree, points, what } = data;
  const total = sum(tree.nodes[0].counts),
    links = weakestLinks(tree, nodeRisks(tree)),
    parts = partsOf(tree),
    where = tree.nodes.map((_, i) => whereIs(tree, i, "everybody"));
  /** @type {(i: number, price: number) => boolean} */
  const falls = (i, price) => Boolean(tree.nodes[i].split) && links[i] <= price * (1 + TIE);
  // All in errors: the price at which a tree begins to stand, its own, and those of people kept apart.
  const path = pruningPath(tree).map(({ alpha, leaves, risk }, at, all) => {
    const told = data.path.find((step) => step.leaves === leaves);
    return {
      leaves,
      price: alpha * total,
      next: all[at + 1] && all[at + 1].alpha * total,
      wrong: risk * total,
      kept: (told?.error ?? NaN) * total,
      spread: (told?.spread ?? NaN) * total,
      left: cutAt(tree, (i) => falls(i, alpha * total)), // the tree that stands
    };
  });
  const least = path.reduce((best, step, i) => (step.kept <= path[best].kept ? i : best), 0);
  const state = { at: path.findIndex(({ leaves }) => leaves <= FIRST) };
  let /** @type {Drawn} */ drawn, /** @type {Axes & {bars: Element}} */ chart;

  const now = () => path[state.at];
  /** What a tree costs at the price. @param {typeof path[0]} tree */
  const costOf = ({ wrong, leaves }) => wrong + leaves * now().price;
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

  // Every tree of the path has a stop, equally far from the next, and there its bar.
  const errors = picture("Errors and leaves of each tree of the path", (width) => {
    const { wrong, price } = path[path.length - 1],
      x = scale(0, path.length - 1, 62, width - 22),
      y = scale(0, wrong + price, BAR_FOOT, BAR_TOP);
    const kept = path.map(({ kept }, i) => /** @type {Point} */ ([x(i), y(kept)]));
    /** @type {(sign: number) => Point[]} */
    const edge = (sign) => path.map(({ kept, spread }, i) => [x(i), y(kept + sign * spread)]);
    const band = [...edge(1), ...edge(-1).reverse()];
    chart = { x, y, bars: draw("g") };
    errors.replaceChildren(
      line(x(0), SLIDER, x(path.length - 1), SLIDER, RAIL),
      ...path.map(({ wrong }, i) => line(x(i), y(wrong), x(i), BAR_FOOT, MISTAKES)),
      chart.bars,
      draw("path", { d: `${pathOf(band)}z`, ...ANSWER, fill: colour(4), "fill-opacity": 0.3 }),
      curve(kept, { ...ANSWER, ...KEPT }),
      circle(...kept[least], 5, { class: "dtb-knob dtb-secret" }),
      ...spaced(path.map(({ leaves }, i) => [x(i), BAR_FOOT + 18, String(leaves)])),
      small(0, BAR_FOOT + 18, "leaves"),
      small(0, BAR_TOP - 12, "errors"),
      axisY(40, y, 0, wrong + price, ""),
      knob,
    );
    show();
    return BAR_FOOT + 70;
  });
  const knob = grip(errors, {
    label: "Price of a leaf",
    count: () => path.length,
    at: () => state.at,
    place: (stop) => [chart.x(stop), SLIDER],
    words: (stop) => `${priceOf(path[stop].price)}, ${some(path[stop].leaves, "leaf", "leaves")}`,
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
    showCosts();
    knob.show();
    main.disabled = at === path.length - 1;
    look(-1);
    tower.show(left, (i) => left.from[i]);
    tell();
  }

  // What the leaves cost stands on the errors; what is higher than the chart has an arrow.
  function showCosts() {
    const { at } = state,
      { price, leaves, wrong, kept, spread } = now(),
      { x, y, bars } = chart,
      tops = path.map((step) => Math.max(y(costOf(step)), BAR_TOP - 8)),
      rent = `${some(leaves, "leaf", "leaves")} × ${inPrice(price)} = ${inDigits(costOf(now()), 3)}`,
      apart = `${what[1]} kept apart: ${inDigits(kept)} ± ${inDigits(spread, 2)} errors`;
    become(
      bars,
      path.map(({ wrong }, i) =>
        draw("path", {
          d: `M${x(i) - 8} ${y(wrong)}V${tops[i]}h16V${y(wrong)}z`,
          class: `dtb-moves${i === at ? " dtb-dot" : ""}`,
          fill: "currentColor",
          opacity: i === at ? 1 : 0.25,
        }),
      ),
      path.map((_, i) => small(x(i), BAR_TOP - 12, tops[i] < BAR_TOP ? "↑" : "", MIDDLE)),
      line(x(at), SLIDER, x(at), tops[at] - 2, { class: "dtb-one", "stroke-width": 3 }),
      within(`price: ${priceOf(price)}`, x(at), 14, [0, errors.wide], { class: "dtb-done" }),
      keyOf(0, BAR_FOOT + 44, `${inDigits(wrong)} errors +`, { ...MISTAKES, ...SWATCH }),
      keyOf(122, BAR_FOOT + 44, rent, { ...SWATCH, class: "dtb-one" }),
      draw("g", ANSWER, keyOf(0, BAR_FOOT + 64, apart, KEPT)),
    );
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

  const inPrice = (/** @type {number} */ price) => inDigits(price, 3, 0);
  const priceOf = (/** @type {number} */ price) =>
    `${some(Number(inPrice(price)), "error")} per leaf`;
  function tell() {
    const { price, leaves, next } = now(),
      left = `${leaves} of ${some(path[0].leaves, "leaf", "leaves")}`;
    const after =
      next === undefined
        ? "Only the root is left."
        : `The dashed ones go next, at ${inPrice(next)}.`;
    say(
      `At a price of ${priceOf(price)}, ${left} ${leaves === 1 ? "remains" : "remain"}: ` +
        `no tree costs less than its ${inDigits(costOf(now()), 3)}. ${after}` +
        `\n${state.at === least ? " The validated error is least here." : ""}`,
      [left, () => drawn.rects],
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
        stop = path.findIndex(({ price }) => falls(left.from[i], price));
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
