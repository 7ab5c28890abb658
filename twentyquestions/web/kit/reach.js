// Reaching everything: by mouse, finger and keyboard, and in words. What moves on a sheet is a
// slider that says its value; what there is to see stands in a sentence that is read out; controls
// are the browser's own.

import { become, draw, line, make, put } from "./draw.js";
import { sum } from "../algorithms/measures.js";
import { clamp, onSheet } from "./stage.js";

/** @type {Record<string, Point>} */
export const ARROWS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
/** @type {Record<string, number>} */
const JUMPS = { PageUp: 5, PageDown: -5, Home: -1e9, End: 1e9 };
/** @param {KeyboardEvent} event */
export const isPlain = (event) => !(event.altKey || event.ctrlKey || event.metaKey);

// A grip on a sheet that moves along stops; it waits for the first `show`.
/** @param {SVGSVGElement} sheet @param {Stops} about */
export function grip(sheet, { label, count, at, place, words, onMove }) {
  const go = (/** @type {number} */ to) => {
    const stop = clamp(to, 0, count() - 1);
    if (stop !== at()) onMove(stop);
    show();
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const by = JUMPS[event.key] ?? sum(ARROWS[event.key] ?? []);
    if (!by || !isPlain(event)) return;
    event.preventDefault();
    go(at() + by);
  };
  const onPoint = (/** @type {Point} */ [px, py]) => {
    let best = 0,
      least = Infinity;
    for (let stop = 0; stop < count(); stop++) {
      const [x, y] = place(stop),
        far = (x - px) ** 2 + 1e-6 * (y - py) ** 2;
      if (far < least) [best, least] = [stop, far];
    }
    go(best);
  };
  const show = () => {
    const [[x0, y0], [x1, y1]] = [place(0), place(Math.max(count() - 1, 0))];
    put(knob, {
      "aria-valuemax": count() - 1,
      "aria-valuenow": at(),
      "aria-valuetext": words(at()),
      transform: `translate(${place(at())})`,
      style:
        Math.abs(y1 - y0) > Math.abs(x1 - x0) ? "--over: 0 -12px; --way: 90deg" : "--over: 12px",
    });
  };
  const knob = draw(
    "g",
    {
      role: "slider",
      "aria-label": label,
      "aria-valuemin": 0,
      tabindex: 0,
      class: "dtb-grip",
      keydown: onKey,
      pointerdown: (event) => hold(sheet, event, onPoint),
    },
    draw("g", { class: "dtb-reach" }),
    draw("g"), // what it moves
    draw("circle", { r: 22, class: "dtb-reach" }), // larger to a finger than it looks
    draw("circle", { r: 11, class: "dtb-knob" }),
    // Which way it moves.
    draw("path", { d: "M-3 -3l-3 3l3 3M3 -3l3 3l-3 3", class: "dtb-arrows" }),
  );
  return Object.assign(knob, { show, onPoint });
}

// What a grip moves, a line from it to a point beside or below it, is dragged at any place, too.
/** @param {Element} knob @param {number} x @param {number} y @param {Attributes} look */
export function drags({ children: [reach, bar] }, x, y, look) {
  const wide = { class: "dtb-reach", "stroke-width": 28, "pointer-events": "all" };
  reach.replaceChildren(line(0, 0, x, y, wide));
  bar.replaceChildren(line(0, 0, x, y, look));
}

// What is pressed on a sheet, by mouse, finger and keyboard.
/** @param {string | null} label @param {() => unknown} onPress @param {Attributes} [more]
 * @returns {Attributes} */
export const pick = (label, onPress, more = {}) => ({
  role: "button",
  tabindex: 0,
  class: "dtb-pick",
  "aria-label": label,
  click: onPress,
  keydown: (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPress();
  },
  ...more,
});

// Of what can be pressed in a place one is in the order of Tab, and arrows go to the others. The place
// is no svg: one that hears of the focus could have it.
export function rove(/** @type {HTMLElement} */ place) {
  const all = () => [...place.querySelectorAll("[role='button'][tabindex]")];
  place.addEventListener("focusin", ({ target }) => {
    for (const one of all()) one.setAttribute("tabindex", one === target ? "0" : "-1");
  });
  place.addEventListener("keydown", (event) => {
    const step = ARROWS[event.key],
      found = all(),
      from = found.indexOf(/** @type {Element} */ (event.target));
    const to = step && isPlain(event) && from >= 0 && found[from + step[0] - step[1]];
    if (!to) return;
    event.preventDefault();
    /** @type {HTMLElement} */ (to).focus();
  });
}

// Follow a pointer from what it went down on until it is lifted.
/** @param {SVGSVGElement} sheet @param {PointerEvent} down
 * @param {(point: Point) => unknown} onPoint @param {(up: PointerEvent) => unknown} [onEnd] */
export function hold(sheet, down, onPoint, onEnd = () => {}) {
  const target = /** @type {SVGElement} */ (down.currentTarget),
    lifted = new AbortController(),
    { signal } = lifted;
  target.setPointerCapture?.(down.pointerId);
  /** @param {PointerEvent} event */
  const move = (event) => event.pointerId === down.pointerId && onPoint(onSheet(sheet, event));
  const end = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== down.pointerId) return;
    lifted.abort();
    onEnd(event);
  };
  target.addEventListener("pointermove", move, { signal });
  target.addEventListener("pointerup", end, { signal });
  target.addEventListener("pointercancel", end, { signal });
}

// The browser's own controls, with their labels.
/** @param {Child | Child[]} label @param {() => unknown} click @param {Attributes} [more] */
export const button = (label, click, more = {}) =>
  make("button", { type: "button", click, ...more }, label);

/** What is pressed first. @param {string} label @param {() => unknown} click */
export const primary = (label, click) => button(label, click, { class: "dtb-main" });

/** @param {string} label @param {boolean} value @param {(on: boolean) => unknown} onChange */
export function check(label, value, onChange) {
  const about = { type: "checkbox", checked: value || null };
  /** @type {HTMLInputElement} */
  const input = make("input", { ...about, change: () => onChange(input.checked) });
  return Object.assign(make("label", input, ` ${label}`), { input });
}

// A name that nothing else on the page has: every output of a notebook brings a script of its own.
export const newName = () => `dtb-${Math.random()}`;

/** @param {string} label @param {Children} options @param {number} value @param {Takes} onChange */
export function choices(label, options, value, onChange) {
  const name = newName();
  return make(
    "fieldset",
    make("legend", label),
    options.map((option, i) => {
      const about = { type: "radio", name, checked: i === value || null };
      return make("label", make("input", { ...about, change: () => onChange(i) }), " ", option);
    }),
  );
}

// A list that unfolds, of some [value, words], or values alone.
/** @param {string} label @param {Label[][]} options @param {number} at @param {Takes} onChange */
export function select(label, options, at, onChange) {
  /** @type {HTMLSelectElement} */
  const list = make(
    "select",
    { "aria-label": label, change: () => onChange(list.selectedIndex) },
    options.map(([value, words = value], i) =>
      make("option", { value, selected: i === at }, words),
    ),
  );
  return list;
}

// A slider; `words` says its value, `set` of what it gives moves it.
/** @param {string} label @param {Slider} about @param {Takes} onChange */
export function range(label, { min, max, step = 1, value, words = String }, onChange) {
  const said = make("output", { "aria-hidden": "true" }),
    about = { type: "range", min, max, step, value };
  const tell = () => {
    become(said, words(input.valueAsNumber));
    input.setAttribute("aria-valuetext", said.textContent);
    return input.valueAsNumber;
  };
  /** @type {HTMLInputElement} */
  const input = make("input", { ...about, input: () => onChange(tell()) });
  const whole = make("div", { class: "dtb-control" }, make("label", `${label} `, input), said);
  tell();
  const set = (/** @type {number} */ to) => {
    input.value = String(to);
    tell();
  };
  return Object.assign(whole, { input, set });
}

/** What is pressed on a sheet, or carried from its place to where it is dropped. @type {(sheet: SVGSVGElement, label: string | null, about: Carried, more: Attributes) => Attributes} */
export const carried = (sheet, label, about, more) =>
  pick(label, about.onPress, {
    click: ({ detail }) => detail || about.onPress(), // a pointer has pressed it already
    pointerdown: (event) => carry(sheet, event, about),
    ...more,
  });

/** @param {SVGSVGElement} sheet @param {PointerEvent} down @param {Carried} about */
function carry(sheet, down, { place, onPress, onMove, onDrop }) {
  const card = /** @type {SVGElement} */ (down.currentTarget),
    [x, y] = onSheet(sheet, down),
    [left, top] = place(),
    all = [...sheet.childNodes],
    above = all.slice(all.indexOf(card) + 1);
  const follow = (/** @type {Point} */ [px, py]) => {
    onMove?.([px, py]);
    card.style.transform = `translate(${left + px - x}px, ${top + py - y}px)`;
  };
  card.style.transition = "none";
  card.before(...above); // it covers what it is carried over
  hold(sheet, down, follow, (up) => {
    const isLetGo = up.type === "pointerup", // and not taken by the browser, to scroll
      [px, py] = isLetGo ? onSheet(sheet, up) : [x, y];
    card.style.transition = "";
    card.after(...above);
    if (isLetGo && Math.hypot(px - x, py - y) < 5) onPress();
    else onDrop([px, py]);
  });
}
