"""The page Practice: by keyboard, without storage, kept and deleted; nothing is asked of others."""

import json
import random

import pytest
from axe_playwright_python.sync_playwright import Axe
from tiers import SEED

from dtreebook.pages.script import bundle

CLOSED = (
    """Object.defineProperty(window, "localStorage", { get() { throw new Error("closed"); } })"""
)
STORED = "() => localStorage.getItem('dtreebook-practice')"


@pytest.fixture
def at():
    """A function that opens the page at a fragment of its address."""

    def go(page, fragment):
        page.evaluate("fragment => { location.hash = fragment; location.reload(); }", fragment)
        page.locator(".dtb-exercise, .dtb-sheet").first.wait_for()
        return page

    return go


def right_answer(page, kind, seed):
    """Return the right answer to an exercise, as a reader would write it."""
    value = page.evaluate(f"() => ({bundle('exercise')}).exercise('{kind}', {seed}).answer")
    return value if isinstance(value, str) else f"{value:.3f}".replace(".", ",")


def test_a_number_is_judged_and_the_slip_named_by_keyboard_alone(visit, at):
    with visit("practice") as page:
        at(page, "kind=gain&seed=3&form=solve")
        slip = page.evaluate(f"() => ({bundle('exercise')}).exercise('gain', 3).slips[0]")
        field = page.locator(".dtb-exercise input")
        field.fill(f"{slip['answer']:.3f}")
        field.press("Enter")
        said = page.locator(".dtb-reply").inner_text()
        assert slip["why"] in said
        answer = right_answer(page, "gain", 3)
        assert answer not in said
        field.fill(answer)
        field.press("Enter")
        assert page.locator(".dtb-reply").inner_text().startswith("Right.")
        page.get_by_role("button", name="Next: ").press("Enter")
        assert page.locator(".dtb-pills").inner_text().startswith("1 of")
        assert page.complaints == []
        assert all(url.startswith("file:") for url in page.asked)


def test_every_kind_is_completed_and_every_wrong_line_found(visit, at):
    with visit("practice") as page:
        kinds = page.evaluate(f"() => Object.keys(({bundle('exercise')}).KINDS)")
        for kind in random.Random(SEED).sample(kinds, 6):
            at(page, f"kind={kind}&seed=8&form=complete")
            while (show := page.get_by_role("button", name="Show this line")).is_enabled():
                if not page.locator(".dtb-gaps :is(input, select)").count():
                    break
                show.press("Enter")
            assert "Done." in page.locator(".dtb-reply").inner_text()
            at(page, f"kind={kind}&seed=8&form=wrong")
            for line in page.locator(".dtb-suspect").all():
                if line.is_enabled():
                    line.press("Enter")
            assert page.locator(".dtb-found").count() == 1
            assert "The right line" in page.locator(".dtb-reply").inner_text()
        assert page.complaints == []


def test_answers_are_kept_only_if_wanted_and_seen_exported_imported_and_deleted(
    visit, at, tmp_path
):
    with visit("practice") as page:
        at(page, "kind=gini&seed=1&form=solve")
        page.get_by_role("button", name="Show the solution").click()
        assert page.evaluate(STORED) is None
        page.get_by_label("Keep my answers").check()
        (kept,) = json.loads(page.evaluate(STORED))["answers"]
        assert (kept["kind"], kept["seed"], kept["right"]) == ("gini", 1, False)
        page.reload()
        assert "Kept in this browser only: 1 answer." in page.locator(".dtb-kept").inner_text()
        page.get_by_role("button", name="See").click()
        assert "Gini of two piles" in page.locator(".dtb-seen").inner_text()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        download.value.save_as(tmp_path / "mine.json")
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("button", name="Really delete").click()
        assert page.evaluate(STORED) is None
        page.get_by_label("A file of answers").set_input_files(tmp_path / "mine.json")
        page.get_by_text("1 new.").wait_for()
        (tmp_path / "other.json").write_text('{"answers": []}')
        page.get_by_label("A file of answers").set_input_files(tmp_path / "other.json")
        page.get_by_text("This is no file of answers").wait_for()
        assert page.complaints == []


def test_without_storage_it_works_and_keeps_nothing(visit, at):
    with visit("practice") as page:
        page.add_init_script(CLOSED)
        at(page, "kind=vote&seed=1&form=solve")
        page.get_by_role("button", name="Show the solution").click()
        assert "Kept until you leave this page: 1 answer." in page.locator(".dtb-kept").inner_text()
        assert page.get_by_label("This browser keeps nothing").is_disabled()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_accessible_and_fits_a_phone(visit, at, theme):
    with visit("practice", viewport={"width": 390, "height": 844}, color_scheme=theme) as page:
        for form in ("solve", "complete", "wrong"):
            at(page, f"kind=groups&seed=2&form={form}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            found = Axe().run(page, ".dtb-practice").response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_a_class_gets_ten_variants_and_their_solutions(visit, at):
    with visit("practice") as page:
        at(page, "kind=gain,bound&seed=40&sheets=10")
        titles = page.locator(".dtb-sheet h2").all_inner_texts()
        assert titles == [
            f"{part}, variant {40 + v}" for part in ("Exercises", "Solutions") for v in range(10)
        ]
        assert right_answer(page, "gain", 44).replace(",", ".").rstrip("0") in (
            page.locator(".dtb-sheet").nth(14).inner_text()
        )


def test_questions_of_a_page_offer_another_one_and_load_nothing_before(visit):
    with visit("id3") as page:
        assert not [url for url in page.asked if "_static/practice" in url]
        page.get_by_role("button", name="Another one like this").first.click()
        page.get_by_role("button", name="Check this line").wait_for()
        page.get_by_role("button", name="Another one like this").first.click()
        assert page.complaints == []


SITTING = """([days, seed]) => {
  const { standing, sitting, fromText, asText, merged } = engine;
  const kinds = Object.keys(KINDS), partOf = kind => KINDS[kind].part;
  let state = seed, answers = [];
  const chance = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const met = [];
  for (let day = 0; day < days; day++) {
    const now = day * 86400000 + 1;
    const due = kinds.filter(kind => standing(answers, kind, now).isDue);
    const plan = sitting(answers, kinds, partOf, now);
    met.push({ due, plan: plan.map(one => one.kind), parts: plan.map(one => partOf(one.kind)) });
    plan.forEach(({ kind, form }, i) => answers.push(
      { kind, form, seed: i, right: chance() < 0.75, at: now + i }));
  }
  const back = fromText(asText(answers), kinds);
  return { met, answers: answers.length, isSame: JSON.stringify(back) === JSON.stringify(answers),
    merged: merged(answers, back).length };
}"""


def test_what_is_due_comes_back_and_export_and_import_are_inverse(chromium):
    page = chromium.new_page()
    page.evaluate(f"() => {{ window.engine = {bundle('memory')}; }}")
    page.evaluate(f"() => {{ window.KINDS = ({bundle('exercise')}).KINDS; }}")
    for reader in range(2):
        found = page.evaluate(SITTING, [30, SEED + reader + 1])
        assert found["isSame"]
        assert found["merged"] == found["answers"]
        for day in found["met"]:
            assert len(set(day["plan"])) == 7
            # Of what is due as much comes as a sitting holds.
            assert len(set(day["due"]) & set(day["plan"])) == min(7, len(day["due"]))
        assert len({kind for day in found["met"] for kind in day["plan"]}) == 25
    page.close()
