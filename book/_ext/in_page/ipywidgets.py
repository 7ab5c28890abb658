"""What a cell with a slider does in the page: it runs once, at the place where the slider begins.

Python in the page has no widgets; JupyterLab and Binder have, and show the slider.
"""


def interact(**places):
    """Return a decorator that calls the function, as ipywidgets' own does at first."""

    def run(function):
        function()
        return function

    return run
