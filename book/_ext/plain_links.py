"""Let plain Markdown links lead to places of a page, as they do in JupyterLab and on GitHub.

MyST knows the headings of another page: `[text](id3.ipynb#id3-by-hand)` shall also find labels and
exercises, `glossary.md#term-entropy` the terms, `references.md#shannon1948` the sources, and
`api.md#dtreebook.id3` the package. Links
that lead nowhere are warnings of the build, as ever.
"""


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
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
