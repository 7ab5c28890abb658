// Amounts as bars, and a card for each question that can be asked of a pile.

import { make } from "../kit/draw.js";
import { TIE } from "../algorithms/measures.js";
import { withMark } from "../kit/legends.js";
import { button } from "../kit/reach.js";
import { short } from "../kit/words.js";

export const meter = (/** @type {number} */ value, /** @type {string} */ more = "") =>
  make("span", { class: `dtb-meter${more}`, style: `--share:${100 * value}%` });

/**
 * To ask it, where `ask` gives what does so, and what is done where it is `pointed` at; once it `isTold` what
 * each gains, of at most so much, and, where the `second` choice is that of C4.5, its ratio, and below the gain, on one
 * scale, what it is `divided` by. A `glyph` stands before each answer that has one.
 * @param {Pile} node @param {Attribute[]} attributes @param {number[]} amounts
 * @param {{ask: ((a: number) => () => void) | null, isTold: boolean, pointed: (a: number) => () => void,
 *   sides: (a: number) => string, divided: (a: number) => number, most: number, second: number | null,
 *   glyph?: (a: number, value: number) => SVGElement}} about
 */
export function questionCards(node, attributes, amounts, about) {
  const { ask, isTold, pointed, sides, divided, most, second, glyph } = about,
    best = Math.max(...amounts, 2 * TIE) - TIE;
  return attributes.map(({ name, levels }, a) => {
    const isUsed = node.used.includes(a),
      isShown = isTold && !isUsed && !node.seats, // where C4.5 refuses, how many a question has is seen
      by = isShown && second !== null ? divided(a) : 0,
      all = glyph ? levels.map((level, i) => withMark(level, 16, glyph(a, i))) : levels.join(", "),
      star = amounts[a] >= best ? " ★" : "",
      told = isShown ? `${short(amounts[a])}${star}` : node.seats ? sides(a) : all,
      ratio = `ratio ${short(amounts[a] / by)}${a === second ? " ★" : ""}`;
    const look = { class: `dtb-question${node.asks === a ? " dtb-asked" : ""}` };
    const inside = [
      make("strong", `${name}?`),
      isShown ? meter(amounts[a] / most) : null,
      make("span", isUsed ? "already asked" : told),
      ...(by ? [make("span", ratio), meter(by / most, " dtb-under"), make("span", short(by))] : []),
    ];
    if (!ask || isUsed) return make("div", look, inside);
    const points = {
      pointerenter: pointed(a),
      focus: pointed(a),
      "aria-label": isTold ? null : `Ask ${name}?`,
    };
    return button(inside, ask(a), { ...look, ...points });
  });
}
