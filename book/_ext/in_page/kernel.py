"""Run cells in the reader's browser: what a notebook's kernel does, in a few lines.

`run(source)` returns the outputs of a cell as JSON, in the form that notebooks store them.
"""

import ast
import builtins
import contextlib
import io
import json
import os
import pprint
import sys
import traceback

names = {"__name__": "__main__"}
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
    if hasattr(value, "_repr_mimebundle_") and (data := value._repr_mimebundle_()):
        return data
    nested = isinstance(value, (tuple, list, dict))
    data = {"text/plain": pprint.pformat(value, sort_dicts=False) if nested else repr(value)}
    for method, kind in FORMS.items():
        if not isinstance(value, type) and (form := getattr(value, method, None)):
            shown = form()
            if shown is not None:
                data[kind] = shown
    return data


def display(*values):
    """Show values before the cell ends, as IPython's function of this name."""
    for value in values:
        outputs.append({"output_type": "display_data", "data": bundle(value)})


class Shell:
    """What pandas asks for, to print tables as wide as a notebook's."""

    kernel = True


builtins.display, builtins.get_ipython = display, Shell
# The only user may do anything here; matplotlib would warn of folders it may not write to.
os.access = lambda *_, **__: True


def run(source):
    """Run a cell; return its outputs."""
    outputs.clear()
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
    try:
        code = ast.parse(source, "<cell>")
        last = code.body.pop() if code.body and isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, "<cell>", "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None and not source.rstrip().endswith(";"):
                outputs.append({"output_type": "execute_result", "data": bundle(value)})
    except BaseException as error:
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename != "<cell>":
            trace = trace.tb_next
        told = "".join(traceback.format_exception(type(error), error, trace))
        found = {"ename": type(error).__name__, "evalue": str(error), "traceback": [told]}
        outputs.append({"output_type": "error"} | found)
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    with contextlib.suppress(KeyError):
        outputs.extend(pictures(sys.modules["matplotlib.pyplot"]))
    return json.dumps(outputs)


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
