// A table is opened: of the book, from a file, pasted, or out of an address. A table of the book is
// { name, levels, values } for each column, values being numbers, or a string with a letter for each
// case from "0" on, where "0!12!" is a run of twelve; or the address of a script that brings these.

import { decoded, LARGEST, readTable } from "./csv.js";
import { make } from "../kit/draw.js";
import { endGrowing } from "./fitting.js";
import { take } from "./past.js";
import { answerOf } from "./readcases.js";
import { begun } from "./settings.js";
import { some } from "../kit/words.js";

/** @type {Record<string, string>} */
const SEPARATORS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };

const FEW = 40; // of fewer rows none is kept apart, which would say little and spoil the tree

/** @type {Table} */
export const NO_TABLE = { names: [], columns: [], separator: ",", n: 0 };

// What the columns of a table are taken for at first, and which is the answer.
function guess(/** @type {Table} */ { columns, n }) {
  for (const column of columns) {
    column.isName =
      !column.isNumber && column.levels.length > (n < FEW ? Math.max(n - 1, 3) : n / 2);
    const isOut = column.isName || column.isDate || !column.levels.length;
    column.kind = isOut ? "out" : column.isNumber ? "number" : "category";
  }
  const answer = answerOf(columns);
  const isCounted =
    answer.levels.length <= 10 && answer.levels.every((level) => !level.includes("."));
  if (answer.kind === "out" || (answer.isNumber && isCounted)) answer.kind = "category";
  return answer.name;
}

// Open a text; `encoding` is that of a file.
/** @param {Lab} lab @param {string} source @param {string} file @param {Opening} [about] */
export function openTable(lab, source, file, { encoding, book = "", saved = {} } = {}) {
  const { state, parts } = lab;
  for (const part of Object.values(parts)) if (part !== parts.zoom) part.replaceChildren();
  endGrowing(lab); // what grows is of another table
  Object.assign(state, { past: [], future: [], asked: file });
  try {
    const table = readTable(source),
      { kept } = saved;
    Object.assign(state, begun(), { table, source, file, encoding, book, answer: guess(table) });
    Object.assign(state, { hold: table.n < FEW ? 0 : 3, next: kept ? saved : null });
    take(state, kept ?? saved);
  } catch (error) {
    state.table = NO_TABLE;
    const words = `${file} cannot be read. ${/** @type {Error} */ (error).message}`;
    parts.message.append(make("p", { class: "dtb-error" }, words));
    lab.turn?.(0);
    return lab.say(words);
  }
  const { n, columns, separator } = state.table;
  const words = `${file}: ${some(n, "row")}, ${some(columns.length, "column")}, fields separated by ${SEPARATORS[separator]}.`;
  parts.message.append(make("p", words));
  lab.turn?.(1);
  lab.show();
}

// A table of the book, as a file would have it.
/** @param {Lab} lab @param {string} name @param {Saved} [saved] */
export async function openBook(lab, name, saved) {
  const { tables } = lab.data;
  let table = tables[name];
  lab.state.asked = name;
  if (typeof table === "string") {
    lab.say(`${name} is loaded …`);
    const come = await loaded(name, table);
    if (!come) return void lab.say(`${name} could not be loaded.`);
    tables[name] = table = come;
  }
  /** @param {string} words */
  const field = (words) => (/[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words);
  const columns = table.map(({ name: head, levels, values }) => {
    if (!levels) return [field(head), ...values.map((value) => `${value ?? ""}`)];
    const letters = values.replace(/(.)!(\d+)!/g, (_, one, n) => one.repeat(Number(n)));
    return [field(head), ...Array.from(letters, (one) => field(levels[one.charCodeAt(0) - 48]))];
  });
  const lines = columns[0].map((_, i) => columns.map((column) => column[i]).join(","));
  await new Promise((read) => setTimeout(read)); // the page may answer before the text is read
  if (lab.state.asked !== name) return; // another was opened meanwhile
  openTable(lab, lines.join("\n"), `${name}.csv`, { book: name, saved });
}

// What a script of the site brings, null if it does not come: it tells the page, and leaves nothing.
/** @type {(name: string, src: string) => Promise<BookColumn[] | null>} */
const loaded = (name, src) =>
  new Promise((load) => {
    const take = (/** @type {Event} */ event) => load(/** @type {CustomEvent} */ (event).detail);
    document.addEventListener(`dtb-table ${name}`, take, { once: true });
    document.head.append(make("script", { src, error: () => load(null) }));
  });

export async function openFile(/** @type {Lab} */ lab, /** @type {File | undefined} */ file) {
  if (!file) return;
  if (file.size > LARGEST)
    return openTable(lab, "x".repeat(LARGEST + 1), file.name, { encoding: "" });
  lab.say(`Reading ${file.name} …`);
  const { text, encoding } = decoded(await file.arrayBuffer());
  if (file.size > LARGEST / 10) await new Promise((read) => setTimeout(read, 50));
  openTable(lab, text, file.name, { encoding });
}
