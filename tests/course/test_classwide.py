"""What is said of a class: statistics of its questions, and pairs of notebooks that are alike."""

import re

import pytest
from catalogues import RIGHT
from coursework import NAMES, changed, codes
from tiers import sample

from course.grader import classwide


def renamed(code):
    for name in ("total", "table", "sizes", "found", "counts", "shares", "branch", "value"):
        code = re.sub(rf"\b{name}\b", f"my_{name}_x", code)
    return code.replace(", ", " ,  ")


@pytest.mark.parametrize("name", sample(NAMES, quick=1))
def test_a_copy_is_found_though_its_names_were_changed_and_nobody_else_is(name):
    given = [code for _, code in codes(name)]
    students = {
        style: [
            changed(name, cell, written[cell]) if cell in written else code
            for cell, code in codes(name)
        ]
        for (of, style), written in RIGHT.items()
        if of == name
    }
    assert classwide.alike(students, given) == []
    copied = max(students, key=lambda s: len(classwide.fingerprints(students[s])))
    copy = [f"STUDENT = 'other'\n{renamed(code)}" for code in students[copied]]
    found = classwide.alike(students | {"copy": copy}, given)
    assert [{row["one"], row["other"]} for row in found] == [{"copy", copied}]


def test_those_who_hand_in_our_own_solution_are_not_accused():
    given = [code for _, code in codes("entropy")]
    assert classwide.alike({f"s{n}": given for n in range(9)}, given) == []


def record(points, message, gain):
    of_entropy = [["is in bits", points, 2, message], ["is 0", 1, 1, ""]]
    return {"results": {"entropy": of_entropy, "gain": [["is right", gain, 2, ""]]}}


def test_statistics_count_what_students_passed_and_what_they_missed():
    nats = "entropy([3, 1]) gives 0.56, and 0.81 is right:\nyou used natural logarithms"
    records = {"a": record(2, "", 0), "b": record(0, nats, 0)}
    records["c"] = record(0, "entropy([3, 1]) gives 9, and 0.81 is right.", 2)
    records |= dict.fromkeys("de", record(2, "", 2))
    rows = {(row["question"], row["test"]): row for row in classwide.statistics(records)}
    bits = rows["entropy", "is in bits"]
    assert bits["passed"] == "0.60"
    assert bits["tells_apart"] == "0.17"  # with the points of the other tests, not with all
    assert bits["most_common_mistake"].startswith("1 times: ")
    assert rows["entropy", "is 0"]["passed"] == "1.00"
    assert rows["entropy", "is 0"]["tells_apart"] == ""
    assert rows["entropy", "is 0"]["most_common_mistake"] == ""
