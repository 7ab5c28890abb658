// Fields for an answer: a number to write, or one of some options. Each has what `read` gives, null or
// NaN for nothing that could be an answer.

import { make } from "./draw.js";
import { choices } from "./reach.js";

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

/**
 * A form, and what is done when it is sent: it stays on its page.
 * @param {Attributes} about @param {() => unknown} onSend @param {Children} inside
 */
export const form = (about, onSend, ...inside) =>
  make("form", { ...about, submit: (event) => (event.preventDefault(), onSend()) }, ...inside);

/** @param {string[]} options @param {string} [legend] */
export function radios(options, legend = "Your answer") {
  let /** @type {string | null} */ value = null;
  const field = choices(legend, options, -1, (i) => (value = options[i]));
  return { field, read: () => value };
}

/** @param {string | null} label */
const number = (label) =>
  make("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    size: 8,
    "aria-label": label,
  });

/** @param {string} label @param {string} [unit] */
export function blank(label, unit = "") {
  const input = number(null);
  const field = make("label", {}, `${label} `, input, ` ${unit}`);
  return { field, read: () => numberFrom(input.value) };
}

/** @param {string | null} label */
export function gap(label) {
  const field = number(label);
  return { field, read: () => numberFrom(field.value) };
}

/** @param {string} label @param {Answer[]} options */
export function picked(label, options) {
  const field = make(
    "select",
    { "aria-label": label },
    make("option", { value: "" }, "choose"),
    options.map((option) => make("option", {}, option)),
  );
  return { field, read: () => field.value || null };
}
