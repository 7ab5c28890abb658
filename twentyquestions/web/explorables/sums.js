// A sum of trees as a strip: the mean, and the latest of them.

import { become, box, layers, put, small, text } from "../kit/draw.js";
import { boxOf, partsOf, UNIT } from "../kit/regions.js";
import { colour, MIDDLE } from "../kit/looks.js";
import { clamp, scale } from "../kit/stage.js";
import { short } from "../kit/words.js";

const GAP = 18;

/** What a term adds in each of its parts. @param {Round} round @param {Axes} to */
function addedBy({ stump, total, rate = 1 }, to) {
  const add = (/** @type {number} */ value, /** @type {Part} */ part) => {
    const [[x0, x1], [y0, y1]] = part,
      // The number of a part that is too narrow for it stands below the whole.
      isNarrow =
        Math.min(x1 - x0, y1 - y0) < 0.5 && (to.x(x1) - to.x(x0) < 42 || to.y(y0) - to.y(y1) < 20),
      cx = clamp(to.x((x0 + x1) / 2), to.x(0) + 19, to.x(1) - 19),
      cy = isNarrow ? to.y(0) + 16 : to.y((y0 + y1) / 2) + 5,
      fill = { fill: colour(Number(value > 0)), stroke: "currentColor", "stroke-opacity": 0.5 },
      share = clamp(stump ? 1.6 * Math.abs(value) : 0, 0.05, 0.6);
    const words = `${stump && value > 0 ? "+" : ""}${short(value, 2)}`;
    return [boxOf(part, to, { ...fill, "fill-opacity": share }), small(cx, cy, words, MIDDLE)];
  };
  if (!stump) return add(total[0], UNIT);
  return partsOf(stump).flatMap((part, i) =>
    stump.nodes[i].split ? [] : add(rate * stump.nodes[i].label, part),
  );
}

// Each term with what it adds, and the mean square of what the sum so far leaves.
/** @param {SVGElement} sheet @param {number} width @param {Judged[]} rounds @param {number} last */
export function sumOn(sheet, width, rounds, last) {
  const terms = width < 360 ? 3 : 4, // so many are seen
    first = Math.max(last - terms + 2, 1),
    size = (width - GAP * (terms - 1)) / terms,
    y = scale(0, 1, 22 + size, 22);
  // A term keeps its place while it moves aside, so that a step draws only what comes and what was last.
  if (sheet.childElementCount !== terms) sheet.replaceChildren(...layers(terms));
  const /** @type {Map<Element, number>} */ shown = new Map();
  for (const n of [0, ...Array.from({ length: last - first + 1 }, (_, i) => first + i)])
    shown.set(sheet.children[n && 1 + (n % (terms - 1))], n);
  for (const place of sheet.children)
    if (!shown.has(place)) {
      become(place);
      put(place, { "data-look": "" });
    }
  [...shown].forEach(([place, n], at) => {
    const transform = `translate(${at * (size + GAP)})`,
      look = `${[n, n === last, width, rounds[n].rate, at === 1 && n > 1]}`,
      isAsBefore = place.getAttribute("data-look") === look;
    put(place, { transform, "data-look": look });
    if (isAsBefore) return;
    const isLast = n === last,
      frame = isLast ? { class: "dtb-one", "stroke-width": 3 } : { stroke: "currentColor" };
    const say = (/** @type {string} */ words, /** @type {number} */ y) =>
      small(size / 2, y, words, { ...MIDDLE, "font-weight": isLast ? 700 : 400 });
    become(
      place,
      ...addedBy(rounds[n], { x: scale(0, 1, 0, size), y }),
      box(0, 22, size, size, { fill: "none", ...frame }),
      at ? text(-GAP / 2, 27 + size / 2, at === 1 && n > 1 ? "…" : "+", MIDDLE) : "",
      say(n ? `tree ${n}` : "the mean", 14),
      say(short(rounds[n].left), 80 + size),
      at ? "" : small(0, 62 + size, "squared error the sum leaves, per person:"),
    );
  });
  return 88 + size;
}
