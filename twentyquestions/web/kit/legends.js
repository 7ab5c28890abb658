// The parts of an explorable beside its picture: rows of controls, legends, and what lights up together.

import { draw, line, make, mark } from "./draw.js";

/** Controls in a row. @param {Children} inside */
export const inRow = (...inside) => make("div", { class: "dtb-row" }, ...inside);
/** Controls in a row, and the sentence of the picture below them. @param {Children} inside */
export const telling = (...inside) => make("div", { class: "dtb-tells" }, ...inside);
/** What is said beside a picture. @param {Children} inside */
export const quietly = (...inside) => make("span", { class: "dtb-legend" }, ...inside);

/** @param {Label} name @param {number} width @param {Child} picture */
export const withMark = (name, width, picture) =>
  make("span", draw("svg", { width, height: 16, "aria-hidden": "true" }, picture), ` ${name} `);

/** What the marks mean. @param {Label[]} classes */
export const legend = (classes) =>
  quietly(classes.map((name, k) => withMark(name, 16, mark(k, 8, 8))));

/** What kinds of lines mean. @param {[string, Attributes][]} lines */
export const legendOf = (...lines) =>
  quietly(lines.map(([name, more]) => withMark(name, 22, line(1, 8, 21, 8, more))));

/** What is folded up, or open. @param {string} words @param {boolean} open @param {Children} inside */
export const folded = (words, open, ...inside) =>
  make("details", { open: open || null }, make("summary", words), ...inside);

// A picture, and beside it, where there is room, what it is moved by.
export const beside = (/** @type {Child} */ picture, /** @type {Children} */ ...rest) =>
  make("div", { class: "dtb-two" }, picture, make("div", { class: "dtb-rest" }, ...rest));

// Light up some pictures, and no others.
/** @param {HTMLElement} play @param {Pictures} pictures */
export function litUp(play, ...pictures) {
  for (const found of play.querySelectorAll(".dtb-lit")) found.classList.remove("dtb-lit");
  for (const picture of pictures) picture?.classList.add("dtb-lit");
}
