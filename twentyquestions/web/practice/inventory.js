// The concept inventory in the page: answers go into a file for the teacher, a row of the table that
// `make inventory` reads. Nothing is marked here. They stay in the browser only if the reader agrees.

import { download } from "../kit/download.js";
import { make } from "../kit/draw.js";
import { button, check, primary } from "../kit/reach.js";
import { stored } from "../kit/store.js";

const PLACE = "dtreebook-inventory";

// A cell of a CSV file; a name that a spreadsheet would take for a formula stays a name.
/** @param {string} text */
const quoted = (text) => `"${text.replaceAll('"', '""').replace(/^[=+\-@]/, "'$&")}"`;

function ask(/** @type {HTMLElement} */ root) {
  const name = make("input", { type: "text", autocomplete: "off", required: "" });
  const said = make("p", { role: "status" });
  /** @type {NodeListOf<HTMLInputElement>} */
  const radios = root.querySelectorAll("input[type=radio]");
  const inputs = [...radios];
  const read = () =>
    Object.fromEntries(inputs.filter((one) => one.checked).map((one) => [one.name, one.value]));
  const save = () =>
    stored((store) =>
      keep.input.checked
        ? store.setItem(PLACE, JSON.stringify({ name: name.value, answers: read() }))
        : store.removeItem(PLACE),
    );
  const text = stored((store) => store.getItem(PLACE));
  const keep = check("Keep my answers in this browser until I come back", Boolean(text), save);
  if (text) {
    const { name: whose, answers } = JSON.parse(text);
    name.value = whose;
    for (const input of inputs) input.checked = answers[input.name] === input.value;
  }
  for (const input of [...inputs, name]) input.addEventListener("change", save);
  root.prepend(make("p", make("label", "Your name or number ", name)), make("p", keep));
  for (const details of root.querySelectorAll("details")) {
    const { form } = details.dataset;
    const names = [
      ...new Set(inputs.map((one) => one.name).filter((one) => one.startsWith(`${form}-`))),
    ];
    const forget = () => {
      for (const input of inputs) if (names.includes(input.name)) input.checked = false;
      save();
      said.textContent = "Deleted.";
    };
    const hand = () => {
      if (!name.value.trim()) {
        said.textContent = "Write your name or number first, at the top.";
        return name.focus();
      }
      const answers = read();
      const row = [quoted(name.value.trim()), form, ...names.map((one) => answers[one] ?? "")];
      const head = ["student", "form", ...names.map((_, i) => i + 1)];
      const who = name.value.replace(/[^\p{L}\p{N}]+/gu, "-");
      download(`inventory-${form}-${who}.csv`, `${head.join(",")}\n${row.join(",")}\n`, "text/csv");
      const number = names.filter((one) => answers[one]).length;
      said.textContent = `${number} of ${names.length} questions are answered. Give the file to your teacher.`;
    };
    const give = primary("Save my answers as a file", hand);
    details.append(make("p", { class: "dtb-row" }, give, button("Delete my answers", forget)));
  }
  root.append(said);
}

for (const root of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll(".dtb-inventory")
))
  ask(root);
