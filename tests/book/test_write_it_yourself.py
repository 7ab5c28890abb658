"""Code checked in the page: wrong functions get their hint and an input to try, right ones pass."""

import ast
import json
import random
import re
import subprocess
import sys
from functools import cache

import exercises_in_code
import nbformat
import pytest
import run_page
import write_it_yourself
from browser import BOOK, ROOT
from browser import sample as pages_drawn
from catalogues import CATALOGUE
from coursework import NAMES, course_in, full_points, ours
from in_page.exercises import EXERCISES
from spine import PAGES as SPINE
from test_run_page import served, until
from tiers import SEED, sample, sometimes

from course.grader import grade

# What the page does, in Python beside it: each text is written into its cell, and run. Every page
# starts as a fork of one process that has imported what pages import.
RUN = """
import io, json, os, signal, sys
import sklearn.ensemble
sys.path.insert(0, "../../course")
import twentyquestions.quiz
from in_page.checking import check
from contextlib import redirect_stdout
class NoEnd(BaseException):
    pass
def stop(*_):
    raise NoEnd
signal.signal(signal.SIGVTALRM, stop)
display = print
def run(line):
    begin, cells = json.loads(line)
    with redirect_stdout(io.StringIO()):
        exec(begin, globals())
    for place, (name, code, others) in enumerate(cells):
        names = {**globals()}
        said = io.StringIO()
        with redirect_stdout(said):
            for other in others:
                exec(other, names)
            signal.setitimer(signal.ITIMER_VIRTUAL, 9)  # the reader presses Stop
            try:
                exec(f"{code}\\n\\ncheck('{name}')", names)
            except BaseException as error:
                print(f"goes wrong: {error!r}")
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        cells[place] = said.getvalue()
    return json.dumps(cells)
for line in sys.stdin:
    if not os.fork():
        print(run(line), flush=True)
        os._exit(0)
    if os.wait()[1]:
        sys.exit("see above")
"""


@cache
def pages():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", RUN], cwd=ROOT / "book" / "_ext", **pipes)


def checked(begin, cells):
    print(json.dumps([begin, cells]), file=pages().stdin, flush=True)
    return json.loads(pages().stdout.readline())


def begun(name):
    return "\n".join(cell["source"] for cell in write_it_yourself.cells(name)[:3])


def asked(name):
    cells = write_it_yourself.cells(name)
    return [cell["id"] for cell in cells if cell["check"]]


@pytest.mark.parametrize("name", sample(NAMES, quick=1))
def test_the_right_functions_pass(name):
    right = ours(name)
    before, cells = [STUDENT], []
    for question in asked(name):
        cells.append((question, right[question], list(before)))
        before.append(right[question])
    for said in checked(begun(name), cells):
        assert "  ✗  " not in said
        assert "goes wrong" not in said


STUDENT = 'STUDENT = "teacher"'
WRONG = [
    wrong
    for wrong in CATALOGUE
    # Of numbers about a student's own data a self-check cannot say whether they are right.
    if not wrong.cell.startswith("my_")
    and any(wrong.hints.values())
    and "loop" not in str(wrong.hints)
    and "while" not in wrong.code
]


def of_the_catalogue(name, quick):
    """Draw wrong functions of an assignment: [(which, what is said of it, is its hint there)]."""
    right, order, cells = ours(name), asked(name), []
    here = [wrong for wrong in WRONG if wrong.assignment == name and wrong.cell in order]
    some = sample(here, quick=quick)
    for wrong in some:
        before = [right[question] for question in order[: order.index(wrong.cell)]]
        cells.append((wrong.cell, wrong.code, [STUDENT, *before]))
    return [
        (wrong, said, hinted(wrong, said))
        for wrong, said in zip(some, checked(begun(name), cells), strict=True)
    ]


def hinted(wrong, said):
    return any(words and words in " ".join(said.split()) for words in wrong.hints.values())


@pytest.mark.parametrize("name", NAMES)
def test_wrong_functions_get_their_hint(name):
    found = of_the_catalogue(name, quick=3)
    for wrong, said, is_hinted in found:
        # A few hints need the data of grading; then there is an input on which it goes wrong.
        assert is_hinted or "goes wrong" in said, (wrong, said)
    # Of a few, chance decides.
    assert len(found) < 20 or sum(is_hinted for *_, is_hinted in found) >= 0.7 * len(found)


def test_the_pages_ask_every_question_and_show_no_solution(site):
    for name in NAMES:
        html = (site / f"write_{name}.html").read_text("utf-8")
        words = re.sub("<[^>]*>", "", html)
        for question in asked(name):
            assert f"def {question}(" in words
        assert "BEGIN SOLUTION" not in html
        assert "The cells run on the published pages" in html


def test_the_first_page_begins_with_a_question_and_what_its_check_says(site):
    html = (site / "write_it_yourself.html").read_text("utf-8")
    before, after = html.split('data-live="trace"')
    here = after.split("write_entropy.html")[0]
    assert "how many bits of surprise" in before
    for words in "Which line goes wrong?", "def surprise(p)", "you used natural logarithms":
        assert words in here  # also where Python is not there
    assert ("tag_write" in here) == (run_page.artifacts() is not None)


def test_of_the_last_lines_that_are_tried_one_is_right():
    name, question, code = write_it_yourself.FIRST.search(
        (BOOK / "write_it_yourself.md").read_text("utf-8")
    ).groups()
    for line in write_it_yourself.LAST_LINES:
        written = re.sub(r"return .*\Z", line, code)
        said = write_it_yourself.says(name, question, written)
        assert ("  ✗  " not in said) == (line == write_it_yourself.LAST_LINES[-1])


def written(path):
    cells = exercises_in_code.posed(nbformat.read(path, as_version=4).cells)
    return cells, [cell for cell in cells if "begins" in cell.metadata]


POSED = {path.stem: found for path in sorted(BOOK.glob("*.ipynb")) if (found := written(path))[1]}


@sometimes
@pytest.mark.parametrize("page", pages_drawn(POSED, quick=4))
def test_an_exercise_accepts_its_solution_and_names_every_slip(page):
    cells, posed = POSED[page]
    solved = [ast.parse(cell.source).body for cell in filter(exercises_in_code.is_solution, cells)]
    functions = [node for body in solved for node in body if isinstance(node, ast.FunctionDef)]
    solution = "\n".join(map(ast.unparse, functions))
    # Only those cells run before that a solution needs.
    needed = {name for cell in posed for name in cell.metadata.needs}
    begin = [cell.source for cell in cells if cell.id in needed]
    begin += [cell.metadata.begins for cell in posed]
    tried, slip = [], "from in_page.exercises import EXERCISES\n{} = EXERCISES[{!r}][2][{!r}]"
    for cell in posed:
        name = cell.metadata.check.split('"')[-2]
        tried += [(name, solution, []), (name, cell.source, [])]
        for why in EXERCISES.get(cell.id, ("", None, {}))[2]:
            tried.append((name, slip.format(name, cell.id, why), []))
    for (_, code, _), said in zip(tried, checked("\n".join(begin), tried), strict=True):
        if code == solution:
            assert "  ✓  " in said
            assert "  ✗  " not in said
            assert "goes wrong" not in said
        elif "EXERCISES" in code:
            (why,) = (w for _, _, slips in EXERCISES.values() for w in slips if repr(w) in code)
            assert why in " ".join(said.split())
        else:
            assert "not written yet." in said


def test_a_solution_needs_what_its_cells_need():
    cells = [nbformat.v4.new_code_cell(f"{s} = {of}", id=s) for s, of in ("a1", "bx", "cb")]
    assert exercises_in_code.needs(cells, "print(a, c)") == ["c", "b", "a"]


def test_every_exercise_in_code_of_the_spine_is_checked():
    for page in SPINE:
        cells = nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells
        asking = [c for c in cells if c.cell_type == "markdown" and "★ *In code" in c.source]
        assert len(asking) == len(POSED.get(page, ((), ()))[1]), page


@pytest.fixture
def visit(chromium, site):
    """A function that opens a page in a browser of its own; Python may take long to come."""
    with served(site) as address:
        context = chromium.new_context()
        context.set_default_timeout(180_000)

        def opened(name):
            page = context.new_page()
            page.goto(f"{address}/{name}.html")
            return page

        yield opened
        context.close()


@pytest.mark.weekly
def test_a_function_is_checked_kept_stopped_and_taken_along(visit, tmp_path):
    page = visit("write_entropy")
    page.get_by_text("Your name", exact=True).click()
    page.get_by_role("textbox").filter(has_text="STUDENT =").fill(STUDENT)
    cell = page.locator(".cell", has_text="def surprise(p)")
    code = cell.get_by_role("textbox")
    code.fill("def surprise(p):\n    return -math.log(p) if p else math.inf")
    cell.get_by_role("button", name="Check").click()
    cell.locator(".cell_output", has_text="you used natural logarithms").wait_for()
    code.fill("def surprise(p):\n    while True: pass")
    code.press("Shift+Enter")
    until(page, "busy")
    cell.get_by_role("button", name="Stop").click()
    until(page, "stopped")
    mine = "def surprise(p):\n    return -math.log2(p) if p else math.inf"
    code.fill(mine)
    code.press("Shift+Enter")
    cell.locator(".cell_output", has_text="it gives what it should").wait_for()
    page.reload()
    assert mine in code.inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Take it as a notebook").click()
    download.value.save_as(tmp_path / "in" / "teacher" / "entropy.ipynb")
    (row,) = grade.grade(tmp_path / "in", course_in(tmp_path / "course", ["entropy"]))
    points = [points for (of, _), points in full_points("entropy").items() if of == "surprise"]
    assert int(row["score"]) == sum(points) > 0


@pytest.mark.weekly
def test_the_first_try_is_mended(visit):
    page = visit("write_it_yourself")
    cell = page.locator(".cell", has_text="def surprise(p)")
    cell.get_by_role("textbox").fill(
        "def surprise(p):\n    return math.log2(1 / p) if p else math.inf"
    )
    cell.get_by_role("button", name="Check").click()
    cell.locator(".cell_output", has_text="it gives what it should").wait_for()
    assert cell.locator(".cell_output").count() == 1
    # The card above plays it.
    told = "With return math.log2(1 / p) if p else math.inf it is right for all"
    assert told in page.locator(".dtb-said").inner_text()


@pytest.mark.weekly
@pytest.mark.parametrize("name", NAMES)
def test_six_wrong_functions_get_their_hint_in_the_page(visit, name):
    six = [wrong for wrong, _, is_hinted in of_the_catalogue(name, quick=24) if is_hinted]
    six = random.Random(SEED).sample(six, 6)
    page, right = visit(f"write_{name}"), ours(name)
    page.get_by_text("Your name", exact=True).click()
    page.get_by_role("textbox").filter(has_text="STUDENT =").fill(STUDENT)
    for question in asked(name):
        cell = page.locator(".cell", has_text=f"def {question}(")
        code = cell.get_by_role("textbox")
        for wrong in six:
            if wrong.cell == question:
                code.fill(wrong.code)
                cell.get_by_role("button", name="Check").click()
                until(page, "idle")
                said = cell.locator(".cell_output").inner_text()
                assert hinted(wrong, said), (wrong, said)
        code.fill(right[question])


@pytest.mark.weekly
def test_an_exercise_runs_what_it_needs_of_its_page(visit):
    page = visit("entropy")
    cell = page.locator(".cell.tag_write")
    code, check = cell.get_by_role("textbox"), cell.get_by_role("button", name="Check")
    check.click()
    cell.locator(".cell_output", has_text="not written yet.").wait_for()
    ran = "async () => Object.values((await import('./python/page.js')).ran())"
    assert page.evaluate(f"async () => (await ({ran})()).filter(Boolean).length") < 5
    # What the solution does without comes all the same.
    nearest = "min(range(51), key=lambda k: abs(measures.entropy([k, 100 - k]) - bits))"
    code.fill(f"def minority(bits):\n    assert len(chance)\n    return {nearest}")
    check.press("Enter")
    cell.locator(".cell_output", has_text="✓").wait_for()
    page.reload()
    assert "len(chance)" in code.inner_text()
