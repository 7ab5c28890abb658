"""The tables of pandas as readers see them."""

import sys

import pandas as pd
from browser import ROOT
from bs4 import BeautifulSoup

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import plain_tables


def drawn(frame):
    """The cells of each row of the table, and the texts that are flush right."""
    soup = BeautifulSoup(plain_tables.plain(frame._repr_html_()), "html.parser")
    rows = [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in soup.select("tr")]
    assert not soup.select("style, tr[style]")
    assert all(head.get_text().strip() for head in soup.select("thead th"))
    return rows, [cell.get_text() for cell in soup.select(".dtb-number")]


def test_row_numbers_go_and_numbers_are_flush_right():
    rows, right = drawn(pd.DataFrame({"age": ["young", "old"], "share": [0.5, -12.25]}))
    assert rows == [["age", "share"], ["young", "0.50"], ["old", "-12.25"]]
    assert right == ["share", "0.50", "-12.25"]


def test_names_of_rows_stay():
    rows, right = drawn(pd.DataFrame({"gain": [0.25, None]}, ["age", "work"]))
    assert rows == [["", "gain"], ["age", "0.25"], ["work", "NaN"]]
    assert right == ["gain", "0.25", "NaN"]


def test_a_numbered_index_with_a_name_stays_and_is_named_in_the_head():
    frame = pd.DataFrame({"leaves": [1, 2]}, pd.RangeIndex(2, name="depth"))
    assert drawn(frame)[0] == [["depth", "leaves"], ["0", "1"], ["1", "2"]]


def test_heads_over_several_columns_stay_as_they_are():
    columns = pd.MultiIndex.from_product([["counted"], ["yes", "no"]])
    rows, right = drawn(pd.DataFrame([[1, 2], [3, 4]], ["a", "b"], columns))
    assert rows[2] == ["a", "1", "2"]
    assert right == ["yes", "no", "1", "2", "3", "4"]
