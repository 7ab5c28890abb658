// Points on a plane: set, drag, recolour and remove them; the tree and its regions grow again at
// once. A node of the tree that is pressed becomes a leaf, and its regions merge.
// data: { x, y, classes, points: [[x, y, class]], test: the same, what, alpha: the most of the
// slider }, x and y 0 to 1.

import { cart } from "./cart.js";
import {
  aOrAn,
  axisX,
  axisY,
  box,
  clamp,
  colour,
  cross,
  draw,
  fitted,
  legend,
  line,
  litUp,
  make,
  mark,
  onSheet,
  regions,
  ringed,
  scale,
  share,
  short,
  small,
  some,
  stage,
} from "./draw.js";
import { sum } from "./measures.js";
import { cutAt, pruneAt } from "./prune.js";
import { ARROWS, button, check, choices, fewerMoves, hold, isPlain, pick, range } from "./reach.js";
import { start } from "./start.js";
import {
  answer,
  asked,
  asks,
  depthOf,
  general,
  leavesOf,
  parents,
  route,
  whereIs,
} from "./tree.js";

function planeExplorable(play, data, say) {
  const { classes, what, test = [] } = data;
  const attributes = [data.x, data.y].map((name) => ({ name, kind: "numeric", levels: [] }));
  const state = {
    points: data.points.map((point) => [...point]),
    depth: data.depth ?? 13,
    leaf: 1,
    alpha: 0,
    click: 0,
    test: false,
    ghosts: [],
    vote: false,
    lit: -1,
    cursor: null,
    held: -1,
    cut: new Set(),
    at: 0,
  };
  const NONE = 13;
  let full, tree, plane, tower, layers, to, size;

  const casesOf = (points) => ({
    attributes,
    columns: [0, 1].map((i) => Float64Array.from(points, (point) => point[i])),
    target: Int32Array.from(points, (point) => point[2]),
    classes,
    weight: null,
  });
  function grown(points) {
    const whole = cart(casesOf(points), {
      maxDepth: state.depth === NONE ? null : state.depth,
      minLeaf: state.leaf,
    });
    return state.alpha ? pruneAt(whole, state.alpha) : whole;
  }
  const errorsOn = (some, of) =>
    some.filter((point) => of.nodes[route(of, point)].label !== point[2]);

  // --- the plane ---------------------------------------------------------------------------------

  function paintPlane(width) {
    size = Math.min(width - 40, 400);
    to = { x: scale(0, 1, 36, 36 + size), y: scale(0, 1, 24 + size, 24) };
    const frame = draw(
      "g",
      {},
      axisX(to.x, 24 + size, 0, 1, data.x),
      axisY(36, to.y, 0, 1, data.y),
    );
    layers = Object.fromEntries(
      ["regions", "ghosts", "points", "test", "cursor"].map((name) => [name, draw("g")]),
    );
    layers.points.style.pointerEvents = layers.cursor.style.pointerEvents = "none";
    const ground = box(36, 24, size, size, {
      tabindex: 0,
      role: "application",
      class: "dtb-ground",
      fill: "transparent",
      keydown,
      pointerdown,
      pointermove: (event) => light(leafAt(valueAt(onSheet(plane, event)))),
      pointerleave: () => light(-1),
      blur: () => ((state.held = -1), layers.cursor.replaceChildren()),
      "aria-label": `The plane of ${data.x} and ${data.y}. Arrow keys move a cursor, Enter adds ${aOrAn(what[0])}, C recolours the nearest, Delete removes it, M takes it along until M is pressed again.`,
    });
    plane.replaceChildren(
      layers.regions,
      layers.ghosts,
      layers.points,
      layers.test,
      frame,
      layers.cursor,
      ground,
    );
    placePoints();
    show();
    return size + 68;
  }

  const valueAt = ([px, py]) =>
    [to.x.back(px), to.y.back(py)].map((v) => clamp(v, 0, 1));
  const leafAt = (value) => route(tree, value);

  function placePoints() {
    const r = state.points.length > 120 ? 3.6 : 6;
    layers.points.replaceChildren(
      ...state.points.map(([x, y, k]) =>
        mark(k, to.x(x), to.y(y), r, {
          stroke: "var(--pst-color-background, Canvas)",
          "stroke-width": 0.8,
        }),
      ),
    );
  }

  function nearest([x, y], within) {
    let best = -1,
      least = within;
    state.points.forEach((point, i) => {
      const far = Math.hypot(to.x(point[0]) - to.x(x), to.y(point[1]) - to.y(y));
      if (far < least) [best, least] = [i, far];
    });
    return best;
  }

  function changed() {
    placePoints();
    again();
  }

  const round = (value) => value.map((v) => Math.round(v * 1000) / 1000);

  function pointerdown(event) {
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
        changed();
      },
      () => {
        if (moved) return;
        if (held < 0 && state.click < classes.length)
          state.points.push([...round(valueAt(from)), state.click]);
        else if (held >= 0 && state.click === classes.length) state.points.splice(held, 1);
        else if (state.points[held]) recolour(held);
        changed();
      },
    );
  }
  const recolour = (i) => (state.points[i][2] = (state.points[i][2] + 1) % classes.length);

  function keydown(event) {
    if (!isPlain(event)) return;
    state.cursor ??= [0.5, 0.5];
    const near = nearest(state.cursor, Infinity),
      { points } = state,
      step = ARROWS[event.key],
      key = event.key.toLowerCase();
    if (step) {
      const far = event.shiftKey ? 0.1 : 0.02;
      state.cursor = round(state.cursor.map((v, i) => clamp(v + far * step[i], 0, 1)));
      if (state.held >= 0) points[state.held] = [...state.cursor, points[state.held][2]];
    } else if (key === "enter")
      points.push([...state.cursor, Math.min(state.click, classes.length - 1)]);
    else if (near < 0) return;
    else if (key === "c") recolour(near);
    else if (key === "delete" || key === "backspace") points.splice(near, 1);
    else if (key === "m") {
      state.held = state.held < 0 ? near : -1;
      if (state.held >= 0) state.cursor = points[near].slice(0, 2);
    } else return;
    event.preventDefault();
    if (!step && key !== "m") state.held = -1;
    if (step ? state.held >= 0 : key !== "m") changed();
    const [x, y] = [to.x(state.cursor[0]), to.y(state.cursor[1])];
    layers.cursor.replaceChildren(
      line(x - 12, y, x + 12, y, { "stroke-width": 2 }),
      line(x, y - 12, x, y + 12, { "stroke-width": 2 }),
      state.held < 0 ? "" : ringed(x, y, 2),
    );
    light(leafAt(state.cursor));
  }

  // --- the tree as a tower: the root on top, every node as wide as its cases ---------------------

  const TALL = 24,
    ROWS = 14;
  function paintTower(width) {
    tower.wide = width;
    if (tree) showTower();
    return TALL * ROWS + 50;
  }

  function showTower() {
    const total = sum(tree.nodes[0].counts),
      unit = tower.wide / (total || 1),
      depth = [0],
      left = [0],
      focused = tower.contains(document.activeElement);
    tower.cells = tree.nodes.map((node, i) => {
      const wide = sum(node.counts) * unit,
        top = depth[i] * TALL;
      let from = left[i];
      for (const child of node.children ?? []) {
        depth[child] = depth[i] + 1;
        left[child] = from;
        from += sum(tree.nodes[child].counts) * unit;
      }
      return draw(
        "g",
        pick(
          `${asks(tree, node)} ${node.counts[node.label]} of ${some(sum(node.counts), ...what)} ${answer(tree, node)}${isCut(i) ? ", a leaf by your hand" : ""}`,
          () => toggle(i),
          {
            tabindex: -1,
            "aria-pressed": isCut(i),
            pointerenter: () => light(i),
            pointerleave: () => light(-1),
            focus: () => comeTo(i),
            keydown: (event) => walk(event, i),
          },
        ),
        box(left[i], top, wide, TALL, {
          class: "dtb-ring",
          fill: colour(node.label),
          "fill-opacity": node.split ? 0.25 : 0.75,
          stroke: "var(--pst-color-background, Canvas)",
        }),
        wide > 92 && node.split
          ? small(
              left[i] + 5,
              top + 16,
              fitted(`${asked(tree, node)} ≤ ${general(node.split.cut, 3)}`, wide - 8),
            )
          : null,
      );
    });
    tower.replaceChildren(
      ...tower.cells.filter((_, i) => depth[i] < ROWS),
      small(0, TALL * ROWS + 20, "the tree: each node as wide as its cases;"),
      small(0, TALL * ROWS + 38, "press one to make it a leaf"),
    );
    const now = Math.max(tree.from.indexOf(state.at), 0);
    tower.cells[now].setAttribute("tabindex", 0);
    if (focused) tower.cells[now].focus();
  }

  // One node at a time is in the order of Tab: arrows go to its parent, first child and neighbours.
  function walk(event, i) {
    const { children } = tree.nodes[i],
      parent = parents(tree)[i],
      row = tree.nodes[parent]?.children ?? [i];
    const to = {
      ArrowUp: parent,
      ArrowDown: children?.[0],
      ArrowLeft: row[row.indexOf(i) - 1],
      ArrowRight: row[row.indexOf(i) + 1],
    };
    if (event.key === "Enter" || event.key === " ") toggle(i);
    else if (!(event.key in to)) return;
    event.preventDefault();
    tower.cells[to[event.key]]?.focus();
  }
  function comeTo(i) {
    for (const cell of tower.cells) cell.setAttribute("tabindex", -1);
    tower.cells[i].setAttribute("tabindex", 0);
    state.at = tree.from[i];
    light(i);
  }

  // A node that was pressed is a leaf, until it is pressed again or anything else changes.
  const isCut = (i) => state.cut.has(tree.from[i]);
  function toggle(i) {
    if (isCut(i)) state.cut.delete(tree.from[i]);
    else if (tree.nodes[i].split) state.cut.add(tree.from[i]);
    else return;
    state.at = tree.from[i];
    show();
    light(tree.from.indexOf(state.at));
  }

  // A region and its leaf light up together.
  function light(i) {
    if (i === state.lit) return;
    state.lit = i;
    litUp(play, tower.cells?.[i]?.firstChild, layers.rects?.[i]);
    tell();
  }

  // --- what is shown -----------------------------------------------------------------------------

  function show() {
    if (!layers) return;
    tree = cutAt((full ??= grown(state.points)), (i) => state.cut.has(i));
    voting.disabled = !state.ghosts.length;
    voting.setAttribute("aria-pressed", state.vote);
    layers.rects = regions(tree, [[0, 1], [0, 1]], to);
    layers.regions.replaceChildren(...(state.vote ? voteCells() : layers.rects.filter(Boolean)));
    layers.ghosts.replaceChildren(
      ...state.ghosts.map((ghost) =>
        draw("path", {
          d: borders(ghost),
          fill: "none",
          stroke: "currentColor",
          "stroke-opacity": 0.3,
        }),
      ),
    );
    layers.test.replaceChildren(
      ...(state.test ? errorsOn(test, tree).map(([x, y]) => cross(to.x(x), to.y(y), 4)) : []),
    );
    state.lit = -1;
    if (tower?.wide) showTower();
    tell();
  }

  // Where the answer of a tree changes, as lines between its cuts.
  function borders(of) {
    const cuts = [0, 1].map((a) =>
      [
        0,
        ...new Set(
          of.nodes.filter(({ split }) => split?.attribute === a).map(({ split }) => split.cut),
        ),
        1,
      ].sort((p, q) => p - q),
    );
    const label = (i, j) =>
      of.nodes[route(of, [(cuts[0][i] + cuts[0][i + 1]) / 2, (cuts[1][j] + cuts[1][j + 1]) / 2])]
        .label;
    const labels = cuts[0].slice(1).map((_, i) => cuts[1].slice(1).map((__, j) => label(i, j)));
    let d = "";
    labels.forEach((column, i) =>
      column.forEach((k, j) => {
        if (i && labels[i - 1][j] !== k)
          d += `M${to.x(cuts[0][i])} ${to.y(cuts[1][j])}V${to.y(cuts[1][j + 1])}`;
        if (j && labels[i][j - 1] !== k)
          d += `M${to.x(cuts[0][i])} ${to.y(cuts[1][j])}H${to.x(cuts[0][i + 1])}`;
      }),
    );
    return d;
  }

  // What most of the ghosts answer, cell by cell of a grid.
  function voteCells() {
    const n = 50,
      cells = [];
    for (let j = 0; j < n; j++) {
      let run = 0,
        last = -1;
      for (let i = 0; i <= n; i++) {
        const k = i < n ? majority([(i + 0.5) / n, (j + 0.5) / n]) : -1;
        if (k !== last) {
          if (last >= 0)
            cells.push(
              box(
                to.x(run / n),
                to.y((j + 1) / n),
                to.x(i / n) - to.x(run / n),
                to.y(0) - to.y(1 / n) + 0.5,
                { fill: colour(last), "fill-opacity": 0.3 },
              ),
            );
          [run, last] = [i, k];
        }
      }
    }
    return cells;
  }
  function majority(value) {
    const votes = classes.map(() => 0);
    for (const ghost of state.ghosts) votes[ghost.nodes[route(ghost, value)].label] += 1;
    return votes.indexOf(Math.max(...votes));
  }

  function resample() {
    for (let i = 0; i < (fewerMoves() ? 30 : 1) && state.ghosts.length < 30; i++) {
      state.ghosts.push(
        grown(
          state.points.map(() => state.points[Math.floor(Math.random() * state.points.length)]),
        ),
      );
    }
    show();
    if (state.ghosts.length < 30 && play.isConnected)
      requestAnimationFrame(() => state.ghosts.length && state.ghosts.length < 30 && resample());
  }

  function tell() {
    const n = state.points.length,
      wrong = errorsOn(state.points, tree).length;
    const leaves = leavesOf(tree).length;
    if (state.lit >= 0 && tree.nodes[state.lit]) {
      const node = tree.nodes[state.lit],
        of = sum(node.counts);
      return say(
        `${state.held < 0 ? "" : `Moving ${aOrAn(what[0])}. `}${whereIs(tree, state.lit, "Everywhere")}: ${answer(tree, node)}, ${node.counts[node.label]} of ${some(of, ...what)}.`,
      );
    }
    const fresh = test.length
      ? ` Of ${test.length} new ${what[1]} it gets ${share(errorsOn(test, tree).length, test.length)} wrong${state.vote ? `; the vote of ${state.ghosts.length} trees ${share(test.filter((point) => majority(point) !== point[2]).length, test.length)}` : ""}.`
      : "";
    say(
      `The tree has ${some(leaves, "leaf", "leaves")} and depth ${depthOf(tree)}. ${n ? `It gets ${share(wrong, n)} of its own ${some(n, ...what)} wrong.` : ""}${test.length && state.test ? fresh : ""}`,
    );
  }

  const places = [make("div"), make("div")];
  const alphas = data.alpha ?? 0.05;
  const controls = [
    range(
      "Depth",
      {
        min: 0,
        max: NONE,
        value: state.depth,
        words: (v) => (v === NONE ? "no limit" : String(v)),
      },
      (v) => ((state.depth = v), again()),
    ),
    range("Least leaf", { min: 1, max: 40, value: 1 }, (v) => ((state.leaf = v), again())),
    range(
      "Price of a leaf, α",
      { min: 0, max: 100, value: 0, words: (v) => short((v / 100) * alphas, 4) },
      (v) => ((state.alpha = (v / 100) * alphas), again()),
    ),
  ];
  function again() {
    full = null;
    state.ghosts = [];
    state.vote = false;
    state.cut.clear();
    show();
  }
  const voting = button("Let the 30 vote", () => {
    state.vote = !state.vote;
    show();
  });
  play.append(
    legend(classes),
    choices(
      "A click on the plane",
      [...classes.map((name) => `adds ${name}`), "removes"],
      0,
      (i) => (state.click = i),
    ),
    ...controls,
    make("div", { class: "dtb-pair" }, places),
    make(
      "div",
      { class: "dtb-row" },
      test.length
        ? check(
            `mark the errors on ${test.length} new ${what[1]}`,
            false,
            (on) => ((state.test = on), show()),
          )
        : null,
      button(
        "Draw the cases again, 30 times",
        () => ((state.ghosts = []), (state.vote = false), resample()),
      ),
      voting,
      button("Clear", () => ((state.points = []), changed())),
      button(
        "Start again",
        () => ((state.points = data.points.map((point) => [...point])), changed()),
      ),
    ),
  );
  plane = stage(
    places[0],
    `${data.x} and ${data.y}: the points, and the regions of the tree`,
    paintPlane,
  );
  tower = stage(places[1], "The tree, each node as wide as its cases", paintTower);
}

start("plane", planeExplorable);
