// Piles of cases between questions that a reader asks: the tree as it stands, and what each question
// would gain at a pile.

import { c45Rules, manyBranches } from "../algorithms/multiway.js";
import { grow } from "../algorithms/growth.js";
import { entropy, firstOf, informationGain } from "../algorithms/measures.js";
import { short, some } from "../kit/words.js";

/** @param {{counts: number[]}} about */
export const isMixed = ({ counts }) => counts.filter(Boolean).length > 1;

// What is known of piles of cases, where `asked` has the question of each, by its path. Of a question two
// branches have what it `needs`, or its pile stays whole.
/** @param {Walked} data @param {Map<string, number>} asked @param {{needs: number}} rule */
export function pilesIn({ attributes, columns, target, classes, what }, asked, rule) {
  /** @param {number[]} rows */
  const countsOf = (rows) => classes.map((_, k) => rows.filter((row) => target[row] === k).length);
  const hasEnough = (/** @type {Pile} */ { rows }) => rows.length >= rule.needs;
  /** @param {string} at which is chosen */
  function grown(at) {
    /** @param {string} path @param {number[]} rows @param {string} name @param {string[]} names
     * @param {number[]} used @returns {Pile} */
    const visit = (path, rows, name, names, used) => {
      const asks = asked.get(path) ?? -1,
        depth = path.split(".").length - 1,
        counts = countsOf(rows),
        stands = { left: 0, top: 0, wide: 0, high: 0, middle: 0 },
        question = `${attributes[asks]?.name}?`;
      const children = attributes[asks]?.levels.map((level, code) =>
        visit(
          `${path}.${code}`,
          rows.filter((row) => columns[asks][row] === code),
          String(level),
          [...names, `${attributes[asks].name} ${level}`],
          [...used, asks],
        ),
      );
      /** @type {Pile} */
      const node = { path, rows, name, names, depth, used, counts, asks, question, ...stands };
      node.children = children;
      if (rule.needs && children && children.filter(hasEnough).length < 2) {
        node.seats = children;
        node.children = [visit(`${path}.`, rows, "", names, used)];
      }
      return node;
    };
    /** @param {Pile} node @returns {Pile[]} */
    const listed = (node) => [node, ...(node.children ?? []).flatMap(listed)];
    const all = listed(visit("", [...target.keys()], `all ${what[1]}`, [], [])),
      leaves = all.filter(({ children }) => !children),
      inner = all.filter(({ children }) => children);
    return { leaves, inner, all, chosen: all.find(({ path }) => path === at) ?? all[0] };
  }

  /** @param {Pile} leaf */
  const isOpen = (leaf) => isMixed(leaf) && leaf.used.length < attributes.length;
  const tableFor = (/** @type {Pile} */ { rows }, /** @type {number} */ a) =>
    attributes[a].levels.map((_, code) => countsOf(rows.filter((row) => columns[a][row] === code)));
  const gainsOf = (/** @type {Pile} */ node) =>
    attributes.map((_, a) => (node.used.includes(a) ? -1 : informationGain(tableFor(node, a))));
  /** What C4.5 would ask of a pile: the place of an attribute, or -1 for nothing. @param {Pile} about */
  const c45Asks = ({ rows }) => {
    const here = (/** @type {number[]} */ values) => rows.map((row) => values[row]);
    const known = { columns: columns.map(here), target: here(target) },
      pile = { attributes, classes, weight: null, ...known };
    return grow(pile, manyBranches(pile, c45Rules())).decisions[0].chosen?.split.attribute ?? -1;
  };

  return { grown, isOpen, tableFor, gainsOf, c45Asks };
}

/** The same in words. @param {Walked} data @param {ReturnType<typeof pilesIn>} piles */
export function wordsIn({ attributes, classes, what }, { gainsOf, isOpen, c45Asks }) {
  const nameOf = (/** @type {Pile} */ { names }) => names.join(", ") || `all ${what[1]}`;
  const counted = (/** @type {Pile} */ { counts }) =>
    classes.flatMap((name, k) => (counts[k] ? `${counts[k]} ${name}` : [])).join(", ");
  const words = (/** @type {Pile} */ node) =>
    `${some(node.rows.length, ...what)}${node.rows.length ? ` (${counted(node)})` : ""}`;

  /** What a story says of its step. @param {Piles} tree @param {string} [says] */
  function step({ leaves, chosen }, says) {
    if (chosen.asks < 0)
      return {
        title: words(chosen).split(" (")[0],
        says: `${says} Ask a question, and they separate.`,
      };
    const open = leaves.filter(isOpen).length,
      { name } = attributes[chosen.asks],
      who = chosen.path ? `the ${chosen.rows.length} with ${nameOf(chosen)}` : "everybody";
    const left = open
      ? `${open === leaves.length ? "It hardly helps:" : "Now"} ${open} of ${some(leaves.length, "pile")} ${open === 1 ? "is" : "are"} still mixed.`
      : "No pile is mixed: the tree is done.";
    const gains = `This gains ${short(gainsOf(chosen)[chosen.asks])} of ${short(entropy(chosen.counts))} bits. `;
    return { title: `Ask ${who} about ${name}`, says: gains + left };
  }

  // What ID3 decides of the chosen pile, and why, once it is told, and what was guessed.
  /** @param {Pile} node @param {GrownTree} best @param {{step: number, isTold: boolean, guess: number}} about */
  function decision(node, best, { step, isTold, guess }) {
    const { split, label } = best.nodes[step],
      which = node.path ? `${nameOf(node)}, ` : "all ",
      begins = `Decision ${step + 1} of ${best.nodes.length}, ${which}${words(node)}: `;
    if (!isTold) return `${begins}what does ID3 ask?`;
    const why = split
      ? `${attributes[split.attribute].name} gains most, ${short(Math.max(...gainsOf(node)))} bits, so ID3 asks about it`
      : isMixed(node)
        ? `${best.decisions[step].reason}, so this is a leaf, and it predicts ${classes[label]}`
        : `all are ${classes[node.counts.findIndex(Boolean)]}, so this is a leaf`;
    const guessed = guess < 0 ? "" : ` You guessed ${attributes[guess].name}.`;
    return `${begins}${why}.${guessed}`;
  }

  /** What ID3 would have asked, and with `ratio` C4.5. @param {Pile} node @param {boolean} ratio */
  function judged(node, ratio) {
    if (node.asks < 0) return "";
    const amounts = gainsOf(node),
      first = firstOf(amounts);
    const other = `${attributes[first].name}, ${short(amounts[first])}`;
    const by = ratio ? c45Asks(node) : -1;
    return (
      `Asking about ${attributes[node.asks].name} gains ${short(amounts[node.asks])} bits; ID3 would ask about ${first === node.asks ? "it, too" : other}. ` +
      (ratio ? `\nC4.5 would ask ${by < 0 ? "nothing" : `about ${attributes[by].name}`}. ` : "")
    );
  }

  return { nameOf, words, step, decision, judged };
}
