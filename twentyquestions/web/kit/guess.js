// Commit, then see: what is asked stands above the picture, which is alive; only what answers it, all
// that is `.dtb-secret`, is not seen until a guess is made, or declined. Then the picture answers by
// `show(answer)`. An option is chosen, or a number is pressed on a line. Who keeps a reader's answers
// hears whether it was right.

import { make } from "./draw.js";
import { guessLine } from "./numberline.js";
import { button } from "./reach.js";

/** One of some options. @param {OneOf} about @param {Judge} judge */
function guessOption({ question, options, answer }, judge) {
  const look = { class: "dtb-option" };
  const choices = options.map((option, i) =>
    button(option, () => judge(option, i === answer ? "" : "No.", i === answer), look),
  );
  const about = { class: "dtb-row", role: "group", "aria-label": question };
  return { inside: [make("div", about, choices)], open: () => "" };
}

/** @param {HTMLElement} play @param {Guess} [guess] @param {Shows | void} [show] */
export function askFirst(play, guess, show) {
  if (!guess) return;
  const { question, because, answer } = guess,
    root = play.parentElement;
  root?.classList.add("dtb-asking");
  const verdict = make("p", { role: "status", class: "dtb-replied", tabindex: -1 });
  /** @param {string} told @param {boolean} [right] */
  const open = (told, right) => {
    root?.classList.remove("dtb-asking");
    if (right !== undefined)
      asking.dispatchEvent(new CustomEvent("dtb-guessed", { bubbles: true, detail: right }));
    verdict.replaceChildren(make("span", question), make("strong", told), ` ${because}`);
    asking.replaceChildren(verdict, field.open());
    verdict.focus({ preventScroll: true });
    show?.(answer);
  };
  /** @type {Judge} */
  const judge = (said, off, isNear) =>
    open(`You guessed ${said}. ${off || "That is right."}`, isNear);
  const field = "options" in guess ? guessOption(guess, judge) : guessLine(guess, judge);
  const asking = make(
    "div",
    { class: "dtb-guess", "data-asked": question },
    make("p", question),
    ...field.inside,
    button("Just show me", () => open(""), { class: "dtb-skip" }),
    make("p", { class: "dtb-line", "aria-hidden": "true" }),
    verdict,
  );
  play.before(asking);
}
