"""Publish the plain notebooks beside the pages, and have the buttons of Colab and Kaggle open them.

Both sites take no files from anywhere but GitHub; the workflow `publish` puts the folder on the
branch `notebooks`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import plain_notebooks

BRANCH = "notebooks"
KAGGLE = "https://kaggle.com/kernels/welcome?src={repository}/blob/{branch}/{page}.ipynb"


def lead(app, pagename, templatename, context, doctree):
    """Change the button of Colab on a page, and add one for Kaggle behind it."""
    config = app.config.html_theme_options
    for group in context.get("header_buttons", ()):
        for at, button in enumerate(group.get("buttons") or ()):
            if button.get("text") == "Colab":
                old = f"/blob/{config['repository_branch']}/{config['path_to_docs']}/"
                button["url"] = button["url"].replace(old, f"/blob/{BRANCH}/")
                there = {"repository": config["repository_url"], "branch": BRANCH, "page": pagename}
                kaggle = {"text": "Kaggle", "tooltip": "Launch on Kaggle", "icon": "fas fa-rocket"}
                kaggle |= {"type": "link", "url": KAGGLE.format(**there)}
                group["buttons"].insert(at + 1, kaggle)
                return


def write(app, failed):
    """Write the notebooks into a finished site."""
    if not failed and app.builder.format == "html":
        plain_notebooks.write(Path(app.outdir) / "notebooks", Path(app.srcdir))


def setup(app):
    """Come after the theme's own buttons, and wait for the site."""
    app.connect("html-page-context", lead, priority=900)
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
