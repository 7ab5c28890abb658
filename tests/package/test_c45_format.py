"""Files in C4.5's format: what they may hold, and where an error says that it is."""

import csv
import re
import time
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from oracle import frames, names, outputs
from tiers import sometimes

from dtreebook.data.c45_format import read_c45
from dtreebook.datasets import load_golf

GOLF = """\
| Golf, or not
Play, Don't Play.   | the classes

outlook: sunny, overcast, rain.
temperature: continuous.
humidity:\tcontinuous
windy: true, false.
"""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes files and returns their stem."""

    def files(names, data, test=None):
        for ending, text in (("names", names), ("data", data), ("test", test)):
            if text is not None:
                (tmp_path / f"golf.{ending}").write_text(text, encoding="utf-8")
        return tmp_path / "golf"

    return files


def refused(stem, message):
    with pytest.raises(ValueError) as caught:
        read_c45(stem)
    assert str(caught.value) == message


def said(file, place, words):
    if place is None:
        return f"golf.{file} {words}"
    line, column = place.split(":")
    return f"golf.{file}, line {line}, column {column}: {words}"


# What several messages have in common.
COLON = "expected the name of an attribute and a colon, found "
COUNT = "expected a number of values after 'discrete', found "
OUTLOOK = " is not a value of outlook (sunny, overcast, rain); an unknown value is ?"
NUMBER = " is not a number, and temperature is continuous; an unknown value is ?"
FIELDS = "a case has 5 fields, the class last, but here it "


# --- what may be in a file ------------------------------------------------------------------------


def test_golf_is_read_as_the_book_has_it(write):
    X, y = load_golf(return_X_y=True)
    rows = pd.concat([X, y], axis=1).to_csv(header=False, index=False)
    golf = read_c45(write(GOLF, rows, rows))
    numbers = {"temperature": float, "humidity": float}
    for part in (golf, golf.test):
        pd.testing.assert_frame_equal(part.data, X.astype(numbers))
        pd.testing.assert_series_equal(part.target, y.rename("class"))
        assert part.frame.columns.tolist() == [*X.columns, "class"]
        assert part.feature_names == list(X.columns)
        assert part.target_names == ["Play", "Don't Play"]
    assert golf.DESCR.startswith("14 cases, 4 features, 2 classes.")
    assert read_c45(str(write(GOLF, rows))).data.shape == (14, 4)


def test_names_end_where_the_format_says(write):
    names = r"""
        no , yes | two classes
        size  of\, well\: \| v1\.  : 3.5 litres,

            a\\b   c , U.S.A.|the end
        next:ignore. last:continuous"""
    found = read_c45(write(names, "a\\\\b c,1,2,no.\n3.5\tlitres,,.5,yes"))
    assert found.target_names == ["no", "yes"]
    assert found.feature_names == ["size of, well: | v1.", "last"]
    first, last = (found.data[name] for name in found.feature_names)
    assert first.cat.categories.tolist() == ["3.5 litres", "a\\b c", "U.S.A"]
    assert first.cat.codes.tolist() == [1, 0]
    assert last.tolist() == [2, 0.5]


def test_comments_blank_lines_periods_and_carriage_returns_change_nothing(write):
    plain = read_c45(write(GOLF, "sunny,85,85,false,Play\nrain,70,96,?,Don't Play\n")).frame
    decorated = (
        "| two days\r\n\r\n  sunny , 85,85 ,false, Play.  | the first\r\n"
        "\train,70.0, 9.6e1,?,|wind\r\n  Don't   Play.\r\n | the end"
    )
    pd.testing.assert_frame_equal(read_c45(write("\ufeff" + GOLF, decorated)).frame, plain)


def test_a_file_in_latin_1_is_read(write, tmp_path):
    stem = write(GOLF, "sunny,85,85,false,Play")
    (tmp_path / "golf.names").write_bytes(
        "| d'après Quinlan\nnon, été.\nx: à, b.".encode("latin-1")
    )
    (tmp_path / "golf.data").write_bytes("à,été".encode("latin-1"))
    assert read_c45(stem).frame.to_numpy().tolist() == [["à", "été"]]


def test_an_ignored_attribute_is_left_out_whatever_it_holds(write):
    names = "a, b.\nname: ignore.\nx: continuous.\ndate: ignore."
    found = read_c45(write(names, "Anna,1,?,a\n,2,2 May,b"))
    assert found.data.to_dict("list") == {"x": [1.0, 2.0]}


def test_discrete_values_stand_as_they_appear_in_the_data_and_then_in_the_test(write):
    names = "a, b.\ncolour: discrete 4."
    found = read_c45(write(names, "red,a\n?,a\nblue,b\nred,b", "green,a\nblue,b"))
    assert found.data["colour"].cat.categories.tolist() == ["red", "blue", "green"]
    assert found.data["colour"].cat.codes.tolist() == [0, -1, 1, 0]
    assert found.test.data["colour"].cat.codes.tolist() == [2, 1]


def test_an_attribute_may_be_called_class_and_a_value_continuous(write):
    found = read_c45(write("a, b.\nclass: continuous, ignore.", "ignore,b"))
    assert found.data["class"].tolist() == ["ignore"]
    assert found.target.tolist() == found.frame["class_"].tolist() == ["b"]
    assert found.frame.columns.tolist() == ["class", "class_"]


def test_a_number_is_a_number_in_full(write):
    data = read_c45(write("a.\nx: continuous.", "-999,a\n+.5,a\n1e-3,a\n0.1,a\n12.,a")).data
    assert data["x"].tolist() == [-999, 0.5, 0.001, 0.1, 12]


def test_a_case_may_go_on_in_the_next_line_after_a_comma(write):
    found = read_c45(write(GOLF, "sunny,85,\n85,false,Play\nrain,70,96,\n\nfalse,Play"))
    assert found.data["humidity"].tolist() == [85, 96]


# --- what is refused, and where it is -------------------------------------------------------------


def test_a_missing_file_is_named(write, tmp_path):
    stem = tmp_path / "golf"
    advice = "give the path of the files without their endings, such as 'golf' for golf.names"
    with pytest.raises(FileNotFoundError, match=re.escape(f"no file {stem}.names: {advice}")):
        read_c45(stem)
    stem.with_suffix(".names").write_text(GOLF)
    with pytest.raises(FileNotFoundError, match=re.escape(f"no file {stem}.data: {advice}")):
        read_c45(stem)


WRONG_NAMES = [
    ("", None, "is empty: it must begin with the classes"),
    (" | nothing here\n", None, "is empty: it must begin with the classes"),
    ("a, b.", None, "declares no attribute to learn from"),
    ("a, b.\nx: ignore.", None, "declares no attribute to learn from"),
    ("x: 1, 2.\na, b.", "1:1", "'x' ends in a colon: the file must begin with the classes"),
    ("a, , b.\nx: 1, 2.", "1:4", "a class is missing before ','"),
    ("a, b, a.\nx: 1, 2.", "1:7", "a second class is called 'a'"),
    ("a, b.\n x 1, 2.", "2:2", COLON + "'x 1'"),
    ("a, b.\nx: 1,\n2\n3.", "4:1", COLON + "'3'"),
    ("a, b.\n: 1, 2.", "2:1", COLON + "''"),
    ("a, b.\nx: 1, 2.\nx: 1, 2.", "3:1", "a second attribute is called 'x'"),
    ("a, b.\nx: 1, 1.", "2:7", "a second value of x is called '1'"),
    ("a, b.\nx: .", "2:4", "a value of x is missing before '.'"),
    ("a, b.\nx:", "2:1", "x has no values: list them, or say continuous"),
    ("a, b.\nx: 1, y: 2.", "2:7", "a value of x ends in a colon; write \\: inside it"),
    ("a, b.\nx: discrete many.", "2:4", COUNT + "'many'"),
    ("a, b.\nx: discrete 0.", "2:4", COUNT + "'0'"),
    ("a, b.\nx: 1, 2\\", "2:8", "the last character is \\, and nothing follows it"),
]


@pytest.mark.parametrize(("names", "place", "words"), WRONG_NAMES)
def test_what_is_wrong_with_a_names_file_is_said(write, names, place, words):
    refused(write(names, "1,a"), said("names", place, words))


C50 = "is a word of C5.0, which C4.5's format does not have"
OF_C50 = [
    (
        "play.\nplay: yes, no.\nx: continuous.",
        "1:1",
        "'play' is the name of an attribute, not a class: C5.0 lets the first line name the "
        "attribute to be predicted. Give its values there, take it from the attributes, and put "
        "its column last in every case",
    ),
    (
        "pay: 10, 20.\npay: continuous.\nx: continuous.",
        "1:1",
        "'pay' ends in a colon: the file must begin with the classes, while C5.0's may begin with "
        "an attribute and its thresholds",
    ),
    (
        "a, b.\nsize: [ordered] small, mid, big.",
        "2:7",
        f"[ordered] {C50}: list the values alone, and make the column an ordered Categorical of "
        "pandas afterwards",
    ),
    ("a, b.\nid: label.", "2:5", f"'label' {C50}: say ignore, and the column is left out"),
    (
        "a, b.\nborn: date.",
        "2:7",
        f"'date' {C50}: say ignore, or give the days since some day as continuous",
    ),
    (
        "a, b.\nat: Time.",
        "2:5",
        f"'Time' {C50}: say ignore, or give the seconds since midnight as continuous",
    ),
    (
        "a, b.\nat: timestamp.",
        "2:5",
        f"'timestamp' {C50}: say ignore, or give the seconds since some day as continuous",
    ),
    (
        "c, d.\na: continuous.\ns := a + 0.5.",
        "3:3",
        f":= {C50}: work the values of s out, and give them as a column of the data",
    ),
    (
        "c, d.\na: continuous.\nb: continuous.\nattributes excluded: b.",
        "4:1",
        f"'attributes excluded' {C50}: say ignore of the attributes that are left out",
    ),
    (
        "c, d.\na: continuous.\nAttributes included: a.",
        "3:1",
        f"'Attributes included' {C50}: say ignore of the attributes that are left out",
    ),
    ("a, b.\nx: Continuous.", "2:4", "'Continuous' is one value of x: write continuous small"),
    ("a, b.\nx: IGNORE.", "2:4", "'IGNORE' is one value of x: write ignore small"),
    ("a, b.\nx: Discrete 5.", "2:4", "'Discrete 5' is one value of x: write discrete small"),
    ("a, b.\nx: discrete.", "2:4", "'discrete' needs the number of values, as in 'discrete 10'"),
]


@pytest.mark.parametrize(("names", "place", "words"), OF_C50)
def test_the_words_of_c50_are_named_where_they_stand(write, names, place, words):
    refused(write(names, "1,a"), said("names", place, words))


def test_values_that_look_like_c50_are_values(write):
    names = "a, b.\nx: label, date, Continuous.\ny: =, [ordered].\nz:=1,>1."
    found = read_c45(write(names, "date,=,>1,a"))
    assert found.data.to_numpy().tolist() == [["date", "=", ">1"]]
    with pytest.warns(UserWarning, match="'case weight', which C5.0 takes for the weights"):
        read_c45(write("a, b.\ncase weight: continuous.", "1,a"))


@pytest.mark.parametrize(("word", "place"), [("N/A,85", "1:1"), ("sunny,N/A", "1:7")])
def test_not_applicable_is_named(write, word, place):
    where = f"golf.data, line 1, column {place[2:]}: 'N/A' is not a "
    with pytest.raises(ValueError, match=r"N/A, not applicable, is C5.0's: write \?") as caught:
        read_c45(write(GOLF, f"{word},85,false,Play"))
    assert str(caught.value).startswith(where)


WRONG_DATA = [
    ("", None, "is empty: give it at least one case"),
    ("\n | no cases\n", None, "is empty: give it at least one case"),
    ("sunny,85,85,false,Play\n\ncloudy,80,90,true,Play", "3:1", "'cloudy'" + OUTLOOK),
    ("sunny,85,85,false,Play\nrain, warm,96,false,Play", "2:7", "'warm'" + NUMBER),
    ("sunny,85,85,false,play", "1:19", "'play' is not a class (Play, Don't Play)"),
    ("sunny,85,85,false,?", "1:19", "'?' is not a class (Play, Don't Play)"),
    ("sunny,85,85,Play\nrain,70,96,false,Play", "1:13", FIELDS + "ends after 4"),
    ("rain,70,96,false,Play\nsunny,85,85,false,Play,Play", "2:19", FIELDS + "goes on"),
    ("sunny,85. ,85,false,Play", "1:7", FIELDS + "ends after 2"),
    ("rain,70,96,false,Play\nsunny,", "2:1", "the last case has 1 of 5 fields"),
    ("sunny,,85,false,Play", "1:7", "''" + NUMBER),
    (",85,85,false,Play", "1:1", "''" + OUTLOOK),
    ("sunny,8:30,85,false,Play", "1:7", "'8' ends in a colon; write \\: inside a value"),
]


@pytest.mark.parametrize(("data", "place", "words"), WRONG_DATA)
def test_what_is_wrong_with_a_data_file_is_said(write, data, place, words):
    refused(write(GOLF, data), said("data", place, words))
    good = "sunny,85,85,false,Play"
    refused(write(GOLF, good, data), said("test", place, words))


@pytest.mark.parametrize("number", ["nan", "inf", "-infinity", "1e999", "1_000", "0x10", "1,5e"])
def test_what_is_no_finite_number_is_refused(write, number):
    number = number.replace(",", "\\,")
    with pytest.raises(ValueError, match=r"golf.data, line 2, column 1: .* is not a number, and x"):
        read_c45(write("a.\nx: continuous.", f"1,a\n{number},a"))


def test_a_discrete_attribute_has_no_more_values_than_it_may(write):
    names = "n, y.\nx: discrete 2."
    too_many = "is one value too many for x (discrete 2: a, {})"
    message = f"golf.test, line 2, column 1: 'c' {too_many.format('b')}"
    refused(write(names, "a,n\nb,y\na,y", "b,n\nc,y\nc,n"), message)
    message = f"golf.data, line 4, column 1: 'b' {too_many.format('c')}"
    refused(write(names, "a,n\nc,y\n?,y\nb,n"), message)


def test_a_long_list_of_values_is_cut_short(write):
    values = ", ".join(f"v{i}" for i in range(20))
    with pytest.raises(ValueError, match=r"\(v0, v1, v2, v3, v4, v5, v6, v7, \.\.\.\)"):
        read_c45(write(f"a, b.\nx: {values}.", "w,a"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_file_that_is_no_plain_text_is_refused(write, encoding, tmp_path):
    stem = write(GOLF, "")
    (tmp_path / f"{stem.name}.data").write_bytes("rain,70,96,false,Play".encode(encoding))
    with pytest.raises(ValueError, match=r"golf.data, line 1, column \d: a zero byte, .* as UTF-8"):
        read_c45(stem)


# --- hostile files --------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["a", "b", "x", "x 1", "1", "3", "0", "many", "outlook", "Play"])
@pytest.mark.parametrize("long", ["n" * 10_000, "9" * 5_000])
def test_a_message_shows_no_more_than_the_beginning_of_a_long_name(write, word, long):
    """Whatever is wrong with a file, and wherever the name stands in it."""
    of_names = [(one, "1,a") for one, *_ in WRONG_NAMES]
    for files in of_names + [(GOLF, one) for one, *_ in WRONG_DATA]:
        with pytest.raises(ValueError) as caught:
            read_c45(write(*(re.sub(rf"(?<!\w){word}(?!\w)", long, text) for text in files)))
        assert len(str(caught.value)) < 400


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["values", "discrete", "classes", "comments", "blanks", "commas"])
def test_the_time_to_read_grows_with_the_size_of_the_files(write, kind):
    """Read eight times as much in some eight times the time; a list searched each time takes 64."""

    def seconds(n):
        many = [f"v{i}" for i in range(n)]
        rows = "".join(f"{value},{'ab'[i % 2]}\n" for i, value in enumerate(many))
        stem = write(
            *{
                "values": (f"a, b.\nx: {','.join(many)}.", rows),
                "discrete": (f"a, b.\nx: discrete {n}.", rows),
                "classes": (f"{','.join(many)}.\nx: c, d.", f"c,v{n - 1}\n" * n),
                "comments": ("a, b.\nx: c, d." + "|\n" * 10 * n, "c,a\n"),
                "blanks": ("a, b.\nx: c, d." + "\n \t" * 10 * n, "c,a\n"),
                "commas": ("a, b.\nx: c, d.", "c" + "," * 10 * n),
            }[kind]
        )
        started = time.process_time()
        with nullcontext() if kind != "commas" else pytest.raises(ValueError, match="goes on"):
            read_c45(stem)
        return time.process_time() - started

    seconds(1_000)
    once = min(seconds(10_000) for _ in range(3))
    assert min(seconds(80_000) for _ in range(3)) < 24 * once + 0.02


# --- the reference files --------------------------------------------------------------------------


def escaped(text):
    return re.sub(r"([\\,:|.])", r"\\\1", text) if text else "?"


@sometimes
@pytest.mark.parametrize("name", sorted({Path(path).name for path in names(".names", "data")}))
def test_the_reference_sets_are_read_as_their_tables_say(name, tmp_path):
    data, path = outputs("data"), f"{name}/{name}"
    (tmp_path / f"{name}.names").write_text(data[f"{path}.names"])
    parts = {"": "data", ".test": "test"}
    parts = {part: end for part, end in parts.items() if f"{path}{part}.csv" in data}
    for part, ending in parts.items():
        _, *rows = csv.reader(StringIO(data[f"{path}{part}.csv"]))
        lines = [",".join(map(escaped, row)) + "\n" for row in rows]
        (tmp_path / f"{name}.{ending}").write_text("".join(lines))
    found = read_c45(tmp_path / name)
    for part, bunch in zip(parts, (found, found.test), strict=False):
        X, y = frames(name, part)
        pd.testing.assert_frame_equal(bunch.data, X)
        assert bunch.target.tolist() == list(y)
        assert bunch.target_names == list(y.categories)
    assert (found.test is None) == (".test" not in parts)
