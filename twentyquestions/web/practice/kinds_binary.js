// Exercises on trees with two branches: Gini, groups of values, stand-ins, priors.

import { as, kind, lineOf, minus, over, plus, shown, slip, times } from "./calculation.js";
import { cart } from "../algorithms/cart.js";
import { least, most } from "../kit/counts.js";
import { nominalCases } from "./kinds_program.js";
import { blocksIn, mixedness, oneQuestion } from "./kinds_question.js";
import { gain, gini, sum } from "../algorithms/measures.js";
import { somePeople, STORIES, tableOf } from "./samples.js";
import { fallOf, fallSlips, giniOf, plainMean, taken, weighted } from "./usualsums.js";

const FOR_GINI = ["entropy for Gini", "share missed", "squares not taken from one"];

const giniKind = kind("Gini of two piles", 2, "cart", (random) => {
  const q = oneQuestion(random);
  if (!q || q.values.length !== 2 || q.isEven) return null;
  return {
    table: q.shown,
    data: q.data,
    question: `${q.story.asks} By how much does the question “${q.name}” lower the Gini impurity?`,
    picture: "blocks",
    blocks: [{ name: "all" }, ...blocksIn(q), { name: "left" }],
    lines: [
      ...mixedness(q, giniOf),
      lineOf("Left", (v) => weighted(q.sizes, v.slice(1))),
      lineOf("Lower by", (v) => minus(v[0], v[3])),
    ],
    slips: [
      slip("plain mean", 3, (v) => plainMean(v.slice(1))),
      slip("left for gained", 4, (v) => as(v[3])),
      ...taken(FOR_GINI, [q.all, ...q.counts]),
      slip("sum for mean", 3, (v) => plus(v.slice(1))),
    ],
  };
});

const groups = kind("Two groups of answers", 2, "cart_search", (random) => {
  const story = random.one(STORIES);
  const [name, values] = Object.entries(story.nominal).find(
    ([, levels]) => levels.length === 4,
  ) ?? ["", []];
  const counts = values.map(() => [random.whole(0, 6), random.whole(0, 6)]);
  const sizes = counts.map(sum);
  const share = counts.map((row, v) => row[1] / sizes[v]);
  if (Math.min(...sizes) < 2 || new Set(share).size < 4) return null;
  /** @param {(v: number) => number} key */
  const sorted = (key) => values.map((_, v) => v).sort((one, other) => key(one) - key(other));
  /** @param {number[]} group */
  const without = (group) => values.map((_, v) => v).filter((v) => !group.includes(v));
  const words = (/** @type {number[]} */ group) => {
    const first = group.includes(0) ? group : without(group),
      rest = without(first);
    const listed = (/** @type {number[]} */ part) => part.toSorted().map((v) => values[v]);
    return `${listed(first).join(", ")} | ${listed(rest).join(", ")}`;
  };
  /** @param {number[]} order @returns {Sum<string>} */
  const ordered = (order) => [
    order.map((v) => `${values[v]} ${counts[v][1]}/${sizes[v]}`).join(", "),
    order.map((v) => values[v]).join(", "),
  ];
  const cuts = (/** @type {string[]} */ [order]) => {
    const places = order.split(", ").map((value) => values.indexOf(value));
    return [1, 2, 3].map((i) => places.slice(0, i));
  };
  const parted = (/** @type {number[]} */ group) =>
    [group, without(group)].map((part) => [0, 1].map((k) => sum(part.map((v) => counts[v][k]))));
  const lower = (/** @type {number[]} */ group) => gain(parted(group), gini);
  const [byShare, byTable, byNumber] = [
    sorted((v) => share[v]),
    sorted((v) => v),
    sorted((v) => counts[v][1] + v / 100),
  ].map(ordered);
  /** @param {number[][]} groupsOf */
  const best = (groupsOf) => most(groupsOf.map(words), groupsOf.map(lower), 0.02);
  const right = cuts([byShare[1]]);
  const found = [best(right), ...[byTable, byNumber].map(([, order]) => best(cuts([order])))];
  const single = best(values.map((_, v) => [v]));
  const kept = [...found, single].filter((one) => one !== null);
  // The best of a wrong order is no other cut of the right one, which would be another mistake.
  if (kept.length < 4 || kept.some((one) => one !== kept[0] && right.map(words).includes(one)))
    return null;
  const options = [...new Set([...kept, ...right.map(words)])];
  return {
    table: tableOf(
      [name, ...story.classes],
      values.map((value, v) => [value, ...counts[v]]),
    ),
    data: { values, counts, classes: story.classes },
    question: `${story.asks} The table counts people. Into which two groups does CART divide the answers to “${name}”?`,
    options: options.toSorted(),
    lines: [
      lineOf(
        `In the order of the share that ${story.classes[1]}`,
        byShare,
        [...new Set([byShare, byTable, byNumber].map(([, order]) => order))].sort(),
      ),
      ...right.map((_, i) =>
        lineOf(
          (v) => `Gini falls with ${words(cuts(v)[i])} by`,
          (v) => fallOf(parted(cuts(v)[i]), giniOf),
        ),
      ),
      lineOf(
        "So CART asks about",
        (v) => ["where it falls most", most(cuts(v).map(words), v.slice(1))],
        options,
      ),
    ],
    slips: [
      slip("order of the table", 0, byTable),
      slip("number for share", 0, byNumber),
      slip("one against the rest", 4, as(single)),
      slip("smallest fall", 4, (v) => least(right.map(words), v.slice(1))),
      ...fallSlips(right.map(parted), 1, giniOf, ["entropy for Gini"]),
    ],
  };
});

const surrogate = kind("A stand-in question", 1, "cart_surrogates", (random) => {
  const n = random.whole(9, 12);
  const people = somePeople(random, n, 2);
  if (!people) return null;
  const { story, target, names, levels, columns, table } = people;
  const { nodes, decisions } = cart(nominalCases(columns, levels, target, story.classes), {
    maxDepth: 1,
  });
  const [best, next] = decisions[0].candidates.map(({ score }) => score).sort((a, b) => b - a);
  if (!nodes[0].split || best - next < 0.2) return null;
  const asked = names[nodes[0].split.attribute];
  const others = names.filter((name) => name !== asked);
  const side = columns[asked].map((value) => levels[asked].indexOf(value));
  const ones = sum(side);
  const larger = Math.max(ones, n - ones);
  const direct = (/** @type {string} */ name, /** @type {number[]} */ wanted) =>
    sum(columns[name].map((value, i) => Number(levels[name].indexOf(value) === wanted[i])));
  /** @param {string} name @param {number[]} wanted */
  const agreement = (name, wanted) => Math.max(direct(name, wanted), n - direct(name, wanted));
  const answers = target.map((label) => story.classes.indexOf(label));
  const agreed = others.map((name) => agreement(name, side));
  if (ones * 2 === n || agreed[0] === agreed[1] || Math.max(...agreed) <= larger) return null;
  // As in rpart, a test that disagrees with fewer than two cases stands in for none.
  if (Math.max(...agreed) > n - 2) return null;
  return {
    table,
    data: { columns, target, asked },
    question: `CART asks “${asked}”. Where that is unknown, another question stands in. What is the adjusted agreement of the best one: the share of the larger branch's mistakes that it saves?`,
    lines: [
      lineOf(`Of ${n} agree with “all to the larger branch”`, as(larger)),
      ...others.map((name, o) =>
        lineOf(`Of ${n} agree with “${name}”, or with its opposite`, as(agreed[o])),
      ),
      lineOf("Of the mistakes it saves", (v) => {
        return over(minus(Math.max(v[1], v[2]), v[0]), minus(n, v[0]));
      }),
    ],
    slips: [
      slip("larger branch forgotten", 3, (v) => over(Math.max(v[1], v[2]), n)),
      slip("class for branch", [0, 1, 2], (_, i) =>
        as(i ? agreement(others[i - 1], answers) : Math.max(sum(answers), n - sum(answers))),
      ),
      slip("share of all cases", 3, (v) => over(minus(Math.max(v[1], v[2]), v[0]), n)),
    ],
  };
});

const priors = kind("Other priors", 3, "cart_costs", (random) => {
  const all = [random.one([40, 50, 60, 80]), random.one([10, 20])];
  const here = [random.whole(2, 8), random.whole(Math.ceil(all[1] / 2), all[1] - 1)];
  const ill = random.one([0.01, 0.02, 0.05, 0.1]);
  const priors = [1 - ill, ill];
  if (ill > 0.8 * (all[1] / sum(all))) return null;
  /** @type {(k: number, prior?: number) => Sum<number>} */
  const part = (k, prior = priors[k]) => [
    `${shown(prior)} · ${here[k]}/${all[k]}`,
    (prior * here[k]) / all[k],
  ];
  return {
    table: tableOf(
      ["", "healthy", "ill"],
      [
        ["test positive", ...here],
        ["test negative", ...all.map((n, k) => n - here[k])],
      ],
    ),
    data: { here, all, priors },
    question: `Where the tree is to be used, ${shown(100 * ill)} % of all people are ill. How likely is it that somebody with a positive test is ill?`,
    lines: [
      lineOf("Ill and positive", part(1)),
      lineOf("Healthy and positive", part(0)),
      lineOf("Ill, of all who are positive", (v) => over(v[0], plus(v))),
    ],
    slips: [
      slip("priors forgotten", [0, 1], (_, i) => over(here[1 - i], sum(all))),
      slip("turned round", 2, over(here[1], all[1])),
      slip("priors times counts", [0, 1], (_, i) => times(priors[1 - i], here[1 - i])),
      slip("priors turned round", [0, 1], (_, i) => part(1 - i, priors[i])),
      slip("not divided", 2, (v) => as(v[0])),
    ],
  };
});

export const BINARY = { gini: giniKind, groups, surrogate, priors };
