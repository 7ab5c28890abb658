"""TITLE: the functions asked for, and the data to grade with."""

from visible import assignment


def middle(low, high):
    return (low + high) / 2


def my_numbers(values):
    return {"middle": middle(min(values), max(values))}


# --- inputs by chance, within the wording ---------------------------------------------------------


def some_pair(random):
    """Return two numbers, now and then equal, in any order."""
    return tuple(random.integers(-5, 6, 2).tolist())


assignment.hidden(
    reference={f.__name__: f for f in (middle, my_numbers)},
    data={
        ("middle", "is halfway between"): [(-3, 9, 3), (2.5, 2.5, 2.5), (0, 7, 3.5)],
        ("middle", "does not depend on which number comes first"): [(-3, 9), (0, 7)],
    },
    inputs={"middle": some_pair},
)
