// The table: drag the borders of a mosaic, whose areas are the cases; entropies and what one tells
// about the other follow. There are two values of y.

import { box, countBar, draw, line, make, small, text } from "./draw.js";
import { ANSWER, DOTTED, END, MIDDLE } from "./looks.js";
import { columnSums, entropy, informationGain, sum } from "./measures.js";
import { inRow, legend, litUp } from "./parts.js";
import { button, grip, primary } from "./reach.js";
import { axisX, picture, scale } from "./stage.js";
import { start } from "./start.js";
import { short, some } from "./words.js";

const GOAL = 0.5; // bits
const HEAVY = { "font-weight": 600 };

/** @type {Build<{x: string, y: string, xLevels: string[], yLevels: string[], table: Point[], what: What}>} */
function mosaicExplorable(play, data, say) {
  const { xLevels, yLevels, what } = data;
  const total = sum(data.table.map(sum));
  const state = { table: data.table };
  const sizes = () => state.table.map(sum);
  const tiles = draw("g"),
    bars = draw("g");
  let across = scale(0, 1, 0, 0),
    bits = across,
    /** @type {Element[]} */ cells = []; // the tiles, by column and class
  const up = scale(0, 1, 236, 36);

  const sheet = picture(`A mosaic of ${data.x} and ${data.y}`, (width) => {
    across = scale(0, total, 12, width - 12);
    sheet.replaceChildren(tiles, ...knobs);
    show();
    return 304;
  });

  function showTiles() {
    let from = 0;
    tiles.replaceChildren();
    cells = [];
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
      ].forEach(([count, top, bottom], k) => {
        const [wide, high] = [right - left - 2, bottom - top - 2];
        const words = wide > 70 && count ? `${count} ${yLevels[k]}` : count;
        const tile = draw("g", {}, countBar(k, words, left + 1, top + 1, wide, high));
        cells[2 * i + k] = tile;
        tiles.append(tile);
      });
      const head = `${right - left > 120 ? `${data.x} ` : ""}${xLevels[i]}`;
      if (right - left > 40) tiles.append(text((left + right) / 2, 24, head, MIDDLE));
    });
    tiles.append(text(across(total / 2), 299, `width: how many ${what[1]}`, MIDDLE));
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
  const within = (i) => ({
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
    const symbols = [
      `H(${data.x}, ${data.y})`,
      `H(${data.x})`,
      `H(${data.y})`,
      `I(${data.x}; ${data.y})`,
    ];
    diagram.replaceChildren(
      ...symbols.map((words, i) => small(width - 12, 32 + i * 48, width > 400 ? words : "", END)),
      box(bits(0), 184, bits(1) - bits(0), 14, { class: "dtb-slot" }),
      bars,
      line(bits(GOAL), 182, bits(GOAL), 220, { "stroke-width": 3, ...DOTTED }),
      axisX(bits, 222, 0, 2, "bits", 4),
    );
    show();
    return 260;
  });
  const knobs = [
    ...xLevels.slice(1).map((_, i) => between(i)),
    ...xLevels.map((_, i) => within(i)),
  ].map((about) => grip(sheet, about));

  // H(X) from the left and H(Y) from the right make H(X, Y); where they overlap is what they tell
  // of each other.
  function showBars() {
    const x = entropy(sizes()),
      y = entropy(columnSums(state.table)),
      both = entropy(state.table.flat());
    /** @type {[string, number, number, (tile: number) => boolean][]} */
    const rows = [
      ["unsure of both", 0, both, () => true],
      [`unsure of the ${data.x}`, 0, x, (tile) => tile < 2],
      [`unsure of the ${data.y}`, both - y, both, (tile) => !(tile % 2)],
      ["shared by both", 0, x + y - both, (tile) => !(tile % 3)],
    ];
    bars.replaceChildren(
      ...rows.map(([words, from, to, isMeant], i) => {
        const look =
          i === 3 ? { class: "dtb-dot dtb-secret" } : { fill: "currentColor", "fill-opacity": 0.6 };
        const said = text(12, 32 + i * 48, words, HEAVY);
        said.append(draw("tspan", i === 3 ? ANSWER : {}, ` ${short(to - from)}`));
        return draw(
          "g",
          {
            pointerenter: () =>
              litUp(
                play,
                ...cells.map((tile, at) => (isMeant(at) ? tile.firstElementChild : null)),
              ),
            pointerleave: () => litUp(play),
          },
          said,
          box(bits(from), 40 + i * 48, bits(to) - bits(from), 14, look),
        );
      }),
      ...[88, 136].map((top) =>
        box(bits(both - y), top, bits(x) - bits(both - y), 14, { class: "dtb-dot dtb-secret" }),
      ),
      small(bits(GOAL) + 6, 214, x + y - both < GOAL ? "the goal" : "the goal ✓", HEAVY),
    );
  }

  function show() {
    showTiles();
    showBars();
    knobs.forEach((knob) => knob.show());
    more.disabled = state.table.every((row, i) => !row[1 - (i % 2)]);
    const told = Math.max(informationGain(state.table), 0);
    const changed = sum(state.table.map(([first], i) => Math.abs(first - data.table[i][0])));
    say(
      `The ${data.x} holds ${short(told)} bits about the ${data.y}. ` +
        (told < GOAL
          ? `The goal is half a bit, with as few ${what[1]} changed as possible.`
          : `Half a bit is reached, with ${some(changed, ...what)} changed.`),
      [short(told), () => cells.filter((_, at) => !(at % 3))],
    );
  }

  const more = primary(`One more ${what[0]} is right`, () => (agree(1), show()));
  play.append(
    legend(yLevels),
    make("div", { class: "dtb-pair" }, sheet.place, diagram.place),
    inRow(
      more,
      button("Start again", () => ((state.table = data.table), show())),
    ),
  );
  agree(2); // it begins with something told
  // The table that holds so much.
  return (told) => {
    for (state.table = data.table; informationGain(state.table) < told - 0.001;) agree(1);
    show();
  };
}

start("mosaic", mosaicExplorable);
