"""The engine of the pages: plain JavaScript that grows and prunes trees in the reader's browser.

Its files in the folder ``engine`` are ES modules, one idea each. A page that was opened from a file
may load no modules, so they are put together as one classic script, in which each is a function
that gives what it exports. Nothing stays behind in the page.
"""

import re
from functools import cache
from importlib.resources import files

# What computes, and touches no page.
ENGINE = ("measures", "tree", "takeaway", "grow", "branches", "multiway", "cart", "prune")

FOLDER = files("dtreebook").joinpath("pages", "engine")
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)

# Types, lines that are comments, and indents.
NOTES = re.compile(r"/\*\*(?:.|\n)*?\*/\s?|^ *//.*\n|^ +", re.MULTILINE)


@cache
def modules(*names: str) -> dict[str, str]:
    """Return modules and all that they import, each after those, as text by name.

    Examples
    --------
    >>> list(modules("takeaway"))
    ['measures', 'tree', 'takeaway']
    """
    found: dict[str, str] = {}
    for name in names:
        text = FOLDER.joinpath(f"{name}.js").read_text("utf-8")
        found |= modules(*(other for _, other in IMPORT.findall(text))) | {name: text}
    return found


def bundle(*names: str) -> str:
    """Return modules, and all that they import, as one expression whose value is what they export.

    Examples
    --------
    >>> "function entropy(counts) {" in bundle("measures")
    True
    """
    parts = []
    for name, text in modules(*names).items():
        code = EXPORT.sub("", IMPORT.sub(r"const \1 = of_\2;", NOTES.sub("", text)))
        given = ", ".join(EXPORT.findall(text))
        parts.append(f"const of_{name} = (() => {{\n{code}return {{ {given} }};\n}})();\n")
    given = ", ".join(f"...of_{name}" for name in names)
    return f"(() => {{\n{''.join(parts)}return {{ {given} }};\n}})()"
