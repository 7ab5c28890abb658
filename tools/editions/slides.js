// One slide at a time: arrow keys, Page Up and Down, Home and End; N for the notes.
const slides = [...document.querySelectorAll(".slide")];
const bar = document.createElement("nav");
const count = document.createElement("output");
let at = 0;

// A slide that holds more than the screen is drawn smaller.
const fit = (slide) => {
  const shown = slide.querySelector(".shown");
  const room = slide.clientHeight * 0.91 - slide.querySelector(".notes").offsetHeight;
  for (let zoom = 1; zoom >= 0.3; zoom -= 0.05) {
    shown.style.zoom = zoom;
    if (shown.getBoundingClientRect().bottom <= room) break;
  }
};

const go = (to) => {
  at = Math.max(0, Math.min(slides.length - 1, to));
  slides.forEach((slide, i) => slide.classList.toggle("on", i === at));
  count.value = `${at + 1} of ${slides.length}`;
  history.replaceState(null, "", `#${at + 1}`);
  fit(slides[at]);
};

const notes = () => {
  document.body.classList.toggle("with-notes");
  fit(slides[at]);
};

const on = () => go(at + 1);
const back = () => go(at - 1);
const KEYS = { ArrowRight: on, ArrowDown: on, PageDown: on, n: notes, N: notes };
Object.assign(KEYS, { ArrowLeft: back, ArrowUp: back, PageUp: back });
Object.assign(KEYS, { Home: () => go(0), End: () => go(slides.length - 1) });

const button = (sign, words, act) => {
  const made = document.createElement("button");
  made.textContent = sign;
  made.setAttribute("aria-label", words);
  made.addEventListener("click", act);
  bar.append(made);
};

if (slides.length) {
  bar.className = "bar";
  bar.setAttribute("aria-label", "Slides");
  button("←", "Slide before", back);
  bar.append(count);
  button("→", "Next slide", on);
  button("N", "Notes", notes);
  document.body.append(bar);
  addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && KEYS[event.key]) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });
  addEventListener("resize", () => fit(slides[at]));
  document.fonts.ready.then(() => go(Number(location.hash.slice(1)) - 1 || 0));
}
