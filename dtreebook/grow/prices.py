"""Prices of questions: what a test gains, weighed against what it costs to ask.

A blood test costs more than a look at the thermometer. Each measure makes one number of the score
``s`` of a test, in bits, and the price ``c`` of its column; the test with the largest one is asked.
"""

from collections.abc import Callable

import numpy as np

# From scores [m, A] and prices [A] to what the columns are chosen by.
Pricing = Callable[[np.ndarray, np.ndarray], np.ndarray]


def idx(score: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Return the score per unit of price: ``s / c``.

    Source: Norton (1989), IDX; Breiman et al. (1984) divide by a price likewise.

    Examples
    --------
    >>> idx(np.array([0.5, 0.25]), np.array([10.0, 1.0]))
    array([0.05, 0.25])
    """
    return score / cost


def cs_id3(score: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Return the squared score per unit of price: ``s^2 / c``.

    Source: Tan (1993), CS-ID3.

    Examples
    --------
    >>> cs_id3(np.array([0.5, 0.25]), np.array([10.0, 1.0]))
    array([0.025 , 0.0625])
    """
    return score * abs(score) / cost


def eg2(score: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Return how much the score shrinks what is to be told apart, per price: ``(2^s - 1)/(c + 1)``.

    Source: Núñez (1991), EG2.

    Examples
    --------
    >>> eg2(np.array([1.0, 0.5]), np.array([9.0, 0.0])).round(3)
    array([0.1  , 0.414])
    """
    return (np.exp2(score) - 1) / (cost + 1)


PRICINGS: dict[str, Pricing] = {"eg2": eg2, "cs_id3": cs_id3, "idx": idx}
