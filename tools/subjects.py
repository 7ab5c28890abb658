"""Refuse subjects of commits that are longer than 72 characters: `make lint`, and a hook of git.

With a file, as git gives it to the hook `commit-msg`, the subject in that file is looked at.
Without one, all commits after the one with which the rule began; in a clone that does not reach
back so far, all that it has.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST = 72
BEFORE_THE_RULE = "5abf2c39bff7"


def git(*ask, root=ROOT):
    """Return what git says, or nothing where git or a repository is missing."""
    try:
        run = subprocess.run(["git", "-C", root, *ask], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return run.stdout


def subjects(root=ROOT, before=BEFORE_THE_RULE):
    """Return the subjects of all commits after one, and of all where that one is not there."""
    known = git("cat-file", "-t", before, root=root).strip() == "commit"
    since = [f"{before}.."] if known else []
    return git("log", "--no-merges", "--format=%s", *since, root=root).splitlines()


def too_long(lines):
    """Say of each subject that is too long how long it is.

    >>> list(too_long(["Sort classes_ as scikit-learn requires", "a" * 75]))  # doctest: +ELLIPSIS
    ['The subject has 75 characters, 72 are allowed: aaa...']
    """
    for line in lines:
        if len(line) > MOST:
            yield f"The subject has {len(line)} characters, {MOST} are allowed: {line}"


def main(paths):
    found = [Path(path).read_text("utf-8").partition("\n")[0] for path in paths]
    complaints = list(too_long(found if paths else subjects()))
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
