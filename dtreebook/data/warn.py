"""Warnings that blame the line of the user, however deep in the package they arise."""

import sys
import warnings

# Those who hand a call of the user on to us.
BETWEEN = {"dtreebook", "sklearn", "joblib", "contextlib"}


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning for the last line that stands outside of this package and scikit-learn."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
