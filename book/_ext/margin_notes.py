"""Set notes in the margin of a wide window: sources, and marks of results that were compared.

Beside the first mention of a source on a page stand its authors, title and year, from the one
bibliography; the rest is where the mention leads. Beside a table of documented results stands whose
they are, how many agree and in which sense. Narrow windows, paper and the editions do without.

Of one result that is equal as printed there is only the mark, which unfolds to the table; narrow
windows have it in the text.
"""

import re
from collections import Counter
from functools import cache

from documented_results import EQUAL, registry, sense
from pybtex.database import Entry
from pybtex.plugin import find_plugin

from dtreebook.pages import documented

MENTION = re.compile(r'<a class="reference internal" href="references\.html#([\w-]+)">.*?</a>')
TABLE = re.compile(
    r'<div class="output text_html"><table class="dataframe dtb-documented">.*?</table>\s*</div>',
    re.DOTALL,
)
RESULT = re.compile(r'<th scope="row">([\w.]+)</th>.*?<td data-label="agreement">([^<]*)')
MARKUP = re.compile(r"</?span[^>]*>")
# The page whose subject is the comparison.
OPEN = {"reading_the_sources"}
# What the margin has no room for.
LEFT_OUT = {"volume", "pages", "series", "address", "note", "doi", "url"}
# The theme hides the contents of the page from what it knows as `margin`. The blank is for readers
# without styles.
NOTE = '<span class="margin dtb-beside" role="note" aria-label="{label}"> {words}</span>'
CHECK = '<details class="dtb-check"><summary>{words}</summary>{table}</details>'


@cache
def references(env):
    """Return authors, title and year of every source, as HTML, by its place in the list."""
    style = find_plugin("pybtex.style.formatting", "plain")(abbreviate_names=True)
    short = {}
    for citation in env.domains["cite"].citations:
        entry = citation.entry
        kept = [(name, text) for name, text in entry.fields.items() if name not in LEFT_OUT]
        words = style.format_entry("", Entry(entry.type, kept, entry.persons)).text
        short[citation.citation_id] = MARKUP.sub("", words.render_as("html")).replace("\n", " ")
    return short


def with_sources(body, known):
    """Return a page's text with a note behind the first mention of each source.

    >>> with_sources('<a class="reference internal" href="references.html#id1">A</a>', {"id1": "B"})
    '<a class="reference internal" href="references.html#id1">A</a><span class="margin dtb-beside" \
role="note" aria-label="Source"> B</span>'
    """
    met = set()

    def noted(mention):
        place = mention[1]
        if place in met:
            return mention[0]
        met.add(place)
        return mention[0] + NOTE.format(label="Source", words=known[place])

    return MENTION.sub(noted, body)


def marked(table, folds=True):
    """Return a table of documented results with its mark before it, or folded into its mark."""
    results = RESULT.findall(table[0])
    if not results:  # errata are no results
        return table[0]
    short = documented.sources()["short"]
    of = dict.fromkeys(
        short[key]
        for id, _ in results
        for key in (registry()[id].source, registry()[id].also)
        if key
    )
    counted = Counter(sense(agreement) for _, agreement in results)
    agreed = [f"{n} {kind}" if results[1:] else kind for kind, n in counted.most_common()]
    lines = ["; ".join(of), *agreed]
    if folds and agreed == [EQUAL]:
        return CHECK.format(words=", ".join(lines), table=table[0])
    return NOTE.format(label="Compared", words="<br>".join(lines)) + table[0]


def in_pages(app, pagename, templatename, context, doctree):
    """Set the notes when a page is written."""
    if "body" in context and doctree:
        body = with_sources(context["body"], references(app.env))
        folds = pagename not in OPEN
        context["body"] = TABLE.sub(lambda table: marked(table, folds), body)


def setup(app):
    # Once, before Sphinx writes pages side by side.
    app.connect("env-check-consistency", lambda app, env: references(env))
    app.connect("html-page-context", in_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
