// Where would you cut? A cut is dragged along either axis of the plane, and beside each axis stands
// what the criterion thinks of every cut, as a curve.

import { few } from "../kit/counts.js";
import { bestIn, bestOf, bestOffer, cutsAlong, cutTree } from "./cut_search.js";
import { outline, put, small } from "../kit/draw.js";
import {
  isAstray,
  partsOf,
  people,
  planeOn,
  regions,
  ringsOf,
  sizeOf,
  wall,
} from "../kit/regions.js";
import { ANSWER, BOLD } from "../kit/looks.js";
import { entropy, gini, misclassification, TIE } from "../algorithms/measures.js";
import { beside, inRow, legend, litUp } from "../kit/legends.js";
import { button, choices, grip } from "../kit/reach.js";
import { onSheet, picture, within } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { stripOf } from "./strip.js";
import { towerOf } from "./tower.js";
import { answer, branchShown, leavesOf, route, whereIs } from "../algorithms/tree.js";
import { short, some } from "../kit/words.js";

/** @type {[string, string, Impurity][]} */
const CRITERIA = [
  ["Gini", "Gini impurity", gini],
  ["information gain", "entropy", entropy],
  ["errors", "share of errors", misclassification],
];
const MOST_CUTS = 7;
const ROWS = 6;

/** @typedef {{base: number, high: number, end: number}} Strip */

/** @type {Build<Plane>} */
function cutsExplorable(play, data, say) {
  const { classes, points, what } = data;
  const /** @type {Map<string, Threshold>} */ splits = new Map();
  const state = { criterion: 0, at: "" };
  let /** @type {CutTree} */ tree,
    /** @type {number[][]} */ rowsOf,
    /** @type {Point[][]} */ curves,
    /** @type {Best} */ best,
    /** @type {Drawn} */ drawn,
    /** @type {Strip[]} */ strips;

  function build() {
    ({ tree, rowsOf } = cutTree(data, splits));
    if (here() < 0) state.at = state.at.slice(0, -1);
  }
  const here = () => tree.nodes.findIndex(({ way }) => way === state.at);
  const curvesAt = (/** @type {number} */ i) =>
    [0, 1].map((axis) => cutsAlong(points, rowsOf[i], axis, classes, CRITERIA[state.criterion][2]));

  function look(/** @type {string} */ way) {
    state.at = way;
    build();
    curves = curvesAt(here());
    best = bestIn(curves);
    show();
  }

  function ask(/** @type {number} */ attribute, /** @type {number} */ cut) {
    splits.set(state.at, { kind: "threshold", attribute, cut });
    build();
    show();
  }

  // The best cut of the chosen node if it has another, or else of the region where a cut lowers the
  // impurity of all cases most.
  function next() {
    if (!isBest()) return ask(best.attribute, best.cut);
    const chosen = bestOffer(tree, ROWS - 1, (j) => bestIn(curvesAt(j)));
    if (!chosen) return;
    splits.set(chosen.way, chosen.split);
    look(chosen.way);
  }
  const isBest = () => {
    const { split } = tree.nodes[here()];
    return !split || (split.attribute === best.attribute && split.cut === best.cut);
  };

  function takeBack() {
    const last = [...splits.keys()].at(-1);
    splits.delete(last ?? "");
    look(last ?? "");
  }

  // --- the plane, and a strip for each axis ------------------------------------------------------

  const label = `${data.x} and ${data.y}: the regions, and what each cut is worth`;
  const sheet = picture(label, (width) => {
    const aside = Math.min(96, width * 0.15),
      [left, beyond] = width < 400 ? [aside + 30, 0] : [aside + 38, 14],
      size = Math.min(width - left - beyond - 14, 500),
      base = 34 + size + 70 + aside,
      end = left + size + beyond;
    sheet.replaceChildren();
    drawn = planeOn(sheet, left, 34, size, data, ["regions", "people", "rings", "walls", "strips"]);
    drawn.layers.regions.addEventListener("pointerdown", (event) => {
      const value = onSheet(sheet, event);
      look(tree.nodes[route(tree, [drawn.to.x.back(value[0]), drawn.to.y.back(value[1])])].way);
    });
    drawn.layers.people.append(...people(points, drawn.to));
    put(drawn.layers.strips, ANSWER);
    // From its base a curve rises away from the plane.
    strips = [
      { base, high: -aside, end: 22 },
      { base: aside, high: -aside, end },
    ];
    sheet.append(...grips);
    show();
    return base + 24;
  });
  const grips = [0, 1].map((axis) =>
    grip(sheet, {
      label: `Cut of ${axis ? data.y : data.x}`,
      count: () => curves[axis].length,
      at: () => stopOf(axis),
      place: (stop) =>
        curves[axis].length
          ? turned(axis, along(axis, curves[axis][stop][0]), strips[axis].end)
          : [-99, -99],
      words: (stop) => {
        const [cut, score] = curves[axis][stop] ?? [0, 0],
          isAsked = tree.nodes[here()].split?.attribute === axis;
        return `${isAsked ? "" : "not asked, the best is "}${short(cut, 4)}, worth ${short(score, 4)}`;
      },
      onMove: (stop) => ask(axis, curves[axis][stop][0]),
    }),
  );

  /** @param {number} axis @param {number} cut */
  const along = (axis, cut) => (axis ? drawn.to.y : drawn.to.x)(cut);
  const scoreAt = (/** @type {number} */ axis, /** @type {number} */ score) =>
    strips[axis].base + (strips[axis].high * Math.max(score, 0)) / Math.max(TIE, best.score);
  /** @type {(axis: number, a: number, s: number) => Point} */
  const turned = (axis, a, s) => (axis ? [s, a] : [a, s]);
  const stopOf = (/** @type {number} */ axis) => {
    const { split } = tree.nodes[here()];
    const stop =
      split?.attribute === axis ? curves[axis].findIndex(([cut]) => cut === split.cut) : -1;
    return stop < 0 ? bestOf(curves[axis]) : stop;
  };

  /** @param {Threshold} split */
  const fallOf = ({ attribute }) => short(curves[attribute][stopOf(attribute)][1], 4);

  function showStrips() {
    const { split } = tree.nodes[here()];
    const name = `fall of the ${CRITERIA[state.criterion][1]}`,
      { to } = drawn,
      { base } = strips[0],
      { attribute, cut, score } = best,
      isElsewhere = !isBest() && !attribute;
    drawn.layers.strips.replaceChildren(
      small(to.x(0), base + 18, name, BOLD),
      ...[0, 1].flatMap((axis) => {
        const { base, end } = strips[axis];
        /** @type {(cut: Point) => Point} */
        const at = ([cut, score]) => turned(axis, along(axis, cut), scoreAt(axis, score)),
          stop = curves[axis][stopOf(axis)],
          foot = (/** @type {Point} */ point) => turned(axis, point[axis], base),
          isAsked = split?.attribute === axis;
        if (!stop) return [];
        const from = turned(axis, along(axis, stop[0]), end);
        return stripOf(curves[axis].map(at), foot, from, at(stop), isAsked, to.x(1) - to.x(0) + 20);
      }),
      isElsewhere
        ? within(`best ${short(score, 4)}`, to.x(cut), scoreAt(0, score) - 8, [to.x(0), to.x(1)])
        : "",
    );
  }

  function show() {
    if (!drawn || !tree) return;
    const { to, layers } = drawn,
      parts = partsOf(tree),
      i = here();
    regions(drawn, tree);
    const astray = points.filter((point) => isAstray(tree, point));
    layers.rings.replaceChildren(ringsOf(astray, to, sizeOf(points)));
    layers.walls.replaceChildren(
      ...tree.nodes.flatMap(({ split }, j) => {
        if (!split) return [];
        if (j !== i) return [outline(wall(parts[j], split, to), { "stroke-width": 3 })];
        // The one at hand says what it asks.
        const [x, y] = split.attribute
          ? [to.x(1), to.y(split.cut) - 8]
          : [to.x(split.cut), to.y(0) - 8];
        return [
          outline(wall(parts[j], split, to), { class: "dtb-one", "stroke-width": 5 }),
          within(branchShown(tree, { split }, 0), x, y, [to.x(0), to.x(1)]),
        ];
      }),
    );
    showStrips();
    for (const knob of grips) knob.show();
    main.textContent = isBest() ? "Cut the next region" : "Go to the best cut";
    main.disabled = isBest() && leavesOf(tree).length > MOST_CUTS;
    back.disabled = !splits.size;
    tower.show(tree, (j) => tree.nodes[j].way);
    tell();
  }
  function tell() {
    const i = here(),
      { split } = tree.nodes[i],
      name = CRITERIA[state.criterion][1],
      marks = () => [...drawn.layers.people.children],
      astray = points.filter((point) => isAstray(tree, point)).length;
    const asked = split
      ? `${branchShown(tree, { split }, 0)} lowers the ${name} by ${fallOf(split)}`
      : "no cut here yet";
    say(
      `${whereIs(tree, i, `All ${some(points.length, ...what)}`)}: ${asked}. In ${some(splits.size + 1, "region")}, ${some(astray, ...what)} ${astray === 1 ? "is" : "are"} on the wrong side, ringed.\n`,
      [some(points.length, ...what), marks],
      [some(splits.size + 1, "region"), () => drawn.rects],
      [some(astray, ...what), () => marks().filter((_, row) => isAstray(tree, points[row]))],
    );
  }

  const main = button("", next, { class: "dtb-main dtb-secret" });
  const back = button("Take it back", takeBack);
  const tower = towerOf("The tree, its leaves equally wide", {
    tall: 96,
    high: 240,
    inLeaves: true,
    words: (i) =>
      `${whereIs(tree, i, "everybody")}: ${tree.nodes[i].split ? "" : `${answer(tree, tree.nodes[i])}, `}${few(tree.nodes[i].counts, classes)}`,
    look: (i) => litUp(play, tower.ring(i), drawn?.rects[i]),
    press: (i) => look(tree.nodes[i].way),
    isPressed: (i) => tree.nodes[i].way === state.at,
    dress: (i) => (tree.nodes[i].way === state.at ? { class: "dtb-ring dtb-chosen" } : {}),
  });
  const names = CRITERIA.map(([name]) => name);
  play.append(
    beside(
      sheet.place,
      choices("Judge a cut by", names, 0, (k) => ((state.criterion = k), look(state.at))),
      inRow(main, back),
      legend(classes),
      tower.place,
    ),
  );
  const first = cutsAlong(points, [...points.keys()], 0, classes, gini);
  const cut = first[Math.floor(first.length / 3)]?.[0] ?? 0;
  splits.set("", { kind: "threshold", attribute: 0, cut });
  look("");
  return () => (look(""), ask(best.attribute, best.cut));
}

start("partition", cutsExplorable);
