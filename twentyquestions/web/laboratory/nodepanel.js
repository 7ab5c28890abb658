// The panel of a node: its cases, and which questions compete there.

import { make } from "../kit/draw.js";
import { sum } from "../algorithms/measures.js";
import { folded, inRow } from "../kit/legends.js";
import { button } from "../kit/reach.js";
import { foundIn, valuesOf } from "./readcases.js";
import { rowOf, sheetOf } from "../kit/tables.js";
import {
  asked,
  branchShown,
  conditions,
  inDigits,
  partAt,
  riskOf,
  whereIs,
} from "../algorithms/tree.js";
import { some } from "../kit/words.js";

const QUESTIONS = 3; // so many questions are seen at once

/** With all digits before the point, as counts have them. @param {TreeNode} about */
export const casesIn = ({ counts }) => some(Number(inDigits(sum(counts), 4, 0)), "case");

function measured(/** @type {Lab} */ lab) {
  const { algorithm, values } = lab.state,
    { criterion } = values[algorithm];
  if (algorithm === "ID3") return "information gain in bits";
  if (algorithm === "C4.5") return criterion;
  if (lab.isNumberAnswer()) return "fall of the squared error";
  return `fall of the ${criterion === "Gini" ? "Gini impurity" : "entropy"}, times cases`;
}

/** The path of the chosen node, as the package has it. @param {Lab} lab */
const placeOf = (lab) => conditions(foundIn(lab).tree, lab.state.chosen).join(", ");

// A button that wants something else of the tree. What it would do is seen once the pointer moves on it,
// not where a pointer rests after a press, or while it has the focus.
/** @param {Lab} lab @param {string} words @param {string} label @param {Wanted[]} wanted */
function wish(lab, words, label, wanted) {
  let isSeen = false;
  const see = (/** @type {boolean} */ is) => {
    if (is !== isSeen) lab.preview?.(is ? wanted : null);
    isSeen = is;
  };
  return button(words, () => ((lab.state.wanted = wanted), lab.soon()), {
    "aria-label": label,
    pointermove: ({ movementX, movementY }) => see(isSeen || Boolean(movementX || movementY)),
    pointerleave: () => see(false),
    focus: () => see(true),
    blur: () => see(false),
  });
}

// The same with more wanted at the chosen node than there is.
/** @param {Lab} lab @param {string} words @param {string} label @param {Partial<Wanted>} one */
const more = (lab, words, label, one) =>
  wish(lab, words, label, [...lab.state.wanted, { at: placeOf(lab), ask: "", forbid: [], ...one }]);

// What is wanted at the chosen node, with a button that takes it back; and whether it was made a leaf.
function wishesHere(/** @type {Lab} */ lab) {
  const { wishes, tree } = foundIn(lab),
    at = placeOf(lab),
    { ask = "", forbid = [] } = wishes.find((one) => one.at === at) ?? {},
    isMadeLeaf = forbid.length === tree.attributes.length,
    words = [
      ask && `You ask about ${ask} here.`,
      isMadeLeaf ? "You made it a leaf." : forbid.length && `Forbidden here: ${forbid.join(", ")}.`,
    ].filter(Boolean),
    rest = lab.state.wanted.filter((one) => one.at !== at),
    back = wish(lab, "Take it back", "Take back what is wanted here", rest);
  return { isMadeLeaf, said: words.length ? inRow(make("span", words.join(" ")), back) : "" };
}

// The questions that could be asked at a node, the one that is asked and then the best first: what each is worth, and to ask it, or to forbid the one that is asked.
/** @param {Lab} lab @param {Tree} pictured @param {Decision} about */
function competitors(lab, pictured, { chosen, candidates }) {
  const { state } = lab;
  const most = Math.max(...candidates.map(({ score }) => score), 1e-12);
  const isAsked = (/** @type {Candidate} */ { split }) =>
    Boolean(pictured.nodes[state.chosen].split) && chosen?.split === split;
  const item = (/** @type {Candidate} */ about) => {
    const { split, score } = about,
      ask = split.kind === "multiway" ? asked : branchShown,
      words = ask(pictured, { split }, 0),
      { name } = pictured.attributes[split.attribute],
      isChosen = isAsked(about);
    return make(
      "li",
      { class: isChosen && "dtb-asked" },
      make("span", { class: "dtb-bar", style: `--share:${Math.max(0, (100 * score) / most)}%` }),
      make("span", `${words}: ${inDigits(score, 4, 0)}${isChosen ? " ★" : ""}`),
      pictured === foundIn(lab).tree
        ? isChosen
          ? more(lab, "Forbid", `Forbid ${name} here and below`, { forbid: [name] })
          : more(lab, "Ask this", `Ask about ${name} here`, { ask: name })
        : "",
    );
  };
  const order = [...candidates].sort(
    (one, other) => Number(isAsked(other)) - Number(isAsked(one)) || other.score - one.score,
  );
  const items = order.map(item),
    list = (/** @type {Child[]} */ questions) => make("ul", { class: "dtb-bars" }, questions),
    rest = items.splice(QUESTIONS);
  return [
    make("p", `What could be asked, by ${measured(lab)}:`),
    list(items),
    rest.length ? folded(some(rest.length, "more question"), false, list(rest)) : "",
  ];
}

// The handle of the sheet that the panel is on a phone: it is pulled, or pressed to be high or low.
function handle(/** @type {HTMLElement} */ sheet) {
  let isPulled = false;
  const set = (/** @type {string} */ height) => sheet.style.setProperty("--sheet", height);
  return button("", () => isPulled || set(sheet.style.getPropertyValue("--sheet") ? "" : "75vh"), {
    class: "dtb-pull",
    "aria-label": "Pull the sheet up or down",
    pointerdown: ({ currentTarget, pointerId }) => {
      isPulled = false;
      /** @type {HTMLElement} */ (currentTarget).setPointerCapture(pointerId);
    },
    pointermove: ({ buttons, clientY }) => {
      if (!buttons) return;
      isPulled = true;
      set(`${sheet.getBoundingClientRect().bottom - clientY}px`);
    },
  });
}

// What was weighed up at the chosen node, and its cases.
export function nodeWords(/** @type {Lab} */ lab) {
  const { state } = lab,
    { full, tree, cases, own, how } = foundIn(lab),
    pictured = state.pruned ? tree : full;
  const node = pictured.nodes[state.chosen],
    decision = pictured.decisions?.[state.chosen];
  const counts = pictured.classes
    ? pictured.classes.flatMap((name, k) =>
        node.counts[k] ? `${name}: ${inDigits(node.counts[k], 4, 0)}` : [],
      )
    : [`mean ${inDigits(node.label, 4, 0)}, squared error ${inDigits(riskOf(node), 4, 0)}`];
  const wished = pictured === tree ? wishesHere(lab) : null;
  const leaf =
    decision && !node.split && !wished?.isMadeLeaf
      ? ` A leaf: ${decision.chosen ? "pruned" : decision.reason}.`
      : "";
  const inside = own.filter((_, i) =>
    partAt(pictured, valuesOf(cases.columns, i), state.chosen, how.inParts),
  );
  const columns = state.table.columns.filter(
    ({ kind, name }) => kind !== "out" && name !== state.answer,
  );
  columns.push(lab.column());
  const row = (/** @type {number} */ i) =>
    rowOf(
      i + 1,
      columns.map(({ values }) => values[i]),
    );
  const heads = ["row", ...columns.map(({ name }) => name)],
    unfolded = folded(`Its cases${inside.length > 50 ? ", the first 50" : ""}`, false),
    unfold = () => sheetOf("The cases of the node", heads, inside.slice(0, 50).map(row));
  unfolded.addEventListener("toggle", () => unfolded.append(unfold()), { once: true });
  return [
    handle(lab.parts.node),
    inRow(
      make("h3", whereIs(pictured, state.chosen, "All cases")),
      pictured === tree && node.split
        ? more(lab, "Make it a leaf", "Make it a leaf", {
            forbid: tree.attributes.map(({ name }) => name),
          })
        : "",
    ),
    make("p", `${casesIn(node)}${counts.length ? ` (${counts.join(", ")})` : ""}.${leaf}`),
    ...(decision?.candidates.length ? competitors(lab, pictured, decision) : []),
    wished?.said ?? "",
    unfolded,
  ];
}
