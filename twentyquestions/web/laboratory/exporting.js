// A tree as it is taken away: text, rules, JSON, the lines of Python that grow it, programs, pictures.

import { BLANK } from "./csv.js";
import { draw, make } from "../kit/draw.js";
import { inRow } from "../kit/legends.js";
import { LANGUAGES, asMermaid, asProgram, asSql } from "./code.js";
import { button, choices } from "../kit/reach.js";
import { SPREAD, foundIn } from "./readcases.js";
import { scrolling } from "../kit/tables.js";
import { sidewaysTree } from "./sideways.js";
import { asJson, asText } from "./text.js";
import { answer, conditions } from "../algorithms/tree.js";

const quote = (/** @type {unknown} */ value) => JSON.stringify(value);

/** The lines that give the same tree. @param {Found} found @param {State} about */
function python(
  { tree: { classes }, wishes },
  { table, answer: y, algorithm, values: all, file, encoding, hold },
) {
  const { columns, separator, names } = table,
    values = all[algorithm];
  const asked = columns
    .filter(({ name, kind }) => name !== y && kind !== "out")
    .map(({ name }) => name);
  const /** @type {Map<Way, string[]>} */ ways = new Map();
  for (const { kind, way, name } of columns)
    if (way && kind === "number") ways.set(way, [...(ways.get(way) ?? []), name]);
  const depth = values.depth === 12 ? "None" : values.depth;
  /** @type {Record<AlgorithmName, [boolean, string][]>} */
  const switches = {
    ID3: [],
    "C4.5": [
      [values.criterion !== "gain ratio", 'criterion="gain"'],
      [!values.guard, "average_gain_guard=False"],
      [!values.penalty, "mdl_penalty=False"],
      [!values.raising, "subtree_raising=False"],
    ],
    CART: [[classes !== null && values.criterion === "entropy", 'criterion="entropy"']],
  };
  const others = switches[algorithm].map(([is, words]) => (is ? `, ${words}` : "")).join("");
  const model = {
    ID3: `ID3Classifier(min_gain=${values.gain}, max_depth=${depth})`,
    "C4.5": `C45Classifier(min_weight=${values.cases}, confidence=${values.confidence}${others})`,
    CART: `${classes ? "CARTClassifier" : "CARTRegressor"}(max_depth=${depth}, min_samples_leaf=${values.leaf}, ccp_alpha=${values.alpha}, max_surrogates=0${others})`,
  }[algorithm];
  return [
    "import pandas as pd",
    `from dtreebook import ${model.split("(")[0]}`,
    "",
    "table = pd.read_csv(",
    `    ${quote(file)}, sep=${quote(separator)}, encoding=${quote(encoding || "utf-8-sig")}, dtype=str,`,
    `    header=0, names=${quote(names)},`,
    `    skipinitialspace=True, keep_default_na=False, na_values=${quote([...BLANK])},`,
    ")",
    ...[...ways].flatMap(([{ group, hasComma }, of]) => [
      `for name in ${quote(of)}:`,
      `    table[name] = table[name]${group && `.str.replace(r"${group}", "", regex=True)`}${hasComma ? '.str.replace(",", ".")' : ""}.astype(float)`,
    ]),
    `table = table.dropna(subset=[${quote(y)}], ignore_index=True)`,
    hold ? `grown_on = table[table.index * ${SPREAD} % 1 >= 1 / ${hold}]` : "grown_on = table",
    `model = ${model}`,
    `X, y = grown_on[${quote(asked)}], grown_on[${quote(y)}]`,
    "model.fit(X, y)",
    ...wishes.map(
      ({ at, ask, forbid }) =>
        `model = model.regrow(X, y, at=${quote(at)}${ask ? `, ask=${quote(ask)}` : ""}${forbid.length ? `, forbid=${quote(forbid)}` : ""})`,
    ),
    "print(model.tree_)",
    "",
  ].join("\n");
}

const rules = (/** @type {Tree} */ tree) =>
  tree.nodes
    .flatMap((node, i) =>
      node.split
        ? []
        : `if ${conditions(tree, i).join(" and ") || "anything"} then ${answer(tree, node)}`,
    )
    .join("\n");

// The picture as a file of its own, with what the page's styles give it.
function svg(/** @type {Tree} */ tree) {
  const look = {
      about: () => ({}),
      isKnown: () => true,
      drawn: new Set(tree.nodes.keys()),
      way: new Set(),
      chosen: -1,
    },
    room = { width: Infinity, height: 0 };
  const { parts, width, height } = sidewaysTree(tree, { ...look, ...room });
  const style = "color:#1f2328;background:#fff;font:13px sans-serif";
  const sheet = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, style }, parts);
  sheet.prepend(draw("style", ".dtb-card{fill:#fff;stroke-width:1.3}"));
  return new XMLSerializer().serializeToString(sheet);
}

// The same in dots, two to a pixel as far as browsers go.
async function png(/** @type {Tree} */ tree) {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg(tree))}`;
  await picture.decode();
  const { width, height } = picture;
  const by = Math.min(2, 16_000 / width, 16_000 / height, Math.sqrt(16e6 / (width * height)));
  const canvas = make("canvas", { width: Math.round(by * width), height: Math.round(by * height) }),
    ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ink.fillStyle = "#fff";
  ink.fillRect(0, 0, canvas.width, canvas.height);
  ink.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob((blob) => done(blob ?? "")));
}

export function takeAway(/** @type {Lab} */ lab) {
  const { tree, how } = foundIn(lab),
    { inParts } = how,
    { source, encoding } = lab.state;
  const shown = make("pre");
  const known = inParts
    ? "-- Where a value is missing, C4.5 goes down every branch, which SQL does not.\n"
    : "";
  /** @type {Record<string, [string, () => string | Promise<Blob | string>]>} */
  const forms = {
    Text: ["txt", () => asText(tree)],
    Rules: ["rules.txt", () => rules(tree)],
    "JSON for dtreebook": ["json", () => asJson(tree, inParts)],
    Python: ["py", () => python(foundIn(lab), lab.state)],
    "Python alone": ["tree.py", () => asProgram(tree, LANGUAGES.Python, inParts)],
    JavaScript: ["js", () => asProgram(tree, LANGUAGES.JavaScript, inParts)],
    SQL: ["sql", () => known + asSql(tree)],
    Mermaid: ["mmd", () => asMermaid(tree)],
    SVG: ["svg", () => svg(tree)],
    PNG: ["png", () => png(tree)],
    // What is no file yet, for the lines of Python to read.
    ...(encoding === undefined && { "the table": ["csv", () => source] }),
  };
  const save = make("a", { class: "dtb-save" }, "Save");
  let asked = "";
  const show = async (/** @type {string} */ name) => {
    asked = name;
    const [suffix, write] = forms[name],
      made = await write();
    if (asked !== name) return; // a picture that came late
    URL.revokeObjectURL(save.href);
    const isText = typeof made === "string";
    save.href = URL.createObjectURL(isText ? new Blob([made], { type: "text/plain" }) : made);
    save.download = `${lab.state.file.replace(/\.\w+$/, "")}.${suffix}`;
    save.textContent = `Save ${save.download}`;
    shown.replaceChildren(isText ? made : make("img", { src: save.href, alt: "The tree" }));
  };
  const close = button("Close", () => lab.parts.away.hidePopover());
  const names = Object.keys(forms);
  show("Text");
  return make(
    "div",
    { class: "dtb-part" },
    make("h3", "Export the tree"),
    choices("As", names, 0, (i) => show(names[i])),
    scrolling("What is to be taken away", shown),
    inRow(save, close),
  );
}
