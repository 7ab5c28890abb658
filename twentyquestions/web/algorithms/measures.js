// The formulas of the book, equal to dtreebook/measures.py. `counts` is a list of weights by class,
// a `table` a list of such rows, one for each value.

// Scores closer than this are tied, and the first wins: the last digits are rounding.
export const TIE = 1e-12;

export const sum = (/** @type {Numbers} */ numbers) => {
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += numbers[i];
  return total;
};

/** Where the most are, of equals the first. @param {number[]} amounts */
export const majority = (amounts) => amounts.indexOf(Math.max(...amounts));

/** The same, of amounts that may be off by rounding. @param {number[]} amounts */
export function firstOf(amounts) {
  const most = Math.max(...amounts) - TIE;
  return amounts.findIndex((amount) => amount >= most);
}

/** In order, the least first. @param {Iterable<number>} numbers */
export const ascending = (numbers) => [...numbers].sort((one, other) => one - other);

/** @param {number[][]} table */
export const columnSums = (table) => table[0].map((_, k) => sum(table.map((row) => row[k])));

// n log2 n, and 0 for 0. Whole numbers come so often that they are looked up.
const WHOLE = Float64Array.from({ length: 4096 }, (_, n) => n * Math.log2(n || 1));
export const nLogN = (/** @type {number} */ n) => WHOLE[n] ?? (n > 0 ? n * Math.log2(n) : 0);

/** H = log2 n - (sum_k n_k log2 n_k) / n, in bits. @param {number[]} counts */
export function entropy(counts) {
  const n = sum(counts);
  if (!(n > 0)) return 0;
  let bits = nLogN(n);
  for (let k = 0; k < counts.length; k++) bits -= nLogN(counts[k]);
  return Math.max(bits, 0) / n;
}

/** 1 - sum_k p_k^2: how often two cases drawn from the node differ. @param {number[]} counts */
export function gini(counts) {
  const n = sum(counts);
  return n > 0 ? 1 - sum(counts.map((c) => (c / n) ** 2)) : 0;
}

/** 1 - max_k p_k: how often the commonest class is wrong. @param {number[]} counts */
export function misclassification(counts) {
  const n = sum(counts);
  return n > 0 ? 1 - Math.max(...counts) / n : 0;
}

// By how much a question lowers an impurity; cases whose answer is unknown gain nothing.
/** @param {number[][]} table @param {Impurity} impurity */
export function gain(table, impurity, unknown = 0) {
  const known = sum(table.map(sum));
  if (!(known > 0)) return 0;
  const left = sum(table.map((row) => sum(row) * impurity(row))) / known;
  return ((impurity(columnSums(table)) - left) * known) / (known + unknown);
}

/** @param {number[][]} table */
export const informationGain = (table, unknown = 0) => gain(table, entropy, unknown);

/** The entropy of the answers themselves; "unknown" is an answer, too. @param {number[][]} table */
export const splitInformation = (table, unknown = 0) => entropy([...table.map(sum), unknown]);

export const gainRatio = (/** @type {number[][]} */ table, /** @type {number} */ unknown = 0) =>
  informationGain(table, unknown) / splitInformation(table, unknown);

// The errors that C4.5 expects of a leaf beyond those it makes on its training cases
// (dtreebook.prune.error_limits): without an error the exact N (1 - CF^(1/N)), from one on Wilson's
// limit for E + 1/2, in between a line from one to the other.
const CONFIDENCE = [0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1];
const DEVIATION = [4, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0];

/** @param {number} errors @param {number} weight */
export function extraErrors(errors, weight, confidence = 0.25) {
  if (!(weight > 0)) return 0;
  const found = CONFIDENCE.findIndex((c) => c >= confidence),
    i = Math.max(found, 1);
  const along = (confidence - CONFIDENCE[i - 1]) / (CONFIDENCE[i] - CONFIDENCE[i - 1]);
  const z2 = (DEVIATION[i - 1] + along * (DEVIATION[i] - DEVIATION[i - 1])) ** 2;
  const fromOneOn = (/** @type {number} */ some) => {
    const e = some + 0.5;
    if (e >= weight * (1 - TIE)) return 0.67 * (weight - some);
    const spread = Math.sqrt(z2 * Math.max(e * (1 - e / weight) + z2 / 4, 0));
    return ((e + z2 / 2 + spread) / (weight + z2)) * weight - some;
  };
  if (errors >= 0.9999) return fromOneOn(errors);
  const none = weight * (1 - confidence ** (1 / weight));
  return errors < 1e-6 ? none : none + errors * (fromOneOn(1) - none);
}

// The errors to expect of a leaf in as many new cases.
export function leafErrors(/** @type {number[]} */ counts, /** @type {number} */ confidence) {
  const weight = sum(counts);
  const wrong = weight - Math.max(...counts);
  return wrong + extraErrors(wrong, weight, confidence);
}

// A number with so many digits behind the point, rounded as Python does: a tie goes to the even
// digit.
export function fixed(/** @type {number} */ number, /** @type {number} */ digits) {
  const shifted = number * 10 ** digits;
  const isTie = Number.isInteger(number * 2 ** (digits + 1)) && Math.abs(shifted % 1) === 0.5;
  return (isTie ? (2 * Math.round(shifted / 2)) / 10 ** digits : number).toFixed(digits);
}
