"""The numbers that the PDF names are those printed on its pages, which stand where they say."""

import re

import pikepdf
from editions import book, pages, paper

WORDS = "<p>word</p>" * 90  # three pages
CHAPTERS = {
    "alpha": ("First part", "1. Alpha", '<a href="#beta">Onwards</a> <a href="#alpha">Here</a>'),
    "beta": ("Second part", '2. "Beta"', '<a href="#alpha">Back</a>'),
    "answers": ("Appendix", "Answers", '<a href="#beta">Again</a>'),
    "api": ("Appendix", "Reference", '<a href="#genindex">Words</a>'),
    "genindex": ("Appendix", "Index", '<a href="#api">Entry</a>'),
}


def made(name, part, title, links):
    text = WORDS if links else ""
    article = (
        f'<article class="bd-article" id="{name}"><h1>{name}</h1><p>{links}</p>{text}</article>'
    )
    return pages.Page(name, title, part, pages.fragment(article))


def letters(font):
    """Return what the codes of a font mean: {code: letters}."""
    meant = {}
    table = font.ToUnicode.read_bytes().decode()
    for kind, entries in re.findall(r"beginbf(char|range)(.*?)endbf", table, re.DOTALL):
        step = {"char": 2, "range": 3}[kind]
        told = re.findall(r"<(\w+)>", entries)
        for first, *last, text in zip(*(told[i::step] for i in range(step)), strict=True):
            *before, letter = bytes.fromhex(text).decode("utf-16-be")
            codes = range(int(first, 16), int((last or [first])[0], 16) + 1)
            meant |= {c: "".join(before) + chr(ord(letter) + c - codes[0]) for c in codes}
    return meant


def printed(page):
    """Read what stands on a page of a PDF; a font of variable width has codes of one byte."""
    text, meant, step = "", {}, 1
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) == "Tf":
            font = page.Resources.Font[operands[0]]
            meant, step = letters(font), 1 if font.Subtype == "/Type3" else 2
        elif str(operator) in {"Tj", "TJ"}:
            pieces = operands if str(operator) == "Tj" else operands[0]
            codes = b"".join(bytes(one) for one in pieces if isinstance(one, pikepdf.String))
            for i in range(0, len(codes), step):
                text += meant[int.from_bytes(codes[i : i + step])]
    return text


def test_a_page_has_the_number_that_contents_and_links_name(site, chromium, tmp_path):
    front = made("index", "", "Front", "")
    chapters = [made(name, *about) for name, about in CHAPTERS.items()]
    paper.write([front, *chapters], book.this(), site, chromium, tmp_path / "small.pdf")
    with pikepdf.open(tmp_path / "small.pdf") as pdf:
        _, contents, *sheets = map(printed, pdf.pages)
    assert contents.startswith("2Contents")
    starts, links = {}, {}
    for number, sheet in enumerate(sheets, 3):
        title, of_page = re.match(r"((?:\d\. )?\D+)(\d+)", sheet).groups()
        assert int(of_page) == number
        starts.setdefault(title, number)
        links |= re.findall(r"(Onwards|Here|Back|Again|Words|Entry)p\. (\d+)", sheet)
    front, alpha, beta, answers, api, index = starts.values()
    assert (front + 1, alpha + 2) < (alpha + 1, beta) < (beta, answers)
    told = [int(re.search(rf"{title}(\d+)", contents)[1]) for _, title, _ in CHAPTERS.values()]
    assert told == [alpha, beta, answers, api, index]
    wanted = {"Onwards": beta, "Back": alpha, "Again": beta, "Entry": api}
    assert {words: int(number) for words, number in links.items()} == wanted
