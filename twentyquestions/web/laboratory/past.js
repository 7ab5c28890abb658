// Back and forth: what is set is noted, so that it can be taken back, done again, and put into an address.

import { readIn } from "./numbers.js";
import { SETTINGS } from "./settings.js";

/** @param {State} state */
export const settingsOf = ({ algorithm, values, hold, answer, wanted, table }) => ({
  algorithm,
  values,
  hold,
  answer,
  wanted,
  kinds: table.columns.map(({ kind }) => kind),
  ways: table.columns.map(({ way, ways }) => (way ? ways.indexOf(way) : -1)),
});

// Set what was noted; what is of another kind than it should be, as an address may have it, is left out.
/** @param {State} state @param {Saved} saved */
export function take(
  state,
  { algorithm, values = {}, hold, answer, wanted, kinds = [], ways = [] },
) {
  const { columns } = state.table;
  columns.forEach((one, i) => {
    if (one.ways[ways[i]]) readIn(one, one.ways[ways[i]]);
    const kind = kinds[i];
    if (kind === "out" || kind === "category" || (kind === "number" && one.isNumber))
      one.kind = kind;
  });
  if (algorithm && Object.hasOwn(SETTINGS, algorithm)) state.algorithm = algorithm;
  if (answer !== undefined && columns.some(({ name, kind }) => name === answer && kind !== "out"))
    state.answer = answer;
  if (hold !== undefined && [0, 3, 5].includes(hold)) state.hold = hold;
  for (const name of /** @type {AlgorithmName[]} */ (Object.keys(state.values))) {
    const own = state.values[name];
    for (const key of Object.keys(own)) {
      const value = values[name]?.[key];
      if (value !== undefined && typeof value === typeof own[key]) own[key] = value;
    }
  }
  if (Array.isArray(wanted)) state.wanted = wanted.filter((one) => Array.isArray(one?.forbid));
}

// Note what is set now; moves of one slider count once.
export function remember(/** @type {State} */ state) {
  const now = JSON.stringify(settingsOf(state));
  if (now === state.now) return;
  if (state.now) state.past.push(state.now);
  Object.assign(state, { now, future: [] });
}

/** @param {Lab} lab @param {"past" | "future"} from @param {"past" | "future"} to */
export function step(lab, from, to) {
  const { state } = lab;
  const noted = state[from].pop();
  if (noted === undefined) return;
  state[to].push(state.now);
  state.now = noted;
  take(state, JSON.parse(state.now));
  lab.show();
}
