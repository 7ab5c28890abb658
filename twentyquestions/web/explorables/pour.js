// A case with blanks, poured down a tree: a stream as wide as the case, which divides where a value is
// unknown. Below the leaves the classes gather in one bar.

import { branchTo, layout } from "../kit/diagram.js";
import { box, draw, fitted, make, mark, put, small, text } from "../kit/draw.js";
import { CENTRED, colour, DOTTED, MIDDLE } from "../kit/looks.js";
import { firstOf, sum, TIE } from "../algorithms/measures.js";
import { beside, inRow, legend, telling } from "../kit/legends.js";
import { button, choices } from "../kit/reach.js";
import { picture } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { asks, parents, pour, spread } from "../algorithms/tree.js";

const DOWN = 108; // from one level of the tree to the next
const SEGMENT = 76;
const SUM = 26;
const ACROSS = 0.92; // how wide the whole case is, of the room of a leaf

// A stream from one place to one below it, each [middle, y, width].
function stream(/** @type {number[]} */ [x0, y0, w0], /** @type {number[]} */ [x1, y1, w1]) {
  const turn = (y0 + y1) / 2,
    [l0, r0, l1, r1] = [x0 - w0 / 2, x0 + w0 / 2, x1 - w1 / 2, x1 + w1 / 2];
  return `M${l0} ${y0}C${l0} ${turn} ${l1} ${turn} ${l1} ${y1}H${r1}C${r1} ${turn} ${r0} ${turn} ${r0} ${y0}z`;
}

// Places side by side, [middle, width] of each, from the left edge of all.
function besideEachOther(/** @type {number} */ left, /** @type {number[]} */ widths) {
  return widths.map((width) => [(left += width) - width / 2, width]);
}

/** @type {Build<{tree: Tree, cases: (number | null)[][], asked: number[], shown: string[][], names: string[]}>} */
function pourExplorable(play, data, say) {
  const { tree, cases, asked, shown } = data,
    classes = tree.classes ?? [],
    { depth, spans, leaves, deepest } = layout(tree),
    parent = parents(tree),
    foot = 8 + (deepest + 1) * DOWN;
  const state = { at: 0, unknown: /** @type {Set<number>} */ (new Set()) };
  const flows = draw("g"),
    /** @type {Record<string, SVGElement>} */ known = {},
    told = draw("g"),
    boxes = tree.nodes.map(() => draw("g")),
    looks = tree.nodes.map(() => "");
  let unit = 0;
  const x = (/** @type {number} */ i) => (spans[i][0] + spans[i][1] / 2) * unit,
    y = (/** @type {number} */ i) => 8 + depth[i] * DOWN;

  const values = () =>
    cases[state.at].map((value, a) => {
      const blank = tree.attributes[a].kind === "numeric" ? NaN : -1;
      return state.unknown.has(a) ? blank : (value ?? blank);
    });

  // What is lower comes later.
  const levelAt = (/** @type {number} */ y) => ({ style: `--level:${Math.floor(y / DOWN)}` });

  // A stream stays the same one, so that it is seen to widen, to narrow and to move.
  /** @param {Label} name @param {number[]} from @param {number[]} to @param {Attributes} look */
  function flow(name, from, to, look) {
    known[name] ??= flows.appendChild(
      draw("path", { class: "dtb-moves", ...levelAt(from[1]), ...look }),
    );
    put(known[name], { d: stream(from, to), "stroke-opacity": from[2] ? 0 : 0.5 });
  }

  // The streams down to the leaves; where nothing flows a branch is dotted.
  function branch(/** @type {(i: number) => number} */ partOf) {
    const across = ACROSS * unit,
      look = { class: "dtb-moves dtb-stream", stroke: "currentColor", ...DOTTED };
    tree.nodes.forEach(({ children = [] }, i) => {
      const widths = children.map((child) => across * partOf(child)),
        from = besideEachOther(x(i) - (across * partOf(i)) / 2, widths);
      children.forEach((child, b) => {
        const [middle, width] = from[b];
        const begin = [width ? middle : x(i), y(i) + SEGMENT, width];
        flow(child, begin, [x(child), y(child), width], look);
      });
    });
  }

  // The streams from the leaves into one bar, in the order of the leaves, so that none crosses another.
  function gather(/** @type {(i: number) => number} */ partOf) {
    const whole = ACROSS * unit;
    let at = (unit * leaves - whole) / 2;
    const ends = tree.nodes.flatMap(({ split }, i) => (split ? [] : [i]));
    for (const i of ends.sort((one, other) => x(one) - x(other))) {
      const { counts } = tree.nodes[i],
        widths = counts.map((count) => (whole * partOf(i) * count) / sum(counts) || 0);
      besideEachOther(x(i) - (whole * partOf(i)) / 2, widths).forEach(([middle, width], k) => {
        const to = at + width / 2,
          fill = colour(k),
          look = { fill, "fill-opacity": 0.6 };
        at += width;
        flow(`${i} ${k}`, [middle, y(i) + SEGMENT, width], [to, foot, width], look);
        flow(`${i} ${k} bar`, [to, foot, width], [to, foot + SUM, width], { fill });
      });
    }
  }

  // A node: what it asks or answers, the branch that leads there, and the part of the case that comes.
  function boxOf(/** @type {number} */ i, /** @type {number} */ part) {
    const node = tree.nodes[i],
      branch = branchTo(tree, i, parent, ""),
      words = asks(tree, node),
      beside = tree.nodes.flatMap((_, j) =>
        j !== i && depth[j] === depth[i] ? Math.abs(x(i) - x(j)) : [],
      ),
      room = Math.min(2 * x(i), 2 * (unit * leaves - x(i)), ...beside) - 4,
      down = y(i) + (branch ? 18 : 9),
      wide = Math.min(
        Math.max(words.length * 7.7 + 14, branch.length * 7.2 + 14, 68, ACROSS * unit * part),
        room,
      ),
      // A word that has no room stands in two lines.
      lines = words.length * 7.6 <= wide ? [words] : words.split(" ");
    const isBlank = node.split && part > 0 && state.unknown.has(node.split.attribute);
    const look = part ? (node.split ? " dtb-flown" : "") : " dtb-dry";
    return [
      box(x(i) - wide / 2, y(i), wide, SEGMENT, {
        rx: 8,
        class: `dtb-node${look}${isBlank ? " dtb-blank" : ""}`,
        stroke: node.split || !part ? "#8b8676" : colour(node.label),
      }),
      draw("title", {}, `${branch || "the case"}: ${words}`),
      small(x(i), y(i) + 18, fitted(branch, room + 4), MIDDLE),
      node.split ? "" : mark(node.label, x(i) - 15, down + (lines.length > 1 ? 46 : 39), 5),
      ...lines.map((said, n) =>
        small(x(i), down + (lines.length > 1 ? 18 : 24) + 16 * n, said, CENTRED),
      ),
      small(
        x(i) + (node.split ? 0 : 7),
        down + (lines.length > 1 ? 51 : 44),
        part ? part.toFixed(2) : "–",
        { ...MIDDLE, class: "dtb-arrives", ...levelAt(y(i)) },
      ),
    ];
  }

  const sheet = picture("The tree, and the parts of the case in it", (width) => {
    unit = width / leaves;
    show();
    return foot + SUM + 24;
  });
  sheet.append(flows, told, ...boxes);

  function show() {
    const parts = pour(tree, values()),
      shares = spread(tree, values()),
      partOf = (/** @type {number} */ i) => parts.get(i) ?? 0;
    boxes.forEach((box, i) => {
      const isBlank = state.unknown.has(tree.nodes[i].split?.attribute ?? -1),
        look = `${[unit, partOf(i), isBlank]}`;
      if (looks[i] !== look) box.replaceChildren(...boxOf(i, partOf(i)));
      looks[i] = look;
    });
    branch(partOf);
    gather(partOf);
    const names = classes.flatMap((name, k) =>
      shares[k] ? `${name} ${shares[k].toFixed(2)}` : [],
    );
    const look = { ...CENTRED, class: "dtb-arrives", ...levelAt(foot + DOWN) };
    told.replaceChildren(text((unit * leaves) / 2, foot + SUM + 20, names.join(" + "), look));
    showCard();
    const ends = [...parts].filter(([i]) => !tree.nodes[i].split);
    const best = firstOf(shares);
    const tied = shares.filter((share) => share > shares[best] - TIE).length;
    const where = ends.length === 1 ? "one leaf" : `${ends.length} leaves`;
    say(
      `The case ends in ${where}: C4.5 predicts ${classes[best]}, with a share of ${shares[best].toFixed(2)}${tied > 1 ? `, the first of ${tied} that tie` : ""}.\n`,
      [where, () => ends.map(([i]) => boxes[i])],
    );
  }

  // The card of the case: its values are pressed to blank them.
  const card = make("div", { class: "dtb-questions", role: "group", "aria-label": "The case" });
  const all = button("", blankAll, { class: "dtb-main dtb-secret" });
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
          make("span", {}, isBlank ? "put back" : "blank it"),
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

  const which = choices("Case", data.names, 0, (i) => ((state.at = i), show()));
  play.append(beside(sheet.place, which, card, telling(inRow(all)), legend(classes)));
  show();
  return blankAll;
}

start("pour", pourExplorable);
