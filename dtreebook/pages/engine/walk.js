// Cases that walk: ask a question of any pile and its cases sort themselves. Build a tree of your
// own, against ID3.
// data: { attributes, columns, target, classes, what, ratio, watch, people }, all attributes nominal;
// with `ratio` beside that of C4.5; with `watch` ID3 asks, and the reader steps through its decisions;
// with `people`, the places of three attributes, cases are drawn as people that show their values, and
// the first questions are led by scrolling.

import {
  beside,
  box,
  clamp,
  colour,
  draw,
  legend,
  make,
  mark,
  short,
  small,
  some,
  stage,
  text,
} from "./draw.js";
import { figure } from "./figure.js";
import { informationGain, splitInformation, sum, TIE } from "./measures.js";
import { c45, id3 } from "./multiway.js";
import { button, pick, range, rove } from "./reach.js";
import { start } from "./start.js";
import { storyOf } from "./story.js";
import { leavesOf, wayTo } from "./tree.js";

const CHIP = 40, // how high a question is
  LABEL = 20,
  FOOT = 24; // room below a pile for its counts

/**
 * @typedef {{path: string, rows: number[], name: string, names: string[], depth: number,
 *   used: number[], counts: number[], asks: number, children?: Pile[], left: number, top: number,
 *   wide: number, high: number, middle: number}} Pile What is asked of it, or -1; where it stands.
 * @typedef {{leaves: Pile[], inner: Pile[], all: Pile[], chosen: Pile}} Piles
 */

/**
 * @type {Build<{attributes: Attribute[], columns: number[][], target: number[], classes: string[],
 *   what: What, ratio?: boolean, watch?: boolean, people?: number[]}>}
 */
function walkExplorable(play, data, say) {
  const { attributes, columns, target, classes, what, ratio, watch, people } = data;
  const cases = { attributes, columns, target, classes, weight: null };
  const best = id3(cases);
  // The nodes of ID3's tree in the order in which it looks at them, named by the way to them, such as ".0.2".
  const paths = [""];
  best.nodes.forEach((node, i) =>
    node.children?.forEach((child, code) => (paths[child] = `${paths[i]}.${code}`)),
  );
  const state = { asked: /** @type {Map<string, number>} */ (new Map()), chosen: "", step: 0 };
  // A case is some units wide and high, and stands on 0, 0.
  const unit = people ? [64, 112] : [30, 30];
  const bodies = target.map((k, row) => {
    const of = (/** @type {number} */ a) => columns[people?.[a] ?? 0][row];
    const shown = people
      ? figure(k, { hair: of(0), bag: of(1), buttons: of(2) })
      : [mark(k, 0, -15, 12)];
    const body = draw("g", { class: "dtb-moves" }, draw("g", { style: `--turn:${row}` }, shown));
    body.style.transitionDelay = `${30 * row}ms`;
    return body;
  });
  let /** @type {Sheet} */ sheet,
    /** @type {SVGGElement} */ layer,
    /** @type {SVGGElement} */ crowd,
    /** @type {Piles} */ tree,
    wide = 0;

  // --- the tree as it stands -----------------------------------------------------------------------

  function grown() {
    const /** @type {Pile[]} */ leaves = [],
      /** @type {Pile[]} */ inner = [];
    /**
     * @param {string} path @param {number[]} rows @param {string} name @param {string[]} names
     * @param {number[]} used @returns {Pile}
     */
    const visit = (path, rows, name, names, used) => {
      const counts = classes.map((_, k) => rows.filter((row) => target[row] === k).length);
      const asks = state.asked.get(path) ?? -1,
        depth = used.length;
      const stands = { left: 0, top: 0, wide: 0, high: 0, middle: 0 };
      /** @type {Pile} */
      const node = { path, rows, name, names, depth, used, counts, asks, ...stands };
      (asks < 0 ? leaves : inner).push(node);
      node.children = attributes[asks]?.levels.map((level, code) =>
        visit(
          `${path}.${code}`,
          rows.filter((row) => columns[asks][row] === code),
          String(level),
          [...names, `${attributes[asks].name} ${level}`],
          [...used, asks],
        ),
      );
      return node;
    };
    visit(
      "",
      target.map((_, row) => row),
      `all ${what[1]}`,
      [],
      [],
    );
    const all = [...inner, ...leaves];
    return { leaves, inner, all, chosen: all.find(({ path }) => path === state.chosen) ?? all[0] };
  }

  /** @param {Pile} about */
  const isMixed = ({ counts }) => counts.filter(Boolean).length > 1;
  /** @param {Pile} leaf */
  const isOpen = (leaf) => isMixed(leaf) && leaf.used.length < attributes.length;
  /** @param {Pile} about */
  const nameOf = ({ names }) => names.join(", ") || `all ${what[1]}`;
  /** @param {Pile} about */
  const counted = ({ counts }) =>
    classes.flatMap((name, k) => (counts[k] ? `${counts[k]} ${name}` : [])).join(", ");
  /** @param {Pile} node */
  const words = (node) =>
    `${some(node.rows.length, ...what)}${node.rows.length ? ` (${counted(node)})` : ""}`;
  /** @param {Pile} about @param {number} a */
  const tableFor = ({ rows }, a) =>
    attributes[a].levels.map((_, code) =>
      classes.map(
        (__, k) => rows.filter((row) => columns[a][row] === code && target[row] === k).length,
      ),
    );
  /** @param {Pile} node */
  const gainsOf = (node) =>
    attributes.map((_, a) => (node.used.includes(a) ? -1 : informationGain(tableFor(node, a))));
  /** @param {number[]} amounts */
  const firstOf = (amounts) => amounts.findIndex((amount) => amount >= Math.max(...amounts) - TIE);
  // What C4.5 would ask of a pile: the place of an attribute, or -1 for nothing.
  /** @param {Pile} about */
  const c45Asks = ({ rows }) => {
    /** @param {number[]} values */
    const here = (values) => rows.map((row) => values[row]);
    const pile = { ...cases, columns: columns.map(here), target: here(target) };
    return c45(pile).decisions[0].chosen?.split.attribute ?? -1;
  };

  /** @param {string} path @param {number} a */
  function ask(path, a) {
    state.asked.set(path, a);
    state.chosen = path;
  }
  function begin() {
    state.asked.clear();
    state.chosen = "";
  }
  // ID3, up to one of its decisions.
  /** @param {number} step */
  function goTo(step) {
    state.step = clamp(step, 0, paths.length - 1);
    begin();
    best.nodes
      .slice(0, state.step + 1)
      .forEach(({ split }, i) => split && ask(paths[i], split.attribute));
    state.chosen = paths[state.step];
    steps.set(state.step);
    show();
  }

  // --- drawing -----------------------------------------------------------------------------------

  /** @param {number} width */
  function paint(width) {
    wide = width;
    sheet.replaceChildren(
      (layer = draw("g")),
      (crowd = draw("g", { "pointer-events": "none" }, bodies)),
    );
    show();
    return heightOf();
  }
  const heightOf = () => (wide < 480 ? 340 : 500);

  // Piles stand side by side, as wide as what is in them; above them the questions. All cases have one size.
  function place() {
    const deepest = Math.max(...tree.leaves.map(({ depth }) => depth)),
      row = Math.min(96, (heightOf() - 150) / Math.max(deepest, 1)),
      room = (/** @type {Pile} */ { rows }) => rows.length + 0.12 * target.length,
      unitWide = wide / sum(tree.leaves.map(room));
    let from = 0;
    /** @param {Pile} node */
    const visit = (node) => {
      node.top = node.depth * row + (node.depth ? LABEL : 0);
      node.left = from;
      if (node.children) node.children.forEach(visit);
      else from += room(node) * unitWide;
      node.wide = from - node.left;
      node.middle = node.left + node.wide / 2;
    };
    visit(tree.all[0]);
    for (const leaf of tree.leaves) leaf.high = heightOf() - FOOT - leaf.top;
    /** @param {number} size */
    const fits = (size) =>
      tree.leaves.every(
        ({ rows, wide: across, high }) =>
          perRow(across, size) * Math.floor((high - 6) / (unit[1] * size)) >= rows.length,
      );
    let size = people ? 1.15 : 2;
    while (size > 0.1 && !fits(size)) size *= 0.96;
    return size;
  }
  /** @param {number} across @param {number} size */
  const perRow = (across, size) => Math.max(Math.floor((across - 8) / (unit[0] * size)), 1);

  function show() {
    if (!layer) return;
    tree = grown();
    const size = place(),
      focused = layer.contains(document.activeElement);
    layer.replaceChildren(...tree.inner.flatMap(branches), ...tree.all.map(pile));
    for (const { rows, middle, wide: across } of tree.leaves) {
      const line = Math.ceil(rows.length / Math.ceil(rows.length / perRow(across, size))) || 1;
      [...rows]
        .sort((one, other) => target[one] - target[other])
        .forEach((which, i) => {
          const there = Math.min(line, rows.length - line * Math.floor(i / line));
          const x = middle + ((i % line) - (there - 1) / 2) * unit[0] * size,
            y = heightOf() - FOOT - 6 - Math.floor(i / line) * unit[1] * size;
          bodies[which].style.transform = `translate(${x}px, ${y}px) scale(${size})`;
          // Who stands behind is drawn first.
          crowd[i < line ? "append" : "prepend"](bodies[which]);
        });
    }
    /** @type {SVGElement | null} */
    const pressed = layer.querySelector('[aria-pressed="true"]');
    if (focused) pressed?.focus();
    panel();
    tell();
  }

  /** @param {Pile} node */
  const branches = (node) =>
    (node.children ?? []).map(({ middle, top, rows }) => {
      const y = node.top + CHIP,
        end = top - LABEL,
        turn = (y + end) / 2;
      return draw("path", {
        d: `M${node.middle} ${y}C${node.middle} ${turn} ${middle} ${turn} ${middle} ${end}`,
        fill: "none",
        class: node.path === state.chosen ? "dtb-one" : null,
        stroke: "#b5ab97",
        "stroke-width": 1 + (wide * 0.03 * rows.length) / target.length,
      });
    });

  /** @param {Pile} node */
  function pile(node) {
    const { left, top, middle, children } = node,
      isChosen = node.path === state.chosen,
      across = children ? clamp(node.wide - 8, 76, 150) : Math.max(node.wide - 6, 4),
      x = children ? middle - across / 2 : left + 3;
    const choose = () => {
      if (watch) return goTo(paths.indexOf(node.path));
      state.chosen = node.path;
      show();
    };
    const done = !children && node.rows.length && (watch || !isMixed(node));
    const seen = !watch || paths.indexOf(node.path) <= state.step;
    const isTall = node.depth && node.name.length * 7.5 > node.wide;
    return draw(
      "g",
      pick(
        `${nameOf(node)}: ${words(node)}${children ? `, asked ${attributes[node.asks].name}` : ""}`,
        choose,
        { "aria-pressed": isChosen, tabindex: isChosen ? 0 : -1 },
      ),
      box(x, top, across, children ? CHIP : node.high, {
        rx: 8,
        class: `dtb-ring dtb-pile${isChosen ? " dtb-chosen" : ""}`,
      }),
      node.depth
        ? small(middle, top - 5, node.name, {
            "text-anchor": isTall ? "end" : "middle",
            transform: isTall ? `rotate(-90 ${middle} ${top + 4}) translate(0 12)` : null,
          })
        : "",
      ...(children
        ? [
            small(middle, top + 17, `${attributes[node.asks].name}?`, {
              "text-anchor": "middle",
              "font-weight": 700,
            }),
            ...barOf(node, x + 8, top + 25, across - 16),
          ]
        : footOf(node)),
      done
        ? text(middle, heightOf() - FOOT - 2 - node.high + 20, seen ? "✓" : "?", {
            "text-anchor": "middle",
            class: "dtb-done",
          })
        : "",
    );
  }
  /** @param {Pile} about @param {number} x @param {number} y @param {number} across */
  function barOf({ counts }, x, y, across) {
    let from = x;
    return counts.map((count, k) => {
      const part = (across * count) / sum(counts);
      return box((from += part) - part, y, part, 8, { fill: colour(k) });
    });
  }
  // How many there are of each class, below a pile.
  /** @param {Pile} about */
  function footOf({ counts, middle }) {
    const shown = classes.flatMap((_, k) => (counts[k] ? [[k, counts[k]]] : []));
    return shown.flatMap(([k, count], i) => {
      const x = middle + 36 * (i - (shown.length - 1) / 2) - 8;
      return [
        mark(k, x, heightOf() - 9, 5),
        small(x + 9, heightOf() - 4, count, { "font-weight": 700 }),
      ];
    });
  }

  // A card for each question: to ask it of the chosen pile, and once one was asked, what each would
  // have gained there.
  const asking = make("div", { class: "dtb-rest" });

  function panel() {
    const node = tree.chosen,
      known = node.asks >= 0,
      amounts = gainsOf(node),
      may = !watch && !known && isMixed(node);
    /** @param {number} a */
    const askIt = (a) => () => {
      ask(node.path, a);
      const next = grown().leaves.find(
        (leaf) => leaf.path.startsWith(`${node.path}.`) && isOpen(leaf),
      );
      show();
      /** @type {HTMLElement | null} */
      const first = (next ? asking : sheet).querySelector("button, [aria-pressed='true']");
      first?.focus();
    };
    const takeBack = () => {
      for (const path of [...state.asked.keys()])
        if (`${path}.`.startsWith(`${node.path}.`)) state.asked.delete(path);
      show();
      asking.querySelector("button")?.focus();
    };
    /** @param {number} value @param {string} [more] */
    const meter = (value, more = "") =>
      make("span", { class: `dtb-meter${more}`, style: `--share:${100 * value}%` });
    /** @param {Attribute} about @param {number} a */
    const card = ({ name }, a) => {
      const isUsed = node.used.includes(a),
        isShown = known && !isUsed,
        divided = isShown && ratio ? splitInformation(tableFor(node, a)) : 0,
        told = isShown
          ? `${short(amounts[a])}${amounts[a] >= Math.max(...amounts) - TIE ? " ★" : ""}`
          : may
            ? "?"
            : "–";
      const about = { class: `dtb-question${node.asks === a ? " dtb-asked" : ""}` };
      const inside = [
        make("strong", {}, `${name}?`),
        meter(isShown ? amounts[a] : 0),
        make("span", {}, isUsed ? "already asked" : told),
        ...(divided
          ? [
              meter(amounts[a] / divided, " dtb-ratio"),
              make("span", {}, short(amounts[a] / divided)),
            ]
          : []),
      ];
      return may && !isUsed
        ? button(inside, askIt(a), { ...about, "aria-label": `Ask ${name}?` })
        : make("div", about, inside);
    };
    const does = known
      ? `Gain of every question, in bits${ratio ? "; ratio below" : ""}:`
      : may
        ? "Ask a question, then see what each would gain:"
        : "Nothing is asked.";
    asking.replaceChildren(
      make(
        "p",
        { class: "dtb-legend" },
        `${node.path ? `${nameOf(node)}: ` : "All "}${words(node)}. ${does}`,
      ),
      make(
        "div",
        {
          class: "dtb-questions",
          role: "group",
          "aria-label": "What every question gains at the chosen pile",
        },
        attributes.map(card),
      ),
      known && !watch
        ? make("div", { class: "dtb-row" }, button("Take the question back", takeBack))
        : "",
    );
  }

  // What ID3 decides of the chosen pile, and why.
  /** @param {Pile} node */
  function decision(node) {
    const { split, label } = best.nodes[state.step];
    const why = split
      ? `${attributes[split.attribute].name} gains most, ${short(Math.max(...gainsOf(node)))} bits, so ID3 asks about it`
      : isMixed(node)
        ? `${best.decisions[state.step].reason}, so this is a leaf, and it predicts ${classes[label]}`
        : `all are ${classes[node.counts.findIndex(Boolean)]}, so this is a leaf`;
    const which = node.path ? `${nameOf(node)}, ` : "all ";
    return `Decision ${state.step + 1} of ${paths.length}, ${which}${words(node)}: ${why}.`;
  }

  /** @param {Pile} node */
  function judged(node) {
    if (node.asks < 0) return "";
    const amounts = gainsOf(node),
      first = firstOf(amounts);
    const agreed =
      first === node.asks
        ? "ID3 would ask about it, too"
        : `ID3 would ask about ${attributes[first].name}, ${short(amounts[first])}`;
    const by = ratio ? c45Asks(node) : -1;
    return (
      `Of ${nameOf(node)} you asked about ${attributes[node.asks].name}: it gains ${short(amounts[node.asks])} bits; ${agreed}. ` +
      (ratio ? `C4.5 would ask ${by < 0 ? "nothing" : `about ${attributes[by].name}`}. ` : "")
    );
  }
  /** @param {number[]} ends */
  const meanOf = (ends) => short(sum(ends) / target.length, 2);

  function tell() {
    const { leaves, chosen } = tree,
      open = leaves.filter(isOpen),
      wrong = leaves.flatMap(({ rows, counts }) =>
        rows.filter((row) => target[row] !== counts.indexOf(Math.max(...counts))),
      );
    const yours = `${some(leaves.length, "leaf", "leaves")}, ${meanOf(leaves.map(({ depth, rows }) => depth * rows.length))} questions on average, ${some(wrong.length, "error")}`;
    const ends = best.nodes.map(({ split, counts }, i) =>
      split ? 0 : (wayTo(best, i).length - 1) * sum(counts),
    );
    const words = watch
      ? decision(chosen)
      : judged(chosen) +
        (open.length
          ? `Your tree so far: ${yours}; ${some(open.length, "pile is", "piles are")} still mixed.`
          : `Your tree is done: ${yours}. That of ID3: ${leavesOf(best).length} leaves, ${meanOf(ends)} questions on average.`);
    /** @param {Pile[]} some */
    const pilesOf = (some) => () =>
      some.map((leaf) => layer.querySelectorAll(".dtb-pick")[tree.all.indexOf(leaf)]);
    /** @param {number[]} rows */
    const bodiesOf = (rows) => () => rows.map((row) => bodies[row]);
    say(
      words,
      [some(chosen.rows.length, ...what), bodiesOf(chosen.rows)],
      [some(leaves.length, "leaf", "leaves"), pilesOf(leaves)],
      [some(wrong.length, "error"), bodiesOf(wrong)],
      [some(open.length, "pile"), pilesOf(open)],
    );
  }

  // The rest by ID3: the first question of the most gain, wherever a pile is mixed.
  function finish() {
    for (let leaf; (leaf = grown().leaves.find(isOpen));)
      state.asked.set(leaf.path, firstOf(gainsOf(leaf)));
    show();
  }
  const again = () => (begin(), show());

  // --- the story: everybody, a poor question, and those of ID3 ---------------------------------------

  function story() {
    tree = grown();
    const all = tree.all[0],
      amounts = gainsOf(all),
      poor = amounts.indexOf(Math.min(...amounts));
    const asked = best.nodes.flatMap(({ split }, i) =>
      split ? [/** @type {[string, number]} */ ([paths[i], split.attribute])] : [],
    );
    /** @type {[string, number][][]} */
    const scenes = [[], [["", poor]], ...asked.map((_, i) => asked.slice(0, i + 1))];
    /** @param {number} i */
    const perform = (i) => {
      begin();
      for (const one of scenes[i] ?? []) ask(...one);
    };
    const told = scenes.map((scene, i) => {
      perform(i);
      const { leaves, chosen } = grown(),
        open = leaves.filter(isOpen).length;
      if (!scene.length)
        return {
          title: some(all.rows.length, ...what),
          says: `${counted(all)}. Ask them, and they separate.`,
        };
      return {
        title: `Ask ${chosen.names.join(", ") || "all"} about ${attributes[scene[scene.length - 1][1]].name}`,
        says: open
          ? `${open} of ${some(leaves.length, "pile")} ${open === 1 ? "is" : "are"} still mixed.`
          : "No pile is mixed: the tree is done.",
      };
    });
    begin();
    return storyOf([...told, { title: "Now you" }], (i) => (perform(i), show()), asking, row);
  }

  const stand = make("div");
  const steps = range(
    "Decision",
    { min: 0, max: paths.length - 1, value: 0, words: (step) => `${step + 1} of ${paths.length}` },
    goTo,
  );
  const row = make(
    "div",
    { class: "dtb-row" },
    watch
      ? [
          button("Next", () => goTo(state.step + 1), { class: "dtb-main" }),
          button("Back", () => goTo(state.step - 1)),
        ]
      : [
          button("Let ID3 do the rest", finish, { class: people ? "" : "dtb-main" }),
          button("Start again", again),
        ],
  );
  const controls = watch ? [steps, row, asking] : people ? [story()] : [asking, row];
  play.append(beside(make("div", {}, stand), ...controls, legend(classes)));
  sheet = stage(stand, "The tree: piles of cases, and the questions between them", paint);
  rove(stand);
  if (watch) goTo(0);
}

start("walk", walkExplorable);
