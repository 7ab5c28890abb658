"""The volume as a PDF: tagged, with bookmarks, and the number of the page behind each link.

Chromium prints it until the numbers are right: each print tells on which page each place is. The
second one is right, because an unknown number takes as much room as a known one.
"""

import re
from html import escape
from pathlib import Path

import pikepdf

from tools.editions.pages import ANSWERS, homes

SHEETS = Path(__file__).with_name("paper.css")
UNKNOWN = "000"  # as wide as the number that takes its place
NUMBER = re.compile(r'(<span class="page" data-to="([^"]+)">)\d+')
LINK = re.compile(r'<a [^>]*href="#([^"]+)"[^>]*>.*?</a>', re.DOTALL)
HEAD = """<!doctype html>
<html lang="en-GB" data-theme="light"><head><meta charset="utf-8"><title>{title}</title>
{styles}
<style>{heads}</style></head><body>
<div class="title-page">{mark}<p class="book-title">{title}</p><p>{words}</p>
<p>{author}</p><p class="imprint">{imprint}</p></div>
<nav class="contents"><h1>Contents</h1>{contents}</nav>
"""


def write(pages, book, site, browser, target):
    """Print the volume."""
    html, printed = sheet(pages, book, site), ""
    source = target.with_suffix(".html")
    while html != printed:
        printed = html
        source.write_text(html, "utf-8")
        print_to(browser, source, target)
        with pikepdf.open(target) as pdf:
            numbers = places(pdf)
        html = NUMBER.sub(lambda found, of=numbers: f"{found[1]}{of[found[2]]}", html)
    source.unlink()
    with pikepdf.open(target, allow_overwriting_input=True) as pdf:
        pdf.docinfo["/Author"] = book.author
        pdf.docinfo["/Subject"] = book.words
        pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, linearize=True)


def print_to(browser, source, target):
    """Print a file as Chromium does."""
    page = browser.new_page()
    page.set_default_timeout(0)  # a whole book takes a while
    page.goto(source.as_uri())
    page.evaluate("document.fonts.ready")
    page.pdf(
        path=target, tagged=True, outline=True, prefer_css_page_size=True, print_background=True
    )
    page.close()


def places(pdf):
    numbers = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    named = pikepdf.NameTree(pdf.Root.Names.Dests) if "/Names" in pdf.Root else pdf.Root.Dests
    return {name.lstrip("/"): numbers[place[0].objgen] for name, place in named.items()}


def sheet(pages, book, site):
    """Write the volume as one page of HTML."""
    heads = "".join(
        f'@page {page.name} {{ @top-left {{ content: "{quoted(page.title)}" }} }}'
        f"#{page.name} {{ page: {page.name} }}"
        for page in pages
    )
    head = HEAD.format(
        title=escape(book.title),
        styles=book.linked(site, SHEETS),
        heads=heads,
        mark=(site / "_static" / "mark.svg").read_text("utf-8"),
        words=escape(book.words),
        author=escape(book.author),
        imprint=book.imprint(),
        contents=contents(pages),
    )
    return head + "\n".join(numbered(pages)) + "</body></html>"


def quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def page_of(place):
    return f'<span class="page" data-to="{place}">{UNKNOWN}</span>'


def contents(pages):
    """List the pages under their parts."""
    lines, part = [], ""
    for page in pages[1:]:
        if page.part != part:
            part = page.part
            lines.append(f'<p class="part">{escape(part)}</p>')
        words = f'<a href="#{page.name}">{escape(page.title)}</a>'
        lines.append(f'<p class="entry">{words}{page_of(page.name)}</p>')
    return "".join(lines)


def numbered(pages):
    """Return the HTML of each page; behind a link to another page stands its number."""
    on_paper = {page.name for page in pages if page.number} | {ANSWERS}
    where = homes(pages)
    for page in pages:

        def with_page(link, name=page.name):
            there = where[link[1]]
            is_for_paper = there != name and (there in on_paper or name == "genindex")
            return link[0] + (page_of(link[1]) if is_for_paper else "")

        yield LINK.sub(with_page, str(page.article))
