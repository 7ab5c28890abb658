"""Let the search show pages of the book before the package, and find the pieces of Chinese terms.

The order is in `search_order.js`. Chinese writes words without spaces between them, and the search
takes words of one or two letters whole: so those of every term are words of the index as well.
"""

import re
from functools import cache
from pathlib import Path

from sphinx.search.en import SearchEnglish

CHINESE = re.compile(r"[\u4e00-\u9fff]+")


class SearchTerms(SearchEnglish):
    """The words of a text, and of Chinese terms each one and two characters."""

    def init(self, options):
        super().init(options)
        self.stem = cache(self.stem)  # most words stand on many pages

    def split(self, input):
        words = super().split(input)
        terms = [term for word in words for term in CHINESE.findall(word)]
        return words + [piece for term in terms for piece in _pieces(term)]


def _pieces(term):
    return [term[i : i + n] for n in (1, 2) if n < len(term) for i in range(len(term) - n + 1)]


def name_scorer(app, config):
    """Tell Sphinx where the order is; it would look in the folder in which it was called."""
    config.html_search_scorer = str(Path(__file__).with_suffix(".js"))


def setup(app):
    """Give Sphinx the order and the words."""
    app.add_search_language(SearchTerms)
    app.connect("config-inited", name_scorer)
