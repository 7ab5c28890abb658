// What can be set of each algorithm, and how it grows and prunes by what is set.

import { cart } from "./cart.js";
import { c45, id3 } from "./multiway.js";
import { collapse, errorBased, pruneAt } from "./prune.js";

// What can be set, as a slider, a switch that is on, or a choice whose first is taken.
const DEPTH = [
  "most questions on a path",
  { min: 1, max: 12, value: 12, words: (v) => (v === 12 ? "no limit" : String(v)) },
];

export const SETTINGS = {
  ID3: {
    depth: DEPTH,
    gain: [
      "least gain in bits",
      { min: 0, max: 0.5, step: 0.01, value: 0, words: (v) => v.toFixed(2) },
    ],
  },
  "C4.5": {
    criterion: ["Ask for the largest", ["gain ratio", "information gain"]],
    guard: ["only of those with at least average gain", true],
    penalty: ["a cut pays for those that were tried", true],
    cases: ["cases that two branches must have", { min: 0, max: 30, value: 2 }],
    raising: ["pruning may put a branch in its parent's place", true],
    confidence: [
      "confidence of the pruning",
      {
        min: 0.01,
        max: 1,
        step: 0.01,
        value: 0.25,
        words: (v) => (v === 1 ? "1, nearly unpruned" : v.toFixed(2)),
      },
    ],
  },
  CART: {
    criterion: ["Impurity", ["Gini", "entropy"]],
    depth: DEPTH,
    leaf: ["least cases in a leaf", { min: 1, max: 50, value: 1 }],
    alpha: [
      "price of a leaf, α",
      { min: 0, max: 0.1, step: 0.001, value: 0, words: (v) => v.toFixed(3) },
    ],
  },
};

// What is set when a table is opened.
export const defaults = () =>
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, settings]) => [
      name,
      Object.fromEntries(
        Object.entries(settings).map(([key, [, about]]) => [key, about.value ?? about[0] ?? about]),
      ),
    ]),
  );

// How the chosen algorithm grows and prunes: see `regrow`.
export function recipeOf(algorithm, values, { attributes }, impurity) {
  const maxDepth = values.depth === 12 ? null : values.depth;
  if (algorithm === "ID3") {
    const settings = { minGain: values.gain, maxDepth };
    return {
      grow: (cases, begin, run) => id3(cases, settings, begin, run),
      prune: (tree) => tree,
      inParts: false,
      usesUp: () => true,
    };
  }
  if (algorithm === "CART") {
    const settings = { criterion: values.criterion === "entropy" ? "entropy" : "gini", maxDepth, minLeaf: values.leaf };
    return {
      grow: (cases, begin, run) => cart(cases, settings, begin, run),
      // In a part of a tree, a leaf costs more of the weight that is there.
      prune: (tree, _, share) =>
        values.alpha ? pruneAt(tree, values.alpha / share, impurity) : tree,
      inParts: false,
      usesUp: () => false,
    };
  }
  const settings = {
    criterion: values.criterion === "gain ratio" ? "gain_ratio" : "gain",
    minWeight: values.cases,
    averageGainGuard: values.guard,
    mdlPenalty: values.penalty,
  };
  const { confidence, raising } = values;
  return {
    grow: (cases, begin, run) => c45(cases, settings, begin, run),
    prune: (tree, cases) => errorBased(collapse(tree), cases, confidence, raising).tree,
    inParts: true,
    usesUp: (a) => attributes[a].kind === "nominal",
  };
}
