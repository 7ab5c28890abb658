// Points on a plane: set, drag and remove them; the tree and its regions grow again at
// once. A node of the tree that is pressed becomes a leaf, and its regions merge. Scrolling lets
// the tree grow first.

import { layout } from "../kit/diagram.js";
import { box, draw, make, ringed } from "../kit/draw.js";
import { keyed, round } from "./editing.js";
import {
  casesOf,
  grownOn,
  isAstray,
  people,
  person,
  planeOn,
  regions,
  ringsOf,
  sizeOf,
} from "../kit/regions.js";
import { sum } from "../algorithms/measures.js";
import { beside, inRow, legend, litUp } from "../kit/legends.js";
import { cutAt } from "../algorithms/prune.js";
import { button, check, choices, hold, isPlain, range } from "../kit/reach.js";
import { NONE, SCENES, stepsOf } from "./plane_steps.js";
import { clamp, onSheet, picture, renewed } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { storyOf } from "./scrolling.js";
import { towerOf } from "./tower.js";
import { answer, asks, leavesOf, route, whereIs } from "../algorithms/tree.js";
import { aOrAn, share, some } from "../kit/words.js";

/** @type {Build<Plane & {test: Person[]}>} */
function planeExplorable(play, data, say) {
  const { classes, what, test } = data;
  const state = {
    points: structuredClone(data.points),
    depth: 0,
    leaf: 1,
    click: 0,
    test: false,
    lit: -1,
    cursor: /** @type {Point | null} */ (null),
    held: -1,
    cut: /** @type {Set<number>} */ (new Set()),
  };
  let /** @type {GrownTree<Threshold> | null} */ full,
    /** @type {NumberedTree<Threshold>} */ tree,
    /** @type {Drawn} */ drawn,
    /** @type {Record<string, SVGGElement>} */ layers,
    /** @type {Axes} */ to,
    /** @type {Pictures} */ rects;

  const grown = (depth = state.depth) =>
    grownOn(casesOf(data, state.points), {
      maxDepth: depth === NONE ? null : depth,
      minLeaf: state.leaf,
    });
  const isWrong = (/** @type {Person} */ point) => isAstray(tree, point);

  // --- the plane ---------------------------------------------------------------------------------

  const label = `${data.x} and ${data.y}: the points, and the regions of the tree`;
  const plane = picture(label, (width) => {
    const size = Math.min(width - 46, clamp(innerHeight - 260, 300, 560));
    plane.replaceChildren();
    drawn = planeOn(plane, 40, 30, size, data, ["regions", "points", "test", "rings", "cursor"]);
    ({ to, layers, rects } = drawn);
    const ground = box(40, 30, size, size, {
      tabindex: 0,
      role: "application",
      class: "dtb-ground",
      fill: "transparent",
      keydown,
      pointerdown,
      pointermove: (event) => event.buttons || light(route(tree, valueAt(onSheet(plane, event)))),
      pointerleave: () => light(-1),
      blur: () => ((state.held = -1), layers.cursor.replaceChildren()),
      "aria-label": `The plane of ${data.x} and ${data.y}. Arrow keys move a cursor, Enter adds ${aOrAn(what[0])}, C recolours the nearest, Delete removes it, M takes it along until M is pressed again.`,
    });
    plane.append(ground);
    placePoints();
    show();
    return size + 76;
  });

  /** @type {(point: Point) => Point} */
  const valueAt = ([px, py]) => [clamp(to.x.back(px), 0, 1), clamp(to.y.back(py), 0, 1)];
  const placePoints = () => layers.points.replaceChildren(...people(state.points, to));

  function nearest(/** @type {Point} */ [x, y], /** @type {number} */ within) {
    let best = -1,
      least = within;
    state.points.forEach((point, i) => {
      const far = Math.hypot(to.x(point[0]) - to.x(x), to.y(point[1]) - to.y(y));
      if (far < least) [best, least] = [i, far];
    });
    return best;
  }

  const changed = () => (placePoints(), again());

  function pointerdown(/** @type {PointerEvent} */ event) {
    const from = onSheet(plane, event),
      held = nearest(valueAt(from), event.pointerType === "touch" ? 18 : 11);
    let moved = false;
    state.held = -1;
    hold(
      plane,
      event,
      (at) => {
        if (!moved && Math.hypot(at[0] - from[0], at[1] - from[1]) < 4) return;
        moved = true;
        if (!state.points[held]) return; // none, or removed by a key meanwhile
        state.points[held] = [...round(valueAt(at)), state.points[held][2]];
        const moving = person(state.points[held], to, sizeOf(state.points));
        layers.points.children[held].replaceWith(moving);
        again();
      },
      () => {
        if (moved) return;
        if (state.click < classes.length) state.points.push([...round(valueAt(from)), state.click]);
        else if (held >= 0) state.points.splice(held, 1);
        changed();
      },
    );
  }
  function keydown(/** @type {KeyboardEvent} */ event) {
    const cursor = state.cursor ?? [0.5, 0.5],
      done =
        isPlain(event) && keyed(event, cursor, nearest(cursor, Infinity), state, classes.length);
    if (!done) return;
    event.preventDefault();
    Object.assign(state, { cursor: done.cursor, held: done.held });
    if (done.isChanged) changed();
    const [x, y] = [to.x(done.cursor[0]), to.y(done.cursor[1])];
    layers.cursor.replaceChildren(
      draw("path", { d: `M${x - 12} ${y}h24M${x} ${y - 12}v24`, class: "dtb-one" }),
      state.held < 0 ? "" : ringed(x, y),
    );
    light(route(tree, done.cursor));
  }

  // A node that was pressed is a leaf, until it is pressed again or anything else changes.
  const isCut = (/** @type {number} */ i) => state.cut.has(tree.from[i]);

  /** A region and its leaf light up together. @param {number} i */
  function light(i) {
    if (i === state.lit) return;
    state.lit = i;
    litUp(play, tower.ring(i), rects[i]);
    tell();
  }

  // --- what is shown -----------------------------------------------------------------------------

  function show() {
    if (!layers) return;
    tree = cutAt((full ??= grown()), (i) => state.cut.has(i));
    litUp(play);
    regions(drawn, tree);
    // Who is in a region of the other answer has a ring, and the others fade.
    const shown = state.test ? test : state.points,
      missed = shown.filter(isWrong),
      size = sizeOf(shown);
    // New people stand where they are: who is missed comes, or goes.
    renewed(layers.test, state.test ? missed.map(String) : [], (i) => person(missed[i], to, size));
    layers.points.style.opacity = state.test ? "0.2" : "";
    layers.rings.replaceChildren(ringsOf(missed, to, size));
    state.lit = -1;
    tower.show(tree, (i) => tree.from[i]);
    tell();
  }

  /** @param {TreeNode} node */
  const counted = ({ counts, label }) => `${counts[label]} of ${some(sum(counts), ...what)}`;

  function tell() {
    const marks = () => [...layers.points.children],
      n = state.points.length,
      wrong = state.points.filter(isWrong).length,
      missed = `${share(test.filter(isWrong).length, test.length)} wrong`,
      leaves = some(leavesOf(tree).length, "leaf", "leaves");
    if (state.lit >= 0 && tree.nodes[state.lit]) {
      const node = tree.nodes[state.lit];
      return say(
        `${state.held < 0 ? "" : `Moving ${aOrAn(what[0])}. `}${whereIs(tree, state.lit, "Everywhere")}: ${answer(tree, node)}, ${counted(node)}.`,
      );
    }
    say(
      `The tree has ${leaves} and depth ${layout(tree).deepest}. ${n ? `It gets ${share(wrong, n)} of its own ${some(n, ...what)} wrong.` : ""}${state.test ? ` Of ${test.length} new ${what[1]} it gets ${missed}.` : ""}`,
      [leaves, () => rects],
      [share(wrong, n), () => marks().filter((_, i) => isWrong(state.points[i]))],
      [some(n, ...what), marks],
      [missed, () => [...layers.test.children]],
    );
  }

  function again() {
    full = null;
    state.cut.clear();
    show();
  }
  const depth = range(
    "Depth",
    { min: 0, max: NONE, value: 0, words: (v) => (v === NONE ? "no limit" : String(v)) },
    (v) => ((state.depth = v), again()),
  );
  const marked = check(
    `ring the errors on ${test.length} new ${what[1]}`,
    false,
    (on) => ((state.test = on), show()),
  );
  const tower = towerOf("The tree, each block as wide as its cases: press one to make it a leaf", {
    tall: 56,
    high: innerWidth < 480 ? 112 : 224,
    words: (i) => {
      const node = tree.nodes[i];
      return `${asks(tree, node)} ${counted(node)} ${answer(tree, node)}${isCut(i) ? ", made a leaf by you" : ""}`;
    },
    look: light,
    press: (i) => {
      const at = tree.from[i];
      if (!state.cut.delete(at) && tree.nodes[i].split) state.cut.add(at);
      show();
      light(tree.from.indexOf(at));
    },
    isPressed: isCut,
  });
  play.append(
    beside(
      make("div", plane.place),
      tower.place,
      storyOf(
        stepsOf(grown, data),
        (i) => {
          [state.depth, state.test] = SCENES[i];
          depth.set(state.depth);
          marked.input.checked = state.test;
          again();
        },
        legend(classes),
        depth,
        range(
          `Fewest ${what[1]} in a leaf`,
          { min: 1, max: 40, value: 1 },
          (v) => ((state.leaf = v), again()),
        ),
        marked,
        choices(
          "A click on the plane",
          [...classes.map((name) => `adds ${name}`), "removes"],
          0,
          (i) => (state.click = i),
        ),
        inRow(
          button("Clear", () => ((state.points = []), changed())),
          button("Start again", () => ((state.points = structuredClone(data.points)), changed())),
        ),
      ),
    ),
  );
}

start("plane", planeExplorable);
