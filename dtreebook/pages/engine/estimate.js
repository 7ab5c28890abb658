// C4.5 prunes: at every node its branches, the largest of them alone and one leaf compete by the errors to
// expect, of which each leaf of the tree shows its own; the confidence is under the finger. What goes stays
// there, pale.

import { branchTo, inOrder, layout } from "./diagram.js";
import { box, draw, mark, outline, put, small } from "./draw.js";
import { BOLD } from "./looks.js";
import { leafErrors, sum, TIE } from "./measures.js";
import { inRow, legend } from "./parts.js";
import { errorBased } from "./prune.js";
import { pick, primary, range, rove } from "./reach.js";
import { caution, errorCells, LOWEST, part, showParts, stacks } from "./stacks.js";
import { picture } from "./stage.js";
import { start } from "./start.js";
import { asks, inDigits, parents, whereIs } from "./tree.js";
import { some } from "./words.js";

const LETTER = 7.8;
const CELL = 12; // of one error in the tree
const OFFERS = 320; // how high the stacks are at least, with their words
/** @typedef {{pruned: Tree, first: Map<number, Comparison>, last: Map<number, Comparison>}} Pruned */

/** @type {Build<{cases: Cases, tree: GrownTree, lower: number}>} */
function estimateExplorable(play, data, say) {
  const { tree, cases } = data;
  // Of the nodes, in the order in which the program looks at them, so many are decided.
  const state = { confidence: 0.25, chosen: 0, turn: Infinity };
  const parent = parents(tree);
  let /** @type {Pruned} */ found,
    /** @type {number[]} */ order = [],
    /** @type {Point[]} */ at = [],
    isWide = true,
    high = 0,
    room = 0; // of the stacks, from left to right
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
    order = [...found.last.keys()];
  }
  const largest = (/** @type {number} */ i) => {
    const { children = [] } = tree.nodes[i],
      weights = children.map((child) => sum(tree.nodes[child].counts));
    return children[weights.lastIndexOf(Math.max(...weights))];
  };
  /** What was decided so far of a node, at first or at last. @param {number} i @param {"first" | "last"} when */
  const choiceOf = (i, when = "last") =>
    order.indexOf(i) > state.turn ? undefined : found[when].get(i)?.choice;
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

  const rows = inOrder(tree),
    { depth, spans, leaves, deepest } = layout(tree),
    widest = sum(tree.nodes[0].counts),
    offers = draw("g");
  // The deepest go first.
  const goes = (/** @type {number} */ i) => `transition-delay:${0.15 * (deepest - depth[i])}s`;
  const cells = tree.nodes.map(({ split }, i) =>
    draw("g", {
      ...(split ? pick(null, () => lookAt(i)) : {}),
      class: `${split ? "dtb-pick " : ""}dtb-moves`,
      style: goes(i),
    }),
  );
  const branches = tree.nodes.map(({ counts }, i) =>
    outline("", {
      class: "dtb-moves",
      style: goes(i),
      stroke: "#8b8676",
      "stroke-width": 1.5 + (10 * sum(counts)) / widest,
    }),
  );
  // The tree from left to right; where that is narrow, each node below the one above.
  const tower = picture("The tree as it was grown: press a node", (width) => {
    isWide = width > 700;
    room = isWide ? 300 : width;
    high = isWide ? Math.max(27 * leaves, OFFERS) : OFFERS + 23 * (rows.length + 0.5);
    const step = (width - room - 150) / deepest;
    at = tree.nodes.map((_, i) =>
      isWide
        ? [2 + step * depth[i], 27 * (spans[i][0] + spans[i][1] / 2)]
        : [2 + 16 * depth[i], OFFERS + 23 * (rows.indexOf(i) + 0.75)],
    );
    show();
    return high;
  });
  tower.append(caution(), ...branches, offers, ...rows.map((i) => cells[i]));

  function lookAt(/** @type {number} */ i) {
    state.chosen = i;
    show();
  }
  function trust(/** @type {number} */ to) {
    Object.assign(state, { confidence: to, turn: Infinity });
    prune();
    show();
  }

  /** Whether a larger tree is as good as the one chosen. @param {Comparison} made */
  const isTie = ({ leaf, subtree, branch, choice }) =>
    choice === "leaf"
      ? Math.abs(Math.min(subtree, branch) - leaf) < TIE
      : choice === "branch" && Math.abs(subtree - branch) < TIE;

  function showTree() {
    tree.nodes.forEach((_, i) => {
      const [x, y] = at[i],
        opacity = isGone(i) ? "0.5" : "1",
        wide = showNode(i);
      cells[i].style.transform = `translate(${x}px, ${y}px)`;
      cells[i].style.opacity = branches[i].style.opacity = opacity;
      tree.nodes[i].children?.forEach((child) => {
        const [to, down] = at[child],
          [from, bend] = isWide ? [x + wide, (x + wide + to) / 2] : [to - 9, to - 9];
        put(branches[child], { d: `M${from} ${y}C${bend} ${y} ${bend} ${down} ${to} ${down}` });
      });
    });
    const made = found.first.get(state.chosen),
      left = isWide ? tower.wide - room : 0;
    if (!made) return;
    const n = sum(made.leaves.leaf[0]);
    showParts(offers, [
      part(small, left, 14, `Of ${inDigits(n, 3)} new cases, wrong:`, BOLD),
      ...stacks(made, state.confidence, [left, (isWide ? high : OFFERS) - 44], room),
    ]);
  }

  // What a node says, and whether it is a leaf by now.
  const isLeaf = (/** @type {number} */ i) =>
    !tree.nodes[i].split || (!isGone(i) && choiceOf(i) === "leaf");
  const wordsOf = (/** @type {number} */ i) =>
    [i ? branchTo(tree, i, parent) : "", isLeaf(i) ? "" : asks(tree, tree.nodes[i])]
      .filter(Boolean)
      .join(": ") || "all cases";
  // A node, and as a leaf what it is expected to get wrong, beside it or, where its branches were, below;
  // how wide it is.
  function showNode(/** @type {number} */ i) {
    const { split, label, counts } = tree.nodes[i],
      words = wordsOf(i),
      wide = LETTER * words.length + (isLeaf(i) ? 28 : 16),
      isChosen = i === state.chosen,
      [left, top, most] = !isWide
        ? [186 - at[i][0], -6, tower.wide - 190]
        : split
          ? [2, 13, 150]
          : [wide + 6, -6, 150],
      unit = Math.min(CELL, most / leafErrors(counts, state.confidence));
    /** @type {Parameters<typeof errorCells>[2]} */
    const place = (e, size) => [left + unit * e, top, unit * size, CELL];
    showParts(cells[i], [
      part(box, 0, -11, wide, 22, {
        rx: 6,
        class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}`,
        "stroke-dasharray": isLeaf(i) && split ? "4 3" : null,
        "stroke-opacity": split ? 1 : 0,
      }),
      ...(isLeaf(i) ? [part(mark, label, 12, 0, 6)] : []),
      part(small, isLeaf(i) ? 22 : 8, 5, words, {
        "font-weight": split ? 700 : 400,
        "text-decoration": choiceOf(i, "first") === "branch" ? "line-through" : null,
      }),
      ...(isLeaf(i) ? errorCells([counts], state.confidence, place) : []),
    ]);
    if (split) {
      const about = `${whereIs(tree, i, "the root")}: ${CHOICES[choiceOf(i) ?? ""] ?? "not looked at"}`;
      put(cells[i], {
        "aria-pressed": String(isChosen),
        "aria-label": about,
        tabindex: isChosen ? 0 : -1,
      });
    }
    return wide;
  }

  function show() {
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made) return;
    if (at.length) showTree();
    say(
      `Confidence ${state.confidence.toFixed(2)}: C4.5 keeps ${found.pruned.nodes.length} of ${some(tree.nodes.length, "node")}. At ${whereIs(tree, state.chosen, "the root")} ` +
        `a leaf is expected to miss ${made.leaf.toFixed(2)}, the subtree ${made.subtree.toFixed(2)}, its largest branch ${made.branch.toFixed(2)}. It ${CHOICES[made.choice]}${isTie(made) ? ", the smaller of equals" : ""}.\n`,
      [some(tree.nodes.length, "node"), () => cells],
    );
  }

  // The nodes from the bottom up, as the program looks at them; after the last the tree stands again.
  const go = (/** @type {number} */ turn) => {
    state.turn = turn < found.last.size ? turn : 0;
    lookAt(order[state.turn]);
  };
  const confidence = range(
    "Confidence",
    { min: LOWEST, max: 1, step: 0.01, value: state.confidence, words: (v) => v.toFixed(2) },
    trust,
  );
  confidence.classList.add("dtb-secret");
  const next = primary("The next node up", () => go(state.turn + 1));
  play.append(legend(tree.classes ?? []), inRow(next, confidence), tower.place);
  rove(tower.place);
  // It begins at a node that goes.
  prune();
  const first = order.findIndex((i) => found.first.get(i)?.choice !== "keep");
  go(Math.max(first, 0));
  return () => {
    confidence.set(data.lower);
    state.chosen = 0;
    trust(data.lower);
  };
}

start("estimate", estimateExplorable);
