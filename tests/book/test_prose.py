"""No result is typed into the prose: numbers that look like results are computed or declared.

A number with a decimal point, a percentage, or a whole number of three digits or more that is no
year looks like a result. On a page it comes from {eval}; one that the book itself sets, or that
a definition or a source gives, is in book/declared.yml with the reason.

And the words: pages, docstrings and messages avoid what book/words.yml lists, and every section of
a numbered page gives its reader something to do. Both hold for all that is not listed there as
not yet edited.
"""

import io
import re
import tokenize
from functools import cache

import nbformat
import pytest
import spine
import yaml
from browser import BOOK, ROOT
from pybtex.database import parse_file

from tools import notebooks

PAGES = sorted([*BOOK.glob("*.ipynb"), *BOOK.glob("*.md")])
NUMBER = re.compile(
    r"""(?<![\w.,/:-])
    (?P<number> \d{1,3}(?:[ ,]\d{3})+(?:\.\d+)? | \d+\.\d+ | \d{3,} | \d+(?=\s?(?:\\?%|per\ cent)))
    (?![\w/]|\.\d|-\d)""",
    re.VERBOSE,
)
YEAR = re.compile(r"(?:1[89]|20)\d\d")
# Versions, sections and the like: a number behind such a word names something.
NAMED = re.compile(
    r"(?:C|Python|Release|version|BY|section|chapter|table|theorem|page|figure|equation|CS)\s?$",
    re.IGNORECASE,
)


def numbers(line):
    return [
        found["number"]
        for found in NUMBER.finditer(line)
        if not YEAR.fullmatch(found["number"]) and not NAMED.search(line[: found.start()])
    ]


def prose(text, first=1):
    """Yield the number of each line and its text and formulas, without code and roles."""
    for token in notebooks.parser().parse(text):
        start = first + token.map[0] if token.map else first
        if token.type == "inline":
            line = start
            for child in token.children:
                if child.type in {"softbreak", "hardbreak"}:
                    line += 1
                elif child.type in {"text", "math_inline"}:
                    yield line, child.content
        elif token.type in {"math_block", "math_block_label", "amsmath"}:
            for offset, line in enumerate(token.content.splitlines()):
                yield start + offset, line
        elif token.type in {"fence", "colon_fence"}:
            directive = notebooks.DIRECTIVE.match(token.info)
            if directive and directive[1] not in notebooks.VERBATIM:
                yield start, directive[2]
                yield from prose(token.content, start + 1)


def cells(path):
    if path.suffix == ".md":
        yield path.name, path.read_text("utf-8")
        return
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "markdown":
            yield notebooks.place(path, number, cell), cell.source


def typed(path):
    return [
        (f"{place}, line {line}", number, text.strip())
        for place, source in cells(path)
        for line, text in prose(source)
        for number in numbers(text)
    ]


@cache
def declared():
    return yaml.safe_load((BOOK / "declared.yml").read_text("utf-8"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_result_is_typed_into_the_prose(path):
    allowed, found = declared().get(path.stem, {}), typed(path)
    wrong = [f"{place}: {n} in {text!r}" for place, n, text in found if n not in allowed]
    advice = "compute these with {eval}, or declare them in book/declared.yml:\n"
    assert not wrong, advice + "\n".join(wrong)
    assert set(allowed) <= {number for _, number, _ in found}, "declared, and not there"


def test_every_declaration_is_of_a_page_and_says_why():
    assert set(declared()) <= {path.stem for path in PAGES}
    assert all(reason.strip() for allowed in declared().values() for reason in allowed.values())


ROLE = re.compile(r"(?<!`)\{(?:doc|ref|term|cite[:\w]*|py:\w+)\}`[^`]*`")
SOURCE = re.compile(r"\[([^\]]*)\]\(references\.md#(\w+)\)")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_are_plain_markdown_and_name_what_they_lead_to(path):
    """So that they are read, and lead somewhere, where there is no Sphinx."""
    for place, source in cells(path):
        assert not ROLE.findall(source), f"{place}: write them as Markdown links"
        for words, key in SOURCE.findall(source):
            entry = bibliography()[key]
            (first, *_) = entry.persons["author"]
            name = re.sub(r"[{}]|\s*\(.*", "", " ".join(first.last_names))
            assert name in words, f"{place}: {words} is by {name}"
            assert entry.fields["year"] in words, f"{place}: {words} is of {entry.fields['year']}"


@cache
def bibliography():
    return parse_file(str(BOOK / "references.bib")).entries


WRITTEN = [*PAGES, ROOT / "README.md", *sorted((ROOT / "dtreebook").rglob("*.py"))]
NUMBERED = [BOOK / f"{page}.ipynb" for page in spine.PAGES[1:]]
TO_DO = re.compile(r"^quiz\(|^explorables\.\w+\(|^(`{3,}|:{3,})\{exercise\}", re.MULTILINE)
AFTERWORDS = {"What is a good question?", "In short", "Write it yourself"}


@cache
def words():
    listed = yaml.safe_load((BOOK / "words.yml").read_text("utf-8"))
    avoided = {re.compile(p, re.IGNORECASE): better for p, better in listed["instead"].items()}
    return avoided, set(listed["not_yet"])


def spoken(code):
    code = re.sub(r"^[%!].*", "", code, flags=re.MULTILINE)
    speaking = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in speaking:
            yield token.start[0], token.string.strip("\"'# ")


def sentences(path):
    """Yield what a page or a module says: the words that name its place, and a piece of text."""
    if path.suffix == ".py":
        for line, text in spoken(path.read_text("utf-8")):
            yield f"{path.relative_to(ROOT)}, line {line}", text
        return
    for place, source in cells(path):
        yield place, re.sub(r"`[^`]*`", "``", source)
    if path.suffix == ".ipynb":
        for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
            if cell.cell_type == "code":
                for line, text in spoken(cell.source):
                    yield f"{notebooks.place(path, number, cell)}, line {line}", text


def avoidable(text):
    text = " ".join(text.split())
    return [(found[0], better) for p, better in words()[0].items() for found in p.finditer(text)]


@pytest.mark.slow
@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_book_uses_the_words_of_its_field(path):
    if str(path.relative_to(ROOT)) in words()[1]:
        return
    said = ((place, *one) for place, text in sentences(path) for one in avoidable(text))
    wrong = [f"{place}: {found!r}: {better}" for place, found, better in said]
    assert not wrong, "book/words.yml says what to write instead:\n" + "\n".join(wrong)


def sections(path):
    """List the sections of a page: the title, and all that is in it."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        for piece in re.split(r"^(?=## )", cell.source, flags=re.MULTILINE):
            if cell.cell_type == "markdown" and piece.startswith("## "):
                title, _, piece = piece.removeprefix("## ").partition("\n")
                found.append([title.strip(), ""])
            if found:
                found[-1][1] += piece + "\n"
    return found


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_every_section_gives_its_reader_something_to_do_and_exercises_come_last(path):
    """Many readers stop at the hard exercises, and would miss what comes after."""
    found = sections(path)
    titles = [title for title, _ in found]
    last = titles.index("Exercises") + 1 if "Exercises" in titles else len(titles)
    assert set(titles[last:]) <= AFTERWORDS
    if str(path.relative_to(ROOT)) not in words()[1]:
        idle = {title for title, inside in found if not TO_DO.search(inside)}
        assert idle <= AFTERWORDS
