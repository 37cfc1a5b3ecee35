"""What an attribute gives away, counted again by dictionaries."""

from __future__ import annotations

from collections import Counter

import numpy as np
from opinions import second_opinion

from repro import Stream, seeds
from repro.statistics import attribute_checks


def accuracy_alone(x, y):
    """Of the most frequent label of each value, learned on the first half, on the second one."""
    half = len(y) // 2
    most = Counter(y[:half]).most_common()
    usual = min(label for label, count in most if count == most[0][1])
    seen = {}
    for value, label in zip(x[:half], y[:half], strict=True):
        seen.setdefault(value, Counter())[label] += 1
    right = 0
    for value, label in zip(x[half:], y[half:], strict=True):
        counts = seen.get(value)
        best = min(k for k in counts if counts[k] == max(counts.values())) if counts else usual
        right += best == label
    return right / (len(y) - half)


@second_opinion("brute force", "statistics.attribute_checks")
def test_what_nominal_attributes_give_away_is_counted_by_value():
    for seed in range(5):
        rng = seeds.generator(seed, "attributes")
        y = rng.integers(0, 3, 401)
        X = rng.integers(0, 6, (401, 4)) * 1.0
        X[:, 1] = np.where(rng.random(401) < 0.7, y, X[:, 1])
        X[:-1, 2] = y[1:]  # the next label
        X[:, 3] = X[:, 1]
        checks = attribute_checks(Stream(X, y, nominal=[6] * 4))
        alone = [accuracy_alone(x, y) for x in X.T]
        np.testing.assert_allclose(checks.alone, alone, rtol=1e-12)
        ahead = [accuracy_alone(x[:-1], y[1:]) for x in X.T]
        np.testing.assert_allclose(checks.ahead, ahead, rtol=1e-12)
        assert ahead[2] == 1
        assert checks.equal == ((1, 3),)
        np.testing.assert_allclose(checks.persistence, np.mean(y[1:] == y[:-1]))


def test_rising_constant_and_short_columns():
    y = np.array([0, 1, 0, 1])
    X = np.column_stack([np.arange(4.0), np.arange(4.0)[::-1], np.ones(4), [0, 1, 1, 2]])
    checks = attribute_checks(Stream(X, y))
    assert (checks.rising, checks.constant) == ((0, 1), (2,))
