"""The concept inventory on decision trees: its forms, and what a class's answers say.

    make inventory                      write the forms, the key and an empty table of answers
    make inventory ANSWERS=class.csv    difficulty and discrimination of each question, and the gain
    make inventory ANSWERS=folder       the same, from the files that the page of the book gave, or
                                        the zip in which a learning platform gives them

`book/inventory.yml` holds the questions, each wrong choice with its misconception.
The table of answers has the columns student, form (pre or post) and 1, 2, ... for the questions.
"""

import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import yaml
from markdown_it import MarkdownIt

from course.grader.platforms import spreadsheet
from course.grader.submissions import unpacked

ROOT = Path(__file__).resolve().parents[2]
FORMS = {"pre": "before the course", "post": "after the course"}
CONCEPTS = yaml.safe_load((ROOT / "book" / "inventory.yml").read_text("utf-8"))
QUESTIONS = [str(number) for number in range(1, len(CONCEPTS) + 1)]
COLUMNS = ["student", "form", *QUESTIONS]
LETTERS = "ABCD"
HAKE = {0.7: "high", 0.3: "medium", float("-inf"): "low"}
STYLE = """body {font: 12pt/1.45 Georgia, serif; max-width: 42em; margin: 2em auto; padding: 0 1em}
h2 {font-size: 1em; margin: 1.6em 0 0.3em; break-after: avoid} section {break-inside: avoid}
table {border-collapse: collapse} th, td {border: 1px solid #777; padding: 0.15em 0.7em}
pre {font-size: 0.9em}"""


def choices(concept, form):
    pairs = [next(iter(choice.items())) for choice in concept[form]["choices"]]
    return dict(zip(LETTERS, pairs, strict=True))


def right(concept, form):
    return next(letter for letter, (kind, _) in choices(concept, form).items() if kind == "right")


def paper(form):
    """Return a form in Markdown, without any answer."""
    parts = [
        f"# Decision trees: questions {FORMS[form]}",
        "Name or number: ______________________\n\nChoose **one** answer to each question. If you "
        "do not know, leave it out. You need no calculator.",
    ]
    for number, concept in enumerate(CONCEPTS, 1):
        options = [f"{letter}. {text}" for letter, (_, text) in choices(concept, form).items()]
        parts.append("\n\n".join([f"## {number}", concept[form]["text"].strip(), *options]))
    return "\n\n".join(parts) + "\n"


def title(name):
    """Return the title of a page of the book."""
    cells = json.loads((ROOT / "book" / f"{name}.ipynb").read_text("utf-8"))["cells"]
    words = "".join(line for c in cells if c["cell_type"] == "markdown" for line in c["source"])
    return re.search(r"^# (.+)", words, re.MULTILINE)[1]


def key():
    """Return the key in Markdown: the right answers, and what each wrong one shows."""
    parts = ["# Key to the concept inventory", "For teachers. Keep it from your students."]
    for number, concept in enumerate(CONCEPTS, 1):
        rows = ["| pre | post | what it shows |", "|---|---|---|"]
        at = {f: {kind: x for x, (kind, _) in choices(concept, f).items()} for f in FORMS}
        for kind, words in {"right": "**right**", **concept["misconceptions"]}.items():
            rows.append(f"| {at['pre'][kind]} | {at['post'][kind]} | {words} |")
        heading = f"## {number}. {concept['asks']}"
        parts.append("\n\n".join([heading, f"Page: {title(concept['where'])}", "\n".join(rows)]))
    return "\n\n".join(parts) + "\n"


def page(markdown):
    title, *sections = MarkdownIt("commonmark").enable("table").render(markdown).split("<h2>")
    body = title + "".join(f"<section><h2>{section}</section>" for section in sections)
    head = f'<meta charset="utf-8"><title>Decision trees</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def write_forms(folder=ROOT / "build" / "inventory"):
    """Write both forms and the key, and an empty table of answers if none is there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, markdown in {**{form: paper(form) for form in FORMS}, "key": key()}.items():
        (folder / f"{name}.md").write_text(markdown, "utf-8")
        (folder / f"{name}.html").write_text(page(markdown), "utf-8")
    answers = folder / "answers.csv"
    if not answers.exists():  # letters that somebody has typed stay
        answers.write_text(",".join(COLUMNS) + "\n", "utf-8")
    return folder


def read(path):
    """Read a table of answers, or a folder or zip with a table of each student from the page.

    Return letters, "" for none, indexed by form and student; SystemExit says what is wrong, where.
    """
    path = Path(path)
    if not path.is_dir() and path.suffix.lower() != ".zip":
        return read_table(path)
    with TemporaryDirectory() as folder:
        files = [file for _, file in unpacked(path, Path(folder))]
        if None in files:
            raise SystemExit(f"{path} is no zip, or broken: download it again.")
        tables = [read_table(file) for file in files if file.suffix == ".csv"]
    if not tables:
        raise SystemExit(f"{path} has no file .csv: collect there what the students saved.")
    answers = pd.concat(tables)
    for form, student in answers.index[answers.index.duplicated()]:
        raise SystemExit(f"{path}: {student!r} has handed in the form {form} twice. Keep one.")
    return answers


def read_table(path):
    """Read one table of answers."""
    table = spreadsheet(path)[0].rename(columns=str.strip)
    if missing := [name for name in COLUMNS if name not in table]:
        raise SystemExit(
            f"{path}: the columns {', '.join(missing)} are missing from the first row; "
            "`make inventory` writes an empty table."
        )
    table = table[COLUMNS].apply(lambda column: column.str.strip())
    table = table.assign(form=table["form"].str.lower())
    table[QUESTIONS] = table[QUESTIONS].apply(lambda column: column.str.upper())
    if table.empty:
        raise SystemExit(f"{path} has no student: write one row for each student and form.")
    if complaint := next(complaints(table), ""):
        raise SystemExit(f"{path}, {complaint}")
    return table.set_index(["form", "student"])


def complaints(table):
    """Yield what keeps rows from being used; they are counted as in the file."""
    seen = {}
    for line, row in enumerate(table.to_dict("records"), 2):
        form, student = row["form"], row["student"]
        if not student:
            yield f"row {line}: the column student is empty. Give a name or number."
        if form not in FORMS:
            yield f"row {line}, column form: {form!r}. Write pre or post."
        if (first := seen.setdefault((form, student), line)) != line:
            yield (
                f"row {line}: {student!r} has the form {form} in row {first} already. Keep one of "
                "the two rows, or tell two students apart by their names."
            )
        for question in QUESTIONS:
            if row[question] not in ("", *LETTERS):
                said = f"{row[question]!r} is no answer. Write A, B, C or D, or leave it empty."
                yield f"row {line}, column {question}: {said}"


def marks(answers, form):
    letters = pd.Series([right(concept, form) for concept in CONCEPTS], index=QUESTIONS)
    return answers.loc[form].eq(letters).astype(int)


def items(marked):
    """Return the difficulty of each question, the share of right answers, and its discrimination.

    That is the point-biserial correlation with the score on all *other* questions; NaN where either
    does not vary. Ding and Beichner (2009) ask for 0.2 or more, of the whole score.
    """
    others = marked.rsub(marked.sum(axis=1), axis=0)
    varies = marked.columns[(marked.nunique() > 1) & (others.nunique() > 1)]
    table = pd.DataFrame({"difficulty": marked.mean()})
    return table.assign(discrimination=marked[varies].corrwith(others[varies]))


def normalised_gain(pre, post):
    """Return ``(post - pre) / (1 - pre)`` of shares of right answers (Hake 1998, section II).

    That is the share of the possible gain; NaN where pre is 1.
    """
    pre, post = pd.Series(pre, dtype=float), pd.Series(post, dtype=float)
    return ((post - pre) / (1 - pre)).where(pre < 1)


def wrong_most(answers, form):
    """Return the most common wrong answer to each question in words, where there is one."""
    found = {}
    for question, concept in zip(QUESTIONS, CONCEPTS, strict=True):
        given = answers.loc[form, question]
        wrong = given[~given.isin(["", right(concept, form)])]
        if wrong.empty:
            continue
        letter = wrong.mode()[0]
        kind, _ = choices(concept, form)[letter]
        found[question] = f"{letter} ({wrong.eq(letter).sum()}): {concept['misconceptions'][kind]}"
    return pd.Series(found)


def report(answers):
    """Return what a class's answers say, as text."""
    lines, given = [], [form for form in FORMS if form in answers.index.get_level_values("form")]
    for form in given:
        marked = marks(answers, form)
        table = items(marked).assign(wrong=wrong_most(answers, form)).fillna({"wrong": ""})
        lines += [
            f"{form}: {len(marked)} students, {marked.to_numpy().mean():.0%} right",
            "question  difficulty  discrimination  most common wrong answer",
        ]
        for question, row in table.iterrows():
            tells = "none" if pd.isna(row.discrimination) else f"{row.discrimination:.2f}"
            lines.append(f"{question:>8}{row.difficulty:>12.2f}{tells:>16}  {row.wrong}".rstrip())
        lines.append("")
    return "\n".join([*lines, *_gain_lines(answers, given)])


def _gain_lines(answers, given):
    """Say how much of what could be gained was gained, by the students who answered both forms."""
    if len(given) < len(FORMS):
        return [f"No gain: there are answers to the form {given[0]} only."]
    before, after = (marks(answers, form) for form in FORMS)
    both = before.index.intersection(after.index)
    if both.empty:
        return ["No gain: no student answered both forms. Are the names the same in both?"]
    before, after = before.loc[both], after.loc[both]
    (gain,) = normalised_gain([before.to_numpy().mean()], [after.to_numpy().mean()])
    if pd.isna(gain):
        return ["No gain: every answer before the course was right."]
    band = next(word for least, word in HAKE.items() if gain >= least)
    lines = [
        f"Normalised gain (Hake 1998) of the {len(both)} students with both: {gain:.2f}, {band}"
    ]
    for question, part in normalised_gain(before.mean(), after.mean()).items():
        asks = CONCEPTS[int(question) - 1]["asks"]
        said = "none possible" if pd.isna(part) else f"{part:.2f}"
        lines.append(f"{question:>8}{said:>15}  {asks}")
    return lines


def main(arguments):
    """Write the forms, or report on a table of answers."""
    if arguments:
        print(report(read(arguments[0])))
    else:
        print(f"In {write_forms()}: pre and post to print, their key, and answers.csv to fill in.")


if __name__ == "__main__":
    main(sys.argv[1:])
