"""A term as teachers meet it: a crash, newer and older work, marks, students who leave, a hub.

It is graded with the small assignment of the template, which teachers begin their own with.
"""

import getpass
import os
import re
import shutil
import time

import coursework
import nbformat
import pytest
from coursework import filled, put

from course.grader import assignments, grade, hub, judge, release

ANSWER = "Where a few numbers are far from all others."


@pytest.fixture
def course(tmp_path):
    course = coursework.course_in(tmp_path / "course", ())
    assignments.begin("warmup", course)
    return course


def work(course, student, **written):
    source = nbformat.read(course / "source/warmup/warmup.ipynb", as_version=4)
    made = filled(
        source, {"student": f"STUDENT = {student!r}", "words": "YOUR ANSWER HERE"} | written
    )
    return nbformat.writes(made)


def graded(course, folder=None, **more):
    said = []
    rows = grade.grade(folder, course, said.append, **more)
    return {row["student"]: row for row in rows}, "\n".join(said)


HALF = "def middle(low, high):\n    return low\n"


@pytest.mark.slow
def test_an_interrupted_grading_is_resumed_and_a_crash_is_one_students_line(
    course, tmp_path, monkeypatch
):
    for student in ("ann", "bob"):
        put(tmp_path, f"in/{student}/warmup.ipynb", work(course, student))

    def stop(line):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade.grade(tmp_path / "in", course, stop)
    (first,) = re.findall(r"^warmup,(\w+)", (course / "grades.csv").read_text("utf-8-sig"), re.M)
    (course / "grades.csv").write_text("student;what a spreadsheet\r\nmade;of it\r\n")

    def breaks(notebook, *rest):
        raise MemoryError("too much")

    monkeypatch.setattr(judge, "judged", breaks)  # what was judged is not judged again
    rows, said = graded(course, tmp_path / "in")
    (other,) = {"ann", "bob"} - {first}
    assert rows[first]["score"] == "5"
    assert "could not be judged: MemoryError" in rows[other]["note"]
    assert f"{other}: NOT GRADED" in said
    monkeypatch.undo()
    rows, _ = graded(course, tmp_path / "in")
    assert [row["score"] for row in rows.values()] == ["5", "5"]


@pytest.mark.slow
def test_newer_work_takes_the_place_of_older_marks_stay_and_students_leave(course, tmp_path):
    from nbgrader.api import Gradebook

    first, second, broken = (tmp_path / name for name in ("first", "second", "broken"))
    put(first, "warmup_eve.ipynb", work(course, "eve", middle=HALF))
    put(first, "bob/warmup.ipynb", work(course, "bob"))
    put(second, "warmup_eve.ipynb", work(course, "eve", words=ANSWER))
    put(broken, "eve/warmup.ipynb", "not a notebook")
    assert float(graded(course, first)[0]["eve"]["score"]) < 5
    newer = graded(course, second)[0]["eve"]
    assert (newer["score"], newer["by_hand"]) == ("5", "to mark")
    assert "takes the place of work that had earned 2 points" in newer["note"]
    assert (newer["before"], newer["final"]) == ("2", "5")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        mark = book.find_grade("words", "warmup", "warmup", "eve")
        mark.manual_score, mark.needs_manual_grade = 2, False
        book.db.commit()
    # Neither the older work, nor older work that turns up late, nor the same again, nor a worse
    # file takes anything away.
    old = put(
        tmp_path / "old", "warmup_eve.ipynb", work(course, "eve", middle=HALF + "# my first\n")
    )
    os.utime(old, (1e9, 1e9))
    steps = [{"folder": first}, {"folder": old.parent}, {"folder": second}]
    steps += [{"anew": "warmup"}, {"folder": broken}, {}]
    for step in steps:
        rows = grade.grade(step.get("folder"), course, lambda line: None, step.get("anew", ""))
        by_eve = {row["assignment"]: row for row in rows if row["student"] == "eve"}
        assert (by_eve["warmup"]["score"], by_eve["warmup"]["by_hand"]) == ("7", ""), step
    assert "cannot be read" in by_eve[""]["note"]
    shutil.copytree(broken, tmp_path / "broken once more")
    put(broken, "eve/warmup.ipynb", work(course, "eve", middle=HALF.replace("low\n", "high\n")))
    for folder in (broken, tmp_path / "broken once more"):
        rows = grade.grade(folder, course, lambda line: None)
        assert [row["assignment"] for row in rows if row["student"] == "eve"] == ["warmup"]

    grade.rename(course, "eve", "eva")
    assert set(graded(course, anew="warmup")[0]) == {"eva", "bob"}
    grade.remove(course, "bob")
    assert set(graded(course)[0]) == {"eva"}
    assert not (course / "feedback" / "bob").exists()
    with pytest.raises(SystemExit, match="Nothing is kept"):
        grade.remove(course, "bob")
    grade.new_term(course, "2026")
    assert not (course / "submitted").exists()
    assert (course / "terms" / "2026" / "grades.csv").exists()
    with pytest.raises(SystemExit, match="There is a term"):
        grade.new_term(course, "2026")


def test_a_mark_of_zero_stays_when_the_same_work_is_graded_again(course):
    book = grade.Book(course)
    with book.interface.gradebook as marks:
        marks.add_assignment("warmup")
        marks.add_notebook("warmup", "warmup")
        for name in ("words", "more"):
            marks.add_grade_cell(name, "warmup", "warmup", max_score=2, cell_type="markdown")
        marks.add_student("eve")
        marks.add_submission("warmup", "eve")
        for mark in marks.find_submission("warmup", "eve").notebooks[0].grades:
            mark.manual_score, mark.needs_manual_grade = (0 if mark.name == "words" else None), True
        marks.db.commit()
    book.keep_marks("warmup", "eve")
    with book.interface.gradebook as marks:
        grades = marks.find_submission("warmup", "eve").notebooks[0].grades
        open_marks = {mark.name: mark.needs_manual_grade for mark in grades}
        assert open_marks == {"words": False, "more": True}


@pytest.mark.slow
def test_late_work_shows_the_points_of_both_and_the_better_counts_if_the_teacher_says_so(
    course, tmp_path
):
    due = grade.datetime.fromisoformat("2026-11-20T23:59").timestamp()
    for folder, text, after in (
        ("on time", work(course, "ann", middle=HALF), -60),
        ("late", work(course, "ann"), 90_000),
    ):
        path = put(tmp_path, f"{folder}/ann/warmup.ipynb", text)
        os.utime(path, (due + after, due + after))
    grade.set_due(course, "warmup", "2026-11-20T23:59", 40)
    graded(course, tmp_path / "on time")
    columns = ("score", "days_late", "before", "final")
    row = graded(course, tmp_path / "late")[0]["ann"]
    assert [row[key] for key in columns] == ["5", "2", "2", "1"]
    assert "work that had earned 2 points" in row["note"]
    grade.set_due(course, "warmup", "2026-11-20T23:59", 40, better=True)
    row = graded(course)[0]["ann"]
    assert [row[key] for key in columns] == ["5", "2", "2", "2"]


def test_earlier_work_loses_for_its_own_days(course):
    grade.set_due(course, "warmup", "2026-11-20T23:59", 40)
    due = grade.datetime.fromisoformat("2026-11-20T23:59").timestamp()
    left = grade.Book(course).left("warmup", (5, due), {"earlier": {"x": (4, due + 1)}})
    assert (left["before"], left["final"]) == ("2.4", "5")


def test_a_due_date_is_a_date_of_an_assignment(course):
    for name, date, words in ("warmup", "tomorrow", "no date"), ("x", "2026-11-20", "There is no"):
        with pytest.raises(SystemExit, match=words):
            grade.set_due(course, name, date, 10)


@pytest.mark.parametrize("name", ["warmup", "not a name", "../x"])
def test_one_is_begun_under_a_free_name(course, name):
    with pytest.raises(SystemExit, match="take a name"):
        assignments.begin(name, course)


@pytest.mark.slow
def test_the_template_is_a_whole_assignment(course):
    assignments.check("warmup", course)
    assert set(release.files_of("warmup", course)) == {"warmup.ipynb", "visible.py", "checks.py"}


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("visible.py", '"is halfway between", 2', '"is halfway between", 4', "3 points in the not"),
        ("hidden.py", 'inputs={"middle": some_pair}', "inputs={}", "no inputs by chance"),
        ("hidden.py", "(middle, my_numbers)", "(middle,)", "no right function 'my_numbers'"),
        pytest.param(
            "warmup.ipynb",
            "(low + high) / 2",
            "(low - high) / 2",
            "your own solution of",
            marks=pytest.mark.slow,
        ),
        ("warmup.ipynb", '"assignment": "warmup"', '"assignment": "entropy"', "metadata say"),
    ],
)
def test_what_is_wrong_with_ones_own_is_said(course, file, old, new, words):
    path = course / "source/warmup" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(SystemExit, match=words):
        assignments.check("warmup", course)
    if "points in" in words:  # also before anybody is graded
        with pytest.raises(SystemExit, match=words):
            grade.grade(course, course)


@pytest.fixture
def exchange(tmp_path, monkeypatch):
    """A machine whose hub has said where its exchange is."""
    place = tmp_path / "exchange"
    place.mkdir()
    place.chmod(0o777)
    said = f"c.Exchange.root = {str(place)!r}\nc.Exchange.cache = {str(tmp_path / 'cache')!r}\n"
    put(tmp_path, "etc/nbgrader_config.py", said)
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "etc"))
    return place


def as_student(course, step):
    api = release.nbgrader(course)
    api.coursedir.assignment_id, api.coursedir.student_id = "warmup", getpass.getuser()
    exchange = getattr(api.exchange, step)
    exchange(coursedir=api.coursedir, authenticator=api.authenticator, parent=api).start()


@pytest.mark.slow
def test_one_command_gives_out_and_one_collects_grades_and_returns(
    course, exchange, tmp_path, monkeypatch
):
    release.make("warmup", course)
    hub.give("warmup", course)
    hub.give("warmup", course)  # a second time replaces the first
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    as_student(course, "FetchAssignment")
    assert "YOUR CODE HERE" in (home / "warmup/warmup.ipynb").read_text()
    put(home, "warmup/warmup.ipynb", work(course, "hub", words=ANSWER))
    as_student(course, "Submit")
    before = time.time()
    grade.set_due(course, "warmup", "2020-01-01T00:00", 0)
    said = []
    grade.on_the_hub("warmup", False, course, said.append)
    (row,) = grade.Book(course).table()
    assert (row["student"], row["score"]) == (getpass.getuser(), "5")
    assert abs((before - 1577836800) / 86400 - int(row["days_late"])) < 2  # by the hub's own clock
    assert said[-1] == "1 pages returned to the students of the hub."
    as_student(course, "FetchFeedback")
    (page,) = (home / "warmup" / "feedback").rglob("warmup.html")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.read_text(encoding="utf-8")).split())
    for words in "3 of 3 points", "does not depend on which number comes", "by your teacher":
        assert words in text
    assert 0 < text.index("What the points are for") - text.index(ANSWER) < 300
    stored = nbformat.read(next((course / "autograded").rglob("*.ipynb")), as_version=4)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id", cell.id) for cell in stored.cells]
    assert names[names.index("words") + 1] == "rubric-words"
    assert {path.name for path in (course / "feedback").rglob("*.*")} == {"warmup.html"}


@pytest.mark.slow
def test_an_exchange_that_cannot_be_used_is_said(course, exchange):
    exchange.rmdir()
    exchange.write_text("no folder")
    with pytest.raises(SystemExit, match="nbgrader's exchange could not do it"):
        hub.give("warmup", course)
