"""The way of many cases down a tree: which branch each takes at its node.

Where the value that a node asks for is unknown, the surrogates of the node are asked in its place,
and if they know no better, the branch is its default; a node may have neither.
"""

from itertools import chain, count

import numpy as np


class Routes:
    """The tests of a tree, made ready for many cases.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    columns : the columns of the cases, as `dtreebook.data.encode` gives them.
    """

    def __init__(self, tree, columns):
        flat, is_array = tree.flat, isinstance(columns, np.ndarray)
        self._tests = (_Comparisons if is_array else _LookUps)(tree, columns)
        self._default = flat.default
        self._number = None
        if flat.surrogates:
            self._number = np.array([len(of_node) for of_node in flat.surrogates])
            self._first = len(flat.split) + np.cumsum(self._number) - self._number
            flipped = [surrogate.flipped for surrogate in chain(*flat.surrogates)]
            self._flipped = np.append(np.zeros(len(flat.split), bool), np.array(flipped, bool))

    def branch(self, node, case):
        """Return the branch that each case takes at its node, an inner one; -1 if it stops there.

        Parameters
        ----------
        node, case : arrays [n], numbers of nodes, level by level, and rows of cases.
        """
        branch = self._tests.ask(node, case)
        if self._tests.all_known:
            return branch
        lost = np.flatnonzero(branch < 0)
        for place in range(0 if self._number is None else self._number.max()):
            lost = lost[self._number[node[lost]] > place]
            surrogate = self._first[node[lost]] + place
            said = self._tests.ask(surrogate, case[lost])
            branch[lost] = np.where(self._flipped[surrogate] & (said >= 0), 1 - said, said)
            lost = lost[said < 0]
        if self._default is not None:
            lost = np.flatnonzero(branch < 0)
            branch[lost] = self._default[node[lost]]
        return branch


class _Comparisons:
    """Tests that are all cuts of numbers: a value is compared with the cut."""

    def __init__(self, tree, columns):
        if not (columns.flags.c_contiguous or columns.flags.f_contiguous):
            columns = np.ascontiguousarray(columns)
        self._values = columns.ravel(order="K")
        step, self._step = (stride // columns.itemsize for stride in columns.strides)
        attribute, self._cut = tree.cuts
        self._column = attribute * step
        self.all_known = not np.isnan(self._values).any()

    def ask(self, test, case):
        """Return the branch that each case takes by a test; -1 if it is unknown."""
        value = self._values.take(self._column.take(test) + case * self._step)
        branch = value > self._cut.take(test)
        return branch if self.all_known else np.where(np.isnan(value), -1, branch)


class _LookUps:
    """Tests of any kind: each a look-up in a table of branches.

    The code of a level is its own; that of a number, how many of the cuts that the tests make in
    this attribute lie below it. A test subtracts its cut (0 for levels), limits what is left to the
    places of its table (two for a cut), and finds the branch there.
    """

    def __init__(self, tree, columns):
        tests, attributes, n_cases = tree.tests, tree.attributes, len(columns[0])
        asking = {}  # the tests that ask for each attribute
        for i, split in enumerate(tests):
            if split is not None:
                asking.setdefault(split.attribute, []).append(i)
        self._codes = np.empty(len(asking) * n_cases, dtype=np.int32)  # one column after the other
        self._column, self._cut, self._last, self._table = np.zeros((4, len(tests)), dtype=int)
        self.all_known = True
        branch_of, tables = [0, 1], {}  # the first table is that of every cut in numbers
        for offset, (a, here) in zip(count(step=n_cases), asking.items(), strict=False):
            splits = [tests[i] for i in here]
            n_levels = len(attributes[a].levels)
            if attributes[a].kind == "numeric":
                cuts, self._cut[here] = np.unique([s.cut for s in splits], return_inverse=True)
                codes, unknown = np.searchsorted(cuts, columns[a]), np.isnan(columns[a])
                self._last[here] = 1
            else:
                codes, unknown = columns[a], columns[a] < 0
                self._last[here] = n_levels - 1
                for split in set(splits):
                    tables[split] = len(branch_of)
                    branch_of.extend(split.branch(np.arange(n_levels)))
                self._table[here] = [tables[split] for split in splits]
            column = slice(offset, offset + n_cases)
            self._codes[column] = codes
            if unknown.any():
                self._codes[column][unknown] = -1
                self.all_known = False
            self._column[here] = offset
        self._branch_of = np.array(branch_of)
        self.all_known &= min(branch_of) >= 0  # a level may have no branch

    def ask(self, test, case):
        """Return the branch that each case takes by a test; -1 if it is unknown."""
        code = self._codes.take(self._column.take(test) + case)
        place = np.clip(code - self._cut.take(test), 0, self._last.take(test))
        branch = self._branch_of.take(self._table.take(test) + place)
        return branch if self.all_known else np.where(code < 0, -1, branch)
