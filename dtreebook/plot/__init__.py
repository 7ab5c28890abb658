"""Pictures of trees, counts, curves and information, each with a text that says what is seen.

Every function returns a `dtreebook.plot.sheet.Picture`: an SVG for the page. What cannot be drawn
raises a ValueError that says why.
"""

from dtreebook.data.words import needs

needs("matplotlib", "plot", "a picture")

from dtreebook.plot.cases import cut, partition, staircase
from dtreebook.plot.charts import (
    class_counts,
    curves,
    decision,
    information_diagram,
    pruning_errors,
    scores,
    surprises,
)
from dtreebook.plot.trees import compared, icicle, tree

__all__ = [
    "class_counts",
    "compared",
    "curves",
    "cut",
    "decision",
    "icicle",
    "information_diagram",
    "partition",
    "pruning_errors",
    "scores",
    "staircase",
    "surprises",
    "tree",
]
