"""Explorables that compute: by hand and by keyboard they say what the package says.

They are opened alone, without the book around them and without any network. With `make test` some
are opened, drawn at random, and those whose script was changed; otherwise all.
"""

import gzip
import inspect
import itertools
import math
import re
import textwrap
from contextlib import contextmanager

import light_pages
import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import ROOT, listened, sample
from explorables import LIVE
from in_page import lines
from nbval.plugin import get_sanitize_patterns
from playwright.sync_api import expect
from sklearn.datasets import load_iris
from tiers import SEED

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, measures
from dtreebook.datasets import load_golf, load_loan, load_tennis
from dtreebook.prune.cost_complexity import prune_at
from dtreebook.prune.crossvalidation import cp_table
from dtreebook.prune.error_based import error_based
from dtreebook.tree.text import branch_words
from twentyquestions import explorables
from twentyquestions.explorables import draw
from twentyquestions.live import ASLEEP, COMPUTING, KINDS, STATEMENT, asleep, bundle, modules

LOAN, TENNIS, GOLF = (load(return_X_y=True) for load in (load_loan, load_tennis, load_golf))
every_one = pytest.mark.parametrize("kind", sample(LIVE, quick=2))
TRIED = sample(LIVE, quick=5)


def of(kind):
    return (lambda test: test) if kind in TRIED else pytest.mark.slow


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
ALONE = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>one</title><style>body{{margin:8px;font:16px/1.6 sans-serif}}
.dark{{background:#121212;color:#ced6dd;--pst-color-background:#121212}}
*{{box-sizing:border-box}}</style><main>{}</main></html>"""


@pytest.fixture(scope="module")
def show(chromium):
    """A function that opens an explorable on a page of its own, past its guess or before it."""

    @contextmanager
    def opened(kind, through=True, live=None, **settings):
        size = {"viewport": {"width": 760, "height": 900}}
        with listened(chromium, **size | settings) as page:
            page.context.set_offline(True)
            page.live = live or LIVE[kind]
            page.set_content(ALONE.format(page.live.html))
            if through and page.live.guess:
                press(page, "Just show me")
            page.wait_for_timeout(50)
            yield page
            assert page.complaints == []

    return opened


def sentence(page):
    return page.locator(".dtb-said").text_content()


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def press(page, *names):
    for name in names:
        page.get_by_role("button", name=name).first.press("Enter")


def keys(knob, *pressed):
    for key in pressed:
        knob.press(key)


def check(page, name):
    page.get_by_label(name, exact=True).check()


def sliders(page):
    return page.get_by_role("slider")


def set_range(page, place, value):
    page.locator("input[type=range]").nth(place).fill(str(value))


def middle(knob):
    box = knob.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, knob, by):
    knob.scroll_into_view_if_needed()
    move(page, middle(knob), [at + way for at, way in zip(middle(knob), by, strict=True)])


def move(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*(np.add(start, end) / 2))
    page.mouse.move(*end)
    page.mouse.up()


def by_finger(page, start, by):
    hand = page.context.new_cdp_session(page)
    for way, event in (0, "touchStart"), (0.5, "touchMove"), (1, "touchMove"), (1, "touchEnd"):
        x, y = np.add(start, way * np.array(by)).tolist()
        points = [{"x": x, "y": y}] if event != "touchEnd" else []
        hand.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": points})


COUNTING = ["plane", "partition", "boost", "standin", "threshold", "huffman", "questions", "price"]
COUNTING += ["walk, id3_examples"]


@pytest.mark.parametrize("kind", sample(COUNTING, quick=3))
def test_a_number_lights_what_it_counts_by_mouse_and_keyboard(show, kind):
    with show(kind) as page:
        lit = page.locator(".dtb-counted")
        said = page.locator(".dtb-number")
        said.first.focus()
        for number in said.all():
            words = number.text_content()
            if re.match(r"\d+ ", words):
                assert lit.count() == int(words.split()[0])
            assert number.get_attribute("aria-pressed") == "true"
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        assert lit.count() == 0
        said.first.click()
        assert lit.count() > 0
        said.first.click()
        assert lit.count() == 0


# --- all of them ----------------------------------------------------------------------------------


@every_one
def test_without_scripts_there_is_a_sentence_and_the_answer_folded(show, kind):
    with show(kind, through=False, java_script_enabled=False) as page:
        view = page.locator("div[data-still]").last
        assert view.locator("p").first.is_visible()
        assert page.get_by_role("img").count() == view.locator("figure").count()
        if guess := page.live.guess:
            answer = page.get_by_text(guess["because"])
            assert not answer.is_visible()
            page.get_by_text("The answer").click()
            assert answer.is_visible()


PATHS = "all => all.map(one => one.getAttribute('d')).join('')"
SEEN = "all => all.map(one => one.checkVisibility({visibilityProperty: true}))"

# What the picture says once the guess was made, with what is told of its answer.
SHOWS = {
    "chance": (r"it is ([\d.]+) bits", "the entropy, is {} bits."),
    "huffman": (r"costs ([\d.]+) questions", "cost {} questions"),
    "mosaic": (r"is ([\d.]+) bits", "holds {} bits"),
    "walk, c45": (r"asks about (\w+)", "C4.5 would ask {}."),
    "threshold": (r"gains ([\d.]+) bits", "The cut gains {} bits."),
    "pour": (r"into (\d+) parts", "ends in {} leaves"),
    "estimate": (r"expects ([\d.]+) errors", "With caution that is {} and"),
    "bags": (r"impurity by ([\d.]+)", "The best cut of the row lowers it by {}"),
    "standin": (r"sepal width (\d+)", "{} of 150 flowers go the same way"),
    "staircase": (r"off by ([\d.]+) ", "it is off by {};"),
    "price": (r"with (\d+) leaves", "{} of 73 leaves remain"),
    "partition": (r" by ([\d.]+), before", "lowers the Gini impurity by {}."),
    "boost": (r"After (\d+) ", "After {} trees the sum is wrong about"),
    "votes": (r"(the vote)", "people {} gets"),
    "trace": (r"(It is) the last line", ". {} wrong for"),
}


@every_one
def test_a_guess_hides_what_answers_it_alone_and_then_the_picture_answers(show, kind):
    with show(kind, through=False) as page:
        guess = page.live.guess
        assert page.locator(".dtb-asking").count() == bool(guess)
        if guess is None:
            return
        secrets = page.locator(".dtb-secret")
        for media in ("print", "screen"):
            page.emulate_media(media=media)
            assert page.get_by_text(guess["question"]).is_visible()
            assert page.locator(".dtb-line").is_visible() == (media == "print")
            assert page.locator(".dtb-stage").first.is_visible() or kind == "ask"
            assert set(secrets.evaluate_all(SEEN)) == {False}
            seen = page.locator("main").inner_text()
            assert guess["because"] not in seen
            if kind != "ask":
                answer, says = SHOWS[kind]
                assert says.format(re.search(answer, guess["because"])[1]) not in seen
        if "options" in guess:
            right = guess["options"][guess["answer"]]
            page.get_by_role("button", name=right, exact=True).click()
            wanted = "That is right."
        else:
            ready = page.get_by_role("button", name="That is my guess")
            assert ready.is_disabled()  # nothing was guessed
            keys(page.locator(".dtb-guess [role=slider]"), "End")
            ready.press("Enter")
            wanted = f"You are {guess['ends'][1] - guess['answer']:.2g} off."
        told = page.locator(".dtb-replied").inner_text()
        assert guess["because"] in told
        assert wanted in told
        if kind != "ask":
            assert says.format(re.search(answer, guess["because"])[1]) in sentence(page)
            assert set(secrets.evaluate_all(SEEN)) == {True}


@pytest.mark.parametrize("kind", sample(sorted(SHOWS), quick=2))
def test_a_picture_moves_before_the_guess(show, kind):
    with show(kind, through=False) as page:
        looks = {page.locator(".dtb-play").inner_html()}
        moves = page.locator(".dtb-play :is([role=slider], button, .dtb-pick)")
        for one in [one for one in moves.all() if one.is_visible()][:3]:
            one.press("Enter")
            one.press("ArrowUp")
            looks.add(page.locator(".dtb-play").inner_html())
        assert len(looks) > 1
        assert page.locator(".dtb-asking").count()


@every_one
def test_everybody_can_use_it_on_a_phone_in_light_and_dark(show, kind):
    with show(kind, **PHONE) as page:
        if kind != "laboratory":  # words are whole
            assert not page.locator("svg text", has_text="…").count()
        tabs = page.locator(".dtb-tabs button").all()
        for theme, tab in itertools.product(("", "dark"), tabs or [None]):
            page.evaluate("theme => document.body.className = theme", theme)
            if tab:  # the tabs lie over what is not scrolled to yet: the page is seen as a whole
                tab.click()
                height = page.evaluate("document.scrollingElement.scrollHeight")
                page.set_viewport_size({"width": 360, "height": height})
            assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
            report = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
            assert report.violations_count == 0, report.generate_report()


@every_one
def test_tab_comes_to_everything_and_leaves_again(show, kind):
    with show(kind) as page:
        if kind == "laboratory":
            page.get_by_label("A table of the book").select_option("golf")
        if page.locator(".dtb-story").count():
            press(page, "Now you")
            page.locator("main").evaluate("all => ((all.tabIndex = -1), all.focus())")
        # What is drawn anew on the way is known by its name.
        wanted = page.locator(".dtb-play").evaluate(
            """play => (window.stops = new Map([...play.querySelectorAll(
              "button, select, textarea, input:not([type=radio]), a[href], [tabindex='0']"
            )].filter(one => !one.disabled && one.checkVisibility({visibilityProperty: true}))
              .map((one, i) => [one.ariaLabel || one.textContent || i, one.dataset.stop = `${i}`])
            ), play.querySelectorAll("[data-stop]").length)"""
        )
        page.evaluate("document.activeElement.blur()")
        seen = set()
        for _ in range(wanted + 60):
            page.keyboard.press("Tab")
            seen.add(
                page.evaluate(
                    """() => { const now = document.activeElement;
                      return now.dataset.stop ?? stops.get(now.ariaLabel || now.textContent) }"""
                )
            )
            if page.evaluate("document.activeElement === document.body") and None in seen:
                break
        assert seen - {None} == {str(i) for i in range(wanted)}


FINGER = ["threshold", "partition", "chance", "mosaic", "standin", "staircase", "plane", "price"]
FINGER += ["trace"]


@pytest.mark.parametrize("kind", sample(FINGER, quick=2))
def test_a_finger_drags_as_a_mouse_does(show, kind):
    with show(kind, **PHONE) as page:
        place = 30 if kind == "staircase" else 0
        grip = page.locator(".dtb-ground" if kind == "plane" else ".dtb-grip").nth(place)
        grip.scroll_into_view_if_needed()
        before, top = page.locator(".dtb-play").inner_html(), page.evaluate("scrollY")
        box, (x, y) = grip.bounding_box(), middle(grip)
        if kind == "plane":
            across, up, _ = page.live.data["points"][0]
            x, y = box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"]
        by_finger(page, (x, y), (50, -40))
        assert page.locator(".dtb-play").inner_html() != before
        assert page.evaluate("scrollY") == top


def test_a_finger_carries_what_it_begins_on(show):
    with show("huffman", **PHONE, reduced_motion="reduce") as page:
        place = page.get_by_role("button", name=re.compile("^(dog|hen), "))
        place.first.scroll_into_view_if_needed()
        one, other = map(middle, place.all())
        by_finger(page, one, np.subtract(other, one))
        expect(page.locator(".dtb-said")).to_contain_text("4 piles are left")


def test_who_wants_less_motion_gets_none(show):
    duration = "dot => getComputedStyle(dot).transitionDuration"
    for motion, wanted in (("reduce", "0s"), ("no-preference", "0.6s")):
        with show("walk, id3_examples", reduced_motion=motion) as page:
            assert page.locator(".dtb-moves").first.evaluate(duration) == wanted


# The laboratory brings its tables; these two pictures the 5,000 new people, on one plane or on two,
# whom the tables of their pages count as well.
LARGE = {"laboratory": 400_000, "boost": 120_000, "votes": 240_000}


def test_each_asks_nobody_leaves_nothing_behind_and_all_weigh_little():
    for kind in sample(LIVE, quick=6):
        html = LIVE[kind].html
        assert not re.search(r"https?://(?!www\.w3\.org/)|fetch\(|localStorage|import\(", html)
        assert len(asleep(html).encode()) <= LARGE.get(kind, 100_000), kind
    check_size(light_pages.shortened(bundle(*COMPUTING, "guess", "diagram", "csv")), 18_500)


def test_no_name_of_a_module_hides_one_of_the_browser(chromium):
    statement = re.compile(r"^(?:export )?(?:async )?(?:function|const) (\w+)", re.MULTILINE)
    for started in [*light_pages.STARTED.values(), COMPUTING]:
        names = statement.findall("".join(modules(*started).values()))
        # Of a statement only the first name is known, by which it is kept or left out.
        for part in STATEMENT.split("".join(modules(*started).values())):
            assert not re.match(r"(export )?const [^;]*,\n  (/\*.*\*/ )?\w+ = ", part)
        page = chromium.new_page()
        assert page.evaluate("names => names.filter(name => name in window)", names) == []
        page.close()


def check_size(script, most):
    if light_pages.minify:
        assert len(gzip.compress(script.encode(), 9)) <= most


def test_every_kind_has_a_page_and_pages_load_one_engine_for_all(site):
    for page in site.glob("*.html"):
        text = page.read_text("utf-8")
        kinds = re.findall(r'<section [^<>]*data-live="(\w+)"', text)
        script = "laboratory" if "laboratory" in kinds else "explorables"
        assert len(re.findall(r'src="_static/(?:laboratory|explorables)\.js', text)) == bool(kinds)
        assert bool(kinds) == (f'src="_static/{script}.js' in text)
        assert ASLEEP not in text
    assert {live.kind for live in LIVE.values()} == set(KINDS)
    for script, most in ("explorables", 50_000), ("laboratory", 38_000):
        check_size((site / f"_static/{script}.js").read_text("utf-8"), most)


def test_another_script_or_style_changes_no_stored_output_and_another_number_does():
    rules = get_sanitize_patterns((ROOT / "book/nbval_sanitize.cfg").read_text("utf-8"))
    live = LIVE["threshold"]

    def stored(html):
        for pattern, mark in rules:
            html = re.sub(pattern, mark, html)
        return html

    changed = live.html.replace("dtb-play", "dtb-other").replace("const ", "let ")
    assert changed != live.html
    assert stored(changed) == stored(live.html) == stored(live.output)
    assert asleep(live.html) == live.output
    assert stored(live.html.replace('"values":[85', '"values":[86')) != stored(live.html)


# --- one by one -----------------------------------------------------------------------------------


@of("threshold")
def test_a_cut_gains_what_the_package_says(show):
    values, classes = GOLF[0]["humidity"], GOLF[1]
    known = sorted(set(values))[:-1]
    gains = [float(measures.information_gain(pd.crosstab(values <= v, classes))) for v in known]
    with show("threshold") as page:
        knob = page.get_by_role("slider", name="Cut of humidity")
        knob.press("Home")
        for place, (value, gain) in enumerate(zip(known, gains, strict=True)):
            assert sentence(page).startswith(f"Up to {value:g}: ")
            assert f"The cut gains {gain:.3f} bits." in sentence(page)
            assert knob.get_attribute("aria-valuenow") == str(place)
            knob.press("ArrowRight")
        drawn = page.get_by_label("The cases by humidity").text_content()
        assert f"★ {max(gains):.3f}" in drawn
        check(page, "no side too small")
        assert "It leaves one side too small." in sentence(page)
        check(page, "pay for trying many cuts")
        open_cuts = [v for v in known if min((values <= v).sum(), (values > v).sum()) >= 2]
        assert f"{np.log2(len(open_cuts)) / 14:.3f} less for having tried" in sentence(page)
        drag(page, knob, (-2000, 0))
        assert knob.evaluate("knob => knob.matches(':focus:not(:focus-visible)')")
        assert sentence(page).startswith(f"Up to {known[0]:g}: ")
        press(page, "Try the next cut")
        assert sentence(page).startswith(f"Up to {known[1]:g}: ")


@of("chance")
def test_chances_have_the_entropy_of_the_package(show):
    rng = np.random.default_rng(SEED)
    with show("chance") as page:
        for _ in range(32):
            knob = sliders(page).nth(int(rng.integers(sliders(page).count())))
            knob.press(str(rng.choice(["ArrowRight", "PageDown", "PageUp", "ArrowLeft"])))
            told = [knob.get_attribute("aria-valuetext") for knob in sliders(page).all()]
            chances = [float(words.split()[-1]) for words in told]
            chances.append(round(1 - sum(chances), 2))
            shown = page.locator("svg text", has_text=re.compile(r"^\d+%$"))
            wanted = [f"{100 * chance:.0f}%" for chance in chances if chance]
            assert shown.all_text_contents() == wanted
            assert len(chances) == 5
            assert f"is {measures.entropy(chances):.3f} bits" in sentence(page)
        press(page, "Make all equal", *["Toss it"] * 3)
        assert "60 tosses surprised by 2.322 bits on average." in sentence(page)
        keys(sliders(page).first, "PageUp")
        assert "tosses" not in sentence(page)
        press(page, *["Toss it"] * 40)
        bits = re.search(r"is ([\d.]+) bits.* by ([\d.]+) bits on average", sentence(page))
        assert float(bits[2]) == pytest.approx(float(bits[1]), abs=0.1)


@of("mosaic")
def test_a_mosaic_tells_what_the_package_says(show):
    rng = np.random.default_rng(SEED)

    def shown():
        told = [knob.get_attribute("aria-valuetext") for knob in sliders(page).all()[1:]]
        rain = [[float(number) for number in numbers(words)] for words in told]
        return np.array([[first, of - first] for first, of in rain])

    with show("mosaic") as page:
        for _ in range(25):
            knob = sliders(page).nth(int(rng.integers(3)))
            knob.press(str(rng.choice(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "End"])))
            assert shown().sum() == 40
            told = measures.mutual_information(shown()) + 0.0
            assert f"holds {told:.3f} bits about" in sentence(page)
        drag(page, sliders(page).first, (-2000, 0))
        assert shown()[0].tolist() == [0, 0]
        press(page, "Start again")  # as it was first seen
        assert "right on 28 of 40 days" in sentence(page)
        for days in range(1, 7):
            press(page, "Two more days right")
            told = measures.mutual_information(shown())
            goal = f"Half a bit is reached, with {2 * days} days changed."
            assert (goal in sentence(page)) == (told >= 0.5)
        assert "holds 1.000 bits" in sentence(page)


@of("walk, id3_examples")
def test_a_tree_by_asking_is_judged_as_id3_would(show):
    X, y = TENNIS
    model = ID3Classifier().fit(X, y)
    root, picks = model.decisions(X, y)[0], ".dtb-pick"
    gains = {X.columns[c.split.column]: c.score for c in root.candidates}
    with show("walk, id3_examples") as page:
        press(page, "Ask humidity?")
        page.locator(picks).first.press("Enter")
        told = f"Asking about humidity gains {gains['humidity']:.3f} bits; "
        told += f"ID3 would ask about outlook, {gains['outlook']:.3f}."
        assert told in sentence(page)
        assert page.locator(".dtb-moves").count() == 14
        press(page, "Let ID3 do the rest")
        assert "Your tree is done: " in sentence(page)
        press(page, "Start again", "Let ID3 do the rest")
        assert sentence(page).count(f"{model.get_n_leaves()} leaves") == 2
        page.locator(picks).first.click()
        press(page, "outlook?")  # pressed again it is taken back
        assert "Your tree so far: 1 leaf" in sentence(page)


@of("walk, index")
def test_scrolling_asks_and_so_do_keys(show):
    X, y = LOAN
    steps = ID3Classifier().fit(X, y).decisions(X, y)
    asked = [X.columns[step.chosen.split.column] for step in steps if step.chosen]
    told = [f" about {name} gains" for name in asked]
    with show("walk, index", viewport={"width": 1280, "height": 700}) as page:
        items = page.locator(".dtb-story > li")
        assert items.count() == len(asked) + 3  # everybody, a poor question, and the reader's own
        for item, words in zip(items.all()[2:], told, strict=False):
            item.evaluate("item => item.scrollIntoView({block: 'center'})")
            expect(page.locator(".dtb-said")).to_contain_text(words)
        # What is pressed before its step has come stays under the finger.
        assert page.locator(".dtb-question").first.evaluate(
            """card => card.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}))
                 && card.isConnected"""
        )
        expect(items.last).to_have_attribute("aria-current", "step")
        for item, words in zip(items.all()[2:], told, strict=False):
            item.get_by_role("button").first.press("Enter")
            assert words in sentence(page)
        picture = page.locator(".dtb-stage").first.bounding_box()
        assert 0 <= picture["y"] <= 700 - picture["height"]  # it stays in sight
        items.last.get_by_role("button").first.press("Enter")
        assert "Your tree so far: 1 leaf" in sentence(page)
        press(page, "Let ID3 do the rest")
        assert "Your tree is done" in sentence(page)


@of("walk, c45")
def test_gain_ratio_and_c45_are_those_of_the_package(show):
    X, y = LOAN
    by_gain, by_ratio = (
        X.columns[model.decisions(X, y)[0].chosen.split.column]
        for model in (ID3Classifier(), C45Classifier())
    )
    with show("walk, c45") as page:
        # Where C4.5 asks nothing, a seat stays empty, and its one leaf counts as one.
        expect(page.get_by_text("C4.5: 1 leaf")).to_be_visible()
        fair = X.credit == "fair"
        has = {name: " + ".join(map(str, X[name][fair].value_counts())) for name in X}
        expect(page.get_by_text("only 1 branch has 2 or more", exact=True)).to_have_count(1)
        expect(page.get_by_label("Gain ratios")).to_be_disabled()  # and it is said why
        expect(page.get_by_text("none, no question is allowed")).to_be_visible()
        for name in ("age", "work", "house"):
            expect(page.locator(".dtb-question", has_text=f"{name}?")).to_contain_text(has[name])
        press(page, "Let C4.5 do the rest")
        piles = [(X[pile], y[pile]) for level in set(X.credit) for pile in [X.credit == level]]
        rest = [C45Classifier(confidence=None).fit(*pile) for pile in piles]
        leaves = sum(model.get_n_leaves() for model in rest)
        errors = sum(
            (model.predict(A) != b).sum() for model, (A, b) in zip(rest, piles, strict=True)
        )
        assert f"Your tree is done: {leaves} leaves, {errors} errors." in sentence(page)
        press(page, "Start again")
        for name in X:
            press(page, f"Ask {name}?")
            page.locator(".dtb-pick").first.click()
            page.get_by_label("Gain ratios").set_checked(True)
            ratio = float(measures.gain_ratio(pd.crosstab(X[name], y)))
            assert f"{ratio:.3f}" in page.get_by_label("What every question gains").text_content()
            agreed = "ask about it, too" if name == by_gain else f"ask about {by_gain}"
            assert f"ID3 would {agreed}" in sentence(page)
            assert f"C4.5 would ask about {by_ratio}." in sentence(page)
            if name == "credit":
                press(page, "credit fair", "Ask work?", "credit fair")
                assert "C4.5 would ask nothing." in sentence(page)
                press(page, "Let C4.5 do the rest")
                assert page.get_by_role("button", name="Let C4.5 do the rest").is_disabled()
                assert "Your tree is done: " in sentence(page)  # with a pile that it leaves mixed
            press(page, "Start again")


def check_plane(page, X, y, **options):
    """Compare what the page says of its tree on the plane with the tree of the package."""
    X_new, y_new = (part[2800:3200] for part in draw(5000, 2))
    model = CARTClassifier(**options).fit(X, y)
    wrong, new = (round(100 * (1 - model.score(*some)) + 1e-9) for some in ((X, y), (X_new, y_new)))
    said = sentence(page)
    assert f"has {model.get_n_leaves()} leaves and depth {model.get_depth()}." in said
    assert f"gets {wrong}% of its own {len(X)} people wrong" in said
    assert f"Of 400 new people it gets {new}% wrong" in said


@of("plane")
def test_a_tree_on_a_plane_is_that_of_the_package(show):
    X, y = draw(300, 1)
    with show("plane") as page:
        for step, depth in enumerate((0, 1, 2)):
            page.locator(".dtb-story button").nth(step).press("Enter")
            leaves = CARTClassifier(max_depth=depth).fit(X, y).get_n_leaves()
            assert f"has {leaves} lea" in sentence(page)
        press(page, "Now you")
        page.get_by_role("checkbox").check()
        check_plane(page, X, y)
        for place, depth in ((4, 4), (2, 2), (13, None)):
            set_range(page, 0, place)
            check_plane(page, X, y, max_depth=depth)
        set_range(page, 1, 9)
        check_plane(page, X, y, min_samples_leaf=9)
        set_range(page, 1, 1)
        ground = page.locator(".dtb-ground")
        keys(ground, "ArrowRight", "ArrowUp", "Enter")
        ground.blur()
        page.mouse.move(5, 5)
        ground.evaluate("ground => ground.dispatchEvent(new PointerEvent('pointerleave'))")
        one_more = pd.DataFrame([[0.52, 0.52]], columns=X.columns)
        check_plane(page, pd.concat([X, one_more], ignore_index=True), np.append(y, "no"))
        press(page, "Clear")
        assert "The tree has 1 leaf and depth 0." in sentence(page)
        assert "NaN" not in sentence(page)


@pytest.fixture
def two_points(show):
    """A plane with two points, and a function that says where a place of it is on the page."""
    X = pd.DataFrame({"a": [0.2, 0.8], "b": [0.5, 0.5]})
    live = explorables.points_on_a_plane(X, ["x", "y"], X, ["x", "y"])
    with show("plane", live=live) as page:
        ground = page.locator(".dtb-ground")
        press(page, "Now you")

        def at(a, b):
            ground.scroll_into_view_if_needed()
            box = ground.bounding_box()
            return box["x"] + a * box["width"], box["y"] + (1 - b) * box["height"]

        yield page, at


@of("plane")
def test_points_are_dragged_set_beside_others_and_removed(two_points):
    page, at = two_points
    for do, told in (
        (lambda: move(page, at(0.8, 0.5), at(0.4, 0.9)), "a ≤ 0.3: x"),  # half-way to 0.2
        (lambda: page.mouse.click(*at(0.4, 0.9)), "a ≤ 0.3: x"),
        (lambda: page.get_by_role("radio", name="removes").check(), ""),
        (lambda: page.mouse.click(*at(0.4, 0.9)), "Everywhere: x, 2 of 2 cases"),
        (lambda: page.mouse.click(*at(0.4, 0.9)), "1 of 1 case"),
    ):
        do()
        page.mouse.move(*at(0.25, 0.9))
        assert told in sentence(page)


@of("plane")
def test_points_are_taken_along_recoloured_and_removed_by_keyboard(two_points):
    page, at = two_points
    page.mouse.move(5, 5)
    ground = page.locator(".dtb-ground")
    keys(ground, "Shift+ArrowRight", "m", *4 * ["Shift+ArrowLeft"], "m")
    assert "a > 0.3: y, 1 of 1 case" in sentence(page)  # half-way between 0.2 and 0.4
    ground.press("c")
    assert "Everywhere: x, 2 of 2 cases" in sentence(page)
    page.mouse.move(*at(0.2, 0.5))
    page.mouse.down()  # one that is removed while it is dragged is gone
    keys(page.keyboard, "Delete", "Delete")
    page.mouse.move(*at(0.1, 0.9))
    page.mouse.up()
    assert "0 of 0 cases" in sentence(page)


@of("plane")
def test_a_node_that_is_pressed_is_a_leaf_and_its_regions_merge(show):
    tree = CARTClassifier().fit(*draw(300, 1)).tree_
    below = sum(node.is_leaf for path, node in tree.walk() if path[:1] == (0,))
    with show("plane") as page:
        regions = page.locator(".dtb-stage").first.locator("g").first.locator("rect")
        press(page, "Now you")
        page.locator(".dtb-stage").last.locator("[tabindex='0']").focus()
        for key, left in (
            ("ArrowDown", tree.n_leaves),
            ("Enter", tree.n_leaves - below + 1),
            ("Enter", tree.n_leaves),
        ):
            page.keyboard.press(key)
            assert regions.count() == left
        assert sentence(page).startswith(branch_words(tree, tree.root)[0].replace("<=", "≤"))
        keys(page.keyboard, "ArrowUp", " ")
        assert regions.count() == 1


@of("price")
def test_the_price_of_a_leaf_is_that_of_the_package(show):
    X, y = draw(300, 1)
    table = cp_table(CARTClassifier(), X, y, np.arange(300) % 10)
    full = CARTClassifier().fit(X, y).tree_
    root, least = full.risk[0] / 300, table["cv_error"].idxmin()
    with show("price") as page:
        plane = page.locator(".dtb-two .dtb-stage").first
        regions = plane.locator("g").first.locator("rect")
        assert regions.count() == 3  # as the guess asked
        keys(sliders(page), "Home")
        for row in table[::-1].itertuples():
            said = sentence(page)
            assert f", {row.n_leaves} of 73 leaves remain" in said
            assert regions.count() == row.n_leaves
            walls = plane.locator("g > path:not([d$=z])").evaluate_all(PATHS)
            assert walls.count("M") == row.n_leaves - 1  # and none of what has fallen
            drawn = page.get_by_label("Errors and leaves of each tree").text_content()
            told = row.relative_error, row.cv_error, row.cv_std, row.cp
            wrong, kept, spread, price = (300 * root * number for number in told)
            assert f"{wrong:g} errors +{row.n_leaves} lea" in drawn
            assert f" × {price:.3g} = {wrong + row.n_leaves * price:.3g}" in drawn
            assert f"people kept apart: {kept:g} ± {spread:.2g} errors" in drawn
            assert (row.Index == least) == ("error is least here" in said)
            alpha = float(re.match(r"At a price of ([\d.]+) errors? per leaf", said)[1]) / 300
            assert prune_at(full, alpha * 1.005 + 1e-9).tree.n_leaves == row.n_leaves
            if row.n_leaves > 1:
                press(page, "Cut the weakest link")
        keys(sliders(page), "ArrowLeft")
        assert regions.count() == 2
        keys(sliders(page), "Home")
        assert regions.count() == full.n_leaves
        page.locator("[aria-label^='income ≤ 0.595:']").press("Enter")  # a node falls at its price
        assert "At a price of 29 errors per leaf, 2 of" in sentence(page)
        assert not page.locator(".dtb-lit").count() - 2  # the block, and its region
        drag(page, sliders(page), (5000, 0))
        assert sliders(page).get_attribute("aria-valuenow") == "11"


@of("trace")
def test_a_function_is_played_line_by_line(show):
    right = {"-math.log2(p)": lambda p: -np.log2(p)}
    wrong = {"-math.log(p)": lambda p: -np.log(p), "1 / p": lambda p: 1 / p}
    chances = np.arange(1, 101) / 100
    with show("trace") as page:
        ran = page.get_by_label("The function, line by line").locator(":has(> .dtb-hill)")
        for words, gives in (wrong | {"-math.log10(p)": lambda p: -np.log10(p)} | right).items():
            keys(sliders(page), "Home")
            assert "At p = 0 it returns inf and should return inf bits." in sentence(page)
            assert ran.last.text_content() == "return math.inf→ inf"
            keys(sliders(page), "PageUp", "PageUp", "ArrowRight")
            assert ran.last.text_content() == f"return {words}→ {gives(0.11):.3f}"
            said = sentence(page)
            assert f"returns {gives(0.11):.3f} and should return {-np.log2(0.11):.3f} bits" in said
            astray = int(np.sum(np.round(gives(chances) + np.log2(chances), 4) != 0))
            found = f"wrong for {astray} of" if astray else "right for all"
            assert f"It is {found}" in said
            press(page, "Try another last line")


@of("trace")
def test_a_function_that_was_written_is_played_too(show):
    def surprise(p):
        if p < 0.5:
            raise ValueError
        return None if p == 1 else -math.log2(p)

    code = textwrap.dedent(inspect.getsource(surprise))
    with show("trace", through=False) as page:
        page.evaluate(
            "detail => document.dispatchEvent(new CustomEvent('dtb-tried', { detail }))",
            lines.played(surprise, code),
        )
        ran = page.get_by_label("The function, line by line").locator(":has(> .dtb-hill)")
        assert "At p = 0.5 it returns 1.000 and should return 1.000 bits." in sentence(page)
        keys(sliders(page), "Home", "PageUp", "PageUp")
        assert ran.all_text_contents()[-2:] == ["if p < 0.5:True", "raise ValueError→ ValueError"]
        assert "At p = 0.1 it returns ValueError and should return 3.322 bits." in sentence(page)
        assert "It is wrong for 51 of 101 values of p." in sentence(page)
        keys(sliders(page), "End")
        assert ran.last.text_content().endswith("→ None")


@of("partition")
@pytest.mark.parametrize(
    ("label", "criterion"), [("Gini", "gini"), ("information gain", "entropy")]
)
def test_where_one_cuts_best_the_package_cuts(show, label, criterion):
    X, y = draw(300, 1)
    with show("partition") as page:
        press(page, "Take it back")
        check(page, label)
        for leaves in range(2, 9):
            model = CARTClassifier(criterion=criterion, max_leaf_nodes=leaves).fit(X, y)
            press(page, "Cut the next region")
            said = sentence(page)
            astray = round(300 * (1 - model.score(X, y)))
            assert f"In {leaves} regions, {astray} people are" in said
        assert page.get_by_role("button", name="Cut the next region").is_disabled()


@of("partition")
def test_a_cut_that_is_dragged_lowers_what_the_package_says(show):
    X, y = draw(300, 1)
    impurities = dict(
        zip(
            ("Gini", "information gain", "errors"),
            (measures.gini, measures.entropy, measures.misclassification),
            strict=True,
        )
    )
    with show("partition") as page:
        for label, impurity in impurities.items():
            check(page, label)
            for knob, name, key in zip(sliders(page).all(), X, ("PageUp", "PageDown"), strict=True):
                keys(knob, key, key)
                words = rf"All 300 people: {name} ≤ ([\d.]+) lowers the [a-zA-Z ]+ by (0\.\d+)"
                cut, fall = map(float, re.match(words, sentence(page)).groups())
                table = pd.crosstab(X[name] <= cut, y)
                assert fall == round(float(measures.gain(table, impurity)), 4)
        press(page, "Take it back")
        assert "no cut here yet" in sentence(page)


@of("staircase")
def test_a_staircase_leaves_what_the_package_leaves(show):
    with show("staircase") as page:
        x, y, fresh = (np.array(page.live.data[name]) for name in ("x", "y", "fresh"))
        X, truth = pd.DataFrame({"x": x}), np.sin(x)
        page.get_by_label("show the true curve").check()
        deep = page.get_by_label("Depth", exact=True)
        deep.press("Home")
        for depth in range(7):
            model = CARTRegressor(max_depth=depth).fit(X, y)
            own, far, new = (((model.predict(X) - goal) ** 2).sum() for goal in (y, truth, fresh))
            assert f"a squared error of {own:.2f}." in sentence(page)
            assert f"From the true curve it is off by {far:.2f};" in sentence(page)
            assert f"on 60 new points it leaves {new:.2f}." in sentence(page)
            deep.press("ArrowRight")
        keys(deep, "Home", "ArrowRight")
        before = sentence(page)
        drag(page, page.locator(".dtb-grip").nth(30), (0, -60))
        assert sentence(page) != before
        press(page, "Reset points")
        assert sentence(page) == before
        press(page, "One question deeper")
        assert sentence(page).startswith("Depth 2: ")
        knob = sliders(page).first
        knob.press("ArrowUp")
        assert sentence(page) != before
        named = knob.get_attribute("aria-valuetext")
        knob.press("ArrowRight")
        assert knob.get_attribute("aria-valuetext") != named
        box = page.get_by_label("What each depth leaves").bounding_box()
        page.mouse.click(box["x"] + 6.5 / 7 * box["width"], box["y"] + box["height"] / 2)
        assert sentence(page).startswith("Depth 6: ")


@of("questions")
def test_twenty_questions_tell_the_bits_of_their_answers(show):
    def ask_for(some):
        for place in range(some):
            page.locator(".dtb-card:not(:disabled)").nth(place).press("Enter")
        press(page, "Is it one of these?")

    with show("questions") as page:
        left, history = 16, page.locator(".dtb-history > g")
        while left > 1:
            about = max(1, left // 3)
            assert page.locator(".dtb-card:not(:disabled)").count() == left
            ask_for(about)
            last = history.last.text_content()
            now = about if "? Yes" in last else left - about
            assert numbers(last) == [about, left, now, round(np.log2(left / now), 2)]
            left = now
            words = f"{left} things are left, {np.log2(left):.2f} bits are missing"
            assert left == 1 or words in sentence(page)
        assert f"found with {history.count()} question" in sentence(page)
        page.get_by_label("with bad luck").check()
        for half in (8, 4, 2, 1):
            ask_for(half)
        assert "found with 4 questions. Halving finds every one of 16 with 4." in sentence(page)


@of("votes")
def test_another_vote_keeps_the_tree_that_is_shown(show):
    with show("votes") as page:
        expect(sliders(page).first).to_have_attribute("aria-valuemax", "19")  # all have voted
        keys(sliders(page).first, "End")
        name, error = sliders(page).first.get_attribute("aria-valuetext").split(": ")
        assert page.locator("svg").get_by_text(error, exact=True).count()
        press(page, "Draw another")
        expect(page.locator(".dtb-said")).to_contain_text(f"than {name}.")


@of("votes")
def test_where_the_guess_says_the_vote_gains_it_gains_in_the_picture(show):
    with show("votes", viewport={"width": 390, "height": 844}) as page:
        expect(sliders(page).first).to_have_attribute("aria-valuemax", "19")  # all have voted
        told = re.findall(r"([\d.]+) (more|fewer) wrong where the truth has a \w+", sentence(page))
        gains = [float(by) * (1 if way == "fewer" else -1) for by, way in told]
        assert page.live.guess["answer"] == int(np.argmax(gains))
        corner, slope = page.locator("svg").get_by_text("The truth has").all()
        assert corner.bounding_box()["y"] < slope.bounding_box()["y"]  # below each other


@of("votes")
def test_before_they_vote_one_tree_follows_another(show):
    with show("votes", through=False) as page:
        for _ in range(3):
            before = re.search(r"tree \d+ gets", sentence(page))[0]
            press(page, "Draw another sample")
            expect(page.locator(".dtb-said")).not_to_contain_text(before)
        assert not page.locator("svg").get_by_text("their vote").count()


@of("boost")
def test_a_sum_of_stumps_leaves_what_those_of_the_package_leave(show):
    X, y = draw(300, 1)
    target = (y == "yes").astype(float)
    with show("boost") as page:
        for rate, label in (1, "all"), (0.5, "half"):
            check(page, label)
            total = np.full(300, target.mean())
            for trees in range(6):
                keys(sliders(page), "Home", *["ArrowRight"] * trees)
                large = int((abs(target - total) > 0.5).sum())
                assert f"wrong about {large} people, the long bars;" in sentence(page)
                drawn = page.get_by_label("The trees of the sum").text_content()
                assert f"{((target - total) ** 2).mean():.3f}" in drawn
                stump = CARTRegressor(max_depth=1).fit(X, target - total)
                total += rate * stump.predict(X)
        keys(sliders(page), "ArrowLeft")
        assert sentence(page).startswith("After 4 trees")


@of("boost")
def test_the_errors_of_a_sum_are_those_of_the_package_as_they_are_shown(show):
    (X, y), (X_new, y_new) = draw(300, 1), draw(5000, 2)
    target = (y == "yes").astype(float)
    total, answers, wrong = np.full(300, target.mean()), np.full(5000, target.mean()), {}
    for trees in range(1, 301):
        stump = CARTRegressor(max_depth=1).fit(X, target - total)
        total, answers = total + stump.predict(X), answers + stump.predict(X_new)
        wrong[trees] = [
            float(np.mean((sums > 0.5) != (truth == "yes")))
            for sums, truth in ((total, y), (answers, y_new))
        ]
    with show("boost") as page:
        chart = page.get_by_label("The share of errors against the number of trees")
        knob = sliders(page).first
        for trees, pressed in (2, ["Home", *["ArrowRight"] * 2]), (300, ["End"]):
            keys(knob, *pressed)
            own, new = wrong[trees]
            for words in f"these 300 people {own:.1%}", f"new people {new:.1%}":
                expect(chart).to_contain_text(words)
        because = page.live.guess["because"]
        assert f"After 2 it errs on {wrong[2][1]:.1%}, after 300 on {wrong[300][1]:.1%}" in because


@of("votes")
def test_the_error_of_a_pruned_tree_is_that_of_the_package_as_it_is_shown(show):
    with show("votes") as page:
        expect(sliders(page).first).to_have_attribute("aria-valuemax", "19")  # all have voted
        shown = page.get_by_label("The borders of twenty trees and of their vote").text_content()
        for truth in "a corner", "a slope":
            pruned = CARTClassifier(ccp_alpha="best", cv=np.arange(300) % 10)
            pruned.fit(*draw(300, 1, truth))
            assert f"{1 - pruned.score(*draw(5000, 2, truth)):.1%}" in shown


@of("pour")
def test_a_case_with_blanks_ends_as_the_classifier_says(show):
    X, y = GOLF
    model, names = C45Classifier().fit(X, y.astype(str)), ["outlook", "humidity", "windy"]
    with show("pour") as page:
        for place, row in enumerate((0, 3, 11)):
            page.locator("input[type=radio]").nth(place).check()
            for hidden in ([], ["outlook"], ["outlook", "windy"], names):
                values = X.iloc[[row]].copy()
                for name in names:
                    blank = page.get_by_label(f"{name} (")
                    if (blank.get_attribute("aria-pressed") == "true") != (name in hidden):
                        blank.press("Enter")
                    values[name] = values[name].where([name not in hidden])
                shares = zip(model.classes_, model.predict_proba(values)[0], strict=True)
                told = " + ".join(f"{label} {share:.2f}" for label, share in shares if share)
                assert told in page.get_by_label("The tree, and the parts").text_content()
                words = f": C4.5 predicts {model.predict(values)[0]}, with a share of "
                assert words in sentence(page)
                assert hidden or "The case ends in one leaf" in sentence(page)
            assert f"ends in {model.get_n_leaves()} leaves" in sentence(page)


@of("estimate")
def test_estimates_at_every_node_are_those_of_the_package(show):
    with show("estimate") as page:
        told = page.live.data["cases"]
        X = pd.DataFrame(
            {
                attribute["name"]: pd.Categorical.from_codes(codes, attribute["levels"])
                for attribute, codes in zip(told["attributes"], told["columns"], strict=True)
            }
        )
        y = pd.Categorical.from_codes(told["target"], told["classes"])
        picture = page.get_by_label("The tree as it was grown")
        for confidence in (0.5, 0.25, 0.05):
            keys(sliders(page), "Home", *["ArrowUp"] * round(100 - 100 * confidence))
            assert sliders(page).get_attribute("aria-valuetext") == f"confidence {confidence:.2f}"
            beside = re.findall(r"\+ \d+\.\d\d(?! =)|no cases", picture.text_content())
            assert sentence(page).startswith(f"The {len(beside)} leaves below ")
            assert not picture.locator(".dtb-comes").count()  # while it is dragged, nothing falls
            model = C45Classifier(confidence=confidence).fit(X, y)
            tree, left = model.unpruned_tree_, model.tree_.node_count
            made = error_based(tree, X, y, confidence=confidence).comparisons
            wanted = [
                [
                    f"{m.counts.sum() - m.counts.max():g}",
                    f"{m.subtree:.2f}",
                    f"{m.leaf:.2f}",
                    branch,
                ]
                for m in made
                for branch in (f"{m.branch:.2f}", None)
            ]
            for pick in page.locator(".dtb-pick").all():
                pick.press("Enter")
                said = sentence(page)
                assert f"C4.5 keeps {left} of {tree.node_count} nodes." in said
                words = r"get (\d+)\. With caution that is ([\d.]+) and ([\d.]+)(?:, and ([\d.]+))?"
                assert list(re.search(words, said).groups()) in wanted
        press(page, "The next node")
        before = sentence(page)
        drag(page, sliders(page), (-30, 0))  # less caution
        assert sentence(page) != before


@of("bags")
def test_two_bags_lower_the_impurity_as_the_package_says(show):
    with show("bags", reduced_motion="reduce") as page:
        towns = pd.DataFrame({one["name"]: one["counts"] for one in page.live.data["values"]}).T
        right = page.locator("[data-bag=second]")
        press(page, "All into one bag")
        for town in ("Linton", "Oakley", "Selby", "Linton"):
            press(page, town)
            gone = [one.get_attribute("aria-label").split(",")[0] for one in right.all()]
            table = towns.groupby(towns.index.isin(gone)).sum()
            fall = measures.gain(table, measures.gini)
            assert f"falls by {float(fall):.4f}." in sentence(page)
        press(page, "All into one bag")
        share = towns[1] / towns.sum(axis=1)
        press(page, *(f"{town}," for town in share.sort_values().index[:4]))
        assert "No other of all 511 ways is better." in sentence(page)
        assert "It is a cut of the order of the shares." in sentence(page)
        press(page, "All into one bag", "Show the best")
        assert "No other of all 511 ways is better." in sentence(page)
        card, other = page.get_by_role("button", name="Linton"), page.locator("[data-bag=second]")
        drag(page, card, np.subtract(middle(other.first), middle(card)))
        expect(card).to_have_attribute("data-bag", "second")
        card.click()
        expect(card).to_have_attribute("data-bag", "first")


@of("standin")
def test_a_stand_in_agrees_at_best_as_the_surrogate_of_the_package(show):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = [name.removesuffix(" (cm)") for name in X]
    root = CARTClassifier(max_depth=1, max_surrogates=5).fit(X, y).tree_.root
    goes = X.iloc[:, root.split.column] <= root.split.cut
    with show("standin") as page:
        for surrogate in root.surrogates:
            name, cut = X.columns[surrogate.split.column], surrogate.split.cut
            page.get_by_label(name).check()  # it opens at its best cut
            assert ", at its best." in sentence(page)
            values = np.unique(X[name])
            keys(sliders(page), "Home", *["ArrowRight"] * (int((values < cut).sum()) - 1))
            same = (X[name] <= cut) != surrogate.flipped
            said = sentence(page)
            assert f"{int((same == goes).sum())} of 150 flowers go the same way" in said
            assert f"agreement {surrogate.agreement:.3f}, at its best." in said
            assert f"errs on {int((goes & ~same).sum())} that go left" in said
        drag(page, sliders(page), (0, -2000))
        assert sliders(page).get_attribute("aria-valuenow") == str(len(values) - 2)
        press(page, "Best place")
        assert ", at its best." in sentence(page)
        wrong = []
        for _ in range(4):  # one without an answer goes where the stand-in sends it
            press(page, "Another flower")
            told = page.locator("svg [role=status]").text_content()
            goes_left = (numbers(told)[0] <= cut) != surrogate.flipped
            assert ("left" in told) == goes_left
            wrong.append(told.count("✗"))
        assert wrong[:2] == wrong[2:]
        assert sum(wrong) == 2
        told = page.locator("svg [role=status]")
        for i in 0, 149:  # any can be pressed, or reached by the arrows
            page.locator(".dtb-stage .dtb-pick > g").nth(1).locator("path").nth(i).click()
            assert numbers(told.text_content())[0] == X[name].iloc[i]
        page.get_by_role("button", name="Another flower").first.press("ArrowRight")
        assert numbers(told.text_content())[0] == X[name].iloc[0]


@of("walk, id3_recursion")
def test_id3_is_watched_decision_by_decision(show):
    X, y = LOAN
    model = ID3Classifier().fit(X, y)
    steps = model.decisions(X, y)
    with show("walk, id3_recursion") as page:
        waiting = page.locator(".dtb-pick text", has_text=re.compile("^(next|2nd|3rd|[4-9]th)$"))
        piles = 1
        for number, step in enumerate(steps, 1):
            assert sentence(page).startswith(f"Decision {number} of {len(steps)}, ")
            assert f" {step.counts.sum():g} applicant" in sentence(page)
            told = f"all are {model.tree_.classes[step.counts.argmax()]}, so this is a leaf"
            if step.chosen:
                assert sentence(page).endswith("what does ID3 ask?")
                assert not page.locator(".dtb-meter").count()
                press(page, "Ask age?" if number == 1 else "Show it")
                assert ("You guessed age." in sentence(page)) == (number == 1)
                name = X.columns[step.chosen.split.column]
                told = f"{name} gains most, {step.chosen.score:.3f} bits"
            piles += X.iloc[:, step.chosen.split.column].nunique() if step.chosen else 0
            assert waiting.count() == piles - number
            cards = page.get_by_label("What every question gains").text_content()
            gains = [f"{offer.score:.3f}" for offer in step.candidates]
            assert re.findall(r"\d\.\d+", cards) == gains  # of a leaf none is asked
            assert told in sentence(page)
            press(page, "Next")
        total = f" {len(steps)} decisions, {model.get_n_leaves()} leaves."
        assert sentence(page).endswith(total)
        page.locator(".dtb-pick").first.click()
        assert sentence(page).startswith("Decision 1 of ")
        press(page, "Next", "Show it", "Next", "Back")
        assert sentence(page).startswith("Decision 2 of ")
        assert "gains most" in sentence(page)


@of("huffman")
def test_a_code_tree_costs_its_joins(show):
    weights = [thing["weight"] for thing in LIVE["huffman"].data["things"]]
    bits = f"{measures.entropy(weights):.3f}"
    # A pile that still moves is not where it is dragged to.
    with show("huffman", reduced_motion="reduce") as page:

        def take(name):
            return page.get_by_role("button", name=re.compile(rf"^{name}, "))

        for name in ("owl", "hen", "bee or fox", "dog"):  # bee and fox are joined at first
            take(name).press("Enter")
        assert "3 piles are left, and the joins so far cost 0.76 questions" in sentence(page)
        cat, other = take("cat"), take("owl or hen|hen or owl")
        drag(page, cat, np.subtract(middle(other), middle(cat)))
        assert "2 piles are left" in sentence(page)
        page.locator(".dtb-pick").first.click()
        page.locator(".dtb-pick").last.click()
        assert f"asks 2.41 questions on average; the entropy is {bits} bits." in sentence(page)
        assert "The best tree asks 2.38" in sentence(page)
        press(page, "Start again", *["Join the two rarest"] * 5)
        assert "Your tree asks 2.38 " in sentence(page)
        assert "No tree asks fewer." in sentence(page)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: explorables.surrogates(*TENNIS), "surrogates needs columns of numbers"),
        (lambda: explorables.surrogates(GOLF[0][["humidity"]], GOLF[1]), "surrogates needs"),
        (lambda: explorables.your_own_tree(*GOLF), "cut numbers into ranges first"),
        (lambda: explorables.points_on_a_plane(*GOLF, *GOLF), "numbers from 0 to 1"),
        (lambda: explorables.subsets(TENNIS[0]["windy"], TENNIS[1]), "subsets needs two classes"),
        (lambda: explorables.growing(TENNIS[0][:2], TENNIS[1][:2]), "growing needs two classes"),
    ],
)
def test_what_cannot_be_explored_is_told(make, message):
    with pytest.raises(ValueError, match=message):
        make()
