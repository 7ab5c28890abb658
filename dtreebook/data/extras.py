"""What is not installed by default: an error that says which line brings it."""

from importlib import import_module


def needs(module: str, extra: str, what: str) -> None:
    """Raise an ImportError that says what to install if a module is missing.

    Examples
    --------
    >>> needs("no_such_module", "plot", "a picture")
    Traceback (most recent call last):
    ImportError: a picture needs no_such_module: pip install 'dtreebook[plot]', which brings it
    """
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{what} needs {module}: pip install 'dtreebook[{extra}]', which brings it"
        ) from error
