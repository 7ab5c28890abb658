// Exercises without end: exercise(kind, seed) is always the same table, question, answer and steps.
// Everything about one is data: what is asked and right, and for every slip the calculation with it.

import { either, isTrue, shown, worked } from "./calculation.js";
import { BINARY } from "./kinds_binary.js";
import { MANY } from "./kinds_many.js";
import { NUMBERS } from "./kinds_numbers.js";
import { PROGRAM } from "./kinds_program.js";
import { QUESTION } from "./kinds_question.js";
import { TRUST } from "./kinds_trust.js";
import { randomOf } from "../algorithms/random.js";
import { WHY } from "./slips.js";

export const PARTS = [
  "Which question?",
  "The program",
  "Two answers",
  "How far to trust it",
  "Many trees",
];
const ALL = { ...QUESTION, ...PROGRAM, ...NUMBERS, ...BINARY, ...TRUST, ...MANY };
// In the order of the parts of the book.
export const KINDS = Object.fromEntries(
  Object.entries(ALL).sort(([, one], [, other]) => one.part - other.part),
);

const TRIES = 1_000_000;
const OFF = 0.00501; // how far a number may be off that was rounded on the way, absolutely and in share
const APART = 3 * OFF; // how far apart all answers are at least

/** Counts, and cuts half-way between, are exact; others are off in share. @param {number[]} numbers */
const size = (...numbers) =>
  numbers.every((one) => Number.isInteger(2 * one)) ? 1 : Math.max(1, ...numbers.map(Math.abs));
/** How far off a number may be that is right. @param {number} answer */
export const tolerance = (answer) => OFF * size(answer);
/** Whether a number is near enough to the right one. */
export const isRight = either((given, answer) => Math.abs(given - answer) <= tolerance(answer));

// Whether a number is that of a slip, to three digits or rounded to two: else it is no slip of that name.
export const isThatOf = either(
  (given, value) =>
    Math.abs(given - value) <= 1.1e-3 * Math.max(1, Math.abs(value)) ||
    given === Math.round(100 * value) / 100,
);

const isNear = either((one, other) => Math.abs(one - other) <= APART * size(one, other));
const differ = (/** @type {Answer} */ one, /** @type {Answer} */ other) => !isNear(one, other);

// Of a drawn table: the exercise, or null if two of its answers can be mistaken for each other.
/** @param {string} kind @param {number} seed @param {Drawing} drawn */
function whole(kind, seed, drawn) {
  const { title, part, page } = KINDS[kind];
  const { lines, slips, ...given } = drawn;
  const steps = worked(lines);
  const last = lines.length - 1,
    answer = steps[last].value;
  const wrong = slips.map(({ name, at, calc }) => {
    const slipped = worked(lines, { at, calc });
    // Made in one line only, by its place.
    const once = Object.fromEntries(at.map((i) => [i, worked(lines, { at: [i], calc })]));
    return { name, why: WHY[name], at, once, steps: slipped, answer: slipped[last].value };
  });
  const asked = wrong.filter(
    ({ at, steps: slipped, answer: other }) =>
      at.some((i) => differ(slipped[i].value, steps[i].value)) && differ(other, answer),
  );
  // Where something is picked, a slip may happen to lead to the right one; else all are apart.
  const isPicked = Boolean(lines[last].options);
  if (wrong.some((slip) => slip.answer === null)) return null;
  const others = wrong.map((slip) => slip.answer).filter((one) => !isPicked || one !== answer);
  const areApart = [answer, ...others].every(
    (one, i, all) => Number.isFinite(one) && all.every((other, j) => i === j || differ(one, other)),
  );
  if (typeof answer === "number" && !areApart) return null;
  if (new Set(asked.map((slip) => slip.answer)).size < 2) return null;
  const inLines = lines.map(({ options }) => options);
  const made = { kind, seed, title, part, page, ...given, steps, inLines, answer, slips: wrong };
  return steps.every(isTrue) && hidden(made).length ? made : null;
}

// The exercise of a kind that a seed, any whole number, decides.
export function exercise(/** @type {string} */ kind, /** @type {number} */ seed) {
  const random = randomOf(`${kind} ${seed}`);
  for (let turn = 0; turn < TRIES; turn++) {
    const drawn = KINDS[kind].draw(random);
    const made = drawn && whole(kind, seed, drawn);
    if (made) return made;
  }
  throw new Error(`no exercise of the kind ${kind} could be drawn for the seed ${seed}`);
}

/** The right answer among those of the slips, in order: { text, right, slip }. @param {Exercise} made */
export function choicesOf(made) {
  const { answer, slips, options } = made;
  const found = [...new Set([answer, ...slips.map((slip) => slip.answer)])];
  const order = options
    ? options.filter((option) => found.includes(option))
    : found.sort((one, other) => Number(one) - Number(other));
  return order.map((value) => ({ value, slip: judged(made, value).slip }));
}

// What to say of what is given for a line: right; the slip that leads to it, made there or above; the
// place of a line above; or nothing.
/** @param {Exercise} about @param {Answer} given @param {number} [at] */
export function judged({ steps, slips }, given, at = steps.length - 1) {
  if (isRight(given, steps[at].value)) return { right: true };
  /** @param {Step[]} [lines] */
  const isIn = (lines) => lines && isThatOf(given, lines[at].value);
  const slip = slips.find(({ once }) => isIn(once[at])) ?? slips.find((about) => isIn(about.steps));
  if (slip) return { right: false, slip };
  const line = steps.slice(0, at).findIndex((step) => isThatOf(given, step.value));
  return { right: false, line };
}

// The slips that could be found among the lines of an exercise, { place, why, … }: each changes the
// line at its place only, and this looks like a calculation if the right line does.
function hidden(/** @type {Exercise} */ { slips, steps }) {
  const isPlain = (/** @type {Step} */ { how, value }) => how === shown(value);
  return slips.flatMap(({ at, once, ...slip }) =>
    at.flatMap((place) => {
      const [wrong, right] = [once[place][place], steps[place]];
      return differ(wrong.value, right.value) &&
        isPlain(wrong) === isPlain(right) &&
        once[place].every(isTrue)
        ? { ...slip, place, steps: once[place] }
        : [];
    }),
  );
}

/** One of them, decided by the seed. @param {Exercise} made */
export function hiddenSlip(made) {
  const found = hidden(made);
  const random = randomOf(`${made.kind} ${made.seed} wrong`);
  const place = random.one([...new Set(found.map((slip) => slip.place))]);
  return random.one(found.filter((slip) => slip.place === place));
}
