// Commit, then see: until a guess is made, or declined, what answers it stands back. The guess stays
// in this page. guess: { question, because }, and { options, answer: place } or { unit, answer:
// number }.

import { make } from "./draw.js";
import { button, choices } from "./reach.js";

// How far off, in share, a guess still counts as right.
const NEAR = 0.1;

export function askFirst(play, guess) {
  if (!guess) return;
  play.inert = true;
  const verdict = make("p", { role: "status", class: "dtb-verdict" });
  const { field, said } = (guess.options ? askChoice : askNumber)(guess);
  const open = (words, right) => {
    play.inert = false;
    if (right !== undefined)
      form.dispatchEvent(new CustomEvent("dtb-guessed", { bubbles: true, detail: right }));
    verdict.textContent = words;
    form.replaceChildren(verdict);
  };
  const judge = (event) => {
    event.preventDefault();
    const [words, right] = said() ?? [];
    if (words) open(`${words} ${guess.because}`, right);
    else verdict.textContent = "Make a guess first.";
  };
  const form = make(
    "form",
    { class: "dtb-guess", "data-asked": guess.question, autocomplete: "off", submit: judge },
    field,
    make("p", { class: "dtb-line", "aria-hidden": "true" }),
    make(
      "p",
      {},
      make("button", {}, "That is my guess"),
      button("Show me without guessing", () => open(guess.because)),
    ),
    verdict,
  );
  play.before(form);
}

function askChoice({ question, options, answer }) {
  const field = choices(question, options, -1, () => {});
  const said = () => {
    const place = [...field.querySelectorAll("input")].findIndex((input) => input.checked);
    const right = place === answer;
    return place < 0
      ? null
      : [`Your guess: ${options[place]}. ${right ? "That is right." : "Not so."}`, right];
  };
  return { field, said };
}

function askNumber({ question, answer, unit }) {
  const input = make("input", { type: "number", step: "any", inputmode: "decimal" });
  const field = make("label", {}, `${question} `, input, ` ${unit ?? ""}`);
  const said = () => {
    if (Number.isNaN(input.valueAsNumber)) return null;
    const off = Math.abs(input.valueAsNumber - answer);
    const how = off ? `You are ${Number(off.toPrecision(2))} off.` : "That is right.";
    return [`Your guess: ${input.valueAsNumber}. ${how}`, off <= NEAR * Math.abs(answer)];
  };
  return { field, said };
}
