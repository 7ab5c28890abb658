// A tree whose tests are pressed: what is below one goes, and its cases come together in one leaf. Each leaf
// has its answer, by the training cases, and the cases set aside, which it gets right or wrong.

import { become, box, draw, line, mark, put, small } from "./draw.js";
import { BOLD, CENTRED, colour, MIDDLE, PAPER } from "./looks.js";
import { columnSums, majority } from "./measures.js";
import { pick, rove } from "./reach.js";
import { explained } from "./shown.js";
import { picture } from "./stage.js";

const [TOP, TEST, LEAF, HIGH] = [18, 76, 128, 108]; // of the nodes, and how high a leaf is
const STEP = 17; // from a case to the next
const NODE = { rx: 8, fill: PAPER, stroke: "currentColor", "stroke-width": 1.5 };
const NAMES_OF_TESTS = "bc";
const NOTE = "; the small ones are set aside, above them no : yes in training";
const SAYS = ["no", "yes"];

/** @param {number} x @param {number} y @param {string} words @param {Attributes} [more] */
const nodeAt = (x, y, words, more) => [
  box(x - 34, y - 16, 68, 32, { ...NODE, ...more }),
  small(x, y + 5, words, CENTRED),
];

// The leaves of a test, as they are or in one: which of all they hold, their middle, width and top.
/** @param {number} t @param {boolean} isGone @param {number} wide of one leaf */
const leavesOfTest = (t, isGone, wide) =>
  isGone
    ? [{ own: [2 * t, 2 * t + 1], x: wide * (2 * t + 1), across: 2 * wide - 12, y: TEST }]
    : [2 * t, 2 * t + 1].map((leaf) => ({
        ...{ own: [leaf], x: wide * (leaf + 0.5) },
        ...{ across: wide - 8, y: LEAF },
      }));

/** A leaf, to which its marks come; with `isTold` those that it gets wrong are ringed.
 * @param {ReturnType<typeof leavesOfTest>[number]} place @param {number[]} train
 * @param {{k: number, shape: SVGElement}[]} marks @param {boolean} isTold */
function leafAt({ x, y, across }, train, marks, isTold) {
  const label = majority(train),
    row = Math.min(marks.length, Math.floor((across - 8) / STEP));
  marks.forEach(({ k, shape }, n) => {
    const [column, below] = [n % row, Math.floor(n / row)];
    shape.style.transform = `translate(${x + STEP * (column - (row - 1) / 2)}px, ${y + 76 + STEP * below}px)`;
    shape.classList.toggle("dtb-wrong", isTold && k !== label);
  });
  return [
    box(x - across / 2, y, across, HIGH, { ...NODE, stroke: colour(label) }),
    mark(label, x - 18, y + 30, 8),
    small(x - 4, y + 35, SAYS[label], BOLD),
    small(x, y + 56, train.join(" : "), MIDDLE),
  ];
}

/** A mark for each case set aside. @param {Aside[]} leaves */
const marksOf = (leaves) =>
  leaves.flatMap(({ apart }, leaf) =>
    apart.flatMap((many, k) =>
      Array.from({ length: many }, () => {
        const shape = draw("g", { class: "dtb-flies" }, mark(k, 0, 0, 6));
        return { leaf, k, shape };
      }),
    ),
  );

/** A drawing, and what shows in it which tests are gone. @param {Exercise} made */
export function twigsOf({ twigs: leaves = [], inLines }) {
  const last = inLines.length - 1,
    options = /** @type {string[]} */ (inLines[last]),
    marks = marksOf(leaves),
    parts = draw("g");
  let /** @type {Raised} */ known = { values: [], now: -1, right: NaN };
  // Which tests are gone: those that were pressed, or the one that a line asks about as a leaf.
  const gone = () => {
    const { values, now } = known,
      is = now < 0 || now === last ? options.indexOf(String(values[last])) : [1, 0, 2, 0][now];
    return [1, 2].map((bit) => Boolean(Math.max(is, 0) & bit));
  };
  const press = (/** @type {number} */ t) => {
    const [b, c] = gone().map((is, i) => (i === t ? !is : is));
    if (known.now === last) known.pull?.(options[Number(b) + 2 * Number(c)]);
  };
  const tests = [0, 1].map((t) =>
    draw(
      "g",
      pick(null, () => press(t)),
    ),
  );

  const sheet = picture("A tree, and the cases set aside", (wide) => {
    const quarter = wide / 4,
      isGone = gone(),
      stands = isGone.flatMap((is, t) => leavesOfTest(t, is, quarter));
    const links = isGone.flatMap((is, t) => {
      const x = quarter * (2 * t + 1);
      const below = is ? [] : [-0.5, 0.5].map((by) => line(x, TEST, x + by * quarter, LEAF));
      return [line(2 * quarter, TOP, x, TEST), ...below];
    });
    const cards = stands.flatMap((place) => {
      const { own } = place,
        train = columnSums(own.map((leaf) => leaves[leaf].train)),
        here = marks.filter(({ leaf }) => own.includes(leaf));
      return leafAt(place, train, here, known.now < 0);
    });
    become(parts, ...links, ...nodeAt(2 * quarter, TOP, "a"), ...cards);
    tests.forEach((test, t) => {
      const name = NAMES_OF_TESTS[t];
      put(test, { "aria-label": `Prune ${name}`, "aria-pressed": String(isGone[t]) });
      const words = isGone[t] ? `✂ ${name}` : name;
      become(test, ...nodeAt(quarter * (2 * t + 1), TEST, words, { class: "dtb-ring" }));
    });
    return LEAF + HIGH + 4;
  });
  sheet.append(parts, ...tests, ...marks.map(({ shape }) => shape));
  rove(sheet.place);
  return {
    place: explained(sheet.place, SAYS, NOTE),
    /** @param {Raised} raised */
    show(raised) {
      known = raised;
      // Nothing is pruned until a test is pressed, and this may be right.
      if (raised.now === last && !options.includes(`${raised.values[last]}`))
        raised.pull?.(options[0]);
      sheet.paint();
    },
  };
}
