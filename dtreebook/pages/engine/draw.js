// Drawing: elements, the marks of the classes, axes, and a stage that keeps its size. The palette
// is that of the package's pictures; what is not a mark has the colour of the text around it. No
// class is told by its colour alone.

import { fixed } from "./measures.js";

const PALETTE = ["#0072B2", "#D55E00", "#009E73", "#BC6A98", "#AC7700", "#2E8BC0"];
/** @param {number} k */
export const colour = (k) => PALETTE[k % PALETTE.length];
// Letters that can be read on a colour: white on the blue, black on all others.
/** @param {number} k */
export const ink = (k) => (k % PALETTE.length ? "#000" : "#fff");
export const DASHED = { "stroke-dasharray": "7 4" };
export const MIDDLE = { "text-anchor": "middle" },
  END = { "text-anchor": "end" };
export const DOTTED = { "stroke-dasharray": "2 4" };

// An element with attributes, and functions that hear its events; texts and elements in it.
/** @param {string} space @param {string} name @param {Attributes} attributes @param {Children} children */
function element(space, name, attributes, children) {
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      made.addEventListener(key, /** @type {EventListener} */ (value));
    else if (value !== null && value !== undefined && value !== false)
      made.setAttribute(key, String(value));
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined)
      made.append(typeof child === "number" ? String(child) : child);
  return made;
}
/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name @param {Attributes} [attributes] @param {Children} children
 */
export const draw = (name, attributes = {}, ...children) =>
  /** @type {SVGElementTagNameMap[K]} */ (
    element("http://www.w3.org/2000/svg", name, attributes, children)
  );
/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Attributes} [attributes] @param {Children} children
 */
export const make = (name, attributes = {}, ...children) =>
  /** @type {HTMLElementTagNameMap[K]} */ (element("", name, attributes, children));

/**
 * @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
 * @param {Attributes} [more]
 */
export const line = (x1, y1, x2, y2, more = {}) =>
  draw("line", { x1, y1, x2, y2, stroke: "currentColor", ...more });
/** @param {number} x @param {number} y @param {Label} words @param {Attributes} [more] */
export const text = (x, y, words, more = {}) =>
  draw("text", { x, y, fill: "currentColor", ...more }, String(words));
/** @param {number} x @param {number} y @param {Label} words @param {Attributes} [more] */
export const small = (x, y, words, more = {}) => text(x, y, words, { "font-size": 14, ...more });
/**
 * @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {Attributes} [more]
 */
export const box = (x, y, width, height, more = {}) =>
  draw("rect", { x, y, width: Math.max(width, 0), height: Math.max(height, 0), ...more });
/** @param {Point[]} points */
export const pathOf = (points) =>
  points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
/** @param {Point[]} points @param {Attributes} [more] */
export const curve = (points, more = {}) =>
  draw("path", { d: pathOf(points), fill: "none", stroke: "currentColor", ...more });

// The mark of a class: a disc, a square, a triangle, a diamond, a cross, a bar.
/** @type {((r: number) => string)[]} */
export const MARKS = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (r) => `M${-0.9 * r} ${-0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  (r) => `M0 ${-1.1 * r}L${1.1 * r} ${0.9 * r}H${-1.1 * r}z`,
  (r) => `M0 ${-1.25 * r}L${1.1 * r} 0L0 ${1.25 * r}L${-1.1 * r} 0z`,
  (r) =>
    `M${-r} ${-0.4 * r}h${0.6 * r}v${-0.6 * r}h${0.8 * r}v${0.6 * r}h${0.6 * r}v${0.8 * r}h${-0.6 * r}v${0.6 * r}h${-0.8 * r}v${-0.6 * r}h${-0.6 * r}z`,
  (r) => `M${-r} ${-0.5 * r}h${2 * r}v${r}h${-2 * r}z`,
];
/**
 * @param {number} k @param {number} x @param {number} y @param {number} [r]
 * @param {Attributes} [more]
 */
export const mark = (k, x, y, r = 6, more = {}) =>
  draw("path", {
    d: MARKS[k % MARKS.length](r),
    transform: `translate(${x} ${y})`,
    fill: colour(k),
    ...more,
  });

// A disc on a line, and the ring around the one that is looked at.
/** @param {number} cx @param {number} cy @param {string} fill @param {number} [r] */
export const disc = (cx, cy, fill, r = 4) => draw("circle", { cx, cy, r, fill });
/** @param {number} cx @param {number} cy */
export const ringed = (cx, cy) =>
  draw("circle", { cx, cy, r: 7, fill: "none", class: "dtb-one", "stroke-width": 3 });

// So many cases of a class as a bar, with their number where there is room for it.
/**
 * @param {number} k @param {Label} count @param {number} x @param {number} y @param {number} width
 * @param {number} height
 */
export const countBar = (k, count, x, y, width, height) => [
  box(x, y, width, height, { fill: colour(k) }),
  ...(count && width > 14 && height > 17
    ? [
        text(x + width / 2, y + height / 2 + 5, count, {
          ...MIDDLE,
          fill: ink(k),
          "font-weight": 600,
        }),
      ]
    : []),
];

// Small words that have so many pixels: cut short if need be.
/** @param {string} words @param {number} room */
export const fitted = (words, room) =>
  words.length * 7.6 <= room
    ? words
    : room < 22
      ? ""
      : `${words.slice(0, Math.max(1, Math.floor(room / 7.6) - 1))}…`;

/** Controls in a row. @param {Children} inside */
export const inRow = (...inside) => make("div", { class: "dtb-row" }, ...inside);
/** What is said beside a picture. @param {Children} inside */
export const quietly = (...inside) => make("span", { class: "dtb-legend" }, ...inside);

/** @param {Label} name @param {number} width @param {Child} picture */
const withMark = (name, width, picture) =>
  make("span", {}, draw("svg", { width, height: 16, "aria-hidden": "true" }, picture), ` ${name} `);

// What the marks mean.
/** @param {Label[]} classes */
export const legend = (classes) =>
  quietly(classes.map((name, k) => withMark(name, 16, mark(k, 8, 8))));

// What kinds of lines mean.
/** @param {[string, Attributes][]} lines */
export const legendOf = (...lines) =>
  quietly(lines.map(([name, more]) => withMark(name, 22, line(1, 8, 21, 8, more))));

// A picture, and beside it, where there is room, what it is moved by.
/** @param {Child} picture @param {Children} rest */
export const beside = (picture, ...rest) =>
  make("div", { class: "dtb-two" }, picture, make("div", { class: "dtb-rest" }, ...rest));

/** @type {WeakMap<Element, Map<string, Element>>} */
const SHOWN = new WeakMap();
/**
 * Show pictures in a layer, each known by what it looks like: what is there already stays, so that
 * dragging draws only what changes.
 * @template {Element} T
 * @param {Element} layer @param {string[]} looks @param {(i: number) => T} make
 */
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

// Light up some pictures, and no others.
/** @param {HTMLElement} play @param {(Element | null | undefined)[]} pictures */
export function litUp(play, ...pictures) {
  for (const found of play.querySelectorAll(".dtb-lit")) found.classList.remove("dtb-lit");
  for (const picture of pictures) picture?.classList.add("dtb-lit");
}

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

// Round numbers to write on an axis.
/** @param {number} low @param {number} high @param {number} [most] */
function ticks(low, high, most = 5) {
  const rough = (high - low) / most || 1,
    size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((n) => n * size).find((s) => s >= rough * 0.999) ?? 10 * size;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    found.push(Number((i * step).toPrecision(12)));
  return found;
}

/**
 * @param {Scale} x @param {number} y @param {number} low @param {number} high @param {string} name
 * @param {number} [most]
 */
export function axisX(x, y, low, high, name, most = 6) {
  const group = draw("g", { class: "dtb-axis" });
  group.append(line(x(low), y, x(high), y));
  for (const at of ticks(low, high, most)) {
    group.append(line(x(at), y, x(at), y + 5), text(x(at), y + 19, at, MIDDLE));
  }
  if (name)
    group.append(text((x(low) + x(high)) / 2, y + 37, name, { ...MIDDLE, class: "dtb-halo" }));
  return group;
}

/**
 * @param {number} x @param {Scale} y @param {number} low @param {number} high @param {string} name
 * @param {number} [most]
 */
export function axisY(x, y, low, high, name, most = 4) {
  const group = draw("g", { class: "dtb-axis" });
  group.append(line(x, y(low), x, y(high)));
  for (const at of ticks(low, high, most)) {
    group.append(line(x - 5, y(at), x, y(at)), text(x - 8, y(at) + 4, at, END));
  }
  if (name) group.append(text(x - 8, y(high) - 10, name));
  return group;
}

// A drawing that fills the width of its place, at the size of the page's own letters;
// `paint(width)` returns its height. It is painted again only when the place itself changes.
/** @param {Element} root @param {string} label @param {(width: number) => number} paint */
export function stage(root, label, paint) {
  const sheet = draw("svg", { role: "group", "aria-label": label, class: "dtb-stage" });
  root.append(sheet);
  let last = 0;
  const fit = () => {
    const width = Math.floor(root.getBoundingClientRect().width);
    if (!width || width === last) return;
    last = width;
    const height = paint(width);
    for (const [key, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }))
      sheet.setAttribute(key, String(value));
  };
  new ResizeObserver(fit).observe(root);
  queueMicrotask(fit);
  return Object.assign(sheet, {
    paint: () => {
      last = 0;
      fit();
    },
  });
}

/**
 * Where a pointer is on a sheet.
 * @param {SVGSVGElement} sheet
 * @param {MouseEvent} event
 * @returns {[number, number]}
 */
export function onSheet(sheet, event) {
  const { left, top, width, height } = sheet.getBoundingClientRect();
  const { width: w, height: h } = sheet.viewBox.baseVal;
  return [((event.clientX - left) * w) / width, ((event.clientY - top) * h) / height];
}

/** @param {number} value @param {number} [digits] */
export const short = (value, digits = 3) => fixed(value, digits).replace(/^-(0\.0+)$/, "$1");
/** @param {number} part @param {number} whole */
export const share = (part, whole) => `${Math.round((100 * part) / whole)}%`;
/** @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)}%`;
/** @param {string} word */
export const aOrAn = (word) => `${/^[aeiou]/i.test(word) ? "an" : "a"} ${word}`;
/** @param {number} n @param {string} one @param {string} [many] */
export const some = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
