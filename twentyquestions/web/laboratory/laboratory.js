// The laboratory: a reader's own table, grown and pruned by the engine, node by node, and taken
// away as text, picture, JSON and programs. Nothing leaves the page.

import { copyLink, openAddress } from "./address.js";
import { showColumns } from "./columns.js";
import { make } from "../kit/draw.js";
import { keep } from "./result.js";
import { soon } from "./fitting.js";
import { NO_TABLE, openBook, openFile, openTable } from "./opening.js";
import { folded, inRow, quietly } from "../kit/legends.js";
import { WIDE } from "./outline.js";
import { step } from "./past.js";
import { button, check, choices, range, select } from "../kit/reach.js";
import { begun, SETTINGS } from "./settings.js";
import { start } from "../kit/start.js";

// What the laboratory begins with: people, blanks and a tree that one can read.
/** @type {[string, Saved]} */
const FIRST = ["smokers", { algorithm: "CART", values: { CART: { leaf: 20, alpha: 0.003 } } }];

const AWAY = "dtb-away"; // where the tree is taken away

// On a narrow page one part is seen at a time, on a wide one one of the last two.
const TABS = ["Data", "Tree", "Verdict", "New case"];

/** @type {Build<Lab["data"]>} */
function laboratoryExplorable(play, data, say) {
  const names = ["message", "columns", "how", "tree", "node", "verdict", "case", "away"];
  /** @type {Lab["parts"]} */
  const parts = Object.fromEntries(names.map((name) => [name, make("div", { class: "dtb-part" })]));
  parts.zoom = make(
    "span",
    { class: "dtb-zoom", hidden: "" },
    button("−", () => lab.zoom?.(0.8), { "aria-label": "smaller" }),
    button("+", () => lab.zoom?.(1.25), { "aria-label": "larger" }),
    button("Fit", () => lab.zoom?.(0)),
  );
  const state = {
    ...begun(),
    ...{ table: NO_TABLE, found: null, source: "", file: "", book: "", asked: "" },
    ...{ pruned: true, chosen: 0, shown: Infinity, zoom: 1, way: new Set(), turn: 0 },
    past: [],
    future: [],
  };
  const column = (name = state.answer) =>
    /** @type {Column} */ (state.table.columns.find((one) => one.name === name));
  /** @type {Lab} */
  const lab = {
    data,
    state,
    parts,
    steps: [],
    say,
    column,
    isNumberAnswer: () => column().kind === "number",
    soon: () => soon(lab),
    showHow: () => showHow(lab),
    // What was chosen is made anew, so it is focused again.
    refocus: (part) =>
      /** @type {HTMLElement | null} */ (part.querySelector("input:checked"))?.focus(),
    // Show what is set, and grow.
    show: () => {
      choose.value = state.book;
      showColumns(lab);
      showHow(lab);
      soon(lab);
    },
  };
  const choose = layOut(lab, play);
  openAddress(lab).then((found) => {
    if (found) return;
    if (Object.hasOwn(data.tables, FIRST[0])) return openFirst(lab);
    lab.turn?.(0);
    say("Choose a table to begin.");
  });
}

// The page is seen, with as many words as there will be, before the first tree takes its time.
async function openFirst(/** @type {Lab} */ lab) {
  lab.say("The first tree grows in this page, as one of your own table would, which nobody sees.");
  await new Promise((go) => {
    new PerformanceObserver(go).observe({ type: "paint", buffered: true });
  });
  if (!lab.state.file) openBook(lab, ...FIRST);
}

// The algorithm, and what can be set of it.
function showHow(/** @type {Lab} */ lab) {
  const { state, parts, soon } = lab;
  /** @type {AlgorithmName[]} */
  const names = lab.isNumberAnswer() ? ["CART"] : ["ID3", "C4.5", "CART"];
  if (!names.includes(state.algorithm)) state.algorithm = "CART";
  const values = state.values[state.algorithm];
  const isOpen = parts.how.querySelector("details")?.open ?? !(WIDE.matches && state.book);
  const sliders = [],
    others = [];
  for (const [key, [label, about]] of Object.entries(SETTINGS[state.algorithm])) {
    /** @param {string | number | boolean} value */
    const set = (value) => ((values[key] = value), soon());
    if (about === true) others.push(check(label, Boolean(values[key]), set));
    else if (!Array.isArray(about))
      sliders.push(range(label, { ...about, value: Number(values[key]) }, set));
    else if (!lab.isNumberAnswer())
      others.push(choices(label, about, about.indexOf(String(values[key])), (i) => set(about[i])));
  }
  const holds = [3, 5, 0],
    hold = (/** @type {number} */ i) =>
      ((state.hold = holds[i]), soon()),
    shares = ["a third", "a fifth", "none"];
  others.push(choices("Kept apart to test the tree", shares, holds.indexOf(state.hold), hold));
  parts.how.replaceChildren(
    choices("Algorithm", names, names.indexOf(state.algorithm), (i) => {
      state.algorithm = names[i];
      showHow(lab);
      lab.refocus(parts.how);
      soon();
    }),
    ...sliders,
    folded("More settings", isOpen, ...others),
  );
}

// What brings a table: the book, a file, the clipboard.
function tableChooser(/** @type {Lab} */ lab) {
  /** @type {HTMLInputElement} */
  const input = make("input", {
    type: "file",
    hidden: "",
    accept: ".csv,.tsv,.txt,text/csv",
    "aria-label": "A CSV file",
    change: () => openFile(lab, input.files?.[0]),
  });
  const area = make("textarea", { rows: 4, "aria-label": "A table to paste" });
  const names = Object.keys(lab.data.tables),
    options = [["", "a table of the book"], ...names.map((name) => [name])];
  const choose = select("A table of the book", options, 0, (i) => i && openBook(lab, names[i - 1]));
  const parts = [
    inRow(choose),
    button("Open your own table", () => input.click(), { class: "dtb-main" }),
    input,
    folded(
      "or paste one, or drop a file",
      false,
      quietly("A line of names, then a line for each case."),
      area,
      button("Use what I pasted", () => openTable(lab, area.value, "pasted.csv")),
    ),
    quietly("Your table stays in this page."),
    lab.parts.message,
  ];
  return { parts, choose };
}

// What is done with the tree, on one line.
function toolRow(/** @type {Lab} */ lab) {
  return make(
    "div",
    { class: "dtb-row dtb-lab-bar" },
    (lab.steps = [
      button("Undo", () => step(lab, "past", "future")),
      button("Redo", () => step(lab, "future", "past")),
    ]),
    lab.parts.zoom,
    button("Compare", () => keep(lab)),
    button("Copy link", () => copyLink(lab)),
    button("Export", () => {}, { popovertarget: AWAY }),
  );
}

// Where everything is on the page; the choice of a table is given back.
function layOut(/** @type {Lab} */ lab, /** @type {HTMLElement} */ play) {
  const { parts } = lab,
    { parts: opening, choose } = tableChooser(lab);
  const tabs = TABS.map((name, i) => button(name, () => turn(i), { "aria-pressed": "false" }));
  const turn = (lab.turn = (wanted) => {
    const to = WIDE.matches ? Math.max(wanted, 2) : wanted; // the others are always seen
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", String(i === to)));
    play.dataset.tab = String(to);
    lab.refit?.();
  });
  play.classList.add("dtb-lab");
  play.append(
    toolRow(lab),
    make("div", { class: "dtb-data" }, opening, parts.columns, parts.how),
    parts.tree,
    parts.node,
    make("div", { class: "dtb-verdict" }, parts.verdict, parts.case),
    make("nav", { class: "dtb-tabs", "aria-label": "Parts of the laboratory" }, tabs),
    parts.away,
  );
  turn(1);
  addEventListener("resize", () => lab.refit?.());
  parts.tree.classList.add("dtb-grown");
  parts.node.classList.add("dtb-panel");
  parts.case.classList.add("dtb-case");
  Object.assign(parts.away, { id: AWAY, popover: "auto" });
  /** @type {(is: boolean) => (event: DragEvent) => void} */
  const over = (is) => (event) => {
    event.preventDefault();
    play.classList.toggle("dtb-over", is);
  };
  play.addEventListener("dragover", over(true));
  play.addEventListener("dragleave", over(false));
  play.addEventListener("drop", (event) => {
    over(false)(event);
    openFile(lab, event.dataTransfer?.files[0]);
  });
  return choose;
}

start("laboratory", laboratoryExplorable);
