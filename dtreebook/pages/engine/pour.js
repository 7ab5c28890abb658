// A case with blanks, poured down a tree: a stream as wide as the case, which divides where a value is
// unknown. Below the leaves the classes gather in one bar.

import { branchTo, layout } from "./diagram.js";
import {
  DOTTED,
  MIDDLE,
  beside,
  box,
  colour,
  draw,
  fitted,
  legend,
  make,
  mark,
  small,
  stage,
  inRow,
} from "./draw.js";
import { button, choices } from "./reach.js";
import { start } from "./start.js";
import { asks, parents, pour, spread } from "./tree.js";

const ROW = 104, // from one level of the tree to the next
  HIGH = 42,
  BAR = 26;

// A stream from one place to one below it, each [middle, y, width].
/** @param {number[]} from @param {number[]} to */
function stream([x0, y0, w0], [x1, y1, w1]) {
  const turn = (y0 + y1) / 2,
    [l0, r0, l1, r1] = [x0 - w0 / 2, x0 + w0 / 2, x1 - w1 / 2, x1 + w1 / 2];
  return `M${l0} ${y0}C${l0} ${turn} ${l1} ${turn} ${l1} ${y1}H${r1}C${r1} ${turn} ${r0} ${turn} ${r0} ${y0}z`;
}

// Places side by side, [middle, width] of each, from the left edge of all.
/** @param {number} left @param {number[]} widths */
function besideEachOther(left, widths) {
  return widths.map((width) => [(left += width) - width / 2, width]);
}

/**
 * @type {Build<{tree: Tree, cases: (number | null)[][], asked: number[], shown: string[][], names: string[]}>}
 */
function pourExplorable(play, data, say) {
  const { tree, cases, asked, shown } = data,
    classes = tree.classes ?? [],
    { depth, spans, leaves, deepest } = layout(tree),
    parent = parents(tree),
    foot = 8 + (deepest + 1) * ROW;
  const state = { at: 0, unknown: new Set(asked.slice(0, 1)) };
  let /** @type {SVGElement[]} */ boxes,
    unit = 0;
  const x = (/** @type {number} */ i) => (spans[i][0] + spans[i][1] / 2) * unit,
    y = (/** @type {number} */ i) => 8 + depth[i] * ROW;

  const values = () =>
    cases[state.at].map((value, a) => {
      const blank = tree.attributes[a].kind === "numeric" ? NaN : -1;
      return state.unknown.has(a) ? blank : (value ?? blank);
    });

  // The streams down to the leaves; where nothing flows a branch is dotted.
  /** @param {(i: number) => number} partOf */
  function branches(partOf) {
    const across = 0.8 * unit; // the whole case
    return tree.nodes.flatMap(({ children = [] }, i) => {
      const widths = children.map((child) => across * partOf(child)),
        from = besideEachOther(x(i) - (across * partOf(i)) / 2, widths);
      return children.map((child, b) => {
        const [middle, width] = from[b];
        const d = stream([width ? middle : x(i), y(i) + HIGH, width], [x(child), y(child), width]);
        return draw(
          "path",
          width
            ? { d, class: "dtb-stream" }
            : { d, fill: "none", stroke: "currentColor", "stroke-opacity": 0.5, ...DOTTED },
        );
      });
    });
  }

  // The streams from the leaves into the bar of the classes.
  /** @param {(i: number) => number} partOf @param {number[]} shares */
  function gathered(partOf, shares) {
    const whole = Math.min(unit * leaves - 16, 400),
      left = (unit * leaves - whole) / 2,
      bars = besideEachOther(
        left,
        shares.map((share) => share * whole),
      ),
      filled = bars.map(([middle, width]) => middle - width / 2);
    const streams = tree.nodes.flatMap(({ split, counts }, i) => {
      const n = counts.reduce((all, count) => all + count, 0);
      if (split || !partOf(i) || !n) return [];
      const parts = counts.map((count) => (partOf(i) * count) / n),
        widths = parts.map((part) => part * 0.8 * unit),
        from = besideEachOther(x(i) - 0.4 * unit * partOf(i), widths);
      return parts.flatMap((part, k) => {
        if (!part) return [];
        const width = part * whole,
          to = [(filled[k] += width) - width / 2, foot, width];
        const d = stream([from[k][0], y(i) + HIGH, from[k][1]], to);
        return draw("path", { d, fill: colour(k), "fill-opacity": 0.3 });
      });
    });
    const ends = [
      [left, "start"],
      [left + whole, "end"],
    ];
    return [
      ...streams,
      ...bars.map(([middle, width], k) =>
        box(middle - width / 2, foot, width, BAR, { fill: colour(k) }),
      ),
      ...classes.map((name, k) => {
        const [at, anchor] = classes.length === 2 ? ends[k] : [bars[k][0], "middle"];
        const words = shares[k] || classes.length === 2 ? `${name} ${shares[k].toFixed(2)}` : "";
        return small(Number(at), foot + BAR + 18, words, {
          "text-anchor": anchor,
          "font-weight": 700,
        });
      }),
    ];
  }

  // A node: what it asks or answers, the branch that leads there, and the part of the case that comes.
  /** @param {number} i @param {number} part */
  function boxOf(i, part) {
    const node = tree.nodes[i],
      branch = branchTo(tree, i, parent, ""),
      words = asks(tree, node),
      room = spans[i][1] * unit - 8,
      sign = node.split ? 0 : 16,
      wide = Math.min(Math.max(words.length * 7.7 + sign + 14, 56), room),
      said = node.split || wide - sign - 6 >= words.length * 7.3 ? words : "";
    const isBlank = node.split && part > 0 && state.unknown.has(node.split.attribute);
    const look = part ? (node.split ? " dtb-flown" : "") : " dtb-dry";
    return draw(
      "g",
      {},
      box(x(i) - wide / 2, y(i), wide, HIGH, {
        rx: 8,
        class: `dtb-node${look}${isBlank ? " dtb-blank" : ""}`,
        stroke: node.split || !part ? "#8b8676" : colour(node.label),
      }),
      draw("title", {}, `${branch || "the case"}: ${words}`),
      small(x(i), y(i) - 7, fitted(branch, room + 8), { ...MIDDLE, class: "dtb-halo" }),
      sign ? mark(node.label, x(i) - (said ? wide / 2 - 12 : 0), y(i) + 14, 5) : null,
      small(x(i) + sign / 2, y(i) + 18, fitted(said, wide - sign - 4), {
        ...MIDDLE,
        "font-weight": 700,
      }),
      small(x(i), y(i) + 35, part ? part.toFixed(2) : "–", MIDDLE),
    );
  }

  /** @param {number} width */
  function paint(width) {
    unit = width / leaves;
    show();
    return foot + BAR + 24;
  }

  function show() {
    const parts = pour(tree, values()),
      shares = spread(tree, values()),
      partOf = (/** @type {number} */ i) => parts.get(i) ?? 0;
    boxes = tree.nodes.map((_, i) => boxOf(i, partOf(i)));
    sheet.replaceChildren(
      draw("g", { class: "dtb-poured" }, branches(partOf), gathered(partOf, shares)),
      ...boxes,
    );
    showCard();
    const ends = [...parts].filter(([i]) => !tree.nodes[i].split);
    const told = asked.map(
      (a) => `${tree.attributes[a].name} ${state.unknown.has(a) ? "unknown" : shown[state.at][a]}`,
    );
    const best = shares.indexOf(Math.max(...shares));
    const where =
      ends.length === 1
        ? "one leaf, whole. Its shares are"
        : `${ends.length} leaves, in parts of ${ends.map(([, part]) => part.toFixed(2)).join(", ")}. They add up to`;
    say(
      `${told.join(", ")}: the case ends in ${where} ` +
        `${classes.map((name, k) => `${name} ${shares[k].toFixed(2)}`).join(", ")}: C4.5 predicts ${classes[best]}.`,
      [ends.length === 1 ? "one leaf" : `${ends.length} leaves`, () => ends.map(([i]) => boxes[i])],
    );
  }

  // The card of the case: its values are pressed to blank them.
  const card = make("div", { class: "dtb-questions", role: "group", "aria-label": "The case" });
  const all = button("", blankAll, { class: "dtb-main" });
  function showCard() {
    const at = [...card.children].findIndex((one) => one === document.activeElement);
    card.replaceChildren(
      ...asked.map((a) => {
        const isBlank = state.unknown.has(a),
          { name } = tree.attributes[a],
          value = shown[state.at][a];
        const words = [
          make("span", {}, name),
          make("strong", {}, isBlank ? "blank" : value),
          make("span", {}, isBlank ? `put ${value} back` : "press to blank"),
        ];
        return button(words, () => (state.unknown.delete(a) || state.unknown.add(a), show()), {
          class: `dtb-question${isBlank ? " dtb-blank" : ""}`,
          "aria-pressed": String(isBlank),
          "aria-label": `${name} (${value}) is unknown`,
        });
      }),
    );
    /** @type {HTMLElement | undefined} */ (card.children[at])?.focus();
    all.textContent = isAllBlank() ? "Put every value back" : "Blank every value";
  }
  const isAllBlank = () => state.unknown.size === asked.length;
  function blankAll() {
    state.unknown = new Set(isAllBlank() ? [] : asked);
    show();
  }

  const stand = make("div");
  play.append(
    beside(
      stand,
      choices("Case", data.names, 0, (i) => ((state.at = i), show())),
      card,
      inRow(all),
      legend(classes),
    ),
  );
  const sheet = stage(stand, "The tree, and the parts of the case in it", paint);
  show();
}

start("pour", pourExplorable);
