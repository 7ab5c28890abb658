"""A tree as a test in the page: it asks what the tree asks, ends where the tree ends."""

import pytest
from bs4 import BeautifulSoup

from dtreebook import ID3Classifier, datasets, measures
from dtreebook.pages.questionnaire import Questionnaire, expected_questions

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


def test_answers_of_one_question_close_each_other_and_no_others(tree):
    page = BeautifulSoup(Questionnaire("Travel", tree, ASKS, MEANS)._repr_html_(), "html.parser")
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


def test_the_test_can_be_taken_from_the_keyboard_without_scripts(visit):
    with visit("questionnaire", java_script_enabled=False) as page:
        test = page.get_by_role("region", name="What kind of traveller are you?")
        for number in range(1, 7):
            path = f"xpath=.//fieldset[legend[starts-with(., '{number}. ')]]/details/summary"
            answers = test.locator(f"{path} >> visible=true")
            if not answers.count():
                break
            answers.first.focus()
            page.keyboard.press("Enter")
        result = test.locator("p >> visible=true")
        assert result.count() == 1
        assert "That took" in result.inner_text()
