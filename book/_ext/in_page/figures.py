"""matplotlib's way to the page: `plt.show()` puts the open figures below the cell, as pictures."""

import sys

from in_page import kernel
from matplotlib.backends.backend_svg import FigureCanvas  # noqa: F401, which matplotlib asks for


def show(*_, **__):
    """Show the open figures here, before what the cell prints next."""
    kernel.outputs.extend(kernel.pictures(sys.modules["matplotlib.pyplot"]))
