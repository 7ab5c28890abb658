// C4.5 prunes: at every node a leaf, the subtree and its largest branch compete by the errors to
// expect, each error made a mark and what is expected besides a bar; the confidence is under the
// finger. What goes is greyed in its place.

import { branchTo, inOrder, layout } from "./diagram.js";
import { box, draw, mark, outline, put, small } from "./draw.js";
import { BOLD, DOTTED, END } from "./looks.js";
import { leafErrors, sum, TIE } from "./measures.js";
import { inRow, legend, quietly } from "./parts.js";
import { errorBased } from "./prune.js";
import { pick, primary, range, rove } from "./reach.js";
import { picture } from "./stage.js";
import { start } from "./start.js";
import { answer, asks, inDigits, parents, whereIs } from "./tree.js";
import { some } from "./words.js";

const LINE = 15; // from one offer to the next
const LETTER = 7.8;
const NAMES = 142; // how wide the names of the offers are

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
  const branches = draw("g");
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

  // Its nodes below each other, each to the right of the one above.
  const rows = inOrder(tree),
    { depth } = layout(tree);
  const cells = tree.nodes.map(({ split }, i) =>
    draw("g", {
      ...(split ? pick(null, () => lookAt(i)) : {}),
      class: `${split ? "dtb-pick " : ""}dtb-moves`,
    }),
  );
  const tower = picture("The tree as it was grown: press a node", () => (show(), high));
  tower.append(branches, ...rows.map((i) => cells[i]));

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

  // What competes at a node: its name, the errors to expect, whether it wins. What the program did
  // not look at yet is known as a leaf alone.
  /** @param {number} i @returns {[string, number, boolean?][]} */
  function offersOf(i) {
    const { counts, label } = tree.nodes[i],
      n = sum(counts),
      made = found.first.get(i),
      missed = `${inDigits(n - counts[label], 3)} of ${inDigits(n, 3)}`;
    if (!made) return [[missed, leafErrors(counts, state.confidence)]];
    const isKnown = i === state.chosen || choiceOf(i) !== undefined,
      { leaf, subtree, branch, choice } = made;
    /** @type {[string, number, boolean][]} */
    const offers = [
      [`a leaf: ${missed}`, leaf, isKnown && choice === "leaf"],
      ["the subtree", subtree, choice === "keep"],
      ["its largest branch", branch, choice === "branch"],
    ];
    return offers.slice(0, i === state.chosen ? 3 : isKnown ? 2 : 1);
  }
  const mostOf = (/** @type {Comparison | undefined} */ made) =>
    made ? Math.max(made.leaf, made.subtree, made.branch) : 1;

  // The nodes below each other, each on a branch as wide as its cases, and their offers beside them;
  // where that is narrow, those of the chosen node are below it, and larger.
  function showTree() {
    const isWide = tower.wide > 700,
      inset = isWide ? 26 : 16, // from one level to the next
      ends = rows.map((i) => 12 + inset * depth[i] + LETTER * wordsOf(i).length),
      beside = Math.max(...ends) + (isWide ? NAMES : 18),
      /** @type {number[]} */ tops = [];
    high = 4;
    for (const i of rows) {
      const isChosen = i === state.chosen,
        isBelow = isChosen && !isWide,
        x = isBelow ? NAMES : beside,
        most = mostOf(found.first.get(isBelow ? i : 0)),
        unit = Math.min((tower.wide - x - 62) / most, 40);
      tops[i] = high;
      high += 7 + LINE * (tree.nodes[i].split ? 2 : 1) + (isChosen ? LINE * (isWide ? 1 : 3) : 0);
      showNode(i, 4 + inset * depth[i]);
      offersOf(i).forEach(([name, ...offer], r) => {
        const words = isChosen || (isWide && !r) ? name : "";
        cells[i].append(
          ...barOf(
            r ? null : tree.nodes[i],
            [words, ...offer],
            x,
            16 + LINE * r + (isBelow ? 20 : 0),
            unit,
          ),
        );
      });
      cells[i].style.transform = `translate(0, ${tops[i]}px)`;
      cells[i].style.opacity = isGone(i) ? "0.5" : "1";
    }
    branches.replaceChildren(
      ...rows.slice(1).map((i) =>
        outline(`M${inset * depth[i] - 8} ${tops[parent[i]] + 24}V${tops[i] + 6}q0 8 8 8h6`, {
          stroke: "#8b8676",
          "stroke-width": 1.5 + (10 * sum(tree.nodes[i].counts)) / sum(tree.nodes[0].counts),
          ...(isGone(i) ? DOTTED : {}),
        }),
      ),
    );
    put(tower, { viewBox: `0 0 ${tower.wide} ${high}`, height: high });
  }

  // What a node says, and whether it is a leaf by now.
  const isLeaf = (/** @type {number} */ i) => !tree.nodes[i].split || choiceOf(i) === "leaf";
  const wordsOf = (/** @type {number} */ i) =>
    `${branchTo(tree, i, parent)}: ${(isLeaf(i) ? answer : asks)(tree, tree.nodes[i])}`;

  /** @param {number} i @param {number} left */
  function showNode(i, left) {
    const { split, label } = tree.nodes[i],
      words = wordsOf(i),
      isChosen = i === state.chosen;
    cells[i].replaceChildren(
      box(left, 2, LETTER * words.length + (isLeaf(i) ? 28 : 16), 22, {
        rx: 6,
        class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}`,
        "stroke-dasharray": isLeaf(i) && split ? "4 3" : null,
        "stroke-opacity": split ? 1 : 0,
      }),
      isLeaf(i) ? mark(label, left + 12, 13, 6) : "",
      small(left + (isLeaf(i) ? 22 : 8), 18, words, {
        "font-weight": split ? 700 : 400,
        "text-decoration": choiceOf(i, "first") === "branch" ? "line-through" : null,
      }),
    );
    if (!split) return;
    const about = `${whereIs(tree, i, "the root")}: ${CHOICES[choiceOf(i) ?? ""] ?? "not looked at"}`;
    put(cells[i], {
      "aria-pressed": String(isChosen),
      "aria-label": about,
      tabindex: isChosen ? 0 : -1,
    });
  }

  // An offer as a bar of the errors to expect; of a leaf a mark for each that it makes.
  /**
   * @param {TreeNode<unknown> | null} leaf @param {[string, number, boolean?]} offer
   * @param {number} x @param {number} y @param {number} unit
   */
  const barOf = (leaf, [name, errors, wins], x, y, unit) => [
    small(x - 8, y + 2, name, { ...END, ...(wins ? BOLD : {}), class: "dtb-halo" }),
    box(x, y - 10, unit * errors, 13, {
      rx: 2,
      class: wins ? "dtb-dot" : null,
      fill: "currentColor",
      "fill-opacity": wins ? 0.4 : 0.15,
    }),
    ...(leaf?.counts ?? [])
      .flatMap((count, k) => (k === leaf?.label ? [] : Array(Math.ceil(count)).fill(k)))
      .map((k, e) => mark(k, x + (e + 0.5) * unit, y - 3.5, Math.min(5.5, 0.42 * unit))),
    small(
      x + unit * errors + 6,
      y + 2,
      `${errors.toFixed(2)}${wins ? " ★" : ""}`,
      wins ? BOLD : {},
    ),
  ];

  function show() {
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made) return;
    if (tower.wide) showTree();
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
      quietly("Marks: what a leaf gets wrong; bars: errors to expect"),
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
