"""The settings for Sphinx alone: with them `make way-out` builds the book without jupyter-book.

They are read from book/_config.yml; what jupyter-book adds by itself stands here. `make way-out`
copies this file to book/conf.py, where Sphinx looks for it.
"""

import sys
from pathlib import Path

import yaml

BOOK = Path(__file__).resolve().parent
sys.path.insert(0, str(BOOK / "_ext"))

written = yaml.safe_load((BOOK / "_config.yml").read_text("utf-8"))
project = html_title = written["title"]
author, copyright = written["author"], written["copyright"]

extensions = [
    "sphinx_togglebutton",
    "sphinx_copybutton",
    "myst_nb",
    "sphinx_external_toc",
    "sphinx_multitoc_numbering",
    "sphinx_design",
    "sphinxcontrib.bibtex",
    *written["sphinx"]["extra_extensions"],
    *written["sphinx"]["local_extensions"],
]
external_toc_path = "_toc.yml"
external_toc_exclude_missing = written["only_build_toc_files"]
exclude_patterns = ["**.ipynb_checkpoints", "_build"]
nb_execution_mode = written["execute"]["execute_notebooks"]
myst_enable_extensions = written["parse"]["myst_enable_extensions"]
bibtex_bibfiles = written["bibtex_bibfiles"]
numfig = True

html_theme = "sphinx_book_theme"
html_logo, html_favicon = written["logo"], written["html"]["favicon"]
html_static_path = ["_static"]
html_css_files = ["face.css", "dtreebook.css"]
html_js_files = ["wide.js"]
html_theme_options = {
    "search_bar_text": "Search this book...",
    "path_to_docs": written["repository"]["path_to_book"],
    "extra_footer": written["html"]["extra_footer"],
    "launch_buttons": {"jupyterhub_url": "", **written["launch_buttons"]},
    "home_page_in_toc": True,
}
settings = dict(written["sphinx"]["config"])
html_theme_options |= settings.pop("html_theme_options")
globals().update(settings)
