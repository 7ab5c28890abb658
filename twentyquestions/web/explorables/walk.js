// Cases that walk: ask a question of any pile and its cases sort themselves. Build a tree of your
// own, against ID3.

import { c45Rules, id3 } from "../algorithms/multiway.js";
import { questionCards } from "./cards.js";
import { branchesOf, isWhole, pileOf, placed, standing } from "./crowd.js";
import { draw, make } from "../kit/draw.js";
import { bodiesOf } from "./figure.js";
import { entropy, firstOf, majority, splitInformation, sum } from "../algorithms/measures.js";
import { beside, inRow, legend, quietly, telling } from "../kit/legends.js";
import { isMixed, pilesIn, wordsIn } from "./piles.js";
import { button, check, pick, primary, rove } from "../kit/reach.js";
import { clamp, picture } from "../kit/stage.js";
import { start } from "../kit/start.js";
import { storyOf } from "./scrolling.js";
import { leavesOf } from "../algorithms/tree.js";
import { short, some } from "../kit/words.js";

const TURNS = ["", "next", "2nd", "3rd"];
const STILL = { preventScroll: true }; // else a story would go back
const GAINS = { class: "dtb-gains", role: "group", "aria-label": "What every question gains" };

/**
 * With `ratio` beside that of C4.5, which differs `apart` where an answer is [attribute, level]; with
 * `watch` ID3 asks, and the reader guesses its decisions one by one; with `look` cases are drawn as what they
 * are, each with its values; if it is `led`, the first questions are asked by scrolling.
 * @type {Build<Walked & {ratio?: boolean, apart?: Point, watch?: boolean, led?: boolean, look?: string,
 *   answer: string}>}
 */
function walkExplorable(play, data, say) {
  const { attributes, columns, target, classes, what, ratio, apart, watch, led, look, answer } =
    data;
  const best = id3({ attributes, columns, target, classes, weight: null });
  // The nodes of ID3's tree in the order in which it looks at them, named by the way to them, such as ".0.2".
  const paths = [""];
  best.nodes.forEach((node, i) =>
    node.children?.forEach((child, code) => (paths[child] = `${paths[i]}.${code}`)),
  );
  const /** @type {Map<string, number>} */ questions = new Map();
  const state = { chosen: "", step: 0, isTold: false, guess: -1 };
  const needs = ratio ? c45Rules().minWeight : 0,
    rule = { needs: apart ? 0 : needs }, // what ID3 asks is seen before C4.5's answer to it
    piles = pilesIn(data, questions, rule),
    { grown, isOpen, tableFor, gainsOf, c45Asks } = piles,
    { nameOf, words, step, decision, judged } = wordsIn(data, piles);
  const { bodies, unit, says, glyph } = bodiesOf(look, columns, target);
  const layer = draw("g"),
    crowd = draw("g", { "pointer-events": "none" }, bodies);
  const drawn = (/** @type {number} */ row) => bodies[row].children[0].cloneNode(true);
  // Open are the piles of which the algorithm would ask.
  let /** @type {Piles} */ tree, /** @type {Pile[]} */ open;
  const field = {
    wide: 0,
    high: 0,
    size: 0,
    step: 0,
    word: 0,
    unit,
    target,
    classes,
    needs,
    drawn,
  };

  /** What ID3 asks in its first decisions, each with the way to it. @param {number} [many] @returns {[string, number][]} */
  const byId3 = (many) =>
    best.nodes
      .slice(0, many)
      .flatMap(({ split }, i) => (split ? [[paths[i], split.attribute]] : []));
  /** Ask these and no others, and look at the pile there, or at the last. @param {[string, number][]} asked @param {string} [there] */
  function put(asked, there = asked.at(-1)?.[0] ?? "") {
    questions.clear();
    for (const [path, a] of asked) questions.set(path, a);
    state.chosen = there;
    show();
  }
  /** ID3, up to one of its decisions, which is told or still to be guessed. @param {number} step @param {boolean} [isTold] */
  function goTo(step, isTold = !best.nodes[step].split, guess = -1) {
    Object.assign(state, { step, isTold, guess });
    put(byId3(step + Number(isTold)), paths[step]);
  }

  // --- drawing -----------------------------------------------------------------------------------

  const sheet = picture("The tree: piles of cases, and the questions between them", (width) => {
    const high = clamp(led ? 0.7 * innerHeight : ratio ? 560 : 460, 460, 720),
      low = ratio ? 470 : clamp(0.48 * innerHeight, 300, 430);
    Object.assign(field, { wide: width, high: width < 480 ? low : high });
    sheet.replaceChildren(layer, crowd);
    show();
    return field.high + 12;
  });

  function show() {
    if (!sheet.wide) return;
    tree = grown(state.chosen);
    open = tree.leaves.filter(isWaiting);
    Object.assign(field, placed(tree, field));
    const focused = layer.contains(document.activeElement);
    layer.replaceChildren(
      ...tree.inner.map((node) => draw("g", branchesOf(node, node.path === state.chosen, field))),
      ...tree.all.map(pile),
    );
    stand(-1);
    if (focused) pressed()?.focus(STILL);
    panel();
    tell();
  }
  const isLast = () => state.step === paths.length - 1;
  /** @type {() => SVGElement | null} */
  const pressed = () => layer.querySelector('[aria-pressed="true"]');

  // Cases stand by their class; those of the chosen pile by their answers to what is pointed at.
  function stand(/** @type {number} */ pointed) {
    const walks = tree.leaves.flatMap((leaf) => {
      const at = leaf === tree.chosen ? pointed : -1,
        answers = columns[at] ?? target,
        order = leaf.rows.toSorted((a, b) => answers[a] - answers[b] || target[a] - target[b]);
      return standing(leaf, field).map(({ x, y, isFirst }, i) => {
        const body = bodies[order[i]];
        // Who stands behind is drawn first.
        crowd[isFirst ? "append" : "prepend"](body);
        return () => {
          body.dataset.asked = `${at < 0 ? (leaf.used.at(-1) ?? -1) : at}`; // it is drawn
          body.style.transform = `translate(${x}px, ${y}px) scale(${field.size})`;
        };
      });
    });
    // Put in order, they still stand where they stood: from there they walk.
    if (bodies[0].style.transform) crowd.getBoundingClientRect();
    for (const walk of walks) walk();
  }

  function pile(/** @type {Pile} */ node) {
    const { path, children, rows } = node,
      isChosen = path === state.chosen,
      asked = children ? attributes[node.asks].name : "",
      isAsked = open.includes(node),
      leaf = node.wide < 104 ? "1 leaf" : "C4.5: 1 leaf",
      [brief, whole] = isAsked ? ["?", watch ? "?" : "ask again"] : ["✓", "✓ done"],
      settled = isWhole(node) && !isAsked ? leaf : field.word ? whole : brief,
      turn = paths.indexOf(path),
      waits = watch ? turn - state.step : 0,
      sign = waits > 0 ? (TURNS[waits] ?? `${waits}th`) : settled;
    const choose = () =>
      watch ? goTo(turn, turn < state.step || undefined) : put([...questions], path);
    const about = pick(`${nameOf(node)}: ${words(node)}${asked && `, asked ${asked}`}`, choose, {
      "aria-pressed": isChosen,
      tabindex: isChosen ? 0 : -1,
      class: `dtb-pick${watch && isLast() && !children ? " dtb-late" : ""}`, // at the end leaves blink
    });
    const says = rows.length && (path || watch) ? sign : "";
    return pileOf(node, about, field, says, waits === 1 && state.isTold);
  }

  // A card for each question: to ask it of the chosen pile, and once one was asked, what each gains there.
  const asking = make("div", { class: `dtb-rest${ratio ? "" : " dtb-first"}` });
  const ratios = check("Gain ratios, as C4.5 compares", false, () => panel()),
    whyNot = make("span");
  ratios.append(whyNot);

  function panel() {
    const node = tree.chosen,
      known = node.asks >= 0,
      amounts = gainsOf(node),
      may = !known && (watch ? !state.isTold : isMixed(node));
    // One that is asked is taken back, and another takes its place.
    const askIt = (/** @type {number} */ a) => () => {
      if (watch) return (goTo(state.step, true, a), onward.focus(STILL));
      const rest = [...questions].filter(([at]) => !`${at}.`.startsWith(`${node.path}.`));
      put(a === node.asks ? rest : [...rest, [node.path, a]], node.path);
      pressed()?.focus(STILL);
    };
    const missing = entropy(node.counts),
      by = ratios.input.checked,
      bits = attributes.map((_, a) => (by ? splitInformation(tableFor(node, a)) : missing)),
      does = may
        ? `Which question ${watch ? "comes next" : "gains most"}? Guess:`
        : node.seats
          ? `C4.5 needs two branches of ${needs} or more:`
          : by
            ? "Gain over split information is the ratio:"
            : missing
              ? `What each gains of the ${short(missing)} bits:`
              : "Stop: nothing is left to ask.";
    const how = {
      ask: may || (known && !watch) ? askIt : null,
      isTold: !may,
      sides: (/** @type {number} */ a) => tableFor(node, a).map(sum).join(" + "),
      divided: (/** @type {number} */ a) => bits[a],
      most: Math.max(missing, ...bits) || 1,
      second: by ? c45Asks(node) : null,
      glyph,
      pointed: (/** @type {number} */ a) => () => glyph && stand(a),
    };
    ratios.input.disabled = may || Boolean(node.seats);
    whyNot.textContent = may ? ": ask first" : node.seats ? ": none, no question is allowed" : "";
    asking.replaceChildren(
      quietly(does),
      make("div", GAINS, missing ? questionCards(node, attributes, amounts, how) : ""),
    );
  }

  function tell() {
    const { leaves, chosen } = tree,
      leafs = some(leaves.length, "leaf", "leaves"),
      wrong = leaves.flatMap(({ rows, counts }) =>
        rows.filter((row) => target[row] !== majority(counts)),
      );
    onward.disabled = watch ? isLast() : !open.length;
    if (watch) onward.textContent = state.isTold ? "Next" : "Show it";
    backward.hidden = Boolean(watch) && !state.step;
    const yours =
      !chosen.path && chosen.asks < 0
        ? `1 leaf, which predicts ${classes[best.nodes[0].label]} and makes ${some(wrong.length, "error")}`
        : `${leafs}, ${some(wrong.length, "error")}`;
    const done = isLast() ? ` ${some(paths.length, "decision")}, ${leafs}.` : "";
    const words = watch
      ? decision(chosen, best, state) + done
      : judged(chosen, Boolean(ratio)) +
        (open.length
          ? `Your tree so far: ${yours}; ${some(open.length, "pile is", "piles are")} still mixed.`
          : `Your tree is done: ${yours}. ID3's: ${leavesOf(best).length} leaves.`);
    const pilesOf = (/** @type {Pile[]} */ some) => () =>
      some.map((leaf) => layer.querySelectorAll(".dtb-pick")[tree.all.indexOf(leaf)]);
    const bodiesOf = (/** @type {number[]} */ rows) => () => rows.map((row) => bodies[row]);
    say(
      words,
      [some(chosen.rows.length, ...what), bodiesOf(chosen.rows)],
      [leafs, pilesOf(leaves)],
      [some(wrong.length, "error"), bodiesOf(wrong)],
      [some(open.length, "pile"), pilesOf(open)],
    );
  }

  // --- the story: everybody, a poor question, and those of ID3 ---------------------------------------

  function story() {
    const amounts = gainsOf(grown("").all[0]),
      poor = amounts.indexOf(Math.min(...amounts)),
      asked = byId3();
    /** @type {[string, number][][]} */
    const scenes = [[], [["", poor]], ...asked.map((_, i) => asked.slice(0, i + 1))];
    const told = scenes.map((scene) => (put(scene), step(grown(state.chosen), says)));
    put([]);
    return storyOf([...told, { title: "Now you" }], (i) => put(scenes[i] ?? []), asking, row);
  }

  // The piles of which the algorithm would ask, and the rest by it.
  const asks = (/** @type {Pile} */ leaf) => (ratio ? c45Asks(leaf) : firstOf(gainsOf(leaf)));
  const isWaiting = (/** @type {Pile} */ leaf) => isOpen(leaf) && asks(leaf) >= 0;
  const finish = () => {
    for (let leaf; (leaf = grown("").leaves.find(isWaiting));) questions.set(leaf.path, asks(leaf));
    put([...questions], ""); // as a whole
  };
  const next = () => (state.isTold ? goTo(state.step + 1) : goTo(state.step, true));
  const [onward, backward] = watch
    ? [primary("Next", next), button("Back", () => goTo(state.step - 1, true))]
    : [
        (led ? button : primary)(`Let ${ratio ? "C4.5" : "ID3"} do the rest`, finish),
        button("Start again", () => put([])),
      ];
  const row = inRow(onward, backward),
    tells = telling(led ? "" : row);
  const controls = watch ? [tells, asking] : led ? [story()] : [asking, ratio ? ratios : "", tells];
  play.append(
    beside(
      make("div", sheet.place, led || ratio ? null : quietly(says)),
      ...controls,
      legend(classes.map((name) => `${answer}: ${name}`)),
    ),
  );
  rove(sheet.place);
  if (watch) goTo(0);
  if (!apart) return;
  // What ID3 asks there, and then how C4.5 takes it.
  const there = `.${apart[1]}`;
  put([["", apart[0]]], there);
  questions.set(there, firstOf(gainsOf(grown(there).chosen)));
  const asked = [...questions];
  put(asked);
  return () => {
    rule.needs = needs;
    put(asked);
  };
}

start("walk", walkExplorable);
