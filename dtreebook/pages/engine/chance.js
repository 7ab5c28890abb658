// Chances: drag the borders between the faces of a die; surprise, entropy and the curve (or the
// triangle of three chances) follow. data: { faces }: how many faces there are at first.

import {
  axisX,
  axisY,
  box,
  clamp,
  colour,
  curve,
  DASHED,
  DOTTED,
  draw,
  ink,
  line,
  make,
  scale,
  short,
  stage,
  text,
} from "./draw.js";
import { entropy, sum } from "./measures.js";
import { choices, grip, grip2d } from "./reach.js";
import { start } from "./start.js";
import { triangleAt, triangleDrawing } from "./triangle.js";

function chanceExplorable(play, data, say) {
  const HUNDRED = 100; // chances are kept in hundredths, so that they add up
  const even = (n) =>
    Array.from(
      { length: n },
      (_, i) => Math.floor(((i + 1) * HUNDRED) / n) - Math.floor((i * HUNDRED) / n),
    );
  const state = { parts: even(data.faces ?? 2) };
  const name = (k) => (state.parts.length === 2 ? ["heads", "tails"][k] : `face ${k + 1}`);
  const surprise = (part) => Math.log2(HUNDRED / part);
  const MOST = 7; // bits of surprise that the drawing reaches up to: the rarest has 6.64
  let blocks,
    plan,
    knobs = [],
    point,
    layers = {};
  let x, y;

  function set(parts) {
    state.parts = parts;
    show();
  }

  // --- blocks: as wide as a chance, as high as its surprise, so that the area is what it adds to the mean

  function paintBlocks(width) {
    x = scale(0, HUNDRED, 40, width - 12);
    y = scale(0, MOST, 210, 30);
    layers.blocks = draw("g");
    blocks.replaceChildren(
      axisY(40, y, 0, MOST, "surprise in bits"),
      line(x(0), y(0), x(HUNDRED), y(0)),
      layers.blocks,
      ...knobs,
    );
    show();
    return 262;
  }

  function border(i) {
    const low = () => sum(state.parts.slice(0, i)),
      both = () => state.parts[i] + state.parts[i + 1];
    return grip(blocks, {
      label: `Border between ${name(i)} and ${name(i + 1)}`,
      count: () => both() + 1,
      at: () => state.parts[i],
      place: (at) => (x ? [x(low() + at), 232] : [0, 0]),
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
    const drawn = state.parts.flatMap((part, k) => {
      const left = x(from),
        wide = x(from + part) - left;
      from += part;
      if (!part) return [];
      const high = surprise(part);
      return [
        box(left + 1, y(high), wide - 2, y(0) - y(high), { fill: colour(k) }),
        wide > 30
          ? text(left + wide / 2, y(0) - 7, surprise(part).toFixed(2), {
              "text-anchor": "middle",
              fill: ink(k),
            })
          : null,
        wide > 30
          ? text(left + wide / 2, 232 + 26, (part / HUNDRED).toFixed(2), {
              "text-anchor": "middle",
            })
          : null,
      ];
    });
    layers.blocks.replaceChildren(
      ...drawn.filter(Boolean),
      line(x(0), y(mean), x(HUNDRED), y(mean), {
        "stroke-width": 2.5,
        ...DASHED,
      }),
      text(x(HUNDRED), y(mean) - 6, `mean ${short(mean)}`, {
        "text-anchor": "end",
        "font-weight": 600,
        class: "dtb-halo",
      }),
    );
  }

  // --- the curve over the first chance; of three chances, the triangle ---------------------------

  // The chances if the first is `part` and the others keep their proportions.
  function withFirst(part) {
    const [first, ...others] = state.parts,
      rest = sum(others);
    const left = HUNDRED - part,
      n = others.length;
    const shares = others.map((other) => (rest ? other / rest : 1 / n));
    const ends = shares.map((_, i) => Math.round(left * sum(shares.slice(0, i + 1))));
    return [part, ...ends.map((end, i) => end - (i ? ends[i - 1] : 0))];
  }
  const smooth = (part) => {
    const [, ...others] = state.parts,
      rest = sum(others);
    return entropy([
      part,
      ...others.map((other) => (HUNDRED - part) * (rest ? other / rest : 1 / others.length)),
    ]);
  };

  let triangle;

  function paintPlan(width) {
    const wide = Math.min(width, 420),
      left = 44;
    layers.still = draw("g");
    layers.plan = draw("g");
    if (state.parts.length === 3) {
      const side = Math.min(wide - 40, 250);
      triangle = triangleAt((wide - side) / 2, 24, side);
      layers.still.append(
        ...triangleDrawing(triangle, [0, 1, 2].map(name), entropy, [0.5, 1, 1.25, 1.5]),
      );
    } else {
      const top = Math.log2(state.parts.length);
      layers.x = scale(0, HUNDRED, left, wide - 12);
      layers.y = scale(0, 2.6, 210, 46);
      layers.still.append(
        axisX(scale(0, 1, left, wide - 12), 210, 0, 1, `chance of ${name(0)}`),
        axisY(left, layers.y, 0, 2.6, "entropy in bits"),
        line(left, layers.y(top), wide - 12, layers.y(top), DOTTED),
      );
    }
    plan.replaceChildren(layers.still, layers.plan, point);
    show();
    return 262;
  }

  function showPlan() {
    layers.plan.replaceChildren();
    if (state.parts.length !== 3) {
      const points = Array.from({ length: 201 }, (_, i) => [
        layers.x(i / 2),
        layers.y(smooth(i / 2)),
      ]);
      layers.plan.append(curve(points, { "stroke-width": 2.5 }));
    }
    point.show();
  }

  // The dot: along the curve, or anywhere in the triangle.
  function makePoint() {
    const isTriangle = state.parts.length === 3;
    if (!isTriangle) {
      return grip(plan, {
        label: `Chance of ${name(0)}`,
        count: () => HUNDRED + 1,
        at: () => state.parts[0],
        place: (at) => (layers.x ? [layers.x(at), layers.y(smooth(at))] : [0, 0]),
        words: (at) => String(at / HUNDRED),
        onMove: (to) => set(withFirst(to)),
      });
    }
    return grip2d(plan, {
      label:
        "The three chances: arrow keys left and right move weight between faces 2 and 3, up and down to face 1 and back",
      place: () => triangle?.place(state.parts) ?? [0, 0],
      onKey: ([across, up]) => {
        const [a, b, c] = state.parts;
        const next = up
          ? withFirst(clamp(a + up, 0, HUNDRED))
          : [a, b - across, c + across];
        if (Math.min(...next) >= 0) set(next);
      },
      onDrag: (pixel) => {
        const [a, , c] = triangle.back(pixel);
        const first = Math.round(a * HUNDRED),
          third = Math.min(Math.round(c * HUNDRED), HUNDRED - first);
        set([first, HUNDRED - first - third, third]);
      },
    });
  }

  function show() {
    if (layers.blocks && x) showBlocks();
    if (layers.plan) showPlan();
    knobs.forEach((knob) => knob.show());
    const { parts } = state,
      bits = entropy(parts);
    const each = parts.map((part, k) =>
      part
        ? `${name(k)} ${(part / HUNDRED).toFixed(2)}, surprise ${short(surprise(part), 2)}`
        : `${name(k)} never comes`,
    );
    say(
      `${each.join("; ")}. The mean surprise, the entropy, is ${short(bits)} bits; ` +
        `with equal chances it would be ${short(Math.log2(parts.length))}.`,
    );
  }

  function build(n) {
    state.parts = even(n);
    knobs = state.parts.slice(1).map((_, i) => border(i));
    point = makePoint();
    blocks.paint();
    plan.paint();
  }

  const sizes = [2, 3, 4, 5];
  play.append(
    choices("How many faces?", ["a coin: 2", 3, 4, 5], sizes.indexOf(data.faces ?? 2), (i) =>
      build(sizes[i]),
    ),
  );
  const places = [make("div"), make("div")];
  play.append(make("div", { class: "dtb-pair" }, places));
  blocks = stage(
    places[0],
    "A block for each face: as wide as its chance, as high as its surprise",
    (width) => paintBlocks(width),
  );
  plan = stage(places[1], "The entropy, as the chances change", (width) => paintPlan(width));
  build(state.parts.length);
}

start("chance", chanceExplorable);
