// Subsets: put the values of a column into two bags; beside it every way to do so. With two classes
// the best way is a cut of the values in the order of their shares. data: { name, values: [{ name,
// counts: [no, yes] }], classes, what }.

import { axisX, box, colour, disc, draw, line, make, scale, short, some, stage } from "./draw.js";
import { columnSums, gain, gini, sum, TIE } from "./measures.js";
import { button } from "./reach.js";
import { start } from "./start.js";

function bagsExplorable(play, data, say) {
  const { values, classes, name, what } = data;
  const total = columnSums(values.map(({ counts }) => counts));
  const first = values.map((_, i) => i).slice(0, 2);
  const state = { left: new Set(first), order: values.map((_, i) => i) };
  const shareOf = (i) => values[i].counts[1] / sum(values[i].counts);
  const ranked = [...state.order].sort((one, other) => shareOf(one) - shareOf(other));
  const fall = (left) => {
    const here = [...left].reduce(
      (counts, i) => counts.map((count, k) => count + values[i].counts[k]),
      [0, 0],
    );
    return gain([here, total.map((count, k) => count - here[k])], gini);
  };
  const ways = Array.from({ length: 2 ** (values.length - 1) - 1 }, (_, number) =>
    fall(values.map((__, i) => i).filter((i) => ((number + 1) >> i) & 1)),
  );
  const cuts = ranked.slice(1).map((_, i) => fall(ranked.slice(0, i + 1)));
  const most = Math.max(...ways);
  const bags = [0, 1].map((side) =>
    make("div", {
      class: "dtb-bag",
      role: "group",
      "aria-label": `The ${["left", "right"][side]} bag`,
    }),
  );
  let sheet, x, marks;

  function move(i) {
    if (state.left.has(i)) state.left.delete(i);
    else state.left.add(i);
    show();
    bags
      .flatMap((bag) => [...bag.querySelectorAll("button")])
      .find((one) => one.dataset.value === String(i))
      ?.focus();
  }

  const chip = (i) => {
    const made = button("", () => move(i), {
      class: "dtb-chip",
      "data-value": i,
      "aria-label": `${values[i].name}, ${short(shareOf(i), 2)} ${classes[1]}: move it over`,
    });
    made.append(
      make("span", {}, values[i].name),
      draw(
        "svg",
        { width: 36, height: 8, "aria-hidden": "true" },
        box(0, 0, 36, 8, { fill: colour(0) }),
        box(0, 0, 36 * shareOf(i), 8, { fill: colour(1) }),
      ),
      make("span", {}, short(shareOf(i), 2)),
    );
    return made;
  };
  function paint(width) {
    x = scale(0, most * 1.04, 12, width - 12);
    marks = draw("g");
    sheet.replaceChildren(
      axisX(x, 56, 0, most * 1.04, "fall of the Gini impurity, every way"),
      ...ways.map((way) => line(x(way), 30, x(way), 50, { "stroke-opacity": 0.25 })),
      marks,
    );
    show();
    return 104;
  }

  function show() {
    const now = fall(state.left),
      isCut = cuts.some((cut) => Math.abs(cut - now) < TIE) && now > 0;
    bags.forEach((bag, side) =>
      bag.replaceChildren(
        ...state.order.filter((i) => state.left.has(i) === (side === 0)).map(chip),
      ),
    );
    if (marks) {
      marks.replaceChildren(
        ...(state.sorted ? cuts.map((cut) => disc(x(cut), 24, colour(2))) : []),
        draw("path", {
          d: `M${x(now)} 52V16l-7 -10h14l-7 10`,
          stroke: colour(1),
          "stroke-width": 3,
          fill: colour(1),
        }),
      );
    }
    const better = ways.filter((way) => way > now + TIE).length;
    const names = [...state.left].map((i) => values[i].name).join(", ");
    say(
      `On the left ${names || "nothing"}. The Gini impurity of ${some(sum(total), ...what)} falls by ${short(now, 4)}. ` +
        (better
          ? `Of ${ways.length} ways ${some(better, "is", "are").replace(/^1 is/, "one is")} better.`
          : `No other of all ${ways.length} ways is better.`) +
        (isCut ? " It is a cut of the order of the shares." : ""),
    );
  }

  const place = make("div");
  play.append(
    make(
      "p",
      { class: "dtb-legend" },
      `Each ${name} with its share of ${classes[1]}. Press one to move it to the other bag.`,
    ),
    make("div", { class: "dtb-pair" }, bags),
    place,
    make(
      "div",
      { class: "dtb-row" },
      button(
        "Put them in the order of their shares",
        () => {
          state.order = ranked;
          state.sorted = true;
          show();
        },
        { class: "dtb-main" },
      ),
      button("All to the left", () => {
        state.left = new Set(values.map((_, i) => i));
        show();
      }),
    ),
  );
  sheet = stage(place, "Every way to make two groups, by how far the Gini impurity falls", paint);
}

start("bags", bagsExplorable);
