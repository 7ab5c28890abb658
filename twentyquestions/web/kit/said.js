// The sentence of an explorable. Its numbers are linked to what they count: one that is pressed or
// pointed at, by mouse, finger or keyboard, lights its cases in the picture, and all beside them fade.

import { become, make, signed } from "./draw.js";
import { pick, rove } from "./reach.js";

const LIT = "dtb-counted";
const FADED = "dtb-counting";

// Words, cut at the numbers that are linked: what stands before one, it, and so on; and the links that are
// not said.
function cutUp(/** @type {string} */ words, /** @type {Link[]} */ links) {
  const /** @type {string[]} */ parts = [],
    /** @type {Link[1][]} */ counts = [];
  let from = 0;
  const rest = links.filter(([number, pictures]) => {
    const at = words.indexOf(number, from);
    if (at < 0) return true;
    counts.push(pictures);
    parts.push(words.slice(from, at), number);
    from = at + number.length;
    return false;
  });
  return { parts: [...parts, words.slice(from)], counts, rest };
}

// A place for a sentence, and what says one there: its words, and in their order the numbers in it, each
// with what gives the pictures that it counts. A number that is not said has no link. What stands before
// a line break answers no guess, and is said before one is made.
export function sentenceIn(/** @type {Element} */ play) {
  const places = [make("span"), make("span", { class: "dtb-secret" })];
  const said = make("p", { role: "status", class: "dtb-said" }, places);
  let /** @type {(() => Pictures)[]} */ counts = [],
    /** @type {HTMLElement[]} */ numbers = [],
    wide = 0,
    lit = -1,
    kept = -1; // what was pressed stays lit
  // It stays as high as it was, so that nothing below it moves to and fro.
  new ResizeObserver(() => {
    if (wide !== said.offsetWidth) said.style.minHeight = "";
    wide = said.offsetWidth;
    said.style.minHeight = `${said.offsetHeight}px`;
  }).observe(said);

  function light(/** @type {number} */ at) {
    lit = at;
    if (at < 0) kept = at;
    for (const old of play.querySelectorAll(`.${LIT}, .${FADED}`)) old.classList.remove(LIT, FADED);
    for (const picture of counts[at]?.() ?? []) {
      picture?.classList.add(LIT);
      picture?.parentElement?.classList.add(FADED);
    }
    numbers.forEach((number, i) => number.setAttribute("aria-pressed", String(i === at)));
  }
  const numberOf = (/** @type {number} */ at) => {
    /** @type {HTMLElement} */
    const number = make("span", {
      ...pick(null, () => (kept === at ? light(-1) : (number.focus(), light((kept = at))))),
      class: "dtb-number",
      tabindex: at ? -1 : 0,
      "aria-pressed": false,
      focus: () => number.matches(":focus-visible") && light(at),
      blur: () => light(-1),
      pointerenter: () => light(at),
      pointerleave: () => light(kept),
    });
    return number;
  };
  said.addEventListener("keydown", ({ key }) => key === "Escape" && light(-1));
  rove(said);

  /** @type {Say} */
  function say(told, ...links) {
    const [answer, open = ""] = signed(told).split("\n").reverse();
    const first = cutUp(open, links),
      second = cutUp(answer, first.rest),
      parts = [first.parts, second.parts];
    counts = [...first.counts, ...second.counts];
    if (said.textContent === open + answer) return lit < 0 || light(lit);
    if (lit >= 0) light(-1);
    // As many numbers as there were stay, and so does the focus: each piece has other letters.
    if (parts.some(({ length }, i) => length !== places[i].childNodes.length)) {
      numbers = [];
      const piece = (/** @type {string} */ _, /** @type {number} */ n) =>
        n % 2 ? numbers[numbers.push(numberOf(numbers.length)) - 1] : make("span");
      places.forEach((place, i) => place.replaceChildren(...parts[i].map(piece)));
    }
    places.forEach((place, i) =>
      place.childNodes.forEach((piece, n) => become(piece, parts[i][n])),
    );
  }
  return { said, say };
}
