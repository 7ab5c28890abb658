"""Modules of the engine as one classic script, for a page opened from a file may load no modules.

Each module becomes a function of its own that gives what it exports, so that names never meet.
"""

import re
from importlib.resources import files

from dtreebook.pages.script import ENGINE, script

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
# What is not written as modules yet shares one scope.
SHARED = (*ENGINE, "draw", "reach")


def bundle(entry: str) -> str:
    """Return a module, and all that it imports, as one script that runs it.

    Examples
    --------
    >>> "function exercise(kind, seed)" in bundle("exercise")
    True
    """
    folder = files("dtreebook").joinpath("pages", "engine")
    done: dict[str, str] = {}

    def add(name):
        if name in done:
            return
        text = folder.joinpath(f"{name}.js").read_text("utf-8")
        for _, module in IMPORT.findall(text):
            add(module)
        done[name] = text

    add(entry)
    shared: set[str] = set()
    for text in done.values():
        for names, module in IMPORT.findall(text):
            if module in SHARED:
                shared.update(name.strip() for name in names.split(",") if name.strip())
    given = ",".join(sorted(shared))
    whole = f"const page=document;\n{script(*SHARED)}\nreturn{{{given}}};"
    parts = [f"const shared=(()=>{{{whole}}})();"]
    for name, text in done.items():
        if name in SHARED:
            continue
        body = IMPORT.sub(
            lambda found: (
                f"const {{{found[1]}}}={'shared' if found[2] in SHARED else f'of_{found[2]}'};\n"
            ),
            text,
        )
        exported = ",".join(EXPORT.findall(text))
        body = EXPORT.sub("", body)
        lines = (re.sub(r"(^|\s+)// .*$", "", line).strip() for line in body.splitlines())
        code = "\n".join(line for line in lines if line)
        parts.append(f"const of_{name}=(()=>{{\n{code}\nreturn{{{exported}}};\n}})();")
    return "(()=>{" + "\n".join(parts) + f"\nreturn of_{entry};}})()"
