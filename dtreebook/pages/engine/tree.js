// Reading a tree: the branch of a value, the words of a test, the way of a case, text and JSON as
// the package has them.

// The branch that a value takes: -1 if it is unknown.
function branchOf(split, attribute, value) {
  if (!isKnown(attribute, value)) return -1;
  if (split.kind === "threshold") return value > split.cut ? 1 : 0;
  return split.kind === "multiway"
    ? value
    : split.groups.findIndex((group) => group.includes(value));
}

// A number in words, with at least all digits before its point (dtreebook.splits.in_digits).
function inDigits(number, digits = 6, behind = 1) {
  const size = Math.abs(number);
  const before = size >= 1 && size < 1e20 ? Math.floor(Math.log10(size)) + 1 : 0;
  return general(number, Math.max(digits, before + behind));
}

// Python's format %.{digits}g.
function general(number, digits) {
  if (number === 0) return "0";
  const [mantissa, exponent] = number.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  const trim = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < digits) return trim(fixed(number, digits - 1 - power));
  return `${trim(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

// The branches of a node in words.
function branchWords(tree, node) {
  if (!node.split) return [];
  const { kind, cut, groups, attribute } = node.split;
  const { name, levels, kind: of } = tree.attributes[attribute];
  if (kind === "multiway") return levels.map((level) => `${name} = ${level}`);
  if (kind === "subset") {
    return groups.map((group) =>
      group.length === 1
        ? `${name} = ${levels[group[0]]}`
        : `${name} in {${group.map((code) => levels[code]).join(",")}}`,
    );
  }
  const at = of === "numeric" ? inDigits(cut) : levels[cut];
  return [`${name} <= ${at}`, `${name} > ${at}`];
}

const answer = (tree, node) =>
  tree.classes ? String(tree.classes[node.label]) : inDigits(node.label, 4, 0);

// What a node asks for; in words, or its answer.
const asked = (tree, { split }) => tree.attributes[split.attribute].name;
const asks = (tree, node) => (node.split ? `${asked(tree, node)}?` : answer(tree, node));

// What a node costs as a leaf: the weight of its errors, or its squared error.
const riskOf = (node) => node.risk ?? sum(node.counts) - node.counts[node.label];

const leavesOf = (tree) => tree.nodes.filter((node) => !node.split);

function depthOf(tree) {
  const depth = new Array(tree.nodes.length).fill(0);
  tree.nodes.forEach((node, i) => node.children?.forEach((child) => (depth[child] = depth[i] + 1)));
  return Math.max(...depth);
}

// The numbers of the nodes from the root to a node.
function wayTo(tree, number) {
  const parent = parents(tree);
  const way = [number];
  while (way[0]) way.unshift(parent[way[0]]);
  return way;
}

// The parent of every node, -1 of the root; found once for each tree, which never changes.
const PARENTS = new WeakMap();
function parents(tree) {
  if (!PARENTS.has(tree)) {
    const parent = new Array(tree.nodes.length).fill(-1);
    tree.nodes.forEach((node, i) => node.children?.forEach((child) => (parent[child] = i)));
    PARENTS.set(tree, parent);
  }
  return PARENTS.get(tree);
}

// The tests on the way to a node, in words.
function conditions(tree, number) {
  const way = wayTo(tree, number);
  return way.slice(1).map((child, i) => {
    const node = tree.nodes[way[i]];
    return branchWords(tree, node)[node.children.indexOf(child)];
  });
}

const whereIs = (tree, number, all) => conditions(tree, number).join(" and ") || all;

// Where a case ends: at a leaf, or where its value is unknown and the node has no default.
function route(tree, values) {
  let i = 0;
  for (;;) {
    const node = tree.nodes[i];
    if (!node.split) return i;
    let branch = branchOf(
      node.split,
      tree.attributes[node.split.attribute],
      values[node.split.attribute],
    );
    if (branch < 0) branch = node.default ?? -1;
    if (branch < 0) return i;
    i = node.children[branch];
  }
}

// The nodes that a case of C4.5 comes to, with the part of it that does: an unknown value goes down
// every branch.
function pour(tree, values) {
  const parts = new Map([[0, 1]]);
  for (const [i, part] of parts) {
    // the map grows while we walk it
    const node = tree.nodes[i];
    if (!node.split) continue;
    const branch = branchOf(
      node.split,
      tree.attributes[node.split.attribute],
      values[node.split.attribute],
    );
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

// The class shares of a case over all leaves it comes to.
function spread(tree, values) {
  const shares = tree.classes.map(() => 0);
  for (const [i, part] of pour(tree, values)) {
    const { split, counts, label } = tree.nodes[i];
    if (split) continue;
    const n = sum(counts);
    if (n) counts.forEach((count, k) => (shares[k] += (part * count) / n));
    else shares[label] += part;
  }
  return shares;
}
