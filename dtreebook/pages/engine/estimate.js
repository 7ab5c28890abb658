// C4.5 prunes: at every node its leaves, one leaf and its largest branch compete by the errors to expect. Those
// are the errors that were made, and caution, which adds the more the fewer cases a leaf has; how much of it
// there is, is under the finger.

import { branchTo, inOrder, layout } from "./diagram.js";
import { become, box, draw, line, mark, outline, put, small } from "./draw.js";
import { ANSWER, BOLD, DOTTED, END } from "./looks.js";
import { extraErrors, leafErrors, sum, TIE } from "./measures.js";
import { beside, inRow, legend, telling } from "./parts.js";
import { errorBased } from "./prune.js";
import { grip, pick, primary, rove } from "./reach.js";
import { picture } from "./stage.js";
import { start } from "./start.js";
import { asked, asks, inDigits, parents, whereIs } from "./tree.js";
import { some } from "./words.js";

const NODE = 20; // how high one is
const OFFER = 44; // of what competes
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
    foot = 16 + NODE * rows.length + 24,
    x = (/** @type {number} */ i) => 4 + 14 * depth[i],
    y = (/** @type {number} */ i) => 14 + NODE * rows.indexOf(i);
  const count = (/** @type {number} */ many) => inDigits(many, 3);
  // What is compared, in the order in which the program does it. One comparison is looked at, first that of
  // a node that goes.
  const prune = () => errorBased(tree, cases, confidence).comparisons;
  let confidence = 0.25,
    made = prune(),
    now = made.find(({ choice }) => choice !== "keep") ?? made[0],
    unit = 0; // pixels a case
  const first = now;
  const madeAt = (/** @type {number} */ i) => made.find(({ node }) => node === i) ?? now;

  /** @param {number} i @returns {number[]} */
  const below = (i) => [i, ...(tree.nodes[i].children ?? []).flatMap(below)];
  /** What has gone once a comparison is decided. @param {Comparison} [last] */
  function goneBy(last) {
    const /** @type {Set<number>} */ gone = new Set();
    for (const one of made) {
      const { node, choice, largest } = one,
        stays = choice === "leaf" ? [node] : below(choice === "keep" ? node : largest);
      for (const i of below(node)) if (!stays.includes(i)) gone.add(i);
      if (one === last) break;
    }
    return gone;
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
  const layer = draw("g"),
    /** @type {string[]} */ looks = [];
  const tower = picture("The tree as it was grown: press a node", () => {
    show(true);
    return foot + OFFER * OFFERS.length - 6;
  });
  // The end of the bar of the one leaf is dragged: so much caution.
  const knob = grip(tower, {
    label: "Caution",
    count: () => 100,
    at: () => 100 - Math.round(100 * confidence),
    place: (stop) => [
      room + unit * leafErrors(now.leaves.leaf[0], (100 - stop) / 100),
      foot + OFFER,
    ],
    words: () => `confidence ${confidence.toFixed(2)}`,
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
      look = `${[isGone, isChosen, isLeaf]}`;
    if (looks[i] === look) return;
    looks[i] = look;
    const words = wordsOf(i, isLeaf),
      from = isLeaf ? 20 : 8,
      card = { rx: 8, class: `dtb-ring dtb-card${isChosen ? " dtb-chosen" : ""}` };
    cells[i].replaceChildren(
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
  /** @param {ReturnType<typeof errorsOf>[]} each @param {number} y @param {number} high
   * @param {(j: number) => number} [overOf] */
  function bar(each, y, high, overOf) {
    let end = room;
    const sized = { y: y - high / 2, height: high },
      whole = { ...FRAMED, ...sized, x: room, width: unit * sum(each.map(({ many }) => many)) };
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
        wrong = sum(each.map((leaf) => leaf.wrong)),
        caution = sum(each.map((leaf) => leaf.caution)),
        many = sum(each.map((leaf) => leaf.many)),
        isBest = kind === now.choice;
      return {
        does,
        name: name ?? some(each.length, "leaf", "leaves"),
        each,
        many,
        wrong,
        caution,
        error: wrong + caution,
        isBest,
        y: foot + OFFER * at,
      };
    }).slice(0, now.leaves.branch.length > 1 ? 3 : 2);

  // The errors of a leaf, beside it.
  function rowOf(/** @type {ReturnType<typeof errorsOf>} */ leaf, /** @type {number} */ y) {
    const { many, wrong, caution } = leaf,
      made = many ? count(wrong) : "no cases",
      x = Math.min(room + unit * many + 6, tower.wide - 70);
    return [
      ...bar([leaf], y, 13),
      small(x, y + 5, made, { class: "dtb-halo" }),
      many
        ? small(x + 8 * made.length + 4, y + 5, `+ ${caution.toFixed(2)}`, {
            class: "dtb-halo dtb-secret",
          })
        : "",
    ];
  }
  // What the parts of a bar are, below it.
  function wordsOn(/** @type {ReturnType<typeof offersOf>[0]} */ offer) {
    const { name, wrong, caution, error, isBest, y } = offer,
      [[, , made], [, , added]] = ERRORS,
      right = tower.wide,
      from = right - 288,
      low = y + 27,
      swatch = { y: low - 10, width: 12, height: 10 };
    return [
      small(room - 10, y + 5, name, { ...END, ...BOLD }),
      draw("rect", { ...made, ...swatch, x: from }),
      small(from + 18, low, `${count(wrong)} wrong`),
      draw(
        "g",
        ANSWER,
        small(from + 84, low, "+"),
        draw("rect", { ...added, ...swatch, x: from + 98 }),
        small(from + 116, low, `${caution.toFixed(2)} caution`),
        small(right - 18, low, `= ${error.toFixed(2)}`, { ...END, ...BOLD }),
        isBest ? small(right, low, "★", { ...END, class: "dtb-done" }) : "",
      ),
    ];
  }

  // The errors of each leaf are beside it; if they fall, then into the first bar below.
  function show(falls = false) {
    if (!tower.wide) return;
    const offers = offersOf(),
      [{ each, many, y: level }] = offers,
      gone = goneBy(now);
    unit = (tower.wide - room) / many;
    tree.nodes.forEach((_, i) => showNode(i, gone));
    if (falls) layer.replaceChildren();
    const end = room + unit * Math.min(...offers.map(({ error }) => error));
    become(
      layer,
      small(tower.wide, level - 19, `Errors to expect in ${count(many)} new cases`, {
        ...END,
        ...BOLD,
      }),
      ...each.flatMap((leaf, j) => rowOf(leaf, y(now.ends[j]))),
      ...bar(each, level, 20, falls ? (j) => y(now.ends[j]) : undefined),
      ...offers.slice(1).flatMap((offer) => bar([offer], offer.y, 20)),
      ...offers.flatMap(wordsOn),
      ...offers.map(({ y }) => line(end, y - 13, end, y + 13, { ...DOTTED, ...ANSWER })),
    );
    knob.show();
    tell(offers);
  }

  function tell(/** @type {ReturnType<typeof offersOf>} */ offers) {
    const [keep, leaf, branch] = offers,
      least = Math.min(...offers.map(({ error }) => error)),
      chosen = offers.find(({ isBest }) => isBest) ?? keep,
      all = tree.nodes.length,
      gone = goneBy(),
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
  const next = primary("The next node", () => lookAt(made[made.indexOf(now) + 1] ?? made[0]));
  play.append(beside(tower.place, telling(inRow(next)), legend(tree.classes ?? [])));
  rove(tower.place);
  return () => lookAt(first);
}

start("estimate", estimateExplorable);
