"""The numbers of a page: its questions run through, and its chapter has no full stop."""

import sys

from browser import ROOT
from bs4 import BeautifulSoup

from dtreebook.pages.quiz import Fill, quiz

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import numbering


def test_questions_run_through_the_quizzes_of_a_page():
    asked = [quiz(*[Fill(f"Is 2. {i}?", "3", "Because.")] * i)._repr_html_() for i in (1, 2)]
    page = BeautifulSoup(numbering.questions("<h2>2. </h2>".join(asked)), "html.parser")
    assert [legend.text for legend in page.select("legend")] == [
        "1. Is 2. 1?",
        "2. Is 2. 2?",
        "3. Is 2. 2?",
    ]
    assert page.h2.text == "2. "


def test_every_page_counts_its_questions(site):
    for path in site.glob("*.html"):
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        legends = page.select(".dtb-quiz:not(.dtb-questionnaire) .dtb-question > legend")
        numbers = [legend.get_text().partition(". ")[0] for legend in legends]
        assert numbers == [str(k) for k in range(1, len(legends) + 1)], path.name
        if chapter := page.select_one("h1 > .section-number"):
            assert chapter.get_text(strip=True).isdigit(), path.name
