"""Errors of repeated runs, mapped to the original order."""

from __future__ import annotations

import numpy as np
import pytest

from repro import TESTBED, learners, prequential, repeated_errors
from repro.permutations import interleaved_parts, speed_permutation


def test_repeated_errors_are_those_of_prequential_runs():
    stream = TESTBED["NSGT"].sample(n=60)
    orders = [speed_permutation(60, seed=s) for s in (0, 1)]
    errors = repeated_errors(learners.NaiveBayes(), stream, orders, blocks=3)
    for order, found in zip(orders, errors, strict=True):
        loss = np.empty(60)
        loss[order] = prequential(learners.NaiveBayes(), stream.take(order)).loss
        np.testing.assert_allclose(found, loss.reshape(3, 20).mean(axis=1))


def test_repeated_errors_of_parts():
    stream = TESTBED["NSGT"].sample(n=61)
    parts = interleaved_parts(61, 4)
    errors = repeated_errors(learners.NoChange(), stream, parts, blocks=1)
    expected = [prequential(learners.NoChange(), stream.take(part)).loss.mean() for part in parts]
    np.testing.assert_allclose(errors[:, 0], expected)


def test_repeated_errors_need_a_stream_and_orders():
    with pytest.raises(ValueError, match="orders must hold at least one index array; got none"):
        repeated_errors(learners.NoChange(), TESTBED["NSGT"].sample(n=5), [])
    with pytest.raises(TypeError, match="stream must be a Stream"):
        repeated_errors(learners.NoChange(), TESTBED["NSGT"], [[0]])
