// Sheets to print: so many variants of some kinds, and their solutions on pages of their own.
// `#kind=gain,gini&seed=1&sheets=10` is the same for everybody.

import { shown } from "./calculation.js";
import { make } from "../kit/draw.js";
import { exercise, KINDS, PARTS } from "./exercise.js";
import { form } from "./fields.js";
import { primary } from "../kit/reach.js";
import { given, solution } from "./shown.js";

const MOST = 60;

// The exercises of a sheet: variant v of a kind has the seed of the class plus v.
/** @param {Asked} asked @param {number} v */
const variant = ({ kinds, seed }, v) => kinds.map((kind) => exercise(kind, seed + v));

/** @param {Exercise[]} all @param {number} seed @param {boolean} isSolved */
function sheet(all, seed, isSolved) {
  const sections = all.map((made, i) =>
    make(
      "section",
      make("h3", `${i + 1}. ${made.title}`),
      make("p", made.question),
      given(made.table),
      isSolved
        ? [solution(made.steps), make("p", make("b", `Answer: ${shown(made.answer)}`))]
        : make("p", { class: "dtb-write" }),
    ),
  );
  const head = make("h2", `${isSolved ? "Solutions" : "Exercises"}, variant ${seed}`);
  return make("article", { class: "dtb-sheet" }, head, sections);
}

export function printSheets(/** @type {HTMLElement} */ root, /** @type {Asked} */ asked) {
  const number = Math.min(Math.max(asked.sheets, 1), MOST);
  const variants = Array.from({ length: number }, (_, v) => variant(asked, v));
  const begin = primary("Print", () => print()),
    back = make("a", { href: "practice.html" }, "Back to practice");
  root.replaceChildren(
    make("p", { class: "dtb-row dtb-noprint" }, begin, back),
    ...variants.map((all, v) => sheet(all, asked.seed + v, false)),
    ...variants.map((all, v) => sheet(all, asked.seed + v, true)),
  );
}

// A form in which a teacher says what is to be printed.
export function forClasses() {
  const kinds = make(
    "select",
    { name: "kind", multiple: "", required: "", size: 8, "aria-label": "Kinds of exercises" },
    PARTS.map((label, p) => {
      const own = Object.entries(KINDS).filter(([, kind]) => kind.part === p),
        options = own.map(([value, { title }]) => make("option", { value }, title));
      return make("optgroup", { label }, options);
    }),
  );
  const seed = { name: "seed", type: "number", min: 0, max: 999999, value: 1 },
    sheets = { name: "sheets", type: "number", min: 1, max: MOST, value: 10 };
  const go = () => {
    const said = new FormData(whole);
    location.hash = `kind=${said.getAll("kind")}&seed=${said.get("seed")}&sheets=${said.get("sheets")}`;
    location.reload();
  };
  const whole = form(
    { class: "dtb-classes" },
    go,
    kinds,
    make("label", "First seed ", make("input", seed)),
    make("label", "Variants ", make("input", sheets)),
    make("p", make("button", { class: "dtb-main" }, "Make the sheets")),
  );
  return whole;
}
