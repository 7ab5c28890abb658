// Amounts as bars, and a card for each question that can be asked of a pile.

import { make } from "./draw.js";
import { ANSWER } from "./looks.js";
import { TIE } from "./measures.js";
import { withMark } from "./parts.js";
import { button } from "./reach.js";
import { short } from "./words.js";

const meter = (/** @type {number} */ value, /** @type {string} */ more = "") =>
  make("span", { class: `dtb-meter${more}`, style: `--share:${100 * value}%` });

/** An amount in words, and its share as a bar. @param {string} words @param {number} value @param {boolean} isOn */
export const meterOf = (words, value, isOn) =>
  make("div", { class: isOn ? "dtb-asked" : null }, words, meter(value));

/**
 * To ask it, where `ask` gives what does so; once one was asked, what each would have gained there, of at
 * most so much, and, where the `second` choice is that of C4.5, its ratio, and below the gain, on one
 * scale, what it is `divided` by. A `glyph` stands before each answer that has one.
 * @param {Pile} node @param {Attribute[]} attributes @param {number[]} amounts
 * @param {{ask: ((a: number) => () => void) | null, divided: (a: number) => number, most: number,
 *   second: number | null, glyph?: (a: number, value: number) => SVGElement}} about
 */
export function questionCards(node, attributes, amounts, { ask, divided, most, second, glyph }) {
  const known = node.asks >= 0,
    best = Math.max(...amounts) - TIE;
  return attributes.map(({ name, levels }, a) => {
    const isUsed = node.used.includes(a),
      isShown = known && !isUsed,
      isBest = amounts[a] >= best,
      by = isShown && second !== null ? divided(a) : 0,
      all = glyph ? levels.map((level, i) => withMark(level, 16, glyph(a, i))) : levels.join(", "),
      told = isShown ? `${short(amounts[a])}${isBest ? " ★" : ""}` : all,
      ratio = `ratio ${short(amounts[a] / by)}${a === second ? " ★" : ""}`;
    const about = { class: `dtb-question${node.asks === a ? " dtb-asked" : ""}` };
    const inside = [
      make("strong", `${name}?`),
      isShown ? meter(amounts[a] / most) : null,
      make("span", isUsed ? "already asked" : told),
      ...(by
        ? [
            make("span", ANSWER, ratio),
            meter(by / most, " dtb-secret"),
            make("span", ANSWER, short(by)),
          ]
        : []),
    ];
    return ask && !isUsed
      ? button(inside, ask(a), { ...about, "aria-label": `Ask ${name}?` })
      : make("div", about, inside);
  });
}
