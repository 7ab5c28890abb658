"""Points and pages go back to learning platforms in the form that these give."""

import zipfile

import platforms
import pytest


def row(student, name, final, file="", assignment="entropy"):
    found = {"student": student, "name": name, "final": final, "file": file}
    return found | {"assignment": assignment}


ROWS = [
    row("Zoë-Ng_123", "Zoë Ng_123", "41.5", "Zoë Ng_123_assignsubmission_file_/my work.ipynb"),
    row("leeann_4711", "leeann_4711", "30", "leeann_LATE_4711_99_entropy-1.ipynb"),
    row("Bob-Day", "Bob Day", "12", "Bob Day/entropy.ipynb"),
    row("Bob-Day", "Bob Day", "1", "Bob Day/id3.ipynb", "id3"),
    row("stranger", "stranger", "3", "stranger/entropy.ipynb"),
]
MOODLE = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum grade\r\n"
    'Participant 123,"Zoë Ng",z@x,Submitted,,42\r\n'
    'Participant 124,"Bob Day",b@x,Submitted,,42\r\n'
    'Participant 125,"Cas Rest",c@x,No submission,,42\r\n'
)
CANVAS = (
    "Student;ID;SIS Login ID;Section;Entropy and gain (77);Final\r\n"
    "    Points Possible;;;;42;\r\n"
    '"Lee, Ann";4711;ann;A;;\r\n'
    '"Day, Bob";4712;bob;A;;\r\n'
)


def test_the_worksheet_of_moodle_is_filled_in(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text(MOODLE, encoding="utf-8", newline="")
    text, said = platforms.fill(path, "entropy", ROWS)
    lines = text.splitlines()
    assert lines[1] == "Participant 123,Zoë Ng,z@x,Submitted,41.5,42"
    assert lines[2] == "Participant 124,Bob Day,b@x,Submitted,12,42"
    assert lines[3] == "Participant 125,Cas Rest,c@x,No submission,,42"
    assert said == [
        "points for 2 of 3.",
        "nothing from Cas Rest.",
        "not in the table: leeann_4711, stranger.",
    ]


def test_the_gradebook_of_canvas_is_filled_in(tmp_path):
    path = tmp_path / "book.csv"
    path.write_text(CANVAS, encoding="utf-8", newline="")
    text, said = platforms.fill(path, "entropy", ROWS)
    lines = text.splitlines()
    assert lines[1] == "    Points Possible;;;;42;"
    assert lines[2] == "Lee, Ann;4711;ann;A;30;"
    assert lines[3] == "Day, Bob;4712;bob;A;12;"
    assert said == ["points for 2 of 2.", "not in the table: Zoë-Ng_123, stranger."]


def test_two_of_one_name_are_left_to_the_teacher(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text(MOODLE, encoding="utf-8", newline="")
    text, said = platforms.fill(path, "entropy", [*ROWS, row("Bob-Day-2", "Bob Day", "40")])
    assert text.splitlines()[2].endswith("Submitted,,42")
    assert "Bob-Day, Bob-Day-2" in said[2]


def test_what_is_no_table_of_a_platform_is_said(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(SystemExit, match="no table of Moodle"):
        platforms.fill(path, "entropy", ROWS)
    path.write_text(CANVAS)
    with pytest.raises(SystemExit, match="which column is for pruning"):
        platforms.fill(path, "pruning", ROWS)
    path.write_text(MOODLE[1:], encoding="cp1252")
    with pytest.raises(SystemExit, match="save it as CSV UTF-8"):
        platforms.fill(path, "entropy", ROWS)
    with pytest.raises(SystemExit, match="No such file"):
        platforms.fill(tmp_path / "nowhere.csv", "entropy", ROWS)


def test_pages_are_named_as_what_was_handed_in(tmp_path):
    for one in ROWS:
        folder = tmp_path / "feedback" / one["student"] / one["assignment"]
        folder.mkdir(parents=True)
        (folder / f"{one['assignment']}.html").write_text(one["final"])
    target = tmp_path / "pages.zip"
    assert platforms.pack_pages(tmp_path, ROWS, target) == 5
    with zipfile.ZipFile(target) as archive:
        assert set(archive.namelist()) == {
            "Zoë Ng_123_assignsubmission_file_/entropy.html",
            "leeann_LATE_4711_99_entropy-1.html",
            "Bob Day/entropy.html",
            "Bob Day/id3.html",
            "stranger/entropy.html",
        }


def test_pages_of_one_assignment_go_back_alone_but_for_work_that_nobody_knows(tmp_path):
    unknown = row("Cas-Rest", "Cas Rest", "0", "Cas Rest/essay.pdf", "")
    for one in [*ROWS, unknown]:
        folder = tmp_path / "feedback" / one["student"] / (one["assignment"] or "not-graded")
        folder.mkdir(parents=True)
        (folder / "page.html").write_text(one["final"])
    target = tmp_path / "pages.zip"
    assert platforms.pack_pages(tmp_path, [*ROWS, unknown], target, "id3") == 2
    with zipfile.ZipFile(target) as archive:
        assert set(archive.namelist()) == {"Bob Day/page.html", "Cas Rest/page.html"}
