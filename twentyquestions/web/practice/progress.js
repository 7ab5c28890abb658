// What one has done on a page: the first answer to each question and each guess is what counts. It is
// marked where it was given, counted below the title, and kept as practice is.

import { opened } from "./memory.js";

const memory = opened();
const here = location.pathname.replace(/^.*\/|\.html$/g, "");
/** @type {(root: Element) => string} */
const words = (root) =>
  root.getAttribute("data-asked") ??
  String(root.firstElementChild?.textContent).replace(/^\d+\.\s*/, "");
const said = document.createElement("span");
said.setAttribute("role", "status");

function show() {
  const mine = new Map(
    memory.answers.filter((one) => one.page === here).map((one) => [one.asked, one.right]),
  );
  const questions = [...document.querySelectorAll(".dtb-question, .dtb-guess")];
  let done = 0;
  for (const root of questions) {
    const right = mine.get(words(root));
    if (right === undefined) continue;
    done += 1;
    root.classList.add(right ? "dtb-got" : "dtb-missed");
  }
  if (!done) return;
  const right = questions.filter((root) => root.classList.contains("dtb-got")).length;
  said.textContent = ` ${done} of ${questions.length} questions answered, ${right} right at once. `;
  if (memory.isKept || !memory.canKeep) return;
  const keep = document.createElement("button");
  keep.textContent = "Keep this in my browser";
  keep.onclick = () => {
    memory.keep(true);
    show();
  };
  said.append(keep);
}

function answer(/** @type {Element} */ root, /** @type {boolean} */ right) {
  const asked = words(root);
  if (memory.answers.some((one) => one.page === here && one.asked === asked)) return;
  const kind = root.querySelector(".dtb-another")?.getAttribute("data-kind");
  memory.add({ page: here, asked, ...(kind && { kind }), right, at: Date.now() });
  show();
}

const inQuestion = (/** @type {Element} */ target) => target.closest(".dtb-question");
// An opened choice, or the answer to what was to be filled in; `toggle` does not bubble.
addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement)) return;
    const root = target.open && inQuestion(target);
    if (!root) return;
    const right = target.querySelector("strong")?.textContent === "Right.";
    if (!target.matches(".dtb-answer")) target.classList.add(right ? "dtb-yes" : "dtb-no");
    answer(root, right);
  },
  true,
);
addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const root = target.matches(".dtb-fill") && target.value.trim() && inQuestion(target);
  if (root) answer(root, target.validity.valid);
});
addEventListener("dtb-guessed", (event) =>
  answer(/** @type {Element} */ (event.target), /** @type {CustomEvent} */ (event).detail),
);
// The exercises are loaded once one is asked for.
addEventListener("click", ({ target }) => {
  const root = /** @type {Element} */ (target).closest(".dtb-another:not([data-open])");
  if (!root) return;
  root.setAttribute("data-open", "");
  /** @type {HTMLScriptElement | null} */
  const script = document.querySelector("script[src*='progress.js']");
  const src = script?.src.replace("progress", "practice");
  document.head.append(Object.assign(document.createElement("script"), { src }));
});
document.querySelector(".dtb-reading-time")?.append(said);
// The guesses are there by then.
addEventListener("DOMContentLoaded", show);
