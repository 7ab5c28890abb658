// What is known of a kind, and when it comes back: everything follows from the answers.

const DAY = 24 * 60 * 60 * 1000;
// Days until a kind comes back, after so many right answers in a row.
export const DAYS = [0, 1, 3, 7, 16, 35];
export const LEVELS = ["new", "met", "growing", "sure"];

// How well a kind is known; `row` are the right answers in a row, of which only those count that came
// when the kind was due.
/** @param {Given[]} answers @param {string} kind @param {number} now */
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
/** @param {Pick<ReturnType<typeof standing>, "due" | "isRight" | "row">} about */
export const formOf = ({ due, isRight, row }) =>
  due === null || !isRight ? "complete" : row % 2 ? "wrong" : "solve";

// The kinds for one sitting: what is due, the longest due first; then new ones, in the order of the
// book; then what is known least. No two neighbours are of one part where that can be, and of new ones
// every second is a whole calculation to find a mistake in.
/** @param {Given[]} answers @param {string[]} kinds @param {(kind: string) => number} partOf
 * @param {number} now */
export function sitting(answers, kinds, partOf, now, size = 7) {
  const known = kinds.map((kind) => ({ kind, ...standing(answers, kind, now) }));
  const rank = (/** @type {typeof known[number]} */ { isDue, level }) =>
    isDue ? 0 : level ? 2 : 1;
  known.sort((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? 0 : (a.due ?? 0) - (b.due ?? 0)));
  const left = known.slice(0, size),
    order = [];
  while (left.length) {
    const last = order.length ? partOf(order[order.length - 1].kind) : null;
    const next = left.findIndex(({ kind }) => partOf(kind) !== last);
    order.push(...left.splice(Math.max(next, 0), 1));
  }
  return order.map((one, i) => ({
    kind: one.kind,
    form: i % 2 && one.due === null ? "wrong" : formOf(one),
  }));
}
