// How good a tree is: on rows that it has not seen, and by its number of leaves.

import { circle, curve, line, make, small } from "../kit/draw.js";
import { DASHED, MIDDLE } from "../kit/looks.js";
import { sum } from "../algorithms/measures.js";
import { WIDE } from "./outline.js";
import { folded } from "../kit/legends.js";
import { pruneAt, pruningPath } from "../algorithms/prune.js";
import { button } from "../kit/reach.js";
import { foundIn, valuesOf } from "./readcases.js";
import { rowOf, sheetOf } from "../kit/tables.js";
import { axisY, keyOf, picture, scale } from "../kit/stage.js";
import { inDigits, leavesOf, predicted } from "../algorithms/tree.js";
import { percent, share, short, some } from "../kit/words.js";

const MOST = 24; // trees on a curve
const FOOT = 122; // where its axis is
const APART = { "stroke-width": 2.5 };
const MOST_NODES = 1500; // of larger trees it would take long

// What share of cases is told wrongly, or the mean square of what the answers are off by.
/** @param {number[]} said @param {number[]} answers @param {Label[] | null} [classes] */
const errorOf = (said, answers, classes) =>
  sum(
    said.map((value, i) => (classes ? Number(value !== answers[i]) : (value - answers[i]) ** 2)),
  ) / (answers.length || 1);

// The trees of a pruning path, at most so many, each with its errors: { alpha, leaves, own, apart }.
/** @param {Found} about */
function sizes({ full, cases, test, answers, impurity, how }) {
  const path = pruningPath(full, impurity);
  const step = Math.max(1, Math.ceil(path.length / MOST));
  const few = path.filter(({ leaves }, i) => leaves <= MOST || i % step === 0);
  const grewIt = Array.from(cases.target),
    rows = [
      grewIt.map((_, row) => valuesOf(cases.columns, row)),
      answers.map((_, row) => valuesOf(test, row)),
    ];
  return few.slice(-2 * MOST).map(({ alpha }, i, all) => {
    const tree = pruneAt(full, alpha, impurity);
    const [own, apart] = [grewIt, answers].map((truths, part) => {
      const said = rows[part].map((values) => predicted(tree, values, how.inParts));
      return errorOf(said, truths, tree.classes);
    });
    // Between two prices of the path every price gives the same tree: the middle is safe from rounding.
    const next = all[i + 1]?.alpha,
      price = next === undefined ? alpha * 1.1 : (alpha + next) / 2;
    return { alpha: price, leaves: leavesOf(tree).length, own, apart };
  });
}

// The errors of trees by their sizes, and on the curves the size that is there.
/** @param {ReturnType<typeof sizes>} found @param {number} size @param {Tree["classes"]} classes */
function curves(found, size, classes) {
  const most = Math.max(...found.map(({ leaves }) => leaves), 2),
    errors = found.flatMap(({ own, apart }) => [own, apart]),
    [low, high] = [Math.min(...errors) * 0.9, Math.max(...errors) * 1.05 || 1],
    here = found.find(({ leaves }) => leaves === size);
  const onAxis = classes ? (/** @type {number} */ at) => share(at, 1) : String;
  const sheet = picture("Errors against the number of leaves", (width) => {
    const at = scale(0, Math.log(most), 44, width - 14),
      y = scale(low, high, FOOT, 40),
      x = (/** @type {number} */ leaves) => at(Math.log(leaves));
    const traced = (/** @type {"own" | "apart"} */ of) =>
      found.map((one) => /** @type {Point} */ ([x(one.leaves), y(one[of])]));
    sheet.replaceChildren(
      axisY(44, y, low, high, classes ? "errors" : "mean square", 3, onAxis),
      line(44, FOOT, width - 14, FOOT),
      ...[1, 2, 3, 5, 8, 12, 20, 40, 80]
        .filter((n) => n <= most)
        .map((n) => small(x(n), FOOT + 18, n, MIDDLE)),
      curve(traced("own"), DASHED),
      curve(traced("apart"), APART),
      here ? line(x(size), 40, x(size), FOOT, { class: "dtb-one", "stroke-width": 2 }) : "",
      here ? circle(x(size), y(here.apart), 6, { fill: "var(--book-green, #17694c)" }) : "",
      ...keyOf(width - 166, 12, "rows kept apart", APART),
      ...keyOf(width - 166, 29, "rows that grew it", DASHED),
    );
    return FOOT + 26;
  });
  return sheet.place;
}

// The curve of errors by size, and a button that takes the tree that errs least on the rows kept apart;
// only CART has a path of trees.
export function verdictCurve(/** @type {Lab} */ lab) {
  const { state } = lab,
    { full, tree, held, wishes } = foundIn(lab);
  if (state.algorithm !== "CART" || !held.length || full.nodes.length > MOST_NODES) return "";
  if (wishes.length) return ""; // its trees ask nothing that is forced
  const found = sizes(foundIn(lab));
  if (found.length < 2) return "";
  const least = found.reduce((best, one) => (one.apart <= best.apart ? one : best)),
    error = tree.classes ? `${percent(least.apart)} wrong` : `mean square ${short(least.apart)}`;
  return make(
    "div",
    { class: "dtb-part" },
    make("h3", "Errors by number of leaves"),
    curves(found, leavesOf(tree).length, tree.classes),
    button(`Take the best: ${some(least.leaves, "leaf", "leaves")}, ${error}`, () => {
      state.values.CART.alpha = least.alpha;
      lab.showHow();
      lab.soon();
    }),
  );
}

// How the tree does on the rows kept apart, and who gives all of them one answer: [figure, words] of each.
function figures(/** @type {Lab} */ lab) {
  const { tree, said, answers, held } = foundIn(lab);
  if (!held.length) return [];
  if (!tree.classes)
    return [
      [inDigits(Math.sqrt(errorOf(said, answers)), 3, 0), "off, the root of the mean square"],
    ];
  const { label } = tree.nodes[0];
  const right = (/** @type {number[]} */ told) => percent(1 - errorOf(told, answers, tree.classes));
  return [
    [right(said), "unseen rows right"],
    [right(said.map(() => label)), `if always ${tree.classes[label]}`],
  ];
}

export function testSentence(/** @type {Lab} */ lab) {
  const { tree, held } = foundIn(lab),
    [own, base] = figures(lab);
  if (!own) return "No rows are kept apart.";
  if (!base)
    return `On ${some(held.length, "row")} kept apart it is off by ${own[0]} (root of the mean square).`;
  return `Of ${some(held.length, "row")} kept apart it gets ${own[0]} right; always to say ${tree.classes?.[tree.nodes[0].label]} gets ${base[0]}.`;
}

/** The same as large numbers. @param {Lab} lab */
export const testFigures = (lab) =>
  make(
    "p",
    { class: "dtb-figures", "aria-hidden": "true" },
    foundIn(lab).held.length ? "" : testSentence(lab),
    figures(lab).map(([figure, words]) => make("span", make("strong", figure), ` ${words}`)),
  );

export function testWords(/** @type {Lab} */ lab) {
  const { tree, said, answers, held } = foundIn(lab);
  if (!held.length || !tree.classes || tree.classes.length > 12) return [];
  const rows = tree.classes.map((name, k, all) => {
    const told = said.filter((_, i) => answers[i] === k),
      numbers = all.map((_, l) => told.filter((label) => label === l).length);
    return rowOf(name, numbers, (l) => l === k);
  });
  const heads = ["truly, answered", ...tree.classes];
  const isOpen = lab.parts.verdict.querySelector("details")?.open ?? !WIDE.matches;
  const sheet = sheetOf("True classes and answers", heads, rows, { class: "dtb-confusion" });
  return [folded("On rows it has not seen", isOpen, sheet)];
}
