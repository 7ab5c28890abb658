// Reading a tree: the branch of a value, the words of a test, the way of a case.

import { fixed, majority, sum } from "./measures.js";

export const isKnown = (/** @type {Attribute} */ attribute, /** @type {number} */ value) =>
  attribute.kind === "numeric" ? value === value : value >= 0;

// The branch that a value takes: -1 if it is unknown.
/** @param {Split} split @param {Attribute} attribute @param {number} value */
export function branchOf(split, attribute, value) {
  if (!isKnown(attribute, value)) return -1;
  if (split.kind === "threshold") return value > split.cut ? 1 : 0;
  return split.kind === "multiway"
    ? value
    : split.groups.findIndex((group) => group.includes(value));
}

// A number in words, with at least all digits before its point (dtreebook.data.words.in_digits).
export function inDigits(/** @type {number} */ number, digits = 6, behind = 1) {
  const size = Math.abs(number);
  const before = size >= 1 && size < 1e20 ? Math.floor(Math.log10(size)) + 1 : 0;
  return general(number, Math.max(digits, before + behind));
}

/** Python's format %.{digits}g. @param {number} number */
export function general(number, digits = 6) {
  if (number === 0) return "0";
  const [mantissa, power] = number.toExponential(digits - 1).split("e"),
    exponent = Number(power);
  /** @param {string} text */
  const trim = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < digits) return trim(fixed(number, digits - 1 - exponent));
  return withPower(trim(mantissa), exponent);
}

const withPower = (/** @type {string} */ mantissa, /** @type {number} */ power) =>
  `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;

/** A number as Python prints it. @param {number} number */
export function printed(number) {
  if (Number.isInteger(number) && Math.abs(number) < 1e16) return `${number}.0`;
  const [mantissa, exponent] = number.toExponential().split("e"),
    power = Number(exponent);
  return power >= -4 && power < 16 ? String(number) : withPower(mantissa, power);
}

/** A character as Python writes it where it cannot stand itself. @param {string} sign */
export function escaped(sign) {
  const hex = Number(sign.codePointAt(0)).toString(16),
    size = [2, 4, 8].find((most) => hex.length <= most) ?? 8;
  return sign === "\t" ? "\\t" : `\\${"xuU"[Math.log2(size) - 1]}${hex.padStart(size, "0")}`;
}

// Characters that do something unseen, and ends of lines.
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\ufffe\uffff\u2028\u2029]/gu;

// A label on one line, without characters that do something unseen (dtreebook.data.words).
export function printable(/** @type {Label} */ label) {
  return asText(label)
    .replace(/(?:\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029])(?=([^]?))/g, (_, next) => next && " ")
    .replace(UNSEEN, escaped);
}

const asText = (/** @type {Label} */ label) =>
  typeof label !== "number" || (Number.isInteger(label) && Math.abs(label) < 1e16)
    ? String(label)
    : printed(label);

// What stands beside values in a sentence; blanks at an end, and nothing at all.
const AROUND_VALUES = /[,{}"]|:( |$)| (and|or) |^\s|^$|\s$/;

// A value as a branch names it, quoted as in JSON if it could be misread (dtreebook.data.words).
export function valueInWords(/** @type {Label} */ value) {
  const text = asText(value);
  if (!AROUND_VALUES.test(text) && printable(text) === text) return text;
  return JSON.stringify(text).replace(UNSEEN, (sign) =>
    sign.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Values between commas; of more than a hundred the first twenty. @type {(values: string[], comma: string) => string} */
const listed = (values, comma) =>
  values.length > 100
    ? `${values.slice(0, 20).join(comma)}, ... ${values.length - 20} more`
    : values.join(comma);

// A branch of a node in words.
/** @param {Tree} tree @param {Asking} about @param {number} branch @param {Spells} [inWords] */
export function branchWord(tree, { split }, branch, inWords = inDigits, upTo = "<=", comma = ",") {
  const { kind, cut, groups, attribute } = split,
    { kind: of, levels } = tree.attributes[attribute];
  const name = asked(tree, { split }),
    level = (/** @type {number} */ code) => valueInWords(levels[code]);
  if (kind === "threshold")
    return `${name} ${branch ? ">" : upTo} ${of === "numeric" ? inWords(cut) : level(cut)}`;
  const group = groups ? groups[branch] : [branch];
  return group.length === 1
    ? `${name} = ${level(group[0])}`
    : `${name} in {${listed(group.map(level), comma)}}`;
}

export const answer = (/** @type {Tree} */ tree, /** @type {{ label: number }} */ node) =>
  tree.classes ? printable(tree.classes[node.label]) : inDigits(node.label, 4, 0);

/** What a node asks about; in words, or its answer. @param {Tree} tree @param {Asking} about */
export const asked = (tree, { split }) => printable(tree.attributes[split.attribute].name);
/** @param {Tree} tree @param {TreeNode} node */
export const asks = (tree, node) => (node.split ? `${asked(tree, node)}?` : answer(tree, node));

/** What a node costs as a leaf: the weight of its errors, or its squared error. @param {TreeNode} node */
export const riskOf = (node) => node.risk ?? sum(node.counts) - node.counts[node.label];

/** @param {Tree<unknown>} tree */
export const leavesOf = (tree) => tree.nodes.filter((node) => !node.split);

/** The numbers of the nodes from the root to a node. @param {Tree<unknown>} tree @param {number} number */
export function wayTo(tree, number) {
  const parent = parents(tree);
  const way = [number];
  while (way[0]) way.unshift(parent[way[0]]);
  return way;
}

// The parent of every node, -1 of the root; found once for each tree, which never changes.
/** @type {WeakMap<Tree<unknown>, number[]>} */
const PARENTS = new WeakMap();
export function parents(/** @type {Tree<unknown>} */ tree) {
  let parent = PARENTS.get(tree);
  if (!parent) {
    PARENTS.set(tree, (parent = new Array(tree.nodes.length).fill(-1)));
    for (const [i, { children }] of tree.nodes.entries())
      for (const child of children ?? []) parent[child] = i;
  }
  return parent;
}

/** The same as a page shows it. @type {(tree: Tree, about: Asking, branch: number) => string} */
export const branchShown = (tree, about, branch) =>
  branchWord(tree, about, branch, inDigits, "≤", ", ");

/** The tests on the way to a node, in words. @param {Tree} tree @param {number} number */
export function conditions(tree, number, word = branchWord) {
  const way = wayTo(tree, number);
  return way.slice(1).map((child, i) => {
    const node = tree.nodes[way[i]];
    return node.split ? word(tree, node, child - node.children[0]) : "";
  });
}

/** @param {Tree} tree @param {number} number @param {string} all */
export const whereIs = (tree, number, all) =>
  conditions(tree, number, branchShown).join(" and ") || all;

/** @param {Tree} about @param {Asking} about @param {ArrayLike<number>} values */
const takenAt = ({ attributes }, { split }, values) =>
  branchOf(split, attributes[split.attribute], values[split.attribute]);

// Where a case ends: at a leaf, or where its value is unknown and the node has no default.
export function route(/** @type {Tree} */ tree, /** @type {ArrayLike<number>} */ values) {
  let i = 0;
  for (;;) {
    const node = tree.nodes[i];
    if (!node.split) return i;
    let branch = takenAt(tree, node, values);
    if (branch < 0) branch = node.default ?? -1;
    if (branch < 0) return i;
    i = node.children[branch];
  }
}

// The nodes that a case of C4.5 comes to, with the part of it that does: an unknown value goes down
// every branch.
export function pour(/** @type {Tree} */ tree, /** @type {ArrayLike<number>} */ values) {
  const parts = new Map([[0, 1]]);
  for (const [i, part] of parts) {
    // the map grows while we walk it
    const node = tree.nodes[i];
    if (!node.split) continue;
    const branch = takenAt(tree, node, values);
    if (branch >= 0) {
      parts.set(node.children[branch], part);
      continue;
    }
    const weights = node.children.map((child) => sum(tree.nodes[child].counts));
    const together = sum(weights);
    node.children.forEach(
      (child, b) => weights[b] > 0 && parts.set(child, (part * weights[b]) / together),
    );
  }
  return parts;
}

/**
 * A tree of what hangs below a root, numbered anew level by level: `look` gives of each item its node,
 * the items below it, and where it is from: its number, in this tree or `of` another.
 * @template T
 * @template S
 * @param {GrownTree<S>} tree @param {T} root
 * @param {(item: T) => {node: Omit<TreeNode<S>, "children">, below?: T[], number: number,
 *   of?: GrownTree<S>}} look
 */
export function numbered(tree, root, look) {
  const /** @type {TreeNode<S>[]} */ nodes = [];
  const decisions = [],
    from = [],
    items = [root];
  for (const item of items) {
    // the list grows while we walk it
    const { node, below = [], number, of = tree } = look(item);
    const children = below.map((_, branch) => items.length + branch);
    nodes.push(/** @type {TreeNode<S>} */ (below.length ? { ...node, children } : node));
    decisions.push(of.decisions?.[number]);
    from.push(number);
    items.push(...below);
  }
  return { attributes: tree.attributes, classes: tree.classes, nodes, from, decisions };
}

// The part of a case that comes to a node; with `inParts` it may be divided.
/** @param {Tree} tree @param {ArrayLike<number>} values @param {number} number @param {boolean} inParts */
export const partAt = (tree, values, number, inParts) =>
  inParts
    ? (pour(tree, values).get(number) ?? 0)
    : Number(wayTo(tree, route(tree, values)).includes(number));

// The class shares of a case over all leaves it comes to.
export function spread(/** @type {Tree} */ tree, /** @type {ArrayLike<number>} */ values) {
  const shares = (tree.classes ?? []).map(() => 0);
  for (const [i, part] of pour(tree, values)) {
    const { split, counts, label } = tree.nodes[i];
    if (split) continue;
    const n = sum(counts);
    if (n) counts.forEach((count, k) => (shares[k] += (part * count) / n));
    else shares[label] += part;
  }
  return shares;
}

// What a tree answers a case; with `inParts` the class that has the largest share.
/** @param {Tree} tree @param {ArrayLike<number>} values @param {boolean} inParts */
export const predicted = (tree, values, inParts) =>
  inParts ? majority(spread(tree, values)) : tree.nodes[route(tree, values)].label;
