"""How much is tried: by `make test`, by `make test-all`, and once a week.

A test without a mark runs always; one marked `slow` only with TIER=all or TIER=weekly, one marked
`weekly` only with TIER=weekly; one marked `sometimes` has a chance with `make test`. What is drawn
at random follows from SEED, another number on every run, which is printed at its end: `make test
SEED=123` draws the same again.
"""

import os
import random
import secrets

import pytest

TIER = os.environ.get("TIER", "quick")
# The first process draws it, and the workers of pytest-xdist inherit it.
SEED = int(os.environ.setdefault("SEED", str(secrets.randbelow(1_000_000))))

LEFT_OUT = {"quick": {"slow", "weekly"}, "all": {"weekly"}, "weekly": set()}[TIER]


def at(*, quick, full):
    return quick if TIER == "quick" else full


def draws(weekly):
    return weekly // {"quick": 4, "all": 2, "weekly": 1}[TIER]


def sample(items, quick, changed=()):
    """Return some of the items, drawn by SEED, and those that changed.

    With `make test` they are `quick`, with `make test-all` four times as many, otherwise all.
    """
    items = list(items)
    number = {"quick": quick, "all": 4 * quick}.get(TIER, len(items))
    drawn = random.Random(SEED).sample(items, min(number, len(items)))
    return [item for item in items if item in drawn or item in changed]


def sometimes(test):
    is_drawn = TIER != "quick" or random.Random(f"{SEED} {test.__name__}").random() < 1 / 3
    return test if is_drawn else pytest.mark.slow(test)


def pytest_collection_modifyitems(config, items):
    left_out = {item for item in items if LEFT_OUT & {mark.name for mark in item.iter_markers()}}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"TIER={TIER} SEED={SEED}: the same names, and the same is drawn.")
