// Exercises on grown trees: reading one, judging it, and what many predict together.

import { as, kind, lineOf, over, plus, shown, slip } from "./calculation.js";
import { grownOn, numericCases } from "../kit/regions.js";
import { fixed, sum } from "../algorithms/measures.js";
import { tableOf } from "./samples.js";
import { plainMean, shareIn, shareSlips } from "./usualsums.js";

const SUBJECTS = [
  { asks: "Who buys?", classes: ["leaves", "buys"], x: "income", y: "age" },
  { asks: "Which seedling grows?", classes: ["withers", "grows"], x: "warmth", y: "water" },
  { asks: "Which letter is an advert?", classes: ["letter", "advert"], x: "weight", y: "colours" },
];

// A tree of two numbers, grown by CART on some points; each of its leaves has two cases or more.
function drawnTree(/** @type {Random} */ random, /** @type {number} */ n) {
  const subject = random.one(SUBJECTS);
  const columns = [subject.x, subject.y].map(() =>
    Float64Array.from({ length: n }, () => random.whole(1, 20)),
  );
  const target = Array.from({ length: n }, () => random.whole(0, 1));
  const cases = numericCases([subject.x, subject.y], columns, target, subject.classes);
  const tree = grownOn(cases, { maxDepth: 2, minLeaf: 2 });
  const isTied = tree.decisions.some(({ chosen, candidates }) =>
    candidates.some((one) => chosen && one !== chosen && one.score > chosen.score - 0.05),
  );
  if (tree.nodes.length < 5 || isTied) return null;
  return { subject, tree, data: { columns: columns.map((c) => [...c]), target } };
}

const words = (/** @type {PlaneTree} */ tree, /** @type {Inner<Threshold>} */ node) =>
  `${tree.attributes[node.split.attribute].name} ≤ ${shown(node.split.cut)}?`;

/** The tree as rows: where, what is asked or the cases of a leaf. @param {PlaneTree} tree */
function treeRows(tree) {
  const { nodes } = tree;
  const /** @type {Label[][]} */ rows = [];
  const write = (/** @type {number} */ i, /** @type {string} */ where) => {
    const node = nodes[i];
    const says = node.split ? words(tree, node) : "leaf";
    rows.push([where, says, node.counts.join(", ")]);
    node.children?.forEach((child, b) =>
      write(child, `${where === "start" ? "" : `${where}, `}${b ? "no" : "yes"}`),
    );
  };
  write(0, "start");
  return rows;
}

const reading = kind("Reading a tree", 0, "asking_expressive", (random) => {
  const drawn = drawnTree(random, 14);
  if (!drawn) return null;
  const { subject, tree, data } = drawn;
  const { nodes } = tree;
  const values = [random.whole(1, 20), random.whole(1, 20)];
  if (nodes.length < 7) return null;
  /** Where the answers lead, and what the case answers there; or the other way. @param {string[]} v */
  const at = (v) =>
    v.reduce((node, said) => nodes[node.children?.[Number(said === "no")] ?? 0], nodes[0]);
  const testAt = (/** @type {string[]} */ v) => /** @type {Inner<Threshold>} */ (at(v));
  /** @type {(v: string[]) => Sum<string>} */
  const says = (v) => {
    const { attribute, cut } = testAt(v).split;
    const { name } = tree.attributes[attribute];
    return [`${name} is ${values[attribute]}`, values[attribute] <= cut ? "yes" : "no"];
  };
  const otherwise = (/** @type {string[]} */ v) => (says(v)[1] === "yes" ? "no" : "yes");
  const test = (/** @type {string[]} */ v) => words(tree, testAt(v)).slice(0, -1);
  const yes = subject.classes[1];
  return {
    table: tableOf(["where", "question", subject.classes.join(", ")], treeRows(tree)),
    data: { ...data, values },
    question: `${subject.asks} A case has ${subject.x} ${values[0]} and ${subject.y} ${values[1]}. What share of “${yes}” does the tree predict?`,
    lines: [
      lineOf(test, says, ["yes", "no"]),
      lineOf(test, says, ["yes", "no"]),
      lineOf(`Share of “${yes}” in that leaf`, (v) => shareIn(at(v).counts)),
    ],
    slips: [
      slip("wrong branch", 1, otherwise),
      slip("first test turned round", 0, otherwise),
      slip("root's share", 2, shareIn(nodes[0].counts)),
      slip("stopped early", 2, (v) => shareIn(at(v.slice(0, 1)).counts)),
      slip("other class", 2, (v) => over(at(v).counts[0], sum(at(v).counts))),
    ],
  };
});

const confusion = kind("A confusion matrix", 3, "cart_costs", (random) => {
  const healthy = [random.whole(20, 60), random.whole(2, 20)];
  const ill = [random.whole(1, 9), random.whole(3, 20)];
  const [tn, fp, fn, tp] = [...healthy, ...ill];
  const n = tn + fp + fn + tp;
  const asksRecall = random.one([true, false]);
  const [wrong, other] = asksRecall ? [fn, fp] : [fp, fn];
  return {
    table: tableOf(
      ["", "tree: healthy", "tree: ill"],
      [
        ["is healthy", ...healthy],
        ["is ill", ...ill],
      ],
    ),
    data: { matrix: [healthy, ill], asks: asksRecall ? "recall" : "precision" },
    question: asksRecall
      ? "What share of the ill does the tree find (its recall, or sensitivity)?"
      : "What share of those whom the tree calls ill are ill (its precision)?",
    lines: [
      lineOf("Ill, and called ill", as(tp)),
      lineOf(asksRecall ? "All who are ill" : "All who are called ill", plus([wrong, tp])),
      lineOf("Share", (v) => over(v[0], v[1])),
    ],
    slips: [
      slip("wrong for right", 0, as(wrong)),
      slip("row for column", 1, plus([other, tp])),
      slip("accuracy", 2, over(plus([tn, tp]), n)),
      slip("share of all cases", 1, plus([tn, fp, fn, tp])),
    ],
  };
});

const importance = kind("Importance", 3, "cart_importance", (random) => {
  const drawn = drawnTree(random, 14);
  if (!drawn) return null;
  const { subject, tree, data } = drawn;
  const inner = tree.nodes.filter((node) => node.split !== undefined);
  const names = [subject.x, subject.y];
  if (new Set(inner.map((node) => node.split.attribute)).size < 2 || inner.length < 3) return null;
  const asked = inner[0].split.attribute;
  const mine = inner.map((node, i) => i).filter((i) => inner[i].split.attribute === asked);
  const sizes = inner.map((node) => sum(node.counts));
  const falls = inner.map((node, i) => (node.improvement ?? 0) / sizes[i]);
  // Of four digits, so that their products are right in the third.
  const printed = falls.map((fall) => fixed(fall, 4));
  /** @type {(i: number, n: number) => Sum<number>} */
  const times = (i, n) => [`${printed[i]} · ${n}`, falls[i] * n, Number(printed[i]) * n];
  const ours = (/** @type {number[]} */ v) => plus(mine.map((i) => v[i]));
  return {
    table: tableOf(
      ["test", "cases", "Gini falls by"],
      inner.map((node, i) => [words(tree, node), sizes[i], printed[i]]),
    ),
    data,
    question: `${subject.asks} What is the importance of “${names[asked]}” in this tree, its share of all falls?`,
    lines: [
      ...inner.map((node, i) =>
        lineOf(`${words(tree, node)} Fall times cases`, times(i, sizes[i])),
      ),
      lineOf(`Share of ${names[asked]}`, (v) => over(ours(v), plus(v))),
    ],
    slips: [
      slip("cases not weighed", [...inner.keys()], (_, i) => times(i, sizes[0])),
      slip("tests counted", inner.length, over(mine.length, inner.length)),
      slip("not divided", inner.length, ours),
    ],
  };
});

const unsure = (/** @type {number} */ share) => -Math.abs(share - 0.5);

const vote = kind("A vote of trees", 4, "many_trees", (random) => {
  const leaves = Array.from({ length: 5 }, () => {
    const n = random.whole(2, 8);
    const yes = random.whole(0, n);
    return [n - yes, yes];
  });
  if (leaves.some(([no, yes]) => no === yes)) return null;
  const all = [0, 1].map((k) => sum(leaves.map((counts) => counts[k])));
  return {
    table: tableOf(
      ["tree", "no in the leaf", "yes in the leaf"],
      leaves.map((counts, i) => [i + 1, ...counts]),
    ),
    data: { leaves },
    question:
      "A case reaches one leaf in each of five trees, which give their shares. What share of “yes” does the forest predict?",
    lines: [
      ...leaves.map((counts, i) => lineOf(`Tree ${i + 1}`, shareIn(counts))),
      lineOf("The mean", plainMean),
    ],
    slips: [
      ...shareSlips(leaves),
      slip("leaves pooled", 5, shareIn(all)),
      slip("surest tree only", 5, (v) => as(v.toSorted((a, b) => unsure(a) - unsure(b))[0])),
    ],
  };
});

export const MANY = { reading, confusion, importance, vote };
