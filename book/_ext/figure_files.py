"""Number the pictures, and let readers take them along: as an SVG file, the data as a table.

A notebook stores both, the drawing as HTML and its data as CSV: see `dtreebook.plot.sheet.Picture`.
Here they become files beside the pages, and every picture gets a line with two links. The drawing
stands alone in its file: dark on white, without what only browsers know.
"""

import re
from pathlib import Path

import nbformat

FOLDER = "figures"
INK, GROUND = "#22262e", '<rect width="100%" height="100%" fill="#ffffff"/>'
DRAWING = re.compile(r'aria-label="([^"]*)"><svg aria-hidden="true"(.*</svg>)', re.DOTALL)
STYLE = re.compile(r"max-width:100%;height:auto;font:(\w+) ([^;]+);")
IDS = re.compile("(dtb[0-9a-f]{8})-")  # of what a drawing defines: the same in the same drawing
OUTPUT = '<div class="output text_html">'
CAPTION, END = "<figcaption>", "</figcaption>"
NUMBER = '<span class="caption-number">Figure {}</span> '
LINKS = (
    '<p class="dtb-take"><a download href="{name}.svg">Figure as SVG</a> '
    '<a download href="{name}.csv">Data as CSV</a></p>'
)


def alone(html):
    """Return the drawing of a picture as the text of a file, with its words as the title."""
    words, drawing = DRAWING.search(html).groups()
    drawing = STYLE.sub(r"font-size:\1;font-family:\2;", drawing, count=1)
    drawing = drawing.replace("currentColor", INK)
    return "<svg" + drawing.replace(">", f"><title>{words}</title>{GROUND}", 1) + "\n"


def pictures(path):
    """List the pictures that the cells of a page give, as HTML and as CSV."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    data = [output.data for output in outputs if "data" in output]
    return [(found["text/html"], found["text/csv"]) for found in data if "text/csv" in found]


def number(env, page, place):
    """Return the number of the picture at a place of a page, from 1: "4.6" on page 4."""
    return ".".join(map(str, (*env.toc_secnumbers.get(page, {}).get("", ()), place)))


def offer(app, pagename, templatename, context, doctree):
    """Write the pictures of a page to files and give each its links."""
    path = Path(app.env.doc2path(pagename)) if doctree else Path()
    if path.suffix != ".ipynb" or app.builder.name != "html":
        return
    (Path(app.outdir) / FOLDER).mkdir(exist_ok=True)
    shown = [(html, csv) for html, csv in pictures(path) if OUTPUT + html in context["body"]]
    for place, (html, csv) in enumerate(shown, 1):
        name = f"{FOLDER}/{pagename}-{place}"
        label = NUMBER.format(number(app.env, pagename, place))
        (Path(app.outdir) / f"{name}.svg").write_text(alone(html), "utf-8")
        (Path(app.outdir) / f"{name}.csv").write_text(csv, "utf-8")
        linked = IDS.sub(rf"\1-{place}-", html).replace(CAPTION, CAPTION + label)
        linked = linked.replace(END, LINKS.format(name=name) + END)
        context["body"] = context["body"].replace(OUTPUT + html, OUTPUT + linked, 1)


def setup(app):
    app.connect("html-page-context", offer)
