// The page Practice: what is due today, mixed on purpose; what is known; what is kept, and where.
// `#kind=gain&seed=417` opens one exercise, the same for everybody; more in worksheets.js.

import { make } from "../kit/draw.js";
import { exercise, KINDS, PARTS } from "./exercise.js";
import { FORMS, pose } from "./forms.js";
import { keeping } from "./keeping.js";
import { opened } from "./memory.js";
import { button, primary } from "../kit/reach.js";
import { formOf, LEVELS, sitting, standing } from "./schedule.js";

// Written out, so that the styles of these names are kept.
const SHADES = ["dtb-level0", "dtb-level1", "dtb-level2", "dtb-level3"];
const newSeed = () => Math.floor(Math.random() * 1e6);
const names = Object.keys(KINDS);
/** @param {Planned} item */
const addressOf = ({ kind, seed, form }) => `#kind=${kind}&seed=${seed}&form=${form}`;
const partOf = (/** @type {string} */ kind) => KINDS[kind].part;

// What the address asks for: { kind, seed, form, sheets }, or null.
export function wanted(hash = location.hash) {
  const asked = new URLSearchParams(hash.slice(1));
  const kinds = (asked.get("kind") ?? "").split(",").filter((kind) => kind in KINDS);
  if (!kinds.length) return null;
  const numbers = ["seed", "sheets"].map((name) => Math.trunc(Number(asked.get(name))) || 0),
    [seed, sheets] = numbers;
  const form = asked.get("form") ?? "";
  return { kinds, seed, form: form in FORMS ? form : "solve", sheets };
}

export function practise(/** @type {Element} */ root, /** @type {Memory} */ memory = opened()) {
  const list = make("ol", { class: "dtb-today" });
  const map = make("div", { class: "dtb-map" });
  const stage = make("div", { class: "dtb-stage-of-one", tabindex: -1 });
  const told = make("span", { class: "dtb-told" });
  const now = () => Date.now();
  let /** @type {Planned[]} */ plan = sitting(memory.answers, names, partOf, now());
  let at = 0;
  const asked = wanted();
  if (asked) {
    const { form, seed } = asked;
    plan = [
      ...asked.kinds.map((kind) => ({ kind, form, seed })),
      ...plan.filter(({ kind }) => !asked.kinds.includes(kind)),
    ];
  }

  function toStage() {
    stage.focus({ preventScroll: true });
    stage.scrollIntoView({ block: "nearest" });
  }
  // What skips the menus of the page leads to the exercise.
  document.querySelector("#pst-skip-link")?.addEventListener("click", (event) => {
    event.preventDefault();
    toStage();
  });

  const standingOf = (/** @type {string} */ kind) => standing(memory.answers, kind, now());

  const isDone = (/** @type {Planned} */ { done }) => done !== undefined;

  // An exercise comes at once, out of its turn. Of those that came so, one without an answer goes;
  // one of the same kind that was to come is this one.
  function bring(/** @type {Planned} */ more) {
    plan = plan.filter((item) => isDone(item) || !item.isExtra);
    const same = plan.findIndex((item) => !isDone(item) && item.kind === more.kind);
    const [item = { isExtra: true }] = same < 0 ? [] : plan.splice(same, 1);
    at = plan.filter(isDone).length;
    plan.splice(at, 0, Object.assign(item, more));
    open(true);
  }

  function open(isMoved = false) {
    const item = plan[at];
    const seed = (item.seed ??= newSeed());
    const made = exercise(item.kind, seed);
    const foot = make("div", { class: "dtb-row dtb-foot" });
    const again = button("New numbers", () => ((item.seed = newSeed()), open(true)));
    const others = Object.keys(FORMS)
      .filter((form) => form !== item.form)
      .flatMap((form) => [make("a", { href: addressOf({ ...item, form }) }, FORMS[form]), ", "]);
    const page = make("a", { href: `${made.page}.html` }, "the page that teaches it");
    foot.append(again);
    const or = make("p", { class: "dtb-quiet" }, "Or ", others, page);
    const said = make("p", { class: "dtb-quiet", role: "status" });
    const onFirst = (/** @type {boolean} */ right) => {
      const isCounted = !isDone(item);
      item.done = right;
      if (isCounted) {
        memory.add({ kind: item.kind, seed, form: item.form, right, at: now() });
        // What went wrong comes once more today, with other numbers.
        if (!right) plan.push({ kind: item.kind, form: "complete" });
      }
      const { days } = standingOf(item.kind);
      const when = days ? `in ${days} ${days === 1 ? "day" : "days"}` : "once more today";
      const where = days && !memory.isKept ? " if your answers are kept" : "";
      said.textContent = `${made.title} comes back ${when}, with other numbers${where}.`;
      show();
    };
    const onEnd = () => {
      const next = plan.findIndex((item) => !isDone(item));
      const go = () => ((at = next), open(true));
      const again = () => {
        plan = sitting(memory.answers, names, partOf, now());
        at = 0;
        open(true);
      };
      const more = next < 0 ? "Another sitting" : `Next: ${KINDS[plan[next].kind].title}`;
      foot.prepend(primary(more, next < 0 ? again : go));
    };
    const kind = make("h2", { class: "dtb-kind" }, made.title);
    const href = addressOf(item);
    if (isMoved) history.replaceState(null, "", href);
    const link = make("a", { href, class: "dtb-seed" }, `seed ${seed}`);
    const head = make("p", { class: "dtb-row" }, kind, make("span", FORMS[item.form]), told, link);
    stage.replaceChildren(head, pose(made, item.form, { onFirst, onEnd }), said, or, foot);
    if (isMoved) toStage();
    show();
  }

  function show() {
    kept.tell();
    const done = plan.filter(isDone);
    const right = done.filter((item) => item.done).length;
    told.textContent = `${done.length} answered, ${right} right, ${plan.length - done.length} to go`;
    list.replaceChildren(
      ...plan.map((item, i) => {
        const is = i === at ? "dtb-now" : isDone(item) && "dtb-done",
          [sign, says] = item.done ? ["✓ ", "right"] : ["↺ ", "wrong, comes again"];
        return make(
          "li",
          { class: is, "aria-current": i === at && "step" },
          isDone(item) ? make("span", { role: "img", "aria-label": says }, sign) : "",
          KINDS[item.kind].title,
        );
      }),
    );
    map.replaceChildren(
      ...PARTS.flatMap((part, p) => [
        make("span", part),
        make("div", names.filter((kind) => partOf(kind) === p).map(square)),
      ]),
    );
  }

  function square(/** @type {string} */ kind) {
    const { level, isDue } = standingOf(kind);
    const label = `${KINDS[kind].title}: ${LEVELS[level]}${isDue ? ", due" : ""}`;
    return button(isDue ? "●" : "", () => bring({ kind, form: formOf(standingOf(kind)) }), {
      class: `dtb-square ${SHADES[level]}`,
      "aria-label": label,
      title: label,
    });
  }

  const kept = keeping(memory, () => {
    const isOpen = (/** @type {Planned} */ { kind }) => kind === plan[at].kind && !isDone(plan[at]);
    const rest = sitting(memory.answers, names, partOf, now()).filter((item) => !isOpen(item));
    plan = [...plan.slice(0, at + 1), ...rest];
    show();
  });
  const key = LEVELS.map((level, i) =>
    make("span", make("i", { class: `dtb-square ${SHADES[i]}` }), ` ${level}`),
  );
  // The exercise comes first, so that the keyboard is soon there.
  const parts = [
    make("div", { class: "dtb-main-side" }, list, stage),
    make(
      "aside",
      make("h2", "What you know"),
      map,
      make("p", { class: "dtb-key" }, key, make("span", "● due")),
      kept,
    ),
  ];
  root.replaceChildren(make("div", parts));
  open();
  addEventListener("hashchange", () => {
    const found = wanted();
    if (!found || found.sheets) return;
    const { kinds, seed, form } = found;
    bring({ kind: kinds[0], seed, form });
  });
}
