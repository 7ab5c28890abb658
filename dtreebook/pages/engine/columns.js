// The columns of a table: what each is, how it was read, and which one is the answer.

import { make } from "./draw.js";
import { numberOf, readIn } from "./numbers.js";
import { newName } from "./reach.js";
import { rowOf, sheetOf } from "./sheets.js";

const KINDS = { number: "a number", category: "a category", out: "left out" };
const HEADS = ["column", "answer", "is", "read as", "values", "blanks"];

// A choice of one of some [value, words]; `take` is given its place.
function choice(label, options, at, take) {
  const option = ([value, words], i) =>
    make("option", { value, selected: i === at || null }, words);
  const select = make(
    "select",
    { "aria-label": label, change: () => take(select.selectedIndex) },
    options.map(option),
  );
  return select;
}

export function showColumns(lab) {
  const { state, parts } = lab,
    { columns } = state.table,
    name = newName();
  const changed = () => (lab.showHow(), lab.soon());
  const row = (column) => {
    const kinds = Object.entries(KINDS).filter(([kind]) => kind !== "number" || column.isNumber),
      place = () => kinds.findIndex(([kind]) => kind === column.kind);
    const select = choice(
      `${column.name} is`,
      kinds,
      place(),
      (i) => ((column.kind = kinds[i][0]), changed()),
    );
    const change = () => {
      state.answer = column.name;
      if (column.kind === "out") column.kind = column.isNumber ? "number" : "category";
      select.selectedIndex = place();
      changed();
    };
    const checked = column.name === state.answer || null;
    const answer = make("input", {
      type: "radio",
      name,
      "aria-label": `${column.name} is the answer`,
      checked,
      change,
    });
    return rowOf(column.name, [
      answer,
      select,
      readAs(lab, column),
      column.levels.length,
      column.blanks,
    ]);
  };
  const doubtful = columns.filter(({ isDoubtful }) => isDoubtful).map((one) => one.name);
  const words = `The numbers of ${doubtful.join(", ")} can be read in more than one way. Is the right one chosen below?`;
  parts.columns.replaceChildren(
    doubtful.length ? make("p", { class: "dtb-error" }, words) : "",
    sheetOf("The columns", HEADS, columns.map(row)),
  );
}

// How a column is read: in words, or a choice between the ways that its numbers can be read in.
function readAs(lab, one) {
  if (one.isDate) return "dates: give a year, or days, as a number";
  if (one.isName) return "names, another in each row";
  if (!one.isNumber) return one.levels.length ? "words" : "nothing";
  const { ways, way } = one;
  if (ways.length === 1)
    return way.example === "1234.5" ? "numbers" : `numbers like ${way.example}`;
  const differs = one.levels.find(
    (level) => new Set(ways.map((by) => numberOf(level, by))).size > 1,
  );
  const options = ways.map((by, i) => [i, `${differs} = ${numberOf(differs, by)}`]);
  return choice(
    `${one.name} is read as`,
    options,
    ways.indexOf(way),
    (i) => (readIn(one, ways[i]), lab.soon()),
  );
}
