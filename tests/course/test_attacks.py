"""Attacks on the grader: none earns a point that it should not, and none reaches beyond itself."""

import json
import socket
import subprocess
import time
from pathlib import Path

import coursework
import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from coursework import COURSE, filled, full_points, grade_id, notebook, solved
from tiers import sample

from course.grader import feedback, grade, judge, sandbox, submissions

FILES = [COURSE / "source" / "entropy" / name for name in judge.BESIDE]
FULL = full_points("entropy")
FUNCTIONS = tuple(coursework.assignment("entropy").questions)
ALL = f"for name in {FUNCTIONS}:\n    globals()[name] = "
SOLVED = solved("entropy", "teacher")
WITHOUT_STUDENT = {"student": 'STUDENT = "cheat"'}
NOTHING_SOLVED = WITHOUT_STUDENT | dict.fromkeys(FUNCTIONS, "")


def read():
    """Read the attacks, {kind: {name: code}}."""
    kinds = yaml.safe_load(Path(coursework.__file__).with_name("attacks.yml").read_text("utf-8"))
    for kind, attacks in kinds.items():
        codes = (
            code.replace("ALL ", ALL).replace("FUNCTIONS", str(FUNCTIONS))
            for code in attacks.values()
        )
        yield kind, dict(zip(attacks, codes, strict=True))


ATTACKS = dict(read())
FOR_POINTS, LEFTOVERS, ENDLESS, REACHING = (
    ATTACKS[of] for of in ("for points", "left behind", "without end", "reaching")
)


def handed_in(codes, *extra):
    place = 1 + [grade_id(cell) for cell in notebook("entropy").cells].index("setup")
    return filled(notebook("entropy", "release"), codes, extra=[(place, e) for e in extra[::-1]])


def judged(codes, *extra):
    """Judge a notebook in its sandbox; return {(question, test): points}, and what was printed."""
    made = handed_in(codes, *extra)
    result = judge.judged(made, coursework.assignment("entropy"), FILES)
    points = coursework.by_test(result["results"])
    own = [of for at, of in result["outputs"].items() if not grade_id(made.cells[int(at)])]
    shown = ["".join(one.get("text", "") or one.get("evalue", "") for one in of) for of in own]
    return {key: earned for key, (earned, *_) in points.items()}, shown


def lost(points):
    return {question for (question, test), some in points.items() if some < FULL[question, test]}


def identified(made):
    submission = submissions.Submission("x", "entropy_x.ipynb")
    submissions.identify(submission, made, {"entropy": notebook("entropy", "release")})
    return submission


@pytest.mark.slow
@pytest.mark.parametrize("attack", sample(FOR_POINTS, quick=1))
def test_no_trick_earns_a_point(attack):
    points, _ = judged(NOTHING_SOLVED, FOR_POINTS[attack])
    assert {key: earned for key, earned in points.items() if earned} == {}
    assert points.keys() == FULL.keys()


def test_answers_in_a_circle_earn_nothing_where_nothing_else_is_solved():
    found = coursework.run("entropy", NOTHING_SOLVED | ATTACKS["in a circle"], seconds=0.25)
    assert {key for key, (points, _) in found.items() if points} == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "said"),
    [("globals()", "globals("), ("vars(__import__('__main' + '__'))", "__import__, vars(")],
)
def test_a_circle_whose_names_are_hidden_is_pointed_out(names, said):
    """What it earns is what leaving the first question open would: the second may call ours."""
    call = names + "['{}' + '{}'](table)"
    one, other = call.format("mutual_", "information"), call.format("information", "_gain")
    codes = {
        "information_gain": f"def information_gain(table):\n    return {one}",
        "mutual_information": f"def mutual_information(table):\n    return {other}",
    }
    points, _ = judged(codes | WITHOUT_STUDENT)
    assert {name for (name, _), earned in points.items() if earned} <= {"mutual_information"}
    assert f"read it yourself: it mentions {said}" in identified(handed_in(codes)).notes[0]


# What stands above the attacks on the sandbox, beside PLACES, HOME and PORT.
TELL = """
import contextlib, ctypes, os, socket, subprocess, sys, time
def told(is_too_far):
    print("could" if is_too_far else "no")
def attempt(act, *given):
    try:
        act(*given)
        told(True)
    except (OSError, MemoryError):
        told(False)
"""


def test_no_code_reaches_beyond_its_sandbox(monkeypatch):
    """All in one notebook; whoever does such things and has solved it keeps the points."""
    monkeypatch.setenv("TEACHERS_SECRET", "4711")
    places = ["/etc/passwd", "/root/.ssh", "/var", "/proc/self"]
    places += [str(COURSE), str(COURSE.parent / "README.md")]
    with socket.create_server(("127.0.0.1", 0)) as server:
        known = f"PLACES, HOME, PORT = {places}, {sandbox.HOME!r}, {server.getsockname()[1]}"
        points, printed = judged(SOLVED, known + TELL, *REACHING.values())
    for attack, text in zip(REACHING, printed[1:], strict=True):
        assert {"no", "could"} & set(text.split()) == {"no"}, (attack, text)
        assert len(text) < 100_000, attack
    assert points == FULL


@pytest.mark.slow
def test_a_session_that_has_ended_is_not_waited_for_and_memory_that_ends_ends_here_first():
    with judge.Student(FILES) as student:
        student.start()
        ask = ["ps", "-o", "pid=", "--ppid", str(student.process.pid)]
        (pid,) = subprocess.run(ask, capture_output=True, text=True).stdout.split()
        assert Path("/proc", pid, "oom_score_adj").read_text() == "1000\n"
        for act in lambda: student.run("import os\nos._exit(0)"), lambda: student.value("STUDENT"):
            with pytest.raises(judge.Ended, match="died"):
                act()


@pytest.mark.slow
def test_what_all_cells_show_together_has_an_end(monkeypatch):
    monkeypatch.setattr(judge, "MOST_OUTPUT", 50_000)
    loud = {name: SOLVED[name] + "\nprint('x' * 18_000)" for name in FUNCTIONS}
    result = judge.judged(handed_in(SOLVED | loud), coursework.assignment("entropy"), FILES)
    assert len(json.dumps(result["outputs"])) < 70_000
    assert "show too much" in str(result["outputs"])
    assert not [message for of in result["results"].values() for *_, message in of if message]


@pytest.mark.slow
def test_nothing_goes_on_running_after_grading():
    nap = "987654"
    code = (
        f"import os, subprocess\nsubprocess.Popen(['sleep', '{nap}'], start_new_session=True)\n"
        f"if os.fork() == 0:\n    os.setsid()\n    os.execvp('sleep', ['sleep', '{nap}'])"
    )
    judged(WITHOUT_STUDENT, code)
    time.sleep(0.5)
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert f"sleep {nap}" not in running


# --- what costs its own question only -------------------------------------------------------------


COSTLY = LEFTOVERS | ENDLESS


@pytest.mark.slow
@pytest.mark.parametrize("cell", sample(COSTLY, quick=1))
def test_what_a_cell_leaves_behind_costs_its_own_question_only(cell):
    code = COSTLY[cell]
    after = "\n" if cell in ENDLESS else SOLVED["surprise"]
    points, _ = judged(SOLVED | {"surprise": code + after})
    assert lost(points) <= {"surprise"}
    assert lost(points) or cell in LEFTOVERS


@pytest.mark.slow
def test_a_notebooks_own_commands_and_a_busy_machine_cost_nothing(monkeypatch):
    """Whoever draws or installs something first has written it above the imports.

    What others take of the processor is not the student's time: here, a function is asleep.
    """
    monkeypatch.setattr(judge, "CELL_SECONDS", 10)
    above = ("%matplotlib inline", "!pip --version", "%pip --version", "%%time", "%pylab notebook")
    names = ("entropy", "information_gain", "count_table", "mutual_information", "best_attribute")
    codes = {name: f"{line}\n{SOLVED[name]}" for name, line in zip(names, above, strict=True)}
    slow = SOLVED["surprise"].replace("return", "time.sleep(0.7 * (p == 0.01))\n    return", 1)
    points, _ = judged(SOLVED | codes | {"surprise": "import time\n" + slow})
    assert points == FULL


@pytest.mark.slow
def test_a_solution_may_stand_in_another_cell_than_ours():
    moved = ("student", "surprise", "entropy")
    made = filled(notebook("entropy", "release"), SOLVED, drop=moved)
    place = 1 + [grade_id(cell) for cell in made.cells].index("setup")
    own = nbformat.v4.new_code_cell("\n\n".join(SOLVED[cell] for cell in moved))
    made.cells.insert(place, own)
    whole = identified(made).notebook
    result = judge.judged(whole, coursework.assignment("entropy"), FILES)["results"]
    assert [message for of in result.values() for *_, message in of if message] == []


@pytest.mark.slow
def test_whoever_cannot_keep_code_apart_is_told_and_must_accept_it(monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "protects", lambda: False)
    with pytest.raises(SystemExit, match="UNPROTECTED=yes"):
        grade.grade(tmp_path, COURSE)
    with pytest.raises(sandbox.Unprotected):
        judge.judged(handed_in(SOLVED), coursework.assignment("entropy"), FILES)
    result = judge.judged(handed_in(SOLVED), coursework.assignment("entropy"), FILES, True)
    assert not [message for of in result["results"].values() for *_, message in of if message]


# --- what is read and shown -----------------------------------------------------------------------


def test_code_that_looks_at_the_grader_is_named():
    found = {
        attack: " ".join(identified(handed_in({}, c)).notes) for attack, c in FOR_POINTS.items()
    }
    assert sum("read it yourself" in note for note in found.values()) >= 8, found
    honest = 'import re\nif __name__ == "__main__":\n    re.compile("x")'
    assert identified(handed_in(SOLVED, honest)).notes == []


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("code", "<img src=x onerror=alert(1)>"),
        ("raw", "<script>alert(1)</script>"),
        ("markdown", "[a](&#106;avascript:alert(1))"),
        ("markdown", "[a](javascript&colon;alert(1))"),
        ("markdown", "[a][b]\n\n[b]: &#x6A;avascript:alert(1)"),
        ("markdown", "<javascript:alert(1)>"),
        ("markdown", "[a](javascript:alert(1))"),
        ("markdown", "<script src=x >alert(1)</script >"),
        ("markdown", "$<script>alert(1)</script>$"),
        ("markdown", "$\\text{<img src=x onerror=alert(1)>}$"),
        ("markdown", "$\\href{javascript:alert(1)}{x}$"),
        ("markdown", "\ue0000\ue001<svg onload=alert(1)>"),
    ],
)
def test_a_written_answer_is_shown_and_not_obeyed(kind, answer, monkeypatch):
    """By Formgrader, also if the student's file says that it is code, and on the student's page."""
    from nbconvert import HTMLExporter

    made = handed_in({"row_number": answer})
    cell = next(cell for cell in made.cells if grade_id(cell) == "row_number")
    cell.cell_type = kind
    (cell,) = (c for c in identified(made).notebook.cells if grade_id(c) == "row_number")
    page = HTMLExporter(template_name="classic").from_notebook_node(
        nbformat.v4.new_notebook(cells=[cell])
    )[0]
    monkeypatch.setattr(feedback.address, "here", lambda: None)
    for text in page.split("<body")[1], feedback.rendered(answer):
        shown = BeautifulSoup(text, "html.parser")
        assert not shown.find_all(["script", "img", "svg"])
        assert not [a for a in shown.find_all("a") if "script:" in a.get("href", "")]
        assert not [
            tag for tag in shown.find_all(True) if any(a.startswith("on") for a in tag.attrs)
        ]
