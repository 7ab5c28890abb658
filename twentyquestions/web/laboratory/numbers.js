// How the numbers of a column are written: what stands before the decimals, and what parts the
// thousands. "1,200" is twelve hundred to some and a little more than one to others: what cannot be
// told from a column is taken from the others of its table, and a reader may say otherwise.

// Ways to write a number, each with 1234.5 as its example and the signs as patterns.
export const WAYS = [
  ["1234.5", "\\.", ""],
  ["1234,5", ",", ""],
  ["1,234.5", "\\.", ","],
  ["1.234,5", ",", "\\."],
  ["1 234.5", "\\.", "\\s"],
  ["1 234,5", ",", "\\s"],
  ["1'234.5", "\\.", "['’]"],
].map(([example, point, group]) => ({
  example,
  hasComma: point === ",",
  group,
  pattern: new RegExp(
    `^[+-]?(?:(?:\\d+${group && `|[1-9]\\d{0,2}(?:${group}\\d{3})+`})(?:${point}\\d*)?|${point}\\d+)(?:e[+-]?\\d+)?$`,
    "i",
  ),
}));

const DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[T ].*)?$/;
export const areDates = (/** @type {string[]} */ values) =>
  values.length > 0 && values.every((value) => DATE.test(value.trim()));

// The number that a field holds when it is read in one way; NaN if it is none.
/** @param {string} field @param {Way} about */
export function numberOf(field, { pattern, group, hasComma }) {
  const text = field.trim();
  if (!pattern.test(text)) return NaN;
  const plain = group ? text.replace(new RegExp(group, "g"), "") : text;
  return Number(hasComma ? plain.replace(",", ".") : plain);
}

// Read a column of a table in one way.
export function readIn(/** @type {Column} */ column, /** @type {Way | null} */ way) {
  column.way = way;
  column.numbers = way ? column.values.map((value) => numberOf(value, way)) : [];
}

// The ways that read all of some fields as numbers, those that read other numbers.
function waysOf(/** @type {string[]} */ values) {
  const /** @type {Map<string, Way>} */ found = new Map();
  for (const way of values.length ? WAYS : [])
    if (values.every((value) => way.pattern.test(value.trim()))) {
      const numbers = values.map((value) => numberOf(value, way)).join();
      if (!found.has(numbers)) found.set(numbers, way);
    }
  return [...found.values()];
}

// How columns are read, given the different fields that each has told and the separator of the table:
// { way, ways, isDoubtful } for each, the way null if they are no numbers.
export function readings(/** @type {string[][]} */ columns, /** @type {string} */ separator) {
  const all = columns.map(waysOf);
  const sure = all.filter((ways, i) => ways.length === 1 && columns[i].some((v) => /[.,]/.test(v)));
  const commas = sure.some(([way]) => way.hasComma),
    points = sure.some(([way]) => !way.hasComma);
  // A comma that separates fields is seldom a decimal one as well.
  const wanted = commas !== points ? commas : separator !== ",";
  return all.map((ways, i) => {
    const isOfCommas = columns[i].some((value) => value.includes(","));
    const wantsComma = (isOfCommas || commas !== points) && wanted;
    const way = ways.find(({ hasComma }) => hasComma === wantsComma) ?? ways[0] ?? null;
    return { way, ways, isDoubtful: ways.length > 1 && commas === points };
  });
}
