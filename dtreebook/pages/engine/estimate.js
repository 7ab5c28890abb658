// C4.5 prunes: at every node a leaf, the subtree and its largest branch compete by the errors to
// expect; the confidence is under the finger.

import { treeBoxes } from "./diagram.js";
import { beside, box, colour, legend, make, scale, small, some, stage, inRow } from "./draw.js";
import { leafErrors, sum } from "./measures.js";
import { errorBased } from "./prune.js";
import { button, pick, range, rove } from "./reach.js";
import { start } from "./start.js";
import { parents, whereIs } from "./tree.js";

/**
 * @typedef {import("./prune.js").Comparison} Comparison
 * @typedef {{pruned: Tree, comparisons: Comparison[], first: Map<number, Comparison>,
 *   last: Map<number, Comparison>}} Pruned
 */

/** @type {Build<{cases: Cases, tree: GrownTree}>} */
function estimateExplorable(play, data, say) {
  const { tree, cases } = data;
  const state = { confidence: 0.25, chosen: 0 };
  const parent = parents(tree);
  let /** @type {Pruned} */ found,
    /** @type {Sheet} */ tower,
    /** @type {Sheet} */ chart,
    /** @type {SVGGElement[]} */ cells = [],
    wide = 0;
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

  /** @param {number} i */
  const largest = (i) => {
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

  /** @param {number} width */
  function paintTower(width) {
    const { boxes, height } = treeBoxes(tree, width, (i) => (tree.nodes[i].split ? press(i) : {}));
    cells = boxes;
    tower.replaceChildren(...boxes);
    show();
    return height;
  }
  /** @param {number} i */
  const press = (i) => pick(null, () => ((state.chosen = i), show()), { tabindex: i ? -1 : 0 });

  const most = Math.max(
    ...tree.nodes.filter(({ split }) => split).map(({ counts }) => leafErrors(counts, 0.01)),
  );
  /** @param {number} width */
  function paintChart(width) {
    wide = width;
    show();
    return 134;
  }

  /** @param {Comparison} made */
  function showChart(made) {
    const from = 130,
      x = scale(0, most, from, wide - 56);
    /** @type {[string, number, boolean][]} */
    const rows = [
      ["a leaf", made.leaf, made.choice === "leaf"],
      ["the subtree", made.subtree, made.choice === "keep"],
      ["its largest branch", made.branch, made.choice === "branch"],
    ];
    chart.replaceChildren(
      ...rows.flatMap(([words, errors, wins], r) => [
        small(from - 8, 22 + 30 * r, words, {
          "text-anchor": "end",
          "font-weight": wins ? 700 : 400,
        }),
        box(from, 8 + 30 * r, x(errors) - from, 20, {
          fill: wins ? colour(2) : "currentColor",
          "fill-opacity": wins ? 1 : 0.35,
        }),
        small(x(errors) + 6, 23 + 30 * r, `${errors.toFixed(2)}${wins ? " ★" : ""}`),
      ]),
      small(0, 118, "errors to expect in as many new cases"),
    );
  }

  function show() {
    prune();
    cells.forEach((cell, i) => {
      const gone = isGone(i),
        choice = found.last.get(i)?.choice,
        ring = cell.firstElementChild,
        isChosen = i === state.chosen;
      const ends = !tree.nodes[i].split || choice === "leaf";
      ring?.setAttribute("fill-opacity", gone ? "0" : ends ? "0.5" : "0.14");
      ring?.setAttribute("stroke-width", isChosen ? "3" : "1");
      ring?.setAttribute("stroke-opacity", gone ? "0.2" : isChosen ? "1" : "0.4");
      cell.style.opacity = gone ? "0.5" : "1";
      if (!tree.nodes[i].split) return;
      cell.setAttribute("aria-pressed", String(isChosen));
      cell.setAttribute(
        "aria-label",
        `${whereIs(tree, i, "the root")}: ${CHOICES[choice ?? ""] ?? "not looked at"}`,
      );
    });
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made) return;
    if (wide) showChart(made);
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
  const places = [make("div"), make("div")];
  play.append(
    legend(tree.classes ?? []),
    places[0],
    beside(
      places[1],
      range(
        "Confidence",
        { min: 0.01, max: 1, step: 0.01, value: state.confidence, words: (v) => v.toFixed(2) },
        (v) => ((state.confidence = v), show()),
      ),
      inRow(button("The next node, from the bottom up", follow, { class: "dtb-main" })),
    ),
  );
  tower = stage(places[0], "The tree as it was grown: press a node", paintTower);
  rove(places[0]);
  // It begins at a node that goes.
  prune();
  state.chosen = inner.find((i) => found.first.get(i)?.choice !== "keep") ?? 0;
  chart = stage(places[1], "Errors to expect", paintChart);
}

start("estimate", estimateExplorable);
