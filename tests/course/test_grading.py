"""`make grade` from what a learning platform gives to points and pages: nothing lost, all said."""

import json
import shutil
import sys
import zipfile

import coursework
import grade
import judge
import nbformat
import pytest
import release
import submissions
from bs4 import BeautifulSoup
from coursework import COURSE, NAMES, grade_id, notebook
from wrong_solutions import CATALOGUE

MADE = (
    *("gradebook.db", "submitted", "autograded", "feedback", "zip", "grades.csv", "due.json"),
    *("terms", "__pycache__"),
)


def mixture(name):
    """Return one wrong solution for each cell that has any: what one poor student might hand in."""
    codes = {}
    for wrong in CATALOGUE:
        if wrong.assignment == name and "while True" not in wrong.code:
            codes.setdefault(wrong.cell, wrong.code)
    return codes


def written(name, codes, drop=(), extra=()):
    """Return the notebook of the release as a student fills it in, as text."""
    filled = nbformat.from_dict(notebook(name, "release"))
    for cell in filled.cells:
        cell.source = codes.get(grade_id(cell), cell.source)
    filled.cells = [cell for cell in filled.cells if grade_id(cell) not in drop]
    for place, code in extra:
        filled.cells.insert(place, nbformat.v4.new_code_cell(code))
    return nbformat.writes(filled)


def solved(name, student):
    """Return the right code for all cells; the written answer stays empty."""
    codes = {grade_id(c): c.source for c in notebook(name).cells if c.cell_type == "code"}
    return codes | {"student": f'STUDENT = "{student}"'}


@pytest.fixture(scope="module", autouse=True)
def _short_of_time():
    """End a cell that has no end sooner than a teacher would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "CELL_SECONDS", 3)
        yield


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course."""
    course = tmp_path_factory.mktemp("term") / "assignments"
    shutil.copytree(COURSE, course, ignore=shutil.ignore_patterns(*MADE))
    return course


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """What the platform collected."""
    folder = tmp_path_factory.mktemp("handed") / "in"
    first = NAMES[0]

    def put(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    for name in NAMES:
        put(f"right/{name}.ipynb", written(name, solved(name, "right")))
        put(f"untouched/{name}.ipynb", written(name, {}))
        put(f"wrong/{name}.ipynb", written(name, solved(name, "wrong") | mixture(name)))
    put("Zoë Ng_1234567_assignsubmission_file_/my work.ipynb", written(first, solved(first, "zoe")))
    put("leeann_LATE_4711_99_entropy-1.ipynb", written(first, solved(first, "lee")))
    put("homework_bob_attempt_2026-11-02-10-00-00_a.ipynb", written(first, solved(first, "bob")))
    put("homework_bob_attempt_2026-11-03-10-00-00_a.ipynb", written(first, solved(first, "bob")))
    stubborn = "import time\nwhile True:\n    try:\n        time.sleep(9)\n    except:\n        0"
    loops = {"surprise": stubborn}
    put("loop/entropy.ipynb", written(first, solved(first, "loop") | loops))
    stop = {"surprise": "while True:\n    pass", "entropy": "import os\nos._exit(1)"}
    put("stop/entropy.ipynb", written(first, solved(first, "stop") | stop))
    put(
        "deleted/entropy.ipynb",
        written(first, solved(first, "deleted"), drop=("entropy-test", "setup")),
    )
    silent = (
        "import visible, glob, os\nvisible.check = print\n[os.remove(f) for f in glob.glob('*.py')]"
    )
    put("silent/entropy.ipynb", written(first, solved(first, "silent"), extra=[(4, silent)]))
    skipped = json.loads(written(first, {}))
    for cell in skipped["cells"]:
        cell["metadata"]["tags"] = ["skip-execution"]
        cell["metadata"]["nbgrader"]["points"] = 100
    put("skipped/entropy.ipynb", json.dumps(skipped))
    put("broken/entropy.ipynb", written(first, {})[:2000])
    put("odd/entropy.ipynb", written(first, {}).replace('"source"', '"sauce"'))
    put("bob-2/entropy.ipynb", written(first, solved(first, "bob two")))
    put("other/entropy.ipynb", nbformat.writes(nbformat.v4.new_notebook()))
    put("paper/report.pdf", "on paper")
    (folder / "nobody").mkdir()
    (folder / "cut.zip").write_bytes(b"PK not a zip")
    with zipfile.ZipFile(folder / "zipped.zip", "w") as archive:
        archive.writestr("entropy/entropy.ipynb", written(first, solved(first, "zipped")))
        archive.writestr("entropy/hidden.py", "raise SystemExit('not the right tests')")
    return folder


@pytest.fixture(scope="module")
def graded(course, handed_in):
    """Grade it all; return the rows of grades.csv by assignment and student, and what was said."""
    said = []
    rows = grade.grade(handed_in, course, said.append)
    return {(row["assignment"], row["student"]): row for row in rows}, "\n".join(said)


def results(course, name, student):
    """Return {(question, test): (points, message)} as they were stored."""
    return {
        (question, test): (points, message)
        for question, of in grade.stored(course, student, name)["results"].items()
        for test, points, _, message in of
    }


def printed(course, name, student):
    """Return what each check of a graded notebook shows."""
    path = course / "autograded" / student / name / f"{name}.ipynb"
    return {
        grade_id(cell).removesuffix("-test"): cell.outputs[0].text
        for cell in nbformat.read(path, as_version=4).cells
        if grade_id(cell).endswith("-test")
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("student", ["right", "untouched", "wrong"])
def test_grading_gives_what_the_judge_gives_in_process(course, graded, name, student):
    """So the catalogue, judged without a sandbox, holds in a sandbox as well."""
    codes = {
        "right": solved(name, "right"),
        "untouched": {grade_id(cell): cell.source for cell in notebook(name, "release").cells},
        "wrong": solved(name, "wrong") | mixture(name),
    }[student]
    by_test = coursework.run(name, codes)
    assert results(course, name, student) == by_test
    shown = printed(course, name, student)
    for (question, test), (points, message) in by_test.items():
        full = coursework.full_points(name)[question, test]
        assert judge.line(f"{points:g} of {full:g}", test, message) in shown[question]
    row = graded[0][name, student]
    assert float(row["score"]) == sum(points for points, _ in by_test.values())
    assert row["by_hand"] == ""  # the written answer was left as it was
    full = sum(coursework.full_points(name).values())
    by_hand = float(row["max_score"]) - full
    assert by_hand in (4, 5, 6)
    assert (float(row["score"]) == full, float(row["score"]) == 0) == (
        (student == "right"),
        (student == "untouched"),
    )


def test_nobody_is_lost(graded, handed_in):
    rows, said = graded
    assert {student for _, student in rows} == {
        "right", "untouched", "wrong", "Zoë-Ng_1234567", "leeann_4711", "bob", "bob-2", "bob-3",
        "loop", "stop", "deleted", "silent", "skipped", "broken", "odd", "other", "paper", "nobody",
        "cut", "zipped",
    }  # fmt: skip
    assert len(rows) == len(NAMES) * 3 + 17
    assert f"[{len(rows)}/{len(rows)}]" in said
    assert all(row["file"] for row in rows.values())


def test_names_of_platforms_are_understood(graded):
    full = sum(coursework.full_points("entropy").values())
    for student in ("Zoë-Ng_1234567", "leeann_4711", "bob", "bob-2", "zipped"):
        assert float(graded[0]["entropy", student]["score"]) == full, student


def test_work_handed_in_twice_is_graded_twice_and_said(graded):
    rows, said = graded
    for student in ("bob", "bob-3"):
        note = rows["entropy", student]["note"]
        assert "handed in 2 times" in note
        assert "2026-11-02" in note
        assert "2026-11-03" in note
        assert note in said.replace("\n", " ") or "handed in 2 times" in said
    assert "2026-11-03" in rows["entropy", "bob-3"]["file"]
    assert rows["entropy", "bob-2"]["note"] == ""  # somebody else, whose name it is


def test_the_same_student_word_is_noticed(graded):
    assert "the same STUDENT, 'bob'" in graded[0]["entropy", "bob"]["note"]
    assert "STUDENT" not in graded[0]["entropy", "zipped"]["note"]


@pytest.mark.parametrize("student", ["loop", "stop"])
def test_a_loop_and_a_dead_kernel_cost_their_question_alone(course, graded, student):
    cells = {"loop": ["surprise"], "stop": ["surprise", "entropy"]}[student]
    full = coursework.full_points("entropy")
    lost = sum(points for (question, _), points in full.items() if question in cells)
    assert float(graded[0]["entropy", student]["score"]) == sum(full.values()) - lost
    page = (course / "feedback" / student / "entropy" / "entropy.html").read_text()
    assert {"loop": "This cell did not end within", "stop": "This cell ended Python"}[
        student
    ] in page


def test_deleted_checks_come_back_and_silencing_them_changes_nothing(graded):
    full = sum(coursework.full_points("entropy").values())
    assert float(graded[0]["entropy", "deleted"]["score"]) == full
    assert "setup, entropy-test" in graded[0]["entropy", "deleted"]["note"]
    assert float(graded[0]["entropy", "silent"]["score"]) == full  # the code itself is right
    assert "read it yourself: it mentions import visible" in graded[0]["entropy", "silent"]["note"]
    assert graded[0]["entropy", "right"]["note"] == ""
    assert float(graded[0]["entropy", "skipped"]["score"]) == 0


@pytest.mark.parametrize(
    ("student", "words"),
    [
        ("broken", "cannot be read as a notebook"),
        ("odd", "cannot be read as a notebook"),
        ("other", "none of our questions"),
        ("paper", "no notebook was handed in"),
        ("nobody", "no notebook was handed in"),
        ("cut", "zip is broken"),
    ],
)
def test_what_cannot_be_graded_is_said_in_three_places(course, graded, student, words):
    rows, said = graded
    assert words in rows["", student]["note"]
    assert rows["", student]["score"] == ""
    assert f"{student}: NOT GRADED" in said
    page = (course / "feedback" / student / "not-graded" / "index.html").read_text(encoding="utf-8")
    assert words in page
    assert "hand in the file that ends in" in BeautifulSoup(page, "html.parser").get_text()


def test_feedback_shows_messages_and_no_hidden_test(course, graded):
    page = (course / "feedback" / "wrong" / "entropy" / "entropy.html").read_text()
    text = " ".join(BeautifulSoup(page, "html.parser").get_text().split())
    assert "you used logarithms to base 10: " in text
    assert "0 of 2 is in bits" in text
    hidden = (course / "source" / "entropy" / "hidden.py").read_text()
    lines = [line.strip() for line in hidden.splitlines() if len(line.strip()) > 30]
    assert not [line for line in lines if line in text and not line.startswith("def ")]
    assert not list((course / "feedback").rglob("hidden.py"))
    assert not list((course / "release").rglob("hidden.py"))


def test_marks_given_by_hand_survive_grading_again(course, graded, tmp_path):
    from nbgrader.api import Gradebook

    work = written(
        "entropy", solved("entropy", "late") | {"row_number": "Because each date is new."}
    )
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "entropy.ipynb").write_text(work)
    late = {row["student"]: row for row in grade.grade(tmp_path, course, lambda line: None)}["late"]
    assert late["by_hand"] == "to mark"
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        mark = book.find_grade("row_number", "entropy", "entropy", "late")
        mark.manual_score, mark.needs_manual_grade = 3, False
        book.db.commit()
    for folder, anew in ((None, ""), (tmp_path, ""), (None, "entropy")):
        done = grade.grade(folder, course, lambda line: None, anew)
        rows = {row["student"]: row for row in done if row["assignment"] in ("", "entropy")}
        assert float(rows["late"]["score"]) == float(late["score"]) + 3
        assert rows["late"]["by_hand"] == ""
        assert rows["paper"]["note"] == "no notebook was handed in, only this."
        assert "takes the place" not in rows["late"]["note"]


def graded_now(course, folder, student):
    """Grade a folder and return the row of a student."""
    rows = grade.grade(folder, course, lambda line: None)
    return next(row for row in rows if row["student"] == student)


def test_newer_work_takes_the_place_of_older_and_never_the_other_way_round(course, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    half = solved("entropy", "eve") | {"entropy": "def entropy(counts):\n    return 0"}
    for folder, codes in ((first, half), (second, solved("entropy", "eve"))):
        folder.mkdir()
        (folder / "entropy_eve.ipynb").write_text(written("entropy", codes))
    full = sum(coursework.full_points("entropy").values())
    assert float(graded_now(course, first, "eve")["score"]) < full
    newer = graded_now(course, second, "eve")
    assert float(newer["score"]) == full
    assert "takes the place of what was graded before" in newer["note"]
    assert float(graded_now(course, first, "eve")["score"]) == full


@pytest.mark.parametrize("name", NAMES)
def test_what_students_get_is_what_nbgrader_makes(course, graded, name):
    made = {path.name: path.read_bytes() for path in (course / "release" / name).glob("*.*")}
    assert release.files_of(name) == made


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("entropy_ann.ipynb", "ann"),
        ("ann-entropy (1).ipynb", "ann"),
        ("ann/entropy/entropy.ipynb", "ann"),
        ("entropy/ann/entropy.ipynb", "ann"),
        ("李雷/entropy.ipynb", "李雷"),
        ("Ann Lee_12_assignsubmission_file_entropy.ipynb", "Ann-Lee_12"),
        ("1234-5678 - Ann Lee - Nov 20, 2026 1159 PM/entropy.ipynb", "Ann-Lee"),
        ("leeann_12_34_entropy-2.ipynb", "leeann_12"),
        ("entropy.ipynb", "nameless"),
    ],
)
def test_who_handed_in(name, student):
    assert submissions.tidy(submissions.student_of(name, NAMES)) == student


def test_a_folder_around_all_students_is_no_student():
    files = [("week 3/ann/entropy.ipynb", 1), ("week 3/bob/entropy.ipynb", 2)]
    assert submissions.below_the_course(files, NAMES) == [
        ("ann/entropy.ipynb", 1),
        ("bob/entropy.ipynb", 2),
    ]
    alone = [("ann/entropy/entropy.ipynb", 1)]
    assert submissions.below_the_course(alone, NAMES) == alone


def test_the_command_says_when_there_is_no_folder(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["grade.py", "nowhere"])
    assert grade.main() == 1
    assert "There is no folder nowhere." in capsys.readouterr().err
