// A person: the head is the mark of a class; hair, a briefcase and the buttons of a coat show values.

import { MARKS, colour, draw } from "./draw.js";

const COATS = ["#d6e8f4", "#fde3d0"],
  INK = { fill: "currentColor" },
  WHITE = { fill: "#fff" };
/** @param {string} d @param {Attributes} [more] */
const path = (d, more = {}) =>
  draw("path", { d, fill: "none", "stroke-linecap": "round", ...more });
/** @param {number} cx @param {number} cy @param {number} r @param {Attributes} more */
const dot = (cx, cy, r, more) => draw("circle", { cx, cy, r, ...more });

const HAIR = [
  () => [path("M0 -98c-8 -2 -8 -9 -6 -12c2 4 4 3 6 -2c3 4 5 5 6 1c3 6 1 12 -6 13z", INK)],
  () => [path("M-21 -82c0 -24 42 -24 42 0c-12 -8 -30 -8 -42 0z", { fill: "#6b4226" })],
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

/**
 * The parts of a person of a class, feet at 0, 0 and 104 tall; of a value that has no mark nothing is drawn.
 * @param {number} k
 * @param {{hair: number, bag: number, buttons: number}} shown
 */
export function figure(k, { hair, bag, buttons }) {
  const edge = { stroke: colour(k), "stroke-width": 3.5 };
  return [
    path("M-8 -20v18M8 -20v18", { stroke: "currentColor", "stroke-width": 9 }),
    path("M-14 -54c-10 8 -12 20 -12 30M14 -54c10 8 12 20 12 30", { ...edge, "stroke-width": 6 }),
    path("M-13 -60h26l7 44h-40z", { fill: COATS[k % 2], ...edge, "stroke-linejoin": "round" }),
    ...Array.from({ length: buttons + 1 }, (_, i) => dot(4, -50 + 12 * i, 3, { fill: colour(k) })),
    draw("path", {
      d: MARKS[k % MARKS.length](21),
      transform: "translate(0 -80)",
      fill: colour(k),
    }),
    ...[-8, 8].map((x) => dot(x, -81, 2.8, WHITE)),
    path(k ? "M-8 -71q8 7 16 0" : "M-7 -69h14", { stroke: "#fff", "stroke-width": 3 }),
    ...(HAIR[hair]?.() ?? []),
    ...(bag
      ? [
          path("M14 -24h24v20h-24zM21 -24v-5h10v5", {
            fill: "#7a4f2a",
            stroke: "#4a2f18",
            "stroke-width": 2,
          }),
        ]
      : []),
  ];
}
