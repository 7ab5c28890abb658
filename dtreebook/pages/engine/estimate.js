// C4.5 prunes: at every node a leaf, the subtree and its largest branch compete by the errors to
// expect; the confidence is under the finger. What goes folds away, and unfolds where it is looked at.

import { branchTo, inOrder, layout } from "./diagram.js";
import { barOf, box, circle, draw, line, make, mark, outline, put, small } from "./draw.js";
import { DOTTED, END } from "./looks.js";
import { sum, TIE } from "./measures.js";
import { inRow, legend, quietly } from "./parts.js";
import { errorBased } from "./prune.js";
import { pick, primary, range, rove } from "./reach.js";
import { axisX, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { answer, asks, inDigits, parents, wayTo, whereIs } from "./tree.js";
import { some } from "./words.js";

const ROW = 28; // how high a node is
const IN = 26; // from one level to the next
const CHART = 136; // how high the errors to expect are
const LETTER = 7.8;

/**
 * @typedef {{pruned: Tree, first: Map<number, Comparison>, last: Map<number, Comparison>}} Pruned
 */

/** @type {Build<{cases: Cases, tree: GrownTree, lower: number}>} */
function estimateExplorable(play, data, say) {
  const { tree, cases } = data;
  // Of the nodes, in the order in which the program looks at them, so many are decided.
  const state = { confidence: 0.25, chosen: 0, isOpen: true, turn: Infinity };
  const parent = parents(tree);
  let /** @type {Pruned} */ found,
    /** @type {SVGGElement[]} */ cells = [],
    high = 0;
  const branches = draw("g"),
    chart = draw("g", { class: "dtb-moves" });
  /** @type {Record<string, string>} */
  const CHOICES = {
    leaf: "becomes a leaf",
    branch: "is replaced by its largest branch",
    keep: "is kept",
  };

  function prune() {
    const { tree: pruned, comparisons } = errorBased(tree, cases, state.confidence);
    const all = comparisons.map((made) => /** @type {const} */ ([made.node, made]));
    found = { pruned, first: new Map(all.toReversed()), last: new Map(all) };
  }

  const largest = (/** @type {number} */ i) => {
    const { children = [] } = tree.nodes[i],
      weights = children.map((child) => sum(tree.nodes[child].counts));
    return children[weights.lastIndexOf(Math.max(...weights))];
  };
  const order = () => [...found.last.keys()];
  /** What was decided so far of a node, at first or at last. @param {number} i @param {"first" | "last"} when */
  const choiceOf = (i, when = "last") =>
    order().indexOf(i) > state.turn ? undefined : found[when].get(i)?.choice;
  /** @type {(i: number) => boolean} */
  const isGone = (i) => {
    if (!i) return false;
    const up = parent[i];
    return (
      isGone(up) ||
      choiceOf(up) === "leaf" ||
      (choiceOf(up, "first") === "branch" && largest(up) !== i)
    );
  };

  // Its nodes below each other, each to the right of the one above.
  const rows = inOrder(tree),
    { depth } = layout(tree);
  const tower = picture("The tree as it was grown: press a node", () => {
    cells = tree.nodes.map(({ split }, i) => {
      const press = () => lookAt(i, !state.isOpen || state.chosen !== i);
      const about = { class: `${split ? "dtb-pick " : ""}dtb-moves` };
      return draw("g", split ? pick(null, press, about) : about);
    });
    tower.replaceChildren(branches, chart, ...rows.map((i) => cells[i]));
    show();
    return high;
  });

  /** @param {number} i @param {boolean} isOpen whether what folds there is seen */
  function lookAt(i, isOpen) {
    const fold = isOpen ? -1 : foldOf(i);
    Object.assign(state, { chosen: fold < 0 ? i : fold, isOpen });
    show();
  }
  /** @param {number} to */
  function trust(to) {
    Object.assign(state, { confidence: to, turn: Infinity });
    prune();
    lookAt(state.chosen, false);
  }

  /** Whether a larger tree is as good as the one chosen. @param {Comparison} made */
  const isTie = ({ leaf, subtree, branch, choice }) =>
    choice === "leaf"
      ? Math.min(subtree, branch) < leaf + TIE && Math.min(subtree, branch) > leaf - TIE
      : choice === "branch" && Math.abs(subtree - branch) < TIE;

  /** What competes at the chosen node, beside it, or below it. @param {Comparison} made @param {number} wide */
  function showChart(made, wide) {
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
      x = scale(low, most, from, wide - 96);
    chart.replaceChildren(
      box(0, -4, wide, CHART - 8, { rx: 8, class: "dtb-card dtb-ring" }),
      ...offers.flatMap(([words, errors, wins], r) => {
        const y = 16 + 24 * r,
          bold = { "font-weight": wins ? 700 : 400 };
        const sign = wins ? (isTie(made) ? " ★ a tie" : " ★") : "";
        return [
          small(from - 10, y + 5, words, { ...END, ...bold }),
          line(x(low), y, x(most), y, { "stroke-opacity": 0.3 }),
          circle(x(errors), y, 6, { class: wins ? "dtb-dot" : "dtb-knob" }),
          small(x(errors) + 10, y + 5, `${errors.toFixed(2)}${sign}`, {
            ...bold,
            class: "dtb-halo",
          }),
        ];
      }),
      axisX(x, 80, low, most, "errors to expect", 3),
    );
  }

  // What is gone folds into the last node above it that is not, and is seen where that is looked at.
  const foldOf = (/** @type {number} */ i) => {
    const way = wayTo(tree, i);
    return way[way.findIndex(isGone) - 1] ?? -1;
  };
  const isSeen = (/** @type {number} */ i) =>
    foldOf(i) < 0 ||
    (state.isOpen &&
      wayTo(tree, state.chosen).includes(foldOf(i)) &&
      // What had folded inside of it stays so.
      wayTo(tree, parent[i]).every(
        (up) => choiceOf(up) !== "leaf" || wayTo(tree, state.chosen).includes(up),
      ));

  // The nodes that are seen below each other, each on a branch as wide as its cases.
  /** @param {Comparison} made */
  function showTree(made) {
    const n = sum(tree.nodes[0].counts),
      isWide = tower.wide > 700,
      across = isWide ? 0.53 * tower.wide : tower.wide,
      unit = Math.min(0.3 * across, across - 266) / n,
      /** @type {number[]} */ tops = [];
    high = 4;
    for (const i of rows) {
      tops[i] = isSeen(i) ? high : (tops[foldOf(i)] ?? 0);
      if (isSeen(i)) high += ROW + (isWide || i !== state.chosen ? 0 : CHART);
    }
    high = Math.max(high, isWide ? CHART + 40 : 0);
    const top = tops[state.chosen];
    chart.style.transform = isWide
      ? `translate(${across + 24}px, ${Math.min(top, high - CHART) + 4}px)`
      : `translate(0, ${top + ROW + 6}px)`;
    showChart(made, isWide ? tower.wide - across - 24 : across);
    for (const i of rows) {
      showRow(i, 4 + IN * depth[i], unit, across);
      const isHidden = !isSeen(i);
      cells[i].style.transform = `translate(0, ${tops[i]}px)`;
      Object.assign(cells[i].style, {
        opacity: isHidden ? "0" : isGone(i) ? "0.6" : "1",
        visibility: isHidden ? "hidden" : "visible",
      });
    }
    branches.replaceChildren(
      ...rows.flatMap((i) =>
        i && isSeen(i)
          ? outline(`M${IN * depth[i] - 8} ${tops[parent[i]] + ROW - 4}V${tops[i] + 6}q0 8 8 8h6`, {
              stroke: "#8b8676",
              "stroke-width": 1.5 + (10 * sum(tree.nodes[i].counts)) / n,
              ...(isGone(i) ? DOTTED : {}),
            })
          : [],
      ),
    );
    put(tower, { viewBox: `0 0 ${tower.wide} ${high}`, height: high });
  }

  /** @param {number} i @param {number} left @param {number} unit @param {number} across */
  function showRow(i, left, unit, across) {
    const node = tree.nodes[i],
      choice = choiceOf(i),
      isLeaf = !node.split || choice === "leaf",
      isSkipped = choiceOf(i, "first") === "branch",
      isChosen = i === state.chosen,
      n = sum(node.counts),
      missed = n - node.counts[node.label],
      folded = rows.filter((row) => foldOf(row) === i).length,
      words = `${branchTo(tree, i, parent)}: ${isLeaf ? answer(tree, node) : asks(tree, node)}`,
      wide = LETTER * words.length + (isLeaf ? 28 : 16),
      more = folded ? `+${folded}${across > 420 ? " folded" : ""}` : "",
      from = across - 64 - unit * sum(tree.nodes[0].counts);
    cells[i].replaceChildren(
      box(left, 2, wide, ROW - 6, {
        rx: 6,
        class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}`,
        "stroke-dasharray": isLeaf && node.split ? "4 3" : null,
        "stroke-opacity": node.split ? 1 : 0,
      }),
      isLeaf ? mark(node.label, left + 12, 13, 6) : "",
      small(left + (isLeaf ? 22 : 8), 18, words, {
        "font-weight": node.split ? 700 : 400,
        "text-decoration": isSkipped ? "line-through" : null,
      }),
      small(left + wide + 6, 18, more),
      ...barOf(node.counts, from, 6, unit * n, 14),
      small(across - 2, 18, `${inDigits(missed, 3)} of ${inDigits(n, 3)}`, END),
    );
    if (!node.split) return;
    if (!isSeen(i)) return cells[i].removeAttribute("tabindex"); // arrows pass it over
    const label = `${whereIs(tree, i, "the root")}: ${CHOICES[choice ?? ""] ?? "not looked at"}`;
    put(cells[i], {
      "aria-pressed": String(isChosen),
      "aria-label": label,
      tabindex: isChosen ? 0 : -1,
    });
  }

  function show() {
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made) return;
    if (tower.wide) showTree(made);
    const where = whereIs(tree, state.chosen, "the root");
    say(
      `Confidence ${state.confidence.toFixed(2)}: C4.5 keeps ${found.pruned.nodes.length} of ${some(tree.nodes.length, "node")}. At ${where}, in as many new cases, ` +
        `a leaf is expected to make ${made.leaf.toFixed(2)} errors, the subtree ${made.subtree.toFixed(2)}, its largest branch ${made.branch.toFixed(2)}. So the node ${CHOICES[made.choice]}${isTie(made) ? ": of equals the smaller wins" : ""}.`,
      [some(tree.nodes.length, "node"), () => cells],
    );
  }

  // The nodes from the bottom up, as the program looks at them; after the last the tree stands again.
  /** @param {number} turn */
  const go = (turn) => {
    state.turn = turn < found.last.size ? turn : 0;
    lookAt(order()[state.turn], true);
  };
  const confidence = range(
    "Confidence",
    { min: 0.01, max: 1, step: 0.01, value: state.confidence, words: (v) => v.toFixed(2) },
    trust,
  );
  confidence.classList.add("dtb-secret");
  play.append(
    legend(tree.classes ?? []),
    inRow(
      primary("The next node, from the bottom up", () => go(state.turn + 1)),
      confidence,
    ),
    make("div", {}, quietly("Errors as a leaf, of the cases of each node:"), tower.place),
  );
  rove(tower.place);
  // It begins at a node that goes.
  prune();
  go(
    Math.max(
      0,
      order().findIndex((i) => found.first.get(i)?.choice !== "keep"),
    ),
  );
  return () => {
    confidence.set(data.lower);
    trust(data.lower);
  };
}

start("estimate", estimateExplorable);
