// A picture that is led by scrolling: it stays in sight while the steps of its story go by, and shows
// the one that comes up to the middle of the window. Each step is a button as well.

import { make } from "../kit/draw.js";
import { button } from "../kit/reach.js";

// The steps of a story, each { title, says }; `go(i)` shows one. The last has room for `rest`.
/** @param {{title: string, says?: string}[]} steps @param {Takes} go @param {Element[]} rest */
export function storyOf(steps, go, ...rest) {
  let now = 0;
  const come = (/** @type {number} */ i, isShown = true) => {
    if (i === now) return;
    items[now].removeAttribute("aria-current");
    items[(now = i)].setAttribute("aria-current", "step");
    if (isShown) go(i);
  };
  const items = steps.map(({ title, says = "" }, i) => {
    const show = () => {
      items[i].scrollIntoView();
      come(i);
    };
    return make(
      "li",
      { "aria-current": i ? null : "step" },
      make("div", button(title, show, { focus: () => come(i) }), make("p", says)),
      ...(i === steps.length - 1 ? rest : []),
    );
  });
  // Beside the picture a step comes near mid-screen, below it as soon as it is seen.
  const at = matchMedia("(min-width: 1200px)").matches ? 45 : 75;
  const passing = new IntersectionObserver(
    (all) => {
      for (const { target, isIntersecting } of all)
        // Keys that are at work in the last step are not disturbed.
        if (isIntersecting && !items[items.length - 1].querySelector(":focus-visible"))
          come(items.findIndex((item) => item === target));
    },
    { rootMargin: `-${at}% 0px -${100 - at}% 0px` },
  );
  for (const item of items) passing.observe(item);
  // What is pressed goes on from what is there.
  for (const part of rest)
    part.addEventListener("pointerdown", () => come(items.length - 1, false));
  return make("ol", { class: "dtb-story" }, items);
}
