// C4.5 prunes: at every node its leaves, one leaf and its largest branch compete by the errors to expect. Those
// are the errors that were made, and caution, which adds the more the fewer cases a leaf has. How much of it
// there is, is under the finger.

import { branchTo, inOrder, layout } from "../kit/diagram.js";
import { become, box, draw, line, mark, outline, put, small } from "../kit/draw.js";
import { ANSWER, BOLD, DASHED, DOTTED, END, RAIL } from "../kit/looks.js";
import { extraErrors, sum, TIE } from "../algorithms/measures.js";
import { inRow, legend } from "../kit/legends.js";
import { errorBased } from "../algorithms/prune.js";
import { grip, pick, primary, rove } from "../kit/reach.js";
import { keyOf, picture, scale, within } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { asked, asks, inDigits, parents, whereIs } from "../algorithms/tree.js";
import { some } from "../kit/words.js";

const NODE = 20; // how high one is
const OFFER = 56; // of what competes
const FRAMED = { fill: "none", stroke: "#8b8676" };
const ERRORS = /** @type {const} */ ([
  ["wrong", "", { fill: "currentColor", "fill-opacity": 0.75 }],
  ["caution", "dtb-secret ", { fill: "currentColor", "fill-opacity": 0.25 }],
]);
const OFFERS = /** @type {const} */ ([
  ["keep", "its leaves stay"],
  ["leaf", "it becomes one leaf", "one leaf"],
  ["branch", "that takes its place", "largest branch"],
]);

/** @type {Build<{cases: Cases, tree: GrownTree}>} */
function estimateExplorable(play, { tree, cases }, say) {
  const rows = inOrder(tree),
    { depth } = layout(tree),
    parent = parents(tree),
    foot = 16 + NODE * rows.length,
    x = (/** @type {number} */ i) => 4 + 14 * depth[i],
    y = (/** @type {number} */ i) => 14 + NODE * rows.indexOf(i);
  const count = (/** @type {number} */ many) => inDigits(many, 3);
  // What is compared, in the order in which the program does it. One comparison is looked at, first that of
  // a node that goes.
  const prune = () => errorBased(tree, cases, confidence).comparisons;
  let confidence = 0.25,
    made = prune(),
    now = made.find(({ choice }) => choice !== "keep") ?? made[0],
    unit = 0, // pixels a case
    side = 0, // where what competes begins, its bars, and from which height
    left = 0,
    top = 0;
  const first = now;
  const madeAt = (/** @type {number} */ i) => made.find(({ node }) => node === i) ?? now;

  /** @param {number} i @returns {number[]} */
  const below = (i) => [i, ...(tree.nodes[i].children ?? []).flatMap(below)];
  /** What has gone once what is looked at is decided, and in the end. */
  function goneBy() {
    const /** @type {Set<number>} */ all = new Set();
    let soFar = all;
    for (const one of made) {
      const { node, choice, largest } = one,
        stays = choice === "leaf" ? [node] : below(choice === "keep" ? node : largest);
      for (const i of below(node)) if (!stays.includes(i)) all.add(i);
      if (one === now) soFar = new Set(all);
    }
    return [soFar, all];
  }

  const wordsOf = (/** @type {number} */ i, isLeaf = !tree.nodes[i].split) =>
    [i ? branchTo(tree, i, parent) : "", isLeaf ? "" : asks(tree, tree.nodes[i])]
      .filter(Boolean)
      .join(": ");
  // The errors stand beside the words.
  const room = Math.max(130, ...rows.map((i) => x(i) + 8.2 * wordsOf(i).length + 22));
  const cells = tree.nodes.map(({ split }, i) =>
    draw("g", split ? pick(null, () => lookAt(madeAt(i))) : {}, {
      transform: `translate(${x(i)} ${y(i)})`,
    }),
  );
  const layer = draw("g");
  // What competes stands beside the tree, where there is room, or below it.
  const tower = picture("The tree as it was grown: press a node", (width) => {
    const isWide = width > room + 520;
    left = isWide ? (room + 80 + width) / 2 : room;
    [side, top] = isWide ? [left, 16] : [0, foot + 24];
    show(true);
    return Math.max(foot, top + 88 + OFFER * OFFERS.length);
  });
  const rail = () => scale(0, 99, side + 12, tower.wide - 12),
    stopOf = () => 100 - Math.round(100 * confidence),
    wordsAt = () => `confidence ${confidence.toFixed(2)}`;
  const knob = grip(tower, {
    label: "Caution",
    count: () => 100,
    at: stopOf,
    place: (stop) => [rail()(stop), top + 64],
    words: wordsAt,
    onMove(stop) {
      confidence = (100 - stop) / 100;
      made = prune();
      now = madeAt(now.node);
      show();
    },
  });
  knob.classList.add("dtb-secret");
  tower.append(draw("g", ...rows.map((i) => cells[i])), layer, knob);

  // The branch to a node, and its question or, where it is a leaf by now, its class.
  function showNode(/** @type {number} */ i, /** @type {Set<number>} */ gone) {
    const { split, label, children = [] } = tree.nodes[i],
      isGone = gone.has(i),
      isChosen = i === now.node,
      isCut = !isChosen && !isGone && children.every((child) => gone.has(child)),
      isLeaf = !split || isCut || now.ends.includes(i),
      words = wordsOf(i, isLeaf),
      from = isLeaf ? 20 : 8,
      card = { rx: 8, class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}` };
    become(
      cells[i],
      i ? outline(`M-8 ${y(parent[i]) - y(i) + 10}V0H0`, FRAMED) : "",
      split ? box(0, 1 - NODE / 2, 8.2 * words.length + from + 4, NODE - 2, card) : "",
      isLeaf ? mark(label, 10, 0) : "",
      small(from, 5, words, split ? BOLD : {}),
    );
    cells[i].classList.toggle("dtb-gone", isGone);
    if (split)
      put(cells[i], {
        "aria-pressed": String(isChosen),
        "aria-label": `${whereIs(tree, i, "the root")}: ${words}`,
        tabindex: isChosen ? 0 : -1,
      });
  }

  const errorsOf = (/** @type {number[]} */ counts) => {
    const many = sum(counts),
      wrong = many - Math.max(...counts);
    return { many, wrong, caution: extraErrors(wrong, many, confidence) };
  };
  // So many cases of leaves, and in front the errors that were made, and what caution adds; each falls from
  // where `overOf` says.
  /** @param {ReturnType<typeof errorsOf>[]} each @param {number} x @param {number} y @param {number} high
   * @param {(j: number) => number} [overOf] */
  function bar(each, x, y, high, overOf) {
    let end = x;
    const sized = { y: y - high / 2, height: high },
      whole = { ...FRAMED, ...sized, x, width: unit * sum(each.map(({ many }) => many)) };
    const parts = ERRORS.flatMap(([part, secret, look]) =>
      each.map((leaf, j) => {
        const width = unit * leaf[part],
          from = room + (secret ? unit * leaf.wrong : 0) - end,
          moves = overOf && { style: `--over: ${from}px ${overOf(j) - y}px` };
        end += width;
        const about = { ...look, ...sized, width, x: end - width, ...moves };
        return draw("rect", { ...about, class: secret + (overOf ? "dtb-comes" : "") });
      }),
    );
    return [draw("rect", whole), ...parts];
  }

  // What competes at the node.
  const offersOf = () =>
    OFFERS.map(([kind, does, name], at) => {
      const each = now.leaves[kind].map(errorsOf),
        [many, wrong, caution] = /** @type {const} */ (["many", "wrong", "caution"]).map((part) =>
          sum(each.map((leaf) => leaf[part])),
        );
      return {
        does,
        name: name ?? some(each.length, "leaf", "leaves"),
        each,
        many,
        wrong,
        caution,
        error: wrong + caution,
        isBest: kind === now.choice,
        y: top + 126 + OFFER * at,
      };
    }).slice(0, now.leaves.branch.length > 1 ? 3 : 2);

  // So many errors were made, and so many are added.
  function sumOf(/** @type {ReturnType<typeof errorsOf>} */ { many, wrong, caution }, after = "") {
    const added = many ? ` + ${caution.toFixed(2)}${after}` : "";
    return [many ? count(wrong) : "no cases", draw("tspan", ANSWER, added)];
  }
  // The errors of a leaf, beside it.
  function rowOf(/** @type {ReturnType<typeof errorsOf>} */ leaf, /** @type {number} */ y) {
    const x = Math.min(room + unit * leaf.many + 6, tower.wide - 70),
      said = small(x, y + 5, "", { class: "dtb-halo" });
    said.append(...sumOf(leaf));
    return [...bar([leaf], room, y, 13), said];
  }
  // What an offer is, and what it makes, above its bar.
  function wordsOn(/** @type {ReturnType<typeof offersOf>[0]} */ offer) {
    const { name, error, isBest, y } = offer,
      right = tower.wide,
      said = small(right - 18, y - 16, "", { ...END, ...BOLD });
    said.append(...sumOf(offer, ` = ${error.toFixed(2)}`));
    return [
      small(side, y - 16, name, BOLD),
      said,
      small(right, y - 16, isBest ? "★" : "", { ...END, class: "dtb-done dtb-secret" }),
    ];
  }
  // The largest branch could take the place of the node.
  function rises(/** @type {boolean} */ isBest) {
    const endOf = (/** @type {number} */ i) => x(i) + 8.2 * wordsOf(i).length + 14,
      [from, to] = [y(now.largest), y(now.node)];
    return outline(
      `M${endOf(now.largest)} ${from}H${room - 6}V${to}H${endOf(now.node)}m6 -5l-6 5l6 5`,
      isBest ? { class: "dtb-one", "stroke-width": 3 } : DASHED,
    );
  }

  // The errors of each leaf are beside it; if they fall, then into the first bar of what competes.
  function show(falls = false) {
    const right = tower.wide;
    if (!right) return;
    const offers = offersOf(),
      [{ each, many, y: level }, , branch] = offers,
      [gone, goneAtLast] = goneBy();
    unit = (right - left) / many;
    tree.nodes.forEach((_, i) => showNode(i, gone));
    if (falls) layer.replaceChildren();
    const end = left + unit * Math.min(...offers.map(({ error }) => error));
    become(
      layer,
      small(side, top, `Errors to expect in ${count(many)} new cases`, BOLD),
      keyOf(side, top + 24, "wrong", { "stroke-width": 12, "stroke-opacity": 0.75 }),
      draw(
        "g",
        ANSWER,
        keyOf(side + 96, top + 24, "caution", { "stroke-width": 12, "stroke-opacity": 0.25 }),
        line(rail()(0), top + 64, rail()(99), top + 64, RAIL),
        within(wordsAt(), rail()(stopOf()), top + 48, [side, right], { class: "dtb-done" }),
        branch ? rises(branch.isBest) : "",
      ),
      each.flatMap((leaf, j) => rowOf(leaf, y(now.ends[j]))),
      bar(each, left, level, 20, falls ? (j) => y(now.ends[j]) : undefined),
      offers.slice(1).flatMap((offer) => bar([offer], left, offer.y, 20)),
      offers.flatMap(wordsOn),
      offers.map(({ y }) => line(end, y - 13, end, y + 13, { ...DOTTED, ...ANSWER })),
    );
    knob.show();
    const at = made.indexOf(now) + 1;
    become(
      next,
      at < made.length
        ? `The next node: ${at + 1} of ${made.length}`
        : `The first of ${made.length} again`,
    );
    tell(offers, goneAtLast);
  }

  /** @param {ReturnType<typeof offersOf>} offers @param {Set<number>} gone */
  function tell(offers, gone) {
    const [keep, leaf, branch] = offers,
      least = Math.min(...offers.map(({ error }) => error)),
      chosen = offers.find(({ isBest }) => isBest) ?? keep,
      all = tree.nodes.length,
      left = `${all - gone.size} of ${some(all, "node")}`;
    const raised = branch ? `, and ${branch.error.toFixed(2)} of the largest branch` : "",
      slack = chosen.error > least + TIE ? " (0.1 more does not count)" : "";
    say(
      `The ${keep.name} below ${asked(tree, /** @type {Asking} */ (tree.nodes[now.node]))} got ${count(keep.wrong)} of ` +
        `${count(leaf.many)} cases wrong, one leaf would get ${count(leaf.wrong)}.\n ` +
        `With caution that is ${keep.error.toFixed(2)} and ${leaf.error.toFixed(2)}${raised}, so ` +
        `${chosen.does}${slack}. At confidence ${confidence.toFixed(2)} C4.5 keeps ${left}.`,
      [keep.name, () => now.ends.map((i) => cells[i])],
      [left, () => cells.filter((_, i) => !gone.has(i))],
    );
  }

  function lookAt(/** @type {Comparison} */ one) {
    now = one;
    show(true);
  }
  // The nodes from the bottom up, as the program looks at them.
  const next = primary("", () => lookAt(made[made.indexOf(now) + 1] ?? made[0]));
  play.append(tower.place, inRow(next), legend(tree.classes ?? []));
  rove(tower.place);
  return () => lookAt(first);
}

start("estimate", estimateExplorable);
