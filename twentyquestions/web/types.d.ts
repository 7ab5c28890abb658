// The types that modules share; the cases and trees are those of the package. Only `deno check` reads
// this file, no page.

// --- tables and trees -------------------------------------------------------------------------------

type Label = string | number;
type Numbers = ArrayLike<number> & Iterable<number>;

interface Attribute { name: string; kind: "numeric" | "ordered" | "nominal"; levels: Label[] }

// A numeric column holds numbers (unknown: NaN), any other the codes of its levels (unknown: -1). The
// target holds the codes of the classes, or numbers where there are none.
interface Cases {
  attributes: Attribute[];
  columns: Numbers[];
  target: Numbers;
  classes: Label[] | null;
  weight: Numbers | null;
}

interface Threshold { kind: "threshold"; attribute: number; cut: number; groups?: undefined }
interface Subset { kind: "subset"; attribute: number; groups: number[][]; cut?: undefined }
interface Multiway { kind: "multiway"; attribute: number; groups?: undefined; cut?: undefined }
type Split = Threshold | Subset | Multiway;
interface Asking { split: Split }

interface Leaf {
  counts: number[];
  label: number;
  risk?: number; // the squared error, where the answer is a number
  split?: undefined;
  children?: undefined;
}
interface Inner<S = Split> {
  counts: number[];
  label: number;
  risk?: number;
  split: S;
  children: number[];
  default?: number; // the branch of an unknown value
  improvement?: number;
}
type TreeNode<S = Split> = Leaf | Inner<S>;

interface Candidate { split: Split; score: number }
// What was decided at a node: what could be asked, what is asked, and why.
interface Decision {
  candidates: Candidate[];
  chosen?: Candidate | null;
  reason: string;
  best?: number;
}

interface Tree<S = Split> { attributes: Attribute[]; classes: Label[] | null; nodes: TreeNode<S>[] }
interface GrownTree<S = Split> extends Tree<S> { decisions: Decision[] }
// A tree numbered anew: where each of its nodes is from.
interface NumberedTree<S = Split> extends GrownTree<S> { from: number[] }

type Impurity = (counts: number[]) => number;

// --- growing ----------------------------------------------------------------------------------------

// Where a tree begins to grow: with all cases, or at a node of another tree.
interface Begin {
  rows?: Int32Array;
  weights?: Float64Array;
  available?: boolean[];
  depth?: number;
  parentLabel?: number;
}

// What is known of a node before it is looked at: its cases (rows), their weights, for every attribute
// that is cut the known ones in order of their values, and which attributes may be asked for.
interface Here extends Required<Begin> {
  sorted: (Int32Array | null)[];
  weightOf: Float64Array; // by row: the weights of the node that is looked at
  branchOf: Int32Array;
  scores: Float64Array; // by place: the cuts of the attribute that is looked at
  above: Float64Array; // by row: how far the answer is above the node's mean, where it is a number
  isConstant: boolean;
}

// A node that is being made.
interface Draft extends Omit<Leaf, "split" | "children"> {
  split?: Split;
  children?: number[];
  default?: number;
  improvement?: number;
}

// What an algorithm does at a node.
interface Recipe {
  isCut(attribute: Attribute): boolean;
  describe(cases: Cases, here: Here): Draft;
  reasonToStop(here: Here, node: Draft): string;
  offers?(here: Here, node: Draft): (Offer & Candidate)[]; // what divides a node, whatever it is worth
  choose(cases: Cases, here: Here, node: Draft): Decision;
  divide(cases: Cases, here: Here, node: Draft, chosen: Candidate): Here[];
}

// How ID3 and C4.5 search; `values` are those of each number, in order, once it was asked for.
interface Id3Options { minGain?: number; maxDepth?: number | null }
interface C45Options {
  criterion?: string;
  minWeight?: number;
  averageGainGuard?: boolean;
  mdlPenalty?: boolean;
}
interface Rules extends Required<Id3Options & C45Options> {
  fractions: boolean;
  values: Float64Array[];
}
interface Offer { split: Split; gain: number; information: number }
type OfferSearch = (cases: Cases, here: Here, node: Draft, a: number, recipe: Rules) => Offer | null;

// Cases in a group, and what they add; those of a value.
interface Group { size: number; weight: number; amounts: Float64Array }
type Level = Group & { code: number };

// How CART searches: by how much a division lowers the impurity, times weight, and what limits it.
interface CartOptions {
  criterion?: string;
  maxDepth?: number | null;
  minSplit?: number;
  minLeaf?: number;
}
type Measure = (left: number, total: number, below: Float64Array, all: Float64Array, isClasses: boolean) => number;
interface Limits { measure: Measure; minLeaf: number; floor: (best: number) => number }
type BinarySearch = (cases: Cases, here: Here, a: number, limits: Limits) => Candidate | null;

// How C4.5 prunes; a node that holds those below it, a leaf none; cases, each in part.
interface Pruning {
  tree: GrownTree;
  cases: Cases;
  confidence: number;
  raising: boolean;
  comparisons: Comparison[];
}
interface Twig extends Omit<Leaf, "split" | "children"> {
  number: number;
  split?: Split;
  children: Twig[];
}
interface Parts { rows: ArrayLike<number>; weights: ArrayLike<number> }

type Writes = (words: string) => string;
type Spells = (number: number) => string;
// How a language writes a tree as a program.
interface Language {
  indent: string;
  stop: string;
  end: string[];
  declare: string[];
  helpers: string[];
  define(name: string, given: string): string;
  when(branch: number): string;
  text(words: string): string;
  value(name: string): string;
  lookUp(value: string, levels: string[], branches: number[]): string;
  largest(n: number, classes: string): string;
}

// --- pages ------------------------------------------------------------------------------------------

// What an element gets: attributes, of which null and false are left out, and functions that hear its
// events; texts and elements in it.
type Attributes = Omit<{ [name: string]: string | number | boolean | null | undefined | Hears }, keyof Hear> & Hear;
type Hears = (event: never) => unknown;
type Hear = { [K in keyof HTMLElementEventMap]?: ((event: HTMLElementEventMap[K]) => unknown) | null };
type Child = Node | string | number | null | undefined;
type Children = (Child | Child[])[];
type Inside = (Attributes | Child | Child[])[];

type Point = [number, number];
interface Scale { (value: number): number; back(pixel: number): number }

// What builds an explorable in its place from its data; `say` tells what there is to see: words, and the
// numbers in them, each with what gives the pictures that it counts.
type Pictures = (Element | null | undefined)[];
type Link = [string, () => Pictures];
type Say = (words: string, ...links: Link[]) => unknown;
type Shows = (answer: number) => unknown; // the picture answers its guess
type Takes = (value: number) => unknown; // what is done with what a control gives
type Build<Data> = (play: HTMLElement, data: Data, say: Say) => Shows | void;

// What is asked before an explorable answers: one of some options, or a number on a line.
type Puzzle = { question: string; because: string; answer: number };
type OneOf = Puzzle & { options: string[] };
type OnALine = Puzzle & { unit: string; ends: Point };
type Guess = OneOf | OnALine;
// What was said, how far off that is, if it is, and whether it counts as right.
type Judge = (said: Label, off: string, isNear: boolean) => unknown;

type What = [string, string]; // one case, and many

// A plane of two numbers from 0 to 1: its axes in pixels, [[x0, x1], [y0, y1]] of a part, a tree, a
// case with its class, and what an explorable is given of it.
type Axes = { x: Scale; y: Scale };
type Part = [Point, Point];
type PlaneTree = Tree<Threshold>;
type Person = [number, number, number];
interface Plane { x: string; y: string; classes: string[]; points: Person[]; what: What }

// A pile of cases: the questions that led there, what is asked of it, or -1, and where it stands.
interface Pile {
  path: string;
  rows: number[];
  name: string;
  names: string[];
  depth: number;
  used: number[];
  counts: number[];
  asks: number;
  question: string;
  children?: Pile[];
  seats?: Pile[];
  left: number;
  top: number;
  wide: number;
  high: number;
  middle: number;
}
interface Piles { leaves: Pile[]; inner: Pile[]; all: Pile[]; chosen: Pile }
interface Walked {
  attributes: Attribute[];
  columns: number[][];
  target: number[];
  classes: string[];
  what: What;
}
// How large the sheet of piles is, and a case, each of a class, drawn at a size; how wide a word below a
// pile is, or 0 where not all have room for theirs; how many cases a branch needs.
interface Field {
  size: number;
  step: number;
  word: number;
  wide: number;
  high: number;
  unit: number[];
  target: number[];
  classes: string[];
  needs: number;
  drawn: (row: number) => Node;
}

// Cuts along an axis, each and by how much it lowers the impurity; the tree of cuts, each node with the
// way to it.
type Cuts = Point[];
type Best = Threshold & { score: number };
type WayNode = (Leaf | Inner<Threshold>) & { way: string };
type CutTree = Omit<PlaneTree, "nodes"> & { nodes: WayNode[] };

// A round of boosting: the sum so far for each case, cell and new case, and what it leaves.
interface Round {
  total: number[];
  grid: Float64Array[];
  said: number[];
  stump?: GrownTree<Threshold>;
  rate?: number;
}
interface Judged extends Round {
  rest: number[];
  wrong: number[];
  left: number;
  own: number;
  fresh: number;
  next: GrownTree<Threshold>;
}

// The errors to expect at a node as a leaf, with its subtree, and with its largest branch alone.
interface Comparison {
  node: number;
  largest: number; // the branch with most cases
  leaf: number;
  subtree: number;
  branch: number;
  choice: "keep" | "branch" | "leaf";
  leaves: Record<"keep" | "branch" | "leaf", number[][]>; // the counts of each
  ends: number[]; // the leaves of the subtree
}

// --- the laboratory ---------------------------------------------------------------------------------

// A way to write numbers: see `numbers.js`.
interface Way { example: string; hasComma: boolean; group: string; pattern: RegExp }
interface Column {
  name: string;
  values: string[];
  numbers: number[]; // none if they are no numbers
  isNumber: boolean;
  way: Way | null;
  ways: Way[];
  isDoubtful: boolean;
  isDate: boolean;
  isName: boolean;
  blanks: number;
  levels: string[];
  kind: "number" | "category" | "out";
}
interface Table { names: string[]; columns: Column[]; separator: string; n: number }

// What can be set of an algorithm, of which each has its own.
interface Values {
  depth: number;
  gain: number;
  criterion: string;
  guard: boolean;
  penalty: boolean;
  cases: number;
  raising: boolean;
  confidence: number;
  leaf: number;
  alpha: number;
  [name: string]: number | boolean | string;
}
// What can be set, as a slider, a switch that is on, or a choice whose first is taken.
type Setting = [string, Slider | true | string[]];
// A question that is forced, or columns that are forbidden, at the node of this path.
interface Wanted { at: string; ask: string; forbid: string[] }
type AlgorithmName = "ID3" | "C4.5" | "CART";
interface Settings {
  algorithm: AlgorithmName;
  values: Record<AlgorithmName, Values>;
  hold: number; // of so many rows one is kept apart
  answer: string;
  wanted: Wanted[];
}
interface Saved extends Partial<Omit<Settings, "values">> {
  values?: Partial<Record<AlgorithmName, Partial<Values>>>;
  kinds?: string[];
  ways?: number[];
  kept?: Saved | null; // what the tree was grown by that is kept beside
}

// How an algorithm grows and prunes by what is set.
interface How {
  recipe(cases: Cases): Recipe;
  prune(tree: GrownTree, cases: Cases, share: number): GrownTree;
  inParts: boolean;
}

// The rows of a table as cases: numbers of the own and of those kept apart, columns and answers of these.
interface Read { cases: Cases; own: number[]; held: number[]; test: Numbers[]; answers: number[] }
interface Found extends Read {
  impurity: Impurity | null;
  full: GrownTree;
  pruned: GrownTree;
  tree: GrownTree; // pruned, and grown anew where something is wanted
  wishes: Wanted[]; // what is wanted of each node, all together
  said: number[];
  how: How;
  now: string; // what was set, as it is noted
}
type Kept = Found & Settings;

interface State extends Settings {
  table: Table;
  found: Found | null;
  kept: Kept | null;
  next: Saved | null; // what is set once the tree has grown that is to be kept
  source: string;
  file: string;
  encoding?: string;
  book: string;
  asked: string;
  pruned: boolean;
  chosen: number;
  shown: number;
  zoom: number;
  way: Set<number>;
  past: string[];
  future: string[];
  now: string;
  turn: number;
  waits?: number;
}
type BookColumn = { name: string } & (
  | { levels: string[]; values: string }
  | { levels?: undefined; values: (number | null)[] }
);
// How a tree is drawn: the attributes of a node's card, which nodes were looked at, which a new case passes,
// which one is chosen, which another tree has not, and whether it is one of two.
interface Look {
  about(i: number): Attributes;
  isKnown(i: number): boolean;
  drawn: Set<number>;
  way: Set<number>;
  chosen: number;
  differs?: Set<number>;
  isSmall?: boolean;
  width: number; // of the frame
  height: number;
}
type Room = Pick<Look, "width" | "height">;
type Picture = { parts: Element[]; width: number; height: number; least?: number; most?: number };
// What is known of a text that is opened.
interface Opening { encoding?: string; book?: string; saved?: Saved }
interface Lab {
  data: { tables: Record<string, string | BookColumn[]> };
  state: State;
  parts: Record<string, HTMLElement>;
  steps: HTMLElement[]; // back and forth
  say: Say;
  column(name?: string): Column; // the answer, if none is named
  isNumberAnswer(): boolean;
  soon(): void;
  showHow(): void;
  refocus(part: HTMLElement): void;
  show(): void;
  turn?(to: number): void;
  // Once there is a tree.
  refit?(): void;
  zoom?(by: number): void; // 0 fits the trees into their frames
  showWay?(way: Set<number>): void;
  preview?(wanted: Wanted[] | null): void;
}

interface Slider {
  min: number;
  max: number;
  step?: number;
  value: number;
  words?: (value: number) => string;
}
// What is carried on a sheet: from where, and who hears that it was only pressed, or dropped.
interface Carried { place(): Point; onPress(): unknown; onMove?(point: Point): unknown; onDrop(point: Point): unknown }
// A grip that moves along stops: `place` gives the pixels of a stop, `words` what it is called.
interface Stops {
  label: string;
  count(): number;
  at(): number;
  place(stop: number): Point;
  words(stop: number): string;
  onMove(stop: number): unknown;
}
// A plane as it is drawn, and the pictures of its regions.
interface Drawn { to: Axes; layers: Record<string, SVGGElement>; rects: Pictures }

// --- exercises --------------------------------------------------------------------------------------

type Answer = string | number;
// The sum in signs, and what it gives.
type Sum<T = Answer | null | undefined> = [Answer, T, T?];
type Term = number | Sum<number>; // of a sum
type Measured = (counts: number[]) => Sum<number>;
type Averaged = (sizes: number[], values: number[]) => Sum<number>;
type Calc<Gives = Sum> = (values: never[], i: number) => Gives;
interface Line {
  says: string | ((values: never[]) => string);
  calc: Calc;
  options: Answer[] | null;
}
type Slipped = Sum | Answer | null | undefined;
interface SlipLine { name: string; at: number[]; calc: Calc<Slipped> }
interface Step {
  says: string;
  how: string;
  value: Answer;
  printed: Answer; // the same, of the numbers in `how` as they are printed
}
interface TableGiven {
  head: string[];
  rows: Label[][];
  answer: number | null; // the column of the classes
}
interface Story {
  asks: string;
  target: string;
  classes: string[];
  nominal: Record<string, string[]>;
  numeric: Record<string, Point>;
}
type Random = ReturnType<typeof import("./algorithms/random.js").randomOf>;
// The counts of a leaf, by class: in training, and set aside.
interface Aside { train: number[]; apart: number[] }
// A case set aside, of a class in a leaf, as it is drawn.
interface Apart { leaf: number; k: number; shape: SVGGElement }
// What a kind of exercises draws: a table, a question, its calculation and its slips.
interface Drawing {
  table: TableGiven;
  question: string;
  options?: string[];
  picture?: string; // what shows the lines, one of `PICTURES`, of what is said here:
  cuts?: number[]; // of the first lines
  below?: Aside[][]; // the leaves of what stands below a root
  gains?: number[]; // of the options
  note?: string; // what the picture is
  blocks?: { name: string; wide?: number }[]; // of the first lines, as wide as their cases; others are levels
  lines: Line[];
  slips: SlipLine[];
}
interface Kind { title: string; part: number; page: string; draw(random: Random): Drawing | null }
interface Slip {
  name: string;
  why: string;
  at: number[];
  steps: Step[];
  once: Record<number, Step[]>; // made in one line only, by its place
  answer: Answer;
}
interface Exercise extends Omit<Drawing, "lines" | "slips">, Omit<Kind, "draw"> {
  kind: string;
  seed: number;
  steps: Step[];
  inLines: (Answer[] | null)[];
  answer: Answer;
  slips: Slip[];
}

// Where an answer is written, chosen or taken from a picture.
interface Answered { field: HTMLElement; read(): Answer | null; take?(to: Answer): void }

// What its picture shows: numbers; the place of the one that is written, -1 once all is done; how high it should be,
// what hears it pulled.
interface Raised {
  values: Answer[];
  now: number;
  right: Answer;
  pull?(value: Answer): void;
}
// A drawing of blocks: their bars, what each is high (open: NaN), its size, and what is as high as its room.
interface Standing extends Raised {
  blocks: NonNullable<Exercise["blocks"]>;
  bars: Element[];
  numbers: number[];
  casesOf(name: string, x: Scale, y: number, from: number, wide: number): Element[];
  all: number;
  ground: number;
  enough: number;
}

// An exercise that is posed: what is done as it is answered, and who hears of it.
interface Posed {
  made: Exercise;
  isMoved: boolean; // the answer is what the picture is moved to
  raise(raised: Raised): void;
  reply(...words: Child[]): void;
  show(part: Element): void;
  commit(isRight: boolean): void;
  end(): void;
}
interface Hearing { onFirst(isRight: boolean): unknown; onEnd?(): unknown }

// What a reader has answered: an exercise, or a question of a page.
interface Given {
  kind?: string;
  seed?: number;
  form?: string;
  page?: string;
  asked?: string;
  right: boolean;
  at: number;
}
interface Memory {
  answers: Given[];
  isKept: boolean;
  canKeep: boolean;
  add(answer: Given): void;
  replace(all: Given[]): void;
  keep(on: boolean): void;
}
// An exercise of a sitting; `isExtra` if it came out of its turn.
interface Planned { kind: string; form: string; seed?: number; done?: boolean; isExtra?: boolean }
// What the address of Practice asks for.
interface Asked { kinds: string[]; seed: number; form: string; sheets: number }
