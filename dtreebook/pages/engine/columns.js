// The columns of a table: what each is, how it was read, and which one is the answer.

import { make } from "./draw.js";
import { numberOf, readIn } from "./numbers.js";
import { newName } from "./reach.js";
import { rowOf, sheetOf } from "./sheets.js";

export function showColumns(lab) {
  const { columns } = lab.state.table;
  const kinds = { number: "a number", category: "a category", out: "left out" },
    group = newName();
  const row = (column) => {
    const select = make(
      "select",
      {
        "aria-label": `${column.name} is`,
        change: () => ((column.kind = select.value), lab.showHow(), lab.soon()),
      },
      Object.entries(kinds)
        .filter(([kind]) => kind !== "number" || column.isNumber)
        .map(([kind, words]) =>
          make("option", { value: kind, selected: kind === column.kind || null }, words),
        ),
    );
    const answer = make("input", {
      type: "radio",
      name: group,
      "aria-label": `${column.name} is the answer`,
      checked: column.name === lab.state.answer || null,
      change: () => {
        lab.state.answer = column.name;
        if (column.kind === "out")
          column.kind = select.value = column.isNumber ? "number" : "category";
        lab.showHow();
        lab.soon();
      },
    });
    return rowOf(column.name, [answer, select, readAs(lab, column), column.levels.length, column.blanks]);
  };
  const heads = ["column", "answer", "is", "read as", "values", "blanks"];
  const doubtful = columns.filter(({ isDoubtful }) => isDoubtful).map(({ name }) => name);
  lab.parts.columns.replaceChildren(
    doubtful.length
      ? make(
          "p",
          { class: "dtb-error" },
          `The numbers of ${doubtful.join(", ")} can be read in more than one way. Is the right one chosen below?`,
        )
      : "",
    sheetOf("The columns", heads, columns.map(row)),
  );
}

// How a column is read: in words, or a choice between the ways that its numbers can be read in.
export function readAs(lab, one) {
  if (one.isDate) return "dates: give a year, or days, as a number";
  if (one.isName) return "names, another in each row";
  if (!one.isNumber) return one.levels.length ? "words" : "nothing";
  if (one.ways.length === 1)
    return one.way.example === "1234.5" ? "numbers" : `numbers like ${one.way.example}`;
  const differs = one.levels.find(
    (level) => new Set(one.ways.map((way) => numberOf(level, way))).size > 1,
  );
  const select = make(
    "select",
    {
      "aria-label": `${one.name} is read as`,
      change: () => {
        readIn(one, one.ways[select.selectedIndex]);
        lab.soon();
      },
    },
    one.ways.map((way) =>
      make(
        "option",
        { selected: way === one.way || null },
        `${differs} = ${numberOf(differs, way)}`,
      ),
    ),
  );
  return select;
}
