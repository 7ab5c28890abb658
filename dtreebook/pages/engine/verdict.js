// How good a tree is: errors on the rows that grew it and on rows kept apart, by its number of leaves.

import { axisY, curve, DASHED, disc, line, make, scale, short, some, stage, text } from "./draw.js";
import { sum } from "./measures.js";
import { pruneAt, pruningPath } from "./prune.js";
import { button } from "./reach.js";
import { leavesOf } from "./tree.js";

const MOST = 24; // trees on a curve

// What share of cases a tree gets wrong, or the mean square of what it is off by.
export function errorOf(tree, columns, answers, predict) {
  if (!answers.length) return 0;
  const said = answers.map((_, i) => predict(tree, columns.map((values) => values[i])));
  return (
    sum(said.map((value, i) => (tree.classes ? Number(value !== answers[i]) : (value - answers[i]) ** 2))) /
    answers.length
  );
}

// The trees of a pruning path, at most so many, each with its errors: { alpha, leaves, own, apart }.
export function sizes({ full, cases, test, answers }, impurity, predict) {
  const path = pruningPath(full, impurity);
  const step = Math.max(1, Math.ceil(path.length / MOST));
  const some = path.filter(({ leaves }, i) => leaves <= MOST || i % step === 0);
  return some.slice(-2 * MOST).map(({ alpha }, i, all) => {
    const tree = pruneAt(full, alpha, impurity);
    // Between two prices of the path every price gives the same tree: the middle is safe from rounding.
    const next = all[i + 1]?.alpha;
    return {
      alpha: next === undefined ? alpha * 1.1 : (alpha + next) / 2,
      leaves: leavesOf(tree).length,
      own: errorOf(tree, cases.columns, Array.from(cases.target), predict),
      apart: errorOf(tree, test, answers, predict),
    };
  });
}

// The curve, and a button that takes the tree that errs least on the rows kept apart.
export function verdictCurve(found, size, classes, take) {
  if (found.length < 2) return "";
  const least = found.reduce((best, one) => (one.apart <= best.apart ? one : best));
  const words = classes ? (share) => `${(100 * share).toFixed(1)}%` : (error) => short(error, 3);
  const place = make("div");
  const most = Math.max(...found.map(({ leaves }) => leaves), 2);
  const high = Math.max(...found.flatMap(({ own, apart }) => [own, apart])) * 1.08 || 1;
  const made = make(
    "div",
    { class: "dtb-part" },
    make("h3", {}, "Errors by number of leaves"),
    place,
    make(
      "p",
      { class: "dtb-legend" },
      `Line: rows kept apart; dashed: rows that grew the tree. ${some(least.leaves, "leaf errs", "leaves err")} least, ${words(least.apart)}.`,
    ),
    button(`Take ${some(least.leaves, "leaf", "leaves")}`, () => take(least.alpha)),
  );
  const sheet = stage(place, "Errors against the number of leaves", (width) => {
    const x = scale(0, Math.log(most), 44, width - 14),
      y = scale(0, high, 178, 26),
      at = ({ leaves }, key) => [x(Math.log(leaves)), y(found.find((one) => one.leaves === leaves)[key])];
    const here = found.find(({ leaves }) => leaves === size);
    sheet.replaceChildren(
      axisY(44, y, 0, high, classes ? "share of errors" : "mean square", 3),
      line(44, 178, width - 14, 178),
      ...[1, 2, 3, 5, 8, 12, 20, 40, 80]
        .filter((n) => n <= most)
        .map((n) => text(x(Math.log(n)), 196, n, { "text-anchor": "middle", "font-size": 13 })),
      curve(found.map((one) => at(one, "own")), DASHED),
      curve(found.map((one) => at(one, "apart")), { "stroke-width": 2.5 }),
      here ? line(x(Math.log(size)), 26, x(Math.log(size)), 178, { class: "dtb-one", "stroke-width": 2 }) : "",
      here ? disc(...at(here, "apart"), "#17694c", 6) : "",
    );
    return 206;
  });
  return made;
}
