"""The built site as one zip, which works from the folder that it is unpacked to."""

import re

from release import zipped

# A page that was opened from a folder may not read others, from which the search would quote.
QUOTED = re.compile(rb"(SHOW_SEARCH_SUMMARY: )true")
# Nor may it start the worker that runs a page, and Python is 50 MB.
NEEDS_A_HOST = {"python", "offline.js"}


def write(site, target):
    """Pack the site: the same pages always give the same zip."""
    files = {}
    for path in sorted(site.rglob("*")):
        inside = path.relative_to(site)
        if path.is_file() and inside.parts[0] not in {".buildinfo", *NEEDS_A_HOST}:
            name = f"{target.stem}/{inside.as_posix()}"
            files[name] = QUOTED.sub(rb"\1false", path.read_bytes())
    zipped(target, files)
