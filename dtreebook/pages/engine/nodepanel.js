// The panel of a node: its cases, and which questions compete there.

import { valuesOf } from "./readcases.js";
import { make, some } from "./draw.js";
import { sum } from "./measures.js";
import { button } from "./reach.js";
import { rowOf, sheetOf } from "./sheets.js";
import { asked, branchWord, conditions, inDigits, pour, route, wayTo, whereIs } from "./tree.js";

const FIRST = 5; // so many questions are seen at once

// With all digits before the point, as counts have them.
export const casesIn = ({ counts }) => some(Number(inDigits(sum(counts), 4, 0)), "case");

export function measured(lab) {
  if (lab.state.algorithm === "ID3") return "information gain in bits";
  const { criterion } = lab.state.values[lab.state.algorithm];
  if (lab.state.algorithm === "C4.5") return criterion;
  if (lab.isNumberAnswer()) return "fall of the squared error";
  return `fall of the ${criterion === "Gini" ? "Gini impurity" : "entropy"}, times cases`;
}

// A question that could be asked at the chosen node: what it is worth, and to ask or forbid it.
export function competitor(lab, pictured, node, { split, score }, decision, most) {
  const words = split.kind === "multiway" ? asked : branchWord;
  const isChosen = node.split && decision.chosen?.split === split;
  const { name } = pictured.attributes[split.attribute];
  const at = conditions(pictured, lab.state.chosen).join(", ");
  const want = (wanted) => {
    lab.state.wanted.push({ at, ask: "", forbid: [], ...wanted });
    lab.soon();
  };
  const canRegrow = pictured === lab.state.found.tree;
  return make(
    "li",
    {},
    make("span", { class: "dtb-bar", style: `--share:${Math.max(0, (100 * score) / most)}%` }),
    make(
      "span",
      {},
      `${words(pictured, { split }, 0)}: ${inDigits(score, 4, 0)}${isChosen ? " ★" : ""}`,
    ),
    canRegrow && !isChosen
      ? button("Ask this", () => want({ ask: name }), { "aria-label": `Ask about ${name} here` })
      : "",
    canRegrow
      ? button("Forbid", () => want({ forbid: [name] }), {
          "aria-label": `Forbid ${name} here and below`,
        })
      : "",
  );
}

// What was weighed up at the chosen node, and its cases.
export function nodeWords(lab) {
  const { full, tree, cases, own } = lab.state.found,
    pictured = lab.state.pruned ? tree : full;
  const node = pictured.nodes[lab.state.chosen],
    decision = pictured.decisions?.[lab.state.chosen];
  const where = whereIs(pictured, lab.state.chosen, "All cases");
  const counts = pictured.classes
    ? pictured.classes
        .map((name, k) => `${name}: ${inDigits(node.counts[k], 4, 0)}`)
        .filter((_, k) => node.counts[k])
        .join(", ")
    : `mean ${inDigits(node.label, 4, 0)}, squared error ${inDigits(node.risk, 4, 0)}`;
  const made = [
    make("h3", {}, where),
    make(
      "p",
      {},
      `${casesIn(node)}${counts && ` (${counts})`}.${decision && !node.split ? ` A leaf: ${decision.chosen ? "pruned" : decision.reason}.` : ""}`,
    ),
  ];
  if (decision?.candidates.length) {
    const most = Math.max(...decision.candidates.map(({ score }) => score), 1e-12);
    const listed = [...decision.candidates]
      .sort((one, other) => other.score - one.score)
      .map((candidate) => competitor(lab, pictured, node, candidate, decision, most));
    const list = (items) => make("ul", { class: "dtb-bars" }, items);
    made.push(make("p", {}, `What could be asked, by ${measured(lab)}:`), list(listed.slice(0, FIRST)));
    if (listed.length > FIRST)
      made.push(make("details", {}, make("summary", {}, some(listed.length - FIRST, "more question")), list(listed.slice(FIRST))));
  }
  const inside = own
    .map((row, p) => [row, p])
    .filter(([, p]) => {
      const values = valuesOf(cases.columns, p);
      return lab.state.algorithm === "C4.5"
        ? pour(pictured, values).has(lab.state.chosen)
        : wayTo(pictured, route(pictured, values)).includes(lab.state.chosen);
    });
  const names = [
    ...lab.state.table.columns
      .filter(({ kind, name }) => kind !== "out" && name !== lab.state.answer)
      .map(({ name }) => name),
    lab.state.answer,
  ];
  made.push(
    make(
      "details",
      {},
      make("summary", {}, `Its cases${inside.length > 50 ? ", the first 50" : ""}`),
      sheetOf(
        "The cases of the node",
        ["row", ...names],
        inside.slice(0, 50).map(([row]) =>
          rowOf(
            row + 1,
            names.map((name) => lab.column(name).values[row]),
          ),
        ),
      ),
    ),
  );
  return made;
}
