// Twenty questions: one of some things is meant; ask about any of them, and see how many bits are
// still missing.

import { box, draw, make, outline, put, small } from "../kit/draw.js";
import { BOLD, CENTRED, DASHED, END, PAPER } from "../kit/looks.js";
import { beside, inRow } from "../kit/legends.js";
import { button, check, primary } from "../kit/reach.js";
import { picture, scale } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { short, some } from "../kit/words.js";

const ROW = 58; // how high a question is
const BAR = 22; // room above its bar for its words
const HIGH = 26;

/** @typedef {{yes: boolean, told: number, sides: number[][], from: number}} Asked */

const SQUARE = { viewBox: "0 0 24 24", width: 34, "aria-hidden": "true" };
/** A thing in lines on a square of 24, if it has some. @param {string | null} d */
const drawn = (d) => d && draw("svg", SQUARE, outline(d, { "stroke-width": 1.6 }));

/** @type {Build<{things: string[], lines: (string | null)[]}>} */
function questionsExplorable(play, data, say) {
  const { things } = data;
  const fresh = () => ({
    left: things.map((_, i) => i),
    from: 0, // things that are gone to the left of them
    chosen: /** @type {Set<number>} */ (new Set()),
    asked: /** @type {Asked[]} */ ([]),
    secret: Math.floor(Math.random() * things.length),
  });
  const state = { unlucky: false, ...fresh() };
  let isChosen = true;
  const cards = things.map((thing, i) => {
    const choose = () => (state.chosen.delete(i) || state.chosen.add(i), show());
    // One sweep over the cards with the mouse chooses them, or none of them.
    const sweep = (/** @type {PointerEvent} */ { buttons }) => {
      if (buttons !== 1 || !state.left.includes(i)) return;
      state.chosen[isChosen ? "add" : "delete"](i);
      show();
    };
    const about = {
      class: "dtb-card",
      pointerdown: () => (isChosen = !state.chosen.has(i)),
      pointerleave: sweep,
      pointerenter: sweep,
    };
    return button([drawn(data.lines[i]), thing], choose, about);
  });
  const ask = primary("Is it one of these?", answer);

  function begin() {
    Object.assign(state, fresh());
    show();
  }

  /** Those that are asked about, and the others. @param {number[]} left */
  const sidesOf = (left) =>
    [true, false].map((is) => left.filter((i) => state.chosen.has(i) === is));

  // The page keeps to the thing it means; with bad luck it means none, and leaves whatever is more.
  function answer() {
    const { left, chosen, from } = state,
      sides = sidesOf(left);
    const yes = state.unlucky ? sides[0].length > sides[1].length : chosen.has(state.secret);
    const rest = sides[Number(!yes)];
    if (state.unlucky) state.secret = rest[0];
    const told = Math.log2(left.length) - Math.log2(rest.length);
    state.asked.push({ yes, told, sides, from });
    Object.assign(state, {
      left: rest,
      from: yes ? from : from + sides[0].length,
      chosen: new Set(),
    });
    show();
  }

  // The game as it goes: of each question what either answer would leave, each as wide as its things, and
  // below the part that is left the next. The things themselves move to their side, and down.
  const best = Math.ceil(Math.log2(things.length));
  const layer = draw("g"),
    icons = things.map((_, i) =>
      outline(data.lines[i] ?? "", { class: "dtb-moves", "stroke-width": 1.8 }),
    );
  const sheet = picture("The questions, and the things that each answer leaves", (width) => {
    const { asked } = state,
      end = ROW * (Math.max(asked.length, best) + 1);
    layer.replaceChildren(
      ...toCome(width),
      draw(
        "g",
        { class: "dtb-history" },
        asked.map((one, i) => draw("g", askedRow(one, i * ROW, width))),
      ),
      ...nextRow(asked.length * ROW, width),
      ...bitsRow(end, width),
    );
    return end + 50;
  });
  sheet.append(layer, ...icons);

  // What halving would leave, again and again.
  function toCome(/** @type {number} */ wide) {
    const { left, from, asked } = state,
      x = (from * wide) / things.length;
    const steps = Math.min(Math.ceil(Math.log2(left.length)), best - asked.length);
    return [
      small(wide / 4 + 8, 2 * ROW + BAR, asked.length ? "" : "left if each answer halves them"),
      ...Array.from({ length: steps }, (_, i) => {
        const across = ((left.length / 2 ** (i + 1)) * wide) / things.length;
        return box(x, ROW * (asked.length + i) + BAR + HIGH, across, ROW, { class: "dtb-hill" });
      }),
    ];
  }

  /** The bits of the answers, side by side up to what was missing. @param {number} y @param {number} wide */
  function bitsRow(y, wide) {
    const x = scale(0, Math.log2(things.length), 1, wide - 1);
    let all = 0;
    return [
      small(0, y + 15, `${short(Math.log2(things.length), 2)} bits are missing at first`),
      box(1, y + BAR, wide - 2, HIGH, { fill: "none", stroke: "#8b8676", ...DASHED }),
      ...state.asked.flatMap(({ told }) => {
        const from = x(all),
          to = x((all += told)),
          words = to - from > 36 ? short(told, 2) : "";
        return [
          box(from, y + BAR, to - from - 2, HIGH, { class: "dtb-dot" }),
          small((from + to) / 2, y + BAR + 18, words, { ...CENTRED, fill: PAPER }),
        ];
      }),
    ];
  }

  /** The things of either answer as parts of a bar. @param {Pick<Asked, "sides" | "from">} about @param {number} y @param {number} wide @param {boolean | null} [yes] */
  function parts({ sides, from }, y, wide, yes = null) {
    const each = wide / things.length,
      by = Math.min(each, HIGH - 2) / 24;
    let at = from * each - each;
    return sides.map((side, no) => {
      const look = no ? { fill: "#b5ab97" } : { class: "dtb-dot" },
        bar = box(at + each, y + BAR, side.length * each - 2, HIGH, look);
      const inside = side.map((i) => {
        const place = [(at += each) + each / 2 - 12 * by, y + BAR + HIGH / 2 - 12 * by];
        const icon = /** @type {Element} */ (yes === null ? icons[i] : icons[i].cloneNode());
        put(icon, {
          style: `transform: translate(${place[0]}px, ${place[1]}px) scale(${by})`,
          stroke: no ? "#22262e" : PAPER,
        });
        return yes === null ? null : icon;
      });
      return draw("g", { opacity: yes === Boolean(no) ? 0.3 : 1 }, bar, inside);
    });
  }
  /** @param {Asked} about @param {number} y @param {number} wide */
  const askedRow = (about, y, wide) => {
    const { yes, told, sides } = about,
      [inside, outside] = sides.map((side) => side.length),
      left = yes ? `Yes: ${inside}` : `No: ${outside}`,
      words = `Among ${inside} of the ${inside + outside}? ${left} left, ${short(told, 2)} bits`;
    return [small(0, y + 15, words, BOLD), ...parts(about, y, wide, yes)];
  };

  // What either answer to the next question would leave and be worth; at the end the thing itself.
  function nextRow(/** @type {number} */ y, /** @type {number} */ wide) {
    const { left, from } = state,
      sides = sidesOf(left),
      sizes = sides.map((side) => side.length),
      bars = parts({ sides, from }, y, wide);
    const worth = (/** @type {number} */ side) =>
      `${side ? "no" : "yes"}: ${sizes[side]} left, ${short(Math.log2(left.length / sizes[side]), 2)} bits`;
    if (left.length === 1) return bars; // the sentence says what it is
    return [
      small(0, y + 15, ask.disabled ? "Press what you would ask about." : worth(0)),
      small(wide, y + 15, ask.disabled ? "" : worth(1), END),
      ...bars,
    ];
  }

  function show() {
    const { left, chosen, asked } = state,
      isDone = left.length === 1;
    cards.forEach((card, i) => {
      card.disabled = !left.includes(i) || isDone;
      card.setAttribute("aria-pressed", String(chosen.has(i) || (isDone && i === left[0])));
      icons[i].style.display = left.includes(i) ? "" : "none";
    });
    ask.disabled = !chosen.size || chosen.size === left.length;
    if (sheet.wide) sheet.paint();
    if (isDone)
      return say(
        `It is the ${things[left[0]]}, found with ${some(asked.length, "question")}. Halving finds every one of ${things.length} with ${best}.`,
      );
    const last = asked.at(-1);
    const told = last ? `${last.yes ? "Yes" : "No"}: worth ${short(last.told, 2)} bits. ` : "";
    say(
      `${told}${left.length} things are left, ${short(Math.log2(left.length), 2)} bits are missing. Choose some of them and ask.`,
      [`${left.length} things`, () => left.map((i) => cards[i])],
    );
  }

  const about = "What to ask about";
  play.append(
    beside(
      make("div", { class: "dtb-cards", role: "group", "aria-label": about }, cards),
      inRow(
        ask,
        button("Think of another", begin),
        check(
          "with bad luck: the larger part is left",
          false,
          (on) => ((state.unlucky = on), begin()),
        ),
      ),
      sheet.place,
    ),
  );
  begin();
}

start("questions", questionsExplorable);
