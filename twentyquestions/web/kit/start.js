// Starting the explorables of a page: what stood there for readers without scripts goes, and its kind
// builds the rest.

import { make } from "./draw.js";
import { askFirst } from "./guess.js";
import { sentenceIn } from "./said.js";

// Start every explorable of a kind that the page holds: `build(play, data, say)` fills its place
// and returns what answers its guess.
/** @template Data @param {string} kind @param {Build<Data>} build */
export function start(kind, build) {
  // What can be dragged nudges once, when it is seen.
  const seen = new IntersectionObserver(
    (all) => {
      for (const { target, isIntersecting } of all)
        if (isIntersecting) target.classList.add("dtb-seen");
    },
    { threshold: 0.25 },
  );
  const places = document.querySelectorAll(`[data-live="${kind}"]:not([data-ready])`);
  for (const root of /** @type {NodeListOf<HTMLElement>} */ (places)) {
    root.dataset.ready = "";
    const told = root.querySelector('script[type="application/json"]')?.textContent;
    const { guess, ...data } = JSON.parse(told ?? "{}");
    const play = make("div", { class: "dtb-play" });
    const { said, say } = sentenceIn(play);
    for (const old of root.querySelectorAll("[data-still]")) old.remove();
    root.append(play);
    const show = build(play, data, say);
    // What the marks mean stands beside the title.
    const legend = kind !== "laboratory" && play.querySelector(".dtb-legend:has(svg)");
    if (legend) root.querySelector(".dtb-title")?.append(legend);
    // What is led by scrolling has its sentence below the picture, where both stay in sight.
    const led = play.querySelector(".dtb-two:has(.dtb-story) > *");
    (led ?? play.querySelector(".dtb-tells") ?? play).append(said);
    led?.classList.add("dtb-led");
    // Below it the words of a step stay, which know by this how high it is.
    const measure = () => root.style.setProperty("--led", `${led?.clientHeight}px`);
    if (led) new ResizeObserver(measure).observe(led);
    root.classList.toggle("dtb-told", led !== null);
    askFirst(play, guess, show);
    seen.observe(root);
  }
}
