"""`make grade` from what a learning platform gives to points and pages: nothing lost, all said."""

import csv
import json
import os
import random
import re
import sys
import zipfile

import coursework
import nbformat
import pytest
import tiers
from bs4 import BeautifulSoup
from catalogues import CATALOGUE
from checks import INPUTS
from coursework import COURSE, NAMES, full_points, grade_id, handed_in, notebook, put, solved

from course.grader import feedback, grade, judge, release, submissions
from tools import chromium

OTHERS = {"quick": 0, "all": 1, "weekly": 4}[tiers.TIER]
GRADED = ["entropy", *random.Random(tiers.SEED).sample(NAMES[1:], OTHERS)]
FULL = sum(full_points("entropy").values())


def partly_wrong(name):
    codes = {wrong.cell: wrong.code for wrong in CATALOGUE if wrong.assignment == name}
    endless = {cell for cell, code in codes.items() if "while True" in code}
    return solved(name, "wrong") | {cell: codes[cell] for cell in codes.keys() - endless}


# --- a class --------------------------------------------------------------------------------------

# Both end a cell of their own; the first answers neither to time nor to being stopped.
STUBBORN = "import time\nwhile True:\n    try:\n        time.sleep(9)\n    except:\n        0"
STOP = {"surprise": STUBBORN, "entropy": "import os\nos._exit(1)"}
SILENT = (
    "import visible, glob, os\nvisible.check = print\n[os.remove(f) for f in glob.glob('*.py')]"
)
SHOWN = "<script>fetch('/api')</script><img src=x onerror=alert(1)>"
ANSWER = f"{SHOWN} [a](javascript:alert(1)) <iframe src=/tree></iframe> a<b"
HOSTILE = f"""
from IPython.display import HTML, Javascript, display
display(HTML("{SHOWN}"))
display(Javascript("alert(1)"))
print("<script>alert(2)</script>")
for path in ({str(COURSE / "source/entropy/hidden.py")!r}, "hidden.py", "../../right/entropy"):
    try:
        print(open(path).read())
    except OSError as error:
        print("no", path[-9:])
check.__func__.__globals__["tried"] = lambda *a, **k: ""
check.__func__.__globals__["same"] = lambda *a, **k: True"""
NOT_READ = {
    "broken": "cannot be read as a notebook",
    "odd": "cannot be read as a notebook",
    "other": "none of our questions",
    "paper": "no notebook was handed in",
    "nobody": "no notebook was handed in",
    "cut": "zip is broken",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = coursework.course_in(tmp_path_factory.mktemp("term") / "assignments", GRADED)
    grade.set_due(course, "entropy", "2026-11-20T23:59", 10)
    return course


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the platform collected."""
    folder = tmp_path_factory.mktemp("handed") / "in"
    for name in GRADED:
        put(folder, f"wrong/{name}.ipynb", handed_in(name, partly_wrong(name)))
    right = put(folder, "Zoë Ng_1234567_assignsubmission_file_/my work.ipynb",
                handed_in("entropy", solved("entropy", "zoe")))  # fmt: skip
    late = grade.datetime.fromisoformat("2026-11-20T23:59").timestamp() + 90_000
    os.utime(right, (late, late))
    hostile = {"student": "STUDENT = 'hostile'", "row_number": ANSWER}
    put(folder, "hostile/entropy.ipynb", handed_in("entropy", hostile, extra=[(4, HOSTILE)]))
    empty = handed_in("entropy", {})
    put(folder, "broken/entropy.ipynb", empty[:2000])
    put(folder, "odd/entropy.ipynb", empty.replace('"source"', '"sauce"'))
    put(folder, "other/entropy.ipynb", nbformat.writes(nbformat.v4.new_notebook()))
    put(folder, "paper/report.pdf", "on paper")
    put(folder, "cut.zip", "PK not a zip")
    (folder / "nobody").mkdir()
    if tiers.TIER != "quick":
        stop = solved("entropy", "stop") | STOP
        put(folder, "stop/entropy.ipynb", handed_in("entropy", stop))
        without = handed_in("entropy", solved("entropy", "zoe"), drop=("entropy-test", "setup"),
                            extra=[(4, SILENT)])  # fmt: skip
        put(folder, "silent/entropy.ipynb", without)
        skipped = json.loads(empty)
        for cell in skipped["cells"]:
            cell["metadata"]["tags"] = ["skip-execution"]
            cell["metadata"]["nbgrader"]["points"] = 100
        put(folder, "skipped/entropy.ipynb", json.dumps(skipped))
    return folder


@pytest.fixture(scope="module")
def graded(course, folder):
    said = []
    rows = grade.grade(folder, course, said.append)
    with (course / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["student"] for row in csv.DictReader(file)] == [row["student"] for row in rows]
    return {(row["assignment"], row["student"]): row for row in rows}, "\n".join(said)


def page_of(course, student, place="entropy/entropy.html"):
    return (course / "feedback" / student / place).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GRADED)
def test_grading_gives_what_the_judge_gives_in_process(course, graded, name):
    """So the catalogue, judged without a sandbox, holds in a sandbox as well."""
    by_test = coursework.run(name, partly_wrong(name), count=INPUTS)
    full = full_points(name)
    found = grade.stored(course, "wrong", name)["results"]
    found = coursework.by_test(found)
    assert {key: (points, message) for key, (points, _, message) in found.items()} == by_test
    stored = course / "autograded" / "wrong" / name / f"{name}.ipynb"
    cells = {grade_id(cell): cell for cell in nbformat.read(stored, as_version=4).cells}
    page = BeautifulSoup(page_of(course, "wrong", f"{name}/{name}.html"), "html.parser").get_text()
    for (question, test), (points, message) in by_test.items():
        line = judge.line(f"{points:g} of {full[question, test]:g}", test, message)
        assert line in cells[f"{question}-test"].outputs[0].text
        assert line in page
    row = graded[0][name, "wrong"]
    assert 0 < float(row["score"]) == sum(points for points, _ in by_test.values())
    assert float(row["score"]) < sum(full.values()) < float(row["max_score"])
    assert row["by_hand"] == ""  # the written answer was left as it was


@pytest.mark.parametrize("name", GRADED)
def test_what_students_get_is_what_nbgrader_makes(course, graded, name):
    made = {path.name: path.read_bytes() for path in (course / "release" / name).glob("*.*")}
    assert release.files_of(name) == made


def test_nobody_is_lost_and_late_work_loses_by_the_rule(graded, folder):
    rows, said = graded
    more = set() if tiers.TIER == "quick" else {"stop", "silent", "skipped"}
    judged = {"wrong", "Zoë-Ng_1234567", "hostile"} | more
    assert {student for _, student in rows} == judged | set(NOT_READ)
    assert f"[{len(rows)}/{len(rows)}]" in said.replace("[ ", "[")
    assert all(row["file"] for row in rows.values())
    right = rows["entropy", "Zoë-Ng_1234567"]
    assert float(right["score"]) == FULL
    assert (right["days_late"], float(right["final"])) == ("2", round(FULL * 0.8, 2))


@pytest.mark.parametrize("student", NOT_READ)
def test_what_cannot_be_graded_is_said_in_three_places(course, graded, student):
    rows, said = graded
    assert NOT_READ[student] in rows["", student]["note"]
    assert rows["", student]["score"] == ""
    assert f"{student}: NOT GRADED" in said
    page = page_of(course, student, "not-graded/index.html")
    assert NOT_READ[student] in page
    assert "hand in the file that ends in" in BeautifulSoup(page, "html.parser").get_text()


def test_feedback_shows_messages_and_no_hidden_test(course, graded):
    text = " ".join(BeautifulSoup(page_of(course, "wrong"), "html.parser").get_text().split())
    lost = grade.stored(course, "wrong", "entropy")["results"].values()
    messages = [" ".join(message.split()) for tests in lost for *_, message in tests if message]
    assert len(messages) > 5
    assert [message for message in messages if message not in text] == []
    hidden = (course / "source" / "entropy" / "hidden.py").read_text()
    lines = [line.strip() for line in hidden.splitlines() if len(line.strip()) > 30]
    assert not [line for line in lines if line in text and not line.startswith("def ")]
    assert not list((course / "feedback").rglob("hidden.py"))


def test_a_hostile_notebook_earns_nothing_reads_nothing_and_obeys_nobody(course, graded):
    row = graded[0]["entropy", "hostile"]
    assert float(row["score"]) == 0
    assert row["by_hand"] == "to mark"
    assert "read it yourself: it mentions" in row["note"]
    files = {path.name for path in (course / "feedback" / "hostile").rglob("*") if path.is_file()}
    assert files == {"entropy.html"}
    page = page_of(course, "hostile")
    assert page.count("no hidden.py") == 2
    assert "def some_counts" not in page
    tags = BeautifulSoup(page, "html.parser")
    assert not tags.find_all(["script", "iframe", "form", "object", "embed", "base"])
    assert not [tag for tag in tags.find_all(True) if any(a.startswith("on") for a in tag.attrs)]
    from nbconvert import HTMLExporter

    stored = nbformat.read(course / "autograded/hostile/entropy/entropy.ipynb", as_version=4)
    for output in (o for c in stored.cells if c.cell_type == "code" for o in c.outputs):
        assert not set(output.get("data", {})) - {"text/plain", "image/png"}
    page = HTMLExporter(template_name="classic").from_notebook_node(stored)[0]  # as Formgrader's
    assert "<script>fetch" not in page
    assert "<iframe" not in page.split("<body")[1]


@pytest.mark.usefixtures("needs_browser")
@pytest.mark.parametrize("student", ["wrong", "hostile"])
def test_a_page_begins_with_the_points_and_all_its_links_lead_somewhere(course, graded, student):
    path = course / "feedback" / student / "entropy" / "entropy.html"
    with chromium.opened() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        said = []
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri())
        words = " ".join(page.inner_text("body").split())
        begins = rf"Entropy and information gain · feedback for {student} \d of \d complete "
        points = re.match(begins + r"[\d.]+ of ([\d.]+)(?: ([\d.]+) more are read by hand)?", words)
        assert points, words
        released = notebook("entropy", "release").cells
        whole = sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in released)
        assert float(points[1]) + float(points[2] or 0) == whole
        assert page.locator("math").count() > 5
        links = page.eval_on_selector_all("a", "all => all.map(a => a.getAttribute('href'))")
        assert links
        for link in links:
            if link.startswith("#"):
                assert page.locator(f"[id='{link[1:]}']").count() == 1, link
            else:
                assert link.startswith("https://"), link
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert said == []


def test_links_to_the_book_lead_to_its_published_pages(monkeypatch):
    link = "[Gain](../../../book/id3.ipynb#gain)"
    monkeypatch.setattr(feedback.address, "here", lambda: None)
    assert "<a" not in feedback.rendered(link)
    place = feedback.address.Address("a/b", "https://a.github.io/b")
    monkeypatch.setattr(feedback.address, "here", lambda: place)
    assert 'href="https://a.github.io/b/id3.html#gain"' in feedback.rendered(link)


@pytest.mark.slow
def test_a_loop_and_a_dead_kernel_cost_their_question_alone(course, graded):
    lost = sum(
        points for (question, _), points in full_points("entropy").items() if question in STOP
    )
    assert float(graded[0]["entropy", "stop"]["score"]) == FULL - lost
    page = page_of(course, "stop")
    assert "This cell did not end within" in page
    assert "This cell ended Python" in page


@pytest.mark.slow
def test_deleted_checks_come_back_and_silencing_them_changes_nothing(graded):
    rows = graded[0]
    assert float(rows["entropy", "silent"]["score"]) == FULL  # the code itself is right
    for words in ("setup, entropy-test", "read it yourself: it mentions import visible"):
        assert words in rows["entropy", "silent"]["note"]
    assert "the same STUDENT, 'zoe'" in rows["entropy", "Zoë-Ng_1234567"]["note"]
    assert float(rows["entropy", "skipped"]["score"]) == 0
    assert rows["entropy", "wrong"]["note"] == ""


# --- names and files ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Entropy_ann.ipynb", "ann"),
        ("ann-entropy (1).ipynb", "ann"),
        ("ann/entropy/entropy.ipynb", "ann"),
        ("entropy/ann/entropy.ipynb", "ann"),
        ("..ann/entropy.ipynb", "ann"),
        ("李雷/entropy.IPYNB", "李雷"),
        ("O'Neill, Ann/entropy.ipynb", "O-Neill-Ann"),
        ("entropy_4711.ipynb", "4711"),
        ("Ann Lee_12_assignsubmission_file_entropy.ipynb", "Ann-Lee_12"),
        ("1234-5678 - Ann Lee - Nov 20, 2026 1159 PM/entropy.ipynb", "Ann-Lee"),
        ("leeann_12_34_entropy-2.ipynb", "leeann_12"),
        ("leeann_LATE_4711_99_entropy-1.ipynb", "leeann_4711"),
        ("homework_bob_attempt_2026-11-02-10-00-00_a.ipynb", "bob"),
        ("entropy.ipynb", "nameless"),
        ("entropy (1).ipynb", "nameless"),
        ("Copy of entropy.ipynb", "nameless"),
    ],
)
def test_who_handed_in(name, student):
    assert submissions.tidy(submissions.student_of(name, NAMES)) == student


def collected(folder):
    found = submissions.collect(folder, {"entropy": notebook("entropy", "release")})
    assert len({one.student for one in found}) == len(found)
    return {one.student: one for one in found}


def test_odd_files_and_names_are_read_or_said(tmp_path):
    lone = json.loads(handed_in("entropy", {}))
    text = json.dumps(lone).replace("YOUR ANSWER HERE", "half a character: \\ud800")
    put(tmp_path, "lone/entropy.ipynb", text)
    for student in (".dot", "राम", "रिम", "Ann Lee", "Ann-Lee", "=1+1", os.fsdecode(b"half\xff")):
        put(tmp_path, f"{student}/entropy.ipynb", handed_in("entropy", solved("entropy", "")))
    put(tmp_path, "mark/entropy.ipynb", handed_in("entropy", {}), encoding="utf-8-sig")
    put(tmp_path, "large/ENTROPY.IPYNB", handed_in("entropy", {}))
    for day in (2, 3):
        name = f"homework_bob_attempt_2026-11-0{day}-10-00-00_a.ipynb"
        put(tmp_path, name, handed_in("entropy", solved("entropy", "bob")))
    put(tmp_path, "bob-2/entropy.ipynb", handed_in("entropy", {}))
    for bad, text in {"bad": '{"cells": [', "nul": "\x00\x01"}.items():
        put(tmp_path, f"{bad}/entropy.ipynb", text)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/entropy.ipynb").symlink_to(COURSE / "source/entropy/entropy.ipynb")
    with zipfile.ZipFile(tmp_path / "zipped.zip", "w") as archive:
        archive.writestr("entropy/entropy.ipynb", handed_in("entropy", {}))
        archive.writestr("entropy/hidden.py", "raise SystemExit('not the right tests')")
    found = collected(tmp_path)
    read = {student for student, one in found.items() if one.notebook}
    assert read == {"lone", "dot", "राम", "रिम", "Ann-Lee", "Ann-Lee-2", "1-1", "half", "mark",
                    "large", "bob", "bob-2", "bob-3", "zipped"}  # fmt: skip
    assert set(found) - read == {"bad", "nul"}
    for student in ("bad", "nul"):
        assert "cannot be read as a notebook" in found[student].notes[0]
    assert "kept apart" in found["Ann-Lee-2"].notes[0]
    for student in ("bob", "bob-3"):
        assert "handed in 2 times" in found[student].notes[0]
        assert all(day in found[student].notes[0] for day in ("2026-11-02", "2026-11-03"))
    assert "2026-11-03" in found["bob-3"].file
    assert found["bob-2"].notes == []  # somebody else, whose name it is
    assert "'=" in grade.inert(found["1-1"].file)[:2]
    assert json.dumps(found["lone"].notebook).encode()


def test_a_file_without_a_name_has_that_of_its_student(tmp_path):
    put(tmp_path, "entropy.ipynb", handed_in("entropy", solved("entropy", "Eve")))
    put(tmp_path, "entropy (1).ipynb", handed_in("entropy", solved("entropy", "Bob")))
    assert set(collected(tmp_path)) == {"Eve", "Bob"}


def test_a_folder_around_all_students_is_no_student():
    files = [("week 3/ann/entropy.ipynb", 1), ("week 3/bob/entropy.ipynb", 2)]
    inside = [("ann/entropy.ipynb", 1), ("bob/entropy.ipynb", 2)]
    assert submissions.below_the_course(files, NAMES) == inside
    alone = [("ann/entropy/entropy.ipynb", 1)]
    assert submissions.below_the_course(alone, NAMES) == alone


def test_what_is_too_large_is_said_and_a_whole_class_never_is(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "MOST_BYTES", 300_000)
    monkeypatch.setattr(submissions, "MOST_OF_A_NOTEBOOK", 100_000)
    monkeypatch.setattr(submissions, "MOST_CELLS", 200)
    inner, bomb = tmp_path / "inner.zip", tmp_path / "bomb.zip"
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(200_000))
    with zipfile.ZipFile(bomb, "w") as nested:
        nested.write(inner, "a.zip")
        nested.write(inner, "b.zip")
    with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for k in range(20):
            archive.writestr(f"s{k}/entropy.ipynb", handed_in("entropy", {}))
        archive.writestr("large/entropy.ipynb", " " * 100_001)
        many = handed_in("entropy", {}, extra=[(1, "1")] * 200)
        archive.writestr("many/entropy.ipynb", many)
        archive.write(bomb, "bomb/one.zip")
    found = collected(tmp_path / "class.zip")
    assert sum(one.notebook is not None for one in found.values()) == 20
    for student, words in (("large", "large"), ("many", "more than 200 cells"), ("bomb", "large")):
        assert words in found[student].notes[0]


def test_the_clock_of_a_student_does_not_say_when_work_was_handed_in(tmp_path):
    inner = tmp_path / "inner.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(zipfile.ZipInfo("entropy.ipynb", (1999, 1, 1, 0, 0, 0)), "{}")
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        member = zipfile.ZipInfo("Ann_12_assignsubmission_file_/a.zip", (2026, 11, 20, 12, 0, 0))
        archive.writestr(member, inner.read_bytes())
    (found,) = collected(tmp_path / "class.zip").values()
    assert grade.datetime.fromtimestamp(found.handed_in).isoformat() == "2026-11-20T12:00:00"


def test_which_assignment_a_file_is_it_says_itself():
    known = {name: notebook(name, "release") for name in NAMES}
    warm = nbformat.from_dict(known["entropy"])
    warm.cells = [cell for cell in warm.cells if "entropy" not in grade_id(cell)][:8]
    known = {"warmup": warm} | known
    assert submissions.assignment_of(notebook("entropy", "release"), known, "x.ipynb") == "entropy"
    for one in (warm, known["entropy"]):
        one.metadata.pop("dtreebook", None)
    assert submissions.assignment_of(warm, known, "warmup_eve.ipynb") == "warmup"
    assert submissions.assignment_of(known["entropy"], known, "x.ipynb") == "entropy"


def test_a_picture_in_a_written_answer_is_kept_and_nothing_else():
    drawn = coursework.filled(notebook("entropy", "release"), {"row_number": "![](attachment:a)"})
    for cell in drawn.cells:
        if grade_id(cell) == "row_number":
            cell.attachments = {
                "a.png": {"image/png": "iVBORw0KGgo=", "text/html": "<script>"},
                "b.png": {"image/png": '"onerror="alert(1)'},
            }
    whole, _ = submissions.restored(drawn, notebook("entropy", "release"))
    (cell,) = (cell for cell in whole.cells if grade_id(cell) == "row_number")
    assert cell.attachments == {"a.png": {"image/png": "iVBORw0KGgo="}, "b.png": {}}


def test_a_check_that_was_copied_keeps_its_text_and_has_no_points():
    released = notebook("entropy", "release")
    (check, *_) = (cell for cell in released.cells if submissions.is_check(cell))
    twice = nbformat.from_dict(released)
    twice.cells.append(nbformat.from_dict(check))
    whole, _ = submissions.restored(twice, released)
    assert [grade_id(cell) for cell in whole.cells] == [*map(grade_id, released.cells), ""]
    assert whole.cells[-1].source == check.source


def test_the_command_says_when_there_is_no_folder(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["grade.py", "nowhere"])
    with pytest.raises(SystemExit, match="There is no folder nowhere"):
        grade.main()
