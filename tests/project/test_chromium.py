"""Without a browser one sentence says what to install, and nothing else ends with an error.

That one from the npm registry does for all tests is what `.ci/bare make test` shows.
"""

import os
import re
import subprocess
import sys

import pytest
from browser import ROOT

from tools import chromium


def run(module, *arguments, **settings):
    named = os.environ | {"BROWSER": "none"} | settings
    here = {name: value for name, value in named.items() if "PYTEST" not in name}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, env=here, capture_output=True, text=True, check=False)


def test_the_first_that_opens_a_page_is_taken(monkeypatch):
    monkeypatch.delenv("BROWSER", raising=False)
    monkeypatch.setenv(chromium.FOUND, "")  # so that what find notes is undone
    monkeypatch.delenv(chromium.FOUND)
    monkeypatch.setattr(chromium, "programs", lambda: iter(["snap", "shell", "never asked for"]))
    monkeypatch.setattr(chromium, "opens_a_page", {"snap": False, "shell": True}.__getitem__)
    assert chromium.find() == "shell"
    monkeypatch.setattr(chromium, "programs", lambda: iter([]))
    assert chromium.find() == "shell"
    monkeypatch.delenv(chromium.FOUND)
    with pytest.raises(LookupError, match="install Chromium"):
        chromium.find()


def test_what_is_no_browser_opens_no_page():
    assert not chromium.opens_a_page("/bin/false")


@pytest.mark.parametrize("module", ["tools.exercises", "tools.editions", "tools.chromium"])
def test_a_command_says_that_it_needs_a_browser_before_it_begins(module, site, tmp_path):
    ended = run(module, str(site), str(tmp_path / "made"))
    assert ended.returncode == 1
    assert ended.stderr == f"This needs a browser. {chromium.UNWANTED}\n"
    assert not (tmp_path / "made").exists()


def test_what_needs_a_browser_is_skipped_and_counted_in_one_line():
    file = "tests/package/test_text_safety.py"
    told = run("pytest", "-n", "1", file, CI="")
    assert told.returncode == 0, told.stdout
    assert told.stdout.count(chromium.UNWANTED) == 2  # at the start and in the summary
    skipped = re.findall(r"^SKIPPED \[(\d+)\] (.*)$", told.stdout, re.MULTILINE)
    assert [reason.partition(": ")[2] for _, reason in skipped] == [
        f"{chromium.UNWANTED} The tests that need one are left out."
    ]
    assert f" {skipped[0][0]} skipped" in told.stdout


def test_where_everything_is_to_be_tested_a_missing_browser_is_an_error():
    ended = run("pytest", "-n", "1", "tests/package/test_text_safety.py", CI="true")
    assert ended.returncode == 1
    assert "With CI=true nothing may be left out." in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr


def test_every_browser_is_opened_in_one_place():
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True)
    texts = {name: (ROOT / name).read_text("utf-8") for name in files.stdout.split()}
    opening = "sync_" + "playwright()"
    assert [name for name, text in texts.items() if opening in text] == ["tools/chromium.py"]
