// Fields for an answer: a number to write, or one of some options. Each has what `read` gives, null or
// NaN for nothing that could be an answer.

import { shown } from "./calculation.js";
import { make } from "../kit/draw.js";
import { choices } from "../kit/reach.js";

/** A number as readers write it: 0.5, 0,5, 1/2, 50%; NaN for anything else. @param {string} text */
function numberFrom(text) {
  const plain = text
    .replace(/\s/g, "")
    .replace(",", ".")
    .replace(/[−–]/g, "-");
  const [, over, under, percent] =
    plain.match(/^(-?\d*\.?\d+)(?:\/(\d*\.?\d+))?(%?)(?:bits?)?$/) ?? [];
  return over === undefined ? NaN : Number(over) / Number(under ?? 1) / (percent ? 100 : 1);
}

// A form, and what is done when it is sent: it stays on its page.
/** @param {Attributes} about @param {() => unknown} onSend @param {Children} inside */
export const form = (about, onSend, ...inside) =>
  make("form", { ...about, submit: (event) => (event.preventDefault(), onSend()) }, ...inside);

/** @param {Answer[]} options @returns {Answered} */
export function radios(options, legend = "Your answer") {
  let /** @type {Answer | null} */ value = null;
  const field = choices(legend, options, -1, (i) => (value = options[i]));
  return { field, read: () => value };
}

// What a picture is moved to.
/** @returns {Answered} */
export function inHand() {
  let /** @type {Answer | null} */ value = null;
  const said = make("b", "?"),
    field = make("output", "Your answer: ", said);
  const take = (/** @type {Answer} */ to) => {
    value = to;
    said.textContent = shown(to);
  };
  return { field, read: () => value, take };
}

export function gap(/** @type {string | null} */ label) {
  const about = { type: "text", inputmode: "decimal", autocomplete: "off", size: 8 },
    field = make("input", { ...about, "aria-label": label });
  const take = (/** @type {Answer} */ to) => (field.value = `${to}`);
  return { field, read: () => numberFrom(field.value), take };
}

/** @param {string} label @returns {Answered} */
export function blank(label) {
  const { field, read } = gap(null);
  return { field: make("label", `${label} `, field), read };
}
