"""The built site as one zip, which works from the folder that it is unpacked to."""

import re
import zipfile

from release import still

# A page that was opened from a folder may not read others, from which the search would quote.
QUOTED = re.compile(rb"(SHOW_SEARCH_SUMMARY: )true")
# Nor may it start the worker that runs a page, and Python is 50 MB.
NEEDS_A_HOST = {"python", "offline.js"}


def write(site, target):
    """Pack the site: the same pages always give the same zip."""
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(site.rglob("*")):
            first = path.relative_to(site).parts[0]
            if path.is_file() and first not in {".buildinfo", *NEEDS_A_HOST}:
                name = f"{target.stem}/{path.relative_to(site).as_posix()}"
                archive.writestr(still(name), QUOTED.sub(rb"\1false", path.read_bytes()))
