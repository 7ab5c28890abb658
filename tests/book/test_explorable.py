"""Explorables: in the page all views are there already, under a kernel each is computed."""

import json
import re
import xml.etree.ElementTree as ET

import ipywidgets
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from jupyter_client.manager import start_new_kernel

from dtreebook import plot
from dtreebook.pages import explorable as module
from dtreebook.pages.explorable import Control, Explorable, View, somebody_is_there

WIDGET = "application/vnd.jupyter.widget-view+json"
FORMS = ("</script>", "a <b> & 'c'", 'a "d"')


def example():
    """Return an explorable of every kind of control; it notes what it is asked."""
    asked = []

    def view(form, number, step):
        asked.append((form, number, step))
        table = pd.DataFrame({"form": [FORMS[form]]})
        picture = plot.class_counts([[number + 1, step]], names=["all"], classes=["yes", "no"])
        return View(f"{FORMS[form]}, number {number}, step {step}", (picture, table))

    controls = (
        Control("Form <i>", FORMS, kind="choice"),
        Control('Number "n"', range(4), start=2),
        Control("Step", ["one", "two"], start=1, kind="steps"),
    )
    return Explorable("Forms & numbers", controls, view), asked


def data(html):
    """Read the views that stand in the page."""
    return json.loads(BeautifulSoup(html, "html.parser").find("script").string)


def test_every_view_stands_in_the_page_and_every_piece_once():
    explorable, _ = example()
    soup = BeautifulSoup(explorable.html, "html.parser")
    found = data(explorable.html)
    templates = [template.decode_contents() for template in soup.find_all("template")]
    assert len(found["views"]) == 3 * 4 * 2
    assert len(templates) == len(set(templates)) == 4 * 2 + 3
    positions = [(f, n, s) for f in range(3) for n in range(4) for s in range(2)]
    assert found["start"] == positions.index((0, 2, 1))
    for position, (sentence, picture, table) in zip(positions, found["views"], strict=True):
        view = explorable.view(*position)
        assert sentence == view.sentence
        assert BeautifulSoup(templates[picture], "html.parser").find(role="img").get(
            "aria-label"
        ) == (view.pieces[0].alt)
        assert FORMS[position[0]] in BeautifulSoup(templates[table], "html.parser").text


def test_without_scripts_there_is_the_first_view_and_no_control():
    explorable, _ = example()
    section = BeautifulSoup(explorable.html, "html.parser").section
    assert section["aria-label"] == section.find(class_="dtb-title").text == "Forms & numbers"
    assert section.form.has_attr("hidden")
    assert section.find(role="status").text == "</script>, number 2, step 1"
    (picture,) = section.find(class_="dtb-shown").find_all(role="img")
    assert picture["aria-label"] == "Bars of counts. all: yes 3, no 1."


def test_controls_are_native_labelled_and_escaped():
    explorable, _ = example()
    form = BeautifulSoup(explorable.html, "html.parser").form
    assert form.legend.text == "Form <i>"
    radios = form.fieldset.find_all("label")
    assert [radio.text.strip() for radio in radios] == list(FORMS)
    assert [radio.input.has_attr("checked") for radio in radios] == [True, False, False]
    number, step = form.find_all("input", type="range")
    assert number.parent.name == "label"
    assert number.parent.text.strip() == 'Number "n"'
    assert (number["min"], number["max"], number["value"]) == ("0", "3", "2")
    assert step["aria-valuetext"] == "two"
    assert json.loads(step["data-options"]) == ["one", "two"]
    assert [button.text for button in form.find_all("button")] == ["Back", "Next", "Play"]
    assert {button["type"] for button in form.find_all("button")} == {"button"}


def test_the_html_is_well_formed_complete_and_the_same_each_time():
    html = example()[0].html
    assert html == example()[0].html
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)
    outside = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL).replace("autocomplete", "a")
    for attribute in ("hidden", "checked"):
        outside = outside.replace(f" {attribute}", f' {attribute}=""')
    outside = re.sub(r"(<input[^>]*)>", r"\1/>", outside).replace('aria-hidden=""', "aria-hidden")
    ET.fromstring(outside)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"options": ["a"]}, "control 'x' needs two options or more"),
        ({"options": "ab", "start": 2}, "control 'x' starts at 2, but its options are 0 to 1"),
        ({"options": "ab", "kind": "dial"}, "slider, choice, steps, not 'dial'"),
    ],
)
def test_controls_that_are_none(arguments, message):
    with pytest.raises(ValueError, match=message):
        Control("x", **arguments)


# --- under a kernel -------------------------------------------------------------------------------


def test_as_a_widget_it_computes_what_is_asked_and_nothing_else():
    explorable, asked = example()
    title, form, number, steps, page = explorable.widget().children
    assert title.value == "Forms & numbers"
    assert asked == [(0, 2, 1)]
    play, step = steps.children
    assert isinstance(play, ipywidgets.Play)
    form.index = 1
    number.index = 0
    play.value = 0
    assert step.index == 0
    assert asked == [(0, 2, 1), (1, 2, 1), (1, 0, 1), (1, 0, 0)]
    shown = BeautifulSoup(page.value, "html.parser")
    assert shown.find(role="status").text == "a <b> & 'c', number 0, step 0"
    assert shown.find(role="img")["aria-label"] == "Bars of counts. all: yes 1, no 0."


def test_a_program_gets_the_page_and_a_person_the_widget(monkeypatch):
    explorable, asked = example()
    assert not somebody_is_there()
    assert explorable._repr_mimebundle_() == {
        "text/plain": "Forms & numbers: </script>, number 2, step 1",
        "text/html": explorable.html,
    }
    monkeypatch.setattr(module, "somebody_is_there", lambda: True)
    asked.clear()
    bundle = explorable._repr_mimebundle_()
    assert bundle.keys() == {"text/plain", "text/html", WIDGET}
    assert "<script" not in bundle["text/html"]
    assert set(asked) == {(0, 2, 1)}


@pytest.mark.parametrize("lack", [ImportError("no ipywidgets"), AttributeError("ipywidgets 7")])
def test_without_live_widgets_a_person_gets_the_page(monkeypatch, lack):
    def widget(self):
        raise lack

    explorable, _ = example()
    monkeypatch.setattr(module, "somebody_is_there", lambda: True)
    monkeypatch.setattr(module.Explorable, "widget", widget)
    assert explorable._repr_mimebundle_()["text/html"] == explorable.html


def test_a_kernel_knows_whether_somebody_is_there():
    manager, client = start_new_kernel(kernel_name="python3")
    code = (
        "from dtreebook.datasets import load_loan\nfrom dtreebook.pages import explorables\n"
        "explorables.growing(*load_loan(return_X_y=True))"
    )
    try:
        for person in (True, False):
            found = []
            client.execute_interactive(
                code, allow_stdin=person, output_hook=found.append, timeout=60
            )
            (result,) = (each for each in found if each["msg_type"] == "execute_result")
            assert (WIDGET in result["content"]["data"]) == person
            assert ("<script" in result["content"]["data"]["text/html"]) != person
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
