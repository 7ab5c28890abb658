"""Pictures: what they say is computed, what they draw is small, legible and alone on its page."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.font_manager import fontManager, get_font_names
from matplotlib.image import imread
from matplotlib.patches import Circle
from matplotlib.path import Path as Line
from sklearn.datasets import load_iris
from strategies import tables

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, measures, plot
from dtreebook.data.cases import Attribute
from dtreebook.datasets import load_car, load_loan, load_nursery, load_tennis
from dtreebook.pages.by_hand import nested
from dtreebook.plot import sheet, trees
from dtreebook.plot.sheet import (
    DASHES,
    INK,
    PALETTE,
    SIZE,
    WIDTH,
    Picture,
    Sheet,
    of_class,
    styled,
    text_width,
)
from dtreebook.prune.cost_complexity import prune_at
from dtreebook.prune.crossvalidation import cp_table, one_standard_error
from dtreebook.tree.splits import Multiway
from dtreebook.tree.tree import Node, Tree

README_TREE = Path(__file__).parents[2] / "book" / "_static" / "readme-tree.svg"


def fitted(load, **parameters):
    return ID3Classifier(**parameters).fit(*load(return_X_y=True))


def loan_tree():
    return plot.tree(fitted(load_loan).tree_)


def outlined_tree():
    return plot.tree(fitted(load_nursery, max_depth=2).tree_)


def loan_counts():
    X, y = load_loan(return_X_y=True)
    return plot.class_counts(pd.crosstab(X["credit"], y))


def nursery_counts():
    X, y = load_nursery(return_X_y=True)
    return plot.class_counts(pd.crosstab(X["health"], y))


def loan_decision():
    X, y = load_loan(return_X_y=True)
    id3 = ID3Classifier().fit(X, y)
    return plot.decision(id3.decisions(X, y)[0], id3.tree_.attributes)


def binary_curves():
    p = np.linspace(0, 1, 201)
    pairs = np.c_[p, 1 - p]
    return plot.curves(
        p,
        {"entropy": measures.entropy(pairs), "Gini": measures.gini(pairs)},
        x_label="p",
        y_label="impurity",
        alt="Entropy lies above Gini.",
        marks=[(0.5, 1, "1 bit"), (0.9, 0.469, "0.469")],
    )


def loan_diagram():
    return plot.information_diagram([[6, 3], [0, 6]], names=("house", "loan"))


def nursery_icicle():
    return plot.icicle(fitted(load_nursery).tree_)


def iris_plane():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X[["petal length (cm)", "petal width (cm)"]]
    return plot.partition(CARTClassifier(max_depth=3).fit(X, y).tree_, X, y)


def iris_errors():
    table = cp_table(
        CARTClassifier(), *load_iris(return_X_y=True, as_frame=True), np.arange(150) % 10
    )
    return plot.pruning_errors(table, 2)


def lopsided_die():
    return plot.surprises([8, 4, 2, 1, 1], [f"face {k}" for k in range(1, 6)])


def some_cut():
    return plot.cut(pd.Series([1, 2, 2, 3, 4], name="age"), list("aabbb"), least=2)


def some_steps():
    return plot.staircase([1, 2, 3], [5, 7, 9], [2.5], [6, 9], x_label="x", y_label="y")


def some_points():
    return plot.strip([0.1, 0.2, 0.3], [0.1, 0.3], 1, "gain in bits")


MAKERS = [
    nursery_icicle,
    iris_plane,
    iris_errors,
    lopsided_die,
    some_cut,
    some_steps,
    some_points,
    loan_tree,
    outlined_tree,
    loan_counts,
    nursery_counts,
    loan_decision,
    binary_curves,
    loan_diagram,
]


def texts(picture):
    return [text.text for text in ET.fromstring(picture.svg).iterfind(".//{*}text")]


def luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    """As WCAG 2.1 defines it."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


# --- any picture ---------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS)
def test_the_html_is_a_labelled_image(make):
    picture = make()
    figure = ET.fromstring(picture._repr_html_())  # well-formed, even as XML
    assert (figure.tag, figure.get("class")) == ("figure", "dtb-picture")
    (image,) = figure
    assert (image.tag, image.get("role")) == ("div", "img")
    assert image.get("aria-label") == picture.alt == repr(picture)
    (svg,) = image
    assert svg.get("aria-hidden") == "true"
    assert len(picture.alt) > 20


@pytest.mark.parametrize("make", MAKERS)
def test_the_drawing_takes_its_colours_from_the_page(make):
    svg = make().svg
    assert svg.startswith("<svg ")
    assert not re.search(r"<(style|script|metadata|image)|<!|<\?", svg)
    assert INK not in svg
    inks = [text.get("style") for text in ET.fromstring(svg).iterfind(".//{*}text")]
    assert len(inks) > 3
    assert all("fill:currentColor" in ink for ink in inks)
    colours = {colour.upper() for colour in re.findall(r"#[0-9a-fA-F]{6}\b", svg)}
    assert colours <= {*PALETTE, "#FFFFFF"}  # white only in the hatches, see below
    for element in ET.fromstring(svg).iter():
        if "#ffffff" in element.get("style", ""):
            assert "stroke:#ffffff" in element.get("style")


@pytest.mark.parametrize("make", MAKERS)
def test_the_drawing_is_small_and_its_letters_legible_on_a_phone(make):
    svg = make().svg
    assert len(svg.encode()) < 60_000
    root = ET.fromstring(svg)
    width = float(root.get("width"))
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert "max-width:100%;height:auto" in root.get("style")
    # The column of a page 360 pixels wide has 325; letters of 9 can be read.
    assert f"font:{SIZE}px" in root.get("style")
    assert "font-size" not in svg
    assert SIZE * min(1, 325 / width) > 9


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_picture_has_the_same_bytes_whatever_the_readers_settings(make):
    expected = make()._repr_html_()
    foreign = {"font.size": 30, "text.color": "red", "svg.fonttype": "path", "hatch.linewidth": 5}
    with matplotlib.rc_context(foreign):
        assert make()._repr_html_() == expected
        assert matplotlib.rcParams["font.size"] == 30


def test_the_bytes_are_the_same_in_another_process():
    code = (
        "from dtreebook import ID3Classifier, plot; from dtreebook.datasets import load_loan; "
        "import sys; id3 = ID3Classifier().fit(*load_loan(return_X_y=True)); "
        "sys.stdout.write(plot.tree(id3.tree_).svg); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert run.stderr == b""
    assert run.stdout.decode() == loan_tree().svg


def test_pictures_on_one_page_share_no_id():
    seen = set()
    for make in MAKERS:
        svg = make().svg
        ids = re.findall(r'\bid="([^"]*)"', svg)
        assert len(ids) == len(set(ids))
        assert not seen.intersection(ids)
        assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg)) == set(ids)
        seen.update(ids)
    assert len(seen) > len(MAKERS)


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


def test_labels_are_escaped_and_never_mathematics():
    awkward = '<b>&"$x$'
    picture = plot.class_counts([[1, 2]], names=[awkward], classes=["$a_1$", "</svg>"])
    assert texts(picture) == [awkward, "1 $a_1$", "2 </svg>"]
    assert ET.fromstring(picture._repr_html_())[0].get("aria-label") == picture.alt
    assert awkward in picture.alt


def test_saving(tmp_path):
    picture = loan_tree()
    picture.save(tmp_path / "tree.svg")
    svg = ET.parse(tmp_path / "tree.svg").getroot()
    assert svg.find("{*}title").text == picture.alt
    assert "prefers-color-scheme:dark" in svg.find("{*}style").text
    picture.save(str(tmp_path / "tree.png"))
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


@styled
def test_a_text_stands_in_pixels_where_it_stands_in_the_svg(tmp_path):
    for ha in ("left", "center", "right"):
        sheet = Sheet(200, 40)
        sheet.text(100, 20, "HHHHH", ha)
        Picture(sheet.figure, "Five letters.", pd.DataFrame()).save(tmp_path / "text.png")
        dark = imread(tmp_path / "text.png")[..., 0] < 0.5
        columns, rows = (np.flatnonzero(dark.any(axis=axis)) / 2 for axis in (0, 1))
        width = text_width("HHHHH")
        start = {"left": 100, "center": 100 - width / 2, "right": 100 - width}[ha]
        assert abs(columns.mean() - start - width / 2) < 1
        assert abs(rows.mean() - 20) < 1


CHINESE = "天气晴雨"


@pytest.fixture
def wide(tmp_path):
    """Install a font that has four letters, squares as wide as it is high."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 900), (900, 900), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    font = FontBuilder(1000)
    font.setupGlyphOrder([".notdef", "square"])
    font.setupCharacterMap(dict.fromkeys(map(ord, CHINESE), "square"))
    font.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "square": pen.glyph()})
    font.setupHorizontalMetrics({".notdef": (500, 0), "square": (1000, 0)})
    font.setupHorizontalHeader(ascent=900, descent=-100)
    font.setupNameTable({"familyName": "Wide", "styleName": "Regular"})
    font.setupOS2()
    font.setupPost()
    font.save(tmp_path / "wide.ttf")
    fontManager.addfont(tmp_path / "wide.ttf")
    yield ["DejaVu Sans", "Wide"]
    fontManager.ttflist.pop()


@pytest.fixture
def drawn_with(monkeypatch):
    """Draw one picture with some families installed."""

    def draw(families):
        monkeypatch.setattr(sheet, "FAMILIES", families)
        monkeypatch.setitem(sheet._STYLE, "font.family", families)
        text_width.cache_clear()
        return plot.class_counts([[9, 6]], names=[CHINESE], classes=["no", "yes"])

    yield draw
    text_width.cache_clear()


@pytest.mark.filterwarnings("error")
def test_letters_come_from_the_first_installed_font_that_has_them(wide, drawn_with, tmp_path):
    assert set(sheet.FAMILIES) <= set(get_font_names())
    picture = drawn_with(wide)
    assert text_width(CHINESE) == pytest.approx(4 * SIZE, abs=0.5)
    picture.save(tmp_path / "wide.png")
    picture.save(tmp_path / "wide.pdf")
    assert texts(picture)[0] == CHINESE
    with pytest.warns(UserWarning, match="no font here has 中, so that the picture shows boxes"):
        plot.surprises([1], ["中气"]).save(tmp_path / "boxes.png")


@pytest.mark.filterwarnings("error")
def test_letters_without_a_font_are_told_once_and_where_they_are_boxes(drawn_with, tmp_path):
    picture = drawn_with(["DejaVu Sans"])
    picture.save(tmp_path / "boxes.svg")  # the reader's browser has fonts of its own
    with pytest.warns(UserWarning, match="no font here has 天,晴,气,雨, so that") as said:
        picture.save(tmp_path / "boxes.png")
    assert [warning.filename for warning in said] == [__file__]


def test_the_bytes_of_an_svg_do_not_depend_on_the_fonts_installed(wide, drawn_with):
    drawings = []
    for families in (["DejaVu Sans"], wide):
        drawn_with(families)
        drawings.append(loan_tree().svg)
    assert drawings[0] == drawings[1]


def test_the_picture_of_the_readme_is_the_loan_tree():
    svg = ET.parse(README_TREE).getroot()
    assert svg.find("{*}title").text == loan_tree().alt
    assert [text.text for text in svg.iterfind(".//{*}text")] == texts(loan_tree())
    colours = re.findall(r"color:(#\w+);background:(#\w+)", svg.find("{*}style").text)
    assert len(colours) == 2
    for ink, ground in colours:
        ground = "#FFFFFF" if ground == "#fff" else ground
        assert contrast(ink, ground) > 7
        assert min(contrast(colour, ground) for colour in PALETTE) >= 3


# --- trees ---------------------------------------------------------------------------------------


def random_tree(seed, most_nodes=60):
    """Return a tree of random shape, with names from one to twenty letters, some leaves empty."""
    rng = np.random.default_rng(seed)

    def name():
        return "".join(rng.choice(list("aeglmnorstwWi ."), rng.integers(1, 21))) + "x"

    attributes = [
        Attribute(name(), "nominal", tuple(name() + str(i) for i in range(rng.integers(1, 6))))
        for _ in range(8)
    ]
    first_child, split = [], []
    n = 1
    while len(split) < n:
        attribute = int(rng.integers(8))
        branches = len(attributes[attribute].levels)
        divided = n + branches <= most_nodes and rng.random() < 0.6
        first_child.append(n if divided else 0)
        split.append(attribute if divided else None)
        n += branches if divided else 0
    nodes = [None] * n
    for i in reversed(range(n)):
        counts = rng.integers(0, 30, 3) * (rng.random(3) < 0.5) * 1.0
        if split[i] is None:
            nodes[i] = Node(counts, int(counts.argmax()))
        else:
            children = tuple(nodes[first_child[i] :][: len(attributes[split[i]].levels)])
            nodes[i] = Node(
                sum(child.counts for child in children), 0, Multiway(split[i]), children
            )
    return Tree.from_root(nodes[0], tuple(attributes), np.array(["yes", "no", "perhaps"]))


def lay_out(tree, how):
    """Return the rectangles (left, top, right, bottom) of boxes and words, and the edges."""
    nodes, words = dict(tree.walk()), trees._edge_words(tree)
    places, width, height = how(tree, nodes, words)
    assert [place.path for place in places] == list(nodes)
    rectangles = [(x, y, x + w, y + h) for x, y, w, h in (place.box for place in places)]
    for place in places[1:]:
        x, y = place.word_at
        w = text_width(words[place.path])
        rectangles.append((x, y - SIZE / 2, x + w, y + SIZE / 2))
    return places, np.array(rectangles), width, height


@pytest.mark.parametrize("how", [trees._downwards, trees._outline])
@given(seed=st.integers(0, 2**32))
def test_nothing_in_a_tree_overlaps(how, seed):
    tree = random_tree(seed)
    places, rectangles, width, height = lay_out(tree, how)
    assert (rectangles[:, :2] >= 0).all()
    assert (rectangles[:, 2:] <= (width, height)).all()
    left, top, right, bottom = rectangles.T
    apart = (
        (left[:, None] >= right)
        | (right[:, None] <= left)
        | (top[:, None] >= bottom)
        | (bottom[:, None] <= top)
    )
    assert (apart | np.eye(len(apart), dtype=bool)).all()
    if how is trees._downwards and width > WIDTH:
        return  # so wide a tree is drawn as an outline
    inner = rectangles + 0.6 * np.array([1, 1, -1, -1])  # the line of a frame is 1.2 wide
    for place in places[1:]:  # an edge enters no box, as wide as it is
        for points in sides(trees._edge(place).get_path(), place.width):
            inside = (points[:, None] > inner[:, :2]) & (points[:, None] < inner[:, 2:])
            assert not inside.all(axis=2).any()


def sides(path, width):
    """Return points along both sides of a line or a curve."""
    (line,) = path.to_polygons(closed_only=False)
    line = Line(line).interpolated(20).vertices
    along, line = np.diff(line, axis=0), (line[1:] + line[:-1]) / 2
    moves = (along != 0).any(axis=1)
    along, line = along[moves], line[moves]
    aside = along[:, ::-1] * (-1, 1) / np.hypot(*along.T)[:, None] * (width / 2)
    return line - aside, line + aside


@pytest.mark.parametrize("how", [trees._downwards, trees._outline])
@given(seed=st.integers(0, 2**32))
def test_the_edges_of_a_node_lie_side_by_side_as_wide_as_their_cases(how, seed):
    tree = random_tree(seed)
    places, *_ = lay_out(tree, how)
    whole = tree.root.weight or 1
    for place in places[1:]:
        wide = trees._WIDEST * tree.node(place.path).weight / whole
        assert place.width == pytest.approx(max(wide, 1))
    for one, other in combinations(places[1:], 2):
        if one.path[:-1] == other.path[:-1] and abs(one.path[-1] - other.path[-1]) == 1:
            between = abs(one.edge[0][0] - other.edge[0][0])
            assert between == pytest.approx((one.width + other.width) / 2)


@given(seed=st.integers(0, 2**32))
def test_edges_leave_a_node_around_its_middle(seed):
    places, *_ = lay_out(random_tree(seed), trees._downwards)
    box = {place.path: place.box for place in places}
    ends = {}
    for place in places[1:]:
        x, half = place.edge[0][0], place.width / 2
        ends.setdefault(place.path[:-1], []).extend([x - half, x + half])
    for path, here in ends.items():
        left, _, width, _ = box[path]
        assert (min(here) + max(here)) / 2 == pytest.approx(left + width / 2)


@given(seed=st.integers(0, 2**32))
def test_boxes_hold_their_texts(seed):
    tree = random_tree(seed, most_nodes=12)
    for node in dict(tree.walk()).values():
        for upright in (True, False):
            width, _ = trees._box_size(tree, node, upright)
            if not node.is_leaf:
                assert width > text_width(trees._asked(tree, node) + "?")
                continue
            label, share = trees.answer_and_cases(tree, node)
            label, share = text_width(label, "bold"), text_width(share)
            assert width > (max(label, share) if upright else label + share + trees._SHARE)


def test_a_small_tree_grows_downwards_and_a_wide_one_is_an_outline():
    loan, nursery = fitted(load_loan).tree_, fitted(load_nursery, max_depth=2).tree_
    for tree, how in ((loan, trees._downwards), (nursery, trees._outline)):
        arguments = tree, dict(tree.walk()), trees._edge_words(tree)
        assert trees._lay_out(*arguments) == how(*arguments)


def test_a_tree_in_words_and_in_drawing():
    picture = plot.tree(fitted(load_tennis).tree_)
    assert picture.alt == (
        "Decision tree of depth 2 with 5 leaves; it first asks for outlook. "
        "If outlook = sunny and humidity = high: no (3 of 3 cases). "
        "If outlook = sunny and humidity = normal: yes (2 of 2 cases). "
        "If outlook = overcast: yes (4 of 4 cases). "
        "If outlook = rainy and windy = false: yes (3 of 3 cases). "
        "If outlook = rainy and windy = true: no (2 of 2 cases)."
    )
    drawn = texts(picture)
    for text in ("outlook?", "humidity?", "windy?", "sunny", "overcast", "4 of 4"):
        assert drawn.count(text) == 1
    assert drawn.count("no") == 2 + 1  # leaves, key


def test_a_big_tree_in_words_is_its_first_branches():
    tree = fitted(load_car, max_depth=3).tree_
    assert plot.tree(tree).alt == (
        f"Decision tree of depth 3 with {tree.n_leaves} leaves; it first asks for safety. Then, "
        "if safety = low: unacc (576 of 576 cases); if safety = med: it asks for persons; "
        "if safety = high: it asks for persons."
    )


def test_a_single_leaf_and_an_empty_one():
    tree = Tree.from_root(Node(np.array([2.5, 1.0]), 0), (), np.array(["a", "b"]))
    assert plot.tree(tree).alt == "Decision tree of depth 0 with 1 leaf: a (2.5 of 3.5 cases)."
    leaves = Node(np.array([2.0, 0.0]), 0), Node(np.zeros(2), 0)
    root = Node(np.array([2.0, 0.0]), 0, Multiway(0), leaves)
    tree = Tree.from_root(root, (Attribute("x", "nominal", ("p", "q")),), np.array(["a", "b"]))
    assert plot.tree(tree).alt.endswith("If x = p: a (2 of 2 cases). If x = q: a (no cases).")
    assert "no cases" in texts(plot.tree(tree))


def test_a_leaf_shows_its_classes_as_shares_of_a_bar():
    tree = Tree.from_root(Node(np.array([1.0, 0.0, 3.0]), 2), (), np.array(["a", "b", "c"]))
    widths = [patch.get_width() for patch in plot.tree(tree).figure.axes[0].patches[1:]]
    assert widths == [trees._SHARE / 4, trees._SHARE * 3 / 4, 20, 20, 20]  # then the key


def test_sixty_nodes_make_less_than_60_kilobytes():
    tree = max((random_tree(seed) for seed in range(30)), key=lambda tree: tree.node_count)
    assert tree.node_count > 50
    assert len(plot.tree(tree).svg.encode()) < 60_000


def test_a_large_tree_is_folded_where_few_cases_are_and_says_so():
    whole = fitted(load_nursery).tree_
    picture = plot.tree(whole)
    drawn = texts(picture)
    note = next(text for text in drawn if text.startswith("double frame: folded"))
    hidden = int(re.search(r"(\d+) nodes in all", note)[1])
    assert whole.node_count - trees.MOST_NODES <= hidden < whole.node_count - trees.MOST_NODES + 5
    assert picture.alt.endswith(f"subtrees, {hidden} nodes.")
    assert f"with {whole.n_leaves} leaves" in picture.alt
    part, folded = trees._fold(whole, {})
    assert part.node_count == whole.node_count - hidden
    assert picture.alt.endswith(f"Folded: {len(folded)} subtrees, {hidden} nodes.")
    shown = [node.weight for path, node in whole.walk() if not part_leaf(part, path)]
    assert min(shown) >= max(whole.node(path).weight for path in folded) - 1e-9


def part_leaf(part, path):
    """Tell whether a path is no inner node of a part of a tree."""
    try:
        return part.node(path).is_leaf
    except IndexError:
        return True


def test_the_way_of_a_case_is_marked_and_never_folded():
    whole = fitted(load_nursery).tree_
    deepest = max((path for path, _ in whole.walk()), key=len)
    lit = {deepest[:n]: 1 for n in range(len(deepest) + 1)}
    part, _ = trees._fold(whole, lit)
    assert part.node(deepest).is_leaf
    picture = plot.tree(whole, lit=lit)
    assert f"Marked: the way by {' and '.join(whole.conditions(deepest))}." in picture.alt
    # All boxes on the way have a thick frame, and all edges but those that many cases take.
    narrow = sum(12 * whole.node(deepest[:n]).weight / whole.root.weight < 3.5 for n in range(1, 9))
    assert (len(deepest), narrow) == (8, 7)
    assert picture.svg.count("stroke-width:3.5") == 9 + narrow
    assert picture.svg.count("opacity:0.5") == part.node_count - 9
    loan = fitted(load_loan).tree_
    picture = plot.tree(loan, lit={(): 1, (0,): 0.6, (1,): 0.4, (0, 0): 0.6})
    assert picture.alt.endswith(
        "Marked: 0.40 of a case by house = yes; 0.60 of a case by house = no and work = no."
    )
    assert {"no · 0.60", "yes · 0.40"} <= set(texts(picture))


def test_of_too_many_ways_the_heaviest_are_shown():
    whole = fitted(load_nursery).tree_
    picture = plot.tree(whole, lit={path: 0.5 for path, _ in whole.walk()})
    part, _ = trees._fold(whole, {})
    assert part.node_count < whole.node_count
    assert f"Folded: {len(trees._fold(whole, {})[1])} subtrees" in picture.alt


def test_undecided_leaves_do_not_tell_their_class():
    loan = fitted(load_loan).tree_.keep({()})
    picture = plot.tree(loan, undecided=[(0,), (1,)])
    assert "If house = no: undecided (9 cases). If house = yes: undecided (6 cases)." in picture.alt
    assert texts(picture).count("?") == 2
    assert "9" in texts(picture)


# --- other pictures of trees ----------------------------------------------------------------------


def test_an_icicle_has_a_box_as_wide_as_its_cases():
    picture = plot.icicle(fitted(load_loan).tree_)
    widths = [patch.get_width() for patch in picture.figure.axes[0].patches]
    assert np.allclose(np.array(widths[:5]) * 15 / (WIDTH - 8), [15, 9, 6, 3, 6])
    assert "no has 40%, yes has 60%" in picture.alt


def test_a_plane_is_divided_as_the_tree_says():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X[["petal length (cm)", "petal width (cm)"]]
    tree = CARTClassifier(max_depth=3).fit(X, y).tree_
    picture = plot.partition(tree, X, y)
    assert f"in {tree.n_leaves} regions" in picture.alt
    boxes = [p for p in picture.figure.axes[0].patches if p.get_alpha()]
    assert len(boxes) == tree.n_leaves
    whole = (WIDTH - 72) * 320  # every point of the plane is in one region
    assert sum(box.get_width() * abs(box.get_height()) for box in boxes) == pytest.approx(whole)
    with pytest.raises(ValueError, match="a plane has two numbers, but age is nominal, work is no"):
        plot.partition(fitted(load_loan).tree_, X, y)


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
    return pd.DataFrame(
        {
            "n_leaves": np.arange(n) ** 2 + 1,
            "relative_error": 1 - along,
            "cv_error": 0.5 + np.abs(along - 0.5),
            "cv_std": 0.03,
        }
    )


@pytest.mark.parametrize("n", [1, 2, 8, 40])
def test_the_numbers_of_leaves_stand_apart(n):
    table = error_table(n)
    for place in (None, 0, n - 1):
        picture = plot.pruning_errors(table, place)
        labels = sorted(
            (text.get_position()[0], text_width(text.get_text()))
            for text in picture.figure.axes[0].texts
            if text.get_text().isdigit() and text.get_ha() == "center"
        )
        assert all(b - a > (v + w) / 2 for (a, v), (b, w) in pairwise(labels))
        assert labels[-1][0] + labels[-1][1] / 2 < WIDTH
        shown = {int(text) for text in texts(picture) if text.isdigit()}
        chosen, least = one_standard_error(table), table["cv_error"].idxmin()
        assert {1, (n - 1) ** 2 + 1, chosen**2 + 1} <= shown
        assert len(labels) == n or n == 40
        assert ("this one" in picture.alt) == (place is not None)
        assert picture.alt.startswith(f"Errors of {n} trees")
        assert picture.alt.count("training") == (n if n <= 12 else 4 - (chosen == least))


def test_the_leaves_of_multiway_trees_are_counted():
    X, y = load_car(return_X_y=True)
    table = cp_table(C45Classifier(confidence=None), X, y, np.arange(len(y)) % 10)
    tree = C45Classifier(confidence=None).fit(X, y).tree_
    alphas = table["cp"] * tree.risk[0] / len(y)
    leaves = [prune_at(tree, alpha).tree.n_leaves for alpha in alphas]
    assert table["n_leaves"].tolist() == leaves
    assert {5, 9, 12, 18, 35} <= set(leaves)
    said = re.findall(r"(\d+) lea", plot.pruning_errors(table).alt)
    assert set(map(int, said)) <= set(leaves)
    assert said[-1] == str(tree.n_leaves)


def test_the_rows_of_a_path_may_be_a_part_of_them():
    whole = error_table(8)
    part = whole[whole["n_leaves"] > 4]
    assert plot.pruning_errors(part).alt == plot.pruning_errors(part.reset_index(drop=True)).alt


def test_a_cut_has_the_gain_of_its_two_sides():
    X, y = load_iris(return_X_y=True, as_frame=True)
    length = X["petal length (cm)"]
    for at in (None, 1.9, 2.0, 4.8):
        picture = plot.cut(length, y, at)
        below = length <= (2.45 if at is None else at)
        gain = measures.information_gain(pd.crosstab(~below, y))
        assert picture.alt.endswith(f"this one gains {gain:.3f}.")
        assert f"0: {(below & (y == 0)).sum()} up to it, {(~below & (y == 0)).sum()} above" in (
            picture.alt
        )
    few = [1, 2, 3, 4], list("aaab")
    assert "cut at 3.5." in plot.cut(*few).alt
    assert "cut at 2.5." in plot.cut(*few, least=2).alt  # the best of those allowed


@pytest.mark.parametrize(
    ("values", "at", "message"),
    [
        ([1, 1], None, "value runs from 1 to 1: it cannot be cut"),
        ([1, np.nan], None, "it cannot be cut"),
        (pd.Series([1, 2], name="age"), 2, "age runs from 1 to 2: it cannot be cut at 2"),
        ([1, 2], 0.5, "it cannot be cut at 0.5"),
    ],
)
def test_cuts_that_are_none(values, at, message):
    with pytest.raises(ValueError, match=message):
        plot.cut(values, ["a", "b"], at)


def test_a_number_that_tells_nothing_has_a_level_line():
    picture = plot.cut([1, 2, 1, 2], list("aabb"))
    assert "from 0.000 to 0.000 bits; this one gains 0.000" in picture.alt
    assert "nan" not in picture.svg


# --- bars ----------------------------------------------------------------------------------------


def test_counts_in_words_and_in_drawing():
    X, y = load_loan(return_X_y=True)
    table = pd.crosstab(X["credit"], y)
    picture = plot.class_counts(table)
    assert picture.alt == "Bars of counts, approved by credit. " + " ".join(
        f"credit = {value}: no {table.loc[value, 'no']}, yes {table.loc[value, 'yes']}."
        for value in ("fair", "good", "excellent")
    )
    drawn = texts(picture)
    assert drawn[0] == "approved by credit"
    assert [text for text in drawn if text.endswith((" no", " yes"))] == [
        f"{count} {label}"
        for row in table.to_numpy()
        for label, count in zip(table, row, strict=True)
    ]
    lengths = [patch.get_width() for patch in picture.figure.axes[0].patches]
    counts = [count for count in table.to_numpy().ravel() if count]
    assert np.allclose(np.divide(lengths, lengths[0]), np.divide(counts, counts[0]))


def test_weights_and_default_names():
    picture = plot.class_counts(np.array([[0.5, 2], [1 / 3, 0]]), title="weights")
    assert picture.alt == (
        "Bars of counts, weights. value 0: class 0 0.5, class 1 2. "
        "value 1: class 0 0.333, class 1 0."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"table": [1, 2]}, "two dimensions, values and classes, not 1"),
        ({"table": [[1, -2]]}, "one of them is -2"),
        ({"table": [[1, 2]], "names": ["a", "b"]}, "names has 2 entries, but the table needs 1"),
        ({"table": [[1, 2]], "classes": ["a"]}, "classes has 1 entries, but the table needs 2"),
    ],
)
def test_tables_that_are_none(arguments, message):
    with pytest.raises(ValueError, match=message):
        plot.class_counts(**arguments)


def test_a_decision_in_words_and_in_drawing():
    X, y = load_loan(return_X_y=True)
    id3 = ID3Classifier().fit(X, y)
    record = id3.decisions(X, y)
    picture = plot.decision(record[0], id3.tree_.attributes)
    scores = {X.columns[c.split.column]: f"{c.score:.3f}" for c in record[0].candidates}
    assert picture.alt == (
        f"Bars of the gain in bits of 4 candidates: age {scores['age']}; work {scores['work']}; "
        f"house {scores['house']}, chosen; credit {scores['credit']}."
    )
    assert scores["house"] == "0.420"
    assert sum("chosen" in text for text in texts(picture)) == 1
    assert not any(colour in picture.svg.upper() for colour in PALETTE)  # they mean classes
    leaf = next(decision for decision in record if not decision.candidates)
    with pytest.raises(ValueError, match="no attribute was a candidate at this node: pure"):
        plot.decision(leaf, id3.tree_.attributes)


def test_a_decision_that_chose_nothing_says_why():
    X, y = load_loan(return_X_y=True)
    id3 = ID3Classifier(min_gain=0.9).fit(X, y)
    picture = plot.decision(id3.decisions(X, y)[0], id3.tree_.attributes)
    assert picture.alt.endswith("none chosen: best score below the least.")
    assert "chosen" not in " ".join(texts(picture))


# --- curves --------------------------------------------------------------------------------------


def test_curves_are_named_and_dashed_in_their_own_way():
    x = [0, 1, 2]
    lines = {f"line {k}": [0, k, 1] for k in range(6)}  # all end in one point
    picture = plot.curves(x, lines, x_label="depth", y_label="accuracy", alt="Six lines.")
    drawn = texts(picture)
    assert {*lines, "depth", "accuracy"} <= set(drawn)
    dashes = re.findall(r"stroke-dasharray:([^;\"]*)", picture.svg)
    assert len(set(dashes)) == 5  # and one is solid
    heights = [
        float(text.get("y"))
        for text in ET.fromstring(picture.svg).iterfind(".//{*}text")
        if text.text in lines
    ]
    assert min(abs(a - b) for a, b in combinations(heights, 2)) > SIZE


def test_texts_of_marks_hide_no_line():
    picture = binary_curves()
    assert {"1 bit", "0.469"} <= set(texts(picture))
    axes = picture.figure.axes[0]
    picture.figure.draw_without_rendering()
    x, y = axes.lines[0].get_data()
    dense = np.linspace(0, 1, 5000)
    points = axes.transData.transform(np.c_[dense, np.interp(dense, x, y)])
    for text in axes.texts:
        if text.get_text() in ("1 bit", "0.469"):
            box = text.get_window_extent()
            assert not any(box.contains(*point) for point in points)


def test_a_gap_in_a_curve_and_a_whole_number_axis():
    picture = plot.curves(
        [1, 2, 3], {"a": [1, np.nan, 2]}, x_label="depth", y_label="y", alt="A gap at 2."
    )
    assert [text for text in texts(picture) if text.isdigit()] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("lines", "alt", "message"),
    [
        ({"a": [1, 2, 3]}, "seen", r"curve 'a' has shape \(3,\), but x has \(2,\)"),
        ({"a": [np.nan, np.nan]}, "seen", "curve 'a' has no finite point"),
        ({}, "seen", "at least one curve"),
        ({"a": [1, 2]}, " ", "an alt that says what is seen"),
    ],
)
def test_curves_that_are_none(lines, alt, message):
    with pytest.raises(ValueError, match=message):
        plot.curves([0, 1], lines, x_label="x", y_label="y", alt=alt)


# --- the information diagram ---------------------------------------------------------------------


def drawn_circles(picture):
    patches = picture.figure.axes[0].patches
    circles = [p for p in patches if isinstance(p, Circle) and p.get_linewidth()]
    return [(*circle.center, circle.radius) for circle in circles]


def test_the_diagram_in_words():
    table = np.array([[5, 1], [2, 9], [2, 2]])
    alt = plot.information_diagram(table, names=("A", "B")).alt
    forms = measures.mutual_information_forms(table)
    for text, value in {
        "H(A)": measures.entropy([6, 11, 4]),
        "H(B)": measures.entropy([9, 12]),
        "I(A;B)": forms["H(Y) - H(Y|X)"],
        "H(A|B)": measures.entropy([6, 11, 4]) - forms["H(Y) - H(Y|X)"],
        "H(B|A)": measures.entropy([9, 12]) - forms["H(Y) - H(Y|X)"],
        "H(A,B)": measures.entropy(table.ravel()),
    }.items():
        assert f"{text} = {value:.3f}" in alt
    assert "in nats" in plot.information_diagram(table, base=np.e).alt
    assert "in logarithms to base 10" in plot.information_diagram(table, base=10).alt


def test_the_numbers_of_the_diagram_are_drawn():
    drawn = " ".join(texts(loan_diagram()))
    for number in set(re.findall(r"\d\.\d{3}", loan_diagram().alt)):
        assert number in drawn


@given(table=tables())
def test_the_circles_have_the_areas_of_the_entropies(table):
    picture = plot.information_diagram(table)
    (x0, y0, r0), (x1, y1, r1) = drawn_circles(picture)
    h_x, h_y = measures.entropy(table.sum(1)), measures.entropy(table.sum(0))
    information = measures.mutual_information(table)
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
