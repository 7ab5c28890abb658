// Chances: drag the borders between the faces of a die; surprise and entropy follow, and tosses come
// near them.

import { box, circle, draw, line, small, text } from "./draw.js";
import { ANSWER, BOLD, colour, DASHED, DOTTED, END, ink, MIDDLE } from "./looks.js";
import { entropy, sum } from "./measures.js";
import { inRow } from "./parts.js";
import { randomOf } from "./random.js";
import { button, grip } from "./reach.js";
import { axisY, clamp, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { short } from "./words.js";

const TOSSES = 20;

/** @type {Build<{faces: number}>} */
function chanceExplorable(play, data, say) {
  const HUNDRED = 100; // chances are kept in hundredths, so that they add up
  /** Chances in proportion to weights. @param {number[]} weights */
  const parted = (weights) => {
    /** @param {number} i */
    const upTo = (i) => Math.floor((HUNDRED * sum(weights.slice(0, i))) / sum(weights));
    return weights.map((_, i) => upTo(i + 1) - upTo(i));
  };
  const random = randomOf("tosses");
  const equal = parted(Array(data.faces).fill(1));
  const state = { parts: equal, tosses: 0, surprises: 0, last: /** @type {number[]} */ ([]) };
  const name = (/** @type {number} */ k) => `face ${k + 1}`;
  const surprise = (/** @type {number} */ part) => Math.log2(HUNDRED / part);
  const BASE = 260;
  let x = scale(0, 1, 0, 0),
    y = x,
    /** @type {Element[]} */ columns = [];
  const tossed = draw("g", { class: "dtb-moves" }),
    blocks = draw("g");
  let mean = draw("line");

  /** @param {number[]} parts */
  function set(parts) {
    Object.assign(state, { parts, tosses: 0, surprises: 0, last: [] });
    show();
  }

  // Tosses surprise by the face that comes; their mean draws near the entropy.
  function toss() {
    state.last = Array.from({ length: TOSSES }, () => {
      const falls = random.whole(1, HUNDRED);
      return state.parts.findIndex((_, k) => falls <= sum(state.parts.slice(0, k + 1)));
    });
    state.surprises += sum(state.last.map((face) => surprise(state.parts[face])));
    state.tosses += TOSSES;
    show();
  }
  const meanToss = () => state.surprises / state.tosses;

  // --- blocks: as wide as a chance, as high as its surprise, so that the area is what it adds to the mean

  const label = "A block for each face: as wide as its chance, as high as its surprise";
  const sheet = picture(label, (width) => {
    x = scale(0, HUNDRED, 54, width - 12);
    sheet.replaceChildren(blocks, tossed, ...knobs);
    show();
    return BASE + 84;
  });

  const knobs = state.parts.slice(1).map((_, i) => {
    const low = () => sum(state.parts.slice(0, i)),
      both = () => state.parts[i] + state.parts[i + 1];
    return grip(sheet, {
      label: `Border between ${name(i)} and ${name(i + 1)}`,
      count: () => both() + 1,
      at: () => state.parts[i],
      place: (at) => [x(low() + at), BASE + 14],
      words: (at) => `${name(i)} ${at / HUNDRED}`,
      onMove: (to) => {
        const parts = [...state.parts];
        [parts[i], parts[i + 1]] = [to, both() - to];
        set(parts);
      },
    });
  });

  function showBlocks() {
    const { parts, tosses } = state,
      bits = entropy(parts),
      even = Math.log2(parts.length),
      most = Math.max(4, Math.ceil(Math.max(...parts.map((part) => (part ? surprise(part) : 0)))));
    y = scale(0, most, BASE, 66);
    let [from, before, row] = [0, 0, 0]; // where two are narrow, the second label is lower
    columns = [];
    const drawn = parts.flatMap((part, k) => {
      const left = x(from),
        wide = x((from += part)) - left,
        middle = left + wide / 2;
      if (!part) return [];
      row = middle - before < 34 ? 1 - row : 0;
      before = middle;
      const high = y(surprise(part));
      columns[k] = box(left + 1, high, Math.max(wide - 2, 2), BASE - high, { fill: colour(k) });
      return [
        columns[k],
        ...dots(state.last.filter((face) => face === k).length, middle, wide),
        // Where it is wide enough, its surprise stands at its foot.
        small(middle, wide > 36 ? BASE - 8 : high - 6, short(surprise(part), 2), {
          ...MIDDLE,
          ...BOLD,
          fill: wide > 36 ? ink(k) : "currentColor",
        }),
        small(middle, BASE + 44 + 18 * row, `${part}%`, { ...MIDDLE, ...BOLD }),
        small(middle, BASE + 62 + 18 * row, wide > 48 ? name(k) : k + 1, MIDDLE),
      ];
    });
    tossed.style.transform = `translateY(${y(tosses ? meanToss() : 0)}px)`;
    tossed.replaceChildren(
      ...(tosses
        ? [
            line(x(0), 0, x(HUNDRED), 0, { class: "dtb-one", "stroke-width": 4 }),
            small(x(0) + 6, -8, `${tosses} tosses: ${short(meanToss())}`, {
              class: "dtb-halo",
              "font-weight": 600,
            }),
          ]
        : []),
    );
    blocks.replaceChildren(
      axisY(40, y, 0, most, ""),
      line(x(0), BASE, x(HUNDRED), BASE),
      ...drawn,
      (mean = line(x(0), y(bits), x(HUNDRED), y(bits), {
        ...ANSWER,
        "stroke-width": 3,
        ...DASHED,
      })),
      line(x(0), y(even), x(HUNDRED), y(even), { "stroke-width": 2, ...DOTTED }),
      small(4, 16, "surprise in bits"),
      text(x(HUNDRED), 16, `dashed: the mean, ${short(bits)}`, { ...ANSWER, ...END, ...BOLD }),
      small(x(HUNDRED), 36, `dotted: with equal chances, ${short(even)}`, END),
    );
  }

  /** The last tosses of a face, as dots in its block. @param {number} n @param {number} middle @param {number} wide */
  function dots(n, middle, wide) {
    const row = clamp(Math.floor((wide - 6) / 15), 1, Math.ceil(n / 2));
    return Array.from({ length: n }, (_, i) => {
      const x = middle + 15 * ((i % row) - (Math.min(row, n - i + (i % row)) - 1) / 2);
      return circle(x, BASE - 34 - 15 * Math.floor(i / row), 6, {
        class: "dtb-toss",
        style: `--turn:${i}`,
      });
    });
  }

  function show() {
    showBlocks();
    knobs.forEach((knob) => knob.show());
    const { parts, tosses } = state,
      bits = entropy(parts),
      rare = Math.min(...parts.filter(Boolean)),
      rarest = parts.indexOf(rare);
    say(
      `The rarest, ${name(rarest)}, surprises by ${short(surprise(rare), 2)} bits, but its chance is ${rare}%. ` +
        `The mean surprise, the entropy, is ${short(bits)} bits.` +
        (tosses ? ` ${tosses} tosses surprised by ${short(meanToss())} bits on average.` : ""),
      [name(rarest), () => [columns[rarest]]],
      [`${short(bits)} bits`, () => [mean]],
      [`${tosses} tosses`, () => [tossed]],
    );
  }

  play.append(
    sheet.place,
    inRow(
      button(`Toss it ${TOSSES} times`, toss, { class: "dtb-main dtb-secret" }),
      button("Make all equal", () => set(equal)),
    ),
  );
  // One face gets rare: a twentieth.
  return () => set(parted([data.faces - 1, ...equal.slice(1).fill(19)]));
}

start("chance", chanceExplorable);
