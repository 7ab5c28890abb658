"""Explorables that compute: by hand and by keyboard they say what the package says.

They are opened alone, without the book around them and without any network.
"""

import gzip
import json
import re
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from explorables import (
    CARS,
    GOLF,
    IRIS,
    LETTERS,
    LIVE,
    LOAN,
    TENNIS,
    TWO,
    flowers,
    people,
    ten_towns,
    wave,
    waves,
)
from scipy.stats import chi2_contingency

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, measures
from dtreebook.pages import explorables
from dtreebook.pages.live import BASE, PARTS, SHARED, parts
from dtreebook.pages.script import ENGINE, script
from dtreebook.pages.widget import widget
from dtreebook.prune.cost_complexity import prune_at
from dtreebook.prune.crossvalidation import cp_table
from dtreebook.prune.error_based import error_based
from dtreebook.prune.error_limits import extra_errors

every_one = pytest.mark.parametrize("kind", LIVE)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="module")
def show(chromium):
    """A function that opens an explorable on a page of its own; `complaints` are the console's."""

    @contextmanager
    def opened(kind, through=True, live=None, **settings):
        live = live or LIVE[kind][1]()
        context = chromium.new_context(**{"viewport": {"width": 760, "height": 900}} | settings)
        context.set_offline(True)
        page = context.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("console", lambda said: page.complaints.append(said.text))
        page.set_content(
            '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
            "<title>one</title><style>body{margin:8px;font:16px/1.6 sans-serif}"
            ".dark{background:#121212;color:#ced6dd;--pst-color-background:#121212}"
            f"*{{box-sizing:border-box}}</style><main>{live.html}</main></html>"
        )
        page.live = live
        if through and live.guess:
            page.get_by_role("button", name="Show me without").click()
        page.wait_for_timeout(50)
        yield page
        assert page.complaints == []
        context.close()

    return opened


def sentence(page):
    """Read what an explorable says."""
    return page.locator(".dtb-said").text_content()


def numbers(text):
    """List all numbers in a text."""
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def set_range(page, place, value):
    """Move a slider of the browser's own."""
    page.locator("input[type=range]").nth(place).fill(str(value))


def drag(page, knob, by):
    """Drag something by the mouse."""
    knob.scroll_into_view_if_needed()
    box = knob.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0] / 2, y + by[1] / 2)
    page.mouse.move(x + by[0], y + by[1])
    page.mouse.up()


# --- all of them ----------------------------------------------------------------------------------


@every_one
def test_without_scripts_there_is_a_sentence_and_the_answer_folded(show, kind):
    with show(kind, through=False, java_script_enabled=False) as page:
        assert page.get_by_text(page.live.view.sentence).is_visible()
        assert page.get_by_role("img").count() == len(page.live.view.pieces)
        if page.live.guess:
            answer = page.get_by_text(page.live.guess.because)
            assert not answer.is_visible()
            page.get_by_text("The answer").click()
            assert answer.is_visible()


@every_one
def test_a_guess_comes_before_what_answers_it(show, kind):
    with show(kind, through=False) as page:
        play, guess = page.locator(".dtb-play"), page.live.guess
        if guess is None:
            assert not play.evaluate("play => play.inert")
            return
        assert play.evaluate("play => play.inert")
        assert guess.because not in page.locator("main").inner_text()
        mine = page.get_by_role("button", name="That is my guess")
        mine.click()
        assert play.evaluate("play => play.inert")  # nothing was guessed
        if guess.options:
            page.get_by_label(guess.options[guess.answer], exact=True).check()
            wanted = "That is right."
        elif guess.axes:
            wanted = f"on average {sketch(page, guess):.2g} bits off"
        else:
            page.get_by_role("spinbutton").first.fill(str(guess.answer + 1))
            wanted = "You are 1 off."
        mine.press("Enter")
        verdict = page.locator(".dtb-verdict").inner_text()
        assert guess.because in verdict
        assert wanted in verdict
        assert not play.evaluate("play => play.inert")


def sketch(page, guess):
    """Sketch a curve by the keyboard: level in the middle, then up by a fortieth at every stop."""
    ground = page.get_by_role("application").first
    ground.press("ArrowUp")
    for _ in guess.answer[1:]:
        ground.press("ArrowRight")
        ground.press("ArrowUp")
    drawn = [0.5 + (i + 1) / 40 for i in range(len(guess.answer))]
    return np.mean([abs(mine - own) for mine, (_, own) in zip(drawn, guess.answer, strict=True)])


def test_a_curve_is_sketched_by_hand_too(show):
    with show("groups", through=False) as page:
        box = page.locator(".dtb-ground").bounding_box()
        page.mouse.move(box["x"], box["y"] + box["height"])
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"], box["y"])
        page.mouse.up()
        page.get_by_role("button", name="That is my guess").click()
        verdict = page.locator(".dtb-verdict").inner_text()
        gains = np.array([value for _, value in page.live.guess.answer])
        off = np.abs(np.linspace(0, 1, len(gains)) - gains).mean()
        assert float(re.search(r"average ([\d.]+) bits off", verdict)[1]) == pytest.approx(
            off, abs=0.02
        )


def test_on_paper_a_guess_has_a_line_to_write_on(show):
    with show("hill", through=False) as page:
        page.emulate_media(media="print")
        assert page.locator(".dtb-line").is_visible()
        assert page.get_by_text(page.live.guess.question).is_visible()
        assert not page.locator(".dtb-play").is_visible()


@every_one
def test_everybody_can_use_it_on_a_phone_in_light_and_dark(show, kind):
    with show(kind, viewport={"width": 360, "height": 740}, has_touch=True) as page:
        if kind == "laboratory":
            page.get_by_label("A table of the book").select_option("iris")
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        for theme in ("", "dark"):
            page.evaluate("theme => document.body.className = theme", theme)
            report = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
            assert report.violations_count == 0, report.generate_report()


@every_one
def test_tab_comes_to_everything_and_leaves_again(show, kind):
    with show(kind) as page:
        if kind == "laboratory":
            page.get_by_label("A table of the book").select_option("golf")
        wanted = page.locator(".dtb-play").evaluate(
            """play => [...play.querySelectorAll(
              "button, select, textarea, input:not([type=radio]), a[href], [tabindex='0']"
            )].filter(one => !one.disabled && one.checkVisibility())
              .map((one, i) => (one.dataset.stop = i)).length"""
        )
        page.evaluate("document.activeElement.blur()")
        seen = set()
        for _ in range(wanted + 60):
            page.keyboard.press("Tab")
            seen.add(page.evaluate("document.activeElement.dataset.stop"))
            if page.evaluate("document.activeElement === document.body") and None in seen:
                break
        assert seen - {None} == {str(i) for i in range(wanted)}


@pytest.mark.parametrize(
    "kind", ["cut", "chance", "mosaic", "groups", "hill", "standin", "staircase", "plane", "links"]
)
def test_a_finger_drags_as_a_mouse_does(show, kind):
    with show(kind, viewport={"width": 360, "height": 740}, has_touch=True) as page:
        place = {"staircase": 30}.get(kind, 0)
        grip = page.locator(".dtb-ground" if kind == "plane" else ".dtb-grip").nth(place)
        grip.scroll_into_view_if_needed()
        before, top = page.locator(".dtb-play").inner_html(), page.evaluate("scrollY")
        box, (across, down) = grip.bounding_box(), (0.5, 0.5)
        if kind == "plane":
            across, up, _ = page.live.data["points"][0]
            down = 1 - up
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        hand = page.context.new_cdp_session(page)
        for step, event in enumerate(("touchStart", "touchMove", "touchMove", "touchEnd")):
            points = [{"x": x + 25 * step, "y": y - 20 * step}] if event != "touchEnd" else []
            hand.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": points})
        assert page.locator(".dtb-play").inner_html() != before
        assert page.evaluate("scrollY") == top


@pytest.mark.parametrize("kind", ["pour", "hill", "chance", "links"])
def test_two_of_the_same_share_no_names(chromium, kind):
    page = chromium.new_page()
    page.set_content(f"<main>{LIVE[kind][1]().html * 2}</main>")
    page.wait_for_timeout(50)
    names = page.locator(".dtb-play").evaluate_all(
        "all => all.map(one => [...one.querySelectorAll('[name], [id]')].map(x => x.name ?? x.id))"
    )
    assert names[0]
    assert not set(names[0]) & set(names[1])
    page.close()


def test_a_point_that_is_removed_while_it_is_dragged_is_gone(show):
    with show("plane") as page:
        ground = page.locator(".dtb-ground")
        ground.scroll_into_view_if_needed()
        box, (x, y, _) = ground.bounding_box(), page.live.data["points"][-1]
        page.mouse.move(box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"])
        for key in ("Shift+ArrowUp", "Shift+ArrowLeft"):
            ground.press(key)
        page.mouse.down()
        for _ in page.live.data["points"]:
            page.keyboard.press("Delete")
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.up()
        assert "0 of 0 people" in sentence(page)


def test_who_wants_less_motion_gets_none(show):
    duration = "dot => getComputedStyle(dot).transitionDuration"
    for motion, wanted in (("reduce", "0s"), ("no-preference", "0.6s")):
        with show("walk", reduced_motion=motion) as page:
            assert page.locator(".dtb-moves").first.evaluate(duration) == wanted


@every_one
def test_it_asks_nobody_and_leaves_nothing_behind(kind):
    html = LIVE[kind][1]().html
    assert not re.search(r"https?://(?!www\.w3\.org/)|fetch\(|localStorage|import\(", html)
    assert html == LIVE[kind][1]().html
    assert len(html.encode()) <= (450_000 if kind == "laboratory" else 250_000)  # with its tables


def test_all_that_computes_and_draws_weighs_little():
    def weight(*names):
        return len(gzip.compress(script(*names).encode(), 9))

    pages = {}
    for where, make in LIVE.values():
        pages.setdefault(where, []).append(make().kind)
    assert weight(*ENGINE, *BASE, *SHARED) <= 18_000
    assert max(weight(*parts(*kinds)) for kinds in pages.values()) <= 24_000
    assert weight(*parts(*PARTS)) <= 50_000  # of all pages together


def test_the_pages_show_these_and_no_others(site):
    found = [
        (page.stem, kind)
        for page in site.glob("*.html")
        for kind in re.findall(r'<section [^<>]*data-live="(\w+)"', page.read_text())
    ]
    found = [one for one in found if one[1] != "ask"]
    wanted = [(where, make().kind) for where, make in LIVE.values() if where]
    assert sorted(found) == sorted(wanted)


def test_a_page_says_once_what_its_explorables_share(site):
    for name in {where for where, _ in LIVE.values() if where}:
        text = (site / f"{name}.html").read_text()
        assert text.count("function entropy(counts){") == 1
        assert text.count(".dtb-reach {") == 1


def test_explorables_work_together_on_a_page(visit):
    for name in {where for where, _ in LIVE.values() if where}:
        with visit(name) as page:
            live = page.locator("[data-live]").count()
            assert live
            assert page.locator("[data-live][data-ready] .dtb-play").count() == live
            assert page.locator("[data-still]").count() == 0
            said = page.locator("[data-live]:not([data-live=ask]) .dtb-said").all_text_contents()
            assert all(text.endswith(".") for text in said)
            assert page.complaints == []


# --- one by one -----------------------------------------------------------------------------------


def test_a_cut_gains_what_the_package_says(show):
    values, classes = GOLF[0]["humidity"], GOLF[1]
    with show("cut") as page:
        knob = page.get_by_role("slider", name="Cut of humidity")
        known, gains = sorted(set(values))[:-1], []
        for place, value in enumerate(known):
            gain = float(measures.information_gain(pd.crosstab(values <= value, classes)))
            gains.append(gain)
            said = sentence(page)
            assert said.startswith(f"Up to {value:g}: ")
            assert f"The cut gains {gain:.3f} bits." in said
            assert knob.get_attribute("aria-valuenow") == str(place)
            knob.press("ArrowRight")
        best = int(np.argmax(gains))
        words = f"The best of all: up to {known[best]:g}, {gains[best]:.3f} bits."
        assert words in sentence(page)
        page.get_by_label("the window of Release 8").check()
        assert "The window does not allow this cut." in sentence(page)
        page.get_by_label("the price of trying").check()
        open_cuts = [v for v in known if min((values <= v).sum(), (values > v).sum()) >= 2]
        assert f"{np.log2(len(open_cuts)) / 14:.3f} for having tried" in sentence(page)
        drag(page, knob, (-2000, 0))
        assert sentence(page).startswith(f"Up to {known[0]:g}: ")


def test_chances_have_the_entropy_of_the_package(show):
    rng = np.random.default_rng(0)
    with show("chance") as page:
        for faces, label in ((5, "5"), (3, "3"), (2, "a coin: 2"), (4, "4")):
            page.get_by_label(label, exact=True).check()
            for _ in range(8):
                knobs = page.get_by_role("slider").all()
                knob = knobs[rng.integers(len(knobs))]
                knob.press(str(rng.choice(["ArrowRight", "PageDown", "PageUp", "ArrowLeft"])))
                said = sentence(page)
                told = re.findall(r"(?:face \d|heads|tails) (?:(\d\.\d\d),|never)", said)
                chances = [float(chance or 0) for chance in told]
                assert len(chances) == faces
                assert sum(chances) == pytest.approx(1)
                assert f"is {measures.entropy(chances):.3f} bits" in said
        page.get_by_label("3", exact=True).check()
        drag(page, page.get_by_role("application"), (0, -2000))
        assert "face 1 1.00" in sentence(page)
        page.get_by_role("application").press("ArrowDown")
        assert "face 1 0.99" in sentence(page)


def test_a_mosaic_tells_what_the_package_says(show):
    rng = np.random.default_rng(1)
    with show("mosaic") as page:
        for _ in range(25):
            knob = page.get_by_role("slider").nth(int(rng.integers(3)))
            knob.press(str(rng.choice(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "End"])))
            said = sentence(page)
            table = np.array(re.findall(r": (\d+) rain, (\d+) dry", said), dtype=float)
            assert table.sum() == 40
            told = measures.mutual_information(table) + 0.0
            assert f"tells {told:.3f} bits about" in said
        page.get_by_label("all measures").check()
        for place, keys in enumerate((4 * ["PageUp"], ["PageUp", "ArrowUp"], 2 * ["PageUp"])):
            for key in ("Home", *keys):
                page.get_by_role("slider").nth(place).press(key)
        said = sentence(page)
        table = np.array(re.findall(r": (\d+) rain, (\d+) dry", said), dtype=float)
        for words, value in {
            "split information is": measures.split_information(table),
            "gain ratio is": measures.gain_ratio(table),
            "Gini impurity is": measures.gini(table.sum(axis=0)),
            "and falls by": measures.gain(table, measures.gini),
            "misclassification falls by": measures.gain(table, measures.misclassification),
            "Chi-square is": chi2_contingency(table, correction=False).statistic,
        }.items():
            assert f"{words} {value:.3f}" in said
        drag(page, page.get_by_role("slider").first, (-2000, 0))
        assert "rain: 0 rain, 0 dry" in sentence(page)


def test_a_tree_by_asking_is_judged_as_id3_would(show):
    X, y = TENNIS
    model = ID3Classifier().fit(X, y)
    with show("walk") as page:
        root = model.decisions(X, y)[0]
        gains = {X.columns[c.split.column]: c.score for c in root.candidates}
        page.get_by_role("button", name="Ask humidity?").press("Enter")
        page.locator(".dtb-pick").first.press("Enter")
        assert (
            f"you asked humidity: it gains {gains['humidity']:.3f} bits; ID3 would ask outlook, "
            f"{gains['outlook']:.3f}." in sentence(page)
        )
        assert page.locator(".dtb-moves").count() == 14
        page.get_by_role("button", name="Let ID3 do the rest").click()
        assert "Your tree is done: " in sentence(page)
        page.get_by_role("button", name="Start again").click()
        page.get_by_role("button", name="Let ID3 do the rest").click()
        depths = [len(model.tree_.path(int(leaf))) for leaf in model.apply(X)]
        words = f"{model.get_n_leaves()} leaves, {np.mean(depths):.2f} questions"
        assert sentence(page).count(words) == 2
        page.locator(".dtb-pick").first.click()
        page.get_by_role("button", name="Take the question back").click()
        assert "Your tree so far: 1 leaf" in sentence(page)


def test_gain_ratio_and_c45_are_those_of_the_package(show):
    X, y = LOAN
    with show("walk, ratio") as page:
        for place, name in enumerate(X):
            page.get_by_role("button", name=f"Ask {name}?").click()
            by_gain, by_ratio = (
                model.decisions(X, y)[0].chosen.split.column
                for model in (ID3Classifier(), C45Classifier())
            )
            page.locator(".dtb-pick").first.click()
            ratio = float(measures.gain_ratio(pd.crosstab(X[name], y)))
            chart = page.get_by_label("What every question gains").text_content()
            assert f"{ratio:.3f}" in chart
            agreed = "ID3 would ask it, too" if place == by_gain else "ID3 would ask house"
            assert agreed in sentence(page)
            assert f"C4.5 would ask {X.columns[by_ratio]}." in sentence(page)
            if name == "credit":
                page.get_by_role("button", name="credit fair").click()
                page.get_by_role("button", name="Ask work?").click()
                page.get_by_role("button", name="credit fair").first.click()
                assert "C4.5 would ask nothing." in sentence(page)
            page.get_by_role("button", name="Start again").click()


def check_plane(page, X, y, alpha=0, **options):
    """Compare what the page says of its tree on the plane with the tree of the package."""
    X_new, y_new = (part[:400] for part in people(5000, 2))
    model = CARTClassifier(**options).fit(X, y)
    if alpha:
        model.tree_ = prune_at(model.tree_, alpha).tree
    wrong = round(100 * (1 - model.score(X, y)) + 1e-9)
    new = round(100 * (1 - model.score(X_new, y_new)) + 1e-9)
    said = sentence(page)
    assert f"has {model.get_n_leaves()} leaves and depth {model.get_depth()}." in said
    assert f"gets {wrong}% of its own {len(X)} people wrong" in said
    assert f"Of 400 new people it gets {new}% wrong" in said


def test_a_tree_on_a_plane_is_that_of_the_package(show):
    X, y = people(300, 1)
    with show("plane") as page:
        page.get_by_role("checkbox").check()
        check_plane(page, X, y)
        for depth in (4, 2):
            set_range(page, 0, depth)
            check_plane(page, X, y, max_depth=depth)
        set_range(page, 0, 13)
        set_range(page, 1, 9)
        check_plane(page, X, y, min_samples_leaf=9)
        set_range(page, 1, 1)
        for place in (5, 20):
            set_range(page, 2, place)
            check_plane(page, X, y, alpha=place / 100 * 0.05)
        set_range(page, 2, 0)
        ground = page.locator(".dtb-ground")
        ground.focus()
        for key in ("ArrowRight", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        ground.blur()
        page.mouse.move(5, 5)
        ground.evaluate("ground => ground.dispatchEvent(new PointerEvent('pointerleave'))")
        one_more = pd.DataFrame([[0.52, 0.52]], columns=X.columns)
        check_plane(page, pd.concat([X, one_more], ignore_index=True), np.append(y, "no"))
        page.get_by_role("button", name="Draw the cases again").click()
        page.get_by_role("button", name="Let the 30 vote").wait_for()
        page.wait_for_timeout(1500)
        page.get_by_role("button", name="Let the 30 vote").click()
        assert "the vote of 30 trees" in sentence(page)
        page.get_by_role("button", name="Clear").click()
        assert "The tree has 1 leaf and depth 0." in sentence(page)
        assert "NaN" not in sentence(page)


def test_points_are_dragged_recoloured_and_removed(show):
    X = pd.DataFrame({"a": [0.2, 0.8], "b": [0.5, 0.5]})
    live = explorables.points_on_a_plane(X, ["x", "y"], X, ["x", "y"])
    with show("plane", live=live) as page:
        box = page.locator(".dtb-ground").bounding_box()

        def at(a, b):
            return box["x"] + a * box["width"], box["y"] + (1 - b) * box["height"]

        page.mouse.move(*at(0.8, 0.5))
        page.mouse.down()
        page.mouse.move(*at(0.6, 0.9))
        page.mouse.move(*at(0.4, 0.9))
        page.mouse.up()
        page.mouse.move(*at(0.25, 0.9))
        assert "a <= 0.3: x" in sentence(page)  # half-way between 0.2 and 0.4
        page.mouse.click(*at(0.4, 0.9))
        page.mouse.move(*at(0.25, 0.9))
        assert "Everywhere: x, 2 of 2 cases" in sentence(page)
        page.get_by_role("radio", name="removes").check()
        page.mouse.click(*at(0.4, 0.9))
        page.mouse.move(*at(0.25, 0.9))
        assert "1 of 1 case" in sentence(page)


def test_a_point_is_taken_along_by_keyboard(show):
    X = pd.DataFrame({"a": [0.2, 0.8], "b": [0.5, 0.5]})
    live = explorables.points_on_a_plane(X, ["x", "y"], X, ["x", "y"])
    with show("plane", live=live) as page:
        page.mouse.move(5, 5)
        page.locator(".dtb-ground").focus()
        for key in ("Shift+ArrowRight", "m", *4 * ["Shift+ArrowLeft"], "m"):
            page.keyboard.press(key)
        assert "a > 0.3: y, 1 of 1 case" in sentence(page)  # half-way between 0.2 and 0.4
        page.keyboard.press("c")
        assert "Everywhere: x, 2 of 2 cases" in sentence(page)


def test_a_node_that_is_pressed_is_a_leaf_and_its_regions_merge(show):
    X, y = people(300, 1)
    tree = CARTClassifier().fit(X, y).tree_
    with show("plane") as page:
        regions = page.locator(".dtb-stage").first.locator("g").first.locator("rect")
        assert regions.count() == tree.n_leaves
        page.locator(".dtb-stage").last.locator("[tabindex='0']").focus()
        page.keyboard.press("ArrowDown")
        below = sum(node.is_leaf for path, node in tree.walk() if path[:1] == (0,))
        page.keyboard.press("Enter")
        assert regions.count() == tree.n_leaves - below + 1
        assert sentence(page).startswith(tree.branch_words(tree.root)[0])
        page.keyboard.press("Enter")
        assert regions.count() == tree.n_leaves
        page.keyboard.press("ArrowUp")
        page.keyboard.press(" ")
        assert regions.count() == 1


def test_a_frame_is_enough_for_three_hundred_points(show):
    with show("plane") as page:
        times = page.locator("input[type=range]").first.evaluate(
            """range => Array.from({ length: 21 }, (_, i) => {
              const start = performance.now();
              range.value = 12 + (i % 2);
              range.dispatchEvent(new Event("input", { bubbles: true }));
              return performance.now() - start;
            })"""
        )
        assert min(times) < 16


def test_weakest_links_are_those_of_the_package(show):
    X, y = TWO
    table = cp_table(CARTClassifier(), X, y, np.arange(len(X)) % 10)
    full = CARTClassifier().fit(X, y).tree_
    with show("links") as page:
        regions = page.get_by_label("The regions of the leaves").locator("rect")
        rows = list(table[::-1].itertuples())
        for number, row in enumerate(rows):
            said = sentence(page)
            assert f"Your tree has {row.n_splits + 1} lea" in said
            assert regions.count() == row.n_leaves
            assert f"errs on {row.relative_error:.3f} of what the root does" in said
            assert f"cross-validated on {row.cv_error:.3f} ± {row.cv_std:.3f}" in said
            if number < len(rows) - 1:
                page.get_by_role("button", name="Cut the weakest link").press("Enter")
        page.get_by_role("button", name="The whole tree again").click()
        knob = page.get_by_role("slider")
        for _ in range(8):
            knob.press("PageUp")
            alpha = float(re.match(r"α is ([\d.]+)\.", sentence(page))[1])
            pruned = prune_at(full, alpha).tree.n_leaves
            near = {prune_at(full, alpha + by).tree.n_leaves for by in (-5e-5, 5e-5)} | {pruned}
            assert int(re.search(r"Your tree has (\d+)", sentence(page))[1]) in near
            assert "At this α no tree costs less." in sentence(page)
        page.get_by_role("button", name="The whole tree again").click()
        page.locator(".dtb-pick").nth(1).click()
        assert f"At this α the best has {full.n_leaves} leaves" in sentence(page)
        drag(page, knob, (5000, 0))
        assert knob.get_attribute("aria-valuenow") == "120"


def test_a_node_and_the_regions_of_its_leaves_light_up_together(show):
    tree = CARTClassifier().fit(*TWO).tree_
    left = [path for path, node in tree.walk() if node.is_leaf and path[0] == 0]
    counts = tree.node((0,)).counts
    with show("links") as page:
        plane = page.get_by_label("The regions of the leaves")
        assert not plane.locator(".dtb-lit").count()
        page.locator(".dtb-pick").nth(1).focus()  # after the root, its first child
        assert plane.locator(".dtb-lit").count() == len(left)
        expected = counts.min() + extra_errors(counts.min(), counts.sum())
        assert f"C4.5 expects {expected:.1f} errors of it as a leaf" in sentence(page)
        page.keyboard.press("Enter")
        assert plane.locator(".dtb-lit").count() == 1
        assert plane.locator("rect").count() == tree.n_leaves - len(left) + 1


def test_a_staircase_leaves_what_the_package_leaves(show):
    x, y = wave()
    X, truth = x.to_frame(), np.sin(x)
    with show("staircase") as page:
        page.get_by_label("show the true curve").check()
        for depth in range(7):
            set_range(page, 0, depth)
            model = CARTRegressor(max_depth=depth).fit(X, y)
            own, far = (((model.predict(X) - goal) ** 2).sum() for goal in (y, truth))
            assert f"a squared error of {own:.2f};" in sentence(page)
            assert f"From the true curve it is off by {far:.2f}," in sentence(page)
            new = ((model.predict(X) - page.live.data["fresh"]) ** 2).sum()
            assert f"on 60 new points it leaves {new:.2f}." in sentence(page)
        set_range(page, 0, 1)
        before = sentence(page)
        drag(page, page.locator(".dtb-grip").nth(30), (0, -60))
        assert sentence(page) != before
        page.get_by_role("button", name="The points as they were").click()
        assert sentence(page) == before
        set_range(page, 0, 6)
        set_range(page, 1, 20)
        few = CARTRegressor(max_depth=6, min_samples_leaf=20).fit(X, y)
        told = f"Depth {few.get_depth()}: {few.get_n_leaves()} leaves leave"
        assert sentence(page).startswith(told)


def test_twenty_questions_tell_the_bits_of_their_answers(show):
    with show("questions") as page:
        left = 16
        while left > 1:
            cards, about = page.locator(".dtb-card:not(:disabled)"), max(1, left // 3)
            assert cards.count() == left
            for place in range(about):
                cards.nth(place).press("Enter")
            page.get_by_role("button", name="Is it one of these?").press("Enter")
            last = page.locator(".dtb-history li").last.text_content()
            now = about if "? Yes" in last else left - about
            asked, *told = numbers(last)[:2], *numbers(last)[2:]
            assert asked == [about, left]
            assert told == [now, round(np.log2(left / now), 2)]
            left = now
            if left > 1:
                words = f"{left} things are left, {np.log2(left):.2f} bits are missing"
                assert words in sentence(page)
        asked = page.locator(".dtb-history li").count()
        assert f"found with {asked} question" in sentence(page)
        page.get_by_label("with bad luck").check()
        for half in (8, 4, 2, 1):
            cards = page.locator(".dtb-card:not(:disabled)")
            for place in range(half):
                cards.nth(place).click()
            page.get_by_role("button", name="Is it one of these?").click()
        assert "found with 4 questions. Halving finds every one of 16 with 4." in sentence(page)


def test_a_case_with_blanks_ends_as_the_classifier_says(show):
    X, y = GOLF
    model = C45Classifier().fit(X, y)
    names = ["outlook", "humidity", "windy"]
    with show("pour") as page:
        for place, row in enumerate((0, 3, 11)):
            page.locator("input[type=radio]").nth(place).check()
            for hidden in ([], ["outlook"], ["outlook", "windy"], names):
                values = X.iloc[[row]].copy()
                for name in names:
                    page.get_by_label(f"{name} (").set_checked(name in hidden)
                    if name in hidden:
                        values[name] = values[name].where([False])
                said = sentence(page)
                shares = zip(model.classes_, model.predict_proba(values)[0], strict=True)
                told = ", ".join(f"{label} {share:.2f}" for label, share in shares)
                words = "They add up to" if hidden else "one leaf, whole. Its shares are"
                assert f"{words} {told}: C4.5 says {model.predict(values)[0]}." in said
                if hidden == names:
                    assert f"ends in {model.get_n_leaves()} leaves" in said


def test_estimates_at_every_node_are_those_of_the_package(show):
    X, y = CARS
    with show("estimate") as page:
        for confidence in (0.5, 0.25, 0.05):
            set_range(page, 0, confidence)
            model = C45Classifier(confidence=confidence).fit(X, y)
            tree, left = model.unpruned_tree_, model.tree_.node_count
            made = error_based(tree, X, y, confidence=confidence).comparisons
            wanted = {tuple(f"{e:.2f}" for e in (m.leaf, m.subtree, m.branch)) for m in made}
            picks = page.locator(".dtb-pick")
            for place in range(picks.count()):
                picks.nth(place).press("Enter")
                said = sentence(page)
                assert f"C4.5 keeps {left} of {tree.node_count} nodes." in said
                assert tuple(re.findall(r"\d+\.\d\d(?= errors|,|\.)", said)[-3:]) in wanted
        page.get_by_role("button", name="The next node").click()


def test_two_bags_lower_the_impurity_as_the_package_says(show):
    values, classes = ten_towns()
    with show("bags") as page:
        for town in ("town 12", "town 15", "town 18", "town 12"):
            page.get_by_role("button", name=town).press("Enter")
            here = values.isin([t for t in values.cat.categories if t not in moved(page)])
            fall = measures.gain(pd.crosstab(here, classes), measures.gini)
            assert f"falls by {float(fall):.4f}." in sentence(page)
        page.get_by_role("button", name="All to the left").click()
        share = (classes == "yes").groupby(values, observed=True).mean().sort_values()
        for town in share.index[:4]:
            page.get_by_role("button", name=f"{town},").click()
        assert "No other of all 511 ways is better." in sentence(page)
        assert "It is a cut of the order of the shares." in sentence(page)
        page.get_by_role("button", name="town 13,").drag_to(page.locator(".dtb-bag").first)
        assert "No other" not in sentence(page)


def moved(page):
    """Return what lies in the right bag."""
    chips = page.locator(".dtb-bag").last.locator("button").all_text_contents()
    return [text.split("0.")[0] for text in chips]


def test_a_stand_in_agrees_at_best_as_the_surrogate_of_the_package(show):
    X, y = flowers()
    root = CARTClassifier(max_depth=1, max_surrogates=5).fit(X, y).tree_.root
    goes = X.iloc[:, root.split.column] <= root.split.cut
    with show("standin") as page:
        for surrogate in root.surrogates:
            name, cut = X.columns[surrogate.split.column], surrogate.split.cut
            page.get_by_label(name, exact=True).check()
            knob, values = page.get_by_role("slider"), np.unique(X[name])
            page.keyboard.press("Tab")
            for _ in range(int((values < cut).sum()) - 1):
                knob.press("ArrowRight")
            same = (X[name] <= cut) != surrogate.flipped
            number = int((same == goes).sum())
            said = sentence(page)
            assert f"sends {number} of 150 flowers the same way" in said
            assert f"its agreement is {surrogate.agreement:.3f}." in said
            assert f"errs on {int((goes & ~same).sum())} that go left" in said
            assert f"No cut of {name} agrees more." in said
        drag(page, page.get_by_role("slider"), (0, -2000))
        assert page.get_by_role("slider").get_attribute("aria-valuenow") == str(len(values) - 2)


def test_id3_is_watched_decision_by_decision(show):
    X, y = LOAN
    model = ID3Classifier().fit(X, y)
    steps = model.decisions(X, y)
    with show("walk, watch") as page:
        for number, step in enumerate(steps, 1):
            said = sentence(page)
            assert said.startswith(f"Decision {number} of {len(steps)}, ")
            assert f" {step.counts.sum():g} applicant" in said
            undecided = page.locator(".dtb-pick text", has_text=re.compile(r"^\?$")).count()
            if step.chosen:
                name = X.columns[step.chosen.split.column]
                assert f"{name} gains most, {step.chosen.score:.3f} bits" in said
                assert undecided
            else:
                assert f"all are {model.classes_[step.counts.argmax()]}, so this is a leaf" in said
            page.get_by_role("button", name="Next").press("Enter")
        assert undecided == 0
        page.locator(".dtb-pick").first.click()
        assert sentence(page).startswith("Decision 1 of ")
        set_range(page, 0, 2)
        page.get_by_role("button", name="Back").click()
        assert sentence(page).startswith("Decision 2 of ")


def test_a_running_number_gains_what_the_package_says(show):
    X, y = LOAN
    house = pd.crosstab(X["house"], y)
    with show("groups") as page:
        knob = page.get_by_role("slider")
        for k in range(2, len(X) + 1):
            dealt = pd.crosstab(np.arange(len(X)) % k, y.to_numpy())
            told = [
                measure(table)
                for measure in (measures.information_gain, measures.gain_ratio)
                for table in (dealt, house)
            ]
            told.insert(2, measures.split_information(dealt))
            said = sentence(page)
            assert said.startswith(f"Dealt in turn into {k} groups")
            found = [float(number) for number in re.findall(r"\d\.\d+", said)]
            assert found == [round(float(number), 3) for number in told]
            assert ("by gain the number wins" in said) == bool(told[0] > told[1] + 1e-9)
            knob.press("ArrowRight")
        drag(page, knob, (-2000, 0))
        assert "into 2 groups" in sentence(page)


def test_hills_and_a_roof_lower_what_the_package_lowers(show):
    kinds = {
        "entropy": measures.entropy,
        "Gini": measures.gini,
        "misclassification": measures.misclassification,
    }
    with show("hill") as page:
        split_a, split_b = page.get_by_role("slider").all()
        for a, b in ((6, 1), (6, 4), (5, 4), (8, 8), (4, 3)):
            for knob, wanted in ((split_a, a), (split_b, b)):
                knob.press("Home")
                for _ in range(wanted - 1):
                    knob.press("ArrowRight")
            said = sentence(page)
            for name, impurity in kinds.items():
                by_a = measures.gain([[a, 8 - a], [8 - a, a]], impurity)
                by_b = measures.gain([[b, 0], [8 - b, 8]], impurity)
                better = "they are equal" if abs(by_a - by_b) < 1e-9 else "AB"[int(by_b > by_a)]
                high, low = max(by_a, by_b), min(by_a, by_b)
                found = re.search(rf"by {name} ([^,]+), ([\d.]+) to ([\d.]+\d)", said)
                assert found[1].removesuffix(" is better") == better
                assert found.group(2, 3) == (f"{high:.3f}", f"{low:.3f}")
        drag(page, split_b, (3000, 0))
        assert "sets aside 8 of 8" in sentence(page)
        pile = page.get_by_role("application")
        for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowLeft", "ArrowLeft"):
            pile.press(key)
            said = sentence(page).split("A pile")[1]
            shares = [float(share) for share in re.findall(r"\d\.\d\d(?!\d)", said)]
            assert sum(shares) == pytest.approx(1)
            for name, impurity in kinds.items():
                assert f"{name} {impurity(shares):.3f} (at most" in said
        for name in kinds:
            page.get_by_label(name, exact=True).check()
        drag(page, pile, (0, -2000))
        assert "shares 1.00, 0.00, 0.00" in sentence(page)


def test_samples_ask_what_trees_of_the_package_ask(show):
    X, y = waves()
    rows = np.random.default_rng(0).integers(300, size=(10, 300))
    trees = [CARTClassifier(max_depth=2).fit(X.iloc[some], y.iloc[some]).tree_ for some in rows]
    names = [X.columns[tree.root.split.column] for tree in trees]
    with show("again") as page:
        page.get_by_role("button", name="10 times").click()
        for number, tree in reversed(list(enumerate(trees, 1))):
            said, name = sentence(page), names[number - 1]
            first = tree.branch_words(tree.root)[0]
            assert said.startswith(f"Sample {number}: the first question is {first}. ")
            assert re.search(rf"Of 10 samples {names.count(name)} asks? for {name} first", said)
            assert "1 different cut" not in said
            assert page.get_by_label("The tree", exact=True).text_content() == str(tree)
            page.locator("input[type=range]").press("ArrowLeft")
        whole = CARTClassifier(max_depth=2).fit(X, y).tree_
        assert f"All 300 waves: the first question is {whole.branch_words(whole.root)[0]}" in (
            sentence(page)
        )
        page.get_by_role("button", name="Draw the waves again").click()
        assert "Sample 11: " in sentence(page)


def test_a_code_tree_costs_its_joins(show):
    bits = f"{measures.entropy(list(LETTERS.values())):.3f}"
    with show("code") as page:

        def take(name):
            return page.get_by_role("button", name=re.compile(rf"^{name}, "))

        for pair in (("bee", "fox"), ("owl", "hen"), ("bee or fox", "dog")):
            for name in pair:
                take(name).press("Enter")
        assert "3 piles are left, and the joins so far cost 0.76 questions" in sentence(page)
        drag_onto(page, take("cat"), take("owl or hen|hen or owl"))
        page.get_by_role("button", name="Take the last join apart").click()
        assert "3 piles are left" in sentence(page)
        drag_onto(page, take("cat"), take("owl or hen|hen or owl"))
        page.locator(".dtb-pick").first.click()
        page.locator(".dtb-pick").last.click()
        assert f"asks 2.41 questions on average; the entropy is {bits} bits." in sentence(page)
        assert "The best tree asks 2.38" in sentence(page)
        page.get_by_role("button", name="Always join").click()
        assert "Your tree asks 2.38 " in sentence(page)
        assert "No tree asks less." in sentence(page)


def drag_onto(page, one, other):
    """Drag one thing onto another by the mouse."""
    one.scroll_into_view_if_needed()
    first, second = one.bounding_box(), other.bounding_box()
    drag(
        page,
        one,
        [
            second[k] - first[k] + (second[s] - first[s]) / 2
            for k, s in (("x", "width"), ("y", "height"))
        ],
    )


def test_a_widget_runs_the_same_script_and_tells_python(chromium):
    live = LIVE["cut"][1]()
    made = widget(live)
    page = chromium.new_page()
    page.set_content("<!doctype html><main></main>")
    page.evaluate(
        """async ([code, html]) => {
          const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
          const known = { html };
          const model = {
            get: name => known[name],
            set: (name, value) => (window.told = value),
            save_changes() {},
          };
          const { default: made } = await import(url);
          made.render({ model, el: document.querySelector("main") });
        }""",
        [made._esm, made.html],
    )
    page.get_by_role("button", name="Show me without").click()
    page.get_by_role("slider", name="Cut of humidity").press("End")
    assert page.evaluate("told") == sentence(page) != made.said == live.view.sentence
    page.close()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: explorables.surrogates(*TENNIS), "surrogates needs columns of numbers"),
        (lambda: explorables.surrogates(GOLF[0][["humidity"]], GOLF[1]), "surrogates needs"),
        (lambda: explorables.your_own_tree(*GOLF), "cut numbers into ranges first"),
        (lambda: explorables.instability(*GOLF), "column 'outlook' holds more than known numbers"),
        (
            lambda: explorables.instability(IRIS[0] > 3, IRIS[1]),
            "column 'sepal length .* known num",
        ),
        (lambda: explorables.instability(IRIS[0].mask(IRIS[0] > 7), IRIS[1]), "holds more than kn"),
        (lambda: explorables.instability(IRIS[0], IRIS[1] * 0), "the tree of all cases asks noth"),
        (lambda: explorables.points_on_a_plane(*GOLF, *GOLF), "numbers from 0 to 1"),
        (lambda: explorables.subsets(TENNIS[0]["windy"], TENNIS[1]), "subsets needs two classes"),
        (lambda: explorables.growing(TENNIS[0][:2], TENNIS[1][:2]), "growing needs two classes"),
        (lambda: explorables.instability(GOLF[0][["humidity"]], GOLF[1] == ""), "asks nothing"),
    ],
)
def test_what_cannot_be_explored_is_told(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_tree_that_was_stored_is_told_as_it_is():
    told = LIVE["links"][1]().data["tree"]
    assert json.loads(json.dumps(told)) == told
