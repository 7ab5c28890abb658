"""Reading data in the format of C4.5: stem.names, stem.data and, if there is one, stem.test.

A file is a sequence of *names*. A name ends at a comma, a colon, the end of the line, or a period
before blank space; of blank space inside a name one blank is kept; ``|`` starts a comment, and
``\\`` takes the next character as it is. stem.names gives the classes and then, for each attribute,
its name, a colon and its values, ``continuous``, ``discrete N`` or ``ignore``. In the other two
files a case is one value for each attribute and the class; an unknown value is written ``?``.

Files of C5.0 and See5, the later programs, look much the same. What only they know is refused by
its name: the class as one of the attributes, ``[ordered]``, ``label``, ``date``, ``time``,
``timestamp``, attributes defined by ``:=``, and lists of attributes to include or exclude.
"""

import re
from collections.abc import Iterator
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.utils import Bunch

from dtreebook.data.frames import bunch
from dtreebook.data.words import warn

UNKNOWN = "?"
TARGET = "class"

# What is looked ahead for and then taken as it is gives nothing back: the text is read once,
# however long. (Python 3.10 has no quantifiers that do so.)
_NAME = re.compile(
    r"""(?= (?P<blank> (?: \s | \|[^\n]* )* ) ) (?P=blank)        # blank space and comments
        (?= (?P<name> (?: [^\\|.,:\n]+ | \\. | \.(?=[^\s|]) )* ) ) (?P=name)
        (?P<end> \|[^\n]* | [.,:\n] | \Z )                       # what ends it
    """,
    re.VERBOSE | re.DOTALL,
)
_LONG = 60  # characters of a name that a message shows
_C50 = "is a word of C5.0, which C4.5's format does not have"
_KINDS = {"continuous", "ignore", "discrete"}
# What C5.0 says of an attribute, and what C4.5's format has for it.
_C50_KINDS = {
    "label": "say ignore, and the column is left out",
    "date": "say ignore, or give the days since some day as continuous",
    "time": "say ignore, or give the seconds since midnight as continuous",
    "timestamp": "say ignore, or give the seconds since some day as continuous",
}
_NOT_APPLICABLE = {"N/A", "n/a"}
_WEIGHT = "case weight"
_ORDERED = re.compile(r"\[\s*ordered\s*\]\s*", re.IGNORECASE)
_LISTS = re.compile(r"attributes\s+(included|excluded)$", re.IGNORECASE)
_DIGITS = 9  # of the number in "discrete N"
_UNFINISHED_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")


class _Name(NamedTuple):
    text: str
    end: str  # "," ":" "." or "\n", which also stands for a comment and for the end of the file
    start: int


class _Declared(NamedTuple):
    """What stem.names says of a column; `room` is how many values "discrete N" may have."""

    name: str
    kind: str  # nominal, continuous, discrete, ignore or class
    values: list
    room: int = 0


def read_c45(stem: str | PathLike) -> Bunch:
    """Read a data set in the format of Quinlan's C4.5.

    The stem is the path of the files without their endings: "golf" for golf.names and golf.data.
    Raises FileNotFoundError if one of these two is missing, ValueError if a file cannot be read; it
    names the file, the line and the column.

    Source: Quinlan (1993), appendix, guide to the system.

    Returns
    -------
    Bunch with data (a DataFrame: Categoricals whose categories stand in the order of stem.names,
    and floats; unknown values are NaN), target (a Series of Categorical classes, called ``class``,
    or ``class_`` beside an attribute of that name), frame (both), feature_names, target_names,
    DESCR, and test: the same for the cases of stem.test, or None. Attributes declared ``ignore``
    are left out; values of ``discrete N`` stand in the order in which they appear.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     stem = Path(folder, "golf")
    ...     Path(f"{stem}.names").write_text("Play, Don't Play.\\noutlook: sunny, overcast, rain.")
    ...     Path(f"{stem}.data").write_text("rain, Play | a drizzle\\n?, Don't Play")
    ...     golf = read_c45(stem)
    49
    36
    >>> golf.data["outlook"].tolist(), golf.target.tolist(), golf.target_names
    (['rain', nan], ['Play', "Don't Play"], ['Play', "Don't Play"])
    """
    names = _File(f"{stem}.names")
    declared = _read_names(names)
    files = [_File(f"{stem}.data")]
    if Path(f"{stem}.test").exists():
        files.append(_File(f"{stem}.test"))
    tables = [_read_table(file, declared) for file in files]
    described = f"Read from {', '.join(file.path.name for file in [names, *files])}."
    bunches = [_bunch(columns, declared, described) for columns in tables]
    return Bunch(**bunches[0], test=bunches[1] if len(bunches) > 1 else None)


class _File:
    """The text of a file, cut into names, and where in it an error is."""

    def __init__(self, path):
        self.path = Path(path)
        try:
            content = self.path.read_bytes()
        except FileNotFoundError as error:
            raise FileNotFoundError(
                f"there is no file {self.path}: give the path of the files without their endings, "
                "such as 'golf' for golf.names and golf.data"
            ) from error
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")  # the old files; no byte is an error there
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        if "\0" in self.text:
            raise self.error(
                self.text.index("\0"), "a zero byte, so this is no plain text: save it as UTF-8"
            )
        if found := _UNFINISHED_ESCAPE.search(self.text):
            raise self.error(found.end() - 1, "the last character is \\, and nothing follows it")

    def names(self) -> Iterator[_Name]:
        """Yield the names of the file, one after the other."""
        for match in _NAME.finditer(self.text):
            raw, end = match["name"], match["end"]
            text = " ".join(raw.split())
            if "\\" in text:
                text = re.sub(r"\\(.)", r"\1", text)
            if not text and not end:
                return  # blank space at the end of the file
            yield _Name(text, end if end in {",", ":", "."} else "\n", match.start("name"))

    def error(self, start: int, message: str) -> ValueError:
        """Return the error to raise, with line and column counted from 1."""
        line = self.text.count("\n", 0, start) + 1
        column = start - self.text.rfind("\n", 0, start)
        return ValueError(f"{self.path.name}, line {line}, column {column}: {message}")


# --- stem.names ----------------------------------------------------------------------------------


def _read_names(file):
    """Return what is declared of the attributes, and last of the classes."""
    names = file.names()
    classes, last = _read_list(file, names, "class")
    if not classes:
        raise ValueError(f"{file.path.name} is empty: it must begin with the classes")
    if last.end == ":":
        again = re.compile(rf"^\s*{re.escape(last.text)}\s*:", re.MULTILINE)
        is_c50 = again.search(file.text, last.start + 1)
        raise file.error(
            last.start,
            f"{_quoted(last.text)} ends in a colon: the file must begin with the classes"
            + (", while C5.0's may begin with an attribute and its thresholds" if is_c50 else ""),
        )
    attributes = {}
    for name in names:
        if name.end == ":" and _LISTS.match(name.text):
            raise file.error(
                name.start,
                f"{_quoted(name.text)} {_C50}: say ignore of the attributes that are left out",
            )
        if name.end != ":" or not name.text:
            raise file.error(
                name.start,
                f"expected the name of an attribute and a colon, found {_quoted(name.text)}",
            )
        if name.text in attributes:
            raise file.error(name.start, f"a second attribute is called {_quoted(name.text)}")
        attributes[name.text] = _read_declared(file, names, name)
    if len(classes) == 1 and classes[0] in attributes:
        raise file.error(
            last.start,
            f"{_quoted(last.text)} is the name of an attribute, not a class: C5.0 lets the first "
            "line name the attribute to be predicted. Give its values there, take it from the "
            "attributes, and put its column last in every case",
        )
    if _WEIGHT in attributes:
        warn(
            f"{file.path.name} has an attribute 'case weight', which C5.0 takes for the weights of "
            "the cases: here it is a column like all others, to be given as sample_weight of fit"
        )
    if all(attribute.kind == "ignore" for attribute in attributes.values()):
        raise ValueError(f"{file.path.name} declares no attribute to learn from")
    return [*attributes.values(), _Declared(TARGET, "class", classes)]


def _read_declared(file, names, name):
    """Return what is declared of one attribute, whose name has been read."""
    short = _short(name.text)
    values, last = _read_list(file, names, f"value of {short}")
    if values and _ORDERED.match(values[0]):
        raise file.error(
            file.text.index("[", name.start),
            f"[ordered] {_C50}: list the values alone, and make the column an ordered Categorical "
            "of pandas afterwards",
        )
    if not values:
        raise file.error(name.start, f"{short} has no values: list them, or say continuous")
    if last.end == ":":
        raise file.error(last.start, f"a value of {short} ends in a colon; write \\: inside it")
    word = values[0] if len(values) == 1 else ""
    if word.startswith("=") and file.text.startswith(":=", last.start - 1):
        raise file.error(
            last.start - 1,
            f":= {_C50}: work the values of {short} out, and give them as a column of the data",
        )
    first, _, rest = word.partition(" ")
    if first.lower() in _C50_KINDS and not rest:
        raise file.error(last.start, f"{_quoted(word)} {_C50}: {_C50_KINDS[first.lower()]}")
    small = first.lower()
    if first != small and small in _KINDS and (small == "discrete") == bool(rest):
        raise file.error(
            last.start, f"{_quoted(word)} is one value of {short}: write {small} small"
        )
    if word == "discrete":
        raise file.error(last.start, "'discrete' needs the number of values, as in 'discrete 10'")
    if word in {"continuous", "ignore"}:
        return _Declared(name.text, word, [])
    if word.startswith("discrete "):
        number = word.removeprefix("discrete ")
        if not number.isdecimal() or len(number) > _DIGITS or int(number) < 1:
            raise file.error(
                last.start,
                f"expected a number of values after 'discrete', found {_quoted(number)}"
                + (f", more than {_DIGITS} digits" if len(number) > _DIGITS else ""),
            )
        return _Declared(name.text, "discrete", [], int(number))
    return _Declared(name.text, "nominal", values)


def _read_list(file, names, what):
    """Return the texts up to the first that does not end in a comma, and that last name."""
    texts, last = {}, None  # a dict keeps their order, and finds a second one at once
    for last in names:
        if not last.text:
            raise file.error(last.start, f"a {what} is missing before {last.end!r}")
        if last.text in texts:
            raise file.error(last.start, f"a second {what} is called {_quoted(last.text)}")
        texts[last.text] = None
        if last.end != ",":
            break
    return list(texts), last


# --- stem.data and stem.test ---------------------------------------------------------------------


def _read_table(file, declared):
    """Return the columns of a file: codes, floats, or None for what is ignored."""
    columns = zip(declared, *_read_fields(file, len(declared)), strict=True)
    return [_read_column(file, *column) for column in columns]


def _read_fields(file, width):
    """Return the texts of the cases and where they start, as arrays [field, case]."""
    texts, starts = [], []
    for text, end, start in file.names():
        if end == ":":
            raise file.error(start, f"{_quoted(text)} ends in a colon; write \\: inside a value")
        field = len(texts) % width + 1
        if (end == ",") == (field == width):
            how = "it goes on" if field == width else f"it ends after {field}"
            raise file.error(start, f"a case has {width} fields, the class last, but here {how}")
        texts.append(text)
        starts.append(start)
    if not texts:
        raise ValueError(f"{file.path.name} is empty: give it at least one case")
    if len(texts) % width:  # a comma at the very end of the file
        raise file.error(starts[-1], f"the last case has {len(texts) % width} of {width} fields")
    shape = (-1, width)
    return np.array(texts, dtype=object).reshape(shape).T, np.array(starts).reshape(shape).T


def _read_column(file, attribute, texts, starts):
    if attribute.kind == "ignore":
        return None
    if attribute.kind == "continuous":
        column = np.array([_number(text) for text in texts])
        wrong = np.isinf(column)
        message = "is not a number, and {0} is continuous; an unknown value is ?"
    else:
        if attribute.kind == "discrete":
            _collect_values(file, attribute, texts, starts)
        column = pd.Index(attribute.values).get_indexer(texts)
        wrong, message = column < 0, "is not a class ({1})"
        if attribute.kind != "class":
            wrong &= texts != UNKNOWN
            message = "is not a value of {0} ({1}); an unknown value is ?"
    if wrong.any():
        row = np.flatnonzero(wrong)[0]
        message = message.format(_short(attribute.name), _few(attribute.values))
        if texts[row] in _NOT_APPLICABLE:
            message += "; N/A, not applicable, is C5.0's: write ? or, of words, list it as a value"
        raise file.error(starts[row], f"{_quoted(texts[row])} {message}")
    return column


def _number(text):
    """Return a finite number, NaN for an unknown one, and infinity for what is no number."""
    if text == UNKNOWN:
        return np.nan
    try:
        number = float(text)
    except ValueError:
        return np.inf
    return number if isfinite(number) and "_" not in text else np.inf


def _collect_values(file, attribute, texts, starts):
    """Add the values of a "discrete N" attribute that the file brings, as they appear."""
    known = {UNKNOWN, "", *attribute.values}
    for text in pd.unique(texts):
        if text in known:
            continue
        if len(attribute.values) == attribute.room:
            start = starts[np.flatnonzero(texts == text)[0]]
            room = f"discrete {attribute.room}: {_few(attribute.values)}"
            message = f"is one value too many for {_short(attribute.name)} ({room})"
            raise file.error(start, f"{_quoted(text)} {message}")
        attribute.values.append(text)


def _few(values):
    return ", ".join(map(_short, values[:8])) + (", ..." if len(values) > 8 else "")


def _short(text):
    """Return a name as it can stand in a message, however long it is."""
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."


def _quoted(text):
    return repr(_short(text))


def _bunch(columns, declared, description):
    """Pack the columns as the data sets of the book are packed."""
    data = {}
    for (name, kind, values, _), column in zip(declared, columns, strict=True):
        while kind == "class" and name in data:
            name += "_"
        if kind != "ignore":
            is_number = kind == "continuous"
            data[name] = column if is_number else pd.Categorical.from_codes(column, values)
    size = f"{len(column)} cases, {len(data) - 1} features, {len(values)} classes"
    return bunch(data, f"{size}. {description}")
