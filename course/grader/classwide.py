"""What grading says of a class as a whole: how its questions did, and whose code is alike.

`questions.csv` has a row for each test: the share of students who passed it, how well it tells
strong from weak notebooks, and the most common mistake in words. `alike.csv` has pairs of students
whose code has more in common than others' has; a reason to look, never a proof.
"""

import builtins
import io
import json
import keyword
import math
import os
import re
import tokenize
from collections import Counter
from itertools import combinations
from statistics import median

import nbformat
import pandas as pd

from course.grader.inventory import items

LENGTH = 6  # tokens in a fingerprint
ALIKE = 0.6  # the share of rare fingerprints that makes two notebooks worth a look
BEYOND = 5  # how many usual distances above the usual pair


def report(course, names, say=print):
    """Write both tables of a course; say which notebooks are alike."""
    questions, pairs = [], []
    for name in names:
        records = records_of(course, name)
        if records:
            questions += [{"assignment": name} | row for row in statistics(records)]
            found = alike(*codes_of(course, name, records))
            pairs += [{"assignment": name} | row for row in found]
            for some in clusters((row["one"], row["other"]) for row in found):
                say(f"{name}: the code of {' and '.join(some)} is alike. Look at all of them.")
    columns = ("assignment", "question", "test", "passed", "tells_apart", "most_common_mistake")
    save(course / "questions.csv", columns, questions)
    save(course / "alike.csv", ("assignment", "one", "other", "in_common"), pairs)


def clusters(pairs):
    """List the groups that pairs connect, each sorted."""
    groups = []
    for pair in pairs:
        joined = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group not in joined] + [set(pair).union(*joined)]
    return sorted(map(sorted, groups))


def save(path, columns, rows):
    """Write a table as a whole, as spreadsheets read it: with a mark that it is UTF-8."""
    table = pd.DataFrame(rows, columns=columns)
    written(path, table.to_csv(index=False, lineterminator="\r\n"), encoding="utf-8-sig")


def written(path, text, encoding="utf-8"):
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding=encoding, newline="")
    os.replace(beside, path)


def records_of(course, name):
    paths = sorted((course / "submitted").glob(f"*/{name}/record.json"))
    found = {path.parents[1].name: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    return {student: record for student, record in found.items() if "results" in record}


def statistics(records):
    """Return a row for each test: shares from 0 to 1; `tells_apart` is a correlation, -1 to 1.

    It correlates the points of a test with those of all other tests, over the students.
    """
    found = pd.DataFrame(
        (student, question, test, float(earned), message and in_general(message))
        for student, record in records.items()
        for question, tests in record["results"].items()
        for test, earned, _, message in tests
    )
    found.columns = ["student", "question", "test", "points", "why"]
    points = found.pivot(index="student", columns=["question", "test"], values="points")
    tells = items(points).discrimination.map("{:.2f}".format).replace("nan", "")
    rows = []
    for (question, test), of in found.groupby(["question", "test"], sort=False):
        row = {"question": question, "test": test, "passed": f"{(of.points > 0).mean():.2f}"}
        row["tells_apart"] = tells[question, test]
        mistakes = Counter(filter(None, of.why)).most_common(1)
        row["most_common_mistake"] = "".join(f"{n} times: {why}" for why, n in mistakes)
        rows.append(row)
    return rows


def in_general(message):
    """Return why a test was lost, without the input and the numbers of one student.

    >>> in_general("entropy([3, 1]) gives 0.5623, and 0.8113 is right:\\nyou used the root of 2.")
    'you used the root of ....'
    >>> in_general("entropy([3, 1]) gives 0.5623, and 0.8113 is right.")
    'wrong, for no reason that is known'
    """
    what, _, why = message.rpartition("\n")
    is_a_case = not what and re.match(r"\w+\(.*\) ", message)
    return "wrong, for no reason that is known" if is_a_case else re.sub(r"\d+(\.\d+)?", "...", why)


def codes_of(course, name, records):
    """Return {student: code} of the cells to fill in, and the code that all have from us."""
    released = nbformat.read(course / "source" / name / f"{name}.ipynb", as_version=4)
    given = [cell.source for cell in released.cells if cell.cell_type == "code"]
    codes = {}
    for student in records:
        path = course / "submitted" / student / name / f"{name}.ipynb"
        cells = nbformat.read(path, as_version=4).cells
        own = [c for c in cells if not c.metadata.get("nbgrader", {}).get("locked")]
        codes[student] = [cell.source for cell in own if cell.cell_type == "code"]
    return codes, given


def fingerprints(codes):
    """Return the runs of tokens in code; names of one's own count as the same."""
    known = {*keyword.kwlist, *dir(builtins)}
    found = set()
    for code in codes:
        words = []
        try:
            for token in tokenize.generate_tokens(io.StringIO(code).readline):
                if token.type == tokenize.NAME:
                    words.append(token.string if token.string in known else "name")
                elif token.type in (tokenize.OP, tokenize.NUMBER, tokenize.STRING):
                    words.append(token.string)
        except (tokenize.TokenError, IndentationError, SyntaxError):
            pass
        found |= {tuple(words[k : k + LENGTH]) for k in range(len(words) - LENGTH + 1)}
    return found


def alike(codes, given=()):
    """List pairs of students with more in common than chance and the task explain.

    A fingerprint weighs the more the fewer students have it, and nothing if it is in `given`.
    """
    ours = fingerprints(given)
    own = {student: fingerprints(code) - ours for student, code in codes.items()}
    spread = Counter(one for prints in own.values() for one in prints)
    weigh = {one: math.log((len(own) + 1) / n) for one, n in spread.items()}
    shares = {}
    for one, other in combinations(sorted(own), 2):
        least = min(sum(weigh[p] for p in own[who]) for who in (one, other))
        both = sum(weigh[p] for p in own[one] & own[other])
        shares[one, other] = both / least if least > 30 else 0.0
    limit = ALIKE
    if len(shares) > 2:
        usual = median(shares.values())
        distance = median(abs(share - usual) for share in shares.values())
        limit = max(ALIKE, usual + BEYOND * distance)
    pairs = sorted(
        ((share, *pair) for pair, share in shares.items() if share > limit), reverse=True
    )
    return [{"one": one, "other": b, "in_common": f"{share:.2f}"} for share, one, b in pairs]
