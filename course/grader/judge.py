"""Judge one notebook: run it apart, try its functions on data it cannot know, give points.

The student's code runs in a sandbox (`sandbox.py`), where `student.py` takes cells and arguments
and returns plain answers. A question is tried with the student's own functions, and with ours in
the place of those earlier ones that are wrong or spoiled; what is best for the student counts. A
function that leads back to the question is never replaced: else two questions could answer each
other.
"""

import ast
import contextlib
import importlib
import inspect
import json
import os
import re
import select
import sys
import tempfile
import time
from types import CodeType

from checks import (
    CHANGES,
    NO_STUDENT,
    SECONDS,
    WAITING,
    Call,
    OutOfTime,
    at_most,
    differences,
    inputs,
    line,
    out_of_time,
    plain,
    same,
    shortened,
    silence,
    tried,
)
from IPython.core.inputtransformer2 import TransformerManager
from nbformat.v4 import new_output

from course.grader import sandbox
from course.grader.student import MOST_BYTES, Line, packed, unpacked
from course.grader.submissions import clean, is_picture

MODULES = ("visible", "hidden")
BESIDE = ("visible.py", "checks.py")  # what lies beside a student's notebook

CELL_SECONDS = 10  # of the processor, as SECONDS and INPUT_SECONDS
NOTEBOOK_SECONDS = 600  # by the clock; after these, what is left of a notebook is not run
REPLY_SECONDS = 30  # by the clock, for what takes no time unless the machine is busy
INPUT_SECONDS = 10  # for all inputs by chance
SHORTER = 0.25  # for a test of a function that has had no end in one before
DIFFERS = "a function that is wrong on other data loses half of its question, or more."
MOST_SHOWN = 300  # the characters of an input that feedback shows
MOST_OUTPUT = 10_000_000  # the characters of all that a notebook's own cells show
DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef  # what has a docstring
ENDS = "it ends Python: let it return."
TOO_LONG = "not tried: the notebook as a whole took too long."
MALFORMED = AttributeError, LookupError, TypeError, ValueError, RecursionError  # of a reply
NOT_GRANTED = {"error": "it is a question of its own"}  # for who asks for the answer itself


def assignment_in(folder):
    """Load an assignment, the hidden tests included, from its source folder."""
    sys.path.insert(0, str(folder))
    kept = {name: sys.modules.pop(name, None) for name in MODULES}
    try:
        assignment = importlib.import_module("visible").assignment
        importlib.import_module("hidden")
    finally:
        sys.path.remove(str(folder))
        for name, module in kept.items():
            sys.modules.pop(name, None)
            if module:
                sys.modules[name] = module
    return assignment


class Ended(BaseException):
    """The student's process "died", or its "time" was over: no Exception, which tests may raise."""


class Pipe(Line):
    """The judge's end of the line: it waits so long, and takes nothing but what was agreed."""

    def receive(self, seconds):
        data, deadline = bytearray(), time.monotonic() + seconds
        while not data.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.reads], [], [], left)[0]:
                raise Ended("time")
            some = os.read(self.reads, 1 << 16)
            data += some
            if not some or len(data) > MOST_BYTES + 100:
                raise Ended("died")
        try:
            message = json.loads(data)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or "ended" in message:
            reason = message.get("ended") if isinstance(message, dict) else ""
            raise Ended("time" if reason == "time" else "died")
        return message


class Student(contextlib.AbstractContextManager):
    """A student's notebook, running apart: `Ended` is raised by all that may end it."""

    def __init__(self, files, accept_unprotected=False):
        self.files, self.accept = files, accept_unprotected
        self.process = self.folder = None

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Begin a new session, in a new sandbox if need be."""
        self.stop()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = sandbox.start(self.folder.name, self.files, self.accept)
        self.pipe = Pipe(self.process.stdout.fileno(), self.process.stdin.fileno())
        try:
            self.pipe.receive(60)
            self.ask(REPLY_SECONDS, session=True)
        except Ended:
            raise OSError("the sandbox did not start.") from None

    def stop(self):
        """End whatever runs."""
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, 9)
            self.process.communicate()
            self.folder.cleanup()
            self.process = None

    def ask(self, seconds, /, **message):
        try:
            self.pipe.send(**message)
        except BrokenPipeError:
            raise Ended("died") from None
        return self.pipe.receive(seconds)

    def run(self, code):
        limits = CELL_SECONDS, WAITING * CELL_SECONDS
        reply = self.ask(limits[1] + 5, cell=code, seconds=limits)
        try:
            return list(map(output, reply.get("outputs", ())))
        except MALFORMED:
            raise Ended("died") from None

    def restore(self):
        self.ask(REPLY_SECONDS, restore=True)

    def value(self, name):
        return str(self.ask(REPLY_SECONDS, value=name).get("value", ""))

    @contextlib.contextmanager
    def trial(self, question, ours, answer, seconds):
        """Give a function that calls a question's function in a process that is thrown away."""
        limits = seconds, WAITING * seconds
        self.ask(REPLY_SECONDS, trial=sorted(ours), seconds=limits)
        deadline = time.monotonic() + limits[1] + 3

        def call(batch):
            message = {"call": question, "batch": packed(batch)}
            try:
                reply = self.ask(deadline - time.monotonic(), **message)
                while "ask" in reply:
                    granted = answer(reply) if reply["ask"] in ours else NOT_GRANTED
                    reply = self.ask(deadline - time.monotonic(), **granted)
                return [outcome(one) for one in reply["outcomes"]]
            except MALFORMED:
                raise Ended("died") from None

        yield call  # where it raises Ended, nobody is there to be told
        with contextlib.suppress(Ended):
            self.ask(REPLY_SECONDS, done=True)

    def alive(self):
        try:
            return "value" in self.ask(5, value="STUDENT")
        except Ended:
            return False


def outcome(reply):
    if "error" in reply:
        kind, text = reply["error"]
        return {"error": [clean(kind)[:60], clean(text)[:300]]}
    return {"value": unpacked(reply["value"]), "changed": bool(reply["changed"])}


def output(reply):
    """Return an output of a cell, checked: only text and pictures."""
    if reply.get("output_type") == "display_data":
        data = {kind: clean(of) for kind, of in reply["data"].items() if kind == "text/plain"}
        picture = reply["data"].get("image/png")
        if is_picture("image/png", picture):
            data["image/png"] = picture
        return new_output("display_data", data)
    if reply.get("output_type") == "error":
        return failure(clean(reply["ename"]), clean(reply["evalue"]))
    return new_output("stream", text=clean(reply.get("text", "")))


def failure(kind, text):
    return new_output("error", ename=kind, evalue=text, traceback=[f"{kind}: {text}"])


def leading_to(sources):
    """Return {name: the names that its code mentions, directly or through others}."""
    mentions = {}
    for source in sources:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            code = re.sub(r"\A\s*%%.*\n", "", source)
            for statement in ast.parse(TransformerManager().transform_cell(code)).body:
                for name in defined(statement):
                    mentions.setdefault(name, set()).update(mentioned(statement) - {name})
    reached = {}
    for name in mentions:
        reached[name], new = set(), {name}
        while new:
            new = set().union(*(mentions.get(one, ()) for one in new)) - reached[name]
            reached[name] |= new
    return reached


def defined(statement):
    """List the names that a statement of a cell gives a meaning."""
    if isinstance(statement, DEFINITIONS):
        return [statement.name]
    inside = list(ast.walk(statement))
    stored = (node for node in inside if isinstance(node, ast.Name))
    names = [node.id for node in stored if isinstance(node.ctx, ast.Store)]
    return names + [node.name for node in inside if isinstance(node, ast.FunctionDef)]


def mentioned(statement):
    """Return the names from elsewhere in a statement, and those in texts that could be code."""
    for node in ast.walk(statement):
        if isinstance(node, DEFINITIONS) and ast.get_docstring(node, clean=False) is not None:
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
    module, found = ast.Module([statement], []), set()
    parts = [compile(module, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)]
    for part in parts:
        if isinstance(part, CodeType):
            found.update(part.co_names)
            parts.extend(part.co_consts)
        elif isinstance(part, tuple | frozenset):
            parts.extend(part)
        elif isinstance(part, str) and (part.isidentifier() or "(" in part):
            found.update(re.findall(r"\w+", part))
    return found


class Judge:
    """One notebook before its judge: `cells` are dictionaries of index, id, source, check, ours."""

    def __init__(self, cells, assignment, student):
        self.cells, self.assignment, self.student = cells, assignment, student
        self.outputs, self.results, self.ended, self.room = {}, {}, {}, MOST_OUTPUT
        self.cases = {}  # the shortest that goes wrong, by question
        self.deadline = time.monotonic() + NOTEBOOK_SECONDS
        self.reached = leading_to(cell["source"] for cell in cells if not cell["check"])

    def judge(self):
        """Run the notebook; return (outputs by cell, results by question)."""
        with silence(), contextlib.suppress(Ended):
            self.student.start()
            for place, cell in enumerate(self.cells):
                if cell["check"]:
                    self.grade(cell)
                else:
                    self.run(place)
            for cell in self.cells:
                name = cell["check"]
                if name and not self.settled(name) and not self.hopeless(name):
                    self.grade_alone(cell)
        for cell in self.cells:
            if cell["check"]:
                self.outputs[cell["index"]] = self.points(cell["check"])
        return self.outputs, self.results

    def run(self, place):
        """Run a cell; one that ends Python or its time is left out, and the rest is run again."""
        cell = self.cells[place]
        if time.monotonic() > self.deadline:
            raise Ended("time")
        try:
            shown = self.student.run(cell["source"])
            self.room -= len(json.dumps(shown))
            if self.room <= 0:
                said = "Left out: the cells of this notebook show too much.\n"
                shown = [new_output("stream", text=said)]
            self.outputs[cell["index"]] = shown
        except Ended as ended:
            self.left_out(cell, ended)
            self.again(self.cells[:place])

    def left_out(self, cell, ended):
        why = (
            f"This cell did not end within {CELL_SECONDS} seconds of work."
            if str(ended) == "time"
            else "This cell ended Python."
        )
        self.ended[cell["index"]] = why
        self.outputs[cell["index"]] = [failure("Left out", f"{why} The others ran without it.")]

    def again(self, cells):
        """Bring a new session to where the last one was; give up on cells that end it again."""
        self.student.start()
        for cell in cells:
            if cell["check"] or cell["index"] in self.ended:
                continue
            if time.monotonic() > self.deadline:
                raise Ended("time")
            try:
                self.student.run(cell["source"])
            except Ended as ended:
                self.left_out(cell, ended)
                self.again(cells)
                return

    def grade(self, check):
        """Try a question with the functions as they are now; keep what is best."""
        question = self.assignment.questions[check["check"]]
        before = self.earlier(question.name)
        wrong = {name for name in before if not self.full(name)}
        if not self.reached.get(question.name, set()) & self.endless():
            self.keep(question, self.attempt(question, set(), check))
        if wrong and not self.full(question.name):
            self.keep(question, self.attempt(question, wrong, check), even_if_equal=True)
        new = question.name not in self.results
        if new or (before != wrong and not self.settled(question.name)):
            self.keep(question, self.attempt(question, before, check))

    def grade_alone(self, check):
        """Try a question with what other cells have left behind put right."""
        question = self.assignment.questions[check["check"]]
        place = self.cells.index(check)
        begin = max((k for k in range(place) if self.cells[k]["check"]), default=-1) + 1
        with contextlib.suppress(Ended):
            self.again(self.cells[:begin])
            self.student.restore()
            for cell in [cell for cell in self.cells[:begin] if cell["ours"]]:
                self.student.run(cell["source"])
            for cell in self.cells[begin:place]:
                if cell["index"] not in self.ended:
                    self.student.run(cell["source"])
            self.keep(question, self.attempt(question, self.earlier(question.name), check))

    def messages(self, name):
        return {message for *_, message in self.results.get(name, ())}

    def endless(self):
        return {name for name in self.results if out_of_time(SECONDS) in self.messages(name)}

    def hopeless(self, name):
        return name in self.endless() or self.messages(name) == {"not written yet."}

    def earlier(self, name):
        names = list(self.assignment.questions)
        before = names[: names.index(name)]
        return {other for other in before if name not in self.reached.get(other, ())}

    def full(self, name):
        return name in self.results and not any(self.messages(name))

    def settled(self, name):
        """Say whether to put ours in the place of right functions is in vain, or unfair.

        Ours answer with copies, which hide that a function changes what it is given.
        """
        return self.full(name) or any(CHANGES in message for message in self.messages(name))

    def keep(self, question, attempt, even_if_equal=False):
        """Keep results that are better than those before."""
        results, case = attempt
        before = self.results.get(question.name)
        better = before is None or earned(results) > earned(before)
        if better or (even_if_equal and earned(results) == earned(before)):
            self.results[question.name], self.cases[question.name] = results, case

    def attempt(self, question, ours, check):
        """Return (test, points, message) for each test, and the shortest wrong `Case`, or None."""
        calls, results, seconds = [], [], SECONDS
        for test in question.tests:
            message = self.guarded(
                check, lambda test=test, most=seconds: self.tried(question, test, ours, calls, most)
            )
            if message == out_of_time(SECONDS):
                seconds = SHORTER
            results.append((test, 0 if message else test.points, message))
        if not question.draw and (why := idle(question.name, calls)):
            results = [(test, 0, message or why) for test, _, message in results]
        ends = {out_of_time(SECONDS), ENDS, TOO_LONG}
        if question.name not in self.assignment.inputs or ends & {m for *_, m in results}:
            return results, None
        said_already = any(CHANGES in message for *_, message in results)
        case = None

        def compare():
            nonlocal case
            case = self.compared(question, ours, CHANGES if said_already else "")
            return f"on other data: {case}\n{DIFFERS}" if case else ""

        message = self.guarded(check, compare)
        return (half_lost(results, message) if message else results), case

    def guarded(self, check, work):
        """Do one test; return its message, also where the student's process ends."""
        if time.monotonic() > self.deadline:
            return TOO_LONG
        try:
            return work()
        except Ended as ended:
            if not self.student.alive():
                self.again(self.cells[: self.cells.index(check)])
            return out_of_time(SECONDS) if str(ended) == "time" else ENDS

    def tried(self, question, test, ours, calls, seconds):
        """Return what a test says, nothing if it is content."""
        data = [*test.data, *self.assignment.other_data.get((question.name, test.name), ())]
        right = None
        if question.draw:
            name = self.student.value("STUDENT").strip()
            if not name:
                return NO_STUDENT
            right = plain(self.assignment.reference[question.name](*question.draw(name)))
        with self.student.trial(question.name, ours, self.answer, seconds) as call:

            def ask(arguments):
                (found,) = call([arguments])
                if "value" in found:
                    calls.append((arguments, found["value"]))
                return found

            return tried(test, data, lambda: Call(question, ask, right, MOST_SHOWN))

    def compared(self, question, ours, forgiven):
        """Return the shortest case by chance where a function differs from ours, None if none."""
        known = drawn(self.assignment, question)
        with self.student.trial(question.name, ours, self.answer, INPUT_SECONDS) as call:
            outcomes = call([arguments for arguments, _ in known])
        if len(outcomes) != len(known):
            raise Ended("died")
        found = differences(self.assignment, question, known, outcomes)
        cases = (case for case in found if case.found != forgiven)
        return min(cases, key=lambda case: len(case.shown), default=None)

    def answer(self, request):
        """Answer for one of our functions that the student's code calls."""
        function = self.assignment.reference[request["ask"]]
        most = len(inspect.signature(function).parameters)
        try:
            with at_most(SECONDS):
                return {"value": packed(plain(function(*unpacked(request["arguments"])[:most])))}
        except (Exception, OutOfTime) as error:
            return {"error": type(error).__name__}

    def points(self, name):
        """Return the outputs of a check: what each test gave, and the sum, which nbgrader takes."""
        question = self.assignment.questions[name]
        missed = [(test, 0, TOO_LONG) for test in question.tests]
        results = self.results.setdefault(name, missed)
        lines = [f"{name}: {earned(results):g} of {question.points:g} points"]
        for test, points, message in results:
            lines.append(line(f"{points:g} of {test.points:g}", test.name, clean(message)))
        total = new_output("execute_result", {"text/plain": repr(float(earned(results)))})
        return [new_output("stream", text="\n".join(lines) + "\n"), total]


def earned(results):
    return sum(points for _, points, _ in results)


def half_lost(results, message):
    """Return results without the points of the first tests, so that at most half is earned."""
    full = sum(test.points for test, *_ in results)
    for place, (test, points, _) in enumerate(results):
        if points and earned(results) > full / 2:
            results[place] = test, 0, message
    return results


def drawn(assignment, question):
    if question.name not in assignment.drawn:
        assignment.drawn[question.name] = inputs(assignment, question)
    return assignment.drawn[question.name]


def idle(name, calls):
    """Say so if a function gives the same to all inputs, or gives an argument back."""
    if len(calls) < 3:
        return ""
    (first, value), *_ = calls
    if all(same(found, value) for _, found in calls):
        return f"{name} gives {shortened(value)} whatever it is given. That earns nothing."
    for place in range(len(first)):
        if all(len(a) > place and same(found, plain(a[place])) for a, found in calls):
            return f"{name} gives back what it is given. That earns nothing."
    return ""


def ready(folder):
    """Load an assignment with all that judging needs, so that forks of this process share it."""
    assignment = assignment_in(folder)
    for name in assignment.inputs:
        drawn(assignment, assignment.questions[name])
    return assignment


def judged(notebook, assignment, files, accept_unprotected=False):
    """Judge a notebook with files beside it; return outputs by cell and results, for JSON."""
    with Student(files, accept_unprotected) as student:
        judge = Judge(code_cells(notebook), assignment, student)
        outputs, results = judge.judge()
    return {
        "outputs": outputs,
        "cases": {name: list(map(clean, case)) for name, case in judge.cases.items() if case},
        "results": {
            name: [[test.name, points, test.points, clean(message)] for test, points, message in of]
            for name, of in results.items()
        },
    }


def code_cells(notebook):
    """List the code cells of a notebook as the judge takes them."""
    cells = []
    for index, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            ours = cell["metadata"].get("nbgrader", {})
            name = ours.get("grade_id", "")
            is_check = ours.get("grade") and not ours.get("solution")
            given = bool(ours) and (ours.get("locked", False) or name == "student")
            check = name.removesuffix("-test") if is_check else ""
            cells.append({"index": index, "source": cell["source"], "check": check, "ours": given})
    return cells
