"""Expectation and deviation of the estimators: enumeration, simulation, closed forms."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import metrics, seeds
from repro.metrics import expected_error, sum_of_squared_weights

rates = st.lists(st.floats(0, 1), min_size=1, max_size=60)
MEMORIES = [{}, {"window": 1}, {"window": 3}, {"window": 50}, {"alpha": 0.6}, {"alpha": 0.97}]
every_memory = pytest.mark.parametrize("memory", MEMORIES, ids=str)


def estimate(loss, memory):
    if "window" in memory:
        return metrics.sliding_error(loss, **memory)
    return metrics.fading_error(loss, **memory) if memory else metrics.prequential_error(loss)


def weights_at(i, window=None, alpha=None):
    """Return the weights of the steps 0..i at step i; their sum is 1."""
    age = i - np.arange(i + 1.0)
    weights = (age < window).astype(float) if window else (alpha or 1.0) ** age
    return weights / weights.sum()


@second_opinion("enumeration", "metrics.expected_error")
@every_memory
def test_it_agrees_with_all_outcomes(memory):
    """Eight losses: 256 outcomes, each with its probability."""
    p = np.array([0.1, 0.9, 0.5, 0.0, 0.3, 1.0, 0.2, 0.7])
    outcomes = np.array(list(product([0.0, 1.0], repeat=p.size)))
    chance = np.where(outcomes == 1, p, 1 - p).prod(axis=1)
    values = np.array([estimate(loss, memory) for loss in outcomes])
    mean = chance @ values
    deviation = np.sqrt(np.maximum(chance @ (values - mean) ** 2, 0))
    expected = expected_error(p, **memory)
    np.testing.assert_allclose(expected.mean, mean, atol=1e-12)
    np.testing.assert_allclose(expected.deviation, deviation, atol=1e-7)


@second_opinion("brute force", "metrics.expected_error metrics.sum_of_squared_weights")
@given(rates, st.floats(0.05, 1.0), st.integers(1, 70))
def test_it_is_the_sum_over_the_weights(p, alpha, window):
    rate = np.array(p)
    for memory in ({}, {"alpha": alpha}, {"window": window}):
        expected = expected_error(rate, **memory)
        squares = sum_of_squared_weights(rate.size, **memory)
        for i in {0, rate.size // 2, rate.size - 1}:
            w, upto = weights_at(i, **memory), rate[: i + 1]
            assert expected.mean[i] == pytest.approx(w @ upto, abs=1e-9)
            variance = w**2 @ (upto * (1 - upto))
            assert expected.deviation[i] ** 2 == pytest.approx(variance, abs=1e-9)
            assert squares[i] == pytest.approx(w @ w, rel=1e-9)


@second_opinion("simulation", "metrics.expected_error")
@every_memory
def test_simulated_losses_agree_within_their_standard_errors(memory):
    p = np.r_[np.linspace(0.5, 0.1, 60), np.full(60, 0.6)]
    rng, runs = seeds.generator(3, "expectation"), 4000
    values = np.array([estimate(rng.random(p.size) < p, memory) for _ in range(runs)])
    expected = expected_error(p, **memory)
    error = expected.deviation / np.sqrt(runs)
    assert (np.abs(values.mean(axis=0) - expected.mean) < 4.5 * error).all()
    np.testing.assert_allclose(values.std(axis=0), expected.deviation, rtol=0.08)


def test_all_three_agree_without_forgetting():
    p = np.linspace(0, 1, 40)
    for memory in ({"window": 40}, {"alpha": 1.0}):
        for ours, plain in zip(expected_error(p, **memory), expected_error(p), strict=True):
            np.testing.assert_allclose(ours, plain, atol=1e-12)


@pytest.mark.parametrize("window", [2, 100, 5000])
def test_a_window_and_its_fading_factor_have_the_same_variance_in_the_end(window):
    squares = sum_of_squared_weights(40 * window, alpha=metrics.alpha_for(window))
    assert squares[-1] == pytest.approx(1 / window, rel=1e-12)


def test_a_fading_factor_of_nearly_1_loses_no_digits():
    squares = sum_of_squared_weights(1000, alpha=1 - 1e-13)
    np.testing.assert_allclose(squares, 1 / np.arange(1, 1001), rtol=1e-6)


@pytest.mark.parametrize("p", [[0.5, 1.5], [-0.1, 0.5]])
def test_other_numbers_than_probabilities_are_refused(p):
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\]; got (1.5 at index 1|-0.1 at)"):
        expected_error(p)


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ({"window": 3, "alpha": 0.9}, "only one of alpha and window must be given; got 0.9, 3"),
        ({"window": 0}, "window must be a whole number >= 1; got 0"),
        ({"alpha": 0.0}, r"alpha must lie in \(0, 1\]; got 0.0"),
    ],
)
def test_an_invalid_memory_is_refused(memory, message):
    with pytest.raises(ValueError, match=message):
        expected_error([0.5], **memory)


def test_an_empty_sequence_is_refused():
    with pytest.raises(ValueError, match=r"p must be a non-empty 1-d array; got shape \(0,\)"):
        expected_error([])
