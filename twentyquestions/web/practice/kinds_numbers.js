// Exercises with numbers: where to cut them, what the choice of a cut costs, and trees of numbers.

import { as, kind, lineOf, minus, over, plus, shown, slip, times } from "./calculation.js";
import { countsOf, most } from "../kit/counts.js";
import { grownOn, numericCases } from "../kit/regions.js";
import { ascending, fixed, informationGain, majority, sum } from "../algorithms/measures.js";
import { classesOf, columnsOf, numbersOf, STORIES } from "./samples.js";
import { entropyOf, fallOf, fallSlips, plainMean } from "./usualsums.js";

/** Numbers with two classes, in order. @param {Random} random @param {number} n */
function numbersWithClasses(random, n) {
  const story = random.one(STORIES);
  const [name, range] = random.one(Object.entries(story.numeric));
  const values = numbersOf(random, range, n);
  const target = classesOf(random, story, n, 2);
  if (!target || values.length < n) return null;
  return { story, name, values, target };
}

/** @param {string[]} target @param {string[]} classes @param {number} i */
export const twoPiles = (target, classes, i) =>
  [target.slice(0, i), target.slice(i)].map((part) => countsOf(part, classes));

const cut = kind("The best cut", 1, "c45_thresholds", (random) => {
  const n = 8;
  const drawn = numbersWithClasses(random, n);
  if (!drawn) return null;
  const { story, name, values, target } = drawn;
  const middle = (/** @type {number} */ i) => (values[i - 1] + values[i]) / 2;
  const places = values.map((_, i) => i).filter((i) => i > 0 && target[i] !== target[i - 1]);
  if (places.length < 2 || places.length > 4) return null;
  const piles = places.map((i) => twoPiles(target, story.classes, i));
  const gains = piles.map((table) => informationGain(table));
  /** @param {number[]} v @param {number} [apart] */
  const best = (v, apart) => most(places.map(middle), v, apart);
  if (!best(gains, 0.04)) return null;
  const end = places.length;
  return {
    table: columnsOf([name, story.target], [values, target], 1),
    data: { values, target },
    question: `${story.asks} Where does the cut of ${name} with the most gain lie?`,
    picture: "cuts",
    cuts: places.map(middle),
    lines: [
      ...places.map((i, p) =>
        lineOf(`Gain of the cut at ${middle(i)}: ${i} and ${n - i} people`, fallOf(piles[p])),
      ),
      lineOf("The best cut, where the gain is largest", (v) => as(best(v)), places.map(middle)),
    ],
    slips: [
      slip("halves", end, as(middle(n / 2))),
      slip("middle of the range", end, as((values[0] + values[n - 1]) / 2)),
      slip("value for middle", end, as(values.findLast((one) => one < Number(best(gains))))),
      slip("value for middle", end, as(values.find((one) => one > Number(best(gains))))),
      ...fallSlips(piles, 0, entropyOf, ["natural logarithm", "Gini for entropy"]),
    ],
  };
});

const penalty = kind("C4.5's penalty for cuts", 1, "c45_thresholds", (random) => {
  const n = random.whole(8, 12);
  const drawn = numbersWithClasses(random, n);
  if (!drawn) return null;
  const { story, name, values, target } = drawn;
  const gains = values.map((_, i) =>
    i < 2 || i > n - 2 ? -1 : informationGain(twoPiles(target, story.classes, i)),
  );
  const i = majority(gains);
  const number = n - 3;
  if (gains[i] - Math.log2(n - 1) / n < 0.05) return null;
  const piles = twoPiles(target, story.classes, i);
  return {
    table: columnsOf([name, story.target], [values, target], 1),
    data: { values, target },
    question: `C4.5 requires two people or more on each side of a cut. Its best cut here separates the ${i} lowest from the others, and gains ${fixed(gains[i], 3)} bits. How much is left once the penalty for the choice among the cuts is subtracted?`,
    lines: [
      lineOf(
        `Gain of the cut: ${piles.map((row) => row.join(" and ")).join(" against ")}`,
        fallOf(piles),
      ),
      lineOf("Admissible cuts: all but those at the ends", [`${n} − 1 − 2`, number]),
      lineOf("Penalty", (v) => [`(log₂ ${v[1]}) / ${n}`, Math.log2(v[1]) / n]),
      lineOf("Left", (v) => minus(v[0], v[2])),
    ],
    slips: [
      slip("ends counted", 1, minus(n, 1)),
      slip("cases for cuts", 2, [`(log₂ ${n}) / ${n}`, Math.log2(n) / n]),
      slip("penalty forgotten", 3, (v) => as(v[0])),
      slip("penalty added", 3, (v) => plus([v[0], v[2]])),
      slip("natural logarithm", 2, (v) => [`(ln ${v[1]}) / ${n}`, Math.log(v[1]) / n]),
      slip("not shared by the cases", 2, (v) => [`log₂ ${v[1]}`, Math.log2(v[1])]),
    ],
  };
});

/** @type {(parts: Sum<number>) => Sum<number>} */
const squared = ([how, value, printed = value]) => [`(${how})²`, value ** 2, printed ** 2];
const squares = (/** @type {number[]} */ numbers, /** @type {number} */ mean) =>
  plus(numbers.map((y) => squared(minus(y, mean))));
const median = (/** @type {number[]} */ numbers) => {
  const order = ascending(numbers);
  return plainMean(order.slice((order.length - 1) / 2, order.length / 2 + 1));
};

/** A few points, and the cut that CART makes among them. @param {Random} random @param {number} n */
export function points(random, n) {
  const x = ascending(random.shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, n));
  const y = x.map(() => random.whole(1, 12));
  const grown = grownOn(numericCases(["x"], [x], y), { maxDepth: 1 });
  const { split, children } = grown.nodes[0];
  if (!split) return null;
  const { cut } = split;
  const below = y.filter((_, i) => x[i] <= cut);
  const above = y.filter((_, i) => x[i] > cut);
  /** A cut as good on the other side of a neighbour would be a tie. @param {number} i */
  const score = (i) => {
    const [one, other] = [y.slice(0, i), y.slice(i)];
    return sum(one) ** 2 / i + sum(other) ** 2 / (n - i);
  };
  const scores = x.map((_, i) => (i ? score(i) : -Infinity)).sort((a, b) => b - a);
  if (scores[0] - scores[1] < 1 || below.length === above.length) return null;
  return { x, y, cut, below, above, nodes: children.map((c) => grown.nodes[c]) };
}

const regression = kind("A cut for numbers", 2, "cart_regression", (random) => {
  const p = points(random, 5);
  if (!p) return null;
  const { x, y, cut, below, above } = p;
  return {
    table: columnsOf(["x", "y"], [x, y]),
    data: { x, y },
    question: `CART cuts at ${shown(cut)}. By how much does this lower the sum of squared errors?`,
    lines: [
      lineOf("Mean of all", plainMean(y)),
      lineOf("Squared errors around it", (v) => squares(y, v[0])),
      lineOf(`Mean up to ${shown(cut)}`, plainMean(below)),
      lineOf(`Mean above ${shown(cut)}`, plainMean(above)),
      lineOf("Squared errors below the cut", (v) => squares(below, v[2])),
      lineOf("Squared errors above the cut", (v) => squares(above, v[3])),
      lineOf("Lower by", (v) => minus(v[1], v[4], v[5])),
    ],
    slips: [
      slip("median for mean", [0, 2, 3], (_, i) => median([y, y, below, above][i])),
      slip("mean for sum", [1, 4, 5], (v, i) => {
        const at = [1, 4, 5].indexOf(i);
        const side = [y, below, above][at];
        return over(squares(side, [v[0], v[2], v[3]][at]), side.length);
      }),
      slip("old mean kept", [4, 5], (v, i) => squares(i === 4 ? below : above, v[0])),
      slip("left for gained", 6, (v) => plus([v[4], v[5]])),
      slip("mean for sum", 6, (v) => minus(v[1], over(plus([v[4], v[5]]), 2))),
    ],
  };
});

const boosting = kind("A round of boosting", 4, "boosting", (random) => {
  const p = points(random, 6);
  if (!p) return null;
  const { x, y, cut, below, above } = p;
  const rate = random.one([0.1, 0.2, 0.5]);
  const at = random.one(x);
  const side = at <= cut ? below : above;
  const where = at <= cut ? `up to ${shown(cut)}` : `above ${shown(cut)}`;
  const rest = (/** @type {number[]} */ v) => side.map((one) => one - v[0]);
  return {
    table: columnsOf(["x", "y"], [x, y]),
    data: { x, y, rate, at },
    question: `Boosting begins with the mean. Its first tree cuts at ${shown(cut)}, and ${rate} of its prediction is added. What is then predicted for x = ${at}?`,
    lines: [
      lineOf("Mean of all", plainMean(y)),
      lineOf(`Mean of what is left, ${where}`, (v) => plainMean(rest(v))),
      lineOf(`Prediction at x = ${at}`, (v) => plus([v[0], times(rate, v[1])])),
    ],
    slips: [
      slip("median for mean", [0, 1], (v, i) => median(i ? rest(v) : y)),
      slip("numbers for what is left", 1, plainMean(side)),
      slip("rate forgotten", 2, plus),
      slip("start forgotten", 2, (v) => times(rate, v[1])),
      slip("sign turned round", 2, (v) => minus(v[0], times(rate, v[1]))),
    ],
  };
});

export const NUMBERS = { cut, penalty, regression, boosting };
