"""Recovery analysis against a slow definition, on generated curves and decided cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opinions import second_opinion

from repro.metrics import recovery

errors = st.sampled_from([0.0, 0.3, 0.5, 1.0]) | st.floats(0, 1)


@st.composite
def situations(draw):
    n = draw(st.integers(1, 12))
    curves = [draw(st.lists(errors, min_size=n, max_size=n)) for _ in range(3)]
    return (*curves, draw(st.integers(0, n - 1)), draw(st.sampled_from([0.5, 0.95, 0.98, 1.0])))


def by_force(error, old, new, drift_at, share):
    """Search all times for t_1, then for t_2 > t_1, and take the largest loss."""
    times = range(drift_at, len(error))
    C, A, B = ([1 - e for e in curve] for curve in (error, old, new))
    S = [min(a, b) for a, b in zip(A, B, strict=True)]
    losses = [(S[t] - C[t]) / S[t] for t in times if S[t] > 0]
    duration = math.nan
    for t_1 in times:
        if C[t_1] < share * A[t_1]:
            later = [t for t in times if t > t_1 and C[t] >= share * B[t]]
            duration = later[0] - t_1 if later else math.inf
            break
    return max(losses, default=math.nan), duration


@second_opinion("brute force", "metrics.recovery")
@given(situations())
@settings(max_examples=400)
def test_recovery_equals_its_slow_definition(situation):
    *arguments, share = situation
    found = recovery(*arguments, share=share)
    np.testing.assert_array_equal(found, by_force(*situation))


@pytest.mark.parametrize(
    ("error", "old", "new", "expected"),
    [
        # The fall from an easy to a harder concept: back one example after it fell.
        ([0, 0.3, 0.3], [0, 0, 0], [0.3, 0.3, 0.3], (0.0, 1.0)),
        ([0.3, 0.3, 0.3], [0, 0, 0], [0.3, 0.3, 0.3], (0.0, 1.0)),
        # It touches the new level while it falls, and comes back later.
        ([0, 0.3, 0.6, 0.3], [0] * 4, [0.3] * 4, (3 / 7, 2.0)),
        # Better than on either concept all the time.
        ([0.1, 0.1], [0.2, 0.2], [0.3, 0.3], (-2 / 7, math.nan)),
        # No accuracy was to be had, at some or at all times.
        ([0.5, 1.0], [0.0, 1.0], [0.0, 0.0], (0.5, math.inf)),
        ([1.0, 1.0], [1.0, 1.0], [1.0, 1.0], (math.nan, math.nan)),
        # It falls at the last time.
        ([0.0, 0.5], [0.0, 0.0], [0.0, 0.0], (0.5, math.inf)),
    ],
)
def test_decided_cases(error, old, new, expected):
    np.testing.assert_allclose(recovery(error, old, new, 0), expected, atol=1e-15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drift_at": 2**63}, "drift_at must lie in 0..2; got 9223372036854775808"),
        ({"drift_at": 1.0}, "drift_at must be a whole number >= 0; got 1.0"),
        ({"share": 1.5}, r"share must lie in \(0, 1\]; got 1.5"),
        ({"error": None}, "error must be a non-empty 1-d array; got shape"),
        ({"error_after": [0, np.nan, 0]}, "error_after must be finite; got nan at index 1"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    good = {"error": [0, 0, 0], "error_before": [0, 0, 0], "error_after": [0, 0, 0], "drift_at": 1}
    with pytest.raises(ValueError, match=message):
        recovery(**(good | options))
