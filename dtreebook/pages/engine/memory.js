// What a reader has practised: a list of answers, { kind, seed, form, right, at }, from which
// everything else follows. It is kept in this browser alone, and only where the reader agrees.

const PLACE = "dtreebook-practice";
const FORMAT = "dtreebook.practice";
const DAY = 24 * 60 * 60 * 1000;
// Days until a kind comes back, after so many right answers in a row.
export const DAYS = [0, 1, 3, 7, 16, 35];
export const LEVELS = ["new", "met", "growing", "sure"];

// How well a kind is known: { met, row, due, level }, `row` being the right answers in a row, of
// which only those count that came when the kind was due.
export function standing(answers, kind, now) {
  let row = 0,
    due = null,
    isRight = true;
  for (const answer of answers) {
    if (answer.kind !== kind) continue;
    isRight = answer.right;
    if (!answer.right) row = 0;
    else if (due === null || answer.at >= due) row = Math.min(row + 1, DAYS.length - 1);
    else continue;
    due = answer.at + DAYS[row] * DAY;
  }
  const level = due === null ? 0 : row < 2 ? 1 : row < 4 ? 2 : 3;
  return { row, due, isDue: due !== null && due <= now, isRight, level, days: DAYS[row] };
}

// Whoever is new to a kind, or was wrong, completes a worked one; then they find mistakes and solve.
export const formOf = ({ due, isRight, row }) =>
  due === null || !isRight ? "complete" : row % 2 ? "wrong" : "solve";

// The kinds for one sitting: what is due, the longest due first; then new ones, in the order of the
// book; then what is known least. No two neighbours are of one part where that can be.
export function sitting(answers, kinds, partOf, now, size = 7) {
  const known = kinds.map((kind) => ({ kind, ...standing(answers, kind, now) }));
  const rank = ({ isDue, level }) => (isDue ? 0 : level ? 2 : 1);
  known.sort((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? 0 : (a.due ?? 0) - (b.due ?? 0)));
  const left = known.slice(0, size),
    order = [];
  while (left.length) {
    const last = order.length ? partOf(order.at(-1).kind) : null;
    const next = left.findIndex(({ kind }) => partOf(kind) !== last);
    order.push(...left.splice(Math.max(next, 0), 1));
  }
  return order.map((one) => ({ kind: one.kind, form: formOf(one) }));
}

// Answers as a file, and back; what is no such file is refused in words.
export const asText = (answers) => JSON.stringify({ format: FORMAT, version: 1, answers }, null, 1);

export function fromText(text, kinds) {
  let read = null;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(
      "This is no file of answers: it is not JSON. Choose one that was exported here.",
    );
  }
  if (read?.format !== FORMAT || read.version !== 1 || !Array.isArray(read.answers))
    throw new Error(`This is no file of answers: it does not say “${FORMAT}”, version 1.`);
  const isAnswer = (one) =>
    typeof one?.right === "boolean" && Number.isFinite(one.at) && Number.isInteger(one.seed);
  const bad = read.answers.findIndex((one) => !isAnswer(one));
  if (bad >= 0)
    throw new Error(
      `Answer ${bad + 1} of the file has no right, at or seed. Nothing was taken over.`,
    );
  return read.answers.filter(({ kind }) => kinds.includes(kind));
}

// Two lists of answers as one, each answer once, in the order of time.
export function merged(one, other) {
  const all = new Map(
    [...one, ...other].map((answer) => [`${answer.at} ${answer.kind} ${answer.seed}`, answer]),
  );
  return [...all.values()].sort((a, b) => a.at - b.at);
}

// The browser's own store, which may be closed to a page: then nothing is kept.
export function opened(kinds) {
  let store = null,
    answers = [];
  try {
    store = globalThis.localStorage;
    const text = store.getItem(PLACE);
    if (text) answers = fromText(text, kinds);
  } catch (reason) {
    if (!(reason instanceof Error) || !store) store = null;
  }
  let isKept = Boolean(store && safely(() => store.getItem(PLACE) !== null));
  const save = () => isKept && safely(() => store.setItem(PLACE, asText(answers)));
  return {
    get answers() {
      return answers;
    },
    get isKept() {
      return isKept;
    },
    canKeep: Boolean(store),
    add: (answer) => ((answers = [...answers, answer]), save()),
    replace: (all) => ((answers = all), save()),
    keep(on) {
      isKept = on;
      if (on) save();
      else safely(() => store.removeItem(PLACE));
    },
  };
}

function safely(act) {
  try {
    return act() ?? true;
  } catch {
    return null;
  }
}
