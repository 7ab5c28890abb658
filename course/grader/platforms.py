"""Carry points and pages back to a learning platform: its own table filled in, a zip of pages.

Students in the worksheet of Moodle or the gradebook of Canvas are found by the number that these
put into the names of what they collect, or by their names, where only one has that name.
"""

import io
import re
import zipfile
from collections import Counter
from pathlib import Path

import pandas as pd

MOODLE, CANVAS = "Identifier", "Student"  # the first column of each


def spreadsheet(path):
    """Return a table of text and its separator, which is a semicolon in some countries."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        separator = max(",;\t", key=text.partition("\n")[0].count)
        kept = {"dtype": str, "keep_default_na": False, "index_col": False}
        return pd.read_csv(io.StringIO(text), sep=separator, **kept).fillna(""), separator
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SystemExit(f"{path}: in the spreadsheet, save it as CSV UTF-8.") from None
    except ValueError as error:
        raise SystemExit(f"{path} is no table: {error}. Save it again as CSV.") from None


def fill(path, assignment, rows):
    """Return a platform's table with points from the rows of grades.csv, and what did not fit."""
    table, separator = spreadsheet(path)
    students, columns = table.to_dict("records"), list(table)
    if MOODLE in columns:
        column = "Grade"
    elif CANVAS in columns:
        title = re.compile(rf"{assignment}\b", re.IGNORECASE)
        column = next(filter(title.match, columns), "")
    else:
        raise SystemExit(f"{path}: no table of Moodle ({MOODLE!r}) or Canvas ({CANVAS!r}).")
    if column not in columns:
        raise SystemExit(
            f"{path}: which column is for {assignment}? There are {', '.join(columns)}."
        )
    graded = [row for row in rows if row["assignment"] == assignment]
    often = Counter(key for row in graded for key in keys(row["name"]))
    points = {key: row for row in graded for key in keys(row["name"]) if often[key] == 1}
    taken, missing = set(), []
    for student in students:
        found = next((points[key] for key in asked(student) if key in points), None)
        if found:
            student[column] = found["final"]
            taken.add(found["student"])
        elif student.get("ID") or MOODLE in columns:  # Canvas has a row for the points possible
            missing.append(student.get("Full name") or student.get(CANVAS) or "somebody")
    strange = sorted({row["student"] for row in graded} - taken)
    said = [f"points for {len(taken)} of {len(taken) + len(missing)}."]
    said += [f"nothing from {', '.join(missing)}."] if missing else []
    said += [f"not in the table: {', '.join(strange)}."] if strange else []
    unmarked = sum(row["student"] in taken and bool(row["by_hand"]) for row in graded)
    said += [f"written answers still to mark: {unmarked}."] if unmarked else []
    filled = pd.DataFrame(students, columns=columns)
    return filled.to_csv(index=False, sep=separator, lineterminator="\r\n"), said


def keys(name):
    number = re.search(r"_(\d+)$", name)
    return [*([number.group(1)] if number else ()), plain_name(re.sub(r"_\d+$", "", name))]


def asked(student):
    numbers = [*re.findall(r"\d+", student.get(MOODLE) or ""), student.get("ID") or ""]
    last, comma, first = (student.get(CANVAS) or "").partition(", ")
    names = [student.get("Full name") or "", f"{first} {last}" if comma else last]
    return [number for number in numbers if number] + [plain_name(n) for n in names if n.strip()]


def plain_name(name):
    return " ".join(sorted(re.findall(r"\w+", name.casefold())))


def pack_pages(course, rows, target, assignment=None):
    """Put the pages of students into a zip, named as what was handed in; return how many.

    If an assignment is named: its pages, and those of work of which nobody could say what it is.
    """
    count = 0
    if assignment:
        rows = [row for row in rows if row["assignment"] in {assignment, ""}]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for row in rows:
            folder = course / "feedback" / row["student"] / (row["assignment"] or "not-graded")
            for page in sorted(folder.glob("*.html")):
                top, *below = Path(row["file"]).parts or (row["student"],)
                archive.write(page, f"{top}/{page.name}" if below else f"{Path(top).stem}.html")
                count += 1
    return count
