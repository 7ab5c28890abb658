"""Gain ratio, thresholds and missing values: the tests, with data for the self-check."""

import math

from checks import Assignment, Wrong, between, expect, expect_same, near, number, same, seed

assignment = Assignment("c45")

# --- split_information ---------------------------------------------------------------------------

split_information = assignment.function("split_information")


@split_information.test("is the entropy of the values", 2, [([5, 5, 5], 0, 1.5849625007)])
def _(f, sizes, unknown, bits):
    expect(f(sizes, unknown), bits, f.shown)


@split_information.test(
    "counts unknown values as one more value", 2, [([5, 3, 5], 1, 1.8092000327, 1.5485806065)]
)
def _(f, sizes, unknown, bits, without):
    hints = [(without, "the cases with an unknown value are one more group: do not forget them.")]
    expect(f(sizes, unknown), bits, f.shown, hints)


@split_information.test("is 0 if all cases have one value", 1, [([7], 0), ([0, 4, 0], 0)])
def _(f, sizes, unknown):
    expect(f(sizes, unknown), 0, f.shown)


split_information.keeps_its_input(1, [([5, 3, 5], 1)])

# --- gain_ratio ----------------------------------------------------------------------------------

gain_ratio = assignment.function("gain_ratio")


@gain_ratio.test(
    "is the gain divided by the split information",
    2,
    [([[3, 2], [0, 4], [2, 3]], 0.1564275624, 0.2467498198, 0.9402859587)],
)
def _(f, table, ratio, gain, classes):
    log = math.log2(len(table))
    hints = [
        (gain, "this is the gain itself: divide it by the split information."),
        (log and gain / log, "divide by the entropy of the values, not the log of how many."),
        (gain / classes, "divide by the entropy of the attribute's values, not of the classes."),
        (ratio and 1 / ratio, "the quotient is upside down."),
    ]
    expect(f(table), ratio, f.shown, hints)


@gain_ratio.test("is 0 for an attribute with one value", 1, [([[3, 4]],), ([[0, 0], [2, 5]],)])
def _(f, table):
    expect(f(table), 0, f.shown)


@gain_ratio.test(
    "punishes values that only cut finer", 1, [([[4, 0], [0, 4]], [[2, 0], [2, 0], [0, 4]])]
)
def _(f, coarse, fine):
    if not number(f(coarse), f.shown) > number(f(fine), f.shown) + 1e-6:
        raise Wrong("both tables gain the same, so the one with more values must have less ratio.")


gain_ratio.keeps_its_input(1, [([[3, 2], [0, 4], [2, 3]],)])

# --- choose_by_ratio -----------------------------------------------------------------------------

choose_by_ratio = assignment.function("choose_by_ratio")
HALF = [[9, 1], [1, 9]]
NUMBERED = [[1, 0], [0, 1], [2, 0], [0, 2], [3, 0], [0, 3], [4, 0], [0, 4]]
TINY = [[0, 1], [10, 9]]


@choose_by_ratio.test(
    "takes the largest ratio, not the largest gain",
    2,
    [({"number": NUMBERED, "half": HALF}, "half")],
)
def _(f, tables, best):
    text = "of the attributes that gain at least the average, the largest ratio wins."
    expect_same(f({"weak": TINY, **tables}), best, f.shown, text)


@choose_by_ratio.test(
    "is not taken in by a large ratio of a tiny gain",
    2,
    [
        (
            {
                "one": [[0, 1], [10, 9]],
                "many": [[3, 0], [3, 2], [2, 3], [2, 1], [0, 4]],
            },
            "many",
        )
    ],
)
def _(f, tables, best):
    text = "that one gains less than the average. Only attributes that gain at least that count."
    expect_same(f(tables), best, f.shown, text)


@choose_by_ratio.test("takes the first of equal ratios", 1, [({"b": HALF, "a": HALF[::-1]}, "b")])
def _(f, tables, first):
    text = "the ratios are equal: take the attribute that is named first."
    expect_same(f(tables), first, f.shown, text)


choose_by_ratio.keeps_its_input(1, [({"a": HALF, "b": TINY},)])

# --- cuts ----------------------------------------------------------------------------------------

cuts = assignment.function("cuts")


@cuts.test("are the values but for the largest", 2, [([70, 64, 68], [64, 68])])
def _(f, values, right):
    found = f(values)
    hints = [
        (sorted(right, reverse=True), "in ascending order, please."),
        ([*right, max(values)], "the largest value divides nothing: all cases are <= it."),
    ]
    text = "each different value but the largest, in ascending order."
    expect_same(found, right, f.shown, text, hints)


@cuts.test("names each value once", 1, [([1, 2, 1, 2, 2, 3], [1, 2])])
def _(f, values, right):
    expect_same(f(values), right, f.shown, "a value that occurs twice is one cut.")


@cuts.test("are none for a single value", 1, [([5, 5, 5],)])
def _(f, values):
    expect_same(f(values), [], f.shown, "equal values cannot be divided: return an empty list.")


cuts.keeps_its_input(1, [([3, 1, 2],)])

# --- best_cut ------------------------------------------------------------------------------------

best_cut = assignment.function("best_cut", nothing=True)


@best_cut.test(
    "finds the cut with the largest gain",
    3,
    [([64, 65, 68, 69, 70], list("yyynn"), (68, 0.9709505945))],
)
def _(f, values, classes, right):
    found = f(values, classes)
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise Wrong("a pair is asked for: the cut and its gain.")
    text = "another cut gains more. Are values equal to the cut on the left?"
    if same(found[1], right[1]):
        text = "the gain is right, the cut is not. Values <= the cut go left."
    if same(found[0], right[0]):
        text = "the cut is right, its gain is not."
    hints = [(right[::-1], "the cut comes first, and then its gain.")]
    expect_same(found, right, f.shown, text, hints)


@best_cut.test("takes the smallest of equal cuts", 1, [([1, 2, 3, 4], list("abab"), [1, 3])])
def _(f, values, classes, equal):
    hints = [(cut, "several cuts gain the same: take the smallest.") for cut in equal[1:]]
    text = "the first of the pair must be the cut that gains most."
    expect_same(f(values, classes)[0], equal[0], f.shown, text, hints)


@best_cut.test("does not depend on the order of the cases", 1, [([64, 65, 68, 69], list("ynyy"))])
def _(f, values, classes):
    there, back = f(values, classes), f(values[::-1], classes[::-1])
    expect_same(back, there, f.shown, "the same cases in another order give another cut or gain.")
    if there is None:
        raise Wrong("there is a cut.")


@best_cut.test("gives None where nothing can be cut", 1, [([2, 2, 2], list("aba"))])
def _(f, values, classes):
    if f(values, classes) is not None or f([1, 2], ["a", "b"]) is None:
        raise Wrong("return None if all values are equal, and only then.")


best_cut.keeps_its_input(1, [([3, 1, 2], list("aab"))])

# --- gain_with_unknown ---------------------------------------------------------------------------

gain_with_unknown = assignment.function("gain_with_unknown")
SKY = ["sun", "sun", "rain", "rain", None]
PLAY = ["yes", "yes", "no", "no", "no"]


@gain_with_unknown.test(
    "is the gain among the known, times their share", 2, [(SKY, PLAY, 0.8, 1.0, 0.9709505945)]
)
def _(f, values, classes, right, unscaled, as_value):
    hints = [
        (unscaled, "unknown values learn nothing: multiply by the share of the known ones."),
        (as_value, "None is no value of its own: leave these cases out of the gain."),
    ]
    expect(f(values, classes), right, f.shown, hints)


@gain_with_unknown.test("is the plain gain if all is known", 1, [(SKY[:4], PLAY[:4], 1.0)])
def _(f, values, classes, right):
    expect(f(values, classes), right, f.shown)


@gain_with_unknown.test("is 0 if nothing is known", 1, [([None, None], ["a", "b"])])
def _(f, values, classes):
    expect(f(values, classes), 0, f.shown)


gain_with_unknown.keeps_its_input(1, [(SKY, PLAY)])

# --- share_out -----------------------------------------------------------------------------------

share_out = assignment.function("share_out")


@share_out.test(
    "gives each branch its share",
    2,
    [(1, {"A1": 2, "A2": 3, "A3": 4}, {"A1": 2 / 9, "A2": 3 / 9, "A3": 4 / 9})],
)
def _(f, weight, sizes, right):
    hints = [
        (
            dict.fromkeys(sizes, weight / len(sizes)),
            "not in equal parts: a larger branch gets more.",
        ),
        (sizes, "these are the sizes; the parts must add up to the weight of the case."),
    ]
    text = "each branch gets the weight times its share of the known cases."
    expect_same(f(weight, sizes), right, f.shown, text, hints)


@share_out.test("loses no weight", 1, [(0.5, {"a": 1, "b": 2})])
def _(f, weight, sizes):
    expect(sum(f(weight, sizes).values()), weight, "the sum of all parts")


@share_out.test("gives nothing to an empty branch", 1, [(1, {"a": 3, "b": 0})])
def _(f, weight, sizes):
    parts = f(weight, sizes)
    if parts.keys() != sizes.keys() or any(parts[v] for v in sizes if not sizes[v]):
        raise Wrong("every branch is named, and one without cases gets 0.")


share_out.keeps_its_input(1, [(1, {"a": 3, "b": 1})])

# --- class_shares --------------------------------------------------------------------------------

class_shares = assignment.function("class_shares")
TREE = {
    "attribute": "sky",
    "sizes": {"sun": 5, "rain": 3},
    "branches": {
        "sun": {
            "attribute": "wind",
            "sizes": {"calm": 4, "gale": 1},
            "branches": {"calm": {"counts": {"yes": 3, "no": 1}}, "gale": {"counts": {"no": 1}}},
        },
        "rain": {"counts": {"no": 2, "yes": 1}},
    },
}


@class_shares.test(
    "are those of the leaf where all is known",
    2,
    [(TREE, {"sky": "sun", "wind": "calm"}, {"yes": 0.75, "no": 0.25})],
)
def _(f, tree, row, right):
    found = f(tree, row)
    if not near(sum(found.values()), 1):
        raise Wrong("shares add up to 1. Divide the counts of the leaf by their sum.")
    expect_same(without_zeros(found), right, f.shown, "the leaf has other shares.")


@class_shares.test(
    "are mixed where a value is unknown",
    2,
    [(TREE, {"sky": None, "wind": "calm"}, {"yes": 0.59375, "no": 0.40625})],
)
def _(f, tree, row, right):
    text = "go down every branch, with its share of the known cases, and add up."
    expect_same(without_zeros(f(tree, row)), right, f.shown, text)


@class_shares.test("add up to 1 whatever is unknown", 1, [(TREE, {"sky": None, "wind": None})])
def _(f, tree, row):
    expect(sum(f(tree, row).values()), 1, "the sum of all shares")


@class_shares.test(
    "treat a value never seen as unknown",
    1,
    [(TREE, {"sky": "snow", "wind": "gale"}, {"sky": None, "wind": "gale"})],
)
def _(f, tree, row, like):
    text = "a value without a branch must be treated like an unknown one."
    expect_same(f(tree, row), f(tree, like), f.shown, text)


class_shares.keeps_its_input(1, [(TREE, {"sky": None, "wind": "calm"})])


def without_zeros(shares):
    """Leave out classes with no share: whether they are named does not matter."""
    return {label: share for label, share in shares.items() if not near(share, 0)}


# --- the student's own days ----------------------------------------------------------------------


def draw(student):
    """Return 30 days drawn from a student's name: temperatures, skies (some unknown), classes."""
    random = seed(student)
    degrees = random.integers(5, 35, 30).tolist()
    limit = int(random.integers(15, 25))
    classes = ["swim" if (d > limit) ^ (random.random() < 0.15) else "read" for d in degrees]
    sky = ["sun" if (c == "swim") ^ (random.random() < 0.3) else "clouds" for c in classes]
    sky = [None if random.random() < 0.2 else s for s in sky]
    return degrees, [None, *sky[1:]], classes


my_days = assignment.numbers(
    "my_days",
    {"cut": (1, between(4, 35)), "cut_gain": (2, between(0, 1)), "sky_gain": (2, between(0, 1))},
    draw,
)


check = assignment.ready()
