// The columns of a table: what each is, how it was read, and which one is the answer.

import { make } from "../kit/draw.js";
import { numberOf, readIn } from "./numbers.js";
import { WIDE } from "./outline.js";
import { folded, inRow } from "../kit/legends.js";
import { newName, select } from "../kit/reach.js";
import { rowOf, sheetOf } from "../kit/tables.js";
import { some } from "../kit/words.js";

/** @type {[Column["kind"], string][]} */
const KINDS = [
  ["number", "a number"],
  ["category", "a category"],
  ["out", "left out"],
];
const HEADS = ["answer", "column"];

export function showColumns(/** @type {Lab} */ lab) {
  const { state, parts } = lab,
    { columns } = state.table,
    name = newName();
  const heading = () => `${some(columns.length, "column")}; answer: ${state.answer}`;
  const changed = () => (lab.showHow(), lab.soon());
  const row = (/** @type {Column} */ column) => {
    const kinds = KINDS.filter(([kind]) => kind !== "number" || column.isNumber),
      place = () => kinds.findIndex(([kind]) => kind === column.kind);
    const turn = (/** @type {number} */ i) =>
      ((column.kind = kinds[i][0]), changed());
    const list = select(`${column.name} is`, kinds, place(), turn);
    const change = () => {
      state.answer = column.name;
      if (column.kind === "out") column.kind = column.isNumber ? "number" : "category";
      list.selectedIndex = place();
      /** @type {Element} */ (parts.columns.querySelector("summary")).textContent = heading();
      changed();
    };
    const checked = column.name === state.answer || null;
    const about = { type: "radio", name, "aria-label": `${column.name} is the answer` },
      answer = make("input", { ...about, checked, change });
    const { levels, blanks } = column;
    const words = `${some(levels.length, "value")}${blanks ? `, ${blanks} blank` : ""}: `;
    return rowOf(answer, [[inRow(column.name, list), make("div", words, readAs(lab, column))]]);
  };
  const isAnswer = (/** @type {Column} */ one) => Number(one.name === state.answer);
  const doubtful = columns.filter(({ isDoubtful }) => isDoubtful).map((one) => one.name);
  const words = `The numbers of ${doubtful.join(", ")} can be read in more than one way. Is the right one chosen below?`;
  const sorted = columns.toSorted((one, other) => isAnswer(other) - isAnswer(one));
  parts.columns.replaceChildren(
    doubtful.length ? make("p", { class: "dtb-error" }, words) : "",
    folded(
      heading(),
      !WIDE.matches || !state.book || doubtful.length > 0,
      sheetOf("The columns", HEADS, sorted.map(row)),
    ),
  );
}

// How a column is read: in words, or a choice between the ways that its numbers can be read in.
function readAs(/** @type {Lab} */ lab, /** @type {Column} */ one) {
  if (one.isDate) return "dates: give a year, or days, as a number";
  if (one.isName) return "names, nearly one for each row";
  const { ways, way } = one;
  if (!way) return one.levels.length ? "words" : "nothing";
  if (ways.length === 1)
    return way.example === "1234.5" ? "numbers" : `numbers like ${way.example}`;
  const differs =
    one.levels.find((level) => new Set(ways.map((by) => numberOf(level, by))).size > 1) ?? "";
  return select(
    `${one.name} is read as`,
    ways.map((by, i) => [i, `${differs} = ${numberOf(differs, by)}`]),
    ways.indexOf(way),
    (i) => (readIn(one, ways[i]), lab.soon()),
  );
}
