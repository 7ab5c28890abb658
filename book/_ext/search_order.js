// What the search shows first: pages of the book, then the pages of the package's parts. Sphinx takes an
// object of this name in the place of its own; but for `score` the numbers are Sphinx's.
// oxlint-disable-next-line no-var, no-unused-vars
var Scorer = {
  // A page that only mentions the words comes before a function that is named so.
  score: ([name, , , , score]) => (name.startsWith("api") ? score - 100 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
