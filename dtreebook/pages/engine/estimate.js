// C4.5 prunes: at every node a leaf, the subtree and its largest branch compete by the errors to
// expect; the confidence is under the finger. What goes folds away, and unfolds where it is looked at.

import { branchTo, inOrder, layout } from "./diagram.js";
import { barOf, box, circle, draw, line, make, mark, outline, put, small } from "./draw.js";
import { DOTTED, END } from "./looks.js";
import { sum, TIE } from "./measures.js";
import { beside, inRow, legend, quietly } from "./parts.js";
import { errorBased } from "./prune.js";
import { pick, primary, range, rove } from "./reach.js";
import { axisX, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { answer, asks, inDigits, parents, wayTo, whereIs } from "./tree.js";
import { some } from "./words.js";

const ROW = 32; // how high a node is
const IN = 26; // from one level to the next
const LETTER = 7.8;

/**
 * @typedef {{pruned: Tree, first: Map<number, Comparison>, last: Map<number, Comparison>}} Pruned
 */

/** @type {Build<{cases: Cases, tree: GrownTree, lower: number}>} */
function estimateExplorable(play, data, say) {
  const { tree, cases } = data;
  const state = { confidence: 0.25, chosen: 0, isOpen: true };
  const parent = parents(tree);
  let /** @type {Pruned} */ found,
    /** @type {SVGGElement[]} */ cells = [],
    high = 0;
  const branches = draw("g");
  const inner = tree.nodes.map((_, i) => i).filter((i) => tree.nodes[i].split);
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
  const rows = inOrder(tree),
    { depth } = layout(tree);
  const tower = picture("The tree as it was grown: press a node", () => {
    cells = tree.nodes.map(({ split }, i) => {
      const press = () => lookAt(i, !state.isOpen || state.chosen !== i);
      const about = { class: `${split ? "dtb-pick " : ""}dtb-moves` };
      return draw("g", split ? pick(null, press, about) : about);
    });
    tower.replaceChildren(branches, ...rows.map((i) => cells[i]));
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
    state.confidence = to;
    prune();
    lookAt(state.chosen, false);
  }

  const chart = picture("Errors to expect", () => (show(), 150));

  /** Whether a larger tree is as good as the one chosen. @param {Comparison} made */
  const isTie = ({ leaf, subtree, branch, choice }) =>
    choice === "leaf"
      ? Math.min(subtree, branch) < leaf + TIE && Math.min(subtree, branch) > leaf - TIE
      : choice === "branch" && Math.abs(subtree - branch) < TIE;

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
      x = scale(low, most, from, chart.wide - 86);
    chart.replaceChildren(
      ...offers.flatMap(([words, errors, wins], r) => {
        const y = 18 + 30 * r,
          look = wins ? { class: "dtb-one" } : { "stroke-opacity": 0.5 },
          bold = { "font-weight": wins ? 700 : 400 };
        const sign = wins ? (isTie(made) ? " ★ a tie" : " ★") : "";
        return [
          small(from - 8, y + 5, words, { ...END, ...bold }),
          line(x(low), y, x(errors), y, { "stroke-width": 4, ...look }),
          circle(x(errors), y, 6, { class: wins ? "dtb-dot" : "dtb-knob" }),
          small(x(errors) + 10, y + 5, `${errors.toFixed(2)}${sign}`, bold),
        ];
      }),
      axisX(x, 106, low, most, "", 3),
      small(0, 146, "errors to expect in as many new cases"),
    );
  }

  // What is gone folds into the last node above it that is not, and is seen where that is looked at.
  const foldOf = (/** @type {number} */ i) => {
    const way = wayTo(tree, i);
    return way[way.findIndex(isGone) - 1] ?? -1;
  };
  const isSeen = (/** @type {number} */ i) =>
    foldOf(i) < 0 || (state.isOpen && wayTo(tree, state.chosen).includes(foldOf(i)));

  // The nodes that are seen below each other, each on a branch as wide as its cases.
  function showTree() {
    const n = sum(tree.nodes[0].counts),
      unit = Math.min(0.3 * tower.wide, tower.wide - 266) / n,
      /** @type {number[]} */ tops = [];
    high = 4;
    for (const i of rows) {
      tops[i] = isSeen(i) ? high : (tops[foldOf(i)] ?? 0);
      if (isSeen(i)) high += ROW;
    }
    for (const i of rows) {
      showRow(i, 4 + IN * depth[i], unit);
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

  /** @param {number} i @param {number} left @param {number} unit */
  function showRow(i, left, unit) {
    const node = tree.nodes[i],
      choice = found.last.get(i)?.choice,
      isLeaf = !node.split || choice === "leaf",
      isSkipped = found.first.get(i)?.choice === "branch",
      isChosen = i === state.chosen,
      n = sum(node.counts),
      missed = n - node.counts[node.label],
      folded = rows.filter((row) => foldOf(row) === i).length,
      words = `${branchTo(tree, i, parent)}: ${isLeaf ? answer(tree, node) : asks(tree, node)}`,
      wide = LETTER * words.length + (isLeaf ? 28 : 16),
      more = folded ? `+${folded}${tower.wide > 420 ? " folded" : ""}` : "",
      from = tower.wide - 64 - unit * sum(tree.nodes[0].counts);
    cells[i].replaceChildren(
      box(left, 2, wide, ROW - 6, {
        rx: 6,
        class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}`,
        "stroke-dasharray": isLeaf && node.split ? "4 3" : null,
        "stroke-opacity": node.split ? 1 : 0,
      }),
      isLeaf ? mark(node.label, left + 12, 15, 6) : "",
      small(left + (isLeaf ? 22 : 8), 20, words, {
        "font-weight": node.split ? 700 : 400,
        "text-decoration": isSkipped ? "line-through" : null,
      }),
      small(left + wide + 6, 20, more),
      ...barOf(node.counts, from, 8, unit * n, 14),
      small(tower.wide - 2, 20, `${inDigits(missed, 3)} of ${inDigits(n, 3)}`, END),
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
    if (tower.wide) showTree();
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made) return;
    if (chart.wide) showChart(made);
    const where = whereIs(tree, state.chosen, "the root");
    say(
      `Confidence ${state.confidence.toFixed(2)}: C4.5 keeps ${found.pruned.nodes.length} of ${some(tree.nodes.length, "node")}. At ${where}, in as many new cases, ` +
        `a leaf is expected to make ${made.leaf.toFixed(2)} errors, the subtree ${made.subtree.toFixed(2)}, its largest branch ${made.branch.toFixed(2)}. So the node ${CHOICES[made.choice]}${isTie(made) ? ": of equals the smaller wins" : ""}.`,
      [some(tree.nodes.length, "node"), () => cells],
    );
  }

  // The nodes from the bottom up, as the program looks at them.
  let turn = -1;
  const follow = () => {
    turn = (turn + 1) % inner.length;
    lookAt([...found.last.keys()][turn] ?? 0, true);
  };
  const confidence = range(
    "Confidence",
    { min: 0.01, max: 1, step: 0.01, value: state.confidence, words: (v) => v.toFixed(2) },
    trust,
  );
  confidence.classList.add("dtb-secret");
  play.append(
    legend(tree.classes ?? []),
    inRow(primary("The next node, from the bottom up", follow), confidence),
    beside(
      make("div", {}, quietly("Errors as a leaf, of the cases of each node:"), tower.place),
      chart.place,
    ),
  );
  rove(tower.place);
  // It begins at a node that goes.
  prune();
  state.chosen = inner.find((i) => found.first.get(i)?.choice !== "keep") ?? 0;
  return () => {
    confidence.set(data.lower);
    trust(data.lower);
  };
}

start("estimate", estimateExplorable);
