"""The page that a student gets back, as a template of nbconvert (`templates/feedback/`).

It begins with the points and the reason for each loss; the notebook follows. Markdown becomes HTML
without any HTML of the student's, formulas become MathML, and bleach lets nothing through but what
is listed here. Links to the book lead to its published page where its address is known.
"""

import base64
import html
import json
import re
from pathlib import Path

import bleach
from docutils.utils.math import latex2mathml
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from tools import address

HERE = Path(__file__).resolve().parent
FACES = {"Literata": "literata", "Bricolage Grotesque": "bricolage-grotesque"}
FILES = {name: HERE.parents[1] / f"book/_static/fonts/{file}.woff2" for name, file in FACES.items()}
FONTS = {name: base64.b64encode(file.read_bytes()).decode() for name, file in FILES.items()}
TAGS = "p br hr em strong code pre blockquote h1 h2 h3 h4 ol ul li table thead tbody tr th td a div"
ATTRIBUTES = {"a": ["href"], "ol": ["start"], "th": ["align"], "td": ["align"]}
BOOK = re.compile(r"(?:\.\./)+book/(\w+)\.ipynb(#[\w-]+)?")
HEADING = re.compile(r"(?m)^## (.+?)(?: \([\d.]+ points?\))?\s*$")


def formula(tex, options):
    try:
        return latex2mathml.tex2mathml(tex.strip(), as_block=options["display_mode"])
    except (SyntaxError, ValueError, IndexError, KeyError, AttributeError):
        return f"<code>{html.escape(tex)}</code>"


def rendered(text):
    r"""Return Markdown as HTML that is safe, whoever wrote it.

    >>> rendered("<script>alert(1)</script> **a**")
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; <strong>a</strong></p>\n'
    """
    formulas = {}

    def kept(tex, options):
        mark = f"\ue000{len(formulas)}\ue001"  # bleach knows no MathML
        formulas[mark] = formula(tex, options)
        return mark

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    made = markdown.use(dollarmath_plugin, renderer=kept, double_inline=True).render(text)
    safe = bleach.clean(made, tags=set(TAGS.split()), attributes=ATTRIBUTES, strip=True)
    safe = bleach.linkify(safe, callbacks=[published], parse_email=False)
    return re.sub("\ue000\\d+\ue001", lambda found: formulas.get(found[0], ""), safe)


def published(attributes, new=False):
    """Point a link to the book's published page; a link to nowhere becomes its words."""
    href = attributes.get((None, "href"), "")
    if new or href.startswith(("https://", "http://", "#")):
        return None if new else attributes
    page, place = BOOK.fullmatch(href), address.here()
    if not page or not place:
        return None
    return attributes | {(None, "href"): f"{place.site}/{page[1]}.html{page[2] or ''}"}


class Points(NbGraderPreprocessor):
    """Gather what the page begins with: points by question, and the reason for each loss."""

    course = Unicode(help="The folder of the course.").tag(config=True)

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        course, student, assignment = Path(self.course), where["student"], where["assignment"]
        record = course / "submitted" / student / assignment / "record.json"
        judged = json.loads(record.read_text(encoding="utf-8"))
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
            parts = book.find_submission(assignment, student).notebooks
            unmarked = {g.name for part in parts for g in part.grades if g.needs_manual_grade}
        questions, title, heading = [], assignment, ""
        for cell in nb.cells:
            about = cell.metadata.get("nbgrader", {})
            if cell.cell_type == "markdown" and about.get("locked", not about):
                if not questions and (top := re.match(r"# (.+)", cell.source)):
                    title = top[1]
                heading = (HEADING.findall(cell.source) or [heading])[-1]
            if about.get("grade"):
                name = about["grade_id"].removesuffix("-test")
                more = question(name, about, name in unmarked, judged["results"].get(name, ()))
                more["case"] = judged.get("cases", {}).get(name)
                questions.append(more | {"title": heading or name})
        graded = [one for one in questions if not one["unmarked"]]
        resources["feedback"] = {
            "title": title,
            "student": student,
            "questions": questions,
            "lost": [one for one in questions if one["lost"]],
            "complete": sum(one["score"] >= one["most"] for one in graded),
            "graded": len(graded),
            "score": sum(one["score"] for one in graded),
            "most": sum(one["most"] for one in graded),
            "by_hand": sum(one["most"] for one in questions if one["unmarked"]),
            "fonts": FONTS,
        }
        return nb, resources


def question(name, about, unmarked, results):
    """Return what the page shows of a question: its boxes, and what was lost for which reason."""
    score, most = float(about.get("score") or 0), float(about.get("points") or 0)
    boxes = ["open" if unmarked else "kept" if k < round(score) else "" for k in range(round(most))]
    lost = {}  # what a reason cost, and the tests that gave it
    for test, points, of, why in results:
        if why:
            cost, tests = lost.get(why, (0, []))
            lost[why] = cost + of - points, [*tests, test]
    lost = [(cost, tests, *why.rpartition("\n")[::2]) for why, (cost, tests) in lost.items()]
    more = {"boxes": boxes, "unmarked": unmarked, "lost": lost}
    return {"name": name, "score": score, "most": most} | more
