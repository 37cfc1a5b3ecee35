"""Severity of a change, and the loss and recovery of a learner after it."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy.stats import norm

from repro import seeds, streams
from repro.metrics import recovery
from repro.streams import Component, DriftingMixture, MixtureClass, Transform, severity, snapshot


def one_dimensional(shift: float) -> DriftingMixture:
    """N(0, 1) against N(2, 1), both moved by `shift` over 100 examples."""
    move = (Transform(100, (shift,)),)
    classes = [
        MixtureClass(name, (Component((mean,), (1.0,), transforms=move),))
        for name, mean in (("A", 0.0), ("B", 2.0))
    ]
    return DriftingMixture("line", tuple(classes), n=101)


@second_opinion("closed form", "streams.severity")
def test_severity_is_the_mass_between_the_two_frontiers():
    """The frontier moves from 1 to 1 + s; the points between them change their optimal label."""
    mixture, s = one_dimensional(1.0), 1.0
    between = [norm.cdf(1 + s - m - s) - norm.cdf(1 - m - s) for m in (0, 2)]
    got = severity(mixture, 0, 100, seeds.generator(1), n=50_000)
    assert abs(got.share - np.mean(between)) < 4 * got.standard_error


def test_severity_is_0_without_a_change_and_1_if_the_classes_swap():
    rng = seeds.generator(2)
    assert severity(streams.TESTBED["NSCX"], 4000, 4000, rng) == (0.0, 0.0)
    assert severity(streams.TESTBED["NSGR"], 0, 5000, rng).share == pytest.approx(1.0, abs=1e-3)


@second_opinion("another definition", "streams.snapshot")
@pytest.mark.parametrize("name", ["NSCX", "NSGR-S", "NSGT-5D"])
def test_a_snapshot_has_at_all_times_the_posterior_of_its_time(name):
    mixture = {**streams.TESTBED, **streams.VARIANTS}[name]
    still = snapshot(mixture, 3333)
    X = mixture.sample(seed=0).X[3000:3500]
    expected = mixture.posterior(X, 3333)
    for t in (0, 9999):
        np.testing.assert_allclose(still.posterior(X, t), expected, rtol=1e-9, atol=1e-300)


def test_recovery_by_hand():
    """Accuracy 1 on both concepts; it falls to .5 at 3 and is back above .95 at 6."""
    error = [0.0, 0.0, 0.0, 0.5, 0.4, 0.1, 0.05, 0.0]
    got = recovery(error, [0.0] * 8, [0.0] * 8, drift_at=3)
    assert got == (0.5, 3.0)


def test_the_loss_is_relative_to_the_accuracy_on_the_harder_concept():
    """Accuracies .8 and .6: S is .6; a fall to .3 loses half of it."""
    got = recovery([0.2, 0.7, 0.4], [0.2] * 3, [0.4] * 3, drift_at=1)
    assert got.maximum_loss == pytest.approx(0.5)
    assert got.duration == 1.0


def test_the_duration_is_nan_without_a_fall_and_infinite_without_a_recovery():
    steady = recovery([0.1] * 4, [0.1] * 4, [0.1] * 4, drift_at=2)
    assert steady.maximum_loss == 0.0
    assert np.isnan(steady.duration)
    assert recovery([0.1, 0.9, 0.9], [0.1] * 3, [0.1] * 3, drift_at=1).duration == np.inf


def test_steps_before_the_position_do_not_count():
    falls_early = recovery([0.9, 0.0, 0.0], [0.0] * 3, [0.0] * 3, drift_at=1)
    assert falls_early.maximum_loss == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.1], [0.1, 0.1], [0.1], 0), r"must be as long as error; got \[1, 2, 1\]"),
        (([0.1], [0.1], [0.1], 1), r"drift_at must lie in 0..0; got 1"),
        (([], [0.1], [0.1], 0), "error must be a non-empty 1-d array"),
    ],
)
def test_wrong_curves_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        recovery(*arguments)
