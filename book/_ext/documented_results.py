"""Gather every documented result from the pages that show it, for the one that lists them all.

A page shows a result through `twentyquestions.documented`, and its stored output holds the
computed value and how it agrees. The directive `documented-results` lists the results under the
prefixes that it is given, with a link to the place; without any, it sums up the whole registry.
The build warns, and so fails, if a result is shown nowhere, if the registry has changed since, or
if no page lists it.

Notes stand in the margin of a wide window. Beside the first mention of a source on a page are its
authors, title and year, from the one bibliography; the rest is where the mention leads. Beside a
table of documented results stands whose they are, how many agree and in which sense. On the spine,
and of one result that is equal as printed, there is only this mark, which unfolds to the table;
narrow windows have it in the text, and paper and the editions do without.
"""

import re
from collections import Counter
from functools import cache
from html import escape

import nbformat
import spine
from bs4 import BeautifulSoup
from docutils import nodes
from pybtex.database import Entry
from pybtex.plugin import find_plugin
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from twentyquestions import documented

logger = logging.getLogger(__name__)

EQUAL = "equal as printed"
MENTION = re.compile(r'<a class="reference internal" href="references\.html#([\w-]+)">.*?</a>')
TABLE = re.compile(
    r'<div class="output text_html"><table class="dataframe dtb-documented">.*?</table>\s*</div>',
    re.DOTALL,
)
ROW = re.compile(r'<tr><th scope="row">([\w.]+)</th><td( data-label="\w+")>(.*?)</td>')
RESULT = re.compile(r'<th scope="row">([\w.]+)</th>.*?<td data-label="agreement">([^<]*)')
MARKUP = re.compile(r"</?span[^>]*>")
# The page whose subject is the comparison, and the pages that teach and leave it to others.
OPEN = {"reading_the_sources"}
FOLDED = set(spine.PAGES)
# What the margin has no room for.
LEFT_OUT = {"volume", "pages", "series", "address", "note", "doi", "url"}
# The theme hides the contents of the page from what it knows as `margin`. The blank is for readers
# without styles.
NOTE = '<span class="margin dtb-beside" role="note" aria-label="{label}"> {words}</span>'
CHECK = '<details class="dtb-check"><summary>{words}</summary>{table}</details>'


def registry():
    """Return all results by id."""
    return documented._registry()[1]


@cache
def rows(notebook):
    """Read the documented results that a page's stored outputs show: {id: {column: text}}."""
    found = {}
    for cell in nbformat.read(notebook, as_version=4).cells:
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html", "")
            if "dtb-documented" not in html:
                continue
            for row in BeautifulSoup(html, "html.parser").select("table.dtb-documented tbody tr"):
                cells = {cell["data-label"]: cell.get_text() for cell in row.find_all("td")}
                if {"documented", "computed", "agreement"} <= set(cells):
                    found.setdefault(row.th.get_text(), cells)
    return found


def title(notebook):
    """Read a page's title from its file: Sphinx may not have come to the page yet."""
    first = nbformat.read(notebook, as_version=4).cells[0].source
    return re.search(r"^# (.+)", first, re.MULTILINE)[1]


def shown(env):
    """Say where each result is shown first, by the order of the book: {id: (page, its cells)}."""
    found = {}
    for page in notebooks(env):
        for id, cells in rows(env.doc2path(page)).items():
            found.setdefault(id, (page, cells))
    return found


def notebooks(env):
    """List the notebooks in the order of the contents."""
    return [page for page in env.external_site_map if str(env.doc2path(page)).endswith(".ipynb")]


def complaint(id, place):
    """Say what is wrong with a shown result; None if it agrees with the registry."""
    if place is None:
        return "no page shows it"
    page, cells = place
    result = registry()[id]
    if cells["documented"] != documented._words(result.documented):
        return f"{page} shows {cells['documented']!r}, the registry has {result.documented!r}"
    # The computed number is compared once more, as it stands on the page.
    if result.kind == "value" and re.fullmatch(r"-?\d+\.\d+", cells["computed"]):
        exact = result.exact or result.value or result.documented
        if not documented._equal(exact, float(cells["computed"])):
            return f"{page} computed {cells['computed']}, but {exact} is documented"
    return None


class DocumentedResults(SphinxDirective):
    """List the results under some prefixes, or sum up all of them."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self):
        for page in notebooks(self.env):
            self.env.note_dependency(self.env.doc2path(page))
        found = shown(self.env)
        if not self.arguments:
            return [nodes.raw("", summary(found), format="html")]
        prefixes = self.arguments[0].split()
        beginnings = tuple(f"{prefix}." for prefix in prefixes)
        ids = [id for id in registry() if f"{id}.".startswith(beginnings)]
        if not ids:
            logger.warning(
                "no documented result lies under %s", prefixes, location=self.get_location()
            )
        listed = self.env.metadata[self.env.docname].setdefault("documented", [])
        listed += ids
        for id in ids:
            if wrong := complaint(id, found.get(id)):
                logger.warning("documented result %s: %s", id, wrong, location=self.get_location())
        html = table([id for id in ids if id in found], found, self.env)
        return [nodes.raw("", html, format="html")]


def table(ids, found, env):
    """Write the results as a table of HTML, each with a link to its place."""
    names = ["quantity", "documented", "computed", "agreement", "source"]
    known, body = documented.sources()["short"], []
    for id in ids:
        page, cells = found[id]
        result = registry()[id]
        sources = "; ".join(known[key] for key in (result.source, result.also) if key)
        texts = cells | {"quantity": result.quantity, "source": sources}
        name = title(env.doc2path(page)).partition(":")[0]
        link = f'<a href="{page}.html#documented-{escape(id)}">{escape(name)}</a>'
        data = "".join(f'<td data-label="{name}">{escape(texts[name])}</td>' for name in names)
        data += f'<td data-label="place">{link}</td>'
        name = escape(id).replace(".", ".<wbr>")  # where a narrow column may part it
        body.append(f'<tr id="{escape(id)}"><th scope="row">{name}</th>{data}</tr>')
    if not body:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in ["result", *names, "place"])
    return (
        '<div class="dtb-wide"><table class="dataframe dtb-documented">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def sense(agreement):
    """Sort an agreement into one of a few kinds."""
    for kind, words in {
        "corrected, because the source has a slip": "erratum",
        "equal when computed with the source's rounded numbers": "rounded numbers",
        "in the range of many draws, as one draw should be": "range",
        "a running time, shown and not compared": "shown only",
    }.items():
        if words in agreement:
            return kind
    return EQUAL


def summary(found):
    """Say in a list how many results agree in which sense."""
    agreements = Counter(sense(found[id][1]["agreement"]) for id in registry() if id in found)
    lines = [f"<li><strong>{n}</strong> {kind}</li>" for kind, n in agreements.most_common()]
    return f"<p>Of {len(registry())} documented results are</p><ul>{''.join(lines)}</ul>"


def check_all_listed(app, env):
    """Warn of results that no page lists, where the book has a page that does."""
    if "every_number" not in env.found_docs:
        return
    listed = {id for page in env.metadata.values() for id in page.get("documented", ())}
    for id in registry():
        if id not in listed:
            logger.warning("documented result %s: no page lists it", id)


def anchored(table, taken):
    """Give the row of a result on its page an address of its own, in place of its key."""

    def without_key(row):
        id, label, first = row.groups()
        place = f' id="documented-{id}"' if id in registry() and id not in taken else ""
        taken.add(id)
        return f'<tr{place}><th scope="row"{label}>{first}</th>'

    return ROW.sub(without_key, table.replace('<th scope="col">id</th>', "", 1))


# --- in the margin -------------------------------------------------------------------------------


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


def marked(table, page, taken):
    """Return a table of documented results with its mark before it, or folded into its mark."""
    results, shown = RESULT.findall(table), anchored(table, taken)
    if not results:  # errata are no results
        return shown
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
    if page in FOLDED or (agreed == [EQUAL] and page not in OPEN):
        return CHECK.format(words=", ".join(lines), table=shown)
    return NOTE.format(label="Compared", words="<br>".join(lines)) + shown


def in_pages(app, pagename, templatename, context, doctree):
    """Set the notes when a page is written."""
    if "body" in context and doctree:
        body = with_sources(context["body"], references(app.env))
        taken = set()
        context["body"] = TABLE.sub(lambda table: marked(table[0], pagename, taken), body)


def setup(app):
    """Give Sphinx the directive and the checks."""
    app.add_directive("documented-results", DocumentedResults)
    app.connect("env-check-consistency", check_all_listed)
    # Once, before Sphinx writes pages side by side.
    app.connect("env-check-consistency", lambda app, env: references(env))
    app.connect("html-page-context", in_pages)
