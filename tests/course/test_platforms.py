"""Points and pages go back to learning platforms in the form that these give."""

import zipfile

import pytest

from course.grader import platforms


def row(student, name, final, file="", assignment="entropy"):
    found = {"student": student, "name": name, "final": final, "file": file, "by_hand": ""}
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


LEFT = "not in the table: "


@pytest.mark.parametrize(
    ("table", "lines", "said"),
    [
        (
            MOODLE,
            ["Participant 123,Zoë Ng,z@x,Submitted,41.5,42",
             "Participant 124,Bob Day,b@x,Submitted,12,42",
             "Participant 125,Cas Rest,c@x,No submission,,42"],
            ["points for 2 of 3.", "nothing from Cas Rest.", LEFT + "leeann_4711, stranger."],
        ),
        (
            CANVAS,
            ["    Points Possible;;;;42;", "Lee, Ann;4711;ann;A;30;", "Day, Bob;4712;bob;A;12;"],
            ["points for 2 of 2.", LEFT + "Zoë-Ng_123, stranger."],
        ),
    ],
    ids=["Moodle", "Canvas"],
)  # fmt: skip
def test_the_table_of_a_platform_is_filled_in(tmp_path, table, lines, said):
    text, told = filled(tmp_path, ROWS, table)
    assert (text.splitlines()[1:], told) == (lines, said)


def filled(folder, rows, table=MOODLE):
    (folder / "table.csv").write_text(table, encoding="utf-8", newline="")
    return platforms.fill(folder / "table.csv", "entropy", rows)


def test_answers_still_to_mark_are_said_and_two_of_one_name_are_left_to_the_teacher(tmp_path):
    rows = [one | {"by_hand": "to mark"} for one in ROWS[1:3]]  # the first is not in the table
    assert filled(tmp_path, rows)[1][-1] == "written answers still to mark: 1."
    text, said = filled(tmp_path, [*ROWS, row("Bob-Day-2", "Bob Day", "40")])
    assert text.splitlines()[2].endswith("Submitted,,42")
    assert "Bob-Day, Bob-Day-2" in said[2]


def test_what_is_no_table_of_a_platform_is_said(tmp_path):
    path = tmp_path / "x.csv"
    for text, encoding, name, words in (
        ("a,b\n1,2\n", "utf-8", "entropy", "no table of Moodle"),
        (CANVAS, "utf-8", "pruning", "which column is for pruning"),
        (MOODLE[1:], "cp1252", "entropy", "save it as CSV UTF-8"),
    ):
        path.write_text(text, encoding)
        with pytest.raises(SystemExit, match=words):
            platforms.fill(path, name, ROWS)
    with pytest.raises(SystemExit, match="No such file"):
        platforms.fill(tmp_path / "nowhere.csv", "entropy", ROWS)


UNKNOWN = row("Cas-Rest", "Cas Rest", "0", "Cas Rest/essay.pdf", "")
PAGES = {"Zoë Ng_123_assignsubmission_file_/page.html", "leeann_LATE_4711_99_entropy-1.html"}
PAGES |= {f"{name}/page.html" for name in ("Bob Day", "stranger", "Cas Rest")}


@pytest.mark.parametrize(
    ("assignment", "names"), [(None, PAGES), ("id3", {"Bob Day/page.html", "Cas Rest/page.html"})]
)
def test_pages_are_named_as_what_was_handed_in_and_those_of_unknown_work_go_with_all(
    tmp_path, assignment, names
):
    rows = [*ROWS[:2], *ROWS[3:], UNKNOWN]
    for one in rows:
        folder = tmp_path / "feedback" / one["student"] / (one["assignment"] or "not-graded")
        folder.mkdir(parents=True)
        (folder / "page.html").write_text(one["final"])
    assert platforms.pack_pages(tmp_path, rows, tmp_path / "pages.zip", assignment) == len(names)
    with zipfile.ZipFile(tmp_path / "pages.zip") as archive:
        assert set(archive.namelist()) == names
