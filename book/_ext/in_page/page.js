// "Run this page": the page's own cells, with Python in the reader's browser.
const here = new URL(".", import.meta.url);
let worker, module, contents, cells, waiting, ready;

const element = (tag, words, properties = {}) =>
  Object.assign(document.createElement(tag), { textContent: words }, properties);
const megabytes = bytes => Math.round(bytes / 1e6);

const bar = element("section", "", { className: "dtb-run" });
bar.setAttribute("aria-label", "Run this page");
const begin = element("button", "Run this page", { type: "button" });
const stop = element("button", "Stop", { type: "button", hidden: true });
const said = element("span", "", { role: "status" });
said.setAttribute("role", "status");
bar.append(begin, stop, said);

/** Write one output of a cell as an element. */
function shown(output) {
  const place = element("div", "", { className: "output" });
  if (output.output_type === "stream" || output.output_type === "error") {
    const words = output.text ?? output.traceback.join("\n");
    place.append(element("pre", words, { className: output.output_type === "error" ? "dtb-error" : "" }));
    return place;
  }
  const html = output.data["text/html"] ?? output.data["image/svg+xml"];
  if (html === undefined) {
    place.append(element("pre", output.data["text/plain"]));
    return place;
  }
  place.innerHTML = html;
  // Scripts that are set as text do not run; made anew they do.
  for (const old of place.querySelectorAll("script")) {
    const script = document.createElement("script");
    for (const { name, value } of old.attributes) script.setAttribute(name, value);
    script.textContent = old.textContent;
    old.replaceWith(script);
  }
  return place;
}

function show(cell, outputs) {
  cell.outputs = outputs;
  if (!cell.place) return;
  let place = cell.place.querySelector(":scope > .cell_output");
  if (!place) {
    place = element("div", "", { className: "cell_output docutils container" });
    cell.place.append(place);
  }
  place.replaceChildren(...outputs.map(shown));
  for (const old of place.querySelectorAll("script:not([type])"))
    old.replaceWith(Object.assign(document.createElement("script"), { textContent: old.textContent }));
}

function launch() {
  ready = new Promise((done, failed) => {
    worker = new Worker(new URL("worker.js", here), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.bytes) said.textContent =
        ` ${megabytes(data.bytes)} of ${megabytes(contents.bytes)} MB are here.`;
      if (data.ready) { module = data.module; done(); }
      if (data.failed) { said.textContent = ` Python stopped: ${data.failed}`; failed(data.failed); waiting?.([]); }
      if (data.outputs) waiting?.(data.outputs);
    };
    worker.postMessage({ contents, module });
  });
  for (const cell of cells) cell.done = false;
}

/** Run a cell, and before it those that have not run. */
async function run(last) {
  if (!worker) launch();
  stop.hidden = false;
  document.documentElement.dataset.python = "busy";
  if (!module) said.textContent = " Python is on its way ...";
  const mine = worker;
  await ready;
  for (const cell of cells) {
    if (cell.done && cell !== last) continue;
    said.textContent = ` Cell ${cells.indexOf(cell) + 1} of ${cells.length} ...`;
    const outputs = await new Promise(answer => {
      waiting = answer;
      mine.postMessage({ source: cell.editor?.textContent ?? cell.source });
    });
    if (mine !== worker) return;
    show(cell, outputs);
    cell.done = true;
    if (cell === last) break;
  }
  said.textContent = " Done. Change a cell and run it again.";
  document.documentElement.dataset.python = "idle";
}

function end() {
  worker?.terminate();
  worker = undefined;
  stop.hidden = true;
  said.textContent = " Stopped. The next run begins anew.";
  document.documentElement.dataset.python = "stopped";
}

/** Make a cell of the page one that can be changed and run. */
function open(cell) {
  const pre = cell.place.querySelector(".cell_input pre");
  if (!pre) return;
  const before = cell.place.querySelector(":scope > .cell_output")?.cloneNode(true);
  cell.editor = pre;
  pre.contentEditable = "plaintext-only";
  pre.spellcheck = false;
  pre.setAttribute("role", "textbox");
  pre.setAttribute("aria-multiline", "true");
  pre.setAttribute("aria-label", "Code of a cell; Shift and Enter run it");
  const colours = pre.innerHTML;
  const go = element("button", "Run", { type: "button" });
  const reset = element("button", "Reset", { type: "button" });
  go.onclick = () => run(cell);
  reset.onclick = () => {
    pre.innerHTML = colours;
    cell.done = false;
    const now = cell.place.querySelector(":scope > .cell_output");
    if (before && now) now.replaceWith(before.cloneNode(true));
    else now?.remove();
  };
  pre.addEventListener("keydown", event => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    run(cell);
  });
  const buttons = element("div", "", { className: "dtb-run-cell" });
  buttons.append(go, reset);
  cell.place.querySelector(".cell_input").append(buttons);
}

begin.onclick = async () => {
  if (!cells) {
    const get = async file => (await fetch(new URL(file, here))).json();
    cells = await get(`cells/${bar.dataset.page}.json`);
    const places = [...document.querySelectorAll("article div.cell")];
    for (const cell of cells) if (cell.shown) cell.place = places.shift();
    for (const cell of cells) if (cell.place) open(cell);
  }
  try { await run(cells.at(-1)); } catch (error) { said.textContent += ` ${error}`; }
};
stop.onclick = end;

const file = location.pathname.split("/").pop().replace(/\.html$/, "") || "index";
bar.dataset.page = file;
contents = await (await fetch(new URL("contents.json", here))).json();
begin.title = "Python runs in your browser; nothing is sent anywhere";
said.textContent = ` in your browser: ${megabytes(contents.bytes)} MB, loaded once and kept.`;
document.querySelector("article h1")?.after(bar);
window.dtbCells = () => cells;
