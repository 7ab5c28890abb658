"""Let plain Markdown links lead to places of a page, as they do in JupyterLab and on GitHub.

MyST knows the headings of another page: `[text](id3.ipynb#id3-by-hand)` shall also find labels and
exercises, `glossary.md#term-entropy` the terms, `references.md#shannon1948` the sources, and
`api.md#dtreebook.id3` the package. `laboratory.ipynb#table=loan` opens the laboratory with a table.
Links that lead nowhere are warnings of the build, as ever.
"""

from urllib.parse import quote

from docutils.nodes import reference
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

TABLE = "table="


class Tables(SphinxPostTransform):
    """Let a link name a table of the laboratory, which is no place of its page."""

    default_priority = 8  # before MyST looks for the place

    def run(self):
        """Replace the links."""
        for link in list(self.document.findall(pending_xref)):
            named = link.get("reftargetid") or ""
            if named.startswith(TABLE):
                page = self.app.builder.get_relative_uri(self.env.docname, link["reftarget"])
                address = f"{page}#{quote(named, safe='=%')}"
                made = reference("", "", *link.children, refuri=address, internal=True)
                link.replace_self(made)


def note_places(app, env):
    """Tell MyST the labels, terms, sources and names of the package of each page."""
    places = [(page, name, place) for name, (page, place) in env.domains["std"].anonlabels.items()]
    terms = env.domains["std"].objects.items()
    places += [(page, place.lower(), place) for (kind, _), (page, place) in terms if kind == "term"]
    places += [
        (citation.bibliography_key.docname, citation.key, citation.citation_id)
        for citation in env.domains["cite"].citations
    ]
    objects = env.domains["py"].objects.items()
    places += [(found.docname, name, found.node_id) for name, found in objects]
    for page, name, place in places:
        env.metadata[page].setdefault("myst_slugs", {})[name] = (0, place, name)


def setup(app):
    """Wait until all pages are read."""
    app.connect("env-check-consistency", note_places)
    app.add_post_transform(Tables)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
