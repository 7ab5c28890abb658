// The formulas of the scripts: by their definitions, and by numbers that the book quotes.

import assert from "node:assert/strict";

import * as measures from "../../twentyquestions/web/algorithms/measures.js";
import { randomOf } from "../../twentyquestions/web/algorithms/random.js";
import { counted, read } from "./tables.js";

const near = (found, right, tolerance = 1e-12) =>
  assert.ok(Math.abs(found - right) <= tolerance, `${found} is not ${right}`);
const documented = (found, printed) => assert.equal(found.toFixed(3), printed);

const random = randomOf("measures");
const tables = Array.from({ length: 200 }, () =>
  Array.from({ length: random.whole(1, 4) }, () => [0, 0, 0].map(() => random.whole(0, 9))),
).filter((table) => table.flat().some((n) => n > 0));

// As the book defines it: the mean of log2(1/p).
function meanSurprise(counts) {
  const n = counts.reduce((all, some) => all + some, 0);
  return counts.reduce((bits, some) => bits + (some && (some / n) * Math.log2(n / some)), 0);
}

const weigh = (row) => row.reduce((all, some) => all + some, 0);
const together = (table) => table[0].map((_, k) => weigh(table.map((row) => row[k])));

function gainByDefinition(table, impurity) {
  const n = weigh(together(table));
  const left = weigh(table.map((row) => (weigh(row) ? (weigh(row) / n) * impurity(row) : 0)));
  return impurity(together(table)) - left;
}

Deno.test("entropy is the mean surprise", () => {
  for (const [row] of tables) near(measures.entropy(row), weigh(row) ? meanSurprise(row) : 0);
  assert.equal(measures.entropy([4, 4]), 1);
  assert.equal(measures.entropy([7, 0]), 0);
});

Deno.test("a gain is what is left of an impurity, taken from it", () => {
  for (const table of tables) {
    near(measures.informationGain(table), gainByDefinition(table, meanSurprise));
    near(measures.gain(table, measures.gini), gainByDefinition(table, measures.gini));
    near(measures.splitInformation(table), meanSurprise(table.map(weigh)));
  }
});

Deno.test("a gain is never negative, and does not ask in which order values stand", () => {
  for (const table of tables) {
    assert.ok(measures.informationGain(table) >= -1e-12);
    near(measures.informationGain([...table].reverse()), measures.informationGain(table));
  }
});

Deno.test("the numbers of the sources on loans and tennis are those that they print", () => {
  const loan = read("loan");
  const at = (name) =>
    counted(
      loan,
      loan.attributes.findIndex((one) => one.name === name),
    );
  documented(measures.entropy(together(at("house"))), "0.971");
  documented(measures.informationGain(at("house")), "0.420");
  documented(measures.informationGain(at("credit")), "0.363");
  documented(measures.informationGain(at("work")), "0.324");
  documented(measures.informationGain(at("age")), "0.083");
  const tennis = read("tennis");
  documented(measures.entropy(together(counted(tennis, 0))), "0.940");
  documented(measures.splitInformation(counted(tennis, 0)), "1.577");
});

Deno.test("the limits of errors are those that Quinlan prints (1993, section 4.2)", () => {
  for (const [errors, cases, printed] of [
    [0, 6, "0.206"],
    [0, 9, "0.143"],
    [0, 1, "0.750"],
    [1, 16, "0.157"],
  ])
    documented((errors + measures.extraErrors(errors, cases)) / cases, printed);
});

Deno.test("a number is rounded as Python rounds it", () => {
  for (const [number, digits, text] of [
    [0.5, 0, "0"],
    [1.5, 0, "2"],
    [2.675, 2, "2.67"],
    [0.125, 2, "0.12"],
    [0.375, 2, "0.38"],
  ])
    assert.equal(measures.fixed(number, digits), text);
});
