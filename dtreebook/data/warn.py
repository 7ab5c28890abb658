"""Warnings that blame the line of the user, and the error that says what to install."""

import sys
import warnings
from importlib import import_module

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
