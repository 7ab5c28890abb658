"""A term as teachers meet it: odd files and names, a crash, late work, a student who leaves."""

import csv
import json
import os
import shutil
import zipfile

import coursework
import grade
import judge
import nbformat
import pytest
import release
import submissions
from coursework import COURSE, grade_id, notebook

FULL = sum(coursework.full_points("entropy").values())
MADE = ("submitted", "autograded", "feedback", "gradebook.db", "grades.csv", "due.json", "terms")
SOLVED = {grade_id(c): c.source for c in notebook("entropy").cells if c.cell_type == "code"}


def handed_in(student, codes=()):
    """Return a solved notebook as text."""
    filled = nbformat.from_dict(notebook("entropy", "release"))
    codes = SOLVED | {"student": f"STUDENT = {student!r}"} | dict(codes)
    for cell in filled.cells:
        cell.source = codes.get(grade_id(cell), cell.source)
    return nbformat.writes(filled)


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "course"
    others = {*coursework.NAMES} - {"entropy"}
    shutil.copytree(COURSE, folder, ignore=shutil.ignore_patterns(*MADE, *others))
    return folder


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "in"
    place.mkdir()
    return place


def put(folder, name, text, encoding="utf-8"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding=encoding)
    return path


def table(course):
    """Read grades.csv as a spreadsheet would."""
    with (course / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def graded(course, folder, **more):
    said = []
    grade.grade(folder, course, said.append, **more)
    return table(course), "\n".join(said)


def test_odd_files_and_names_are_read_or_said_and_stop_nobody(course, folder):
    lone = json.loads(handed_in("lone"))
    text = json.dumps(lone).replace("YOUR ANSWER HERE", "half a character: \\ud800")
    put(folder, "lone/entropy.ipynb", text)
    put(folder, ".dot/entropy.ipynb", handed_in("dot"))
    put(folder, "राम/entropy.ipynb", handed_in("1"))
    put(folder, "रिम/entropy.ipynb", handed_in("2"))
    put(folder, "Ann Lee/entropy.ipynb", handed_in("3"))
    put(folder, "Ann-Lee/entropy.ipynb", handed_in("4"))
    put(folder, "mark/entropy.ipynb", handed_in("bom"), encoding="utf-8-sig")
    put(folder, "large/ENTROPY.IPYNB", handed_in("large"))
    put(folder, "=1+1/entropy.ipynb", handed_in("sum"))
    put(folder, os.fsdecode(b"half\xff/entropy.ipynb"), handed_in("half"))
    put(folder, "bad/entropy.ipynb", '{"cells": [')
    put(folder, "nul/entropy.ipynb", "\x00\x01")
    (folder / "linked").mkdir()
    os.symlink(COURSE / "source" / "entropy" / "entropy.ipynb", folder / "linked/entropy.ipynb")
    rows, said = graded(course, folder)
    for student in (
        "lone",
        "dot",
        "राम",
        "रिम",
        "Ann-Lee",
        "Ann-Lee-2",
        "mark",
        "large",
        "1-1",
        "half",
    ):
        assert float(rows[student]["score"]) == FULL, student
    assert "kept apart" in rows["Ann-Lee-2"]["note"]
    assert rows["1-1"]["file"].startswith("'=")
    assert "cannot be read as a notebook" in rows["bad"]["note"]
    assert "cannot be read as a notebook" in rows["nul"]["note"]
    assert "linked" not in rows
    assert len(rows) == 12
    assert "[12/12]" in said


def identified(text):
    """Return what of a notebook's text is judged and shown."""
    submission = submissions.Submission("x", "entropy_x.ipynb")
    known = {"entropy": notebook("entropy", "release")}
    submissions.identify(submission, nbformat.reads(text, as_version=4), known)
    return submission.notebook


def test_a_solution_may_stand_in_another_cell_than_ours():
    moved = json.loads(handed_in("ann"))
    ours = {"student", "surprise", "entropy"}
    name = {id(c): c["metadata"].get("nbgrader", {}).get("grade_id") for c in moved["cells"]}
    own = nbformat.v4.new_code_cell("\n".join(f"{SOLVED[cell]}" for cell in sorted(ours)))
    rest = [cell for cell in moved["cells"] if name[id(cell)] not in ours]
    moved["cells"] = [*rest[:3], dict(own), *rest[3:]]
    judged = judge.judged(
        identified(json.dumps(moved)),
        coursework.assignment("entropy"),
        [COURSE / "source" / "entropy" / beside for beside in judge.BESIDE],
    )
    lost = [m for of in judged["results"].values() for *_, m in of if m]
    assert lost == []


def test_a_picture_in_a_written_answer_is_kept_and_nothing_else():
    drawn = json.loads(handed_in("ann", {"row_number": "![](attachment:a.png)"}))
    for cell in drawn["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "row_number":
            cell["attachments"] = {
                "a.png": {"image/png": "iVBORw0KGgo=", "text/html": "<script>"},
                "b.png": {"image/png": '"onerror="alert(1)'},
            }
    (cell,) = (c for c in identified(json.dumps(drawn)).cells if grade_id(c) == "row_number")
    assert cell.attachments == {"a.png": {"image/png": "iVBORw0KGgo="}, "b.png": {}}


def test_what_is_too_large_is_said_and_a_whole_class_never_is(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "MOST_BYTES", 300_000)
    monkeypatch.setattr(submissions, "MOST_OF_A_NOTEBOOK", 100_000)
    cells = json.loads(handed_in("many"))
    cells["cells"] += [dict(nbformat.v4.new_code_cell("1")) for _ in range(200)]
    monkeypatch.setattr(submissions, "MOST_CELLS", 200)
    inner = tmp_path / "inner.zip"
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(200_000))
    with zipfile.ZipFile(folder / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for k in range(20):
            archive.writestr(f"s{k}/entropy.ipynb", handed_in(f"s{k}"))
        archive.writestr("large/entropy.ipynb", " " * 100_001)
        archive.writestr("many/entropy.ipynb", json.dumps(cells))
        for depth in ("bomb/one.zip", "bomb/two.zip"):
            outer = tmp_path / "outer.zip"
            with zipfile.ZipFile(outer, "w") as nested:
                nested.write(inner, "a.zip")
                nested.write(inner, "b.zip")
            archive.write(outer, depth)
    known = {"entropy": notebook("entropy", "release")}
    found = submissions.collect(folder / "class.zip", known)
    said = {f"{one.student}, {one.file}": one.notes for one in found if one.notebook is None}
    assert sum(one.notebook is not None for one in found) == 20
    assert "too large" in said["large, large/entropy.ipynb"][0]
    assert "more than 200 cells" in said["many, many/entropy.ipynb"][0]
    assert "too large" in next(notes for who, notes in said.items() if who.startswith("bomb"))[0]


def test_the_clock_of_a_student_does_not_say_when_work_was_handed_in(folder):
    inner = folder.parent / "inner.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(zipfile.ZipInfo("entropy.ipynb", (1999, 1, 1, 0, 0, 0)), handed_in("ann"))
    with zipfile.ZipFile(folder / "class.zip", "w") as archive:
        member = zipfile.ZipInfo("Ann_12_assignsubmission_file_/a.zip", (2026, 11, 20, 12, 0, 0))
        archive.writestr(member, inner.read_bytes())
    (found,) = submissions.collect(
        folder / "class.zip", {"entropy": notebook("entropy", "release")}
    )
    assert grade.datetime.fromtimestamp(found.handed_in).isoformat() == "2026-11-20T12:00:00"


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Entropy_ann.ipynb", "ann"),
        ("entropy-1.ipynb", "nameless"),
        ("Copy of entropy.ipynb", "nameless"),
        ("entropy (1).ipynb", "nameless"),
        ("entropy_4711.ipynb", "4711"),
        ("..ann/entropy.ipynb", "ann"),
        ("李雷/entropy.IPYNB", "李雷"),
        ("O'Neill, Ann/entropy.ipynb", "O-Neill-Ann"),
    ],
)
def test_who_handed_in(name, student):
    assert submissions.tidy(submissions.student_of(name, coursework.NAMES)) == student


def test_a_file_without_a_name_has_that_of_its_student(course, folder):
    put(folder, "entropy.ipynb", handed_in("Eve"))
    put(folder, "entropy (1).ipynb", handed_in("Bob"))
    rows, _ = graded(course, folder)
    assert set(rows) == {"Eve", "Bob"}


def test_which_assignment_a_file_is_it_says_itself():
    known = {name: notebook(name, "release") for name in coursework.NAMES}
    warm = nbformat.from_dict(notebook("entropy", "release"))
    warm.cells = [cell for cell in warm.cells if "entropy" not in grade_id(cell)][:8]
    known = {"warmup": warm} | known
    assert submissions.assignment_of(notebook("entropy", "release"), known, "x.ipynb") == "entropy"
    for one in (warm, known["entropy"]):
        one.metadata.pop("dtreebook", None)
    assert submissions.assignment_of(warm, known, "warmup_eve.ipynb") == "warmup"
    assert submissions.assignment_of(known["entropy"], known, "x.ipynb") == "entropy"


def test_a_crash_of_the_judge_is_one_students_line(course, folder, monkeypatch):
    for student in ("ann", "bob"):
        put(folder, f"{student}/entropy.ipynb", handed_in(student))
    whole = judge.judged

    def breaks(notebook, *rest):
        if "ann" in str(notebook):
            raise MemoryError("too much")
        return whole(notebook, *rest)

    monkeypatch.setattr(judge, "judged", breaks)
    rows, said = graded(course, folder)
    assert float(rows["bob"]["score"]) == FULL
    assert "could not be judged: MemoryError" in rows["ann"]["note"]
    assert "ann: NOT GRADED" in said


def test_an_interrupted_grading_is_kept_and_resumed(course, folder, monkeypatch):
    for student in ("ann", "bob", "cas"):
        put(folder, f"{student}/entropy.ipynb", handed_in(student))

    def stop(line):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade.grade(folder, course, stop)
    first = set(table(course))
    assert len(first) == 1
    judging = []
    whole = grade.known_result

    def watched(submission, course):
        result = whole(submission, course)
        judging.append((submission.student, bool(result)))
        return result

    monkeypatch.setattr(grade, "known_result", watched)
    (course / "grades.csv").write_text("student;what a spreadsheet\r\nmade;of it\r\n")
    rows, _ = graded(course, folder)
    assert {row["score"] for row in rows.values()} == {f"{FULL:g}"}
    assert {student for student, known in judging if known} == first
    assert len(rows) == 3


def test_a_worse_file_later_takes_nothing_away_and_stops_no_page(course, folder, tmp_path):
    put(folder, "ann/entropy.ipynb", handed_in("ann"))
    put(folder, "bob/entropy.ipynb", handed_in("bob"))
    graded(course, folder)
    later = tmp_path / "later"
    put(later, "ann/entropy.ipynb", "not a notebook")
    grade.grade(later, course, lambda line: None)
    rows = grade.grade(None, course, lambda line: None)
    by_ann = {row["assignment"]: row for row in rows if row["student"] == "ann"}
    assert float(by_ann["entropy"]["score"]) == FULL
    assert "cannot be read" in by_ann[""]["note"]
    put(later, "ann/entropy.ipynb", handed_in("ann", {"surprise": "def surprise(p): return 1"}))
    rows = grade.grade(later, course, lambda line: None)
    assert [row["assignment"] for row in rows if row["student"] == "ann"] == ["entropy"]


def test_points_that_do_not_fit_together_are_said_before_anybody_is_graded(course, folder):
    path = course / "source" / "entropy" / "visible.py"
    path.write_text(path.read_text().replace('"is in bits", 2, [(0.5', '"is in bits", 3, [(0.5'))
    with pytest.raises(
        SystemExit, match="entropy, surprise: 5 points in the notebook's check, and 6"
    ):
        grade.grade(folder, course)


def test_late_work_loses_by_the_rule(course, folder):
    path = put(folder, "ann/entropy.ipynb", handed_in("ann"))
    zipped = folder / "bob.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        member = zipfile.ZipInfo("entropy.ipynb", (2026, 11, 20, 12, 0, 0))
        archive.writestr(member, handed_in("bob"))
    grade.set_due(course, "entropy", "2026-11-20T23:59", 10)
    due = grade.datetime.fromisoformat("2026-11-20T23:59").timestamp()
    os.utime(path, (due + 90000, due + 90000))
    rows, _ = graded(course, folder)
    assert (rows["ann"]["days_late"], float(rows["ann"]["final"])) == ("2", round(FULL * 0.8, 2))
    assert (rows["bob"]["days_late"], float(rows["bob"]["final"])) == ("", FULL)
    with pytest.raises(SystemExit, match="no date"):
        grade.set_due(course, "entropy", "tomorrow", 10)


def test_a_student_can_be_renamed_and_removed_and_a_term_put_away(course, folder):
    put(folder, "ann-2/entropy.ipynb", handed_in("ann"))
    put(folder, "bob/entropy.ipynb", handed_in("bob"))
    graded(course, folder)
    grade.rename(course, "ann-2", "ann")
    rows, _ = graded(course, None, anew="entropy")
    assert set(rows) == {"ann", "bob"}
    grade.remove(course, "bob")
    rows, _ = graded(course, None)
    assert set(rows) == {"ann"}
    assert not (course / "feedback" / "bob").exists()
    with pytest.raises(SystemExit, match="Nothing is kept"):
        grade.remove(course, "bob")
    grade.new_term(course, "2026")
    assert not (course / "submitted").exists()
    assert (course / "terms" / "2026" / "grades.csv").exists()
    with pytest.raises(SystemExit, match="There is a term"):
        grade.new_term(course, "2026")


# --- an assignment of one's own -------------------------------------------------------------------


def test_one_begun_from_the_template_is_checked_released_and_graded(course, folder):
    release.begin("warmup", course)
    release.check("warmup", course)
    release.make("warmup", course)
    files = {path.name for path in (course / "release" / "warmup").iterdir()}
    assert files == {"warmup.ipynb", "visible.py", "checks.py"}
    filled = nbformat.read(course / "source" / "warmup" / "warmup.ipynb", as_version=4)
    put(folder, "ann/my work.ipynb", nbformat.writes(filled))
    empty = nbformat.read(course / "release" / "warmup" / "warmup.ipynb", as_version=4)
    put(folder, "bob/my work.ipynb", nbformat.writes(empty))
    rows, _ = graded(course, folder)
    assert (rows["ann"]["assignment"], rows["ann"]["score"]) == ("warmup", "5")
    assert (rows["bob"]["assignment"], rows["bob"]["score"]) == ("warmup", "0")
    for name in ("warmup", "not a name", "../x"):
        with pytest.raises(SystemExit, match="take a name"):
            release.begin(name, course)


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("visible.py", '"is halfway between", 2', '"is halfway between", 4', "3 points in the not"),
        ("hidden.py", 'inputs={"middle": some_pair}', "inputs={}", "no inputs by chance"),
        ("hidden.py", "(middle, my_numbers)", "(middle,)", "no right function 'my_numbers'"),
        ("warmup.ipynb", "(low + high) / 2", "(low - high) / 2", "your own solution of 'middle'"),
        ("warmup.ipynb", '"assignment": "warmup"', '"assignment": "entropy"', "metadata say"),
    ],
)
def test_what_is_wrong_with_ones_own_is_said(course, file, old, new, words):
    path = release.begin("warmup", course) / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(SystemExit, match=words):
        release.check("warmup", course)
