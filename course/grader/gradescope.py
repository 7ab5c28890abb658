"""Pack an assignment for Gradescope: `make assignments GRADESCOPE=name`.

In the zip are the programs that judge, and the assignment with its hidden tests. On Gradescope
`autograder.py` judges what a student uploads.
"""

from pathlib import Path

from course.grader.release import files_of
from tools.archives import zipped

HERE = Path(__file__).resolve().parent
PROGRAMS = ("__init__", "autograder", "judge", "sandbox", "student", "submissions")
TESTS = ("visible.py", "hidden.py", "checks.py")
# The machine of Gradescope is made once with the first, and starts the second for each submission.
SETUP = """\
#!/usr/bin/env bash
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv util-linux
python3 -m venv /autograder/python
/autograder/python/bin/pip install numpy ipython nbformat matplotlib
"""
RUN = """\
#!/usr/bin/env bash
set -euo pipefail
chmod -R go= /autograder/source /autograder/results  # students' code runs as another user
cd /autograder/source
exec /autograder/python/bin/python -m course.grader.autograder /autograder
"""


def bundle(name, course):
    """Pack an assignment as an autograder; return the zip."""
    paths = {f"course/grader/{program}.py": HERE / f"{program}.py" for program in PROGRAMS}
    paths |= {f"course/source/{name}/{of}": course / "source" / name / of for of in TESTS}
    paths |= {"course/checks.py": course / "checks.py"}
    files = {"setup.sh": SETUP, "run_autograder": RUN}
    files |= {inside: path.read_bytes() for inside, path in paths.items()}
    files |= {f"{name}.ipynb": files_of(name, course)[f"{name}.ipynb"]}
    return zipped(course / "zip" / f"gradescope-{name}.zip", files)
