"""The comparison of two machines sees what differs."""

import math

import pytest
from two_machines import apart, compared, everything


def test_what_each_gives_is_the_same_twice_and_holds_every_public_class():
    kinds = {kind for kind, _, _ in everything()}
    assert kinds == {"streams", "detectors", "learners"}
    first = {f"{kind}: {name}": make() for kind, name, make in everything() if kind != "learners"}
    again = {f"{kind}: {name}": make() for kind, name, make in everything() if kind != "learners"}
    table = compared(first, again).set_index("what")
    assert list(table["differ"]) == ["none", "none"]
    again["streams: SEA"] = [*again["streams: SEA"][:-1], again["streams: SEA"][-1] + 1e-6]
    del again["detectors: DDM"]
    table = compared(again, first).set_index("what")
    assert list(table["differ"]) == ["SEA", "DDM"]


@pytest.mark.parametrize(
    ("one", "other", "gap"),
    [
        ([1.0, 2.0], [1.0, 2.0], 0.0),
        ([0.0, math.nan], [0.0, math.nan], 0.0),
        ([1.0, 4.0], [1.0, 3.0], 0.25),
        ([0.0], [1e-12], 1.0),
        ([], [], 0.0),
        ([1.0], [1.0, 2.0], math.inf),
    ],
)
def test_the_difference_is_of_the_larger_number(one, other, gap):
    assert apart(one, other) == apart(other, one) == gap


def test_a_number_that_one_does_not_have_differs():
    assert not apart([1.0], [math.nan]) <= 1e-9
