"""The engine of the pages: plain JavaScript that grows and prunes trees in the reader's browser.

Its files in the folder ``engine`` are ES modules, one idea each. A page that was opened from a file
may load no modules, so they are put together as one classic script: each becomes a function that
gives what it exports, so that names never meet and nothing is left behind in the page.
"""

import re
from importlib.resources import files

# What computes, and touches no page.
ENGINE = ("measures", "tree", "takeaway", "grow", "multiway", "cart", "prune")

FOLDER = files("dtreebook").joinpath("pages", "engine")
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)

# Spaces around these mean nothing, and neither does the end of a line after or before some.
SPACED = re.compile(r" ?([{}()\[\];,:?=<>&|*%!]) ?")
TEXT = re.compile(r'("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)')
OPEN = re.compile(r"(?<=[{(\[,;}])\n|\n(?=[})\]])")


def modules(*names: str) -> dict[str, str]:
    """Return modules and all that they import, each after those, as text by name.

    Raises
    ------
    ValueError
        Modules import each other in a circle.

    Examples
    --------
    >>> list(modules("takeaway"))
    ['measures', 'grow', 'tree', 'takeaway']
    """
    done: dict[str, str] = {}

    def add(name, above):
        if name in above:
            raise ValueError(f"Modules import each other in a circle: {', '.join(above)}.")
        if name in done:
            return
        text = FOLDER.joinpath(f"{name}.js").read_text("utf-8")
        for _, other in IMPORT.findall(text):
            add(other, (*above, name))
        done[name] = text

    for name in names:
        add(name, ())
    return done


def bundle(*names: str, page: str = "document") -> str:
    """Return modules, and all that they import, as one expression whose value is what they export.

    Parameters
    ----------
    names : of files, without their suffix.
    page : in JavaScript, where explorables look for their places.

    Examples
    --------
    >>> "function entropy(counts){" in bundle("measures")
    True
    """
    bodies = {name: _body(text) for name, text in modules(*names).items()}
    parts = (f"const of_{name}=(()=>{{\n{body}}})();" for name, body in bodies.items())
    given = ",".join(f"...of_{name}" for name in names)
    return "((page)=>{" + "\n".join(parts) + f"\nreturn{{{given}}};}})({page})"


def _body(text):
    """Return a module as the body of a function, without comments and needless spaces."""
    exported = ",".join(EXPORT.findall(text))
    text = EXPORT.sub("", IMPORT.sub(r"const {\1}=of_\2;\n", text))
    lines = (re.sub(r"(^|\s+)// .*$", "", line).strip() for line in text.splitlines())
    code = OPEN.sub("", "\n".join(_close(line) for line in lines if line))
    return f"{code}\nreturn{{{exported}}};"


def _close(line):
    """Return a line without needless spaces; texts stay as they are, and what may be a pattern."""
    pieces = TEXT.split(line)  # every second one is a text
    code = "".join(pieces[::2]).replace(" / ", "")
    is_cut = any(text.count("{") != text.count("}") for text in pieces[1::2])  # one in another
    if is_cut or set(code) & set("'`/"):
        return line
    return "".join(
        piece if place % 2 else SPACED.sub(r"\1", piece) for place, piece in enumerate(pieces)
    )
