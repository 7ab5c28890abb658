// Fields for an answer: a number to write, or one of some options. Each has what `read` gives, null or
// NaN for nothing that could be an answer.

import { make } from "./draw.js";

// A number as readers write it: 0.5, 0,5, 1/2, 50 %; NaN for anything else.
export function numberFrom(text) {
  const plain = text.replace(/\s/g, "").replace(",", ".").replace(/[−–]/g, "-");
  const [, over, under, percent] =
    plain.match(/^(-?\d*\.?\d+)(?:\/(\d*\.?\d+))?(%?)(?:bits?)?$/) ?? [];
  return over === undefined ? NaN : Number(over) / Number(under ?? 1) / (percent ? 100 : 1);
}

export function radios(options) {
  const name = `dtb-${Math.random()}`;
  const inputs = options.map((value) => make("input", { type: "radio", name, value }));
  const field = make(
    "fieldset",
    {},
    make("legend", {}, "Your answer"),
    inputs.map((input) => make("label", { class: "dtb-option" }, input, ` ${input.value}`)),
  );
  return { field, read: () => inputs.find((input) => input.checked)?.value ?? null };
}

export function blank(label, isShort = false) {
  const input = make("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    size: 8,
    "aria-label": isShort ? label : null,
  });
  const field = isShort ? input : make("label", { class: "dtb-blank" }, `${label} `, input);
  return { field, input, read: () => numberFrom(input.value) };
}

export function picked(label, options) {
  const field = make(
    "select",
    { "aria-label": label },
    make("option", { value: "" }, "choose"),
    options.map((option) => make("option", {}, option)),
  );
  return { field, read: () => field.value || null };
}
