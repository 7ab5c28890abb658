"""A tree as a test in the page: it asks what the tree asks, ends where the tree ends."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from dtreebook import CARTClassifier, ID3Classifier, datasets, measures
from dtreebook.pages.quiz import Questionnaire, expected_questions

X, Y = datasets.make_travellers(300, random_state=1)
ASKS = {name: f"Do you like {name}?" for name in X}
MEANS = {kind: f"You are one <of> the {kind}s." for kind in Y.cat.categories}


@pytest.fixture(scope="module")
def tree():
    return ID3Classifier(max_depth=3).fit(X, Y).tree_


def test_every_path_of_the_page_is_a_path_of_the_tree(tree):
    page = BeautifulSoup(Questionnaire("Travel", tree, ASKS, MEANS)._repr_html_(), "html.parser")
    results = page.find_all("p")
    leaves = [visit for visit in tree.walk() if visit.node.is_leaf]
    assert len(results) == len(leaves) == tree.n_leaves
    for result, (path, node) in zip(results, leaves, strict=True):
        label = tree.classes[node.label]
        assert result.strong.get_text() == f"{label.capitalize()}."
        assert MEANS[label] in result.get_text()
        answers = [d.summary.get_text() for d in result.find_parents("details")][::-1]
        asked = [f.legend.get_text() for f in result.find_parents("fieldset")][::-1]
        conditions = [words.split(" = ") for words in tree.conditions(path)]
        assert answers == [value for _, value in conditions]
        assert asked == [
            f"{number}. {ASKS[name]}" for number, (name, _) in enumerate(conditions, 1)
        ]
    # Answers of one question close each other and no others.
    names = [[d["name"] for d in f.find_all("details", recursive=False)]
             for f in page.find_all("fieldset")]  # fmt: skip
    assert all(len(set(of_one)) == 1 for of_one in names)
    assert len({of_one[0] for of_one in names}) == len(names)


def test_missing_words_are_named(tree):
    with pytest.raises(KeyError, match="scout"):
        Questionnaire(
            "Travel", tree, ASKS, {"planner": "x", "host": "x", "drifter": "x"}
        )._repr_html_()


@pytest.mark.parametrize("depth", range(4))
def test_the_expected_number_of_questions_is_a_mean_over_people(depth):
    tree = ID3Classifier(max_depth=depth).fit(X, Y).tree_
    by_person = [len(v.path) * v.node.weight for v in tree.walk() if v.node.is_leaf]
    assert expected_questions(tree) == pytest.approx(sum(by_person) / len(X))
    ends = [v.node.weight for v in tree.walk() if v.node.is_leaf]
    assert measures.entropy(ends) <= expected_questions(tree) + 1e-9


def test_answers_and_counts_are_in_plain_words():
    X = pd.DataFrame({"k": ["x = 1", "b", "c", "c"], "m": ["u", "u", "v", "u"]})
    asks, means = {"k": "Which?", "m": "And?"}, {"no": "No.", "yes": "Yes."}
    tree = ID3Classifier().fit(X, ["no", "yes", "yes", "no"]).tree_
    page = Questionnaire("Words", tree, asks, means)._repr_html_()
    assert "<summary>x = 1</summary>" in page
    assert "One person in the table gave the same answers." in page
    grouped = CARTClassifier(max_depth=1).fit(X[["k"]], ["no", "yes", "yes", "yes"]).tree_
    page = Questionnaire("Words", grouped, asks, means)._repr_html_()
    assert "<summary>b or c</summary>" in page
    assert "Of the 3 people who gave the same answers, 3 are of this kind." in page
