"""Draw the card that others show with a link to the book: its name beside its first tree."""

from html import escape
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.image import imread

from dtreebook import ID3Classifier, plot
from dtreebook.datasets import load_loan

NAME = "card.png"
WORDS = "Decision trees: ID3, C4.5, CART"
PAPER, INK, GREEN = "#fffdf8", "#22262e", "#17694c"


def card(path, title, words):
    """Draw the card, 1200 by 630 pixels, and the tree on it as ID3 grows it."""
    tree = plot.tree(ID3Classifier().fit(*load_loan(return_X_y=True)).tree_).figure
    tree.savefig(path, dpi=200, facecolor=PAPER)
    sheet = Figure((12, 6.3), dpi=100, facecolor=PAPER)
    sheet.text(0.06, 0.56, title.replace(" ", "\n"), size=66, weight="bold", color=INK, va="center")
    sheet.text(0.06, 0.2, words, size=21, color=GREEN, va="center", linespacing=1.5)
    drawing = sheet.add_axes((0.53, 0.1, 0.43, 0.8))
    drawing.imshow(imread(path), interpolation="lanczos")
    drawing.axis("off")
    sheet.savefig(path)


def _draw(app, exception):
    if exception is None and app.builder.name == "html" and app.config.html_baseurl:
        words = f"{WORDS},\nevery number computed"
        card(Path(app.outdir) / "_static" / NAME, app.config.html_title, words)


def _describe(app, pagename, templatename, context, doctree):
    """Say what the pages are that have no text to take a description from, such as the search."""
    if doctree is None:
        words = escape(f"{app.config.html_title}. {WORDS}")
        description = f'<meta name="description" content="{words}" />'
        context["metatags"] = context.get("metatags", "") + description


def _name(app, config):
    """Let the pages name the card; without an address of the book nobody could fetch it."""
    if config.html_baseurl:
        config.ogp_site_url = config.html_baseurl
        config.ogp_image = f"{config.html_baseurl}/_static/{NAME}"
        config.ogp_image_alt = "A decision tree of two questions, and the name of the book"


def setup(app):
    app.connect("config-inited", _name, priority=900)  # after the address is settled
    app.connect("html-page-context", _describe)
    app.connect("build-finished", _draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
