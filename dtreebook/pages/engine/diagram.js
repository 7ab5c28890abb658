// Trees as drawings: where their nodes lie, what stands in their boxes.

// Of each node its depth, and which leaves lie below it: [first, number].
function layout(tree) {
  const depth = [],
    spans = [];
  let leaves = 0;
  const visit = (i, level) => {
    const first = leaves,
      { children } = tree.nodes[i];
    depth[i] = level;
    if (children) children.forEach((child) => visit(child, level + 1));
    else leaves += 1;
    spans[i] = [first, leaves - first];
  };
  visit(0, 0);
  return { depth, spans, leaves, deepest: Math.max(...depth) };
}

// The branch to a node from the one above, without the name of what is asked there.
function branchTo(tree, i, parent, first = "all cases") {
  const above = tree.nodes[parent[i]];
  if (!above) return first;
  return branchWord(tree, above, i - above.children[0])
    .slice(asked(tree, above).length + 1)
    .replace(/^(= |in )/, "")
    .replace("<=", "≤");
}

// The edge into a node, straight down to its middle: as wide as the share of all cases that take it
// (dtreebook.plot.trees).
const EDGE = 10,
  WIDEST = 12;
function edgeInto(tree, i, middle, top) {
  const share = sum(tree.nodes[i].counts) / sum(tree.nodes[0].counts),
    width = Math.max(WIDEST * share, 1);
  const look = { fill: "currentColor", "fill-opacity": 0.5 };
  return i ? box(middle - width / 2, top - EDGE, width, EDGE, look) : null;
}

// Every node a box as wide as its leaves, with its branch, and its question or answer; `about` are
// its attributes. The first child of each is the box itself.
const ROW = 42;
function treeBoxes(tree, width, about, words = (node) => asks(tree, node)) {
  const { depth, spans, leaves, deepest } = layout(tree),
    parent = parents(tree),
    unit = width / leaves;
  const boxes = tree.nodes.map((node, i) => {
    const [left, room] = spans[i].map((leaf) => leaf * unit),
      top = 1 + depth[i] * (ROW + EDGE),
      branch = branchTo(tree, i, parent),
      said = words(node, i);
    return draw(
      "g",
      about(i),
      box(left + 1, top, room - 2, ROW, {
        rx: 4,
        class: "dtb-ring",
        fill: colour(tree.classes ? node.label : 0),
        stroke: "currentColor",
      }),
      draw("title", {}, `${branch}: ${said}`),
      edgeInto(tree, i, left + room / 2, top),
      small(left + 6, top + 17, fitted(branch, room - 10)),
      small(left + 6, top + 34, fitted(said, room - 10), { "font-weight": 700 }),
    );
  });
  return { boxes, height: deepest * (ROW + EDGE) + ROW + 6 };
}
