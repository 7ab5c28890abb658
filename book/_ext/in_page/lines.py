"""What a function of p does, for the card that draws it: which lines run, and what is given."""

import builtins
import inspect
import json
import math
import numbers
import sys

import checks

CHANCES = [k / 100 for k in range(101)]
TOLD = '<script>document.dispatchEvent(new CustomEvent("dtb-tried", {{ detail: {} }}))</script>'


class Tried(dict):
    """What a reader wrote, told to the card above it."""

    def _repr_html_(self):
        return TOLD.format(json.dumps(self).replace("<", r"\u003c"))


def tell(function):
    """Have the card draw a function that a reader wrote."""
    if inspect.isfunction(function):
        builtins.display(Tried(played(function, inspect.getsource(function))))


def played(function, code):
    """Return what the card needs: lines of code, and for each p which ran and what was given."""
    with checks.silence():
        ran, values = zip(*(run(function, p) for p in CHANCES), strict=True)
    return {"code": code.rstrip().splitlines(), "ran": ran, "values": values}


def run(function, p):
    """Return which lines of a function run for some p, its first being 0, and what it gives.

    What is no number is given in words, as "inf" or the name of an error.
    """
    found, before, here = [], sys.gettrace(), function.__code__

    def look(frame, event, _):
        if frame.f_code is here and event == "line":
            found.append(frame.f_lineno - here.co_firstlineno)
        return look

    sys.settrace(look)
    try:
        value = function(p)
    except Exception as error:
        value = type(error).__name__
    finally:
        sys.settrace(before)
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return found, round(float(value), 4)
    return found, str(value)
