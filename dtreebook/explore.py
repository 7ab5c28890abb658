"""The explorables of the book: each is a function that returns an `Explorable`.

What they say and draw comes from the measures, trees and records of the package; they compute
nothing of their own. To add one, write a function here.
"""

import math

from dtreebook import measures, plot
from dtreebook.explorable import Control, Explorable, View


def distribution():
    """Explore the entropy of a distribution: a coin, then up to five faces.

    The first face has a chance to choose, the others share the rest evenly.

    Examples
    --------
    >>> distribution()
    How unsure are you before the toss?: Heads has a chance of 0.60 and a surprise of 0.737 bits; \
tails has a chance of 0.40 and a surprise of 1.322 bits. The mean surprise, the entropy, is 0.971 \
bits or 0.673 nats; with equal chances it would be 1.000 bits.
    """
    tenths = {f"{i / 10:g}": i / 10 for i in range(11)}
    between = {"0.05": 0.05, "1/4": 1 / 4, "1/3": 1 / 3, "2/3": 2 / 3, "3/4": 3 / 4, "0.95": 0.95}
    labels, chances = zip(*sorted((tenths | between).items(), key=lambda c: c[1]), strict=True)

    def view(faces, place):
        n, chance = faces + 2, chances[place]
        p = [chance] + [(1 - chance) / (n - 1)] * (n - 1)
        names = ["heads", "tails"] if n == 2 else [f"face {k}" for k in range(1, n + 1)]
        first = _surprise(names[0].capitalize(), p[0])
        others = _surprise(names[1] if n == 2 else "each of the others", p[1])
        bits, nats = measures.entropy(p), measures.entropy(p, math.e)
        return View(
            f"{first}; {others}. The mean surprise, the entropy, is {bits:.3f} bits or {nats:.3f} "
            f"nats; with equal chances it would be {measures.entropy([1] * n):.3f} bits.",
            (plot.surprises(p, names),),
        )

    controls = (
        Control("How many faces?", ("a coin: 2", "3", "4", "5"), kind="choice"),
        Control("Chance of the first", labels, start=labels.index("0.6")),
    )
    return Explorable("How unsure are you before the toss?", controls, view)


def _surprise(name, chance):
    if chance == 0:
        return f"{name} never comes"
    bits = measures.kl_divergence([1, 0], [chance, 1 - chance])
    return f"{name} has a chance of {chance:.2f} and a surprise of {bits:.3f} bits"
