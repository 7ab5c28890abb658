"""Quizzes: native elements, one right answer a question, every text escaped."""

import re
import xml.etree.ElementTree as ET

import pytest

from dtreebook.pages.quiz import Choice, Question, quiz


def questions():
    return (
        Question(
            "Is 1 < 2 & `x < y`?",
            [
                Choice(r"yes, \(1 < 2\)", "So it is.", right=True),
                Choice("<script>no</script>", "Count `again`."),
            ],
        ),
        Question("Which?", [Choice("this", "Why not that?"), Choice("that", "Good.", right=True)]),
    )


def test_questions_are_groups_of_native_disclosures():
    section = ET.fromstring(quiz(*questions())._repr_html_())  # well-formed, even as XML
    assert section.tag == "section"
    assert section.get("aria-label") == "Quiz"
    assert [child.tag for child in section] == ["fieldset", "fieldset"]
    for number, fieldset in enumerate(section, 1):
        legend, *choices = fieldset
        assert legend.tag == "legend"
        assert legend.text.startswith(f"{number}. ")
        assert [choice.tag for choice in choices] == ["details", "details"]
        verdicts = []
        for choice in choices:
            summary, feedback = choice
            assert (summary.tag, feedback.tag) == ("summary", "p")
            assert choice.get("open") is None
            verdicts.append(feedback.find("strong").text)
        assert sorted(verdicts) == ["Not quite.", "Right."]


def test_the_right_choice_is_called_right():
    html = quiz(*questions())._repr_html_()
    assert "<strong>Right.</strong> So it is." in html
    assert "<strong>Right.</strong> Good." in html


def test_choices_of_one_question_close_each_other_and_no_others():
    section = ET.fromstring(quiz(*questions())._repr_html_())
    names = [{choice.get("name") for choice in fieldset.iter("details")} for fieldset in section]
    assert [len(name) for name in names] == [1, 1]
    assert names[0] != names[1]


def test_there_is_no_script_and_every_text_is_escaped():
    html = quiz(*questions())._repr_html_()
    assert not re.search(r"<script|\son\w+=|javascript:", html)
    section = ET.fromstring(html)
    assert "".join(section[0][0].itertext()) == "1. Is 1 < 2 & x < y?"
    assert section[0][0].find("code").text == "x < y"
    assert section[0][1][0].text == r"yes, \(1 < 2\)"  # left to MathJax
    assert section[0][2][0].text == "<script>no</script>"
    assert "mathjax_process" in section.get("class")


def test_the_html_is_the_same_each_time():
    assert quiz(*questions())._repr_html_() == quiz(*questions())._repr_html_()


def test_plain_text_gives_nothing_away():
    assert repr(quiz(*questions())) == (
        "1. Is 1 < 2 & `x < y`?\n"
        "   - yes, \\(1 < 2\\)\n"
        "   - <script>no</script>\n"
        "2. Which?\n"
        "   - this\n"
        "   - that"
    )


@pytest.mark.parametrize("rights", [[], [0, 1]])
def test_exactly_one_choice_is_right(rights):
    choices = [Choice(f"choice {i}", "Because.", right=i in rights) for i in range(3)]
    with pytest.raises(
        ValueError, match=f"question 'Q' needs one right choice, but .* {len(rights)}"
    ):
        Question("Q", choices)


def test_one_choice_is_no_question():
    with pytest.raises(ValueError, match="question 'Q' needs two choices or more"):
        Question("Q", [Choice("a", "Because.", right=True)])


def test_every_choice_says_why():
    with pytest.raises(ValueError, match="choice 'a' has no feedback"):
        Choice("a", " ")


def test_a_lonely_backtick_is_an_error():
    question = Question("Is `x?", [Choice("a", "b", right=True), Choice("c", "d")])
    with pytest.raises(ValueError, match="a backtick has no partner in 'Is `x"):
        quiz(question)._repr_html_()


def test_a_quiz_asks_something():
    with pytest.raises(ValueError, match="at least one question"):
        quiz()
