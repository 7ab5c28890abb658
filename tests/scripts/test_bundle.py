"""Bundles: modules as one expression, each in a scope of its own, and only what is used."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from twentyquestions import live


class Text(str):
    """Stand for a file of a room."""

    def read_text(self, encoding):
        return str(self)


@pytest.fixture
def deno():
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return shutil.which("deno", path=path)


@pytest.fixture
def given(monkeypatch, tmp_path, deno):
    """A function that bundles modules, {name: text}, and returns what a script says of them."""

    def said(files, started, expression):
        monkeypatch.setattr(live, "rooms", lambda: {f"{n}.js": Text(t) for n, t in files.items()})
        live.modules.cache_clear()
        bundle = live.bundle(*started)
        script = tmp_path / "bundle.js"
        script.write_text(f"const all = {bundle};\nconsole.log(JSON.stringify({expression}));\n")
        run = subprocess.run(
            [deno, "run", "--quiet", "--no-check", script], capture_output=True, check=True
        )
        return json.loads(run.stdout), bundle

    yield said
    live.modules.cache_clear()


def test_two_modules_may_have_a_function_of_one_name(given):
    files = {
        "one": "const half = (x) => x / 2;\nexport const first = (x) => half(x);\n",
        "two": "const half = (x) => `${x}, halved`;\nexport const second = (x) => half(x);\n",
        "both": 'import { first } from "./one.js";\nimport { second } from "./two.js";\n'
        "export const half = () => [first(4), second(4)];\n",
    }
    assert given(files, ["both"], "all.half()")[0] == [2, "4, halved"]


def test_two_modules_may_export_one_name_and_each_importer_gets_its_own(given):
    files = {
        "one": "export const name = () => 1;\n",
        "two": "export const name = () => 2;\n",
        "a": 'import { name } from "../kit/one.js";\nexport const a = () => name();\n',
        "b": 'import { name } from "../kit/two.js";\nexport const b = () => name();\n',
    }
    assert given(files, ["a", "b"], "[all.a(), all.b()]")[0] == [1, 2]


def test_what_nothing_uses_is_left_out(given):
    files = {
        "far": "export const unused = () => 'far away';\nexport const used = () => 1;\n",
        "near": 'import { unused, used } from "./far.js";\n'
        "const quiet = () => unused();\nexport const told = () => used();\n",
    }
    result, bundle = given(files, ["near"], "all.told()")
    assert result == 1
    assert "far away" not in bundle
    assert "quiet" not in bundle
