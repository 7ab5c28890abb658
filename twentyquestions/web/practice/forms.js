// An exercise to answer, in one of three forms: solve it, complete it line by line, find its wrong
// line. The reader commits first; the reply names the misconception and shows its line.

import { blocksOf } from "./blocks.js";
import { joined, shown, sumOf } from "./calculation.js";
import { make } from "../kit/draw.js";
import { choicesOf, judged } from "./exercise.js";
import { blank, form, gap, inHand, radios } from "./fields.js";
import { inOrder } from "./inorder.js";
import { guardOf } from "./average_gain.js";
import { inRow } from "../kit/legends.js";
import { button } from "../kit/reach.js";
import { given, pilesOf, solution, sortedByHand } from "./shown.js";
import { twigsOf } from "./twigs.js";
import { findWrong, named } from "./wrongline.js";

/** @type {Record<string, string>} */
const ASKS = {
  solve: "Work it out",
  complete: "Fill in what is missing",
  wrong: "One of these lines is wrong. Which?",
};
const PRESS = "Press the cases that are wrong, or write how many";
// What shows the lines of an exercise, and asks it otherwise. A `whole` one shows all that is in the table;
// one that asks to solve it takes the answer.
/** @type {Record<string, {of: typeof blocksOf, asks: Record<string, string>, whole?: boolean}>} */
const PICTURES = {
  blocks: {
    of: blocksOf,
    asks: { complete: "Pull each block to its height, or write the number" },
  },
  guard: {
    of: guardOf,
    asks: { complete: "Pull each question to its ratio, or write the number" },
  },
  leaves: { of: twigsOf, asks: { complete: PRESS }, whole: true },
  twigs: {
    of: twigsOf,
    asks: { complete: PRESS, solve: "Press the tests that are to go" },
    whole: true,
  },
  cuts: { of: inOrder, asks: { solve: "Pull the cut to its place" }, whole: true },
};
/** @type {Record<string, string>} */
export const FORMS = { solve: "solve", complete: "complete", wrong: "find the wrong line" };

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
  const about = PICTURES[made.picture ?? ""],
    drawing = about?.whole || form !== "solve" ? about?.of(made) : null,
    raise = (/** @type {Raised} */ raised) => drawing?.show(raised);
  let isFirst = true;
  /** @type {Posed} */
  const context = {
    made,
    isMoved: Boolean(about?.asks.solve),
    raise,
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
      raise({ values: made.steps.map(({ value }) => value), now: -1, right: NaN });
      classList.remove("dtb-filling");
      // What was pressed may be gone.
      if (document.activeElement?.matches("body, form *")) reply.focus({ preventScroll: true });
      onEnd();
    },
  };
  /** @type {Record<string, (context: Posed) => Element>} */
  const builds = { solve, complete, wrong: findWrong };
  // Whoever is given no line makes the piles, too.
  const piles =
      form === "solve" ? sortedByHand(made.table) : [given(made.table), pilesOf(made.table)],
    table = make(
      "div",
      { class: "dtb-table" },
      drawing ? [given(made.table), drawing.place] : piles,
    ),
    sides = make("div", { class: "dtb-sides" }, table, make("div", builds[form](context))),
    { classList } = sides;
  classList.toggle("dtb-drawn", Boolean(drawing));
  classList.toggle("dtb-pictured", Boolean(about?.whole));
  classList.toggle("dtb-filling", form === "complete");
  return make(
    "div",
    { class: "dtb-exercise" },
    make("h3", about?.asks[form] ?? ASKS[form]),
    make("p", { class: "dtb-asked" }, made.question),
    sides,
    reply,
  );
}

// What stands in a line is seen in the picture, after the numbers above it, and what the picture is moved
// to is written in the line.
/** @param {Posed["raise"]} raise @param {Answer[]} above @param {Answered} line @param {Answer} [right] */
function mirror(raise, above, line, right = NaN) {
  const pull = (/** @type {Answer} */ to) => {
    line.take?.(to);
    mirror(raise, above, line, right);
  };
  raise({ values: [...above, line.read() ?? NaN], now: above.length, right, pull });
}

// --- solve ------------------------------------------------------------------------------------------

function solve(/** @type {Posed} */ { made, isMoved, raise, reply, show, commit, end }) {
  const isWord = typeof made.answer === "string",
    last = made.steps.length - 1;
  const line = isMoved
    ? inHand()
    : isWord
      ? radios(choicesOf(made).map(({ value }) => value))
      : blank("Your answer (two decimals will do)");
  mirror(raise, Array(last), line);
  const done = (/** @type {Child[]} */ words) => {
    whole.inert = true;
    reply(...words);
    show(solution(made.steps));
    end();
  };
  const judge = () => {
    const value = line.read();
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
    line.field,
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

function complete(/** @type {Posed} */ { made, isMoved, reply, raise, commit, end }) {
  const items = made.steps.map(() => make("li"));
  const list = make("ol", { class: "dtb-lines dtb-gaps" }, items[0]);
  let at = 0,
    missed = -1, // the last line that was not right at once
    tries = 0; // at the line that is open
  const last = made.steps.length - 1;
  const settle = (/** @type {number} */ i) => {
    items[i].className = "";
    const sum = `${sumOf(made.steps[i])}\u00a0${i === missed ? "↺" : "✓"}`;
    items[i].replaceChildren(make("span", made.steps[i].says), make("b", sum));
  };
  const next = () => {
    settle(at);
    at += 1;
    tries = 0;
    if (at <= last) return open();
    const isClean = missed < 0;
    whole.inert = true;
    commit(isClean);
    end();
    const done = make("strong", isClean ? "All right. " : "Done. ");
    reply(done, `The answer is ${shown(made.answer)}.`);
  };
  let /** @type {Answered} */ line;
  // Who was wrong twice sees how high what is written should be.
  const write = () => {
    const above = made.steps.slice(0, at).map(({ value }) => value);
    mirror(raise, above, line, tries > 1 ? made.steps[at].value : NaN);
  };
  list.addEventListener("input", write);
  // The last line is the reader's own: it does not say how.
  const open = () => {
    const { says, value } = made.steps[at];
    const options = typeof value === "string" ? (made.inLines[at] ?? [value]) : null,
      isTaken = at === last && isMoved;
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
    tries += 1;
    commit(false);
    items[at].querySelector("input")?.select();
    write();
    const step = made.steps[at],
      isDrawn = tries > 1 && made.blocks?.[at] && step.value,
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
