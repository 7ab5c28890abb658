"""What C4.5 says of one case agrees with what it predicts."""

import numpy as np

from dtreebook import C45Classifier
from dtreebook.datasets import load_golf


def test_the_line_of_a_case_with_unknown_values_ends_with_its_predicted_class():
    X, y = load_golf(return_X_y=True)
    model = C45Classifier().fit(X, y)
    unknown = X.head(3).copy()
    unknown.loc[0, "outlook"] = None
    unknown.loc[1, "humidity"] = np.nan
    assert model.explain(unknown) == [
        "outlook unknown: Play (64.3% over all branches)",
        "outlook = sunny, humidity unknown: Don't Play (60.0% over all branches)",
        "outlook = overcast: Play (4 of 4 cases)",
    ]
    assert model.predict(unknown).tolist() == ["Play", "Don't Play", "Play"]


def test_no_line_names_another_class_than_predict():
    X, y = load_golf(return_X_y=True)
    model = C45Classifier().fit(X, y)
    random = np.random.default_rng(0)
    holes = X.sample(200, replace=True, random_state=0).reset_index(drop=True)
    for name in X:
        holes.loc[random.random(200) < 0.3, name] = np.nan
    for line, label in zip(model.explain(holes), model.predict(holes), strict=True):
        assert line.split(": ")[-1].startswith(f"{label} (")
