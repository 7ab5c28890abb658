// Exercises on "The program": ID3's tree, the gain ratio, cuts and their price, cases with blanks.

import { id3 } from "../algorithms/multiway.js";
import { as, kind, lineOf, over, plus, shown, slip, slipEach, times } from "./calculation.js";
import { most } from "../kit/counts.js";
import {
  columnSums,
  entropy,
  fixed,
  gainRatio,
  informationGain,
  splitInformation,
  sum,
} from "../algorithms/measures.js";
import { c45 } from "../algorithms/c45.js";
import { collapse } from "../algorithms/prune.js";
import { classesOf, columnOf, columnsOf, somePeople, STORIES, tableOf } from "./samples.js";
import { plainMean, shareIn, shareSlips } from "./usualsums.js";

// Nominal columns and a target as the engine takes them.
/** @param {Record<string, string[]>} columns @param {Record<string, string[]>} levels
 * @param {string[]} target @param {string[]} classes @returns {Cases} */
export const nominalCases = (columns, levels, target, classes) => ({
  attributes: Object.keys(columns).map((name) => ({ name, kind: "nominal", levels: levels[name] })),
  columns: Object.entries(columns).map(([name, column]) =>
    column.map((value) => levels[name].indexOf(value)),
  ),
  target: target.map((label) => classes.indexOf(label)),
  classes,
  weight: null,
});

const tree = kind("ID3's tree of eight rows", 1, "id3_recursion", (random) => {
  const people = somePeople(random, 8, 4);
  if (!people) return null;
  const { story, target, names, levels, columns, table } = people;
  const { nodes, decisions } = id3(nominalCases(columns, levels, target, story.classes));
  // No other question comes near a chosen one.
  const isClear = decisions.every(({ chosen, candidates }) =>
    candidates.every((one) => !chosen || one === chosen || one.score < chosen.score - 0.04),
  );
  if (!nodes[0].split || !isClear) return null;
  const below = nodes[0].children;
  const asked = (/** @type {TreeNode} */ node) => names[node.split?.attribute ?? 0];
  const isDeep = below.some((i) => nodes[i].children?.some((child) => nodes[child].split));
  const isClean = nodes.every(({ split, counts }) => split || counts.filter(Boolean).length === 1);
  if (isDeep || !isClean || !below.some((i) => nodes[i].split)) return null;
  const values = levels[asked(nodes[0])];
  const gains = decisions[0].candidates.map(
    ({ split, score }) => `${names[split.attribute]} ${shown(score)}`,
  );
  const mixed = below.findIndex((i) => nodes[i].split);
  const pure = below.findIndex((i) => !nodes[i].split);
  if (pure < 0) return null;
  return {
    table,
    data: { columns, target },
    question: `${story.asks} How many leaves does ID3's tree of these eight rows have?`,
    lines: [
      lineOf("The first question is", [gains.join(", "), asked(nodes[0])], names),
      ...below.map((i, b) =>
        lineOf(`Leaves where ${asked(nodes[0])} = ${values[b]}`, [
          `${nodes[i].counts.join(" and ")}, ${nodes[i].split ? `asks ${asked(nodes[i])}` : "a leaf"}`,
          nodes[i].children?.length ?? 1,
        ]),
      ),
      lineOf("Leaves in all", (v) => plus(v.slice(1))),
    ],
    slips: [
      slip("stopped early", mixed + 1, [`${nodes[below[mixed]].counts.join(" and ")}, a leaf`, 1]),
      slip("pure pile asked", pure + 1, [
        `${nodes[below[pure]].counts.join(" and ")}, asks ${asked(nodes[below[mixed]])}`,
        2,
      ]),
      slip("nodes counted", below.length + 1, (v) =>
        plus([...v.slice(1), nodes.length - sum(v.slice(1))]),
      ),
    ],
  };
});

// A table of so many cases of two classes each: what a question would do.
/** @param {Random} random @param {number} total @param {number} nValues */
function countTable(random, total, nValues) {
  const table = Array.from({ length: nValues }, () => [0, 0]);
  for (const k of [0, 1]) {
    const pull = table.map(() => random.next() ** 2);
    for (let c = 0; c < total; c++) {
      let at = random.next() * sum(pull);
      const row = pull.findIndex((one) => (at -= one) < 0);
      table[Math.max(row, 0)][k] += 1;
    }
  }
  return table.every((row) => sum(row) >= 2) ? table : null;
}

/** @param {number[][]} rows @param {number} by */
const gainOver = (rows, by) => over(informationGain(rows), by);
const ratioOf = (/** @type {number[][]} */ rows) => gainOver(rows, splitInformation(rows));

const ratio = kind("Gain ratio and guard", 1, "c45", (random) => {
  const total = random.one([9, 10]); // so many that five branches do not count as too many
  const names = random.shuffled(["colour", "size", "shape", "origin", "weight"]).slice(0, 4);
  const tables = [random.whole(4, 5), 3, 2].map((n) => countTable(random, total, n));
  // A tiny split that gains little, and much for its branches.
  const few = random.whole(2, 4);
  const tiny = [few, 0];
  tables.push(random.shuffled([tiny, [total - few, total]]));
  const order = random.shuffled(tables.filter((table) => table !== null));
  if (order.length < 4) return null;
  const gains = order.map((table) => Math.max(informationGain(table), 0)); // no −0
  const ratios = order.map((table) => gainRatio(table));
  const mean = sum(gains) / 4;
  if (gains.some((one) => Math.abs(one - mean) < 0.005)) return null;
  /** @param {number[]} v */
  const passing = (v) => names.map((_, a) => (gains[a] > v[0] ? v[a + 1] : -1));
  const chosen = most(names, passing([mean, ...ratios]), 0.01);
  const unguarded = most(names, ratios, 0.01);
  const largest = most(names, gains, 0.01);
  if (!chosen || !unguarded || !largest) return null;
  return {
    table: columnsOf(
      ["question", "cases in its branches", "gain"],
      [names, order.map((table) => table.map(sum).join(", ")), gains.map((one) => fixed(one, 3))],
    ),
    data: { tables: order, names },
    question: "Four questions about the same cases. Which one does C4.5 ask?",
    options: names,
    picture: "guard",
    gains,
    lines: [
      lineOf("Average gain", plainMean(gains)),
      ...order.map((rows, a) =>
        lineOf(`Ratio of ${names[a]}: gain over the entropy of its branches`, ratioOf(rows)),
      ),
      lineOf(
        "C4.5 asks",
        (v) => ["the largest ratio where the gain is average at least", most(names, passing(v))],
        names,
      ),
    ],
    slips: [
      slip("guard forgotten", 5, (v) => most(names, v.slice(1))),
      slip("gain for ratio", 5, largest),
      slipEach("branches counted", 1, order, (rows) => gainOver(rows, Math.log2(rows.length))),
      slipEach("entropy of the classes", 1, order, (rows) =>
        gainOver(rows, entropy(columnSums(rows))),
      ),
    ],
  };
});

const blanks = kind("A case with blanks", 1, "c45_missing_values", (random) => {
  const story = random.one(STORIES);
  const n = random.one([10, 12]);
  const names = random.shuffled(
    Object.keys(story.nominal).filter((a) => story.nominal[a].length < 4),
  );
  const [first, second] = names;
  const levels = {
    [first]: story.nominal[first].slice(0, 2),
    [second]: story.nominal[second].slice(0, 2),
  };
  const target = classesOf(random, story, n, 2);
  const column = columnOf(random, levels[first], n);
  if (!target || !column) return null;
  // The second question has one answer only where the first is answered in the second way.
  const below = column.map((value) =>
    value === levels[first][0] ? random.one(levels[second]) : levels[second][1],
  );
  const columns = { [first]: column, [second]: below };
  const { nodes } = collapse(c45(nominalCases(columns, levels, target, story.classes)));
  if (nodes.length !== 5 || nodes[0].split?.attribute !== 0 || !nodes[1].split) return null;
  if (nodes.slice(2).some(({ counts }) => sum(counts) < 2)) return null;
  const [, , other, hit] = nodes;
  const yes = story.classes[1];
  const leaf = (/** @type {TreeNode} */ node) => node.counts.join(" and ");
  const sizes = [sum(nodes[1].counts), sum(other.counts)];
  const parts = (/** @type {number} */ size) => over(size, n);
  const larger = sizes[0] > sizes[1] ? 2 : 3;
  if (sizes[0] === sizes[1]) return null;
  return {
    table: tableOf(
      ["branch", ...story.classes],
      [
        [`${first} = ${levels[first][0]}`, ...nodes[1].counts],
        [`   and ${second} = ${levels[second][0]}`, ...hit.counts],
        [`   and ${second} = ${levels[second][1]}`, ...nodes[4].counts],
        [`${first} = ${levels[first][1]}`, ...other.counts],
      ],
    ),
    data: { columns, target, levels, yes, case: { [second]: levels[second][0] } },
    question: `The branches of C4.5's tree of ${n} people. Of one person, only “${second} = ${levels[second][0]}” is known. What probability of “${yes}” does C4.5 predict?`,
    lines: [
      lineOf(`Part with ${first} = ${levels[first][0]}`, parts(sizes[0])),
      lineOf(`Part with ${first} = ${levels[first][1]}`, parts(sizes[1])),
      lineOf(`“${yes}” in the leaf of ${leaf(hit)}`, shareIn(hit.counts)),
      lineOf(`“${yes}” in the leaf of ${leaf(other)}`, shareIn(other.counts)),
      lineOf("Together", (v) => plus([times(v[0], v[2]), times(v[1], v[3])])),
    ],
    slips: [
      slip("equal parts", [0, 1], over(1, 2)),
      slip("largest branch only", 4, (v) => as(v[larger])),
      ...shareSlips([hit.counts, other.counts], 2),
      slip("blanks forgotten", 4, shareIn(nodes[0].counts)),
    ],
  };
});

export const PROGRAM = { tree, ratio, blanks };
