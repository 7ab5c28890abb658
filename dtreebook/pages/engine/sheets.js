// Tables of a page.

import { make } from "./draw.js";

export const scrolling = (label, ...inside) =>
  make("div", { class: "dtb-scroll", tabindex: 0, role: "group", "aria-label": label }, ...inside);

export const gridOf = (heads, rows, more = {}) =>
  make(
    "table",
    more,
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        heads.map((name) => make("th", { scope: "col" }, name)),
      ),
    ),
    make("tbody", {}, rows),
  );

export const sheetOf = (label, ...grid) => scrolling(label, gridOf(...grid));

export const rowOf = (head, cells, isRight = () => false) =>
  make(
    "tr",
    {},
    make("th", { scope: "row" }, head),
    cells.map((cell, i) => make("td", { class: isRight(i) && "dtb-right" }, cell)),
  );
