"""The assignments as pages: wrong functions get their hint and an input to try, right ones pass."""

import json
import subprocess
import sys

import pytest
from browser import ROOT
from coursework import NAMES, ours
from test_run_page import served, until
from tiers import sample
from wrong_solutions import CATALOGUE

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import write_it_yourself

# What the page does, in Python beside it: each text is written into its cell, and run.
RUN = """
import io, json, signal, sys
from contextlib import redirect_stdout
class NoEnd(BaseException):
    pass
def stop(*_):
    raise NoEnd
signal.signal(signal.SIGALRM, stop)
begin, cells = json.load(sys.stdin)
exec(begin, vars())
for place, (name, code, others) in enumerate(cells):
    names = {**globals()}
    said = io.StringIO()
    with redirect_stdout(said):
        for other in others:
            exec(other, names)
        signal.alarm(10)  # the reader presses Stop
        try:
            exec(f"{code}\\n\\ncheck('{name}')", names)
        except BaseException as error:
            print(f"goes wrong: {error!r}")
        signal.alarm(0)
    cells[place] = said.getvalue()
json.dump(cells, sys.stdout)
"""


def checked(name, cells):
    """Check functions of an assignment as its page does: what is said of each."""
    begin, *given = (cell["source"] for cell in write_it_yourself.cells(name)[:3])
    begin = "\n".join([begin, *given])
    command = [sys.executable, "-c", RUN]
    told = json.dumps([begin, cells])
    folder = ROOT / "book" / "_ext"
    run = subprocess.run(
        command, input=told, capture_output=True, text=True, cwd=folder, check=True
    )
    return json.loads(run.stdout)


def asked(name):
    """Return the questions of an assignment in their order."""
    cells = write_it_yourself.cells(name)
    return [cell["id"] for cell in cells if cell["source"].endswith(f'check("{cell["id"]}")')]


@pytest.mark.parametrize("name", NAMES)
def test_the_right_functions_pass(name):
    right = ours(name)
    before, cells = ['STUDENT = "teacher"'], []
    for question in asked(name):
        cells.append((question, right[question], list(before)))
        before.append(right[question])
    for said in checked(name, cells):
        assert "  look  " not in said
        assert "goes wrong" not in said


WRONG = [
    wrong
    for wrong in CATALOGUE
    # Of numbers about a student's own data a self-check cannot say whether they are right.
    if not wrong.cell.startswith("my_")
    and any(wrong.hints.values())
    and "loop" not in str(wrong.hints)
    and "while" not in wrong.code
]


@pytest.mark.parametrize("name", NAMES)
def test_wrong_functions_get_their_hint(name):
    right, order, cells = ours(name), asked(name), []
    here = [wrong for wrong in WRONG if wrong.assignment == name and wrong.cell in order]
    some = sample(here, quick=5, full=24)
    for wrong in some:
        before = [right[question] for question in order[: order.index(wrong.cell)]]
        cells.append((wrong.cell, wrong.code, ['STUDENT = "teacher"', *before]))
    hinted = 0
    for wrong, said in zip(some, checked(name, cells), strict=True):
        plain = " ".join(said.split())
        is_hinted = any(words and words in plain for words in wrong.hints.values())
        # A few hints need the data of grading; then there is an input on which it goes wrong.
        assert is_hinted or "goes wrong" in said, (wrong, said)
        hinted += is_hinted
    assert len(some) < 20 or hinted >= 0.7 * len(some)  # of a few, chance decides


def test_the_pages_ask_every_question_and_show_no_solution(site):
    for name in NAMES:
        html = (site / f"write_{name}.html").read_text("utf-8")
        for question in asked(name):
            assert f"check(&quot;{question}&quot;)" in html or f'check("{question}")' in html
        assert "BEGIN SOLUTION" not in html


@pytest.mark.weekly
def test_a_function_is_checked_kept_stopped_and_taken_along(chromium, site, tmp_path):
    with served(site) as address:
        context = chromium.new_context()
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.goto(f"{address}/write_entropy.html")
        cell = page.locator(".cell", has_text='check("surprise")')
        code = cell.get_by_role("textbox")
        code.fill(
            'def surprise(p):\n    return -math.log(p) if p else math.inf\n\ncheck("surprise")'
        )
        cell.get_by_role("button", name="Run").click()
        cell.locator(".cell_output", has_text="you used natural logarithms").wait_for()
        code.fill('def surprise(p):\n    while True: pass\n\ncheck("surprise")')
        code.press("Shift+Enter")
        until(page, "busy")
        page.get_by_role("button", name="Stop").first.click()
        until(page, "stopped")
        mine = "def surprise(p):\n    return -math.log2(p) if p else math.inf"
        code.fill(f'{mine}\n\ncheck("surprise")')
        code.press("Shift+Enter")
        cell.locator(".cell_output", has_text="it gives what it should").wait_for()
        page.reload()
        assert mine in code.inner_text()
        with page.expect_download() as download:
            page.get_by_role("button", name="Take it as a notebook").click()
        download.value.save_as(tmp_path / "entropy.ipynb")
        taken = json.loads((tmp_path / "entropy.ipynb").read_text())
        assert mine in ["".join(found["source"]) for found in taken["cells"]]
        context.close()
