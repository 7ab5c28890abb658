// What a reader has answered, a list: { kind, seed, form, right, at } of practice, { page, asked, right,
// at } of the questions and guesses of pages, with a kind where one fits. It is kept in this browser
// alone, and only where the reader agrees.

import { stored } from "../kit/store.js";

const PLACE = "dtreebook-practice";
const FORMAT = "dtreebook.practice";

/** Answers as a file, and back; what is no such file is refused in words. @param {Given[]} answers */
export const asText = (answers) => JSON.stringify({ format: FORMAT, version: 1, answers }, null, 1);

const isAnswer = (/** @type {Partial<Given>} */ { right, at, kind, seed, page, asked }) =>
  typeof right === "boolean" &&
  Number.isFinite(at) &&
  ((typeof kind === "string" && Number.isInteger(seed)) || Boolean(page && asked));

export function fromText(/** @type {string} */ text) {
  let read = null;
  try {
    read = JSON.parse(text);
  } catch {} // told below
  if (read?.format !== FORMAT || read.version !== 1 || !Array.isArray(read.answers))
    throw new Error("This is no file of answers: choose one that was exported here.");
  const bad = read.answers.findIndex(
    (/** @type {Partial<Given> | null} */ one) => !isAnswer(one ?? {}),
  );
  if (bad >= 0)
    throw new Error(
      `Answer ${bad + 1} of the file has no right, at or seed. Nothing was taken over.`,
    );
  return read.answers;
}

// Two lists of answers as one, each answer once, in the order of time.
export function merged(/** @type {Given[]} */ one, /** @type {Given[]} */ other) {
  const all = new Map(
    [...one, ...other].map((answer) => [
      [answer.at, answer.kind, answer.seed, answer.page, answer.asked].join(),
      answer,
    ]),
  );
  return [...all.values()].sort((a, b) => a.at - b.at);
}

// The one memory of a page, for all its scripts.
const scripts = /** @type {{dtreebookMemory?: Memory}} */ (globalThis);
export const opened = () => (scripts.dtreebookMemory ??= browserMemory());

// The browser's own store may be closed to a page: then nothing is kept.
function browserMemory() {
  /** @type {Memory} */
  const memory = {
    answers: [],
    isKept: false,
    canKeep: stored((store) => store.length) !== undefined,
    add(answer) {
      if (memory.isKept) read();
      memory.replace([...memory.answers, answer]);
    },
    replace(all) {
      memory.answers = all;
      if (memory.isKept) stored((store) => store.setItem(PLACE, asText(all)));
    },
    keep(on) {
      memory.isKept = on;
      if (on) memory.replace(memory.answers);
      else stored((store) => store.removeItem(PLACE));
    },
  };
  // Another page may have written, or deleted, since.
  const read = () => {
    const text = stored((store) => store.getItem(PLACE));
    if (text) memory.answers = fromText(text);
    memory.isKept = Boolean(text);
  };
  try {
    read();
  } catch {
    memory.isKept = false; // what is there is not ours
  }
  return memory;
}
