// Chances: drag the borders between the faces of a die; surprise and entropy follow, and tosses come
// near them.

import {
  become,
  box,
  circle,
  countBar,
  draw,
  layers,
  line,
  put,
  small,
  text,
} from "../kit/draw.js";
import { ANSWER, BOLD, CENTRED, colour, DOTTED, END, ink, MIDDLE } from "../kit/looks.js";
import { entropy, sum } from "../algorithms/measures.js";
import { inRow } from "../kit/legends.js";
import { randomOf } from "../algorithms/random.js";
import { button, grip } from "../kit/reach.js";
import { axisY, clamp, picture, renewed, scale } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { short } from "../kit/words.js";

const MEAN = { class: "dtb-one", "stroke-width": 7, "stroke-opacity": 0.5 };
const TOSSES = 20;
const APART = 40; // from a label to the next
const BASE = 260; // of the blocks
const LAID = BASE + 120; // where they are laid end to end
const THICK = 34;
const MISSING = { stroke: "currentColor", ...DOTTED };

/** @type {Build<{faces: number}>} */
function chanceExplorable(play, data, say) {
  const HUNDRED = 100; // chances are kept in hundredths, so that they add up
  const random = randomOf("tosses");
  const equal = Array(data.faces).fill(HUNDRED / data.faces);
  // One face is rare at first: its surprise is a tower.
  const state = {
    parts: [10, 22, 22, 23, 23],
    tosses: 0,
    surprises: 0,
    last: /** @type {number[]} */ ([]),
  };
  const name = (/** @type {number} */ k) => `face ${k + 1}`;
  const surprise = (/** @type {number} */ part) => Math.log2(HUNDRED / part);
  // The rare face stands out.
  const hueOf = (/** @type {number} */ part, /** @type {number} */ rare) =>
    Number(part === rare && part < HUNDRED / data.faces);
  let x = scale(0, 1, 0, 0),
    y = x;
  const tossed = draw("g", { class: "dtb-moves" }),
    hill = draw("rect", { class: "dtb-hill dtb-secret" }),
    [faces, levels, ground] = layers(3),
    total = draw("g", ANSWER),
    blocks = draw("g", ground, hill, faces, levels, total);
  let mean = draw("g");

  function set(/** @type {number[]} */ parts) {
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
    x = scale(0, HUNDRED, 40, width - 54);
    sheet.replaceChildren(blocks, tossed, ...knobs);
    show();
    return LAID + THICK + 22;
  });

  const knobs = state.parts.slice(1).map((_, i) => {
    const low = () => sum(state.parts.slice(0, i)),
      both = () => state.parts[i] + state.parts[i + 1];
    // Of two that are near each other one is lower. The first stop leaves a face a hundredth.
    const isNear = () => i % 2 && x(Math.min(state.parts[i], state.parts[i + 1])) - x(0) < 26;
    return grip(sheet, {
      label: `Border between ${name(i)} and ${name(i + 1)}`,
      count: () => both() - 1,
      at: () => state.parts[i] - 1,
      place: (at) => [x(low() + at + 1), BASE + (isNear() ? 34 : 14)],
      words: (at) => `${name(i)} ${(at + 1) / HUNDRED}`,
      onMove: (to) => {
        const parts = [...state.parts];
        [parts[i], parts[i + 1]] = [to + 1, both() - to - 1];
        set(parts);
      },
    });
  });

  function showBlocks(/** @type {number} */ rare) {
    const { parts, tosses } = state,
      bits = entropy(parts),
      most = Math.max(4, Math.ceil(surprise(rare) + 0.4));
    y = scale(0, most, BASE, 40);
    const widths = parts.map((part) => x(part) - x(0)),
      middles = widths.map((wide, k) => x(sum(parts.slice(0, k))) + wide / 2);
    // Where some are narrow, their labels stand beside each other.
    const places = middles.reduce((all, middle, k) => {
      const room = x(HUNDRED) - 10 - APART * (parts.length - 1 - k);
      return [...all, clamp(middle, k ? all[k - 1] + APART : 0, room)];
    }, /** @type {number[]} */ ([]));
    // A face that looks as it did stays; after new tosses none does.
    const looks = parts.map(
      (part, k) => `${[part, part === rare, middles[k], places[k], most, tosses]}`,
    );
    renewed(faces, looks, (k) => {
      const part = parts[k],
        high = y(surprise(part)),
        wide = widths[k],
        isWide = wide > 46,
        foot = isWide ? 28 : 4; // where it is wide enough, its surprise stands there
      const across = Math.max(wide - 2, 2),
        level = isWide ? BASE - 8 : high - 6,
        hue = hueOf(part, rare),
        look = { ...CENTRED, ...(isWide ? { fill: ink(hue) } : { class: "dtb-halo" }) };
      return draw(
        "g",
        box(middles[k] - across / 2, high, across, BASE - high, { fill: colour(hue) }),
        ...dots(k, middles[k], wide, BASE - foot, y(bits)),
        small(isWide ? middles[k] : places[k], level, short(surprise(part), 2), look),
        small(places[k], BASE + 60, `${part}%`, MIDDLE),
        small(places[k], BASE + 78, k + 1, MIDDLE),
      );
    });
    const found = tosses ? meanToss() : 0,
      named = { class: "dtb-done dtb-halo", ...END },
      told = `${tosses} tosses: ${short(found)}`;
    tossed.style.transform = `translateY(${y(found)}px)`;
    tossed.replaceChildren(
      tosses ? line(x(0), 0, x(HUNDRED), 0, MEAN) : "",
      tosses ? text(x(HUNDRED) - 4, -8, told, named) : "",
    );
    mean = draw("g", ANSWER, [
      line(x(0), y(bits), x(HUNDRED), y(bits), { "stroke-width": 3 }),
      small(x(HUNDRED) + 6, y(bits) - 4, "mean"),
      small(x(HUNDRED) + 6, y(bits) + 14, short(bits), BOLD),
    ]);
    become(
      ground,
      axisY(24, y, 0, most, "surprise in bits"),
      line(x(0), BASE, x(HUNDRED), BASE),
      small(x(HUNDRED) + 6, BASE + 60, "chance"),
      small(x(HUNDRED) + 6, BASE + 78, "face"),
    );
    // As high as the mean: what stands above fills what is missing below.
    const [left, wide, top] = [x(0), x(HUNDRED) - x(0), y(bits)];
    put(hill, { x: left, y: top, width: wide, height: BASE - top });
    levels.replaceChildren(mean);
  }

  // The areas of the blocks end to end are the mean; with equal chances they reach the end.
  function showSum(/** @type {number} */ rare) {
    const { parts } = state,
      even = Math.log2(parts.length),
      missing = even - entropy(parts),
      along = scale(0, even, x(0), x(HUNDRED));
    let end = 0;
    const areas = parts.flatMap((part, k) => {
      const from = along(end),
        wide = along((end += (part / HUNDRED) * surprise(part))) - from;
      return countBar(hueOf(part, rare), k + 1, from, LAID, wide - 2, THICK);
    });
    become(
      total,
      small(x(0), LAID - 8, "the areas end to end: the mean", BOLD),
      areas,
      box(along(end), LAID, x(HUNDRED) - along(end), THICK, { fill: "none", ...MISSING }),
      missing > 0.001
        ? small(x(HUNDRED), LAID + THICK + 16, `${short(missing)} bits missing`, END)
        : "",
      small(x(HUNDRED) + 6, LAID + 14, "equal"),
      small(x(HUNDRED) + 6, LAID + 32, short(even), BOLD),
    );
  }

  /** The last tosses of a face, as dots in its block, small where there is little room. @type {(face: number, middle: number, wide: number, foot: number, top: number) => Element[]} */
  function dots(face, middle, wide, foot, top) {
    const n = state.last.filter((one) => one === face).length,
      step = clamp(0.85 * Math.sqrt((wide * Math.max(foot - top, 0)) / n), 6, 15),
      row = clamp(Math.floor((wide - 4) / step), 1, Math.ceil(n / 2)),
      r = clamp(wide / 2 - 1, 2, 0.4 * step);
    return Array.from({ length: n }, (_, i) => {
      const x = middle + step * ((i % row) - (Math.min(row, n - i + (i % row)) - 1) / 2);
      return circle(x, foot - step * (0.5 + Math.floor(i / row)), r, {
        class: "dtb-toss",
        style: `--turn:${i}`,
      });
    });
  }

  function show() {
    const { parts, tosses } = state,
      rare = Math.min(...parts);
    showBlocks(rare);
    showSum(rare);
    knobs.forEach((knob) => knob.show());
    const bits = entropy(parts);
    say(
      (rare < Math.max(...parts)
        ? `The smallest chance, ${rare}%, has the greatest surprise, `
        : `All chances are ${rare}%, and have one surprise, `) +
        `${short(surprise(rare), 2)} bits.\n` +
        ` The mean surprise, the entropy, is ${short(bits)} bits.` +
        (tosses ? ` ${tosses} tosses surprised by ${short(meanToss())} bits on average.` : ""),
      [`${short(bits)} bits`, () => [mean]],
      [`${tosses} tosses`, () => [tossed]],
    );
  }

  play.append(
    sheet.place,
    inRow(
      button("Make all equal", () => set(equal)),
      button(`Toss it ${TOSSES} times`, toss, { class: "dtb-main dtb-secret" }),
    ),
  );
  // One face gets rare: a twentieth.
  return () => set([5, 23, 24, 24, 24]);
}

start("chance", chanceExplorable);
