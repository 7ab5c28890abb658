// An exercise is a short calculation: lines of words, each with a value that may use those of the
// lines above it. Somebody with a misconception writes one of the lines otherwise, and reckons on
// rightly from there: that is a slip. The right answer, the wrong ones and every form of an exercise
// follow from the two.
//
// A line says what is worked out; its `calc(values)` is [how, value], the sum in signs and what it
// gives, a number or one of some options. A slip has the places of the lines that it changes.

import { entropy, misclassification, sum } from "./measures.js";

export const line = (says, calc, options = null) => ({ says, calc, options });
export const slip = (name, at, calc) => ({ name, at: [].concat(at), calc });

// A number as it is printed: three digits after the point at most.
export const shown = (value) =>
  typeof value === "number" ? String(Number(value.toFixed(3)) + 0).replace("-", "−") : value;

// The calculation, as it is right or with a slip.
export function worked(lines, wrong) {
  const values = [];
  return lines.map(({ says, calc }, i) => {
    const [how, value] = (wrong?.at.includes(i) ? wrong.calc : calc)(values, i);
    values.push(value);
    return { says, how, value };
  });
}

// --- sums that many kinds need, as [how, value] -----------------------------------------------------

const shareOf = (count, n) => `${shown(count)}/${shown(n)}`;
const present = (counts) => counts.filter((count) => count > 0);

// An entropy in bits, or in another unit.
export function entropyOf(counts, log = "log₂", unit = 1) {
  const n = sum(counts);
  const how = present(counts).map((c) => `${shareOf(c, n)} · ${log} ${shareOf(n, c)}`);
  return [how.join(" + "), entropy(counts) * unit];
}

export const inNats = (counts) => entropyOf(counts, "ln", Math.LN2);

// The mean of some values, each weighing as much as its cases.
export function weighted(sizes, values) {
  const n = sum(sizes);
  return [
    sizes.map((size, i) => `${shareOf(size, n)} · ${shown(values[i])}`).join(" + "),
    sum(sizes.map((size, i) => size * values[i])) / n,
  ];
}

export const plainMean = (values) => [
  `(${values.map(shown).join(" + ")}) / ${values.length}`,
  sum(values) / values.length,
];

export const minus = (one, other) => [`${shown(one)} − ${shown(other)}`, one - other];
export const over = (one, other) => [`${shown(one)} / ${shown(other)}`, one / other];
export const plus = (values) => [values.map(shown).join(" + "), sum(values)];

export const as = (value) => [shown(value), value];
// The share of the second class.
export const shareIn = (counts) => over(counts[1], sum(counts));

// The name with the largest number, or with the smallest; null if two come within a distance.
export function most(names, numbers, apart = 0, sign = 1) {
  const order = numbers.map((_, i) => i).sort((i, j) => sign * (numbers[j] - numbers[i]));
  return sign * (numbers[order[0]] - numbers[order[1]]) > apart ? names[order[0]] : null;
}
export const least = (names, numbers, apart) => most(names, numbers, apart, -1);

// How many cases of each value, by class: what a question divides.
export const crossed = (column, target, values, classes) =>
  values.map((value) =>
    countsOf(
      target.filter((_, i) => column[i] === value),
      classes,
    ),
  );

export const countsOf = (target, classes) =>
  classes.map((name) => target.filter((label) => label === name).length);
// How many are wrong if each pile answers by its majority.
export const mistakes = (table) => sum(table.map((row) => sum(row) * misclassification(row)));

// Words for a pile: "stays 2, comes 4".
export const few = (counts, classes) =>
  counts.map((count, k) => `${classes[k]} ${count}`).join(", ");
