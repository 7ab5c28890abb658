// A tree that has grown, as it is shown: drawn, looked into, judged, beside one that was kept.

import { compared, differing } from "./compared.js";
import { draw, make } from "./draw.js";
import { caseForm } from "./newcase.js";
import { casesIn, nodeWords } from "./nodepanel.js";
import { inOrder, NARROW, outlineTree } from "./outline.js";
import { inRow, legend } from "./parts.js";
import { button, choices, pick, range } from "./reach.js";
import { foundIn } from "./readcases.js";
import { wantedIn } from "./regrow.js";
import { scrolling } from "./sheets.js";
import { neighbour, sidewaysTree } from "./sideways.js";
import { takeAway } from "./takeaways.js";
import { asks, depthOf, leavesOf, whereIs } from "./tree.js";
import { testSentence, testWords, verdictCurve } from "./verdict.js";
import { short, some } from "./words.js";

// So many nodes fill a page; of more, so many are drawn.
const MOST_DRAWN = 1500,
  FIRST_DRAWN = 500;

const AT_ONCE = 50_000; // of a table of fewer cells it is seen what a question would do

const NAMES = ["This tree", "The tree that is kept"];

// A frame that scrolls, with a picture in it; `paint(width)` gives its { parts, width, height }.
/**
 * @param {string} label @param {string} about
 * @param {(width: number) => { parts: Element[], width: number, height: number }} paint
 */
function framed(label, about, paint) {
  const sheet = draw("svg", { role: "group", "aria-label": about, class: "dtb-stage" });
  const frame = scrolling(label, sheet);
  frame.classList.add("dtb-frame");
  let size = { width: 1, height: 1 };
  /** @param {number} by */
  const zoom = (by) => {
    sheet.setAttribute("width", String(size.width * by));
    sheet.setAttribute("height", String(size.height * by));
  };
  /** @param {number} by */
  const show = (by) => {
    const { parts, ...now } = paint(frame.clientWidth || innerWidth - 40);
    size = now;
    sheet.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    sheet.replaceChildren(...parts);
    zoom(by);
  };
  // Not so small that nobody can read it: then the frame scrolls.
  const fit = () => Math.min(1, Math.max((frame.clientWidth - 4) / size.width || 1, 0.86));
  return { frame, sheet, zoom, show, fit };
}

// A tree as far as its nodes were looked at; in a narrow window, or beside another, as an outline.
/**
 * @param {Tree} tree @param {number} width
 * @param {Partial<Look> & {shown?: number, isBeside?: boolean, onChoose?: (i: number) => void}} about
 */
function pictured(
  tree,
  width,
  { shown = Infinity, way = new Set(), chosen = -1, differs, isBeside = false, onChoose },
) {
  const end = tree.nodes.length > MOST_DRAWN ? Math.min(shown, FIRST_DRAWN) : shown;
  /** @param {number} i */
  const isKnown = (i) => i < end;
  const isNarrow = NARROW.matches || isBeside;
  /** @param {number} i */
  /** @type {Look["about"]} */
  const about = (i) => {
    const node = tree.nodes[i];
    const label = `${whereIs(tree, i, "all cases")}: ${isKnown(i) ? asks(tree, node) : "?"}, ${casesIn(node)}${differs?.has(i) ? ", not in the other tree" : ""}`;
    if (!onChoose) return { role: "img", "aria-label": label };
    const picked = pick(label, () => onChoose(i), {
      "aria-pressed": i === chosen,
      tabindex: i === chosen ? 0 : -1,
    });
    /** @param {KeyboardEvent} event */
    const keydown = (event) => {
      const to = neighbour(tree, i, event, isNarrow && inOrder(tree));
      if (to === i) return picked.keydown?.(event);
      event.preventDefault();
      onChoose(to);
    };
    return { ...picked, keydown };
  };
  return (isNarrow ? outlineTree : sidewaysTree)(tree, {
    about,
    isKnown,
    way,
    chosen,
    differs,
    width,
  });
}

// The tree that has grown, in its frame, where it is also seen what a question would do.
/**
 * @param {Lab} lab @param {GrownTree} here @param {Set<number> | null} differs
 * @param {(i: number) => void} onChoose
 */
function ownFrame(lab, here, differs, onChoose) {
  const { state } = lab,
    { tree, cases, how } = foundIn(lab);
  let /** @type {GrownTree | null} */ would = null;
  const own = framed(
    "The tree, drawn",
    "The tree: press a node for its cases, arrows lead from one to the next",
    (width) =>
      would
        ? pictured(would, width, { ...state, way: new Set(), differs: differing(would, here) })
        : pictured(here, width, {
            ...state,
            way: here === tree ? state.way : new Set(),
            differs,
            isBeside: Boolean(state.kept),
            onChoose,
          }),
  );
  // The frame keeps its height, so that what is pointed at stays where it is.
  lab.preview = (wanted) => {
    const isSmall = cases.target.length * cases.columns.length < AT_ONCE;
    would = wanted && isSmall ? wantedIn(tree, cases, wanted, how) : null;
    own.frame.style.height = would ? `${own.frame.offsetHeight}px` : "";
    own.show(state.zoom);
  };
  lab.showWay = (way) => {
    state.way = way;
    own.show(state.zoom);
  };
  return own;
}

// Draw the tree that has grown, and the one that is kept; nothing that was set is forgotten.
/** @param {Lab} lab */
function showTrees(lab) {
  const { state, parts } = lab,
    { full, tree } = foundIn(lab),
    here = state.pruned ? tree : full,
    { kept } = state,
    only = kept && differing(here, kept.tree),
    keptOnly = kept && differing(kept.tree, here),
    detail = make("div", { class: "dtb-part dtb-node" });
  const own = ownFrame(lab, here, only, (i) => {
    state.chosen = i;
    look();
    const card = own.sheet.querySelector('[aria-pressed="true"]');
    /** @type {SVGElement | null} */ (card)?.focus({ preventScroll: true });
  });
  const frames = [own];
  if (kept)
    frames.push(
      framed("The kept tree, drawn", "The kept tree", (width) =>
        pictured(kept.tree, width, { differs: keptOnly, isBeside: true }),
      ),
    );
  const look = () => {
    own.show(state.zoom);
    detail.replaceChildren(...nodeWords(lab));
  };
  /** @param {number} i */
  const prune = (i) => {
    Object.assign(state, { pruned: Boolean(i), chosen: 0, shown: Infinity });
    showTrees(lab);
    lab.refocus(parts.tree);
  };
  const which = () =>
    choices("Show the tree", ["as it was grown", "pruned"], Number(state.pruned), prune);
  const number = here.nodes.length,
    { row, fit } = zooming(lab, frames);
  parts.tree.replaceChildren(
    inRow(state.algorithm === "ID3" ? "" : which(), legend((here.classes ?? []).map(String)), row),
    kept && only && keptOnly ? compared(lab, kept, only, keptOnly) : "",
    !state.pruned || full === tree ? looking(state, number, look) : "",
    number > MOST_DRAWN
      ? make("p", {}, `Drawn are the first ${FIRST_DRAWN} of ${number} nodes, from the root down.`)
      : "",
    make(
      "div",
      { class: "dtb-frames" },
      frames.map(({ frame }, i) => make("div", {}, kept ? make("p", {}, NAMES[i]) : "", frame)),
    ),
    detail,
  );
  lab.refit = () => {
    for (const frame of frames) frame.show(state.zoom);
    fit();
  };
  lab.refit();
  look();
}

// How large trees are drawn: a row of buttons, and what fits them into their frames.
/** @param {Lab} about @param {ReturnType<typeof framed>[]} frames */
function zooming({ state, parts }, frames) {
  const told = make("output", { "aria-live": "off" });
  /** @param {number} to */
  const zoom = (to) => {
    state.zoom = Math.min(Math.max(to, 0.2), 3);
    told.textContent = `${Math.round(100 * state.zoom)}%`;
    for (const frame of frames) frame.zoom(state.zoom);
  };
  const fit = () => zoom(frames[0].fit()),
    whole = () =>
      document.fullscreenElement ? document.exitFullscreen() : parts.tree.requestFullscreen();
  const row = make(
    "span",
    { class: "dtb-zoom" },
    button("−", () => zoom(state.zoom / 1.25), { "aria-label": "smaller" }),
    told,
    button("+", () => zoom(state.zoom * 1.25), { "aria-label": "larger" }),
    button("Fit", fit),
    button("Full screen", whole),
  );
  return { row, fit };
}

// How many nodes were looked at, one after another.
/** @param {State} state @param {number} most @param {() => unknown} look */
function looking(state, most, look) {
  /** @param {number} v */
  const words = (v) => `${Math.min(v, most)} of ${most}`;
  const value = Math.min(state.shown, most);
  return range("nodes looked at", { min: 1, max: Math.max(most, 2), value, words }, (v) => {
    state.shown = v;
    state.chosen = Math.min(v, most) - 1;
    look();
  });
}

/** @param {Lab} lab */
export function showResult(lab) {
  const { state, parts } = lab,
    { full, tree, seconds } = foundIn(lab);
  state.way = new Set();
  lab.showTrees = () => showTrees(lab);
  showTrees(lab);
  parts.verdict.replaceChildren(...testWords(lab), verdictCurve(lab));
  parts.case.replaceChildren(caseForm(lab, (way) => lab.showWay(way)));
  parts.away.replaceChildren(takeAway(lab));
  /** @param {Tree} of */
  const leaves = (of) => some(leavesOf(of).length, "leaf", "leaves");
  const words = `${some(tree.nodes.length, "node")}, ${leaves(tree)}, depth ${depthOf(tree)}`;
  lab.say(
    `${state.algorithm} grew a tree for ${state.answer} in ${short(seconds, 2)} seconds: ${full === tree ? words : `${leaves(full)}; pruned, ${words}`}. ${testSentence(lab)}`,
  );
}
