"""Questions that answer in the page: each choice unfolds and says why it is right or not.

The browser does it all (``<details>``): no script, from the keyboard, for a screen reader.
"""

import hashlib
import re
from dataclasses import dataclass
from html import escape

EMPHASIS = re.compile(r"(?<!\w)\*(\w(?:[^*]*\w)?)\*(?!\w)")


@dataclass(frozen=True)
class Choice:
    """Hold one answer to choose, what to say to a reader who chooses it, and whether it is right.

    In both texts `backticks` set code, *asterisks* emphasis, and \\( \\) sets mathematics.
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


@dataclass(frozen=True, repr=False)
class Quiz:
    """Hold the questions; a notebook shows them by itself, and as plain text without answers."""

    questions: tuple

    def _repr_html_(self):
        questions = "".join(
            _question(number, question) for number, question in enumerate(self.questions, 1)
        )
        # The classes ask JupyterLab to set the mathematics inside; the book does by itself.
        kind = "dtb-quiz tex2jax_process mathjax_process"
        return f'<section class="{kind}" aria-label="Quiz">{questions}</section>'

    def __repr__(self):
        return "\n".join(
            "\n   - ".join([f"{number}. {question.text}", *(c.text for c in question.choices)])
            for number, question in enumerate(self.questions, 1)
        )


def quiz(*questions: tuple) -> Quiz:
    """Return a quiz that a notebook shows.

    Parameters
    ----------
    questions : one `Question` or more, otherwise a ValueError is raised.

    Examples
    --------
    >>> quiz(
    ...     Question(
    ...         "How many bits has a fair coin?",
    ...         [
    ...             Choice("one", "One question settles it: `log2(2)` is 1.", right=True),
    ...             Choice("two", "That would be two coins."),
    ...         ],
    ...     )
    ... )
    1. How many bits has a fair coin?
       - one
       - two
    """
    if not questions:
        raise ValueError("a quiz needs at least one question")
    return Quiz(questions)


def _question(number, question):
    # Details of one name close each other; the name is this question's own.
    name = "dtb" + hashlib.sha256(repr(question).encode()).hexdigest()[:8]
    choices = "".join(
        f'<details class="dtb-choice" name="{name}"><summary>{_html(choice.text)}</summary>'
        f"<p><strong>{'Right.' if choice.right else 'Not quite.'}</strong> "
        f"{_html(choice.feedback)}</p></details>"
        for choice in question.choices
    )
    legend = f"<legend>{number}. {_html(question.text)}</legend>"
    return f'<fieldset class="dtb-question">{legend}{choices}</fieldset>'


def _html(text):
    """Escape a text and mark it up; every second piece between backticks is code."""
    pieces = escape(text).split("`")
    if len(pieces) % 2 == 0:
        raise ValueError(f"a backtick has no partner in {text!r}")
    return "".join(
        f"<code>{piece}</code>" if i % 2 else EMPHASIS.sub(r"<em>\1</em>", piece)
        for i, piece in enumerate(pieces)
    )
