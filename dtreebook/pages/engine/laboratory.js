// The laboratory: a reader's own table, grown and pruned by the engine, node by node, and taken
// away as text, picture, JSON and Python. Nothing leaves the page. data: { tables: { name: [{ name,
// levels, values }] } }, values being numbers, or a string with a letter for each case from "0" on;
// "0!12!" is a run of twelve.

import { showColumns } from "./columns.js";
import { LARGEST, decoded, readTable } from "./csv.js";
import { make, some } from "./draw.js";
import { growing } from "./grow.js";
import { showResult } from "./grown.js";
import { entropy, gini } from "./measures.js";
import { button, check, choices, range } from "./reach.js";
import { answerOf, read, troubleWith, valuesOf } from "./readcases.js";
import { nodeAt, regrow } from "./regrow.js";
import { SETTINGS, defaults, recipeOf } from "./settings.js";
import { start } from "./start.js";
import { route, spread } from "./tree.js";

// A table of so many cells grows its tree after it has said so.
const MANY = 50_000;

// So many milliseconds a tree grows before the page may answer.
const SLICE = 40;

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

  const lab = {
    state,
    parts,
    say,
    soon,
    column,
    isNumberAnswer,
    showHow,
    predict,
    // What was chosen is made anew, so it is focused again.
    refocus: (part) => part.querySelector("input:checked").focus(),
  };

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
    showColumns(lab);
    showHow();
    soon();
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

  function column(name) {
    return state.table.columns.find((one) => one.name === name);
  }
  function isNumberAnswer() {
    return column(state.answer).kind === "number";
  }

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
    showColumns(lab);
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
          lab.refocus(parts.how);
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

  // Grow the tree in slices of time: the page answers meanwhile, and what is set anew or cancelled
  // ends the growing.
  async function grown() {
    const turn = (state.turn = (state.turn ?? 0) + 1);
    const found = read(lab),
      values = state.values[state.algorithm],
      { cases } = found;
    const trouble = troubleWith(lab, cases);
    if (trouble) {
      parts.verdict.replaceChildren();
      parts.tree.replaceChildren(make("p", { class: "dtb-error" }, trouble));
      return say("There is nothing to grow a tree from.");
    }
    const begin = performance.now();
    found.impurity = cases.classes && (values.criterion === "entropy" ? entropy : gini);
    state.found = found;
    const how = recipeOf(state.algorithm, values, cases, found.impurity);
    const steps = how.grow(cases, {}, growing);
    let step = steps.next();
    for (let slice = begin; !step.done; step = steps.next())
      if (performance.now() - slice > SLICE) {
        waiting(step.value);
        await new Promise((go) => setTimeout(go));
        if (turn !== state.turn) return;
        slice = performance.now();
      }
    found.full = step.value;
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
    showResult(lab);
  }

  // How far the tree is, and a button that ends it.
  function waiting(nodes) {
    const soFar = `The tree is growing: ${some(nodes, "node")} so far.`;
    const told = parts.tree.querySelector(".dtb-waiting p");
    if (told) return void (told.textContent = soFar);
    say("The tree is growing …");
    const cancel = button("Cancel", () => {
      state.turn += 1;
      parts.tree.querySelector(".dtb-waiting")?.remove();
      say("Cancelled. Fewer questions on a path, or fewer columns, are quicker.");
    });
    parts.tree.prepend(make("div", { class: "dtb-row dtb-waiting" }, make("p", {}, soFar), cancel));
  }

  // What a tree answers, as C4.5 or as the others do.
  function predict(tree, values) {
    if (state.algorithm !== "C4.5") return tree.nodes[route(tree, values)].label;
    const shares = spread(tree, values);
    return shares.indexOf(Math.max(...shares));
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
