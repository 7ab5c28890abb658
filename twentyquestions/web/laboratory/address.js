// An address that holds a table, by its name in the book or itself, compressed, and all that is set:
// opening it brings both back. `#table=loan` alone opens a table of the book.

import { openBook, openTable } from "./opening.js";
import { settingsOf } from "./past.js";

const LONGEST = 64_000; // characters: more does not pass through mail and chats

/** @type {(bytes: BlobPart, stream: ReadableWritablePair) => Response} */
const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream));

async function packed(/** @type {unknown} */ what) {
  const stream = through(JSON.stringify(what), new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await stream.arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(/** @type {string} */ letters) {
  if (letters.length > LONGEST) throw new Error("too long");
  const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return through(bytes, new DecompressionStream("deflate-raw")).json();
}

export async function copyLink(/** @type {Lab} */ lab) {
  const { state } = lab;
  if (!state.table.n) return lab.say("There is no table yet.");
  const { file, source, book } = state,
    set = { ...settingsOf(state), kept: state.kept && JSON.parse(state.kept.now) };
  const hash = book
    ? `table=${encodeURIComponent(book)}&set=${await packed(set)}`
    : `own=${await packed({ file, source, set })}`;
  if (hash.length > LONGEST)
    return lab.say(
      `${file} would make a link of ${Math.ceil(hash.length / 1000)} kB, compressed; a link holds at most ${LONGEST / 1000} kB. Send the file beside the lines of Python, or a part of its rows.`,
    );
  history.replaceState(null, "", `#${hash}`);
  lab.say(
    book
      ? "The address of this page opens this table with these settings; it is copied, too."
      : `The address of this page now holds ${file} and these settings: who opens it sees your table. It is copied, too.`,
  );
  await navigator.clipboard?.writeText(location.href).catch(() => {});
}

// Open what the address holds; whether it holds a table.
export async function openAddress(/** @type {Lab} */ lab) {
  const [, kind, what, letters] = location.hash.match(/^#(table|own)=([^&]*)(?:&set=(.*))?$/) ?? [];
  try {
    if (kind === "own") {
      const { file, source, set } = await unpacked(what);
      openTable(lab, String(source), String(file), { saved: set ?? {} });
      return true;
    }
    const name = kind && decodeURIComponent(what);
    if (!kind || !Object.hasOwn(lab.data.tables, name)) return false;
    const saved = letters && (await unpacked(letters).catch(() => null));
    await openBook(lab, name, saved || {});
    return true;
  } catch {
    lab.say("This link is damaged or cut short: it holds no table.");
    return kind === "own";
  }
}
