"""Pictures: what they say is computed, what they draw is small, legible and alone on its page."""

import re
import warnings
import xml.etree.ElementTree as ET
from functools import cache, partial
from itertools import pairwise

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.font_manager import get_font_names
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch
from matplotlib.path import Path as Line
from sklearn.datasets import load_iris
from strategies import tables
from tiers import draws, sample

from dtreebook import CARTClassifier, CARTRegressor, ID3Classifier, measures, plot
from dtreebook.data.cases import Attribute
from dtreebook.datasets import load_loan, load_nursery
from dtreebook.plot import sheet
from dtreebook.plot.sheet import DASHES, INK, PALETTE, SIZE, WIDTH, of_class, text_width
from dtreebook.plot.trees import MOST_NODES
from dtreebook.prune.crossvalidation import one_standard_error
from dtreebook.tree.splits import Multiway, Threshold
from dtreebook.tree.tree import Node, Tree
from twentyquestions.by_hand import nested

LOAN = load_loan(return_X_y=True)
IRIS = load_iris(return_X_y=True, as_frame=True)
PLANE = IRIS[0][["petal length (cm)", "petal width (cm)"]], IRIS[1]


@cache
def fitted(load, **parameters):
    return ID3Classifier(**parameters).fit(*load(return_X_y=True)).tree_


def iris_tree():
    return CARTClassifier(max_depth=3).fit(*PLANE).tree_


def counts(load, column):
    X, y = load(return_X_y=True)
    return plot.class_counts(pd.crosstab(X[column], y))


def loan_decision(**parameters):
    id3 = ID3Classifier(**parameters).fit(*LOAN)
    return plot.decision(id3.decisions(*LOAN)[0], id3.tree_.attributes)


def binary_curves():
    p = np.linspace(0, 1, 201)
    lines = {name: getattr(measures, name)(np.c_[p, 1 - p]) for name in ("entropy", "gini")}
    said = {"x_label": "p", "y_label": "impurity", "alt": "Entropy lies above Gini."}
    return plot.curves(p, lines, **said, marks=[(0.5, 1, "1 bit"), (0.9, 0.469, "0.469")])


def some_steps():
    return plot.staircase([1, 2, 3], [5, 7, 9], [2.5], [6, 9], x_label="x", y_label="y")


MAKERS = {
    "tree": lambda: plot.tree(fitted(load_loan)),
    "outlined tree": lambda: plot.tree(fitted(load_nursery, max_depth=2)),
    "folded tree": lambda: plot.tree(fitted(load_nursery)),
    "icicle": lambda: plot.icicle(fitted(load_nursery)),
    "two trees": lambda: plot.compared(fitted(load_loan), fitted(load_loan, max_depth=1)),
    "partition": lambda: plot.partition(iris_tree(), *PLANE),
    "errors": lambda: plot.pruning_errors(error_table(9)),
    "surprises": lambda: plot.surprises([8, 4, 2, 1, 1], [f"face {k}" for k in range(1, 6)]),
    "cut": lambda: plot.cut(pd.Series([1, 2, 2, 3, 4], name="age"), list("aabbb")),
    "staircase": some_steps,
    "counts": lambda: counts(load_loan, "credit"),
    "counts of five classes": lambda: counts(load_nursery, "health"),
    "decision": loan_decision,
    "curves": binary_curves,
    "diagram": lambda: plot.information_diagram([[6, 3], [0, 6]], names=("house", "loan")),
}


@cache
def made(name):
    picture = MAKERS[name]()
    return picture, picture._repr_html_()


def texts(picture):
    return [text.text for text in ET.fromstring(picture.svg).iterfind(".//{*}text")]


def patches(picture, kind=object):
    return [patch for patch in picture.figure.axes[0].patches if isinstance(patch, kind)]


def luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


# --- any picture ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAKERS)
def test_the_html_is_a_labelled_image(name):
    picture, html = made(name)
    figure = ET.fromstring(html)  # well-formed, even as XML
    assert (figure.tag, figure.get("class")) == ("figure", "dtb-picture")
    (image,) = figure
    assert (image.tag, image.get("role")) == ("div", "img")
    assert image.get("aria-label") == picture.alt == repr(picture)
    assert len(picture.alt) > 20
    (svg,) = image
    assert svg.get("aria-hidden") == "true"


@pytest.mark.parametrize("name", MAKERS)
def test_the_drawing_takes_its_colours_from_the_page(name):
    _, html = made(name)
    assert not re.search(r"<(style|script|metadata|image)|<!|<\?", html)
    assert INK not in html
    inks = [text.get("style") for text in ET.fromstring(html).iterfind(".//{*}text")]
    assert len(inks) > 3
    assert all("fill:currentColor" in ink for ink in inks)
    colours = {colour.upper() for colour in re.findall(r"#[0-9a-fA-F]{6}\b", html)}
    assert colours <= {*PALETTE, "#FFFFFF"}  # white only in the hatches, see below
    for element in ET.fromstring(html).iter():
        if "#ffffff" in element.get("style", ""):
            assert "stroke:#ffffff" in element.get("style")


@pytest.mark.parametrize("name", MAKERS)
def test_the_drawing_is_small_and_its_letters_legible_on_a_phone(name):
    _, html = made(name)
    assert len(html.encode()) < 60_000
    svg = ET.fromstring(html).find(".//{*}svg")
    width = float(svg.get("width"))
    assert svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"
    assert "max-width:100%;height:auto" in svg.get("style")
    # The column of a page 360 pixels wide has 325; letters of 9 can be read.
    assert f"font:{SIZE}px" in svg.get("style")
    assert "font-size" not in html
    assert SIZE * min(1, 325 / width) > 9


@pytest.mark.parametrize("name", sample(MAKERS, quick=4))
def test_the_same_picture_has_the_same_bytes_whatever_the_readers_settings(name):
    foreign = {"font.size": 30, "text.color": "red", "svg.fonttype": "path", "hatch.linewidth": 5}
    with matplotlib.rc_context(foreign):
        assert MAKERS[name]()._repr_html_() == made(name)[1]
        assert matplotlib.rcParams["font.size"] == 30


def test_pictures_on_one_page_share_no_id():
    pages = [made(name)[1] for name in MAKERS]
    ids = [re.findall(r'\bid="([^"]*)"', page) for page in pages]
    for page, here in zip(pages, ids, strict=True):
        assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', page)) == set(here)
    ids = [name for here in ids for name in here]
    assert len(ids) == len(set(ids)) > len(MAKERS)


def test_coordinates_are_rounded_and_texts_are_not():
    picture = plot.class_counts([[1234567, 2]], names=["#0.123456"], classes=["0.98765", "b"])
    assert texts(picture) == ["#0.123456", "1234567 0.98765", "2 b"]
    tags = re.sub(r">[^<]*<", "><", picture.svg)
    assert not re.search(r"\d\.\d\d", tags)


@pytest.mark.parametrize("ground", ["#FFFFFF", "#121212"])
def test_marks_stand_out(ground):
    assert len(PALETTE) == len(set(PALETTE))
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    for colour in PALETTE:
        assert contrast(colour, ground) >= 3
        assert contrast(colour, "#FFFFFF") >= 3  # the hatch on it


def test_classes_differ_in_more_than_colour():
    looks = [(look["fc"], look["hatch"]) for look in map(of_class, range(36))]
    assert len(set(looks)) == 36
    assert len({hatch for _, hatch in looks[:6]}) == 6
    assert len(set(map(str, DASHES))) == len(DASHES)


def test_saving(tmp_path):
    picture, _ = made("tree")
    picture.save(tmp_path / "tree.svg")
    svg = ET.parse(tmp_path / "tree.svg").getroot()
    assert svg.find("{*}title").text == picture.alt
    assert "prefers-color-scheme:dark" in svg.find("{*}style").text
    picture.save(str(tmp_path / "tree.png"))
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


LACKING = "⌓⌔⌕⌶"  # DejaVu Sans Mono has them, DejaVu Sans has not, and matplotlib brings both


@pytest.fixture
def drawn_with():
    """Draw one picture with some families installed."""
    installed = sheet.FAMILIES[:]

    def draw(*families):
        sheet.FAMILIES[:] = families
        text_width.cache_clear()
        return plot.class_counts([[9, 6]], names=[LACKING], classes=["no", "yes"])

    yield draw
    draw(*installed)


@pytest.mark.filterwarnings("error")
def test_letters_come_from_the_first_installed_font_that_has_them(drawn_with, tmp_path):
    assert set(sheet.FAMILIES) <= set(get_font_names())
    picture = drawn_with("DejaVu Sans", "DejaVu Sans Mono")
    assert text_width(LACKING) == pytest.approx(4 * 0.602 * SIZE, abs=0.5)
    picture.save(tmp_path / "mono.png")
    picture.save(tmp_path / "mono.pdf")
    assert texts(picture)[0] == LACKING
    with pytest.warns(UserWarning, match="no font here has 中, so that the picture shows boxes"):
        plot.surprises([1], ["中⌓"]).save(tmp_path / "boxes.png")


def test_the_bytes_of_an_svg_do_not_depend_on_the_fonts_installed(drawn_with):
    for families in (["DejaVu Sans"], ["DejaVu Sans", "DejaVu Sans Mono"]):
        drawn_with(*families)
        assert MAKERS["tree"]()._repr_html_() == made("tree")[1]


# --- trees ---------------------------------------------------------------------------------------


@st.composite
def random_trees(draw):
    """Draw a tree of random shape, with names from one to twenty letters, some leaves empty."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(1, 24))

    def column():
        name = "".join(rng.choice(list("aeglmnorstwWi ."), rng.integers(1, 21))) + "x"
        levels = [f"{name[: rng.integers(1, 21)]}{k}" for k in range(rng.integers(2, 6))]
        return name, pd.Categorical.from_codes(rng.integers(0, len(levels), n), levels)

    X = pd.DataFrame(dict(column() for _ in range(draw(st.integers(1, 8)))))
    weights = np.full(n, draw(st.sampled_from([1, 5e4])))
    return ID3Classifier().fit(X, rng.choice(["yes", "no", "perhaps"], n), weights).tree_


def drawn(tree, **options):
    """Return boxes (left, top, right, bottom) and edges as a tree is walked, texts and the size."""
    figure = plot.tree(tree, **options).figure
    axes = figure.axes[0]
    framed = [box for box in axes.patches if isinstance(box, FancyBboxPatch)]
    boxes = [[*box.get_bbox().p0, *box.get_bbox().p1] for box in framed]
    words = []
    for text in axes.texts:
        (x, foot), width = text.get_position(), text_width(text.get_text(), text.get_weight())
        left = x - width * {"left": 0, "center": 0.5, "right": 1}[text.get_ha()]
        middle = foot - 0.36 * SIZE
        words.append((left, middle - SIZE / 2, left + width, middle + SIZE / 2))
    edges = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    return np.array(boxes), edges, np.array(words), figure.get_size_inches() * 72


def apart(these, those):
    left, top, right, bottom = np.moveaxis(these[:, None], 2, 0)
    other_left, other_top, other_right, other_bottom = np.moveaxis(those[None], 2, 0)
    beside = (left >= other_right - 1e-6) | (right <= other_left + 1e-6)
    return beside | (top >= other_bottom - 1e-6) | (bottom <= other_top + 1e-6)


@settings(max_examples=draws(120))
@given(tree=random_trees())
def test_nothing_in_a_tree_overlaps(tree):
    boxes, edges, words, size = drawn(tree)
    for these in (boxes, words):
        assert (these[:, :2] >= 0).all()
        assert (these[:, 2:] <= size).all()
        assert (apart(these, these) | np.eye(len(these), dtype=bool)).all()
    within = (words[:, None, :2] > boxes[:, :2]) & (words[:, None, 2:] < boxes[:, 2:])
    assert (apart(words, boxes) | within.all(axis=2)).all()
    # The line of a frame is 1.2 wide. An edge enters no box and no word, as wide as it is.
    inner = np.concatenate([boxes, words]) + 0.6 * np.array([1, 1, -1, -1])
    for edge in edges:
        for points in sides(edge):
            inside = (points[:, None] > inner[:, :2]) & (points[:, None] < inner[:, 2:])
            assert not inside.all(axis=2).any()


def sides(edge):
    """Return points along both sides of a line or a curve."""
    (line,) = edge.get_path().to_polygons(closed_only=False)
    line = Line(line).interpolated(20).vertices
    along, line = np.diff(line, axis=0), (line[1:] + line[:-1]) / 2
    moves = (along != 0).any(axis=1)
    along, line = along[moves], line[moves]
    aside = along[:, ::-1] * (-1, 1) / np.hypot(*along.T)[:, None] * (edge.get_linewidth() / 2)
    return line - aside, line + aside


def is_upright(edge):
    return len(edge.get_path().vertices) == 4  # a curve; an outline has bent lines


@given(tree=random_trees())
def test_the_edges_of_a_node_lie_side_by_side_as_wide_as_their_cases(tree):
    boxes, edges, *_ = drawn(tree)
    paths = [path for path, _ in tree.walk()]
    below = {}
    for path, edge in zip(paths[1:], edges, strict=True):
        width = edge.get_linewidth()
        assert width == pytest.approx(max(12 * tree.node(path).weight / tree.root.weight, 1))
        middle = edge.get_path().vertices[0][0]
        below.setdefault(path[:-1], []).append((middle - width / 2, middle + width / 2))
    for path, ends in below.items():
        ends = sorted(ends)
        for (_, end), (start, _) in pairwise(ends):
            assert start == pytest.approx(end)
        if is_upright(edges[0]):
            left, _, right, _ = boxes[paths.index(path)]
            assert ends[0][0] + ends[-1][1] == pytest.approx(left + right)


def test_a_small_tree_grows_downwards_and_a_wide_one_is_an_outline():
    for tree, upright in ((fitted(load_loan), True), (fitted(load_nursery, max_depth=2), False)):
        assert {is_upright(edge) for edge in drawn(tree)[1]} == {upright}


def test_a_wide_tree_grows_downwards_if_it_is_told_to():
    wide = fitted(load_nursery, max_depth=2)
    assert all(is_upright(edge) for edge in drawn(wide, upright=True)[1])


def test_a_single_leaf_and_an_empty_one():
    tree = Tree.from_root(Node(np.array([2.5, 1.0]), 0), (), np.array(["a", "b"]))
    assert plot.tree(tree).alt == "Decision tree of depth 0 with 1 leaf: a (2.5 of 3.5 cases)."
    bar = [patch.get_width() for patch in patches(plot.tree(tree))[1:3]]
    assert bar[0] / sum(bar) == pytest.approx(2.5 / 3.5)
    leaves = Node(np.array([2.0, 0.0]), 0), Node(np.zeros(2), 0)
    root = Node(np.array([2.0, 0.0]), 0, Multiway(0), leaves)
    tree = Tree.from_root(root, (Attribute("x", "nominal", ("p", "q")),), np.array(["a", "b"]))
    assert plot.tree(tree).alt.endswith("If x = p: a (2 of 2 cases). If x = q: a (no cases).")
    assert "no cases" in texts(plot.tree(tree))


def test_a_large_tree_is_folded_where_few_cases_are_and_says_so():
    whole, (picture, _) = fitted(load_nursery), made("folded tree")
    shown = picture.data
    hidden = whole.node_count - len(shown)
    assert MOST_NODES - 5 < len(shown) <= MOST_NODES
    assert f"double frame: folded, {hidden} nodes in all" in texts(picture)
    assert f"with {whole.n_leaves} leaves" in picture.alt
    weights = sorted((node.weight for _, node in whole.walk() if not node.is_leaf), reverse=True)
    asking = shown["asks"] != ""
    assert sorted(shown["cases"][asking], reverse=True) == weights[: asking.sum()]
    leaves = sum(node.is_leaf for _, node in whole.walk() if node.weight)
    folded = int(re.search(rf"Folded: (\d+) subtrees, {hidden} nodes\.$", picture.alt)[1])
    assert 0 < folded < min(leaves, len(shown))


def test_the_way_of_a_case_is_marked_and_never_folded():
    whole = fitted(load_nursery)
    deepest = max((path for path, _ in whole.walk()), key=len)
    way = [deepest[:n] for n in range(len(deepest) + 1)]
    picture = plot.tree(whole, lit=dict.fromkeys(way, 1))
    assert f"Marked: the way by {' and '.join(whole.conditions(deepest))}." in picture.alt
    # All boxes on the way have a thick frame, and all edges but those that many cases take.
    narrow = sum(12 * whole.node(path).weight / whole.root.weight < 3.5 for path in way[1:])
    assert (len(deepest), narrow) == (8, 7)
    assert "·" not in " ".join(texts(picture))
    assert picture.svg.count("stroke-width:3.5") == 9 + narrow
    assert picture.svg.count("opacity:0.5") == len(picture.data) - 9
    picture = plot.tree(fitted(load_loan), lit={(): 1, (0,): 0.6, (1,): 0.4, (0, 0): 0.6})
    assert picture.alt.endswith(
        "Marked: 0.40 of a case by house = yes; 0.60 of a case by house = no and work = no."
    )
    assert {"no · 0.60", "yes · 0.40"} <= set(texts(picture))


def test_undecided_leaves_do_not_tell_their_class():
    drawn = texts(plot.tree(fitted(load_loan).keep({()}), undecided=[(0,), (1,)]))
    assert drawn.count("?") == 2
    assert {"9", "6"} <= set(drawn)


# --- other pictures of trees ----------------------------------------------------------------------


def test_an_icicle_has_a_box_as_wide_as_its_cases():
    widths = [patch.get_width() for patch in patches(plot.icicle(fitted(load_loan)))]
    assert np.allclose(np.array(widths[:5]) * 15 / (WIDTH - 8), [15, 9, 6, 3, 6])


def test_a_plane_is_divided_as_the_tree_says():
    picture, _ = made("partition")
    boxes = [patch for patch in patches(picture) if patch.get_alpha()]
    assert len(boxes) == iris_tree().n_leaves
    whole = (WIDTH - 72) * 320  # every point of the plane is in one region
    assert sum(box.get_width() * abs(box.get_height()) for box in boxes) == pytest.approx(whole)
    with pytest.raises(ValueError, match="a plane has two numbers, but age is nominal, work is no"):
        plot.partition(fitted(load_loan), *PLANE)


def test_a_regression_tree_has_no_classes_to_show():
    X, y = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 1.0, 2.0]}), [1.0, 2.0, 4.0]
    tree = CARTRegressor().fit(X, y).tree_
    for show in (plot.icicle, lambda tree: plot.partition(tree, X, y), nested):
        with pytest.raises(ValueError, match="a regression tree has no"):
            show(tree)


# --- cases and charts of numbers -----------------------------------------------------------------


def error_table(n):
    """Return a table as of a pruning path, of n trees."""
    along = np.linspace(0, 1, n)
    table = pd.DataFrame({"n_leaves": np.arange(n) ** 2 + 1, "relative_error": 1 - along})
    return table.assign(cv_error=0.5 + np.abs(along - 0.5), cv_std=0.03)


@pytest.mark.parametrize("n", [1, 2, 8, 40])
def test_the_numbers_of_leaves_stand_apart(n):
    table = error_table(n)
    picture = plot.pruning_errors(table)
    written = (one for one in picture.figure.axes[0].texts if one.get_ha() == "center")
    numbers = [one for one in written if one.get_text().isdigit()]
    labels = sorted((one.get_position()[0], text_width(one.get_text())) for one in numbers)
    assert all(b - a > (v + w) / 2 for (a, v), (b, w) in pairwise(labels))
    assert labels[-1][0] + labels[-1][1] / 2 < WIDTH
    shown = {int(text) for text in texts(picture) if text.isdigit()}
    chosen, least = one_standard_error(table), table["cv_error"].idxmin()
    assert {1, (n - 1) ** 2 + 1, chosen**2 + 1} <= shown
    assert len(labels) == n or n == 40
    assert picture.alt.startswith(f"Errors of {n} trees")
    assert picture.alt.count("training") == (n if n <= 12 else 4 - (chosen == least))


def test_a_cut_has_the_gain_of_its_two_sides():
    length, y = IRIS[0]["petal length (cm)"], IRIS[1]
    for at in (None, 1.9, 2.0, 4.8):
        picture = plot.cut(length, y, at)
        below = length <= (2.45 if at is None else at)
        gain = measures.information_gain(pd.crosstab(~below, y))
        assert picture.alt.endswith(f"this one gains {gain:.3f}.")
        sides = f"{(below & (y == 0)).sum()} up to it, {(~below & (y == 0)).sum()} above"
        assert f"0: {sides}" in picture.alt
    assert "cut at 3.5." in plot.cut([1, 2, 3, 4], list("aaab")).alt


def test_a_number_that_tells_nothing_has_a_level_line():
    picture = plot.cut([1, 2, 1, 2], list("aabb"))
    assert "from 0.000 to 0.000 bits; this one gains 0.000" in picture.alt
    assert "nan" not in picture.svg


# --- bars ----------------------------------------------------------------------------------------


def test_counts_are_bars_as_long_as_they_say():
    picture, _ = made("counts")
    title, *drawn = texts(picture)
    table = pd.crosstab(LOAN[0]["credit"], LOAN[1])
    assert title == "approved by credit"
    assert [text for text in drawn if text.endswith((" no", " yes"))] == [
        f"{n} {label}" for _, row in table.iterrows() for label, n in row.items()
    ]
    lengths = [patch.get_width() for patch in patches(picture)]
    found = table.to_numpy()[table.to_numpy() > 0]
    assert np.allclose(np.divide(lengths, lengths[0]), found / found[0])
    same_scale = plot.class_counts(table, unit=10)
    assert np.allclose([patch.get_width() for patch in patches(same_scale)], 10 * found)


def test_the_bar_of_what_was_chosen_is_marked():
    picture, _ = made("decision")
    assert sum("chosen" in text for text in texts(picture)) == 1
    assert not any(colour in picture.svg.upper() for colour in PALETTE)  # they mean classes
    picture = loan_decision(min_gain=0.9)
    assert picture.alt.endswith("none chosen: best score below the least.")
    assert "chosen" not in " ".join(texts(picture))
    id3 = ID3Classifier().fit(*LOAN)
    leaf = next(decision for decision in id3.decisions(*LOAN) if not decision.candidates)
    with pytest.raises(ValueError, match="no attribute was a candidate at this node: pure"):
        plot.decision(leaf, id3.tree_.attributes)


# --- curves --------------------------------------------------------------------------------------


def test_a_gap_in_a_curve_and_a_whole_number_axis():
    picture = plot.curves(
        [1, 2, 3], {"a": [1, np.nan, 2]}, x_label="depth", y_label="y", alt="A gap at 2."
    )
    assert [text for text in texts(picture) if text.isdigit()] == ["1", "2", "3"]


def curves_of(lines, alt="seen"):
    plot.curves([0, 1], lines, x_label="x", y_label="y", alt=alt)


def cut_of(values, at=None):
    plot.cut(values, ["a", "b"], at)


@pytest.mark.parametrize(
    ("draw", "what", "message"),
    [
        (curves_of, [{"a": [1, 2, 3]}], r"curve 'a' has shape \(3,\), but x has \(2,\)"),
        (curves_of, [{"a": [np.nan, np.nan]}], "curve 'a' has no finite point"),
        (curves_of, [{}], "at least one curve"),
        (curves_of, [{"a": [1, 2]}, " "], "an alt that says what is seen"),
        (cut_of, [[1, 1]], "value runs from 1 to 1: it cannot be cut"),
        (cut_of, [[1, np.nan]], "it cannot be cut"),
        (cut_of, [pd.Series([1, 2], name="age"), 2], "age runs from 1 to 2: .* cut at 2"),
        (cut_of, [[1, 2], 0.5], "it cannot be cut at 0.5"),
        (plot.class_counts, [[1, 2]], "two dimensions, values and classes, not 1"),
        (plot.class_counts, [[[1, -2]]], "one of them is -2"),
        (partial(plot.class_counts, names=["a", "b"]), [[[1, 2]]], "names has 2 .* needs 1"),
        (partial(plot.class_counts, classes=["a"]), [[[1, 2]]], "classes has 1 .* needs 2"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, what, message):
    with pytest.raises(ValueError, match=message):
        draw(*what)


# --- odd cases -----------------------------------------------------------------------------------


def shown(picture):
    """Return a picture's SVG, once it is known to be bounded, and within its sheet."""
    svg = picture.svg
    assert "nan" not in re.sub(r"<text[^>]*>[^<]*</text>", "", svg)
    assert "inf" not in re.findall(r'="[^"]*"', svg)
    assert len(picture.alt) < 4000
    for x, y in re.findall(r'<text[^>]* x="([-\d.]+)" y="([-\d.]+)"', svg):
        width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
        assert -1 <= float(x) <= width + 1
        assert -1 <= float(y) <= height + 1
    return svg


PLANE_6 = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, np.nan], "b": [2.0, 1, 2, 1, 2, 1]})
PLANE_6_Y = list("pppqqp")


def points_of(picture):
    """Return the points of the cases: lines of a mark, but for those of the key."""
    lines = picture.figure.axes[0].lines
    return sum(len(line.get_xdata()) for line in lines if line.get_markersize() == 7) - 2


def test_a_plane_leaves_a_case_of_unknown_value_out_and_says_so(tmp_path):
    model = CARTClassifier(max_depth=1).fit(PLANE_6, PLANE_6_Y)
    picture = plot.partition(model, PLANE_6, PLANE_6_Y)
    assert len([patch for patch in patches(picture) if patch.get_alpha()]) == 2
    assert points_of(picture) == 5
    assert picture.alt.endswith("Not drawn: 1 case of unknown value.")
    assert "not drawn: 1 of unknown value" in texts(picture)
    assert picture.data["predicted"].tolist() == model.predict(PLANE_6).tolist()
    shown(picture)
    picture.save(tmp_path / "x.png")


def test_a_plane_finds_its_columns_by_name():
    model = CARTClassifier(max_depth=1).fit(PLANE_6, PLANE_6_Y)
    swapped = plot.partition(model, PLANE_6[["b", "a"]], PLANE_6_Y)
    assert swapped.svg == plot.partition(model, PLANE_6, PLANE_6_Y).svg
    with pytest.raises(ValueError, match="missing: b; not expected: c"):
        plot.partition(model, PLANE_6.rename(columns={"b": "c"}), PLANE_6_Y)
    with pytest.raises(ValueError, match="class 'z' in row 5, which the tree does not know"):
        plot.partition(model, PLANE_6, list("pppqqz"))
    with pytest.raises(ValueError, match="X has 6 rows but y has 5"):
        plot.partition(model, PLANE_6, PLANE_6_Y[:5])
    with pytest.raises(ValueError, match="no case has both numbers"):
        plot.partition(model, PLANE_6[5:], PLANE_6_Y[5:])


def test_a_plane_of_odd_cases():
    X = pd.DataFrame({"a": [1.0, 1, 1], "b": [1e5, 1e5 + 10, 1e5 + 20]})
    picture = plot.partition(CARTClassifier().fit(X, list("aab")), X, list("aab"))
    assert {"1", "100000", "100020"} <= set(texts(picture))
    shown(picture)
    one = CARTClassifier().fit(X, ["only"] * 3)
    assert "in 1 region: all: only, 3 of 3 cases." in plot.partition(one, X, ["only"] * 3).alt
    model = CARTClassifier().fit(X, list("aab"))  # a cut beyond the cases that are drawn
    shown(plot.partition(model, X[:1], ["a"]))
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.random((5000, 2)), columns=["a", "b"]), rng.integers(0, 40, 5000)
    picture = plot.partition(CARTClassifier(max_depth=9).fit(X, y), X, y)
    assert picture.alt.endswith("too many to list. Of 5,000 cases 2,000 are drawn.")
    shown(picture)
    marks = [(line.get_marker(), line.get_color()) for line in picture.figure.axes[0].lines]
    assert len(set(marks)) == 36  # each colour with each mark


@pytest.mark.parametrize("load", [load_loan, load_nursery])
def test_in_small_axes_all_shrinks_and_a_warning_says_how_large_they_must_be(load):
    from matplotlib.figure import Figure

    def drawn_in(wide, high):
        ax = Figure(figsize=(wide, high)).add_axes((0, 0, 1, 1))
        return plot.tree(fitted(load), ax=ax).figure.axes[0]

    with pytest.warns(UserWarning, match="points high in Axes of .* inches: make them") as caught:
        small = drawn_in(1.5, 2.5)
    wide, high = re.search(r"make them ([\d.]+) x ([\d.]+) inches", str(caught[0].message)).groups()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        large = drawn_in(float(wide), float(high))
    (letters,) = {text.get_fontsize() for text in large.texts}
    assert 6 <= letters < 6.5
    for ax in (small, large):
        scale = ax.texts[0].get_fontsize() / SIZE
        widest = max(patch.get_linewidth() for patch in ax.patches)
        shares = [node.weight for path, node in fitted(load).walk() if path]
        assert widest == pytest.approx(12 * scale * max(shares) / fitted(load).root.weight)


ODD = ["", " ", "a\nb", "<b>&\"'", "$x^2$", "\x1b[31m", "\u202etxt", "中文", "n" * 500]


def odd_tree():
    n = 40 * len(ODD)
    X = pd.DataFrame({"z" * 300: ODD * 40, "<z>": np.arange(n) % 7})
    return ID3Classifier().fit(X.astype(str), [f"{word}!" for word in ODD * 40]).tree_


def many_branches():
    X = pd.DataFrame({"k": [f"value number {i}" for i in range(5000)]})
    return ID3Classifier().fit(X, np.arange(5000) % 50).tree_


def deep():
    x = np.arange(300.0)[:, None]
    return (
        CARTClassifier(min_samples_leaf=1, criterion=lambda counts: measures.gini(counts))
        .fit(x, np.arange(300) % 2)
        .tree_
    )


@pytest.mark.parametrize("make", [odd_tree, many_branches, deep])
@pytest.mark.parametrize("draw", [plot.tree, plot.icicle])
def test_a_picture_of_any_tree_has_a_short_text_and_legible_letters(make, draw):
    tree = make()
    picture = draw(tree)
    shown(picture)
    assert f"with {tree.n_leaves} leaves" in picture.alt
    if make is many_branches and draw is plot.tree:
        assert picture.alt.count("value number") == 12
        assert "4,988 more branches" in picture.alt
    width = float(re.search(r'width="([\d.]+)"', picture.svg)[1])
    assert width < 1600


def test_two_large_trees_are_compared_in_a_short_text():
    X = pd.DataFrame({name: np.arange(4000) % n for name, n in (("a", 90), ("b", 11))}).astype(str)
    y = np.random.default_rng(0).integers(0, 2, 4000)
    whole, part = ID3Classifier().fit(X, y), ID3Classifier(max_depth=1).fit(X, y)
    picture = plot.compared(whole, part)
    shown(picture)
    assert f"{len(picture.data) - 12} more nodes" in picture.alt


def test_an_icicle_of_many_levels_says_what_it_leaves_out():
    n = 80
    root = Node(np.array([1.0, 1.0]), 0)
    for _ in range(n):
        sides = Node(np.array([1.0, 0]), 0), root
        root = Node(root.counts + np.array([1, 0]), 0, Threshold(0, 0.5), sides)
    tree = Tree.from_root(root, (Attribute("x", "numeric"),), np.array(["a", "b"]))
    picture = plot.icicle(tree)
    assert picture.alt.endswith("Not drawn: the levels below 60.")
    assert "not drawn: the levels below 60" in texts(picture)
    shown(picture)


def test_blanks_and_odd_cases_along_a_number_and_a_curve():
    picture = plot.cut(pd.Series([1, 2, np.nan, 3], name="age"), list("aabb"))
    assert picture.alt.endswith("Not drawn: 1 case of unknown value.")
    assert "cut at 2.5. a: 2 up to it, 0 above; b: 0 up to it, 1 above" in picture.alt
    shown(picture)
    many = plot.cut(np.arange(5000), np.arange(5000) % 30)
    assert "18 more classes" in many.alt
    assert many.alt.endswith("Of 5,000 cases 2,000 are drawn.")
    shown(many)
    labels = {"x_label": "x", "y_label": "y"}
    steps = plot.staircase([1, 2, np.nan], [5, 7, 8], [1.5], [5, 7], **labels)
    assert steps.alt.startswith("2 cases")
    assert steps.alt.endswith("Not drawn: 1 case of unknown value.")
    shown(steps)
    for x, y, cuts, means in (
        ([1, 1], [2, 2], [], [2]),
        ([1], [2], [], [2]),
        ([1, 2], [5, 6], [0, 9], [1, 20, 3]),  # cuts and means of other cases
    ):
        shown(plot.staircase(x, y, cuts, means, **labels))


def test_a_rare_event_is_no_higher_than_the_picture():
    picture = plot.surprises([1e-9, 1], ["rare", "usual"])
    height = picture.figure.get_size_inches()[1] * 72
    assert all(0 <= patch.get_y() <= height for patch in patches(picture))
    assert "rare: 0.000 wide, 29.897 high" in picture.alt
    shown(picture)


def test_many_bars_and_curves():
    picture = plot.class_counts(np.ones((300, 40)), title="t")
    assert "28 more classes" in picture.alt
    assert picture.alt.endswith("288 more values.")
    shown(picture)
    picture = plot.scores({f"c{i}": float(i) for i in range(400)}, "gain", chosen="c399")
    assert picture.alt.startswith("Bars of the gain: c399 399.000, chosen; c0 0.000;")
    assert picture.alt.endswith("388 more names.")
    lines = {f"c{i}": [i, i + 1] for i in range(12)}
    axes = plot.curves([0, 1], lines, x_label="x", y_label="y", alt="Twelve.").figure.axes[0]
    looks = {(line.get_color(), str(line._dash_pattern)) for line in axes.lines}
    assert len(looks) == 12


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot.class_counts(np.zeros((0, 2))), "has no counts to draw"),
        (lambda: plot.scores({}, "gain"), "there is no number to draw"),
        (lambda: plot.scores({"a": np.nan}, "gain"), "'a' is nan: a bar has a finite length"),
        (lambda: plot.surprises([1, 2], ["a"]), "names has 1 entries, but there are 2"),
        (lambda: plot.pruning_errors(error_table(3).assign(cv_error=np.nan)), "is unknown"),
        (lambda: plot.cut([1, 2], ["a"]), "but there are 1 classes"),
        (lambda: plot.cut([1, 2], ["a", None]), "case 1 has no class"),
        (lambda: plot.cut([1, np.inf], ["a", "b"]), "is infinite in some case"),
        (lambda: steps_of([1, 2], [1, np.inf], [], [1]), "a number is infinite"),
        (lambda: steps_of([1, 2], [1, 2], [1], [1]), "1 cuts and 1 means"),
        (lambda: steps_of([np.nan], [1], [], [1]), "no case has both numbers"),
        (lambda: steps_of([1, 2], [1], [], [1]), "give a number of each case"),
    ],
)
def test_what_has_nothing_to_draw_says_why(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def steps_of(*given):
    return plot.staircase(*given, x_label="x", y_label="y")


# --- the information diagram ---------------------------------------------------------------------


@given(table=tables())
def test_the_circles_have_the_areas_of_the_entropies(table):
    picture = plot.information_diagram(table)
    circles = [circle for circle in patches(picture, Circle) if circle.get_linewidth()]
    (x0, y0), (x1, y1) = (circle.center for circle in circles)
    r0, r1 = (circle.radius for circle in circles)
    h_x, h_y = measures.entropy(table.sum(1)), measures.entropy(table.sum(0))
    information = measures.mutual_information(table)
    assert f"I(X;Y) = {information:.3f}" in picture.alt
    assert f"H(X|Y) = {h_x - information:.3f}".replace("-0.000", "0.000") in picture.alt
    scale = max(h_x, h_y) / (max(r0, r1) ** 2 * np.pi) if max(r0, r1) > 0 else 1
    assert np.isclose(r0**2 * np.pi * scale, h_x)
    assert np.isclose(r1**2 * np.pi * scale, h_y)
    # The overlap, by counting the points of a grid that lie in both.
    smaller = min(r0, r1)
    if smaller > 20:
        x, y, r = (x0, y0, r0) if r0 <= r1 else (x1, y1, r1)
        side = np.linspace(-r, r, 800)
        u, v = np.meshgrid(x + side, y + side)
        both = ((u - x0) ** 2 + (v - y0) ** 2 <= r0**2) & ((u - x1) ** 2 + (v - y1) ** 2 <= r1**2)
        area = both.mean() * (2 * r) ** 2 * scale
        assert area == pytest.approx(information, abs=0.01 * max(h_x, h_y))
    width, height = picture.figure.get_size_inches() * 72
    assert min(x0 - r0, x1 - r1) >= 0
    assert max(x0 + r0, x1 + r1) <= width
    assert y0 + max(r0, r1) <= height


def test_a_tree_is_drawn_into_axes_as_large_as_they_are():
    from matplotlib.figure import Figure

    ax = Figure(figsize=(8, 4)).add_axes((0, 0, 0.5, 1))
    picture = plot.tree(ID3Classifier().fit(*LOAN), ax=ax)
    assert picture.figure is ax.figure
    assert picture.alt == plot.tree(fitted(load_loan)).alt
    (size,) = {text.get_fontsize() for text in ax.texts}
    alone = plot.tree(fitted(load_loan)).figure
    width, height = alone.get_size_inches()
    assert size == pytest.approx(alone.axes[0].texts[0].get_fontsize() * min(4 / width, 4 / height))
