// Trees that the scripts grow and prune: each decision by a plain count, each step by its definition.

import assert from "node:assert/strict";

import { c45 } from "../../twentyquestions/web/algorithms/c45.js";
import { cart } from "../../twentyquestions/web/algorithms/cart.js";
import * as measures from "../../twentyquestions/web/algorithms/measures.js";
import { id3 } from "../../twentyquestions/web/algorithms/multiway.js";
import { errorBased, pruneAt, pruningPath } from "../../twentyquestions/web/algorithms/prune.js";
import { randomOf } from "../../twentyquestions/web/algorithms/random.js";
import { leavesOf, riskOf, route } from "../../twentyquestions/web/algorithms/tree.js";
import { asText } from "../../twentyquestions/web/laboratory/text.js";
import { caseOf, counted, read } from "./tables.js";

const LOAN = read("loan");
const TENNIS = read("tennis");

// A table drawn at random: nominal columns, two classes.
function drawn(seed, n = 30) {
  const random = randomOf(seed);
  const codes = (of) => Array.from({ length: n }, () => random.whole(0, of - 1));
  const sizes = [2, 3, 4];
  return {
    attributes: sizes.map((size, a) => {
      const levels = Array.from({ length: size }, (_, v) => `${v}`);
      return { name: `x${a}`, kind: "nominal", levels };
    }),
    columns: sizes.map(codes),
    target: codes(2),
    classes: ["no", "yes"],
    weight: null,
  };
}
const TABLES = [LOAN, TENNIS, ...Array.from({ length: 20 }, (_, i) => drawn(`table ${i}`))];

// The cases that come to each node, one by one.
function visitors(tree, cases) {
  const there = tree.nodes.map(() => []);
  cases.target.forEach((_, i) => {
    const values = caseOf(cases, i);
    for (let node = 0; ;) {
      there[node].push(i);
      const { split, children } = tree.nodes[node];
      if (!split) break;
      node = children[split.groups ? at(split.groups, values, split) : values[split.attribute]];
    }
  });
  return there;
}
const at = (groups, values, { attribute }) =>
  groups.findIndex((group) => group.includes(values[attribute]));

const part = (cases, rows) => ({
  ...cases,
  columns: cases.columns.map((column) => rows.map((i) => column[i])),
  target: rows.map((i) => cases.target[i]),
});

Deno.test("ID3 asks at each node what gains most, counted afresh", () => {
  for (const cases of TABLES) {
    const tree = id3(cases);
    visitors(tree, cases).forEach((rows, node) => {
      const { split, counts } = tree.nodes[node];
      assert.deepEqual(
        [...counts],
        cases.classes.map((_, k) => rows.filter((i) => cases.target[i] === k).length),
      );
      if (!split) return;
      const gains = cases.attributes.map((_, a) =>
        measures.informationGain(counted(part(cases, rows), a)),
      );
      assert.ok(gains[split.attribute] >= Math.max(...gains) - 1e-9);
    });
  }
});

Deno.test("the tree on loans is the one of the first page", () => {
  assert.equal(
    asText(id3(LOAN)).replaceAll(/ \(.*\)/g, ""),
    ["house = yes: yes", "house = no:", "|   work = no: no", "|   work = yes: yes"].join("\n"),
  );
});

Deno.test("C4.5 prunes no case away, and a pruned tree has no more leaves", () => {
  for (const cases of TABLES) {
    const tree = c45(cases);
    const pruned = errorBased(tree, cases).tree;
    assert.ok(leavesOf(pruned).length <= leavesOf(tree).length);
    assert.equal(measures.sum(pruned.nodes[0].counts), cases.target.length);
  }
});

Deno.test("CART asks in two, and what it asks never raises the Gini impurity", () => {
  for (const cases of TABLES) {
    const tree = cart(cases);
    for (const { split, children, counts } of tree.nodes) {
      if (!split) continue;
      assert.equal(children.length, 2);
      const below = children.map((child) => tree.nodes[child].counts);
      assert.ok(measures.gain(below, measures.gini) > -1e-12);
      assert.deepEqual(measures.columnSums(below), [...counts]);
    }
  }
});

Deno.test("the path of prices leads from the whole tree to its root, and costs more at each step", () => {
  for (const cases of TABLES) {
    const tree = cart(cases);
    const path = pruningPath(tree, measures.misclassification);
    const errors = path.map(({ alpha }) => {
      const pruned = pruneAt(tree, alpha, measures.misclassification);
      return [leavesOf(pruned).length, measures.sum(leavesOf(pruned).map(riskOf))];
    });
    for (let i = 1; i < path.length; i++) {
      assert.ok(path[i].alpha >= path[i - 1].alpha);
      assert.ok(errors[i][0] < errors[i - 1][0] && errors[i][1] >= errors[i - 1][1]);
    }
    assert.equal(errors.at(-1)[0], 1);
  }
});

Deno.test("a case goes the way that the tests of the tree say", () => {
  for (const cases of TABLES) {
    const tree = id3(cases);
    const there = visitors(tree, cases);
    cases.target.forEach((_, i) => assert.ok(there[route(tree, caseOf(cases, i))].includes(i)));
  }
});
