"""Error-based pruning, as C4.5 does it: what errors to expect, and what may take a subtree's place.

C4.5 looks at every node from the bottom up and compares the errors it expects of three things on
new cases: the subtree, a leaf, and the largest branch of the subtree if it took all the cases.
"""

import numpy as np

from dtreebook.draft import TIE, Choice, Comparison, Draft, of_classes
from dtreebook.limits import extra_errors
from dtreebook.missing import Parts, step
from dtreebook.routes import Routes
from dtreebook.tables import count

# How many errors more than the subtree a simpler tree may be expected to make.
_SLACK = 0.1

# A subtree that saves no more training errors than this over a leaf saves none.
_EPSILON = 1e-3


# The choices by their places in a list, for arrays.
_CHOICES = tuple(Choice)
_LEAF, _BRANCH, _KEEP = range(len(_CHOICES))


def predicted_errors(tree, confidence=0.25):
    """Return the errors to expect of every node on as many new cases as it was grown on.

    A leaf has its own errors and the `extra_errors`; a subtree the sum of its branches.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    confidence : above 0 and at most 1.

    Returns
    -------
    array [N], level by level, the root first.

    References
    ----------
    Quinlan (1993), section 4.2.

    Examples
    --------
    The tree for golf makes no error on its fourteen cases, yet 5.39 are expected in as many more:

    >>> from dtreebook.c45 import C45Classifier
    >>> from dtreebook.datasets import load_golf
    >>> tree = C45Classifier().fit(*load_golf(return_X_y=True)).tree_
    >>> round(float(predicted_errors(tree)[0]), 2)
    5.39
    """
    of_classes(tree)
    draft = Draft(tree)
    errors = _leaf_errors(draft.counts, confidence)
    for node in reversed(draft.levels()):
        child, begin = draft.children(node)
        errors[node] = np.add.reduceat(errors[child], begin)
    return errors


def collapse(tree):
    """Return the tree without the subtrees that make no fewer training errors than a leaf would.

    Fewer means by more than 0.001. Looked at from the bottom up; C4.5 does so while it grows.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.

    Examples
    --------
    A test that divides the cases, but says the same class of both parts:

    >>> from dtreebook.data import Attribute
    >>> from dtreebook.splits import Multiway
    >>> from dtreebook.tree import Node, Tree
    >>> leaves = Node(np.array([2.0, 1.0]), label=0), Node(np.array([4.0, 0.0]), label=0)
    >>> root = Node(np.array([6.0, 1.0]), label=0, split=Multiway(0), children=leaves)
    >>> windy = Attribute("windy", "nominal", ("yes", "no"))
    >>> print(collapse(Tree.from_root(root, (windy,), np.array(["Play", "Don't Play"]))))
    Play (7.0/1.0)
    """
    of_classes(tree)
    draft = Draft(tree)
    wrong = draft.counts.sum(axis=1) - draft.counts.max(axis=1)
    for node in reversed(draft.levels()):
        child, begin = draft.children(node)
        below = np.add.reduceat(wrong[child], begin)
        useless = below >= wrong[node] - _EPSILON
        draft.cut(node[useless])
        wrong[node[~useless]] = below[~useless]
    return draft.tree()


def error_based(tree, cases, confidence=0.25, subtree_raising=True):
    """Return the tree as C4.5 prunes it.

    From the bottom up, a subtree becomes a leaf if no more errors are to be expected of the leaf
    than of the subtree, and of its largest branch; else it is replaced by that branch (*raised*),
    if no more errors are to be expected of that than of the subtree; 0.1 errors do not count. A
    raised branch takes the cases of all branches, and is pruned again with them.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    cases : `dtreebook.data.Cases`, those that it was grown on.
    confidence : of the `dtreebook.limits.extra_errors`, above 0 and at most 1; less prunes more.
    subtree_raising : whether the largest branch is a choice at all.

    Raises
    ------
    ValueError
        If the confidence is out of range, the tree was not grown on these cases, or predicts
        numbers.

    References
    ----------
    Quinlan (1993), section 4.2.

    Examples
    --------
    Who trusts leaves of two or three cases less than C4.5 does has nothing left of golf:

    >>> from dtreebook.c45 import C45Classifier
    >>> from dtreebook.data import read_cases
    >>> from dtreebook.datasets import load_golf
    >>> golf = load_golf(return_X_y=True)
    >>> tree = C45Classifier(confidence=None).fit(*golf).tree_
    >>> print(error_based(tree, read_cases(*golf), confidence=0.05))
    Play (14.0/5.0)
    """
    pruning = _Pruning(tree, cases, confidence, subtree_raising)
    for _ in pruning.run():
        pass
    pruning.draft.drop_impossible()
    return pruning.draft.tree()


def comparisons(tree, cases, confidence=0.25, subtree_raising=True):
    """Return what `error_based` compares, in its order: one `Comparison` for each node it looks at.

    A raised branch is looked at again, now in the place of its parent.

    Examples
    --------
    >>> from dtreebook.c45 import C45Classifier
    >>> from dtreebook.data import read_cases
    >>> from dtreebook.datasets import load_golf
    >>> golf = load_golf(return_X_y=True)
    >>> tree = C45Classifier(confidence=None).fit(*golf).tree_
    >>> for made in comparisons(tree, read_cases(*golf)):
    ...     print(made.path, f"{made.leaf:.2f} {made.subtree:.2f} {made.branch:.2f}", made.choice)
    (0,) 3.24 2.11 3.24 keep it
    (2,) 3.24 2.11 3.24 keep it
    () 6.79 5.39 7.74 keep it
    """
    pruning = _Pruning(tree, cases, confidence, subtree_raising)
    return [made for together in _compared(pruning) for made in together]


def stages(tree, cases, confidence=0.25, subtree_raising=True):
    """Yield how `error_based` goes on: the tree as it stands, and what is compared on it at once.

    Each `Comparison` tells by its path where in that tree the node is. The last tree, on which
    nothing is left to compare, is the pruned one.

    Examples
    --------
    >>> from dtreebook.c45 import C45Classifier
    >>> from dtreebook.data import read_cases
    >>> from dtreebook.datasets import load_golf
    >>> golf = load_golf(return_X_y=True)
    >>> tree = C45Classifier(confidence=None).fit(*golf).tree_
    >>> for standing, made in stages(tree, read_cases(*golf), confidence=0.05):
    ...     print(standing.node_count, [each.path for each in made])
    8 [(0,), (2,)]
    8 [()]
    1 []
    """
    pruning = _Pruning(tree, cases, confidence, subtree_raising)
    for made in _compared(pruning):
        yield pruning.draft.tree(), made
    pruning.draft.drop_impossible()
    yield pruning.draft.tree(), []


def _compared(pruning):
    """Run a pruning; yield what is compared together, before it is decided."""
    draft = pruning.draft
    for node, leaf, subtree, branch, choice in pruning.run():
        made = []
        for i, *estimates, place in zip(node, leaf, subtree, branch, choice, strict=True):
            estimates = map(float, estimates)
            about = draft.path(i), draft.split[draft.asks[i]], draft.counts[i].copy()
            made.append(Comparison(*about, *estimates, _CHOICES[place]))
        if made:
            yield made


class _Pruning:
    """Error-based pruning of a draft.

    Attributes
    ----------
    as_leaf : array [N], the errors to expect of each node if it were a leaf.
    errors : array [N], those of each leaf, and of each subtree once it is pruned.
    """

    def __init__(self, tree, cases, confidence, subtree_raising):
        of_classes(tree)
        self.draft, self.confidence, self.raising = Draft(tree), confidence, subtree_raising
        self.routes, self.target = Routes(tree, cases.columns), cases.target
        weight = np.ones(len(self.target)) if cases.weight is None else cases.weight
        self.whole = Parts(np.arange(len(weight)), np.zeros(len(weight), dtype=np.intp), weight)
        _, (counts,) = self.count(self.whole)
        if not np.allclose(counts, tree.flat.counts[0]):
            raise ValueError(
                "the tree was grown on other cases: it holds "
                f"{tree.flat.counts[0]} of each class, these are {counts}"
            )
        self.as_leaf = _leaf_errors(self.draft.counts, confidence)
        self.errors = self.as_leaf.copy()

    def run(self):
        """Yield what is compared, before it is decided: nodes, estimates, choices."""
        draft = self.draft
        undecided = draft.first_child > 0
        # A largest branch that is a leaf does as well as the leaf itself: no case need be moved.
        for node in reversed(draft.levels()):
            child, begin = draft.children(node)
            ready = ~np.logical_or.reduceat(undecided[child], begin)
            if self.raising:
                ready &= draft.first_child[self.largest(child, begin)] == 0
            undecided[node[ready]] = False
            yield from self.decide(node[ready], None)
        levels = []
        parts = self.whole.at(undecided[self.whole.node])
        while parts.case.size:
            levels.append(parts)
            parts = self.down(parts)
            parts = parts.at(undecided[parts.node])
        while levels:
            parts = levels.pop()
            raised = yield from self.decide(_distinct(parts.node, len(undecided)), parts)
            levels += self.send_again(parts.at(raised[parts.node]))

    def decide(self, node, parts):
        """Compare and choose at nodes of one level; return which nodes are raised: mask [N].

        Without parts, no largest branch is more than a leaf.
        """
        draft = self.draft
        child, begin = draft.children(node)
        largest = self.largest(child, begin)
        leaf, subtree = self.as_leaf[node], np.add.reduceat(self.errors[child], begin)
        branch = leaf.copy() if self.raising else np.full(len(node), np.inf)
        divided = draft.first_child[largest] > 0
        if parts is not None and divided.any():
            branch[divided] = self.branch_errors(node[divided], largest[divided], parts)
        to_leaf = (leaf <= branch + _SLACK) & (leaf <= subtree + _SLACK)
        choice = np.where(to_leaf, _LEAF, np.where(branch <= subtree + _SLACK, _BRANCH, _KEEP))
        yield node, leaf, subtree, branch, choice

        self.errors[node] = np.where(to_leaf, leaf, subtree)
        draft.cut(node[to_leaf])
        raised = choice == _BRANCH
        draft.lift(node[raised], largest[raised])
        is_raised = np.zeros(len(self.errors), dtype=bool)
        is_raised[node[raised]] = True
        return is_raised

    def largest(self, child, begin):
        """Return the child with the most cases of each family; of equal ones, the last."""
        weight = self.draft.counts[child].sum(axis=1)
        family = np.repeat(np.arange(len(begin)), np.diff(begin, append=len(child)))
        most = np.maximum.reduceat(weight, begin)[family]
        place = np.where(weight >= most * (1 - TIE), np.arange(len(child)), -1)
        return child[np.maximum.reduceat(place, begin)]

    def branch_errors(self, node, branch, parts):
        """Return the errors to expect if all cases of each node went down one of its branches."""
        draft, n_classes = self.draft, self.draft.counts.shape[1]
        start = np.full(len(self.errors), -1)
        start[node] = branch
        parts = parts._replace(node=start.take(parts.node))
        parts = parts.at(parts.node >= 0)
        cells, weights = [], []  # what arrives in the leaves: leaf and class, weight
        while parts.case.size:
            at_leaf = draft.first_child.take(parts.node) == 0
            arrived = parts.at(at_leaf)
            cells.append(arrived.node * n_classes + self.target.take(arrived.case))
            weights.append(arrived.weight)
            parts = self.down(parts.at(~at_leaf))
        cells, weights = np.concatenate(cells), np.concatenate(weights)
        counts = np.bincount(cells, weights, draft.counts.size).reshape(draft.counts.shape)
        leaf, owner = draft.leaves_below(branch)
        return np.bincount(owner, _leaf_errors(counts[leaf], self.confidence))

    def send_again(self, parts):
        """Send all cases of raised nodes down their subtrees; return the parts of every level."""
        draft, levels = self.draft, []
        while parts.case.size:
            node, counts = self.count(parts)
            self.recount(node, counts)
            parts = parts.at(draft.first_child[parts.node] > 0)
            levels.append(parts)
            parts = self.down(parts)
        return levels

    def down(self, parts):
        draft = self.draft
        branch = self.routes.branch(draft.asks[parts.node], parts.case)
        return step(parts, branch, draft.first_child, draft.n_branches)

    def count(self, parts):
        """Return the nodes that have parts, and the weight of each class there."""
        node = _distinct(parts.node, len(self.draft.parent))
        place = np.empty(node[-1] + 1, dtype=np.intp)
        place[node] = np.arange(len(node))
        codes = place[parts.node], self.target[parts.case]
        return node, count(codes, (len(node), self.draft.counts.shape[1]), parts.weight)

    def recount(self, node, counts):
        """Give nodes their cases; where another class is no more common, they keep their own."""
        draft = self.draft
        best, own = counts.argmax(axis=1), draft.label[node]
        row = np.arange(len(node))
        better = counts[row, best] > counts[row, own] * (1 + TIE)
        draft.counts[node], draft.risk = counts, None  # what the cases cost is their errors now
        draft.label[node] = np.where(better, best, own)
        self.as_leaf[node] = self.errors[node] = _leaf_errors(counts, self.confidence)


def _leaf_errors(counts, confidence):
    weight = counts.sum(axis=1)
    wrong = weight - counts.max(axis=1)
    return wrong + extra_errors(wrong, weight, confidence)


def _distinct(numbers, n):
    """Return the distinct numbers below n, in order: `numpy.unique` without sorting."""
    seen = np.zeros(n, dtype=bool)
    seen[numbers] = True
    return np.flatnonzero(seen)
