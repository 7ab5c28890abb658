// Things that the page may think of, in lines on a square of 24.

import { draw } from "./draw.js";

/** @type {Record<string, string>} */
const LINES = {
  apple: "M12 7c-3-2-8-1-8 5 0 5 3 9 5 9 1 0 2-1 3-1s2 1 3 1c2 0 5-4 5-9 0-6-5-7-8-5zq0-3 3-5",
  bell: "M5 17h14c-2-2-2-4-2-7 0-3-2-5-5-5s-5 2-5 5c0 3 0 5-2 7zM10 18a2 2 0 0 0 4 0M12 5v-2",
  candle: "M9 21v-11h6v11zM12 10v-2q-4-2 0-6 4 4 0 6M6 21h12",
  drum: "M4 9a8 3 0 1 0 16 0a8 3 0 1 0-16 0v8a8 3 0 0 0 16 0v-8M4 3l7 6M20 3l-7 6",
  egg: "M12 3c4 0 7 6 7 10a7 7 0 0 1-14 0c0-4 3-10 7-10z",
  feather: "M4 21l11-12M8 17c-2-6 3-13 12-14 1 8-5 14-12 14zM11 14h5M13 11h4",
  glove: "M8 21v-5l-4-4q-1-2 2-2l2 2v-7q1-2 3 0 1-3 3 0 1-3 3 0v11l-1 5zM8 18h8",
  hammer: "M5 4h9q5 0 5 5-3-2-5-1h-9zM9 8v13h4v-13",
  island: "M2 20c4-5 16-5 20 0zM12 16q-1-6 1-10-4-3-7 2M13 6q2-4 7-1M13 6q5 0 6 5M13 6q-5 0-5 6",
  jar: "M7 7h10v-4h-10zq-2 1-2 4v8q0 2 2 2h10q2 0 2-2v-8q0-3-2-4M9 13h6v4h-6z",
  key: "M3 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12h10v4M17 12v4",
  ladder: "M8 3v18M16 3v18M8 7h8M8 12h8M8 17h8",
  moon: "M14 3a9 9 0 1 0 7 14a9 9 0 0 1-7-14z",
  needle: "M4 21l15-18M16 7l1-1M18 4c6 5-10 4-10 9s8 2 9 8",
  owl: "M6 3l3 3h6l3-3v10a6 8 0 0 1-12 0zM7 10a2 2 0 1 0 4 0a2 2 0 1 0-4 0M13 10a2 2 0 1 0 4 0a2 2 0 1 0-4 0M12 12v2",
  pebble: "M3 16c0-5 5-9 10-8 5 0 9 4 8 8s-5 4-9 4-9 0-9-4zM9 12q2-1 4-1",
};

/** A thing in lines; nothing if it has none. @param {string} thing */
export const iconOf = (thing) =>
  LINES[thing] &&
  draw(
    "svg",
    { viewBox: "0 0 24 24", width: 34, "aria-hidden": "true" },
    draw("path", { d: LINES[thing], fill: "none", stroke: "currentColor", "stroke-width": 1.6 }),
  );
