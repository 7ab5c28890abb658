"""Pack what the reference programs printed into tests/reference, one archive a program.

python tools/reference.py FOLDER, where FOLDER holds the outputs in one folder a program, as they
were printed, and the data sets in another. Data whose licence is not ours to pass on stay out; so
do the stories that stand in .names files as comments.
"""

import io
import sys
import tarfile
from pathlib import Path

REFERENCE = Path(__file__).resolve().parents[1] / "tests" / "reference"
PROGRAMS = "c45", "rules", "j48", "rpart", "data"

# They come with rpart, under the GPL; the tests load them from another package.
LEFT_OUT = {"r/kyphosis.csv", "r/stagec.csv", "r/car.test.frame.csv"}


def pack(folder, path):
    """Write all files of a folder to an archive that is the same whenever it is made."""
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            name = file.relative_to(folder).as_posix()
            if name not in LEFT_OUT:
                content = _without_stories(file.read_bytes(), name)
                member = tarfile.TarInfo(name)  # no owner, no date
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


def _without_stories(content, name):
    if not name.endswith(".names"):
        return content
    lines = content.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"|"))


if __name__ == "__main__":
    for program in PROGRAMS:
        pack(Path(sys.argv[1]) / program, REFERENCE / f"{program}.tar.xz")
