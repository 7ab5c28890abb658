// Growing the tree of what is set, in slices of time: the page answers meanwhile, and what is set anew
// or cancelled ends the growing.

import { make, some } from "./draw.js";
import { growing } from "./grow.js";
import { showResult } from "./grown.js";
import { entropy, gini } from "./measures.js";
import { remember } from "./past.js";
import { button } from "./reach.js";
import { read, troubleWith, valuesOf } from "./readcases.js";
import { nodeAt, regrow } from "./regrow.js";
import { recipeOf } from "./settings.js";
import { route, spread } from "./tree.js";

const MANY = 50_000, // a table of so many cells grows its tree after it has said so
  SLICE = 40; // so many milliseconds a tree grows before the page may answer

export function soon(lab) {
  const { state, say } = lab;
  remember(state);
  clearTimeout(state.waits);
  if (state.table.n * state.table.columns.length < MANY) return grown(lab);
  say("The tree is growing …");
  state.waits = setTimeout(() => grown(lab), 60);
}

async function grown(lab) {
  const { state, parts } = lab,
    turn = (state.turn = (state.turn ?? 0) + 1);
  const found = read(lab),
    values = state.values[state.algorithm],
    { cases } = found;
  const trouble = troubleWith(lab, cases);
  if (trouble) {
    state.found = null;
    for (const name of ["verdict", "case", "away"]) parts[name].replaceChildren();
    parts.tree.replaceChildren(make("p", { class: "dtb-error" }, trouble));
    return lab.say("There is nothing to grow a tree from.");
  }
  const begin = performance.now();
  found.impurity = cases.classes && (values.criterion === "entropy" ? entropy : gini);
  const how = recipeOf(state.algorithm, values, cases, found.impurity);
  const steps = how.grow(cases, {}, growing);
  let step = steps.next();
  for (let slice = begin; !step.done; step = steps.next())
    if (performance.now() - slice > SLICE) {
      waiting(lab, step.value);
      await new Promise((go) => setTimeout(go));
      if (turn !== state.turn) return;
      slice = performance.now();
    }
  found.full = step.value;
  found.tree = wantedOf(state, how.prune(found.full, cases, 1), cases, how);
  found.seconds = (performance.now() - begin) / 1000;
  lab.predict = state.algorithm === "C4.5" ? likeliest : labelOf;
  found.said = found.held.map((_, i) => lab.predict(found.tree, valuesOf(found.test, i)));
  Object.assign(state, { found, chosen: 0, shown: Infinity });
  showResult(lab);
}

// A tree with the questions that were forced or forbidden; those that have no place any more are dropped.
function wantedOf(state, tree, cases, how) {
  state.wanted = state.wanted.filter(({ at, ask, forbid }) => {
    const place = (name) => cases.attributes.findIndex((one) => one.name === name);
    const wanted = { ask: ask ? place(ask) : -1, forbid: new Set(forbid.map(place)) };
    const number = nodeAt(tree, at);
    if (number < 0 || (ask && wanted.ask < 0)) return false; // the tree has grown otherwise
    tree = regrow(tree, cases, number, wanted, how);
    return true;
  });
  return tree;
}

// How far the tree is, and a button that ends it.
function waiting({ state, parts, say }, nodes) {
  const soFar = `The tree is growing: ${some(nodes, "node")} so far.`;
  const told = parts.tree.querySelector(".dtb-waiting p");
  if (told) return void (told.textContent = soFar);
  say("The tree is growing …");
  const cancel = button("Cancel", () => {
    state.turn += 1;
    parts.tree.querySelector(".dtb-waiting")?.remove();
    say("Cancelled. Fewer questions on a path, or fewer columns, are quicker.");
  });
  parts.tree.prepend(make("div", { class: "dtb-row dtb-waiting" }, make("p", {}, soFar), cancel));
}

// What a tree answers, as ID3 and CART do, or as C4.5.
const labelOf = (tree, values) => tree.nodes[route(tree, values)].label;
function likeliest(tree, values) {
  const shares = spread(tree, values);
  return shares.indexOf(Math.max(...shares));
}
