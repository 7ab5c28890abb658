"""What the checks of all assignments need: questions, points, hints, time limits.

An assignment keeps two modules beside its notebook. `visible.py` goes to the students: it holds the
tests and data to try them on. `hidden.py` stays with the teacher: it holds other data for the same
tests, and the functions that the questions ask for. Where `hidden` can be imported, a check grades
with its data and returns points; elsewhere it is a self-check with the visible data.

While one question is graded, the functions of all other questions are the teacher's, so that an
error costs its points once.
"""

import builtins
import contextlib
import copy
import importlib
import io
import math
import numbers
import signal
import sys
import textwrap
import threading
import warnings
import zlib

import numpy as np

SECONDS = 2.0  # the time that one test may take
FORBIDDEN = {"dtreebook", "sklearn", "scipy", "hidden"}  # what a notebook may not import


class Wrong(Exception):
    """What a test found, in words for the student."""


class OutOfTime(BaseException):
    """The time of a test is over; not an Exception, so that a student's `except` lets it pass."""


# --- questions -----------------------------------------------------------------------------------


class Test:
    """One property that a solution should have, and what it is worth."""

    def __init__(self, name, points, run, data):
        self.name, self.points, self.run, self.data = name, points, run, data


class Question:
    """One graded question: a function to write, or numbers to find, and the tests of it."""

    def __init__(self, name, find, has_data):
        self.name, self.find, self.has_data, self.tests = name, find, has_data, []

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
                raise Wrong(
                    f"{f.shown} changes the lists or dictionaries that it is given. Whoever calls "
                    "it still needs them: work on a copy."
                )


class Assignment:
    """The questions of one assignment, and the check that its notebook calls."""

    def __init__(self, name):
        self.name, self.questions, self.reference, self.other_data = name, {}, {}, {}
        self.grading = False

    def function(self, name, nothing=False):
        """Add a question that asks for a function; `nothing`: the function may return None."""

        def find(namespace, grading):
            return Call(name, written(namespace, name), grading, nothing)

        return self._add(Question(name, find, has_data=True))

    def numbers(self, name, answers, draw):
        """Add a question that asks for numbers about data drawn from the student's name.

        They are what a function without arguments returns, by name. `answers` has points for each,
        and a function that says what keeps a value from being one: more a self-check cannot say
        without giving the answer away. In grading, the hidden function of the question's name
        computes them from what `draw` gives for the student.
        """

        def find(namespace, grading):
            student = str(namespace.get("STUDENT") or "").strip()
            if not student:
                raise Wrong("put your name or number into STUDENT at the top, and run that cell.")
            call = Call(name, written(namespace, name), grading)
            call.right = self.reference[name](*draw(student)) if grading else None
            return call

        question = self._add(Question(name, find, has_data=False))
        for answer, (points, complain) in answers.items():

            @question.test(answer, points, [()])
            def run(f, answer=answer, complain=complain):
                found = f()
                if not isinstance(found, dict) or answer not in found:
                    raise Wrong(f"{f.shown} must return a dictionary with the key {answer!r}.")
                if complaint := complain(found[answer]):
                    raise Wrong(f"{answer} {complaint}")
                if f.right and not same(found[answer], f.right[answer]):
                    raise Wrong(f"{answer} is not what follows from the data of this STUDENT.")

    def _add(self, question):
        self.questions[question.name] = question
        return question

    def hidden(self, reference, data):
        """Take the teacher's functions, and data by question and test: from now on, grade."""
        self.reference, self.other_data, self.grading = reference, data, True

    def ready(self):
        """Load the hidden tests if they are here, watch imports, and return the check.

        They are loaded when the notebook begins: a cell that deletes files later comes too late.
        """
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module("hidden")
        watch_imports()
        return self.check

    def check(self, name):
        """Check one question in the notebook that calls; in grading, return its points."""
        question = self.questions[name]
        namespace = sys._getframe(1).f_globals
        if not self.grading:
            print(self._self_check(question, namespace))
            return None
        results = self.grade(question, namespace)
        earned = sum(points for _, points, _ in results)
        print(f"{name}: {earned:g} of {question.points:g} points")
        for test, points, message in results:
            print(line(f"{points:g} of {test.points:g}", test, message))
        return float(earned)

    def grade(self, question, namespace):
        """Return a list of (test, points, message) for what the namespace has for a question."""
        others = {name: f for name, f in self.reference.items() if name != question.name}
        with replaced(namespace, others):
            results = []
            for test in question.tests:
                data = self.other_data.get((question.name, test.name), test.data)
                message = tried(test, data, question, namespace, grading=True)
                results.append((test, 0 if message else test.points, message))
        return results

    def _self_check(self, question, namespace):
        lines, wrong = [f"{question.name}: what the self-check found"], 0
        for test in question.tests:
            message = tried(test, test.data, question, namespace, grading=False)
            wrong += bool(message)
            lines.append(line("look" if message else "fine", test, message))
        if not wrong:
            lines.append("Nothing wrong found with this data. Grading looks at other data as well.")
        return "\n".join(lines)


def line(mark, test, message):
    """Return what to print of a test, with the message below it, no wider than a page."""
    below = textwrap.fill(message, 88, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return f"  {mark}  {test.name}" + (below and f"\n{below}")


# --- running what students wrote -----------------------------------------------------------------


class Call:
    """A student's function: called with copies, and its failures put into words."""

    def __init__(self, name, function, grading, nothing=False):
        self.name, self.function, self.grading, self.nothing = name, function, grading, nothing
        self.shown, self.changed = name, False

    def __call__(self, *arguments):
        given = copy.deepcopy(arguments)
        inside = "..." if self.grading else ", ".join(shortened(a) for a in arguments)
        self.shown = f"{self.name}({inside})"
        try:
            result = self.function(*given)
        except NotImplementedError:
            raise Wrong("not written yet.") from None
        except RecursionError:
            raise Wrong(f"{self.shown} calls itself for ever: where does it stop?") from None
        except (Exception, SystemExit) as error:
            raise Wrong(
                f"{self.shown} stops with {type(error).__name__}: {str(error)[:300]}"
            ) from None
        self.changed = not same(given, arguments)
        if result is None and not self.nothing:
            raise Wrong(f"{self.shown} gives None: is a `return` missing?")
        return result


def written(namespace, name):
    """Return what the notebook has under a name, or say that it has nothing."""
    if namespace.get(name) is None:
        raise Wrong(
            f"there is no `{name}`: either the cell above was not run, or it stopped with an error."
        )
    return namespace[name]


def tried(test, data, question, namespace, grading):
    """Return what a test says to a student, nothing if it is content."""
    try:
        with silence(), at_most(SECONDS):
            found = question.find(namespace, grading)
            for arguments in data:
                test.run(found, *arguments)
    except Wrong as wrong:
        return str(wrong)
    except OutOfTime:
        return f"stopped after {SECONDS:g} seconds: is there a loop that never ends?"
    except Exception as error:  # an answer of a shape that the test did not expect
        return f"gives something of another form than asked for ({type(error).__name__}: {error})."
    return ""


@contextlib.contextmanager
def silence():
    """Swallow what is printed: nbgrader takes all points if anything goes to stderr."""
    nowhere = io.StringIO()
    printed, complained = contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere)
    with printed, complained, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def replaced(namespace, others):
    """Put the teacher's functions into a namespace for a while."""
    before = {name: namespace[name] for name in others if name in namespace}
    namespace.update(others)
    try:
        yield
    finally:
        for name in others:
            namespace.pop(name, None)
        namespace.update(before)


@contextlib.contextmanager
def at_most(seconds):
    """Stop what runs inside when its time is over. Windows has no such clock: there it runs on."""
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def ring(*_):
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)  # again and again, should one be caught
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def watch_imports():
    """Refuse to import into the notebook what would do the exercise."""
    original = builtins.__import__
    if getattr(original, "watches", False):
        return

    def watching(name, *rest, **named):
        if sys._getframe(1).f_globals.get("__name__") == "__main__":
            package = name.split(".")[0]
            if package in FORBIDDEN:
                raise ImportError(f"{package} is not allowed here: the exercise is to write it.")
        return original(name, *rest, **named)

    watching.watches = True
    builtins.__import__ = watching


# --- comparing -----------------------------------------------------------------------------------


def number(found, shown):
    """Return an answer as a float, or say why it is none."""
    if isinstance(found, np.ndarray) and found.ndim == 0:
        found = found.item()
    if isinstance(found, bool | np.bool_) or not isinstance(found, numbers.Real):
        raise Wrong(f"{shown} gives a {type(found).__name__}; a number is asked for.")
    return float(found)


def near(one, other, tolerance=1e-6):
    """Say whether two numbers are equal but for rounding."""
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def expect(found, right, shown, hints=(), tolerance=1e-6):
    """Compare an answer with the right one; known mistakes are pairs of (value, explanation)."""
    found = number(found, shown)
    if near(found, right, tolerance):
        return
    for value, text in hints:
        if value is not None and near(found, value, tolerance):
            raise Wrong(f"{shown} gives {found:.4g}: {text}")
    if math.isnan(found):
        raise Wrong(f"{shown} is NaN, not a number: is there a 0/0, or a 0 times log 0?")
    raise Wrong(f"{shown} gives {found:.4g}, which is too {'high' if found > right else 'low'}.")


def expect_same(found, right, shown, text, hints=()):
    """Compare answers that are not single numbers; the text says what to look for."""
    if same(found, right):
        return
    for value, why in hints:
        if same(found, value):
            raise Wrong(f"{shown}: {why}")
    raise Wrong(f"{shown}: {text}")


def same(one, other):
    """Say whether two answers are equal: numbers but for rounding, lists and tuples alike."""
    if isinstance(one, np.ndarray):
        one = one.tolist()
    if isinstance(one, np.generic):
        one = one.item()
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
    """Return a form for `check_numbers`: a number from low to high."""

    def possible(found):
        if isinstance(found, bool | np.bool_) or not isinstance(found, numbers.Real):
            return f"is a {type(found).__name__}; a number is asked for."
        if not low <= found <= high:
            return f"is {found:.4g}; it must lie between {low:g} and {high:g}."
        return None

    return possible


def one_of(choices):
    """Return a form for `check_numbers`: one of the given values."""
    return lambda found: None if found in choices else f"is {found!r}; choose from {choices}."


def seed(student):
    """Return a random generator that a student's name or number decides."""
    return np.random.default_rng(zlib.crc32(str(student).strip().lower().encode()))
