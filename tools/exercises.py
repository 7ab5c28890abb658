"""Write exercises for learning platforms and flash cards: `make exercises`.

The questions of the built pages, and 20 variants of each kind of exercise, as Moodle XML, GIFT,
QTI 2.1 and QTI 1.2 (content packages) and a table that Anki imports. Each wrong choice is a
misconception, and its feedback says which. QTI 1.2 is for Canvas, whose New Quizzes take no other:
there each page, and each kind of exercise, is a quiz, and a number is chosen among those of slips.
The exercises are drawn by the engine of the pages, in Chromium.
"""

import re
import sys
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from bs4 import BeautifulSoup, SoupStrainer
from jinja2 import Environment, FileSystemLoader

from tools import chromium
from tools.archives import zipped
from twentyquestions.live import bundle

ROOT = Path(__file__).resolve().parents[1]
VARIANTS = 20
DRAW = """seeds => Object.keys(engine.KINDS).flatMap(kind => seeds.map(seed => {
  const made = engine.exercise(kind, seed);
  const lines = made.steps.map(step => `${step.says}: ${engine.sumOf(step)}`);
  const tolerance = engine.tolerance(made.answer);
  return { ...made, lines, choices: engine.choicesOf(made), tolerance };
}))"""
GIFT = str.maketrans({sign: f"\\{sign}" for sign in "~=#{}:\\"} | {"\n": " "})


@dataclass(frozen=True)
class Item:
    """One question: its choices as (HTML, feedback, is it right), or a number within a tolerance.

    Choices of a number are numbers in HTML, and the wrong ones those of misconceptions.
    """

    name: str
    group: str
    html: str
    choices: tuple
    tolerance: float | None = None
    solution: str = ""

    @property
    def is_number(self):
        return self.tolerance is not None

    @property
    def right_first(self):
        return sorted(self.choices, key=lambda choice: not choice[2])


def table(given):
    """Return the table of an exercise as HTML."""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in given["head"])
    rows = (
        "".join(f"<td>{escape(str(value).strip())}</td>" for value in row) for row in given["rows"]
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shown(value):
    return escape(value) if isinstance(value, str) else f"{round(value, 3):g}"


def drawn(browser, variants=VARIANTS):
    """Draw the exercises in a browser, as many variants of each kind."""
    page = browser.new_page()
    page.evaluate(f"() => {{ window.engine = {bundle('exercise', 'calculation')}; }}")
    exercises = page.evaluate(DRAW, list(range(1, variants + 1)))
    page.close()
    for made in exercises:
        lines = "".join(f"<li>{escape(line)}</li>" for line in made["lines"])
        right = f"Right: {shown(made['answer'])}."
        yield Item(
            name=f"{made['title']} {made['seed']}",
            group=f"Exercises/{made['title']}",
            html=f"<p>{escape(made['question'])}</p>{table(made['table'])}",
            choices=tuple(
                (
                    shown(choice["value"]),
                    f"{choice['slip']['name'].capitalize()}. {choice['slip']['why']}"
                    if choice["slip"]
                    else right,
                    not choice["slip"],
                )
                for choice in made["choices"]
            ),
            tolerance=None if isinstance(made["answer"], str) else made["tolerance"],
            solution=f"<ol>{lines}</ol>",
        )


def asked(site):
    """Read the questions with choices from the built pages."""
    for path in sorted(site.glob("*.html")):
        if "dtb-quiz" not in (text := path.read_text("utf-8")):
            continue
        found = re.search(r"<h1.*?</h1>", text, re.DOTALL)
        heading = BeautifulSoup(found[0], "html.parser").get_text() if found else path.stem
        title = heading.rstrip("#").strip()
        # All of a page would take four times as long to read.
        quizzes = SoupStrainer(class_=re.compile("dtb-quiz"))
        soup = BeautifulSoup(text, "html.parser", parse_only=quizzes)
        for number, question in enumerate(
            soup.select(".dtb-quiz:not(.dtb-questionnaire) fieldset.dtb-question"), 1
        ):
            choices = []
            for choice in question.select("details.dtb-choice:not(.dtb-answer)"):
                verdict = choice.p.strong.extract().get_text()
                told = choice.p.decode_contents().strip()
                choices.append((choice.summary.decode_contents(), told, verdict == "Right."))
            if choices:
                text = question.legend.decode_contents().partition(". ")[2]
                name, group = f"{title} {number}", f"Questions/{title}"
                yield Item(name, group, f"<p>{text}</p>", tuple(choices))


def template(name):
    """Return a template of a format; in XML all text is escaped."""
    folder = FileSystemLoader(ROOT / "tools" / "templates" / "exercises")
    writer = Environment(loader=folder, trim_blocks=True, autoescape=name.endswith(".xml"))
    writer.filters |= {
        "gift": lambda text: text.translate(GIFT),
        "line": lambda text: " ".join(text.splitlines()).replace("\t", " "),
    }
    return writer.get_template(name)


def write(folder, items):
    """Write the items in every format; QTI as content packages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in "moodle.xml", "gift.txt", "anki.txt":
        (folder / name).write_text(template(name).render(items=items), "utf-8")
    names, qti = [f"item{i:04d}" for i in range(len(items))], template("qti.xml")
    files = {f"{n}.xml": qti.render(item=i, name=n) for n, i in zip(names, items, strict=True)}
    files["imsmanifest.xml"] = template("imsmanifest.xml").render(names=names)
    zipped(folder / "qti.zip", files)
    quizzes = [list(some) for _, some in groupby(items, lambda item: item.group)]
    names, qti = [f"quiz{i:02d}" for i in range(len(quizzes))], template("qti12.xml")
    files = {
        f"{name}/{name}.xml": qti.render(
            items=quiz, name=name, title=quiz[0].group.partition("/")[2]
        )
        for name, quiz in zip(names, quizzes, strict=True)
    }
    files["imsmanifest.xml"] = template("imsmanifest12.xml").render(names=names)
    zipped(folder / "qti-1.2-canvas.zip", files)


if __name__ == "__main__":
    chromium.require()
    site, there = map(Path, sys.argv[1:])
    with chromium.opened() as browser:
        all_items = [*asked(site), *drawn(browser)]
    write(there, all_items)
    print(
        f"{len(all_items)} questions, as Moodle XML, GIFT, QTI 2.1, QTI 1.2 and for Anki: {there}"
    )
