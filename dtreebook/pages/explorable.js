// Every explorable of the page: its controls choose one of the views that Python made beforehand.
// Nothing is computed here; a new explorable needs no line of this.
for (const root of document.querySelectorAll(".dtb-explorable:not([data-ready])")) {
  root.dataset.ready = "";
  const { start, views } = JSON.parse(root.querySelector("script").textContent);
  const pieces = root.querySelectorAll("template");
  const form = root.querySelector("form");
  const said = root.querySelector("[role=status]");
  const shown = root.querySelector(".dtb-shown");
  const controls = [...form.querySelectorAll("[data-options]")];

  // A control is a range, or a fieldset of radio buttons.
  const position = (control) =>
    control.valueAsNumber ?? [...control.elements].findIndex((radio) => radio.checked);
  const options = (control) => JSON.parse(control.dataset.options);
  const chosen = () =>
    controls.reduce((sum, control) => sum * options(control).length + position(control), 0);

  const draw = (view) => {
    const [sentence, ...numbers] = views[view];
    said.textContent = sentence;
    shown.replaceChildren(...numbers.map((number) => pieces[number].content.cloneNode(true)));
  };

  form.addEventListener("input", ({ target }) => {
    if (target.type === "range") {
      const words = options(target)[target.valueAsNumber];
      target.ariaValueText = target.closest(".dtb-control").querySelector("output").value = words;
    }
    draw(chosen());
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  for (const button of form.querySelectorAll("button")) {
    const range = button.closest(".dtb-control").querySelector("input");
    const move = (by) => {
      range.valueAsNumber += by; // a range keeps to its ends by itself
      range.dispatchEvent(new Event("input", { bubbles: true }));
    };
    if (button.value !== "play") {
      button.addEventListener("click", () => move(Number(button.value)));
      continue;
    }
    let timer;
    const play = (go) => {
      clearInterval(timer);
      timer = go ? setInterval(step, 1500) : undefined;
      button.textContent = go ? "Pause" : "Play";
    };
    const step = () => {
      move(1);
      if (range.value === range.max) play(false);
    };
    button.addEventListener("click", () => {
      if (timer) return play(false);
      if (range.value === range.max) move(-range.max);
      play(true);
    });
    form.addEventListener("input", (event) => event.isTrusted && play(false));
    // Who wants less motion steps by hand.
    button.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  addEventListener("beforeprint", () => draw(start));
  addEventListener("afterprint", () => draw(chosen()));
  form.hidden = false;
}
