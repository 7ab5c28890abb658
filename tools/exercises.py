"""Write exercises for learning platforms and flash cards: `make exercises`.

The questions of the built pages, and 20 variants of each kind of exercise, as Moodle XML, GIFT,
QTI 2.1 (a content package) and a table that Anki imports. Each wrong choice is a misconception, and
its feedback says which. The exercises are drawn by the engine of the pages, in Chromium.
"""

import sys
import zipfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from xml.etree import ElementTree as Tree

from bs4 import BeautifulSoup
from chromium import launch
from playwright.sync_api import sync_playwright

from dtreebook.pages.script import bundle

ROOT = Path(__file__).resolve().parents[1]
VARIANTS = 20
DRAW = """seeds => Object.keys(engine.KINDS).flatMap(kind => seeds.map(seed => {
  const made = engine.exercise(kind, seed);
  const lines = made.steps.map(step => `${step.says}: ${engine.sumOf(step)}`);
  const tolerance = engine.tolerance(made.answer);
  return { ...made, lines, choices: engine.choicesOf(made), tolerance };
}))"""
QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
CP = "http://www.imsglobal.org/xsd/imscp_v1p1"
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
    def right(self):
        """Return the right choice in HTML."""
        return next(text for text, _, is_right in self.choices if is_right)


def table(given):
    """Return the table of an exercise as HTML."""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in given["head"])
    rows = (
        "".join(f"<td>{escape(str(value).strip())}</td>" for value in row) for row in given["rows"]
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shown(value):
    """Return a value as readers write it, numbers with three digits after the point at most."""
    return escape(value) if isinstance(value, str) else f"{round(value, 3):g}"


def drawn(variants=VARIANTS):
    """Draw the exercises, as many variants of each kind."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        page.evaluate(f"() => {{ window.engine = {bundle('exercise', 'calculation')}; }}")
        exercises = page.evaluate(DRAW, list(range(1, variants + 1)))
        browser.close()
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
            continue  # to read a page takes a while
        soup = BeautifulSoup(text, "html.parser")
        title = soup.h1.get_text().rstrip("#").strip() if soup.h1 else path.stem
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


# --- formats --------------------------------------------------------------------------------------


def add(parent, tag, text="", **attributes):
    """Add an element with a text, and return it."""
    element = Tree.SubElement(parent, tag, attributes)
    element.text = text or None
    return element


def moodle(items):
    """Return the items as Moodle XML."""
    quiz, group = Tree.Element("quiz"), None
    for item in items:
        if item.group != group:
            group = item.group
            category = add(add(quiz, "question", type="category"), "category")
            add(category, "text", f"$course$/Twenty Questions/{group}")
        is_number = item.tolerance is not None
        question = add(quiz, "question", type="numerical" if is_number else "multichoice")
        add(add(question, "name"), "text", item.name)
        add(add(question, "questiontext", format="html"), "text", item.html)
        add(add(question, "generalfeedback", format="html"), "text", item.solution)
        add(question, "defaultgrade", "1")
        if not is_number:
            add(question, "single", "true")
            add(question, "shuffleanswers", "true")
            add(question, "answernumbering", "abc")
        for text, told, is_right in sorted(item.choices, key=lambda choice: not choice[2]):
            answer = add(question, "answer", fraction="100" if is_right else "0")
            answer.set("format", "moodle_auto_format" if is_number else "html")
            add(answer, "text", text)
            add(add(answer, "feedback", format="html"), "text", told)
            if is_number:
                add(answer, "tolerance", f"{item.tolerance:g}")
    Tree.indent(quiz)
    return Tree.tostring(quiz, encoding="unicode", xml_declaration=True)


def gift(items):
    """Return the items as GIFT."""
    lines, group = [], None
    for item in items:
        if item.group != group:
            group = item.group
            lines.append(f"$CATEGORY: $course$/Twenty Questions/{group}\n")
        name, html = item.name.translate(GIFT), item.html.translate(GIFT)
        answers = []
        for text, told, is_right in sorted(item.choices, key=lambda choice: not choice[2]):
            share = "%100%" if is_right else "%0%"
            if item.tolerance is None:
                mark = f"{'=' if is_right else '~'}{text.translate(GIFT)}"
            else:
                mark = f"={share}{text}:{item.tolerance:g}"
            answers.append(f"\t{mark}#{told.translate(GIFT)}")
        is_number = "#" if item.tolerance is not None else ""
        body = "\n".join(answers)
        lines.append(f"::{name}::[html]{html}{{{is_number}\n{body}\n}}\n")
    return "\n".join(lines)


def anki(items):
    """Return the items as a table that Anki imports: front, back, tags."""
    rows = ["#separator:tab", "#html:true", "#tags column:3"]
    for item in items:
        options = (
            ""
            if item.tolerance is not None
            else f"<ul>{''.join(f'<li>{text}</li>' for text, *_ in item.choices)}</ul>"
        )
        told = next(told for _, told, is_right in item.choices if is_right)
        cells = [item.html + options, f"<p><b>{item.right}</b></p><p>{told}</p>{item.solution}"]
        tag = item.group.replace(" ", "_").replace("/", "::")
        rows.append(
            "\t".join([cell.replace("\t", " ").replace("\n", " ") for cell in cells] + [tag])
        )
    return "\n".join(rows) + "\n"


def qti_item(item, name):
    """Return an item as QTI 2.1: choices, and what is said to whoever takes one."""
    top = Tree.Element(
        "assessmentItem",
        {"xmlns": QTI, "identifier": name, "title": item.name}
        | {"adaptive": "false", "timeDependent": "false"},
    )
    declared = {"cardinality": "single", "baseType": "identifier"}
    response = add(top, "responseDeclaration", identifier="RESPONSE", **declared)
    right = next(i for i, (*_, is_right) in enumerate(item.choices) if is_right)
    add(add(response, "correctResponse"), "value", f"C{right}")
    add(top, "outcomeDeclaration", identifier="SCORE", cardinality="single", baseType="float")
    add(top, "outcomeDeclaration", identifier="FEEDBACK", **declared)
    body = add(top, "itemBody")
    body.extend(Tree.fromstring(f"<div>{item.html}</div>"))
    inner = {"responseIdentifier": "RESPONSE", "shuffle": "true", "maxChoices": "1"}
    choice = add(body, "choiceInteraction", **inner)
    for i, (text, *_) in enumerate(item.choices):
        choice.append(Tree.fromstring(f'<simpleChoice identifier="C{i}">{text}</simpleChoice>'))
    process = add(top, "responseProcessing")
    given = add(add(process, "responseCondition"), "responseIf")
    match = add(given, "match")
    add(match, "variable", identifier="RESPONSE")
    add(match, "correct", identifier="RESPONSE")
    value = add(given, "setOutcomeValue", identifier="SCORE")
    add(value, "baseValue", "1", baseType="float")
    add(add(process, "setOutcomeValue", identifier="FEEDBACK"), "variable", identifier="RESPONSE")
    for i, (_, told, _) in enumerate(item.choices):
        about = {"outcomeIdentifier": "FEEDBACK", "identifier": f"C{i}", "showHide": "show"}
        feedback = add(top, "modalFeedback", **about)
        feedback.append(Tree.fromstring(f"<p>{told}</p>"))
    return Tree.tostring(top, encoding="unicode", xml_declaration=True)


def write_qti(items, path):
    """Write the items as a content package of QTI 2.1."""
    manifest = Tree.Element("manifest", {"xmlns": CP, "identifier": "twenty-questions"})
    metadata = add(manifest, "metadata")
    add(metadata, "schema", "QTIv2.1 Package")
    add(metadata, "schemaversion", "1.0.0")
    add(manifest, "organizations")
    resources = add(manifest, "resources")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for i, item in enumerate(items):
            name = f"item{i:04d}"
            package.writestr(f"{name}.xml", qti_item(item, name))
            about = {"identifier": name, "type": "imsqti_item_xmlv2p1", "href": f"{name}.xml"}
            add(add(resources, "resource", **about), "file", href=f"{name}.xml")
        package.writestr("imsmanifest.xml", Tree.tostring(manifest, encoding="unicode"))


def write(folder, items):
    """Write the items in every format."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, form in {"moodle.xml": moodle, "gift.txt": gift, "anki.txt": anki}.items():
        (folder / name).write_text(form(items), "utf-8")
    write_qti(items, folder / "qti.zip")


if __name__ == "__main__":
    site, there = map(Path, sys.argv[1:])
    all_items = [*asked(site), *drawn()]
    write(there, all_items)
    print(f"{len(all_items)} questions, as Moodle XML, GIFT, QTI 2.1 and for Anki: {there}")
