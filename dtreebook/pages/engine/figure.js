// What a case is: an applicant, whose head is the mark of a class, or a morning under its sky. All four
// of its values are seen.

import { draw, mark } from "./draw.js";
import { colour, PAPER } from "./looks.js";

const COATS = ["#d6e8f4", "#fde3d0"];
const HAIRLINE = { fill: "#22262e", stroke: "#8b8676", "stroke-width": 2 }; // seen on any ground
const WHITE = { fill: "#fff" };
const path = (/** @type {string} */ d, /** @type {Attributes} */ more = {}) =>
  draw("path", { d, fill: "none", "stroke-linecap": "round", ...more });
/** @param {number} cx @param {number} cy @param {number} r @param {Attributes} more */
const dot = (cx, cy, r, more) => draw("circle", { cx, cy, r, ...more });

const HAIR = [
  () => [path("M0 -98c-8 -2 -8 -9 -6 -12c2 4 4 3 6 -2c3 4 5 5 6 1c3 6 1 12 -6 13z", HAIRLINE)],
  () => [path("M-21 -82c0 -24 42 -24 42 0c-12 -8 -30 -8 -42 0z", { fill: "#8a5a33" })],
  () => [
    ...[-1, 1].map((side) =>
      path(`M${20 * side} -88v12`, { stroke: "#c9cdd2", "stroke-width": 7 }),
    ),
    path("M-2 -80h4M-14 -80a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M2 -80a6 6 0 1 0 12 0a6 6 0 1 0 -12 0", {
      stroke: "#fff",
      "stroke-width": 2,
    }),
  ],
];

const KEY = path("M-26 -18v20m0 -7h7m-7 6h7M-31 -21a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", {
  stroke: "#a8780c",
  "stroke-width": 3,
});

/** An applicant, feet at 0, 0 and 112 tall. @param {number} k @param {number[]} values */
function applicant(k, [hair, bag, key, buttons]) {
  const edge = { stroke: colour(k), "stroke-width": 3.5 };
  return [
    path("M-8 -20v18M8 -20v18", { stroke: "currentColor", "stroke-width": 9 }),
    path("M-14 -54c-10 8 -12 20 -12 30M14 -54c10 8 12 20 12 30", { ...edge, "stroke-width": 6 }),
    path("M-13 -60h26l7 44h-40z", { fill: COATS[k % 2], ...edge, "stroke-linejoin": "round" }),
    ...Array.from({ length: buttons + 1 }, (_, i) => dot(4, -50 + 12 * i, 3, { fill: colour(k) })),
    mark(k, 0, -80, 21),
    ...[-8, 8].map((x) => dot(x, -81, 2.8, WHITE)),
    path(k ? "M-8 -71q8 7 16 0" : "M-7 -69h14", { stroke: "#fff", "stroke-width": 3 }),
    ...(HAIR[hair]?.() ?? []),
    key ? KEY.cloneNode(true) : "",
    bag
      ? path("M14 -24h24v20h-24zM21 -24v-5h10v5", {
          fill: "#b07a45",
          stroke: "#6b4226",
          "stroke-width": 2,
        })
      : "",
  ];
}

const SUN = { fill: "#f2b632", stroke: "#b07d00", "stroke-width": 3 };
const CLOUD = { fill: "#c9cdd2", stroke: "#6b7280", "stroke-width": 2.5 };
const LINE = { stroke: "currentColor", "stroke-width": 2.5 };

/** A morning: sky, thermometer, a drop and a flag. @param {number} k @param {number[]} values */
function morning(k, [sky, warmth, dryness, wind]) {
  const full = 8 + 8 * (2 - warmth);
  return [
    sky
      ? path("M-26 -64a8 8 0 0 1 2 -16a12 12 0 0 1 22 -3a10 10 0 0 1 2 19z", CLOUD)
      : [
          path(
            "M-12 -94v-4M-12 -54v4M-34 -74h4M10 -74h-4M-27 -89l-3 -3M3 -59l3 3M-27 -59l-3 3M3 -89l3 -3",
            SUN,
          ),
          dot(-12, -74, 12, SUN),
        ],
    sky > 1 ? path("M-22 -58l-3 8M-12 -58l-3 8M-2 -58l-3 8", { ...LINE, stroke: colour(0) }) : "",
    path("M24 -94v30", { ...LINE, "stroke-width": 9 }),
    path("M24 -94v30", { stroke: PAPER, "stroke-width": 5 }),
    path(`M24 -64v${-full}`, { stroke: "#b5341f", "stroke-width": 5 }),
    path("M24 -52c-9 12 -7 18 0 18s9 -6 0 -18z", { ...LINE, fill: dryness ? "none" : "#5aa6d8" }),
    mark(k, -14, -20, 17),
    path("M16 0v-27", LINE),
    path(wind ? "M16 -27l18 5l-18 6z" : "M16 -27l5 3v15l-5 -3z", { ...LINE, fill: "currentColor" }),
  ];
}

/** @type {Record<string, {draw: (k: number, values: number[]) => Children, unit: Point, says?: string}>} */
const FIGURES = {
  applicant: {
    draw: applicant,
    unit: [80, 118],
    says: "Hair shows the age, a briefcase means work and a key a house; the more buttons, the better the credit record.",
  },
  morning: {
    draw: morning,
    unit: [78, 112],
    says: "Sky, thermometer, drop and flag show outlook, temperature, humidity and wind.",
  },
  mark: { draw: (k) => [mark(k, 0, -15, 12)], unit: [30, 30] },
};

/**
 * The cases, each drawn as what it is, standing on 0, 0; how wide and high one is, and what shows what.
 * @param {string | undefined} look @param {number[][]} columns @param {number[]} target
 */
export function bodiesOf(look, columns, target) {
  const { draw: drawn, unit, says } = FIGURES[look ?? "mark"];
  const bodies = target.map((k, row) => {
    const values = columns.map((column) => column[row]),
      shown = draw("g", { style: `--turn:${row}` }, ...drawn(k, values)),
      body = draw("g", { class: "dtb-moves" }, shown);
    body.style.transitionDelay = `${30 * row}ms`;
    return body;
  });
  return { bodies, unit, says };
}
