"""Entropy and information gain: the tests, with data for the self-check."""

import math

from checks import Assignment, Wrong, between, expect, expect_same, near, number, one_of, seed

assignment = Assignment("entropy")

# --- surprise ------------------------------------------------------------------------------------

surprise = assignment.function("surprise")


@surprise.test("is in bits", 2, [(0.5, 1.0), (0.25, 2.0)])
def _(f, p, bits):
    found = f(p)
    expect(found, bits, f.shown, units(found, bits))


@surprise.test("adds up over independent events", 1, [(0.5, 0.2)])
def _(f, p, q):
    both = number(f(p * q), f.shown)
    if not near(both, f(p) + f(q)) or both <= 0:
        raise Wrong("two independent events together must surprise as much as both one by one.")


@surprise.test("is 0 for what is certain", 1, [(1,)])
def _(f, p):
    expect(f(p), 0, f.shown)


@surprise.test("is infinite for what is impossible", 1, [(0,)])
def _(f, p):
    if f(p) != math.inf:
        raise Wrong("an event of probability 0 surprises without limit: math.inf.")


# --- entropy -------------------------------------------------------------------------------------

entropy = assignment.function("entropy")


@entropy.test("is in bits", 2, [([9, 6], 0.9709505945), ([1, 1, 1, 1], 2.0)])
def _(f, counts, bits):
    found, classes = f(counts), len(counts)
    hints = [
        (
            -sum(n / classes * math.log2(n / classes) for n in counts if n),
            "`len(counts)` is how many classes there are; shares are of the cases, `sum(counts)`.",
        ),
        (
            -sum(n * math.log2(n) for n in counts if n),
            "these are counts: divide each by their sum.",
        ),
    ]
    expect(found, bits, f.shown, hints + units(found, bits))


@entropy.test("does not change with an empty class", 1, [([9, 6],)])
def _(f, counts):
    without, with_empty = number(f(counts), f.shown), number(f([*counts, 0]), f.shown)
    if math.isnan(with_empty):
        raise Wrong("0 log 0 counts as 0: leave empty classes out.")
    if not near(without, with_empty) or without <= 0:
        raise Wrong("a class without cases must add nothing: 0 log 0 counts as 0.")


@entropy.test("depends on shares, not on how many cases there are", 1, [([9, 6],)])
def _(f, counts):
    once, thrice = number(f(counts), f.shown), number(f([3 * n for n in counts]), f.shown)
    if not near(once, thrice) or once <= 0:
        raise Wrong("three times as many cases in the same shares must have the same entropy.")


@entropy.test("is 0 where all cases are of one class", 1, [([5],), ([0, 4],)])
def _(f, counts):
    expect(f(counts), 0, f.shown)


entropy.keeps_its_input(1, [([9, 6, 0],)])

# --- expected_entropy ----------------------------------------------------------------------------

expected_entropy = assignment.function("expected_entropy")


@expected_entropy.test(
    "weighs each value by its cases", 2, [([[6, 3], [0, 6]], 0.5509775004, 0.4591479170)]
)
def _(f, table, bits, plain_mean):
    found = f(table)
    hints = [
        (plain_mean, "every value counts the same here. Weigh it by its share of the cases."),
        (bits * sum(map(sum, table)), "the weights must be shares: divide by the number of cases."),
        (bits * sum(map(sum, table)) / len(table), "divide by the number of cases, not of values."),
    ]
    expect(found, bits, f.shown, hints + units(found, bits))


@expected_entropy.test("does not change with a value that no case has", 1, [([[6, 3], [1, 6]],)])
def _(f, table):
    without, with_empty = number(f(table), f.shown), number(f([*table, [0, 0]]), f.shown)
    if not near(without, with_empty) or without <= 0:
        raise Wrong("a value without cases weighs nothing, so it must change nothing.")


@expected_entropy.test("is 0 where every value settles the class", 1, [([[4, 0], [0, 3]],)])
def _(f, table):
    expect(f(table), 0, f.shown)


expected_entropy.keeps_its_input(1, [([[6, 3], [0, 6]],)])

# --- information_gain ----------------------------------------------------------------------------

information_gain = assignment.function("information_gain")


@information_gain.test(
    "is the entropy before minus the entropy after",
    2,
    [([[6, 3], [0, 6]], 0.4199730941, 0.9709505945), ([[2, 0], [0, 2]], 1.0, 1.0)],
)
def _(f, table, gain, before):
    found = f(table)
    hints = [
        (-gain, "the sign is the wrong way round."),
        (before - gain, "this is what is left after the question; the gain is what is gone."),
        (before, "this is the entropy before the question: subtract what is left after it."),
    ]
    expect(found, gain, f.shown, hints + units(found, gain))


@information_gain.test(
    "is 0 for a value that tells nothing", 1, [([[2, 1], [4, 2]], [[2, 1], [1, 2]])]
)
def _(f, nothing, something):
    if not near(number(f(nothing), f.shown), 0) or near(f(something), 0):
        raise Wrong("the gain must be 0 where all values have the same shares, and only there.")


@information_gain.test(
    "does not depend on the order of values and classes", 1, [([[6, 3], [0, 6]],)]
)
def _(f, table):
    gains = [f(table), f(table[::-1]), f([row[::-1] for row in table])]
    if not near(gains[0], gains[1]) or not near(gains[0], gains[2]) or near(gains[0], 0):
        raise Wrong("the same table with rows or columns in another order has the same gain.")


information_gain.keeps_its_input(1, [([[6, 3], [0, 6]],)])

# --- count_table ---------------------------------------------------------------------------------

count_table = assignment.function("count_table")


@count_table.test(
    "counts the cases of each value and class",
    2,
    [(["sun", "rain", "sun", "sun"], ["go", "stay", "stay", "go"], [[0, 1], [2, 1]])],
)
def _(f, values, classes, table):
    hints = [
        ([list(column) for column in zip(*table, strict=True)], "one row per value, not class."),
        (table[::-1], "the rows must stand in alphabetical order of the values."),
        ([row[::-1] for row in table], "the columns must stand in alphabetical order."),
        ([[n / len(values) for n in row] for row in table], "counts are asked for, not shares."),
    ]
    expect_same(f(values, classes), table, f.shown, "count each pair of value and class.", hints)


@count_table.test(
    "has a 0 where a value never meets a class", 1, [(["a", "b", "c"], ["no", "yes", "no"])]
)
def _(f, values, classes):
    rows = [list(row) for row in f(values, classes)]
    if any(len(row) != len(set(classes)) for row in rows):
        raise Wrong("every row needs a column for every class, with a 0 where no case is.")
    if sum(map(sum, rows)) != len(values):
        raise Wrong("the counts must add up to the number of cases.")


@count_table.test("does not depend on the order of the cases", 1, [(list("abcab"), list("xyxyx"))])
def _(f, values, classes):
    table = f(values, classes)
    if sum(map(sum, table)) != len(values):
        raise Wrong("the counts must add up to the number of cases.")
    again = f(values[::-1], classes[::-1])
    expect_same(again, table, f.shown, "the same cases in another order give another table.")


count_table.keeps_its_input(1, [(["b", "a"], ["y", "x"])])

# --- best_attribute ------------------------------------------------------------------------------

best_attribute = assignment.function("best_attribute")
SMALL = {"noise": list("aabb"), "exact": list("uvuv")}


@best_attribute.test("takes the largest gain", 2, [(SMALL, list("nyny"), "exact")])
def _(f, columns, classes, best):
    expect_same(f(columns, classes), best, f.shown, "another attribute gains more.")


@best_attribute.test(
    "takes the first of equal gains",
    2,
    [({"b": list("uvuv"), "a": list("xyxy")}, list("nyny"), "b")],
)
def _(f, columns, classes, first):
    text = "two attributes gain the same. Take the one that is named first in `columns`."
    expect_same(f(columns, classes), first, f.shown, text)


@best_attribute.test(
    "does not fall for an attribute with one value",
    1,
    [({"same": list("aaaa"), "some": list("uvvv")}, list("nyyn"), "some")],
)
def _(f, columns, classes, best):
    text = "an attribute with the same value everywhere tells nothing."
    expect_same(f(columns, classes), best, f.shown, text)


best_attribute.keeps_its_input(1, [(SMALL, list("nyny"))])

# --- mutual_information --------------------------------------------------------------------------

mutual_information = assignment.function("mutual_information")


@mutual_information.test("is in bits, and right", 2, [([[3, 1], [1, 3]], 0.1887218755)])
def _(f, table, bits):
    found = f(table)
    total = sum(map(sum, table))
    hints = [(bits * total, "use shares of the cases, not their number, before the logarithm.")]
    expect(found, bits, f.shown, hints + units(found, bits))


@mutual_information.test("is the same the other way round", 1, [([[5, 2, 1], [1, 1, 4]],)])
def _(f, table):
    turned = [list(column) for column in zip(*table, strict=True)]
    one, other = number(f(table), f.shown), number(f(turned), f.shown)
    if not near(one, other) or near(one, 0):
        raise Wrong("value and class tell as much about each other: turn the table, same number.")


@mutual_information.test("copes with empty cells", 1, [([[2, 0], [1, 3]],)])
def _(f, table):
    found = number(f(table), f.shown)
    if not math.isfinite(found) or found <= 0:
        raise Wrong("a cell without cases adds nothing to the sum.")


@mutual_information.test("is 0 where value and class are independent", 1, [([[2, 4], [1, 2]],)])
def _(f, table):
    expect(f(table), 0, f.shown)


# --- the student's own table ---------------------------------------------------------------------


def draw(student):
    """Return 24 mornings drawn from a student's name: columns by attribute, and classes."""
    random = seed(student)
    columns = {
        "sky": random.choice(["clear", "clouds", "rain"], 24).tolist(),
        "wind": random.choice(["calm", "strong"], 24).tolist(),
        "day": random.choice(["school", "weekend"], 24, p=[0.7, 0.3]).tolist(),
    }
    wet = [
        (s == "rain") + (w == "strong")
        for s, w in zip(columns["sky"], columns["wind"], strict=True)
    ]
    classes = ["bus" if random.random() < (0.15, 0.6, 0.9)[n] else "bike" for n in wet]
    return columns, classes


my_mornings = assignment.numbers(
    "my_mornings",
    {
        "entropy": (1, between(0, 1)),
        "best": (2, one_of(["sky", "wind", "day"])),
        "gain": (2, between(0, 1)),
    },
    draw,
)


# --- hints ---------------------------------------------------------------------------------------


def units(found, bits):
    """Return the hints for an answer in other units than bits."""
    nats, digits = bits * math.log(2), bits * math.log10(2)
    return [
        (nats, f"you used natural logarithms: {nats:.3f} nats is {bits:.3f} bits."),
        (digits, f"you used logarithms to base 10: bits need base 2, which gives {bits:.3f}."),
        (-bits, "the sign is the wrong way round."),
    ]


check = assignment.ready()
