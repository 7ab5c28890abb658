"""Quizzes: native elements, one right answer a question, every text escaped; trees that ask."""

import re
import xml.etree.ElementTree as ET
from functools import cache

import nbformat
import numpy as np
import pandas as pd
import pytest
import yaml
from browser import ROOT
from bs4 import BeautifulSoup

from dtreebook import CARTClassifier, ID3Classifier, datasets, measures
from twentyquestions.live import asleep, awake
from twentyquestions.quiz import Choice, Fill, Order, Question, Questionnaire, quiz
from twentyquestions.quiz import expected_questions as expected
from twentyquestions.quiz import questions_of as of_file

BOOK = ROOT / "book"


def questions():
    yes = Choice(r"yes, \(1 < 2\)", "So it is.", right=True)
    one = Question("Is 1 < 2 & `x < y`?", [yes, Choice("<script>no</script>", "Count `again`.")])
    two = [Choice("this", "Why not that?"), Choice("that", "Good.", right=True)]
    return one, Question("Which?", two)


def test_questions_are_groups_of_native_disclosures():
    html = quiz(*questions())._repr_html_()
    assert html == quiz(*questions())._repr_html_()
    styles, *fieldsets = section = ET.fromstring(html)  # well-formed, even as XML
    assert asleep(html) == re.sub("<style.*?</style>", "", html)
    assert awake(asleep(html)) == html
    assert styles.tag == "style"
    assert (section.tag, section.get("aria-label")) == ("section", "Quiz")
    names = []
    for number, fieldset in enumerate(fieldsets, 1):
        legend, *choices = fieldset
        assert (fieldset.tag, legend.tag) == ("fieldset", "legend")
        assert legend.text.startswith(f"{number}. ")
        for choice in choices:
            assert [choice.tag, *(part.tag for part in choice)] == ["details", "summary", "p"]
            assert choice.get("open") is None
        told = [choice.find("p/strong").text for choice in choices]
        assert told == (["Right.", "No."] if number == 1 else ["No.", "Right."])
        names.append({choice.get("name") for choice in choices})
    # Choices of one question close each other and no others.
    assert [len(name) for name in names] == [1, 1]
    assert names[0] != names[1]
    assert "<strong>Right.</strong> So it is." in html


def test_there_is_no_script_and_every_text_is_escaped():
    html = quiz(*questions())._repr_html_()
    assert not re.search(r"<script|\son\w+=|javascript:", html)
    section = ET.fromstring(asleep(html))
    assert "".join(section[0][0].itertext()) == "1. Is 1 < 2 & x < y?"
    assert section[0][0].find("code").text == "x < y"
    assert section[0][1][0].text == r"yes, \(1 < 2\)"  # left to MathJax
    assert section[0][2][0].text == "<script>no</script>"
    assert "mathjax_process" in section.get("class")


def test_words_between_asterisks_are_emphasised_and_products_are_not():
    choices = [
        Choice("*Don't Play*", "`a*b*c`", right=True),
        Choice("2*3*4 or 2 * 3", "All *yes*, *no*."),
    ]
    shown = quiz(Question("Which is *rare*?", choices))._repr_html_()
    for part in ("Which is <em>rare</em>?", "<em>Don&#x27;t Play</em>", "<code>a*b*c</code>",
                 "2*3*4 or 2 * 3", "All <em>yes</em>, <em>no</em>."):  # fmt: skip
        assert part in shown


def test_plain_text_gives_nothing_away():
    assert repr(quiz(*questions())) == (
        "1. Is 1 < 2 & `x < y`?\n   - yes, \\(1 < 2\\)\n   - <script>no</script>\n"
        "2. Which?\n   - this\n   - that"
    )
    fill, order = Fill("How many?", "7", "Seven."), Order("Sort.", ["a", "b", "c"], "So.")
    lettered = [line.split(". ")[1] for line in str(order).splitlines()[1:]]
    assert str(fill) == "How many?"
    assert sorted(lettered) == ["a", "b", "c"] != lettered


def choices(*rights):
    return [Choice(f"choice {i}", "Because.", right=i in rights) for i in range(3)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Question("Q", choices()), "question 'Q' needs one right choice, but .* 0"),
        (lambda: Question("Q", choices(0, 1)), "question 'Q' needs one right choice, but .* 2"),
        (lambda: Question("Q", choices(0)[:1]), "question 'Q' needs two choices or more"),
        (lambda: Choice("a", " "), "choice 'a' has no feedback"),
        (lambda: quiz(Question("Is `x?", choices(0)))._repr_html_(), "backtick has no partner in"),
        (lambda: quiz(), "at least one question"),
        *(
            (lambda answer=answer: Fill("How much?", answer, "So."), "neither a number nor a word")
            for answer in ("", "-1", "1/2", "two words", "1.")
        ),
        *(
            (lambda lines=lines: Order("Sort.", lines, "So."), "three to eight lines, all diff")
            for lines in ("ab", "aba", "abcdefghi")
        ),
    ],
)
def test_what_is_no_question_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def accepts(question, written):
    field = ET.fromstring(quiz(question)._repr_html_()).find(".//input")
    return re.fullmatch(field.get("pattern"), written) is not None


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        (
            "0.375",
            ["0.375", ".375", "0,375", " 0.3750 ", "3/8", "15 / 40", "37.5 %"],
            ["0.37", "375", "0x375", "3.75", "", "3/7", "38 %", "0.375 %", "8/3"],
        ),
        ("0.75", ["3/4", "75%", "75 %", "30/40", "0.75 bits"], ["3/5", "7.5 %", "bits", "4/3"]),
        ("1", ["1", "1 bit", "1.0 bits"], ["1 byte", "0", "1/2"]),
        ("2", ["2", "2.0", "2,", "02"], ["20", "0.2", "2.5", "two"]),
        ("10", ["10", "10.0"], ["1", "100", "010.5", "1 0"]),
        ("0", ["0", "0.0", "00"], ["", ".", "10"]),
        ("1.50", ["1.5", "1,50"], ["15", "1.05"]),
        ("yes", ["yes", "Yes", " YES "], ["yess", "y", "no"]),
    ],
)
def test_what_is_written_is_right_however_it_is_written(answer, right, wrong):
    question = Fill("How much?", answer, "So much.")
    assert all(accepts(question, written) for written in right)
    assert not any(accepts(question, written) for written in wrong)


def test_lines_come_in_another_order_and_the_letters_lead_back():
    lines = ["first `x < y`", "second", "third", "fourth"]
    question = Order("Which comes when?", lines, "Because.")
    section = ET.fromstring(quiz(question)._repr_html_())
    shown = ["".join(line.itertext()) for line in section.iter("li")]
    bare = [line.replace("`", "") for line in lines]
    assert sorted(shown) == sorted(bare) != shown != bare
    letters = section.find(".//strong").text.rstrip(".")
    assert [shown["ABCD".index(letter)] for letter in letters] == bare
    assert accepts(question, letters)
    assert accepts(question, ", ".join(letters.lower()))
    assert not accepts(question, "ABCD")
    assert not accepts(question, letters[:-1])


def test_questions_come_from_files_and_their_numbers_are_computed(tmp_path, monkeypatch):
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "page.yml").write_text(
        "coins:\n- ask: 'H is {bits[0]:.2f}, {{so}}?'\n  choices:\n"
        "  - {right: 'yes', because: 'It is {bits[0] + 1}.'}\n  - {wrong: 'no', because: Not so.}\n"
        "- {ask: Sort., order: [a, b, '{len(bits)}'], because: So.}\n"
        "- {ask: 'How many?', answer: '{len(bits)}', because: Count.}\n"
    )
    monkeypatch.chdir(tmp_path)
    right, wrong = Choice("yes", "It is 1.5.", right=True), Choice("no", "Not so.")
    order, fill = Order("Sort.", ["a", "b", "1"], "So."), Fill("How many?", "1", "Count.")
    wanted = (Question("H is 0.50, {so}?", [right, wrong]), order, fill)
    assert of_file("page", "coins", {"bits": [0.5]}) == wanted
    with pytest.raises(KeyError, match="has no questions 'dice', but coins"):
        of_file("page", "dice", {})
    with pytest.raises(FileNotFoundError):
        of_file("elsewhere", "coins", {})


def test_every_quiz_of_a_file_is_asked_once_by_its_page():
    for path in sorted(BOOK.glob("questions/*.yml")):
        cells = nbformat.read(BOOK / f"{path.stem}.ipynb", as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        call = rf'^quiz\(\*questions_of\("{path.stem}", "([\w-]+)", globals\(\)\)\)$'
        asked = re.findall(call, text, re.MULTILINE)
        assert asked == list(yaml.safe_load(path.read_text("utf-8"))), path.name


@cache
def asked():
    """List the questions of all pages: (page, text, lengths of the choices, the right one)."""
    found = []
    for path in sorted(BOOK.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", ()):
                html = output.get("data", {}).get("text/html", "")
                page = BeautifulSoup(html, "html.parser")
                for question in page.select(".mathjax_process > .dtb-question"):
                    if question.select(".dtb-fill"):
                        continue
                    choices = question.select(".dtb-choice")
                    rights = [choice.strong.get_text() == "Right." for choice in choices]
                    lengths = [len(choice.summary.get_text()) for choice in choices]
                    text = question.legend.get_text()
                    found.append((path.stem, text, lengths, rights.index(True)))
    return found


def beyond_chance(hits, chances):
    p = np.array(chances)
    return (hits - p.sum()) / np.sqrt((p * (1 - p)).sum())


def test_right_answers_have_no_favourite_place_and_are_not_known_by_their_length():
    """To take always the second choice, or the longest, does no better than chance."""
    hits = {place: sum(right == place for *_, right in asked()) for place in range(3)}
    for extreme in max, min:
        hits[extreme] = sum(  # of equally long ones, take any
            (lengths[right] == extreme(lengths)) / lengths.count(extreme(lengths))
            for _, _, lengths, right in asked()
        )
    chances = [1 / len(lengths) for _, _, lengths, _ in asked()]
    assert {way: n for way, n in hits.items() if abs(beyond_chance(n, chances)) >= 3} == {}


def test_no_page_gives_its_answers_away():
    """Within a page, never more than three in four right answers have one place."""
    for page in {page for page, *_ in asked()}:
        places = [right for of, *_, right in asked() if of == page]
        most = max(map(places.count, places))
        assert len(places) < 4 or most <= 0.75 * len(places), (page, places)


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
        assert asked == [f"{n}. {ASKS[name]}" for n, (name, _) in enumerate(conditions, 1)]
    # Answers of one question close each other and no others.
    names = [[d["name"] for d in f.find_all("details", recursive=False)]
             for f in page.find_all("fieldset")]  # fmt: skip
    assert all(len(set(of_one)) == 1 for of_one in names)
    assert len({of_one[0] for of_one in names}) == len(names)


def test_missing_words_are_named(tree):
    with pytest.raises(KeyError, match="scout"):
        Questionnaire(
            "Travel", tree, ASKS, dict.fromkeys(MEANS.keys() - {"scout"}, "x")
        )._repr_html_()


@pytest.mark.parametrize("depth", range(4))
def test_the_expected_number_of_questions_is_a_mean_over_people(depth):
    tree = ID3Classifier(max_depth=depth).fit(X, Y).tree_
    by_person = [len(v.path) * v.node.weight for v in tree.walk() if v.node.is_leaf]
    assert expected(tree) == pytest.approx(sum(by_person) / len(X))
    ends = [v.node.weight for v in tree.walk() if v.node.is_leaf]
    assert measures.entropy(ends) <= expected(tree) + 1e-9


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
