"""Find what students handed in: who, which assignment, and the notebook as it can be judged.

Each notebook is matched to an assignment, and its checks are put back. What cannot be read is said.
"""

import math
import os
import re
import tempfile
import time
import unicodedata
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

# How learning platforms name what they collect. The groups together say who handed it in.
PLATFORMS = [
    re.compile(r"(.+?_\d+)_assignsubmission_(?:file|onlinetext).*"),  # Moodle
    re.compile(r".+_([^_]+)_attempt_\d{4}(?:-\d\d){5}.*"),  # Blackboard
    re.compile(r"([^_]+)(?:_LATE)?(_\d+)_\d+_.+"),  # Canvas
    re.compile(r"\d+-\d+ ?- (.+?) ?- .+"),  # Brightspace
]
LATE = re.compile(r"[^_]+_LATE_\d+_\d+_.+")  # Canvas
ATTEMPT = re.compile(r"_attempt_(\d{4}(?:-\d\d){5})")  # Blackboard
OF_SYSTEMS = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\._[^/]*|\.ipynb_checkpoints)(/|$)")
COPIES = re.compile(r"( ?\(\d+\)|[- ]copy|-Copy\d*|(?<=\D)-\d{1,2})+$", re.IGNORECASE)

# What a solution has no need to mention, and one that looks at the grader has.
PRYING = (
    r"\bhidden\b|\bimport (?:visible|checks|student)\b|\bsys\.modules\b|__builtins__|\bbuiltins\b"
    r"|__globals__|\b_getframe\b|\bimportlib\b|\bsubprocess\b|\bos\.(?:fork|kill|environ|system)\b"
    r"|\bctypes\b|/proc/|\bgc\.get_|\bglobals\(|\beval\(|\bexec\(|(?<!\.)\bcompile\("
    r"|\bimport __main__|__import__|\bvars\(|\blocals\(|\bf_(?:globals|locals|back)\b|\buser_ns\b"
)


@dataclass
class Submission:
    """A notebook that somebody handed in, or what was there in place of one."""

    student: str
    file: str = ""
    notebook: nbformat.NotebookNode | None = None
    assignment: str = ""
    notes: list = field(default_factory=list)
    name: str = ""  # as the platform wrote it; `student` can be a folder's name
    handed_in: float = 0.0  # seconds since 1970, if known


def collect(folder, known):
    """List the submissions in a folder or zip; `known` has each assignment's release notebook."""
    with tempfile.TemporaryDirectory() as scratch:
        files = sorted(unpacked(Path(folder), Path(scratch)), key=lambda file: file[0])
        found, others = [], defaultdict(list)
        for name, path in below_the_course(files, known):
            who, shown = clean(student_of(name, known)), clean(name)
            submission = Submission(tidy(who), shown, name=who, handed_in=moment(name, path))
            if path is None:
                submission.notes.append("this zip is broken, or too large: ask for it again.")
                found.append(submission)
            elif Path(name).suffix.lower() == ".ipynb":
                found.append(read(submission, path, known))
            else:
                others[who].append(shown)
    for who in sorted(others.keys() - {submission.name for submission in found}):
        note = "no notebook was handed in, only this."
        found.append(Submission(tidy(who), ", ".join(others[who])[:500], notes=[note], name=who))
    found.sort(key=lambda submission: (submission.student, submission.file))
    return apart(found)


MOST_BYTES = 200_000_000  # of a student's zip when unpacked, with the zips in it
LEAST_BYTES = 4096  # that a file takes on a disk


def unpacked(place, scratch, prefix="", depth=0, room=None):
    """Yield (name, path) for all files, those in zips too; the path of a broken zip is None.

    `room` is a list of one number: the bytes to which a student's zips may still be unpacked.
    """
    paths = [place] if place.is_file() else sorted(place.rglob("*"))
    for path in paths:
        inside = "" if path == place else path.relative_to(place).as_posix()
        if OF_SYSTEMS.search(inside) or (path.is_symlink() and path != place):
            continue
        name = f"{prefix}{inside}"
        if path.suffix.lower() == ".zip" and path.is_file():
            target = Path(tempfile.mkdtemp(dir=scratch))
            # The zip of a platform holds all students; that of one student has a name of its own.
            left = (room or [MOST_BYTES]) if inside else [math.inf]
            if depth > 5 or not extracted(path, target, left, depth):
                yield name, None
                continue
            below = f"{name[:-4]}/" if inside else ""
            yield from unpacked(target, scratch, below, depth + 1, left if inside else None)
        elif path.is_file():
            yield name or path.name, path
        elif path.is_dir() and not any(path.iterdir()):
            yield f"{name}/(empty)", path


def extracted(path, target, room, depth):
    """Unpack a zip with the times of its files; say whether that could be done.

    In a zip within a zip the times are the student's own: there, that of the inner zip counts.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            room[0] -= sum(max(m.file_size, LEAST_BYTES) for m in archive.infolist())
            if room[0] < 0:
                return False
            for member in archive.infolist():
                made = archive.extract(member, target)  # what leads out of the folder stays inside
                own = time.mktime((*member.date_time, 0, 0, -1))
                os.utime(made, (path.stat().st_mtime if depth else own,) * 2)
    # NotImplementedError, a RuntimeError: a way of packing that Python does not know.
    except (zipfile.BadZipFile, OSError, RuntimeError, EOFError, ValueError, OverflowError):
        return False
    return True


def moment(name, path):
    if match := ATTEMPT.search(name):
        return time.mktime(time.strptime(match.group(1), "%Y-%m-%d-%H-%M-%S"))
    return path.stat().st_mtime if path else 0.0


def below_the_course(files, known):
    """Leave out a folder that all names begin with, if those of several students are in it."""
    while True:
        parts = [name.split("/") for name, _ in files]
        inner = {two[1] for two in parts if len(two) > 2} - set(known)
        if len({first for first, *_ in parts}) != 1 or len(inner) < 2:
            return files
        files = [("/".join(rest), path) for (_, *rest), (_, path) in zip(parts, files, strict=True)]


def student_of(name, known):
    """Return who handed in a file, by its name or its folder's; nothing if neither says it."""
    *folders, last = name.split("/")
    for part in [*folders, Path(last).stem]:
        for platform in PLATFORMS:
            if match := platform.fullmatch(part):
                return "".join(match.groups())
    for part in folders:
        if part.lower() not in known:
            return part
    stem = re.sub(r"^copy of ", "", COPIES.sub("", Path(last).stem), flags=re.IGNORECASE)
    for assignment in known:
        pattern = rf"(^|[_ -]+){assignment}($|[_ -]+)"
        stem = re.sub(pattern, "_", stem, flags=re.IGNORECASE).strip("_ -")
    return stem


def tidy(name):
    """Return a name that can be a folder's: letters of any script with their signs, digits, dots.

    >>> tidy("O'Neill, Ann"), tidy("राम"), tidy("..")
    ('O-Neill-Ann', 'राम', 'nameless')
    """
    text = unicodedata.normalize("NFC", name)
    kept = "".join(c if c in "._" or unicodedata.category(c)[0] in "LMN" else "-" for c in text)
    short = re.sub(r"-+", "-", kept).strip("-._").encode()[:200].decode(errors="ignore")
    return short or "nameless"


def apart(submissions):
    """Give names to those who handed in twice or share one, and say who gave the same STUDENT."""
    for submission in submissions:
        if submission.student == "nameless" and (word := student_word(submission)):
            submission.student, submission.name = tidy(word), word
            submission.notes.append("the file has no name: taken from STUDENT.")
    taken = {submission.student for submission in submissions}
    people = defaultdict(lambda: defaultdict(list))
    for submission in submissions:
        people[submission.student][submission.name].append(submission)
    for student, by_name in people.items():
        first, *others = by_name
        for name in others:
            other = free(student, taken)
            for submission in by_name[name]:
                submission.student = other
                submission.notes.append(f"{name!r} is kept apart from {first!r} as {other}.")
    by_key = defaultdict(list)
    for submission in submissions:
        by_key[submission.student, submission.assignment].append(submission)
    for (student, _), several in by_key.items():
        for submission in several[1:]:
            submission.student = free(student, taken)
        if len(several) > 1:
            all_of_them = ", ".join(f"{other.file} as {other.student}" for other in several)
            for submission in several:
                submission.notes.append(f"handed in {len(several)} times: {all_of_them}.")
    words = defaultdict(set)
    for submission in submissions:
        words[student_word(submission).lower()].add(submission.student)
    for submission in submissions:
        word = student_word(submission).lower()
        if word and len(words[word]) > 1:
            others = ", ".join(sorted(words[word] - {submission.student}))
            submission.notes.append(f"the same STUDENT, {word!r}, as in the notebook of {others}.")
    return submissions


def free(student, taken):
    """Return a name that nobody has, and take it."""
    number = 2
    while f"{student}-{number}" in taken:
        number += 1
    taken.add(f"{student}-{number}")
    return f"{student}-{number}"


def student_word(submission):
    """Return what a student put into STUDENT."""
    for cell in submission.notebook.cells if submission.notebook else ():
        if grade_id(cell) == "student":
            given = re.findall(r"""^STUDENT *= *["'](.*)["']""", cell.source, re.MULTILINE)
            return given[-1].strip() if given else ""
    return ""


MOST_OF_A_NOTEBOOK, MOST_CELLS = 60_000_000, 2000


def read(submission, path, known):
    """Read a notebook and find out which assignment it is; say so if it is none."""
    if LATE.fullmatch(Path(submission.file).stem):
        submission.notes.append("late, says the platform.")
    try:
        if path.stat().st_size > MOST_OF_A_NOTEBOOK:
            raise ValueError("it is too large: clear all outputs, and hand it in again.")
        text = path.read_bytes().decode("utf-8-sig").encode("utf-8").decode("utf-8")
        if text.count('"cell_type"') > MOST_CELLS:
            raise ValueError(f"it has more than {MOST_CELLS} cells.")
        identify(submission, nbformat.reads(text, as_version=4), known)
    except Exception as error:  # whatever may be wrong with a file, the others are graded
        reason = (clean(str(error)).strip() or type(error).__name__).splitlines()[0][:200]
        submission.notebook = None
        submission.notes.append(f"this file cannot be read as a notebook: {reason}")
    return submission


def identify(submission, notebook, known):
    """Find out which assignment a notebook is, and put its checks back as they were."""
    assignment = assignment_of(notebook, known, submission.file)
    if not assignment:
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


def assignment_of(notebook, known, file):
    """Return which assignment a notebook is: it says so, or has most of that one's checks."""
    said = notebook.metadata.get("dtreebook", {}).get("assignment")
    if said in known:
        return said
    cells, shared = set(map(grade_id, notebook.cells)), {}
    for name, released in known.items():
        checks = {grade_id(cell) for cell in released.cells if is_check(cell)}
        if has := len(cells & checks):
            shared[name] = (has / len(checks), name in Path(file).stem.lower(), has)
    return max(shared, key=shared.get, default="")


def grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def is_check(cell):
    return cell.metadata.nbgrader.grade and cell.metadata.nbgrader.locked


def is_ours(cell):
    return cell.metadata.get("nbgrader", {}).get("locked", False)


def clean(text):
    return str(text).encode("utf-8", "replace").decode("utf-8")


def harmless(markdown):
    """Return Markdown whose HTML is shown and not obeyed: teachers read it in their Jupyter.

    A space makes text of a tag, of an address that is code, and of what spells one differently.
    """
    shown = re.sub(r"<(?=[A-Za-z/!?])", "< ", markdown)
    shown = re.sub(r"(?i)&(?=#|colon;|tab;|newline;)|\\(?=href\b)", r"\g<0> ", shown)
    return re.sub(r"(?i)(javascript|vbscript|data)(?=\s*:\S)", r"\1 ", shown)


def restored(notebook, released):
    """Return the notebook with the locked cells of the release, and the names of missing ones."""
    ours = {grade_id(cell): cell for cell in released.cells}
    cells, seen = [], set()
    for cell in notebook.cells:
        name = grade_id(cell)
        if name in ours and name not in seen:
            locked = ours[name].metadata.nbgrader.locked
            cells.append({**ours[name], **({} if locked else own(cell, ours[name].cell_type))})
            seen.add(name)
        else:  # the student's own; a copied cell keeps what it says, and no points
            kind = "code" if cell.cell_type == "code" else "markdown"
            cells.append(nbformat.from_dict({**EMPTY[kind], **own(cell, kind)}))
    missing, after = [], -1
    for name, cell in ours.items():
        if name in seen:
            after = next(i for i, there in enumerate(cells) if there.get("id") == cell.id)
        else:
            after += 1
            locked = cell.metadata.nbgrader.locked  # what to fill in may have been done elsewhere
            cells.insert(after, {**cell, **({} if locked else {"source": ""})})
            missing.append(name)
    whole = nbformat.from_dict({**released, "cells": cells})
    for number, cell in enumerate(whole.cells):  # ids must differ, whatever was copied
        if not grade_id(cell):
            cell.id = f"own-{number}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.validate(whole)
    return whole, [name for name in missing if ours[name].cell_type == "code"]


EMPTY = {"code": nbformat.v4.new_code_cell(), "markdown": nbformat.v4.new_markdown_cell()}


def own(cell, kind):
    """Return what a student put into a cell, as a cell of a kind can store and show it."""
    text = clean(cell.source)
    if kind == "code":
        return {"source": text}
    pictures = {
        name: {form: data for form, data in of.items() if is_picture(form, data)}
        for name, of in cell.get("attachments", {}).items()
    }
    return {"source": harmless(text), **({"attachments": pictures} if pictures else {})}


def is_picture(form, data):
    named = form in ("image/png", "image/jpeg", "image/gif")
    return named and isinstance(data, str) and bool(re.fullmatch(r"[A-Za-z0-9+/=\s]*", data))
