// What each misconception overlooks, in a sentence for somebody who has just met it.

const SENTENCES = `
  natural logarithm: Bits need the logarithm to base 2; ln counts in another unit.
  base 10: Bits need the logarithm to base 2, not to base 10.
  counts for shares: Surprise is the logarithm of one over the share, not of the count.
  Gini for entropy: That is CART's Gini impurity; bits need the entropy.
  entropy for Gini: That is the entropy, in bits, of ID3 and C4.5; the question is about CART's Gini impurity.
  share missed: The share outside the majority class depends on the largest count alone, not on how mixed the pile is.
  plain mean: The piles are not equally large: weight each by its share of the cases.
  sum for mean: What is left open is a mean over the piles, weighted by their cases, not a sum.
  even shares: That would hold if all were equally frequent; rare ones surprise more, but occur less often.
  left for gained: That is what is still open after the question. The gain is what is no longer open.
  gained for left: That is what the question gains. You were asked what is still open after it.
  after minus before: The order is reversed: the gain is what was open before, minus what is left.
  smallest gain: That question leaves the most open; the largest gain settles the most.
  smallest fall: Those groups leave the most impurity; the largest decrease is best.
  pairs forgotten: What the two share is counted twice in their entropies: subtract the entropy of the pairs once.
  pairs for both: That is how uncertain the pair is, not what one reveals about the other.
  mistakes counted: ID3 and C4.5 count bits. A question can settle much without saving a single mistake.
  stopped early: The path goes on: there is another question before the leaf.
  pure pile asked: All cases of that pile have one class, so nothing is left to ask: it is one leaf.
  nodes counted: A leaf is a node without a question; nodes that ask one do not count.
  guard forgotten: C4.5 compares the ratios only of questions with at least average gain, because a tiny split can have a high ratio.
  gain for ratio: The gain favours many branches. C4.5 divides it by the entropy of the branches.
  branches counted: Divide by the entropy of the branches; the logarithm of their number is right only for equal branches.
  entropy of the classes: Divide by the entropy of the branches, not by that of the classes.
  halves: Equal halves are not the aim: a good cut lies where the class changes.
  middle of the range: The ends of the range do not matter, only where the class changes.
  value for middle: That is a value beside the cut; you were asked for the middle between the two values.
  ends counted: Cuts that leave one person alone are not allowed, so they do not count.
  cases for cuts: The choice was among the cuts, not among the cases.
  penalty added: A penalty is paid: subtract it from the gain.
  penalty forgotten: Among so many cuts, one looks good by luck: the choice costs bits.
  not shared by the cases: The bits that name the cut are paid once, and shared by all the cases.
  equal parts: A case with a blank is divided in the proportions of the known cases, not equally.
  largest branch only: C4.5 sends a part of the case down every branch, not the whole case down the largest.
  votes for shares: A leaf or tree gives its share, not a whole vote for its majority class.
  other class: That is the share of the other class.
  blanks forgotten: One value is known, so do not stop at the root's share: go down as far as the case goes.
  squares not taken from one: The sum of squares is how often two draws agree; the Gini impurity is how often they differ.
  order of the table: The best two groups are found in the order of the shares, not in the order of the table.
  number for share: The order follows the share within each value, not the number of cases.
  one against the rest: The best group may hold several answers.
  old mean kept: Each side has a mean of its own, around which its errors are smallest.
  median for mean: That is the median. The mean has the least squared error.
  mean for sum: That is the mean of the errors, the variance. Here they are added up.
  larger branch forgotten: Sending everybody down the larger branch also agrees often. Only what goes beyond that counts.
  class for branch: A surrogate has to send cases down the same branch; their class does not matter.
  share of all cases: The whole is a different one: not all cases, but those of which the question asks the share.
  priors forgotten: The sample does not have the shares of the population: weight each class by its prior.
  turned round: That is how many of the ill are positive, not how many of the positive are ill.
  priors times counts: A prior is shared among all cases of its class: divide by how many there are.
  priors turned round: Each prior belongs to its class; here the two have changed places.
  not divided: A share is a part of a whole: divide by the sum of all parts.
  training errors: The tree was made to fit the training cases, so its errors there are too few.
  leaves answer by new cases: A leaf predicts the majority of its training cases; new cases only judge it.
  training cases used twice: Cases that grew the tree cannot judge it: only those set aside count.
  right for wrong: That is the share it classifies correctly.
  worse one kept: Pruning keeps whichever makes fewer errors on the cases set aside.
  rates added: A rate is per case: multiply it by the cases of its leaf to get errors.
  leaves pooled: Each leaf has its own limit, for its own number of cases; do not pool them.
  confidence turned round: The limit leaves a chance of 25%, not of 75%, that so few errors were luck.
  one leaf too many: When a test goes, one leaf stays in its place: it saves all its leaves but one.
  strongest link: The test that saves least per leaf goes first.
  leaves forgotten: Divide what a test saves by the number of leaves that it costs.
  least error taken: The least error is partly luck: take the smallest tree within one standard error of it.
  two standard errors: The rule allows one standard error, not two.
  root of n forgotten: More cases make a share more certain: divide the variance by their number.
  wrong branch: The second question was answered the wrong way: ≤ means yes.
  first test turned round: The first question was answered the wrong way: ≤ means yes.
  root's share: That is the share among all cases, before any question.
  row for column: That is a share of the other sum: check whether the row or the column is the whole.
  wrong for right: That counts the people whom the tree misclassifies.
  accuracy: That also counts the healthy who are called healthy; the question is not about them.
  cases not weighed: Weight each decrease by the number of cases at its node.
  tests counted: How often a question is asked is not how much it helps.
  surest tree only: A forest does not let one tree decide, however sure it is: it averages all of them.
  numbers for what is left: The tree is fitted to what the mean leaves, not to the numbers themselves.
  rate forgotten: Only a part of the tree's prediction is added: multiply by the rate.
  start forgotten: The tree is only a correction: add it to the earlier sum.
  sign turned round: What is left is the number minus the prediction, so that it can be added.
`;
/** @type {Record<string, string>} */
export const WHY = Object.fromEntries(
  Array.from(SENTENCES.matchAll(/^ *(.+?): (.*)/gm), ([, name, why]) => [name, why]),
);
