// The story of the plane: what its steps show, and what they say.

import { isAstray } from "../kit/regions.js";
import { answer, asked, inDigits, leavesOf } from "../algorithms/tree.js";
import { some } from "../kit/words.js";

export const NONE = 13; // no limit of the depth

// Of each step the depth, and whether the errors on new cases are marked.
/** @type {[number, boolean][]} */
export const SCENES = [
  [0, false],
  [1, false],
  [2, false],
  [NONE, false],
  [NONE, true],
  [NONE, true],
];

// The steps, told of the tree as it will be.
/** @param {(depth: number) => PlaneTree} grown @param {Plane & {test: Person[]}} about */
export const stepsOf = (grown, { points, test, what }) =>
  SCENES.map(([most, isTested], i) => {
    const tree = grown(most),
      wrong = (isTested ? test : points).filter((point) => isAstray(tree, point)).length,
      [{ split }] = tree.nodes,
      leaves = some(leavesOf(tree).length, "region");
    return [
      {
        title: some(points.length, ...what),
        says: `With one answer for all, ${answer(tree, tree.nodes[0])}, it is wrong for the ${wrong} that are ringed. Can one cut do better?`,
      },
      {
        title: "One cut",
        says: `${split ? `${asked(tree, { split })} ≤ ${inDigits(split.cut, 4)}? ` : ""}Now ${wrong} have a ring. Where the rings crowd, the next cuts should go.`,
      },
      { title: leaves, says: `Each side is cut once more, and ${wrong} have a ring.` },
      {
        title: `${leaves}, no limit`,
        says: `${wrong} have a ring. Look at the narrow strips: each was cut for very few ${what[1]}.`,
      },
      {
        title: some(test.length, `new ${what[0]}`, `new ${what[1]}`),
        says: `The same regions get ${wrong} of them wrong, ringed. How many are in the narrow strips?`,
      },
      { title: "Now you", says: "Drag the depth: at which do new cases have the fewest rings?" },
    ][i];
  });
