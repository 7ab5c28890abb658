"""Decision trees, faithful and readable: ID3, C4.5 and CART as their authors wrote them."""

from dtreebook.c45 import C45Classifier
from dtreebook.cart import CARTClassifier, CARTRegressor
from dtreebook.data.c45_format import read_c45
from dtreebook.id3 import ID3Classifier

__all__ = ["C45Classifier", "CARTClassifier", "CARTRegressor", "ID3Classifier", "read_c45"]
__version__ = "0.1.0"
