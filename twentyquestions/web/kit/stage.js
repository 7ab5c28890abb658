// A stage that keeps its size, and what stands on it: scales and axes, pictures that are renewed.

import { draw, line, make, put, small, text } from "./draw.js";
import { BOLD, END, HALOED, MIDDLE } from "./looks.js";

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// A linear scale from values to pixels, and back.
/** @param {number} low @param {number} high @param {number} from @param {number} to */
export function scale(low, high, from, to) {
  /** @param {number} value */
  const there = (value) => from + ((value - low) / (high - low || 1)) * (to - from);
  /** @param {number} pixel */
  there.back = (pixel) => low + ((pixel - from) / (to - from || 1)) * (high - low);
  return there;
}

/** Round numbers to write on an axis. @param {number} low @param {number} high */
function ticks(low, high, most = 5) {
  const rough = (high - low) / most || 1,
    size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((n) => n * size).find((s) => s >= rough * 0.999) ?? 10 * size;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** @param {Scale} x @param {number} y @param {number} low @param {number} high @param {string} name
 * @param {number} [most] */
export function axisX(x, y, low, high, name, most = Math.min(6, (x(high) - x(low)) / 36)) {
  const group = draw("g", { class: "dtb-axis" });
  group.append(line(x(low), y, x(high), y));
  for (const at of ticks(low, high, most))
    group.append(line(x(at), y, x(at), y + 5), text(x(at), y + 19, at, MIDDLE));
  if (name) group.append(text((x(low) + x(high)) / 2, y + 37, name, MIDDLE));
  return group;
}

/** @param {number} x @param {Scale} y @param {number} low @param {number} high @param {string} name
 * @param {(at: number) => Label} [words] */
export function axisY(x, y, low, high, name, most = 4, words = (at) => at) {
  const group = draw("g", { class: "dtb-axis" });
  group.append(line(x, y(low), x, y(high)));
  for (const at of ticks(low, high, most))
    group.append(line(x - 5, y(at), x, y(at)), text(x - 8, y(at) + 4, words(at), END));
  if (name) group.append(text(x - 8, y(high) - 10, name));
  return group;
}

// Words at a place of a chart, between two edges of it.
/** @param {string} words @param {number} x @param {number} y @param {Point} edges @param {Attributes} [more] */
export function within(words, x, y, [low, high], more) {
  const half = 4.5 * words.length;
  return small(clamp(x, low + half, high - half), y, words, { ...HALOED, ...more });
}

/** Words in a row, each that has room. @param {[number, number, string][]} places */
export function spaced(places) {
  let free = -Infinity;
  return places.flatMap(([x, y, words]) => {
    const half = 4 * words.length + 3;
    if (x - half < free) return [];
    free = x + half;
    return small(x, y, words, MIDDLE);
  });
}

// What a line of a chart shows, beside a piece of it.
/** @param {number} x @param {number} y @param {string} words @param {Attributes} look */
export const keyOf = (x, y, words, look) => [
  line(x, y - 5, x + 22, y - 5, { "stroke-width": 2, ...look }),
  small(x + 30, y, words, BOLD),
];

// A drawing that fills the width of its place, at the size of the page's own letters;
// `paint(width)` returns its height. It is painted again only when the place itself changes.
/** @param {string} label @param {(width: number) => number} paint */
export function picture(label, paint) {
  const place = make("div", { class: "dtb-place" });
  const sheet = Object.assign(
    draw("svg", { role: "group", "aria-label": label, class: "dtb-stage" }),
    { place, wide: 0, paint: () => ((sheet.wide = 0), fit()) },
  );
  place.append(sheet);
  const fit = () => {
    const width = Math.floor(place.getBoundingClientRect().width);
    if (!width || width === sheet.wide) return;
    sheet.wide = width;
    const height = paint(width);
    put(sheet, { viewBox: `0 0 ${width} ${height}`, width, height });
  };
  new ResizeObserver(fit).observe(place);
  queueMicrotask(fit);
  return sheet;
}

// Where a pointer is on a sheet.
/** @param {SVGSVGElement} sheet @param {MouseEvent} event @returns {[number, number]} */
export function onSheet(sheet, event) {
  const { left, top, width, height } = sheet.getBoundingClientRect();
  const { width: w, height: h } = sheet.viewBox.baseVal;
  return [((event.clientX - left) * w) / width, ((event.clientY - top) * h) / height];
}

/** @type {WeakMap<Element, Map<string, Element>>} */
const SHOWN = new WeakMap();
// Show pictures in a layer, each known by what it looks like: what is there already stays, so that
// dragging draws only what changes.
/** @template {Element} T @param {Element} layer @param {string[]} looks
 * @param {(i: number) => T} make */
export function renewed(layer, looks, make) {
  const before = SHOWN.get(layer) ?? new Map(),
    now = new Map(looks.map((look, i) => [look, before.get(look) ?? make(i)]));
  SHOWN.set(layer, now);
  for (const [look, picture] of before) if (!now.has(look)) picture.remove();
  let place = layer.firstElementChild;
  for (const picture of now.values())
    if (picture === place) place = picture.nextElementSibling;
    else layer.insertBefore(picture, place);
  return /** @type {T[]} */ (looks.map((look) => now.get(look)));
}
