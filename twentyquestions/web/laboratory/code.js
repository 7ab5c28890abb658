// A tree as a program that needs nothing else, in JavaScript and in Python, as an SQL expression and as
// a flowchart: letter for letter as the package writes it (dtreebook.tree.code).

import { TIE, sum } from "../algorithms/measures.js";
import { leafWords } from "./text.js";
import { asked, branchOf, branchWord, escaped, printed } from "../algorithms/tree.js";

const NESTED = 12; // a function holds so many tests one in another
const NEARLY = printed(1 - TIE);

function pythonText(/** @type {string} */ words) {
  const quote = words.includes("'") && !words.includes('"') ? '"' : "'";
  const plain = { "\n": "\\n", "\r": "\\r", "\\": "\\\\", [quote]: `\\${quote}` };
  const inside = words.replace(
    /['"\\]|[^ -~]/gu,
    (sign) => plain[sign] ?? (sign < " " || sign > "~" ? escaped(sign) : sign),
  );
  return quote + inside + quote;
}

/** @param {string} unit */
const unicode = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** @type {Record<"JavaScript" | "Python", Language>} */
export const LANGUAGES = {
  JavaScript: {
    indent: "  ",
    stop: ";",
    end: ["}"],
    declare: ["let branch;"],
    define: (name, given) => `function ${name}(${given}) {`,
    when: (branch) => (branch < 0 ? "if (branch < 0) {" : `if (branch === ${branch}) {`),
    text: (/** @type {string} */ words) => JSON.stringify(words).replace(/[^ -;=-~]/g, unicode), // so that no tag ends a script
    value: (name) => `row[${name}]`,
    lookUp: (value, levels, branches) => {
      const groups = Array.from(
        { length: Math.max(...branches) + 1 },
        () => /** @type {string[]} */ ([]),
      );
      branches.forEach((branch, code) => groups[branch]?.push(levels[code]));
      return `group(${[value, ...groups.map((group) => `[${group.join(", ")}]`)].join(", ")})`;
    },
    helpers: [
      'function cut(value, at, below, above) {\n  const blank = value === null || String(value).trim() === "";\n  if (blank || typeof value === "boolean" || Number.isNaN(Number(value))) return -1;\n  return value <= at ? below : above;\n}',
      "function group(value, ...groups) {\n  return groups.findIndex((levels) => levels.includes(value));\n}",
      "function first(...branches) {\n  return branches.find((branch) => branch >= 0) ?? -1;\n}",
    ],
    largest: (n, classes) =>
      `function predict(row) {\n  const shares = new Array(${n}).fill(0);\n  node0(row, 1, shares);\n  const most = Math.max(...shares) * ${NEARLY};\n  return [${classes}][shares.findIndex((share) => share >= most)];\n}`,
  },
  Python: {
    indent: "    ",
    stop: "",
    end: [],
    declare: [],
    define: (name, given) => `def ${name}(${given}):`,
    when: (branch) => (branch < 0 ? "if branch is None:" : `if branch == ${branch}:`),
    text: pythonText,
    value: (name) => `row.get(${name})`,
    lookUp: (value, levels, branches) =>
      `{${levels.flatMap((level, code) => (branches[code] < 0 ? [] : [`${level}: ${branches[code]}`])).join(", ")}}.get(${value})`,
    helpers: [
      "def cut(value, at, below, above):\n    try:\n        value = float(value)\n    except (TypeError, ValueError):  # such as None, pandas.NA and an empty field\n        return None\n    return below if value <= at else above if value > at else None",
      "def first(*branches):\n    return next((branch for branch in branches if branch is not None), None)",
    ],
    largest: (n, classes) =>
      `def predict(row):\n    shares = [0.0] * ${n}\n    node0(row, 1.0, shares)\n    most = max(shares) * ${NEARLY}\n    return next(label for label, share in zip([${classes}], shares) if share >= most)`,
  },
};

// A level, a class or a number in a language.
/** @param {Label} label @param {Writes} text @param {Spells} [number] */
const literal = (label, text, number = printed) =>
  typeof label === "number" ? number(label) : text(label);
/** @param {Tree} tree @param {TreeNode} node @param {[Writes, Spells?]} how */
const answerWords = ({ classes }, { label }, ...how) =>
  literal(classes ? classes[label] : label, ...how);
const isNumber = (/** @type {Split} */ { kind, attribute }, /** @type {Tree} */ { attributes }) =>
  kind === "threshold" && attributes[attribute].kind === "numeric";

// The branch that a test sends each level down, -1 for none.
const branchesOf = (/** @type {Split} */ split, /** @type {Attribute} */ attribute) =>
  attribute.levels.map((_, code) => branchOf(split, attribute, code));

// The line that finds the branch of a node.
/** @param {Tree} tree @param {Language} language @param {Inner} node */
function branchLine(tree, { text, value: valueOf, lookUp, stop }, { split, default: usual }) {
  const attribute = tree.attributes[split.attribute],
    value = valueOf(text(attribute.name)),
    levels = attribute.levels.map((level) => literal(level, text));
  const test = isNumber(split, tree)
    ? `cut(${value}, ${printed(split.cut ?? NaN)}, 0, 1)`
    : lookUp(value, levels, branchesOf(split, attribute));
  return `branch = ${usual !== undefined ? `first(${test}, ${usual})` : test}${stop}`;
}

// A tree in one of the languages; with `inParts` an unknown value goes down every branch.
/** @param {Tree} tree @param {Language} language @param {boolean} inParts */
export function asProgram(tree, language, inParts) {
  const { indent, stop, end, when, text } = language,
    { nodes } = tree,
    waiting = [0]; // the nodes that are to become functions
  const name = (/** @type {number} */ i) => (i || inParts ? `node${i}` : "predict");
  const inside = (/** @type {string[]} */ lines) => lines.map((line) => indent + line);
  /** @param {string} head @param {string[]} body */
  const block = (head, body) => [head, ...inside(body), ...end];
  const answer = (/** @type {TreeNode} */ node) => `return ${answerWords(tree, node, text)}${stop}`;

  const branch = (/** @type {Inner} */ node) => branchLine(tree, language, node);
  /** @param {number} i @returns {string[]} */
  function whole(i, depth = 0) {
    const node = nodes[i];
    if (!node.split) return [answer(node)];
    if (depth === NESTED) {
      waiting.push(i);
      return [`return ${name(i)}(row)${stop}`];
    }
    const below = node.children.map((child) => whole(child, depth + 1)),
      last = below.pop();
    const unknown = node.default === undefined ? block(when(-1), [answer(node)]) : [];
    return [
      branch(node),
      ...unknown,
      ...below.flatMap((lines, b) => block(when(b), lines)),
      ...(last ?? []),
    ];
  }
  function part(/** @type {number} */ i, /** @type {string} */ weight) {
    const { split, counts, label } = nodes[i];
    if (split) return [`${name(i)}(row, ${weight}, shares)${stop}`];
    const all = sum(counts),
      shares = counts.map((count, k) => (all ? count / all : Number(k === label)));
    return shares.flatMap((share, k) =>
      share ? [`shares[${k}] += ${weight} * ${printed(share)}${stop}`] : [],
    );
  }
  function parts(/** @type {number} */ i) {
    const { split, children } = nodes[i];
    if (!split) return part(i, "weight");
    waiting.push(...children.filter((child) => nodes[child].split));
    const weights = children.map((child) => sum(nodes[child].counts)),
      all = sum(weights);
    const every = children.flatMap((child, b) =>
      weights[b] ? part(child, `weight * ${printed(weights[b] / all)}`) : [],
    );
    const each = children.flatMap((child, b) => block(when(b), part(child, "weight")));
    return [branch(nodes[i]), ...block(when(-1), every), ...each];
  }

  const functions = [];
  for (const i of waiting) {
    // the list grows while we walk it; what is called comes before what calls it
    const body = [...(nodes[i].split ? language.declare : []), ...(inParts ? parts : whole)(i)];
    functions.unshift(
      block(language.define(name(i), inParts ? "row, weight, shares" : "row"), body).join("\n"),
    );
  }
  const classes = tree.classes?.map((label) => literal(label, text));
  const largest = inParts
    ? [language.largest(classes?.length ?? 0, (classes ?? []).join(", "))]
    : [];
  return `${[...language.helpers, ...functions, ...largest].join("\n\n")}\n`;
}

const NESTED_CASES = 8; // so many CASE one in another
const LARGEST = printed(Number.MAX_VALUE); // NaN is larger in some databases

// A tree as an SQL expression. A CASE goes on with the branch of unknown values, or, where many are
// nested, with the largest; the others are nested.
export function asSql(/** @type {Tree} */ tree) {
  const { nodes, attributes } = tree;
  /** @param {string} words @param {string} sign */
  const quoted = (words, sign) => sign + words.replaceAll(sign, sign + sign) + sign;
  const numberOf = (/** @type {number} */ number) => {
    const said = printed(number); // with more digits a decimal number is another one than a double
    return said.replace(/\D/g, "").length > 15 && !said.includes("e") ? `${said}E0` : said;
  };
  const levelOf = (/** @type {number} */ number) =>
    Number.isInteger(number) && Math.abs(number) < 1e16 ? String(number) : numberOf(number);
  const textOf = (/** @type {string} */ words) => quoted(words, "'");
  const answer = (/** @type {number} */ i) => answerWords(tree, nodes[i], textOf, numberOf);
  const size = nodes.map(() => 1); // of the tree below each node
  for (let i = nodes.length - 1; i >= 0; i--)
    for (const child of nodes[i].children ?? []) size[i] += size[child];

  /** @param {Split} split @param {number} branch */
  function test(split, branch) {
    const attribute = attributes[split.attribute],
      name = quoted(attribute.name, '"');
    if (isNumber(split, tree)) {
      const cut = numberOf(split.cut ?? NaN);
      return branch ? `${name} > ${cut} AND ${name} <= ${LARGEST}` : `${name} <= ${cut}`;
    }
    const branches = branchesOf(split, attribute);
    const group = attribute.levels
      .filter((_, code) => branches[code] === branch)
      .map((level) => literal(level, textOf, levelOf));
    if (group.length === 1) return `${name} = ${group[0]}`;
    return group.length ? `${name} IN (${group.join(", ")})` : "1 = 0";
  }
  /** The branch that a CASE goes on with, and the conditions before it, each with what it gives.
   * @param {Inner} node @param {number} depth @returns {[number, [string, number | null][]]} */
  function conditions({ split, children, default: usual = -1 }, depth) {
    const sizes = children.map((child) => size[child]),
      last = depth < NESTED_CASES ? usual : sizes.indexOf(Math.max(...sizes)),
      isApart = last >= 0 && last !== usual; // unknown values do not go with the last branch
    const tests = children.map((_, b) => test(split, b)),
      which = `CASE ${tests.map((one, b) => `WHEN ${one} THEN ${b}`).join(" ")} END`;
    const /** @type {[string, number | null][]} */ found = [];
    for (const [b, child] of children.entries())
      if (b !== last)
        found.push([
          isApart && b === usual ? `(${tests[b]} OR ${which} IS NULL)` : tests[b],
          child,
        ]);
    if (isApart && usual < 0) found.push([`${which} IS NULL`, null]);
    return [last, found];
  }
  /** @param {number} i @returns {string[]} */
  function expression(i, depth = 0) {
    const lines = [];
    for (let node = nodes[i]; node.split; node = nodes[i]) {
      const [last, found] = conditions(node, depth);
      for (const [condition, child] of found) {
        const [first, ...others] = child === null ? [answer(i)] : expression(child, depth + 1);
        lines.push(`WHEN ${condition} THEN ${first}`, ...others);
      }
      if (last < 0) break;
      i = node.children[last];
    }
    if (!lines.length) return [answer(i)];
    return ["CASE", ...[...lines, `ELSE ${answer(i)}`].map((line) => `  ${line}`), "END"];
  }
  return expression(0).join("\n");
}

// A tree in the language of Mermaid.
export function asMermaid(/** @type {Tree} */ tree) {
  /** @param {string} words */
  const text = (words) => `"${words.replace(/["#<>&`%]/g, (sign) => `#${sign.charCodeAt(0)};`)}"`;
  const lines = tree.nodes.flatMap((node, i) => {
    if (!node.split) return [`  n${i}([${text(leafWords(tree, i))}])`];
    const name = asked(tree, node),
      word = (/** @type {number} */ b) => branchWord(tree, node, b).slice(name.length + 1);
    return [
      `  n${i}[${text(name)}]`,
      ...node.children.map((child, b) => `  n${i} -->|${text(word(b))}| n${child}`),
    ];
  });
  return ["flowchart TD", ...lines].join("\n");
}
