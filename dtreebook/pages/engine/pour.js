// A case with blanks, poured down a tree: where a value is unknown it goes down every branch, and
// its weight divides.
// data: { tree, cases: [values], asked: [attributes], shown: [[words of the values]] }, a value
// null where it is unknown.

import { branchTo, layout } from "./diagram.js";
import { beside, box, colour, draw, fitted, legend, make, small, stage } from "./draw.js";
import { button, choices } from "./reach.js";
import { start } from "./start.js";
import { asks, parents, pour, spread } from "./tree.js";

/**
 * @type {Build<{tree: Tree, cases: (number | null)[][], asked: number[], shown: string[][], names: string[]}>}
 */
function pourExplorable(play, data, say) {
  const { tree, cases, asked, shown } = data,
    classes = tree.classes ?? [];
  const state = { at: 0, unknown: new Set() };
  const { depth, spans, leaves, deepest } = layout(tree),
    parent = parents(tree),
    ROW = 56;
  let /** @type {Sheet} */ sheet,
    /** @type {SVGElement[]} */ boxes,
    wide = 0;

  const values = () =>
    cases[state.at].map((value, a) => {
      const blank = tree.attributes[a].kind === "numeric" ? NaN : -1;
      return state.unknown.has(a) ? blank : (value ?? blank);
    });

  /** @param {number} width */
  function paint(width) {
    wide = width;
    show();
    return leaves * ROW + 8;
  }

  /** @param {Map<number, number>} parts */
  function showTree(parts) {
    const column = wide / (deepest + 1),
      wideBox = column - 26;
    const x = (/** @type {number} */ i) => 4 + depth[i] * column,
      y = (/** @type {number} */ i) => 4 + (spans[i][0] + spans[i][1] / 2) * ROW;
    /** @param {string} words */
    const fit = (words) => fitted(words, wideBox - 10);
    const /** @type {SVGElement[]} */ edges = [];
    boxes = [];
    tree.nodes.forEach((node, i) => {
      const part = parts.get(i) ?? 0;
      node.children?.forEach((child) => {
        const d = `M${x(i) + wideBox} ${y(i)}C${x(child) - 8} ${y(i)} ${x(i) + wideBox + 8} ${y(child)} ${x(child)} ${y(child)}`;
        edges.push(
          draw("path", {
            d,
            fill: "none",
            stroke: "currentColor",
            "stroke-opacity": 0.3,
          }),
        );
        const flow = parts.get(child) ?? 0;
        if (flow)
          edges.push(
            draw("path", {
              d,
              fill: "none",
              stroke: colour(2),
              "stroke-width": 2 + 16 * flow,
              "stroke-opacity": 0.75,
              class: "dtb-moves",
            }),
          );
      });
      const branch = branchTo(tree, i, parent, "the case"),
        words = asks(tree, node);
      boxes[i] = draw(
        "g",
        {},
        box(x(i), y(i) - 22, wideBox, 44, {
          rx: 6,
          fill: "var(--pst-color-background, Canvas)",
        }),
        box(x(i), y(i) - 22, wideBox, 44, {
          rx: 6,
          fill: node.split ? "currentColor" : colour(node.label),
          "fill-opacity": node.split ? 0.05 : 0.15 + 0.5 * part,
          stroke: part ? colour(2) : "currentColor",
          "stroke-width": part ? 2.5 : 1,
          "stroke-opacity": part ? 1 : 0.35,
        }),
        draw("title", {}, `${branch}: ${words}`),
        small(
          x(i) + 6,
          y(i) - 5,
          fit(part && wideBox > 130 ? `${branch}: ${part.toFixed(2)}` : branch),
        ),
        small(
          x(i) + 6,
          y(i) + 14,
          fit(part && wideBox <= 130 && !node.split ? `${part.toFixed(2)} ${words}` : words),
          { "font-weight": 700 },
        ),
      );
    });
    sheet.replaceChildren(...edges, ...boxes);
  }

  function show() {
    const parts = pour(tree, values()),
      shares = spread(tree, values());
    if (wide) showTree(parts);
    const ends = [...parts].filter(([i]) => !tree.nodes[i].split);
    const told = asked.map(
      (a) => `${tree.attributes[a].name} ${state.unknown.has(a) ? "unknown" : shown[state.at][a]}`,
    );
    const best = shares.indexOf(Math.max(...shares));
    const where =
      ends.length === 1
        ? "one leaf, whole. Its shares are"
        : `${ends.length} leaves, in parts of ${ends.map(([, part]) => part.toFixed(2)).join(", ")}. They add up to`;
    say(
      `${told.join(", ")}: the case ends in ${where} ` +
        `${classes.map((name, k) => `${name} ${shares[k].toFixed(2)}`).join(", ")}: C4.5 says ${classes[best]}.`,
      [ends.length === 1 ? "one leaf" : `${ends.length} leaves`, () => ends.map(([i]) => boxes[i])],
    );
  }

  const blanks = make("div", {
    class: "dtb-row",
    role: "group",
    "aria-label": "What is unknown",
  });
  function showBlanks() {
    blanks.replaceChildren(
      ...asked.map((a) => {
        const isBlank = state.unknown.has(a);
        return button(
          `${tree.attributes[a].name}: ${isBlank ? "?" : shown[state.at][a]}`,
          () => {
            if (!state.unknown.delete(a)) state.unknown.add(a);
            showBlanks();
            show();
            /** @type {HTMLElement} */ (blanks.children[asked.indexOf(a)]).focus();
          },
          {
            "aria-pressed": String(isBlank),
            "aria-label": `${tree.attributes[a].name} (${shown[state.at][a]}) is unknown`,
          },
        );
      }),
    );
  }
  const stand = make("div");
  play.append(
    beside(
      stand,
      choices("Case", data.names, 0, (i) => ((state.at = i), showBlanks(), show())),
      make("p", { class: "dtb-legend" }, "Press a value to blank it, or to put it back."),
      blanks,
      legend(classes),
    ),
  );
  showBlanks();
  sheet = stage(stand, "The tree, and the parts of the case in it", paint);
}

start("pour", pourExplorable);
