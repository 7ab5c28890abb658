"""Pruning: a leaf in the place of what is not worth its leaves.

Trees are those of `id3` and `cart`; cases are pairs of a dict, all of
whose values are known, and a label.
"""

from dtreebook.plain._trees import answer, n_leaves, reply


def errors(tree, cases):
    """Count the cases that a tree, or a leaf, gets wrong.

    Examples
    --------
    >>> errors("no", [({"x": 1}, "no"), ({"x": 2}, "yes")])
    1
    """
    return sum(answer(tree, case) != label for case, label in cases)


def leaf_for(cases):
    """Return the most common label; of equally common ones the first.

    Examples
    --------
    >>> leaf_for([({}, "yes"), ({}, "no"), ({}, "yes")])
    'yes'
    """
    labels = [label for _, label in cases]
    return max(sorted(set(labels)), key=labels.count)


def after(cases, question, value):
    """Return the cases that give this answer to a question.

    Examples
    --------
    >>> after([({"x": 1}, "no"), ({"x": 2}, "yes")], "x <= 1.5", "yes")
    [({'x': 1}, 'no')]
    """
    return [case for case in cases if reply(question, case[0]) == value]


def strength(tree, cases):
    """Return the errors that a subtree saves for each leaf more.

    ``g(t) = (R(t) - R(T_t)) / (|T_t| - 1)``

    Source: Breiman et al. (1984), section 3.3.

    Examples
    --------
    >>> cases = [({"x": x}, "no") for x in (1, 2)] + [({"x": 3}, "yes")]
    >>> strength({"x <= 2.5": {"yes": "no", "no": "yes"}}, cases)
    1.0
    """
    saved = errors(leaf_for(cases), cases) - errors(tree, cases)
    return round(saved / (n_leaves(tree) - 1), 9)


def links(tree, cases):
    """Return the strength of each question of a tree, the first first.

    Source: Breiman et al. (1984), section 3.3.

    Examples
    --------
    >>> cases = [({"x": x}, "no") for x in (1, 2)] + [({"x": 3}, "yes")]
    >>> links({"x <= 2.5": {"yes": "no", "no": "yes"}}, cases)
    [1.0]
    """
    if isinstance(tree, str):
        return []
    found = [strength(tree, cases)]
    ((question, below),) = tree.items()
    for value, subtree in below.items():
        found += links(subtree, after(cases, question, value))
    return found


def cut_back(tree, cases, price):
    """Put a leaf where a link is no stronger than the price of a leaf.

    Source: Breiman et al. (1984), section 3.3.

    Examples
    --------
    >>> cases = [({"x": x}, "no") for x in (1, 2)] + [({"x": 3}, "yes")]
    >>> cut_back({"x <= 2.5": {"yes": "no", "no": "yes"}}, cases, price=1)
    'no'
    """
    if isinstance(tree, str):
        return tree
    if strength(tree, cases) <= price:
        return leaf_for(cases)
    ((question, below),) = tree.items()
    kept = {}
    for value, subtree in below.items():
        kept[value] = cut_back(
            subtree, after(cases, question, value), price
        )
    return {question: kept}


def prune_weakest_link(tree, cases):
    """Return the trees that are best at some price of a leaf.

    They are ``{price: tree}``: from each price on, in errors of the
    training cases, its tree is the best.

    Source: Breiman et al. (1984), section 3.3.

    Examples
    --------
    >>> cases = [({"x": x}, "no") for x in (1, 2)] + [({"x": 3}, "yes")]
    >>> tree = {"x <= 2.5": {"yes": "no", "no": "yes"}}
    >>> prune_weakest_link(tree, cases)
    {0: {'x <= 2.5': {'yes': 'no', 'no': 'yes'}}, 1.0: 'no'}
    """
    best = {0: tree}
    while not isinstance(tree, str):
        weakest = min(links(tree, cases))
        tree = cut_back(tree, cases, weakest)
        best[weakest] = tree
    return best


def prune_reduced_error(tree, cases, apart):
    """Prune a tree by the errors that it makes on cases kept apart.

    From the bottom up, a leaf takes the place of a subtree if it makes no
    more errors there. It predicts the majority of the training cases.

    Source: Quinlan (1987), on reduced error pruning.

    Examples
    --------
    >>> cases = [({"x": x}, "no") for x in (1, 2)] + [({"x": 3}, "yes")]
    >>> tree = {"x <= 2.5": {"yes": "no", "no": "yes"}}
    >>> prune_reduced_error(tree, cases, apart=[({"x": 4}, "no")])
    'no'
    """
    if isinstance(tree, str):
        return tree
    ((question, below),) = tree.items()
    kept = {question: {}}
    for value, subtree in below.items():
        here, there = (after(c, question, value) for c in (cases, apart))
        kept[question][value] = prune_reduced_error(subtree, here, there)
    leaf = leaf_for(cases)
    return leaf if errors(leaf, apart) <= errors(kept, apart) else kept
