// A code tree: join two piles at a time until one is left. Each join is a question, and it is asked
// as often as its cases come up: what they add up to is the mean number of questions.

import { box, draw, outline, small, text } from "./draw.js";
import { BOLD, DOTTED, END, MIDDLE, PAPER } from "./looks.js";
import { entropy, sum } from "./measures.js";
import { inRow, litUp, quietly } from "./parts.js";
import { button, carry, pick, primary, rove } from "./reach.js";
import { axisX, picture, scale, within } from "./stage.js";
import { start } from "./start.js";
import { share, short } from "./words.js";

/**
 * @typedef {{name: string, weight: number, high: number, below?: [Pile, Pile]}} Pile
 */

/** @type {Build<{things: {name: string, weight: number}[]}>} */
function codeExplorable(play, data, say) {
  const { things } = data,
    total = sum(things.map(({ weight }) => weight)),
    heaviest = Math.max(...things.map(({ weight }) => weight));
  const bits = entropy(things.map(({ weight }) => weight));
  /** @type {Pile[]} */
  const leaves = things.map(({ name, weight }) => ({ name, weight, high: 0 }));
  const state = {
    roots: [...leaves],
    held: /** @type {Pile | null} */ (null),
    last: /** @type {Pile | null} */ (null),
  };
  const ROW = 46;
  const /** @type {Map<Pile, Point>} */ place = new Map();
  const /** @type {Map<Pile, Element>} */ frames = new Map();
  const at = (/** @type {Pile} */ node) => place.get(node) ?? [0, 0];

  /** @type {(one: Pile, two: Pile) => Pile} */
  const join = (one, two) => ({
    name: `${one.name} or ${two.name}`,
    below: [one, two],
    weight: one.weight + two.weight,
    high: Math.max(one.high, two.high) + 1,
  });
  /** @type {(node: Pile) => Pile[]} */
  const joinsIn = (node) => (node.below ? [node, ...node.below.flatMap(joinsIn)] : []);
  /** @param {Pile[]} roots */
  const meanOf = (roots) => sum(roots.flatMap(joinsIn).map(({ weight }) => weight)) / total;
  /** @param {{ weight: number }} about */
  const words = ({ weight }) => share(weight, total);

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
    Object.assign(state, { roots: [...leaves], held: null });
    joinRarest();
  };

  /** @param {Pile} node */
  function press(node) {
    const { held } = state;
    if (!held || held === node) state.held = held ? null : node;
    else pair(held, node);
    show();
  }
  /** @param {Pile} one @param {Pile} two */
  function pair(one, two) {
    const place = Math.min(state.roots.indexOf(one), state.roots.indexOf(two));
    const rest = state.roots.filter((root) => root !== one && root !== two);
    const made = join(one, two);
    const roots = [...rest.slice(0, place), made, ...rest.slice(place)];
    Object.assign(state, { roots, held: null, last: made });
  }
  /** Beside another the two are joined. @param {Pile} node @param {Point} point */
  function drop(node, [, y]) {
    const onto = state.roots.find((root) => Math.abs(at(root)[1] - y) < ROW / 2);
    if (onto && onto !== node) pair(node, onto);
    show();
  }
  const sheet = picture("The piles, and the questions that separate them", () => {
    show();
    return things.length * ROW + 16;
  });

  // The leaves below each other, every join to the right of what it joins.
  function show() {
    const { wide } = sheet;
    if (!wide) return;
    const focused = sheet.contains(document.activeElement);
    const left = Math.min(260, wide * 0.36),
      more = Number(state.roots.length > 1),
      levels = Math.max(best[0].high, ...state.roots.map(({ high }) => high + more)),
      step = (wide - left - 24) / levels;
    const /** @type {Map<Pile, string>} */ codes = new Map();
    place.clear();
    let row = 0;
    /** @param {Pile} node @param {string} code */
    const visit = (node, code) => {
      node.below?.forEach((child, bit) => visit(child, code + bit));
      const y = node.below
        ? sum(node.below.map((child) => at(child)[1])) / 2
        : 8 + (row++ + 0.5) * ROW;
      place.set(node, [node.high ? left + node.high * step : left, y]);
      if (!node.below) codes.set(node, code);
    };
    state.roots.forEach((root) => visit(root, ""));
    const edges = [...place].flatMap(([node, [x, y]]) =>
      (node.below ?? []).map((child, bit) => {
        const [x2, y2] = at(child);
        return [
          outline(`M${x2} ${y2}H${x}V${y}`),
          small(x - 4, y2 + (bit ? 15 : -5), bit, { ...END, ...BOLD }),
        ];
      }),
    );
    const boxes = [...place].map(([node, point]) => pile(node, point, codes.get(node), left));
    // What is still to be found, dotted.
    const ends = state.roots.map(at),
      [top, foot, end] = [ends[0][1], ends[ends.length - 1][1], left + step * levels],
      way = `${ends.map(([x, y]) => `M${x} ${y}H${end}`).join("")}M${end} ${top}V${foot}`,
      mark = within("still to join", end, (top + foot) / 2 + 5, [0, wide]);
    sheet.replaceChildren(
      ...(ends.length > 1 ? [outline(way, { "stroke-opacity": 0.4, ...DOTTED }), mark] : []),
      ...edges.map(([way]) => way),
      ...boxes,
      ...edges.map(([, digit]) => digit),
    );
    const chosen = [...place.keys()].findIndex((node) => node === (state.held ?? state.last));
    if (focused) (boxes[chosen] ?? boxes.find((one) => one.matches(".dtb-pick")))?.focus();
    tell();
  }

  /** @param {Pile} node @param {Point} about @param {string | undefined} code @param {number} left */
  function pile(node, [x, y], code, left) {
    const isRoot = state.roots.includes(node),
      isLeaf = !node.below,
      isHeld = state.held === node;
    // Beside the box of a join is room for a digit.
    const width = isLeaf ? left - 2 : 12 * words(node).length,
      from = isLeaf ? 2 : x - width / 2,
      high = isLeaf ? 42 : 28;
    const about = isRoot
      ? pick(`${node.name}, ${words(node)}`, () => press(node), {
          click: ({ detail }) => detail || press(node), // a pointer has pressed it already
          pointerdown: (event) =>
            carry(
              sheet,
              event,
              [0, 0],
              () => press(node),
              (point) => drop(node, point),
            ),
          "aria-pressed": isHeld,
          tabindex: isHeld || node === (state.held ?? state.roots[0]) ? 0 : -1,
        })
      : {};
    const frame = box(from, y - high / 2, width, high, {
      rx: 6,
      class: `dtb-ring dtb-card${isRoot ? " dtb-free" : ""}`,
      "stroke-width": isHeld ? 4 : 1.5,
    });
    frames.set(node, frame);
    return draw(
      "g",
      { ...about, style: node === state.last ? "--turn:0" : null },
      frame,
      isLeaf
        ? text(from + width - 8, y - 2, words(node), END)
        : text(x, y + 5, words(node), MIDDLE),
      ...(isLeaf
        ? [
            text(from + 8, y - 2, node.name, BOLD),
            box(from + 8, y + 6, ((width - 70) * node.weight) / heaviest, 8, { fill: "#b5ab97" }),
            text(from + width - 8, y + 15, code ?? "", { ...END, ...BOLD }),
          ]
        : []),
    );
  }

  function tell() {
    const { roots, held } = state,
      mean = meanOf(roots),
      done = roots.length === 1;
    sums.paint();
    apart.disabled = roots.length === things.length;
    next.disabled = done;
    if (!done) {
      const what = held
        ? `Join ${held.name} (${words(held)}) with: press another.`
        : "Press two, one after the other: a question will separate them.";
      return say(
        `${roots.length} piles are left, and the joins so far cost ${short(mean, 2)} questions on average. ${what}`,
        [`${roots.length} piles`, () => [...sheet.querySelectorAll(".dtb-pick")]],
      );
    }
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
      most = Math.ceil(Math.max(mean, bits)),
      x = scale(0, most, 10, width - 10);
    let from = 0;
    sums.replaceChildren(
      small(10, 14, `your questions: ${short(mean, 2)} on average`, BOLD),
      ...rarest(state.roots.flatMap(joinsIn)).flatMap((join) => {
        const left = x(from),
          wide = x((from += join.weight / total)) - left;
        // Where it is narrow, its words stand upright.
        const [cx, cy] = [left + wide / 2 - 1, 40],
          turned = wide > 36 ? null : `rotate(-90 ${cx} ${cy})`;
        return [
          box(left, 24, wide - 2, 32, {
            class: "dtb-dot",
            pointerenter: () => litUp(play, frames.get(join)),
            pointerleave: () => litUp(play),
          }),
          small(cx, cy + 5, words(join), {
            ...MIDDLE,
            fill: PAPER,
            transform: turned,
            "pointer-events": "none",
          }),
        ];
      }),
      box(x(bits) - 2.5, 20, 5, 44, { fill: "currentColor", stroke: PAPER }),
      axisX(x, 64, 0, most, "", most),
      within(`entropy: ${short(bits)}, no tree asks fewer`, x(bits), 102, [0, width]),
    );
    return 108;
  });
  const apart = button("Take the last join apart", () => {
    const top = [state.held, state.last, ...state.roots].find(
      (one) => one?.below && state.roots.includes(one),
    );
    state.roots = state.roots.flatMap((root) => (root === top && root.below) || [root]);
    state.held = null;
    show();
  });
  const next = primary("Join the two rarest", () => (joinRarest(), show()));
  sheet.classList.add("dtb-moves"); // what was joined last hops
  begin();
  play.append(
    quietly("Join two at a time until one is left: carry one to another, or press both."),
    sheet.place,
    sums.place,
    inRow(
      next,
      apart,
      button("Start again", () => (begin(), show())),
    ),
  );
  rove(sheet.place);
}

start("code", codeExplorable);
