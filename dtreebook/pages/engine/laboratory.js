// The laboratory: a reader's own table, grown and pruned by the engine, node by node, and taken
// away as text, picture, JSON and Python. Nothing leaves the page. data: { tables: { name: [{ name,
// levels, values }] } }, values being numbers, or a string with a letter for each case from "0" on;
// "0!12!" is a run of twelve.

import { cart } from "./cart.js";
import { BLANK, decoded, LARGEST, readTable } from "./csv.js";
import { draw, legend, make, share, short, some } from "./draw.js";
import { entropy, gini, sum } from "./measures.js";
import { asNominal, c45, id3 } from "./multiway.js";
import { newCase } from "./newcase.js";
import { numberOf } from "./numbers.js";
import { collapse, errorBased, pruneAt } from "./prune.js";
import { button, check, choices, newName, pick, range } from "./reach.js";
import { nodeAt, regrow } from "./regrow.js";
import { neighbour, sidewaysTree } from "./sideways.js";
import { start } from "./start.js";
import { asJson, asText } from "./takeaway.js";
import {
  answer,
  asked,
  asks,
  branchWord,
  conditions,
  depthOf,
  inDigits,
  leavesOf,
  pour,
  route,
  spread,
  wayTo,
  whereIs,
} from "./tree.js";
import { sizes, verdictCurve } from "./verdict.js";

// Steps of the golden ratio around a circle: a share of the rows, spread evenly, whatever order
// they are in.
const SPREAD = 0.6180339887498949;

// What can be set, as a slider, a switch that is on, or a choice whose first is taken.
const DEPTH = [
  "most questions on a path",
  { min: 1, max: 12, value: 12, words: (v) => (v === 12 ? "no limit" : String(v)) },
];
const SETTINGS = {
  ID3: {
    depth: DEPTH,
    gain: [
      "least gain in bits",
      { min: 0, max: 0.5, step: 0.01, value: 0, words: (v) => v.toFixed(2) },
    ],
  },
  "C4.5": {
    criterion: ["Ask for the largest", ["gain ratio", "information gain"]],
    guard: ["only of those with at least average gain", true],
    penalty: ["a cut pays for those that were tried", true],
    cases: ["cases that two branches must have", { min: 0, max: 30, value: 2 }],
    raising: ["pruning may put a branch in its parent's place", true],
    confidence: [
      "confidence of the pruning",
      {
        min: 0.01,
        max: 1,
        step: 0.01,
        value: 0.25,
        words: (v) => (v === 1 ? "1, nearly unpruned" : v.toFixed(2)),
      },
    ],
  },
  CART: {
    criterion: ["Impurity", ["Gini", "entropy"]],
    depth: DEPTH,
    leaf: ["least cases in a leaf", { min: 1, max: 50, value: 1 }],
    alpha: [
      "price of a leaf, α",
      { min: 0, max: 0.1, step: 0.001, value: 0, words: (v) => v.toFixed(3) },
    ],
  },
};

// A table of so many cells grows its tree after it has said so.
const MANY = 50_000;

// So many branches times cases take ID3 some seconds; so many nodes fill a page.
const MOST_BRANCHES = 2e7,
  MOST_DRAWN = 1500,
  FIRST_DRAWN = 500;

// More classes would fill the memory; the squares of larger numbers, added up, may be infinite.
const MOST_CLASSES = 1000,
  LARGEST_ANSWER = 1e145;

const scrolling = (label, ...inside) =>
  make("div", { class: "dtb-scroll", tabindex: 0, role: "group", "aria-label": label }, ...inside);
const sheetOf = (label, heads, rows, more = {}) =>
  scrolling(
    label,
    make(
      "table",
      more,
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          heads.map((name) => make("th", { scope: "col" }, name)),
        ),
      ),
      make("tbody", {}, rows),
    ),
  );
const rowOf = (head, cells, isRight = () => false) =>
  make(
    "tr",
    {},
    make("th", { scope: "row" }, head),
    cells.map((cell, i) => make("td", { class: isRight(i) && "dtb-right" }, cell)),
  );

// What is set when a table is opened.
const defaults = () =>
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, settings]) => [
      name,
      Object.fromEntries(
        Object.entries(settings).map(([key, [, about]]) => [key, about.value ?? about[0] ?? about]),
      ),
    ]),
  );

// What the laboratory begins with: people, blanks and a tree that one can read.
const FIRST = { table: "smokers", algorithm: "CART", CART: { leaf: 20, alpha: 0.002 } };

function laboratoryExplorable(play, data, say) {
  const state = {
    table: null,
    file: "table.csv",
    encoding: "",
    algorithm: "C4.5",
    values: defaults(),
    hold: 3,
    pruned: true,
    chosen: 0,
    shown: Infinity,
    zoom: 1,
    way: new Set(),
    book: "",
    wanted: [],
    past: [],
    future: [],
    now: null,
  };
  const parts = Object.fromEntries(
    ["message", "columns", "how", "tree", "verdict"].map((name) => [
      name,
      make("div", { class: "dtb-part" }),
    ]),
  );

  // --- the table ---------------------------------------------------------------------------------

  function open(source, file, encoding = "", settings = {}) {
    try {
      const table = readTable(source);
      table.columns.forEach((column) => {
        column.isName = !column.isNumber && column.levels.length === table.n && table.n > 3;
        const isOut = column.isName || column.isDate || !column.levels.length;
        column.kind = isOut ? "out" : column.isNumber ? "number" : "category";
      });
      const last = answerOf(table.columns);
      if (
        last.isNumber &&
        last.levels.length <= 10 &&
        last.levels.every((level) => !level.includes("."))
      )
        last.kind = "category";
      else if (last.kind === "out") last.kind = "category";
      Object.assign(state, {
        table,
        file,
        encoding,
        answer: last.name,
        algorithm: settings.algorithm ?? "C4.5",
        values: defaults(),
        wanted: [],
        past: [],
        future: [],
        now: null,
      });
      for (const [name, values] of Object.entries(settings))
        if (name in SETTINGS) Object.assign(state.values[name], values);
      parts.message.replaceChildren(
        make(
          "p",
          {},
          `${file}: ${some(table.n, "row")}, ${some(table.columns.length, "column")}, fields separated by ${{ ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" }[table.separator]}.`,
        ),
      );
    } catch (error) {
      state.table = null;
      parts.message.replaceChildren(
        make("p", { class: "dtb-error" }, `${file} cannot be read. ${error.message}`),
      );
      for (const name of ["columns", "how", "tree", "verdict"]) parts[name].replaceChildren();
      return say(`${file} cannot be read. ${error.message}`);
    }
    parts.tree.replaceChildren();
    parts.verdict.replaceChildren();
    showColumns();
    showHow();
    soon();
  }

  // The column that is most likely what a table is about: one of a telling name, else the last one
  // of few words, else the last.
  function answerOf(columns) {
    const asked = columns.filter(({ kind, levels }) => kind !== "out" && levels.length > 1);
    const few = asked.filter(({ levels, isNumber }) => levels.length <= 20 && !isNumber);
    const isNamed = ({ name }) =>
      /^(y|class|label|target|answer|outcome|result|diagnosis|species|survived|churn|default)$/i.test(name);
    return asked.findLast(isNamed) ?? few.at(-1) ?? asked.at(-1) ?? columns.at(-1);
  }

  // A table of the book, as a file would have it.
  function openBook(name, settings) {
    const unpacked = (letters) => letters.replace(/(.)!(\d+)!/g, (_, one, n) => one.repeat(n));
    const columns = data.tables[name].map((column) =>
      column.levels ? { ...column, values: unpacked(column.values) } : column,
    );
    const field = (words) => (/[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words);
    const at = ({ levels, values }, i) =>
      field(levels ? levels[values.charCodeAt(i) - 48] : (values[i] ?? "").toString());
    const lines = [columns.map(({ name: of }) => field(of))];
    for (let i = 0; i < columns[0].values.length; i++)
      lines.push(columns.map((column) => at(column, i)));
    openText(lines.map((line) => line.join(",")).join("\n"), `${name}.csv`, settings);
    state.book = name;
  }

  // What is no file yet can be saved as one, for the lines of Python to read.
  function openText(source, name, settings) {
    state.book = "";
    open(source, name, "", settings);
    if (!state.table) return;
    const href = URL.createObjectURL(new Blob([source], { type: "text/csv" }));
    parts.message.append(make("a", { href, download: name }, `Save ${name}`));
  }

  async function openFile(file) {
    if (!file) return;
    if (file.size > LARGEST) return open("x".repeat(LARGEST + 1), file.name);
    state.book = "";
    say(`Reading ${file.name} …`);
    const { text: source, encoding } = decoded(await file.arrayBuffer());
    if (file.size > LARGEST / 10) await new Promise((read) => setTimeout(read, 50));
    open(source, file.name, encoding);
  }

  function showColumns() {
    const { columns } = state.table;
    const kinds = { number: "a number", category: "a category", out: "left out" },
      group = newName();
    const row = (column) => {
      const select = make(
        "select",
        {
          "aria-label": `${column.name} is`,
          change: () => ((column.kind = select.value), showHow(), soon()),
        },
        Object.entries(kinds)
          .filter(([kind]) => kind !== "number" || column.isNumber)
          .map(([kind, words]) =>
            make("option", { value: kind, selected: kind === column.kind || null }, words),
          ),
      );
      const answer = make("input", {
        type: "radio",
        name: group,
        "aria-label": `${column.name} is the answer`,
        checked: column.name === state.answer || null,
        change: () => {
          state.answer = column.name;
          if (column.kind === "out")
            column.kind = select.value = column.isNumber ? "number" : "category";
          showHow();
          soon();
        },
      });
      return rowOf(column.name, [select, readAs(column), answer, column.levels.length, column.blanks]);
    };
    const heads = ["column", "is", "read as", "answer", "values", "blanks"];
    const doubtful = columns.filter(({ isDoubtful }) => isDoubtful).map(({ name }) => name);
    parts.columns.replaceChildren(
      doubtful.length
        ? make(
            "p",
            { class: "dtb-error" },
            `The numbers of ${doubtful.join(", ")} can be read in more than one way. Is the right one chosen below?`,
          )
        : "",
      sheetOf("The columns", heads, columns.map(row)),
    );
  }

  // How a column is read: in words, or a choice between the ways that its numbers can be read in.
  function readAs(one) {
    if (one.isDate) return "dates: give a year, or days, as a number";
    if (one.isName) return "names, another in each row";
    if (!one.isNumber) return one.levels.length ? "words" : "nothing";
    if (one.ways.length === 1)
      return one.way.example === "1234.5" ? "numbers" : `numbers like ${one.way.example}`;
    const differs = one.levels.find(
      (level) => new Set(one.ways.map((way) => numberOf(level, way))).size > 1,
    );
    const select = make(
      "select",
      {
        "aria-label": `${one.name} is read as`,
        change: () => {
          one.way = one.ways[select.selectedIndex];
          one.numbers = one.values.map((value) => numberOf(value, one.way));
          soon();
        },
      },
      one.ways.map((way) =>
        make(
          "option",
          { selected: way === one.way || null },
          `${differs} = ${numberOf(differs, way)}`,
        ),
      ),
    );
    return select;
  }

  const column = (name) => state.table.columns.find((one) => one.name === name);
  const isNumberAnswer = () => column(state.answer).kind === "number";

  // What was chosen is made anew, so it is focused again.
  const refocus = (part) => part.querySelector("input:checked").focus();

  function soon() {
    remember();
    clearTimeout(state.waits);
    if (state.table.n * state.table.columns.length < MANY) return grown();
    say("The tree is growing …");
    state.waits = setTimeout(grown, 60);
  }

  // --- back and forth ----------------------------------------------------------------------------

  const snapshot = () =>
    JSON.stringify({
      algorithm: state.algorithm,
      values: state.values,
      hold: state.hold,
      answer: state.answer,
      wanted: state.wanted,
      kinds: state.table.columns.map(({ kind }) => kind),
    });

  // Note what is set now, so that it can be taken back; moves of one slider count once.
  function remember() {
    const now = snapshot();
    if (now === state.now) return;
    if (state.now) state.past.push(state.now);
    Object.assign(state, { now, future: [] });
  }

  function setTo(saved) {
    const { kinds, ...rest } = JSON.parse(saved);
    Object.assign(state, rest, { now: saved });
    state.table.columns.forEach((one, i) => (one.kind = kinds[i]));
    showColumns();
    showHow();
    soon();
  }

  function step(from, to) {
    if (!state.table || !state[from].length) return say("There is nothing to go back to.");
    state[to].push(state.now);
    setTo(state[from].pop());
  }

  // An address that opens a table of the book as it is now.
  async function copyLink() {
    if (!state.book)
      return say("A link holds a table of the book; send your own table as a file beside the lines of Python.");
    const address = new URL(location.href);
    const settings = { algorithm: state.algorithm, [state.algorithm]: state.values[state.algorithm] };
    address.hash = `table=${encodeURIComponent(state.book)}&set=${encodeURIComponent(JSON.stringify(settings))}`;
    history.replaceState(null, "", address.hash);
    say("The address of this page opens this table with these settings; it is copied, too.");
    await navigator.clipboard?.writeText(address.href).catch(() => {});
  }

  // --- the algorithm -----------------------------------------------------------------------------

  function showHow() {
    const names = isNumberAnswer() ? ["CART"] : ["ID3", "C4.5", "CART"];
    if (!names.includes(state.algorithm)) state.algorithm = "CART";
    const values = state.values[state.algorithm];
    parts.how.replaceChildren(
      choices(
        "Algorithm",
        names,
        names.indexOf(state.algorithm),
        (i) => {
          state.algorithm = names[i];
          showHow();
          refocus(parts.how);
          soon();
        },
      ),
      ...Object.entries(SETTINGS[state.algorithm])
        .filter(([key]) => key !== "criterion" || !isNumberAnswer())
        .map(([key, [label, about]]) => {
          const set = (value) => ((values[key] = value), soon());
          if (about === true) return check(label, values[key], set);
          if (!Array.isArray(about)) return range(label, { ...about, value: values[key] }, set);
          return choices(label, about, about.indexOf(values[key]), (i) => set(about[i]));
        }),
      choices(
        "Kept apart to test the tree",
        ["a third of the rows", "a fifth", "none"],
        [3, 5, 0].indexOf(state.hold),
        (i) => ((state.hold = [3, 5, 0][i]), soon()),
      ),
    );
  }

  // The rows that have an answer, as cases for the engine; levels are those of the rows that the
  // tree is grown on.
  function read() {
    const { columns, n } = state.table,
      y = column(state.answer);
    const asked = columns.filter((one) => one !== y && one.kind !== "out");
    const rows = Array.from({ length: n }, (_, i) => i).filter((i) => !BLANK.has(y.values[i]));
    const apart = (place) => state.hold > 0 && (place * SPREAD) % 1 < 1 / state.hold;
    const own = rows.filter((_, place) => !apart(place)),
      held = rows.filter((_, place) => apart(place));
    // In the order of Python, by code points: letters of two halves stand behind all others.
    const key = (level) => level.replace(/[\ud800-\udfff]/g, "\uffff$&");
    const levels = (one) =>
      [...new Set(own.map((i) => one.values[i]).filter((value) => !BLANK.has(value)))].sort(
        (a, b) => (key(a) < key(b) ? -1 : 1),
      );
    let attributes = asked.map((one) => ({
      name: one.name,
      kind: one.kind === "number" ? "numeric" : "nominal",
      levels: one.kind === "number" ? [] : levels(one),
    }));
    const code = (one, a) => {
      if (attributes[a].kind === "numeric")
        return (i) => one.numbers[i];
      const place = new Map(attributes[a].levels.map((level, c) => [level, c]));
      return (i) => place.get(one.values[i]) ?? -1;
    };
    const take = (some) => asked.map((one, a) => some.map(code(one, a)));
    const classes = isNumberAnswer() ? null : levels(y);
    const answers = (some) =>
      some.map((i) => (classes ? classes.indexOf(y.values[i]) : y.numbers[i]));
    let cases = { attributes, columns: take(own), target: answers(own), classes, weight: null };
    let test = take(held);
    if (state.algorithm === "ID3") {
      const numbers = attributes.map(({ kind }) => kind === "numeric");
      cases = asNominal(cases);
      test = test.map((values, a) =>
        numbers[a] ? values.map((value) => cases.attributes[a].levels.indexOf(value)) : values,
      );
    }
    return { cases, own, held, test, answers: answers(held), lost: n - rows.length };
  }

  function troubleWith({ attributes, target, classes }) {
    if (!attributes.length) return "Choose a column to ask for: all are left out.";
    const wide = attributes.find(({ levels }) => typeof levels[0] === "number" && levels.length > 1);
    if (wide && sum(attributes.map(({ levels }) => levels.length)) * target.length > MOST_BRANCHES)
      return `ID3 makes a branch for every number, and ${wide.name} has ${wide.levels.length} of them. Leave such columns out, or take C4.5 or CART, which cut numbers.`;
    if (!target.length) return "No row with an answer is left to grow a tree from.";
    if (classes?.length > MOST_CLASSES)
      return `${state.answer} has ${classes.length} values, too many for an answer: choose another column.`;
    if (!classes && target.some((y) => Math.abs(y) > LARGEST_ANSWER))
      return `${state.answer} is too large to be squared: give it in a larger unit.`;
    return "";
  }

  function grown() {
    const found = read(),
      values = state.values[state.algorithm],
      { cases } = found;
    const trouble = troubleWith(cases);
    if (trouble) {
      parts.verdict.replaceChildren();
      parts.tree.replaceChildren(make("p", { class: "dtb-error" }, trouble));
      return say("There is nothing to grow a tree from.");
    }
    const begin = performance.now();
    const isEntropy = values.criterion === "entropy";
    found.impurity = cases.classes && (isEntropy ? entropy : gini);
    state.found = found;
    const how = recipeOf(values, isEntropy, found.impurity);
    found.full = how.grow(cases);
    found.tree = how.prune(found.full, cases, 1);
    state.wanted = state.wanted.filter(({ at, ask, forbid }) => {
      const place = (name) => cases.attributes.findIndex((one) => one.name === name);
      const wanted = { ask: ask ? place(ask) : -1, forbid: new Set(forbid.map(place)) };
      const number = nodeAt(found.tree, at);
      if (number < 0 || (ask && wanted.ask < 0)) return false; // the tree has grown otherwise
      found.tree = regrow(found.tree, cases, number, wanted, how);
      return true;
    });
    found.seconds = (performance.now() - begin) / 1000;
    found.said = found.held.map((_, i) => predict(found.tree, valuesOf(found.test, i)));
    state.chosen = 0;
    state.shown = Infinity;
    showResult();
  }

  // How the chosen algorithm grows and prunes: see `regrow`.
  function recipeOf(values, isEntropy, impurity) {
    const maxDepth = values.depth === 12 ? null : values.depth;
    if (state.algorithm === "ID3") {
      const settings = { minGain: values.gain, maxDepth };
      return {
        grow: (cases, begin) => id3(cases, settings, begin),
        prune: (tree) => tree,
        inParts: false,
        usesUp: () => true,
      };
    }
    if (state.algorithm === "CART") {
      const settings = { criterion: isEntropy ? "entropy" : "gini", maxDepth, minLeaf: values.leaf };
      return {
        grow: (cases, begin) => cart(cases, settings, begin),
        // In a part of a tree, a leaf costs more of the weight that is there.
        prune: (tree, _, share) =>
          values.alpha ? pruneAt(tree, values.alpha / share, impurity) : tree,
        inParts: false,
        usesUp: () => false,
      };
    }
    const settings = {
      criterion: values.criterion === "gain ratio" ? "gain_ratio" : "gain",
      minWeight: values.cases,
      averageGainGuard: values.guard,
      mdlPenalty: values.penalty,
    };
    const { confidence, raising } = values;
    return {
      grow: (cases, begin) => c45(cases, settings, begin),
      prune: (tree, cases) => errorBased(collapse(tree), cases, confidence, raising).tree,
      inParts: true,
      usesUp: (a) => state.found.cases.attributes[a].kind === "nominal",
    };
  }

  // What a tree answers, as C4.5 or as the others do.
  function predict(tree, values) {
    if (state.algorithm !== "C4.5") return tree.nodes[route(tree, values)].label;
    const shares = spread(tree, values);
    return shares.indexOf(Math.max(...shares));
  }
  const valuesOf = (columns, i) => columns.map((values) => values[i]);

  // --- the tree ----------------------------------------------------------------------------------

  function showResult() {
    const { full, tree, seconds } = state.found;
    const pictured = state.pruned ? tree : full;
    const steps = make("div");
    if (!state.pruned || full === tree) {
      const inner = pictured.nodes.length;
      steps.append(
        range(
          "nodes looked at",
          {
            min: 1,
            max: Math.max(inner, 2),
            value: Math.min(state.shown, inner),
            words: (v) => `${Math.min(v, inner)} of ${inner}`,
          },
          (v) => {
            state.shown = v;
            state.chosen = Math.min(v, inner) - 1;
            showTree();
            detail.replaceChildren(...nodeWords());
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
    state.way = new Set();
    const zoomed = make("output", { "aria-live": "off" });
    let size = { width: 0, height: 0 };
    const zoom = (to) => {
      state.zoom = Math.min(Math.max(to, 0.2), 3);
      zoomed.textContent = `${Math.round(100 * state.zoom)}%`;
      sheet.setAttribute("width", size.width * state.zoom);
      sheet.setAttribute("height", size.height * state.zoom);
    };
    // Not so small that nobody can read it: then the frame scrolls.
    const fit = () => zoom(Math.min(1, Math.max((frame.clientWidth - 4) / size.width || 1, 0.65)));
    function showTree() {
      const { parts: pictures, ...rest } = treeParts(pictured, (i) => {
        state.chosen = i;
        showTree();
        detail.replaceChildren(...nodeWords());
        sheet.querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
      });
      size = rest;
      sheet.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
      sheet.replaceChildren(...pictures);
      zoom(state.zoom);
    }
    parts.tree.replaceChildren(
      make(
        "div",
        { class: "dtb-row" },
        state.algorithm === "ID3"
          ? ""
          : choices(
              "Show the tree",
              ["as it was grown", "pruned"],
              Number(state.pruned),
              (i) => {
                Object.assign(state, { pruned: Boolean(i), chosen: 0, shown: Infinity });
                showResult();
                refocus(parts.tree);
              },
            ),
        make(
          "span",
          { class: "dtb-zoom" },
          button("−", () => zoom(state.zoom / 1.25), { "aria-label": "smaller" }),
          zoomed,
          button("+", () => zoom(state.zoom * 1.25), { "aria-label": "larger" }),
          button("Fit", fit),
          button("Full screen", () => (document.fullscreenElement ? document.exitFullscreen() : parts.tree.requestFullscreen())),
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
    detail.replaceChildren(...nodeWords());
    parts.verdict.replaceChildren(
      testWords(),
      curveOfSizes(),
      caseForm((way) => {
        state.way = state.pruned || full === tree ? way : new Set();
        showTree();
      }),
      takeAway(),
    );
    const words = `${some(tree.nodes.length, "node")}, ${some(leavesOf(tree).length, "leaf", "leaves")}, depth ${depthOf(tree)}`;
    say(
      `${state.algorithm} grew a tree for ${state.answer} in ${short(seconds, 2)} seconds: ${full === tree ? words : `${some(leavesOf(full).length, "leaf", "leaves")}; pruned, ${words}`}. ${testSentence()}`,
    );
  }

  // The tree as far as its nodes were looked at; the chosen node is marked.
  function treeParts(tree, onChoose) {
    const shown = tree.nodes.length > MOST_DRAWN ? Math.min(state.shown, FIRST_DRAWN) : state.shown;
    const isKnown = (i) => i < shown;
    const about = (i) => {
      const node = tree.nodes[i],
        words = isKnown(i) ? asks(tree, node) : "?";
      const label = `${whereIs(tree, i, "all cases")}: ${words}, ${casesIn(node)}`;
      const picked = pick(label, () => onChoose(i), {
        "aria-pressed": i === state.chosen,
        tabindex: i === state.chosen ? 0 : -1,
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
    return sidewaysTree(tree, { about, isKnown, way: state.way, chosen: state.chosen });
  }

  // The curve of errors by size; only CART has a path of trees.
  function curveOfSizes() {
    const { full, tree, held, impurity } = state.found;
    if (state.algorithm !== "CART" || !held.length || full.nodes.length > MOST_DRAWN) return "";
    return verdictCurve(sizes(state.found, impurity, predict), leavesOf(tree).length, tree.classes, (alpha) => {
      state.values.CART.alpha = alpha;
      showHow();
      soon();
    });
  }

  // With all digits before the point, as counts have them.
  const casesIn = ({ counts }) => some(Number(inDigits(sum(counts), 4, 0)), "case");

  function measured() {
    if (state.algorithm === "ID3") return "information gain in bits";
    const { criterion } = state.values[state.algorithm];
    if (state.algorithm === "C4.5") return criterion;
    if (isNumberAnswer()) return "fall of the squared error";
    return `fall of the ${criterion === "Gini" ? "Gini impurity" : "entropy"}, times cases`;
  }

  // A question that could be asked at the chosen node: what it is worth, and to ask or forbid it.
  function competitor(pictured, node, { split, score }, decision, most) {
    const words = split.kind === "multiway" ? asked : branchWord;
    const isChosen = node.split && decision.chosen?.split === split;
    const { name } = pictured.attributes[split.attribute];
    const at = conditions(pictured, state.chosen).join(", ");
    const want = (wanted) => {
      state.wanted.push({ at, ask: "", forbid: [], ...wanted });
      soon();
    };
    const canRegrow = pictured === state.found.tree;
    return make(
      "li",
      {},
      make("span", { class: "dtb-bar", style: `--share:${Math.max(0, (100 * score) / most)}%` }),
      make(
        "span",
        {},
        `${words(pictured, { split }, 0)}: ${inDigits(score, 4, 0)}${isChosen ? " ★" : ""}`,
      ),
      canRegrow && !isChosen
        ? button("Ask this", () => want({ ask: name }), { "aria-label": `Ask about ${name} here` })
        : "",
      canRegrow
        ? button("Forbid", () => want({ forbid: [name] }), {
            "aria-label": `Forbid ${name} here and below`,
          })
        : "",
    );
  }

  // What was weighed up at the chosen node, and its cases.
  function nodeWords() {
    const { full, tree, cases, own } = state.found,
      pictured = state.pruned ? tree : full;
    const node = pictured.nodes[state.chosen],
      decision = pictured.decisions?.[state.chosen];
    const where = whereIs(pictured, state.chosen, "All cases");
    const counts = pictured.classes
      ? pictured.classes
          .map((name, k) => `${name}: ${inDigits(node.counts[k], 4, 0)}`)
          .filter((_, k) => node.counts[k])
          .join(", ")
      : `mean ${inDigits(node.label, 4, 0)}, squared error ${inDigits(node.risk, 4, 0)}`;
    const made = [
      make("h3", {}, where),
      make(
        "p",
        {},
        `${casesIn(node)}${counts && ` (${counts})`}.${decision && !node.split ? ` A leaf: ${decision.chosen ? "pruned" : decision.reason}.` : ""}`,
      ),
    ];
    if (decision?.candidates.length) {
      const most = Math.max(...decision.candidates.map(({ score }) => score), 1e-12);
      made.push(
        make(
          "p",
          {},
          `What could be asked, by ${measured()}:`,
        ),
        make(
          "ul",
          { class: "dtb-bars" },
          [...decision.candidates]
            .sort((one, other) => other.score - one.score)
            .map((candidate) => competitor(pictured, node, candidate, decision, most)),
        ),
      );
    }
    const inside = own
      .map((row, p) => [row, p])
      .filter(([, p]) => {
        const values = valuesOf(cases.columns, p);
        return state.algorithm === "C4.5"
          ? pour(pictured, values).has(state.chosen)
          : wayTo(pictured, route(pictured, values)).includes(state.chosen);
      });
    const names = [
      ...state.table.columns
        .filter(({ kind, name }) => kind !== "out" && name !== state.answer)
        .map(({ name }) => name),
      state.answer,
    ];
    made.push(
      make(
        "details",
        {},
        make("summary", {}, `Its cases${inside.length > 50 ? ", the first 50" : ""}`),
        sheetOf(
          "The cases of the node",
          ["row", ...names],
          inside.slice(0, 50).map(([row]) =>
            rowOf(
              row + 1,
              names.map((name) => column(name).values[row]),
            ),
          ),
        ),
      ),
    );
    return made;
  }

  // --- the test ----------------------------------------------------------------------------------

  function testSentence() {
    const { tree, said, answers, held } = state.found;
    if (!held.length) return "No rows are kept apart.";
    if (!tree.classes) {
      const error = Math.sqrt(sum(said.map((value, i) => (value - answers[i]) ** 2)) / said.length);
      return `On ${some(held.length, "row")} kept apart it is off by ${inDigits(error, 3, 0)} (root of the mean square).`;
    }
    return `Of ${some(held.length, "row")} kept apart it gets ${share(said.filter((k, i) => k === answers[i]).length, held.length)} right.`;
  }

  function testWords() {
    const { tree, said, answers, held } = state.found;
    const made = make(
      "div",
      { class: "dtb-part" },
      make("h3", {}, "On rows it has not seen"),
      make("p", {}, testSentence()),
    );
    if (!held.length || !tree.classes || tree.classes.length > 12) return made;
    const cell = (k, l) => said.filter((label, i) => answers[i] === k && label === l).length;
    made.append(
      sheetOf(
        "True classes and answers",
        ["truly, answered", ...tree.classes],
        tree.classes.map((name, k) =>
          rowOf(
            name,
            tree.classes.map((_, l) => cell(k, l)),
            (l) => l === k,
          ),
        ),
        { class: "dtb-confusion" },
      ),
    );
    return made;
  }

  // A case of one's own, or a row, and why it gets its answer.
  function caseForm(show) {
    const { tree, cases, own, test, held } = state.found;
    const rows = [
      ...own.map((row, p) => [row, cases.columns, p]),
      ...held.map((row, p) => [row, test, p]),
    ].sort(([one], [other]) => one - other);
    const truthOf = (row) => column(state.answer).values[row];
    return newCase(tree, rows, truthOf, state.algorithm === "C4.5", show);
  }

  // --- to take away ------------------------------------------------------------------------------

  const quote = (value) => JSON.stringify(value);

  // The lines that give the same tree.
  function python() {
    const { columns, separator } = state.table,
      values = state.values[state.algorithm],
      { cases } = state.found;
    const asked = columns
      .filter(({ name, kind }) => name !== state.answer && kind !== "out")
      .map(({ name }) => name);
    const ways = new Map();
    for (const { kind, way, name } of columns)
      if (kind === "number") ways.set(way, [...(ways.get(way) ?? []), name]);
    const depth = values.depth === 12 ? "None" : values.depth;
    const more = {
      ID3: [],
      "C4.5": [
        [values.criterion !== "gain ratio", 'criterion="gain"'],
        [!values.guard, "average_gain_guard=False"],
        [!values.penalty, "mdl_penalty=False"],
        [!values.raising, "subtree_raising=False"],
      ],
      CART: [[cases.classes && values.criterion === "entropy", 'criterion="entropy"']],
    }[state.algorithm];
    const others = more.map(([is, words]) => (is ? `, ${words}` : "")).join("");
    const model = {
      ID3: `ID3Classifier(min_gain=${values.gain}, max_depth=${depth})`,
      "C4.5": `C45Classifier(min_weight=${values.cases}, confidence=${values.confidence}${others})`,
      CART: `${cases.classes ? "CARTClassifier" : "CARTRegressor"}(max_depth=${depth}, min_samples_leaf=${values.leaf}, ccp_alpha=${values.alpha}, max_surrogates=0${others})`,
    }[state.algorithm];
    return [
      "import pandas as pd",
      `from dtreebook import ${model.split("(")[0]}`,
      "",
      "table = pd.read_csv(",
      `    ${quote(state.file)}, sep=${quote(separator)}, encoding=${quote(state.encoding || "utf-8-sig")}, dtype=str,`,
      `    header=0, names=${quote(state.table.names)},`,
      `    skipinitialspace=True, keep_default_na=False, na_values=${quote([...BLANK])},`,
      ")",
      ...[...ways].flatMap(([{ group, hasComma }, of]) => [
        `for name in ${quote(of)}:`,
        `    table[name] = table[name]${group && `.str.replace(r"${group}", "", regex=True)`}${hasComma ? '.str.replace(",", ".")' : ""}.astype(float)`,
      ]),
      `table = table.dropna(subset=[${quote(state.answer)}], ignore_index=True)`,
      state.hold
        ? `grown_on = table[table.index * ${SPREAD} % 1 >= 1 / ${state.hold}]`
        : "grown_on = table",
      `model = ${model}`,
      `X, y = grown_on[${quote(asked)}], grown_on[${quote(state.answer)}]`,
      "model.fit(X, y)",
      ...state.wanted.map(
        ({ at, ask, forbid }) =>
          `model = model.regrow(X, y, at=${quote(at)}${ask ? `, ask=${quote(ask)}` : ""}${forbid.length ? `, forbid=${quote(forbid)}` : ""})`,
      ),
      "print(model.tree_)",
      "",
    ].join("\n");
  }

  function rules() {
    const { tree } = state.found;
    return tree.nodes
      .map((node, i) =>
        node.split
          ? ""
          : `if ${whereIs(tree, i, "anything")} then ${answer(tree, node)}`,
      )
      .filter(Boolean)
      .join("\n");
  }

  function pictureFile() {
    const sheet = parts.tree.querySelector(".dtb-stage").cloneNode(true);
    sheet.setAttribute("style", "color:#1f2328;background:#fff;font:13px sans-serif");
    for (const node of sheet.querySelectorAll("[tabindex]")) node.removeAttribute("tabindex");
    return new XMLSerializer().serializeToString(sheet);
  }

  function takeAway() {
    const { tree } = state.found;
    const shown = make("pre", { tabindex: 0, "aria-label": "What is to be taken away" });
    const stem = state.file.replace(/\.\w+$/, "");
    const forms = {
      Text: ["txt", () => asText(tree)],
      Rules: ["rules.txt", rules],
      "JSON for dtreebook": ["json", () => asJson(tree)],
      Python: ["py", python],
      Picture: ["svg", pictureFile],
    };
    const save = make("a", { class: "dtb-save" }, "Save");
    const show = (name) => {
      const [suffix, write] = forms[name],
        words = write();
      shown.textContent = words;
      URL.revokeObjectURL(save.href);
      save.href = URL.createObjectURL(new Blob([words], { type: "text/plain" }));
      save.download = `${stem}.${suffix}`;
      save.textContent = `Save ${save.download}`;
    };
    const names = Object.keys(forms);
    const whole = make(
      "div",
      { class: "dtb-part" },
      make("h3", {}, "Take the tree away"),
      choices("As", names, 0, (i) => show(names[i])),
      shown,
      save,
    );
    show("Text");
    return whole;
  }

  // --- the page ----------------------------------------------------------------------------------

  const names = Object.keys(data.tables);
  const input = make("input", {
    type: "file",
    accept: ".csv,.tsv,.txt,text/csv",
    "aria-label": "A CSV file",
    change: () => openFile(input.files[0]),
  });
  const area = make("textarea", {
    rows: 4,
    "aria-label": "Or paste a table here",
    placeholder: "or paste a table here: a line of names, then a line for each case",
  });
  const choose = make(
    "select",
    {
      "aria-label": "A table of the book",
      change: () => choose.value && openBook(choose.value),
    },
    make("option", { value: "" }, "a table of the book"),
    names.map((name) => make("option", { value: name }, name)),
  );
  play.classList.add("dtb-lab");
  play.append(
    make(
      "div",
      { class: "dtb-open" },
      make("div", { class: "dtb-row" }, choose),
      input,
      area,
      make(
        "div",
        { class: "dtb-row" },
        button("Use what I pasted", () => openText(area.value, "pasted.csv")),
      ),
      make("p", { class: "dtb-legend" }, "Or drop a CSV file. Your table stays in this page."),
      parts.message,
    ),
    make(
      "div",
      { class: "dtb-side" },
      make(
        "div",
        { class: "dtb-row" },
        button("Undo", () => step("past", "future")),
        button("Redo", () => step("future", "past")),
        button("Copy link", copyLink),
      ),
      parts.how,
      parts.columns,
    ),
    parts.tree,
    parts.verdict,
  );
  parts.tree.classList.add("dtb-grown");
  parts.verdict.classList.add("dtb-verdict");
  const over = (is) => (event) => {
    event.preventDefault();
    play.classList.toggle("dtb-over", is);
  };
  play.addEventListener("dragover", over(true));
  play.addEventListener("dragleave", over(false));
  play.addEventListener("drop", (event) => {
    over(false)(event);
    openFile(event.dataTransfer.files[0]);
  });
  const [address, set] = location.hash.split("&set=");
  const wanted = names.find((name) => address === `#table=${encodeURIComponent(name)}`);
  const first = wanted ?? (names.includes(FIRST.table) ? FIRST.table : "");
  if (!first) return say("Choose a table to begin.");
  choose.value = first;
  openBook(first, wanted ? settingsOf(set) : FIRST);
}

// The settings that an address holds, if it does.
function settingsOf(words) {
  try {
    return JSON.parse(decodeURIComponent(words));
  } catch {
    return {};
  }
}

start("laboratory", laboratoryExplorable);
