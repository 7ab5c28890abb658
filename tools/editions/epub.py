"""The volume as an EPUB 3: a file for each page, formulas as MathML, drawings as SVG."""

import re
import uuid
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.archives import zipped
from tools.editions.pages import homes

LINK = re.compile(r'(<a [^>]*href=")#([^"]+)"')
PHONE = "45rem"  # of the styles of the pages
FONT = re.compile(r'url\("fonts/([^"]+)"\)')
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>
"""
XHTML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"
 lang="en-GB" xml:lang="en-GB"><head><title>{title}</title>
<link rel="stylesheet" href="style.css"/></head><body>{body}</body></html>
"""
PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en-GB">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{identifier}</dc:identifier>
<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>en-GB</dc:language>
<dc:description>{words}</dc:description><dc:date>{made}</dc:date>
<dc:rights>Text: CC BY 4.0. Code: BSD 3-Clause.</dc:rights>
<meta property="dcterms:modified">{made}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessMode">visual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">alternativeText</meta>
<meta property="schema:accessibilityFeature">MathML</meta>
<meta property="schema:accessibilityFeature">structuralNavigation</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Every drawing has a description in words.</meta>
</metadata>
<manifest>{manifest}</manifest>
<spine>{spine}</spine>
</package>
"""
PROPERTIES = {"contents.xhtml": ["nav"], "cover.png": ["cover-image"]}
HELD = {"<math": "mathml", "<svg": "svg"}
TYPES = {
    ".xhtml": "application/xhtml+xml",
    ".css": "text/css",
    ".woff2": "font/woff2",
    ".png": "image/png",
}


def write(pages, book, site, browser, target):
    """Pack the volume: the same pages and browser always give the same file."""
    where = homes(pages)
    files = {"title.xhtml": title_page(book)}
    files |= {f"{page.name}.xhtml": text(page, where) for page in pages}
    files["contents.xhtml"] = contents(pages, book)
    files["style.css"], fonts = style(book, site)
    files |= {f"fonts/{name}": (site / "_static" / "fonts" / name).read_bytes() for name in fonts}
    files["cover.png"] = cover(book, site, browser)
    spine = ["title.xhtml", "contents.xhtml", *(f"{page.name}.xhtml" for page in pages)]
    first = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    first["book/package.opf"] = package(files, spine, book)
    zipped(target, first | {f"book/{name}": content for name, content in files.items()})


def text(page, where):
    """Write a page as XHTML; a link names the file that its place is in."""

    def to_file(link):
        there = where[link[2]]
        return f'{link[1]}{there}.xhtml{"" if there == link[2] else "#" + link[2]}"'

    body = LINK.sub(to_file, page.article.decode())
    return XHTML.format(title=escape(page.title), body=body)


def title_page(book):
    """Write the first page."""
    body = (
        f'<section class="title-page" epub:type="titlepage"><h1>{escape(book.title)}</h1>'
        f"<p>{escape(book.words)}</p><p>{escape(book.author)}</p>"
        f'<p class="imprint">{book.imprint()}</p></section>'
    )
    return XHTML.format(title=escape(book.title), body=body.replace("<br>", "<br/>"))


def contents(pages, book):
    """Write the contents, which readers also show beside the text: the pages within their parts."""
    lines = []
    for part, group in groupby(pages, key=lambda page: page.part):
        entries = "".join(
            f'<li><a href="{page.name}.xhtml">{escape(page.title)}</a></li>' for page in group
        )
        lines.append(f"<li><span>{escape(part)}</span><ol>{entries}</ol></li>" if part else entries)
    body = f'<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>{"".join(lines)}</ol></nav>'
    return XHTML.format(title="Contents", body=body)


def style(book, site):
    """Put the styles together; return them with the names of the fonts that they use."""
    sheets = [*book.styles(site), Path(__file__).with_name("epub.css")]
    css = "\n".join(path.read_text("utf-8") for path in sheets)
    # A page of a reader is as narrow as one of a phone, whatever the window: two may stand in it.
    css = css.replace(f"(max-width: {PHONE})", "all").replace(f"(min-width: {PHONE})", "not all")
    return css, sorted(set(FONT.findall(css)))


def cover(book, site, browser):
    """Draw the cover: the mark and the title."""
    mark = (site / "_static" / "mark.svg").read_text("utf-8")
    page = browser.new_page(viewport={"width": 600, "height": 800}, device_scale_factor=2)
    with TemporaryDirectory() as folder:
        source = Path(folder) / "cover.html"
        source.write_text(
            f'<!doctype html><html data-theme="light"><meta charset="utf-8">'
            f"{book.linked(site)}"
            f'<body class="cover">{mark}<p class="book-title">{escape(book.title)}</p>'
            f"<p>{escape(book.words)}</p><p>{escape(book.author)}</p></body></html>",
            "utf-8",
        )
        page.goto(source.as_uri())
        page.evaluate("document.fonts.ready")
        drawn = page.screenshot()
    page.close()
    return drawn


def package(files, spine, book):
    """Write what the EPUB consists of and in which order it is read."""
    items = []
    for name, content in files.items():
        properties = PROPERTIES.get(name, [])
        if name.endswith(".xhtml"):
            properties = properties + [held for tag, held in HELD.items() if tag in content]
        said = f' properties="{" ".join(properties)}"' if properties else ""
        kind = TYPES[Path(name).suffix]
        items.append(f'<item id="{identified(name)}" href="{name}" media-type="{kind}"{said}/>')
    return PACKAGE.format(
        identifier=uuid.uuid5(uuid.NAMESPACE_URL, f"{book.home and book.home.site}#{book.name}"),
        title=escape(book.title),
        author=escape(book.author),
        words=escape(book.words),
        made=f"{book.made:%Y-%m-%dT%H:%M:%SZ}",
        manifest="\n".join(items),
        spine="".join(f'<itemref idref="{identified(name)}"/>' for name in spine),
    )


def identified(name):
    return re.sub(r"[^\w.-]", "-", name)
