// How a tree does on rows that it has not seen, and on one case.

import { make, share, some } from "./draw.js";
import { sum } from "./measures.js";
import { newCase } from "./newcase.js";
import { rowOf, sheetOf } from "./sheets.js";
import { inDigits } from "./tree.js";

export function testSentence(lab) {
  const { tree, said, answers, held } = lab.state.found;
  if (!held.length) return "No rows are kept apart.";
  if (!tree.classes) {
    const error = Math.sqrt(sum(said.map((value, i) => (value - answers[i]) ** 2)) / said.length);
    return `On ${some(held.length, "row")} kept apart it is off by ${inDigits(error, 3, 0)} (root of the mean square).`;
  }
  return `Of ${some(held.length, "row")} kept apart it gets ${share(said.filter((k, i) => k === answers[i]).length, held.length)} right.`;
}

export function testWords(lab) {
  const { tree, said, answers, held } = lab.state.found;
  const made = make(
    "div",
    { class: "dtb-part" },
    make("h3", {}, "On rows it has not seen"),
    make("p", {}, testSentence(lab)),
  );
  if (!held.length || !tree.classes || tree.classes.length > 12) return made;
  const cell = (k, l) => said.filter((label, i) => answers[i] === k && label === l).length;
  made.append(
    sheetOf(
      "True classes and answers",
      ["truly, answered", ...tree.classes],
      tree.classes.map((name, k) =>
        rowOf(
          name,
          tree.classes.map((_, l) => cell(k, l)),
          (l) => l === k,
        ),
      ),
      { class: "dtb-confusion" },
    ),
  );
  return made;
}

// A case of one's own, or a row, and why it gets its answer.
export function caseForm(lab, show) {
  const { tree, cases, own, test, held } = lab.state.found;
  const rows = [
    ...own.map((row, p) => [row, cases.columns, p]),
    ...held.map((row, p) => [row, test, p]),
  ].sort(([one], [other]) => one - other);
  const truthOf = (row) => lab.column(lab.state.answer).values[row];
  return newCase(tree, { rows, truthOf, inParts: lab.state.algorithm === "C4.5", predict: lab.predict, show });
}
