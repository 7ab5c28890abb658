// The tables of the package as the scripts read them: columns of codes, the last one the class.

const FOLDER = new URL("../../dtreebook/", import.meta.url);

export function read(name) {
  const text = Deno.readTextFileSync(new URL(`${name}.csv`, FOLDER));
  const [names, ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const all = names.map((_, a) => rows.map((row) => row[a]));
  const levels = all.map((column) => [...new Set(column)].sort());
  const codes = all.map((column, a) => column.map((word) => levels[a].indexOf(word)));
  const attributes = names.map((of, a) => ({ name: of, kind: "nominal", levels: levels[a] }));
  return {
    attributes: attributes.slice(0, -1),
    columns: codes.slice(0, -1),
    target: codes.at(-1),
    classes: levels.at(-1),
    weight: null,
  };
}

// How many cases of each class have each value of a column.
export function counted({ columns, target, classes, attributes }, a) {
  const table = attributes[a].levels.map(() => classes.map(() => 0));
  columns[a].forEach((value, i) => table[value][target[i]]++);
  return table;
}

// The values of one case, as a tree is asked about it.
export const caseOf = ({ columns }, i) => columns.map((column) => column[i]);
