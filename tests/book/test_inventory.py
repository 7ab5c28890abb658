"""The concept inventory: its numbers, its forms, its page, and what is said of answers."""

import shutil
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
import spine
from axe_playwright_python.sync_playwright import Axe
from browser import BOOK
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tiers import draws, sometimes

from course.grader import inventory
from dtreebook import CARTClassifier, ID3Classifier, measures, plain
from dtreebook.data.cases import Attribute
from dtreebook.prune.cost_complexity import weakest_links
from dtreebook.tree.predicting import answers
from dtreebook.tree.splits import Multiway
from dtreebook.tree.tree import Node, Tree

CONCEPTS = {concept["concept"]: concept for concept in inventory.CONCEPTS}
FORMS = pytest.mark.parametrize("form", inventory.FORMS)


def texts(name, form):
    return dict(inventory.choices(CONCEPTS[name], form).values())


def given(name, form):
    return CONCEPTS[name][form]["given"]


def two_level(branches):
    leaves = tuple(Node(np.array(b, float), label=int(np.argmax(b))) for b in branches)
    counts = np.sum(branches, axis=0).astype(float)
    root = Node(counts, label=int(counts.argmax()), split=Multiway(0), children=leaves)
    levels = tuple(f"v{i}" for i in range(len(branches)))
    attribute = (Attribute("a", "nominal", levels),)
    return Tree.from_root(root, attribute, np.arange(counts.size))


# --- the questions --------------------------------------------------------------------------------


def test_every_question_has_four_choices_and_the_same_misconceptions_in_both_forms():
    assert 12 <= len(CONCEPTS) <= 16
    for concept in CONCEPTS.values():
        kinds = {"right", *concept["misconceptions"]}
        for form in inventory.FORMS:
            options = [next(iter(choice)) for choice in concept[form]["choices"]]
            assert sorted(options) == sorted(kinds), concept["concept"]
            assert len(options) == 4
            assert len({str(text) for text in texts(concept["concept"], form).values()}) == 4
        assert concept["where"] in spine.PAGES


@FORMS
def test_right_answers_are_spread_over_the_letters_and_are_no_longer_than_others(form):
    letters, ranks = [], []
    for name, concept in CONCEPTS.items():
        options = list(inventory.choices(concept, form).values())
        (place,) = (i for i, (kind, _) in enumerate(options) if kind == "right")
        letters.append(place)
        lengths = [len(str(text)) for text in texts(name, form).values()]
        ranks.append(len(str(texts(name, form)["right"])) == max(lengths))
    assert all(3 <= letters.count(i) <= 4 for i in range(4)), letters
    assert sum(ranks) <= len(ranks) / 2


def uncertainty(piles):
    bits = {pile: measures.entropy(counts) for pile, counts in piles.items()}
    largest = max(piles, key=lambda pile: sum(piles[pile]))
    named = {"right": max(bits, key=bits.get), "size": largest, "majority": min(bits, key=bits.get)}
    return {kind: f" {pile}" for kind, pile in named.items()}


def gain(told):
    """Of two branches one is pure, and the class says nothing before."""
    bits = measures.entropy(told["branches"])
    before = measures.entropy(np.sum(told["branches"], axis=0))
    assert (before, bits.min(), f"{bits.max():.3f}") == (1, 0, f"{told['entropy']:.3f}")
    right = measures.information_gain(told["branches"])
    values = {"right": right, "unweighted": before - bits.mean(), "left": before - right}
    said = {kind: f"{value:.3f} bits" for kind, value in values.items()}
    return said | {"best_branch": f"{before - bits.min():g} bit"}


def overfitting(told):
    rates = pd.DataFrame(told["errors"]).div(told["cases"], axis=0)
    training, validation = rates.loc[0], rates.loc[1]
    gap = (training - validation).abs()
    named = {"right": validation.idxmin(), "training": training.idxmin(), "gap": gap.idxmin()}
    return {kind: f"Tree {tree}," for kind, tree in named.items()}


def thresholds(told):
    values = told["values"]
    words = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
    cuts = len(list(plain.questions_about([({"x": x}, "a") for x in values], "x")))
    numbers = {"right": cuts, "cases": len(values) - 1, "values": len(values)}
    numbers["everything"] = max(values) - min(values)
    return {kind: words[n - 1] for kind, n in numbers.items()}


def purity_not_errors(tables):
    assert len({float(np.min(table, axis=1).sum()) for table in tables.values()}) == 1
    best = max(tables, key=lambda name: measures.gain(tables[name], measures.gini))
    assert [name for name, table in tables.items() if (np.array(table) == 0).any()] == [best]
    return {"right": f"{best},"}


def weakest_link(told):
    leaves, subtree, leaf = told["leaves"], told["subtree"], told["leaf"]
    # One leaf of the class that is less common at the root, and others that share the errors.
    branches = [[0, leaf - subtree]] + [[leaf, subtree // (leaves - 1)]] * (leaves - 1)
    branches[1] = [leaf, subtree - sum(b[1] for b in branches[2:])]
    tree = two_level(branches)
    assert (tree.risk[0], tree.risk[1:].sum(), len(branches)) == (leaf, subtree, leaves)
    rises = leaf - subtree
    prices = {"right": weakest_links(tree, tree.risk)[0], "all_leaves": rises / leaves}
    prices |= {"no_price": rises, "no_subtree": leaf / leaves}
    return {kind: f"From {round(value, 1):g} on" for kind, value in prices.items()}


def missing(told):
    branches = np.array(told["branches"])
    tree = replace(two_level(branches), fractional=True)
    share = answers(tree, (np.array([-1]),))[0, 0]
    of_branch = branches[:, 0] / branches.sum(axis=1)
    larger = of_branch[branches.sum(axis=1).argmax()]
    shares = {"right": share, "majority": larger, "halves": of_branch.mean()}
    return {kind: f"{100 * value:g}%" for kind, value in shares.items()}


def rare_class(told):
    y = np.arange(told["all"]) < told["rare"]
    said = CARTClassifier(max_depth=0).fit(np.zeros((len(y), 1)), y).predict(np.zeros((len(y), 1)))
    shares = {"right": said[y].mean(), "accuracy": (said == y).mean(), "base_rate": y.mean()}
    return {kind: f"{100 * share:g}%" for kind, share in (shares | {"guess": 0.5}).items()}


COMPUTED = [uncertainty, gain, overfitting, thresholds, purity_not_errors, weakest_link]
COMPUTED += [missing, rare_class]


@FORMS
@pytest.mark.parametrize("compute", COMPUTED, ids=lambda compute: compute.__name__)
def test_the_choices_are_what_the_package_gives_and_the_usual_mistakes(form, compute):
    choices = texts(compute.__name__, form)
    for kind, said in compute(given(compute.__name__, form)).items():
        # A pile is named at the end, a tree at the beginning, and a number is all there is.
        alone = kind if said[0] == " " or said[-1] == "," else None
        assert said in choices[kind] if alone else said == choices[kind]


@FORMS
def test_the_table_of_errors_is_the_one_that_is_given(form):
    text = CONCEPTS["overfitting"][form]["text"].splitlines()
    for tree, (training, validation) in given("overfitting", form)["errors"].items():
        ends = f"| {training} | {validation} |"
        assert any(row.startswith(f"| {tree} |") and row.endswith(ends) for row in text)


@FORMS
def test_a_number_for_each_case_has_all_the_gain_and_answers_no_new_case(form):
    n = given("many_values", form)["n"]
    y = np.arange(n) % 2
    X = pd.DataFrame({"number": [f"c{i}" for i in range(n)]})
    table = pd.crosstab(X["number"], y).to_numpy()
    assert np.isclose(measures.information_gain(table), measures.entropy(np.bincount(y)))
    tree = replace(ID3Classifier().fit(X, y).tree_, fractional=True)
    assert tree.risk[0] == n / 2
    assert not tree.risk[1:].any()
    assert np.allclose(answers(tree, (np.array([-1]),)), 0.5)


@FORMS
def test_no_single_question_gains_anything(form):
    y = np.array(given("greedy", form)["outcome"])
    X = pd.DataFrame({"first": list("aabb"), "second": list("abab")})
    stingy = CARTClassifier(criterion="entropy", min_impurity_decrease=1e-9)
    assert stingy.fit(X, y).tree_.n_leaves == 1
    assert ID3Classifier().fit(X, y).score(X, y) == 1  # a tree can represent it


@FORMS
def test_the_case_ends_in_the_leaf_that_the_right_choice_counts(form):
    told = given("tracing", form)
    low, (first, other) = told["low"][told["asked"]], told["high"]
    for kind, yes, n in ("right", low[0], sum(low)), ("boundary", first, first + other):
        assert f"{yes} of the {n}" in texts("tracing", form)[kind]
        assert f"({n}/{n - yes})" in CONCEPTS["tracing"][form]["text"]
    assert told["value"] == told["cut"]
    x = pd.DataFrame({"x": [told["cut"] - 1, told["cut"] + 1]})
    split = CARTClassifier(max_depth=1).fit(x, [0, 1]).tree_.root.split
    assert split.branch(np.array([split.cut]))[0] == 0  # *at most* the cut


# --- the forms ------------------------------------------------------------------------------------


def test_forms_hold_every_question_and_give_nothing_away(tmp_path):
    folder = inventory.write_forms(tmp_path)
    for form in inventory.FORMS:
        text = (folder / f"{form}.html").read_text("utf-8")
        assert text.count("<section>") == len(CONCEPTS)
        assert "<script" not in text
        for concept in CONCEPTS.values():
            for words in concept["misconceptions"].values():
                assert words not in text
        assert "right**" not in text
        assert "http" not in text
    key = (folder / "key.md").read_text("utf-8")
    for column, form in enumerate(inventory.FORMS, 1):
        shown = [row.split("|")[column].strip() for row in key.splitlines() if "**right**" in row]
        assert shown == rights(form)
    assert key.count("Page: What ID3 cannot do\n") == 2
    header = (folder / "answers.csv").read_text("utf-8").strip().split(",")
    assert header == inventory.COLUMNS


def test_letters_that_were_typed_stay_when_the_forms_are_written_anew(tmp_path):
    answers = inventory.write_forms(tmp_path) / "answers.csv"
    with answers.open("a", encoding="utf-8") as table:
        table.write("ann,pre,A\n")
    inventory.write_forms(tmp_path)
    assert "ann,pre,A" in answers.read_text("utf-8")


def test_no_page_of_the_book_holds_a_question_of_the_inventory():
    pages = [p.read_text("utf-8") for p in BOOK.glob("*.*") if p.suffix in {".md", ".ipynb"}]
    for concept in CONCEPTS.values():
        for form in inventory.FORMS:
            for line in concept[form]["text"].splitlines():
                if len(line) > 60:
                    assert not any(line in page for page in pages), line
    assert not any("questions.yml" in page for page in pages)


# --- a class's answers ----------------------------------------------------------------------------


@cache
def rights(form):
    return [inventory.right(concept, form) for concept in CONCEPTS.values()]


def table(form, marked):
    wrong, right = dict(zip("ABCD", "BCDA", strict=True)), rights(form)
    given = np.where(marked, right, [wrong[letter] for letter in right])
    return [[f"s{i}", form, *row] for i, row in enumerate(given)]


def write(path, rows, columns=None, separator=","):
    frame = pd.DataFrame(rows, columns=columns or inventory.COLUMNS)
    frame.to_csv(path, index=False, sep=separator, encoding="utf-8-sig")
    return path


MARKED = arrays(
    int, st.tuples(st.integers(2, 6), st.just(len(CONCEPTS))), elements=st.integers(0, 1)
)


@settings(max_examples=draws(50))
@drawn(MARKED)
def test_items_are_those_of_the_definition(marked):
    rows = table("pre", marked)
    frame = pd.DataFrame(rows, columns=inventory.COLUMNS).set_index(["form", "student"])
    found = inventory.items(inventory.marks(frame, "pre"))
    assert np.allclose(found["difficulty"], marked.mean(axis=0))
    for i in range(marked.shape[1]):
        x, rest = marked[:, i], np.delete(marked, i, axis=1).sum(axis=1)
        (r,) = found["discrimination"].iloc[[i]]
        if x.std() == 0 or rest.std() == 0:
            assert np.isnan(r)
            continue
        # The point-biserial formula: the distance of the two means, in standard deviations.
        p = x.mean()
        expected = (rest[x == 1].mean() - rest[x == 0].mean()) / rest.std() * np.sqrt(p * (1 - p))
        assert np.isclose(r, expected)


def test_the_gain_is_hakes():
    assert inventory.normalised_gain([0.4], [0.7])[0] == pytest.approx(0.5)
    assert inventory.normalised_gain([0.5], [0.25])[0] == pytest.approx(-0.5)
    assert inventory.normalised_gain([1.0], [1.0]).isna().all()


def test_a_class_from_its_file_to_the_report(tmp_path, capsys):
    n = len(CONCEPTS)
    before = np.zeros((4, n), int)
    before[:2, : n // 2] = 1
    after = np.ones((4, n), int)
    after[3] = 0
    rows = [*table("pre", before), *table("post", after), ["guest", "post", *[""] * n]]
    path = write(tmp_path / "class.csv", rows, separator=";")
    inventory.main([path])
    said = capsys.readouterr().out
    assert "pre: 4 students, 25% right" in said
    assert "post: 5 students, 60% right" in said
    assert "of the 4 students with both: 0.67, medium" in said
    letter = rights("pre")[-1]
    other = "ABCD"["ABCD".index(letter) - 3]
    last = inventory.CONCEPTS[-1]
    kind, _ = inventory.choices(last, "pre")[other]
    assert f"{other} (4): {last['misconceptions'][kind]}" in said


def test_one_form_alone_has_items_and_no_gain(tmp_path):
    rows, other = table("pre", np.eye(3, len(CONCEPTS), dtype=int)), ["x", "post"]
    for more, words in (
        ([], "there are answers to the form pre only."),
        ([other + [""] * len(CONCEPTS)], "no student answered both forms"),
    ):
        read = inventory.read(write(tmp_path / "class.csv", rows + more))
        assert f"No gain: {words}" in inventory.report(read)


def test_the_zip_of_a_learning_platform_is_read_like_its_folder(tmp_path):
    for student, row in enumerate(table("pre", np.eye(3, len(CONCEPTS), dtype=int))):
        (tmp_path / "zip" / str(student)).mkdir(parents=True)
        write(tmp_path / "zip" / str(student) / "inventory-pre.csv", [row])
    (tmp_path / "zip" / "0" / "._inventory-pre.csv").write_bytes(b"\0\xff")  # as macOS adds
    zipped = shutil.make_archive(tmp_path / "class", "zip", tmp_path / "zip")
    pd.testing.assert_frame_equal(inventory.read(zipped), inventory.read(tmp_path / "zip"))
    (tmp_path / "broken.zip").write_bytes(b"PK")
    with pytest.raises(SystemExit, match="is no zip, or broken"):
        inventory.read(tmp_path / "broken.zip")


def test_small_letters_spaces_and_blanks_are_read(tmp_path):
    (row,) = table("pre", np.ones((1, len(CONCEPTS)), int))
    row[1], row[2], row[3] = " Pre ", f" {row[2].lower()} ", " "
    found = inventory.marks(inventory.read(write(tmp_path / "c.csv", [row])), "pre")
    assert found.iloc[0].tolist() == [1, 0, *[1] * (len(CONCEPTS) - 2)]


def changed(**cells):
    rows = table("pre", np.ones((2, len(CONCEPTS)), int))
    for column, value in cells.items():
        rows[1][inventory.COLUMNS.index(column)] = value
    return rows


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (changed(**{"3": "E"}), r"row 3, column 3: 'E' is no answer. Write A, B, C or D"),
        (changed(**{"3": "AB"}), r"row 3, column 3: 'AB' is no answer"),
        (changed(form="before"), r"row 3, column form: 'before'. Write pre or post"),
        (changed(student=" "), r"row 3: the column student is empty"),
        (changed(student="s0"), r"row 3: 's0' has the form pre in row 2 already"),
        ([], r"has no student: write one row"),
    ],
)
def test_bad_rows_are_named(tmp_path, rows, message):
    with pytest.raises(SystemExit, match=message):
        inventory.read(write(tmp_path / "class.csv", rows))


SHORT, LAST = ",".join(inventory.COLUMNS[:-2]), ", ".join(inventory.QUESTIONS[-2:])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{SHORT}\n", f"the columns {LAST} are missing"),
        ("student,form\nJürg,pre\n", "save it as CSV UTF-8"),
        ("", "is no table"),
        ("student,form\na,pre\nb,pre,C,D,E\n", "is no table"),
    ],
)
def test_bad_files_are_named(tmp_path, text, message):
    (tmp_path / "class.csv").write_bytes(text.encode("latin-1"))
    with pytest.raises(SystemExit, match=message):
        inventory.read(tmp_path / "class.csv")
    with pytest.raises(SystemExit, match="No such file"):
        inventory.read(tmp_path / "none.csv")


def answer(page, form, letter, whose):
    """Answer every question of a form with a letter, but leave out the last; return the file."""
    page.get_by_label("Your name or number").fill(whose)
    fields = page.locator(f"details[data-form={form}]")
    if fields.get_attribute("open") is None:
        fields.locator("summary").press("Enter")
    questions = fields.get_by_role("radiogroup").all()
    assert len(questions) == len(inventory.CONCEPTS)
    for question in questions[:-1]:
        question.locator(f"input[value={letter}]").check()
    with page.expect_download() as download:
        fields.get_by_role("button", name="Save my answers").press("Enter")
    return download.value


def test_the_files_of_a_class_are_read_from_their_folder(visit, tmp_path):
    people = ("Ada", "pre", "A"), ("Ada", "post", "B"), ('="1"+"1"', "pre", "C")
    with visit("inventory") as page:
        for concept in CONCEPTS.values():
            assert not any(words in page.content() for words in concept["misconceptions"].values())
        for whose, form, letter in people:
            file = answer(page, form, letter, whose)
            file.save_as(tmp_path / file.suggested_filename)  # all in one folder
        post = page.locator("details[data-form=post]")
        page.locator("details[data-form=pre]").get_by_role("button", name="Delete").press("Enter")
        assert page.locator("input:checked").count() == post.locator("input:checked").count() > 0
        assert page.complaints == []
        assert all(url.startswith(("file:", "blob:")) for url in page.asked)
        assert Axe().run(page, ".dtb-inventory").response["violations"] == []
    read = inventory.read(tmp_path)
    assert sorted(read.index) == [("post", "Ada"), ("pre", '\'="1"+"1"'), ("pre", "Ada")]
    assert set(read.loc["post", "Ada"]) == {"B", ""}
    assert read.loc["post", "Ada"].iloc[-1] == ""
    assert "Normalised gain" in inventory.report(read)


def test_a_form_handed_in_twice_and_an_empty_folder_are_named(tmp_path):
    with pytest.raises(SystemExit, match="has no file"):
        inventory.read(tmp_path)
    row = ",".join(["Ada", "pre", *["A"] * len(inventory.CONCEPTS)])
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(",".join(inventory.COLUMNS) + f"\n{row}\n")
    with pytest.raises(SystemExit, match="'Ada' has handed in the form pre twice"):
        inventory.read(tmp_path)


@sometimes
def test_answers_stay_only_if_wanted(visit):
    with visit("inventory") as page:
        answer(page, "pre", "D", "Ada")
        page.reload()
        assert not page.locator("input:checked").count()
        page.get_by_label("Keep my answers").check()
        answer(page, "pre", "D", "Ada")
        page.reload()
        assert page.locator("input[type=radio]:checked").count() == len(inventory.CONCEPTS) - 1
