"""Documented results: what the sources state, beside what the book computes.

The registry `documented.yml` holds every number that a source of the book states about its data
sets, as printed. `check` compares one of them with a computed value and `table` a whole group; both
raise `Disagreement` rather than show a number that the book cannot reproduce.

>>> check("loan.gain.house", 0.41997309).agreement
'equal to 3 decimals'
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from html import escape
from importlib import resources
from numbers import Real

import numpy as np
import pandas as pd
import yaml

_TOLERANCE = 1e-9  # of equalities that hold exactly in theory


class Disagreement(AssertionError):
    """A computed value is not what its source documents."""


@dataclass(frozen=True)
class Result:
    """A documented result; the head of documented.yml explains the fields."""

    id: str
    source: str
    quantity: str
    documented: str | list | dict
    kind: str = "value"
    value: str | None = None
    also: str | None = None
    exact: str | None = None
    via: str | None = None
    how: str | None = None
    erratum: dict | None = None
    note: str | None = None


@dataclass(frozen=True)
class Row:
    """A documented result beside the computed one, as text for display."""

    id: str
    quantity: str
    documented: str
    computed: str
    agreement: str
    source: str

    def _repr_html_(self):
        return _display([vars(self)])._repr_html_()


class FullTable(pd.DataFrame):
    """A DataFrame that shows its cells in full, however long they are."""

    @property
    def _constructor(self):
        return FullTable

    def __repr__(self):
        return self.to_string(line_width=80)

    def _repr_html_(self):
        # Each cell names its column, so that a narrow page can show a row as a list.
        names = [self.index.name or "", *map(str, self.columns)]
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
        rows = []
        for first, *rest in self.itertuples(name=None):
            cells = [
                f'<td data-label="{escape(name)}">{escape(str(cell))}</td>'
                for name, cell in zip(names[1:], rest, strict=True)
            ]
            rows.append(f'<tr><th scope="row">{escape(str(first))}</th>{"".join(cells)}</tr>')
        return (
            '<table class="dataframe dtb-documented">\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table>"
        )


# --- the registry --------------------------------------------------------------------------------


def result(id: str) -> Result:
    """Return the documented result of that id.

    Raises KeyError, with the nearest ids, if there is none.

    >>> result("loan.gain.house").documented
    '0.420'
    """
    results = _registry()[1]
    if id not in results:
        raise KeyError(_unknown(id, results))
    return results[id]


def errata(source: str | None = None) -> pd.DataFrame:
    """Return what the sources, or one of them, get wrong, and the right form, as a DataFrame.

    >>> errata("moonhotel2020")["right"]["moonhotel.weight"]
    'it weighs 5/15'
    """
    known, _, found = _registry()
    if source is not None:
        if source not in known.index:
            raise KeyError(_unknown(source, known.index))
        found = found[found["source"] == source]
    return found.assign(source=found["source"].map(known["short"]))


def sources() -> pd.DataFrame:
    """Return the sources with their bibliographic text, as a DataFrame.

    >>> sources()["short"]["quinlan1986"]
    'Quinlan 1986'
    """
    return _registry()[0].copy()


@cache
def _registry():
    """Read the registry by id: sources and errata as DataFrames, a dict of each `Result`."""
    raw = yaml.safe_load(resources.files(__package__).joinpath("documented.yml").read_text("utf-8"))
    results = {entry["id"]: Result(**entry) for entry in raw["results"]}
    inside = [{"id": r.id, "source": r.source, **r.erratum} for r in results.values() if r.erratum]
    return _display(raw["sources"]), results, _display(raw["errata"] + inside)


def _unknown(id, known):
    near = get_close_matches(id, known, n=5, cutoff=0.5) or sorted(known)[:5]
    return f"{id!r} is not in documented.yml; near it: {', '.join(near)}"


# --- documented beside computed ------------------------------------------------------------------


def check(id: str, computed: object, rounded: object = None) -> Row:
    """Compare a computed value with the documented result of that id.

    Numbers must agree at the printed rounding (a value halfway between two may be rounded either
    way), texts word by word, trees as mappings `{attribute: {value: class or subtree}}`. Where the
    registry has an `exact` value, it is this that the computed one must equal: either the printed
    number is an erratum, or the source went on with numbers that it had already rounded, and then
    `rounded`, the same sum done with those numbers, must equal the printed one.

    Raises Disagreement, an AssertionError, with id, documented, computed and source; KeyError if no
    result has that id.

    Parameters
    ----------
    computed : a number, text or tree; a sequence of them if a list is documented; for an identity
        the forms (on the last axis) that must be equal; for a draw the results of all draws.
    rounded : the value computed in the way of the source; only for results `via: rounded`.

    Examples
    --------
    >>> check("loan.no_house.gain.age", 0.2516291673878229, rounded=0.918 - 0.667).agreement
    'equal when computed with rounded numbers: 0.918 - 0.667 = 0.251'
    >>> check("tennis.H.humidity", 0.7884504573082896).agreement
    'erratum: the exact value is 0.78845'
    >>> check("loan.H", 0.97)
    Traceback (most recent call last):
    twentyquestions.documented.Disagreement: loan.H: moonhotel2020 documents 0.971, computed 0.97000
    """
    r = result(id)
    shown, agreement = _COMPARE[r.kind](r, computed, rounded)
    if not agreement:
        forgotten = r.via and rounded is None and _equal(r.exact, computed)
        hint = f" (pass rounded = {r.how}, done as the source did)" if forgotten else ""
        documents = f"{r.source} documents {_words(r.documented)}"
        raise Disagreement(f"{id}: {documents}, computed {shown}{hint}")
    if r.erratum and not agreement.startswith("erratum"):
        agreement += f"; erratum: {r.erratum['right']}"
    known = _registry()[0]["short"]
    source = "; ".join(known[key] for key in (r.source, r.also) if key)
    return Row(r.id, r.quantity, _words(r.documented), shown, agreement, source)


def table(prefix: str, values: Mapping, rounded: Mapping | None = None) -> FullTable:
    """Compare every documented result under a prefix, and return them as a DataFrame.

    Its columns are quantity, documented, computed, agreement, source; the ids are its index. Raises
    KeyError if nothing has that prefix or a value is missing; Disagreement.

    Parameters
    ----------
    prefix : an id or the beginning of ids up to a dot: "loan", "loan.gain", "loan.gain.age".
    values : mapping from id to computed value. It must have every id under the prefix, so that no
        documented number is left out; others are not looked at.
    rounded : mapping from id to the value computed in the way of the source.

    Examples
    --------
    >>> rows = table("abstract15.H", {"abstract15.H": 0.970951, "abstract15.H.A": 0.887943})
    >>> rows[["documented", "computed"]].to_numpy().tolist()
    [['0.971', '0.97095'], ['0.888', '0.88794']]
    """
    ids = [id for id in _registry()[1] if f"{id}.".startswith(f"{prefix}.")]
    rounded = rounded or {}
    if not ids:
        raise KeyError(_unknown(prefix, _registry()[1]))
    if missing := [id for id in ids if id not in values]:
        raise KeyError(f"no computed value for {', '.join(missing)}")
    return _display([vars(check(id, values[id], rounded.get(id))) for id in ids])


def _display(entries):
    return FullTable(entries).set_index("id")


# --- how each kind of result is compared: the computed text, and in what sense it agrees or None --


def _compare_value(r, computed, rounded):
    printed = r.value or r.documented
    shown = _words(computed, printed)
    if r.exact is None:
        return shown, _sense(printed) if _equal(printed, computed) else None
    if not _equal(r.exact, computed):
        return shown, None
    if r.via is None:
        return shown, f"erratum: the exact value is {r.exact}"
    if rounded is not None and _equal(printed, rounded):
        work = f"{r.how} = {np.format_float_positional(np.round(rounded, 5), trim='-')}"
        return shown, f"equal when computed with rounded numbers: {work}"
    return shown, None


def _compare_part(r, computed, _):
    found = _contains(computed, r.documented)
    return _words(computed), "part of the computed tree" if found else None


def _compare_identity(r, computed, _):
    forms = list(computed.values()) if isinstance(computed, Mapping) else computed
    forms = np.atleast_1d(np.asarray(forms, dtype=float))
    equal = forms.shape[-1] > 1 and bool((np.ptp(forms, axis=-1) <= _TOLERANCE).all())
    shown = ", ".join(f"{x:.6f}" for x in (forms[..., 0] if equal else forms).ravel())
    return shown, f"{forms.shape[-1]} forms are equal" if equal else None


def _compare_draw(r, computed, _):
    draws = np.atleast_1d(np.asarray(computed, dtype=float))
    low, high = draws.min(), draws.max()
    inside = draws.size > 1 and low <= float(r.documented) <= high
    return f"{low:.4f} to {high:.4f}", f"in the range of {draws.size} draws" if inside else None


def _compare_time(r, computed, _):
    return str(computed), "shown only: a time belongs to a machine"


_COMPARE = {
    "value": _compare_value,
    "part": _compare_part,
    "identity": _compare_identity,
    "draw": _compare_draw,
    "time": _compare_time,
}


# --- numbers, texts and trees --------------------------------------------------------------------


def _equal(printed, computed):
    if isinstance(printed, dict) and isinstance(computed, Mapping):
        return _contains(computed, printed) and _contains(printed, computed)
    if isinstance(printed, list):
        same_length = hasattr(computed, "__len__") and len(computed) == len(printed)
        return same_length and all(map(_equal, printed, computed))
    places = _places(printed)
    if places is None:
        return _words(printed).split() == _words(computed).split()
    if not isinstance(computed, Real) or not np.isfinite(computed):
        return False
    if places == 0:
        return bool(abs(computed - Fraction(printed)) <= _TOLERANCE)
    half_a_unit = Decimal(5).scaleb(-places - 1)
    return abs(Decimal(repr(round(float(computed), 12))) - Decimal(printed)) <= half_a_unit


def _contains(tree, part):
    """Tell whether every branch of `part` is in `tree`."""
    if isinstance(tree, Mapping) and isinstance(part, Mapping):
        return all(key in tree and _contains(tree[key], part[key]) for key in part)
    return _words(tree) == _words(part)


def _places(printed):
    """Return the decimals of a printed number: 0 if it must be met exactly, None for a text."""
    if not isinstance(printed, str) or not re.fullmatch(r"-?\d+(\.\d+|/\d+)?", printed):
        return None
    return len(printed.partition(".")[2])


def _sense(printed):
    if isinstance(printed, list):
        return _sense(printed[0])
    places = _places(printed)
    if places is None:
        return "the same words" if isinstance(printed, str) else "the same tree"
    return f"equal to {places} decimal{'s' * (places > 1)}" if places else "equal"


def _words(thing, printed=None):
    """Write a text, a number (two decimals more than printed), a list of them, or a tree."""
    if isinstance(thing, Mapping):
        return "; ".join(
            f"{attribute} = {value}: " + (f"({_words(below)})" if below_is_tree else str(below))
            for attribute, branches in thing.items()
            for value, below in branches.items()
            for below_is_tree in [isinstance(below, Mapping)]
        )
    if isinstance(thing, list | tuple | np.ndarray):
        texts = printed if isinstance(printed, list) else [None] * len(thing)
        return ", ".join(map(_words, thing, texts))
    if isinstance(thing, Real) and isinstance(printed, str):
        if not _places(printed):
            return f"{thing + 0.0:.6g}"
        places = _places(printed) + 2
        return f"{round(float(thing), places) + 0.0:.{places}f}"
    return str(thing)
