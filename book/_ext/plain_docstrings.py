"""Show docstrings in the reference of the package as they stand: `help` shows the same text.

They are plain text with lists of the house's own style, and not reStructuredText. So nothing in a
docstring can break the book.
"""

import re


def as_they_stand(app, what, name, obj, options, lines):
    """Make the first line a paragraph and the rest a block of plain text."""
    if not lines:
        return
    first, *rest = lines
    words = re.sub(r"`+([^`]+)`+", r"\0\1\0", first)  # code of either markup
    words = re.sub(r"([\\*|_])", r"\\\1", words)
    words = re.sub("\0(.*?)\0", lambda code: f"``{code[1]}``".replace("\\", ""), words)
    lines[:] = [words, ""]
    if any(rest):
        lines += [".. code-block:: text", "", *(f"   {line}" for line in rest), ""]


def not_ours(app, what, name, obj, skip, options):
    """Leave out what scikit-learn and named tuples add by themselves."""
    made = type(obj).__name__ == "_tuplegetter" or re.fullmatch(r"set_\w+_request", name)
    return True if made else None


def setup(app):
    """Give autodoc the two hooks."""
    app.connect("autodoc-process-docstring", as_they_stand)
    app.connect("autodoc-skip-member", not_ours)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
