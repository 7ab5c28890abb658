// Hand a text to the reader as a file.

import { make } from "./draw.js";

/** @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
