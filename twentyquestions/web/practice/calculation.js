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

/** @template T @param {Calc<T> | T} calc @returns {Calc<T>} */
const reckoned = (calc) =>
  typeof calc === "function" ? /** @type {Calc<T>} */ (calc) : () => calc;
/** @param {Line["says"]} says @param {Calc | Sum} calc @param {Answer[] | null} [options] */
export const lineOf = (says, calc, options = null) => ({ says, calc: reckoned(calc), options });
/** @param {string} title @param {number} part @param {string} page @param {Kind["draw"]} draw */
export const kind = (title, part, page, draw) => ({ title, part, page, draw });
/** @param {string} name @param {number | number[]} at @param {Slipped | Calc<Slipped>} calc */
export const slip = (name, at, calc) => ({ name, at: [at].flat(), calc: reckoned(calc) });
// The same in a line for each of some items, from one of the lines on.
/** @template T @param {string} name @param {number} from @param {T[]} items @param {(item: T) => Slipped} calc */
export const slipEach = (name, from, items, calc) => {
  const at = items.map((_, i) => from + i);
  return slip(name, at, (_, i) => calc(items[i - from]));
};

// A number as it is printed: three digits after the point at most.
/** @type {(value: Answer | null | undefined) => string} */
export const shown = (value) =>
  typeof value === "number"
    ? String(Number(value.toFixed(3)) + 0).replace("-", "−")
    : String(value);

/** @type {(value: number) => number} */
export const rounded = (value) => Number(value.toFixed(3));

/** A sum and what joins it to its value: "=" only if nothing was rounded on the way. @param {Step} about */
export function joined({ how, value, printed }) {
  if (how === shown(value)) return ""; // a number alone
  if (typeof value === "string" || /[a-z]{4}/.test(how)) return `${how}:`;
  const isExact = [rounded(value), printed].every((one) => Math.abs(value - Number(one)) < 1e-9);
  return `${how} ${isExact ? "=" : "≈"}`;
}
export const sumOf = (/** @type {Step} */ step) => `${joined(step)} ${shown(step.value)}`.trim();

/** Two answers compared: numbers as it is said, words as they are. @type {(isNear: (one: number, other: number) => boolean) => (one: Answer, other: Answer) => boolean} */
export const either = (isNear) => (one, other) =>
  typeof other === "number" ? isNear(Number(one), other) : one === other;

// Whether who reckons with the numbers of a line as they are printed gets what is printed.
const isAsPrinted = either((printed, value) => Math.abs(rounded(value) - printed) < 0.000501);
export const isTrue = (/** @type {Step} */ { value, printed }) => isAsPrinted(printed, value);

// The calculation, as it is right or with a slip.
/** @param {Line[]} lines @param {Omit<SlipLine, "name">} [wrong] */
export function worked(lines, wrong) {
  const /** @type {never[]} */ values = [];
  return lines.map(({ says, calc }, i) => {
    const found = (/** @type {never[]} */ from) => {
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

// --- plain sums, as [how, value] ---------------------------------------------------------------------

// A sign between numbers, or sums: in brackets stand negative numbers, and sums from a place on.
const BRACKETS = /\((?:[^()]|\([^()]*\))*\)/g;
/** @type {(sign: string, from: number, reckon: (a: number, b: number) => number) => (...parts: Term[]) => Sum<number>} */
const joinedBy =
  (sign, from, reckon) =>
  (...parts) => {
    const said = parts.map((part, i) => {
      const how = typeof part === "number" ? shown(part) : String(part[0]);
      return (i && how[0] === "−") || (i >= from && / [+−] /.test(how.replace(BRACKETS, "")))
        ? `(${how})`
        : how;
    });
    const of = (/** @type {1 | 2} */ at) => {
      const values = parts.map((part) =>
        typeof part === "number" ? [0, part, rounded(part)][at] : (part[at] ?? part[1]),
      );
      return values.reduce(reckon);
    };
    return [said.join(` ${sign} `), of(1), of(2)];
  };
const added = joinedBy("+", Infinity, (one, other) => one + other);
export const minus = joinedBy("−", 1, (one, other) => one - other);
export const times = joinedBy("·", 0, (one, other) => one * other);
export const over = joinedBy("/", 0, (one, other) => one / other);
export const plus = (/** @type {Term[]} */ parts) => added(...parts);

/** @template {Answer | null | undefined} T @param {T} value @returns {Sum<T>} */
export const as = (value) => [String(shown(value)), value];
