// A frame with the picture of a tree in it, which is pulled and zoomed.

import { draw, make, put } from "../kit/draw.js";
import { scrolling } from "../kit/tables.js";
import { clamp } from "../kit/stage.js";

// A picture in its frame, and below it in full what is pointed at;
// `paint` gives for the size of the frame its { parts, width, height } and how small it may be drawn.
/** @param {Lab} lab @param {string} label @param {string} about @param {string} hint
 * @param {(room: Room) => Picture} paint */
export function framed(lab, label, about, hint, paint) {
  const sheet = draw("svg", { role: "group", "aria-label": about, class: "dtb-stage" });
  const frame = scrolling(label, sheet),
    told = make("p", { class: "dtb-told-of", "aria-hidden": "true" }, hint);
  frame.classList.add("dtb-frame");
  let size = { width: 1, height: 1, least: 1, most: 1 };
  /** @param {number} by */
  const zoom = (by) => put(sheet, { width: size.width * by, height: size.height * by });
  const show = (/** @type {number} */ by) => {
    const room = { width: frame.clientWidth || innerWidth - 40, height: frame.clientHeight },
      { parts, ...now } = paint(room);
    size = { least: 0.82, most: 1.3, ...now };
    put(sheet, { viewBox: `0 0 ${size.width} ${size.height}` });
    sheet.replaceChildren(...parts);
    zoom(by);
  };
  // Not so small that nobody can read it: then the frame scrolls, and the chosen node is in the middle.
  const fit = () => {
    const { width, height, least, most } = size,
      by = clamp(Math.min(frame.clientWidth / width, frame.clientHeight / height), least, most),
      at = sheet.querySelector('[aria-pressed="true"] > rect')?.getAttribute("y");
    zoom(by);
    frame.scrollTo(0, by * Number(at) - frame.clientHeight / 2);
    return by;
  };
  const tell = (/** @type {Event} */ { target }) =>
    (told.textContent =
      /** @type {Element} */ (target).closest("g[aria-label]")?.getAttribute("aria-label") ?? hint);
  frame.addEventListener("pointerover", tell);
  frame.addEventListener("focusin", tell);
  frame.addEventListener("pointermove", ({ buttons, pointerType, movementX, movementY }) => {
    if (buttons === 1 && pointerType === "mouse") frame.scrollBy(-movementX, -movementY);
  });
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    lab.zoom?.(0.998 ** event.deltaY);
  });
  return { frame, told, zoom, show, fit, sheet };
}
