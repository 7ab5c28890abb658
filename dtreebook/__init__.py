"""Decision trees, faithful and readable: ID3, C4.5 and CART as their authors wrote them."""

__version__ = "0.1.0"
