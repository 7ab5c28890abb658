// Two trees side by side: one is kept while the settings change, and what differs is marked.

import { make } from "../kit/draw.js";
import { button } from "../kit/reach.js";
import { foundIn } from "./readcases.js";
import { cardWords } from "./sideways.js";
import { leavesOf, whereIs } from "../algorithms/tree.js";
import { some } from "../kit/words.js";

// The numbers of the nodes that another tree has not: there is no such place, or it asks or answers
// otherwise.
export function differing(/** @type {Tree} */ tree, /** @type {Tree} */ other) {
  const said = (/** @type {Tree} */ of) =>
    of.nodes.map(
      (node, i) => `${whereIs(of, i, "")}: ${Boolean(node.split)} ${cardWords(of, node)}`,
    );
  const known = new Set(said(other));
  return new Set(said(tree).flatMap((words, i) => (known.has(words) ? [] : [i])));
}

/** A tree in few words. @param {{algorithm: AlgorithmName, tree: Tree}} about */
export const size = ({ algorithm, tree }) =>
  `${algorithm}, ${some(leavesOf(tree).length, "leaf", "leaves")}`;

// In words, what differs between the tree that is kept and the one that is there; `letGo` ends it.
/** @param {Lab} lab @param {Kept} kept @param {Set<number>} only @param {Set<number>} keptOnly
 * @param {() => void} letGo */
export function compared(lab, kept, only, keptOnly, letGo) {
  const { answer, hold } = lab.state,
    found = foundIn(lab);
  const nodes =
    only.size + keptOnly.size
      ? `${some(only.size, "node")} of this tree and ${keptOnly.size} of the one kept differ; what both have is pale.`
      : "The two trees are the same: change one, and what differs is marked.";
  const isSame = kept.answer === answer && kept.hold === hold && found.held.length;
  const others = found.said.filter((label, i) => label !== kept.said[i]).length;
  const rows = ` They answer ${others} of ${found.held.length} rows kept apart differently.`,
    end = button("Let the kept tree go", letGo);
  return make("div", { class: "dtb-row dtb-compared" }, make("p", nodes, isSame ? rows : ""), end);
}
