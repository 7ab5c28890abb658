"""The way of many cases down a tree: which branch each takes at its node.

Where the value that a node asks about is unknown, the surrogates of the node are asked in its
place, and if they know no better, the branch is its default; a node may have neither. In some trees
the case then goes down every branch, in parts: a part is a case at a node with a weight, which
divides among the children in proportion to what they hold (Quinlan 1993, chapter 3).
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from dtreebook.data.cases import Columns
from dtreebook.tree.splits import Splits, Surrogate

# For fewer cases, a loop over the tests of each is quicker than arrays.
_FEW = 8


class Links(NamedTuple):
    """Where the children of every node stand: beside each other.

    Examples
    --------
    A root with three children, of which the third has two:

    >>> links = Links.of(np.array([1, 0, 0, 4, 0, 0]))
    >>> links.n_branches
    array([3, 0, 0, 2, 0, 0])
    >>> links.children_sum(np.array([0, 1, 2, 3, 40, 50]), np.array([0, 3]))
    array([ 6, 90])
    """

    first_child: np.ndarray  #: array [N], where the children of a node begin; 0 for a leaf
    n_branches: np.ndarray  #: array [N], how many children a node has; 0 for a leaf

    @classmethod
    def of(cls, first_child: np.ndarray) -> "Links":
        """Return the links of nodes whose children stand in the order of their parents."""
        inner = np.flatnonzero(first_child)
        n_branches = np.zeros_like(first_child)
        n_branches[inner] = np.diff(first_child[inner], append=len(first_child))
        return cls(first_child, n_branches)

    def children(self, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of all children of some inner nodes, and where those of each begin."""
        times = self.n_branches[node]
        begin = times.cumsum() - times
        return (self.first_child[node] - begin).repeat(times) + np.arange(times.sum()), begin

    def children_sum(self, amounts: np.ndarray, node: np.ndarray) -> np.ndarray:
        """Return, for some inner nodes, the sum of amounts [N, ...] over their children."""
        child, begin = self.children(node)
        return np.add.reduceat(amounts[child], begin) if node.size else amounts[node]

    def levels(self) -> list[np.ndarray]:
        """Return the inner nodes of every level, the root first."""
        levels, node = [], np.flatnonzero(self.first_child[:1])
        while node.size:
            levels.append(node)
            child, _ = self.children(node)
            node = child[self.first_child[child] > 0]
        return levels


class Router:
    """The tests of some nodes, made ready once for any number of cases.

    A threshold is kept as its cut. Where each level has a branch, its code is the branch. A test of
    groups is kept as a table of the branches of the levels, from the first that it knows to the
    last, with -1 before and after it. A test of any further kind is asked itself.

    Parameters
    ----------
    splits : the tests of the nodes, None for a leaf.
    surrogates : a tuple of surrogates for each node, or None if no node has any.
    default : array, the branch of a case that no test of its node knows, -1 where it stops; or
        None if it stops everywhere.

    Examples
    --------
    The third case has no age; the default of node 0 is its second branch.

    >>> from dtreebook.tree.splits import Threshold
    >>> router = Router(Splits.of([Threshold(0, 40.0)]), None, np.array([1]))
    >>> case = np.arange(3)
    >>> ways = Routes(router, np.array([[30.0, 50.0, np.nan]]))
    >>> ways.branch(np.zeros(3, dtype=int), case)
    array([0, 1, 1], dtype=int8)
    """

    def __init__(
        self,
        splits: Splits,
        surrogates: Sequence[tuple[Surrogate, ...]] | None,
        default: np.ndarray | None,
    ):
        self.default = default if default is not None and (default >= 0).any() else None
        self.n_surrogates: np.ndarray | None = None
        if surrogates and any(surrogates):
            self.n_surrogates = np.array([len(of_node) for of_node in surrogates])
            self.first_surrogate = len(splits) + np.cumsum(self.n_surrogates) - self.n_surrogates
            flipped = [surrogate.flipped for surrogate in chain(*surrogates)]
            self.is_flipped = np.append(np.zeros(len(splits), bool), np.array(flipped, bool))
            own, n = splits, len(splits)
            splits = Splits.none(len(self.is_flipped))
            splits.put(np.arange(n), own)
            in_turn = Splits.of(surrogate.split for surrogate in chain(*surrogates))
            splits.put(np.arange(n, len(splits)), in_turn)

        self.column, self.cut = np.maximum(splits.column, 0), splits.cut
        has_no_cut = np.isnan(splits.cut)
        self.is_multiway = has_no_cut & (splits.column >= 0)
        self.others = splits.others
        self.has_levels = bool(self.is_multiway.any())
        self.has_cuts = not (self.has_levels and has_no_cut.all())
        self.has_tables = bool(splits.groups)
        if self.has_tables:
            self.is_table = np.zeros(len(splits), bool)
            self.is_table[list(splits.groups)] = True
            self.is_multiway &= ~self.is_table
            self._lay_out(splits.groups)
        self.is_multiway[list(self.others)] = False
        self.has_multiway = bool(self.is_multiway.any())

    @cached_property
    def asked(self) -> tuple[np.ndarray, np.ndarray]:
        """The columns that some test asks about, and the place of each test's own among them."""
        return np.unique(self.column, return_inverse=True)

    def branch_of_one(self, test: int, value: float) -> int:
        """Return the branch of one value by a test; -1 if it is unknown."""
        if value != value:
            return -1
        if self.has_multiway and self.is_multiway.item(test):
            return int(value)
        if test in self.others:
            return self.others[test].branch(np.array([value])).item()
        if not (self.has_tables and self.is_table.item(test)):
            return int(value > self.cut.item(test))
        code = min(max(int(value), self.before.item(test)), self.behind.item(test))
        return self.branch_of.item(self.base.item(test) + code)

    def _lay_out(self, groups):
        """Put the tables of the tests of groups one after the other.

        The branch of a code is at ``base + code``, once the code is limited to ``before``, one
        below the first that is known, and ``behind``, one above the last.
        """
        places, branch_of = [(0, 0, 0)] * len(self.column), []
        for i, branches in groups.items():
            of_code = {code: b for b, group in enumerate(branches) for code in group}
            first, last = min(of_code, default=0), max(of_code, default=-1)
            places[i] = len(branch_of) + 1 - first, first - 1, last + 1
            branch_of += [of_code.get(code, -1) for code in range(first - 1, last + 2)]
        self.base, self.before, self.behind = np.array(places).T.copy()
        self.branch_of = np.array(branch_of, dtype=np.min_scalar_type(-1 - max(branch_of)))


class Routes:
    """The ways of some cases by a `Router`, given whether any value is NaN; None to look."""

    def __init__(self, router: Router, columns: Columns, has_nan: bool | None = None):
        self._router = router
        if isinstance(columns, np.ndarray):
            if not (columns.flags.c_contiguous or columns.flags.f_contiguous):
                columns = np.ascontiguousarray(columns)
            self._values, self._column = columns.ravel(order="K"), router.column
            self._column_step, self._case_step = (
                stride // columns.itemsize for stride in columns.strides
            )
        else:
            asked, place = router.asked
            table = np.empty((len(asked), len(columns[0])))
            for row, a in zip(table, asked.tolist(), strict=True):
                column = columns[a]
                row[:] = column
                if column.dtype.kind != "f" and column.min(initial=0) < 0:
                    row[column < 0] = np.nan
            self._values, self._column = table.ravel(), place
            self._column_step, self._case_step = table.shape[1], 1
        self._n_cases = len(columns[0])
        if has_nan is None:
            has_nan = bool(np.isnan(self._values.max(initial=0)))  # of any NaN it is NaN
        self._has_nan = has_nan
        self._is_plain = not (self._has_nan or router.has_levels)

    def branch(self, node: np.ndarray, case: np.ndarray) -> np.ndarray:
        """Return the branch that each case [n] takes at its node [n]; -1 if it stops there."""
        router, branch = self._router, self._ask(node, case)
        if self._is_plain:
            return branch
        lost = np.flatnonzero(branch < 0)
        if not lost.size:
            return branch
        if router.n_surrogates is not None:
            for place in range(router.n_surrogates.max()):
                lost = lost[router.n_surrogates[node[lost]] > place]
                surrogate = router.first_surrogate[node[lost]] + place
                said = self._ask(surrogate, case[lost])
                branch[lost] = np.where(router.is_flipped[surrogate] & (said >= 0), 1 - said, said)
                lost = lost[said < 0]
        if router.default is not None:
            lost = np.flatnonzero(branch < 0)
            branch[lost] = router.default[node[lost]]
        return branch

    def ends(self, following: np.ndarray) -> np.ndarray:
        """Return the node where each case ends that begins at node 0.

        `following`, array [N], is the first child of each node; of a leaf, itself.
        """
        if following[0] == 0:  # a single leaf asks nothing, not even for a column
            return np.zeros(self._n_cases, dtype=np.intp)
        if self._n_cases <= _FEW:
            return np.array([self._end_of_one(following, case) for case in range(self._n_cases)])
        case = np.arange(self._n_cases)
        end, node = np.zeros((2, self._n_cases), dtype=np.intp)
        while case.size:
            branch = self.branch(node, case)
            below = following.take(node) + branch
            if not self._is_plain:
                below = np.where(branch < 0, node, below)
            is_moving = below != node
            node = below
            # To take out those that have ended costs as much as to take them along for a while.
            if np.count_nonzero(is_moving) < 0.8 * len(case):
                moving = np.flatnonzero(is_moving)
                end[case] = node
                case, node = case.take(moving), node.take(moving)
        return end

    def _end_of_one(self, following, case):
        """Return where one case ends."""
        node, first = 0, case * self._case_step
        while (below := following.item(node)) != node:
            place = first + self._column.item(node) * self._column_step
            branch = self._router.branch_of_one(node, self._values.item(place))
            if branch < 0:  # a surrogate or the default may know
                branch = self.branch(np.array([node]), np.array([case])).item()
            if branch < 0:
                break
            node = below + branch
        return node

    def _ask(self, test, case):
        """Return the branch that each case takes by a test; -1 if it is unknown, any in a leaf."""
        router = self._router
        place = self._column.take(test)
        if self._column_step != 1:
            place *= self._column_step
        place += case if self._case_step == 1 else case * self._case_step
        value = self._values.take(place)
        if self._has_nan:
            lost = np.flatnonzero(np.isnan(value))
            value[lost] = -1
        if router.has_levels:
            branch = self._ask_levels(test, value)
        else:
            branch = (value > router.cut.take(test)).view(np.int8)
        if self._has_nan:
            branch[lost] = -1
        return branch

    def _ask_levels(self, test, code):
        """Return the branch of each code, or number, where some tests ask about levels."""
        router = self._router
        if not (router.has_cuts or router.has_multiway or router.others):
            return self._look_up(test, code)
        branch = code > router.cut.take(test) if router.has_cuts else np.zeros(len(code))
        if router.has_multiway:
            branch = np.where(router.is_multiway.take(test), code, branch)
        branch = branch.astype(np.intp)
        for number, split in router.others.items():
            here = np.flatnonzero(test == number)
            branch[here] = split.branch(code[here])
        if router.has_tables:
            here = np.flatnonzero(router.is_table.take(test))
            branch[here] = self._look_up(test.take(here), code.take(here))
        return branch

    def _look_up(self, test, code):
        """Return the branch of each code by a test with a table; in a leaf, what is before all."""
        router = self._router
        # Bounded first: in a leaf it may be a number, too large for a place.
        code = np.clip(code, router.before.take(test), router.behind.take(test))
        return router.branch_of.take(code.astype(np.intp) + router.base.take(test))


def upwards(parent: np.ndarray, node: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all nodes that cases pass, from where each ends, [n], up to the root: cases and nodes.

    Examples
    --------
    >>> above = np.array([-1, 0, 0, 1, 1])
    >>> [(case.tolist(), at.tolist()) for case, at in upwards(above, np.array([2, 4]))]
    [([0, 1], [2, 4]), ([0, 1], [0, 1]), ([1], [0])]
    """
    case = np.arange(len(node))
    while node.size:
        yield case, node
        below = node > 0
        case, node = case[below], parent[node[below]]


# --- cases in parts -------------------------------------------------------------------------------


class FractionalCases(NamedTuple):
    """Cases on their way down a tree, whole or in parts: arrays [n]."""

    case: np.ndarray  #: the row of the case
    node: np.ndarray  #: the number of the node it is at
    weight: np.ndarray  #: how much of the case is there

    def at(self, chosen: np.ndarray) -> "FractionalCases":
        """Return the parts that a mask chooses."""
        if chosen.all():
            return self
        (here,) = chosen.nonzero()
        return FractionalCases(self.case.take(here), self.node.take(here), self.weight.take(here))


def distribute(
    parts: FractionalCases, branch: np.ndarray, links: Links, size: np.ndarray | None = None
) -> FractionalCases:
    """Move every part from its node to the children, without those that would weigh nothing.

    Source: Quinlan (1993), chapter 3, on partitioning the cases.

    Parameters
    ----------
    parts : `FractionalCases`, all at nodes that have children.
    branch : array [n], the branch that each part takes, -1 where the value is unknown.
    links : where the children of each node stand.
    size : array [N], the weight of each node, by which unknown values are shared out; without it,
        the weight of the known parts that come now.

    Examples
    --------
    Three cases at a node with two children; of the third the value is unknown:

    >>> parts = FractionalCases(np.arange(3), np.zeros(3, int), np.array([3.0, 1.0, 1.0]))
    >>> below = distribute(parts, np.array([0, 1, -1]), Links.of(np.array([1, 0, 0])))
    >>> below.case, below.node, below.weight
    (array([0, 1, 2, 2]), array([1, 2, 1, 2]), array([3.  , 1.  , 0.75, 0.25]))
    """
    is_known = branch >= 0
    known = parts._replace(node=links.first_child.take(parts.node) + branch)
    if is_known.all():
        return known
    known, unknown = known.at(is_known), parts.at(~is_known)
    if size is None:
        size = np.bincount(
            known.node, known.weight, minlength=(links.first_child + links.n_branches).max()
        )

    # Each unknown part once for every child, the children of one part beside each other.
    child, _ = links.children(unknown.node)
    times = links.n_branches[unknown.node]
    together = links.children_sum(size, unknown.node)
    share = size[child] / np.repeat(together + (together == 0), times)
    some = share > 0
    return FractionalCases(
        np.concatenate([known.case, np.repeat(unknown.case, times)[some]]),
        np.concatenate([known.node, child[some]]),
        np.concatenate([known.weight, (np.repeat(unknown.weight, times) * share)[some]]),
    )
