"""Every small tree, and the fewest leaves: what the first pages find by trying everything.

A tree is a class, or a question with a tree for each of its answers.
"""

from collections.abc import Iterator
from itertools import product

__all__ = ["answer", "fewest_leaves", "in_words", "leaves_if_first", "n_leaves", "trees"]

Questions = dict[str, tuple]  # from the names of questions to their answers
Tree = str | tuple[str, dict]
Cases = list[tuple[dict, object]]  # what each case answers, and its class


def trees(questions: Questions, depth: int) -> Iterator[Tree]:
    """Yield every tree with at most `depth` questions on a path.

    Examples
    --------
    >>> len(list(trees({"a": ("no", "yes"), "b": ("no", "yes")}, depth=2)))
    74
    """
    yield from ("no", "yes")
    for question in questions if depth else ():
        values = questions[question]
        rest = {q: questions[q] for q in questions if q != question}
        below = list(trees(rest, depth - 1))
        for children in product(below, repeat=len(values)):
            yield question, dict(zip(values, children, strict=True))


def answer(tree: Tree, case: dict) -> str:
    """Follow a tree down to the class that it predicts.

    Examples
    --------
    >>> answer(("a", {"no": "no", "yes": "yes"}), {"a": "yes", "b": "no"})
    'yes'
    """
    while not isinstance(tree, str):
        question, children = tree
        tree = children[case[question]]
    return tree


def n_leaves(tree: Tree) -> int:
    """Count the leaves of a tree.

    Examples
    --------
    >>> n_leaves(("a", {"no": "no", "yes": ("b", {"no": "yes", "yes": "no"})}))
    3
    """
    return 1 if isinstance(tree, str) else sum(map(n_leaves, tree[1].values()))


def in_words(tree: Tree) -> str:
    """Name the first question of a tree, and what each answer leads to.

    Examples
    --------
    >>> in_words(("a", {"no": "no", "yes": ("b", {"no": "yes", "yes": "no"})}))
    'a? no -> predict no, yes -> b?'
    """
    if isinstance(tree, str):
        return tree
    question, children = tree
    ends = (
        f"{v} -> {'predict ' + t if isinstance(t, str) else t[0] + '?'}"
        for v, t in children.items()
    )
    return f"{question}? {', '.join(ends)}"


def fewest_leaves(cases: Cases, questions: Questions) -> int:
    """Return the number of leaves of the smallest tree without an error.

    Examples
    --------
    >>> xor = [({"a": a, "b": b}, a != b) for a in (0, 1) for b in (0, 1)]
    >>> fewest_leaves(xor, {"a": (0, 1), "b": (0, 1)})
    4
    """
    if len({kind for _, kind in cases}) <= 1:
        return 1
    return min(leaves_if_first(name, cases, questions) for name in questions)


def leaves_if_first(first: str, cases: Cases, questions: Questions) -> int:
    """Return the number of leaves if this question is asked first, and then the best ones.

    Examples
    --------
    >>> both = [({"a": a, "b": b}, a and b) for a in (0, 1) for b in (0, 1)]
    >>> leaves_if_first("a", both, {"a": (0, 1), "b": (0, 1)})
    3
    """
    rest = {name: questions[name] for name in questions if name != first}
    groups = [
        [(case, kind) for case, kind in cases if case[first] == value] for value in questions[first]
    ]
    return sum(fewest_leaves(group, rest) for group in groups)
