// Commit, then see: what is asked stands above the picture, which is alive; only what answers it, all
// that is `.dtb-secret` and the sentence, is not seen until a guess is made, or declined. Then the picture
// answers by `show(answer)`. guess: { question, because }, and { options, answer: place } or
// { unit, answer: number }. Who keeps a reader's answers hears whether it was right.

import { make } from "./draw.js";
import { blank, form } from "./fields.js";
import { button, primary } from "./reach.js";

// How far off, in share, a number still counts as right.
const CLOSE = 0.1;

/** @param {HTMLElement} play @param {Guess} [guess] @param {Shows | void} [show] */
export function askFirst(play, guess, show) {
  if (!guess) return;
  const { question, because, options, answer, unit } = guess,
    root = play.parentElement;
  root?.classList.add("dtb-asking");
  const verdict = make("p", { role: "status", class: "dtb-replied", tabindex: -1 });
  /** @param {string} told @param {boolean} [right] */
  const open = (told, right) => {
    root?.classList.remove("dtb-asking");
    if (right !== undefined)
      asking.dispatchEvent(new CustomEvent("dtb-guessed", { bubbles: true, detail: right }));
    verdict.replaceChildren(make("span", {}, question), make("strong", {}, told), ` ${because}`);
    asking.replaceChildren(verdict);
    verdict.focus({ preventScroll: true });
    show?.(answer);
  };
  /** @param {string | number} said @param {string} off @param {boolean} isNear */
  const judge = (said, off, isNear) =>
    open(`You guessed ${said}. ${off || "That is right."}`, isNear);
  const { field, read } = blank(question, unit);
  const measure = () => {
    const value = read();
    if (Number.isNaN(value)) return (verdict.textContent = "Make a guess first.");
    const off = Math.abs(value - answer),
      far = off ? `You are ${Number(off.toPrecision(2))} off.` : "";
    judge([value, unit].filter(Boolean).join(" "), far, off <= CLOSE * Math.abs(answer));
  };
  const choices = options?.map((option, i) =>
    button(option, () => judge(option, i === answer ? "" : "No.", i === answer), {
      class: "dtb-option",
    }),
  );
  const asking = form(
    { class: "dtb-guess", "data-asked": question, autocomplete: "off" },
    measure,
    ...(choices
      ? [
          make("p", {}, question),
          make("div", { class: "dtb-row", role: "group", "aria-label": question }, choices),
        ]
      : [field, primary("That is my guess", measure)]),
    button("Show me without guessing", () => open(""), { class: "dtb-skip" }),
    make("p", { class: "dtb-line", "aria-hidden": "true" }),
    verdict,
  );
  play.before(asking);
}
