"""Expected neighbour distances: by listing all outcomes, by simulation, and as printed."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import permutations
from repro.permutations import (
    expected_neighbor_distance,
    neighbor_distance,
    printed_neighbor_distance,
    strength_for,
)
from repro.permutations.expected import expected_total

FUNCTIONS = (expected_neighbor_distance, printed_neighbor_distance)
every_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)


def total(order):
    return sum(abs(a - b) for a, b in itertools.pairwise(order))


def by_masks(n, p, length, order_of):
    """Mean distance over all outcomes of `length` independent events of probability p, exact."""
    mean = Fraction(0)
    for mask in itertools.product((0, 1), repeat=length):
        share = p ** sum(mask) * (1 - p) ** (length - sum(mask))
        mean += share * total(order_of(mask))
    return mean / (n - 1)


def blocks_reversed(n):
    def order_of(split):
        edges = [0, *(i + 1 for i in range(n - 1) if split[i]), n]
        return [i for a, b in reversed(list(itertools.pairwise(edges))) for i in range(a, b)]

    return order_of


def moved_to_the_end(lifted):
    return sorted(range(len(lifted)), key=lambda i: lifted[i])


def by_swaps(n, k):
    """Mean distance over all sequences of k swaps."""
    totals = 0
    for places in itertools.product(range(n - 1), repeat=k):
        order = list(range(n))
        for i in places:
            order[i], order[i + 1] = order[i + 1], order[i]
        totals += total(order)
    return Fraction(totals, (n - 1) ** (k + 1))


PROBABILITIES = [0.0, 1e-12, 0.01, 0.25, 0.5, 0.75, 0.99, 1 - 2.0**-53, 1.0]


@second_opinion("enumeration", "permutations.expected_neighbor_distance")
@pytest.mark.parametrize("n", range(2, 9))
@pytest.mark.parametrize("p", PROBABILITIES)
def test_time_and_speed_equal_the_mean_over_all_outcomes(n, p):
    time = by_masks(n, Fraction(p), n - 1, blocks_reversed(n))
    assert abs(expected_neighbor_distance("time", n, p) - time) < 1e-14
    speed = by_masks(n, Fraction(p), n, moved_to_the_end)
    assert abs(expected_neighbor_distance("speed", n, p) - speed) < 1e-14


def test_time_equals_the_mean_over_all_outcomes_up_to_12():
    time = by_masks(12, Fraction(0.3), 11, blocks_reversed(12))
    assert abs(expected_neighbor_distance("time", 12, 0.3) - time) < 1e-14


@second_opinion("enumeration", "permutations.expected_neighbor_distance")
@pytest.mark.parametrize("n", range(2, 9))
@pytest.mark.parametrize("k", range(6))
def test_shape_equals_the_mean_over_all_sequences_of_swaps(n, k):
    if k < 2 * n:
        assert abs(expected_neighbor_distance("shape", n, k=k) - by_swaps(n, k)) < 1e-14


def chain(n, k):
    """Mean distance by the chain of all pairs of original places, k single steps; no binomial."""
    places = np.arange(n)
    f = np.abs(np.subtract.outer(places, places)).astype(float)
    for _ in range(k):
        after = np.zeros((n, n))
        for edge in range(n - 1):
            swap = places.copy()
            swap[[edge, edge + 1]] = edge + 1, edge
            after += f[np.ix_(swap, swap)]
        f = after / (n - 1)
    return np.diagonal(f, 1).mean()


@pytest.mark.parametrize(("n", "k"), [(5, 9), (6, 11), (9, 17), (20, 39), (30, 12), (40, 40)])
def test_shape_equals_a_chain_of_single_swaps(n, k):
    assert expected_neighbor_distance("shape", n, k=k) == pytest.approx(chain(n, k), abs=1e-13)


def test_a_long_stream_has_a_shorter_path_and_its_middle(monkeypatch):
    """The path of 204 places, of which the middle is repeated, gives what 300 places give."""
    from repro.permutations import expected

    short = expected_total(300, 599)
    monkeypatch.setattr(expected, "MOST_PLACES", 300)
    assert short == pytest.approx(expected_total(300, 599), rel=1e-14)


STRENGTHS = [
    ("time", {"p": 0.5}),
    ("time", {"p": 0.01}),
    ("speed", {"p": 0.5}),
    ("speed", {"p": 0.01}),
    ("shape", {"k": None}),
    ("shape", {"k": 60}),
    ("random", {}),
]


@second_opinion("simulation", "permutations.expected_neighbor_distance")
@pytest.mark.parametrize("n", [50, 503, 45_312])
@pytest.mark.parametrize(("kind", "strength"), STRENGTHS)
def test_a_simulation_agrees_within_three_standard_errors(kind, strength, n):
    make = getattr(permutations, f"{kind}_permutation")
    found = [neighbor_distance(make(n, **strength, seed=s)) for s in range(400)]
    standard_error = np.std(found, ddof=1) / np.sqrt(len(found))
    expected = expected_neighbor_distance(kind, n, **strength)
    assert abs(np.mean(found) - expected) < 3 * standard_error


def test_limits_of_long_streams():
    n = 2**60
    for p in (0.1, 0.5, 0.9):
        assert expected_neighbor_distance("time", n, p) == pytest.approx(3 - 2 * p)
        assert expected_neighbor_distance("speed", n, p) == pytest.approx(3)
    assert expected_neighbor_distance("shape", n, k=3) == pytest.approx(1)
    assert expected_neighbor_distance("shape", n) == pytest.approx(2.1465120)


@given(st.integers(2, 10**6), st.floats(0, 1))
def test_a_lift_of_p_and_of_the_rest_have_the_same_distance(n, p):
    here, there = (expected_neighbor_distance("speed", n, share) for share in (p, 1 - p))
    assert here == pytest.approx(there, abs=1e-9)
    assert 1 - 1e-12 <= here <= 3
    assert 1 - 1e-12 <= expected_neighbor_distance("time", n, p) <= 3


# --- as printed


@second_opinion("published numbers", "permutations.printed_neighbor_distance")
def test_the_printed_formulas_at_the_settings_of_the_paper():
    """Where np is large all agree to 0.01, except for shape, which is a bound."""
    for n in (503, 1901, 45_312):
        for kind in ("time", "speed"):
            exact = expected_neighbor_distance(kind, n)
            assert printed_neighbor_distance(kind, n) == pytest.approx(exact, abs=0.01)
        assert printed_neighbor_distance("random", n) == expected_neighbor_distance("random", n)
        assert expected_neighbor_distance("shape", n) < 2.15
        assert printed_neighbor_distance("shape", n) == pytest.approx(2.5, abs=0.01)


def test_where_the_printed_formulas_fail():
    """Few splits or lifts: time is off by 0.25, and speed is below 1, which no order reaches."""
    assert printed_neighbor_distance("time", 50, 0.01) == pytest.approx(1.660, abs=5e-4)
    assert expected_neighbor_distance("time", 50, 0.01) == pytest.approx(1.4086, abs=5e-4)
    assert printed_neighbor_distance("speed", 50, 0.01) == pytest.approx(-3.06, abs=5e-3)
    assert expected_neighbor_distance("speed", 50, 0.01) == pytest.approx(1.2475, abs=5e-4)
    assert printed_neighbor_distance("speed", 50, 0.0) == float("-inf")
    assert printed_neighbor_distance("speed", 50, 1.0) == float("-inf")


@pytest.mark.parametrize("n", [3, 10, 503])
def test_proposition_8_is_an_upper_bound(n):
    for k in range(0, 2 * n, max(1, n // 5)):
        exact = expected_neighbor_distance("shape", n, k=k)
        assert exact <= printed_neighbor_distance("shape", n, k=k) + 1e-12


@every_function
@pytest.mark.parametrize("kind", ["time", "speed", "shape", "random"])
def test_a_single_example_has_no_expected_distance(function, kind):
    assert np.isnan(function(kind, 1))
    assert function(kind, 2) == pytest.approx(1) or function is printed_neighbor_distance


@every_function
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mallows", 5), "kind must be one of time, speed, shape, random; got 'mallows'"),
        (("time", 0), "n must be a whole number >= 1; got 0"),
        (("time", 2**70), "n must be at most 4611686018427387904; got 1180591620717411303424"),
        (("time", 5, 1.5), r"p must lie in \[0, 1\]; got 1.5"),
        (("time", 5, None, 3), "k must be None for the kind time; got 3"),
        (("shape", 5, 0.5), "p must be None for the kind shape; got 0.5"),
        (("random", 5, 0.5), "p must be None for the kind random; got 0.5"),
        (("shape", 5, None, 10), "k must be at most 9; got 10"),
        (("shape", 5, None, -1), "k must be a whole number >= 0; got -1"),
    ],
)
def test_an_argument_outside_its_range_is_refused(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)


# --- strengths


@second_opinion("inverse", "permutations.strength_for")
@given(st.integers(3, 10**6), st.floats(0, 1))
def test_the_p_for_a_distance_gives_the_distance_back(n, share):
    distance = 1 + share * (expected_neighbor_distance("speed", n) - 1)
    p = strength_for("speed", n, distance)
    assert 0 <= p <= 0.5
    assert expected_neighbor_distance("speed", n, p) == pytest.approx(distance, abs=1e-12)
    most = max(expected_neighbor_distance("time", n, x * n**-0.5) for x in np.arange(0.5, 1.7, 0.1))
    distance = 1 + share * (most - 1)
    p = strength_for("time", n, distance)
    assert expected_neighbor_distance("time", n, p) == pytest.approx(distance, abs=1e-12)
    later = expected_neighbor_distance("time", n, min(1.0, 1.01 * p))
    assert later <= distance + 1e-12  # the larger of the two


def test_the_greatest_distance_is_found_however_it_was_rounded():
    n = 901_286  # here the search ends a rounding below it
    greatest = max(expected_neighbor_distance("time", n, x * n**-0.5) for x in (0.9, 1.0, 1.1))
    p = strength_for("time", n, greatest)
    assert expected_neighbor_distance("time", n, p) == pytest.approx(greatest, rel=1e-14)
    with pytest.raises(ValueError, match="distance must lie in"):
        strength_for("time", n, greatest + 1e-9)


@pytest.mark.parametrize("p", [0.1, 0.25, 0.5])
def test_the_p_that_gave_a_distance_is_found(p):
    for kind in ("time", "speed"):
        distance = expected_neighbor_distance(kind, 503, p)
        assert expected_neighbor_distance(kind, 503, strength_for(kind, 503, distance)) == (
            pytest.approx(distance, abs=1e-14)
        )
    time = expected_neighbor_distance("time", 503, p)
    assert strength_for("time", 503, time) == pytest.approx(p, abs=1e-12)


@pytest.mark.parametrize("n", [3, 4, 20, 64, 65, 300])
def test_the_k_for_a_distance_is_the_nearest(n):
    curve = np.array([expected_neighbor_distance("shape", n, k=k) for k in range(2 * n)])
    for distance in np.linspace(1, curve.max(), 23):
        nearest = int(np.argmin(np.abs(curve - distance)))
        assert strength_for("shape", n, float(distance)) == nearest


def test_extreme_distances():
    assert strength_for("time", 50, 1.0) == 1.0
    assert strength_for("speed", 50, 1.0) == 0.0
    assert strength_for("shape", 50, 1.0) == 0
    for kind in ("time", "speed", "shape"):
        assert strength_for(kind, 2, 1.0) in (0, 1)


@pytest.mark.parametrize(
    ("kind", "distance", "most"),
    [
        ("time", 2.9, r"2\.825455327\], with the maximum at p = 0\.04463\d* for n = 503; got 2.9"),
        ("time", 0.9, r"2\.825455327\], with"),
        ("speed", 3.0, r"2\.98804780\d\], with the maximum at p = 0\.5 for n = 503; got 3.0"),
        ("shape", 3.0, r"2\.78627300\d\], with the maximum at k = 1005 for n = 503; got 3.0"),
    ],
)
def test_an_unreachable_distance_is_refused_with_the_range(kind, distance, most):
    with pytest.raises(ValueError, match=rf"distance must lie in \[1, {most}"):
        strength_for(kind, 503, distance)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random", 5, 1.0), "kind must be one of time, speed, shape; got 'random'"),
        (("time", 1, 1.0), "n must be a whole number >= 2; got 1"),
        (("time", 5, float("nan")), "distance must be finite; got nan"),
        (("time", 5, "a"), "distance must be finite; got 'a'"),
    ],
)
def test_a_strength_of_something_else_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        strength_for(*arguments)
