// The story of the plane: what its steps show, and what they say.

import { some } from "./draw.js";
import { isAstray } from "./ground.js";
import { leavesOf } from "./tree.js";

export const NONE = 13; // no limit of the depth

// Of each step the depth, and whether the errors on new cases are marked.
/** @type {[number, boolean][]} */
export const SCENES = [
  [0, false],
  [1, false],
  [2, false],
  [NONE, false],
  [NONE, true],
  [NONE, false],
];

/**
 * The steps, told of the tree as it will be.
 * @param {(depth: number) => PlaneTree} grown @param {Plane & {test: Person[]}} about
 */
export const stepsOf = (grown, { points, test, what }) =>
  SCENES.map(([most, isTested], i) => {
    if (i === SCENES.length - 1) return { title: "Now you" };
    const tree = grown(most),
      wrong = (isTested ? test : points).filter((point) => isAstray(tree, point)).length;
    return isTested
      ? {
          title: `${test.length} new ${what[1]}`,
          says: `The tree gets ${wrong} of them wrong, crossed.`,
        }
      : {
          title: i ? some(leavesOf(tree).length, "region") : some(points.length, ...what),
          says: `${wrong} ${wrong === 1 ? "is" : "are"} where the other answer is predicted.`,
        };
  });
