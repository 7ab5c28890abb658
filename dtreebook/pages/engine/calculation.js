// An exercise is a short calculation: lines of words, each with a value that may use those of the
// lines above it. Somebody with a misconception writes one of the lines otherwise, and reckons on
// rightly from there: that is a slip. The right answer, the wrong ones and every form of an exercise
// follow from the two.
//
// A kind of exercise belongs to a part of the book and to a page, and `draw(random)` gives one, or null.
// A line says what is worked out; its `calc(values)` is [how, value], the sum in signs and what it
// gives, a number or one of some options; and what it gives with its numbers as they are printed, if
// not all of them come from `values`. A slip has the places of the lines that it changes; if it
// gives a value alone, its line reads as the right one does.

import { columnSums, entropy, gini, misclassification, sum } from "./measures.js";

/**
 * @param {Line["says"]} says @param {Calc} calc @param {Answer[] | null} [options] @returns {Line}
 */
export const line = (says, calc, options = null) => ({ says, calc, options });
/** @param {string} title @param {number} part @param {string} page @param {Kind["draw"]} draw */
export const kind = (title, part, page, draw) => ({ title, part, page, draw });
/** @param {string} name @param {number | number[]} at @param {SlipLine["calc"]} calc */
export const slip = (name, at, calc) => ({ name, at: [at].flat(), calc });

// A number as it is printed: three digits after the point at most.
/** @type {(value: Answer | null | undefined) => string} */
export const shown = (value) =>
  typeof value === "number"
    ? String(Number(value.toFixed(3)) + 0).replace("-", "−")
    : String(value);

/** @type {(value: number) => number} */
export const rounded = (value) => Number(value.toFixed(3));

// A number inside a sum.
/** @param {number} value */
export const term = (value) => (value < 0 ? `(${shown(value)})` : shown(value));

// A sum and what joins it to its value: "=" only if nothing was rounded on the way.
/** @param {Step} about */
export function joined({ how, value, printed }) {
  if (how === shown(value)) return ""; // a number alone
  if (typeof value === "string" || /[a-z]{4}/.test(how)) return `${how}:`;
  const isExact = [rounded(value), printed].every((one) => Math.abs(value - Number(one)) < 1e-9);
  return `${how} ${isExact ? "=" : "≈"}`;
}
/** @param {Step} step */
export const sumOf = (step) => `${joined(step)} ${shown(step.value)}`.trim();

// Whether who reckons with the numbers of a line as they are printed gets what is printed.
/** @param {Step} step */
export const isTrue = ({ value, printed }) =>
  typeof value === "number"
    ? Math.abs(rounded(value) - Number(printed)) < 0.000501
    : value === printed;

// The calculation, as it is right or with a slip.
/** @param {Line[]} lines @param {Omit<SlipLine, "name">} [wrong] @returns {Step[]} */
export function worked(lines, wrong) {
  /** @type {never[]} */
  const values = [];
  return lines.map(({ says, calc }, i) => {
    /** @param {never[]} from */
    const found = (from) => {
      const sum = calc(from, i);
      const other = wrong?.at.includes(i) ? wrong.calc(from, i) : sum;
      return Array.isArray(other) ? other : [sum[0], other];
    };
    const [how, value] = found(values);
    const asPrinted = values.map((one) => (typeof one === "number" ? rounded(one) : one));
    const [, again, printed = again] = found(/** @type {never[]} */ (asPrinted));
    const step = {
      says: typeof says === "string" ? says : says(values),
      how: String(how),
      value: /** @type {Answer} */ (value),
      printed: /** @type {Answer} */ (printed),
    };
    values.push(/** @type {never} */ (value));
    return step;
  });
}

// --- sums that many kinds need, as [how, value] -----------------------------------------------------

/** @param {number} count @param {number} n */
const shareOf = (count, n) => `${shown(count)}/${shown(n)}`;
/** @param {number[]} counts */
const present = (counts) => counts.filter((count) => count > 0);

// An entropy in bits, or in another unit.
/** @param {number[]} counts @param {string} [log] @param {number} [unit] @returns {Sum<number>} */
export function entropyOf(counts, log = "log₂", unit = 1) {
  const n = sum(counts);
  const how = present(counts).map((c) => `${shareOf(c, n)} · ${log} ${shareOf(n, c)}`);
  return [how.join(" + "), entropy(counts) * unit];
}

/** @param {number[]} counts @returns {Sum<number>} */
export const giniOf = (counts) => {
  const n = sum(counts);
  return [`1 − ${counts.map((c) => `(${shareOf(c, n)})²`).join(" − ")}`, gini(counts)];
};

// What is taken for a measure of impurity, by the name of the slip.
/** @type {Record<string, (counts: number[]) => Sum<number>>} */
const TAKEN = {
  "natural logarithm": (counts) => entropyOf(counts, "ln", Math.LN2),
  "Gini for entropy": giniOf,
  "entropy for Gini": (counts) => entropyOf(counts),
  "share missed": (counts) => [
    `1 − ${shareOf(Math.max(...counts), sum(counts))}`,
    misclassification(counts),
  ],
  "squares not taken from one": (counts) => {
    const squares = counts.map((c) => `(${shareOf(c, sum(counts))})²`);
    return [squares.join(" + "), 1 - gini(counts)];
  },
};

// Slips in lines that are the impurities of some counts, from one of the lines on.
/** @param {string[]} names @param {number[][]} piles @param {number} [from] */
export const taken = (names, piles, from = 0) =>
  names.map((name) =>
    slip(
      name,
      piles.map((_, i) => from + i),
      (_, i) => TAKEN[name](piles[i - from]),
    ),
  );

// The mean of some values, each weighing as much as its cases.
/** @param {number[]} sizes @param {number[]} values @returns {Sum<number>} */
export function weighted(sizes, values) {
  const n = sum(sizes);
  return [
    sizes.map((size, i) => `${shareOf(size, n)} · ${shown(values[i])}`).join(" + "),
    sum(sizes.map((size, i) => size * values[i])) / n,
  ];
}

/** @param {number[]} values @returns {Sum<number>} */
export const plainMean = (values) =>
  values.length === 1
    ? as(values[0])
    : [
        `(${values.map(term).join(" + ")}) / ${values.length}`,
        sum(values) / values.length,
        sum(values.map(rounded)) / values.length,
      ];

/** @param {unknown} _ @param {number[]} values @returns {Sum<number>} */
const evenly = (_, values) => plainMean(values);

// By how much a question lowers an impurity, in one line; and the slips in such lines.
/**
 * @param {number[][]} table @param {(counts: number[]) => Sum<number>} [measure]
 * @param {(sizes: number[], values: number[]) => Sum<number>} [mean]
 * @returns {Sum<number>}
 */
export function fallOf(table, measure = entropyOf, mean = weighted) {
  const [before, ...after] = [columnSums(table), ...table].map((counts) => measure(counts)[1]);
  const sizes = table.map(sum);
  const [how, left] = mean(sizes, after);
  const printed = rounded(before) - mean(sizes, after.map(rounded))[1];
  return [`${shown(before)} − (${how})`, before - left, printed];
}
/**
 * @param {number[][][]} tables @param {number} from
 * @param {(counts: number[]) => Sum<number>} right @param {string[]} wrong
 */
export const fallSlips = (tables, from, right, wrong) => {
  const places = tables.map((_, i) => from + i);
  return [
    slip("plain mean", places, (_, i) => fallOf(tables[i - from], right, evenly)),
    ...wrong.map((name) => slip(name, places, (_, i) => fallOf(tables[i - from], TAKEN[name]))),
  ];
};

/** @param {number} one @param {number} other @returns {Sum<number>} */
export const minus = (one, other) => [`${shown(one)} − ${term(other)}`, one - other];
/** @param {number} one @param {number} other @returns {Sum<number>} */
export const over = (one, other) => [
  `${shown(one)} / ${shown(other)}`,
  one / other,
  rounded(one) / rounded(other),
];
/** @param {number[]} values @returns {Sum<number>} */
export const plus = (values) => [values.map(term).join(" + "), sum(values)];

/**
 * @template {Answer | null | undefined} T
 * @param {T} value @returns {Sum<T>}
 */
export const as = (value) => [String(shown(value)), value];
// The share of the second class, and slips in lines that are such shares.
/** @param {number[]} counts */
export const shareIn = (counts) => over(counts[1], sum(counts));
/** @param {number[][]} leaves @param {number} [from] */
export const shareSlips = (leaves, from = 0) => {
  const places = leaves.map((_, i) => from + i);
  /** @param {number} i */
  const leaf = (i) => leaves[i - from];
  /** @param {number[]} about */
  const isMore = ([no, yes]) => Number(yes > no);
  return [
    slip("votes for shares", places, (_, i) => over(isMore(leaf(i)) * sum(leaf(i)), sum(leaf(i)))),
    slip("other class", places, (_, i) => over(leaf(i)[0], sum(leaf(i)))),
  ];
};

// The name with the largest number, or with the smallest; null if two come within a distance.
/**
 * @template {Answer} T
 * @param {T[]} names @param {number[]} numbers @param {number} [apart] @param {number} [sign]
 * @returns {T | null}
 */
export function most(names, numbers, apart = 0, sign = 1) {
  const order = numbers.map((_, i) => i).sort((i, j) => sign * (numbers[j] - numbers[i]));
  return sign * (numbers[order[0]] - numbers[order[1]]) > apart ? names[order[0]] : null;
}
/**
 * @template {Answer} T
 * @param {T[]} names @param {number[]} numbers @param {number} [apart]
 */
export const least = (names, numbers, apart) => most(names, numbers, apart, -1);

// How many cases of each value, by class: what a question divides.
/**
 * @param {string[]} column @param {string[]} target @param {string[]} values
 * @param {string[]} classes
 */
export const crossed = (column, target, values, classes) =>
  values.map((value) =>
    countsOf(
      target.filter((_, i) => column[i] === value),
      classes,
    ),
  );

/** @param {string[]} target @param {string[]} classes */
export const countsOf = (target, classes) =>
  classes.map((name) => target.filter((label) => label === name).length);
// How many are wrong if each pile answers by its majority.
/** @param {number[][]} table */
export const mistakes = (table) => sum(table.map((row) => sum(row) * misclassification(row)));

// Words for a pile: "stays 2, comes 4".
/** @param {number[]} counts @param {string[]} classes */
export const few = (counts, classes) =>
  counts.map((count, k) => `${classes[k]} ${count}`).join(", ");
