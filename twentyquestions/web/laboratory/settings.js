// What can be set of each algorithm, and how it grows and prunes by what is set.

import { id3Recipe } from "../algorithms/multiway.js";
import { cartRecipe } from "../algorithms/cart.js";
import { c45Recipe } from "../algorithms/c45.js";
import { collapse, errorBased, pruneAt } from "../algorithms/prune.js";

/** @type {(most: number, step: number, value: number, words?: (value: number) => string) => Slider} */
const upTo = (most, step, value, words) => ({ min: 0, max: most, step, value, words });
/** @type {(number: number) => (value: number) => string} */
const digits = (number) => (value) => value.toFixed(number);
const noLimit = (/** @type {number} */ v) => (v === 12 ? "no limit" : String(v));
/** @type {Setting} */
const DEPTH = ["most questions on a path", { min: 1, max: 12, value: 12, words: noLimit }];

/** @type {Record<AlgorithmName, Record<string, Setting>>} */
export const SETTINGS = {
  ID3: { depth: DEPTH, gain: ["least gain in bits", upTo(0.5, 0.01, 0, digits(2))] },
  "C4.5": {
    criterion: ["Choose the largest", ["gain ratio", "information gain"]],
    guard: ["only of those with at least average gain", true],
    penalty: ["a cut pays for those that were tried", true],
    cases: ["cases that two branches must have", upTo(30, 1, 2)],
    raising: ["pruning may put a branch in its parent's place", true],
    confidence: [
      "confidence of the pruning",
      { ...upTo(1, 0.01, 0.25, (v) => (v === 1 ? "1, nearly unpruned" : v.toFixed(2))), min: 0.01 },
    ],
  },
  CART: {
    criterion: ["Impurity", ["Gini", "entropy"]],
    depth: DEPTH,
    leaf: ["fewest cases in a leaf", { ...upTo(50, 1, 1), min: 1 }],
    alpha: ["price of a leaf, α", upTo(0.1, 0.001, 0, digits(3))],
  },
};

/** @template T, U @param {Record<string, T>} of @param {(one: T) => U} look */
const mapped = (of, look) =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, look(one)]));
/** @param {Setting} about */
const atFirst = ([, about]) => about === true || (Array.isArray(about) ? about[0] : about.value);
/** What is set when a table is opened. @returns {Settings & Pick<State, "kept" | "next" | "now">} */
export const begun = () => ({
  algorithm: "C4.5",
  values: /** @type {Settings["values"]} */ (mapped(SETTINGS, (all) => mapped(all, atFirst))),
  ...{ hold: 3, answer: "", wanted: [], kept: null, next: null, now: "" },
});

// How the chosen algorithm grows and prunes; with `inParts` a case may go down several branches.
/** @param {AlgorithmName} algorithm @param {Values} values @param {Impurity | null} impurity
 * @returns {How} */
export function recipeOf(algorithm, values, impurity) {
  const { depth, criterion, alpha, confidence, raising } = values,
    maxDepth = depth === 12 ? null : depth;
  if (algorithm === "ID3")
    return {
      recipe: (cases) => id3Recipe(cases, { minGain: values.gain, maxDepth }),
      prune: (tree) => tree,
      inParts: false,
    };
  if (algorithm === "CART") {
    const settings = { criterion: criterion.toLowerCase(), maxDepth, minLeaf: values.leaf };
    return {
      recipe: (cases) => cartRecipe(cases, settings),
      // In a part of a tree, a leaf costs more of the weight that is there.
      prune: (tree, _, share) => (alpha ? pruneAt(tree, alpha / share, impurity) : tree),
      inParts: false,
    };
  }
  const settings = {
    criterion: criterion === "gain ratio" ? "gain_ratio" : "gain",
    minWeight: values.cases,
    averageGainGuard: values.guard,
    mdlPenalty: values.penalty,
  };
  return {
    recipe: (cases) => c45Recipe(cases, settings),
    prune: (tree, cases) => errorBased(collapse(tree), cases, confidence, raising).tree,
    inParts: true,
  };
}
