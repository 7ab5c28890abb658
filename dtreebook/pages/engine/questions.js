// Twenty questions: one of some things is meant; ask about any of them, and see how many bits are
// still missing.

import { box, make, small } from "./draw.js";
import { BOLD, colour, DASHED, END } from "./looks.js";
import { inRow } from "./parts.js";
import { button, check, primary } from "./reach.js";
import { picture, scale } from "./stage.js";
import { start } from "./start.js";
import { short, some } from "./words.js";

/** @type {Build<{things: string[]}>} */
function questionsExplorable(play, data, say) {
  const { things } = data,
    state = {
      left: things.map((_, i) => i),
      chosen: /** @type {Set<number>} */ (new Set()),
      asked: /** @type {{yes: boolean, told: number}[]} */ ([]),
      secret: 0,
      unlucky: false,
    };
  const cards = things.map((thing, i) =>
    button(thing, () => choose(i), { class: "dtb-card", "aria-pressed": false }),
  );
  const history = make("ol", { class: "dtb-history" });
  const ask = primary("Is it one of these?", answer);

  function begin() {
    Object.assign(state, {
      left: things.map((_, i) => i),
      chosen: new Set(things.slice(0, 3).keys()),
      asked: [],
      secret: Math.floor(Math.random() * things.length),
    });
    history.replaceChildren();
    show();
  }

  /** @param {number} i */
  function choose(i) {
    if (state.chosen.has(i)) state.chosen.delete(i);
    else state.chosen.add(i);
    show();
  }

  // The page keeps to the thing it means; with bad luck it means none, and leaves whatever is more.
  function answer() {
    const { left, chosen } = state,
      inside = left.filter((i) => chosen.has(i)),
      outside = left.filter((i) => !chosen.has(i));
    const yes = state.unlucky ? inside.length > outside.length : chosen.has(state.secret);
    const rest = yes ? inside : outside;
    if (state.unlucky) state.secret = rest[0];
    const told = Math.log2(left.length) - Math.log2(rest.length);
    state.asked.push({ yes, told });
    history.append(
      make(
        "li",
        {},
        `Is it among ${inside.length} of the ${left.length}? ${yes ? "Yes" : "No"}: ${rest.length} left, worth ${short(told, 2)} bits.`,
      ),
    );
    Object.assign(state, { left: rest, chosen: new Set() });
    show();
  }

  const sheet = picture(
    "What the answers would tell, and what is known, in bits",
    () => (show(), 128),
  );

  // What either answer would leave and be worth, each as wide as the things it leaves.
  function showAnswers() {
    const { left, chosen } = state,
      sizes = [chosen.size, left.length - chosen.size],
      border = (sheet.wide * sizes[0]) / left.length;
    if (!sizes[0] || !sizes[1])
      return [
        box(0, 26, sheet.wide, 22, { fill: "none", stroke: "currentColor", ...DASHED }),
        small(0, 16, "Press what you would ask about."),
      ];
    return sizes.flatMap((size, side) => {
      const word = side ? "no" : "yes",
        worth = short(Math.log2(left.length / size), 2);
      return [
        box(side * border, 26, side ? sheet.wide - border : border, 22, {
          class: side ? null : "dtb-dot",
          fill: "#b5ab97",
        }),
        size
          ? small(side * sheet.wide, 16, `${word}: ${size} left, ${worth} bits`, side ? END : BOLD)
          : "",
      ];
    });
  }

  // A bar of the bits that are known, question by question.
  function showBits() {
    const { wide } = sheet,
      all = Math.log2(things.length),
      bits = scale(0, all, 0, wide);
    let from = 0;
    sheet.replaceChildren(
      ...(state.left.length > 1 ? showAnswers() : []),
      box(0, 76, wide, 22, { fill: "none", stroke: "currentColor" }),
      ...state.asked.flatMap(({ told }, i) => {
        const left = bits(from);
        from += told;
        return [box(left + 1, 77, bits(from) - left - 2, 20, { fill: colour(i) })];
      }),
      small(0, 118, `${short(from, 2)} bits known`),
      small(wide, 118, `${short(all - from, 2)} still missing`, END),
    );
  }

  function show() {
    const { left, chosen, asked } = state,
      isDone = left.length === 1;
    cards.forEach((card, i) => {
      card.disabled = !left.includes(i) || isDone;
      card.setAttribute("aria-pressed", String(chosen.has(i) || (isDone && i === left[0])));
    });
    ask.disabled = isDone || !chosen.size || chosen.size === left.length;
    if (sheet.wide) showBits();
    if (isDone) {
      const best = Math.ceil(Math.log2(things.length));
      return say(
        `It is the ${things[left[0]]}, found with ${some(asked.length, "question")}. Halving finds every one of ${things.length} with ${best}.`,
      );
    }
    const last = asked.at(-1);
    const told = last
      ? `${last.yes ? "Yes" : "No"}: worth ${short(last.told, 2)} bits. `
      : "I'm thinking of one of them. ";
    say(
      `${told}${left.length} things are left, ${short(Math.log2(left.length), 2)} bits are missing. Choose some of them and ask.`,
      [`${left.length} things`, () => left.map((i) => cards[i])],
    );
  }

  play.append(
    make(
      "div",
      {
        class: "dtb-cards",
        role: "group",
        "aria-label": "The things: press those that your question is about",
      },
      cards,
    ),
    sheet.place,
    inRow(
      ask,
      check(
        "with bad luck: the larger part is left",
        false,
        (on) => ((state.unlucky = on), begin()),
      ),
      button("Think of another", begin),
    ),
    history,
  );
  begin();
}

start("questions", questionsExplorable);
