"""Say on the button of folded code what it is the code of: "Code of figure 4.6".

The name comes from what the cell shows: a picture, which has its number from `figure_files`, a
table, a listing, printed lines, or something to play with. Code that shows nothing is named by the
names that it defines.
"""

import ast

from docutils import nodes
from figure_files import number
from sphinx.transforms.post_transforms import SphinxPostTransform

PICTURE = '<figure class="dtb-picture"'
MOST = 3  # names, before "and others"


def named(code, shown, figures=()):
    """Name folded code by what it shows, as texts of HTML or print, and the numbers of figures.

    >>> named("plot.tree(tree)", [], ["4.6"]), named("", ["<table class='dataframe'>"])
    ('Code of figure 4.6', 'Code of the table')
    >>> named("import math", []), named("a = b = 1\\ndef f(): ...", [])
    ('Code of the imports', 'Code that defines a, b and f')
    """
    if figures:
        return f"Code of figure{'s' * (len(figures) > 1)} {_listed(figures)}"
    text = "".join(shown)
    if tables := text.count("<table"):
        return "Code of the tables" if tables > 1 else "Code of the table"
    if "dtb-live" in text:
        return "Code of what you can play with"
    if "language-python" in text:
        return "Code of the listing"
    if text:
        return "Code of the lines below"
    names = defined(code)
    if not names:
        return "Code of the imports"
    few = [*names[:MOST], "others"] if len(names) > MOST + 1 else names
    return f"Code that defines {_listed(few)}"


def _listed(names):
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def defined(code):
    """List the names that code defines, in its order: functions, classes, variables.

    >>> defined("import math\\nx, (y, _) = 1, (2, 3)\\nclass A: pass\\nfor i in x: z = i")
    ['x', 'y', 'A']
    """
    found = []
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found.append(statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = getattr(statement, "targets", None) or [statement.target]
            walked = [node for target in targets for node in ast.walk(target)]
            found += [node.id for node in walked if isinstance(node, ast.Name)]
    return list(dict.fromkeys(name for name in found if not name.startswith("_")))


class NamedCode(SphinxPostTransform):
    """Name the folded code of each cell, when the outputs of the page are chosen."""

    default_priority = 198  # just before MyST-NB folds
    formats = ("html",)

    def run(self, **kwargs):
        page, drawn = self.env.docname, 0
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") != "cell_code":
                continue
            raws = [raw.astext() for raw in cell.findall(nodes.raw) if raw["format"] == "html"]
            pictures = sum(text.startswith(PICTURE) for text in raws)
            figures = [number(self.env, page, drawn + k + 1) for k in range(pictures)]
            drawn += pictures
            if cell.get("hide_mode"):
                source, *outputs = cell.children
                listings = [
                    "language-python" if block.get("language") == "python" else block.astext()
                    for output in outputs
                    for block in output.findall(nodes.literal_block)
                ]
                cell["prompt_show"] = named(source.astext(), [*raws, *listings], figures)


def without_another_name(app, pagename, templatename, context, doctree):
    """Let a screen reader say what the button says: MyST-NB calls each "Toggle hidden content"."""
    if "body" in context:
        hidden = '<summary aria-label="Toggle hidden content">'
        context["body"] = context["body"].replace(hidden, "<summary>")


def setup(app):
    """Name folded code before it is folded."""
    app.add_post_transform(NamedCode)
    app.connect("html-page-context", without_another_name)
