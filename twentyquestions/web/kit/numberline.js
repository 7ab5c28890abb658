// A guess by number: it is pressed on a line; then it stands there, and the answer.

import { box, circle, draw, line } from "./draw.js";
import { DOTTED } from "./looks.js";
import { grip, hold, primary } from "./reach.js";
import { axisX, onSheet, picture, scale, within } from "./stage.js";

// How far off, in share of it or of the line, a number still counts as right: a year is far from 0.
const CLOSE = 0.1;

const RULE = 36; // where the line is

/** @param {OnALine} about @param {Judge} judge */
export function guessLine({ question, answer, unit, ends: [low, high] }, judge) {
  const step = Number.isInteger(answer) ? 1 : 10 ** Math.round(Math.log10((high - low) / 100));
  const valueOf = (/** @type {number} */ stop) => Number((low + step * stop).toPrecision(9));
  let at = -1, // of no guess yet: the knob waits before the line
    isOpen = false,
    x = scale(low, high, 0, 0);
  const shown = draw("g"),
    rest = box(0, 0, 0, RULE + 20, {
      class: "dtb-reach",
      pointerdown: (event) => {
        hold(sheet, event, knob.onPoint);
        knob.onPoint(onSheet(sheet, event));
      },
    });
  const sheet = picture(question, (width) => {
    x = scale(low, high, isOpen ? 24 : 52, width - 24);
    rest.setAttribute("width", String(width));
    const axis = axisX(x, RULE, low, high, isOpen ? "" : unit, 5);
    sheet.replaceChildren(axis, shown, rest, ...(isOpen ? [] : [knob]));
    show();
    return RULE + 48;
  });
  const knob = grip(sheet, {
    label: question,
    count: () => Math.round((high - low) / step) + 1,
    at: () => at,
    place: (stop) => [stop < 0 ? 20 : x(valueOf(stop)), RULE],
    words: (stop) => (stop < 0 ? "no guess yet" : `${valueOf(stop)}`),
    onMove: (stop) => ((at = stop), show()),
  });
  function show() {
    const mine = valueOf(at),
      label = (/** @type {number} */ value, told = `${value}`, y = RULE - 20) =>
        within(told, x(value), y, [0, sheet.wide], { "font-size": 18, class: null });
    knob.show();
    ready.disabled = at < 0;
    const guessed = [
      line(x(mine), RULE, x(answer), RULE, { class: "dtb-one", "stroke-width": 6 }),
      circle(x(mine), RULE, 7, { class: "dtb-knob" }),
      label(mine, `you: ${mine}`, RULE + 44),
    ];
    const told = [circle(x(answer), RULE, 7, { class: "dtb-dot" }), label(answer)],
      asked = at < 0 ? label((low + high) / 2, "press the line") : label(mine),
      lead = line(20, RULE, x(low), RULE, DOTTED);
    shown.replaceChildren(...(isOpen ? [...(at < 0 ? [] : guessed), ...told] : [lead, asked]));
  }
  const ready = primary("That is my guess", () => {
    const mine = valueOf(at),
      off = Math.abs(mine - answer),
      isNear = off <= CLOSE * Math.min(Math.abs(answer), high - low);
    judge(mine, off ? `You are ${Number(off.toPrecision(2))} off.` : "", isNear);
  });
  ready.disabled = true;
  const open = () => ((isOpen = true), sheet.paint(), sheet.place);
  return { inside: [sheet.place, ready], open };
}
