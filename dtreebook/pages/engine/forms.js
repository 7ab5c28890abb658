// An exercise to answer, in one of three forms: solve it, complete it line by line, find its wrong
// line. The reader commits first; the reply names the misconception and shows its line.

import { blocksOf } from "./blocks.js";
import { joined, shown, sumOf } from "./calculation.js";
import { make } from "./draw.js";
import { choicesOf, hiddenSlip, judged } from "./exercise.js";
import { blank, form, gap, inHand, radios } from "./fields.js";
import { inOrder } from "./inorder.js";
import { inRow } from "./parts.js";
import { button } from "./reach.js";
import { given, pilesOf, solution, sortedByHand } from "./shown.js";
import { twigsOf } from "./twigs.js";

/** @type {Record<string, string>} */
const HEADINGS = {
  solve: "Work it out",
  complete: "Fill in what is missing",
  wrong: "One of these lines is wrong. Which?",
  "solve cuts": "Pull the cut to its place",
  "solve twigs": "Press the tests that are to go",
  "complete blocks": "Pull each block to its height, or write the number",
};
/** @type {Record<string, string>} */
export const FORMS = { solve: "solve", complete: "complete", wrong: "find the wrong line" };

const named = (/** @type {{name: string, why: string}} */ { name, why }) => [
  make("strong", `${name[0].toUpperCase()}${name.slice(1)}. `),
  why,
];
const EMPTY = "Choose an answer first, or write a number as 0.5, 1/2 or 50%.";
/** @param {Answer | null} value @returns {value is null} */
const isEmpty = (value) => value === null || Number.isNaN(value);

const HOW = { class: "dtb-how" };

// What to say of a wrong answer: its name, what else it is right for, and else the sum to begin with.
/** @param {Exercise} made @param {{slip?: Slip, line?: number}} about @param {Answer} given @param {Answer} right @param {Step} step @param {string} more */
function told({ steps }, { slip, line = -1 }, given, right, step, more) {
  if (slip) return named(slip);
  if (line >= 0) return [`That is the value of “${steps[line].says}”.`];
  const [, ratio] = (right === step.value && /^log₂ (\S+)$/.exec(step.how)) || [],
    [mine, its] = [given, right].map((bits) => shown(2 ** Number(bits))),
    off =
      typeof given === "string" ? "not right" : given < Number(right) ? "too small" : "too large",
    why = ratio ? `: it is log₂\u00a0${mine}, and ${ratio} is ${its}` : "",
    sum = joined(step).replace(/ ?[:=≈]$/, "") || "look at the table";
  return [`${shown(given)} is ${off}${why}. ${more}: `, make("span", HOW, `${sum}.`)];
}

// Pose an exercise; `onFirst(isRight)` hears the first answer, `onEnd()` that it is done.
/** @param {Exercise} made @param {string} form @param {Hearing} hears */
export function pose(made, form, { onFirst, onEnd = () => {} }) {
  const reply = make("div", { class: "dtb-reply", role: "status", tabindex: -1 });
  const isTaken = made.cuts || made.twigs, // the answer is what the picture is moved to
    drawing = made.cuts ? inOrder(made) : made.twigs ? twigsOf(made) : blocksOf(made),
    isDrawn = isTaken || (made.blocks && form !== "solve"),
    heading = `${form} ${made.cuts ? "cuts" : made.twigs ? "twigs" : made.blocks ? "blocks" : ""}`;
  let isFirst = true;
  /** @type {Posed} */
  const context = {
    made,
    raise: drawing.show,
    reply: (...words) => {
      reply.replaceChildren(make("p", ...words));
      if (words[0]) reply.scrollIntoView({ block: "nearest" });
    },
    show: (part) => {
      reply.append(part);
      reply.scrollIntoView({ block: "nearest" });
    },
    // The first answer counts.
    commit: (isRight) => {
      if (isFirst) onFirst(isRight);
      isFirst = false;
    },
    end: () => {
      classList.remove("dtb-filling");
      // What was pressed may be gone.
      if (document.activeElement?.matches("body, form *")) reply.focus({ preventScroll: true });
      onEnd();
    },
  };
  /** @type {Record<string, (context: Posed) => Element>} */
  const builds = { solve, complete, wrong: findWrong };
  // Whoever is given no line makes the piles, too.
  const seen = [given(made.table), isDrawn ? drawing.place : pilesOf(made.table)],
    parts = isDrawn || form !== "solve" ? seen : sortedByHand(made.table),
    table = make("div", { class: "dtb-table" }, parts),
    sides = make("div", { class: "dtb-sides" }, table, make("div", builds[form](context))),
    { classList } = sides;
  classList.toggle("dtb-drawn", Boolean(isDrawn));
  classList.toggle("dtb-pictured", Boolean(isTaken));
  classList.toggle("dtb-filling", form === "complete");
  return make(
    "div",
    { class: "dtb-exercise" },
    make("h3", HEADINGS[heading] ?? HEADINGS[form]),
    make("p", { class: "dtb-asked" }, made.question),
    sides,
    reply,
  );
}

// --- solve ------------------------------------------------------------------------------------------

function solve(/** @type {Posed} */ { made, raise, reply, show, commit, end }) {
  const isWord = typeof made.answer === "string",
    values = made.steps.map(({ value }) => value),
    last = values.length - 1;
  const { field, read, take } =
    made.cuts || made.twigs
      ? inHand()
      : isWord
        ? radios(choicesOf(made).map(({ value }) => value))
        : blank("Your answer (two decimals will do)");
  const pull = (/** @type {Answer} */ to) => {
    take?.(to);
    write();
  };
  const write = () =>
    raise({ values: [...Array(last), read() ?? NaN], now: last, right: NaN, pull });
  write();
  const done = (/** @type {Child[]} */ words) => {
    whole.inert = true;
    raise({ values, now: -1, right: NaN });
    reply(...words);
    show(solution(made.steps));
    end();
  };
  const judge = () => {
    const value = read();
    if (isEmpty(value)) return reply(EMPTY);
    const { right, ...about } = judged(made, value);
    commit(right);
    if (right) return done([make("strong", "Right. "), `It is ${shown(made.answer)}.`]);
    const /** @type {HTMLInputElement | null} */ input = whole.querySelector("input[type=text]");
    input?.select();
    const [at = 0] = about.slip?.at ?? [];
    const where = about.slip ? ` It happens at “${made.steps[at].says}”.` : "";
    const [first] = made.steps;
    reply(...told(made, about, value, made.answer, first, `Begin with “${first.says}”`), where);
  };
  const whole = form(
    {},
    judge,
    field,
    inRow(
      make("button", { class: "dtb-main" }, "Check"),
      button("Show the solution", () => {
        commit(false);
        done([`The answer is ${shown(made.answer)}.`]);
      }),
    ),
  );
  return whole;
}

// --- complete ---------------------------------------------------------------------------------------

function complete(/** @type {Posed} */ { made, reply, raise, commit, end }) {
  const items = made.steps.map(() => make("li"));
  const list = make("ol", { class: "dtb-lines dtb-gaps" }, items[0]);
  let at = 0,
    missed = -1; // the last line that was not right at once
  const last = made.steps.length - 1;
  const settle = (/** @type {number} */ i) => {
    items[i].className = "";
    const sum = `${sumOf(made.steps[i])}\u00a0${i === missed ? "↺" : "✓"}`;
    items[i].replaceChildren(make("span", made.steps[i].says), make("b", sum));
  };
  const next = () => {
    settle(at);
    at += 1;
    if (at <= last) return open();
    raise({ values: made.steps.map(({ value }) => value), now: -1, right: NaN });
    const isClean = missed < 0;
    whole.inert = true;
    commit(isClean);
    end();
    const done = make("strong", isClean ? "All right. " : "Done. ");
    reply(done, `The answer is ${shown(made.answer)}.`);
  };
  let /** @type {Answered} */ line;
  // What is being written rises beside what stands, and once it was wrong, beside how high it should be.
  const write = () =>
    raise({
      values: [...made.steps.slice(0, at).map(({ value }) => value), line.read() ?? NaN],
      now: at,
      right: missed === at ? made.steps[at].value : NaN,
      pull,
    });
  const pull = (/** @type {Answer} */ to) => {
    line.take?.(to);
    write();
  };
  list.addEventListener("input", write);
  // The last line is the reader's own: it does not say how.
  const open = () => {
    const { says, value } = made.steps[at];
    const options = typeof value === "string" ? (made.inLines[at] ?? [value]) : null,
      isTaken = at === last && (made.cuts || made.twigs);
    line = isTaken ? inHand() : options ? radios(options, says) : gap(says);
    const how = make("span", HOW, at < last ? joined(made.steps[at]) : ""),
      asks = options && !isTaken ? "" : make("span", `${says}${isTaken ? "" : ": "}`, how);
    items[at].className = "dtb-row";
    items[at].replaceChildren(asks, line.field, check, show);
    list.append(items[at]);
    write();
    if (at > 1) (items[at].querySelector("input") ?? check).focus();
  };
  const judge = () => {
    const value = line.read();
    if (isEmpty(value)) return reply(EMPTY);
    const { right, ...about } = judged(made, value, at);
    if (right) {
      reply("Right.");
      return next();
    }
    missed = at;
    commit(false);
    items[at].querySelector("input")?.select();
    write();
    const step = made.steps[at],
      isDrawn = made.blocks?.[at] && step.value,
      again = isDrawn ? "Dashed is how high it should be" : "Calculate again";
    reply(...told(made, about, value, step.value, step, again));
  };
  const check = make("button", { class: "dtb-main" }, "Check"),
    show = button("Show it", () => {
      missed = at;
      commit(false);
      reply("");
      next();
    });
  const whole = form({}, judge, list);
  settle(0);
  at = 1;
  open();
  return whole;
}

// --- find the wrong line ----------------------------------------------------------------------------

function findWrong(/** @type {Posed} */ { made, reply, raise, show, commit, end }) {
  const slip = hiddenSlip(made);
  raise({ values: slip.steps.map(({ value }) => value), now: -1, right: NaN });
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
  return make("div", { class: "dtb-suspects", ...about }, lines);
}
