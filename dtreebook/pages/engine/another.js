// Where practice begins: its own page, and "Another one like this" below the questions of others.

import { make } from "./draw.js";
import { KINDS, exercise } from "./exercise.js";
import { pose } from "./forms.js";
import { formOf, opened, standing } from "./memory.js";
import { practise, wanted } from "./practice.js";
import { button } from "./reach.js";
import { forClasses, printSheets } from "./sheet.js";

// One exercise after the other on what a page teaches, below its questions.
function anotherOne(root) {
  const names = Object.keys(KINDS);
  const kinds = names.filter((kind) => KINDS[kind].page === root.dataset.page);
  const memory = opened(names);
  let turn = 0;
  const next = () => {
    const kind = kinds[turn++ % kinds.length];
    const form = formOf(standing(memory.answers, kind, Date.now()));
    const seed = Math.floor(Math.random() * 1e6);
    const more = button("Another one like this", next);
    const onFirst = (right) => memory.add({ kind, seed, form, right, at: Date.now() });
    const all = make("a", { href: "practice.html" }, "Practise all kinds, mixed");
    const made = exercise(kind, seed);
    root.replaceChildren(
      make("p", { class: "dtb-row" }, make("b", { class: "dtb-kind" }, made.title)),
      pose(made, form, { onFirst }),
      make("p", { class: "dtb-row" }, more, all),
    );
    if (turn > 1) root.querySelector("h3").scrollIntoView({ block: "nearest" });
  };
  next();
}

// The styles lie beside the script; no other page loads them.
const { src } = document.currentScript ?? {};
if (src)
  document.head.append(
    make("link", { rel: "stylesheet", href: src.replace(/\.js.*$/, ".css"), "data-holds": "" }),
  );

for (const root of document.querySelectorAll(".dtb-another")) {
  const open = () => anotherOne(root);
  if ("open" in root.dataset) open();
  else root.firstElementChild.onclick = open;
}
const root = document.querySelector(".dtb-practice");
if (root) {
  const asked = wanted();
  if (asked?.sheets) printSheets(root, asked);
  else {
    practise(root);
    document.querySelector("#for-a-class, #practice-class")?.append(forClasses());
  }
}
