// What each misconception overlooks, in a sentence for somebody who has just met it.

/** @type {Record<string, string>} */
export const WHY = {
  "natural logarithm": "Bits are counted with the logarithm to base 2; ln counts in another unit.",
  "base 10": "Bits are counted with the logarithm to base 2, not to base 10.",
  "counts for shares":
    "Surprise comes from the share: the logarithm of one over it, not of the count.",
  "Gini for entropy":
    "That is the Gini impurity of CART; here bits are counted, which needs entropy.",
  "entropy for Gini": "That is the entropy in bits of ID3 and C4.5; here CART's Gini is asked for.",
  "share missed":
    "What the commoner class misses sees only the largest count, and not how mixed the pile is.",
  "plain mean":
    "The piles are not equally large: each must weigh as much as its share of the cases.",
  "sum for mean":
    "What is left open is a mean over the piles, weighed by their cases, not their sum.",
  "even shares":
    "That would hold if all were equally frequent; rare ones surprise more, and come less often.",
  "left for gained":
    "That is what is still there after the question. What was gained is what is gone.",
  "gained for left": "That is what the question gains. Asked is what is still open after it.",
  "after minus before": "It is turned round: what is gained is what was open less what is left.",
  "smallest gain": "That question leaves most open: the largest gain settles most.",
  "smallest fall": "Those groups leave most impurity: the largest fall is best.",
  "pairs forgotten":
    "What both know is counted twice in the two entropies: the entropy of the pairs must go off once.",
  "pairs for both": "That is how uncertain both are together, not what one tells about the other.",
  "mistakes counted":
    "ID3 and C4.5 count bits. A question can settle much without saving a single mistake.",
  "stopped early": "The way goes on: there is another question before the leaf.",
  "pure pile asked":
    "All cases of that pile have one class, so nothing is left to ask: it is one leaf.",
  "nodes counted": "A leaf is a node without a question; the nodes that ask are none.",
  "guard forgotten":
    "C4.5 takes the ratio only of questions with at least average gain, for a tiny split can have a high ratio.",
  "gain for ratio":
    "The gain favours many branches. C4.5 divides it by the entropy of the branches.",
  "branches counted":
    "Divide by the entropy of the branches: the logarithm of their number is that of equal ones.",
  "entropy of the classes": "Divide by the entropy of the branches, not by that of the classes.",
  halves: "Equal halves are no aim: a good cut lies where the classes part.",
  "middle of the range": "Where the numbers end does not matter, only where the classes part.",
  "value for middle": "That is the neighbour below the cut; the middle of the two was asked for.",
  "ends counted": "Cuts that leave one person alone may not be made, and cost nothing.",
  "cases for cuts": "The choice was among the cuts, not among the cases.",
  "price added": "A price is paid: it goes off the gain.",
  "price forgotten": "With so many cuts to choose from one is good by luck: the choice costs bits.",
  "not by case": "The bits that name the cut are paid once, and shared by all the cases.",
  "equal parts":
    "The blank divides in the proportion in which the known cases did, not in equal parts.",
  "largest branch only":
    "C4.5 sends a part of the case down every branch, not the whole down the largest.",
  "votes for shares":
    "A leaf or tree gives its share, and not a whole vote for its commoner class.",
  "other class": "That is the share of the other class.",
  "blanks forgotten":
    "One value is known, so the root's share is not the last word: go down as far as the case reaches.",
  "squares not taken from one":
    "The sum of squares says how often two draws agree; Gini is how often they differ.",
  "order of the table":
    "The best two groups are found in the order of the shares, not as the answers happen to be listed.",
  "number for share":
    "Not how many there are decides the order, but what share of their value they are.",
  "one against the rest": "The best group may hold several answers.",
  "old mean kept": "Each side gets a mean of its own; around it the errors are smallest.",
  "median for mean": "The mean has the least squared error. That is the median.",
  "mean for sum": "The errors are added up. That is their mean, the variance.",
  "larger branch forgotten":
    "Sending everybody down the larger branch agrees often, too. Only what goes beyond it counts.",
  "class for branch":
    "A stand-in has to send cases down the same branch; their class is not its business.",
  "share of all cases":
    "The share is of another whole: of those who could have been got right, not of all.",
  "priors forgotten": "The cases were not drawn as people come: each class counts with its prior.",
  "turned round": "That is how many of the ill are positive, not how many of the positive are ill.",
  "priors times counts":
    "A prior is shared among all cases of its class: divide by how many there are.",
  "priors turned round": "Each prior belongs to its class; here they have changed places.",
  "not divided": "A share is a part of a whole: divide by the sum of all parts.",
  "training errors":
    "The tree was chosen to fit the training cases, so its errors there are too few.",
  "leaves answer by new cases":
    "A leaf answers what its training cases say; new cases only judge it.",
  "training cases used twice":
    "Cases that grew the tree cannot judge it: only those set aside count.",
  "right for wrong": "That is what it gets right.",
  "worse one kept": "Pruning keeps whichever makes fewer errors on the cases set aside.",
  "rest forgotten": "The cases of the other branch are judged, too.",
  "rates added": "A rate holds for one case: times the cases of its leaf it becomes errors.",
  "leaves pooled":
    "Each speaks for itself first; small ones must not drown in large ones, nor lend their cases.",
  "confidence turned round":
    "The limit leaves a chance of 25 %, not of 75 %, that so few errors were luck.",
  "one leaf too many":
    "A test that becomes a leaf leaves one leaf behind: it saves all its leaves but one.",
  "strongest link": "What saves least for each leaf goes first.",
  "leaves forgotten": "What a test saves must be shared by the leaves that it costs.",
  "least error taken":
    "The least error is partly luck: of all trees within one standard error the smallest is taken.",
  "two standard errors": "The rule allows one standard error, not two.",
  "root of n forgotten":
    "The more cases, the surer a share: the variance is divided by their number.",
  "wrong branch": "The second question was answered the other way round: ≤ goes to yes.",
  "first test turned round": "The first question was answered the other way round: ≤ goes to yes.",
  "root's share": "That is the share of all cases, before any question.",
  "row for column":
    "The share is of the other sum: mind whether the row or the column is the whole.",
  "wrong for right": "That counts those whom the tree gets wrong.",
  accuracy: "That counts the healthy who are called healthy as well; they were not asked about.",
  "cases not weighed": "A fall counts as often as there are cases that it happens to.",
  "tests counted": "How often a question is asked is not how much it helps.",
  "surest tree only": "A forest lets no tree speak alone, however sure it is: all are averaged.",
  "numbers for what is left":
    "The tree learns what the mean leaves over, not the numbers themselves.",
  "rate forgotten": "Only a part of what the tree says is added: times the rate.",
  "start forgotten": "The tree only corrects: what stood there before stays.",
  "sign turned round": "What is left is the number minus the prediction, so that it is added.",
};
