"""What the checks of all assignments need: questions, points, hints, comparing.

An assignment keeps two modules beside its notebook. `visible.py` goes to the students: it holds the
tests, and data to try them on. `hidden.py` stays with the teacher: it holds other data for the same
tests, and the functions that the questions ask for. In the notebook a check is a self-check with
the visible data. `course/grader/judge.py` grades: it runs the same tests with both data from
outside, and reaches the student's functions through a pipe. All it sees of an answer is what
`plain` leaves.
"""

import builtins
import contextlib
import copy
import io
import itertools
import math
import numbers
import operator
import re
import signal
import sys
import textwrap
import threading
import warnings
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import NamedTuple

import numpy as np

SECONDS = 2.0  # of the processor, for one test: a busy machine changes nothing
WAITING = 10  # times as long by the clock, for what sleeps
FORBIDDEN = ("dtreebook", "sklearn", "scipy", "hidden")  # what a notebook may not import
MOST = 100_000  # the entries that an answer may have
CHANGES = "changes what it is given"


class Wrong(Exception):
    """What a test found, in words for the student: what happened, and on a line below it, why.

    `hints` are explanations, each of which fits this case; where one fits all cases that went wrong
    it takes the place of `otherwise`. So a number that meets a known mistake by chance is not
    explained by it. Where `happened` is not given, it is what was called, and what that gave.
    """

    def __init__(self, otherwise="", hints=(), happened=""):
        super().__init__(happened or otherwise)
        self.otherwise, self.hints, self.happened = otherwise, hints, happened

    def said(self, why):
        """Return it in words, with this explanation."""
        if self.happened and why:
            return f"{self.happened}:\n{why}"
        return f"{self.happened}." if self.happened else why


class OutOfTime(BaseException):
    """The time of a test is over; not an Exception, so that a student's `except` lets it pass."""


# --- questions -----------------------------------------------------------------------------------


class Test:
    """One property that a solution should have, and what it is worth."""

    def __init__(self, name, points, run, data):
        self.name, self.points, self.run, self.data = name, points, run, data


class Question:
    """One graded question: a function to write, or numbers to find, and the tests of it."""

    def __init__(self, name, nothing=False, draw=None):
        self.name, self.nothing, self.draw, self.tests = name, nothing, draw, []

    @property
    def points(self):
        """Return what the question is worth: the sum over its tests."""
        return sum(test.points for test in self.tests)

    def test(self, name, points, data):
        """Add the decorated function as a test; each entry of `data` is one set of arguments."""

        def add(run):
            self.tests.append(Test(name, points, run, data))
            return run

        return add

    def keeps_its_input(self, points, data):
        """Add the test that a call changes nothing in its arguments."""

        @self.test("leaves its input as it was", points, data)
        def run(f, *arguments):
            f(*arguments)
            if f.changed:
                raise Wrong(f"it {CHANGES}. Whoever calls it still needs it: work on a copy.")


class Assignment:
    """The questions of one assignment, and the check that its notebook calls."""

    def __init__(self, name):
        self.name, self.questions = name, {}
        self.reference, self.other_data, self.inputs, self.forms = {}, {}, {}, {}
        self.drawn = {}  # inputs with their right answers, once they are made

    def function(self, name, nothing=False):
        """Add a question that asks for a function; `nothing`: the function may return None."""
        return self._add(Question(name, nothing))

    def numbers(self, name, answers, draw):
        """Add a question that asks for numbers about data drawn from the student's name.

        They are what a function without arguments returns, by name. `answers` has points for each,
        and a function that says what keeps a value from being one: more a self-check cannot say
        without giving the answer away. In grading, the hidden function of the question's name
        computes them from what `draw` gives for the student.
        """
        question = self._add(Question(name, draw=draw))
        for answer, (points, complain) in answers.items():

            @question.test(answer, points, [()])
            def run(f, answer=answer, complain=complain):
                found = f()
                if not isinstance(found, dict) or answer not in found:
                    raise Wrong(f"{f.shown} must return a dictionary with the key {answer!r}.")
                if complaint := complain(found[answer]):
                    raise Wrong(f"{answer} {complaint}")
                if f.right and not same(found[answer], f.right[answer]):
                    if rounded(found[answer], f.right[answer]):
                        raise Wrong(f"{answer}: {ROUNDED}")
                    raise Wrong(
                        f"{answer} is not what the definitions give for the data of this STUDENT."
                    )

    def _add(self, question):
        self.questions[question.name] = question
        return question

    def hidden(self, reference, data, inputs, forms=()):
        """Take what the teacher keeps, all by question.

        `reference` has the right functions. `data` has other data by question and test. `inputs`
        has functions that make arguments within the wording from a random generator: on them a
        solution must agree with the reference. `forms` has what makes answers comparable that may
        differ in form.
        """
        self.reference, self.other_data, self.inputs = reference, data, inputs
        self.forms = dict(forms)

    def ready(self):
        """Watch imports, and return the check."""
        watch_imports()
        return self.check

    def check(self, name):
        """Print what the self-check finds in the notebook that calls."""
        question = self.questions[name]
        namespace = sys._getframe(1).f_globals
        lines, wrong = [f"{name}: what the self-check found"], 0
        for test in question.tests:
            with silence(), at_most(SECONDS):
                message = tried(test, test.data, lambda: found(question, namespace))
            wrong += bool(message)
            fine = "possible, not checked here:" if question.draw else "✓"
            lines.append(line("✗" if message else fine, test.name, message))
        if not wrong and not question.draw:
            lines.append("Nothing wrong found with this data. Grading looks at other data as well.")
        print("\n".join(lines))


def line(mark, name, message):
    """Return what to print of a test, with the message below it, no wider than a page."""
    below = (textwrap.wrap(part, 88 - 8) for part in message.splitlines())
    return "\n".join([f"  {mark}  {name}", *(" " * 8 + text for part in below for text in part)])


def tried(test, data, find):
    """Return what a test says to a student, nothing if it is content.

    It is the first case that goes wrong, explained by what fits all that do.
    """
    first, hints = None, ()
    try:
        function = find()
        for arguments in data:
            function.made = []
            try:
                test.run(function, *arguments)
            except Wrong as wrong:
                wrong.happened = wrong.happened or "; ".join(function.made)
                fit = set(map(idea, wrong.hints))
                hints = [hint for hint in (hints if first else wrong.hints) if idea(hint) in fit]
                first = first or wrong
                if not hints:
                    break
    except Wrong as wrong:
        return str(wrong)
    except OutOfTime:
        return first.said(first.otherwise) if first else out_of_time(SECONDS)
    except Exception as error:  # an answer of a shape that the test did not expect
        kind = f"{type(error).__name__}: {error}"
        otherwise = f"something of another form is asked for ({kind})."
        return (first or Wrong(happened="; ".join(function.made))).said(otherwise)
    return first.said(hints[0] if hints else first.otherwise) if first else ""


def idea(hint):
    """Return a hint without the numbers of one case."""
    return re.sub(r"\d+(\.\d+)?", "", hint)


def out_of_time(seconds):
    """Return what to say of a function that was stopped."""
    return f"stopped after {seconds:g} seconds: is there a loop that never ends?"


# --- calling what students wrote ------------------------------------------------------------------


NO_STUDENT = "put your name or number into STUDENT at the top, and run that cell."


def found(question, namespace):
    """Return a question's function in a notebook, ready to be tested there."""
    if question.draw and not str(namespace.get("STUDENT") or "").strip():
        raise Wrong(NO_STUDENT)
    return Call(question, lambda arguments: called(namespace.get(question.name), arguments))


class Call:
    """A student's function: how it is called, and its failures in words.

    `ask` takes arguments and returns what `called` does. `shown` is the last call as it would be
    written, `made` the calls of one case with what they gave, `changed` says whether the last one
    changed its arguments, `right` has the answers if known.
    """

    def __init__(self, question, ask, right=None, most=60):
        self.name, self.nothing, self.ask = question.name, question.nothing, ask
        self.right, self.most, self.shown, self.changed = right, most, question.name, False
        self.made = []

    def __call__(self, *arguments):
        return self.take(arguments, self.ask(arguments))

    def take(self, arguments, outcome):
        """Return the answer in an outcome, or say what was wrong."""
        inside = ", ".join(shortened(argument, self.most) for argument in arguments)
        self.shown = f"{self.name}({inside})"
        if "error" in outcome:
            raise self.failure(*outcome["error"])
        self.changed = outcome["changed"]
        value = outcome["value"]
        if value is None and not self.nothing:
            raise Wrong("is a `return` missing?", happened=f"{self.shown} gives None")
        self.made.append(f"{self.shown} gives {written(value, None)}")
        return value

    def failure(self, kind, text):
        """Return in words that a call ended with an error."""
        if kind == "missing":
            return Wrong(
                f"there is no `{self.name}`: either the cell above was not run, or it stopped with "
                "an error."
            )
        if kind == "NotImplementedError":
            return Wrong("not written yet.")
        if kind == "RecursionError":
            return Wrong("where does it stop?", happened=f"{self.shown} calls itself for ever")
        return Wrong(happened=f"{self.shown} stops with {kind}: {text}")


def called(function, arguments):
    """Call a student's function with copies; return its plain answer, or the error.

    >>> called(lambda a, b: a / b, (1, 4))
    {'value': 0.25, 'changed': False}
    >>> called(lambda a, b: a / b, (1, 0))
    {'error': ['ZeroDivisionError', 'division by zero']}
    """
    if function is None:
        return {"error": ["missing", ""]}
    given = copy.deepcopy(arguments)
    try:
        value = plain(function(*given))
        left = plain(given)
    except (Exception, SystemExit) as error:
        return {"error": [type(error).__name__, str(error)[:300]]}
    return {"value": value, "changed": left != arguments and not same(left, arguments)}


@dataclass(frozen=True)
class Odd:
    """Stands for an answer that is neither a number, nor text, nor made of them."""

    kind: str

    def __repr__(self):
        return f"<{self.kind}>"


def plain(value):
    """Return a value made of Python's own types only.

    What counts as a number becomes one, arrays, generators and views become lists.

    >>> plain((np.float64(0.5), np.arange(2), {"a": (n for n in "xy")}))
    (0.5, [0, 1], {'a': ['x', 'y']})
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) in PLAIN:
        return PLAIN[type(value)](value)
    for kind, make in PLAIN.items():
        if isinstance(value, kind):
            return make(value)
    if hasattr(value, "tolist"):  # NumPy, and what is built on it
        return plain(value.tolist())
    if isinstance(value, Iterable):
        return list(map(plain, itertools.islice(value, MOST)))
    return Odd(type(value).__name__)


PLAIN = {
    bool | np.bool_: bool,
    str: str,
    numbers.Integral: int,
    numbers.Real | Decimal: float,
    Mapping: lambda value: {plain(key): plain(value[key]) for key in value},
    tuple: lambda value: tuple(map(plain, value)),
    list: lambda value: list(map(plain, value)),
    set | frozenset: lambda value: frozenset(map(plain, value)),
}


@contextlib.contextmanager
def silence():
    """Swallow what is printed."""
    nowhere = io.StringIO()
    printed, complained = contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere)
    with printed, complained, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def at_most(seconds):
    """Stop what runs inside after so much time of the processor, or of waiting.

    Windows has no such clocks: there it runs on.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def ring(*_):
        raise OutOfTime

    clocks = (signal.ITIMER_PROF, signal.SIGPROF, 1), (signal.ITIMER_REAL, signal.SIGALRM, WAITING)
    handlers = [signal.signal(rings, ring) for _, rings, _ in clocks]
    # They ring again and again, should one be caught.
    outer = [signal.setitimer(clock, times * seconds, times * 0.5) for clock, _, times in clocks]
    try:
        yield
    finally:
        for (clock, rings, _), left, handler in zip(clocks, outer, handlers, strict=True):
            signal.setitimer(clock, *left)
            signal.signal(rings, handler)


def watch_imports():
    """Refuse to import into the notebook what would do the exercise."""
    original = builtins.__import__
    if getattr(original, "watches", False):
        return

    def watching(name, *rest, **named):
        caller = sys._getframe().f_back  # none where an extension imports
        if caller and caller.f_globals.get("__name__") == "__main__":
            package = name.split(".")[0]
            if package in FORBIDDEN:
                raise ImportError(f"{package} is not allowed here: the exercise is to write it.")
        return original(name, *rest, **named)

    watching.watches = True
    builtins.__import__ = watching


# --- comparing -----------------------------------------------------------------------------------

ROUNDED = "it is right but for rounding: return the number as it is, in full precision."


def number(found, shown):
    """Return an answer as a float, or say why it is none."""
    if isinstance(found, bool) or not isinstance(found, numbers.Real):
        raise Wrong("a number is asked for.", happened=f"{shown} gives a {kind(found)}")
    return float(found)


def kind(found):
    """Return what an answer is, in a word."""
    return found.kind if isinstance(found, Odd) else type(found).__name__


def near(one, other, tolerance=1e-6):
    """Say whether two numbers are equal but for rounding."""
    try:
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # a whole number beyond all floats
        return one == other


def rounded(found, right):
    """Say whether a wrong number is the right one, rounded or in less than full precision."""
    one, other = plain(found), plain(right)
    if not all(isinstance(n, int | float) and math.isfinite(n) for n in (one, other)) or not one:
        return False
    return any(one == round(other, n) for n in range(1, 7)) or near(one, other, 2e-5)


def expect(found, right, shown, hints=(), tolerance=1e-6):
    """Compare an answer with the right one; known mistakes are pairs of (value, explanation)."""
    found = number(found, shown)
    if near(found, right, tolerance):
        return
    happened = f"{shown} gives {written(found, right)}, and {written(right, found)} is right"
    if math.isnan(found):
        raise Wrong("is there a 0/0, or a 0 times log 0?", happened=happened)
    fit = [text for value, text in hints if value is not None and near(found, value)]
    raise Wrong("", fit or [ROUNDED] * rounded(found, right), happened)


def expect_same(found, right, shown, text, hints=()):
    """Compare answers that are not single numbers; the text says what to look for."""
    if not same(found, right):
        happened = f"{shown} gives {written(found, right)}, and {written(right, found)} is right"
        raise Wrong(text, [why for value, why in hints if same(found, value)], happened)


def written(value, other):
    """Return a value with four digits for each number, or all of them if it would look like other.

    >>> written([1, 1 / 3], None), written(1.0, None), written(1 / 3, 0.3333)
    ('[1, 0.3333]', '1', '0.3333333333333333')
    """
    if brief(value) == brief(other):
        return shortened(value)
    return f"{value:.4g}" if type(value) is float else shortened(brief(value))


def brief(value):
    """Return a plain value whose numbers have four digits."""
    if isinstance(value, dict):
        return {key: brief(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(brief, value))
    return float(f"{value:.4g}") if type(value) is float else value


def same(one, other):
    """Say whether two plain answers are equal: numbers but for rounding, lists and tuples alike."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, numbers.Real) and isinstance(other, numbers.Real):
        return near(one, other) or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and one == other


def shortened(value, most=60):
    """Return a value as it would be written, not longer than a line."""
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def between(low, high):
    """Return a form for `numbers`: a number from low to high."""

    def possible(found):
        if isinstance(found, bool) or not isinstance(found, numbers.Real):
            return f"is a {kind(found)}; a number is asked for."
        if not low <= found <= high:
            return f"is {found:.4g}; it must lie between {low:g} and {high:g}."
        return None

    return possible


def one_of(choices):
    """Return a form for `numbers`: one of the given values."""
    return lambda found: None if found in choices else f"is {found!r}; choose from {choices}."


def seed(student):
    """Return a random generator that a student's name or number decides."""
    return np.random.default_rng(zlib.crc32(str(student).strip().lower().encode()))


# --- inputs by chance ----------------------------------------------------------------------------

INPUTS = 500  # on how many a function must agree with ours

# Values as tables have them: words inside words, longer ones that come first in the alphabet,
# capitals, blanks, signs, what Python takes for false, and the keys of our trees.
ODD = (
    ["a", "aa", "aaa", "aab", "b"],
    ["zoo", "of", "figs", "b"],
    ["Sun", "sun", "SUN", " sun", "sun "],
    ["", "?", "0", "None"],
    list("abcdefghijkl"),
    ["attribute", "branches", "majority"],
)
FALSE = ([0, 1, 2], [False, True], [-1, 0, 1])


def seldom(random, often=0.1):
    """Decide to make something odd or large: small inputs find ties, zeros and empty lists."""
    return random.random() < often


def some_odd(random):
    """Return odd values as tables have them."""
    kinds = [*ODD, *FALSE]
    return kinds[random.integers(len(kinds))]


def some_cases(random, most):
    """Return a number of cases: now and then enough for small differences, or to fill a byte."""
    return 700 if seldom(random, 0.03) else int(random.integers(1, most + 1))


def some_words(random, n, letters="abc", often=0.1):
    """Return words, of few kinds."""
    odd = ODD[random.integers(len(ODD))]
    few = list(letters)[: random.integers(1, len(letters) + 1)]
    return random.choice(odd if seldom(random, often) else few, n).tolist()


def some_columns(random, names, n, letters=("abcd",)):
    """Return columns of words, {name: [n]}; of many cases they may be nearly the same."""
    kinds = [letters[random.integers(len(letters))] for _ in names]
    columns = {k: some_words(random, n, kind) for k, kind in zip(names, kinds, strict=True)}
    if n > 100 and seldom(random, 0.5):
        first, *others = columns
        for place, name in enumerate(others):
            columns[name] = [*columns[first]]
            columns[name][place] = columns[first][-1]
    return columns


def some_counts(random, n):
    """Return counts with at least one case: many are 0 or equal, or some in the thousands."""
    if seldom(random):
        return [1, *random.choice([0, 1, 7, 70_000], n + 6).tolist()]
    counts = random.integers(0, random.integers(2, 10), n).tolist()
    return counts if sum(counts) else [1, *counts[1:]]


def some_table(random):
    """Return a table with at least one case; in one that is large, a value may have nearly all."""
    if seldom(random):
        rows, classes = random.integers(1, 13), random.integers(1, 10)
        weights = random.choice([1, 5000], (rows, 1))
        weights[: (rows - 1) * seldom(random, 0.5)] = 1
        return [[1] * classes, *(random.integers(0, 9, (rows, classes)) * weights).tolist()]
    rows, classes = random.integers(1, 5, 2)
    table = random.integers(0, random.integers(2, 9), (rows, classes)).tolist()
    return table if sum(map(sum, table)) else [[1] * classes, *table]


@cache
def _close(score, is_nested):
    n = 100

    def table(a, b):
        return [[a, b], [n - a, n - b]]

    tables = [table(a, b) for a in range(1, n) for b in range(1, a)]
    scored = sorted((score(one), one) for one in tables)
    pairs = [
        (worse, better)
        for (low, worse), (high, better) in itertools.pairwise(scored)
        if 1e-8 < high - low < 1e-6
    ]
    if is_nested:  # with the values exchanged, too, the score is the same
        pairs += [(worse, better[::-1]) for worse, better in pairs]
        pairs = [(w, b) for w, b in pairs if all(map(operator.le, w[0], b[0]))]
    return pairs


def some_close_tables(random, score, is_nested=False):
    """Return two tables of 200 cases, the better one second, whose scores hardly differ.

    Nested, the first value of the worse one is a part of that of the better one.
    """
    pairs = _close(score, is_nested)
    return pairs[random.integers(len(pairs))]


def as_column(table, values="xy"):
    """Return the value of each case of a table, the cases class by class."""
    columns = zip(*table, strict=True)
    return [v for column in columns for v, n in zip(values, column, strict=True) for _ in range(n)]


def some_close_cuts(random, score):
    """Return numbers and classes of which two cuts gain nearly the same, the higher one more."""
    worse, better = some_close_tables(random, score, is_nested=True)
    between = [b - a for a, b in zip(worse[0], better[0], strict=True)]
    values = as_column([worse[0], between, better[1]], [1, 2, 3])
    return values, ["a"] * 100 + ["b"] * 100


def some_numbers(random):
    """Return numbers: equal, whole, rounded, many, close together or far apart."""
    n = random.integers(1, 11)
    if seldom(random, 0.05):
        return random.normal(0, 5, 250).round(3).tolist()
    if seldom(random):
        steps = [-3, -1, 1, 3] if seldom(random, 0.5) else range(-3, 4)
        some = random.choice(steps, 5 * n) * random.choice([1e-9, 1e-5, 0.5, 20_000])
        return (some + random.choice([0, 2**30])).tolist()  # as seconds since 1970 are
    if seldom(random, 0.5):
        return random.integers(0, random.integers(1, 9), n).tolist()
    return random.normal(0, 5, n).round(1).tolist()


class Case(NamedTuple):
    """A call that goes wrong, what it does, and what is right."""

    shown: str
    found: str
    right: str

    def __str__(self):
        return f"{self.shown} {self.found}, and {self.right} is right."


def inputs(assignment, question, count=INPUTS, seed=1):
    """List arguments within the wording of a question, with the right answers, drawn by chance."""
    random = np.random.default_rng(seed)
    make, right = assignment.inputs[question.name], assignment.reference[question.name]
    drawn = [plain(make(random)) for _ in range(count)]
    return [(arguments, plain(right(*arguments))) for arguments in drawn]


def differences(assignment, question, known, outcomes, most=300):
    """List as cases where outcomes, as `called` gives them, differ from what is known to be right.

    There are none for a function that is not there, or not written yet.
    """
    form = assignment.forms.get(question.name, lambda value: value)
    cases = []
    for (arguments, right), outcome in zip(known, outcomes, strict=True):
        if outcome.get("error", [""])[0] in ("missing", "NotImplementedError"):
            return []
        f, value = Call(question, None, most=most), outcome.get("value")
        try:
            f.take(arguments, outcome)
        except Wrong as wrong:
            found = wrong.happened.removeprefix(f.shown).strip()
        else:
            if not f.changed and alike(form, value, right):
                continue
            found = CHANGES if f.changed else f"gives {written(value, right)}"
        cases.append(Case(f.shown, found, written(right, value)))
    return cases


def alike(form, value, right):
    """Say whether two answers are the same but for what a question leaves open."""
    try:
        return same(form(value), form(right))
    except Exception:
        return False
