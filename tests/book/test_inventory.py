"""The concept inventory: its numbers, its forms, and what is said of a class's answers."""

from functools import cache
from pathlib import Path

import inventory
import numpy as np
import pandas as pd
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tiers import draws

from dtreebook import CARTClassifier, ID3Classifier, measures, plain
from dtreebook.data.cases import Attribute
from dtreebook.prune.cost_complexity import weakest_links
from dtreebook.tree.fractions import predict_proba_fractional
from dtreebook.tree.splits import Multiway
from dtreebook.tree.tree import Node, Tree

ROOT = Path(__file__).resolve().parents[2]
CONCEPTS = {concept["concept"]: concept for concept in inventory.concepts()}
FORMS = pytest.mark.parametrize("form", inventory.FORMS)


def texts(name, form):
    """Return {misconception or "right": the text of the choice} of a question."""
    return dict(inventory.choices(CONCEPTS[name], form).values())


def given(name, form):
    return CONCEPTS[name][form]["given"]


def two_level(branches):
    """Return a tree with one question, given the counts in its leaves."""
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
        assert (ROOT / "book" / f"{concept['where']}.ipynb").exists()


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


def uncertainty(form):
    piles = given("uncertainty", form)
    bits = {pile: float(measures.entropy(counts)) for pile, counts in piles.items()}
    largest = max(piles, key=lambda pile: sum(piles[pile]))
    return {max(bits, key=bits.get): "right", largest: "size", min(bits, key=bits.get): "majority"}


@FORMS
def test_uncertainty_is_the_entropy_of_the_shares(form):
    said = texts("uncertainty", form)
    for pile, kind in uncertainty(form).items():
        assert f" {pile}" in said[kind]


@FORMS
def test_the_gain_and_its_mistakes(form):
    branches, stated = given("gain", form)["branches"], given("gain", form)["entropy"]
    bits = measures.entropy(branches)
    assert f"{bits.max():.3f}" == f"{stated:.3f}"
    assert bits.min() == 0
    before = measures.entropy(np.sum(branches, axis=0))
    assert before == 1
    gain = measures.information_gain(branches)
    wrong = {"unweighted": before - bits.mean(), "left": before - gain}
    for kind, value in {"right": gain, **wrong}.items():
        assert texts("gain", form)[kind] == f"{value:.3f} bits"
    assert texts("gain", form)["best_branch"] == f"{before - bits.min():g} bit"


@FORMS
def test_a_number_for_each_case_has_all_the_gain_and_answers_no_new_case(form):
    n = given("many_values", form)["n"]
    y = np.arange(n) % 2
    X = pd.DataFrame({"number": [f"c{i}" for i in range(n)]})
    table = pd.crosstab(X["number"], y).to_numpy()
    assert np.isclose(measures.information_gain(table), measures.entropy(np.bincount(y)))
    tree = ID3Classifier().fit(X, y).tree_
    assert tree.risk[0] == n / 2
    assert not tree.risk[1:].any()
    shares = predict_proba_fractional(tree, (np.array([-1]),))
    assert np.allclose(shares, 0.5)


@FORMS
def test_no_single_question_gains_anything(form):
    y = np.array(given("greedy", form)["outcome"])
    X = pd.DataFrame({"first": list("aabb"), "second": list("abab")})
    assert (
        CARTClassifier(criterion="entropy", min_impurity_decrease=1e-9).fit(X, y).tree_.n_leaves
        == 1
    )
    for name in X:
        assert measures.information_gain(pd.crosstab(X[name], y).to_numpy()) == 0
    assert ID3Classifier().fit(X, y).score(X, y) == 1  # a tree can represent it


@FORMS
def test_the_table_of_errors_leads_to_each_choice(form):
    errors, sizes = given("overfitting", form)["errors"], given("overfitting", form)["cases"]
    rates = pd.DataFrame(errors, index=["training", "validation"]).div(sizes, axis=0)
    gap = (rates.loc["training"] - rates.loc["validation"]).abs()
    found = {
        "right": rates.loc["validation"].idxmin(),
        "training": rates.loc["training"].idxmin(),
        "gap": gap.idxmin(),
    }
    for kind, tree in found.items():
        assert texts("overfitting", form)[kind].startswith(f"Tree {tree},")
    text = CONCEPTS["overfitting"][form]["text"]
    for tree, (training, validation) in errors.items():
        assert any(
            row.startswith(f"| {tree} |") and row.endswith(f"| {training} | {validation} |")
            for row in text.splitlines()
        )


@FORMS
def test_the_case_ends_in_the_leaf_that_the_right_choice_counts(form):
    told = given("tracing", form)
    rows, classes = [], ["other", "yes"]
    for value, (yes, no) in told["low"].items():
        rows += [(told["cut"], value, "yes")] * yes + [(told["cut"], value, "other")] * no
    for count, label in zip(told["high"], classes[::-1], strict=True):
        rows += [(told["cut"] + 1, "none", label)] * count
    table = pd.DataFrame(rows, columns=["number", "word", "label"])
    here = table[(table.number <= told["cut"]) & (table.word == told["asked"])]
    there = table[table.number > told["cut"]]
    for kind, leaf in {"right": here, "boundary": there}.items():
        yes = int((leaf.label == "yes").sum())
        assert f"{yes} of the {len(leaf)}" in texts("tracing", form)[kind]
        assert f"({len(leaf)}/{len(leaf) - yes})" in CONCEPTS["tracing"][form]["text"]
    assert told["value"] == told["cut"]
    grown = CARTClassifier(max_depth=1).fit(
        pd.DataFrame({"x": [told["cut"], told["cut"] + 2]}), [0, 1]
    )
    cut = grown.tree_.root.split.cut
    assert grown.tree_.root.split.branch(np.array([cut]))[0] == 0  # *at most* the cut


@FORMS
def test_the_cuts_and_their_miscounts(form):
    values = given("thresholds", form)["values"]
    cuts = list(plain.questions_about([({"x": x}, "a") for x in values], "x"))
    between = max(values) - min(values)
    numbers = {
        "right": len(cuts),
        "cases": len(values) - 1,
        "values": len(values),
        "everything": between,
    }
    words = ["", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
    assert texts("thresholds", form) == {kind: words[n] for kind, n in numbers.items()}


@FORMS
def test_gini_prefers_the_pure_side_where_errors_tie(form):
    tables = given("purity_not_errors", form)
    assert {float(np.min(table, axis=1).sum()) for table in tables.values()} == {
        200.0 if form == "pre" else 100.0
    }
    best = max(tables, key=lambda name: measures.gain(tables[name], measures.gini))
    assert texts("purity_not_errors", form)["right"].startswith(f"{best},")
    pure = [(np.array(table) == 0).any() for table in tables.values()]
    assert sum(pure) == 1
    assert (np.array(tables[best]) == 0).any()


@FORMS
def test_the_price_of_a_leaf_and_its_mistakes(form):
    leaves, subtree, leaf = (given("weakest_link", form)[k] for k in ("leaves", "subtree", "leaf"))
    # One leaf of the class that is less common at the root, and others that share the errors.
    branches = [[0, leaf - subtree]] + [[leaf, subtree // (leaves - 1)]] * (leaves - 1)
    branches[1] = [leaf, subtree - sum(b[1] for b in branches[2:])]
    tree = two_level(branches)
    assert tree.risk[0] == leaf
    assert tree.risk[1:].sum() == subtree
    assert len(branches) == leaves
    price = weakest_links(tree, tree.risk)[0]
    found = {
        "right": price,
        "all_leaves": (leaf - subtree) / leaves,
        "no_price": leaf - subtree,
        "no_subtree": leaf / leaves,
    }
    said = {kind: f"From {round(value, 1):g} on" for kind, value in found.items()}
    assert texts("weakest_link", form) == said


@FORMS
def test_a_case_in_parts_and_its_mistakes(form):
    branches = np.array(given("missing", form)["branches"])
    tree = two_level(branches)
    share = predict_proba_fractional(tree, (np.array([-1]),))[0, 0]
    of_branch = branches[:, 0] / branches.sum(axis=1)
    larger = of_branch[branches.sum(axis=1).argmax()]
    said = texts("missing", form)
    for kind, value in {"right": share, "majority": larger, "halves": of_branch.mean()}.items():
        assert said[kind] == f"{100 * value:g}%"


@FORMS
def test_a_tree_without_questions_finds_none_of_the_rare_class(form):
    told = given("rare_class", form)
    y = np.arange(told["all"]) < told["rare"]
    said = CARTClassifier(max_depth=0).fit(np.zeros((len(y), 1)), y).predict(np.zeros((len(y), 1)))
    found = {
        "right": said[y].mean(),
        "accuracy": (said == y).mean(),
        "base_rate": y.mean(),
        "guess": 0.5,
    }
    assert texts("rare_class", form) == {kind: f"{100 * v:g}%" for kind, v in found.items()}


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
    for form in inventory.FORMS:
        column = 1 + list(inventory.FORMS).index(form)
        rights = [row.split("|")[column].strip() for row in key.splitlines() if "**right**" in row]
        assert rights == [
            letter
            for concept in CONCEPTS.values()
            for letter, (kind, _) in inventory.choices(concept, form).items()
            if kind == "right"
        ]
    header = (folder / "answers.csv").read_text("utf-8").strip().split(",")
    assert header == inventory.columns()


def test_no_page_of_the_book_holds_a_question_of_the_inventory():
    pages = [
        p.read_text("utf-8") for p in (ROOT / "book").glob("*.*") if p.suffix in {".md", ".ipynb"}
    ]
    for concept in CONCEPTS.values():
        for form in inventory.FORMS:
            for line in concept[form]["text"].splitlines():
                if len(line) > 60:
                    assert not any(line in page for page in pages), line
    assert not any("questions.yml" in page for page in pages)


# --- a class's answers ----------------------------------------------------------------------------


@cache
def rights(form):
    """Return the right letters of a form, in order."""
    return [
        letter
        for concept in CONCEPTS.values()
        for letter, (kind, _) in inventory.choices(concept, form).items()
        if kind == "right"
    ]


def table(form, marked):
    """Return the rows of students whose answers are right where told; else another letter."""
    wrong = {letter: "ABCD"[(i + 1) % 4] for i, letter in enumerate("ABCD")}
    return [
        [f"s{i}", form, *(r if m else wrong[r] for m, r in zip(row, rights(form), strict=True))]
        for i, row in enumerate(marked)
    ]


def write(path, rows, columns=None, separator=","):
    frame = pd.DataFrame(rows, columns=columns or inventory.columns())
    frame.to_csv(path, index=False, sep=separator, encoding="utf-8-sig")
    return path


MARKED = arrays(
    int, st.tuples(st.integers(2, 6), st.just(len(CONCEPTS))), elements=st.integers(0, 1)
)


@settings(max_examples=draws(50))
@drawn(MARKED)
def test_items_are_those_of_the_definition(marked):
    rows = table("pre", marked)
    frame = pd.DataFrame(rows, columns=inventory.columns()).set_index(["form", "student"])
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
    assert f"{other} (4): {inventory.meaning(inventory.concepts()[-1], 'pre', other)}" in said


def test_one_form_alone_has_items_and_no_gain(tmp_path):
    rows = table("pre", np.eye(3, len(CONCEPTS), dtype=int))
    text = inventory.report(inventory.read(write(tmp_path / "c.csv", rows)))
    assert "No gain: there are answers to the form pre only." in text
    other = [["x", "post", *[""] * len(CONCEPTS)]]
    text = inventory.report(inventory.read(write(tmp_path / "d.csv", rows + other)))
    assert "No gain: no student answered both forms" in text


def test_small_letters_spaces_and_blanks_are_read(tmp_path):
    (row,) = table("pre", np.ones((1, len(CONCEPTS)), int))
    row[1], row[2], row[3] = " Pre ", f" {row[2].lower()} ", " "
    found = inventory.marks(inventory.read(write(tmp_path / "c.csv", [row])), "pre")
    assert found.iloc[0].tolist() == [1, 0, *[1] * (len(CONCEPTS) - 2)]


def changed(**cells):
    """Return two good rows, the second with some cells changed."""
    rows = table("pre", np.ones((2, len(CONCEPTS)), int))
    for column, value in cells.items():
        rows[1][inventory.columns().index(column)] = value
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
    with pytest.raises(inventory.BadAnswers, match=message):
        inventory.read(write(tmp_path / "class.csv", rows))


def test_bad_files_are_named(tmp_path):
    with pytest.raises(inventory.BadAnswers, match="there is no such file"):
        inventory.read(tmp_path / "none.csv")
    short = pd.DataFrame(changed()).iloc[:, :-2]
    path = write(tmp_path / "short.csv", short.to_numpy(), columns=inventory.columns()[:-2])
    last = inventory.questions()[-2:]
    with pytest.raises(inventory.BadAnswers, match=f"the columns {', '.join(last)} are missing"):
        inventory.read(path)
    (tmp_path / "latin.csv").write_bytes("student,form\nJürg,pre\n".encode("latin-1"))
    with pytest.raises(inventory.BadAnswers, match="save it as CSV UTF-8"):
        inventory.read(tmp_path / "latin.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(inventory.BadAnswers, match="is no table"):
        inventory.read(tmp_path / "empty.csv")
    (tmp_path / "ragged.csv").write_text("student,form\na,pre\nb,pre,C,D,E\n")
    with pytest.raises(inventory.BadAnswers, match="is no table"):
        inventory.read(tmp_path / "ragged.csv")
