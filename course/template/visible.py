"""TITLE: the tests, with data for the self-check."""

from checks import Assignment, Wrong, between, expect, near, number, seed

assignment = Assignment("TEMPLATE")

# --- middle --------------------------------------------------------------------------------------

middle = assignment.function("middle")


@middle.test("is halfway between", 2, [(1, 4, 2.5)])
def _(f, low, high, right):
    hints = [
        (high - low, "this is the distance between them."),
        ((high - low) / 2, "this is half the distance: begin at the lower number."),
    ]
    expect(f(low, high), right, f.shown, hints)


@middle.test("does not depend on which number comes first", 1, [(1, 4)])
def _(f, low, high):
    there, back = number(f(low, high), f.shown), number(f(high, low), f.shown)
    if not near(there, back):
        raise Wrong("the same two numbers the other way round have another middle.")


# --- the student's own numbers -------------------------------------------------------------------


def draw(student):
    """Return ten numbers drawn from a student's name, as the only argument of the question."""
    return (seed(student).integers(0, 100, 10).tolist(),)


my_numbers = assignment.numbers("my_numbers", {"middle": (2, between(0, 100))}, draw)


check = assignment.ready()
