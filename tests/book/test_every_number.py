"""The page of every number: it has each documented result, and notices a wrong or a missing one."""

import sys

import nbformat
import pytest
from browser import ROOT
from bs4 import BeautifulSoup

from dtreebook.pages import documented

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import documented_results as page

ROW = documented.check("loan.gain.house", 0.41997309)


def chapter(path, *outputs):
    """Write a notebook with these HTML outputs."""
    cell = nbformat.v4.new_code_cell()
    cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": html}) for html in outputs]
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_a_shown_result_is_found_in_the_outputs(tmp_path):
    path = chapter(tmp_path / "some.ipynb", ROW._repr_html_(), documented.errata()._repr_html_())
    found = page.rows(path)
    assert list(found) == ["loan.gain.house"]  # errata are no results
    assert found["loan.gain.house"]["computed"] == "0.41997"
    assert page.complaint("loan.gain.house", ("some", found["loan.gain.house"])) is None


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"documented": "0.421"}, "the registry has"),
        ({"computed": "0.42097"}, "0.420 is documented"),
        (None, "no chapter shows it"),
    ],
)
def test_a_wrong_or_missing_result_is_noticed(changed, words):
    cells = {"documented": ROW.documented, "computed": ROW.computed, "agreement": ROW.agreement}
    place = ("some", cells | changed) if changed else None
    assert words in page.complaint("loan.gain.house", place)


def test_an_erratum_is_compared_with_the_exact_value():
    row = documented.check("tennis.H.humidity", 0.7884504573082896)
    cells = {"documented": row.documented, "computed": row.computed}
    assert page.complaint(row.id, ("some", cells)) is None
    assert page.complaint(row.id, ("some", cells | {"computed": "0.78900"}))


def test_the_page_has_every_result(site):
    built = BeautifulSoup((site / "every_number.html").read_text("utf-8"), "html.parser")
    rows = {row.th.get_text(): row for row in built.select("table.dtb-documented tbody tr")}
    assert set(rows) == set(page.registry())
    for row in rows.values():
        chapter, anchor = row.a["href"].split(".html#")
        assert anchor == f"documented-{row.th.get_text()}"
        assert row.a.get_text() in page.title(ROOT / "book" / f"{chapter}.ipynb")
        assert all(cell.get_text().strip() for cell in row.find_all("td"))
