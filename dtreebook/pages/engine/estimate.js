// C4.5 prunes: at every node a leaf, the subtree and its largest branch compete by the errors to
// expect. The tree stands with a cell for each error to expect of its leaves, marked where it is made; the
// node that is open has its three bars; the confidence is under the finger. What goes folds into its leaf.

import { branchTo, inOrder, layout } from "./diagram.js";
import { box, draw, mark, outline, put, small } from "./draw.js";
import { BOLD, END } from "./looks.js";
import { leafErrors, sum, TIE } from "./measures.js";
import { inRow, legend, quietly } from "./parts.js";
import { errorBased } from "./prune.js";
import { pick, primary, range, rove } from "./reach.js";
import { picture } from "./stage.js";
import { start } from "./start.js";
import { answer, asks, inDigits, parents, whereIs } from "./tree.js";
import { some } from "./words.js";

const LETTER = 7.8;
const CELL = 12; // of one error
const FOLDED = 18; // how high a row is whose branch is gone
const OFFERS = 132; // how high the three bars are

/**
 * @typedef {{pruned: Tree, first: Map<number, Comparison>, last: Map<number, Comparison>}} Pruned
 */

/** @type {Build<{cases: Cases, tree: GrownTree, lower: number}>} */
function estimateExplorable(play, data, say) {
  const { tree, cases } = data;
  // Of the nodes, in the order in which the program looks at them, so many are decided.
  const state = { confidence: 0.25, chosen: 0, turn: Infinity };
  const parent = parents(tree);
  let /** @type {Pruned} */ found,
    /** @type {number[]} */ order = [],
    high = 0;
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
    { depth, leaves } = layout(tree),
    widest = sum(tree.nodes[0].counts),
    offers = draw("g");
  const cells = tree.nodes.map(({ split }, i) =>
    draw("g", {
      ...(split ? pick(null, () => lookAt(i)) : {}),
      class: `${split ? "dtb-pick " : ""}dtb-moves`,
    }),
  );
  const branches = tree.nodes.map(({ counts }) =>
    outline("", {
      class: "dtb-moves",
      stroke: "#8b8676",
      "stroke-width": 1.5 + (10 * sum(counts)) / widest,
    }),
  );
  const tower = picture("The tree as it was grown: press a node", () => (show(), high));
  tower.append(...branches, offers, ...rows.map((i) => cells[i]));

  /** @param {number} i */
  function lookAt(i) {
    state.chosen = i;
    show();
  }
  /** @param {number} to */
  function trust(to) {
    Object.assign(state, { confidence: to, turn: Infinity });
    prune();
    show();
  }

  /** Whether a larger tree is as good as the one chosen. @param {Comparison} made */
  const isTie = ({ leaf, subtree, branch, choice }) =>
    choice === "leaf"
      ? Math.abs(Math.min(subtree, branch) - leaf) < TIE
      : choice === "branch" && Math.abs(subtree - branch) < TIE;

  // What competes at the open node: its name, the errors to expect, whether it wins.
  /** @param {number} top @param {number} wide */
  function showOffers(top, wide) {
    const i = state.chosen,
      made = found.first.get(i);
    if (!made) return;
    const { counts, label } = tree.nodes[i],
      { leaf, subtree, branch, choice } = made,
      unit = Math.min(wide / Math.max(leaf, subtree, branch), 24);
    const missed = `${inDigits(sum(counts) - counts[label], 3)} of ${inDigits(sum(counts), 3)}`;
    const bars = /** @type {const} */ ([
      ["keep", "the subtree", subtree],
      ["branch", "its largest branch", branch],
      ["leaf", `a leaf: ${missed}`, leaf],
    ]);
    offers.replaceChildren(
      small(0, top + 12, wordsOf(i, asks), BOLD),
      ...bars.flatMap(([kind, name, errors], r) => {
        const y = top + 34 + 36 * r,
          wins = kind === choice,
          look = wins ? BOLD : {};
        return [
          small(0, y, name, look),
          small(wide, y, `${errors.toFixed(2)}${wins ? " ★" : ""}`, { ...END, ...look }),
          box(0, y + 4, unit * errors, 13, {
            rx: 2,
            class: wins ? "dtb-dot" : null,
            fill: "currentColor",
            "fill-opacity": wins ? 0.4 : 0.15,
          }),
          ...(kind === "leaf" ? wrongOf(tree.nodes[i]) : []).map((k, e) =>
            mark(k, (e + 0.5) * unit, y + 10.5, Math.min(5.5, 0.42 * unit)),
          ),
        ];
      }),
    );
  }

  // The tree from left to right; where that is narrow, each node below the one above. What is gone stands
  // pale behind the leaf that it folds into.
  function showTree() {
    const isWide = tower.wide > 700,
      step = isWide ? (tower.wide - 190) / Math.max(...depth) : 16,
      per = isWide ? 9 : Math.floor((tower.wide - 186) / CELL), // cells in a row
      /** @type {Point[]} */ at = [],
      /** @type {number[]} */ ends = [];
    let y = isWide ? 0 : OFFERS + 6;
    for (const i of rows) {
      const gone = isGone(i),
        up = parent[i],
        cellsHigh = CELL * Math.ceil(errorsAt(i) / per),
        row = gone ? FOLDED : Math.max(isWide ? 27 : 23, cellsHigh + 4),
        tall = isWide && tree.nodes[i].split && !gone ? 0 : row;
      at[i] = [2 + step * depth[i], y + tall / 2];
      if (gone) at[i][0] = (isWide && !isGone(up) ? ends[up] : at[up][0]) + 20;
      ends[i] = at[i][0] + showNode(i, isWide ? null : 186 - at[i][0], per);
      y += tall;
    }
    high = isWide ? Math.max(27 * leaves, y) : y + 4;
    if (isWide)
      for (const i of rows.toReversed()) {
        const { children } = tree.nodes[i];
        if (children && !isGone(i))
          at[i][1] = (at[children[0]][1] + at[children[children.length - 1]][1]) / 2;
      }
    tree.nodes.forEach((_, i) => {
      cells[i].style.transform = `translate(${at[i][0]}px, ${at[i][1]}px)`;
      cells[i].style.opacity = isGone(i) ? "0.5" : "1";
      if (!i) return;
      const [[, y0], [x, y1]] = [at[parent[i]], at[i]],
        [from, bend] =
          isWide && !isGone(parent[i])
            ? [ends[parent[i]], (ends[parent[i]] + x) / 2]
            : [x - 9, x - 9];
      put(branches[i], {
        d: `M${from} ${y0}C${bend} ${y0} ${bend} ${y1} ${x} ${y1}`,
        "stroke-dasharray": isGone(i) ? "2 4" : "none",
      });
    });
    showOffers(isWide ? high - OFFERS : 0, isWide ? 200 : tower.wide - 4);
    put(tower, { viewBox: `0 0 ${tower.wide} ${high}`, height: high });
  }

  // What a node says, and whether it is a leaf by now.
  const isLeaf = (/** @type {number} */ i) => !tree.nodes[i].split || choiceOf(i) === "leaf";
  const wordsOf = (/** @type {number} */ i, says = isLeaf(i) ? answer : asks) =>
    `${branchTo(tree, i, parent)}: ${says(tree, tree.nodes[i])}`;
  /** @param {number} i */
  const errorsAt = (i) =>
    isGone(i) || !isLeaf(i) ? 0 : leafErrors(tree.nodes[i].counts, state.confidence);
  /** The classes that a leaf gets wrong, one for each case. @param {TreeNode<unknown>} node */
  const wrongOf = ({ counts, label }) =>
    counts.flatMap((count, k) => (k === label ? [] : Array(Math.ceil(count)).fill(k)));

  // A node, and as a leaf what it is expected to get wrong; how wide it is.
  /** @param {number} i @param {number | null} beside @param {number} per */
  function showNode(i, beside, per) {
    const { split, label } = tree.nodes[i],
      words = wordsOf(i),
      wide = LETTER * words.length + (isLeaf(i) ? 28 : 16),
      isChosen = i === state.chosen,
      errors = errorsAt(i),
      left = beside ?? wide + 6,
      top = (-CELL * Math.ceil(errors / per)) / 2;
    /** @type {(e: number) => Point} */
    const place = (e) => [left + CELL * (e % per), top + CELL * Math.floor(e / per)];
    cells[i].replaceChildren(
      box(0, isGone(i) ? -9 : -11, wide, isGone(i) ? 18 : 22, {
        rx: 6,
        class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}`,
        "stroke-dasharray": isLeaf(i) && split ? "4 3" : null,
        "stroke-opacity": split ? 1 : 0,
      }),
      isLeaf(i) ? mark(label, 12, 0, 6) : "",
      small(isLeaf(i) ? 22 : 8, 5, words, {
        "font-weight": split ? 700 : 400,
        "text-decoration": choiceOf(i, "first") === "branch" ? "line-through" : null,
      }),
      ...Array.from({ length: Math.ceil(errors) }, (_, e) =>
        box(...place(e), (CELL - 1) * Math.min(errors - e, 1), CELL - 1, {
          fill: "currentColor",
          "fill-opacity": 0.15,
        }),
      ),
      ...(errors ? wrongOf(tree.nodes[i]) : []).map((k, e) =>
        mark(k, place(e)[0] + 5.5, place(e)[1] + 5.5, 4.5),
      ),
    );
    if (split) {
      const about = `${whereIs(tree, i, "the root")}: ${CHOICES[choiceOf(i) ?? ""] ?? "not looked at"}`;
      put(cells[i], {
        "aria-pressed": String(isChosen),
        "aria-label": about,
        tabindex: isChosen ? 0 : -1,
      });
    }
    return wide + (errors ? 8 + CELL * Math.min(Math.ceil(errors), per) : 0);
  }

  function show() {
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made) return;
    if (tower.wide) showTree();
    say(
      `Confidence ${state.confidence.toFixed(2)}: C4.5 keeps ${found.pruned.nodes.length} of ${some(tree.nodes.length, "node")}. At ${whereIs(tree, state.chosen, "the root")}, in as many new cases, ` +
        `a leaf is expected to make ${made.leaf.toFixed(2)} errors, the subtree ${made.subtree.toFixed(2)}, its largest branch ${made.branch.toFixed(2)}. So the node ${CHOICES[made.choice]}${isTie(made) ? ", the smaller of equals" : ""}.`,
      [some(tree.nodes.length, "node"), () => cells],
    );
  }

  // The nodes from the bottom up, as the program looks at them; after the last the tree stands again.
  /** @param {number} turn */
  const go = (turn) => {
    state.turn = turn < found.last.size ? turn : 0;
    lookAt(order[state.turn]);
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
      primary("The next node up", () => go(state.turn + 1)),
      confidence,
      quietly("Marks: what a leaf gets wrong; cells and bars: errors to expect"),
    ),
    tower.place,
  );
  rove(tower.place);
  // It begins at a node that goes.
  prune();
  go(
    Math.max(
      0,
      order.findIndex((i) => found.first.get(i)?.choice !== "keep"),
    ),
  );
  return () => {
    confidence.set(data.lower);
    state.chosen = 0;
    trust(data.lower);
  };
}

start("estimate", estimateExplorable);
