"""Questions that answer in the page: to choose, to fill in, to put in order.

The browser does it all, without a script, from the keyboard and for a screen reader: a choice is a
``<details>`` that unfolds and says why it is right or not; what is written is held against a
``pattern``, and the answer is folded below it. A `Questionnaire` is a tree to be asked by: every
answer opens the next question, until a result.

Questions are written beside the pages, in ``book/questions``: a page's file holds them by name,
and `questions_of` reads them.

.. code-block:: yaml

    coins:
    - ask: How many bits has a fair coin?
      choices:
      - right: one
        because: One question settles it.
      - wrong: two
        because: That would be {two_coins} coins.
    - ask: And how many have three?
      answer: "3"
      because: One each.
    - ask: Put them in order, the most certain first.
      order: [a coin with two heads, a bent coin, a fair coin]
      because: They have 0, some, and 1 bit.
"""

import hashlib
import re
import string
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from importlib import resources
from pathlib import Path
from string import ascii_uppercase

import yaml

from dtreebook.data.words import value_in_words
from dtreebook.tree.splits import Subset
from dtreebook.tree.text import branch_answers
from dtreebook.tree.tree import Fitted, Tree, tree_of
from twentyquestions.live import QUIZ, quiz_styles

NUMBER = re.compile(r"\d+(\.\d+)?")
EMPHASIS = re.compile(r"(?<!\w)\*(\w(?:[^*]*\w)?)\*(?!\w)")


@dataclass(frozen=True)
class Choice:
    """Hold one answer to choose, what to say to a reader who chooses it, and whether it is right.

    In both texts `backticks` set code, *asterisks* emphasis, LaTeX's inline brackets mathematics.
    """

    text: str
    feedback: str
    right: bool = False

    def __post_init__(self):
        if not self.feedback.strip():
            raise ValueError(f"choice {self.text!r} has no feedback: say why it is right or wrong")


@dataclass(frozen=True)
class Question:
    """Hold a question and its choices, of which exactly one is right; else raise ValueError."""

    text: str
    choices: tuple

    def __post_init__(self):
        object.__setattr__(self, "choices", tuple(self.choices))
        if len(self.choices) < 2:
            raise ValueError(f"question {self.text!r} needs two choices or more")
        right = sum(choice.right for choice in self.choices)
        if right != 1:
            raise ValueError(f"question {self.text!r} needs one right choice, but it has {right}")

    def __str__(self):
        return "\n   - ".join([self.text, *(choice.text for choice in self.choices)])

    def to_html(self) -> str:
        """Return the HTML below the question."""
        # Details of one name close each other; the name is this question's own.
        name = "dtb" + hashlib.sha256(repr(self).encode()).hexdigest()[:8]
        return "".join(
            f'<details class="dtb-choice" name="{name}"><summary>{_html(choice.text)}</summary>'
            f"<p><strong>{'Right.' if choice.right else 'No.'}</strong> "
            f"{_html(choice.feedback)}</p></details>"
            for choice in self.choices
        )


@dataclass(frozen=True)
class Fill:
    """Hold a question whose answer, a number or a word, the reader writes; and why it is so.

    A number may be written with a comma, without the zero before it or those after it, as a
    fraction, in per cent and with its bits: 0.75, ,75, 3/4, 6/8, 75 %, 0.75 bits. In a word, large
    and small letters are the same.
    """

    text: str
    answer: str
    feedback: str

    def __post_init__(self):
        if not (NUMBER.fullmatch(self.answer) or self.answer.isalpha()):
            raise ValueError(f"answer {self.answer!r} is neither a number nor a word")

    def __str__(self):
        return self.text

    def to_html(self) -> str:
        """Return the HTML below the question."""
        return _field(self.answer, _pattern(self.answer), self.feedback)


@dataclass(frozen=True)
class Order:
    """Hold lines in the right order, which the reader is given in another; and why it is so."""

    text: str
    lines: tuple
    feedback: str

    def __post_init__(self):
        object.__setattr__(self, "lines", tuple(self.lines))
        if len(set(self.lines)) < len(self.lines) or not 3 <= len(self.lines) <= 8:
            raise ValueError(f"question {self.text!r} needs three to eight lines, all different")

    def __str__(self):
        lettered = zip(ascii_uppercase, self._shuffled(), strict=False)
        return "\n   ".join([self.text, *(f"{letter}. {line}" for letter, line in lettered)])

    def to_html(self) -> str:
        """Return the HTML below the question."""
        shuffled = self._shuffled()
        lines = "".join(f"<li>{_html(line)}</li>" for line in shuffled)
        answer = "".join(ascii_uppercase[shuffled.index(line)] for line in self.lines)
        pattern = r"[\s,]*".join(map(_pattern, answer))
        return f'<ol type="A">{lines}</ol>' + _field(answer, pattern, self.feedback)

    def _shuffled(self):
        """Return the lines in an order that is the same each time, and not the right one."""
        shuffled = sorted(self.lines, key=lambda line: hashlib.sha256(line.encode()).digest())
        return shuffled if tuple(shuffled) != self.lines else shuffled[::-1]


@dataclass(frozen=True, repr=False)
class Quiz:
    """Hold the questions; a notebook shows them by itself, and as plain text without answers."""

    questions: tuple

    def _repr_html_(self):
        questions = "".join(
            f'<fieldset class="dtb-question"><legend>{number}. {_html(question.text)}</legend>'
            f"{question.to_html()}</fieldset>"
            for number, question in enumerate(self.questions, 1)
        )
        return f"{QUIZ}{quiz_styles()}{questions}</section>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": "A quiz", "text/html": self._repr_html_()}

    def __repr__(self):
        return "\n".join(f"{number}. {asked}" for number, asked in enumerate(self.questions, 1))


def quiz(*questions: tuple) -> Quiz:
    """Return a quiz of one `Question`, `Fill` or `Order` or more, which a notebook shows.

    Examples
    --------
    >>> right = Choice("one", "One question settles it: `log2(2)` is 1.", right=True)
    >>> wrong = Choice("two", "That would be two coins.")
    >>> quiz(Question("How many bits has a fair coin?", [right, wrong]))
    1. How many bits has a fair coin?
       - one
       - two
    """
    if not questions:
        raise ValueError("a quiz needs at least one question")
    return Quiz(questions)


def questions_of(page: str, name: str, namespace: dict) -> tuple:
    """Return the questions of that name in the file of a page, ``questions/<page>.yml``.

    In a text ``{gain:.3f}`` is computed in the namespace, ``globals()`` of the notebook.
    """
    name_of_file = f"{page}.yml"
    beside = Path("questions", name_of_file)  # in a page of the book, they come with the package
    file = beside if beside.exists() else resources.files(__package__) / "questions" / name_of_file
    written = yaml.safe_load(file.read_text("utf-8"))
    if name not in written:
        raise KeyError(f"{file} has no questions {name!r}, but {', '.join(written)}")
    return tuple(_question(entry, namespace) for entry in written[name])


class _Computed(string.Formatter):
    """Format texts whose fields are expressions."""

    def get_field(self, expression, args, namespace):
        """Compute an expression."""
        return eval(expression, namespace), None


def _question(entry, namespace):
    """Make a question of an entry: choices, lines to put in order, or an answer to fill in."""

    def text(written):
        return _Computed().vformat(written, (), namespace)

    if "choices" in entry:
        choices = [
            Choice(
                text(choice["right" if "right" in choice else "wrong"]),
                text(choice["because"]),
                "right" in choice,
            )
            for choice in entry["choices"]
        ]
        return Question(text(entry["ask"]), choices)
    if "order" in entry:
        return Order(text(entry["ask"]), map(text, entry["order"]), text(entry["because"]))
    return Fill(text(entry["ask"]), text(entry["answer"]), text(entry["because"]))


def _pattern(answer):
    """Return the pattern of what may be written for a word or a number."""
    if answer.isalpha():
        return "".join(f"[{letter.lower()}{letter.upper()}]" for letter in answer)
    value = Fraction(answer)
    ways = [_decimal(answer)]
    if 0 < value < 1 and value.denominator < 100:
        ways += [rf"{k * value.numerator}\s*/\s*{k * value.denominator}" for k in range(1, 101)]
        hundred = Decimal(answer) * 100
        ways.append(rf"{_decimal(f'{hundred.normalize():f}')}\s*%")
    return rf"({'|'.join(ways)})(\s*bits?)?"


def _decimal(number):
    """Return the pattern of a decimal number, with zeros or without."""
    whole, _, decimals = number.partition(".")
    decimals = decimals.rstrip("0")
    after = f"[.,]{decimals}0*" if decimals else "([.,]0*)?"
    return f"0*{whole.lstrip('0')}{after}" if whole.strip("0") or decimals else f"0+{after}"


def _field(answer, pattern, feedback):
    """Return a field that knows the right answer, and the answer folded below it."""
    return (
        '<p><label>Your answer: <input class="dtb-fill" size="12" autocomplete="off" '
        rf'spellcheck="false" placeholder=" " required="" pattern="\s*{pattern}\s*"/>'
        '<span class="dtb-told"></span></label></p>'
        '<details class="dtb-choice dtb-answer"><summary>Show the answer</summary>'
        f"<p><strong>{escape(answer)}.</strong> {_html(feedback)}</p></details>"
    )


def _html(text):
    """Escape a text and mark it up; every second piece between backticks is code."""
    pieces = escape(text).split("`")
    if len(pieces) % 2 == 0:
        raise ValueError(f"a backtick has no partner in {text!r}")
    return "".join(
        f"<code>{piece}</code>" if i % 2 else EMPHASIS.sub(r"<em>\1</em>", piece)
        for i, piece in enumerate(pieces)
    )


# --- a tree as questions --------------------------------------------------------------------------


def expected_questions(tree: Tree | Fitted) -> float:
    """Return how many questions a case of the training table is asked on average.

    ``sum over the leaves of weight * depth / total weight``: the mean length of a path.

    Examples
    --------
    Nine of the fifteen loan applicants own no house and are asked a second question:

    >>> from dtreebook import ID3Classifier, datasets
    >>> expected_questions(ID3Classifier().fit(*datasets.load_loan(return_X_y=True)).tree_)
    1.6
    """
    tree = tree_of(tree)
    asked = sum(v.node.weight * len(v.path) for v in tree.walk() if v.node.is_leaf)
    return asked / tree.root.weight


@dataclass(frozen=True, repr=False)
class Questionnaire:
    """Hold a tree and its words; a notebook shows the test by itself.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> tree = ID3Classifier().fit(*datasets.load_loan(return_X_y=True)).tree_
    >>> asks = {"house": "Do you own a house?", "work": "Do you work?"}
    >>> Questionnaire("A loan", tree, asks, {"yes": "You get it.", "no": "You do not."})
    A loan: 1 to 2 questions
    """

    title: str  #: what the test is about
    tree: Tree  #: a `dtreebook.tree.tree.Tree`, all of whose tests ask about nominal values
    #: mapping from the name of each attribute that the tree asks about to the question.
    questions: dict
    results: dict  #: mapping from each class to what it means. A KeyError names what is missing

    def __repr__(self):
        depths = [len(visit.path) for visit in self.tree.walk() if visit.node.is_leaf]
        return f"{self.title}: {min(depths)} to {max(depths)} questions"

    def _repr_html_(self):
        html = {}  # of each node, its children first
        for visit in reversed(list(self.tree.walk())):
            path, node = visit.path, visit.node
            if node.is_leaf:
                html[path] = self._result(path, node)
                continue
            question = self.questions[self.tree.attributes[node.split.column].name]
            name = "dtb-ask-" + "-".join(map(str, path))
            answers = "".join(
                f'<details class="dtb-choice" name="{name}"><summary>{escape(words)}</summary>'
                f"{html.pop((*path, branch))}</details>"
                for branch, words in enumerate(self._answers(node))
            )
            number = len(path) + 1
            html[path] = (
                f'<fieldset class="dtb-question"><legend>{number}. {escape(question)}</legend>'
                f"{answers}</fieldset>"
            )
        kind = "dtb-quiz dtb-questionnaire"
        return f'<section class="{kind}" aria-label="{escape(self.title)}">{html[()]}</section>'

    def _answers(self, node):
        attribute = self.tree.attributes[node.split.column]
        if isinstance(node.split, Subset):
            return [
                " or ".join(value_in_words(attribute.levels[code]) for code in group)
                for group in node.split.groups
            ]
        return branch_answers(self.tree, node)

    def _result(self, path, node):
        label = self.tree.classes[node.label]
        weight, right = round(node.weight), round(node.weight - node.errors)
        are = "is" if right == 1 else "are"
        same = f"Of the {weight} people who gave the same answers, {right} {are} of this kind."
        if weight == 0:
            same = "Nobody in the table gave these answers; this is the most frequent kind above."
        elif weight == 1:
            same = "One person in the table gave the same answers."
        return (
            f"<p><strong>{escape(str(label)).capitalize()}.</strong> {escape(self.results[label])} "
            f"{same} "
            f"That took {len(path)} question{'s' * (len(path) != 1)}.</p>"
        )
