// What is kept of a reader's answers: whether at all; to see, to take along, to bring back, to delete.

import { download } from "../kit/download.js";
import { make } from "../kit/draw.js";
import { KINDS } from "./exercise.js";
import { FORMS } from "./forms.js";
import { asText, fromText, merged } from "./memory.js";
import { inRow } from "../kit/legends.js";
import { button, check } from "../kit/reach.js";
import { some } from "../kit/words.js";

// The part of the page that says what is kept; `onChange` hears that answers came or went.
export function keeping(/** @type {Memory} */ memory, /** @type {() => unknown} */ onChange) {
  const said = make("p", { role: "status" });
  const seen = make("div", { class: "dtb-seen" });
  const about = { type: "file", accept: ".json", "aria-label": "A file of answers" },
    input = make("input", { ...about, hidden: "" });
  const keep = check(
    memory.canKeep ? "Keep my answers in this browser" : "This browser keeps nothing for pages",
    memory.isKept,
    (on) => (memory.keep(on), tell()),
  );
  keep.input.disabled = !memory.canKeep;
  const tell = (words = "") => {
    const many = some(memory.answers.length, "answer");
    const where = memory.isKept ? "Kept in this browser only" : "Kept until you leave this page";
    said.textContent = `${words} ${where}: ${many}.`.trim();
  };
  input.addEventListener("change", async () => {
    try {
      const before = memory.answers.length;
      memory.replace(merged(memory.answers, fromText((await input.files?.[0].text()) ?? "")));
      const added = memory.answers.length - before;
      if (added) onChange();
      tell(`${added} new.`);
    } catch (reason) {
      said.textContent = /** @type {Error} */ (reason).message;
    }
    input.value = "";
  });
  const see = () =>
    seen.replaceChildren(...(seen.childElementCount ? [] : [listOf(memory.answers)]));
  const remove = button("Delete", () => {
    if (!confirm("Really delete all answers?")) return;
    memory.replace([]);
    memory.keep(false);
    keep.input.checked = false;
    seen.replaceChildren();
    onChange();
    tell("Deleted.");
  });
  tell();
  const whole = make(
    "div",
    { class: "dtb-kept" },
    keep,
    said,
    inRow(
      button("See", see),
      button("Export", () => download("practice.json", asText(memory.answers), "application/json")),
      button("Import", () => input.click()),
      remove,
      input,
    ),
    seen,
  );
  return Object.assign(whole, { tell });
}

function listOf(/** @type {Given[]} */ answers) {
  if (!answers.length) return make("p", "Nothing yet.");
  const rows = answers
    .toReversed()
    .map(({ kind = "", form = "", right, seed, at, page, asked }) => {
      const what = page
        ? `${page}, ${asked}`
        : `${KINDS[kind]?.title ?? kind}, ${FORMS[form] ?? form}, seed ${seed}`;
      const day = new Date(at).toISOString().slice(0, 10);
      return make("li", `${day}: ${what}: ${right ? "right" : "wrong"}`);
    });
  return make("ol", { reversed: "", tabindex: 0, "aria-label": "All answers" }, rows);
}
