"""The parts of the project agree with each other: versions, commands, pages, pictures."""

import doctest
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import nbformat
import pytest
import yaml
from browser import BOOK, ROOT
from lock import locked
from packaging.dependency_groups import resolve_dependency_groups as resolve
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import subjects

PACKAGE = ROOT / "dtreebook"
CHAPTERS = sorted(BOOK.glob("*.ipynb"))
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT, GROUPS = SETTINGS["project"], SETTINGS["dependency-groups"]
SECOND = tomllib.loads((ROOT / "twentyquestions/pyproject.toml").read_text())


def requirements(*extras, group=None):
    lines = [*PROJECT["dependencies"]]
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
        lines += SECOND["project"]["dependencies"] if extra == "explore" else []
    lines += resolve(GROUPS, group) if group else []
    wanted = {canonicalize_name(one.name): one for one in map(Requirement, lines)}
    return [wanted[name] for name in wanted.keys() - {"dtreebook", "twentyquestions"}]


def output(*command):
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


# --- versions -------------------------------------------------------------------------------------


def test_the_lock_keeps_to_the_ranges_and_leaves_nothing_out():
    for requirement in requirements("plot", "explore", "duckdb", group="weekly"):
        versions = locked()[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_the_lock_of_spark_keeps_to_the_ranges_and_to_the_versions_of_the_book():
    pins = locked(ROOT / "requirements-spark.txt")
    for requirement in requirements("spark", group="spark"):
        versions = pins[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), requirement
    for name in pins.keys() & locked().keys():
        assert pins[name] <= locked()[name], name


def test_binder_has_the_locked_versions_of_all_that_notebooks_need():
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    (python,) = (line.split("=")[1] for line in dependencies if str(line).startswith("python="))
    (pip,) = (line["pip"] for line in dependencies if isinstance(line, dict))
    assert PROJECT["requires-python"] == ">=3.10"
    assert tuple(map(int, python.split("."))) >= (3, 11)
    folders = {"-e .", "-e ./twentyquestions"}
    assert folders <= set(pip)
    pins = {}
    for line in pip:
        if line not in folders:
            pin = Requirement(line)
            (specifier,) = pin.specifier
            assert specifier.operator == "=="
            pins[canonicalize_name(pin.name)] = specifier.version
    needed = {
        canonicalize_name(wanted.name) for wanted in requirements("plot", "explore", "duckdb")
    }
    assert set(pins) == needed | {"jupyterlab-myst"}
    for name, version in pins.items():
        assert {version} == locked()[name], name


@pytest.mark.slow  # repo2docker is in the group dev
def test_repo2docker_accepts_the_repository():
    program = Path(sys.executable).with_name("jupyter-repo2docker")
    dockerfile = output(program, "--no-build", "--debug", ".")
    assert "environment.yml" in dockerfile
    assert "./postBuild" in dockerfile


def test_the_version_stands_the_same_everywhere():
    from dtreebook import __version__

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert __version__ == citation["version"] == SECOND["project"]["version"]
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_all_that_speak_of_a_release_say_the_same():
    """Nothing is released until its owner tags it."""
    from dtreebook import __version__

    has_date = "\ndate-released: " in (ROOT / "CITATION.cff").read_text()
    heading = re.search(rf"^## {__version__}, (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert (heading == "not released yet") == (not has_date)
    is_awaited = f"Version {__version__} is not released yet"
    assert (is_awaited in (BOOK / "for_engineers.ipynb").read_text("utf-8")) == (not has_date)


def test_subjects_of_commits_are_short_also_where_the_history_is_cut(tmp_path):
    said = list(subjects.too_long(subjects.subjects()))
    assert not said, said
    message = tmp_path / "message"
    for characters in 72, 73:
        message.write_text("é" * characters + "\n\nWhy it was done.\n", "utf-8")
        assert subjects.main([message]) == (characters > 72)
    settings = "-c", "user.name=A", "-c", "user.email=a@example.org"
    subprocess.run(["git", "init", "-q", tmp_path / "cut"], check=True)
    command = ["git", "-C", tmp_path / "cut", *settings, "commit", "-q", "--allow-empty"]
    subprocess.run([*command, "-m", "The only commit that is there"], check=True)
    assert subjects.subjects(tmp_path / "cut") == ["The only commit that is there"]
    assert subjects.subjects(tmp_path) == []


# --- the package ----------------------------------------------------------------------------------


def test_what_is_installed_is_the_whole_package():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {path.parent.relative_to(ROOT) for path in PACKAGE.rglob("__init__.py")}
    assert set(settings["packages"]) == {".".join(folder.parts) for folder in folders}


@pytest.mark.slow  # setuptools and twine are in the group dev
@pytest.mark.parametrize("folder", [".", "twentyquestions"])
def test_a_package_index_would_take_what_is_built_and_setuptools_has_no_doubts(folder, tmp_path):
    """Both are built from a copy of the files that git knows."""
    listed = output("git", "ls-files", "--cached", "--others", "--exclude-standard")
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "copy" / name)
    command = "uv", "build", "--no-build-isolation", "--out-dir", tmp_path / "dist"
    programs = Path(sys.executable).parent
    python = "--python", sys.executable
    said = output(programs / command[0], *command[1:], *python, tmp_path / "copy" / folder)
    assert "would be ignored" not in said
    assert "standard file not found" not in said
    built = sorted((tmp_path / "dist").glob("*-*"))
    assert [path.suffix for path in built] == [".whl", ".gz"]
    assert output(programs / "twine", "check", "--strict", *built).count("PASSED") == 2


def test_importing_the_package_and_fitting_a_tree_is_light():
    program = """
import sys, dtreebook
assert "dtreebook.forest" not in sys.modules
from dtreebook import *
from dtreebook.datasets import load_loan

X, y = load_loan(return_X_y=True)
for estimator in (ID3Classifier(), C45Classifier(), CARTClassifier()):
    estimator.fit(X, y).predict(X)
heavy = "matplotlib", "ibis", "yaml", "fastjsonschema", "ipywidgets", "IPython"
print([name for name in heavy if name in sys.modules])
"""
    assert output(sys.executable, "-c", program) == "[]\n"


def test_what_is_missing_is_asked_for_by_the_extra_that_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, "dtreebook.plot", raising=False)
    with pytest.raises(ImportError, match=re.escape("pip install 'dtreebook[plot]'")):
        import_module("dtreebook.plot")


# --- the commands and the pages -------------------------------------------------------------------


TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_the_commands_of_the_readme_exist():
    for page in ("README.md", "CONTRIBUTING.md"):
        commands = set(re.findall(r"\bmake ([\w-]+)", (ROOT / page).read_text()))
        assert commands, page
        assert commands <= TARGETS, page
    (shell,) = readme("sh")
    assert re.findall(r"^make (\w+)", shell, re.MULTILINE) == ["book", "test"]


def test_what_runs_once_a_week_is_commands_that_everybody_can_run():
    weekly = yaml.safe_load((ROOT / ".github/workflows/weekly.yml").read_text())["jobs"]["run"]
    commands = {job["make"].split()[0] for job in weekly["strategy"]["matrix"]["include"]}
    assert commands <= TARGETS
    assert [step["run"] for step in weekly["steps"] if "run" in step] == ["make ${{ matrix.make }}"]


@pytest.mark.slow
def test_jupyter_book_builds_the_pages_of_make_book(site, tmp_path):
    """The command that every jupyter-book has, in a folder of its own, without PYTHONPATH."""
    program = Path(sys.executable).with_name("jupyter-book")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = program, "build", "-W", "--path-output", tmp_path, "book"
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    built = tmp_path / "_build" / "html"
    files = {path.relative_to(built) for path in built.rglob("*") if path.is_file()}
    assert files == {path.relative_to(site) for path in site.rglob("*") if path.is_file()}
    for page in sorted(built.glob("*.html")):
        assert page.read_bytes() == (site / page.name).read_bytes(), page.name


def readme(language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def test_the_readme_example_runs_as_printed():
    (example,), (printed,) = readme("python"), readme("text")
    assert output(sys.executable, "-c", example) == printed


EXAMPLES = [
    ".".join(path.relative_to(ROOT / place).with_suffix("").parts)
    for place, room in ((".", "tools"), (".", "course/grader"), ("book/_ext", "book/_ext"))
    for path in sorted((ROOT / room).rglob("*.py"))
    if re.search("^ +>>> ", path.read_text("utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_in_docstrings_of_tools_and_extensions_run(name):
    ran = doctest.testmod(import_module(name))
    assert ran.attempted
    assert not ran.failed


def test_a_users_script_runs():
    """Its types are looked at by `make lint`."""
    assert output(sys.executable, ROOT / "tests/project/a_users_script.py")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_its_cells_have_ids_and_meaningful_tags(path):
    notebook = nbformat.reads(path.read_text("utf-8"), as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) >= (4, 5)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    for cell in notebook.cells:
        tags = set(cell.metadata.get("tags", ()))
        # nbval leaves out running times, and sliders, whose names are drawn at random.
        is_left_out = "timing" in tags or "@interact(" in cell.source
        assert is_left_out == ("nbval-ignore-output" in tags), cell.id
        assert not tags & {"nbval-skip", "nbval-check-output"}, cell.id
        assert "NBVAL_" not in cell.source, cell.id


def test_files_speak_of_the_project_alone_and_name_no_place_of_its_own():
    listed = output("git", "ls-files", "--cached", "--others", "--exclude-standard")
    registry = re.compile("|".join([r"\bpy" + r"pi\.org", "python" + r"hosted\.org"]))
    ours = re.compile(r"\.\./shared|/(?:work|tmp|root|home)/")
    place = re.compile(r"github\.com/dtreebook|dtreebook\.github\.io|gh/dtreebook", re.IGNORECASE)
    examples = "tools/address.py", "tests/project/"
    for name in listed.splitlines():
        path = ROOT / name
        if not path.is_file() or path.suffix in {".png", ".ico", ".woff2", ".xz"}:
            continue
        content = path.read_text(encoding="utf-8")
        assert not registry.search(content), name
        assert name.startswith(examples) or not place.search(content), name
        if not name.startswith("tests/"):
            assert not (found := ours.search(content)), f"{name}: {found}"


def test_files_and_names_that_comments_and_pages_mention_exist():
    """Files of tests or in one of our folders; names of the package in backticks or brackets."""
    listed = output("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    file = re.compile(
        r"\b(?:test_\w+|(?:dtreebook|twentyquestions|course|tests|tools|benchmarks)/[\w/]+)\.(?:py|js|yml|md)\b"
    )
    name = re.compile(r"[`(](dtreebook(?:\.[^\W_]\w*)+)[`)]")
    gone = []
    for path in listed:
        is_history = path.startswith(("CHANGELOG", "changes/"))
        if is_history or Path(path).suffix not in {".py", ".js", ".yml", ".toml", ".md", ".ipynb"}:
            continue
        content = (ROOT / path).read_text(encoding="utf-8")
        for named in set(file.findall(content)):
            if not any(f"/{one}".endswith(f"/{named}") for one in listed):
                gone.append(f"{path}: {named}")
        for named in set(name.findall(content)):
            try:
                resolve_name(named)
            except (AttributeError, ImportError) as error:
                gone.append(f"{path}: {error}")
    assert not gone
