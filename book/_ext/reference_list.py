"""Call the entries of the reference list what they are: the items of a list.

docutils gives them a role of digital publishing that has been withdrawn, inside a list that then
has no items for those who hear the page.
"""


def as_items(app, pagename, templatename, context, doctree):
    """Give every entry the role of an item."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app):
    """Have the pages changed on their way out."""
    app.connect("html-page-context", as_items)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
