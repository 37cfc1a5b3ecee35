"""Dynamic weighted majority without rescaling, against its steps in plain Python."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from repro import TESTBED, prequential
from repro.learners import DynamicWeightedMajority, LinearSVM, NaiveBayes

STREAM = TESTBED["NSCX"].sample(seed=3, n=700)
Unscaled = partial(DynamicWeightedMajority, rescale=False)


@pytest.mark.parametrize(
    ("base", "period", "slots"),
    [(NaiveBayes(), 3, 100), (LinearSVM(), 7, 100), (NaiveBayes(), 1, 4)],
    ids=str,
)
def test_it_equals_the_algorithm_without_the_step_that_rescales(base, period, slots):
    run = prequential(Unscaled(base, period=period, max_members=slots), STREAM)
    experts, weights, created = [base.online(STREAM.schema)], [1.0], 1
    for i, (x, y) in enumerate(zip(STREAM.X, STREAM.y, strict=True), start=1):
        local = [expert.predict_one(x) for expert in experts]
        assert run.y_pred[i - 1] == np.bincount(local, weights, minlength=2).argmax()
        if i % period == 0:
            weights = [w * (1.0 if v == y else 0.5) for w, v in zip(weights, local, strict=True)]
            together = np.bincount(local, weights, minlength=2).argmax()
            oldest = 1 if len(experts) == slots else 0
            newest = len(experts) - 1
            kept = [j for j in range(oldest, newest) if weights[j] >= 0.01] + [newest]
            experts, weights = [experts[j] for j in kept], [weights[j] for j in kept]
            if together != y:
                experts.append(base.online(STREAM.schema))
                weights.append(1.0)
                created += 1
        for expert in experts:
            expert.learn_one(x, y)
    assert created > 3


def test_online_it_counts_its_experts_and_predicts_as_the_compiled_run():
    learner = Unscaled(NaiveBayes(), period=1, max_members=4)
    run, online = prequential(learner, STREAM), learner.online(STREAM.schema)
    for x, y, predicted in zip(STREAM.X, STREAM.y, run.y_pred, strict=True):
        assert online.predict_one(x) == predicted
        online.learn_one(x, y)
        assert online.counts["members"] <= 4
    assert online.counts["created"] > 4
    assert online.state_bytes > 0


def test_without_an_error_at_a_period_nothing_needs_rescaling():
    """Then all weights are 1 in both forms."""
    calm = TESTBED["NSGR"].sample(seed=0, n=2_000)
    runs = [prequential(dwm(NaiveBayes()), calm) for dwm in (Unscaled, DynamicWeightedMajority)]
    np.testing.assert_array_equal(runs[0].y_pred, runs[1].y_pred)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"period": 0}, "period must be a whole number"),
        ({"beta": 2}, "beta must"),
        ({"theta": -1}, "theta must"),
        ({"max_members": 1}, "max_members must be a whole number >= 2; got 1"),
        ({"rescale": 0}, "rescale must be True or False; got 0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        DynamicWeightedMajority(NaiveBayes(), **({"rescale": False} | settings))
