"""Try the package with the newest version of each library; say what breaks, a line for each.

    make test-newest

The first line is about what pip installs today: of every library the newest version that the ranges
of pyproject.toml allow. If tests fail with these, the command fails. Each further line is about one
library that has a newer version still, release candidates included: it is tried alone beside the
others, in an environment of its own. Its failures say what a wider range takes, and if there are
none, the range can be widened. build/newest has the whole output of every run.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOME, LOGS = ROOT / ".venv-newest", ROOT / "build/newest"
PYTHON = HOME / "bin/python"
EXTRAS = "plot", "explore", "duckdb"
TESTS = "tests/package", "dtreebook"
UV = [Path(sys.executable).with_name("uv"), "pip"]


def ranges() -> dict[str, str]:
    """Return the range of versions of each library that the package may be used with."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, groups = document["project"], document["dependency-groups"]
    extras = [
        requirement for extra in EXTRAS for requirement in project["optional-dependencies"][extra]
    ]
    polars = [requirement for requirement in groups["dev"] if str(requirement).startswith("polars")]
    pairs = (
        re.match(r"([\w.-]+)(?:\[.*?\])?(.*)", r) for r in project["dependencies"] + extras + polars
    )
    return {pair[1]: pair[2].strip() for pair in pairs if pair[1] != "twentyquestions"}


def install(*override: str) -> None:
    """Make the environment anew, of the newest that the ranges allow; an override has none."""
    LOGS.mkdir(parents=True, exist_ok=True)
    overrides = LOGS / "overrides.txt"
    overrides.write_text("\n".join(override))
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", HOME], check=True)
    what = ["--editable", f".[{','.join(EXTRAS)}]", "--group", "test", "polars"]
    command = [*UV, "install", "--quiet", "--python", PYTHON, "--overrides", overrides, *what]
    subprocess.run(command, cwd=ROOT, check=True, text=True, stderr=subprocess.PIPE)


def installed() -> dict[str, str]:
    """Return the version of each library in the environment."""
    command = [*UV, "list", "--python", PYTHON, "--format", "json"]
    listed = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return {line["name"]: line["version"] for line in listed if line["name"] in ranges()}


def newest() -> dict[str, str]:
    """Return the newest version of each library, whatever the others ask for."""
    options = ["--quiet", "--no-deps", "--prerelease", "allow", "--no-header", "--no-annotate"]
    pins = subprocess.run(
        [*UV, "compile", *options, "--python", PYTHON, "-"],
        input="\n".join(ranges()),
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    )
    return dict(line.split("==") for line in pins.stdout.splitlines())


def run_tests(name: str) -> tuple[bool, str]:
    """Test the package; return whether all tests pass, and what is to be said of it."""
    command = [PYTHON, "-m", "pytest", "-n", "auto", "-q", "-p", "no:cacheprovider"]
    with (LOGS / f"{name}.txt").open("w+") as log:
        done = subprocess.run(
            [*command, *TESTS],
            cwd=ROOT,
            env=os.environ | {"TIER": "quick"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        log.seek(0)
        return done.returncode == 0, verdict(log.read())


def verdict(output: str) -> str:
    """Return how many tests pass and fail, and the first that fails, from the output of pytest.

    Examples
    --------
    >>> verdict("FAILED test_tree.py::test_a - KeyError: 3" + chr(10) + "1 failed, 2 passed in 4s")
    '1 failed, 2 passed; first test_tree.py::test_a - KeyError: 3'
    """
    lines = output.splitlines()
    counts = re.findall(
        r"^(?:=+ )?(\d+ (?:passed|failed|error).*?)(?:, \d+ warnings?)? in ", output, re.M
    )
    broken = [line.split(" ", 1)[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]
    said = counts[-1] if counts else f"pytest stopped: {lines[-1] if lines else 'it says nothing'}"
    return f"{said}; first {broken[0]}" if broken else said


def main() -> bool:
    install()
    today, beyond = installed(), newest()
    passes, said = run_tests("within the ranges")
    print(f"{', '.join(map(' '.join, today.items()))}: {said}", flush=True)
    for name, version in beyond.items():
        if version == today[name]:
            continue
        about = f"{name} {version} (pyproject.toml has {ranges()[name]})"
        try:
            install(f"{name}=={version}")
        except subprocess.CalledProcessError as error:
            said = f"it cannot be installed: {' '.join((error.stderr or str(error)).split())[:300]}"
        else:
            _, said = run_tests(name)
        print(f"{about}: {said}", flush=True)
    return passes


if __name__ == "__main__":
    sys.exit(not main())
