// What a case is: an applicant, whose head is the mark of a class, and whose four values are seen, or a
// morning below its weather.

import { box, circle, draw, mark } from "../kit/draw.js";
import { colour, PAPER } from "../kit/looks.js";

const COATS = ["#d6e8f4", "#fde3d0"];
const HAIRLINE = { fill: "#22262e", stroke: "#8b8676", "stroke-width": 2 }; // seen on any ground
const WHITE = { fill: "#fff" };
const path = (/** @type {string} */ d, /** @type {Attributes} */ more = {}) =>
  draw("path", { d, fill: "none", "stroke-linecap": "round", ...more });

const GLASSES =
  "M-2 -80h4M-14 -80a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M2 -80a6 6 0 1 0 12 0a6 6 0 1 0 -12 0";
const HAIR = [
  () => [path("M0 -98c-8 -2 -8 -9 -6 -12c2 4 4 3 6 -2c3 4 5 5 6 1c3 6 1 12 -6 13z", HAIRLINE)],
  () => [path("M-21 -82c0 -24 42 -24 42 0c-12 -8 -30 -8 -42 0z", { fill: "#8a5a33" })],
  () => [
    path("M-20 -88v12M20 -88v12", { stroke: "#c9cdd2", "stroke-width": 7 }),
    path(GLASSES, { stroke: "#fff", "stroke-width": 2 }),
  ],
];

const KEY = "M-26 -18v20m0 -7h7m-7 6h7M-31 -21a5 5 0 1 0 10 0a5 5 0 1 0 -10 0";
const BRASS = { stroke: "#a8780c", "stroke-width": 3 };
const LEATHER = { fill: "#b07a45", stroke: "#6b4226", "stroke-width": 2 };

/** An applicant, feet at 0, 0 and 112 tall. @param {number} k @param {number[]} values */
function applicant(k, [hair, bag, key, buttons]) {
  const edge = { stroke: colour(k), "stroke-width": 3.5 };
  return [
    path("M-8 -20v18M8 -20v18", { stroke: "currentColor", "stroke-width": 9 }),
    path("M-14 -54c-10 8 -12 20 -12 30M14 -54c10 8 12 20 12 30", { ...edge, "stroke-width": 6 }),
    path("M-13 -60h26l7 44h-40z", { fill: COATS[k % 2], ...edge, "stroke-linejoin": "round" }),
    ...Array.from({ length: buttons + 1 }, (_, i) =>
      circle(4, -50 + 12 * i, 3, { fill: colour(k) }),
    ),
    mark(k, 0, -80, 21),
    ...[-8, 8].map((x) => circle(x, -81, 2.8, WHITE)),
    path(k ? "M-8 -71q8 7 16 0" : "M-7 -69h14", { stroke: "#fff", "stroke-width": 3 }),
    ...(HAIR[hair]?.() ?? []),
    key ? path(KEY, BRASS) : "",
    bag ? path("M14 -24h24v20h-24zM21 -24v-5h10v5", LEATHER) : "",
  ];
}

const SUN = { fill: "#f2b632", stroke: "#b07d00", "stroke-width": 3 };
const CLOUD = { fill: "#c9cdd2", stroke: "#6b7280", "stroke-width": 2.5 };
const LINE = { stroke: "currentColor", "stroke-width": 2.5 };
const FLAG = { ...LINE, fill: "currentColor" };

const WARMTH = ["#c8321f", "#f2b632", "#7cc4ee"];

// What a morning is like: its sky, a thermometer, a drop and a flag, each within 15 of 0, 0.
/** @type {((value: number) => Child[])[]} */
const WEATHER = [
  (sky) => [
    sky > 1 ? path("M-7 8l-2 6M1 8l-2 6M9 8l-2 6", { stroke: colour(0), "stroke-width": 3 }) : "",
    sky ? path("M-10 4a7 7 0 0 1 2 -14a10 10 0 0 1 18 -1a8 8 0 0 1 1 15z", CLOUD) : "",
    sky ? "" : path("M0 -14v28M-14 0h28M-10 -10l20 20M10 -10l-20 20", SUN),
    sky ? "" : circle(0, 0, 8, SUN),
  ],
  (warmth) => [
    path("M0 -12v17", { ...LINE, "stroke-width": 11 }),
    path("M0 -12v17", { stroke: PAPER, "stroke-width": 6 }),
    path(`M0 8v${8.5 * warmth - 20}`, { stroke: WARMTH[warmth], "stroke-width": 6 }),
    circle(0, 8, 6.5, { ...LINE, fill: WARMTH[warmth] }),
  ],
  (dryness) => [
    path("M0 -13c-11 14 -9 25 0 25s11 -11 0 -25z", { ...LINE, fill: dryness ? PAPER : "#5aa6d8" }),
  ],
  (wind) => [
    path("M-8 14v-27", LINE),
    path(wind ? "M-8 -13c7 -3 11 5 21 1v11c-10 4 -14 -4 -21 -1z" : "M-8 -13l7 4v18l-7 -5z", FLAG),
  ],
];

/** A morning: above its class its values, of which all are seen or the one that is asked for. @param {number} k @param {number[]} values */
const morning = (k, values) => [
  box(-34, -102, 68, 102, { rx: 8, fill: PAPER, stroke: "#8b8676", "stroke-opacity": 0.6 }),
  mark(k, 0, -22, 17),
  ...values.map((value, a) => {
    const small = `--small:translate(${a % 2 ? 16 : -16}px,${a > 1 ? -54 : -85}px) scale(.9)`;
    return draw("g", { class: "dtb-value", style: small }, WEATHER[a](value));
  }),
];

/** @type {Record<string, {draw: (k: number, values: number[]) => Children, unit: Point, says?: string,
 *   glyph?: (a: number, value: number) => SVGElement}>} */
const FIGURES = {
  applicant: {
    draw: applicant,
    unit: [80, 124],
    says: "Hair shows the age, a briefcase means work and a key a house; the more buttons, the better the credit record.",
  },
  morning: {
    draw: morning,
    unit: [76, 112],
    glyph: (a, value) => draw("g", { transform: "translate(8 8) scale(.53)" }, WEATHER[a](value)),
  },
  mark: { draw: (k) => [mark(k, 0, -15, 12)], unit: [30, 30] },
};

// The cases, each drawn as what it is, standing on 0, 0; how wide and high one is, and what shows
// what, in words or as a glyph.
/** @param {string | undefined} look @param {number[][]} columns @param {number[]} target */
export function bodiesOf(look, columns, target) {
  const { draw: drawn, unit, says, glyph } = FIGURES[look ?? "mark"];
  const bodies = target.map((k, row) => {
    const values = columns.map((column) => column[row]),
      shown = draw("g", { style: `--turn:${row}` }, ...drawn(k, values)),
      body = draw("g", { class: "dtb-moves" }, shown);
    body.style.transitionDelay = `${30 * row}ms`;
    return body;
  });
  return { bodies, unit, says, glyph };
}
