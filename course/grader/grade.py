"""Grade what students handed in: `make grade SUBMISSIONS=folder`.

The folder is what a learning platform gives (`submissions.py`). Each notebook is judged apart
(`judge.py`). nbgrader keeps the points in `gradebook.db` and makes a page for each student in
`feedback/`; `grades.csv` says what cannot be graded, too. Without a folder, pages and table are
made anew, once written answers have been marked by hand.
"""

import argparse
import hashlib
import html
import json
import math
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections import deque
from datetime import datetime
from multiprocessing.connection import wait
from pathlib import Path

import nbformat

from course.grader import classwide, hub, judge, platforms, sandbox
from course.grader.assignments import check_points
from course.grader.classwide import written
from course.grader.release import COURSE, make, must_be, names, nbgrader, released
from course.grader.submissions import Submission, clean, collect

COLUMNS = ["assignment", "student", "name", "score", "max_score", "by_hand", "days_late", "before"]
COLUMNS += ["final", "note", "file"]
KEPT = ("name", "file", "notes", "handed_in")  # of a submission
MADE = ["submitted", "autograded", "feedback", "collected", "gradebook.db", "due.json"]
MADE += ["grades.csv", "questions.csv", "alike.csv"]
PATIENCE = judge.NOTEBOOK_SECONDS + 180  # for one notebook, whatever may happen
NOT_PROTECTED = """\
Students' code cannot be kept apart on this system, and it could read and change what you can. Grade
on Linux, or in a container (course/README.md, "What protects"). If you trust every notebook in
this folder, add  UNPROTECTED=yes ."""


def record_path(course, student, assignment):
    return course / "submitted" / student / (assignment or "not-graded") / "record.json"


def stored(course, student, assignment):
    try:
        return json.loads(record_path(course, student, assignment).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def store(course, submission, **more):
    path = record_path(course, submission.student, submission.notebook and submission.assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {key: getattr(submission, key) for key in KEPT}
    written(path, json.dumps(record | more))


def again(course, assignment):
    """List the stored submissions of an assignment, to be graded anew."""
    found = []
    for path in sorted((course / "submitted").glob(f"*/{assignment}/{assignment}.ipynb")):
        student = path.parents[1].name
        known = stored(course, student, assignment) or {}
        kept = {key: known[key] for key in KEPT if key in known}
        work = nbformat.read(path, as_version=4)
        found.append(Submission(student, notebook=work, assignment=assignment, **kept))
    return found


def work_of(submission):
    sources = [cell.source for cell in submission.notebook.cells]
    return hashlib.sha256(json.dumps(sources).encode()).hexdigest()


def rules_of(course, assignment):
    judges = judge.__file__, sandbox.__file__, sandbox.HERE / "student.py"
    files = [*sorted((course / "source" / assignment).glob("*.py")), *map(Path, judges)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def replaced(course, submission):
    records = (course / "submitted" / submission.student).glob("*/record.json")
    known = (json.loads(path.read_text(encoding="utf-8")) for path in records)
    return [submission.file, submission.handed_in] in [record.get("replaces") for record in known]


def grade(folder, course=COURSE, say=print, anew="", accept_unprotected=False):
    """Grade a folder, or the stored notebooks of the assignment `anew`; return grades.csv's rows.

    Without either, make all pages anew. Raises SystemExit if students' code cannot be kept apart.
    """
    grading = folder or anew
    if grading and not (accept_unprotected or sandbox.protects()):
        raise SystemExit(NOT_PROTECTED)
    book, submissions = Book(course), []
    if grading:
        for name in names(course):
            check_points(name, course)
        for name in filter(book.outdated, names(course)):
            make(name, course)  # so that the gradebook knows the questions as they are now
        releases = {name: released(name, course) for name in names(course)}
        submissions = again(course, anew) if anew else collect(folder, releases)
    book.table()
    if grading:
        start, total = time.monotonic(), len(submissions)
        results = judged_all(submissions, course, accept_unprotected)
        for number, (submission, result) in enumerate(results, start=1):
            place = f"[{number:{len(str(total))}}/{total}]"
            say(f"{place} {book.enter(submission, result)}")
            for note in submission.notes:
                say(f"{'':{len(place)}}   {note}")
        graded = sum(submission.notebook is not None for submission in submissions)
        spent = time.monotonic() - start
        say(f"\n{graded} graded, {total - graded} not, in {spent:.0f} s.")
        classwide.report(course, names(course), say)
    else:
        for row in book.table():
            if row["assignment"]:
                problem = book.page(row["assignment"], row["student"])
                say(f"{row['student']}, {row['assignment']}: {problem or 'page made anew'}")
    rows = book.table()
    say(f"Points: {course / 'grades.csv'}. Pages for students: {course / 'feedback'}.")
    return rows


def judged_all(submissions, course, accept_unprotected):
    """Judge notebooks, several at once; yield (submission, result) as they are done.

    The result has outputs and results, or an error; it is None for what is not to be judged.
    """
    waiting, running = deque(), {}
    for submission in submissions:
        if submission.notebook is None:
            yield submission, None
        else:
            waiting.append(submission)
    wanted = {submission.assignment for submission in waiting}
    assignments = {name: judge.ready(course / "source" / name) for name in sorted(wanted)}
    fork = multiprocessing.get_context("fork")
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            submission = waiting.popleft()
            if result := known_result(submission, course):
                yield submission, result
                continue
            ours, theirs = fork.Pipe(duplex=False)
            work = (submission, assignments[submission.assignment], course, accept_unprotected)
            process = fork.Process(target=judge_one, args=(theirs, *work), daemon=True)
            process.start()
            theirs.close()
            running[ours] = submission, process, time.monotonic() + PATIENCE
        ready = wait(list(running), timeout=1)
        for pipe, (submission, process, deadline) in list(running.items()):
            if pipe in ready or time.monotonic() > deadline:
                del running[pipe]
                yield submission, received(pipe) if pipe in ready else {"error": "took too long."}
                process.terminate()
                process.join(10)
                process.kill()
                pipe.close()


def judge_one(pipe, submission, assignment, course, accept_unprotected):
    """Judge a notebook in a process of its own, which may break."""
    files = [course / "source" / submission.assignment / name for name in judge.BESIDE]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # the sandbox ends with its judge
    try:
        result = judge.judged(submission.notebook, assignment, files, accept_unprotected)
    except BaseException as error:
        result = {"error": f"{type(error).__name__}: {error}"}
    pipe.send_bytes(json.dumps(result).encode())


def received(pipe):
    try:
        return json.loads(pipe.recv_bytes())
    except (EOFError, OSError, ValueError):
        return {"error": "the process that judged it broke off."}


def known_result(submission, course):
    """Return the stored result if this very work was judged by these very rules, or is older."""
    known, work = stored(course, submission.student, submission.assignment), work_of(submission)
    if not known:
        return None
    if known.get("work") == work:
        return known if known.get("rules") == rules_of(course, submission.assignment) else None
    was_before = 0 < submission.handed_in < known["handed_in"] - 1
    return known | {"older": True} if was_before or work in known.get("earlier", ()) else None


class Book:
    """What nbgrader keeps of a course, and the table that is written from it."""

    def __init__(self, course):
        self.course, self.interface = course, nbgrader(course)
        self.due = due_dates(course)
        self.rows = {}

    def outdated(self, name):
        """Say whether an assignment has changed since the gradebook learnt of it."""
        release = self.course / "release" / name / f"{name}.ipynb"
        sources = (path.stat().st_mtime for path in (self.course / "source" / name).iterdir())
        if not release.exists() or release.stat().st_mtime < max(sources):
            return True
        with self.interface.gradebook as book:
            return name not in {assignment.name for assignment in book.assignments}

    def enter(self, submission, result):
        """Enter what the judge found of a submission; return in a line what became of it."""
        problem = ""
        try:
            if result and "error" in result:
                problem = f"it could not be judged: {clean(result['error'])[:300]}"
            elif result:
                problem = self.grade(submission, result)
        except Exception as error:  # one submission never stops the class
            problem = f"it could not be graded: {type(error).__name__}: {clean(str(error))[:300]}"
        if problem:
            submission.notes.append(problem)
            submission.notebook = None
        if submission.notebook is None and replaced(self.course, submission):
            return f"{submission.student}: a later file took the place of {submission.file}"
        if submission.notebook is None:
            store(self.course, submission)
            explain(submission, self.course)
            self.refresh(submission.student, "")
            self.write()
            return f"{submission.student}: NOT GRADED, {submission.file}"
        row = self.refresh(submission.student, submission.assignment)
        self.write()
        by_hand = ", written answer to mark" if row["by_hand"] else ""
        score = f"{row['score']} of {row['max_score']} points{by_hand}"
        return f"{submission.student}, {submission.assignment}: {score}"

    def grade(self, submission, result):
        """Let nbgrader take the points and write the page; return what was wrong, if anything."""
        student, assignment = submission.student, submission.assignment
        if result.get("older"):
            submission.notes = ["older than what is graded: the newer is kept."]
            return ""
        known = stored(self.course, student, assignment) or {}
        earlier, work = known.get("earlier", {}), work_of(submission)
        if known.get("work", work) != work:
            score = self.interface.get_submission(assignment, student)["score"]
            submission.notes.append(f"takes the place of work that had earned {score:g} points.")
            earlier = earlier | {known["work"]: (score, known["handed_in"])}
        unread = stored(self.course, student, "") or {}
        replaces = [unread["file"], unread["handed_in"]] if unread else known.get("replaces")
        place = record_path(self.course, student, assignment).parent
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        nbformat.write(submission.notebook, place / f"{assignment}.ipynb")
        store(
            self.course,
            submission,
            work=work,
            earlier=earlier,
            replaces=replaces,
            rules=rules_of(self.course, assignment),
            **{key: result[key] for key in ("outputs", "results", "cases")},
        )
        said = self.interface.autograde(assignment, student, force=True)
        if not said["success"]:
            last = (said.get("log") or said.get("error", "")).strip().splitlines()
            return f"nbgrader could not take it: {' '.join(last[-4:])[:500]}"
        if known.get("work") == work:
            self.keep_marks(assignment, student)
        shutil.rmtree(self.course / "submitted" / student / "not-graded", ignore_errors=True)
        shutil.rmtree(self.course / "feedback" / student / "not-graded", ignore_errors=True)
        self.rows.pop(("", student), None)
        return self.page(assignment, student)

    def keep_marks(self, assignment, student):
        """Let marks stand that were given by hand to this very work."""
        with self.interface.gradebook as book:
            for notebook in book.find_submission(assignment, student).notebooks:
                for mark in notebook.grades:
                    if mark.manual_score is not None:
                        mark.needs_manual_grade = False
            book.db.commit()

    def page(self, assignment, student):
        made = self.interface.generate_feedback(assignment, student, force=True)
        return "" if made["success"] else f"no feedback page: {(made.get('log') or '')[-300:]}"

    def table(self):
        """Read everybody's points anew; write and return the rows."""
        self.rows = {}
        for name in names(self.course):
            for student in self.interface.get_autograded_students(name):
                self.refresh(student, name)
        for path in sorted((self.course / "submitted").glob("*/not-graded/record.json")):
            self.refresh(path.parents[1].name, "")
        return self.write()

    def refresh(self, student, assignment):
        """Read the row of one student's work anew; return it."""
        known = stored(self.course, student, assignment) or {}
        row = dict.fromkeys(COLUMNS, "") | {"assignment": assignment, "student": student}
        row |= {key: known.get(key, "") for key in ("name", "file")}
        row["note"] = " ".join(known.get("notes", ()))
        if assignment:
            points = self.interface.get_submission(assignment, student)
            row["score"], row["max_score"] = f"{points['score']:g}", f"{points['max_score']:g}"
            row["by_hand"] = "to mark" if points["needs_manual_grade"] else ""
            row |= self.left(assignment, (points["score"], known.get("handed_in", 0)), known)
        self.rows[assignment, student] = row
        return row

    def left(self, assignment, work, known):
        """Return the days begun after the due date, and the points that are left by the rule.

        `work` is a pair, the points earned and when it was handed in; `before` has the points left
        of the best earlier work, and where the teacher says so the better counts.
        """
        due, percent, better = (*self.due.get(assignment, (None, 0)), False)[:3]
        day = datetime.fromisoformat(due).timestamp() if due else math.inf

        def by_rule(score, handed_in):
            days = max(0, math.ceil((handed_in - day) / 86400)) if due else 0
            return days, round(max(0.0, score * (1 - days * percent / 100)), 2)

        days, points = by_rule(*work)
        before = [by_rule(*one)[1] for one in known.get("earlier", {}).values()]
        final = max([points, *before]) if better else points
        shown = f"{max(before):g}" if before else ""
        return {"days_late": str(days or ""), "before": shown, "final": f"{final:g}"}

    def write(self):
        rows = [self.rows[key] for key in sorted(self.rows)]
        shown = [{key: inert(clean(row[key])) for key in COLUMNS} for row in rows]
        classwide.save(self.course / "grades.csv", COLUMNS, shown)
        return rows


def inert(text):
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


def explain(submission, course):
    """Write a page for a student whose work could not be graded."""
    folder = course / "feedback" / submission.student / "not-graded"
    folder.mkdir(parents=True, exist_ok=True)
    notes = "".join(f"<li>{html.escape(clean(note))}</li>" for note in submission.notes)
    (folder / "index.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not graded</title>'
        "<h1>Your work could not be graded</h1>"
        f"<p>You handed in <code>{html.escape(clean(submission.file))}</code>.</p><ul>{notes}</ul>"
        "<p>Open the notebook in Jupyter, choose <em>Restart kernel and run all cells</em>, save, "
        "and hand in the file that ends in <code>.ipynb</code>.</p></html>",
        encoding="utf-8",
    )


def due_dates(course):
    path = course / "due.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def set_due(course, assignment, date, percent, better=False):
    """Store when an assignment is due, what a day begun after that costs, and which work counts."""
    must_be(assignment, course)
    try:
        datetime.fromisoformat(date)
    except ValueError:
        raise SystemExit(f"{date!r} is no date such as 2026-11-20T23:59.") from None
    dates = due_dates(course) | {assignment: (date, percent, better)}
    written(course / "due.json", json.dumps(dates))


def remove(course, student):
    """Remove all that is kept of a student."""
    with Book(course).interface.gradebook as book:
        if found := student in {known.id for known in book.students}:
            book.remove_student(student)
    for folder in ("submitted", "autograded", "feedback"):
        found |= (course / folder / student).exists()
        shutil.rmtree(course / folder / student, ignore_errors=True)
    if not found:
        raise SystemExit(f"Nothing is kept of a student {student!r}.")


def rename(course, student, name):
    """Move what was handed in under one name to another; it is then graded again."""
    source, target = (course / "submitted" / who for who in (student, name))
    if not source.exists() or target.exists():
        raise SystemExit(f"Nothing is kept of {student!r}, or there is a {name!r} already.")
    shutil.copytree(source, target)
    remove(course, student)


def new_term(course, name):
    """Put away all that a term has made, into a folder of its own."""
    target = course / "terms" / name
    if target.exists():
        raise SystemExit(f"There is a term {name!r} already.")
    target.mkdir(parents=True)
    for made in MADE:
        if (course / made).exists():
            shutil.move(course / made, target / made)


def carry_back(table, pages, course=COURSE, say=print):
    """Fill in a platform's table, and pack the pages for it."""
    book = Book(course)
    rows, assignment = book.table(), None
    if table:
        assignment, path = table[0], Path(table[1]).expanduser()
        text, said = platforms.fill(path, assignment, rows)
        target = path.with_name(f"{path.stem}-graded.csv")
        written(target, text, encoding="utf-8-sig")
        say(f"{target}: {assignment}. {' '.join(said)}")
    if pages:
        packed = platforms.pack_pages(course, rows, Path(pages).expanduser(), assignment)
        say(f"{pages}: {packed} pages.")


def on_the_hub(name, accept_unprotected, course=COURSE, say=print):
    rows = grade(hub.collect(name, course), course, say, accept_unprotected=accept_unprotected)
    say(f"{hub.give_back(name, course, rows)} pages returned to the students of the hub.")


def main():
    """Run the command line."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = options.add_argument
    add("submissions", nargs="?", help="a folder or a zip")
    add("--again", metavar="ASSIGNMENT", default="", help="grade what is stored")
    add("--due", nargs=2, metavar=("ASSIGNMENT", "DATE"), help="as 2026-11-20T23:59")
    add("--late", type=float, default=0, help="percent lost for each day begun")
    add("--better", action="store_true", help="of two works of a student, the better counts")
    add("--remove", metavar="STUDENT")
    add("--rename", nargs=2, metavar=("STUDENT", "NAME"))
    add("--new-term", metavar="NAME", help="put away what this term has made")
    add("--fill", nargs=2, metavar=("ASSIGNMENT", "TABLE"), help="a platform's table")
    add("--pages", metavar="ZIP", help="pack all pages for a platform")
    add("--hub", metavar="ASSIGNMENT", default="", help="on a JupyterHub")
    add("--unprotected", action="store_true", help="trust the students' code")
    given = options.parse_args()
    folder = given.submissions and Path(given.submissions).expanduser()  # zsh leaves a ~ after =
    if folder and not folder.exists():
        sys.exit(f"There is no folder {folder}.")
    for name in filter(None, (given.again, given.hub)):
        must_be(name)
    if given.due:
        set_due(COURSE, *given.due, given.late, given.better)
    if given.remove:
        remove(COURSE, given.remove)
    if given.rename:
        rename(COURSE, *given.rename)
        for path in (COURSE / "submitted" / given.rename[1]).glob("*/*.ipynb"):
            grade(None, anew=path.stem, accept_unprotected=given.unprotected)
    if given.fill or given.pages:
        carry_back(given.fill, given.pages)
    elif given.new_term:
        new_term(COURSE, given.new_term)
    elif given.hub:
        on_the_hub(given.hub, given.unprotected)
    else:
        grade(folder, anew=given.again, accept_unprotected=given.unprotected)


if __name__ == "__main__":
    main()
