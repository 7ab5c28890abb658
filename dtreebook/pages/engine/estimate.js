// C4.5 prunes: at every node a leaf, the subtree and its largest branch compete by the errors to
// expect; the confidence is under the finger.

import { branchTo } from "./diagram.js";
import { box, circle, curve, draw, line, mark, put, small } from "./draw.js";
import { END } from "./looks.js";
import { sum } from "./measures.js";
import { beside, inRow, legend } from "./parts.js";
import { errorBased } from "./prune.js";
import { pick, primary, range, rove } from "./reach.js";
import { axisX, axisY, picture, scale, within } from "./stage.js";
import { start } from "./start.js";
import { answer, asks, inDigits, parents, whereIs } from "./tree.js";
import { some } from "./words.js";

const ROW = 31; // how high a node is

/**
 * @typedef {{pruned: Tree, comparisons: Comparison[], first: Map<number, Comparison>,
 *   last: Map<number, Comparison>}} Pruned
 */

/** @type {Build<{cases: Cases, tree: GrownTree}>} */
function estimateExplorable(play, data, say) {
  const { tree, cases } = data;
  const state = { confidence: 0.25, chosen: 0 };
  const parent = parents(tree);
  let /** @type {Pruned} */ found,
    /** @type {SVGGElement[]} */ cells = [];
  const inner = tree.nodes.map((_, i) => i).filter((i) => tree.nodes[i].split);
  /** @type {Record<string, string>} */
  const CHOICES = {
    leaf: "becomes a leaf",
    branch: "is replaced by its largest branch",
    keep: "is kept",
  };

  function prune() {
    const { tree: pruned, comparisons } = errorBased(tree, cases, state.confidence);
    found = { pruned, comparisons, first: new Map(), last: new Map() };
    for (const made of comparisons) {
      if (!found.first.has(made.node)) found.first.set(made.node, made);
      found.last.set(made.node, made);
    }
  }

  const largest = (/** @type {number} */ i) => {
    const { children = [] } = tree.nodes[i],
      weights = children.map((child) => sum(tree.nodes[child].counts));
    return children[weights.lastIndexOf(Math.max(...weights))];
  };
  /** @type {(i: number) => boolean} */
  const isGone = (i) => {
    if (!i) return false;
    const up = parent[i],
      choice = found.last.get(up)?.choice;
    return (
      isGone(up) ||
      choice === "leaf" ||
      (found.first.get(up)?.choice === "branch" && largest(up) !== i)
    );
  };

  // Its nodes below each other, each to the right of the one above.
  const /** @type {{i: number, depth: number}[]} */ rows = [];
  (function visit(/** @type {number} */ i, depth = 0) {
    rows.push({ i, depth });
    tree.nodes[i].children?.forEach((child) => visit(child, depth + 1));
  })(0);
  const tower = picture("The tree as it was grown: press a node", (width) => {
    cells = tree.nodes.map((node, i) => draw("g", node.split ? press(i) : {}));
    tower.replaceChildren(
      small(width - 8, 14, "cases, errors as a leaf", END),
      ...rows.map(({ i }) => cells[i]),
    );
    show();
    return 24 + ROW * rows.length;
  });
  /** @param {number} i */
  const press = (i) => pick(null, () => ((state.chosen = i), show()), { tabindex: i ? -1 : 0 });

  const chart = picture("Errors to expect", () => (show(), 150));

  /** @param {Comparison} made */
  function showChart(made) {
    /** @type {[string, number, boolean][]} */
    const offers = [
      ["a leaf", made.leaf, made.choice === "leaf"],
      ["the subtree", made.subtree, made.choice === "keep"],
      ["its largest branch", made.branch, made.choice === "branch"],
    ];
    const all = offers.map(([, errors]) => errors),
      [least, most] = [Math.min(...all), Math.max(...all)],
      low = Math.max(least - 1.5 * (most - least) - 0.2, 0),
      from = 150,
      x = scale(low, most, from, chart.wide - 70);
    chart.replaceChildren(
      ...offers.flatMap(([words, errors, wins], r) => {
        const y = 18 + 30 * r,
          look = wins ? { class: "dtb-one" } : { "stroke-opacity": 0.5 },
          bold = { "font-weight": wins ? 700 : 400 };
        return [
          small(from - 8, y + 5, words, { ...END, ...bold }),
          line(x(low), y, x(errors), y, { "stroke-width": 4, ...look }),
          circle(x(errors), y, 6, { class: wins ? "dtb-dot" : "dtb-knob" }),
          small(x(errors) + 10, y + 5, `${errors.toFixed(2)}${wins ? " ★" : ""}`, bold),
        ];
      }),
      axisX(x, 106, low, most, "", 3),
      small(0, 146, "errors to expect in as many new cases"),
    );
  }

  // How many nodes each confidence keeps, as stairs, and where the reader is on them.
  const /** @type {Point[]} */ kept = [];
  for (let at = 0.02; at <= 1; at += 0.02)
    kept.push([at, errorBased(tree, cases, at).tree.nodes.length]);
  const stairs = picture("Nodes that each confidence keeps", (width) => {
    const x = scale(0, 1, 34, width - 14),
      y = scale(0, tree.nodes.length, 136, 30),
      at = [state.confidence, found.pruned.nodes.length];
    stairs.replaceChildren(
      axisX(x, 136, 0, 1, "confidence", 5),
      axisY(34, y, 0, tree.nodes.length, "", 4),
      curve(
        kept.flatMap(([one, nodes], i) => [
          [x(one), y(kept[Math.max(i - 1, 0)][1])],
          [x(one), y(nodes)],
        ]),
        { "stroke-width": 2.5 },
      ),
      line(x(at[0]), 136, x(at[0]), y(at[1]), { class: "dtb-one", "stroke-width": 2.5 }),
      circle(x(at[0]), y(at[1]), 7, { class: "dtb-dot" }),
      within(some(at[1], "node is kept", "nodes are kept"), x(at[0]), 16, [0, width]),
    );
    return 180;
  });

  /** @param {number} i @param {number} depth @param {number} top */
  function showRow(i, depth, top) {
    const across = tower.wide,
      node = tree.nodes[i],
      choice = found.last.get(i)?.choice,
      gone = isGone(i),
      isChosen = i === state.chosen,
      n = sum(node.counts),
      missed = n - node.counts[node.label],
      unit = across > 420 ? 90 / sum(tree.nodes[0].counts) : 0,
      left = 8 + 20 * depth,
      becomes = choice === "leaf" ? ` → ${answer(tree, node)}` : " → its largest branch";
    cells[i].replaceChildren(
      box(1, top, across - 2, ROW - 3, {
        rx: 6,
        class: `dtb-ring dtb-pile${isChosen ? " dtb-chosen" : ""}`,
        "stroke-opacity": node.split && !gone ? 1 : 0,
      }),
      node.split ? "" : mark(node.label, left + 6, top + 14, 6),
      small(
        left + (node.split ? 0 : 18),
        top + 19,
        `${branchTo(tree, i, parent)}: ${asks(tree, node)}${node.split && choice !== "keep" && !gone ? becomes : ""}`,
        { "font-weight": node.split ? 700 : 400, "text-decoration": gone ? "line-through" : null },
      ),
      box(across - 156, top + 9, unit * n, 10, { fill: "#b5ab97" }),
      box(across - 156, top + 9, unit * missed, 10, { fill: "currentColor" }),
      small(across - 8, top + 19, `${inDigits(n, 3)}, ${inDigits(missed, 3)}`, END),
    );
    cells[i].style.opacity = gone ? "0.6" : "1";
    if (!node.split) return;
    const label = `${whereIs(tree, i, "the root")}: ${CHOICES[choice ?? ""] ?? "not looked at"}`;
    put(cells[i], { "aria-pressed": String(isChosen), "aria-label": label });
  }

  function show() {
    prune();
    if (tower.wide) rows.forEach(({ i, depth }, r) => showRow(i, depth, 22 + ROW * r));
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made) return;
    if (chart.wide) showChart(made);
    if (stairs.wide) stairs.paint();
    const where = whereIs(tree, state.chosen, "the root");
    say(
      `Confidence ${state.confidence.toFixed(2)}: C4.5 keeps ${found.pruned.nodes.length} of ${some(tree.nodes.length, "node")}. At ${where}, in as many new cases, ` +
        `a leaf is expected to make ${made.leaf.toFixed(2)} errors, the subtree ${made.subtree.toFixed(2)}, its largest branch ${made.branch.toFixed(2)}. So the node ${CHOICES[made.choice]}.`,
      [some(tree.nodes.length, "node"), () => cells],
    );
  }

  // The nodes from the bottom up, as the program looks at them.
  let turn = -1;
  const follow = () => {
    turn = (turn + 1) % inner.length;
    state.chosen = [...found.first.keys()][turn] ?? 0;
    show();
  };
  play.append(
    legend(tree.classes ?? []),
    beside(
      tower.place,
      chart.place,
      stairs.place,
      range(
        "Confidence",
        { min: 0.01, max: 1, step: 0.01, value: state.confidence, words: (v) => v.toFixed(2) },
        (v) => ((state.confidence = v), show()),
      ),
      inRow(primary("The next node, from the bottom up", follow)),
    ),
  );
  rove(tower.place);
  // It begins at a node that goes.
  prune();
  state.chosen = inner.find((i) => found.first.get(i)?.choice !== "keep") ?? 0;
}

start("estimate", estimateExplorable);
