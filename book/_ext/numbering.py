"""Number the questions of a page through, and a chapter without the full stop of its sections.

In a notebook every quiz begins with its first question; several quizzes make one page.
"""

import re
from itertools import count

CHAPTER = re.compile(r'(<h1><span class="section-number">\d+)\.')
# Not those of the questionnaire chapter, of which each answer leads to another.
QUIZ = re.compile(r'<section class="dtb-quiz (?!dtb-questionnaire).*?</section>', re.DOTALL)
QUESTION = re.compile(r'(<fieldset class="dtb-question"><legend>)\d+')


def numbered(body):
    """Return a page's text with its numbers.

    >>> numbered('<h1><span class="section-number">4. </span>Entropy</h1>')
    '<h1><span class="section-number">4 </span>Entropy</h1>'
    """
    number = count(1)

    def of_page(question):
        return f"{question[1]}{next(number)}"

    body = CHAPTER.sub(r"\1", body)
    return QUIZ.sub(lambda quiz: QUESTION.sub(of_page, quiz[0]), body)


def in_pages(app, pagename, templatename, context, doctree):
    """Number a page when it is written."""
    if "body" in context:
        context["body"] = numbered(context["body"])


def setup(app):
    app.connect("html-page-context", in_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
