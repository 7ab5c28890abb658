"""What somebody writes who uses the package: it runs, and its types are complete (`make lint`)."""

import numpy as np
import pandas as pd

from dtreebook import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ForestClassifier,
    ID3Classifier,
    Tree,
    compare,
    plot,
    predict_quantile,
    refit_leaves,
    to_python,
    to_sql,
)
from dtreebook.datasets import load_golf, load_loan
from dtreebook.measures import misclassification
from dtreebook.optimal import optimal_tree
from dtreebook.prune.cost_complexity import prune_at

X, y = load_loan(return_X_y=True)
id3 = ID3Classifier(min_gain=0.1, unseen="none").fit(X, y)
answers: np.ndarray = id3.predict(X)
reasons: list[str] = id3.explain(X[:3])
right: float = id3.score(X, y)
tree: Tree = id3.tree_
assert Tree.from_json(tree.to_json()).depth == tree.depth < tree.n_leaves == id3.get_n_leaves()
rules: pd.DataFrame = id3.rules()

golf, play = load_golf(return_X_y=True)
c45 = C45Classifier(confidence=0.1, cost={"humidity": 2}).fit(golf, play)
found = compare(c45, c45.regrow(golf, play, at="", forbid="outlook"), golf)
assert found.share > 0
assert len(found.moves)
assert "CASE" in to_sql(id3)
assert "def " in to_python(c45)

humidity = golf[["humidity"]]
cart = CARTClassifier(max_depth=2, criterion=misclassification).fit(humidity, play)
assert plot.tree(cart).alt
assert refit_leaves(cart, humidity, play).get_n_leaves() == cart.get_n_leaves()
regressor = CARTRegressor(max_depth=2).fit(humidity, np.arange(14.0))
medians = predict_quantile(regressor, humidity, 0.5, (humidity, np.arange(14.0)))
best = optimal_tree(humidity, play, max_depth=2)
assert best.proved
assert prune_at(tree, 0.1).tree.n_leaves <= tree.n_leaves
forest = ForestClassifier(CARTClassifier(), n_estimators=5).fit(golf, play)
print(right, len(reasons), medians.shape, forest.predict_proba(golf).shape)
