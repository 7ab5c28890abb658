// The plane of the book, the one picture that grows: two numbers from 0 to 1, the cases on it, the
// regions of a tree, its cuts, and what a page adds to them.

import { binaryRecipe } from "../algorithms/binary.js";
import { become, box, curve, draw, mark, rings } from "./draw.js";
import { grow } from "../algorithms/growth.js";
import { ANSWER, colour, DOTTED, PAPER } from "./looks.js";
import { axisX, axisY, scale } from "./stage.js";
import { route } from "../algorithms/tree.js";

/** @type {(names: string[]) => Attribute[]} */
export const attributesOf = (names) => names.map((name) => ({ name, kind: "numeric", levels: [] }));

// Cases of numbers alone; without classes the answer is a number, too.
/** @param {string[]} names @param {Numbers[]} columns @param {number[]} target
 * @param {string[] | null} [classes] */
export const numericCases = (names, columns, target, classes = null) => ({
  attributes: attributesOf(names),
  columns,
  target,
  classes,
  weight: null,
});

/** Cases of a plane. @param {Omit<Plane, "points">} plane @param {Person[]} points */
export const casesOf = ({ x, y, classes }, points) => {
  const columns = [0, 1].map((i) => Float64Array.from(points, (point) => point[i]));
  const target = points.map(([, , k]) => k);
  return numericCases([x, y], columns, target, classes);
};

/** CART on cases of a plane: it asks about numbers alone. @param {Cases} cases @param {CartOptions} [options] */
export const grownOn = (cases, options) =>
  /** @type {GrownTree<Threshold>} */ (grow(cases, binaryRecipe(cases, options)));

/** Whether a tree answers otherwise. @param {PlaneTree} tree @param {Person} point */
export const isAstray = (tree, point) => tree.nodes[route(tree, point)].label !== point[2];

/** The true border. */
export const TRUTH = { "stroke-width": 3, ...DOTTED };
/** @type {Part} */
export const UNIT = [
  [0, 1],
  [0, 1],
];

// A plane on a sheet, with its axes and the true border, dotted, where it is known, which answers the
// guess or has another `look`; layers between them.
/** @template {string} Name @param {SVGElement} sheet @param {number} left @param {number} top
 * @param {number} size @param {{x: string, y: string, border?: Point[], look?: Attributes}} about
 * @param {Name[]} names @param {number} [high] */
export function planeOn(
  sheet,
  left,
  top,
  size,
  { x, y, border = [], look = ANSWER },
  names,
  high = size,
) {
  const to = { x: scale(0, 1, left, left + size), y: scale(0, 1, top + high, top) };
  const /** @type {Pictures} */ rects = [];
  const pairs = names.map((name) => [
    name,
    draw("g", name === "regions" ? {} : { "pointer-events": "none" }),
  ]);
  const layers = /** @type {Record<Name, SVGGElement>} */ (Object.fromEntries(pairs));
  // Along its edge the plane needs no border.
  const inside = border.filter(([, b], i) => b || border[i - 1]?.[1]);
  const edge = inside.map(([a, b]) => /** @type {Point} */ ([to.x(a), to.y(b)]));
  sheet.append(
    ...names.map((name) => layers[name]),
    curve(edge, { ...TRUTH, ...look }),
    axisX(to.x, top + high, 0, 1, x),
    axisY(left, to.y, 0, 1, y),
  );
  return { to, layers, rects };
}

// The parts of a plane that the nodes of a tree of two numbers have, none below a leaf.
export function partsOf(/** @type {PlaneTree} */ tree, isLeaf = isLeafOf(tree)) {
  const parts = [UNIT];
  tree.nodes.forEach(({ split, children }, i) => {
    if (!parts[i] || isLeaf(i) || !split) return;
    children.forEach((child, branch) => {
      parts[child] = [[...parts[i][0]], [...parts[i][1]]];
      parts[child][split.attribute][1 - branch] = split.cut;
    });
  });
  return parts;
}

/** @type {(tree: PlaneTree) => (i: number) => boolean} */
const isLeafOf = (tree) => (i) => !tree.nodes[i].split;

/** A part as a box. @param {Part} about @param {Axes} about @param {Attributes} more */
export const boxOf = ([[x0, x1], [y0, y1]], { x, y }, more) =>
  box(x(x0), y(y1), x(x1) - x(x0), y(y0) - y(y1), more);

/** The regions of the leaves in their layer; their pictures, by the leaf's number. @param {Drawn} drawn @param {PlaneTree} tree */
export function regions({ to, layers, rects }, tree, isLeaf = isLeafOf(tree)) {
  const parts = partsOf(tree, isLeaf),
    leaves = [...parts.keys()].filter((i) => parts[i] && isLeaf(i));
  rects.length = 0;
  const boxes = leaves.map((i) => {
    const fill = colour(tree.nodes[i].label);
    return boxOf(parts[i], to, { fill, "fill-opacity": 0.13, stroke: fill });
  });
  become(layers.regions, boxes);
  leaves.forEach((leaf, at) => (rects[leaf] = layers.regions.children[at]));
}

// The wall that a node of a tree puts through its part, as a path.
/** @param {Part} part @param {Threshold} about @param {Axes} about */
export const wall = ([[x0, x1], [y0, y1]], { attribute, cut }, { x, y }) =>
  attribute ? `M${x(x0)} ${y(cut)}H${x(x1)}` : `M${x(cut)} ${y(y0)}V${y(y1)}`;

export const sizeOf = (/** @type {Person[]} */ points) => (points.length > 120 ? 3.4 : 6);

const EDGE = { stroke: PAPER, "stroke-width": 0.8 };
/** A case. @param {Person} about @param {Axes} to @param {number} r how large it is */
export const person = ([a, b, k], { x, y }, r) => mark(k, x(a), y(b), r, EDGE);
/** The cases. @param {Person[]} points @param {Axes} to */
export const people = (points, to) => points.map((one) => person(one, to, sizeOf(points)));

/** Rings around cases. @param {Person[]} points @param {Axes} to @param {number} r how large they are */
export const ringsOf = (points, { x, y }, r) =>
  rings(
    points.map(([a, b]) => [x(a), y(b), r + 3.4]),
    { "stroke-opacity": 0.8 },
  );
