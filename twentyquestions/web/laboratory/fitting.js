// Growing the tree of what is set, in slices of time: the page answers meanwhile, and what is set anew
// or cancelled ends the growing.

import { make } from "../kit/draw.js";
import { growing } from "../algorithms/growth.js";
import { keep, showResult } from "./result.js";
import { entropy, gini } from "../algorithms/measures.js";
import { remember, take } from "./past.js";
import { button } from "../kit/reach.js";
import { read, troubleWith, valuesOf } from "./readcases.js";
import { wantedIn } from "./regrowing.js";
import { recipeOf } from "./settings.js";
import { predicted } from "../algorithms/tree.js";
import { some } from "../kit/words.js";

const MANY = 50_000; // a table of so many cells grows its tree after it has said so, as the first does
const SLICE = 40; // so many milliseconds a tree grows before the page may answer
const FIRST_SLICE = 8; // and the first, while the page is still opening

// What grows, or is about to, ends without a word.
export function endGrowing(/** @type {Lab} */ { state, parts }) {
  clearTimeout(state.waits);
  state.turn += 1;
  parts.tree.ariaBusy = "false";
}

export function soon(/** @type {Lab} */ lab) {
  const { state, parts, say } = lab;
  remember(state);
  // Not `disabled`: the focus stays there.
  lab.steps.forEach((one, i) => (one.ariaDisabled = String(![state.past, state.future][i].length)));
  endGrowing(lab);
  parts.tree.ariaBusy = "true";
  if (state.found && state.table.n * state.table.columns.length < MANY) return void grown(lab);
  if (state.found) say("The tree is growing …");
  state.waits = setTimeout(() => grown(lab), state.found ? 60 : 0);
}

async function grown(/** @type {Lab} */ lab) {
  const { state, parts } = lab,
    { now, turn } = state;
  let slice = performance.now();
  const rows = read(lab),
    values = state.values[state.algorithm],
    { cases } = rows;
  const trouble = troubleWith(lab, cases);
  if (trouble) {
    state.found = null;
    for (const name of ["node", "verdict", "case", "away"]) parts[name].replaceChildren();
    parts.tree.replaceChildren(make("p", { class: "dtb-error" }, trouble));
    parts.tree.ariaBusy = "false";
    return lab.say("There is nothing to grow a tree from.");
  }
  const impurity = cases.classes && (values.criterion === "entropy" ? entropy : gini);
  const how = recipeOf(state.algorithm, values, impurity);
  const most = state.found ? SLICE : FIRST_SLICE;
  const steps = growing(cases, how.recipe(cases));
  let step = steps.next();
  for (; !step.done; step = steps.next())
    if (performance.now() - slice > most) {
      waiting(lab, step.value);
      await new Promise((go) => setTimeout(go));
      if (turn !== state.turn) return;
      slice = performance.now();
    }
  const full = step.value,
    pruned = how.prune(full, cases, 1),
    { tree, wishes } = wantedIn(pruned, cases, state.wanted, how);
  // What has no place any more is dropped.
  state.wanted = state.wanted.filter((one) => wishes.some(({ at }) => at === one.at));
  const said = rows.held.map((_, i) => predicted(tree, valuesOf(rows.test, i), how.inParts));
  const found = { ...rows, impurity, full, pruned, tree, wishes, said, how, now };
  const { next, found: before } = state;
  Object.assign(state, { found, chosen: 0, shown: Infinity });
  if (!next) return showResult(lab, !before);
  keep(lab);
  Object.assign(state, { next: null, now: "" });
  take(state, next);
  lab.show();
}

// How far the tree is, and a button that ends it.
function waiting(/** @type {Lab} */ lab, /** @type {number} */ nodes) {
  const { parts, say } = lab,
    soFar = `The tree is growing: ${some(nodes, "node")} so far.`;
  const told = parts.tree.querySelector(".dtb-waiting p");
  if (told) return void (told.textContent = soFar);
  say("The tree is growing …");
  const cancel = button("Cancel", () => {
    endGrowing(lab);
    parts.tree.querySelector(".dtb-waiting")?.remove();
    say("Cancelled. Fewer questions on a path, or fewer columns, are quicker.");
  });
  parts.tree.prepend(make("div", { class: "dtb-row dtb-waiting" }, make("p", soFar), cancel));
}
