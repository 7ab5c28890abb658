// "Run this page": the page's own cells, with Python in the reader's browser.
const here = new URL(".", import.meta.url);
const STOPPED = "Stopped. The next run begins anew.";
const EDITED = ":scope > .cell_output";
const DONE = "Done. Change a cell and run it again.";
const waiting = /** @type {Set<Cell | undefined>} */ (new Set()); // cells that are to run once the one that runs is done
let /** @type {Element | null} */ bar,
  /** @type {string} */ name,
  /** @type {Contents} */ contents,
  /** @type {Cell[]} */ cells,
  /** @type {Worker | undefined} */ worker,
  /** @type {WebAssembly.Module | undefined} */ module,
  /** @type {Task} */ task,
  /** @type {AbortController} */ attempt,
  /** @type {Promise<void>} */ kept,
  /** @type {string | undefined} */ work,
  offline = "";

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} words
 * @param {Partial<HTMLElementTagNameMap[K]>} [properties] */
const element = (tag, words, properties) =>
  Object.assign(document.createElement(tag), { textContent: words, ...properties });
// The second click of a double one may meet another button than the first.
const button = (/** @type {string} */ words, /** @type {() => unknown} */ act) =>
  element("button", words, {
    type: "button",
    onclick: ({ detail }) => {
      if (detail < 2) act();
    },
  });
const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);

const begin = button("Run this page", () => run());
const stop = button("Stop", () => attempt.abort(STOPPED));
stop.className = "dtb-stop";
const reset = button("Reset", () => {
  end("As it was published.");
  cells.forEach(restore);
});
const said = element("span", "");
said.setAttribute("role", "status");

/** Say what happens, and offer what can be done now. @param {string} state @param {string} words */
function be(state, words) {
  document.documentElement.dataset.python = state;
  begin.hidden = state === "busy";
  stop.hidden = state !== "busy";
  reset.hidden = state === "busy" || !cells;
  said.textContent = words;
}

/** The text in which a page shows an output. @param {Output} output */
function form({ text, traceback, data = {} }) {
  return (
    text ??
    traceback?.join("\n") ??
    data["text/html"] ??
    data["image/svg+xml"] ??
    data["text/markdown"]?.replace(/^```.*\n|\n```$/g, "") ??
    data["text/plain"] ??
    ""
  );
}

/** Draw an output as an element. @param {Output} output */
function drawn(output) {
  const place = element("div", "", { className: "output" });
  if (!output.data?.["text/html"] && !output.data?.["image/svg+xml"]) {
    const red = output.output_type === "error" ? " dtb-red" : "";
    place.append(element("pre", form(output), { className: `dtb-printed${red}` }));
    return place;
  }
  place.innerHTML = form(output);
  // Scripts that are set as text do not run; made anew they do.
  for (const old of place.querySelectorAll("script")) {
    const script = element("script", old.textContent);
    for (const { name, value } of old.attributes) script.setAttribute(name, value);
    old.replaceWith(script);
  }
  return place;
}

/** Show what a cell gave; where that is what the page shows, let it stand. @param {Cell} cell @param {Reply} reply */
function show(cell, { outputs, shows }) {
  cell.outputs = outputs;
  if (!cell.place || shows === cell.shows) return;
  cell.shows = shows;
  const place = element("div", "", { className: "cell_output docutils container" });
  cell.place.querySelector(EDITED)?.remove();
  if (outputs.length) cell.place.append(place);
  place.append(...outputs.map(drawn));
}

/** Ask Python for something; Stop and failures end the waiting. @param {object} message @returns {Promise<any>} */
function ask(message) {
  const { signal } = attempt;
  return new Promise((done, failed) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => failed(signal.reason));
    task = { done, failed };
    worker?.postMessage(message);
  });
}

async function launch() {
  be("busy", "Python is on its way ...");
  worker = new Worker(new URL("worker.js", here), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.bytes)
      said.textContent = `${megabytes(data.bytes)} of ${megabytes(contents.bytes)} MB are here.`;
    else if (data.failed) task.failed(data.failed);
    else task.done(data);
  };
  worker.onerror = ({ message }) => task.failed(message || "no worker could be started");
  for (const cell of cells) cell.done = cell.ready = false;
  ({ module } = await ask({ contents, module }));
}

// Run a cell, or all, and before it those that have not run. To check an exercise, those will do
// that its solution needs; where what is written needs more, all come before it.
/** @param {Cell} [last] */
async function run(last) {
  if (document.documentElement.dataset.python === "busy") {
    waiting.add(last);
    return;
  }
  attempt = new AbortController();
  (last?.row ?? bar)?.append(stop, said);
  be("busy", "");
  try {
    if (!cells) await open();
    cells.forEach(edit);
    if (!worker) await launch();
    for (const [at, cell] of cells.entries()) {
      const { needs } = last ?? {};
      if (last && cell !== last && (needs ? cell.ready || !needs.includes(cell.id) : cell.done))
        continue;
      said.textContent = `Cell ${at + 1} of ${cells.length} ...`;
      const reply = await answered(cell, at + 1, cell === last || (!last && cell.written));
      show(cell, reply);
      cell.ready = true;
      cell.done = !needs;
      if (cell === last && needs && JSON.stringify(reply.outputs).includes("NameError")) {
        delete last.needs;
        waiting.add(last);
      }
      if (cell === last) break;
    }
    be("idle", DONE + offline);
    kept ??= keep().catch(() => {}); // a page that cannot be kept runs all the same
    const [next] = waiting;
    waiting.delete(next);
    if (next) run(next);
  } catch (reason) {
    end(reason === STOPPED ? STOPPED : `Python does not run here: ${reason}`);
  }
}

/**
 * What a cell gives, and below it what its check finds.
 * @param {Cell} cell @param {number} number @param {unknown} isChecked @returns {Promise<Reply>}
 */
async function answered(cell, number, isChecked) {
  const given = await ask({ source: cell.written ?? cell.source, number });
  if (!isChecked || !cell.check) return given;
  const found = await ask({ source: cell.check, number: 0 }); // so that it stands not for the cell
  return { outputs: [...given.outputs, ...found.outputs], shows: given.shows + found.shows };
}

function end(/** @type {string} */ words) {
  worker?.terminate();
  worker = undefined;
  waiting.clear();
  be("stopped", words);
}

/** Keep the page in the browser, so that it works without a network; the worker keeps Python. */
async function keep() {
  if (!navigator.serviceWorker || !globalThis.caches) return;
  await navigator.serviceWorker.register(new URL("../offline.js", here));
  const store = await caches.open("dtreebook-pages"),
    home = new URL("..", here).href;
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  const scripts = contents.scripts.map((script) => new URL(script, here).href);
  const files = new Set([location.href.split("#")[0], ...scripts, ...loaded]);
  const ours = [...files].filter((file) => file.startsWith(home));
  await Promise.allSettled(ours.map((file) => store.add(file)));
  offline = " This page works offline now.";
  if (document.documentElement.dataset.python === "idle") said.textContent = DONE + offline;
}

/** Fetch a list that lies beside this script. @param {string} file */
async function get(file) {
  try {
    const answer = await fetch(new URL(file, here), { signal: attempt.signal });
    if (!answer.ok) throw answer.status;
    return await answer.json();
  } catch (reason) {
    throw reason === STOPPED ? reason : `${file} did not arrive (${reason}). Try again.`;
  }
}

/** Fetch the list of cells, once. */
let /** @type {Promise<void> | undefined} */ opening;
const open = () =>
  (opening ??= fetchCells().catch((reason) => {
    opening = undefined;
    throw reason;
  }));

async function fetchCells() {
  contents = await get("contents.json");
  cells = await get(`cells/${name}.json`);
  const places = [...document.querySelectorAll("article div.cell")];
  for (const cell of cells) if (cell.shown) cell.place = places.shift();
}

// What is written is coloured where it stands, without elements that could hold it.
const PYTHON =
  /(#.*)|("[^"\n]*"|'[^'\n]*')|\b(and|as|def|elif|else|False|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|except|break|continue|class)\b|\b(\d[\w.]*)/g;
const PARTS = ["comment", "string", "keyword", "number"];
function colour() {
  if (!globalThis.Highlight) return; // an older browser
  const found = PARTS.map(() => new Highlight());
  for (const { editor } of cells) {
    if (!editor) continue;
    const texts = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (const match of (node.nodeValue ?? "").matchAll(PYTHON)) {
        const [startOffset, endOffset] = [match.index, match.index + match[0].length];
        const range = { startContainer: node, startOffset, endContainer: node, endOffset };
        found[match.slice(1).findIndex(Boolean)].add(new StaticRange(range));
      }
  }
  PARTS.forEach((part, i) => CSS.highlights.set(`python-${part}`, found[i]));
}

/** Make a cell of the page one that can be changed and run. @param {Cell} cell */
function edit(cell) {
  if (cell.before) return;
  /** @type {HTMLElement | null | undefined} */
  const pre = cell.place?.querySelector(".cell_input pre");
  cell.before = {
    shows: cell.shows,
    output: cell.place?.querySelector(EDITED),
    code: pre?.innerHTML,
  };
  if (!pre) return;
  cell.editor = pre;
  pre.contentEditable = "plaintext-only";
  pre.spellcheck = false;
  pre.setAttribute("role", "textbox");
  pre.setAttribute("aria-multiline", "true");
  pre.setAttribute("aria-label", "Code of a cell; Shift and Enter run it");
  pre.addEventListener("input", () => {
    colour();
    cell.written = pre.innerText;
    cell.done = cell.ready = false; // it runs again before a cell below does
  });
  pre.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    run(cell);
  });
  cell.row = element("div", "", { className: "dtb-run" });
  cell.row.append(
    button(cell.check ? "Check" : "Run", () => run(cell)),
    button("Reset", () => restore(cell)),
  );
  if (work || cell.check) remember(cell, pre);
  colour();
  cell.place?.querySelector(".cell_input")?.append(cell.row);
}

/** Keep what is written in a cell through a reload, where the browser keeps anything. @param {Cell} cell @param {HTMLElement} editor */
function remember(cell, editor) {
  const place = `dtreebook-${name}-${cell.id}`;
  /** @template T @param {(all: Storage) => T} act */
  const store = (act) => {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  };
  const kept = store((all) => all.getItem(place));
  if (kept !== null) editor.textContent = cell.written = kept;
  editor.addEventListener("input", () => store((all) => all.setItem(place, editor.innerText)));
  cell.forget = () => store((all) => all.removeItem(place));
}

/** Hand the reader the notebook of this work, each answer in its cell. */
async function take() {
  const notebook = await get(`cells/${work}`);
  for (const { id, written } of cells) {
    const cell = notebook.cells.find(
      (/** @type {any} */ { metadata }) => metadata.nbgrader?.grade_id === id,
    );
    if (cell && written) cell.source = written.trimEnd();
  }
  const file = new Blob([JSON.stringify(notebook, null, 1)], { type: "application/x-ipynb+json" });
  const link = element("a", "", { href: URL.createObjectURL(file), download: work });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Let a cell be as the page was published. @param {Cell} cell */
function restore(cell) {
  cell.done = cell.ready = false;
  cell.forget?.();
  delete cell.written;
  const { before, place } = cell;
  if (!before) return;
  if (cell.editor) cell.editor.innerHTML = before.code ?? "";
  if (!place || cell.shows === before.shows) return;
  cell.shows = before.shows;
  place.querySelector(EDITED)?.remove();
  if (before.output) place.append(before.output);
}

// Offer to run the page of this name, which loads so many bytes. What is to be written can be at
// once; the work as a whole leaves as a notebook, if there is one.
/** @param {string} page @param {number} bytes @param {string} [notebook] */
export function offer(page, bytes, notebook) {
  name = page;
  work = notebook;
  document.head.append(
    element("link", "", { rel: "stylesheet", href: new URL("page.css", here).href }),
  );
  begin.title = "Python runs in your browser; nothing is sent anywhere";
  be("asleep", `${megabytes(bytes)} MB, loaded once`);
  bar = document.querySelector(".dtb-run");
  bar?.replaceChildren(begin, stop, reset, said);
  if (work) bar?.append(button("Take it as a notebook", take));
  else if (!document.querySelector(".tag_write")) return;
  attempt = new AbortController();
  open().then(() => cells.filter((cell) => work || cell.check).forEach(edit), end);
}

export const ran = () => Object.fromEntries(cells.map((cell) => [cell.id, cell.outputs]));
