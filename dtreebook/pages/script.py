"""The engine of the pages: plain JavaScript that grows and prunes trees in the reader's browser.

Its files in the folder ``engine`` are ES modules, one idea each. A page that was opened from a file
may load no modules, so they are put together as one classic script in one scope; a module with a
name that is taken becomes a function that gives what it exports. Nothing stays behind in the page.
"""

import re
from collections import Counter
from functools import cache, partial
from importlib.resources import files
from string import ascii_letters

# What computes, and touches no page.
ENGINE = ("measures", "tree", "takeaway", "grow", "branches", "multiway", "cart", "prune")

FOLDER = files("dtreebook").joinpath("pages", "engine")
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)

# What a module declares: one name in a declaration.
TOP = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)

# A function or a constant at the top, to the line that begins the next.
ONE = re.compile(
    r"^(?:export )?(?:(?:async )?function\*?|const) (\w+)\b(?:.*\n)(?:[ })\]].*\n|\n)*",
    re.MULTILINE,
)

# Words that may be names of what is declared: not those of properties, or in the middle of a class.
USED = re.compile(r"(?<![^.]\.)(?<!\w-)\b\w+")

# The name of a function that is called or declared.
CALLED = re.compile(r"""(?:(?<=\.\.\.)|(?<![\w.$'"#-]))\w+(?=\()|(?<=let )\w+(?==)""")

# Types, and lines that are comments.
NOTES = re.compile(r"/\*\*(?:.|\n)*?\*/\s?|^ *//.*\n", re.MULTILINE)

# Spaces around these mean nothing, and neither does the end of a line after or before some, with
# the comma or semicolon of a last one.
SPACED = re.compile(r" ?([{}()\[\];,:?=<>&|*%!]) ?")
TEXT = re.compile(r'("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)')
# Neither do those around a sum, if no sign follows.
SIGNED = re.compile(r" ([+-]) (?![+-])")
OPEN = re.compile(r"[,;]?\n(?=[})\]])|(?<=[{(\[,;}=>?:&|])\n|\n(?=[.?:&|])")


def modules(*names: str) -> dict[str, str]:
    """Return modules and all that they import, each after those, as text by name.

    Examples
    --------
    >>> list(modules("takeaway"))
    ['measures', 'tree', 'takeaway']
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
    # By the length of their chain of imports: what is alike is near, and packed better.
    chain: dict[str, int] = {}
    for name, text in done.items():
        chain[name] = 1 + max((chain[other] for _, other in IMPORT.findall(text)), default=0)
    return {name: done[name] for name in sorted(done, key=lambda name: chain[name])}


def bundle(*names: str) -> str:
    """Return modules, and all that they import, as one expression whose value is what they export.

    What none of them uses is left out.

    Examples
    --------
    >>> "function entropy(counts){" in bundle("measures")
    True
    >>> "gainRatio" in bundle("chance")  # it needs entropy alone
    False
    """
    parts: list[str] = []
    taken: set[str] = set()
    apart: set[str] = set()  # modules that are functions, as a name of theirs is taken
    given: list[str] = []
    whole = {name: NOTES.sub("", text) for name, text in modules(*names).items()}
    for name, text in _used(whole, names).items():
        own, exported = set(TOP.findall(text)), EXPORT.findall(text)
        outside = [(what, of) for what, of in IMPORT.findall(text) if of in apart]
        code = _code(text)
        if own & taken or outside:
            brought = "".join(f"const {{{what}}}=of_{of};" for what, of in outside)
            code = (
                f"const of_{name}=(()=>{{{brought}\n{code}\nreturn{{{','.join(exported)}}};}})();"
            )
            apart.add(name)
        else:
            taken |= own
        if name in names:
            given += [f"...of_{name}"] if name in apart else exported
        parts.append(code)
    parts.append(f"return{{{','.join(given)}}};")
    code_of = _brief("".join(parts), {one for text in whole.values() for one in TOP.findall(text)})
    return f"((page)=>{{{code_of}}})(document)"


def _brief(code, names):
    """Return a script with short names for what it only declares and calls, not for words."""
    all_words, called = Counter(re.findall(r"[\w$]+", code)), Counter(CALLED.findall(code))
    said = set(re.findall(r"[\w$]+", " ".join(TEXT.findall(code))))
    brief = (f"${a}{b}" for a in ("", *ascii_letters) for b in ascii_letters)
    known = {
        name: next(brief)
        for name in sorted(names)
        if (name != name.lower() or name not in said)
        and all_words[name] == called[name]
        and not re.search(rf"[{{,]{name}\([^()]*\){{", code)  # a method
    }
    return re.sub(r"[\w$]+", lambda word: known.get(word[0], word[0]), code)


def _used(texts, names):
    """Return modules without what nothing of them uses; what those of some names export is used."""
    words = {name: _words(text) for name, text in texts.items()}
    asked = {
        what
        for name, text in texts.items()
        for imported, _ in IMPORT.findall(text)
        for what in re.findall(r"\w+", imported)
        if words[name][what] > 1
    }

    def kept(name, one):
        return one[0] if one[1] in asked or words[name][one[1]] > 1 else ""

    left = {
        name: text if name in names else ONE.sub(partial(kept, name), text)
        for name, text in texts.items()
    }
    return texts if left == texts else _used(left, names)


@cache
def _words(text):
    return Counter(USED.findall(text))


def _code(text):
    """Return a module as a part of a script, without comments and needless spaces."""
    text = EXPORT.sub("", IMPORT.sub("", text))
    lines = (re.sub(r"(^|\s+)// .*$", "", line).strip() for line in text.splitlines())
    return OPEN.sub("", "\n".join(_close(line) for line in lines if line))


def _close(line):
    """Return a line without needless spaces; texts stay as they are, and what may be a pattern."""
    line = re.sub("^const ", "let ", line)  # shorter, and as good to a browser
    pieces = TEXT.split(line)  # every second one is a text
    code = "".join(pieces[::2]).replace(" / ", "")
    is_cut = any(text.count("{") != text.count("}") for text in pieces[1::2])  # one in another
    if is_cut or set(code) & set("'`/"):
        return line
    return "".join(
        piece if place % 2 else SIGNED.sub(r"\1", SPACED.sub(r"\1", piece))
        for place, piece in enumerate(pieces)
    )
