// Exercises on "Which question?": surprise, what an answer leaves open, what it tells.

import { as, kind, lineOf, minus, plus, slip, slipEach } from "./calculation.js";
import { crossed, few, least, mistakes, most } from "../kit/counts.js";
import { columnSums, informationGain, sum } from "../algorithms/measures.js";
import {
  classesOf,
  COLOURS,
  columnOf,
  columnsOf,
  peopleTable,
  somePeople,
  STORIES,
  tableOf,
} from "./samples.js";
import { entropyOf, fallOf, fallSlips, plainMean, taken, weighted } from "./usualsums.js";

/** Some people, one question, two classes: what the first kinds are about. @param {Random} random */
export function oneQuestion(random) {
  const n = random.whole(8, 12);
  const story = random.one(STORIES);
  const [name, values] = random.one(Object.entries(story.nominal));
  const target = classesOf(random, story, n);
  const column = columnOf(random, values, n);
  if (!target || !column) return null;
  const table = crossed(column, target, values, story.classes);
  const sizes = table.map(sum);
  const all = columnSums(table);
  return {
    story,
    name,
    values,
    classes: story.classes,
    counts: table,
    sizes,
    all,
    isEven: new Set(sizes).size === 1,
    shown: peopleTable({ [name]: column }, target, story.target),
    data: { columns: { [name]: column }, target },
  };
}

/** The piles of a question, as blocks. @param {NonNullable<ReturnType<typeof oneQuestion>>} about */
export const blocksIn = ({ values, sizes }) => values.map((name, v) => ({ name, wide: sizes[v] }));

/** How mixed all are, and the piles. @param {NonNullable<ReturnType<typeof oneQuestion>>} about */
export const mixedness = ({ all, counts, name, values, classes }, measure = entropyOf) => [
  lineOf(`All: ${few(all, classes)}`, measure(all)),
  ...counts.map((row, v) => lineOf(`${name} = ${values[v]}: ${few(row, classes)}`, measure(row))),
];

const FOR_BITS = ["natural logarithm", "Gini for entropy", "share missed"];

const surprise = kind("Surprise and entropy", 0, "entropy", (random) => {
  const colours = random.shuffled(COLOURS);
  const mixed = [0, 1, 2].map(() => random.whole(1, 9));
  const n = sum(mixed);
  /** @type {(count: number) => Sum<number>} */
  const bits = (count) => [`log₂ ${n}/${count}`, Math.log2(n / count)];
  if (n > 16 || new Set(mixed).size === 1) return null;
  return {
    table: columnsOf(["tile", "how many"], [colours, mixed]),
    data: { counts: mixed },
    question: "One tile is drawn. How surprising is its colour on average, in bits?",
    picture: "blocks",
    blocks: [...mixed.map((wide, i) => ({ name: colours[i], wide })), { name: "mean" }],
    lines: [
      ...mixed.map((count, i) => lineOf(`Surprise of ${colours[i]}`, bits(count))),
      lineOf("On average", (v) => weighted(mixed, v)),
    ],
    slips: [
      slipEach("natural logarithm", 0, mixed, (count) => [`ln ${n}/${count}`, Math.log(n / count)]),
      slipEach("counts for shares", 0, mixed, (count) => [`log₂ ${count}`, Math.log2(count)]),
      slipEach("base 10", 0, mixed, (count) => [`log₁₀ ${n}/${count}`, Math.log10(n / count)]),
      slip("plain mean", 3, plainMean),
      slip("sum for mean", 3, plus),
      slip("even shares", 3, ["log₂ 3", Math.log2(3)]),
    ],
  };
});

const left = kind("What an answer leaves open", 0, "entropy_answers", (random) => {
  const q = oneQuestion(random);
  if (!q || q.isEven) return null;
  const end = q.counts.length;
  return {
    table: q.shown,
    data: q.data,
    question: `${q.story.asks} How many bits are still open, on average, once “${q.name}” is known?`,
    picture: "blocks",
    blocks: [...blocksIn(q), { name: "left" }],
    lines: [...mixedness(q).slice(1), lineOf("Left open", (v) => weighted(q.sizes, v))],
    slips: [
      ...taken(FOR_BITS, q.counts),
      slip("plain mean", end, plainMean),
      slip("sum for mean", end, plus),
      slip("gained for left", end, fallOf(q.counts)),
    ],
  };
});

const gainKind = kind("Gain", 0, "id3", (random) => {
  const q = oneQuestion(random);
  if (!q || q.isEven) return null;
  const end = q.counts.length + 1;
  return {
    table: q.shown,
    data: q.data,
    question: `${q.story.asks} How many bits does the question “${q.name}” gain?`,
    picture: "blocks",
    blocks: [{ name: "all" }, ...blocksIn(q), { name: "left" }],
    lines: [
      ...mixedness(q),
      lineOf("Left open", (v) => weighted(q.sizes, v.slice(1))),
      lineOf("Gain", (v) => minus(v[0], v[end])),
    ],
    slips: [
      slip("plain mean", end, (v) => plainMean(v.slice(1))),
      slip("left for gained", end + 1, (v) => as(v[end])),
      slip("after minus before", end + 1, (v) => minus(v[end], v[0])),
      ...taken(FOR_BITS, [q.all, ...q.counts]),
      slip("sum for mean", end, (v) => plus(v.slice(1))),
    ],
  };
});

const mutual = kind("Mutual information", 0, "entropy_answers", (random) => {
  const q = oneQuestion(random);
  if (!q) return null;
  const pairs = q.counts.flat();
  return {
    table: tableOf(
      [q.name, ...q.classes],
      q.values.map((value, v) => [value, ...q.counts[v]]),
    ),
    data: q.data,
    question: `${q.story.asks} The table counts people. What do “${q.name}” and “${q.story.target}” reveal about each other, in bits?`,
    lines: [
      lineOf(`Entropy of ${q.name}`, entropyOf(q.sizes)),
      lineOf(`Entropy of ${q.story.target}`, entropyOf(q.all)),
      lineOf("Entropy of the pairs", entropyOf(pairs)),
      lineOf("Both know", (v) => minus(plus(v.slice(0, 2)), v[2])),
    ],
    slips: [
      ...taken(["natural logarithm", "Gini for entropy"], [q.sizes, q.all, pairs]),
      slip("pairs forgotten", 3, (v) => plus(v.slice(0, 2))),
      slip("left for gained", 3, (v) => minus(v[2], v[0])),
      slip("pairs for both", 3, (v) => as(v[2])),
    ],
  };
});

const first = kind("The best first question", 0, "id3", (random) => {
  const people = somePeople(random, random.whole(8, 12), 4);
  if (!people) return null;
  const { story, target, names, levels, columns, table } = people;
  const tables = names.map((name) => crossed(columns[name], target, levels[name], story.classes));
  const gains = tables.map((table) => informationGain(table));
  const wrong = tables.map(mistakes);
  const best = most(names, gains, 0.04);
  const fewest = least(names, wrong, 0.5);
  if (!best || !fewest || !least(names, gains, 0.04) || fewest === best) return null;
  return {
    table,
    data: { columns, target },
    question: `${story.asks} Which question does ID3 ask first?`,
    options: names,
    lines: [
      ...names.map((name, a) => lineOf(`Gain of ${name}`, fallOf(tables[a]))),
      lineOf("So the first question is", (v) => ["the largest gain", most(names, v)], names),
    ],
    slips: [
      slip("mistakes counted", 3, fewest),
      slip("smallest gain", 3, (v) => least(names, v)),
      ...fallSlips(tables, 0, entropyOf, FOR_BITS.slice(0, 2)),
    ],
  };
});

export const QUESTION = { surprise, left, gain: gainKind, mutual, first };
