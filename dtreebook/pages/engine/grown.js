// A tree that has grown, as it is shown: drawn, looked into, judged.

import { draw, legend, make, short, some } from "./draw.js";
import { caseForm, testSentence, testWords } from "./judged.js";
import { casesIn, nodeWords } from "./nodepanel.js";
import { button, choices, pick, range } from "./reach.js";
import { scrolling } from "./sheets.js";
import { neighbour, sidewaysTree } from "./sideways.js";
import { takeAway } from "./takeaways.js";
import { asks, depthOf, leavesOf, whereIs } from "./tree.js";
import { sizes, verdictCurve } from "./verdict.js";

// So many nodes fill a page; of more, so many are drawn.
const MOST_DRAWN = 1500,
  FIRST_DRAWN = 500;

export function showResult(lab) {
  const { full, tree, seconds } = lab.state.found;
  const pictured = lab.state.pruned ? tree : full;
  const steps = make("div");
  if (!lab.state.pruned || full === tree) {
    const inner = pictured.nodes.length;
    steps.append(
      range(
        "nodes looked at",
        {
          min: 1,
          max: Math.max(inner, 2),
          value: Math.min(lab.state.shown, inner),
          words: (v) => `${Math.min(v, inner)} of ${inner}`,
        },
        (v) => {
          lab.state.shown = v;
          lab.state.chosen = Math.min(v, inner) - 1;
          showTree();
          detail.replaceChildren(...nodeWords(lab));
        },
      ),
    );
  }
  const detail = make("div", { class: "dtb-part dtb-node" });
  const sheet = draw("svg", {
    role: "group",
    "aria-label": "The tree: press a node for its cases, arrows lead from one to the next",
    class: "dtb-stage",
  });
  const frame = scrolling("The tree, drawn", sheet);
  frame.classList.add("dtb-frame");
  lab.state.way = new Set();
  const zoomed = make("output", { "aria-live": "off" });
  let size = { width: 0, height: 0 };
  const zoom = (to) => {
    lab.state.zoom = Math.min(Math.max(to, 0.2), 3);
    zoomed.textContent = `${Math.round(100 * lab.state.zoom)}%`;
    sheet.setAttribute("width", size.width * lab.state.zoom);
    sheet.setAttribute("height", size.height * lab.state.zoom);
  };
  // Not so small that nobody can read it: then the frame scrolls.
  const fit = () => zoom(Math.min(1, Math.max((frame.clientWidth - 4) / size.width || 1, 0.65)));
  function showTree() {
    const { parts: pictures, ...rest } = treeParts(lab, pictured, (i) => {
      lab.state.chosen = i;
      showTree();
      detail.replaceChildren(...nodeWords(lab));
      sheet.querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
    });
    size = rest;
    sheet.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    sheet.replaceChildren(...pictures);
    zoom(lab.state.zoom);
  }
  lab.parts.tree.replaceChildren(
    make(
      "div",
      { class: "dtb-row" },
      lab.state.algorithm === "ID3"
        ? ""
        : choices(
            "Show the tree",
            ["as it was grown", "pruned"],
            Number(lab.state.pruned),
            (i) => {
              Object.assign(lab.state, { pruned: Boolean(i), chosen: 0, shown: Infinity });
              showResult(lab);
              lab.refocus(lab.parts.tree);
            },
          ),
      make(
        "span",
        { class: "dtb-zoom" },
        button("−", () => zoom(lab.state.zoom / 1.25), { "aria-label": "smaller" }),
        zoomed,
        button("+", () => zoom(lab.state.zoom * 1.25), { "aria-label": "larger" }),
        button("Fit", fit),
        button("Full screen", () => (document.fullscreenElement ? document.exitFullscreen() : lab.parts.tree.requestFullscreen())),
      ),
    ),
    legend((pictured.classes ?? []).map(String)),
    steps,
    pictured.nodes.length > MOST_DRAWN
      ? make(
          "p",
          {},
          `Drawn are the first ${FIRST_DRAWN} of ${pictured.nodes.length} nodes, from the root down.`,
        )
      : "",
    frame,
    detail,
  );
  showTree();
  fit();
  detail.replaceChildren(...nodeWords(lab));
  lab.parts.verdict.replaceChildren(
    testWords(lab),
    curveOfSizes(lab),
    caseForm(lab, (way) => {
      lab.state.way = lab.state.pruned || full === tree ? way : new Set();
      showTree();
    }),
    takeAway(lab),
  );
  const words = `${some(tree.nodes.length, "node")}, ${some(leavesOf(tree).length, "leaf", "leaves")}, depth ${depthOf(tree)}`;
  lab.say(
    `${lab.state.algorithm} grew a tree for ${lab.state.answer} in ${short(seconds, 2)} seconds: ${full === tree ? words : `${some(leavesOf(full).length, "leaf", "leaves")}; pruned, ${words}`}. ${testSentence(lab)}`,
  );
}

// The tree as far as its nodes were looked at; the chosen node is marked.
export function treeParts(lab, tree, onChoose) {
  const shown = tree.nodes.length > MOST_DRAWN ? Math.min(lab.state.shown, FIRST_DRAWN) : lab.state.shown;
  const isKnown = (i) => i < shown;
  const about = (i) => {
    const node = tree.nodes[i],
      words = isKnown(i) ? asks(tree, node) : "?";
    const label = `${whereIs(tree, i, "all cases")}: ${words}, ${casesIn(node)}`;
    const picked = pick(label, () => onChoose(i), {
      "aria-pressed": i === lab.state.chosen,
      tabindex: i === lab.state.chosen ? 0 : -1,
    });
    return {
      ...picked,
      keydown: (event) => {
        const to = neighbour(tree, i, event);
        if (to === i) return picked.keydown(event);
        event.preventDefault();
        onChoose(to);
      },
    };
  };
  return sidewaysTree(tree, { about, isKnown, way: lab.state.way, chosen: lab.state.chosen });
}

// The curve of errors by size; only CART has a path of trees.
export function curveOfSizes(lab) {
  const { full, tree, held, impurity } = lab.state.found;
  if (lab.state.algorithm !== "CART" || !held.length || full.nodes.length > MOST_DRAWN) return "";
  return verdictCurve(sizes(lab.state.found, impurity, lab.predict), leavesOf(tree).length, tree.classes, (alpha) => {
    lab.state.values.CART.alpha = alpha;
    lab.showHow();
    lab.soon();
  });
}
