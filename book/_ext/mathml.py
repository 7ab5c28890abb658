"""Write formulas as MathML, which needs no script and no other host.

Browsers draw MathML themselves, so the formulas are there at once, without scripts, and a screen
reader can read them. docutils translates the TeX; what it does not know is a warning of the build,
which `make book` turns into an error that names the page.
"""

import re

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)

# Short forms that docutils lacks.
ALIASES = {
    r"\\([dt]?frac)\s*(\d)\s*(?=[\d\\a-zA-Z{])": r"\\\1{\2}",  # \frac12: one digit each
    r"(\\[dt]?frac\{\d\})(\d)": r"\1{\2}",
    r"\\dots(?![a-z])": r"\\ldots",
    r"\\lvert|\\rvert": "|",
}
# What docutils writes otherwise than TeX would draw it. A function stands a little apart from what
# is before and after it, also with a base: log₂ 1/p would be read as log 1/(2p). Bars about a
# letter stand close to it, even behind another letter.
THIN = '<mspace width="0.17em"/>'
LOGARITHM = r"(?:<msub>\s*)?<mi>(?:log|ln)</mi>"
REFINED = {
    "<mo>&ApplyFunction;</mo>": THIN,
    r"(<msub>\s*<mi>(?:log|ln)</mi>\s*(?:<mn>[^<]*</mn>|<mi>[^<]*</mi>)\s*</msub>)"
    r"(?=\s*<m(?:n|i|frac|sub|row|text)>)": rf"\1{THIN}",
    r'(</m(?:n|i|frac|sub|sup|row)>|<mo stretchy="false">[)|]</mo>)'
    rf"(?=\s*{LOGARITHM})": rf"\1{THIN}",
    r'<mo stretchy="false">\|</mo>': '<mo stretchy="false" lspace="0" rspace="0">|</mo>',
    "<mo>‖</mo>": '<mo stretchy="false">‖</mo>',
}
# A line would break between a formula and the comma behind it.
FORMULA = re.compile(r'(<span class="math[^"]*">(?:(?!</?span).)*</span>)([^\w\s<]+)', re.DOTALL)
QUIZ = re.compile(r'<section class="dtb-quiz.*?</section>', re.DOTALL)


def mathml(tex, block=False):
    r"""Translate TeX to MathML; a ValueError says what is not understood.

    >>> "<mfrac>" in mathml(r"\frac12")
    True
    """
    for short, full in ALIASES.items():
        tex = re.sub(short, full, tex)
    try:
        formula = latex2mathml.tex2mathml(tex.strip(), as_block=block)
    except SyntaxError as error:
        raise ValueError(f"cannot translate to MathML: {tex.strip()} ({error})") from None
    for drawn, ours in REFINED.items():
        formula = re.sub(drawn, ours, formula)
    return formula


def _translated(translator, node, block):
    try:
        return mathml(node.astext(), block)
    except ValueError as error:
        logger.warning(str(error), location=node, type="mathml")
        return translator.encode(node.astext())


def visit_inline(self, node):
    """Write a formula within a line."""
    formula = _translated(self, node, block=False)
    self.body.append(self.starttag(node, "span", "", CLASS="math") + formula + "</span>")
    raise nodes.SkipNode


def visit_block(self, node):
    """Write a formula on lines of its own, with its number if it has one."""
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})</span>')
    self.body.append(_translated(self, node, block=True) + "</div>\n")
    raise nodes.SkipNode


def in_quizzes(app, pagename, templatename, context, doctree):
    r"""Set the formulas of quizzes, \( \) in a text that is HTML; keep commas to formulas."""

    def formulas(quiz):
        return re.sub(r"\\\((.+?)\\\)", lambda found: mathml(found[1]), quiz[0])

    if "body" in context:
        body = QUIZ.sub(formulas, context["body"])
        context["body"] = FORMULA.sub(r'<span class="dtb-whole">\1\2</span>', body)


def setup(app):
    """Give Sphinx the translation."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.connect("html-page-context", in_quizzes)
