"""Set docstrings in the reference of the package as text: `help` shows the same words.

They are plain text with sections, lists, code and emphasis of the house's own style, not
reStructuredText. All that this could take for a mark is escaped, so nothing in a docstring can
break the book.
"""

import re
from itertools import groupby
from pkgutil import resolve_name

from numpy.typing import ArrayLike
from sphinx.util.typing import stringify_annotation

START = "   * - ", "     - "  # of the first cell of a row, and of the others
UNDERLINE = re.compile("-{3,}")
RULE = re.compile("=+(?: +=+)+")  # above and below the rows of a table
# Code of either markup, emphasis, and what reStructuredText might take for a mark of its own.
MARK = re.compile(
    r"`+(?P<code>[^`]+)`+"
    r"|(?<![\w*])\*(?P<emphasis>\w(?:[^*`]*[^*`\s])?)\*(?![\w*])"
    r"|[^A-Za-z0-9 ,;]"
)
MEANING = re.compile(r"\n| : ")
MODULE = re.compile(r"(?<=<h2>)(?:dtreebook|twentyquestions)[\w.]+")
PYARROW = re.compile(r"~?pyarrow\.(?:lib\.)?")  # where it is installed, and where it is mocked
ENTRIES = {"Parameters", "Attributes", "Raises", "Returns"}


def set_as_text(app, what, name, obj, options, lines):
    """Make paragraphs, headed sections, lists of terms and examples of a docstring."""
    if "".join(lines).startswith("Alias for field number"):  # where a named tuple says nothing
        lines.clear()
    marked, section = [], None
    for block in _blocks(lines):
        if len(block) > 1 and UNDERLINE.fullmatch(block[1]):
            section = block[0]
            marked += [f".. rubric:: {section}", ""]
            block = block[2:]
        marked += _entries(block) if section in ENTRIES else _paragraph(block)
    lines[:] = marked


def _blocks(lines):
    """Return the lines between blank lines."""
    return [list(block) for some, block in groupby(lines, lambda line: bool(line.strip())) if some]


def _paragraph(block):
    """Return a block as a paragraph, a table, a list, or as it stands: examples, indented text."""
    if block and block[0].startswith((">>>", " ")):
        return [".. code-block:: text", "", *(f"   {line}" for line in block), ""]
    if block and RULE.fullmatch(block[0]):
        return _table(block)
    if block and block[0].startswith("- "):
        items = re.split(r"\n(?=- )", "\n".join(block))
        return [*(f"- {_escaped(item[2:])}" for item in items), ""]
    return [_escaped(" ".join(block)), ""]


def _table(block):
    """Return a table: its columns stand below the parts of its rules, its first row is its head."""
    columns = [part.span() for part in re.finditer("=+", block[0])]
    marked = [".. list-table::", "   :header-rows: 1", ""]
    for line in block:
        if RULE.fullmatch(line):
            continue
        cells = [_escaped(line[first:last].strip()) for first, last in columns]
        marked += [f"{START[i > 0]}{cell}" for i, cell in enumerate(cells)]
    return [*marked, ""]


def _entries(block):
    """Return a list of terms, each with what is indented below it or follows its colon."""
    entries, marked = [], []
    for line in re.split(r"\n(?! )", "\n".join(block)):
        if entries and not MEANING.search(entries[-1]):  # terms, or a text, on several lines
            entries[-1] += f" {line}"
        else:
            entries.append(line)
    for entry in entries:
        term, parted, meaning = re.match(r"((?:(?!\n| : ).)*)(\n| : |$)([\s\S]*)", entry).groups()
        marked += [_escaped(term), f"   {_escaped(meaning)}", ""] if parted else _paragraph([term])
    return marked


def _escaped(text):
    """Return words on one line, in which nothing is a mark but code and emphasis."""
    return MARK.sub(_marked, " ".join(text.split()))


def _marked(found):
    if found["code"]:
        return rf"\ ``{found['code']}``\ "
    if found["emphasis"]:
        return rf"\ *{_escaped(found['emphasis'])}*\ "
    return "\\" + found[0]


def short_types(app, what, name, obj, options, signature, returns):
    """Name the type of what NumPy takes for an array, which is a dozen types."""
    whole = stringify_annotation(ArrayLike, "smart")

    def short(text):
        return text and PYARROW.sub("pyarrow.", text.replace(whole, "ArrayLike"))

    return tuple(map(short, (signature, returns)))


def not_ours(app, what, name, obj, skip, options):
    """Leave out what scikit-learn adds by itself."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def our_source(app, module, name):
    """Name the module whose source stands behind a name: one of ours, never Python's own."""
    try:
        home = resolve_name(f"{module}:{name}").__module__
    except AttributeError:  # an attribute that instances get, or a value of a plain type
        return module
    return home if home.startswith("dtreebook") else module


def own_names(app, env):
    """Let the source of a module link to names under which the reference has them.

    Sphinx keeps one module for all links from a source: the first in which it met a class of that
    source. The classes of `base` are also met in `id3`, where they are inherited.
    """
    objects = env.domains["py"].objects
    for module, entry in getattr(env, "_viewcode_modules", {}).items():
        if entry and any(f"{module}.{name}" in objects for name in entry[2]):
            env._viewcode_modules[module] = *entry[:3], module


def part_modules(app, pagename, templatename, context, doctree):
    """Let the name of a module in a heading part at its points, not within a word."""
    if "body" in context:
        context["body"] = MODULE.sub(lambda name: name[0].replace(".", ".<wbr>"), context["body"])


def setup(app):
    """Give autodoc and the pages the hooks."""
    app.connect("html-page-context", part_modules)
    app.connect("autodoc-process-docstring", set_as_text)
    app.connect("autodoc-process-signature", short_types)
    app.connect("autodoc-skip-member", not_ours)
    app.connect("viewcode-follow-imported", our_source)
    app.connect("env-updated", own_names)
