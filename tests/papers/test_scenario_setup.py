"""Readings of paper 5: how SNG trains if Adam starts anew with each task."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from repro.networks import SNG
from repro.papers.scenarios import ForgetfulSNG

RATE = 0.01
SMALL = SNG(hidden=(8,), passes=1, batch=40, learning_rate=RATE)
TASKS = [(np.random.default_rng(t).random((40, 6)), np.arange(40) % 2) for t in range(2)]


def weights_after_each_task(network):
    model, weights = network.online(seed=3), []
    for X, y in TASKS:
        model.partial_fit(X, y)
        leaves = jax.tree.leaves(model.state.fits["single"].params)
        weights.append(np.concatenate([np.ravel(leaf) for leaf in leaves]))
    return weights


def test_the_first_task_is_learned_as_ever():
    kept, anew = map(weights_after_each_task, (SMALL, ForgetfulSNG(SMALL)))
    np.testing.assert_array_equal(kept[0], anew[0])
    assert (kept[1] != anew[1]).any()


def test_what_is_no_sng_is_refused():
    with pytest.raises(TypeError, match="network must be a SNG; got 3"):
        ForgetfulSNG(3)


@pytest.mark.parametrize(("network", "is_anew"), [(SMALL, False), (ForgetfulSNG(SMALL), True)])
def test_the_first_step_of_adam_is_as_long_as_its_rate(network, is_anew):
    """In each weight with a gradient: its moments are then those of this one gradient."""
    before, after = weights_after_each_task(network)
    steps = np.abs(after - before)[after != before]
    assert (np.isclose(steps, RATE, rtol=0.01).mean() > 0.95) == is_anew
