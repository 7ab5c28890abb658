"""Pruning and a small study: the tests, with data for the self-check."""

from checks import Assignment, Wrong, between, expect, expect_same, number, same, seed

assignment = Assignment("pruning")


def leaf(yes, no):
    return {"counts": {"yes": yes, "no": no}}


def node(attribute, **branches):
    counts = {
        label: sum(branch["counts"][label] for branch in branches.values())
        for label in ("yes", "no")
    }
    return {"counts": counts, "attribute": attribute, "branches": branches}


# 20 cases. The questions below the root save no error.
SMALL = node(
    "sky",
    rain=node("wind", calm=leaf(2, 5), gale=leaf(1, 2)),
    sun=node("heat", low=leaf(8, 0), high=leaf(1, 1)),
)
DEEP = node(
    "a",
    x=node("b", x=node("c", x=leaf(6, 0), y=leaf(0, 1)), y=leaf(0, 5)),
    y=node("b", x=leaf(1, 4), y=node("c", x=leaf(3, 1), y=leaf(0, 2))),
)


def answers(tree, row):
    """Return what a tree says of a row, as `predict` in the notebook does."""
    while "branches" in tree and row.get(tree["attribute"]) in tree["branches"]:
        tree = tree["branches"][row[tree["attribute"]]]
    return min(tree["counts"], key=lambda label: (-tree["counts"][label], label))


# --- errors_as_leaf ------------------------------------------------------------------------------

errors_as_leaf = assignment.function("errors_as_leaf")


@errors_as_leaf.test("counts the cases of all other classes", 2, [(SMALL, 8), (leaf(3, 1), 1)])
def _(f, tree, errors):
    n = sum(tree["counts"].values())
    hints = [
        (n - errors, "these are the cases that the leaf gets right."),
        (errors / n, "the number of errors is asked for, not their share."),
    ]
    expect(f(tree), errors, f.shown, hints)


@errors_as_leaf.test("is 0 where all cases are of one class", 1, [(leaf(4, 0),)])
def _(f, tree):
    expect(f(tree), 0, f.shown)


@errors_as_leaf.test(
    "copes with any number of classes", 1, [({"counts": {"a": 3, "b": 2, "c": 4}}, 5)]
)
def _(f, tree, errors):
    expect(f(tree), errors, f.shown)


# --- errors_of_tree ------------------------------------------------------------------------------

errors_of_tree = assignment.function("errors_of_tree")


@errors_of_tree.test("adds up the errors of the leaves", 3, [(SMALL, 4), (DEEP, 2)])
def _(f, tree, errors):
    n = sum(tree["counts"].values())
    hints = [(errors / n, "the number of errors is asked for, not their share.")]
    expect(f(tree), errors, f.shown, hints)


@errors_of_tree.test("is a leaf's own errors for a leaf", 1, [(leaf(3, 1), 1)])
def _(f, tree, errors):
    expect(f(tree), errors, f.shown)


# --- link_strength -------------------------------------------------------------------------------

link_strength = assignment.function("link_strength")


@link_strength.test(
    "is the risk that each leaf saves",
    3,
    [(SMALL, 20, 4, 8, 4), (SMALL["branches"]["sun"], 20, 1, 1, 2)],
)
def _(f, tree, n, errors, as_leaf, n_leaves):
    right = (as_leaf - errors) / n / (n_leaves - 1)
    own = sum(tree["counts"].values())
    hints = [
        (right * n, "risk is a share of all cases: divide the errors by n."),
        (right * n / own, "n is the number of all training cases, not of those that came here."),
        (right * (n_leaves - 1) / n_leaves, "a leaf takes its place: one leaf fewer than it has."),
        (right * (n_leaves - 1), "divide what is saved by the leaves that it costs."),
        (-right, "the sign is the wrong way round."),
    ]
    expect(f(tree, n), right, f.shown, hints)


@link_strength.test("is 0 where the subtree saves nothing", 1, [(SMALL["branches"]["rain"], 20)])
def _(f, tree, n):
    expect(f(tree, n), 0, f.shown)


# --- prune_weakest -------------------------------------------------------------------------------

prune_weakest = assignment.function("prune_weakest")
SMALL_PRUNED = {**SMALL, "branches": {"rain": leaf(3, 7), "sun": leaf(9, 1)}}


def pair(f, tree, n):
    """Call the function; return its two answers."""
    found = f(tree, n)
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise Wrong("a pair is asked for: the least link strength, and the pruned tree.")
    return found


@prune_weakest.test(
    "finds the least link strength", 2, [(DEEP, 23, 1 / 23, 3 / 23), (SMALL_PRUNED, 20, 0.2, 0.2)]
)
def _(f, tree, n, alpha, strongest):
    hints = [
        (alpha * n, "the link strength is in shares of all cases, not in errors: divide by n."),
        (strongest, "this is the strongest link."),
    ]
    expect(pair(f, tree, n)[0], alpha, f"{f.shown}, the link strength,", hints)


@prune_weakest.test("makes leaves of all nodes with that strength", 2, [(SMALL, 20, SMALL_PRUNED)])
def _(f, tree, n, pruned):
    found = pair(f, tree, n)[1]
    text = (
        "every node with the least link strength, but for 1e-9, becomes a leaf, and no other. "
        "A leaf has one key, 'counts', those of its node."
    )
    hints = [(tree, "nothing was pruned.")]
    expect_same(found, pruned, f.shown, text, hints)


prune_weakest.keeps_its_input(1, [(SMALL, 20)])

# --- sequence ------------------------------------------------------------------------------------

sequence = assignment.function("sequence")


@sequence.test("begins with the whole tree and ends with a leaf", 1, [(SMALL, 20, 4)])
def _(f, tree, n, n_leaves):
    found = list(f(tree, n))
    if not found or not same(found[0], (0, n_leaves)):
        raise Wrong(f"the first pair must be 0 and the leaves of the whole tree, {n_leaves} here.")
    if number(found[-1][1], f.shown) != 1:
        raise Wrong("go on until only the root is left, as a leaf.")


@sequence.test("prunes the weakest link at each step", 3, [(SMALL, 20, [(0, 4), (0, 2), (0.2, 1)])])
def _(f, tree, n, steps):
    text = "each step prunes the weakest link of the tree that the last step left."
    expect_same(list(f(tree, n)), steps, f.shown, text)


sequence.keeps_its_input(1, [(SMALL, 20)])

# --- one_standard_error --------------------------------------------------------------------------

one_standard_error = assignment.function("one_standard_error")


@one_standard_error.test(
    "takes the smallest tree within one standard error",
    2,
    [([0.30, 0.24, 0.22, 0.25, 0.40], [0.02, 0.02, 0.04, 0.02, 0.02], 3, 2)],
)
def _(f, risks, errors, right, least):
    hints = [(least, "this is the least risk; a smaller tree may be within one standard error.")]
    expect(f(risks, errors), right, f.shown, hints)


@one_standard_error.test(
    "measures from the least risk, with its own error",
    1,
    [([0.24, 0.20, 0.23, 0.30], [0.02, 0.02, 0.09, 0.2], 1)],
)
def _(f, risks, errors, right):
    text = "add to the least risk the standard error of that same tree, not of another."
    expect_same(f(risks, errors), right, f.shown, text)


one_standard_error.keeps_its_input(1, [([0.3, 0.2, 0.25], [0.02, 0.1, 0.02])])

# --- reduced_error -------------------------------------------------------------------------------

reduced_error = assignment.function("reduced_error")
SUN, RAIN = {"sky": "sun", "heat": "high"}, {"sky": "rain", "wind": "calm"}
DEEP_ROWS = [
    {"a": "x", "b": "x", "c": "x"},
    {"a": "x", "b": "x", "c": "y"},
    {"a": "x", "b": "y"},
    {"a": "y"},
]
DEEP_BELOW = {**DEEP["branches"]["x"], "branches": {"x": leaf(6, 1), "y": leaf(0, 5)}}
DEEP_PRUNED = {**DEEP, "branches": {"x": DEEP_BELOW, "y": leaf(4, 7)}}


def pruned(f, tree, rows, classes, right, text):
    """Call the function; compare the tree that it returns."""
    found = f(tree, rows, classes)
    if not isinstance(found, dict) or "counts" not in found:
        raise Wrong("a tree is asked for.")
    expect_same(found, right, f.shown, text)


@reduced_error.test(
    "never makes more errors on these cases",
    1,
    [(SMALL, [SUN, SUN, RAIN], ["no", "no", "no"])],
)
def _(f, tree, rows, classes):
    def errors(some):
        return sum(answers(some, row) != c for row, c in zip(rows, classes, strict=True))

    if errors(f(tree, rows, classes)) > errors(tree):
        raise Wrong("the pruned tree gets more of the given cases wrong than the whole one did.")


@reduced_error.test(
    "counts errors on these cases, not on the training cases",
    2,
    [
        (SMALL_PRUNED, [SUN, RAIN], ["yes", "yes"], leaf(12, 8)),
        (SMALL_PRUNED, [SUN, RAIN], ["yes", "no"], SMALL_PRUNED),
    ],
)
def _(f, tree, rows, classes, right):
    text = (
        "the counts in the tree are of the training cases. Prune by the errors on the rows given."
    )
    pruned(f, tree, rows, classes, right, text)


@reduced_error.test(
    "prunes where both make the same errors",
    1,
    [(SMALL_PRUNED, [SUN], ["yes"], leaf(12, 8)), (SMALL, [], [], leaf(12, 8))],
)
def _(f, tree, rows, classes, right):
    text = "if a leaf makes no more errors than the subtree, the simpler one wins: prune."
    pruned(f, tree, rows, classes, right, text)


@reduced_error.test(
    "goes from the bottom up", 2, [(DEEP, DEEP_ROWS, ["yes", "yes", "no", "no"], DEEP_PRUNED)]
)
def _(f, tree, rows, classes, right):
    text = "prune the branches first, and then compare the node with what is left of them."
    pruned(f, tree, rows, classes, right, text)


reduced_error.keeps_its_input(1, [(SMALL, [SUN, RAIN], ["no", "yes"])])

# --- half_case_errors ----------------------------------------------------------------------------

half_case_errors = assignment.function("half_case_errors")


@half_case_errors.test("adds half a case for each leaf", 2, [(SMALL, 6, 4), (leaf(3, 1), 1.5, 1)])
def _(f, tree, right, errors):
    hints = [
        (errors, "this is what the tree gets wrong; half a case for each leaf is missing."),
        (errors + 0.5, "half a case for each leaf, not once for the whole tree."),
        (2 * right - errors, "half a case for each leaf, not a whole one."),
    ]
    expect(f(tree), right, f.shown, hints)


@half_case_errors.test(
    "makes a subtree that saves nothing look worse than a leaf", 1, [(SMALL["branches"]["rain"],)]
)
def _(f, tree):
    whole, as_leaf = number(f(tree), f.shown), number(f({"counts": tree["counts"]}), f.shown)
    if not whole > as_leaf > 0:
        raise Wrong("with the same errors, more leaves must have the larger estimate.")


# --- the student's own study ---------------------------------------------------------------------

ATTRIBUTES = ["soil", "light", "water", "wind"]


def draw(student):
    """Return three sets of cases drawn from a student's name: to grow, to prune, to test."""
    random = seed(student)
    important = [ATTRIBUTES[k] for k in random.permutation(4)[:2]]

    def some(n, noise):
        rows = [{name: str(random.choice(list("123"))) for name in ATTRIBUTES} for _ in range(n)]
        truth = [(row[important[0]] == "1") or (row[important[1]] == "3") for row in rows]
        return rows, ["yes" if t ^ (random.random() < noise) else "no" for t in truth]

    return some(120, 0.2), some(60, 0.2), some(300, 0)


my_study = assignment.numbers(
    "my_study",
    {
        "leaves_before": (1, between(1, 81)),
        "leaves_after": (2, between(1, 81)),
        "accuracy_before": (2, between(0, 1)),
        "accuracy_after": (2, between(0, 1)),
    },
    draw,
)


check = assignment.ready()
