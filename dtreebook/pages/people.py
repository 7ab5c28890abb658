"""The people on the plane, of whom several pages draw a few hundred, and a careless clerk."""

import numpy as np
import pandas as pd

# Where people begin to buy, by the shape of the truth: points of a line, (income, age).
BORDER = {"a corner": [(0, 0.7), (0.6, 0.7), (0.6, 0), (1, 0)], "a slope": [(0, 1), (1, 0)]}


def draw(
    n: int, seed: int, truth: str = "a corner", wrong: float = 0.2
) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw people, and whether they say that they would buy a car.

    Parameters
    ----------
    truth : "a corner" (they buy if their income is above 0.6 or their age above 0.7) or "a slope"
        (if the two add up to more than 1).
    wrong : the probability that an answer is flipped.

    Examples
    --------
    >>> X, y = draw(3, seed=1)
    >>> X.assign(answer=y)
       income    age answer
    0   0.512  0.950    yes
    1   0.144  0.949    yes
    2   0.312  0.423     no
    """
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.random((n, 2)).round(3), columns=["income", "age"])
    if truth == "a corner":
        buys = (X["income"] > 0.6) | (X["age"] > 0.7)
    else:
        buys = X["income"] + X["age"] > 1
    return X, np.where(buys ^ (rng.random(n) < wrong), "yes", "no")


def careless(y: pd.Series, share: float) -> pd.Series:
    """Replace the labels of about a share of the cases by labels drawn at random.

    Examples
    --------
    >>> careless(pd.Series(["yes"] * 4 + ["no"], dtype="category"), share=0.5).tolist()
    ['yes', 'yes', 'yes', 'no', 'no']
    """
    rng = np.random.default_rng(7)
    replaced = rng.random(len(y)) < share
    drawn = rng.choice(y.cat.categories, size=len(y))
    return y.mask(replaced, pd.Series(drawn, index=y.index).astype(y.dtype))
