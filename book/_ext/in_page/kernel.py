"""Run cells in the reader's browser: what a notebook's kernel does, in a few lines.

`answer(source, number)` prints, as JSON after a mark, the outputs of a cell in the form that
notebooks store them, and the digest of what the page shows of them.
"""

import ast
import builtins
import contextlib
import io
import json
import linecache
import os
import sys
import traceback

import pretty  # IPython's, as the outputs are stored in its words
from in_page.shows import shows

MARK = "\u001e"
names = vars(sys.modules["__main__"])
outputs = []  # those of the cell that runs
FORMS = {
    "_repr_html_": "text/html",
    "_repr_svg_": "image/svg+xml",
    "_repr_markdown_": "text/markdown",
}


class Stream(io.TextIOBase):
    """Gather what is printed, in its order with what is displayed."""

    def __init__(self, name):
        self.name = name

    def writable(self):
        return True

    def write(self, text):
        last = outputs[-1] if outputs else {}
        if last.get("name") == self.name:
            last["text"] += text
        elif text:
            outputs.append({"output_type": "stream", "name": self.name, "text": text})
        return len(text)


def bundle(value):
    """Return the forms in which a value shows itself: {MIME type: text}."""
    data = {"text/plain": pretty.pretty(value)}
    for method, kind in FORMS.items():
        if not isinstance(value, type) and (form := getattr(value, method, None)):
            shown = form()
            if shown is not None:
                data[kind] = shown
    if not isinstance(value, type) and hasattr(value, "_repr_mimebundle_"):
        found = value._repr_mimebundle_() or {}
        data |= found[0] if isinstance(found, tuple) else found
    return data


def display(*values):
    """Show values before the cell ends, as IPython's function of this name."""
    for value in values:
        outputs.append({"output_type": "display_data", "data": bundle(value)})


class Shell:
    """What pandas asks for, to print tables as wide as a notebook's."""

    kernel = True


def no_keyboard(*_):
    """Say that nobody can be asked; Python would say that a file has ended."""
    raise RuntimeError("input() cannot ask here: write the answer into the code instead")


builtins.display, builtins.get_ipython, builtins.input = display, Shell, no_keyboard
# The only user may do anything here; matplotlib would warn of folders it may not write to.
os.access = lambda *_, **__: True
os.chdir("/tmp")  # the one folder for files


def answer(source, number):
    """Run a cell and print what it gave, past all that it may have done to `print`."""
    run(source, f"<cell {number}>")
    said = json.dumps({"outputs": outputs, "shows": shows(outputs)})
    sys.__stdout__.write(MARK + said)
    sys.__stdout__.flush()


def run(source, place):
    """Run a cell; its outputs are there afterwards."""
    outputs.clear()
    # So that tracebacks and inspect find its lines.
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
    try:
        code = ast.parse(source, place)
        last = code.body.pop() if code.body and isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, place, "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
            if value is not None and not source.rstrip().endswith(";"):
                outputs.append({"output_type": "execute_result", "data": bundle(value)})
    except BaseException as error:
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename != place:
            trace = trace.tb_next
        told = "".join(traceback.format_exception(type(error), error, trace))
        found = {"ename": type(error).__name__, "evalue": str(error), "traceback": [told]}
        outputs.append({"output_type": "error"} | found)
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    with contextlib.suppress(KeyError):
        outputs.extend(pictures(sys.modules["matplotlib.pyplot"]))


def pictures(pyplot):
    """Return the open figures as pictures, and close them."""
    made = []
    for number in pyplot.get_fignums():
        file = io.StringIO()
        pyplot.figure(number).savefig(file, format="svg")
        data = {"image/svg+xml": file.getvalue()}
        made.append({"output_type": "display_data", "data": data})
    pyplot.close("all")
    return made
