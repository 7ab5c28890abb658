"""Gini, binary splits and regression trees: the tests, with data for the self-check."""

from checks import Assignment, Wrong, between, expect, expect_same, near, number, same, seed

assignment = Assignment("cart")

# --- gini ----------------------------------------------------------------------------------------

gini = assignment.function("gini")


@gini.test("is the chance that two cases differ in class", 2, [([9, 6], 0.48), ([1, 1, 2], 0.625)])
def _(f, counts, right):
    hints = [
        (1 - right, "this is the chance that two cases agree: subtract it from 1."),
        (right / 2, "every pair of classes counts in both orders."),
    ]
    expect(f(counts), right, f.shown, hints)


@gini.test("depends on shares, not on how many cases there are", 1, [([9, 6],)])
def _(f, counts):
    once, thrice = number(f(counts), f.shown), number(f([3 * n for n in counts]), f.shown)
    if not near(once, thrice) or once <= 0:
        raise Wrong("three times as many cases in the same shares must have the same impurity.")


@gini.test("is 0 where all cases are of one class", 1, [([5],), ([0, 4],)])
def _(f, counts):
    expect(f(counts), 0, f.shown)


@gini.test("is largest where all classes are equally frequent", 1, [([4, 4], [5, 3])])
def _(f, equal, other):
    expect(f(equal), 1 - 1 / len(equal), f.shown)
    if not f(other) < f(equal):
        raise Wrong("equal counts are the greatest disorder, so they must have the largest value.")


gini.keeps_its_input(1, [([9, 6, 0],)])

# --- gini_gain -----------------------------------------------------------------------------------

gini_gain = assignment.function("gini_gain")


@gini_gain.test(
    "is the impurity before minus the weighted impurity after",
    2,
    [([6, 3], [0, 6], 0.48 - 9 / 15 * 4 / 9, 0.48 - 1 / 2 * 4 / 9, 0.48)],
)
def _(f, left, right, gain, unweighted, before):
    hints = [
        (unweighted, "both sides count the same here. Weigh each by its share of the cases."),
        (before - gain, "this is what is left after the split; the gain is what is gone."),
        (-gain, "the sign is the wrong way round."),
    ]
    expect(f(left, right), gain, f.shown, hints)


@gini_gain.test("is 0 if both sides have the same shares", 1, [([2, 1], [4, 2], [4, 0])])
def _(f, left, right, other):
    if not near(number(f(left, right), f.shown), 0) or near(f(left, other), 0):
        raise Wrong("the gain must be 0 where both sides have the same shares, and only there.")


@gini_gain.test("does not care which side is which", 1, [([6, 3], [1, 6])])
def _(f, left, right):
    one, other = number(f(left, right), f.shown), number(f(right, left), f.shown)
    if not near(one, other) or near(one, 0):
        raise Wrong("left and right changed places, and the gain changed too.")


gini_gain.keeps_its_input(1, [([6, 3], [0, 6])])

# --- best_cut ------------------------------------------------------------------------------------

best_cut = assignment.function("best_cut", nothing=True)


def check_pair(f, found, right, low, what):
    """Compare a pair of a cut and what it gains."""
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise Wrong(f"a pair is asked for: the cut and its {what}.")
    text = f"another cut has a larger {what}."
    if same(found[0], low):
        text = "the cut is a value itself; it lies halfway to the next one."
    if same(found[0], right[0]):
        text = f"the cut is right, its {what} is not."
    hints = [(right[::-1], f"the cut comes first, and then its {what}.")]
    expect_same(found, right, f.shown, text, hints)


def check_smallest(f, found, smallest, later):
    """Compare a cut, or the value below it, with the smallest of equal cuts."""
    if not any(near(found, cut) for cut in smallest):
        equal = ["several cuts do equally well: take the smallest."]
        otherwise = "the first of the pair must be the cut that does best."
        raise Wrong(otherwise, equal if found in later else ())


@best_cut.test(
    "finds the cut with the largest gain", 3, [([1, 2, 3, 5, 6], list("aaabb"), (4, 0.48), 3)]
)
def _(f, values, classes, right, low):
    check_pair(f, f(values, classes), right, low, "gain")


@best_cut.test(
    "takes the smallest of equal cuts", 1, [([1, 2, 3, 4], list("abab"), [1.5, 1], [3.5, 3])]
)
def _(f, values, classes, cut, later):
    check_smallest(f, f(values, classes)[0], cut, later)


@best_cut.test("does not depend on the order of the cases", 1, [([4, 5, 8, 9], list("ynyy"))])
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

# --- groups --------------------------------------------------------------------------------------

groups = assignment.function("groups")


@groups.test(
    "finds every way to make two groups",
    2,
    [(["b", "a", "c", "b"], [["a"], ["a", "b"], ["a", "c"]])],
)
def _(f, values, right):
    found = sorted(list(group) for group in f(values))
    everything = sorted(set(values))
    if everything in found or [] in found:
        raise Wrong("one group has all values and the other none. That divides nothing.")
    if len(found) > len(right):
        raise Wrong("too many groups: is a division there twice, as its other half?")
    if len(found) < len(right):
        raise Wrong("some divisions are missing.")
    text = "each group has the value that is first in the alphabet, and is sorted."
    expect_same(found, right, f.shown, text)


@groups.test("doubles with each value, and one more", 1, [(4,), (2,)])
def _(f, n):
    found = len(f([chr(97 + k) for k in range(n)]))
    if found != 2 ** (n - 1) - 1:
        raise Wrong(f"{n} values can be divided in {2 ** (n - 1) - 1} ways; this finds {found}.")


@groups.test("finds none for a single value", 1, [(["a", "a"],)])
def _(f, values):
    if len(f(values)) or not len(f([*values, "other"])):
        raise Wrong("one value cannot be divided: return an empty list. Two can.")


# --- best_group ----------------------------------------------------------------------------------

best_group = assignment.function("best_group")
COLOURS = ["red", "blue", "green", "red", "blue", "green", "grey", "grey"]


@best_group.test("gains most of all groups", 3, [(COLOURS, list("nynnynyy"), ["blue", "grey"])])
def _(f, values, classes, group):
    found = f(values, classes)
    other = sorted(set(values) - set(group))
    hints = [
        (other, "this is the other half: return the one with the first value in the alphabet.")
    ]
    expect_same(sorted(found), group, f.shown, "another group gains more.", hints)


@best_group.test(
    "also looks at groups that no order puts together",
    1,
    [(list("aabbcc"), list("xxyyxx"), ["a", "c"])],
)
def _(f, values, classes, group):
    text = "values that stand apart in the alphabet may belong together."
    expect_same(sorted(f(values, classes)), group, f.shown, text)


best_group.keeps_its_input(1, [(COLOURS, list("nynnynyy"))])

# --- squared_error -------------------------------------------------------------------------------

squared_error = assignment.function("squared_error")


@squared_error.test(
    "is the sum of squares around the mean", 2, [([1, 2, 6], 14, 17), ([4, 8], 8, 8)]
)
def _(f, y, right, around_median):
    hints = [
        (right / len(y), "this is the mean of the squares; their sum is asked for."),
        (right / max(1, len(y) - 1), "do not divide: the sum of the squares is asked for."),
        (around_median, "the middle is the mean, not the median."),
        (right**0.5, "without the root."),
    ]
    expect(f(y), right, f.shown, hints)


@squared_error.test("is 0 if all numbers are equal", 1, [([3],), ([0.5, 0.5],)])
def _(f, y):
    expect(f(y), 0, f.shown)


@squared_error.test("does not change if all numbers are larger", 1, [([1, 2, 6], 1e8)])
def _(f, y, offset):
    there, here = number(f([value + offset for value in y]), f.shown), number(f(y), f.shown)
    if not near(there, here, 1e-3) or here <= 0:
        raise Wrong(
            "adding the same large number to all of them must change nothing. Subtract the mean "
            "first: the difference of two enormous sums has no exact digits left."
        )


squared_error.keeps_its_input(1, [([1, 2, 6],)])

# --- best_cut_for_numbers ------------------------------------------------------------------------

best_cut_for_numbers = assignment.function("best_cut_for_numbers", nothing=True)


@best_cut_for_numbers.test(
    "saves most squared error", 3, [([1, 2, 3, 7, 8], [5, 5, 6, 20, 22], (5, 294.5333333333), 3)]
)
def _(f, x, y, right, low):
    check_pair(f, f(x, y), right, low, "saving")


@best_cut_for_numbers.test(
    "takes the smallest of equal cuts", 1, [([1, 2, 3], [0, 5, 0], [1.5, 1], [2.5, 2])]
)
def _(f, x, y, cut, later):
    check_smallest(f, f(x, y)[0], cut, later)


@best_cut_for_numbers.test("gives None where nothing can be cut", 1, [([2, 2, 2], [1, 2, 3])])
def _(f, x, y):
    if f(x, y) is not None or f([1, 2], [0, 1]) is None:
        raise Wrong("return None if all values of x are equal, and only then.")


best_cut_for_numbers.keeps_its_input(1, [([3, 1, 2], [1, 2, 9])])

# --- grow ----------------------------------------------------------------------------------------

grow = assignment.function("grow")


@grow.test("predicts the mean in a leaf", 1, [([1, 2, 3], [1, 2, 6], 3.0, 2)])
def _(f, x, y, mean, median):
    hints = [(median, "this is the median; the mean has the least squared error.")]
    expect(f(x, y, 0), mean, f.shown, hints)


STEPS = {
    "cut": 5.0,
    "left": {"cut": 2.5, "left": 5.0, "right": 6.0},
    "right": {"cut": 7.5, "left": 20.0, "right": 22.0},
}


@grow.test("grows the whole tree", 3, [([1, 2, 3, 7, 8], [5, 5, 6, 20, 22], 2, STEPS)])
def _(f, x, y, depth, tree):
    found = f(x, y, depth)
    if not isinstance(found, dict) or found.keys() != tree.keys():
        raise Wrong("a node is asked for here, with the keys 'cut', 'left' and 'right'.")
    if not same(found["cut"], tree["cut"]):
        raise Wrong("the first cut is not the one that saves most.")
    expect_same(found, tree, f.shown, "the first cut is right; further down, the tree differs.")


@grow.test(
    "grows no deeper than it may", 1, [([1, 2, 3, 7, 8], [5, 5, 6, 20, 22], 1), ([1, 2], [3, 4], 5)]
)
def _(f, x, y, depth):
    def deep(tree):
        return 1 + max(deep(tree["left"]), deep(tree["right"])) if isinstance(tree, dict) else 0

    found = deep(f(x, y, depth))
    if found > depth:
        raise Wrong(f"at most {depth} questions may be asked on a path; this tree asks {found}.")
    if not found:
        raise Wrong("the tree may ask here, and there is something to save, but it is only a leaf.")


@grow.test("stops where nothing is saved", 1, [([1, 2, 3], [4, 4, 4], 3), ([2, 2], [4, 4], 3)])
def _(f, x, y, depth):
    found = f(x, y, depth)
    if isinstance(found, dict):
        raise Wrong("all these numbers are equal: no cut saves anything, so the tree is a leaf.")
    expect(found, y[0], f.shown)


grow.keeps_its_input(1, [([3, 1, 2], [1, 2, 9], 2)])

# --- predict -------------------------------------------------------------------------------------

predict = assignment.function("predict")


@predict.test("follows the cuts to a leaf", 2, [(STEPS, 2.7, 6.0), (STEPS, 100, 22.0)])
def _(f, tree, x, right):
    expect(f(tree, x), right, f.shown)


@predict.test("sends a value equal to the cut to the left", 1, [(STEPS, 2.5, 5.0)])
def _(f, tree, x, right):
    if not near(number(f(tree, x), f.shown), right):
        raise Wrong("a value that equals the cut goes left: `x <= cut`.")


@predict.test("knows a tree that is only a leaf", 1, [(3.5, 1, 3.5)])
def _(f, tree, x, right):
    expect(f(tree, x), right, f.shown)


# --- the student's own curve ---------------------------------------------------------------------


def draw(student):
    """Return 25 measurements drawn from a student's name: x and y."""
    random = seed(student)
    x = sorted(random.choice(100, 25, replace=False).tolist())
    bends = sorted(random.choice(range(15, 85), 2, replace=False).tolist())
    levels = random.permutation([3, 10, 18]).tolist()
    y = [levels[sum(value > bend for bend in bends)] + random.normal(0, 2) for value in x]
    return x, [round(float(value), 1) for value in y]


my_curve = assignment.numbers(
    "my_curve",
    {
        "error": (1, between(0, 1e4)),
        "cut": (2, between(0, 100)),
        "saving": (2, between(0, 1e4)),
        "at_50": (2, between(-10, 30)),
    },
    draw,
)


check = assignment.ready()
