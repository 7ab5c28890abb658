"""The plain notebooks say what the pages say, without MyST; .ci/plain runs them.

It runs them in an empty folder, with the oldest and with the newest versions of what they need.
"""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import address, notebooks, plain_notebooks

CHAPTERS = notebooks.pages()
MYST = re.compile(
    r"\{[\w:-]+\}`|^`{3,}\{|^:{3,}|^\([\w-]+\)=$|(?:\]\(|href=\")(?!https?:|#)", re.MULTILINE
)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_is_all_there_without_myst(path):
    chapter = nbformat.read(path, as_version=4)
    made = plain_notebooks.plain(chapter)
    text = "\n\n".join(cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert not MYST.findall(address.placed(text, None))
    for cell in chapter.cells:
        for value in plain_notebooks.values(cell).values():
            assert value in text, cell.id
    exercises = sum(cell.source.count("{exercise}") for cell in chapter.cells)
    assert text.count("**Exercise") == exercises
    assert text.count("<details>") == text.count("</details>") >= exercises
    for cell in made.cells:
        assert ", right=True" not in cell.source
        assert all(
            output.output_type != "error" or "raises-exception" in cell.metadata.tags
            for output in cell.get("outputs", ())
        )


def test_the_first_cell_installs_what_is_missing_and_nothing_else():
    first = plain_notebooks.plain(new_notebook()).cells[0].source
    assert 'if find_spec("twentyquestions") is None' in first
    assert "#subdirectory=twentyquestions" in first
    shell = re.sub(r"^    %pip (.*)$", r"    installed = True", first, flags=re.MULTILINE)
    names = {"installed": False}
    exec(shell, names)
    assert not names["installed"]


def test_a_chapter_that_asks_a_database_installs_one():
    asks = new_notebook(cells=[new_code_cell("import ibis\n\nibis.duckdb.connect()")])
    assert '"dtreebook[plot,duckdb] @' in plain_notebooks.plain(asks).cells[0].source


def test_an_assertion_goes_whole_however_many_lines_it_has():
    source = "assert True\nx = 1\nassert (\n    x == 1\n), 'one'\ny = 2\n"
    assert plain_notebooks.without_assertions(source) == "x = 1\ny = 2"


def test_a_solution_is_one_fold_with_its_code_and_what_it_prints():
    cells = [
        new_markdown_cell("```{exercise} Two\n:label: ex-two\n\nWhat is $1 + 1$?\n```"),
        new_code_cell("print(1 + 1)", outputs=[new_output("stream", text="2\n")]),
        new_code_cell("assert 1 + 1 == 2"),
        new_markdown_cell("```{solution} ex-two\n:class: dropdown\n\nIt is two.\n```"),
    ]
    for cell in cells[1:3]:
        cell.metadata.tags = ["solution", *(["remove-cell"] if "assert" in cell.source else [])]
    _, exercise, solution = plain_notebooks.plain(new_notebook(cells=cells)).cells
    assert exercise.source == '<a id="ex-two"></a>\n\n**Exercise: Two**\n\nWhat is $1 + 1$?'
    inside = "```python\nprint(1 + 1)\n```\n\n```text\n2\n```\n\nIt is two."
    assert solution.source == (f"<details><summary>Solution</summary>\n\n{inside}\n\n</details>")


@pytest.mark.parametrize(
    ("myst", "plain"),
    [
        ("[ID3](id3.ipynb#id3-by-hand)", "[ID3]({site}/id3.html#id3-by-hand)"),
        ("[cut](glossary.md#term-gini-impurity)", "[cut]({site}/glossary.html#term-Gini-impurity)"),
        ("[Li (2019)](references.md#lihang2019)", "[Li (2019)]({site}/references.html)"),
        ("[it](laboratory.ipynb#table=x%20y)", "[it]({site}/laboratory.html#table=x%20y)"),
        ("[it](../course/release/id3/id3.ipynb)", "[it]({site}/assignments/id3.zip)"),
        ("$$\nx = 1\n$$ (eq-x)", "$$\nx = 1\n$$"),
        ("bit\n: of news", "**bit**  \nof news"),
    ],
)
def test_links_formulas_and_definitions(myst, plain, monkeypatch):
    monkeypatch.setenv("GITHUB_REPOSITORY", "Some-School/old-oaks")
    monkeypatch.setenv("BOOK_URL", "https://trees.school.org")
    assert plain_notebooks.plain_text(myst) == plain.format(site="https://trees.school.org")


def test_a_value_that_is_missing_is_an_error():
    with pytest.raises(KeyError, match="never"):
        plain_notebooks.plain(new_notebook(cells=[new_markdown_cell("{eval}`never`")]))
