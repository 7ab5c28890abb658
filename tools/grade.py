"""Grade what students handed in: `make grade SUBMISSIONS=folder`.

The folder is what a learning platform gives: notebooks, folders or zips, named its way. nbgrader
runs each notebook. The points go to `gradebook.db` and `grades.csv` in `assignments/`, and a page
for each student to `assignments/feedback/`. What cannot be graded is said, in `grades.csv` too.
Without SUBMISSIONS pages and table are made anew, once written answers have been marked by hand.
"""

import argparse
import csv
import html
import re
import shutil
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import nbformat
from release import COURSE, make, names, nbgrader

COLUMNS = ("assignment", "student", "score", "max_score", "by_hand", "note", "file")

# How learning platforms name what they collect. The groups together say who handed it in.
PLATFORMS = [
    re.compile(r"(.+?_\d+)_assignsubmission_(?:file|onlinetext).*"),  # Moodle
    re.compile(r".+_([^_]+)_attempt_\d{4}(?:-\d\d){5}.*"),  # Blackboard
    re.compile(r"([^_]+)(?:_LATE)?(_\d+)_\d+_.+"),  # Canvas
    re.compile(r"\d+-\d+ ?- (.+?) ?- .+"),  # Brightspace
]

# What a solution has no need to mention, and one that looks at the grader has.
PRYING = (
    r"\bhidden\b|\bimport visible\b|\bimport checks\b|\.reference\b|\bsys\.modules\b|\bbuiltins\b"
)


@dataclass
class Submission:
    """A notebook that somebody handed in, or what was there in place of one."""

    student: str
    file: str
    notebook: nbformat.NotebookNode | None = None
    assignment: str = ""
    notes: list = field(default_factory=list)


# --- finding submissions --------------------------------------------------------------------------


def collect(folder, known):
    """List the submissions in a folder or zip; `known` has each assignment's release notebook."""
    with tempfile.TemporaryDirectory() as scratch:
        files = sorted(unpacked(Path(folder), Path(scratch)))
        found, others = [], defaultdict(list)
        for name, path in below_the_course(files, known):
            student = student_of(name, known)
            if path is None:
                note = "this zip is broken: ask for it again."
                found.append(Submission(student, name, notes=[note]))
            elif path.suffix == ".ipynb":
                found.append(read(Submission(student, name), path, known))
            else:
                others[student].append(name)
    for student in others.keys() - {submission.student for submission in found}:
        note = "no notebook was handed in, only this."
        found.append(Submission(student, ", ".join(others[student]), notes=[note]))
    found.sort(key=lambda submission: (submission.student, submission.file))
    return apart(found)


def unpacked(place, scratch, prefix=""):
    """Yield (name, path) for all files, those in zips too; the path of a broken zip is None."""
    paths = [place] if place.is_file() else sorted(place.rglob("*"))
    for path in paths:
        inside = "" if path == place else str(path.relative_to(place))
        if re.search(r"(^|/)(\.|__MACOSX)", inside):
            continue
        name = f"{prefix}{inside}"
        if path.suffix.lower() == ".zip":
            target = Path(tempfile.mkdtemp(dir=scratch))
            try:
                with zipfile.ZipFile(path) as archive:
                    archive.extractall(target)  # names that lead out of the folder are kept inside
            except (zipfile.BadZipFile, OSError, RuntimeError, EOFError):
                yield name, None
                continue
            # The zip of a platform holds all students; that of one student has a name of its own.
            yield from unpacked(target, scratch, f"{name[:-4]}/" if inside else "")
        elif path.is_file():
            yield name, path
        elif path.is_dir() and not any(path.iterdir()):
            yield f"{name}/(empty)", path


def below_the_course(files, known):
    """Leave out a folder that all names begin with, if those of several students are in it."""
    while True:
        parts = [name.split("/") for name, _ in files]
        inner = {two[1] for two in parts if len(two) > 2} - set(known)
        if len({first for first, *_ in parts}) != 1 or len(inner) < 2:
            return files
        files = [("/".join(rest), path) for (_, *rest), (_, path) in zip(parts, files, strict=True)]


def student_of(name, known):
    """Return who handed in a file, by its name or its folder's."""
    *folders, last = name.split("/")
    for part in [*folders, Path(last).stem]:
        for platform in PLATFORMS:
            if match := platform.fullmatch(part):
                return tidy("".join(match.groups()))
    for part in folders:
        if part not in known:
            return tidy(part)
    stem = re.sub(r"( ?\(\d+\)|[- ]copy|-Copy\d*)+$", "", Path(last).stem, flags=re.IGNORECASE)
    for assignment in known:
        stem = re.sub(rf"(^|[_ -]+){assignment}($|[_ -]+)", "_", stem).strip("_ -")
    return tidy(stem)


def tidy(name):
    """Return a name that can be a folder's."""
    return re.sub(r"[^\w.]+", "-", name).strip("-._") or "nameless"


def read(submission, path, known):
    """Read a notebook and find out which assignment it is; say so if it is none."""
    try:
        identify(submission, nbformat.read(path, as_version=4), known)
    except Exception as error:  # whatever may be wrong with a file, the others are graded
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        submission.notes.append(f"this file cannot be read as a notebook: {reason}")
    return submission


def identify(submission, notebook, known):
    """Find out which assignment a notebook is, and put its checks back as they were."""
    cells = {grade_id(cell) for cell in notebook.cells} - {""}
    shared = {
        name: len(cells & {grade_id(cell) for cell in released.cells if is_check(cell)})
        for name, released in known.items()
    }
    assignment = max(shared, key=shared.get)
    if not shared[assignment]:
        submission.notes.append(
            "none of our questions is in this notebook: it is another one, or it was copied cell "
            "by cell. The work must be done in the notebook that was handed out."
        )
        return
    written = "\n".join(cell.source for cell in notebook.cells if not is_ours(cell))
    if prying := sorted(set(re.findall(PRYING, written))):
        submission.notes.append(f"read it yourself: it mentions {', '.join(prying)}.")
    whole, missing = restored(notebook, known[assignment])
    if missing:
        submission.notes.append(f"cells were missing and put back: {', '.join(missing)}.")
    submission.assignment, submission.notebook = assignment, whole


def grade_id(cell):
    """Return the name that nbgrader knows a cell by."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def is_check(cell):
    """Say whether a cell grades the ones above it."""
    return cell.metadata.nbgrader.grade and cell.metadata.nbgrader.locked


def is_ours(cell):
    """Say whether a cell is one that students have no reason to change."""
    return cell.metadata.get("nbgrader", {}).get("locked", False)


def restored(notebook, released):
    """Return the notebook with the locked cells of the release, and the names of missing ones.

    A student may have deleted or changed a check, or marked it to be skipped: nbgrader would take
    its silence for success.
    """
    ours = {grade_id(cell): cell for cell in released.cells}
    cells, seen = [], set()
    for cell in notebook.cells:
        name = grade_id(cell)
        if name in ours and name not in seen:
            locked = ours[name].metadata.nbgrader.locked
            theirs = {} if locked else {k: cell[k] for k in ("source", "attachments") if k in cell}
            cells.append({**ours[name], **theirs})
            seen.add(name)
        else:  # the student's own; a copied cell keeps what it says, and no points
            cell.metadata = {}
            cells.append(cell)
    missing, after = [], -1
    for name, cell in ours.items():
        if name in seen:
            after = next(i for i, there in enumerate(cells) if there.get("id") == cell.id)
        else:
            after += 1
            cells.insert(after, {**cell})
            missing.append(name)
    whole = nbformat.from_dict({**released, "cells": cells})
    for number, cell in enumerate(whole.cells):  # ids must differ, whatever was copied
        if not grade_id(cell):
            cell.id = f"own-{number}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.validate(whole)
    return whole, [name for name in missing if ours[name].cell_type == "code"]


def apart(submissions):
    """Give names to those who handed in twice, and say who gave the same STUDENT."""
    by_key = defaultdict(list)
    for submission in submissions:
        by_key[submission.student, submission.assignment].append(submission)
    taken = {student for student, _ in by_key}
    for (student, _), several in by_key.items():
        free = (name for n in count(2) if (name := f"{student}-{n}") not in taken)
        for submission, name in zip(several[1:], free, strict=False):
            submission.student = name
            taken.add(name)
        if len(several) > 1:
            all_of_them = ", ".join(f"{other.file} as {other.student}" for other in several)
            for submission in several:
                submission.notes.append(f"handed in {len(several)} times: {all_of_them}.")
    words = defaultdict(set)
    for submission in submissions:
        words[student_word(submission)].add(submission.student)
    for submission in submissions:
        word = student_word(submission)
        if word and len(words[word]) > 1:
            others = ", ".join(sorted(words[word] - {submission.student}))
            submission.notes.append(f"the same STUDENT, {word!r}, as in the notebook of {others}.")
    return submissions


def student_word(submission):
    """Return what a student put into STUDENT."""
    for cell in submission.notebook.cells if submission.notebook else ():
        if grade_id(cell) == "student":
            given = re.findall(r"""^STUDENT *= *["'](.*)["']""", cell.source, re.MULTILINE)
            return given[-1].strip().lower() if given else ""
    return ""


# --- grading --------------------------------------------------------------------------------------


def grade(folder, course=COURSE, say=print):
    """Grade all submissions in a folder; return the rows of grades.csv."""
    submissions = []
    if folder:
        for name in names(course):  # so that the gradebook knows the questions as they are now
            make(name, course)
        releases = {name: course / "release" / name / f"{name}.ipynb" for name in names(course)}
        known = {name: nbformat.read(path, as_version=4) for name, path in releases.items()}
        submissions = collect(folder, known)
    interface = nbgrader(course)
    start = time.monotonic()
    for number, submission in enumerate(submissions, start=1):
        place = f"[{number:{len(str(len(submissions)))}}/{len(submissions)}]"
        shutil.rmtree(course / "feedback" / submission.student / "not-graded", ignore_errors=True)
        if submission.notebook is not None:
            run(submission, interface, course)
        if submission.notebook is None:
            say(f"{place} {submission.student}: NOT GRADED, {submission.file}")
            explain(submission, course)
        else:
            points = interface.get_submission(submission.assignment, submission.student)
            by_hand = ", written answer to mark" if points["needs_manual_grade"] else ""
            score = f"{points['score']:g} of {points['max_score']:g} points{by_hand}"
            say(f"{place} {submission.student}, {submission.assignment}: {score}")
        for note in submission.notes:
            say(f"{'':{len(place)}}   {note}")
    rows = table(submissions, interface, course)
    if folder:
        graded = sum(submission.notebook is not None for submission in submissions)
        spent = time.monotonic() - start
        say(f"\n{graded} graded, {len(submissions) - graded} not, in {spent:.0f} s.")
    else:
        for row in rows:
            if row["assignment"]:
                feedback(interface, row["assignment"], row["student"])
                say(f"{row['student']}, {row['assignment']}: page made anew")
    say(f"Points: {course / 'grades.csv'}. Pages for students: {course / 'feedback'}.")
    return rows


def run(submission, interface, course):
    """Let nbgrader grade one submission and write its page."""
    place = Path(submission.student) / submission.assignment
    target = course / "submitted" / place
    if target.exists():
        submission.notes.append("takes the place of what was graded before.")
        shutil.rmtree(target)
    target.mkdir(parents=True)
    nbformat.write(submission.notebook, target / f"{submission.assignment}.ipynb")
    result = interface.autograde(submission.assignment, submission.student)
    if result["success"]:
        feedback(interface, submission.assignment, submission.student)
    else:
        submission.notebook = None
        last = (result.get("log") or result.get("error", "")).strip().splitlines()
        submission.notes.append(f"nbgrader could not run it: {' '.join(last[-4:])[:500]}")


def feedback(interface, assignment, student):
    """Let nbgrader write the page for a student."""
    result = interface.generate_feedback(assignment, student)
    if not result["success"]:
        raise SystemExit(f"No feedback page for {student}, {assignment}:\n{result.get('log')}")


def explain(submission, course):
    """Write a page for a student whose work could not be graded."""
    folder = course / "feedback" / submission.student / "not-graded"
    folder.mkdir(parents=True, exist_ok=True)
    notes = "".join(f"<li>{html.escape(note)}</li>" for note in submission.notes)
    (folder / "index.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not graded</title>'
        "<h1>Your work could not be graded</h1>"
        f"<p>You handed in <code>{html.escape(submission.file)}</code>.</p><ul>{notes}</ul>"
        "<p>Open the notebook in Jupyter, choose <em>Restart kernel and run all cells</em>, save, "
        "and hand in the file that ends in <code>.ipynb</code>.</p></html>",
        encoding="utf-8",
    )


def table(submissions, interface, course):
    """Write grades.csv: everybody in the gradebook, and whatever could not be graded."""
    path = course / "grades.csv"
    rows = {}
    if path.exists():
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = {(row["assignment"], row["student"]): row for row in csv.DictReader(file)}
    for submission in submissions:
        assignment = submission.assignment if submission.notebook is not None else ""
        rows.pop(("", submission.student), None)
        rows[assignment, submission.student] = {
            "assignment": assignment,
            "student": submission.student,
            "note": " ".join(submission.notes),
            "file": submission.file,
        }
    for name in names(course):
        for student in interface.get_autograded_students(name):
            points = interface.get_submission(name, student)
            row = rows.setdefault((name, student), {"assignment": name, "student": student})
            row["score"], row["max_score"] = f"{points['score']:g}", f"{points['max_score']:g}"
            row["by_hand"] = "to mark" if points["needs_manual_grade"] else ""
    rows = [dict.fromkeys(COLUMNS, "") | rows[key] for key in sorted(rows)]
    with path.open("w", encoding="utf-8-sig", newline="") as file:  # so that Excel reads the names
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return rows


def main():
    """Run the command line; return its exit code."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("submissions", nargs="?", help="a folder or a zip")
    folder = options.parse_args().submissions
    folder = folder and Path(folder).expanduser()  # zsh leaves a ~ after = as it is
    if folder and not folder.exists():
        print(f"There is no folder {folder}.", file=sys.stderr)
        return 1
    grade(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
