// Commit, then see: until a guess is made, or declined, what answers it stands back, and the guess lies
// over it; the verdict stands below, so that nothing moves. guess: { question, because }, and { options,
// answer: place } or { unit, answer: number }. Who keeps a reader's answers hears whether it was right.

import { make } from "./draw.js";
import { blank, form, radios } from "./fields.js";
import { button } from "./reach.js";

// How far off, in share, a number still counts as right.
const CLOSE = 0.1;

/** @param {HTMLElement} play @param {Guess} [guess] */
export function askFirst(play, guess) {
  if (!guess) return;
  const { question, because, options, answer, unit } = guess;
  play.inert = true;
  const verdict = make("p", { role: "status", class: "dtb-verdict" });
  const { field, read } = options ? radios(options, question) : blank(question, unit);
  /** @param {string} told @param {boolean} [right] */
  const open = (told, right) => {
    play.inert = false;
    if (right !== undefined)
      asking.dispatchEvent(new CustomEvent("dtb-guessed", { bubbles: true, detail: right }));
    verdict.replaceChildren(make("span", {}, question), make("strong", {}, told), ` ${because}`);
    asking.replaceChildren(verdict);
  };
  const judge = () => {
    const value = read();
    if (value === null || Number.isNaN(value)) return (verdict.textContent = "Make a guess first.");
    const off = options ? Number(value !== options[answer]) : Math.abs(Number(value) - answer);
    const far = options ? "No." : `You are ${Number(off.toPrecision(2))} off.`;
    const isNear = off <= (options ? 0 : CLOSE * Math.abs(answer));
    const said = [value, unit].filter(Boolean).join(" ");
    open(`You guessed ${said}. ${off ? far : "That is right."}`, isNear);
  };
  const asking = form(
    { class: "dtb-guess", "data-asked": question, autocomplete: "off" },
    judge,
    field,
    make("p", { class: "dtb-line", "aria-hidden": "true" }),
    make(
      "p",
      {},
      make("button", { class: "dtb-main" }, "That is my guess"),
      button("Show me without guessing", () => open("")),
    ),
    verdict,
  );
  const place = make("div", { class: "dtb-opens" });
  play.replaceWith(place);
  place.append(asking, play);
}
