// The errors to expect of leaves: a cell with its mark for each case that they get wrong, and, hatched, what
// caution adds for each leaf; and stacks of them side by side, for what competes at a node. They are parts of
// a layer, of which only what looks different is drawn again.

import { box, draw, line, mark, small, stripes } from "./draw.js";
import { BOLD, colour, DASHED } from "./looks.js";
import { leafErrors, majority, sum } from "./measures.js";
import { renewed } from "./stage.js";
import { inDigits } from "./tree.js";
import { some } from "./words.js";

const WINS = { class: "dtb-one", "stroke-width": 2.5 };
export const LOWEST = 0.01; // confidence
const NAMES = /** @type {const} */ ([
  ["keep", "all branches"],
  ["branch", "one branch"],
  ["leaf", "no branch"],
]);

/**
 * A shape that is known by what it is drawn from.
 * @template {any[]} A
 * @param {(...about: A) => Element} shape @param {A} about @returns {Shape}
 */
export const part = (shape, ...about) => [
  shape.name + JSON.stringify(about),
  () => shape(...about),
];
export const showParts = (/** @type {Element} */ layer, /** @type {Shape[]} */ parts) =>
  renewed(
    layer,
    parts.map(([look]) => look),
    (i) => parts[i][1](),
  );

/** How caution looks. */
export const caution = () => stripes("dtb-caution", { fill: "currentColor", "fill-opacity": 0.45 });

/** What leaves get wrong, by class. @param {number[][]} leaves */
const wrongOf = (leaves) =>
  leaves[0].map((_, k) => sum(leaves.map((counts) => (k === majority(counts) ? 0 : counts[k]))));

/**
 * Cells one behind the other: `place` gives, after so many errors, where so many more are.
 * @param {number[][]} leaves @param {number} confidence
 * @param {(from: number, size: number) => [number, number, number, number]} place
 */
export function errorCells(leaves, confidence, place) {
  let from = 0;
  const next = (/** @type {number} */ size) => place((from += size) - size, size);
  const wrong = wrongOf(leaves).flatMap((amount, k) =>
    Array.from({ length: Math.ceil(amount) }, (_, e) =>
      part(errorCell, k, ...next(Math.min(amount - e, 1))),
    ),
  );
  const added = leaves.map((counts) => {
    const [x, y, wide, tall] = next(
      leafErrors(counts, confidence) - sum(counts) + Math.max(...counts),
    );
    return part(box, x, y, wide - 1, tall - 1, { fill: "url(#dtb-caution)", stroke: "#8b8676" });
  });
  return [...wrong, ...added];
}

/** @type {(k: number, x: number, y: number, wide: number, tall: number) => Element} */
const errorCell = (k, x, y, wide, tall) =>
  draw(
    "g",
    box(x, y, wide - 1, tall - 1, { fill: colour(k), "fill-opacity": 0.3 }),
    mark(k, x + wide / 2, y + tall / 2, Math.min(7, 0.42 * wide, 0.42 * tall)),
  );

/**
 * What competes, each as a stack in so much room, and a line at the one chosen. Their scale has room for the
 * errors of the least confidence, so that caution alone grows.
 * @param {Comparison} made @param {number} confidence @param {Point} corner @param {number} room
 */
export function stacks({ leaf, subtree, branch, choice, leaves }, confidence, [left, base], room) {
  const errors = { keep: subtree, branch, leaf },
    most = Math.max(leaf, subtree, branch, leafErrors(leaves.leaf[0], LOWEST)),
    unit = (base - 52) / most,
    level = base - unit * errors[choice],
    // a branch that is a leaf is no third
    names = NAMES.filter(([kind]) => kind !== "branch" || leaves.branch.length > 1),
    step = room / names.length,
    thick = Math.min(72, step - 62);
  const all = names.flatMap(([kind, name], i) => {
    const x = left + 2 + step * i,
      top = base - unit * errors[kind],
      wins = kind === choice,
      [look, star] = wins ? [{ class: "dtb-done" }, " ★"] : [{}, ""],
      wrong = sum(wrongOf(leaves[kind])),
      above = Math.min(base - (unit * (errors[kind] + wrong)) / 2, base - 52);
    const beside = (/** @type {number} */ y, /** @type {string[]} */ ...words) =>
      words.map((word, w) => part(small, x + thick + 5, y + 17 * w, word, { class: "dtb-halo" }));
    return [
      ...beside(above, `+ ${(errors[kind] - wrong).toFixed(2)}`, "caution"),
      ...beside(Math.max(base - (unit * wrong) / 2, above + 36), inDigits(wrong, 3), "wrong"),
      ...errorCells(leaves[kind], confidence, (e, size) => {
        return [x, base - unit * (e + size), thick, unit * size];
      }),
      part(box, x - 1, top - 1, thick + 1, base - top + 1, { fill: "none", ...(wins ? WINS : {}) }),
      part(small, x, top - 9, `${errors[kind].toFixed(2)}${star}`, { ...BOLD, ...look }),
      part(small, x, base + 20, name, look),
      part(small, x, base + 38, some(leaves[kind].length, "leaf", "leaves"), look),
    ];
  });
  return [part(line, left, level, left + room - 2, level, { ...WINS, ...DASHED }), ...all];
}
