"""Number what a page has several of: parts of one name, for screen readers, and questions.

In a notebook every quiz begins with its first question; a page counts all of its questions. A
chapter has its number without the full stop that those of its sections have.
"""

import re
from collections import Counter
from itertools import count

REGION = re.compile(r'(<section class="dtb-[^>]*aria-label=")([^"]*)(")')
# Not those of the questionnaire chapter, of which each answer leads to another.
QUIZ = re.compile(r'<section class="dtb-quiz (?!dtb-questionnaire).*?</section>', re.DOTALL)
QUESTION = re.compile(r'(<fieldset class="dtb-question"><legend>)\d+')
CHAPTER = re.compile(r'(<h1><span class="section-number">\d+)\.')


def regions(body):
    """Return a page's text in which no two sections of ours have one name.

    >>> regions('<section class="dtb-quiz" aria-label="Quiz">' * 2)
    '<section class="dtb-quiz" aria-label="Quiz"><section class="dtb-quiz" aria-label="Quiz 2">'
    """
    seen = Counter()

    def named(found):
        start, name, end = found.groups()
        seen[name] += 1
        return start + name + (f" {seen[name]}" if seen[name] > 1 else "") + end

    return REGION.sub(named, body)


def questions(body):
    """Return a page's text in which the questions of all quizzes run through."""
    number = count(1)

    def of_page(question):
        return f"{question[1]}{next(number)}"

    return QUIZ.sub(lambda quiz: QUESTION.sub(of_page, quiz[0]), body)


def chapter(body):
    """Return a page's text in which the chapter's number has no full stop.

    >>> chapter('<h1><span class="section-number">4. </span>Entropy</h1>')
    '<h1><span class="section-number">4 </span>Entropy</h1>'
    """
    return CHAPTER.sub(r"\1", body)


def in_pages(app, pagename, templatename, context, doctree):
    """Number a page when it is written."""
    if "body" in context:
        context["body"] = regions(questions(chapter(context["body"])))


def on_every_core(app, config):
    """Let Sphinx read pages side by side: the numbering of parts does not say that it may."""
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True


def setup(app):
    app.connect("config-inited", on_every_core)
    app.connect("html-page-context", in_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
