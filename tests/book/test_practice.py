"""The page Practice: by keyboard, without storage, kept and deleted; nothing is asked of others."""

import json
import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from tiers import SEED, sample, sometimes
from tiers import at as at_tier

from twentyquestions.live import bundle

CLOSED = (
    """Object.defineProperty(window, "localStorage", { get() { throw new Error("closed"); } })"""
)
# What a page shows of one's answers; the rest of it is looked at by test_browser.py.
MARKED = {"include": [[".dtb-reading-time"], [".dtb-got"], [".dtb-missed"]]}
STORED = "() => localStorage.getItem('dtreebook-practice')"


@pytest.fixture
def at():
    """A function that opens the page at a fragment of its address."""

    def go(page, fragment):
        page.evaluate("fragment => { location.hash = fragment; location.reload(); }", fragment)
        page.locator(".dtb-exercise, .dtb-sheet").first.wait_for()
        page.wait_for_load_state()  # its styles as well
        return page

    return go


def right_answer(page, kind, seed):
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
        field.fill(f"{slip['answer'] + 0.0075:.4f}")  # half-way to the next answer
        field.press("Enter")
        assert slip["why"] not in page.locator(".dtb-reply").inner_text()
        answer = right_answer(page, "gain", 3)
        assert answer not in said
        field.fill(answer)
        field.press("Enter")
        assert page.locator(".dtb-reply").inner_text().startswith("Right.")
        page.get_by_role("button", name="Next: ").press("Enter")
        assert page.locator(".dtb-told").inner_text().startswith("1 answered, 0 right, ")
        assert page.complaints == []
        assert all(url.startswith("file:") for url in page.asked)


@sometimes
def test_cases_are_pressed_into_their_piles(visit, at):
    with visit("practice") as page:
        at(page, "kind=gain&seed=417&form=solve")
        names = page.locator(".dtb-given [role=button]")
        for count, key in enumerate(["Enter", " "] * (names.count() // 2), 1):
            page.locator(".dtb-given [tabindex='0']").press(key)
            assert page.locator(".dtb-piles .dtb-in").count() == count
            page.keyboard.press("ArrowDown")
        names.first.click()
        assert page.locator(".dtb-piles .dtb-in").count() == count - 1
        assert page.complaints == []


@sometimes
def test_a_number_that_is_written_raises_its_block(visit, at):
    with visit("practice") as page:
        at(page, "kind=surprise&seed=417&form=complete")
        block = page.locator(".dtb-table rect").nth(1)
        high, open_blocks = [], page.locator(".dtb-table text", has_text="?")
        n_open = open_blocks.count()
        assert block.get_attribute("fill-opacity") == "0"
        for number in ("0.5", "1"):
            page.locator(".dtb-gaps input").fill(number)
            assert block.get_attribute("fill-opacity") == "1"
            high.append(float(block.get_attribute("height")))
        assert high[1] == pytest.approx(2 * high[0])
        assert open_blocks.count() == n_open - 1


def test_a_block_is_pulled_to_the_number_of_its_line(visit, at):
    with visit("practice") as page:
        at(page, "kind=surprise&seed=417&form=complete")
        field, knob = page.locator(".dtb-gaps input"), page.locator(".dtb-table [role=slider]")
        assert knob.get_attribute("aria-valuetext") == "no number yet"
        field.fill("3.4")
        assert knob.get_attribute("aria-valuetext") == "3.4"
        middle = knob.locator(".dtb-knob").bounding_box()
        page.mouse.move(middle["x"] + 8, middle["y"] + 8)
        page.mouse.down()
        page.mouse.move(middle["x"] + 8, middle["y"] - 3)
        page.mouse.up()
        assert 3.4 < float(field.input_value()) < 3.9
        while (more := 3.58 - float(field.input_value())) > 0.005:
            knob.press("ArrowUp")
        while more < -0.005:
            knob.press("ArrowDown")
            more = 3.58 - float(field.input_value())
        page.locator(".dtb-gaps .dtb-main").click()
        assert page.locator(".dtb-reply").inner_text() == "Right."
        assert page.complaints == []


def test_the_best_cut_is_pulled_and_the_tests_to_prune_are_pressed(visit, at):
    with visit("practice") as page:
        at(page, "kind=cut&seed=9&form=solve")
        said, knob = page.locator(".dtb-exercise output"), page.locator(".dtb-table [role=slider]")
        page.get_by_role("button", name="Check").click()
        assert "Choose an answer first" in page.locator(".dtb-reply").inner_text()
        middle = knob.locator(".dtb-knob").bounding_box()
        page.mouse.move(middle["x"] + 8, middle["y"] + 8)
        page.mouse.down()
        page.mouse.move(middle["x"] + 2000, middle["y"])
        page.mouse.up()
        best = right_answer(page, "cut", 9).rstrip("0").rstrip(",").replace(",", ".")
        for _ in range(8):
            if said.inner_text() != f"Your answer: {best}":
                knob.press("ArrowLeft")
        page.get_by_role("button", name="Check").click()
        assert page.locator(".dtb-reply").inner_text().startswith(f"Right. It is {best}.")
        at(page, "kind=reduced&seed=9&form=complete")
        while page.locator(".dtb-gaps input").count():
            page.get_by_role("button", name="Prune c").press("Enter")  # writes in no other line
            assert page.locator(".dtb-gaps input").input_value() == ""
            page.get_by_role("button", name="Show it").click()
        assert said.inner_text() == "Your answer: neither"
        page.locator(".dtb-table [role=button]").first.press(" ")
        assert said.inner_text() == "Your answer: b"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert said.inner_text() == "Your answer: both"
        answer = right_answer(page, "reduced", 9)
        for name in "bc":
            if name not in answer.replace("both", "bc"):
                page.get_by_role("button", name=f"Prune {name}").click()
        page.get_by_role("button", name="Check").click()
        assert f"The answer is {answer}." in page.locator(".dtb-reply").inner_text()
        assert page.complaints == []


def test_the_cases_that_a_leaf_gets_wrong_are_pressed_and_counted(visit, at):
    with visit("practice") as page:
        at(page, "kind=validation&seed=9&form=complete")
        field, cases = page.locator(".dtb-gaps input"), page.locator(".dtb-table .dtb-flies")
        made = page.evaluate(f"() => ({bundle('exercise')}).exercise('validation', 9)")
        leaves = made["data"]["leaves"]
        sizes = [sum(leaf["apart"]) for leaf in leaves]
        assert cases.count() == sum(sizes)
        cases.first.click()  # of a leaf that is done
        assert field.input_value() == ""
        for leaf in (1, 2):
            train, apart = leaves[leaf]["train"], leaves[leaf]["apart"]
            first, right = sum(sizes[:leaf]), train.index(max(train))
            for n in range(sizes[leaf]):
                if (n >= apart[0]) != right:
                    cases.nth(first + n).press("Enter")
            if not field.input_value():
                field.fill("0")
            assert float(field.input_value()) == made["steps"][leaf]["value"]
            page.get_by_role("button", name="Check").click()
            assert page.locator(".dtb-reply").inner_text() == "Right."
        assert page.complaints == []


@sometimes
def test_a_first_wrong_height_is_too_low_and_a_second_shows_the_right_one(visit, at):
    with visit("practice") as page:
        at(page, "kind=link&seed=3&form=complete")
        told, dashed = page.locator(".dtb-reply"), page.locator(".dtb-table path[stroke-width='3']")
        for number, is_seen in (("0.1", 0), ("0.2", 1)):
            page.locator(".dtb-gaps input").fill(number)
            page.get_by_role("button", name="Check").click()
            assert f"{number} is too small." in told.inner_text()
            assert ("Dashed is" in told.inner_text()) == bool(is_seen)
            assert dashed.count() == is_seen


@sometimes
def test_a_ratio_is_pulled_and_what_lies_below_the_average_gain_is_pale(visit, at):
    with visit("practice") as page:
        at(page, "kind=ratio&seed=9&form=complete")
        made = page.evaluate(f"() => ({bundle('exercise')}).exercise('ratio', 9)")
        average = made["steps"][0]["value"]
        pale = page.locator(".dtb-table g[opacity='0.4']")
        assert pale.count() == sum(gain < average for gain in made["gains"])
        page.locator(".dtb-table [role=slider]").press("Home")
        assert page.locator(".dtb-gaps input").input_value() == "0"
        while page.locator(".dtb-gaps input:not([type=radio])").count():
            page.get_by_role("button", name="Show it").click()
        page.get_by_role("button", name="Show it").click()
        assert page.locator(".dtb-table .dtb-one").count() == 1
        assert page.complaints == []


def test_the_keyboard_is_soon_at_the_first_line(visit, at):
    with visit("practice") as page:
        at(page, "kind=link&seed=3&form=wrong")
        line = page.locator(".dtb-suspect").first
        for key in ("Tab", "Enter", "Tab", "Tab"):  # the link that skips the menus, the seed
            page.keyboard.press(key)
        assert line.evaluate("line => line === document.activeElement")


@sometimes
def test_a_kind_that_is_asked_for_comes_at_once_and_does_not_pile_up(visit, at):
    with visit("practice") as page:
        at(page, "kind=link&seed=3&form=wrong")
        before = page.locator(".dtb-today li").count()
        for kind in ("Gini of two piles", "A vote of trees", "Gain", "A round of boosting"):
            page.get_by_role("button", name=f"{kind}: new").click()
            assert page.locator(".dtb-kind").inner_text() == kind
        assert page.locator(".dtb-today li").count() == before + 1
        assert page.locator(".dtb-today li", has_text=re.compile("^Gain$")).count() == 1


def test_every_kind_is_completed_and_every_wrong_line_found(visit, at):
    with visit("practice") as page:
        kinds = page.evaluate(f"() => Object.keys(({bundle('exercise')}).KINDS)")
        for kind in random.Random(SEED).sample(kinds, at_tier(quick=1, full=6)):
            at(page, f"kind={kind}&seed=8&form=complete")
            while (show := page.get_by_role("button", name="Show it")).count():
                show.press("Enter")
            assert "Done." in page.locator(".dtb-reply:focus").inner_text()
            at(page, f"kind={kind}&seed=8&form=wrong")
            for line in page.locator(".dtb-suspect").all():
                if line.is_enabled():
                    line.press("Enter")
            assert page.locator(".dtb-found").count() == 1
            assert "The right line" in page.locator(".dtb-reply").inner_text()
        assert page.complaints == []


@sometimes
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
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Delete").click()
        assert page.evaluate(STORED) is None
        page.get_by_label("A file of answers").set_input_files(tmp_path / "mine.json")
        page.get_by_text("1 new.").wait_for()
        (tmp_path / "other.json").write_text('{"answers": []}')
        page.get_by_label("A file of answers").set_input_files(tmp_path / "other.json")
        page.get_by_text("This is no file of answers").wait_for()
        assert page.complaints == []


@sometimes
def test_without_storage_it_works_and_keeps_nothing(visit, at):
    with visit("practice") as page:
        page.add_init_script(CLOSED)
        at(page, "kind=vote&seed=1&form=solve")
        page.get_by_role("button", name="Show the solution").click()
        assert "Kept until you leave this page: 1 answer." in page.locator(".dtb-kept").inner_text()
        assert page.get_by_label("This browser keeps nothing").is_disabled()


@sometimes
@pytest.mark.parametrize("theme", sample(["light", "dark"], quick=1))
def test_it_is_accessible_and_fits_a_phone(visit, at, theme):
    with visit("practice", viewport={"width": 390, "height": 844}, color_scheme=theme) as page:
        for asked in ("groups&form=solve", "groups&form=complete", "groups&form=wrong",
                      "surprise&form=complete"):  # fmt: skip
            at(page, f"kind={asked}&seed=2")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            # What goes on with the exercise is always within reach of a thumb.
            foot = page.locator("form:not([inert]) .dtb-row, .dtb-foot").first.bounding_box()
            assert foot["y"] + foot["height"] <= 844
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


def test_a_question_offers_another_one_and_nothing_is_loaded_before(visit):
    with visit("id3") as page:
        assert not [url for url in page.asked if "_static/practice" in url]
        question = page.locator(".dtb-question", has_text="Why is the gain of house larger?")
        question.get_by_role("button", name="Another one like this").press("Enter")
        question.get_by_role("button", name="Check").wait_for()
        assert question.locator(".dtb-kind").inner_text() == "The best first question"
        question.get_by_role("button", name="Another one like this").click()
        assert question.locator(".dtb-exercise").count() == 1
        assert page.complaints == []


def test_a_page_shows_what_one_has_done_on_it_and_practice_knows_it(visit):
    with visit("id3") as page:
        said = page.locator(".dtb-reading-time")
        first, other = page.locator(".dtb-question").all()[:2]
        wrong = first.locator("details", has_text="No.").first
        wrong.locator("summary").press("Enter")
        first.locator("details", has_text="Right.").locator("summary").click()
        # The first answer counts.
        page.get_by_text(re.compile("1 of .* answered, 0 right at once")).wait_for()
        assert page.evaluate(STORED) is None
        said.get_by_role("button", name="Keep this in my browser").press("Enter")
        other.locator("details", has_text="Right.").locator("summary").click()
        page.get_by_text(re.compile("2 of .* answered, 1 right at once")).wait_for()
        page.reload()
        page.get_by_text(re.compile("2 of .* answered, 1 right at once")).wait_for()
        assert said.get_by_role("button").count() == 0
        assert page.locator(".dtb-got").count() == page.locator(".dtb-missed").count() == 1
        assert page.complaints == []  # axe adds some of its own
        assert Axe().run(page, MARKED).response["violations"] == []
        page.goto(page.url.replace("id3.html", "practice.html"))
        if page.evaluate(STORED) is None:
            page.reload()  # a busy Chromium gives what is stored to a page's new process late
        assert "Kept in this browser only: 2 answers." in page.locator(".dtb-kept").inner_text()
        page.get_by_role("button", name="See").click()
        assert "id3, " in page.locator(".dtb-seen").inner_text()


@sometimes
def test_a_guess_is_remembered_with_the_questions(visit):
    with visit("asking_good_questions") as page:
        guess = page.locator(".dtb-guess").first
        guess.get_by_role("slider").press("End")
        guess.get_by_role("button", name="That is my guess").click()
        page.get_by_text(re.compile("1 of .* answered")).wait_for()
        assert page.complaints == []


# A reader practises twice a day for 30 days, in a browser whose store is a map, and answers some
# questions of pages. Now and then a second tab is open, or all is exported, deleted and imported.
SESSIONS = """seed => {
  const { standing, sitting, fromText, asText, merged, opened, KINDS } = engine;
  const kinds = Object.keys(KINDS), partOf = kind => KINDS[kind].part;
  const texts = new Map();
  const store = { getItem: name => texts.get(name) ?? null, setItem: (name, text) =>
    texts.set(name, text), removeItem: name => texts.delete(name), length: 0 };
  Object.defineProperty(globalThis, "localStorage", { value: store, configurable: true });
  const visit = () => { delete globalThis.dtreebookMemory; return opened(); };
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  visit().keep(true);
  const told = { sessions: [], given: 0, found: 0, same: true, waited: 0 };
  const waiting = new Map();
  for (let session = 0; session < 60; session++) {
    let now = (session / 2) * 86400000, memory = visit(), seeds = 0;
    told.found += memory.answers.length === told.given;
    const answer = (more, tab = memory) => {
      told.given += 1;
      const right = chance() < 0.75;
      tab.add({ right, at: (now += 1000), ...more });
      return right;
    };
    const due = kinds.filter(kind => standing(memory.answers, kind, now).isDue);
    const plan = sitting(memory.answers, kinds, partOf, now);
    told.sessions.push({ due, plan: plan.map(({ kind }) => kind) });
    for (const kind of due) waiting.set(kind, (waiting.get(kind) ?? 0) + 1);
    for (const { kind } of plan) {
      told.waited = Math.max(told.waited, waiting.get(kind) ?? 0);
      waiting.delete(kind);
    }
    while (plan.length) {
      const { kind, form } = plan.shift();
      if (!answer({ kind, form, seed: seeds++ })) plan.push({ kind, form: "complete" });
    }
    answer({ page: "id3", asked: `question ${session}`, kind: kinds[session % kinds.length] });
    if (session % 5 === 4) {
      const other = visit();
      answer({ page: "c45", asked: `guess ${session}` }, other);
      answer({ kind: kinds[0], form: "solve", seed: 0 });
      memory = visit();
    }
    if (session % 7 === 6) {
      const before = memory.answers, text = asText(before);
      memory.replace([]);
      memory.keep(false);
      told.same &&= visit().answers.length === 0 && texts.size === 0;
      memory = visit();
      memory.replace(merged(memory.answers, fromText(text)));
      memory.keep(true);
      told.same &&= asText(memory.answers) === text;
      told.same &&= asText(merged(before.slice(3), before)) === text;
      told.same &&= merged(before, fromText(text)).length === before.length;
    }
  }
  told.found += visit().answers.length === told.given;
  return told;
}"""


def test_in_sixty_sessions_what_is_due_comes_and_nothing_is_lost(engine):
    page = engine("memory", "schedule", "exercise")
    for reader in range(2):
        told = page.evaluate(SESSIONS, SEED + reader + 1)
        # All that was answered is there at each visit, also after another tab and an import.
        assert told["found"] == 61
        assert told["same"]
        for session in told["sessions"]:
            due, plan = set(session["due"]), set(session["plan"])
            assert len(plan) == 7
            # Of what is due as much comes as a sitting holds.
            assert len(due & plan) == min(7, len(due))
        assert told["waited"] <= 4
        assert {kind for session in told["sessions"] for kind in session["plan"]} == set(
            page.evaluate("Object.keys(engine.KINDS)")
        )


def test_a_kind_is_sure_after_four_right_answers_and_what_is_due_longest_comes_first(engine):
    page = engine("schedule")
    levels = """() => [0, 1, 4, 11, 27, 62, 97].map((_, n, days) => engine.standing(
      days.slice(0, n).map(day => ({ kind: "gain", right: true, at: day * 86400000 })),
      "gain", 0)).map(({ level, days }) => [level, days])"""
    known = [[0, 0], [1, 1], [2, 3], [2, 7], [3, 16], [3, 35], [3, 35]]
    assert page.evaluate(levels) == known
    longest = """() => engine.sitting(["late", "long"].map((kind, i) => ({ kind, right: true,
      at: -i })), ["late", "long"], kind => kind, 9 * 86400000).map(({ kind }) => kind)"""
    assert page.evaluate(longest) == ["long", "late"]
