"""A tree as a test to take in the page: every answer opens the next question, until a result.

The browser does it all (``<details>``): no script, from the keyboard, for a screen reader.
"""

from dataclasses import dataclass
from html import escape

from dtreebook.tree.splits import Subset
from dtreebook.tree.text import branch_answers
from dtreebook.tree.tree import Fitted, Tree, tree_of
from dtreebook.tree.words import printable

__all__ = ["Questionnaire", "expected_questions"]


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
                " or ".join(printable(attribute.levels[code]) for code in group)
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
