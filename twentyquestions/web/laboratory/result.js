// A tree that has grown, as it is shown: drawn, looked into, judged, beside one that was kept.

import { compared, differing, size } from "./compared.js";
import { inOrder } from "../kit/diagram.js";
import { make } from "../kit/draw.js";
import { framed } from "./frame.js";
import { caseForm } from "./newcase.js";
import { casesIn, nodeWords } from "./nodepanel.js";
import { NARROW, outlineTree } from "./outline.js";
import { inRow, legend, legendOf } from "../kit/legends.js";
import { choices, pick, range } from "../kit/reach.js";
import { foundIn } from "./readcases.js";
import { wantedIn } from "./regrowing.js";
import { cardWords, drawnOf, neighbour, sidewaysTree } from "./sideways.js";
import { clamp } from "../kit/stage.js";
import { takeAway } from "./exporting.js";
import { leavesOf, whereIs } from "../algorithms/tree.js";
import { testFigures, testSentence, testWords, verdictCurve } from "./verdict.js";
import { some } from "../kit/words.js";

const ROWS = 12; // of a large tree in a narrow window
const ROW_HIGH = 80; // of one in a wide window
const MOST_MOVED = 300; // of more nodes and branches none moves

const AT_ONCE = 50_000; // of a table of fewer cells it is seen what a question would do

const TREES = ["This tree", "The one kept"];
const HINT = "Press a node to see its questions. Pull the picture; with Ctrl, the wheel zooms.";
const NO_WAY = new Set();

// A tree as far as its nodes were looked at; in a narrow window as an outline.
/** @param {Tree} tree @param {Room} room
 * @param {Partial<Look> & {shown?: number, onChoose?: (i: number) => void}} about */
function pictured(
  tree,
  room,
  { shown = Infinity, way = NO_WAY, chosen = -1, differs, isSmall, onChoose },
) {
  const isKnown = (/** @type {number} */ i) => i < shown,
    most = NARROW.matches ? ROWS : Math.max(Math.floor(room.height / ROW_HIGH), ROWS / 2),
    drawn = drawnOf(tree, Math.max(chosen, 0), way, most);
  /** @type {Look["about"]} */
  const about = (i) => {
    const node = tree.nodes[i];
    const label = `${whereIs(tree, i, "all cases")}: ${isKnown(i) ? cardWords(tree, node) : "?"}, ${casesIn(node)}${differs?.has(i) ? ", not in the other tree" : ""}`;
    if (!onChoose) return { role: "img", "aria-label": label };
    const picked = pick(label, () => onChoose(i), {
      "aria-pressed": i === chosen,
      tabindex: i === chosen ? 0 : -1,
    });
    const keydown = (/** @type {KeyboardEvent} */ event) => {
      const to = neighbour(tree, i, event, NARROW.matches && inOrder(tree));
      if (to === i) return picked.keydown?.(event);
      event.preventDefault();
      onChoose(to);
    };
    return { ...picked, keydown };
  };
  const look = { about, isKnown, drawn, way, chosen, differs, isSmall, ...room };
  return NARROW.matches ? outlineTree(tree, look) : sidewaysTree(tree, look);
}

// The tree that has grown, in its frame, where it is also seen what a question would do.
/** @param {Lab} lab @param {GrownTree} here @param {Set<number> | undefined} differs
 * @param {boolean} isSmall @param {(i: number) => void} onChoose */
function ownFrame(lab, here, differs, isSmall, onChoose) {
  const { state } = lab,
    { tree, pruned, cases, how } = foundIn(lab);
  let /** @type {GrownTree | null} */ would = null;
  const own = framed(
    lab,
    "The tree, drawn",
    "The tree: press a node for its cases, arrows lead from one to the next",
    isSmall ? "Press a node to see its questions." : HINT,
    (room) => {
      const about = { ...state, way: NO_WAY, isSmall };
      if (would) return pictured(would, room, { ...about, differs: differing(would, here) });
      const way = here === tree ? state.way : NO_WAY;
      return pictured(here, room, { ...about, way, differs, onChoose });
    },
  );
  // The frame keeps its height, so that what is pointed at stays where it is.
  lab.preview = (wanted) => {
    const isSmall = cases.target.length * cases.columns.length < AT_ONCE;
    would = wanted && isSmall ? wantedIn(pruned, cases, wanted, how).tree : null;
    own.frame.style.height = would ? `${own.frame.offsetHeight}px` : "";
    const before = seenIn(own.frame);
    own.show(state.zoom);
    unfurl(own.frame, before);
  };
  lab.showWay = (way) => ((state.way = way), own.show(state.zoom));
  return own;
}

// The nodes and branches that are seen, and by what each is known: what it says, or its way.
/** @param {Element} place @returns {[SVGGraphicsElement, string | null][]} */
const seenIn = (place) =>
  Array.from(place.querySelectorAll(".dtb-frame :is(g[aria-label], svg > path)"), (part) => {
    const says = part.getAttribute("aria-label")?.replace(/, not in.*/, "");
    return [/** @type {SVGGraphicsElement} */ (part), says ?? part.getAttribute("d")];
  });

// What was not there before comes to be seen, from the root on.
/** @param {Element} place @param {ReturnType<typeof seenIn>} before */
function unfurl(place, before) {
  const known = new Set(before.map(([, name]) => name)),
    added = seenIn(place).filter(([, name]) => !known.has(name));
  if (added.length > MOST_MOVED || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const at = added.map(([part]) => part.getBBox()[NARROW.matches ? "y" : "x"]);
  added.forEach(([part], i) => {
    const delay = 0.8 * (at[i] - Math.min(...at));
    part.animate([{ opacity: 0 }, {}], { duration: 250, delay, fill: "backwards" });
  });
}

// Keep the tree that is there, to compare it with those to come, or let it go.
export function keep(/** @type {Lab} */ lab, isKept = true) {
  const { found, table } = lab.state;
  if (!table.n || !found) return;
  lab.state.kept = isKept ? { ...found, ...JSON.parse(found.now) } : null;
  showTrees(lab);
  if (isKept) lab.say("This tree is kept. Change a setting, and the next tree is drawn beside it.");
}

// Draw the tree that has grown, and the one that is kept; nothing that was set is forgotten.
function showTrees(/** @type {Lab} */ lab) {
  const { state, parts } = lab,
    { full, tree } = foundIn(lab),
    here = state.pruned ? tree : full,
    { kept } = state,
    [only, keptOnly] = kept ? [differing(here, kept.tree), differing(kept.tree, here)] : [],
    isBeside = Boolean(only?.size || keptOnly?.size),
    before = seenIn(parts.tree);
  const own = ownFrame(lab, here, only, isBeside, (i) => {
    state.chosen = i;
    look();
    const /** @type {SVGElement | null} */ card = own.sheet.querySelector('[aria-pressed="true"]');
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const paintKept = (/** @type {Room} */ room) =>
    pictured(kept?.tree ?? here, room, { differs: keptOnly, isSmall: true });
  const frames = isBeside
      ? [own, framed(lab, "The kept tree, drawn", "The kept tree", "", paintKept)]
      : [own],
    tellNode = () => parts.node.replaceChildren(...nodeWords(lab));
  const look = () => (own.show(state.zoom), tellNode());
  const which = choices(
    "Show the tree",
    ["as it was grown", "pruned"],
    Number(state.pruned),
    (i) => {
      Object.assign(state, { pruned: Boolean(i), chosen: 0, shown: Infinity });
      showTrees(lab);
      lab.refocus(parts.tree);
    },
  );
  const number = here.nodes.length;
  const headOf = (/** @type {number} */ i) =>
    `${TREES[i]}: ${size(i && kept ? kept : { ...state, tree: here })}`;
  const seen = frames.map(({ frame, told }, i) =>
    make("div", isBeside ? make("p", headOf(i)) : "", frame, told),
  );
  parts.tree.replaceChildren(
    inRow(
      legend((here.classes ?? []).map(String)),
      legendOf(["way of the case", { class: "dtb-one", "stroke-width": 4 }]),
      state.algorithm === "ID3" ? "" : which,
    ),
    kept && only && keptOnly ? compared(lab, kept, only, keptOnly, () => keep(lab, false)) : "",
    !state.pruned || full === tree ? looking(state, number, look) : "",
    make("div", { class: "dtb-frames" }, seen),
  );
  scaled(lab, frames);
  unfurl(parts.tree, before);
  tellNode();
}

/** @param {HTMLElement} frame */
const isWhole = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
  Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight) < 16; // beside its cards

// How large trees are drawn.
function scaled(/** @type {Lab} */ lab, /** @type {ReturnType<typeof framed>[]} */ frames) {
  const { state, parts } = lab;
  lab.zoom = (by) => {
    state.zoom = by ? clamp(state.zoom * by, 0.2, 3) : frames[0].fit();
    for (const frame of frames) frame.zoom(state.zoom);
    // Of a tree that is seen whole nobody needs another size.
    parts.zoom.hidden = frames.every(({ frame }) => isWhole(frame));
  };
  lab.refit = () => {
    for (const frame of frames) frame.show(state.zoom);
    lab.zoom?.(0);
  };
  lab.refit();
}

// How many nodes were looked at, one after another.
/** @param {State} state @param {number} most @param {() => unknown} look */
function looking(state, most, look) {
  const about = {
    min: 1,
    max: Math.max(most, 2),
    value: Math.min(state.shown, most),
    words: (/** @type {number} */ v) => `${Math.min(v, most)} of ${most}`,
  };
  return range("nodes looked at", about, (v) => {
    state.shown = v;
    state.chosen = Math.min(v, most) - 1;
    look();
  });
}

// The first result comes in parts, so that the page answers meanwhile.
export async function showResult(/** @type {Lab} */ lab, /** @type {boolean} */ isFirst) {
  const { state, parts } = lab,
    { tree } = foundIn(lab);
  // The way of the case is found first, so that the tree is drawn once.
  lab.showWay = (way) => (state.way = way);
  const tasks = [
    () => parts.case.replaceChildren(caseForm(lab)),
    () => showTrees(lab),
    () => parts.verdict.replaceChildren(testFigures(lab), verdictCurve(lab), ...testWords(lab)),
    () => parts.away.replaceChildren(takeAway(lab)),
  ];
  const { turn } = state;
  for (const task of tasks) {
    if (isFirst) await new Promise((go) => setTimeout(go));
    if (turn !== state.turn) return; // another tree has grown meanwhile
    task();
  }
  const leaves = some(leavesOf(tree).length, "leaf", "leaves");
  lab.say(`${state.algorithm} grew a tree for ${state.answer}: ${leaves}. ${testSentence(lab)}`);
  parts.tree.ariaBusy = "false";
}
