// Python in a worker of the page: fetches it in pieces, keeps them in the browser, runs cells.
// @ts-types="./shim.d.ts"
import { WASI, File, Directory, OpenFile, PreopenDirectory, ConsoleStdout } from "./shim/index.js";
// @ts-types="./shim.d.ts"
import { Subscription } from "./shim/wasi_defs.js";

const MARK = "\u001e";
const FIGURES = "MPLBACKEND=module://in_page.figures";
const LIBRARY = "/usr/local/lib";
let /** @type {PythonExports} */ python,
  told = "";

// The shim takes these flags from a wrong place, and sleeps until now plus the end it should wait for.
const { read_bytes } = Subscription;
Subscription.read_bytes = (view, at) =>
  Object.assign(read_bytes(view, at), { flags: view.getUint16(at + 40, true) });

// Fetch a file of several gzipped pieces, from the browser's own store where they are there.
/** @param {Pieces} list @param {Cache | undefined} store @param {(bytes: number) => void} count */
async function fetched(list, store, count) {
  const parts = [];
  for (const [piece, integrity] of Object.entries(list.pieces)) {
    const there = new URL(piece, import.meta.url),
      kept = await store?.match(there);
    const part = await (kept ?? (await whole(there, integrity))).arrayBuffer();
    // Where there is no room to keep it, it is loaded again the next time.
    if (!kept) await store?.put(there, new Response(part)).catch(() => {});
    parts.push(part);
    count(part.byteLength);
  }
  const unpacked = new Blob(parts).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
}

// Fetch a piece; not what stands in its place where a server or a network is out of order.
async function whole(/** @type {URL} */ there, /** @type {string} */ integrity) {
  try {
    const answer = await fetch(there, { integrity });
    if (answer.ok) return answer;
    throw answer.status;
  } catch (reason) {
    throw new Error(`${there} did not arrive whole (${reason}). Try again.`);
  }
}

/** Lay a flat list of files out as folders. @param {[string, Uint8Array][]} files */
function folders(files) {
  const /** @type {Directory["contents"]} */ root = new Map();
  for (const [path, data] of files) {
    const parts = path.split("/"),
      name = String(parts.pop());
    let here = root;
    for (const part of parts) {
      const there = here.get(part) ?? new Directory(new Map());
      here.set(part, there);
      here = /** @type {Directory} */ (there).contents;
    }
    here.set(name, new File(data));
  }
  return root;
}

/** @param {{contents: Contents, module?: WebAssembly.Module}} data */
async function start({ contents, module }) {
  const store = await globalThis.caches?.open("dtreebook-python").catch(() => undefined);
  let bytes = 0;
  const count = (/** @type {number} */ more) => postMessage({ bytes: (bytes += more) });
  const load = async (/** @type {string} */ name) =>
    new Uint8Array(await (await fetched(contents.files[name], store, count)).arrayBuffer());
  module ??= await WebAssembly.compileStreaming(
    await fetched(contents.files["python.wasm"], store, count),
  );
  const library = await load("library.zip"),
    ours = await load("dtreebook.zip");
  const fonts = JSON.parse(new TextDecoder().decode(await load("mpl-data.json")));
  /** @type {[string, Uint8Array][]} */
  const data = Object.entries(fonts).map(([path, text]) => [
    path,
    Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)),
  ]);
  const text = new TextDecoder();
  const write = (/** @type {Uint8Array} */ part) => {
    told += text.decode(part, { stream: true });
  };
  const fds = [
    new OpenFile(new File([])),
    new ConsoleStdout(write),
    new ConsoleStdout(write),
    new PreopenDirectory(
      LIBRARY,
      folders([
        [contents.library, library],
        ["dtreebook.zip", ours],
      ]),
    ),
    new PreopenDirectory(`${LIBRARY}/${contents.library}/matplotlib/mpl-data`, folders(data)),
    new PreopenDirectory("/tmp", new Map()),
  ];
  const wasi = new WASI(["python"], ["TMPDIR=/tmp", "HOME=/tmp", "PYTHONTZPATH=", FIGURES], fds, {
    debug: false,
  });
  const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: wasi.wasiImport,
    host: { call: () => -1 },
  });
  wasi.initialize(instance);
  python = /** @type {PythonExports} */ (instance.exports);
  await forget(store, contents);
  turn(`import sys; sys.path.insert(0, "${LIBRARY}/dtreebook.zip")`);
  postMessage({ module });
}

/** Give up what is kept of another version. @param {Cache | undefined} store @param {Contents} contents */
async function forget(store, contents) {
  const pieces = Object.values(contents.files).flatMap((file) => Object.keys(file.pieces));
  const wanted = new Set(pieces.map((piece) => new URL(piece, import.meta.url).href));
  for (const kept of (await store?.keys()) ?? [])
    if (!wanted.has(kept.url)) await store?.delete(kept);
}

/** Have Python run a text; return what it prints. @param {string} code */
function turn(code) {
  told = "";
  const bytes = new TextEncoder().encode(code),
    place = python.host_alloc(bytes.length);
  new Uint8Array(python.memory.buffer).set(bytes, place);
  python.turn(place, bytes.length);
  return told;
}

onmessage = async ({ data }) => {
  try {
    if (data.contents) return await start(data);
    const cell = `${JSON.stringify(data.source)}, ${data.number}`;
    const said = turn(`import in_page.kernel; in_page.kernel.answer(${cell})`);
    postMessage(JSON.parse(said.slice(said.lastIndexOf(MARK) + 1)));
  } catch (error) {
    postMessage({ failed: `${error}\n${told}` });
  }
};
