// Reaching everything: by mouse, finger and keyboard, and in words. What moves on a sheet is a
// slider that says its value; what there is to see stands in a sentence that is read out; controls
// are the browser's own.

import { clamp, draw, make, onSheet } from "./draw.js";
import { sum } from "./measures.js";

export const ARROWS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const JUMPS = { PageUp: 5, PageDown: -5, Home: -1e9, End: 1e9 };
export const isPlain = (event) => !(event.altKey || event.ctrlKey || event.metaKey);

// A grip on a sheet that moves along stops: `place` gives the pixels of a stop, `words` what it is
// called.
export function grip(sheet, { label, count, at, place, words, onMove }) {
  const go = (to) => {
    const stop = clamp(to, 0, count() - 1);
    if (stop !== at()) onMove(stop);
  };
  const onKey = ({ key }) => {
    const by = JUMPS[key] ?? (ARROWS[key] && sum(ARROWS[key]));
    if (by) go(at() + by);
    return by;
  };
  const onPoint = (point) => {
    const far = (stop) =>
      place(stop).reduce((sum, pixel, i) => sum + (pixel - point[i]) ** 2 * (i ? 1e-6 : 1), 0);
    let best = 0;
    for (let stop = 1; stop < count(); stop++) if (far(stop) < far(best)) best = stop;
    go(best);
  };
  const knob = knobOn(sheet, { role: "slider", "aria-label": label }, onKey, onPoint, () => {
    knob.setAttribute("aria-valuemax", count() - 1);
    knob.setAttribute("aria-valuenow", at());
    knob.setAttribute("aria-valuetext", words(at()));
    const [[x0, y0], [x1, y1]] = [place(0), place(Math.max(count() - 1, 0))];
    arrows.setAttribute("transform", Math.abs(y1 - y0) > Math.abs(x1 - x0) ? "rotate(90)" : "");
    return place(at());
  });
  // Which way it moves.
  const arrows = draw("path", { d: "M-3 -3l-3 3l3 3M3 -3l3 3l-3 3", class: "dtb-arrows" });
  knob.append(arrows);
  knob.setAttribute("aria-valuemin", 0);
  knob.show();
  return knob;
}

// A disc that is larger to a finger than it looks. `onKey` says whether it knows the key.
function knobOn(sheet, about, onKey, onPoint, place) {
  const knob = draw(
    "g",
    {
      ...about,
      tabindex: 0,
      class: "dtb-grip",
      keydown: (event) => {
        if (!isPlain(event) || !onKey(event)) return;
        event.preventDefault();
        knob.show();
      },
      pointerdown: (event) =>
        hold(sheet, event, (point) => {
          onPoint(point);
          knob.show();
        }),
    },
    draw("circle", { r: 22, class: "dtb-reach" }),
    draw("circle", { r: 11, class: "dtb-knob" }),
  );
  knob.show = () => knob.setAttribute("transform", `translate(${place()})`);
  return knob;
}

// What is pressed on a sheet, by mouse, finger and keyboard.
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

// Focus what a pointer went down on, and follow the pointer.
export function hold(sheet, event, onPoint, onEnd) {
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
  follow(sheet, event.currentTarget, event, onPoint, onEnd);
}

// Follow a pointer that went down on an element until it is lifted.
function follow(sheet, target, down, onPoint, onEnd = (_) => {}) {
  target.setPointerCapture?.(down.pointerId);
  const move = (event) =>
    event.pointerId === down.pointerId && onPoint(onSheet(sheet, event), event);
  const end = (event) => {
    if (event.pointerId !== down.pointerId) return;
    target.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) target.removeEventListener(name, end);
    onEnd(event);
  };
  target.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) target.addEventListener(name, end);
}

// The browser's own controls, with their labels.
export const button = (label, click, more = {}) =>
  make("button", { type: "button", click, ...more }, label);

export function check(label, value, onChange) {
  const input = make("input", {
    type: "checkbox",
    checked: value || null,
    change: () => onChange(input.checked),
  });
  return Object.assign(make("label", { class: "dtb-check" }, input, ` ${label}`), { input });
}

// A name that nothing else on the page has: every output of a notebook brings a script of its own.
export const newName = () => `dtb-${Math.random()}`;

export function choices(label, options, value, onChange) {
  const name = newName();
  return make(
    "fieldset",
    {},
    make("legend", {}, label),
    options.map((option, i) => {
      const input = make("input", {
        type: "radio",
        name,
        checked: i === value || null,
        change: () => onChange(i),
      });
      return make("label", {}, input, ` ${option}`);
    }),
  );
}

/**
 * A slider; `words` says its value, `set` of what it gives moves it.
 * @param {string} label
 * @param {{min: number | string, max: number | string, step?: number, value: number, words?: (value: number) => string}} about
 * @param {(value: number) => unknown} onChange
 */
export function range(label, { min, max, step = 1, value, words = String }, onChange) {
  const said = make("output", { "aria-hidden": "true" });
  const tell = () => {
    said.textContent = words(input.valueAsNumber);
    input.setAttribute("aria-valuetext", said.textContent);
    return input.valueAsNumber;
  };
  const input = make("input", {
    type: "range",
    min,
    max,
    step,
    value,
    input: () => onChange(tell()),
  });
  const whole = make("div", { class: "dtb-control" }, make("label", {}, `${label} `, input), said);
  whole.set = (to) => {
    input.value = to;
    tell();
  };
  tell();
  return Object.assign(whole, { input });
}
