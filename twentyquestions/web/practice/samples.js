// The little tables of the exercises: who is asked, what, and what is known of each.

import { countsOf } from "../kit/counts.js";
import { ascending } from "../algorithms/measures.js";

const PEOPLE = "Ada Ben Cem Dua Eva Finn Gil Hana Ivo Jun Kim Lea".split(" ");

/** Of tiles, in the order of the marks. */
export const COLOURS = ["blue", "orange", "green", "pink", "brown"];

/** @type {Story[]} */
export const STORIES = [
  {
    asks: "Who goes for a walk in the rain?",
    target: "walk",
    classes: ["stays in", "walks"],
    nominal: {
      dog: ["no", "yes"],
      coat: ["none", "short", "long"],
      day: ["weekday", "weekend"],
      shoes: ["light", "strong"],
      lives: ["town", "suburb", "village", "coast"],
    },
    numeric: { age: [18, 79], "minutes home": [5, 60] },
  },
  {
    asks: "Who comes to the market?",
    target: "market",
    classes: ["stays away", "comes"],
    nominal: {
      day: ["weekday", "weekend"],
      basket: ["no", "yes"],
      way: ["foot", "bike", "bus"],
      garden: ["no", "yes"],
      home: ["flat", "house", "farm", "boat"],
    },
    numeric: { kilometres: [1, 30], "hours free": [1, 12] },
  },
  {
    asks: "Who borrows a book?",
    target: "library",
    classes: ["looks", "borrows"],
    nominal: {
      card: ["no", "yes"],
      seat: ["window", "corner", "none"],
      alone: ["no", "yes"],
      time: ["morning", "evening"],
      likes: ["crime", "poems", "travel", "maps"],
    },
    numeric: { visits: [1, 40], pages: [60, 600] },
  },
  {
    asks: "Who takes the night train?",
    target: "night train",
    classes: ["flies", "takes it"],
    nominal: {
      luggage: ["light", "heavy"],
      trip: ["work", "family", "holiday"],
      sleeps: ["badly", "well"],
      hurry: ["no", "yes"],
      season: ["spring", "summer", "autumn", "winter"],
    },
    numeric: { days: [1, 30], price: [20, 190] },
  },
];

// A table to show: its head, its rows, and which column is the answer's.
/** @param {string[]} head @param {Label[][]} rows @param {number | null} [answer] */
export const tableOf = (head, rows, answer = null) => ({ head, rows, answer });

// The same, given by its columns; the last one is as long as the table.
/** @param {string[]} head @param {Label[][]} columns @param {number | null} [answer] */
export const columnsOf = (head, columns, answer = null) =>
  tableOf(
    head,
    columns[columns.length - 1].map((_, i) => columns.map((column) => column[i])),
    answer,
  );

// A table of people: a column for each attribute, and the class of each.
/** @param {Record<string, Label[]>} columns @param {string[]} target @param {string} name */
export const peopleTable = (columns, target, name) =>
  columnsOf(
    ["person", ...Object.keys(columns), name],
    [PEOPLE, ...Object.values(columns), target],
    Object.keys(columns).length + 1,
  );

// So many classes, each at least once more than `few` times.
/** @param {Random} random @param {Story} story @param {number} n */
export function classesOf(random, story, n, few = 1) {
  const target = Array.from({ length: n }, () => random.one(story.classes));
  return Math.min(...countsOf(target, story.classes)) > few ? target : null;
}

// A nominal column of values that all occur.
/** @param {Random} random @param {string[]} values @param {number} n */
export function columnOf(random, values, n) {
  const column = Array.from({ length: n }, () => random.one(values));
  return values.every((value) => column.includes(value)) ? column : null;
}

// Different whole numbers in order, at least two apart, so that the middle of two is no value.
/** @param {Random} random @param {Point} about @param {number} n */
export function numbersOf(random, [low, high], n) {
  const room = Math.floor((high - low) / 2);
  const places = random.shuffled(Array.from({ length: room }, (_, i) => i)).slice(0, n);
  return ascending(places).map((place) => low + 2 * place);
}

/** @type {(columns: Record<string, string[] | null>) => columns is Record<string, string[]>} */
const areAll = (columns) => !Object.values(columns).includes(null);

// Of so many people the class and three columns, of the first `most` values each.
/** @param {Random} random @param {number} n @param {number} most */
export function somePeople(random, n, most) {
  const story = random.one(STORIES);
  const target = classesOf(random, story, n, 2);
  const names = random.shuffled(Object.keys(story.nominal)).slice(0, 3);
  /** @template T @param {(name: string) => T} value */
  const of = (value) => Object.fromEntries(names.map((name) => [name, value(name)]));
  const levels = of((name) => story.nominal[name].slice(0, most));
  const columns = of((name) => columnOf(random, levels[name], n));
  if (!target || !areAll(columns)) return null;
  const table = peopleTable(columns, target, story.target);
  return { story, target, names, levels, columns, table };
}
