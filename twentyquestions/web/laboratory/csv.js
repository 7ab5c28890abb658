// Reading a table from text: commas, semicolons, tabs or bars between the fields, quotes, a byte order
// mark. A bad file is told where and why, as an Error with the line.

import { areDates, readIn, readings } from "./numbers.js";
import { some } from "../kit/words.js";

export const BLANK = new Set(["", "?", "NA", "NaN", "null"]);
export const LARGEST = 10e6; // bytes

// A file's bytes as text: UTF-8, or the old encoding of Western Europe if they are none.
export function decoded(/** @type {BufferSource} */ bytes) {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8-sig" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "cp1252" };
  }
}

// The separator that cuts the first lines into the same number of fields, the more the better.
function separatorOf(/** @type {string} */ source) {
  const head = source
    .slice(0, 20000)
    .replace(/"[^"]*"/g, "q")
    .split(/\r\n|\r|\n/)
    .filter((row) => row.trim())
    .slice(0, 20);
  if (source.length > 20000 && head[1]) head.pop();
  let best = ",",
    most = 0;
  for (const separator of [",", ";", "\t", "|"]) {
    const numbers = head.map((row) => row.split(separator).length - 1);
    const same = numbers.filter((n) => n === numbers[0]).length / (numbers.length || 1);
    // A comma may also stand in a number: of equals it is the last.
    const worth = numbers[0] ? same * 100 + (separator === "," ? 0 : Math.min(numbers[0], 50)) : 0;
    if (worth > most) [best, most] = [separator, worth];
  }
  return best;
}

// The fields of every row, and the line on which each row begins.
function fieldsOf(/** @type {string} */ source, /** @type {string} */ separator) {
  const cut = `\\${separator}`,
    plain = `[^${cut}\\r\\n]*`,
    quoted = `[^\\S\\r\\n${cut}]*"([^"]*(?:""[^"]*)*)"(${plain})`;
  const field = new RegExp(`(?:${quoted}|(${plain}))(${cut}|\\r\\n?|\\n|$)`, "y"),
    line = /([^"\r\n]+)(?:\r\n?|\n|$)/y; // without quotes it is cut at once
  const /** @type {string[][]} */ rows = [];
  const /** @type {number[]} */ lines = [];
  let /** @type {string[]} */ row = [];
  let number = 1,
    begin = 1;
  while (field.lastIndex < source.length || row.length) {
    line.lastIndex = field.lastIndex;
    const whole = row.length ? null : line.exec(source);
    if (whole) {
      row = whole[1].split(separator).map((words) => words.replace(/^ +/, ""));
      field.lastIndex = line.lastIndex;
    } else {
      const [, inside, behind, bare = "", end] = field.exec(source) ?? [];
      if (/^\s*"/.test(bare))
        throw new Error(`Line ${begin}: a quotation mark is opened and never closed.`);
      row.push(
        inside === undefined ? bare.replace(/^ +/, "") : inside.replaceAll('""', '"') + behind,
      );
      number += inside?.match(/\n/g)?.length ?? 0;
      if (end === separator) continue;
    }
    if (row.length > 1 || row[0] !== "") (rows.push(row), lines.push(begin));
    row = [];
    begin = number += 1;
  }
  return { rows, lines };
}

/** The table of a text. @param {string} source */
export function readTable(source) {
  if (source.length > LARGEST)
    throw new Error("The table is larger than 10 MB: take a part of its rows.");
  source = source.replace(/^\uFEFF/, "");
  if (!source.trim())
    throw new Error("The table is empty: give it a line of names and a line for each case.");
  // Windows has no such letters, and UTF-8 does not begin with them: zeros, and what stands for none.
  if (/[\0\x81\x8d\x8f\x90\x9d]/.test(source))
    throw new Error("This is not text in UTF-8: save the table as CSV in UTF-8 first.");
  const separator = separatorOf(source),
    { rows, lines } = fieldsOf(source, separator);
  const [head, ...body] = rows;
  if (head.length < 2)
    throw new Error(
      "Line 1: only one column was found. Separate the fields by commas, semicolons or tabs.",
    );
  if (!body.length) throw new Error("There is a line of names, but no case below it.");
  const names = head.map((name, i) => name.trim() || `column ${i + 1}`);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new Error(`Line 1: two columns are called "${twice}". Give each a name of its own.`);
  body.forEach((row, i) => {
    if (row.length !== head.length)
      throw new Error(
        `Line ${lines[i + 1]}: ${some(row.length, "field")}, but the first line names ${head.length} columns.`,
      );
  });
  const all = names.map((_, i) => body.map((row) => row[i]));
  const told = all.map((values) => [...new Set(values)].filter((value) => !BLANK.has(value)));
  const read = readings(told, separator);
  const columns = names.map((name, i) => ({
    name,
    kind: /** @type {const} */ ("category"),
    isName: false,
    values: all[i],
    numbers: [],
    ...read[i],
    isNumber: read[i].way !== null,
    isDate: areDates(told[i]),
    blanks: all[i].filter((value) => BLANK.has(value)).length,
    levels: told[i],
  }));
  for (const column of columns) readIn(column, column.way);
  return { names, columns, separator, n: body.length };
}
