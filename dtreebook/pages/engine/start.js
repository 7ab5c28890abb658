// Starting the explorables of a page, each after its guess.

import { begin } from "./begin.js";
import { askFirst } from "./guess.js";

/** @template Data @param {string} kind @param {Build<Data>} build */
export const start = (kind, build) => begin(kind, build, askFirst);
