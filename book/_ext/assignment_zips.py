"""Put a zip of each assignment beside the pages, such as `assignments/entropy.zip`.

They are packed from `assignments/release`, which is committed as `make assignments` makes it: no
solution and no hidden test can be among what is published.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from release import names, pack


def write(app, failed):
    """Pack the assignments into a finished site."""
    if not failed and app.builder.format == "html":
        for name in names():
            pack(name, Path(app.outdir) / "assignments")


def setup(app):
    """Wait for the site."""
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
