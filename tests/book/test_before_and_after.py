"""The concept inventory as a page: its file is what `make inventory` reads, and it tells no key."""

import inventory
import pytest
from axe_playwright_python.sync_playwright import Axe
from tiers import sometimes


def answer(page, form, letter, whose):
    """Answer every question of a form with a letter, but leave out the last; return the file."""
    page.get_by_label("Your name or number").fill(whose)
    fields = page.locator(f"details[data-form={form}]")
    if fields.get_attribute("open") is None:
        fields.locator("summary").press("Enter")
    questions = fields.get_by_role("radiogroup").all()
    assert len(questions) == len(inventory.concepts())
    for question in questions[:-1]:
        question.locator(f"input[value={letter}]").check()
    with page.expect_download() as download:
        fields.get_by_role("button", name="Save my answers").press("Enter")
    return download.value


def test_the_files_of_a_class_are_read_from_their_folder(visit, tmp_path):
    with visit("inventory") as page:
        for whose, form, letter in (
            ("Ada", "pre", "A"),
            ("Ada", "post", "B"),
            ("=1+1", "pre", "C"),
        ):
            file = answer(page, form, letter, whose)
            file.save_as(tmp_path / file.suggested_filename)  # all in one folder
        post = page.locator("details[data-form=post]")
        page.locator("details[data-form=pre]").get_by_role("button", name="Delete").press("Enter")
        assert page.locator("input:checked").count() == post.locator("input:checked").count() > 0
        assert page.complaints == []
        assert all(url.startswith(("file:", "blob:")) for url in page.asked)
    read = inventory.read(tmp_path)
    assert sorted(read.index) == [("post", "Ada"), ("pre", "'=1+1"), ("pre", "Ada")]
    assert set(read.loc["post", "Ada"]) == {"B", ""}
    assert read.loc["post", "Ada"].iloc[-1] == ""
    assert "Normalised gain" in inventory.report(read)


def test_a_form_handed_in_twice_and_an_empty_folder_are_named(tmp_path):
    with pytest.raises(SystemExit, match="has no file"):
        inventory.read(tmp_path)
    row = ",".join(["Ada", "pre", *["A"] * len(inventory.concepts())])
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(",".join(inventory.columns()) + f"\n{row}\n")
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
        assert page.locator("input[type=radio]:checked").count() == len(inventory.concepts()) - 1


@sometimes
def test_the_page_tells_no_key_and_is_accessible(visit, site):
    html = (site / "inventory.html").read_text("utf-8")
    for concept in inventory.concepts():
        assert not any(words in html for words in concept["misconceptions"].values())
    with visit("inventory", viewport={"width": 390, "height": 844}) as page:
        page.locator("article summary").first.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        found = Axe().run(page, ".dtb-inventory").response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
