// The sentence of an explorable. Its numbers are linked to what they count: one that is pressed or
// focused, by mouse, finger or keyboard, lights its cases in the picture, and all beside them fade.

import { make } from "./draw.js";
import { ARROWS, pick } from "./reach.js";

const LIT = "dtb-counted",
  FADED = "dtb-counting";

/**
 * A place for a sentence, and what says one there: its words, and in their order the numbers in it, each
 * with what gives the pictures that it counts. A number that is not said has no link.
 * @param {Element} play
 * @returns {{said: Element, say: Say}}
 */
export function sentenceIn(play) {
  const said = make("p", { role: "status", class: "dtb-said" });
  /** @type {(() => Pictures)[]} */
  let counts = [];
  /** @type {HTMLElement[]} */
  let numbers = [];
  let lit = -1;

  /** @param {number} at */
  function light(at) {
    lit = at;
    for (const name of [LIT, FADED])
      for (const old of play.querySelectorAll(`.${name}`)) old.classList.remove(name);
    for (const picture of counts[at]?.() ?? []) {
      picture?.classList.add(LIT);
      picture?.parentElement?.classList.add(FADED);
    }
    numbers.forEach((number, i) => number.setAttribute("aria-pressed", String(i === at)));
  }
  // One number is in the order of Tab; arrows go to the others.
  /** @param {number} at */
  function comeTo(at) {
    numbers.forEach((number, i) => number.setAttribute("tabindex", i === at ? "0" : "-1"));
    numbers[at].focus();
  }
  /** @param {string} words @param {number} at */
  const numberOf = (words, at) => {
    /** @type {HTMLElement} */
    const number = make("span", {
      ...pick(null, () => (lit === at ? light(-1) : (comeTo(at), light(at)))),
      class: "dtb-number",
      tabindex: at ? -1 : 0,
      "aria-pressed": false,
      focus: () => number.matches(":focus-visible") && light(at),
      blur: () => light(-1),
    });
    number.append(words);
    return number;
  };
  said.addEventListener("keydown", (event) => {
    const at =
      numbers.indexOf(/** @type {HTMLElement} */ (event.target)) + (ARROWS[event.key]?.[0] ?? 0);
    if (event.key === "Escape") light(-1);
    else if (event.key in ARROWS && numbers[at]) (event.preventDefault(), comeTo(at));
  });

  /** @type {Say} */
  function say(words, ...links) {
    const found = links.filter(([number]) => words.includes(number));
    counts = found.map(([, pictures]) => pictures);
    if (said.textContent === words) return lit < 0 || light(lit);
    /** @type {(string | Node)[]} */
    const parts = [];
    let from = 0;
    numbers = found.map(([number], i) => {
      const at = words.indexOf(number, from);
      const made = numberOf(number, i);
      parts.push(words.slice(from, at), made);
      from = at + number.length;
      return made;
    });
    lit = -1;
    said.replaceChildren(...parts, words.slice(from));
  }
  return { said, say };
}
