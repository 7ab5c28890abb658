// Exercises on "How far to trust it": validation, and four prices of a leaf.

import { as, kind, lineOf, over, plus, slip } from "./calculation.js";
import { majority, sum } from "./measures.js";
import { tableOf } from "./stories.js";

const pair = (/** @type {Random} */ random, /** @type {number} */ n) => {
  const yes = random.whole(0, n);
  return [n - yes, yes];
};
const both = (/** @type {number[]} */ counts) => counts.join(" no, ") + " yes";

// A tree of two tests: the first has a leaf and the second test, which has two leaves. For each of
// its nodes the counts of training and of validation.
function threeLeaves(/** @type {Random} */ random) {
  const train = [0, 1, 2].map(() => pair(random, random.whole(3, 8)));
  const apart = [0, 1, 2].map(() => pair(random, random.whole(2, 5)));
  /** @param {number[][]} counts @param {number[]} leaves */
  const add = (counts, ...leaves) => [0, 1].map((k) => sum(leaves.map((leaf) => counts[leaf][k])));
  const inner = { train: add(train, 1, 2), apart: add(apart, 1, 2) };
  const root = { train: add(train, 0, 1, 2), apart: add(apart, 0, 1, 2) };
  const leaves = train.map((counts, i) => ({ train: counts, apart: apart[i] }));
  if (![inner, root, ...leaves].every(({ train: [no, yes] }) => no !== yes)) return null;
  if (majority(leaves[1].train) === majority(leaves[2].train)) return null;
  return { root, inner, leaves };
}

// What a node answers by its training cases, and how many of those set aside it gets wrong.
/** @typedef {{train: number[], apart: number[]}} Leaf */
const said = (/** @type {Leaf} */ { train }) => ["no", "yes"][majority(train)];
const wrong = (/** @type {Leaf} */ { train, apart }) => sum(apart) - apart[majority(train)];
const trained = (/** @type {Leaf} */ { train }) => Math.min(...train);
const right = (/** @type {Leaf} */ leaf) => sum(leaf.apart) - wrong(leaf);

const WHERE = ["a", "b, and then c", "b, and then d"];
const rowsOf = (/** @type {{ leaves: Leaf[] }} */ { leaves }) =>
  leaves.map(({ train, apart }, i) => [WHERE[i], both(train), both(apart)]);
const HEAD = ["leaf", "training", "set aside"];

const validation = kind("Validation", 3, "pruning", (random) => {
  const drawn = threeLeaves(random);
  if (!drawn) return null;
  const { leaves, root } = drawn;
  const n = sum(root.apart);
  const grew = sum(root.train);
  return {
    table: tableOf(HEAD, rowsOf(drawn)),
    data: { leaves },
    question:
      "Here are a tree of three leaves and its cases. What share of the cases set aside does it get wrong?",
    lines: [
      ...leaves.map((leaf) =>
        lineOf(
          `The leaf of ${both(leaf.train)} predicts “${said(leaf)}”, wrong of ${both(leaf.apart)}`,
          () => as(wrong(leaf)),
        ),
      ),
      lineOf("Share", (v) => over(plus(v), n)),
    ],
    slips: [
      slip("training errors", 3, () => over(plus(leaves.map(trained)), grew)),
      slip("right for wrong", [0, 1, 2], (_, i) => as(right(leaves[i]))),
      slip("leaves answer by new cases", [0, 1, 2], (_, i) => as(Math.min(...leaves[i].apart))),
      slip("training cases used twice", 3, (v) => {
        const some = sum(v) + sum(leaves.map(trained));
        return over(some, plus([n, grew]));
      }),
    ],
  };
});

const reduced = kind("Reduced error", 3, "pruning_estimates", (random) => {
  const drawn = threeLeaves(random);
  if (!drawn) return null;
  const { leaves, inner, root } = drawn;
  const asLeaf = { train: wrong(inner), apart: Math.min(...inner.apart) };
  const under = leaves.slice(1);
  const below = sum(under.map(wrong));
  if (asLeaf.train === below || asLeaf.apart === asLeaf.train) return null;
  if (wrong(root) <= Math.min(asLeaf.train, below) + wrong(leaves[0])) return null;
  return {
    table: tableOf(HEAD, rowsOf(drawn)),
    data: { leaves },
    question:
      "The root keeps its test. Reduced error pruning looks at the test below b. How many of the cases set aside does the tree then get wrong?",
    lines: [
      lineOf(
        `b as a leaf predicts “${said(inner)}”, as in training, wrong of ${both(inner.apart)}`,
        () => as(asLeaf.train),
      ),
      lineOf(`b with its test, “${said(leaves[1])}” and “${said(leaves[2])}”: wrong`, () =>
        plus(under.map(wrong)),
      ),
      lineOf("The better of the two, and the errors of a", (v) =>
        plus([Math.min(v[0], v[1]), wrong(leaves[0])]),
      ),
    ],
    slips: [
      slip("leaves answer by new cases", 0, () => as(asLeaf.apart)),
      slip("right for wrong", 1, () => plus(under.map(right))),
      slip("training errors", 2, () => plus(leaves.map(trained))),
      slip("worse one kept", 2, (v) => plus([Math.max(v[0], v[1]), wrong(leaves[0])])),
      slip("rest forgotten", 2, (v) => as(Math.min(v[0], v[1]))),
    ],
  };
});

export const TRUST = { validation, reduced };
