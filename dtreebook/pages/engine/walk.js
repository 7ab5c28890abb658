// Cases that walk: ask a question of any pile and its cases sort themselves. Build a tree of your
// own, against ID3.

import { id3 } from "./branches.js";
import { questionCards } from "./cards.js";
import { branchesOf, pileOf, placed, standing } from "./crowd.js";
import { draw, make, mark } from "./draw.js";
import { FIGURES } from "./figure.js";
import { entropy, majority, splitInformation, sum } from "./measures.js";
import { beside, inRow, legend, quietly } from "./parts.js";
import { firstOf, isMixed, pilesIn, wordsIn } from "./piles.js";
import { button, pick, primary, rove } from "./reach.js";
import { clamp, picture } from "./stage.js";
import { start } from "./start.js";
import { storyOf } from "./story.js";
import { leavesOf, wayTo } from "./tree.js";
import { short, some } from "./words.js";

const TURNS = ["", "next", "2nd", "3rd"];

/**
 * With `ratio` beside that of C4.5; with `watch` ID3 asks, and the reader steps through its decisions;
 * with `look` cases are drawn as what they are, each with its values; if it is `led`, the first questions
 * are asked by scrolling.
 * @type {Build<Walked & {ratio?: boolean, watch?: boolean, led?: boolean, look?: string, answer: string}>}
 */
function walkExplorable(play, data, say) {
  const { attributes, columns, target, classes, what, ratio, watch, led, look, answer } = data;
  const best = id3({ attributes, columns, target, classes, weight: null });
  // The nodes of ID3's tree in the order in which it looks at them, named by the way to them, such as ".0.2".
  const paths = [""];
  best.nodes.forEach((node, i) =>
    node.children?.forEach((child, code) => (paths[child] = `${paths[i]}.${code}`)),
  );
  const state = { asked: /** @type {Map<string, number>} */ (new Map()), chosen: "", step: 0 };
  const piles = pilesIn(data, state.asked),
    { grown, isOpen, tableFor, gainsOf, c45Asks } = piles,
    { nameOf, words, step, decision, judged } = wordsIn(data, piles);
  const figure = look ? FIGURES[look] : null,
    unit = figure?.unit ?? [30, 30]; // a case is so wide and high, and stands on 0, 0
  const bodies = target.map((k, row) => {
    const values = columns.map((column) => column[row]);
    const shown = figure ? figure.draw(k, values) : [mark(k, 0, -15, 12)];
    const body = draw("g", { class: "dtb-moves" }, draw("g", { style: `--turn:${row}` }, ...shown));
    body.style.transitionDelay = `${30 * row}ms`;
    return body;
  });
  const layer = draw("g"),
    crowd = draw("g", { "pointer-events": "none" }, bodies);
  let /** @type {Piles} */ tree;
  const field = { wide: 0, high: 0, unit, n: target.length, classes };

  /** @param {string} path @param {number} a */
  function ask(path, a) {
    state.asked.set(path, a);
    state.chosen = path;
  }
  function begin() {
    state.asked.clear();
    state.chosen = "";
  }
  /** ID3, up to one of its decisions. @param {number} step */
  function goTo(step) {
    state.step = clamp(step, 0, paths.length - 1);
    begin();
    best.nodes
      .slice(0, state.step + 1)
      .forEach(({ split }, i) => split && ask(paths[i], split.attribute));
    state.chosen = paths[state.step];
    show();
  }

  // --- drawing -----------------------------------------------------------------------------------

  const sheet = picture("The tree: piles of cases, and the questions between them", (width) => {
    Object.assign(field, { wide: width, high: width < 480 ? 430 : 460 });
    sheet.replaceChildren(layer, crowd);
    show();
    return field.high;
  });

  function show() {
    if (!sheet.wide) return;
    tree = grown(state.chosen);
    const size = placed(tree, field),
      focused = layer.contains(document.activeElement);
    layer.replaceChildren(
      ...tree.inner.flatMap((node) => branchesOf(node, node.path === state.chosen, field)),
      ...tree.all.map(pile),
    );
    for (const leaf of tree.leaves) {
      const places = standing(leaf, field, size);
      [...leaf.rows]
        .sort((one, other) => target[one] - target[other])
        .forEach((which, i) => {
          const { x, y, isFirst } = places[i];
          bodies[which].style.transform = `translate(${x}px, ${y}px) scale(${size})`;
          // Who stands behind is drawn first.
          crowd[isFirst ? "append" : "prepend"](bodies[which]);
        });
    }
    const /** @type {SVGElement | null} */ pressed = layer.querySelector('[aria-pressed="true"]');
    if (focused) pressed?.focus();
    panel();
    tell();
  }

  /** @param {Pile} node */
  function pile(node) {
    const { path, children, rows } = node,
      isChosen = path === state.chosen,
      asked = children ? attributes[node.asks].name : "",
      [brief, whole] = isOpen(node) ? ["?", "ask again"] : ["✓", "✓ done"],
      waits = watch ? paths.indexOf(path) - state.step : 0, // for its turn
      sign = !rows.length
        ? ""
        : waits > 0
          ? (TURNS[waits] ?? `${waits}th`)
          : node.wide < 70
            ? brief
            : whole;
    const choose = () => {
      if (watch) return goTo(paths.indexOf(path));
      state.chosen = path;
      show();
    };
    const about = pick(`${nameOf(node)}: ${words(node)}${asked && `, asked ${asked}`}`, choose, {
      "aria-pressed": isChosen,
      tabindex: isChosen ? 0 : -1,
    });
    return pileOf(node, about, field, `${asked}?`, path || watch ? sign : "");
  }

  // A card for each question: to ask it of the chosen pile, and once one was asked, what each would
  // have gained there.
  const asking = make("div", { class: "dtb-rest" });

  function panel() {
    const node = tree.chosen,
      known = node.asks >= 0,
      amounts = gainsOf(node),
      may = !watch && !known && isMixed(node);
    const askIt = (/** @type {number} */ a) => () => {
      ask(node.path, a);
      const next = grown(state.chosen).leaves.find(
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
    const missing = entropy(node.counts),
      bits = attributes.map((_, a) => (ratio ? splitInformation(tableFor(node, a)) : missing)),
      does = known
        ? ratio
          ? "Gain / bits of the answers = ratio:"
          : `What each question gains of the ${short(missing)} bits:`
        : may
          ? "Ask a question, then see what each would gain:"
          : "Nothing is asked.";
    asking.replaceChildren(
      quietly(`${node.path ? `${nameOf(node)}: ` : "All "}${words(node)}. ${does}`),
      make(
        "div",
        {
          class: `dtb-questions${ratio ? " dtb-ratios" : ""}${known || may ? "" : " dtb-moot"}`,
          role: "group",
          "aria-label": "What every question gains at the chosen pile",
        },
        questionCards(node, attributes, amounts, {
          ask: may ? askIt : null,
          divided: (a) => bits[a],
          most: Math.max(missing, ...bits),
          second: ratio ? c45Asks(node) : null,
        }),
      ),
      known && !watch ? inRow(button("Take the question back", takeBack)) : "",
    );
  }

  const meanOf = (/** @type {number[]} */ ends) => short(sum(ends) / target.length, 2);

  function tell() {
    const { leaves, chosen } = tree,
      open = leaves.filter(isOpen),
      wrong = leaves.flatMap(({ rows, counts }) =>
        rows.filter((row) => target[row] !== majority(counts)),
      );
    next.disabled = state.step === paths.length - 1;
    back.disabled = !state.step;
    rest.disabled = !open.length;
    const yours =
      !chosen.path && chosen.asks < 0
        ? `1 leaf, which predicts ${classes[best.nodes[0].label]} and makes ${some(wrong.length, "error")}`
        : `${some(leaves.length, "leaf", "leaves")}, ${meanOf(leaves.map(({ depth, rows }) => depth * rows.length))} questions on average, ${some(wrong.length, "error")}`;
    const ends = best.nodes.map(({ split, counts }, i) =>
      split ? 0 : (wayTo(best, i).length - 1) * sum(counts),
    );
    const words = watch
      ? decision(chosen, best, state.step)
      : judged(chosen, Boolean(ratio)) +
        (open.length
          ? `Your tree so far: ${yours}; ${some(open.length, "pile is", "piles are")} still mixed.`
          : `Your tree is done: ${yours}. That of ID3: ${leavesOf(best).length} leaves, ${meanOf(ends)} questions on average.`);
    const pilesOf = (/** @type {Pile[]} */ some) => () =>
      some.map((leaf) => layer.querySelectorAll(".dtb-pick")[tree.all.indexOf(leaf)]);
    const bodiesOf = (/** @type {number[]} */ rows) => () => rows.map((row) => bodies[row]);
    say(
      words,
      [some(chosen.rows.length, ...what), bodiesOf(chosen.rows)],
      [some(leaves.length, "leaf", "leaves"), pilesOf(leaves)],
      [some(wrong.length, "error"), bodiesOf(wrong)],
      [some(open.length, "pile"), pilesOf(open)],
    );
  }

  // --- the story: everybody, a poor question, and those of ID3 ---------------------------------------

  function story() {
    const amounts = gainsOf(grown("").all[0]),
      poor = amounts.indexOf(Math.min(...amounts));
    const asked = best.nodes.flatMap(({ split }, i) =>
      split ? [/** @type {[string, number]} */ ([paths[i], split.attribute])] : [],
    );
    /** @type {[string, number][][]} */
    const scenes = [[], [["", poor]], ...asked.map((_, i) => asked.slice(0, i + 1))];
    const perform = (/** @type {number} */ i) => {
      begin();
      for (const one of scenes[i] ?? []) ask(...one);
    };
    const told = scenes.map((_, i) => {
      perform(i);
      return step(grown(state.chosen), figure?.says);
    });
    begin();
    return storyOf([...told, { title: "Now you" }], (i) => (perform(i), show()), asking, row);
  }

  // The rest by ID3: the first question of the most gain, wherever a pile is mixed.
  const finish = () => {
    for (let leaf; (leaf = grown(state.chosen).leaves.find(isOpen));)
      state.asked.set(leaf.path, firstOf(gainsOf(leaf)));
    show();
  };
  const next = primary("Next", () => goTo(state.step + 1)),
    back = button("Back", () => goTo(state.step - 1)),
    rest = button("Let ID3 do the rest", finish, { class: led ? "" : "dtb-main" });
  const row = inRow(watch ? [next, back] : [rest, button("Start again", () => (begin(), show()))]);
  const controls = watch ? [row, asking] : led ? [story()] : [asking, row];
  play.append(
    beside(
      make("div", {}, sheet.place),
      ...controls,
      led || ratio ? null : quietly(figure?.says),
      legend(classes.map((name) => `${answer}: ${name}`)),
    ),
  );
  rove(sheet.place);
  if (watch) goTo(0);
  return (a) => {
    begin();
    ask("", a);
    show();
  };
}

start("walk", walkExplorable);
