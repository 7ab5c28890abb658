// C4.5 prunes: at every node its branches, the largest of them alone and one leaf compete by the errors to
// expect, of which each leaf of the tree shows its own; the edge of caution is under the finger. What goes
// stays there, thin.

import { branchTo, inOrder, layout } from "./diagram.js";
import { become, box, draw, line, mark, outline, put, small } from "./draw.js";
import { BOLD, DOTTED, END } from "./looks.js";
import { leafErrors, sum, TIE } from "./measures.js";
import { inRow, legend, withMark } from "./parts.js";
import { errorBased } from "./prune.js";
import { grip, pick, primary, rove } from "./reach.js";
import { caution, errorCells, hatched } from "./stacks.js";
import { picture } from "./stage.js";
import { start } from "./start.js";
import { asks, inDigits, parents, wayTo, whereIs } from "./tree.js";
import { some } from "./words.js";

const WINS = { class: "dtb-one", "stroke-width": 2.5 };
const LOWEST = 0.01; // confidence
const NAMES = /** @type {const} */ ([
  ["keep", "keep its", "branches"],
  ["branch", "one branch:", "one branch"],
  ["leaf", "make it", "leaf"],
]);
/** @typedef {{pruned: Tree, first: Map<number, Comparison>, last: Map<number, Comparison>}} Pruned */

/** @type {Build<{cases: Cases, tree: GrownTree, lower: number}>} */
function estimateExplorable(play, data, say) {
  const { tree, cases } = data;
  // Of the nodes, in the order in which the program looks at them, so many are decided.
  const state = { confidence: 0.25, chosen: 0, turn: Infinity };
  const parent = parents(tree);
  let /** @type {Pruned} */ found,
    /** @type {number[]} */ order = [],
    /** @type {number[]} */ below = [], // the leaves of the node that is looked at
    /** @type {boolean[]} */ isNear = [],
    /** @type {Point[]} */ at = [],
    /** @type {number[]} */ whole = [], // the counts of its cases
    isWide = true,
    [room, high, tall] = [0, 0, 0], // of the tree, and of it without the bars
    unit = 0, // pixels an error
    level = 0, // of the last bar
    half = 0; // of the height of what is looked at
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
    { depth, spans, deepest } = layout(tree),
    widest = sum(tree.nodes[0].counts);
  const cells = tree.nodes.map(({ split }, i) =>
    draw("g", {
      ...(split ? pick(null, () => lookAt(i)) : {}),
      class: `${split ? "dtb-pick " : ""}dtb-moves`,
    }),
  );
  // The tree from left to right; where that is narrow, each node below the one above. The errors of its leaves
  // go on from one to the next, and fall into the bar below.
  const layer = draw("g"),
    fallen = draw("g");
  const tower = picture("The tree as it was grown: press a node", (width) => {
    isWide = width > 500;
    room = isWide ? 0.62 * width : 152;
    high = isWide ? 460 : 430;
    show();
    return high;
  });
  // The end of the last bar, the leaf, is dragged: so much caution.
  const knob = grip(tower, {
    label: "Caution",
    count: () => 100,
    at: () => 100 - Math.round(100 * state.confidence),
    place: (stop) => [room + unit * leafErrors(whole, (100 - stop) / 100), level],
    words: () => `confidence ${state.confidence.toFixed(2)}`,
    onMove: (stop) => trust((100 - stop) / 100),
  });
  knob.classList.add("dtb-secret");
  tower.append(caution(), layer, fallen, ...rows.map((i) => cells[i]), knob);

  function lookAt(/** @type {number} */ i) {
    state.chosen = i;
    show();
  }
  function trust(/** @type {number} */ to) {
    Object.assign(state, { confidence: to, turn: Infinity });
    prune();
    show(""); // nothing falls while it is dragged
  }

  // What a node says, whether it is a leaf by now, and how wide it is.
  const isLeaf = (/** @type {number} */ i) => below.includes(i);
  const wordsOf = (/** @type {number} */ i) =>
    !isNear[i]
      ? ""
      : [i ? branchTo(tree, i, parent) : "", isLeaf(i) ? "" : asks(tree, tree.nodes[i])]
          .filter(Boolean)
          .join(": ");
  const widthOf = (/** @type {number} */ i) => 8 * wordsOf(i).length + (isLeaf(i) ? 42 : 22);
  // The branch to a node, and the node; what is not looked at is small, and what has gone is thin.
  function showNode(/** @type {number} */ i) {
    const { split, label, counts } = tree.nodes[i],
      isChosen = i === state.chosen,
      [x, y] = at[i],
      above = Math.max(parent[i], 0),
      end = at[above][0] + widthOf(above) - x, // of the node above
      up = at[above][1] - y + (isWide ? 0 : 11),
      [from, bend] = isWide ? [end, end / 2] : [-9, -9],
      tall = isNear[i] ? half : 5;
    become(
      cells[i],
      outline(i ? `M${from} ${up}C${bend} ${up} ${bend} 0 0 0` : "", {
        stroke: "#8b8676",
        "stroke-width": isNear[i] ? 1.5 + (10 * sum(counts)) / widest : 1.5,
        "stroke-dasharray": isGone(i) && !isNear[i] ? "4 3" : null,
      }),
      ...(split && !isLeaf(i)
        ? [
            box(0, -tall, widthOf(i), 2 * tall, {
              rx: tall / 2,
              class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}`,
            }),
          ]
        : [mark(label, 12, 0, isNear[i] ? 7 : 4)]),
      small(isLeaf(i) ? 24 : 10, 5, wordsOf(i), { "font-weight": split ? 700 : 400 }),
    );
    cells[i].style.transform = `translate(${x}px, ${y}px)`;
    if (!split) return;
    const about = `${whereIs(tree, i, "the root")}: ${CHOICES[choiceOf(i) ?? ""] ?? "not looked at"}`;
    put(cells[i], {
      "aria-pressed": String(isChosen),
      "aria-label": about,
      tabindex: isChosen ? 0 : -1,
    });
  }

  // What is looked at has four times the room of what is not.
  function arrange() {
    const near = new Set(below.flatMap((i) => wayTo(tree, i)));
    isNear = tree.nodes.map((_, i) => near.has(i));
    const lines = isWide ? rows.filter((i) => !tree.nodes[i].split) : rows,
      sizes = lines.map((i) => (isNear[i] ? 4 : 1)),
      unit = tall / sum(sizes),
      y = (/** @type {number} */ line) => 24 + unit * sum(sizes.slice(0, line));
    half = Math.min(13, 2 * unit - 1);
    at = tree.nodes.map((_, i) => {
      const [first, many] = isWide ? spans[i] : [rows.indexOf(i), 1],
        step = isWide ? (room - 110) / deepest : 16;
      return [4 + step * depth[i], (y(first) + y(first + many)) / 2];
    });
  }

  // The errors of each leaf beside it, from where those above end, and once more in the first bar; the others
  // below.
  function show(look = "dtb-comes") {
    const made = found.first.get(state.chosen) ?? found.first.get(0);
    if (!made || !tower.wide) return;
    const errors = { keep: made.subtree, branch: made.branch, leaf: made.leaf },
      kinds = NAMES.filter(([kind]) => kind !== "branch" || made.leaves.branch.length > 1);
    tall = high - 34 - 40 * kinds.length;
    level = high - 18;
    const offers = kinds.map(([kind, name, short], b) => {
      const about = `${name} ${some(made.leaves[kind].length, "leaf", "leaves")}`;
      return { kind, about, short, error: errors[kind], y: tall + 56 + 40 * b };
    });
    below = made.ends;
    arrange();
    tree.nodes.forEach((_, i) => showNode(i));
    [whole] = made.leaves.leaf;
    unit =
      (tower.wide - room - 64) /
      Math.max(...offers.map(({ error }) => error), leafErrors(whole, LOWEST));
    let from = room;
    const sizes = made.leaves.keep.map((counts) => leafErrors(counts, state.confidence)),
      starts = sizes.map((size) => (from += unit * size) - unit * size);
    const steps = made.leaves.keep.flatMap((counts, j) => {
      const [, y] = at[below[j]],
        end = starts[j] + unit * sizes[j];
      return [
        line(end, y, end, tall + 42, { ...DOTTED, "stroke-opacity": 0.5 }),
        ...errorCells([counts], state.confidence, [starts[j], y], unit, 1.6 * half),
        small(end + 6, y + 5, sizes[j].toFixed(2), { class: "dtb-halo" }),
      ];
    });
    const bars = offers.flatMap(({ kind, about, error, y }) => {
      const isBest = kind === made.choice,
        end = room + unit * error;
      return [
        small(room - 12, y + 5, about, { ...END, ...BOLD }),
        ...(kind === "keep"
          ? []
          : errorCells(made.leaves[kind], state.confidence, [room, y], unit, 28)),
        box(room - 1, y - 15, end - room + 1, 30, { fill: "none", ...(isBest ? WINS : {}) }),
        small(end + 16, y + 5, `${error.toFixed(2)}${isBest ? " ★" : ""}`, {
          ...BOLD,
          class: `dtb-halo${isBest ? " dtb-done" : ""}`,
        }),
      ];
    });
    const n = inDigits(sum(whole), 3);
    become(
      layer,
      small(isWide ? room : 0, 14, `Errors to expect in ${n} new cases`, BOLD),
      ...steps,
      ...bars,
    );
    // They fall into the first bar, those of one leaf after those of another.
    if (look || fallen.children.length !== below.length)
      fallen.replaceChildren(...below.map(() => draw("g", { class: look })));
    [...fallen.children].forEach((place, j) => {
      put(place, {
        style: `--over: 0 ${at[below[j]][1] - tall - 56}px; animation-delay: ${0.6 + 0.2 * j}s`,
      });
      become(
        place,
        errorCells([made.leaves.keep[j]], state.confidence, [starts[j], tall + 56], unit, 28),
      );
    });
    knob.show();
    const [least, ...others] = offers.toReversed().sort((a, b) => a.error - b.error);
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
  const about = legend(tree.classes ?? []);
  about.append(withMark("caution", 22, hatched()));
  play.append(about, inRow(next), tower.place);
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
