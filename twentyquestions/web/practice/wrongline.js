// An exercise in which one line is wrong, and pressed.

import { sumOf, shown } from "./calculation.js";
import { make } from "../kit/draw.js";
import { hiddenSlip } from "./exercise.js";
import { button } from "../kit/reach.js";

/** A misconception: its name, and why. @param {{name: string, why: string}} slip */
export const named = ({ name, why }) => [
  make("strong", `${name[0].toUpperCase()}${name.slice(1)}. `),
  why,
];

export function findWrong(/** @type {Posed} */ { made, reply, raise, show, commit, end }) {
  const slip = hiddenSlip(made);
  raise({ values: slip.steps.map(({ value }) => value), now: slip.steps.length, right: NaN });
  const { place } = slip;
  const lines = slip.steps.map((step, i) =>
    button([make("span", `${i + 1}. ${step.says}`), make("b", sumOf(step))], () => press(i), {
      class: "dtb-suspect",
    }),
  );
  function press(/** @type {number} */ i) {
    if (lines[i].ariaDisabled) return; // not `disabled`: the focus stays here
    const isFound = i === place;
    commit(isFound);
    lines[i].classList.add(isFound ? "dtb-found" : "dtb-passed");
    if (!isFound) {
      lines[i].ariaDisabled = "true";
      return reply(
        `Line ${i + 1} is worked out rightly. Look ${i > place ? "further up" : "further down"}.`,
      );
    }
    for (const line of lines) line.ariaDisabled = "true";
    lines[i].append(make("span", { class: "dtb-tag" }, "✓ you found it"));
    reply(...named(slip));
    const right = make("b", `${made.steps[place].says}: ${sumOf(made.steps[place])}`);
    const last = slip.steps.length - 1;
    const verb = slip.steps[last].value === made.answer ? "stays" : "is";
    const rest = place < last ? ` With it the answer ${verb} ${shown(made.answer)}.` : "";
    show(make("p", "The right line: ", right, ".", rest));
    end();
  }
  const about = { role: "group", "aria-label": "The lines of the calculation" };
  return make("div", about, lines);
}
