// Exercises on the prices of a leaf: the pessimistic bound, the weakest link, one standard error.

import { as, kind, lineOf, minus, over, plus, slip, times } from "./calculation.js";
import { least, most } from "./counts.js";
import { sum } from "./measures.js";
import { columnsOf } from "./stories.js";

const bound = kind("The pessimistic bound", 3, "pruning_estimates", (random) => {
  const sizes = random.shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]).slice(0, 3);
  const n = sum(sizes);
  /** @type {(size: number, left?: number) => Sum<number>} */
  const rate = (size, left = 0.25) => [`1 − ${left}^(1/${size})`, 1 - left ** (1 / size)];
  /** @type {(size: number, left?: number) => Sum<number>} */
  const limit = (size, left) => times(size, rate(size, left));
  return {
    table: columnsOf(["leaf", "cases", "errors"], [["a", "b", "c"], sizes, [0, 0, 0]]),
    data: { sizes },
    question:
      "Three leaves without an error in training. How many errors does C4.5 expect of the three in as many new cases, at its confidence of 25%?",
    lines: [
      ...sizes.map((size, i) => lineOf(`Leaf ${"abc"[i]}`, () => limit(size))),
      lineOf("Together", plus),
    ],
    slips: [
      slip("training errors", [0, 1, 2], (_, i) => [`${sizes[i]} · 0/${sizes[i]}`, 0]),
      slip("rates added", [0, 1, 2], (_, i) => rate(sizes[i])),
      slip("leaves pooled", 3, () => limit(n)),
      slip("confidence turned round", [0, 1, 2], (_, i) => limit(sizes[i], 0.75)),
    ],
  };
});

const link = kind("The weakest link", 3, "pruning_cost_complexity", (random) => {
  // Two tests below the root, with two and three leaves; each leaf saves errors.
  const shapes = random.shuffled([2, 3]);
  const leaves = shapes.map((size) => Array.from({ length: size }, () => random.whole(0, 3)));
  const saved = [0, 1, 2].map(() => random.whole(1, 12));
  const under = leaves.map(sum);
  const inner = under.map((some, i) => some + saved[i]);
  const root = inner[0] + inner[1] + saved[2];
  const names = ["root", "left test", "right test"];
  const own = [root, ...inner];
  const below = [sum(under), ...under];
  const size = [5, ...shapes];
  const g = own.map((r, i) => (r - below[i]) / (size[i] - 1));
  if (!least(names, g, 0.1) || !most(names, g, 0.1)) return null;
  return {
    table: columnsOf(
      ["node", "errors as a leaf", "errors of its leaves", "leaves"],
      [names, own, below, size],
    ),
    data: { own, leaves },
    question: "At what price per leaf, in errors, is the first test removed?",
    lines: [
      ...names.map((name, i) =>
        lineOf(`The ${name} saves, per extra leaf`, () =>
          over(minus(own[i], below[i]), minus(size[i], 1)),
        ),
      ),
      lineOf("The weakest link: the smallest of the three", (v) => as(Math.min(...v))),
    ],
    slips: [
      slip("one leaf too many", [0, 1, 2], (_, i) => over(minus(own[i], below[i]), size[i])),
      slip("strongest link", 3, (v) => as(Math.max(...v))),
      slip("leaves forgotten", [0, 1, 2], (_, i) => minus(own[i], below[i])),
    ],
  };
});

/** @type {(parts: Sum<number>) => Sum<number>} */
const rootOf = ([how, value, printed = value]) => [`√(${how})`, value ** 0.5, printed ** 0.5];

const oneError = kind("One standard error", 3, "pruning_cost_complexity", (random) => {
  const n = 100;
  const leaves = [1, 2, 3, 4, 5, 6].map((i) => (i > 1 ? i * i - random.whole(0, 2) : 1));
  const start = random.whole(34, 46);
  // Each tree gets fewer wrong than the one before it, until they fit chance.
  const falls = [0, random.whole(1, 12), ...[8, 6, 4, 1].map((most) => random.whole(-3, most))];
  const wrong = falls.map((_, i) => start - sum(falls.slice(0, i + 1)));
  const best = least(leaves, wrong, 0.5);
  if (best === null) return null;
  const at = leaves.indexOf(best);
  const error = (/** @type {number} */ w) => Math.sqrt(((w / n) * (1 - w / n)) / n);
  const smallest = (/** @type {number} */ line) => leaves.find((_, i) => wrong[i] / n <= line);
  /** @param {number} times @param {number} [w] */
  const lines = (times, w = wrong[at]) => w / n + times * error(w);
  // The line must not run through a tree.
  if (wrong.some((w) => Math.abs(w / n - lines(1)) < 0.003)) return null;
  const found = [1, 0, 2].map((times) => smallest(lines(times)));
  if (new Set(found).size < 3) return null;
  return {
    table: columnsOf(["leaves", "errors in cross-validation, of 100"], [leaves, wrong]),
    data: { leaves, wrong, n },
    question: "How many leaves does the tree chosen by the rule of one standard error have?",
    lines: [
      lineOf("The least error", () => over(wrong[at], n)),
      lineOf("Its standard error", (v) => rootOf(over(times(v[0], 1 - v[0]), n))),
      lineOf("Trees up to this error are allowed", (v) => plus([v[0], v[1]])),
      lineOf("Leaves of the smallest of these", (v) => as(smallest(v[2]))),
    ],
    slips: [
      slip("least error taken", 3, () => as(best)),
      slip("two standard errors", 2, (v) => plus([v[0], times(2, v[1])])),
      slip("root of n forgotten", 1, (v) => rootOf(times(v[0], 1 - v[0]))),
    ],
  };
});

export const PRICES = { bound, link, oneError };
