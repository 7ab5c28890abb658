"""A deck of slides for each page, from the same pages: pictures, formulas, tables, questions.

A slide shows a piece of the page; what the page says before it are the speaker's notes. A
deck has up to 25 slides: where the page has more to show, the first of each section come first.
The rest goes to the notes. Where it has little, the code that draws is shown as well.
"""

import copy
import shutil
from collections import Counter
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

from tools.editions.epub import style
from tools.editions.pages import QUESTIONS, UNWANTED, drawings, fragment, link, name, of_today

FEWEST, MOST = 15, 25
FOLDER = Path(__file__).parent
CODE = "div.cell_input"
GOALS = "You will be able to"
# What is shown, and how much a second one in the same section matters: least first.
KINDS = {
    "figure": 1,
    ".dtb-questionnaire": 1,
    QUESTIONS: 2,
    "div.math": 2,
    ".exercise": 2,
    "table": 3,
    CODE: 4,
}
ALWAYS, FIRST, SPARE = -1, 0, 5
DECK = """<!doctype html>
<html lang="en-GB" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<link rel="stylesheet" href="style.css"><script src="slides.js" defer></script></head>
<body>{body}</body></html>
"""


@dataclass
class Slide:
    """Hold what a slide shows, what is said to it, and whether it may be left out: rank 0 last."""

    title: str
    shown: list
    rank: int
    notes: list = field(default_factory=list)

    def html(self, number, n):
        """Write the slide."""
        shown = "".join(map(str, self.shown))
        notes = "".join(map(str, self.notes))
        opening = " opening" if number == 1 else ""
        return (
            f'<section class="slide{opening}" aria-label="Slide {number} of {n}">'
            f'<h2>{self.title}</h2><div class="shown bd-article">{shown}</div>'
            f'<aside class="notes" aria-label="Notes">{notes}</aside></section>'
        )


def write(pages, book, site, folder):
    """Write a deck for each page and a page that lists them; return {name: slides}."""
    folder.mkdir(parents=True, exist_ok=True)
    css, fonts = style(book, site)
    css += (FOLDER / "slides.css").read_text("utf-8")
    (folder / "style.css").write_text(css, "utf-8")
    shutil.copy(FOLDER / "slides.js", folder)
    (folder / "fonts").mkdir(exist_ok=True)
    for font in fonts:
        shutil.copy(site / "_static" / "fonts" / font, folder / "fonts")
    found = {}
    for page in pages:
        if page.number:
            slides = deck(page, book)
            body = "".join(slide.html(i, len(slides)) for i, slide in enumerate(slides, 1))
            html = DECK.format(title=escape(page.title), body=f"<main>{body}</main>")
            (folder / f"{page.name}.html").write_text(html, "utf-8")
            found[page.name] = len(slides)
    (folder / "index.html").write_text(listed(pages, found, book), "utf-8")
    return found


def listed(pages, found, book):
    """Write the page that lists the decks."""
    decks = [(page.name, escape(page.title)) for page in pages if page.name in found]
    line = '<li><a href="{0}.html">{1}</a>, {2} slides</li>'.format
    entries = "".join(line(*deck, found[deck[0]]) for deck in decks)
    body = (
        f"<main class='decks'><h1>{escape(book.title)}: slides</h1><p>Move with the arrow keys or "
        f"a click on the arrows; N shows the notes. Printed, each slide has its notes below it.</p>"
        f"<ul>{entries}</ul></main>"
    )
    return DECK.format(title=f"{escape(book.title)}: slides", body=body)


def deck(page, book):
    """Make the slides of a page."""
    page = replace(page, article=copy.copy(page.article))
    for node in page.article.select(f"{UNWANTED}, .section-number, .dtb-reading-time"):
        node.decompose()  # the folded code as well
    drawings(page)
    name(page)
    link(page, set(), book.home)
    for anchor in page.article.select('a[href^="#"]'):
        anchor.unwrap()
    of_today(page.article)
    title = page.article.h1.decode_contents()
    words = fragment(f"<p>{escape(book.title)}, page {page.number}</p>")
    slides = [Slide(title, [words], ALWAYS)]
    opening = page.article.section or page.article
    for part in [opening, *opening.find_all("section", recursive=False)]:
        head = part.find("h2", recursive=False)
        walk(part, head.decode_contents() if head else title, slides)
    return chosen(slides)


def walk(section, title, slides):
    """Add the slides of a section; prose becomes the notes of the slide after it."""
    seen, said = Counter(), []
    for node in section.find_all(True, recursive=False):
        shown = parts(node)
        if node.name == "section" and not node.get("class"):
            if section.find("h2", recursive=False):  # a section of a section
                walk(node, title, slides)
        elif (goals := node.select_one(".admonition-title")) and goals.get_text() == GOALS:
            told = node.find_all(["ul", "p"], recursive=False)[1:]
            slides.append(Slide(GOALS, told, ALWAYS))
        elif title == "In short" and node.name in {"ul", "ol"}:
            slides.append(Slide(title, [node], ALWAYS, said))
            said = []
        elif shown:
            for kind, what in shown:
                rank = KINDS.get(kind, SPARE) if seen[kind] or kind == SPARE else FIRST
                seen[kind] += 1
                slides.append(Slide(title, [what], rank, said))
                said = []
        elif node.name not in {"h1", "h2", "span"}:
            said.append(node)
    slides[-1].notes.extend(said)


def parts(node):
    """List what of a node is shown, each with its kind; of code, also what it prints."""
    if "exercise" in node.get("class", []):
        return [(".exercise", node)]
    if node.name == "div" and "math" in node.get("class", []):
        return [("div.math", node)]
    if "cell" not in node.get("class", []):
        return []
    found = [(kind, what) for kind in KINDS if kind != CODE for what in node.select(kind)]
    code = node.select(CODE)
    return [(SPARE, what) for what in code] + found if found else [(CODE, node)] * bool(code)


def chosen(slides):
    """Leave out what matters least: there are no more slides than a deck holds."""
    order = sorted(range(len(slides)), key=lambda i: (slides[i].rank, i))
    wanted = sum(slide.rank < SPARE for slide in slides)
    kept = set(order[: min(MOST, max(FEWEST, wanted))])
    result = []
    for i, slide in enumerate(slides):
        if i in kept:
            result.append(slide)
        else:
            result[-1].notes += slide.notes + (slide.shown if slide.rank < SPARE else [])
    return result
