// Tables of a page.

import { make } from "./draw.js";

export const scrolling = (/** @type {string} */ label, /** @type {Children} */ ...inside) =>
  make("div", { class: "dtb-scroll", tabindex: 0, role: "group", "aria-label": label }, ...inside);

/** @param {Child[]} heads @param {Child[]} rows @param {Attributes} [more] */
export function gridOf(heads, rows, more = {}) {
  const head = heads.map((name) => make("th", { scope: "col" }, name));
  return make("table", more, make("thead", make("tr", head)), make("tbody", rows));
}

/** @param {string} label @param {Parameters<typeof gridOf>} grid */
export const sheetOf = (label, ...grid) => scrolling(label, gridOf(...grid));

/** @param {Child} head @param {(Child | Child[])[]} cells @param {(i: number) => boolean} [isRight] */
export const rowOf = (head, cells, isRight = () => false) =>
  make(
    "tr",
    make("th", { scope: "row" }, head),
    cells.map((cell, i) => make("td", { class: isRight(i) && "dtb-right" }, cell)),
  );
