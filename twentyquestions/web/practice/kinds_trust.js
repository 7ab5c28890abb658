// Exercises on "How far to trust it": validation, the prices of a leaf, one standard error.

import { as, kind, lineOf, minus, over, plus, slip, slipEach, times } from "./calculation.js";
import { least, most } from "../kit/counts.js";
import { columnSums, majority, sum } from "../algorithms/measures.js";
import { columnsOf, tableOf } from "./samples.js";

const pair = (/** @type {Random} */ random, /** @type {number} */ n) => {
  const yes = random.whole(0, n);
  return [n - yes, yes];
};
const both = (/** @type {number[]} */ counts) => counts.join(" no, ") + " yes";

/** The leaf in the place of some. @param {Aside[]} leaves @returns {Aside} */
const joint = (leaves) => ({
  train: columnSums(leaves.map(({ train }) => train)),
  apart: columnSums(leaves.map(({ apart }) => apart)),
});

/** @param {Random} random @param {number} many */
const someLeaves = (random, many) =>
  Array.from({ length: many }, () => ({
    train: pair(random, random.whole(3, 8)),
    apart: pair(random, random.whole(2, 5)),
  }));
/** Whether each has a majority of its training cases. @param {Aside[]} leaves */
const areClear = (leaves) => leaves.every(({ train: [no, yes] }) => no !== yes);

// A tree of two tests: the first has a leaf and the second test, which has two leaves.
function threeLeaves(/** @type {Random} */ random) {
  const leaves = someLeaves(random, 3);
  const [root, inner] = [leaves, leaves.slice(1)].map(joint);
  if (!areClear([root, inner, ...leaves]) || said(leaves[1]) === said(leaves[2])) return null;
  return { root, leaves };
}

// What a node answers by its training cases, and how many of those set aside it gets wrong.
export const SAYS = ["no", "yes"];
const said = (/** @type {Aside} */ { train }) => SAYS[majority(train)];
const wrong = (/** @type {Aside} */ { train, apart }) => sum(apart) - apart[majority(train)];
const trained = (/** @type {Aside} */ { train }) => Math.min(...train);
const right = (/** @type {Aside} */ leaf) => sum(leaf.apart) - wrong(leaf);

// What stands below the root: a test, or a leaf.
export const BELOW = ["b", "c"];
/** @param {Aside[][]} below the leaves of each of them */
const leafTable = (below) =>
  tableOf(
    ["leaf", "training", "set aside"],
    below.flatMap((leaves, b) =>
      leaves.map(({ train, apart }, i) => {
        const side = leaves.length > 1 ? `, ${["left", "right"][i]}` : "";
        return [BELOW[b] + side, both(train), both(apart)];
      }),
    ),
  );

const validation = kind("Validation", 3, "pruning", (random) => {
  const drawn = threeLeaves(random);
  if (!drawn) return null;
  const { leaves, root } = drawn,
    below = [leaves.slice(0, 1), leaves.slice(1)];
  const n = sum(root.apart);
  const grew = sum(root.train);
  return {
    table: leafTable(below),
    data: { leaves },
    picture: "leaves",
    below,
    question:
      "Here are a tree of three leaves and its cases. What share of the cases set aside does it get wrong?",
    lines: [
      ...leaves.map((leaf) =>
        lineOf(
          `The leaf of ${both(leaf.train)} predicts “${said(leaf)}”, wrong of ${both(leaf.apart)}`,
          as(wrong(leaf)),
        ),
      ),
      lineOf("Share", (v) => over(plus(v), n)),
    ],
    slips: [
      slip("training errors", 3, over(plus(leaves.map(trained)), grew)),
      slipEach("right for wrong", 0, leaves, (leaf) => as(right(leaf))),
      slipEach("leaves answer by new cases", 0, leaves, (leaf) => as(Math.min(...leaf.apart))),
      slip("training cases used twice", 3, (v) => {
        return over(sum(v) + sum(leaves.map(trained)), plus([n, grew]));
      }),
    ],
  };
});

const GO = ["neither", ...BELOW, "both"];

// The root keeps its test; below it two tests, each with two leaves.
const reduced = kind("Reduced error", 3, "pruning_estimates", (random) => {
  const leaves = someLeaves(random, 4),
    pairs = [leaves.slice(0, 2), leaves.slice(2)],
    tests = pairs.map(joint),
    root = joint(leaves),
    below = pairs.map((under) => sum(under.map(wrong))),
    asLeaf = tests.map(wrong);
  if (
    !areClear([root, ...tests, ...leaves]) ||
    pairs.some(([one, other]) => said(one) === said(other))
  )
    return null;
  if (asLeaf.some((errors, t) => errors === below[t])) return null;
  if (wrong(root) <= sum(tests.map((_, t) => Math.min(asLeaf[t], below[t])))) return null;
  /** @param {number[]} v @param {number} [sign] */
  const gone = (v, sign = 1) =>
    GO[Number(sign * (v[1] - v[0]) > 0) + 2 * Number(sign * (v[3] - v[2]) > 0)];
  /** @param {number} i */
  const under = (i) => pairs[(i - 1) / 2];
  return {
    table: leafTable(pairs),
    data: { leaves },
    picture: "twigs",
    below: pairs,
    question:
      "The root keeps its test. Which of the tests b and c does reduced error pruning remove, by the cases set aside?",
    lines: [
      ...tests.flatMap((test, t) => [
        lineOf(
          `${BELOW[t]} as a leaf predicts “${said(test)}”, as in training, wrong of ${both(test.apart)}`,
          as(asLeaf[t]),
        ),
        lineOf(
          `${BELOW[t]} with its test, “${said(pairs[t][0])}” and “${said(pairs[t][1])}”: wrong`,
          plus(pairs[t].map(wrong)),
        ),
      ]),
      lineOf("So pruning removes", (v) => ["where the leaf is wrong less often", gone(v)], GO),
    ],
    slips: [
      slip("leaves answer by new cases", [0, 2], (_, i) => as(Math.min(...tests[i / 2].apart))),
      slip("right for wrong", [1, 3], (_, i) => plus(under(i).map(right))),
      slip("training errors", [0, 1, 2, 3], (_, i) =>
        i % 2 ? plus(under(i).map(trained)) : as(trained(tests[i / 2])),
      ),
      slip("worse one kept", 4, (v) => gone(v, -1)),
    ],
  };
});

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
      ...sizes.map((size, i) => lineOf(`Leaf ${"abc"[i]}`, limit(size))),
      lineOf("Together", plus),
    ],
    slips: [
      slipEach("training errors", 0, sizes, (size) => [`${size} · 0/${size}`, 0]),
      slipEach("rates added", 0, sizes, (size) => rate(size)),
      slip("leaves pooled", 3, limit(n)),
      slipEach("confidence turned round", 0, sizes, (size) => limit(size, 0.75)),
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
    picture: "blocks",
    blocks: [
      ...["root", "left", "right"].map((name, i) => ({ name, wide: size[i] - 1 })),
      { name: "price" },
    ],
    note: "Each is as wide as it has extra leaves: its area is the errors that it saves.",
    question: "At what price per leaf, in errors, is the first test removed?",
    lines: [
      ...names.map((name, i) =>
        lineOf(
          `The ${name} saves, per extra leaf`,
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
  if (new Set([1, 0, 2].map((times) => smallest(lines(times)))).size < 3) return null;
  return {
    table: columnsOf(["leaves", "errors in cross-validation, of 100"], [leaves, wrong]),
    data: { leaves, wrong, n },
    question: "How many leaves does the tree chosen by the rule of one standard error have?",
    lines: [
      lineOf("The least error", over(wrong[at], n)),
      lineOf("Its standard error", (v) => rootOf(over(times(v[0], 1 - v[0]), n))),
      lineOf("Trees up to this error are allowed", (v) => plus([v[0], v[1]])),
      lineOf("Leaves of the smallest of these", (v) => as(smallest(v[2]))),
    ],
    slips: [
      slip("least error taken", 3, as(best)),
      slip("two standard errors", 2, (v) => plus([v[0], times(2, v[1])])),
      slip("root of n forgotten", 1, (v) => rootOf(times(v[0], 1 - v[0]))),
    ],
  };
});

export const TRUST = { validation, reduced, bound, link, oneError };
