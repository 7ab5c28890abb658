"""The algorithms as the pages write them: to be read, not to be fast.

A table is a list of cases, and a case is a dict, from the names of the
attributes to words or numbers, with a label. A tree is a label, or
``{question: {answer: tree}}``. The rest of the package finds the same
trees, node for node, for a million cases.
"""

from dtreebook.plain._c45 import (
    asked,
    best_cut,
    best_question,
    bits,
    c45,
    entropy_of,
    gain_of,
    information_of,
    offer,
    piles_of,
    send_down,
    weight,
)
from dtreebook.plain._cart import (
    cart,
    gini,
    gini_left,
    questions_about,
)
from dtreebook.plain._id3 import (
    entropy,
    gain,
    id3,
)
from dtreebook.plain._prune import (
    after,
    cut_back,
    errors,
    leaf_for,
    links,
    prune_reduced_error,
    prune_weakest_link,
    strength,
)
from dtreebook.plain._trees import (
    answer,
    fewest_leaves,
    in_words,
    leaves_if_first,
    n_leaves,
    reply,
    trees,
)

__all__ = [
    "after",
    "answer",
    "asked",
    "best_cut",
    "best_question",
    "bits",
    "c45",
    "cart",
    "cut_back",
    "entropy",
    "entropy_of",
    "errors",
    "fewest_leaves",
    "gain",
    "gain_of",
    "gini",
    "gini_left",
    "id3",
    "in_words",
    "information_of",
    "leaf_for",
    "leaves_if_first",
    "links",
    "n_leaves",
    "offer",
    "piles_of",
    "prune_reduced_error",
    "prune_weakest_link",
    "questions_about",
    "reply",
    "send_down",
    "strength",
    "trees",
    "weight",
]
