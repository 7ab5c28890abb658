"""Put right what only a whole page shows: numbers, names, the colours of the classes, roles.

In a notebook every quiz begins with its first question; a page counts all of its questions. Parts
of one name are told apart, for screen readers. A page has its number without the full stop that
those of its sections have.

The words *yes* and *no* in italics are classes, and have the colours of the pictures (as values of
an attribute they are code). The line under one is whole and that under the other broken, for
readers who see no difference of colour. A markup for it would stand as it is in JupyterLab.

docutils gives the entries of the reference list a role of digital publishing that has been
withdrawn, inside a list that then has no items for those who hear the page.
"""

import gc
import re
from collections import Counter
from html import escape
from itertools import count
from pathlib import Path

REGION = re.compile(r'(<section class="dtb-[^>]*aria-label=")([^"]*)(")')
# Not those of the questionnaire page, of which each answer leads to another.
QUIZ = re.compile(r'<section class="dtb-quiz (?!dtb-questionnaire).*?</section>', re.DOTALL)
QUESTION = re.compile(r'(<fieldset class="dtb-question"><legend>)\d+')
NUMBERED = re.compile(r'(<h1><span class="section-number">\d+)\.')
CLASS = re.compile("<em>(yes|no)</em>")
HERE = Path(__file__).parent
CONTENTS = {}  # beside pages of source code


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


def numbered(body):
    """Return a page's text in which the page's number has no full stop.

    >>> numbered('<h1><span class="section-number">4. </span>Entropy</h1>')
    '<h1><span class="section-number">4 </span>Entropy</h1>'
    """
    return NUMBERED.sub(r"\1", body)


def classes(body):
    """Return a page's text in which classes are marked.

    >>> classes("<em>yes</em>, <em>no</em> or <em>never</em>")
    '<em class="dtb-yes">yes</em>, <em class="dtb-no">no</em> or <em>never</em>'
    """
    return CLASS.sub(r'<em class="dtb-\1">\1</em>', body)


def in_pages(app, pagename, templatename, context, doctree):
    """Put a page right when it is written, and describe what has no text, such as the search."""
    if doctree is None:
        words = escape(f"{app.config.html_title}. Decision trees: ID3, C4.5, CART")
        description = f'<meta name="description" content="{words}" />'
        context["metatags"] = context.get("metatags", "") + description
    if "body" in context:
        body = classes(regions(questions(numbered(context["body"]))))
        context["body"] = body.replace('role="doc-biblioentry"', 'role="listitem"')


def be_quick(app, config):
    """Let Sphinx read pages side by side: our extensions may, and the numbering of parts.

    No rubbish is looked for: that took a quarter of the build, and 750 MB are enough without.
    """
    for name, extension in app.extensions.items():
        if name == "sphinx_multitoc_numbering" or Path(extension.module.__file__).parent == HERE:
            extension.parallel_read_safe = extension.parallel_write_safe = True
    gc.disable()


def contents_once(app, pagename, templatename, context, doctree):
    """Make the contents beside the 80 pages of source code once for each depth: 15 seconds."""
    if pagename.startswith("_modules/"):
        make, depth = context["toctree"], pagename.count("/")

        def toctree(**asked):
            wanted = depth, *asked.items()
            if wanted not in CONTENTS:
                CONTENTS[wanted] = make(**asked)
            return CONTENTS[wanted]

        context["toctree"] = toctree


def setup(app):
    app.connect("config-inited", be_quick)
    app.connect("html-page-context", contents_once, priority=100)  # before the theme
    app.connect("html-page-context", in_pages)
