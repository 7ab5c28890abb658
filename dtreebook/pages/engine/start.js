// Starting the explorables of a page: what stood there for readers without scripts goes, and its kind
// builds the rest.

import { make } from "./draw.js";
import { askFirst } from "./guess.js";
import { sentenceIn } from "./said.js";

// Start every explorable of a kind that the `page` holds, which is what the bundle is given, a
// document or a part of one:
// `build(play, data, say)` fills its place.
export function start(kind, build) {
  // What can be dragged nudges once, when it is seen.
  const seen = new IntersectionObserver(
    (all) =>
      all.forEach(
        ({ target, isIntersecting }) => isIntersecting && target.classList.add("dtb-seen"),
      ),
    { threshold: 0.6 },
  );
  // @ts-expect-error `page` is what the bundle is given.
  for (const root of page.querySelectorAll(`[data-live="${kind}"]:not([data-ready])`)) {
    root.dataset.ready = "";
    const { guess, ...data } = JSON.parse(
      root.querySelector('script[type="application/json"]').textContent,
    );
    const play = make("div", { class: "dtb-play" });
    const { said, say } = sentenceIn(play);
    for (const old of root.querySelectorAll("[data-still]")) old.remove();
    root.append(play);
    build(play, data, say);
    play.append(said);
    askFirst(play, guess);
    seen.observe(root);
  }
}
