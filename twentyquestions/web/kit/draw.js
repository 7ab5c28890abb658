// Drawing: elements, and the shapes of a picture.

import { CENTRED, colour, ink } from "./looks.js";
import { sum } from "../algorithms/measures.js";

/** Give an element attributes, and functions that hear its events. @param {Element} made @param {Attributes} attributes */
export function put(made, attributes) {
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === "function")
      made.addEventListener(key, /** @type {EventListener} */ (value));
    else if (value !== null && value !== undefined && value !== false)
      if (made.getAttribute(key) !== String(value)) made.setAttribute(key, String(value));
}
/** Give an element attributes, texts and elements in it. @template {Element | DocumentFragment} E @param {E} made @param {Inside} parts */
function filled(made, parts) {
  for (const part of parts.flat())
    if (typeof part === "object" && !(part instanceof Node))
      put(/** @type {Element} */ (made), part ?? {});
    else if (part !== undefined) made.append(part instanceof Node ? part : String(part));
  return made;
}
/** @template {keyof SVGElementTagNameMap} K @param {K} name @param {Inside} parts */
export const draw = (name, ...parts) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), parts);
/** @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Inside} parts */
export const make = (name, ...parts) => filled(document.createElement(name), parts);

// Show texts and elements in a place: what is there already stays as far as it is alike, so that a step
// lays out and paints only what changes. None of them hears events.
/** @param {Node} place @param {Inside} parts */
export const become = (place, ...parts) => follow(place, filled(new DocumentFragment(), parts));
/** @param {Node} place @param {Node} meant */
function follow(place, meant) {
  const now = [...place.childNodes],
    then = [...meant.childNodes];
  then.forEach((node, i) => {
    const old = now[i];
    if (old?.isEqualNode(node)) return;
    if (old?.nodeName !== node.nodeName)
      return old ? old.replaceWith(node) : place.appendChild(node);
    old.nodeValue = node.nodeValue; // of a text
    if (!(old instanceof Element && node instanceof Element)) return;
    for (const { name } of [...old.attributes])
      if (!node.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of node.attributes) put(old, { [name]: value });
    follow(old, node);
  });
  for (const old of now.slice(then.length)) old.remove();
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Attributes} [more] */
export const line = (x1, y1, x2, y2, more = {}) =>
  draw("line", { x1, y1, x2, y2, stroke: "currentColor", ...more });
/** What is shown has a true minus before a number. @param {Label} words */
export const signed = (words) => String(words).replace(/(^|\s)-(?=\d)/g, "$1−");
/** @param {number} x @param {number} y @param {Label} words @param {Attributes} [more] */
export const text = (x, y, words, more = {}) =>
  draw("text", { x, y, fill: "currentColor", ...more }, signed(words));
/** @param {number} x @param {number} y @param {Label} words @param {Attributes} [more] */
export const small = (x, y, words, more = {}) => text(x, y, words, { "font-size": 14, ...more });
/** @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {Attributes} [more] */
export const box = (x, y, width, height, more = {}) =>
  draw("rect", { x, y, width: Math.max(width, 0), height: Math.max(height, 0), ...more });
export const pathOf = (/** @type {Point[]} */ points) =>
  points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
export const outline = (/** @type {string} */ d, /** @type {Attributes} */ more = {}) =>
  draw("path", { d, fill: "none", stroke: "currentColor", ...more });
/** @param {Point[]} points @param {Attributes} [more] */
export const curve = (points, more) => outline(pathOf(points), more);
/** @param {number} cx @param {number} cy @param {number} r @param {Attributes} [more] */
export const circle = (cx, cy, r, more = {}) =>
  draw("circle", { cx, cy, r, fill: "currentColor", ...more });

// The mark of a class around a place: a disc, a square, a triangle, a diamond, a cross, a bar.
/** @type {((r: number) => string)[]} */
const MARKS = [
  (r) => `${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (r) => `${-0.9 * r} ${-0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  (r) => `0 ${-1.1 * r}l${1.1 * r} ${2 * r}h${-2.2 * r}z`,
  (r) => `0 ${-1.25 * r}l${1.1 * r} ${1.25 * r}l${-1.1 * r} ${1.25 * r}l${-1.1 * r} ${-1.25 * r}z`,
  (r) =>
    `${-r} ${-0.4 * r}h${0.6 * r}v${-0.6 * r}h${0.8 * r}v${0.6 * r}h${0.6 * r}v${0.8 * r}h${-0.6 * r}v${0.6 * r}h${-0.8 * r}v${-0.6 * r}h${-0.6 * r}z`,
  (r) => `${-r} ${-0.5 * r}h${2 * r}v${r}h${-2 * r}z`,
];
/** @param {number} k @param {Point} at @param {number} r how large it is */
export const markAt = (k, at, r) => `M${at}m${MARKS[k % MARKS.length](r)}`;
/** @param {number} k @param {number} x @param {number} y @param {Attributes} [more] */
export const mark = (k, x, y, r = 6, more = {}) =>
  draw("path", { d: markAt(k, [x, y], r), fill: colour(k), ...more });

/** So many layers of a picture. @param {number} many */
export const layers = (many) => Array.from({ length: many }, () => draw("g"));

/** Rings, one for all at a place, as one path. @param {[number, number, number][]} places @param {Attributes} more */
export function rings(places, more) {
  const all = places.map(
    ([x, y, r]) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  );
  return outline([...new Set(all)].join(""), more);
}
/** The ring around the one that is looked at. @param {number} cx @param {number} cy */
export const ringed = (cx, cy) => rings([[cx, cy, 7]], { class: "dtb-one", "stroke-width": 3 });

// So many cases of a class as a bar, with their number where there is room for it.
/** @param {number} k @param {Label} count @param {number} x @param {number} y @param {number} width
 * @param {number} height */
export const countBar = (k, count, x, y, width, height) => [
  box(x, y, width, height, { fill: colour(k) }),
  ...(count && width > 14 && height > 17
    ? [text(x + width / 2, y + height / 2 + 5, count, { ...CENTRED, fill: ink(k) })]
    : []),
];

// Counts by class side by side, as a bar of so many pixels.
/** @param {number[]} counts @param {number} x @param {number} y @param {number} across @param {number} high */
export function barOf(counts, x, y, across, high) {
  let from = x;
  return counts.flatMap((count, k) => {
    const part = (across * count) / (sum(counts) || 1);
    return countBar(k, count, (from += part) - part, y, part, high);
  });
}

/** Stripes that fill what has `url(#id)`. @param {string} id @param {Attributes} look */
export function stripes(id, look) {
  const about = { id, width: 7, height: 7, patternUnits: "userSpaceOnUse" };
  const turned = { ...about, patternTransform: "rotate(45)" };
  return draw("defs", draw("pattern", turned, box(0, 0, 2, 7, look)));
}

/** Small words that have so many pixels: cut short if need be. @param {string} words @param {number} room */
export const fitted = (words, room) =>
  words.length * 7.6 <= room
    ? words
    : room < 22
      ? ""
      : `${words.slice(0, Math.max(1, Math.floor(room / 7.6) - 1))}…`;
