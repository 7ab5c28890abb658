"""Build the assignments as students get them: `make assignments`.

From each folder of `assignments/source` nbgrader makes one in `assignments/release`, without
solutions and hidden tests. Each is also packed into a zip, for any learning platform.
"""

import logging
import os
import sys
import warnings
import zipfile
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1] / "assignments"


def names(course=COURSE):
    """List the assignments of a course."""
    return sorted(path.parent.name for path in course.glob("source/*/hidden.py"))


def nbgrader(course=COURSE):
    """Return nbgrader's interface to a course; it says what went wrong in what it returns."""
    from nbgrader.apps import NbGraderAPI  # slow to load; packing a release needs none of it
    from traitlets.config import PyFileConfigLoader
    from traitlets.log import get_logger

    programs, path = str(Path(sys.executable).parent), os.environ.get("PATH", "")
    if not path.startswith(programs):  # nbgrader calls alembic by its name
        os.environ["PATH"] = os.pathsep.join([programs, path])
    warnings.filterwarnings("ignore", module="nbgrader")  # how it uses its database, not our work
    get_logger().handlers = [logging.NullHandler()]
    settings = PyFileConfigLoader(str(course / "nbgrader_config.py")).load_config()
    settings.NbGraderAPI.log_level = "WARN"
    return NbGraderAPI(config=settings)


def make(name, course=COURSE):
    """Let nbgrader make an assignment's release, and store its questions in the gradebook."""
    result = nbgrader(course).generate_assignment(name)
    if not result["success"]:
        raise SystemExit(f"{name}: nbgrader could not make the release.\n{result['log']}")


def pack(name, folder, course=COURSE):
    """Pack what students get of an assignment into a zip."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((course / "release" / name).glob("*.*")):
            if path.is_file():
                archive.write(path, f"{name}/{path.name}")
    return folder / f"{name}.zip"


def main():
    """Make and pack all releases."""
    for name in names():
        make(name)
        print(f"{name}: assignments/release/{name}, {pack(name, COURSE / 'zip')}")


if __name__ == "__main__":
    sys.exit(main())
