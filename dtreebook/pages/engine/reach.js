// Reaching everything: by mouse, finger and keyboard, and in words. What moves on a sheet is a
// slider that says its value; what there is to see stands in a sentence that is read out; controls
// are the browser's own.

// A grip on a sheet that moves along stops; `x` gives the pixel of a stop, `words` what it is
// called.
function grip(sheet, { label, count, at, place, words, onMove }) {
  const knob = draw(
    "g",
    {
      role: "slider",
      tabindex: 0,
      class: "dtb-grip",
      "aria-label": label,
      "aria-valuemin": 0,
      keydown,
      pointerdown,
    },
    draw("circle", { r: 22, class: "dtb-reach" }),
    draw("circle", { r: 11, class: "dtb-knob" }),
  );
  function show() {
    const [x, y] = place(at());
    knob.setAttribute("transform", `translate(${x} ${y})`);
    knob.setAttribute("aria-valuemax", count() - 1);
    knob.setAttribute("aria-valuenow", at());
    knob.setAttribute("aria-valuetext", words(at()));
  }
  function go(to) {
    const stop = Math.min(Math.max(to, 0), count() - 1);
    if (stop !== at()) onMove(stop);
    show();
  }
  function keydown(event) {
    const by = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 5,
      PageDown: -5,
      Home: -1e9,
      End: 1e9,
    };
    if (!(event.key in by) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(at() + by[event.key]);
  }
  function pointerdown(event) {
    event.preventDefault();
    knob.focus({ preventScroll: true });
    follow(sheet, knob, event, (point) => {
      let best = 0;
      const far = (stop) =>
        place(stop).reduce((sum, pixel, i) => sum + (pixel - point[i]) ** 2 * (i ? 1e-6 : 1), 0);
      for (let stop = 1; stop < count(); stop++) if (far(stop) < far(best)) best = stop;
      go(best);
    });
  }
  show();
  return Object.assign(knob, { show });
}

// A grip that goes anywhere: by the pointer, or by arrow keys, which give steps [across, up], ten
// at a time with Shift.
function grip2d(sheet, { label, place, onDrag, onKey }) {
  const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const knob = draw(
    "g",
    {
      role: "application",
      tabindex: 0,
      class: "dtb-grip",
      "aria-label": label,
      keydown,
      pointerdown,
    },
    draw("circle", { r: 22, class: "dtb-reach" }),
    draw("circle", { r: 11, class: "dtb-knob" }),
  );
  function keydown(event) {
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onKey(step.map((by) => by * (event.shiftKey ? 10 : 1)));
    show();
  }
  function pointerdown(event) {
    event.preventDefault();
    knob.focus({ preventScroll: true });
    follow(sheet, knob, event, (point) => {
      onDrag(point);
      show();
    });
  }
  function show() {
    knob.setAttribute("transform", `translate(${place()})`);
  }
  show();
  return Object.assign(knob, { show });
}

// Follow a pointer that went down on an element until it is lifted.
function follow(sheet, target, down, onPoint, onEnd = () => {}) {
  target.setPointerCapture?.(down.pointerId);
  const move = (event) =>
    event.pointerId === down.pointerId && onPoint(onSheet(sheet, event), event);
  const end = (event) => {
    if (event.pointerId !== down.pointerId) return;
    target.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) target.removeEventListener(name, end);
    onEnd(event);
  };
  target.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) target.addEventListener(name, end);
}

// The browser's own controls, with their labels.
const button = (label, click, more = {}) =>
  make("button", { type: "button", click, ...more }, label);

function check(label, value, onChange) {
  const input = make("input", {
    type: "checkbox",
    checked: value || null,
    change: () => onChange(input.checked),
  });
  return Object.assign(make("label", { class: "dtb-check" }, input, ` ${label}`), { input });
}

function choices(label, options, value, onChange) {
  const name = `dtb-${(choices.number = (choices.number ?? 0) + 1)}`;
  return make(
    "fieldset",
    {},
    make("legend", {}, label),
    options.map((option, i) => {
      const input = make("input", {
        type: "radio",
        name,
        checked: i === value || null,
        change: () => onChange(i),
      });
      return make("label", {}, input, ` ${option}`);
    }),
  );
}

function range(label, { min, max, step = 1, value, words = String }, onChange) {
  const said = make("output", { "aria-hidden": "true" }, words(value));
  const input = make("input", {
    type: "range",
    min,
    max,
    step,
    value,
    "aria-valuetext": words(value),
    input: change,
  });
  function change() {
    said.textContent = words(input.valueAsNumber);
    input.setAttribute("aria-valuetext", said.textContent);
    onChange(input.valueAsNumber);
  }
  const whole = make("div", { class: "dtb-control" }, make("label", {}, `${label} `, input), said);
  whole.set = (to) => {
    input.value = to;
    said.textContent = words(input.valueAsNumber);
    input.setAttribute("aria-valuetext", said.textContent);
  };
  return Object.assign(whole, { input });
}

const fewerMoves = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Start every explorable of a kind that the `page` holds, a document or a part of one:
// `build(play, data, say)` fills its place.
function start(kind, build) {
  for (const root of page.querySelectorAll(`[data-live="${kind}"]:not([data-ready])`)) {
    root.dataset.ready = "";
    const { guess, ...data } = JSON.parse(
      root.querySelector('script[type="application/json"]').textContent,
    );
    const play = make("div", { class: "dtb-play" });
    const said = make("p", { role: "status", class: "dtb-said" });
    for (const old of root.querySelectorAll("[data-still]")) old.remove();
    root.append(play);
    build(play, data, (words) => said.textContent !== words && (said.textContent = words));
    play.append(said);
    askFirst(play, guess);
  }
}
