"""Let the search show chapters before the pages of the package: see `search_order.js`."""

from pathlib import Path


def name_scorer(app, config):
    """Tell Sphinx where the order is; it would look in the folder in which it was called."""
    config.html_search_scorer = str(Path(__file__).with_suffix(".js"))


def setup(app):
    """Give Sphinx the order."""
    app.connect("config-inited", name_scorer)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
