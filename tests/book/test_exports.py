"""What `make exercises` writes: valid in each format, one right answer, a reason for each."""

import re
import zipfile
from io import BytesIO

import pytest
from browser import ROOT
from lxml import etree

from tools import exercises


@pytest.fixture(scope="module")
def items(site, chromium):
    return [*exercises.asked(site), *exercises.drawn(chromium, variants=2)]


@pytest.fixture(scope="module")
def written(items, tmp_path_factory):
    folder = tmp_path_factory.mktemp("exercises")
    exercises.write(folder, items)
    return folder


def assert_valid(name, document):
    schema = etree.RelaxNG(etree.parse(ROOT / "tests" / "reference" / f"{name}.rng"))
    assert schema.validate(document), schema.error_log


def test_there_are_the_questions_of_the_book_and_variants_of_every_kind(items):
    assert sum(item.group.startswith("Questions/") for item in items) > 120
    assert sum(item.group.startswith("Exercises/") for item in items) == 50
    assert len({item.html for item in items}) == len(items)
    for item in items:
        assert [is_right for *_, is_right in item.choices].count(True) == 1
        assert len({text for text, *_ in item.choices}) == len(item.choices) >= 2
        assert all(told for _, told, _ in item.choices)


def test_moodle_takes_the_questions(written, items):
    document = etree.parse(written / "moodle.xml")
    assert_valid("moodle", document)
    questions = document.findall("question[name]")
    assert len(questions) == len(items)
    right = {item.name: item.right_first[0][:2] for item in items}
    for question in questions:
        (answer,) = question.findall("answer[@fraction='100']")
        told = answer.findtext("text"), answer.findtext("feedback/text")
        assert told == right[question.findtext("name/text")]


def test_qti_takes_the_questions(written, items):
    with zipfile.ZipFile(written / "qti.zip") as package:
        manifest = etree.parse(BytesIO(package.read("imsmanifest.xml")))
        named = {found.get("href") for found in manifest.iterfind(".//{*}resource")}
        assert named == set(package.namelist()) - {"imsmanifest.xml"}
        assert len(named) == len(items)
        for name, item in zip(sorted(named), items, strict=True):
            document = etree.parse(BytesIO(package.read(name)))
            assert_valid("qti21", document)
            taken = document.findtext(".//{*}correctResponse/{*}value")
            assert item.choices[int(taken[1:])][2]


def test_canvas_takes_the_questions_as_qti_1_2(written, items):
    """Every question once, in the quiz of its page, with its right choice and all feedback."""
    taken = []
    with zipfile.ZipFile(written / "qti-1.2-canvas.zip") as package:
        manifest = etree.parse(BytesIO(package.read("imsmanifest.xml")))
        named = [found.get("href") for found in manifest.iterfind(".//{*}resource/{*}file")]
        assert sorted(named) == sorted(set(package.namelist()) - {"imsmanifest.xml"})
        for name in named:
            document = etree.parse(BytesIO(package.read(name)))
            assert_valid("qti12", document)
            idents = [found.get("ident") for found in document.iterfind(".//{*}*[@ident]")]
            named_once = [ident for ident in idents if ident != "RESPONSE"]
            assert len(set(named_once)) == len(named_once)
            taken += document.iterfind(".//{*}item")
    assert len(taken) == len(items)
    for one, item in zip(taken, items, strict=True):
        assert one.get("title") == item.name
        assert one.findtext("{*}presentation/{*}material/{*}mattext") == item.html
        choices = {
            label.get("ident"): label.findtext(".//{*}mattext")
            for label in one.iterfind(".//{*}response_label")
        }
        assert [*choices.values()] == [text for text, *_ in item.choices]
        (right,) = one.xpath(".//*[local-name()='setvar']/../*/*[local-name()='varequal']/text()")
        assert choices[right] == item.right_first[0][0]
        told = {
            found.get("ident"): found.findtext(".//{*}mattext")
            for found in one.iterfind("{*}itemfeedback")
        }
        for ident, (_, feedback, _) in zip(choices, item.choices, strict=True):
            assert told[f"{ident}_fb"] == f"<p>{feedback}</p>"


def test_gift_and_anki_have_every_question_once_and_whole(written, items):
    blocks = [b for b in (written / "gift.txt").read_text("utf-8").split("\n\n") if b.strip()]
    questions = [block for block in blocks if not block.startswith("$CATEGORY")]
    assert len(questions) == len(items)
    names = ["::" + re.sub(r"[~=#{}:]", r"\\\g<0>", item.name) + "::[html]" for item in items]
    assert [name for name in names if not any(name in block for block in questions)] == []
    for block in questions:
        plain = re.sub(r"\\.", "", block)
        answers = r"(\n\t[=~](%\d+%)?[^~=#{}]+#[^~=#{}]+)+\n"
        assert re.fullmatch(rf"::[^~=#{{}}]+\{{#?{answers}\}}\s*", plain), block
        (right,) = re.findall(r"\n\t=(?!%0%)(.*)", block)
        assert "Right" in right or "{#" not in plain
    rows = (written / "anki.txt").read_text("utf-8").splitlines()
    assert [len(row.split("\t")) for row in rows[3:]] == [3] * len(items)
    for row, item in zip(rows[3:], items, strict=True):
        assert f"\t<p><b>{item.right_first[0][0]}</b></p>" in row
