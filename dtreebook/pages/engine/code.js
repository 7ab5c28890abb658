// A code tree: join two piles at a time until one is left. All are as high as they are likely. Each join
// is a question, asked as often as its cases come up: what they add up to is the mean number of questions.

import { box, draw, make, small, text } from "./draw.js";
import { BOLD, END, MIDDLE, PAPER } from "./looks.js";
import { entropy, sum } from "./measures.js";
import { inRow } from "./parts.js";
import { button, carried, primary, rove } from "./reach.js";
import { axisX, picture, scale, within } from "./stage.js";
import { start } from "./start.js";
import { share, short } from "./words.js";

const TASK = "Carry one to another, or press both: a question tells them apart.";
const TALL = 380; // of all together
const ON_GREEN = { ...BOLD, fill: PAPER, "pointer-events": "none" };
const TAN = `fill: color-mix(in srgb, #b5ab97 40%, ${PAPER})`;
const PALE = { fill: "currentColor", "fill-opacity": 0.08 };

// Where a pile stands, and its code, before it has a place.
const PLACE = { x: 0, y: 0, wide: 0, tall: 0, code: "" };

/** @typedef {{name: string, weight: number, high: number, below?: [Pile, Pile]} & typeof PLACE} Pile */

/** @type {Build<{things: {name: string, weight: number}[]}>} */
function codeExplorable(play, data, say) {
  const { things } = data,
    total = sum(things.map(({ weight }) => weight));
  const bits = entropy(things.map(({ weight }) => weight));
  /** @type {Pile[]} */
  const leaves = things.map(({ name, weight }) => ({ ...PLACE, name, weight, high: 0 }));
  const state = {
    roots: [...leaves],
    held: /** @type {Pile | null} */ (null),
    last: leaves[1], // hops: it could be joined with the first
  };
  /** How high one of the things is: no lower than its letters. @param {Pile} leaf */
  const highOf = ({ weight }) => Math.max((TALL * weight) / total, 24);

  /** @type {(one: Pile, two: Pile) => Pile} */
  const join = (one, two) => ({
    ...PLACE,
    name: `${one.name} or ${two.name}`,
    below: [one, two],
    weight: one.weight + two.weight,
    high: Math.max(one.high, two.high) + 1,
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
    Object.assign(state, { roots: [...leaves], held: null, last: leaves[1] });
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
  const sheet = picture("The piles, and the questions that separate them", () => {
    show();
    return sum(leaves.map(highOf)) + 4;
  });

  // The leaves below each other, every join to the right of what it joins, and as high.
  function show() {
    const { wide } = sheet;
    if (!wide) return;
    const focused = sheet.contains(document.activeElement);
    const left = Math.min(300, wide * 0.43),
      more = Number(state.roots.length > 1),
      levels = Math.max(...state.roots.map(({ high }) => high + more)),
      step = (wide - left - 2) / levels;
    const /** @type {Element[]} */ ways = [];
    const /** @type {Pile[]} */ all = [];
    let foot = 2;
    /** @param {Pile} node @param {string} code @param {Pile} [above] */
    const visit = (node, code, above) => {
      const y = foot,
        x = node.high ? left + (node.high - 1) * step : 1,
        end = left + node.high * step;
      node.below?.forEach((child, bit) => visit(child, code + bit, node));
      if (!node.below) foot += highOf(node);
      all.push(Object.assign(node, { x, y, wide: end - x, tall: foot - y, code }));
      // Up to the join above it.
      if (above) ways.push(box(end, y, left + (above.high - 1) * step - end, foot - y, PALE));
    };
    state.roots.forEach((root) => visit(root, ""));
    // Before the first join one is hinted at: what a question about the first two would cost, and what to do.
    const [one, two] = state.roots,
      blocks = all.map(block);
    if (state.roots.length === things.length) {
      const tall = one.tall + two.tall,
        ghost = { ...join(one, two), x: left, y: 2, wide: step, tall },
        room = { x: left, y: tall + 2, width: step, height: foot - tall - 2, class: "dtb-hole" };
      ways.push(
        draw("g", { class: "dtb-late", opacity: 0.85 }, block(ghost)),
        draw("foreignObject", room, make("div", TASK)),
      );
    }
    sheet.replaceChildren(...ways, ...blocks);
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
      { ...about, style: node === state.last ? "--turn:0" : null },
      box(x, y + 1, wide - 2, tall - 2, {
        rx: 4,
        class: `dtb-ring ${node.below ? "dtb-dot" : `dtb-card${isRoot ? " dtb-free" : ""}`}`,
        "stroke-width": isHeld ? 4 : 1.5,
        stroke: isHeld ? "currentColor" : null,
        style: node.below ? null : TAN,
      }),
      ...(node.below
        ? [
            text(
              x + wide / 2 - 1,
              middle,
              wide > 210 ? `asked in ${words(node)} of games` : words(node),
              {
                ...MIDDLE,
                ...ON_GREEN,
                "font-size": Math.min(16, (wide - 8) / 0.7 / words(node).length),
              },
            ),
            ...node.below.map(({ y, tall }, bit) =>
              small(x + 7, y + tall / 2 + 5, wide > 70 ? bit : "", ON_GREEN),
            ),
          ]
        : [
            text(x + 6, middle, node.name, BOLD),
            small(x + 0.56 * wide, middle, words(node), END),
            small(x + wide - 7, middle, code, { ...END, ...BOLD }),
          ]),
    );
  }

  function tell() {
    const { roots, held } = state,
      mean = meanOf(roots),
      done = roots.length === 1;
    sums.paint();
    next.disabled = done;
    if (!done)
      return say(
        `${roots.length} piles are left, and the joins so far cost ${short(mean, 2)} questions on average.${held ? ` Join ${held.name} (${words(held)}) with another.` : ""}\n`,
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
  const sums = picture("What the joins cost, side by side", (width) => {
    const mean = meanOf(state.roots),
      made = rarest(state.roots.flatMap(joinsIn)),
      [one, two] = state.roots,
      most = Math.ceil(Math.max(mean, bits)),
      x = scale(0, most, 10, width - 10);
    let from = 0;
    sums.replaceChildren(
      small(
        10,
        14,
        mean
          ? `your questions: ${short(mean, 2)} on average`
          : `it would cost ${short((one.weight + two.weight) / total, 2)} questions on average`,
        BOLD,
      ),
      ...(made.length ? made : [join(one, two)]).flatMap((join) => {
        const left = x(from),
          wide = x((from += join.weight / total)) - left;
        return [
          box(left, 24, wide - 2, 32, { class: "dtb-dot", opacity: mean ? 1 : 0.85 }),
          small(left + wide / 2 - 1, 45, wide < 34 ? "" : words(join), { ...MIDDLE, ...ON_GREEN }),
        ];
      }),
      box(x(bits) - 2.5, 20, 5, 44, { class: "dtb-secret", fill: "currentColor", stroke: PAPER }),
      axisX(x, 64, 0, most, "", most),
      within(`entropy: ${short(bits)}`, x(bits), 102, [0, width], {
        class: "dtb-halo dtb-secret",
      }),
    );
    return 108;
  });
  const next = primary("Join the two rarest", () => (joinRarest(), show()));
  sheet.classList.add("dtb-moves"); // what was joined last hops
  const again = button("Start again", () => (begin(), show()));
  play.append(sheet.place, sums.place, inRow(next, again));
  rove(sheet.place);
  // The join that was asked for.
  return () => {
    begin();
    joinRarest();
    show();
  };
}

start("code", codeExplorable);
