"""CART: of all questions with two answers the one that leaves least."""

from itertools import combinations, pairwise


def gini(labels):
    """Return the Gini impurity of some labels: ``1 - sum_k p_k^2``.

    Source: Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    >>> gini(["yes"] * 9 + ["no"] * 6)
    0.48
    """
    n = len(labels)
    return 1 - sum((labels.count(k) / n) ** 2 for k in set(labels))


def gini_left(*piles):
    """Return the Gini impurity that is left in some piles, on average.

    The mean of the piles' impurities, weighted by their sizes.

    Source: Breiman et al. (1984), section 2.4.2.

    Examples
    --------
    >>> gini_left([({}, "no")] * 5, [({}, "no"), ({}, "yes")] * 5)
    0.3333333333333333
    """
    labels = [[label for _, label in pile] for pile in piles]
    n = sum(map(len, labels))
    return sum(len(pile) / n * gini(pile) for pile in labels)


def questions_about(cases, name):
    """Yield every question with two answers about an attribute.

    A question is a pair of words and a function that says whether the
    answer is yes. A number is asked *at most c?*, with c half-way between
    two neighbours; a word is asked *one of these?*.

    Source: Breiman et al. (1984), section 2.4.1.

    Examples
    --------
    >>> cases = [({"x": x}, "yes") for x in (1, 2, 4)]
    >>> [words for words, _ in questions_about(cases, "x")]
    ['x <= 1.5', 'x <= 3.0']
    """
    values = sorted({case[name] for case, _ in cases})
    if isinstance(values[0], str):
        for k in range(1, len(values)):
            for group in combinations(values[:-1], k):  # never the last
                words = f"{name} in {{{','.join(group)}}}"
                yield words, lambda value, group=group: value in group
    else:
        for low, high in pairwise(values):
            cut = (low + high) / 2
            yield f"{name} <= {cut}", lambda value, cut=cut: value <= cut


def cart(cases, names):
    """Grow a tree: a label, or ``{question: {"yes": tree, "no": tree}}``.

    Source: Breiman et al. (1984), chapter 2.

    Parameters
    ----------
    cases : pairs of a dict of words and numbers, all of them known, and a
        label.
    names : the attributes to ask about; of equally good questions the
        first is asked.

    Examples
    --------
    >>> cases = [({"x": 1}, "no"), ({"x": 2}, "yes"), ({"x": 4}, "yes")]
    >>> cart(cases, ["x"])
    {'x <= 1.5': {'yes': 'no', 'no': 'yes'}}
    """
    labels = [label for _, label in cases]
    best, most = None, 0.0
    for name in names:
        for words, is_yes in questions_about(cases, name):
            yes = [case for case in cases if is_yes(case[0][name])]
            no = [case for case in cases if not is_yes(case[0][name])]
            decrease = round(gini(labels) - gini_left(yes, no), 9)
            if decrease > most:
                best, most = (words, yes, no), decrease
    if best is None:
        return max(sorted(set(labels)), key=labels.count)
    words, yes, no = best
    return {words: {"yes": cart(yes, names), "no": cart(no, names)}}
