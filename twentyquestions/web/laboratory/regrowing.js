// Growing a tree anew below one of its nodes, where a question is forced or columns are forbidden; the
// rest of the tree stays. Equal to the package's `regrow`.

import { everybody, grow } from "../algorithms/growth.js";
import { sum } from "../algorithms/measures.js";
import { conditions, numbered, partAt, wayTo } from "../algorithms/tree.js";

// A tree with other trees in the place of some of its nodes, a Map by number, from a node on.
/** @param {GrownTree} tree @param {Map<number, GrownTree>} [below] */
function graft(tree, below = new Map(), root = 0) {
  /** @typedef {[GrownTree, number]} Item */
  return numbered(tree, /** @type {Item} */ ([tree, root]), ([of, i]) => {
    const other = of === tree && below.get(i);
    if (other) [of, i] = [other, 0];
    const node = of.nodes[i],
      under = node.children?.map((child) => /** @type {Item} */ ([of, child]));
    return { node, below: under, number: i, of };
  });
}

// The cases that come to a node, with the weight of their part there; whole ones, or in parts.
/** @param {Tree} tree @param {Cases} cases @param {number} number @param {boolean} inParts */
function casesAt(tree, cases, number, inParts) {
  const values = (/** @type {number} */ row) => cases.columns.map((column) => column[row]),
    parts = Array.from(cases.target, (_, row) => partAt(tree, values(row), number, inParts)),
    rows = Int32Array.from(parts.keys()).filter((row) => parts[row] > 0);
  const weights = Float64Array.from(rows, (row) => parts[row] * (cases.weight?.[row] ?? 1));
  return { rows, weights };
}

/** @type {(cases: Cases, here: {rows: Int32Array, weights: Float64Array}) => Cases} */
const taken = (cases, { rows, weights }) => ({
  ...cases,
  columns: cases.columns.map((column) => Array.from(rows, (row) => column[row])),
  target: Array.from(rows, (row) => cases.target[row]),
  weight: weights,
});

/** Ask about one column first, whatever it is worth. @param {Recipe} recipe @param {number} ask @returns {Recipe} */
function forcing(recipe, ask) {
  let isFirst = true;
  return {
    ...recipe,
    reasonToStop: (here, node) => (isFirst ? "" : recipe.reasonToStop(here, node)),
    choose: (cases, here, node) => {
      if (!isFirst) return recipe.choose(cases, here, node);
      isFirst = false;
      const available = here.available.map((may, a) => may && a === ask);
      const alone = { ...here, available },
        found = recipe.choose(cases, alone, node);
      // C4.5's guard offers no column of many values alone.
      const [other = null] = [...found.candidates, ...(recipe.offers?.(alone, node) ?? [])];
      return { ...found, chosen: found.chosen ?? other, reason: "forced" };
    },
  };
}

// Grow anew below a node, where a column must be asked about, or -1, and columns are forbidden.
/** @param {GrownTree} tree @param {Cases} cases @param {number} number @param {number} ask
 * @param {number[]} forbid @param {How} how */
function regrow(tree, cases, number, ask, forbid, how) {
  const here = casesAt(tree, cases, number, how.inParts),
    way = wayTo(tree, number).slice(0, -1),
    splits = way.map((i) => tree.nodes[i].split),
    used = splits.map((split) => split?.kind === "multiway" && split.attribute);
  const recipe = how.recipe(cases),
    all = sum(everybody(cases).weights);
  const grown = grow(cases, ask < 0 ? recipe : forcing(recipe, ask), {
    ...here,
    available: cases.attributes.map((_, a) => !forbid.includes(a) && !used.includes(a)),
    depth: way.length,
    parentLabel: way.length ? tree.nodes[way[way.length - 1]].label : 0,
  });
  /** @param {GrownTree} part @param {Cases} inside @param {typeof here} at */
  const prune = (part, inside, at) => how.prune(part, taken(inside, at), sum(at.weights) / all);
  let pruned = prune(grown, cases, here);
  const { split, children } = grown.nodes[0];
  const isKept = JSON.stringify(split) === JSON.stringify(pruned.nodes[0].split);
  if (ask >= 0 && split && !isKept) {
    const below = new Map(),
      inside = taken(cases, here);
    for (const child of children) {
      const branch = graft(grown, new Map(), child);
      if (branch.nodes[0].split)
        below.set(child, prune(branch, inside, casesAt(grown, inside, child, how.inParts)));
    }
    pruned = graft(grown, below); // what is forced stays
  }
  return graft(tree, new Map([[number, pruned]]));
}

// What is wanted of each node, from the root down: what is forbidden adds up, also on the way to a
// node; of the questions that are forced the last counts.
/** @param {Wanted[]} wanted @param {string[]} names of the columns */
function together(wanted, names) {
  const places = [...new Set(wanted.map(({ at }) => at))].sort((a, b) => a.length - b.length);
  return places.map((at) => {
    const onWay = wanted.filter((one) => !one.at || `${at}, `.startsWith(`${one.at}, `)),
      forbid = names.filter((name) => onWay.some((one) => one.forbid.includes(name)));
    const asked = onWay.findLast((one) => one.at === at && one.ask)?.ask ?? "";
    return { at, forbid, ask: names.includes(asked) && !forbid.includes(asked) ? asked : "" };
  });
}

// A tree with all that is wanted by names, as a reader does, and what has a place in it.
/** @param {GrownTree} tree @param {Cases} cases @param {Wanted[]} wanted @param {How} how */
export function wantedIn(tree, cases, wanted, how) {
  const names = cases.attributes.map(({ name }) => name),
    place = (/** @type {string} */ name) => names.indexOf(name);
  const wishes = together(wanted, names).filter(({ at, ask, forbid }) => {
    const number = tree.nodes.findIndex((_, i) => conditions(tree, i).join(", ") === at);
    if (number < 0 || !(ask || forbid.length)) return false;
    tree = regrow(tree, cases, number, place(ask), forbid.map(place), how);
    return true;
  });
  return { tree, wishes };
}
