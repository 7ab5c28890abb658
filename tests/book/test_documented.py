"""Documented results: wrong numbers are caught, and so are faults of their registry."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
import yaml

from twentyquestions import documented

LOAN_TREE = {"house": {"yes": "yes", "no": {"work": {"yes": "yes", "no": "no"}}}}
IDS = list(documented._registry()[1])


def as_documented(id):
    result = documented.result(id)
    exact = result.exact or result.value or result.documented
    return float(exact), eval(result.how) if result.how else None


NUMBERS = [
    id
    for id in IDS
    if documented.result(id).kind == "value"
    and documented._places(documented.result(id).value or documented.result(id).documented)
]


def test_one_unit_in_the_last_printed_place_is_a_disagreement():
    assert len(NUMBERS) > 50
    for id in NUMBERS:
        exact, rounded = as_documented(id)
        printed = documented.result(id).value or documented.result(id).documented
        assert documented.check(id, exact, rounded).id == id
        for sign in -1, 1:
            with pytest.raises(documented.Disagreement, match=id):
                documented.check(id, exact + sign * 10.0 ** -documented._places(printed), rounded)


@pytest.mark.parametrize("id", [id for id in IDS if documented.result(id).how])
def test_a_rework_gives_what_it_says_and_needs_both_ways(id):
    exact, rounded = as_documented(id)
    how = documented.result(id).how
    row = documented.check(id, exact, rounded)
    assert row.agreement.startswith(f"equal when computed with rounded numbers: {how} = ")
    for wrong in ((exact,), (exact, exact), (exact + 0.01, rounded)):
        with pytest.raises(documented.Disagreement):
            documented.check(id, *wrong)


@pytest.mark.parametrize(
    ("id", "right", "agreement"),
    [
        *(
            ("loan.gain.house", value, "equal to 3 decimals")  # a tie may go up or down
            for value in (0.4195, 0.4205, 0.41997, np.float64(0.42), np.float32(0.42))
        ),
        ("loan.tree", LOAN_TREE, "the same tree"),
        ("loan.tree", "house = no: (work = no: no; work = yes: yes); house = yes: yes", "the same"),
        ("nursery.accuracy", [0.9676, 0.97, 0.9753], "in the range of 3 draws"),
        ("nursery.time", "7 ms", "shown only"),
        ("tennis.H.humidity", 0.78845, "erratum: the exact value is 0.78845"),
        ("loan.ratio.age", 0.0524, "equal to 3 decimals; erratum: 0.083"),
    ],
)
def test_it_is_said_how_right_values_agree(id, right, agreement):
    assert documented.check(id, right).agreement.startswith(agreement)


@pytest.mark.parametrize(
    ("id", "wrong"),
    [
        *(
            ("loan.gain.house", value)
            for value in (0.41949, 0.42051, -0.42, np.nan, np.inf, "0.420", None, [0.42])
        ),
        ("loan.no_house.H.work", 0.001),  # printed without decimals: exact
        ("coin.half", 0.9999),
        ("missing.weights", [0.222, 0.333, 0.444]),  # fractions: exact
        ("missing.weights", [2 / 9, 3 / 9]),
        ("nursery.shape", [12960, 8, 4]),
        ("nursery.shape", 12960),
        ("loan.gini.age", [0.44, 0.44, 0.48]),
        ("loan.root", "work"),
        ("loan.tree", {"house": {"yes": "yes", "no": "no"}}),
        ("loan.tree", {"work": {"no": {"house": {"no": "no", "yes": "yes"}}, "yes": "yes"}}),
        ("loan.tree", "house = yes: yes"),
        ("nursery.root", ["health", "priority"]),
        ("nursery.path", {"children": {"3": "spec_prior"}}),
        ("nursery.accuracy", [0.96, 0.97]),
        ("nursery.accuracy", [0.974022633744856]),
        ("identity.mi_kl", [0.42, 0.42, 0.42, 0.43]),
        ("identity.mi_kl", [0.42, np.nan]),
        ("identity.mi_kl", [0.42]),
    ],
)
def test_wrong_values_disagree(id, wrong):
    with pytest.raises(documented.Disagreement):
        documented.check(id, wrong)


def test_disagreement_says_what_disagrees():
    with pytest.raises(AssertionError) as caught:
        documented.check("loan.gain.house", 0.5)
    message = "loan.gain.house: moonhotel2020 documents 0.420, computed 0.50000"
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("look", "message"),
    [
        (lambda: documented.result("loan.gain.hose"), r"loan\.gain\.house"),
        (lambda: documented.check("loan.gains.house", 0.42), r"loan\.gain\.house"),
        (lambda: documented.errata("quinlan"), "quinlan1986"),
        (lambda: documented.table("lo", {}), "near"),
        (lambda: documented.table("abstract15.H", {"abstract15.H": 1}), r"value for .*\.H\.A"),
    ],
)
def test_what_is_unknown_or_missing_is_named(look, message):
    with pytest.raises((KeyError, documented.Disagreement), match=message):
        look()


def test_cells_are_shown_in_full_and_each_names_its_column():
    for shown in [documented.errata(), documented.sources()]:
        assert shown.map(len).max(axis=None) > 50
        assert "..." not in shown._repr_html_() + repr(shown)
    table = documented.errata().drop(columns="source")
    root = ET.fromstring(table._repr_html_())  # well-formed, even as XML
    assert [th.text for th in root.findall("thead/tr/th")] == ["id", "says", "right"]
    for row, (id, cells) in zip(root.findall("tbody/tr"), table.iterrows(), strict=True):
        assert row.find("th").text == id
        assert {td.get("data-label"): td.text for td in row.findall("td")} == dict(cells)


def test_results_and_errata_name_their_sources():
    assert {"loan.ratio.age", "abstract15.gain.A", "cf.1_16"} < set(documented.errata().index)
    assert list(documented.errata("omscs").index) == ["omscs.gini"]
    assert documented.errata("quinlan1996").empty
    row = documented.check("tennis.gain.windy", 0.0481)
    assert row.source == "ID3 notes; Quinlan 1986"
    sources = documented.sources()
    assert (sources["text"].str.len() > 40).all()
    assert sources["short"].is_unique
    assert {documented.result(id).source for id in IDS} <= set(sources.index)
    assert set(documented.errata()["source"]) <= set(sources["short"])


def all_text(printed):
    if isinstance(printed, dict):
        return all(all_text([key, value]) for key, value in printed.items())
    return all(map(all_text, printed)) if isinstance(printed, list) else isinstance(printed, str)


def test_the_registry_is_in_order():
    """Each id once, each source and kind known, numbers in quotes."""
    raw = yaml.safe_load(Path(documented.__file__).with_name("documented.yml").read_text("utf-8"))
    for group in "sources", "results", "errata":
        ids = [entry["id"] for entry in raw[group]]
        assert len(set(ids)) == len(ids), group
    sources, results, errata = documented._registry()
    assert len(errata) == len(raw["errata"]) + sum("erratum" in entry for entry in raw["results"])
    assert set(errata["source"]) <= set(sources.index)
    for r in results.values():
        assert {r.source, r.also} - {None} <= set(sources.index), r.id
        assert r.kind in documented._COMPARE, r.id
        assert all_text([r.documented, r.value or "", r.exact or ""]), r.id
        assert r.via in (None, "rounded"), r.id
        assert not r.via or (r.exact and r.how), r.id
        assert not r.exact or r.via or r.erratum, r.id
