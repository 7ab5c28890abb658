"""What a test at a node is, which branch a value takes, and how a branch is worded."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Multiway:
    """Send every level of a nominal attribute down a branch of its own.

    Attributes
    ----------
    attribute : the position of the attribute among the attributes of the tree.

    References
    ----------
    Quinlan (1986), section 4.

    Examples
    --------
    >>> from dtreebook.data import Attribute
    >>> Multiway(0).words(Attribute("house", "nominal", ("no", "yes")))
    ('house = no', 'house = yes')
    """

    attribute: int

    def branches(self, attribute):
        """Return how many branches there are: one for every level of the `Attribute`."""
        return len(attribute.levels)

    def words(self, attribute):
        """Return each branch in words, given the `Attribute` that is tested."""
        return tuple(f"{attribute.name} = {level}" for level in attribute.levels)
