// Pruning by hand: click a node away, or drag the price of a leaf; the lines R + alpha |T|, the
// cross-validated errors, the tree and, of two numbers, its regions follow each other. data: { tree,
// cv: [{ leaves, error, spread }] }, errors as shares of the root's; of two numbers also points:
// [[x, y, class]] and the ends of both axes.

import { EDGE, edgeInto, layout } from "./diagram.js";
import {
  axisX,
  axisY,
  box,
  colour,
  curve,
  DASHED,
  DOTTED,
  draw,
  fitted,
  legend,
  legendOf,
  line,
  litUp,
  make,
  mark,
  regions,
  ringed,
  scale,
  short,
  small,
  some,
  stage,
  text,
} from "./draw.js";
import { leafErrors, sum, TIE } from "./measures.js";
import { nodeRisks, pruningPath, weakestLinks } from "./prune.js";
import { button, grip, newName, pick } from "./reach.js";
import { start } from "./start.js";
import { asked, conditions, general, parents, riskOf, whereIs } from "./tree.js";

function linksExplorable(play, data, say) {
  const { tree, cv, points, ends } = data;
  const risks = nodeRisks(tree),
    links = weakestLinks(tree, risks),
    path = pruningPath(tree);
  const total = sum(tree.nodes[0].counts),
    { depth, spans, deepest } = layout(tree);
  const reach = path.at(-2)?.alpha * 1.6 || 0.01,
    STOPS = 120;
  const state = { at: 0, cut: new Set(), lit: 0 };
  const alpha = (at = state.at) => (reach * at) / STOPS;
  let tower, chart, errors, knob, a, cost, lines, along, up, marks, plane, ground, to;
  let parts = [];

  const parent = parents(tree);
  const isGone = (i) => i > 0 && (state.cut.has(parent[i]) || isGone(parent[i]));
  const isLeaf = (i) => !tree.nodes[i].split || state.cut.has(i);
  const standing = (cut) => {
    const ends = [];
    const visit = (i) =>
      !tree.nodes[i].split || cut.has(i) ? ends.push(i) : tree.nodes[i].children.forEach(visit);
    visit(0);
    return { leaves: ends.length, risk: sum(ends.map((i) => risks[i])) / total };
  };
  const cutBy = (price) =>
    new Set(
      tree.nodes
        .map((_, i) => i)
        .filter((i) => tree.nodes[i].split && links[i] / total <= price * (1 + TIE)),
    );
  const onPath = ({ leaves, risk }) =>
    path.findIndex((step) => step.leaves === leaves && Math.abs(step.risk - risk) < 1e-9);

  // --- the tree: every leaf of the whole tree equally wide ---------------------------------------

  const TALL = 34;
  function paintTower(width) {
    const unit = width / spans[0][1];
    tower.replaceChildren();
    tower.cells = tree.nodes.map((node, i) => {
      const [first, number] = spans[i],
        top = 1 + depth[i] * TALL;
      const cell = draw(
        "g",
        node.split ? pick(null, () => toggle(i), { focus: () => look(i) }) : {},
        box(first * unit + 1, top, number * unit - 2, TALL - EDGE, {
          class: "dtb-ring",
          fill: colour(node.label),
          stroke: "currentColor",
        }),
        edgeInto(tree, i, (first + number / 2) * unit, top),
      );
      cell.addEventListener("pointerenter", () => look(i));
      if (node.split && number * unit > 120) {
        const words = `${asked(tree, node)} ≤ ${general(node.split.cut, 3)}`;
        cell.append(
          small(first * unit + 7, top + 17, fitted(words, number * unit - 18)),
        );
      }
      tower.append(cell);
      return cell;
    });
    show();
    return (deepest + 1) * TALL;
  }

  function toggle(i) {
    if (isGone(i)) return;
    if (state.cut.has(i)) state.cut.delete(i);
    else state.cut.add(i);
    state.lit = i;
    show();
  }

  function look(i) {
    state.lit = i;
    tell();
  }

  // --- what every tree of the path costs, as the price of a leaf grows ---------------------------

  function paintChart(width) {
    a = scale(0, reach, 52, width - 10);
    const top = 1.3 * Math.min(...path.map(({ risk, leaves }) => risk + reach * leaves));
    cost = scale(0, top, 250, 30);
    lines = draw("g");
    const clip = newName();
    lines.setAttribute("clip-path", `url(#${clip})`);
    chart.replaceChildren(
      draw("clipPath", { id: clip }, box(52, 30, width - 62, 220)),
      axisX(a, 250, 0, reach, "α: errors per case a leaf must save", 4),
      axisY(52, cost, 0, top, "R + α · leaves"),
      lines,
      knob,
    );
    show();
    return 292;
  }

  function showLines() {
    const now = standing(state.cut),
      at = onPath(now);
    const drawn = path.map(({ risk, leaves }, i) =>
      line(
        a(0),
        cost(risk),
        a(reach),
        cost(risk + reach * leaves),
        i === at ? { stroke: colour(2), "stroke-width": 4 } : { "stroke-opacity": 0.35 },
      ),
    );
    if (at < 0)
      drawn.push(
        line(a(0), cost(now.risk), a(reach), cost(now.risk + reach * now.leaves), {
          stroke: colour(1),
          "stroke-width": 4,
          ...DASHED,
        }),
      );
    lines.replaceChildren(
      ...drawn,
      line(a(alpha()), 30, a(alpha()), 250, DOTTED),
    );
  }

  // --- errors by leaves: on the training cases, and cross-validated ------------------------------

  function paintErrors(width) {
    const most = Math.log2(spans[0][1]);
    along = scale(0, most, 52, width - 14);
    up = scale(0, 1.05, 250, 30);
    marks = draw("g");
    const at = (leaves) => along(Math.log2(leaves)),
      root = path.at(-1).risk;
    const axis = draw("g", { class: "dtb-axis" }, line(52, 250, width - 14, 250));
    for (const leaves of [1, 2, 4, 8, 16, 32, 64].filter((n) => n <= spans[0][1])) {
      axis.append(
        line(at(leaves), 250, at(leaves), 255),
        text(at(leaves), 269, leaves, { "text-anchor": "middle" }),
      );
    }
    axis.append(text((52 + width) / 2, 287, "leaves", { "text-anchor": "middle" }));
    errors.replaceChildren(
      axis,
      axisY(52, up, 0, 1, "errors, of the root's"),
      curve(
        path.map(({ leaves, risk }) => [at(leaves), up(risk / root)]),
        { stroke: colour(0), "stroke-width": 2.5 },
      ),
      ...cv.map(({ leaves, error, spread }) =>
        line(at(leaves), up(error - spread), at(leaves), up(error + spread), {
          stroke: colour(1),
          "stroke-width": 1.5,
        }),
      ),
      curve(
        cv.map(({ leaves, error }) => [at(leaves), up(error)]),
        { stroke: colour(1), "stroke-width": 2.5, ...DASHED },
      ),
      marks,
    );
    show();
    return 292;
  }

  function showErrors() {
    const now = standing(state.cut),
      x = along(Math.log2(now.leaves)),
      known = cv.find(({ leaves }) => leaves === now.leaves);
    marks.replaceChildren(
      ringed(x, up(now.risk / path.at(-1).risk), 0),
      known && onPath(now) >= 0 ? ringed(x, up(known.error), 1) : "",
    );
  }

  // --- the regions of the leaves, if the tree asks about two numbers -------------------------------

  function paintPlane(width) {
    const [xs, ys] = ends;
    to = { x: scale(...xs, 52, width - 14), y: scale(...ys, 250, 30) };
    ground = draw("g");
    plane.replaceChildren(
      ground,
      ...points.map(([x, y, k]) => mark(k, to.x(x), to.y(y), 2.5)),
      axisX(to.x, 250, ...xs, tree.attributes[0].name),
      axisY(52, to.y, ...ys, tree.attributes[1].name),
    );
    show();
    return 292;
  }

  function showRegions() {
    parts = regions(tree, ends, to, isLeaf);
    parts.forEach((part, i) => part.addEventListener("pointerenter", () => look(i)));
    ground.replaceChildren(...parts.filter(Boolean));
  }

  // --- all together ------------------------------------------------------------------------------

  function show() {
    tower.cells?.forEach((cell, i) => {
      const ring = cell.firstChild,
        gone = isGone(i);
      ring.setAttribute("fill-opacity", gone ? 0 : isLeaf(i) ? 0.6 : 0.22);
      ring.setAttribute("stroke-opacity", gone ? 0.15 : 0.35);
      cell.style.opacity = gone ? 0.45 : 1;
      if (!tree.nodes[i].split) return;
      cell.setAttribute("aria-pressed", state.cut.has(i));
      cell.setAttribute("aria-disabled", gone);
      cell.setAttribute(
        "aria-label",
        `${whereIs(tree, i, "The root")}: ${gone ? "cut off with a node above" : state.cut.has(i) ? "a leaf, press to let it grow" : "press to make it a leaf"}`,
      );
    });
    if (lines) showLines();
    if (marks) showErrors();
    if (ground) showRegions();
    knob.show();
    tell();
  }

  function tell() {
    const now = standing(state.cut),
      price = alpha(),
      mine = now.risk + price * now.leaves,
      i = state.lit;
    const best = standing(cutBy(price)),
      least = best.risk + price * best.leaves;
    const known = cv.find(({ leaves }) => leaves === now.leaves),
      root = path.at(-1).risk;
    const crossed =
      known && onPath(now) >= 0
        ? `, cross-validated on ${short(known.error)} ± ${short(known.spread)}`
        : "";
    const against =
      mine > least + 1e-9
        ? ` At this α the best has ${some(best.leaves, "leaf", "leaves")} and costs ${short(least, 4)}; yours costs ${short(mine, 4)}.`
        : " At this α no tree costs less.";
    const node =
      tree.nodes[i].split && !isGone(i)
        ? ` The node ${conditions(tree, i).at(-1) ?? "at the root"} saves ${short(saved(i), 4)} errors per case with each additional leaf. C4.5 expects ${short(leafErrors(tree.nodes[i].counts), 1)} errors of it as a leaf, ${short(sum(leavesBelow(i).map(({ counts }) => leafErrors(counts))), 1)} of its leaves.`
        : "";
    // A node and the regions of its leaves light up together.
    litUp(play, tower.cells?.[i]?.firstChild, ...parts.filter((_, j) => i && isBelow(j, i)));
    say(
      `α is ${short(price, 4)}. Your tree has ${some(now.leaves, "leaf", "leaves")}: it errs on ${short(now.risk / root)} of what the root does${crossed}.${against}${node}`,
    );
  }

  // The strength of a link in the whole tree, g(t).
  const leavesBelow = (i) => tree.nodes.filter(({ split }, j) => !split && isBelow(j, i));
  const isBelow = (j, i) => spans[j][0] >= spans[i][0] && spans[j][0] < spans[i][0] + spans[i][1];
  const saved = (i) => {
    const ends = leavesBelow(i);
    return (risks[i] - sum(ends.map(riskOf))) / (ends.length - 1) / total;
  };

  const weakest = () => {
    const now = standing(state.cut),
      next = path.find(({ leaves }) => leaves < now.leaves);
    if (!next) return;
    state.cut = cutBy(next.alpha);
    state.at = Math.min(STOPS, Math.ceil((next.alpha / reach) * STOPS - 1e-9));
    show();
  };
  const again = () => {
    Object.assign(state, { at: 0, cut: new Set(), lit: 0 });
    show();
  };
  const places = [0, 1, 2, 3].map(() => make("div"));
  play.append(
    legend(tree.classes.map(String)),
    make("div", { class: "dtb-pair" }, places.slice(0, points ? 2 : 1)),
    make(
      "div",
      { class: "dtb-row" },
      button("Cut the weakest link", weakest),
      button("The whole tree again", again),
    ),
    legendOf(["errors on the training cases", 0], ["cross-validated", 1, DASHED]),
    make("div", { class: "dtb-pair" }, places.slice(2)),
  );
  tower = stage(places[0], "The tree: press a node to make it a leaf", paintTower);
  chart = stage(
    places[2],
    "What every tree costs at each price",
    paintChart,
  );
  errors = stage(places[3], "Errors by leaves", paintErrors);
  if (points) plane = stage(places[1], "The regions of the leaves", paintPlane);
  knob = grip(chart, {
    label: "α, the price of a leaf",
    count: () => STOPS + 1,
    at: () => state.at,
    place: (at) => (a ? [a(alpha(at)), 250] : [0, 0]),
    words: (at) => short(alpha(at), 4),
    onMove: (at) => {
      state.at = at;
      state.cut = at ? cutBy(alpha(at)) : new Set();
      show();
    },
  });
}

start("links", linksExplorable);
