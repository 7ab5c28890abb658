"""Which room may import from which: packages, tools, course, extensions and scripts, and no circle.

All imports count, those for type hints alone, too: they are part of what one must read.
"""

import ast
import graphlib
import re

import pytest
from browser import ROOT

# The rooms of the project, from the ground up: what each imports beside itself.
PROJECT = {
    "dtreebook": set(),
    "twentyquestions": {"dtreebook"},
    "tools": {"dtreebook", "twentyquestions"},
    "course": {"tools"},
    "extensions": {"dtreebook", "twentyquestions", "tools", "course"},
    "benchmarks": {"dtreebook", "course"},
}

# The rooms of the package, and its files that stand in none.
PACKAGE = {
    "measures": set(),
    "datasets": {"data"},
    "plain": set(),
    "optimal": {"data", "tree", "parameters", "cart"},
    "data": {"measures"},
    "tree": {"measures", "data"},
    "count": {"measures", "data", "tree"},
    "grow": {"measures", "data", "tree", "count"},
    "prune": {"measures", "data", "tree"},
    "rules": {"measures", "data", "tree", "prune"},
    "database": {"measures", "data", "tree", "count", "grow"},
    "parameters": {"data"},
    "base": {"measures", "data", "tree", "grow", "prune", "database", "parameters"},
    "id3": {"grow", "base", "parameters"},
    "c45": {"data", "grow", "prune", "rules", "base", "parameters"},
    "cart": {"measures", "data", "tree", "grow", "prune", "base", "parameters"},
    "forest": {"data", "tree", "base", "cart"},
    "plot": {"measures", "data", "tree", "grow", "prune"},
}

# The rooms of what runs in the browser.
SCRIPTS = {
    "algorithms": set(),
    "kit": {"algorithms"},
    "explorables": {"kit", "algorithms"},
    "practice": {"kit", "algorithms"},
    "laboratory": {"kit", "algorithms"},
}
FROM = re.compile(r'from "(\.[^"]+)"')


def modules():
    """Return all modules by their names in full: {name: path}."""
    found = {}
    for room in PROJECT:
        folder = ROOT / ("book/_ext" if room == "extensions" else room)
        for path in sorted(folder.rglob("*.py")):
            inside = path.relative_to(folder).with_suffix("").parts
            if inside[0] not in {"source", "template", "release"}:  # assignments are taken apart
                found[".".join([room, *inside]).removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imported(module):
    """Name the modules of the project that a module imports, anywhere in its code."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {ours(alias.name, module) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: name the room that you import from"
            # A room's name may be followed by one of its files, a file's by one of its functions.
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {ours(name, module) or ours(node.module, module) for name in names}
    return found - {None}


def ours(name, importer):
    """Return a name that a module imports as the full name of one of ours, or None.

    Extensions and benchmarks import each other, and all import `checks`, by bare names.
    """
    room = importer.split(".")[0]
    known = (name, f"{room}.{name}", f"course.{name}")
    return next((one for one in known if one in MODULES), None)


@pytest.fixture(scope="module")
def graph():
    return {module: imported(module) for module in MODULES}


def rooms_of(names):
    return {name.split(".")[0] for name in names}


def test_rooms_of_the_project_import_from_those_below(graph):
    for module, others in graph.items():
        (room,) = rooms_of([module])
        assert rooms_of(others) <= PROJECT[room] | {room}, module


def test_rooms_of_the_package_import_from_those_below(graph):
    package = {
        module.removeprefix("dtreebook."): {other.removeprefix("dtreebook.") for other in others}
        for module, others in graph.items()
        if module.startswith("dtreebook.") and MODULES[module].name != "__init__.py"
    }
    for module, others in package.items():
        (room,) = rooms_of([module])
        assert rooms_of(others) <= PACKAGE[room] | {room, "dtreebook"}, module


def test_no_module_imports_itself_in_the_end(graph):
    """A room's ``__init__`` gives the names of its files: it is no part of a circle."""
    files = {name: others for name, others in graph.items() if MODULES[name].stem != "__init__"}
    graphlib.TopologicalSorter(files).prepare()  # raises CycleError, which names the circle


def test_scripts_import_from_the_rooms_below_and_in_no_circle():
    web = ROOT / "twentyquestions" / "web"
    found = {path: set() for path in sorted(web.rglob("*.js"))}
    for path, others in found.items():
        others |= {(path.parent / name).resolve() for name in FROM.findall(path.read_text("utf-8"))}
        assert others <= found.keys(), path
        room = path.parent.name
        assert {other.parent.name for other in others} <= SCRIPTS[room] | {room}, path
    graphlib.TopologicalSorter(found).prepare()
