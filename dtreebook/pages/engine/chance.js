// Chances: drag the borders between the faces of a die; surprise, entropy and the curve follow, and
// tosses come near them.

import {
  axisX,
  axisY,
  box,
  colour,
  curve,
  DASHED,
  DOTTED,
  draw,
  END,
  ink,
  line,
  make,
  scale,
  short,
  small,
  stage,
  text,
  MIDDLE,
  inRow,
} from "./draw.js";
import { entropy, sum } from "./measures.js";
import { randomOf } from "./random.js";
import { button, choices, grip } from "./reach.js";
import { start } from "./start.js";

const TOSSES = 20;

/** @type {Build<{faces?: number}>} */
function chanceExplorable(play, data, say) {
  const HUNDRED = 100; // chances are kept in hundredths, so that they add up
  // Chances in proportion to weights.
  /** @param {number[]} weights */
  const parted = (weights) => {
    /** @param {number} i */
    const upTo = (i) => Math.floor((HUNDRED * sum(weights.slice(0, i))) / sum(weights));
    return weights.map((_, i) => upTo(i + 1) - upTo(i));
  };
  // It begins loaded, the first face the most likely.
  /** @param {number} n */
  const loaded = (n) => parted(Array.from({ length: n }, (_, i) => n - i));
  const random = randomOf("tosses");
  const state = { parts: loaded(data.faces ?? 2), tosses: 0, surprises: 0 };
  /** @param {number} k */
  const name = (k) => (state.parts.length === 2 ? ["heads", "tails"][k] : `face ${k + 1}`);
  /** @param {number} part */
  const surprise = (part) => Math.log2(HUNDRED / part);
  const MOST = 7; // bits of surprise that the drawing reaches up to: the rarest has 6.64
  let /** @type {Sheet} */ blocks,
    /** @type {Sheet} */ plan,
    /** @type {Grip[]} */ knobs = [],
    /** @type {Grip} */ point,
    x = scale(0, 1, 0, 0),
    y = x,
    planX = x,
    planY = x,
    /** @type {Element[]} */ columns = [];
  const tossed = draw("g", { class: "dtb-moves" });
  const layers = { blocks: draw("g"), plan: draw("g"), mean: draw("line") };

  /** @param {number[]} parts */
  function set(parts) {
    Object.assign(state, { parts, tosses: 0, surprises: 0 });
    show();
  }

  // Tosses surprise by the face that comes; their mean draws near the entropy.
  function toss() {
    for (let i = 0; i < TOSSES; i++) {
      const falls = random.whole(1, HUNDRED),
        face = state.parts.findIndex((_, k) => falls <= sum(state.parts.slice(0, k + 1)));
      state.surprises += surprise(state.parts[face]);
    }
    state.tosses += TOSSES;
    show();
  }
  const meanToss = () => state.surprises / state.tosses;

  // --- blocks: as wide as a chance, as high as its surprise, so that the area is what it adds to the mean

  /** @param {number} width */
  function paintBlocks(width) {
    x = scale(0, HUNDRED, 40, width - 12);
    y = scale(0, MOST, 210, 30);
    blocks.replaceChildren(
      axisY(40, y, 0, MOST, "surprise in bits"),
      line(x(0), y(0), x(HUNDRED), y(0)),
      layers.blocks,
      tossed,
      ...knobs,
    );
    show();
    return 262;
  }

  /** @param {number} i */
  function border(i) {
    const low = () => sum(state.parts.slice(0, i)),
      both = () => state.parts[i] + state.parts[i + 1];
    return grip(blocks, {
      label: `Border between ${name(i)} and ${name(i + 1)}`,
      count: () => both() + 1,
      at: () => state.parts[i],
      place: (at) => [x(low() + at), 232],
      words: (at) => `${name(i)} ${at / HUNDRED}`,
      onMove: (to) => {
        const parts = [...state.parts];
        [parts[i], parts[i + 1]] = [to, both() - to];
        set(parts);
      },
    });
  }

  function showBlocks() {
    const mean = entropy(state.parts);
    let from = 0;
    columns = [];
    const drawn = state.parts.flatMap((part, k) => {
      const left = x(from),
        wide = x(from + part) - left;
      from += part;
      if (!part) return [];
      const high = surprise(part);
      return [
        (columns[k] = box(left + 1, y(high), wide - 2, y(0) - y(high), { fill: colour(k) })),
        wide > 30
          ? text(left + wide / 2, y(0) - 7, surprise(part).toFixed(2), {
              "text-anchor": "middle",
              fill: ink(k),
            })
          : null,
        wide > 30 ? text(left + wide / 2, 232 + 26, (part / HUNDRED).toFixed(2), MIDDLE) : null,
      ];
    });
    tossed.style.transform = `translateY(${y(state.tosses ? meanToss() : 0)}px)`;
    tossed.replaceChildren(
      ...(state.tosses
        ? [
            line(x(0), 0, x(HUNDRED), 0, { class: "dtb-one", "stroke-width": 4 }),
            small(x(HUNDRED), -8, `${state.tosses} tosses`, {
              ...END,
              class: "dtb-halo",
              "font-weight": 600,
            }),
          ]
        : []),
    );
    layers.blocks.replaceChildren(
      ...drawn.filter((one) => one !== null),
      (layers.mean = line(x(0), y(mean), x(HUNDRED), y(mean), { "stroke-width": 2.5, ...DASHED })),
      text(x(HUNDRED), 22, `mean, dashed: ${short(mean)}`, {
        "text-anchor": "end",
        "font-weight": 600,
      }),
    );
  }

  // --- the curve over the first chance -----------------------------------------------------------

  // The chances if the first is `part` and the others keep their proportions.
  /** @param {number} part */
  function withFirst(part) {
    const [first, ...others] = state.parts,
      rest = sum(others);
    const left = HUNDRED - part,
      n = others.length;
    const shares = others.map((other) => (rest ? other / rest : 1 / n));
    const ends = shares.map((_, i) => Math.round(left * sum(shares.slice(0, i + 1))));
    return [part, ...ends.map((end, i) => end - (i ? ends[i - 1] : 0))];
  }
  /** @param {number} part */
  const smooth = (part) => {
    const [, ...others] = state.parts,
      rest = sum(others);
    return entropy([
      part,
      ...others.map((other) => (HUNDRED - part) * (rest ? other / rest : 1 / others.length)),
    ]);
  };

  /** @param {number} width */
  function paintPlan(width) {
    const right = Math.min(width, 480) - 12,
      top = Math.log2(state.parts.length);
    planX = scale(0, HUNDRED, 44, right);
    planY = scale(0, 2.6, 210, 46);
    plan.replaceChildren(
      axisX(scale(0, 1, 44, right), 210, 0, 1, `chance of ${name(0)}`),
      axisY(44, planY, 0, 2.6, "entropy in bits"),
      line(44, planY(top), right, planY(top), DOTTED),
      layers.plan,
      point,
    );
    show();
    return 262;
  }

  function showPlan() {
    /** @type {Point[]} */
    const points = Array.from({ length: 201 }, (_, i) => [planX(i / 2), planY(smooth(i / 2))]);
    layers.plan.replaceChildren(curve(points, { "stroke-width": 2.5 }));
    point.show();
  }

  const makePoint = () =>
    grip(plan, {
      label: `Chance of ${name(0)}`,
      count: () => HUNDRED + 1,
      at: () => state.parts[0],
      place: (at) => [planX(at), planY(smooth(at))],
      words: (at) => String(at / HUNDRED),
      onMove: (to) => set(withFirst(to)),
    });

  function show() {
    showBlocks();
    showPlan();
    knobs.forEach((knob) => knob.show());
    const { parts } = state,
      bits = entropy(parts);
    const each = parts.map((part, k) =>
      part
        ? `${name(k)} ${(part / HUNDRED).toFixed(2)}, surprise ${short(surprise(part), 2)}`
        : `${name(k)} never comes up`,
    );
    say(
      `${each.join("; ")}. The mean surprise, the entropy, is ${short(bits)} bits; ` +
        `with equal chances it would be ${short(Math.log2(parts.length))}.` +
        (state.tosses
          ? ` ${state.tosses} tosses surprised by ${short(meanToss())} bits on average.`
          : ""),
      ...each.map((words, k) => /** @type {Link} */ ([words.split(",")[0], () => [columns[k]]])),
      [`${short(bits)} bits`, () => [layers.mean]],
      [`${state.tosses} tosses`, () => [tossed]],
    );
  }

  /** @param {number} n */
  function build(n) {
    Object.assign(state, { parts: loaded(n), tosses: 0, surprises: 0 });
    knobs = state.parts.slice(1).map((_, i) => border(i));
    point = makePoint();
    blocks.paint();
    plan.paint();
  }

  const sizes = [2, 3, 4, 5];
  const places = [make("div"), make("div")];
  play.append(
    make("div", { class: "dtb-pair" }, places),
    inRow(
      button(`Toss it ${TOSSES} times`, toss, { class: "dtb-main" }),
      button("Make all equal", () => set(parted(state.parts.map(() => 1)))),
      choices("How many faces?", ["a coin: 2", 3, 4, 5], sizes.indexOf(state.parts.length), (i) =>
        build(sizes[i]),
      ),
    ),
  );
  blocks = stage(
    places[0],
    "A block for each face: as wide as its chance, as high as its surprise",
    (width) => paintBlocks(width),
  );
  plan = stage(places[1], "The entropy, as the chances change", (width) => paintPlan(width));
  build(state.parts.length);
}

start("chance", chanceExplorable);
