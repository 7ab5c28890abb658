// Cuts of a plane: what each is worth, the best of them, and the tree of those that were made.

import { attributesOf } from "../kit/regions.js";
import { middle } from "../algorithms/growth.js";
import { firstOf, gain, majority, sum, TIE } from "../algorithms/measures.js";

// All cuts of some rows along an axis, [cut, by how much it lowers the impurity].
/**
 * @param {Person[]} points @param {number[]} rows @param {number} axis @param {Label[]} classes
 * @param {Impurity} impurity
 */
export function cutsAlong(points, rows, axis, classes, impurity) {
  const order = [...rows].sort((one, other) => points[one][axis] - points[other][axis]),
    below = classes.map(() => 0),
    above = classes.map(() => 0),
    /** @type {Cuts} */ found = [];
  for (const row of order) above[points[row][2]] += 1;
  order.forEach((row, i) => {
    const here = points[row][axis],
      next = points[order[i + 1]]?.[axis];
    below[points[row][2]] += 1;
    above[points[row][2]] -= 1;
    if (next > here) found.push([middle(here, next), gain([below, above], impurity)]);
  });
  return found;
}

/** The place of the best of some cuts; of equals the first. @param {Cuts} cuts */
export const bestOf = (cuts) => firstOf(cuts.map(([, score]) => score));

/** The best of all cuts, { attribute, cut, score }. @param {Cuts[]} both */
export function bestIn(both) {
  /** @type {(cuts: Cuts, attribute: number) => Best} */
  const best = (cuts, attribute) => {
    const [cut, score] = cuts[bestOf(cuts)] ?? [0, -1];
    return { kind: "threshold", attribute, cut, score };
  };
  const found = both.map(best);
  return found[Number(found[1].score > found[0].score + TIE)];
}

// The tree of some cuts, by the way to their node, "" for the root and a digit for each branch, in the
// order in which they were made; a cut that divides nobody is dropped. The rows of each node, too.
export function cutTree(/** @type {Plane} */ plane, /** @type {Map<string, Threshold>} */ splits) {
  const { points, classes } = plane;
  const /** @type {[string, number[]][]} */ open = [["", points.map((_, row) => row)]];
  const /** @type {WayNode[]} */ nodes = [];
  for (let i = 0; i < open.length; i++) {
    const [way, rows] = open[i],
      split = splits.get(way);
    const counts = classes.map((_, k) => rows.filter((row) => points[row][2] === k).length);
    const node = { counts, label: majority(counts), way };
    const sides = split && [
      rows.filter((row) => points[row][split.attribute] <= split.cut),
      rows.filter((row) => points[row][split.attribute] > split.cut),
    ];
    if (split && sides?.every((side) => side.length)) {
      nodes.push({ ...node, split, children: [open.length, open.length + 1] });
      open.push([`${way}0`, sides[0]], [`${way}1`, sides[1]]);
    } else {
      splits.delete(way);
      nodes.push(node);
    }
  }
  return {
    tree: { attributes: attributesOf([plane.x, plane.y]), classes, nodes },
    rowsOf: open.map(([, rows]) => rows),
  };
}

// The leaf where a cut lowers the impurity of all cases most, and that cut; none lies deeper than `most`.
/** @param {CutTree} tree @param {number} most @param {(i: number) => Best} best */
export function bestOffer({ nodes }, most, best) {
  const offers = nodes.flatMap(({ way, counts, split }, i) => {
    const cut = !split && way.length < most && best(i);
    return cut && cut.score > TIE ? [{ way, split: cut, worth: cut.score * sum(counts) }] : [];
  });
  const top = Math.max(...offers.map(({ worth }) => worth));
  return offers.find(({ worth }) => worth >= top - TIE * sum(nodes[0].counts));
}
