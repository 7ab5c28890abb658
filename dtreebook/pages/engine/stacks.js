// The errors to expect of leaves: a cell with its mark for each case that they get wrong, and, hatched, what
// caution adds for each leaf; and stacks of them side by side, for what competes at a node. They are parts of
// a layer, of which only what looks different is drawn again.

import { box, draw, line, mark, small, stripes } from "./draw.js";
import { BOLD, colour, DASHED } from "./looks.js";
import { leafErrors, majority, sum } from "./measures.js";
import { renewed, scale } from "./stage.js";
import { inDigits } from "./tree.js";
import { some } from "./words.js";

const WINS = { class: "dtb-one", "stroke-width": 2.5 };
export const LOWEST = 0.01; // confidence
const NAMES = /** @type {const} */ ([
  ["keep", "keep its", "branches"],
  ["branch", "one branch", "one branch"],
  ["leaf", "make it", "leaf"],
]);

// A shape that is known by what it is drawn from.
/** @template {any[]} A @param {(...about: A) => Element} shape @param {A} about @returns {Shape} */
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

// Cells one behind the other: `place` gives, after so many errors, where so many more are.
/** @param {number[][]} leaves @param {number} confidence
 * @param {(from: number, size: number) => [number, number, number, number]} place */
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

// Where the stacks of a node stand, of which a branch that is a leaf is no third. Their scale has
// room for the errors of the least confidence, so that caution alone grows.
/** @param {Comparison} made @param {number} room @param {number} base */
export function placesOf({ leaf, subtree, branch, leaves }, room, base) {
  const errors = { keep: subtree, branch, leaf },
    kinds = NAMES.filter(([kind]) => kind !== "branch" || leaves.branch.length > 1),
    most = Math.max(leaf, subtree, branch, leafErrors(leaves.leaf[0], LOWEST)),
    step = room / kinds.length;
  const offers = kinds.map(([kind, name, short], i) => {
    return { kind, name, short, error: errors[kind], counts: leaves[kind], x: 2 + step * i };
  });
  return { offers, y: scale(0, most, base, 60), thick: Math.min(72, step - 62) };
}

// What competes, each as a stack, and a line at the one chosen.
/** @param {ReturnType<typeof placesOf>} places @param {Comparison} made @param {number} confidence
 * @param {number} room */
export function stacks({ offers, y, thick }, { choice }, confidence, room) {
  const base = y(0);
  const all = offers.flatMap(({ kind, name, error, counts, x }) => {
    const top = y(error),
      wins = kind === choice,
      [look, star] = wins ? [{ class: "dtb-done" }, " ★"] : [{}, ""],
      wrong = sum(wrongOf(counts)),
      above = Math.min(Math.max(y((error + wrong) / 2), top + 26), base - 52);
    const beside = (/** @type {number} */ at, /** @type {string[]} */ ...words) =>
      words.map((word, w) => part(small, x + thick + 5, at + 17 * w, word, { class: "dtb-halo" }));
    return [
      ...beside(above, `+ ${(error - wrong).toFixed(2)}`, "caution"),
      ...beside(Math.max(y(wrong / 2), above + 36), inDigits(wrong, 3), "wrong"),
      ...errorCells(counts, confidence, (e, size) => {
        return [x, y(e + size), thick, y(e) - y(e + size)];
      }),
      part(box, x - 1, top - 1, thick + 1, base - top + 1, { fill: "none", ...(wins ? WINS : {}) }),
      part(small, x, top - 15, `${error.toFixed(2)}${star}`, { ...BOLD, ...look }),
      part(small, x, base + 20, name, look),
      part(small, x, base + 38, some(counts.length, "leaf", "leaves"), look),
    ];
  });
  const level = y(offers.find(({ kind }) => kind === choice)?.error ?? 0);
  return [part(line, 0, level, room - 2, level, { ...WINS, ...DASHED }), ...all];
}
