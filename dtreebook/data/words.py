"""What is said to people: numbers and labels in words, on one line and never too long; warnings."""

import json
import re
import sys
import unicodedata
import warnings
from collections.abc import Sequence
from enum import Enum
from importlib import import_module

import numpy as np

# A list of more labels is shortened to the first few of them.
_MOST_LABELS = 100
_FIRST_LABELS = 20

# Kinds of characters that command a terminal, turn the direction of a line, or show nothing at all:
# control, format, surrogate.
_UNSEEN = {"Cc", "Cf", "Cs"}

# They join the parts of emoji and of Indian letters, and do no harm.
_JOINERS = "\u200c\u200d"

# What is written beside values in a sentence: between those of a list, around it, behind a branch,
# between branches.
_AROUND_VALUES = re.compile('[,{}"]|:( |$)| and | or ')


class Word(str, Enum):
    """A word of a fixed few, which is printed as it is; ``enum.StrEnum`` asks for Python 3.11."""

    __str__ = str.__str__
    __format__ = str.__format__  # type: ignore[assignment]


def in_digits(number: float, digits: int, behind: int = 0) -> str:
    """Return a number to some digits, and to all before its point and some behind it.

    Examples
    --------
    >>> in_digits(2 / 3, 6, 1), in_digits(1234567.5, 6, 1), in_digits(180921.3, 4)
    ('0.666667', '1234567.5', '180921')
    """
    before = int(np.log10(abs(number))) + 1 if 1 <= abs(number) < 1e20 else 0
    return f"{number:.{max(digits, before + behind)}g}"


def weight_in_words(weight: float) -> str:
    """Return a weight of cases in words."""
    return f"{weight:.0f}" if float(weight).is_integer() else f"{weight:g}"


def printable(label: object) -> str:
    r"""Return a label as text on one line, without characters that do something unseen.

    Whole numbers are printed as whole. Line breaks become blanks; other control characters and
    those that turn the direction of the line are written as in Python.

    Examples
    --------
    >>> print(printable("red\nwine \x1b[31m"))
    red wine \x1b[31m
    >>> printable(2.0), printable(2.5)
    ('2', '2.5')
    """
    text = " ".join(_as_text(label).splitlines())
    if text.isprintable():
        return text
    return "".join(
        sign.encode("unicode_escape").decode() if _is_unseen(sign) else sign for sign in text
    )


def value_in_words(value: object) -> str:
    r"""Return a value of a column as a branch names it, so that no two values are written alike.

    Text that could be misread is quoted as in JSON: with a comma, a brace, a quotation mark, a
    colon before a blank or at the end, the words "and" or "or", a blank at an end, or a character
    that `printable` changes; and text without any character.

    Examples
    --------
    >>> print(value_in_words("Paris"), value_in_words("Paris, France"), value_in_words("a\n"))
    Paris "Paris, France" "a\n"
    """
    text = _as_text(value)
    is_plain = text and text == text.strip() and not _AROUND_VALUES.search(text)
    if is_plain and printable(text) == text:
        return text
    return "".join(
        json.dumps(sign)[1:-1] if _is_unseen(sign) or sign in "\u2028\u2029" else sign
        for sign in json.dumps(text, ensure_ascii=False)
    )


def _as_text(label):
    is_float = isinstance(label, float | np.floating)
    is_whole = is_float and float(label).is_integer() and abs(label) < 1e16
    return str(int(label) if is_whole else label)


def _is_unseen(sign):
    no_character = ord(sign) & 0xFFFE == 0xFFFE  # Unicode has none there, and XML refuses it
    return no_character or (unicodedata.category(sign) in _UNSEEN and sign not in _JOINERS)


def list_in_words(labels: Sequence[object]) -> str:
    """Return values with commas between them; of more than a hundred, the first twenty.

    Examples
    --------
    >>> list_in_words(["red", "green"]), list_in_words(range(4000))[-21:]
    ('red,green', ',18,19, ... 3980 more')
    """
    if len(labels) <= _MOST_LABELS:
        return ",".join(map(value_in_words, labels))
    few = ",".join(map(value_in_words, labels[:_FIRST_LABELS]))
    return f"{few}, ... {len(labels) - _FIRST_LABELS} more"


# --- warnings and errors --------------------------------------------------------------------------


# Those who hand a call of the user on to us.
BETWEEN = {"dtreebook", "sklearn", "joblib", "contextlib"}


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning for the last line that stands outside of this package and scikit-learn."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def needs(module: str, extra: str, what: str) -> None:
    """Raise an ImportError that says what to install if a module is missing."""
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{what} needs {module}: pip install 'dtreebook[{extra}]', which brings it"
        ) from error
