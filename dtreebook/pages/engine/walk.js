// Cases that walk: ask a question of any pile and its cases sort themselves. Build a tree of your
// own, against ID3.
// data: { attributes, columns, target, classes, what, ratio, watch }, all attributes nominal; with
// `ratio` beside that of C4.5; with `watch` ID3 asks, and the reader steps through its decisions.

import {
  beside,
  box,
  clamp,
  draw,
  fitted,
  legend,
  make,
  mark,
  short,
  small,
  some,
  stage,
  text,
} from "./draw.js";
import { informationGain, splitInformation, sum, TIE } from "./measures.js";
import { c45, id3 } from "./multiway.js";
import { button, pick, range } from "./reach.js";
import { start } from "./start.js";
import { leavesOf, route, wayTo } from "./tree.js";

function walkExplorable(play, data, say) {
  const { attributes, columns, target, classes, what, ratio, watch } = data;
  const cases = { attributes, columns, target, classes, weight: null };
  const best = id3(cases);
  const state = { asked: new Map(), chosen: "", last: null, step: 0 };
  const dots = target.map((k, row) =>
    draw(
      "g",
      { class: "dtb-moves" },
      mark(k, 0, 0, 5.5),
      draw("title", {}, `${what[0]} ${row + 1}`),
    ),
  );
  let sheet,
    layer,
    size = 1,
    wide = 0;
  const HIGHEST = 400;

  // --- ID3, decision by decision: the nodes of its tree in the order in which it looks at them ------

  const paths = [""];
  best.nodes.forEach((node, i) =>
    node.children?.forEach((child, code) => (paths[child] = `${paths[i]}.${code}`)),
  );
  function goTo(step) {
    state.step = clamp(step, 0, paths.length - 1);
    state.asked.clear();
    best.nodes.forEach(
      ({ split }, i) => split && i <= state.step && state.asked.set(paths[i], split.attribute),
    );
    state.chosen = paths[state.step];
    steps.set(state.step);
    if (layer) show();
  }
  const isSeen = (path) => !watch || paths.indexOf(path) <= state.step;

  // --- the tree as it stands: piles by their paths, such as "0.2" --------------------------------

  function grown() {
    const leaves = [],
      inner = [];
    let deepest = 0;
    const visit = (path, rows, value, depth, used) => {
      const node = {
        path,
        rows,
        value,
        depth,
        used,
        counts: classes.map((_, k) => rows.filter((row) => target[row] === k).length),
      };
      deepest = Math.max(deepest, depth);
      node.asks = state.asked.get(path);
      if (node.asks === undefined) {
        node.at = leaves.push(node) - 1;
        return node;
      }
      inner.push(node);
      node.children = attributes[node.asks].levels.map((level, code) =>
        visit(
          `${path}.${code}`,
          rows.filter((row) => columns[node.asks][row] === code),
          level,
          depth + 1,
          [...used, node.asks],
        ),
      );
      node.at = (node.children[0].at + node.children.at(-1).at) / 2;
      return node;
    };
    const root = visit(
      "",
      target.map((_, row) => row),
      `all ${what[1]}`,
      0,
      [],
    );
    return { root, leaves, inner, deepest, all: [...inner, ...leaves] };
  }

  const isMixed = (node) => node.counts.filter(Boolean).length > 1;
  const words = (node) =>
    `${some(node.rows.length, ...what)}${
      node.rows.length
        ? ` (${classes
            .map((c, k) => [node.counts[k], c])
            .filter(([n]) => n)
            .map((pair) => pair.join(" "))
            .join(", ")})`
        : ""
    }`;
  const tableFor = (node, a) =>
    attributes[a].levels.map((_, code) =>
      classes.map(
        (_, k) => node.rows.filter((row) => columns[a][row] === code && target[row] === k).length,
      ),
    );
  const gainsOf = (node) =>
    attributes.map((_, a) => (node.used.includes(a) ? -1 : informationGain(tableFor(node, a))));
  // What C4.5 would ask of a pile: the place of an attribute, or -1 for nothing.
  const c45Asks = ({ rows }) => {
    const here = (values) => rows.map((row) => values[row]);
    const pile = { ...cases, columns: columns.map(here), target: here(target) };
    return c45(pile).decisions[0].chosen?.split.attribute ?? -1;
  };
  const nameOf = (path, tree) => {
    const node = tree.all.find((one) => one.path === path);
    const names = [];
    for (let way = ""; way !== path;) {
      const next = path.slice(way.length + 1).split(".")[0];
      const above = tree.all.find((one) => one.path === way);
      names.push(`${attributes[above.asks].name} ${attributes[above.asks].levels[next]}`);
      way += `.${next}`;
    }
    return { node, name: names.join(", ") || `all ${what[1]}` };
  };

  // --- drawing -----------------------------------------------------------------------------------

  function paint(width) {
    wide = width;
    layer = draw("g");
    sheet.replaceChildren(layer, ...dots);
    return show();
  }

  function show() {
    const tree = grown();
    const { leaves, deepest } = tree;
    // Few piles are large.
    const isNarrow = wide < 480,
      isOne = leaves.length === 1;
    size = isOne ? (isNarrow ? 2 : 3) : leaves.length < 4 && !isNarrow ? 1.5 : 1;
    const column = wide / Math.max(isOne || isNarrow ? 2 : 3, deepest + 1),
      height = Math.min(70 * size * leaves.length, HIGHEST),
      row = height / leaves.length;
    sheet.setAttribute("viewBox", `0 0 ${wide} ${height}`);
    sheet.setAttribute("height", height);
    const place = (node) => [8 + node.depth * column, row * (node.at + 0.5)];
    const fit = (label) => fitted(label, column - 20);
    const focused = sheet.contains(document.activeElement);
    layer.replaceChildren();
    for (const node of tree.all) {
      const [left, y] = place(node),
        end = left + column - 18;
      for (const child of node.children ?? []) {
        const [x2, y2] = place(child);
        layer.append(
          draw("path", {
            d: `M${end} ${y}C${end + 10} ${y} ${x2 - 14} ${y2} ${x2 - 4} ${y2}`,
            fill: "none",
            stroke: "currentColor",
            "stroke-opacity": 0.5,
            "stroke-width": 1 + (5 * child.rows.length) / target.length,
          }),
        );
      }
    }
    for (const node of tree.all) layer.append(pile(node, tree, place, column, row, fit));
    leaves.forEach((node) => {
      const [left, y] = place(node),
        high = tall(row),
        flat = high < 38;
      const grows = flat ? 1 : size,
        step = 13 * grows,
        lines = flat ? 1 : Math.floor((high - 24) / step),
        label = flat ? 7.4 * fit(node.value).length + 6 : 0;
      const sorted = [...node.rows].sort((one, other) => target[one] - target[other]);
      sorted.forEach((which, i) => {
        const x = left + 2 + 6 * grows + label + Math.floor(i / lines) * step;
        const down = flat ? y : y - high / 2 + 22 + 7 * grows + (i % lines) * step;
        dots[which].style.transform = `translate(${x}px, ${down}px) scale(${grows})`;
      });
    });
    if (focused) layer.querySelector('[aria-pressed="true"]')?.focus();
    panel(tree);
    tell(tree);
    return height;
  }

  const tall = (row) => Math.min(row - 4, 66 * size);

  function pile(node, tree, place, column, row, fit) {
    const [left, y] = place(node),
      isChosen = node.path === state.chosen;
    const high = tall(row),
      top = high < 38 ? y + 5 : y - high / 2 + 16;
    const choose = () => {
      if (watch) return goTo(paths.indexOf(node.path));
      state.chosen = node.path;
      show();
    };
    const done = watch ? !node.children : !isMixed(node) && !node.children;
    return draw(
      "g",
      pick(
        `${nameOf(node.path, tree).name}: ${words(node)}${node.children ? `, asked ${attributes[node.asks].name}` : ""}`,
        choose,
        { "aria-pressed": isChosen },
      ),
      box(left - 4, y - high / 2, column - 14, high, {
        rx: 6,
        class: "dtb-ring",
        fill: "currentColor",
        "fill-opacity": isChosen ? 0.12 : 0.02,
        stroke: "currentColor",
        "stroke-opacity": isChosen ? 1 : 0.25,
        "stroke-width": isChosen ? 2 : 1,
      }),
      small(left + 2, node.children ? y - 3 : top, node.path || fit(node.value) === node.value ? fit(node.value) : "all"),
      node.children
        ? small(left + 2, y + 14, fit(`${attributes[node.asks].name}?`), { "font-weight": 700 })
        : null,
      done && node.rows.length
        ? text(left + column - 24, y + high / 2 - 6, isSeen(node.path) ? "✓" : "?", {
            "text-anchor": "end",
            fill: "currentColor",
          })
        : null,
    );
  }

  // A card for each question: to ask it of the chosen pile, and once one was asked, what each would
  // have gained there.
  const asking = make("div", { class: "dtb-rest" });

  function panel(tree) {
    const { node, name } = nameOf(state.chosen, tree),
      known = node.asks !== undefined,
      amounts = gainsOf(node),
      most = Math.max(...amounts),
      may = !watch && !known && isMixed(node);
    const ask = (a) => () => {
      state.asked.set(node.path, a);
      state.last = node.path;
      const next = grown().leaves.find(
        (leaf) => leaf.path.startsWith(`${node.path}.`) && isMixed(leaf),
      );
      show();
      (next ? asking : sheet).querySelector("button, [aria-pressed='true']")?.focus();
    };
    const takeBack = () => {
      for (const path of [...state.asked.keys()])
        if (path === node.path || path.startsWith(`${node.path}.`)) state.asked.delete(path);
      show();
      asking.querySelector("button")?.focus();
    };
    const meter = (value, more = "") =>
      make("span", { class: `dtb-meter${more}`, style: `--share:${100 * value}%` });
    const card = ({ name: question }, a) => {
      const isUsed = node.used.includes(a),
        isShown = known && !isUsed,
        divided = isShown && ratio ? splitInformation(tableFor(node, a)) : 0,
        about = { class: `dtb-question${node.asks === a ? " dtb-asked" : ""}` };
      const inside = [
        make("strong", {}, `${question}?`),
        meter(isShown ? amounts[a] : 0),
        make(
          "span",
          {},
          isUsed ? "already asked" : isShown ? `${short(amounts[a])}${amounts[a] >= most - TIE ? " ★" : ""}` : may ? "?" : "–",
        ),
        ...(divided
          ? [meter(amounts[a] / divided, " dtb-ratio"), make("span", {}, short(amounts[a] / divided))]
          : []),
      ];
      return may && !isUsed
        ? button(inside, ask(a), { ...about, "aria-label": `Ask ${question}?` })
        : make("div", about, inside);
    };
    const does = known
      ? `Gain of every question, in bits${ratio ? "; ratio below" : ""}:`
      : may
        ? "Ask a question, then see what each would gain:"
        : "Nothing is asked.";
    asking.replaceChildren(
      make("p", { class: "dtb-legend" }, `${node.path ? `${name}: ` : "All "}${words(node)}. ${does}`),
      make(
        "div",
        { class: "dtb-questions", role: "group", "aria-label": "What every question gains at the chosen pile" },
        attributes.map(card),
      ),
      known && !watch ? make("div", { class: "dtb-row" }, button("Take the question back", takeBack)) : "",
    );
  }

  // How the tree of the reader stands against that of ID3.
  const questionsOf = (leaves) =>
    sum(leaves.map((leaf) => leaf.depth * leaf.rows.length)) / target.length;
  function id3Steps() {
    const ends = target.map(
      (_, row) =>
        wayTo(
          best,
          route(
            best,
            columns.map((column) => column[row]),
          ),
        ).length - 1,
    );
    return sum(ends) / target.length;
  }

  // What ID3 decides of the chosen pile, and why.
  function tellDecision({ node, name }) {
    const all = classes.filter((_, k) => node.counts[k]);
    const { split, label } = best.nodes[state.step];
    const why = split
      ? `${attributes[split.attribute].name} gains most, ${short(Math.max(...gainsOf(node)))} bits, so ID3 asks about it`
      : all.length === 1
        ? `all are ${all[0]}, so this is a leaf`
        : `${best.decisions[state.step].reason}, so this is a leaf, and it says ${classes[label]}`;
    const which = node.path ? `${name}, ` : "all ";
    say(`Decision ${state.step + 1} of ${paths.length}, ${which}${words(node)}: ${why}.`);
  }

  function tell(tree) {
    if (watch) return tellDecision(nameOf(state.chosen, tree));
    const { node, name } = nameOf(state.chosen, tree);
    const open = tree.leaves.filter(
      (leaf) => isMixed(leaf) && leaf.used.length < attributes.length,
    );
    const wrong = sum(tree.leaves.map(({ counts }) => sum(counts) - Math.max(...counts)));
    let said = "";
    if (node.asks !== undefined) {
      const amounts = gainsOf(node),
        most = Math.max(...amounts),
        first = amounts.findIndex((amount) => amount >= most - TIE);
      const agreed =
        first === node.asks
          ? "ID3 would ask it, too"
          : `ID3 would ask ${attributes[first].name}, ${short(most)}`;
      said = `Of ${name} you asked ${attributes[node.asks].name}: it gains ${short(amounts[node.asks])} bits; ${agreed}. `;
      if (ratio) {
        const by = c45Asks(node);
        said += `C4.5 would ask ${by < 0 ? "nothing" : attributes[by].name}. `;
      }
    }
    const yours = `${some(tree.leaves.length, "leaf", "leaves")}, ${short(questionsOf(tree.leaves), 2)} questions on average, ${some(wrong, "error")}`;
    if (open.length)
      said += `Your tree so far: ${yours}; ${some(open.length, "pile is", "piles are")} still mixed.`;
    else
      said += `Your tree is done: ${yours}. That of ID3: ${leavesOf(best).length} leaves, ${short(id3Steps(), 2)} questions on average.`;
    say(said);
  }

  // The rest by ID3: the first question of the most gain, wherever a pile is mixed.
  function finish() {
    for (;;) {
      const leaf = grown().leaves.find(
        (one) => isMixed(one) && one.used.length < attributes.length,
      );
      if (!leaf) break;
      const amounts = gainsOf(leaf),
        most = Math.max(...amounts);
      state.asked.set(
        leaf.path,
        amounts.findIndex((amount) => amount >= most - TIE),
      );
    }
    show();
  }

  const again = () => {
    state.asked.clear();
    state.chosen = "";
    show();
  };
  const place = make("div");
  const steps = range(
    "Decision",
    {
      min: 0,
      max: paths.length - 1,
      value: 0,
      words: (step) => `${step + 1} of ${paths.length}`,
    },
    goTo,
  );
  play.append(
    beside(
      place,
      watch ? steps : asking,
      make(
        "div",
        { class: "dtb-row" },
        ...(watch
          ? [
              button("Next", () => goTo(state.step + 1), { class: "dtb-main" }),
              button("Back", () => goTo(state.step - 1)),
            ]
          : [button("Let ID3 do the rest", finish), button("Start again", again)]),
      ),
      watch ? asking : "",
      legend(classes),
    ),
  );
  sheet = stage(place, "The tree: piles of cases, and the questions between them", paint);
  if (watch) goTo(0);
}

start("walk", walkExplorable);
