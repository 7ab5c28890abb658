// Where practice begins: its own page, and "Another one like this" below the questions of others.

import { make } from "../kit/draw.js";
import { exercise } from "./exercise.js";
import { pose } from "./forms.js";
import { opened } from "./memory.js";
import { practise, wanted } from "./practice.js";
import { button } from "../kit/reach.js";
import { formOf, standing } from "./schedule.js";
import { forClasses, printSheets } from "./worksheets.js";

/** One exercise after the other of the kind of a question, below it. @param {HTMLElement} root */
function anotherOne(root) {
  const { kind = "" } = root.dataset;
  const memory = opened();
  let isFirst = true;
  const next = () => {
    const form = formOf(standing(memory.answers, kind, Date.now()));
    const seed = Math.floor(Math.random() * 1e6);
    const more = button("Another one like this", next);
    /** @param {boolean} right */
    const onFirst = (right) => memory.add({ kind, seed, form, right, at: Date.now() });
    const all = make("a", { href: "practice.html" }, "Practise all kinds, mixed");
    const made = exercise(kind, seed);
    root.tabIndex = -1;
    root.replaceChildren(
      make("p", { class: "dtb-row" }, make("b", { class: "dtb-kind" }, made.title)),
      pose(made, form, { onFirst }),
      make("p", { class: "dtb-row" }, more, all),
    );
    root.focus({ preventScroll: true });
    if (!isFirst) root.querySelector("h3")?.scrollIntoView({ block: "nearest" });
    isFirst = false;
  };
  next();
}

// The styles lie beside the script; no other page loads them.
const script = document.currentScript;
if (script instanceof HTMLScriptElement && script.src) {
  const href = script.src.replace(/\.js.*$/, ".css");
  document.head.append(make("link", { rel: "stylesheet", href, "data-holds": "" }));
}

/** @type {NodeListOf<HTMLElement>} */
const others = document.querySelectorAll(".dtb-another");
for (const root of others) {
  const open = () => anotherOne(root);
  if ("open" in root.dataset) open();
  else root.firstElementChild?.addEventListener("click", open);
}
/** @type {HTMLElement | null} */
const root = document.querySelector(".dtb-practice");
if (root) {
  const asked = wanted();
  if (asked?.sheets) printSheets(root, asked);
  else {
    practise(root);
    document.querySelector("#for-a-class, #practice-class")?.append(forClasses());
  }
}
