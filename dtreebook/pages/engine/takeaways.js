// A tree as it is taken away: text, rules, JSON, the lines of Python that grow it, a picture.

import { BLANK } from "./csv.js";
import { make } from "./draw.js";
import { choices } from "./reach.js";
import { SPREAD } from "./readcases.js";
import { asJson, asText } from "./takeaway.js";
import { answer, whereIs } from "./tree.js";

const quote = (value) => JSON.stringify(value);

// The lines that give the same tree.
export function python(lab) {
  const { columns, separator } = lab.state.table,
    values = lab.state.values[lab.state.algorithm],
    { cases } = lab.state.found;
  const asked = columns
    .filter(({ name, kind }) => name !== lab.state.answer && kind !== "out")
    .map(({ name }) => name);
  const ways = new Map();
  for (const { kind, way, name } of columns)
    if (kind === "number") ways.set(way, [...(ways.get(way) ?? []), name]);
  const depth = values.depth === 12 ? "None" : values.depth;
  const more = {
    ID3: [],
    "C4.5": [
      [values.criterion !== "gain ratio", 'criterion="gain"'],
      [!values.guard, "average_gain_guard=False"],
      [!values.penalty, "mdl_penalty=False"],
      [!values.raising, "subtree_raising=False"],
    ],
    CART: [[cases.classes && values.criterion === "entropy", 'criterion="entropy"']],
  }[lab.state.algorithm];
  const others = more.map(([is, words]) => (is ? `, ${words}` : "")).join("");
  const model = {
    ID3: `ID3Classifier(min_gain=${values.gain}, max_depth=${depth})`,
    "C4.5": `C45Classifier(min_weight=${values.cases}, confidence=${values.confidence}${others})`,
    CART: `${cases.classes ? "CARTClassifier" : "CARTRegressor"}(max_depth=${depth}, min_samples_leaf=${values.leaf}, ccp_alpha=${values.alpha}, max_surrogates=0${others})`,
  }[lab.state.algorithm];
  return [
    "import pandas as pd",
    `from dtreebook import ${model.split("(")[0]}`,
    "",
    "table = pd.read_csv(",
    `    ${quote(lab.state.file)}, sep=${quote(separator)}, encoding=${quote(lab.state.encoding || "utf-8-sig")}, dtype=str,`,
    `    header=0, names=${quote(lab.state.table.names)},`,
    `    skipinitialspace=True, keep_default_na=False, na_values=${quote([...BLANK])},`,
    ")",
    ...[...ways].flatMap(([{ group, hasComma }, of]) => [
      `for name in ${quote(of)}:`,
      `    table[name] = table[name]${group && `.str.replace(r"${group}", "", regex=True)`}${hasComma ? '.str.replace(",", ".")' : ""}.astype(float)`,
    ]),
    `table = table.dropna(subset=[${quote(lab.state.answer)}], ignore_index=True)`,
    lab.state.hold
      ? `grown_on = table[table.index * ${SPREAD} % 1 >= 1 / ${lab.state.hold}]`
      : "grown_on = table",
    `model = ${model}`,
    `X, y = grown_on[${quote(asked)}], grown_on[${quote(lab.state.answer)}]`,
    "model.fit(X, y)",
    ...lab.state.wanted.map(
      ({ at, ask, forbid }) =>
        `model = model.regrow(X, y, at=${quote(at)}${ask ? `, ask=${quote(ask)}` : ""}${forbid.length ? `, forbid=${quote(forbid)}` : ""})`,
    ),
    "print(model.tree_)",
    "",
  ].join("\n");
}

export function rules(lab) {
  const { tree } = lab.state.found;
  return tree.nodes
    .map((node, i) =>
      node.split
        ? ""
        : `if ${whereIs(tree, i, "anything")} then ${answer(tree, node)}`,
    )
    .filter(Boolean)
    .join("\n");
}

export function pictureFile(lab) {
  const sheet = lab.parts.tree.querySelector(".dtb-stage").cloneNode(true);
  sheet.setAttribute("style", "color:#1f2328;background:#fff;font:13px sans-serif");
  for (const node of sheet.querySelectorAll("[tabindex]")) node.removeAttribute("tabindex");
  return new XMLSerializer().serializeToString(sheet);
}

export function takeAway(lab) {
  const { tree } = lab.state.found;
  const shown = make("pre", { tabindex: 0, "aria-label": "What is to be taken away" });
  const stem = lab.state.file.replace(/\.\w+$/, "");
  const forms = {
    Text: ["txt", () => asText(tree)],
    Rules: ["rules.txt", () => rules(lab)],
    "JSON for dtreebook": ["json", () => asJson(tree)],
    Python: ["py", () => python(lab)],
    Picture: ["svg", () => pictureFile(lab)],
  };
  const save = make("a", { class: "dtb-save" }, "Save");
  const show = (name) => {
    const [suffix, write] = forms[name],
      words = write();
    shown.textContent = words;
    URL.revokeObjectURL(save.href);
    save.href = URL.createObjectURL(new Blob([words], { type: "text/plain" }));
    save.download = `${stem}.${suffix}`;
    save.textContent = `Save ${save.download}`;
  };
  const names = Object.keys(forms);
  const whole = make(
    "div",
    { class: "dtb-part" },
    make("h3", {}, "Take the tree away"),
    choices("As", names, 0, (i) => show(names[i])),
    shown,
    save,
  );
  show("Text");
  return whole;
}
