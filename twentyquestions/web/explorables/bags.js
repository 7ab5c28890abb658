// Subsets: put the values of a column, in the order of their shares, into two bags; beside them how
// many ways to do so lower the impurity how far. With two classes the best way is a cut through
// that order.

import {
  barOf,
  become,
  box,
  circle,
  draw,
  layers,
  line,
  outline,
  put,
  small,
} from "../kit/draw.js";
import { ANSWER, BOLD, CENTRED, colour, END, MIDDLE } from "../kit/looks.js";
import { ascending, columnSums, gain, gini, sum, TIE } from "../algorithms/measures.js";
import { inRow, legend, quietly } from "../kit/legends.js";
import { button, carried, rove } from "../kit/reach.js";
import { axisX, picture, scale, within } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { short, some } from "../kit/words.js";

const CARD = 124; // how high a card is, and a bag
const NAMED = 22; // room above a bag for its name
const BAG_BAR = 46;
const BAG_ROW = 42;
const HILL = 150;
const ABOVE = 38; // room for its title
const BINS = 60;
const FRAME = { rx: 6, class: "dtb-ring dtb-card" };
const WAYS = { fill: "#b5ab97" };
const SHADE = { fill: "currentColor", "fill-opacity": 0.06 };

/** A way on the hill, as a pin. @param {number} x @param {Attributes} more @param {Child} [name] */
const pin = (x, more, name = "") =>
  draw(
    "g",
    { style: `transform: translate(${x}px, ${HILL}px)`, class: "dtb-moves" },
    line(0, -60, 0, 0, { "stroke-width": 3, ...more }),
    circle(0, -60, 6, { class: more.class && "dtb-dot" }),
    name,
  );

/** What a card shows of its value. @param {{name: string, counts: number[]}} value @param {number} width @param {number} largest how many the largest value has, if cards lie below each other */
function cardOf({ name, counts }, width, largest) {
  const wanted = counts[1] / sum(counts),
    said = `${Math.round(100 * wanted)}%`,
    of = sum(counts);
  if (largest)
    return [
      box(3, 3, width - 6, BAG_ROW - 6, FRAME),
      small(12, 20, name, BOLD),
      small(width - 12, 20, said, END),
      ...barOf(counts, 12, 25, ((width - 24) * of) / largest, 8),
    ];
  return [
    box(3, 3, width - 6, CARD - 6, FRAME),
    small(width / 2, 24, name, CENTRED),
    box(8, 34, width - 16, BAG_BAR, { fill: colour(0) }),
    box(8, 34 + BAG_BAR * (1 - wanted), width - 16, BAG_BAR * wanted, { fill: colour(1) }),
    small(width / 2, CARD - 24, said, CENTRED),
    small(width / 2, CARD - 9, `of ${of}`, MIDDLE),
  ];
}

/**
 * @type {Build<{name: string, values: {name: string, counts: number[]}[], classes: string[],
 *   what: What}>}
 */
function bagsExplorable(play, data, say) {
  const { classes, name, what } = data;
  const shareOf = (/** @type {{ counts: number[] }} */ { counts }) => counts[1] / sum(counts);
  const values = [...data.values].sort((one, other) => shareOf(one) - shareOf(other));
  const total = columnSums(values.map(({ counts }) => counts));
  const largest = Math.max(...values.map(({ counts }) => sum(counts)));
  const all = values.map((_, i) => i);
  let left = new Set(all.filter((i) => i < 2 || i === 6)); // what is in the first bag
  const fall = (/** @type {Iterable<number>} */ some) => {
    const here = [0, 1].map((k) => sum([...some].map((i) => values[i].counts[k])));
    return gain([here, total.map((count, k) => count - here[k])], gini);
  };
  const ways = ascending(
    Array.from({ length: 2 ** (values.length - 1) - 1 }, (_, number) =>
      fall(all.filter((i) => ((number + 1) >> i) & 1)),
    ),
  );
  const bins = Array(BINS).fill(0);
  const most = ways[ways.length - 1];
  for (const way of ways) bins[Math.min(Math.floor((BINS * way) / most), BINS - 1)]++;
  const cuts = all.slice(1).map((i) => fall(all.slice(0, i)));
  const [hill, marks] = layers(2);

  function move(/** @type {number} */ i) {
    if (!left.delete(i)) left.add(i);
    show();
  }
  // Side by side with a bag above the other, and below them the hill; or, where names have no room for
  // that, below each other and below the hill.
  let isNarrow = false,
    /** @type {Scale} */ x;
  /** @type {(k: number) => Point} */
  const bagAt = (k) =>
    isNarrow ? [(k * sheet.wide) / 2, ABOVE + HILL + 30 + NAMED] : [0, NAMED + k * (CARD + NAMED)];
  /** @type {(i: number) => Point} */
  const placeOf = (i) => {
    const [x, above] = bagAt(Number(!left.has(i)));
    return isNarrow ? [x, above + BAG_ROW * i] : [(i * sheet.wide) / values.length, above];
  };

  // A card that is carried is in the bag that it is over; one that was pressed only, moves.
  function over(/** @type {number} */ i, /** @type {Point} */ [px, py]) {
    const [right, below] = bagAt(1),
      inSecond = isNarrow ? px > right : py > below - NAMED / 2;
    if (inSecond === left.has(i)) move(i);
  }
  const sheet = picture("Two bags, and every way to fill them", (width) => {
    const column = width / values.length;
    isNarrow = values.some((value) => value.name.length * 7.5 > column - 8);
    const [wide, high] = isNarrow ? [width / 2 - 4, BAG_ROW * values.length] : [width, CARD];
    const shelf = (/** @type {number} */ k) => {
      const [x, above] = bagAt(k);
      return [
        small(x + 4, above - 6, `${["first", "second"][k]} bag`, BOLD),
        box(x, above, wide, high, { rx: 8, ...SHADE }),
      ];
    };
    values.forEach((value, i) =>
      cards[i].replaceChildren(...cardOf(value, isNarrow ? wide : column, isNarrow ? largest : 0)),
    );
    x = scale(0, most, 8, width - 12);
    const top = ABOVE + (isNarrow ? 0 : 2 * (CARD + NAMED)),
      bin = (x(most) - x(0)) / BINS,
      tallest = Math.sqrt(Math.max(...bins)); // a single way is seen beside many
    const bars = bins.map((many, i) => {
      const tall = (HILL * Math.sqrt(many)) / tallest;
      return box(x(0) + bin * i, HILL - tall, bin, tall, WAYS);
    });
    hill.replaceChildren(
      ...bars,
      axisX(x, HILL, 0, most, ""),
      small(x(0), -14, `all ${ways.length} ways, by how far impurity falls`),
      line(x(most), HILL, x(most), 28, { class: "dtb-one", "stroke-width": 3 }),
      outline(`M${x(most)} 28v16l-20 -8z`, { class: "dtb-dot", stroke: "none" }),
      small(x(most) - 26, 41, `best ${short(most, 4)}`, { ...END, ...BOLD }),
      draw(
        "g",
        ANSWER,
        circle(x(most) - 186, 6, 6, { class: "dtb-dot" }),
        small(x(most) - 172, 11, `the ${cuts.length} cuts through the row`),
        cuts.map((cut) => pin(x(cut), { class: "dtb-one" })),
      ),
      marks,
    );
    put(hill, { transform: `translate(0 ${top})` });
    sheet.replaceChildren(...shelf(0), ...shelf(1), ...cards, hill);
    show();
    // As it is seen, the one out of the order comes over.
    const way = [0, 1].map((axis) => `${bagAt(1)[axis] - bagAt(0)[axis]}px`).join(" ");
    sheet.style.setProperty("--over", way);
    return isNarrow ? bagAt(0)[1] + high : top + HILL + 30;
  });
  const cards = all.map((i) => {
    const about = {
      place: () => placeOf(i),
      onPress: () => move(i),
      onMove: (/** @type {Point} */ point) => over(i, point),
      onDrop: (/** @type {Point} */ point) =>
        (over(i, point), show()),
    };
    const look = `dtb-pick dtb-moves${i === Math.max(...left) ? " dtb-comes" : ""}`;
    return draw("g", carried(sheet, null, about, { class: look, tabindex: i ? -1 : 0 }));
  });
  function show() {
    const now = fall(left),
      isCut = now > 0 && cuts.some((cut) => Math.abs(cut - now) < TIE),
      better = ways.filter((way) => way > now + TIE).length,
      at = x(now);
    cards.forEach((card, i) => {
      const side = left.has(i) ? "first" : "second";
      card.style.touchAction = isNarrow ? "pan-y" : "none";
      card.style.transform = `translate(${placeOf(i).map((at) => `${at}px`)})`;
      const where = `${short(shareOf(values[i]), 2)} ${classes[1]}, in the ${side} bag`;
      put(card, { "data-bag": side, "aria-label": `${values[i].name}, ${where}` });
    });
    const ahead = { ...SHADE, stroke: "none", class: "dtb-moves" },
      yours = better ? within(`yours ${short(now, 4)}`, 0, -74, [8 - at, sheet.wide - at]) : "";
    become(marks, outline(`M${at} 0H${x(most)}V${HILL}H${at}z`, ahead), pin(at, {}, yours));
    const names = ascending(left).map((i) => values[i].name),
      beaten = `${better === 1 ? "one is" : `${better} are`} better`;
    say(
      `In the first bag ${names.join(", ") || "nothing"}. The Gini impurity of ${some(sum(total), ...what)} falls by ${short(now, 4)}. ` +
        (better
          ? `Of ${ways.length} ways ${beaten}.`
          : `No other of all ${ways.length} ways is better.`) +
        `\n${isCut ? " It is a cut of the order of the shares." : ""}` +
        (better ? ` The best cut of the row lowers it by ${short(most, 4)}.` : ""),
      [some(sum(total), ...what), () => cards],
      [beaten, () => [marks.firstElementChild]],
    );
  }

  const best = () => new Set(all.slice(0, 1 + cuts.indexOf(Math.max(...cuts))));
  const fill = (/** @type {Set<number>} */ some) =>
    ((left = some), show());
  play.append(
    sheet.place,
    inRow(
      quietly(`Press a ${name}, or drag it to the other bag. Can you reach the best?`),
      button("All into one bag", () => fill(new Set(all))),
      button("Show the best", () => fill(best()), { class: "dtb-main dtb-secret" }),
    ),
    legend(classes.map((label) => `${what[1]}: ${label}`)),
  );
  rove(sheet.place);
}

start("bags", bagsExplorable);
