// Commit, then see: until a guess is made, or declined, what answers it stands back. The guess stays
// in this page. guess: { question, because }, and { options, answer: place } or { unit, answer:
// number } or { x, y, answer: [[x, y]] } for the sketch of a curve, x and y being axes { name, low,
// high, unit }.

import {
  axisX,
  axisY,
  box,
  clamp,
  colour,
  curve,
  disc,
  DOTTED,
  draw,
  legendOf,
  line,
  make,
  onSheet,
  scale,
  stage,
} from "./draw.js";
import { sum } from "./measures.js";
import { ARROWS, button, choices, hold, isPlain } from "./reach.js";

export function askFirst(play, guess) {
  if (!guess) return;
  play.inert = true;
  const verdict = make("p", { role: "status", class: "dtb-verdict" });
  const asks = guess.options ? askChoice : guess.x ? askSketch : askNumber;
  const { field, said, shown } = asks(guess, verdict);
  const open = (words) => {
    play.inert = false;
    verdict.textContent = words;
    form.replaceChildren(...(shown?.() ?? []), verdict);
  };
  const judge = (event) => {
    event.preventDefault();
    const words = said();
    if (words) open(`${words} ${guess.because}`);
    else verdict.textContent = "Make a guess first.";
  };
  const form = make(
    "form",
    { class: "dtb-guess", autocomplete: "off", submit: judge },
    field,
    make("p", { class: "dtb-line", "aria-hidden": "true" }),
    make(
      "p",
      {},
      make("button", {}, "That is my guess"),
      button("Show me without guessing", () => open(guess.because)),
    ),
    verdict,
  );
  play.before(form);
}

function askChoice({ question, options, answer }) {
  const field = choices(question, options, -1, () => {});
  const said = () => {
    const place = [...field.querySelectorAll("input")].findIndex((input) => input.checked);
    return place < 0
      ? ""
      : `Your guess: ${options[place]}. ${place === answer ? "That is right." : "Not so."}`;
  };
  return { field, said };
}

const farOff = (off, unit = "") => `${Number(off.toPrecision(2))}${unit && ` ${unit}`} off`;

function askNumber({ question, answer, unit }) {
  const input = make("input", { type: "number", step: "any", inputmode: "decimal" });
  const field = make("label", {}, `${question} `, input, ` ${unit ?? ""}`);
  const said = () => {
    if (Number.isNaN(input.valueAsNumber)) return "";
    const off = Math.abs(input.valueAsNumber - answer);
    const how = off ? `You are ${farOff(off)}.` : "That is right.";
    return `Your guess: ${input.valueAsNumber}. ${how}`;
  };
  return { field, said };
}

// A curve, drawn by hand: a value for each stop of x. By keyboard the arrows walk along the stops,
// carrying the value on, and raise or lower it.
function askSketch({ question, answer, x, y }, verdict) {
  const drawn = answer.map(() => null);
  let toX,
    toY,
    at = -1,
    done = false;
  const field = make("div", {}, make("p", { class: "dtb-ask" }, question));
  const place = make("div");
  const layer = draw("g");
  const points = (values) => values.map((value, i) => [toX(answer[i][0]), toY(value)]);

  function paint(width) {
    toX = scale(x.low, x.high, 48, Math.min(width, 560) - 14);
    toY = scale(y.low, y.high, 210, 30);
    const right = toX(x.high);
    const ground = box(48, 30, right - 48, 180, {
      tabindex: done ? null : 0,
      role: done ? null : "application",
      class: "dtb-ground",
      fill: "transparent",
      stroke: "currentColor",
      "stroke-opacity": 0.25,
      "aria-label": `Sketch ${y.name} over ${x.name}: left and right walk along, up and down raise and lower the line.`,
      ...(done ? {} : { keydown, pointerdown }),
    });
    sheet.replaceChildren(
      axisX(toX, 210, x.low, x.high, x.name),
      axisY(48, toY, y.low, y.high, y.name),
      layer,
      ground,
    );
    show();
    return 252;
  }

  function show() {
    const known = points(drawn).filter((_, i) => drawn[i] !== null);
    layer.replaceChildren(
      curve(known, { stroke: colour(1), "stroke-width": 3 }),
      ...known.map(([cx, cy]) => disc(cx, cy, colour(1), 3)),
      done
        ? curve(points(answer.map(([, value]) => value)), { stroke: colour(2), "stroke-width": 3 })
        : "",
      at >= 0 && !done
        ? line(toX(answer[at][0]), 30, toX(answer[at][0]), 210, DOTTED)
        : "",
    );
  }

  function set(to, value) {
    const from = at < 0 ? to : at,
      first = drawn[from] ?? value;
    for (let i = from; ; i += Math.sign(to - from)) {
      drawn[i] = i === to ? value : first + ((value - first) * (i - from)) / (to - from);
      if (i === to) break;
    }
    at = to;
    show();
  }

  function keydown(event) {
    const step = ARROWS[event.key];
    if (!step || !isPlain(event)) return;
    event.preventDefault();
    const next = at < 0 ? 0 : clamp(at + step[0], 0, answer.length - 1);
    const held = drawn[Math.max(at, 0)] ?? (y.low + y.high) / 2;
    const value = held + (step[1] * (y.high - y.low)) / 40;
    set(next, clamp(value, y.low, y.high));
    verdict.textContent = `At ${answer[at][0]}: ${drawn[at].toFixed(2)} ${y.unit ?? ""}`;
  }

  function pointerdown(event) {
    at = -1;
    const follows = ([px, py]) => {
      const far = answer.map(([value]) => Math.abs(toX(value) - px));
      set(far.indexOf(Math.min(...far)), clamp(toY.back(py), y.low, y.high));
    };
    follows(onSheet(sheet, event));
    hold(sheet, event, follows);
  }

  const sheet = stage(place, `A sketch of ${y.name} over ${x.name}`, paint);
  field.append(place);
  const said = () => {
    if (drawn.includes(null)) return "";
    const off = sum(drawn.map((value, i) => Math.abs(value - answer[i][1]))) / drawn.length;
    return `Your line is on average ${farOff(off, y.unit)}.`;
  };
  const shown = () => {
    if (drawn.every((value) => value === null)) return [];
    done = true;
    sheet.paint();
    return [legendOf(["your line", 1], ["what it is", 2]), place];
  };
  return { field, said, shown };
}
