"""Trees as dicts: what they answer, every small one, and the smallest."""

from itertools import product


def trees(questions, depth):
    """Yield every tree with at most `depth` questions on a path.

    Examples
    --------
    >>> answers = ("no", "yes")
    >>> len(list(trees({"a": answers, "b": answers}, depth=2)))
    74
    """
    yield from ("no", "yes")
    for question in questions if depth else ():
        values = questions[question]
        rest = {q: questions[q] for q in questions if q != question}
        below = list(trees(rest, depth - 1))
        for children in product(below, repeat=len(values)):
            yield {question: dict(zip(values, children, strict=True))}


def reply(question, case):
    """Return the answer of a case to the question of a tree.

    Examples
    --------
    >>> reply("x <= 1.5", {"x": 2}), reply("sky", {"sky": "rain"})
    ('no', 'rain')
    >>> reply("sky in {rain,snow}", {"sky": "rain"})
    'yes'
    """
    name, is_cut, cut = question.partition(" <= ")
    if is_cut:
        return "yes" if case[name] <= float(cut) else "no"
    name, is_group, group = question.partition(" in ")
    if is_group:
        return "yes" if case[name] in group[1:-1].split(",") else "no"
    return case[question]


def answer(tree, case):
    """Follow a tree down to the class that it predicts.

    Examples
    --------
    >>> answer({"a": {"no": "no", "yes": "yes"}}, {"a": "yes", "b": "no"})
    'yes'
    """
    while not isinstance(tree, str):
        ((question, below),) = tree.items()
        tree = below[reply(question, case)]
    return tree


def n_leaves(tree):
    """Count the leaves of a tree.

    Examples
    --------
    >>> both = {"b": {"no": "yes", "yes": "no"}}
    >>> n_leaves({"a": {"no": "no", "yes": both}})
    3
    """
    if isinstance(tree, str):
        return 1
    (below,) = tree.values()
    return sum(n_leaves(subtree) for subtree in below.values())


def in_words(tree):
    """Name the first question of a tree, and what each answer leads to.

    Examples
    --------
    >>> both = {"b": {"no": "yes", "yes": "no"}}
    >>> in_words({"a": {"no": "no", "yes": both}})
    'a? no -> predict no, yes -> b?'
    """
    if isinstance(tree, str):
        return tree
    ((question, below),) = tree.items()
    ends = []
    for value, subtree in below.items():
        is_leaf = isinstance(subtree, str)
        end = (
            f"predict {subtree}" if is_leaf else f"{next(iter(subtree))}?"
        )
        ends.append(f"{value} -> {end}")
    return f"{question}? {', '.join(ends)}"


def fewest_leaves(cases, questions):
    """Return the number of leaves of the smallest tree without an error.

    Examples
    --------
    >>> xor = [({"a": a, "b": b}, a != b) for a in (0, 1) for b in (0, 1)]
    >>> fewest_leaves(xor, {"a": (0, 1), "b": (0, 1)})
    4
    """
    if len({kind for _, kind in cases}) <= 1:
        return 1
    return min(
        leaves_if_first(name, cases, questions) for name in questions
    )


def leaves_if_first(first, cases, questions):
    """Return the number of leaves if this question is asked first.

    After it the best ones are asked.

    Examples
    --------
    >>> rows = [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> both = [({"a": a, "b": b}, a and b) for a, b in rows]
    >>> leaves_if_first("a", both, {"a": (0, 1), "b": (0, 1)})
    3
    """
    rest = {name: questions[name] for name in questions if name != first}
    n = 0
    for value in questions[first]:
        group = [case for case in cases if case[0][first] == value]
        n += fewest_leaves(group, rest)
    return n
