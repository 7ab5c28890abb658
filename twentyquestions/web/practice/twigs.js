// A tree of a root and what stands below it: leaves, and tests with two leaves each. Each leaf has its
// answer, by the training cases, and the cases set aside, which are pressed as those that it gets wrong. A
// test is pressed to go: its cases come together in one leaf.

import { become, box, circle, draw, line, mark, put, small } from "../kit/draw.js";
import { BELOW, SAYS } from "./kinds_trust.js";
import { BOLD, CENTRED, colour, MIDDLE, PAPER } from "../kit/looks.js";
import { columnSums, majority } from "../algorithms/measures.js";
import { pick, rove } from "../kit/reach.js";
import { explained } from "./shown.js";
import { picture } from "../kit/stage.js";

const [TOP, TEST, LEAF] = [18, 76, 128]; // of the nodes
const STEP = 22; // from a case to the next
const highOf = (/** @type {number} */ wide) => (wide < 500 ? 114 : 94); // a leaf
const NODE = { rx: 8, fill: PAPER, stroke: "currentColor", "stroke-width": 1.5 };
const NOTE = "; the small ones are set aside, above them no : yes in training";

/** @param {number} x @param {number} y @param {string} words @param {Attributes} [more] */
const nodeAt = (x, y, words, more) => [
  box(x - 34, y - 16, 68, 32, { ...NODE, ...more }),
  small(x, y + 5, words, CENTRED),
];

// The leaves of what stands below the root, as they are or in one: which of all they hold, their middle,
// width and top.
/** @param {number} first @param {number} many @param {boolean} isOne @param {number} across of one leaf
 * @param {number} wide */
function leavesFrom(first, many, isOne, across, wide) {
  const step = isOne ? many : 1;
  return Array.from({ length: many / step }, (_, i) => ({
    from: first + step * i,
    to: first + step * (i + 1),
    x: across * (first + step * (i + 0.5)),
    across: across * step - 10,
    high: highOf(wide),
    y: isOne ? TEST : LEAF,
  }));
}

/** A leaf, to which its own of all cases come; those of `rings` are ringed, or if there are none those that it gets wrong.
 * @param {ReturnType<typeof leavesFrom>[number]} place @param {number[]} train @param {Apart[]} all
 * @param {boolean} isAsked @param {Set<Apart> | null} rings */
function leafAt({ from, to, x, y, across, high }, train, all, isAsked, rings) {
  const label = majority(train),
    cases = all.filter(({ leaf }) => leaf >= from && leaf < to),
    row = Math.min(cases.length, Math.floor((across - 4) / STEP));
  cases.forEach((one, n) => {
    const left = x + STEP * ((n % row) - (row - 1) / 2),
      top = y + 76 + STEP * Math.floor(n / row),
      isRinged = rings?.has(one) ?? one.k !== label;
    one.shape.style.transform = `translate(${left}px, ${top}px)`;
    one.shape.classList.toggle("dtb-wrong", isRinged);
    put(one.shape, { "aria-pressed": String(isRinged) });
  });
  const stroke = { stroke: colour(label), "stroke-width": isAsked ? 4 : 1.5 };
  return [
    box(x - across / 2, y, across, high, { ...NODE, ...stroke }),
    mark(label, x - 18, y + 30, 8),
    small(x - 4, y + 35, SAYS[label], BOLD),
    small(x, y + 56, train.join(" : "), MIDDLE),
  ];
}

/** A case set aside for each, which is pressed. @param {Aside[]} leaves @param {(one: Apart) => void} press */
const asideOf = (leaves, press) =>
  leaves.flatMap(({ apart }, leaf) =>
    apart.flatMap((many, k) =>
      Array.from({ length: many }, () => {
        const one = { leaf, k, shape: draw("g") },
          about = pick(`${SAYS[k]}, set aside`, () => press(one), { class: "dtb-pick dtb-flies" });
        put(one.shape, { ...about, tabindex: -1 });
        one.shape.append(circle(0, 0, 11, { class: "dtb-reach" }), mark(k, 0, 0, 7));
        return one;
      }),
    ),
  );

// Which tests are gone, a bit for each: those that were pressed, or the one that a line asks about as a leaf.
/** @param {Raised} known @param {Answer[] | null} options none where no test goes */
const goneIn = ({ now, values }, options) =>
  options ? Math.max([1, 0, 2, 0][now] ?? options.indexOf(values[values.length - 1]), 0) : 0;

/** A drawing, and what shows in it which tests are gone. @param {Exercise} made */
export function twigsOf({ below = [], inLines }) {
  const leaves = below.flat(),
    last = inLines.length - 1,
    options = inLines[last],
    parts = draw("g"),
    /** @type {Set<Apart>} */ pressed = new Set();
  let /** @type {Raised} */ known = { values: [], now: -1, right: NaN };
  // Whether the line that is written asks about a leaf.
  const isAsked = (/** @type {number} */ leaf) =>
    known.now < last && (options ? leaf >> 1 === known.now >> 1 : leaf === known.now);
  const pressTest = (/** @type {number} */ b) => {
    const to = options?.[goneIn(known, options) ^ (b + 1)];
    if (to && known.now === last) known.pull?.(to);
  };
  const pressCase = (/** @type {Apart} */ one) => {
    if (known.now < 0) return;
    if (!pressed.delete(one)) pressed.add(one);
    if (isAsked(one.leaf)) known.pull?.([...pressed].filter(({ leaf }) => isAsked(leaf)).length);
    else sheet.paint();
  };
  const cases = asideOf(leaves, pressCase),
    tests = below.map((_, b) =>
      draw("g", options && pick(`Prune ${BELOW[b]}`, () => pressTest(b))),
    );

  const sheet = picture("A tree, and the cases set aside", (wide) => {
    const across = wide / leaves.length;
    const shown = below.flatMap(({ length }, b) => {
      const isGone = Boolean(goneIn(known, options) & (b + 1)),
        first = leaves.indexOf(below[b][0]),
        x = across * (first + length / 2),
        under = leavesFrom(first, length, isGone || length === 1, across, wide);
      if (length > 1) {
        const words = isGone ? `✂ ${BELOW[b]}` : BELOW[b];
        become(tests[b], ...nodeAt(x, TEST, words, { class: options && "dtb-ring" }));
        if (options) put(tests[b], { "aria-pressed": String(isGone) });
      }
      const cards = under.flatMap((place) => {
        const train = columnSums(leaves.slice(place.from, place.to).map((leaf) => leaf.train)),
          isDone = known.now < 0 || (!options && place.from < known.now && known.now < last);
        return leafAt(place, train, cases, isAsked(place.from), isDone ? null : pressed);
      });
      const links = under.map((leaf) => line(x, TEST, leaf.x, leaf.y));
      return [line(wide / 2, TOP, x, TEST), ...links, ...cards];
    });
    become(parts, ...shown, ...nodeAt(wide / 2, TOP, "a"));
    return LEAF + highOf(wide) + 4;
  });
  sheet.append(parts, ...tests, ...cases.map(({ shape }) => shape));
  rove(sheet.place);
  return {
    place: explained(sheet.place, SAYS, NOTE),
    /** @param {Raised} raised */
    show(raised) {
      if (raised.now !== known.now) pressed.clear();
      known = raised;
      // Nothing is pruned until a test is pressed, and this may be right.
      if (raised.now === last && options && !options.includes(raised.values[last]))
        raised.pull?.(options[0]);
      sheet.paint();
    },
  };
}
