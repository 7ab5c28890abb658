"""ID3 from scratch: the tests, with data for the self-check."""

from checks import Assignment, Wrong, between, expect, expect_same, one_of, same, seed

assignment = Assignment("id3")

WALK = [
    {"rain": "no", "dog": "yes"},
    {"rain": "no", "dog": "no"},
    {"rain": "yes", "dog": "yes"},
    {"rain": "yes", "dog": "no"},
    {"rain": "no", "dog": "no"},
]
WALKED = ["walk", "home", "home", "home", "home"]
XOR = [{"a": a, "b": b} for a in "01" for b in "01"]
XORED = ["no", "yes", "yes", "no"]
TREE = {
    "attribute": "rain",
    "majority": "home",
    "branches": {
        "no": {
            "attribute": "dog",
            "majority": "walk",
            "branches": {"yes": "walk", "no": "home"},
        },
        "yes": "home",
    },
}

# --- majority ------------------------------------------------------------------------------------

majority = assignment.function("majority")


@majority.test("is the most common class", 2, [(["yes", "no", "yes"], "yes")])
def _(f, classes, most_common):
    expect_same(f(classes), most_common, f.shown, "another class is more frequent.")


@majority.test("is the first in the alphabet of equals", 2, [(["b", "a", "b", "a"], "a")])
def _(f, classes, first):
    text = "two classes are equally frequent: take the one that comes first in the alphabet."
    expect_same(f(classes), first, f.shown, text)


majority.keeps_its_input(1, [(["b", "a", "b"],)])

# --- divide --------------------------------------------------------------------------------------

divide = assignment.function("divide")


@divide.test(
    "puts every case under its value",
    2,
    [
        (
            WALK[:3],
            WALKED[:3],
            "rain",
            {"no": (WALK[:2], WALKED[:2]), "yes": (WALK[2:3], WALKED[2:3])},
        )
    ],
)
def _(f, rows, classes, attribute, parts):
    found = f(rows, classes, attribute)
    if isinstance(found, dict) and found.keys() != parts.keys():
        raise Wrong("give one key for each value among these rows, and no other.")
    text = "under each value, give the rows and the classes of its cases, in their old order."
    expect_same(found, parts, f.shown, text)


@divide.test("loses no case and invents none", 1, [(WALK, WALKED, "dog")])
def _(f, rows, classes, attribute):
    parts = f(rows, classes, attribute).values()
    if sorted(label for part in parts for label in part[1]) != sorted(classes):
        raise Wrong("the parts together must have the classes of all cases, each once.")
    if sum(len(part[0]) for part in parts) != len(rows):
        raise Wrong("the parts together must have as many rows as came in.")


divide.keeps_its_input(1, [(WALK, WALKED, "rain")])

# --- gain ----------------------------------------------------------------------------------------

gain = assignment.function("gain")


@gain.test(
    "is the information gain in bits", 3, [(WALK, WALKED, "dog", 0.3219280949, 0.7219280949)]
)
def _(f, rows, classes, attribute, right, before):
    hints = [
        (before - right, "this is the entropy that is left; the gain is what is gone."),
        (-right, "the sign is the wrong way round: before minus after."),
    ]
    expect(f(rows, classes, attribute), right, f.shown, hints)


@gain.test("weighs each value by its cases", 1, [(WALK, WALKED, "rain")])
def _(f, rows, classes, attribute):
    once = f(rows, classes, attribute)
    thrice = f(rows * 3, classes * 3, attribute)
    if not same(once, thrice):
        raise Wrong("every case three times over must give the same gain: weigh by shares.")
    if same(once, 0):
        raise Wrong("this attribute tells something.")


@gain.test("is 0 for an attribute that tells nothing", 1, [(XOR, XORED, "a")])
def _(f, rows, classes, attribute):
    expect(f(rows, classes, attribute), 0, f.shown)


gain.keeps_its_input(1, [(WALK, WALKED, "dog")])

# --- choose --------------------------------------------------------------------------------------

choose = assignment.function("choose", nothing=True)


@choose.test("takes the largest gain", 2, [(WALK, WALKED, ["rain", "dog"], "dog")])
def _(f, rows, classes, attributes, best):
    expect_same(f(rows, classes, attributes), best, f.shown, "another attribute gains more.")


@choose.test("takes the first of equal gains", 1, [(XOR, XORED, ["b", "a"], "b")])
def _(f, rows, classes, attributes, first):
    text = "all gains are equal here: take the attribute that is named first."
    expect_same(f(rows, classes, attributes), first, f.shown, text)


@choose.test("asks on though nothing is gained yet", 1, [(XOR, XORED, ["a", "b"])])
def _(f, rows, classes, attributes):
    if f(rows, classes, attributes) not in attributes:
        raise Wrong(
            "a gain of 0 is no reason to stop: the attribute still divides the cases, and the next "
            "question may settle them."
        )


@choose.test(
    "gives None if no attribute divides the cases",
    1,
    [(WALK[:2], WALKED[:2], ["rain"]), (WALK, WALKED, [])],
)
def _(f, rows, classes, attributes):
    if f(rows, classes, attributes) is not None:
        raise Wrong("if every attribute has a single value here, or none is left, return None.")
    if f([{"k": "1"}, {"k": "2"}], ["a", "b"], ["k"]) is None:
        raise Wrong("here an attribute divides the cases.")


# --- grow ----------------------------------------------------------------------------------------

grow = assignment.function("grow")


@grow.test("stops at a class of its own", 1, [(WALK[1:], WALKED[1:], ["rain", "dog"], "home")])
def _(f, rows, classes, attributes, leaf):
    text = "all cases are of one class, so the tree is a leaf: just the class."
    expect_same(f(rows, classes, attributes), leaf, f.shown, text)


@grow.test("stops when no attribute is left", 1, [(WALK[:1] * 3, ["b", "a", "b"], ["rain"], "b")])
def _(f, rows, classes, attributes, leaf):
    text = "nothing divides these cases: the tree is a leaf with the majority class."
    expect_same(f(rows, classes, attributes), leaf, f.shown, text)


@grow.test(
    "grows the whole tree",
    3,
    [
        (
            WALK,
            WALKED,
            ["rain", "dog"],
            {
                "attribute": "dog",
                "majority": "home",
                "branches": {
                    "yes": {
                        "attribute": "rain",
                        "majority": "home",
                        "branches": {"no": "walk", "yes": "home"},
                    },
                    "no": "home",
                },
            },
        )
    ],
)
def _(f, rows, classes, attributes, tree):
    found = f(rows, classes, attributes)
    if isinstance(found, str):
        raise Wrong("this is a leaf, but there is something to ask here.")
    if not isinstance(found, dict) or found.keys() != tree.keys():
        raise Wrong(f"a node has the keys {', '.join(map(repr, tree))}, and no other.")
    if found["attribute"] != tree["attribute"]:
        raise Wrong("the first question is not the one with the largest gain.")
    expect_same(
        found, tree, f.shown, "the first question is right; further down, the tree differs."
    )


@grow.test("asks no question twice on a path", 1, [(XOR, XORED, ["a", "b"])])
def _(f, rows, classes, attributes):
    def asked(tree, above):
        if isinstance(tree, str):
            return
        if tree["attribute"] in above:
            raise Wrong("below a question its answer is known: do not ask it again.")
        for branch in tree["branches"].values():
            asked(branch, [*above, tree["attribute"]])

    tree = f(rows, classes, attributes)
    asked(tree, [])
    if isinstance(tree, str):
        raise Wrong("two questions settle these cases, but the tree asks none.")


grow.keeps_its_input(1, [(WALK, WALKED, ["rain", "dog"])])

# --- predict -------------------------------------------------------------------------------------

predict = assignment.function("predict")


@predict.test("follows the answers to a leaf", 2, [(TREE, {"rain": "no", "dog": "yes"}, "walk")])
def _(f, tree, row, label):
    expect_same(f(tree, row), label, f.shown, "the leaf at the end of the answers says otherwise.")


@predict.test("knows a tree that is only a leaf", 1, [("home", {"rain": "no"}, "home")])
def _(f, tree, row, label):
    expect_same(f(tree, row), label, f.shown, "a leaf answers by itself.")


@predict.test(
    "answers a value never seen by the majority",
    1,
    [(TREE, {"rain": "hail"}, "home"), (TREE, {"rain": "no", "dog": "two"}, "walk")],
)
def _(f, tree, row, label):
    text = "there is no branch for this value: answer with the majority of the node that asks."
    expect_same(f(tree, row), label, f.shown, text)


@predict.test("answers a missing value by the majority", 1, [(TREE, {"dog": "yes"}, "home")])
def _(f, tree, row, label):
    text = "the row has no answer to this question: take the majority of the node that asks."
    expect_same(f(tree, row), label, f.shown, text)


# --- rules ---------------------------------------------------------------------------------------

rules = assignment.function("rules")


@rules.test(
    "has one rule for each leaf",
    2,
    [
        (
            TREE,
            [
                ({"rain": "no", "dog": "yes"}, "walk"),
                ({"rain": "no", "dog": "no"}, "home"),
                ({"rain": "yes"}, "home"),
            ],
        )
    ],
)
def _(f, tree, right):
    found = f(tree)
    if len(found) != len(right):
        raise Wrong(f"these are {len(found)} rules; the tree has {len(right)} leaves.")
    text = "a rule is a dictionary of all answers on the path, and the class of its leaf."
    expect_same(found, right, f.shown, text)


@rules.test("makes one rule without conditions of a leaf", 1, [("home",)])
def _(f, tree):
    text = "a leaf alone is one rule, whose dictionary of conditions is empty."
    expect_same(f(tree), [({}, tree)], f.shown, text)


rules.keeps_its_input(1, [(TREE,)])

# --- the student's own table ---------------------------------------------------------------------


def draw(student):
    """Return 40 plants drawn from a student's name: rows, classes and attributes."""
    random = seed(student)
    choices = {
        "leaf": ["needle", "oval", "lobed"],
        "bark": ["rough", "smooth"],
        "soil": list("ABC"),
    }
    rows = [
        {name: str(random.choice(values)) for name, values in choices.items()} for _ in range(40)
    ]
    grows = [
        (row["leaf"] == "needle" and row["soil"] != "C") or (row["bark"] == "rough") for row in rows
    ]
    classes = ["grows" if g ^ (random.random() < 0.1) else "dies" for g in grows]
    return rows, classes, list(choices)


my_plants = assignment.numbers(
    "my_plants",
    {
        "root": (1, one_of(["leaf", "bark", "soil"])),
        "leaves": (2, between(2, 18)),
        "accuracy": (2, between(0, 1)),
    },
    draw,
)


check = assignment.ready()
