// A code tree: join two piles at a time until one is left. Each join is a question, as high as it is likely and
// one question wide: it pushes all that it tells apart one to the right. What they add up to is the mean
// number of questions.

import { box, draw, line, small, text } from "../kit/draw.js";
import { BOLD, END, MIDDLE, PAPER } from "../kit/looks.js";
import { entropy, sum } from "../algorithms/measures.js";
import { inRow } from "../kit/legends.js";
import { button, carried, primary, rove } from "../kit/reach.js";
import { axisX, picture, scale, within } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { share, short } from "../kit/words.js";

const TALL = 380; // of all together
const SUMS = 108; // of what they add up to
const ON_GREEN = { ...BOLD, fill: PAPER, "pointer-events": "none" };
const TAN = `fill: color-mix(in srgb, #b5ab97 40%, ${PAPER})`;

// Where a pile stands, from where it comes, and its code, before it has a place.
const PLACE = { x: 0, y: 0, wide: 0, tall: 0, over: "", code: "" };

/** @typedef {{name: string, weight: number, below?: [Pile, Pile]} & typeof PLACE} Pile */

/** @type {Build<{things: {name: string, weight: number}[]}>} */
function codeExplorable(play, data, say) {
  const { things } = data,
    total = sum(things.map(({ weight }) => weight));
  const bits = entropy(things.map(({ weight }) => weight));
  /** @type {Pile[]} */
  const leaves = things.map(({ name, weight }) => ({ ...PLACE, name, weight }));
  const state = {
    roots: [...leaves],
    held: /** @type {Pile | null} */ (null),
    last: leaves[0], // that was joined
  };
  /** How high one of the things is: no lower than its letters. @param {Pile} leaf */
  const highOf = ({ weight }) => Math.max((TALL * weight) / total, 24);

  /** @type {(one: Pile, two: Pile) => Pile} */
  const join = (one, two) => ({
    ...PLACE,
    name: `${one.name} or ${two.name}`,
    below: [one, two],
    weight: one.weight + two.weight,
  });
  /** @type {(node: Pile) => Pile[]} */
  const joinsIn = (node) => (node.below ? [node, ...node.below.flatMap(joinsIn)] : []);
  /** @param {Pile[]} roots */
  const meanOf = (roots) => sum(roots.flatMap(joinsIn).map(({ weight }) => weight)) / total;
  const words = (/** @type {{ weight: number }} */ { weight }) => share(weight, total);

  /** The rarest first: to join these two, again and again, makes a tree that none asks less than. @param {Pile[]} roots */
  const rarest = (roots) => [...roots].sort((a, b) => a.weight - b.weight);
  let best = leaves;
  while (best.length > 1) {
    const [one, two, ...rest] = rarest(best);
    best = [join(one, two), ...rest];
  }
  const least = meanOf(best);
  function joinRarest() {
    const [one, two] = rarest(state.roots);
    if (two) pair(one, two);
  }
  const begin = () => {
    Object.assign(state, { roots: [...leaves], held: null, last: leaves[0] });
  };

  function press(/** @type {Pile} */ node) {
    const { held } = state;
    if (!held || held === node) state.held = held ? null : node;
    else pair(held, node);
    show();
  }
  function pair(/** @type {Pile} */ one, /** @type {Pile} */ two) {
    const place = Math.min(state.roots.indexOf(one), state.roots.indexOf(two));
    const rest = state.roots.filter((root) => root !== one && root !== two);
    const made = join(one, two);
    const roots = [...rest.slice(0, place), made, ...rest.slice(place)];
    Object.assign(state, { roots, held: null, last: made });
  }
  /** Over another the two are joined. @param {Pile} node @param {Point} point */
  function drop(node, [, py]) {
    const onto = state.roots.find(({ y, tall }) => y <= py && py < y + tall);
    if (onto && onto !== node) pair(node, onto);
    show();
  }
  const tall = sum(leaves.map(highOf)) + 2;
  const sheet = picture("The piles, and the questions that separate them", () => {
    show();
    return tall + SUMS;
  });

  // The things below each other, each to the right of the questions that lead to it.
  function show() {
    const { wide } = sheet;
    if (!wide) return;
    const focused = sheet.contains(document.activeElement),
      card = Math.max(90, wide * 0.22),
      x = scale(0, things.length - 1, 0, wide - card);
    const /** @type {Pile[]} */ all = [];
    let foot = 2;
    const visit = (/** @type {Pile} */ node, code = "") => {
      const from = node.tall ? [node.x, node.y] : [x(code.length - 1), foot],
        at = { x: x(code.length), y: foot, wide: node.below ? x(1) : card };
      node.below?.forEach((child, bit) => visit(child, code + bit));
      if (!node.below) foot += highOf(node);
      const over = `${from[0] - at.x}px ${from[1] - at.y}px`;
      all.push(Object.assign(node, { ...at, tall: foot - at.y, over, code }));
    };
    state.roots.forEach((root) => visit(root));
    const blocks = all.map(block);
    sheet.replaceChildren(
      ...things.map((_, i) => line(x(i), 0, x(i), tall + 64, { "stroke-opacity": 0.15 })),
      ...blocks,
      draw("g", { transform: `translate(0 ${tall})` }, sums(x, wide)),
    );
    const chosen = all.findIndex((node) => node === (state.held ?? state.last));
    if (focused) (blocks[chosen] ?? blocks.find((one) => one.matches(".dtb-pick")))?.focus();
    tell();
  }

  function block(/** @type {Pile} */ node) {
    const { x, y, wide, tall, code } = node,
      isRoot = state.roots.includes(node),
      isHeld = state.held === node,
      middle = y + tall / 2 + 5;
    /** @type {Carried} */
    const carrying = {
      place: () => [0, 0],
      onPress: () => press(node),
      onDrop: (point) => drop(node, point),
    };
    const about = isRoot
      ? carried(sheet, `${node.name}, ${words(node)}`, carrying, {
          "aria-pressed": isHeld,
          tabindex: isHeld || node === (state.held ?? state.roots[0]) ? 0 : -1,
        })
      : {};
    return draw(
      "g",
      { ...about, style: `--over: ${node.over}` },
      box(x, y + 1, wide - 2, tall - 2, {
        rx: 4,
        class: `dtb-ring ${node.below ? "dtb-dot" : `dtb-card${isRoot ? " dtb-free" : ""}`}`,
        "stroke-width": isHeld ? 4 : 1.5,
        stroke: isHeld ? "currentColor" : null,
        style: node.below ? null : TAN,
      }),
      ...(node.below
        ? [
            small(x + wide / 2 + 2, middle, wide > 120 ? `asked in ${words(node)}` : words(node), {
              ...MIDDLE,
              ...ON_GREEN,
            }),
            ...node.below.map(({ y, tall }, bit) => small(x + 5, y + tall / 2 + 5, bit, ON_GREEN)),
          ]
        : [
            text(x + 6, middle, node.name, BOLD),
            small(x + (wide > 140 ? 0.56 : 0.93) * wide, middle, words(node), END),
            small(x + wide - 7, middle, wide > 140 ? code : "", { ...END, ...BOLD }),
          ]),
    );
  }

  function tell() {
    const { roots, held } = state,
      mean = meanOf(roots),
      done = roots.length === 1;
    next.disabled = done;
    if (!done)
      return say(
        `${roots.length} piles are left, and the joins so far cost ${short(mean, 2)} questions on average. ${held ? `Join ${held.name} (${words(held)}) with another.` : "Carry one to another, or press both."}\n`,
        [`${roots.length} piles`, () => [...sheet.querySelectorAll(".dtb-pick")]],
      );
    const verdict =
      mean > least + 1e-9
        ? `The best tree asks ${short(least, 2)}: where did you join a common pile early?`
        : "No tree asks fewer.";
    say(
      `Your tree asks ${short(mean, 2)} questions on average; the entropy is ${short(bits)} bits. ${verdict}`,
    );
  }

  // Each join costs its share of a question: side by side they are the mean.
  function sums(/** @type {Scale} */ x, /** @type {number} */ wide) {
    let from = 0;
    return [
      small(0, 16, `your questions: ${short(meanOf(state.roots), 2)} on average`, BOLD),
      ...rarest(state.roots.flatMap(joinsIn)).flatMap((join) => {
        const left = x(from),
          wide = x((from += join.weight / total)) - left;
        return [
          box(left, 24, wide - 2, 32, { class: "dtb-dot" }),
          small(left + wide / 2 - 1, 45, wide < 34 ? "" : words(join), { ...MIDDLE, ...ON_GREEN }),
        ];
      }),
      box(x(bits) - 2.5, 20, 5, 44, { class: "dtb-secret", fill: "currentColor", stroke: PAPER }),
      axisX(x, 64, 0, things.length - 1, ""),
      within(`entropy: ${short(bits)}`, x(bits), 102, [0, wide], { class: "dtb-halo dtb-secret" }),
    ];
  }
  const next = primary("Join the two rarest", () => (joinRarest(), show()));
  sheet.classList.add("dtb-slides");
  const again = button("Start again", () => (begin(), show()));
  play.append(sheet.place, inRow(next, again));
  pair(leaves[0], leaves[1]); // so one sees what a join costs
  rove(sheet.place);
  // The join that was asked for.
  return () => {
    begin();
    joinRarest();
    show();
  };
}

start("huffman", codeExplorable);
