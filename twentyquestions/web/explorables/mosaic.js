// The table: drag the borders of a mosaic, whose areas are the cases; entropies and what one tells
// about the other follow. There are two values of y.

import { box, countBar, draw, line, make, put, small, text } from "../kit/draw.js";
import { ANSWER, BOLD, colour, DASHED, END, MIDDLE, PAPER } from "../kit/looks.js";
import { columnSums, entropy, informationGain, sum } from "../algorithms/measures.js";
import { inRow, legend, legendOf } from "../kit/legends.js";
import { button, grip, primary } from "../kit/reach.js";
import { picture, scale, within } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { short, some } from "../kit/words.js";

const GOAL = 0.5; // bits
const BARS = 26; // where they begin
const SLOT = { fill: "none", stroke: "currentColor", "stroke-width": 2, ...DASHED, ...ANSWER };
const [X_ALONE, Y_ALONE] = ["#bc6a98", "#b5ab97"];
const OVER = { "stroke-width": 6, "paint-order": "stroke" }; // no line shows between the letters
const LARGE = { "font-size": 17, class: "dtb-halo" };

/** @type {Build<{x: string, y: string, xLevels: string[], yLevels: string[], table: Point[], what: What}>} */
function mosaicExplorable(play, data, say) {
  const { xLevels, yLevels, what } = data;
  const total = sum(data.table.map(sum));
  const state = { table: data.table };
  const sizes = () => state.table.map(sum);
  const tiles = draw("g");
  let across = scale(0, 1, 0, 0),
    bits = across,
    /** @type {Element[]} */ agreeing = [];
  const up = scale(0, 1, 236, 36);

  const sheet = picture(`A mosaic of ${data.x} and ${data.y}`, (width) => {
    across = scale(0, total, 12, width - 12);
    sheet.replaceChildren(tiles, ...knobs);
    show();
    return 276;
  });

  function showTiles() {
    let from = 0;
    const level = up(columnSums(state.table)[0] / total),
      /** @type {Element[]} */ counts = []; // above the line
    tiles.replaceChildren();
    agreeing = [];
    state.table.forEach(([first, second], i) => {
      const n = first + second,
        left = across(from),
        right = across(from + n),
        border = up(n ? first / n : 0.5);
      from += n;
      if (!n) return;
      [
        [first, border, up(0)],
        [second, up(1), border],
      ].forEach(([amount, top, bottom], k) => {
        const [wide, high] = [right - left - 2, bottom - top - 2];
        const words = wide > 70 && amount ? `${amount} ${yLevels[k]}` : amount;
        const [bar, ...count] = countBar(k, words, left + 1, top + 1, wide, high);
        tiles.append(bar);
        for (const one of count) put(one, { ...OVER, stroke: colour(k) });
        counts.push(...count);
        if (i % 2 === k) agreeing.push(bar, ...count);
      });
      // By so much it is rarer, or more common, than on all days: that is what x tells.
      const [top, bottom] = [Math.min(border, level), Math.max(border, level)];
      tiles.append(box(right - 36, top, 20, bottom - top, { class: "dtb-dot", stroke: PAPER }));
      const head = `${right - left > 120 ? `${data.x} ` : ""}${xLevels[i]}`;
      [head, some(n, ...what)].forEach((words, k) => {
        if (right - left > 64 + 26 * k)
          tiles.append(text((left + right) / 2, k ? 263 : 24, words, MIDDLE));
      });
    });
    tiles.append(line(across(0), level, across(total), level, DASHED), ...counts);
  }

  /** As many cases more where x and y agree. @param {number} more */
  function agree(more) {
    state.table = state.table.map((row, i) => {
      const right = Math.min(row[i % 2] + more, sum(row)),
        wrong = sum(row) - right;
      return i % 2 ? [wrong, right] : [right, wrong];
    });
  }

  // The border between two columns: cases change sides, in the proportions of the classes.
  /** @type {(i: number) => Stops} */
  const between = (i) => ({
    label: `Border between ${data.x} ${xLevels[i]} and ${xLevels[i + 1]}`,
    count: () => sizes()[i] + sizes()[i + 1] + 1,
    at: () => sizes()[i],
    place: (at) => [across(sum(sizes().slice(0, i)) + at), 258],
    words: (at) => `${xLevels[i]} ${some(at, ...what)}`,
    onMove: (to) => {
      const both = sizes()[i] + sizes()[i + 1];
      state.table = state.table.map((row, j) => {
        if (j !== i && j !== i + 1) return row;
        const n = j === i ? to : both - to,
          first = Math.round(sum(row) ? (row[0] / sum(row)) * n : n / 2);
        return [first, n - first];
      });
      show();
    },
  });

  /** The border between the two classes of one column. @type {(i: number) => Stops} */
  const inColumn = (i) => ({
    label: `${data.x} ${xLevels[i]}: how many are ${yLevels[0]}`,
    count: () => sizes()[i] + 1,
    at: () => state.table[i][0],
    place: (at) => {
      const n = sizes()[i],
        from = sum(sizes().slice(0, i));
      return [across(from + n) - 26, up(n ? at / n : 0.5)];
    },
    words: (at) => `${at} of ${some(sizes()[i], ...what)}`,
    onMove: (to) => {
      const n = sizes()[i];
      state.table = state.table.map((row, j) => (j === i ? [to, n - to] : row));
      show();
    },
  });

  const diagram = picture("What is unknown of both, of each, and what they share", (width) => {
    bits = scale(0, 2, 12, width - 12);
    show();
    return BARS + width / 2 + 54;
  });
  const knobs = [
    ...xLevels.slice(1).map((_, i) => between(i)),
    ...xLevels.map((_, i) => inColumn(i)),
  ].map((about) => grip(sheet, about));

  // H(X) from the left and H(Y) from the right make H(X, Y). Where they overlap is what they share.
  function showBars() {
    const x = entropy(sizes()),
      y = entropy(columnSums(state.table)),
      both = entropy(state.table.flat()),
      alone = both - y,
      shared = x - alone,
      high = diagram.wide / 4;
    const told = (/** @type {string} */ of, /** @type {number} */ amount) =>
      `unsure of the ${of}: ${short(amount)} bits`;
    /** Whose bits they are alone, at an end of its bar, where there is room. @type {(of: string, amount: number, x: number, row: number, look: Attributes) => Element[]} */
    const only = (of, amount, x, row, look) =>
      (bits(amount) < 84 ? [] : ["only the", of]).map((words, i) =>
        small(x, BARS + high * (row + 0.5) + 16 * i - 3, words, { fill: "#000", ...OVER, ...look }),
      );
    const end = BARS + 2 * high,
      /** @type {[number, number, Point]} */
      under = [bits((alone + x) / 2), end + 46, [0, diagram.wide]],
      goal = `shared: ${short(shared)} bits, goal: ${GOAL}${shared < GOAL ? "" : " ✓"}`;
    diagram.replaceChildren(
      small(12, BARS - 14, told(data.x, x), BOLD),
      box(bits(0), BARS, bits(x) - bits(0), high, { fill: X_ALONE }),
      box(bits(alone), BARS + high, bits(y) - bits(0), high, { fill: Y_ALONE }),
      box(bits(alone), BARS, bits(x) - bits(alone), 2 * high, { class: "dtb-dot" }),
      box(bits(alone), BARS - 4, bits(GOAL) - bits(0), 2 * high + 8, SLOT),
      ...only(data.x, alone, bits(0) + 8, 0, { stroke: X_ALONE }),
      ...only(data.y, both - x, bits(both) - 8, 1, { stroke: Y_ALONE, ...END }),
      small(Math.max(bits(both), 258), end + 20, told(data.y, y), { ...BOLD, ...END }),
      within("shared: ?", ...under, { ...LARGE, class: "dtb-halo dtb-until" }),
      draw("g", ANSWER, within(goal, ...under, LARGE)),
    );
  }

  function show() {
    showTiles();
    showBars();
    knobs.forEach((knob) => knob.show());
    more.disabled = state.table.every((row, i) => !row[1 - (i % 2)]);
    const told = Math.max(informationGain(state.table), 0);
    const changed = sum(state.table.map(([first], i) => Math.abs(first - begun[i][0])));
    const right = sum(state.table.map((row, i) => row[i % 2]));
    say(
      `The ${data.x} is right on ${right} of ${some(total, ...what)}.\n It holds ${short(told)} bits about the ${data.y}. ` +
        (told < GOAL
          ? `The goal is half a bit, with as few ${what[1]} changed as possible.`
          : `Half a bit is reached, with ${some(changed, ...what)} changed.`),
      [`${right} of ${some(total, ...what)}`, () => agreeing],
    );
  }

  const more = primary(`Two more ${what[1]} right`, () => (agree(1), show()));
  const again = button("Start again", () => ((state.table = begun), show()));
  const about = legend(yLevels);
  about.append(legendOf(["on all days", DASHED]));
  play.append(
    about,
    make("div", { class: "dtb-pair" }, sheet.place, diagram.place),
    inRow(more, again),
  );
  agree(4); // it begins with something told
  const begun = state.table;
  // The table that holds so much.
  return (told) => {
    for (state.table = begun; informationGain(state.table) < told - 0.001;) agree(1);
    show();
  };
}

start("mosaic", mosaicExplorable);
