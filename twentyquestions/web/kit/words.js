// Numbers in words.

import { fixed } from "../algorithms/measures.js";

/** @param {number} value */
export const short = (value, digits = 3) => fixed(value, digits).replace(/^-(0\.0+)$/, "$1");
/** @param {number} part */
export const share = (part, whole = 1) => `${Math.round((100 * part) / whole)}%`;
export const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)}%`;
/** @param {string} word */
export const aOrAn = (word) => `${/^[aeiou]/i.test(word) ? "an" : "a"} ${word}`;
/** @param {number} n @param {string} one */
export const some = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
