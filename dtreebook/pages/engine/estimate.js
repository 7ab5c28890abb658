// C4.5 prunes: at every node its branches, the largest of them alone and one leaf compete by the errors to
// expect, of which each leaf of the tree shows its own; the edge of caution is under the finger. What goes
// stays there, thin.

import { branchTo, inOrder, layout } from "./diagram.js";
import { box, draw, mark, outline, put, small } from "./draw.js";
import { BOLD } from "./looks.js";
import { leafErrors, sum, TIE } from "./measures.js";
import { beside, inRow, legend } from "./parts.js";
import { errorBased } from "./prune.js";
import { grip, pick, primary, rove } from "./reach.js";
import { caution, errorCells, part, placesOf, showParts, stacks } from "./stacks.js";
import { picture } from "./stage.js";
import { start } from "./start.js";
import { asks, inDigits, parents, wayTo, whereIs } from "./tree.js";
import { some } from "./words.js";

const CELL = 18; // of one error in the tree
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
    apart = 0, // the rows of the tree
    tall = 0; // the stacks with their words
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
    asked = box(0, 0, 0, 0, { rx: 10, class: "dtb-hill dtb-comes", style: "--over: -18rem" });
  const cells = tree.nodes.map(({ split }, i) =>
    draw("g", {
      ...(split ? pick(null, () => lookAt(i)) : {}),
      class: `${split ? "dtb-pick " : ""}dtb-moves`,
      style: `transition-delay:${0.15 * (deepest - depth[i])}s`, // the deepest go first
    }),
  );
  // The tree from left to right; where that is narrow, each node below the one above.
  const tower = picture("The tree as it was grown: press a node", (width) => {
    isWide = width > 500;
    [apart, tall] = isWide ? [28, 340] : [24, 236];
    const step = (width - 130) / deepest;
    at = tree.nodes.map((_, i) =>
      isWide
        ? [4 + step * depth[i], apart * (spans[i][0] + spans[i][1] / 2)]
        : [4 + 16 * depth[i], apart * (rows.indexOf(i) + 0.5)],
    );
    show();
    return apart * (isWide ? leaves : rows.length);
  });
  tower.append(caution(), asked, ...rows.map((i) => cells[i]));

  const layer = draw("g");
  let /** @type {ReturnType<typeof placesOf>} */ places;
  const offers = picture("Errors to expect of what competes", () => (show(), tall));
  // The edge of the last stack, the leaf, is dragged: so much caution.
  const knob = grip(offers, {
    label: "Caution",
    count: () => 100,
    at: () => 100 - Math.round(100 * state.confidence),
    place: (stop) => {
      const { x, counts } = places.offers[places.offers.length - 1];
      return [x + places.thick, places.y(leafErrors(counts[0], (100 - stop) / 100))];
    },
    words: () => `confidence ${state.confidence.toFixed(2)}`,
    onMove: (stop) => trust((100 - stop) / 100),
  });
  knob.classList.add("dtb-secret");
  offers.append(layer, knob);

  function lookAt(/** @type {number} */ i) {
    state.chosen = i;
    show();
  }
  function trust(/** @type {number} */ to) {
    Object.assign(state, { confidence: to, turn: Infinity });
    prune();
    show();
  }

  // What is asked about stands out, and what has gone around it is thin.
  function showTree() {
    const isAsked = tree.nodes.map((_, i) => wayTo(tree, i).includes(state.chosen)),
      tops = at.filter((_, i) => isAsked[i]).map(([, y]) => y),
      [x, y, bottom] = [at[state.chosen][0] - 4, Math.min(...tops), Math.max(...tops)];
    put(asked, { x, y: y - 12, width: tower.wide - x, height: bottom - y + 24 });
    tree.nodes.forEach((_, i) => {
      cells[i].style.transform = `translate(${at[i][0]}px, ${at[i][1]}px)`;
      cells[i].style.opacity = isGone(i) && !isAsked[i] ? "0.6" : "1";
      showNode(i);
    });
  }

  // What a node says, whether it is a leaf by now, and how wide it is.
  const isLeaf = (/** @type {number} */ i) =>
    !tree.nodes[i].split || (!isGone(i) && choiceOf(i) === "leaf");
  const wordsOf = (/** @type {number} */ i) =>
    [i ? branchTo(tree, i, parent) : "", isLeaf(i) ? "" : asks(tree, tree.nodes[i])]
      .filter(Boolean)
      .join(": ") || "all cases";
  const widthOf = (/** @type {number} */ i) => 8 * wordsOf(i).length + (isLeaf(i) ? 42 : 22);
  // The branch to a node, the node, and beside a leaf of the whole tree what it is expected to get wrong.
  function showNode(/** @type {number} */ i) {
    const { split, label, counts } = tree.nodes[i],
      isChosen = i === state.chosen,
      [x, y] = at[i],
      above = Math.max(parent[i], 0),
      end = at[above][0] + widthOf(above) - x, // of the node above
      up = at[above][1] - y + (isWide ? 0 : 11),
      [from, bend] = isWide ? [end, end / 2] : [-9, -9],
      left = isWide ? widthOf(i) + 6 : 186 - x,
      unit = Math.min(CELL, (tower.wide - x - left) / leafErrors(counts, state.confidence));
    /** @type {Parameters<typeof errorCells>[2]} */
    const place = (e, size) => [left + unit * e, -CELL / 2, unit * size, CELL];
    showParts(cells[i], [
      part(outline, i ? `M${from} ${up}C${bend} ${up} ${bend} 0 0 0` : "", {
        stroke: "#8b8676",
        "stroke-width": isGone(i) ? 1.5 : 1.5 + (10 * sum(counts)) / widest,
        "stroke-dasharray": isGone(i) ? "4 3" : null,
      }),
      part(box, 0, -11, widthOf(i), 22, {
        rx: 6,
        class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}`,
        "stroke-dasharray": isLeaf(i) ? "4 3" : null,
        opacity: split ? 1 : 0,
      }),
      ...(isLeaf(i) ? [part(mark, label, 12, 0, 6)] : []),
      part(small, isLeaf(i) ? 22 : 8, 5, wordsOf(i), {
        "font-weight": split ? 700 : 400,
        "text-decoration": choiceOf(i, "first") === "branch" ? "line-through" : null,
      }),
      ...(split ? [] : errorCells([counts], state.confidence, place)),
    ]);
    if (!split) return;
    const about = `${whereIs(tree, i, "the root")}: ${CHOICES[choiceOf(i) ?? ""] ?? "not looked at"}`;
    put(cells[i], {
      "aria-pressed": String(isChosen),
      "aria-label": about,
      tabindex: isChosen ? 0 : -1,
    });
  }

  function show() {
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made || !at.length || !offers.wide) return;
    showTree();
    places = placesOf(made, offers.wide, tall - 44);
    const n = inDigits(sum(made.leaves.leaf[0]), 3);
    showParts(layer, [
      part(small, 0, 14, `Errors to expect in ${n} new cases`, BOLD),
      ...stacks(places, made, state.confidence, offers.wide),
    ]);
    knob.show();
    const [least, ...others] = places.offers.toReversed().sort((a, b) => a.error - b.error);
    const compared = others.map(({ short, error }, i) => {
      const isTie = error - [least, ...others][i].error < TIE;
      return ` ${isTie ? "=" : "<"} ${short} ${error.toFixed(2)}`;
    });
    const kept = `${found.pruned.nodes.length} of ${some(tree.nodes.length, "node")}`;
    say(
      `Errors: ${least.short} ${least.error.toFixed(2)}${compared.join("")}, so it ${CHOICES[made.choice]}. ` +
        `At confidence ${state.confidence.toFixed(2)} C4.5 keeps ${kept}.\n`,
      [kept, () => cells.filter((_, i) => !isGone(i))],
    );
  }

  // The nodes from the bottom up, as the program looks at them; after the last the tree stands again.
  const go = (/** @type {number} */ turn) => {
    state.turn = turn < found.last.size ? turn : 0;
    lookAt(order[state.turn]);
  };
  const next = primary("The next node up", () => go(state.turn + 1));
  play.append(legend(tree.classes ?? []), beside(tower.place, inRow(next), offers.place));
  rove(tower.place);
  // It begins at a node that goes.
  prune();
  const first = order.findIndex((i) => found.first.get(i)?.choice !== "keep");
  go(Math.max(first, 0));
  return () => {
    state.chosen = 0;
    trust(data.lower);
  };
}

start("estimate", estimateExplorable);
