// Commit, then see: what is asked stands above the picture, which is alive; only what answers it, all
// that is `.dtb-secret` and the sentence, is not seen until a guess is made, or declined. Then the picture
// answers by `show(answer)`. guess: { question, because }, and { options, answer: place } or
// { unit, ends, answer: number }, which is pressed on a line. Who keeps a reader's answers hears whether it was right.

import { box, circle, draw, line, make } from "./draw.js";
import { form } from "./fields.js";
import { button, grip, hold, primary } from "./reach.js";
import { axisX, onSheet, picture, scale, within } from "./stage.js";

// How far off, in share of it or of the line, a number still counts as right: a year is far from 0.
const CLOSE = 0.1;

/** A line to press a number on; then the guess stands there, and the answer. @param {Guess} about */
function lineOf({ question, answer, unit, ends: [low, high] = [0, 0] }) {
  const step = Number.isInteger(answer) ? 1 : 10 ** Math.round(Math.log10((high - low) / 100));
  const valueOf = (/** @type {number} */ stop) => Number((low + step * stop).toPrecision(9));
  const words = (/** @type {number} */ value) => [value, unit].filter(Boolean).join(" ");
  let at = -1, // of no guess yet: the knob waits before the line
    isOpen = false,
    x = scale(low, high, 0, 0);
  const shown = draw("g"),
    rest = box(0, 0, 0, 64, {
      class: "dtb-reach",
      pointerdown: (event) => {
        hold(sheet, event, knob.onPoint);
        knob.onPoint(onSheet(sheet, event));
      },
    });
  const sheet = picture(question, (width) => {
    x = scale(low, high, isOpen ? 24 : 52, width - 24);
    rest.setAttribute("width", String(width));
    sheet.replaceChildren(axisX(x, 44, low, high, "", 5), shown, rest, ...(isOpen ? [] : [knob]));
    show();
    return isOpen ? 88 : 70;
  });
  const knob = grip(sheet, {
    label: question,
    count: () => Math.round((high - low) / step) + 1,
    at: () => at,
    place: (stop) => [stop < 0 ? 20 : x(valueOf(stop)), 44],
    words: (stop) => (stop < 0 ? "no guess yet" : words(valueOf(stop))),
    onMove: (stop) => ((at = stop), show()),
  });
  function show() {
    const mine = valueOf(at),
      isMade = at >= 0,
      label = (/** @type {string} */ told, /** @type {number} */ value, y = 22) =>
        within(told, x(value), y, [0, sheet.wide], { "font-size": 18, class: null });
    knob.show();
    shown.replaceChildren(
      ...(isOpen
        ? [
            ...(isMade
              ? [
                  line(x(mine), 44, x(answer), 44, { class: "dtb-one", "stroke-width": 6 }),
                  circle(x(mine), 44, 7, { class: "dtb-knob" }),
                  label(`you: ${mine}`, mine, 84),
                ]
              : []),
            circle(x(answer), 44, 7, { class: "dtb-dot" }),
            label(words(answer), answer),
          ]
        : [isMade ? label(words(mine), mine) : label("press the line", (low + high) / 2)]),
    );
  }
  const open = () => ((isOpen = true), sheet.paint());
  return { place: sheet.place, open, words, read: () => (at < 0 ? NaN : valueOf(at)) };
}

/** @param {HTMLElement} play @param {Guess} [guess] @param {Shows | void} [show] */
export function askFirst(play, guess, show) {
  if (!guess) return;
  const { question, because, options, answer, ends: [low, high] = [0, 0] } = guess,
    numbers = options ? null : lineOf(guess),
    root = play.parentElement;
  root?.classList.add("dtb-asking");
  const verdict = make("p", { role: "status", class: "dtb-replied", tabindex: -1 });
  /** @param {string} told @param {boolean} [right] */
  const open = (told, right) => {
    root?.classList.remove("dtb-asking");
    if (right !== undefined)
      asking.dispatchEvent(new CustomEvent("dtb-guessed", { bubbles: true, detail: right }));
    verdict.replaceChildren(make("span", {}, question), make("strong", {}, told), ` ${because}`);
    asking.replaceChildren(verdict, numbers?.place ?? "");
    numbers?.open();
    verdict.focus({ preventScroll: true });
    show?.(answer);
  };
  /** @param {string | number} said @param {string} off @param {boolean} isNear */
  const judge = (said, off, isNear) =>
    open(`You guessed ${said}. ${off || "That is right."}`, isNear);
  const measure = () => {
    const value = numbers?.read() ?? NaN;
    if (Number.isNaN(value)) return (verdict.textContent = "Make a guess first.");
    const off = Math.abs(value - answer),
      far = off ? `You are ${Number(off.toPrecision(2))} off.` : "";
    judge(numbers?.words(value) ?? "", far, off <= CLOSE * Math.min(Math.abs(answer), high - low));
  };
  const choices = options?.map((option, i) =>
    button(option, () => judge(option, i === answer ? "" : "No.", i === answer), {
      class: "dtb-option",
    }),
  );
  const asking = form(
    { class: "dtb-guess", "data-asked": question, autocomplete: "off" },
    measure,
    make("p", {}, question),
    choices
      ? make("div", { class: "dtb-row", role: "group", "aria-label": question }, choices)
      : numbers?.place,
    choices ? "" : primary("That is my guess", measure),
    button("Show me without guessing", () => open(""), { class: "dtb-skip" }),
    make("p", { class: "dtb-line", "aria-hidden": "true" }),
    verdict,
  );
  play.before(asking);
}
