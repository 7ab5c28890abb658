"""The assignments grade what they should: right, untouched and wrong solutions, one by one."""

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from itertools import product

import checks
import nbformat
import pytest
from catalogues import CATALOGUE
from coursework import (
    COURSE,
    NAMES,
    assignment,
    full_points,
    grade_id,
    notebook,
    ours,
    run,
    self_check,
)
from tiers import sample

from course.grader import assignments, judge, release
from tools import address

SOME = sample(NAMES, quick=1)


@pytest.mark.parametrize(
    ("name", "student"),
    sample(product(NAMES, ["Ann", "李雷", "4711", "x" * 99, "o'Neill", "b", "c", "d"]), quick=2),
)
def test_the_teachers_solution_is_right_for_every_student(name, student):
    results = run(name, {"student": f"STUDENT = {student!r}"})
    assert {key: points for key, (points, _) in results.items()} == full_points(name)
    assert {message for _, message in results.values()} == {""}


@pytest.mark.parametrize("name", SOME)
def test_the_untouched_release_has_no_points_and_no_crash(name):
    released = {grade_id(cell): cell.source for cell in notebook(name, "release").cells}
    results = run(name, released)
    assert set(results) == set(full_points(name))
    for key, (points, message) in results.items():
        assert points == 0, key
        assert re.search("not written yet|there is no|STUDENT", message), (key, message)


@pytest.mark.parametrize("name", SOME)
def test_the_self_check_is_content_with_the_right_solution_and_never_promises_points(name):
    printed = self_check(name, ours(name))
    assert "  look" not in printed
    asked = assignment(name).questions.values()
    drawn = [question for question in asked if question.draw]
    assert printed.count("Grading looks at other data") == len(asked) - len(drawn)
    assert printed.count("possible, not checked") == sum(len(one.tests) for one in drawn)
    assert not re.search(r"passed|points|correct", printed)


@pytest.mark.parametrize("name", SOME)
def test_the_self_check_of_the_untouched_release_says_what_to_do(name):
    printed = self_check(name)
    assert "  ✓" not in printed
    assert "not written yet." in printed


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_inputs_by_chance_are_the_same_in_every_process(name):
    """Sets of texts are in another order with each hash seed."""
    program = (
        f"import sys; sys.path[:0] = {sys.path}\n"
        f"from checks import inputs\nfrom coursework import assignment\n"
        f"made = assignment({name!r})\n"
        "print([inputs(made, made.questions[name], 50) for name in made.inputs])"
    )
    found = {
        subprocess.check_output(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}
        )
        for seed in "12"
    }
    assert len(found) == 1


@pytest.mark.parametrize(
    "wrong", sample(CATALOGUE, quick=8), ids=lambda wrong: f"{wrong.assignment}: {wrong.mistake}"
)
def test_a_wrong_solution_loses_what_it_should_and_is_told_why(wrong):
    results = run(wrong.assignment, {wrong.cell: wrong.code}, seconds=0.5)
    lost = {key: message for key, (points, message) in results.items() if not points}
    more = [key for key, message in lost.items() if message.endswith(judge.DIFFERS)]
    assert set(lost) - set(more) == set(wrong.loses), lost
    for key, hint in wrong.loses.items():
        assert hint in lost[key], key
    full = full_points(wrong.assignment)
    assert all(points in (0, full[key]) for key, (points, _) in results.items())
    if more:
        asked = {key: points for key, points in full.items() if key[0] == wrong.cell}
        assert set(more) < set(asked)
        assert sum(results[key][0] for key in asked) <= sum(asked.values()) / 2


@pytest.mark.parametrize("name", NAMES)
def test_hidden_tests_differ_from_the_visible_ones_in_data_and_not_in_kind(name):
    hidden = assignment(name)
    for question in hidden.questions.values():
        for test in question.tests:
            key = question.name, test.name
            assert (key in hidden.other_data) == (not question.draw), key
            if not question.draw:
                assert hidden.other_data[key], key
                assert repr(hidden.other_data[key]) != repr(test.data), key
    tests = {(q.name, t.name) for q in hidden.questions.values() for t in q.tests}
    assert set(hidden.other_data) <= tests
    assert set(hidden.reference) == set(hidden.questions)
    assert set(hidden.inputs) == {q.name for q in hidden.questions.values() if not q.draw}


@pytest.mark.parametrize("name", NAMES)
def test_the_points_in_the_notebook_are_those_of_the_tests(name):
    assignments.check_points(name)
    graded = [cell for cell in notebook(name).cells if cell.metadata.nbgrader.grade]
    for cell in graded:
        question = grade_id(cell).removesuffix("-test")
        check = f'from visible import check\n\ncheck("{question}")'
        assert cell.metadata.nbgrader.solution or cell.source == check


def test_a_heading_that_gives_other_points_is_told(tmp_path):
    source = tmp_path / "source" / "entropy"
    shutil.copytree(COURSE / "source" / "entropy", source)
    book = source / "entropy.ipynb"
    text = book.read_text("utf-8").replace("2. Entropy (6 points)", "2. Entropy (5 points)")
    book.write_text(text, "utf-8")
    with pytest.raises(SystemExit, match=r"headings give \[5, 5, .*cells below them \[5, 6, "):
        assignments.check_points("entropy", tmp_path)


def test_the_guide_states_the_points():
    for name in NAMES:
        cells = [cell.metadata.nbgrader for cell in notebook(name).cells]
        checks, written = (
            sum(cell.points for cell in cells if cell.grade and cell.solution == by_hand)
            for by_hand in (False, True)
        )
        (minutes,) = re.findall(r"About (\d+) minutes", prose(name))
        row = re.compile(
            rf"^\| `{name}` \|.*\| {minutes} \| {checks} \+ {written} \|$", re.MULTILINE
        )
        assert row.search((COURSE / "README.md").read_text()), name


def prose(name):
    return "\n".join(cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("name", NAMES)
def test_the_release_has_no_solutions_and_no_hidden_tests(name):
    files = release.files_of(name)
    assert set(files) == {f"{name}.ipynb", "checks.py", "visible.py"}
    assert b"BEGIN" not in files[f"{name}.ipynb"]
    for cell in notebook(name, "release").cells:
        if cell.metadata.nbgrader.solution:
            assert re.search("YOUR (CODE|ANSWER) HERE", cell.source)
    for question in assignment(name).questions.values():
        assert f"def {question.name}(".encode() not in files["visible.py"]


@pytest.mark.parametrize("name", NAMES)
def test_the_links_of_an_assignment_lead_to_pages_of_the_book(name):
    linked = re.findall(r"\]\((.*?)\)", prose(name))
    assert linked
    assert all((COURSE / "source" / name / link).resolve().exists() for link in linked), linked
    assert "minutes" in prose(name)


@pytest.mark.parametrize("home", [None, address.Address("school/trees", "https://trees.school")])
def test_what_students_get_is_the_same_each_time_and_leads_to_the_published_book(
    tmp_path, monkeypatch, home
):
    monkeypatch.setattr(address, "here", lambda: home)
    packed = []
    for place in ("one", "other"):
        shutil.copytree(COURSE / "source", tmp_path / place / "source")
        for number, path in enumerate(sorted((tmp_path / place).rglob("*.*"))):
            os.utime(path, (number * 10**6, len(place) * 10**8))
        packed.append(release.pack("entropy", tmp_path / f"{place}.zips", tmp_path / place))
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with zipfile.ZipFile(packed[0]) as archive:
        text = archive.read("entropy/entropy.ipynb").decode()
    nbformat.reads(text, as_version=4)
    assert "../book" not in text
    assert ("https://trees.school/id3.html)" in text) == (home is not None)
    assert "What two variables share" in text


def test_assignments_need_no_more_than_numpy():
    for path in COURSE.glob("*/*/visible.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom | ast.Import):
                module = getattr(node, "module", None) or node.names[0].name
                assert module in {"math", "checks", "numpy", "itertools"}, module


def test_a_function_that_is_wrong_on_other_data_keeps_the_half_that_it_may():
    for points, kept in (((2, 2), [0, 2]), ((1, 1, 2), [0, 0, 2]), ((3, 1), [0, 1])):
        tests = [checks.Test(f"test {n}", worth, None, ()) for n, worth in enumerate(points)]
        results = [(test, test.points, "") for test in tests]
        assert [left for _, left, _ in judge.half_lost(results, "why")] == kept
