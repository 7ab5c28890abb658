// Back and forth: what is set is noted, so that it can be taken back, done again, and put into an address.

import { readIn } from "./numbers.js";
import { SETTINGS } from "./settings.js";

export const settingsOf = ({ algorithm, values, hold, answer, wanted, table }) => ({
  algorithm,
  values,
  hold,
  answer,
  wanted,
  kinds: table.columns.map(({ kind }) => kind),
  ways: table.columns.map(({ way, ways }) => ways.indexOf(way)),
});

// Set what was noted; what is of another kind than it should be, as an address may have it, is left out.
export function take(
  state,
  { algorithm, values = {}, hold, answer, wanted, kinds = [], ways = [] },
) {
  const { columns } = state.table;
  columns.forEach((one, i) => {
    if (one.ways[ways[i]]) readIn(one, one.ways[ways[i]]);
    if (kinds[i] === "out" || kinds[i] === "category" || (kinds[i] === "number" && one.isNumber))
      one.kind = kinds[i];
  });
  if (Object.hasOwn(SETTINGS, algorithm ?? "")) state.algorithm = algorithm;
  if (columns.some(({ name, kind }) => name === answer && kind !== "out")) state.answer = answer;
  if ([0, 3, 5].includes(hold)) state.hold = hold;
  for (const [name, own] of Object.entries(state.values))
    for (const key of Object.keys(own)) {
      const value = values[name]?.[key];
      if (typeof value === typeof own[key]) own[key] = value;
    }
  if (Array.isArray(wanted)) state.wanted = wanted.filter((one) => Array.isArray(one?.forbid));
}

// Note what is set now; moves of one slider count once.
export function remember(state) {
  const now = JSON.stringify(settingsOf(state));
  if (now === state.now) return;
  if (state.now) state.past.push(state.now);
  Object.assign(state, { now, future: [] });
}

export function step(lab, from, to) {
  const { state } = lab;
  if (!state.table || !state[from].length)
    return lab.say(`There is nothing to ${from === "past" ? "undo" : "redo"}.`);
  state[to].push(state.now);
  state.now = state[from].pop();
  take(state, JSON.parse(state.now));
  lab.show();
}
