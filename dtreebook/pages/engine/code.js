// A code tree: join two piles at a time until one is left. Each join is a question, and it is asked
// as often as its cases come up: what they add up to is the mean number of questions.

import {
  axisX,
  beside,
  box,
  colour,
  curve,
  DASHED,
  draw,
  fitted,
  line,
  make,
  onSheet,
  scale,
  short,
  small,
  stage,
  MIDDLE,
  END,
  inRow,
} from "./draw.js";
import { entropy, sum } from "./measures.js";
import { button, hold, pick, rove } from "./reach.js";
import { start } from "./start.js";

/**
 * @typedef {{name: string, weight: number, high: number, below?: [Pile, Pile]}} Pile
 */

/** @type {Build<{things: {name: string, weight: number}[]}>} */
function codeExplorable(play, data, say) {
  const { things } = data,
    total = sum(things.map(({ weight }) => weight));
  const bits = entropy(things.map(({ weight }) => weight));
  /** @type {Pile[]} */
  const leaves = things.map(({ name, weight }) => ({ name, weight, high: 0 }));
  const state = {
    roots: [...leaves],
    held: /** @type {Pile | null} */ (null),
    last: /** @type {Pile | null} */ (null),
  };
  const ROW = 46;
  let wide = 0,
    across = 0;

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
  const words = ({ weight }) => (weight / total).toFixed(2);

  // The two rarest, again and again: no tree asks less.
  function optimum() {
    let roots = [...leaves];
    while (roots.length > 1) {
      const [one, two, ...rest] = roots.sort((a, b) => a.weight - b.weight);
      roots = [join(one, two), ...rest];
    }
    return roots;
  }
  const least = meanOf(optimum());
  // The two rarest are joined at first.
  const begin = () => {
    Object.assign(state, { roots: [...leaves], held: null });
    const [one, two] = [...leaves].sort((a, b) => a.weight - b.weight);
    pair(one, two);
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
  function takeApart() {
    const top = [state.held, state.last, ...state.roots].find(
      (one) => one?.below && state.roots.includes(one),
    );
    state.roots = state.roots.flatMap((root) => (root === top && root.below) || [root]);
    state.held = null;
    show();
  }

  // The leaves below each other, every join to the right of what it joins.
  function show() {
    if (!wide) return;
    const focused = sheet.contains(document.activeElement);
    const left = Math.min(110, wide * 0.3),
      step = (wide - left - 44) / (things.length - 1);
    /** @type {Map<Pile, Point>} */
    const place = new Map();
    /** @type {Map<Pile, string>} */
    const codes = new Map();
    const at = (/** @type {Pile} */ node) => place.get(node) ?? [0, 0];
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
      (node.below ?? []).flatMap((child, bit) => {
        const [x2, y2] = at(child);
        return [
          curve([
            [x2, y2],
            [x, y2],
            [x, y],
          ]),
          small(x - 28, y2 - 4, bit, END),
        ];
      }),
    );
    const boxes = [...place].map(([node, point]) => pile(node, point, codes.get(node), left));
    sheet.replaceChildren(...edges, ...boxes);
    const chosen = [...place.keys()].findIndex((node) => node === (state.held ?? state.last));
    if (focused) (boxes[chosen] ?? boxes.find((one) => one.matches(".dtb-pick")))?.focus();
    showMean();
    tell();
  }

  /**
   * @param {Pile} node @param {Point} about @param {string | undefined} code @param {number} left
   */
  function pile(node, [x, y], code, left) {
    const isRoot = state.roots.includes(node),
      isLeaf = !node.below,
      isHeld = state.held === node;
    const from = isLeaf ? 2 : x - 22,
      width = isLeaf ? left - 2 : 44,
      high = isLeaf ? 40 : 28;
    const look = {
      rx: 6,
      class: "dtb-ring",
      fill: isHeld ? colour(1) : isRoot ? colour(0) : "var(--pst-color-background, Canvas)",
      "fill-opacity": isHeld || isRoot ? 0.22 : 1,
      stroke: "currentColor",
      "stroke-opacity": isRoot ? 1 : 0.35,
      "stroke-width": isHeld ? 3 : 1,
    };
    const ground = box(from, y - high / 2, width, high, {
      rx: 6,
      fill: "var(--pst-color-background, Canvas)",
    });
    const about = isRoot
      ? pick(`${node.name}, ${words(node)}`, () => press(node), {
          class: "dtb-pick dtb-grip",
          "aria-pressed": isHeld,
          tabindex: isHeld || node === (state.held ?? state.roots[0]) ? 0 : -1,
          click: null,
          pointerdown: (event) => drag(event, node),
        })
      : {};
    return draw(
      "g",
      about,
      ground,
      box(from, y - high / 2, width, high, look),
      isLeaf ? small(from + 7, y - 3, fitted(node.name, width - 52)) : null,
      small(isLeaf ? from + width - 6 : x, isLeaf ? y - 3 : y + 5, words(node), {
        "text-anchor": isLeaf ? "end" : "middle",
      }),
      isLeaf && code ? small(from + 7, y + 14, code, { "font-weight": 700 }) : null,
    );
  }

  // A press chooses; a pile that is dropped on another is joined to it.
  /** @param {PointerEvent} event @param {Pile} node */
  function drag(event, node) {
    const down = onSheet(sheet, event);
    let end = down;
    const target = /** @type {SVGElement} */ (event.currentTarget);
    hold(
      sheet,
      event,
      (at) => {
        end = at;
        target.setAttribute("transform", `translate(${at[0] - down[0]} ${at[1] - down[1]})`);
      },
      (up) => {
        if (Math.hypot(end[0] - down[0], end[1] - down[1]) < 6) return press(node);
        target.style.pointerEvents = "none";
        const under = document.elementFromPoint(up.clientX, up.clientY)?.closest(".dtb-pick");
        const other = state.roots.find(
          (root) => under?.getAttribute("aria-label") === `${root.name}, ${words(root)}`,
        );
        if (other && other !== node) pair(node, other);
        show();
      },
    );
  }

  // What the questions cost so far, against what nobody can do without.
  function showMean() {
    if (!across) return;
    const most = Math.ceil(Math.max(least, meanOf(state.roots), Math.log2(things.length))) + 1;
    const x = scale(0, most, 8, across - 12),
      mean = meanOf(state.roots),
      done = state.roots.length === 1;
    bar.replaceChildren(
      box(x(0), 22, x(mean) - x(0), 18, { fill: colour(0) }),
      line(x(bits), 14, x(bits), 46, { "stroke-width": 2.5, ...DASHED }),
      small(x(bits), 10, `entropy ${short(bits)}`, MIDDLE),
      done ? line(x(least), 16, x(least), 46, { stroke: colour(1), "stroke-width": 3 }) : "",
      axisX(x, 46, 0, most, "questions on average"),
    );
  }

  function tell() {
    const { roots, held } = state,
      mean = meanOf(roots);
    const done = roots.length === 1;
    apart.disabled = roots.length === things.length;
    if (!done) {
      const next = held
        ? `${held.name} (${words(held)}) is chosen: choose what to join it with.`
        : "Choose two to join: one question separates them.";
      return say(
        `${roots.length} piles are left, and the joins so far cost ${short(mean, 2)} questions on average. ${next}`,
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

  const places = [make("div"), make("div")];
  const apart = button("Take the last join apart", takeApart);
  begin();
  play.append(
    beside(
      places[0],
      inRow(
        apart,
        button(
          "Always join the two rarest",
          () => (Object.assign(state, { roots: optimum(), held: null }), show()),
          { class: "dtb-main" },
        ),
        button("Start again", () => (begin(), show())),
      ),
      places[1],
    ),
  );
  const sheet = stage(places[0], "The piles, and the questions that separate them", (width) => {
    wide = width;
    show();
    return things.length * ROW + 16;
  });
  rove(places[0]);
  const bar = stage(places[1], "The mean number of questions", (width) => {
    across = width;
    show();
    return 90;
  });
}

start("code", codeExplorable);
