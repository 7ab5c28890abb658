"""The built pages as still ones: to be read without scripts, in one volume, answers at the end.

Every id gets the name of its page in front, so that no two places of the volume have the same one.
A link within the book becomes `#place`; what an edition does not hold is a link to the published
page, or plain words while the book has no address.
"""

import copy
import re
from dataclasses import dataclass, replace
from pathlib import Path

from bs4 import BeautifulSoup

from tools.editions import hatches

NO_NAME = re.compile(r"[^\w.-]")
POINTS_TO = re.compile(r"url\(#([^)]+)\)")
# What is operated, folded away because it is not the subject, or set in the margin of a window.
UNWANTED = (
    "script, style, template, button, a.headerlink, .viewcode-link, details.hide, "
    ".dtb-take, .dtb-run, .dtb-beside, .dtb-check > summary, "
    ".dtb-explorable > .dtb-line"
)
NARROW = "\N{NO-BREAK SPACE}"
# Not those of the questionnaire page, of which no answer is right.
QUESTIONS = ".dtb-quiz:not(.dtb-questionnaire) fieldset.dtb-question"
LETTERS = '<ol class="letters"></ol>'
TO_ANSWER = '<p class="to-answer"><a href="#{}">{}</a></p>'
ANSWERS = "answers"
NO_ANSWERS = '<article class="bd-article"><h1>Answers</h1></article>'


@dataclass
class Page:
    """Hold a page of the volume: its name, its title, the part it stands in, and its article."""

    name: str
    title: str
    part: str
    article: object

    @property
    def number(self):
        found = re.match(r"(\d+)\. ", self.title)
        return found[1] if found else ""


def parsed(html):
    """Parse HTML; viewBox keeps its capital, which HTML does not need and XHTML does."""
    soup = BeautifulSoup(html, "html.parser")
    for drawing in soup.select("[viewbox]"):
        drawing["viewBox"] = drawing.attrs.pop("viewbox")
    return soup


def fragment(html):
    return parsed(html).find(True).extract()


def read(site):
    """List the pages of a built site in the order of its contents, the front page first."""
    front = parsed((site / "index.html").read_text("utf-8"))
    name = front.select_one("nav.bd-links .bd-sidenav__home-link").get_text(" ", strip=True)
    pages = [Page("index", name, "", front.select_one("article.bd-article"))]
    part = ""
    for entry in front.select("nav.bd-links :is(.caption-text, .bd-sidenav a.internal)"):
        path = entry.get("href", "")
        if entry.name == "span":
            part = entry.get_text(strip=True)
        elif path.endswith(".html"):
            page = parsed((site / path).read_text("utf-8"))
            article = page.select_one("article.bd-article")
            pages.append(Page(Path(path).stem, entry.get_text(" ", strip=True), part, article))
    return pages


def volume(pages, home):
    """Return the pages as still ones, and behind them one with the answers."""
    # The still pages are made on copies: slides are made from the same pages.
    pages = [replace(page, article=copy.copy(page.article)) for page in pages]
    names = {page.name for page in pages}
    answers = Page(ANSWERS, "Answers", "Appendix", fragment(NO_ANSWERS))
    for page in pages:
        for node in page.article.select(".solution details.hide"):
            node.replace_with(node.select_one(".cell_input"))
        drawings(page)
        told = explorables(page, home) + quizzes(page) + solutions(page)
        tidy(page.article)
        if told:
            title = fragment(f"<h2>{page.title}</h2>")
            section = fragment(f'<section id="{ANSWERS}-{page.name}"></section>')
            section.extend([title, *told])
            tidy(section)
            page.article.append(section)  # to be named and linked as the rest of the page
        name(page)
        link(page, names, home)
        if told:
            answers.article.append(section.extract())
    pages.append(answers)
    answers.article["id"] = ANSWERS
    lead_somewhere(pages)
    return pages


def drawings(page):
    """Give each drawing its own words, and ids with its number: many have the same names inside."""
    for number, drawing in enumerate(page.article.select("svg"), 1):
        if drawing.parent.get("role") == "img":  # of two elements, a PDF takes the words of none
            drawing["role"], drawing["aria-label"] = "img", drawing.parent["aria-label"]
            del drawing["aria-hidden"], drawing.parent["role"], drawing.parent["aria-label"]
        hatches.drawn(drawing)
        for node in drawing.find_all(True):
            for key, value in list(node.attrs.items()):
                if key == "id":
                    node[key] = f"d{number}-{value}"
                elif key in {"href", "xlink:href"} and value.startswith("#"):
                    node[key] = f"#{page.name}--d{number}-{value[1:]}"
                elif isinstance(value, str) and "url(#" in value:
                    node[key] = POINTS_TO.sub(rf"url(#{page.name}--d{number}-\1)", value)


def explorables(page, home):
    """Leave of what moves its first view, its title a link to where it moves; list answers."""
    told = []
    for test in page.article.select(".dtb-questionnaire"):
        test.clear()  # every way through it, each question within the answer to the one before
        test["class"] = ["dtb-explorable"]
        test.append(fragment(f'<p class="dtb-title">{test["aria-label"]}</p>'))
    for number, moving in enumerate(page.article.select(".dtb-explorable"), 1):
        place = f"guess-{number}"
        for details in moving.select("details"):
            asked = f"A guess: {moving.select_one('.dtb-title').get_text()}"
            told.append(answer(asked, place, details.find_all("p")))
            details.replace_with(fragment(TO_ANSWER.format(f"answer-{place}", "Answer")))
        moving.name = "div"
        moving["class"] = ["still"]
        moving["id"] = place
        if home:
            leads = fragment(f'<a href="{home.site}/{page.name}.html"></a>')
            moving.select_one(".dtb-title").string.wrap(leads)
    return told


def answer(words, place, told):
    """Return an answer, its words a link back to what it answers."""
    made = fragment(f'<div class="answer" id="answer-{place}"></div>')
    made.extend([fragment(f'<p class="asked"><a href="#{place}">{words}</a></p>'), *told])
    return made


def quizzes(page):
    """Print the choices of every question under letters; list which is right and why."""
    told = []
    for number, question in enumerate(page.article.select(QUESTIONS), 1):
        place, label = f"question-{number}", f"Question {number}"
        if field := question.select_one(".dtb-fill"):
            choices = field.find_parent("p").extract()
            choices.string = "Your answer: ______"
            replies = question.select_one(".dtb-answer").extract().p
        else:
            choices, replies = fragment(LETTERS), fragment(LETTERS)
            for details in question.select("details.dtb-choice"):
                choices.append(listed(details.summary))
                replies.append(listed(details.p))
                details.decompose()
        legend = question.legend
        legend.name = "p"
        first = legend.find(string=re.compile(r"^\d+\. "))
        first.replace_with(first.partition(". ")[2])
        legend.insert(0, fragment(f'<span class="label">{label}. </span>'))
        question.name, question["id"] = "div", place
        question.extend([choices, fragment(TO_ANSWER.format(f"answer-{place}", "Answer"))])
        told.append(answer(label, place, [replies]))
    return told


def listed(node):
    entry = fragment("<li></li>")
    entry.extend(list(node.contents))
    return entry


def solutions(page):
    """Take the solutions out of the page; each exercise leads to its own."""
    told = []
    for solution in page.article.select(".solution"):
        back = solution.select_one(".admonition-title a")
        exercise = page.article.find(id=back["href"].removeprefix("#")) if back else None
        if exercise is not None:
            exercise.append(fragment(TO_ANSWER.format(solution["id"], "Solution")))
        solution["class"] = ["answer"]
        told.append(solution.extract())
    return told


def tidy(article):
    """Take out what is operated; open what is folded: hints, and whatever else is a `details`."""
    for node in article.select(UNWANTED):
        node.decompose()
    of_today(article)
    for number in article.select(".section-number"):
        number.string = number.get_text(strip=True) + NARROW  # or a bookmark reads "4.Entropy"
    for folded in article.select(".dropdown"):
        folded["class"].remove("dropdown")
    for details in article.select("details"):
        details.name = "div"
        if details.summary:
            details.summary.name = "p"
        for setting in "open", "name":
            details.attrs.pop(setting, None)


def of_today(article):
    """Write what browsers still understand as today's HTML and MathML have it."""
    for node in article.select("[border], [valign], [halign]"):
        for of_old in "border", "valign", "halign":
            node.attrs.pop(of_old, None)
    for part in article.select("math :not(mstyle):is([displaystyle], [scriptlevel])"):
        style = fragment("<mstyle></mstyle>")  # where readers that are no browsers look for it
        for setting in "displaystyle", "scriptlevel":
            if setting in part.attrs:
                style[setting] = part.attrs.pop(setting)
        part.wrap(style)


def placed(page, place):
    return f"{page}--{NO_NAME.sub('_', place)}" if place else page


def name(page):
    """Put the name of the page before each of its ids; an id that comes twice stays once."""
    for node in page.article.select("[aria-labelledby]"):
        node["aria-labelledby"] = placed(page.name, node["aria-labelledby"])
    seen = set()
    for node in page.article.select("[id]"):
        if node["id"] in seen:
            del node["id"]
        else:
            seen.add(node["id"])
            node["id"] = placed(page.name, node["id"])
    page.article["id"] = page.name


def link(page, names, home):
    """Have every link of a page lead to a place of the volume or to an address."""
    for anchor in page.article.select("a[href]"):
        path, _, place = anchor["href"].partition("#")
        stem = path.removesuffix(".html")
        if re.match(r"[a-z]+:", path):
            continue
        if not path:
            anchor["href"] = "#" + placed(page.name, place)
        elif stem in names and path.endswith(".html") and "=" not in place:
            anchor["href"] = "#" + placed(stem, place)
        elif home:
            anchor["href"] = f"{home.site}/{anchor['href']}"
        elif anchor.parent.name == "p" and anchor.get_text() == anchor.parent.get_text():
            anchor.parent.decompose()  # such as "Open this table in the laboratory"
        else:
            anchor.unwrap()


def homes(pages):
    return {node["id"]: page.name for page in pages for node in page.article.select("[id]")} | {
        page.name: page.name for page in pages
    }


def lead_somewhere(pages):
    """Have links to places that are left out lead to the page they were on."""
    places = homes(pages)
    for page in pages:
        for anchor in page.article.select('a[href^="#"]'):
            if anchor["href"][1:] not in places:
                anchor["href"] = "#" + anchor["href"][1:].partition("--")[0]
