"""Write the pages as plain notebooks, for Colab, Kaggle, VS Code and GitHub's preview.

    python -m tools.plain_notebooks FOLDER

What the pages leave to MyST stands in them as plain Markdown: stored values filled in, links to
the published pages, solutions and quizzes as `<details>`. Assertions, which are ours, are left out.
"""

import ast
import re
import sys
from functools import cache
from itertools import takewhile
from pathlib import Path
from string import ascii_uppercase

import nbformat
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell

from tools import address
from tools.contents import chapters
from twentyquestions.live import awake

BOOK = Path(__file__).resolve().parents[1] / "book"
EVAL = re.compile(r"\{eval\}`([^`]*)`")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\w+)\.(?:ipynb|md)(#[\w.=%-]+)?\)")
RELEASE = re.compile(r"\[([^\[\]]*)\]\(\.\./course/release/(\w+)/\2\.ipynb\)")
LABEL = re.compile(r"^\(([\w-]+)\)=\n", re.MULTILINE)
DIRECTIVE = re.compile(
    r"^(`{3,})\{([\w:]+)\} *([^\n]*)\n((?::\w+:[^\n]*\n)*)\n*(.*?)\n\1$", re.MULTILINE | re.DOTALL
)
EQUATION = re.compile(r"^(\$\$) \([\w-]+\)$", re.MULTILINE)
TERM = re.compile(r"^(\S.*)\n(?=    \S)", re.MULTILINE)
DEFINITION = re.compile(r"^([^\n]+)\n: +", re.MULTILINE)
# What a notebook says of its kernel: few words, so that git sees no change where there is none.
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# How Colab, Kaggle and Jupyter are asked to hide the source of a cell.
HIDDEN = {"cellView": "form", "_kg_hide-input": True, "jupyter": {"source_hidden": True}}
# The extra `explore` would bring newer widgets than Colab's.
INSTALL = """\
# Installs the packages of the book where they are missing, as in Colab and on Kaggle.
from importlib.util import find_spec

if find_spec("twentyquestions") is None or find_spec("matplotlib") is None:
    repository = "git+<address-of-this-repository>"
    book = f"twentyquestions @ {repository}#subdirectory=twentyquestions"
    %pip install -q "dtreebook[plot] @ {repository}" "{book}"
"""
INSTALL_TOO = INSTALL.replace("matplotlib", "ibis").replace("[plot]", "[plot,duckdb]")


@cache
def terms():
    names = TERM.findall((BOOK / "glossary.md").read_text("utf-8"))
    places = ("term-" + re.sub(r"[^\w-]+", "-", name) for name in names)
    return {place.lower(): place for place in places}


def page(match):
    """Link to the published page; to its place where that has the same name there."""
    words, name, place = match[1], match[2], match[3] or ""
    if name == "references":
        place = ""
    place = "#" + terms().get(place[1:], place[1:]) if place else ""
    home = address.here()
    return f"[{words}]({home.site}/{name}.html{place})" if home else words


def links(text):
    home = address.here()
    zipped = rf"[\1]({home.site}/assignments/\2.zip)" if home else r"\1"
    return LINK.sub(page, RELEASE.sub(zipped, text))


def values(cell):
    """Read the stored values of a cell as the page shows them: {expression: text}."""
    found = {}
    for entry in cell.metadata.get("user_expressions", ()):
        shown = entry.result.data["text/plain"]
        found[entry.expression] = ast.literal_eval(shown) if shown[0] in "'\"" else shown
    return found


def folded(words, inside):
    return f"<details><summary>{words}</summary>\n\n{inside}\n\n</details>"


def directive(match, code):
    """Write an exercise, a solution or an admonition without MyST."""
    _, kind, title, options, body = match.groups()
    if kind == "chapters":
        return links(chapters())
    if kind == "solution":
        return folded("Solution", "\n\n".join(filter(None, [code, plain_text(body)])))
    label = re.search(r":label: *(\S+)", options)
    place = f'<a id="{label[1]}"></a>\n\n' if label else ""
    if kind == "exercise":
        title = f"Exercise: {title}" if title else "Exercise"
    return f"{place}**{title}**\n\n{plain_text(body)}"


def plain_text(text, code=""):
    """Write MyST as plain Markdown.

    >>> print(plain_text("(here)=\\n## Gain\\nSee above."))
    <a id="here"></a>
    <BLANKLINE>
    ## Gain
    See above.
    """
    text = DIRECTIVE.sub(lambda match: directive(match, code), text)
    text = LABEL.sub(r'<a id="\1"></a>\n\n', text)
    text = EQUATION.sub(r"\1", text)
    return links(DEFINITION.sub(r"**\1**  \n", text))


def without_assertions(source):
    """Leave out the assertions of a cell, and of a cell without anything else all of it.

    >>> without_assertions("x = 1\\nassert x == 1\\n")
    'x = 1'
    """
    if source.lstrip().startswith("%"):
        return source
    lines = source.splitlines()
    for part in reversed(ast.parse(source).body):
        if isinstance(part, ast.Assert):
            del lines[part.lineno - 1 : part.end_lineno]
    return "\n".join(lines).strip()


def quiz(cell):
    """Write a quiz from what its cell shows, so that no source gives the answers away."""
    (output,) = cell.outputs
    parts = ["**Quiz.** Choose an answer to read what is to be said about it."]
    for question in BeautifulSoup(output.data["text/html"], "html.parser").select("fieldset"):
        parts.append(f"**{_inside(question.legend)}**")
        for letter, line in zip(ascii_uppercase, question.select("ol > li"), strict=False):
            parts.append(f"{letter}. {_inside(line)}")
        for choice in question.select("details"):
            parts.append(folded(_inside(choice.summary), _inside(choice.p)))
    return new_markdown_cell("\n\n".join(parts), id=cell.id)


def _inside(element):
    return re.sub(r"\\\((.*?)\\\)", r"$\1$", element.decode_contents()).replace("\n", " ")


def fenced(cell):
    """Show a cell of a solution as text: its code and what it prints."""
    shown = f"```python\n{cell.source}\n```"
    for output in cell.outputs:
        words = output.get("text") or output.data["text/plain"]
        shown += f"\n\n```text\n{words.rstrip()}\n```"
    return shown


def beside(cells, at):
    """List the code cells of the solution in a cell: those tagged so right before and after it."""
    before = list(takewhile(is_solution, reversed(cells[:at])))
    return [*reversed(before), *takewhile(is_solution, cells[at + 1 :])]


def is_solution(cell):
    """Tell whether a cell has code of a solution."""
    return "solution" in cell.metadata.get("tags", ())


def plain_cell(cells, at, stored):
    """Write a cell of a page for the plain notebook; None where nothing of it is left."""
    cell = cells[at]
    tags = set(cell.metadata.get("tags", ()))
    if cell.cell_type == "markdown":
        shown = (part for part in beside(cells, at) if part.outputs)
        code = "\n\n".join(map(fenced, shown)) if "{solution}" in cell.source else ""
        filled = EVAL.sub(lambda match: stored[match[1]], cell.source)
        return new_markdown_cell(plain_text(filled, code), id=cell.id)
    if re.search(r"^quiz\(", cell.source, re.MULTILINE):
        return quiz(cell)
    away = bool(tags & {"remove-cell", "remove-input"})
    source = without_assertions(cell.source) if away else cell.source
    if not source or "solution" in tags:
        return None
    made = new_code_cell(source, id=cell.id, outputs=cell.outputs)
    for output in made.outputs:
        if html := output.get("data", {}).get("text/html"):
            output.data["text/html"] = awake(html)
    made.execution_count = cell.execution_count
    if "raises-exception" in tags:
        made.metadata.tags = ["raises-exception"]
    if away or "hide-input" in tags:
        made.metadata.update(HIDDEN)
    return made


def asks_a_database(notebook):
    return any("import ibis" in cell.source for cell in notebook.cells)


def plain(notebook):
    """Write a page as a plain notebook; KeyError if an expression has no stored value."""
    stored = {}
    for cell in notebook.cells:
        stored |= values(cell)
    cells = [plain_cell(notebook.cells, at, stored) for at in range(len(notebook.cells))]
    install = INSTALL_TOO if asks_a_database(notebook) else INSTALL
    first = new_code_cell(install, id="install", metadata=HIDDEN)
    made = nbformat.v4.new_notebook(cells=[first, *filter(None, cells)], metadata=KERNEL)
    nbformat.validate(made)
    return made


def write(folder, book=BOOK):
    """Write the plain notebooks of all pages to a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(book.glob("*.ipynb")):
        made = plain(nbformat.read(path, as_version=4))
        text = address.placed(nbformat.writes(made).rstrip("\n") + "\n", address.here())
        (folder / path.name).write_text(text, "utf-8")


if __name__ == "__main__":
    write(sys.argv[1])
