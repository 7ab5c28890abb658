"""Let {eval}`expression` show its stored value, so that building the book runs no code.

tools/notebooks.py stores the value of every expression in the metadata of the Markdown cell it
stands in (`user_expressions`, where jupyterlab-myst keeps them too). MyST-NB asks its notebook
client for the value; the client that executes nothing has no answer, and this extension gives it
one. An expression that was never stored, that failed, or that has two values in one page is a
warning of the build, and `make book` turns warnings into errors.
"""

from copy import deepcopy

from myst_nb.core.execute.base import NotebookClientBase


def stored_value(client, expression):
    """Return the stored value of an expression as a list of one output."""
    results = [
        entry["result"]
        for cell in client.notebook.cells
        for entry in cell.metadata.get("user_expressions", ())
        if entry["expression"] == expression
    ]
    if not results:
        raise LookupError(f"{expression!r} has no stored value; run `make notebooks`")
    if any(result != results[0] for result in results):
        raise LookupError(f"{expression!r} has different values in this page; rename a variable")
    kind = "error" if results[0]["status"] == "error" else "display_data"
    # A copy: MyST-NB notes in it how it has shown the value.
    return [{"output_type": kind, **deepcopy(results[0])}]


def setup(app):
    """Give the answer to MyST-NB's client for notebooks that are not executed."""
    NotebookClientBase.eval_variable = stored_value
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
