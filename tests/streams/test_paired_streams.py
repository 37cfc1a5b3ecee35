"""Two draws of the attributes of one stream, given its labels."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion

from repro import TESTBED, learners, prequential
from repro.streams import paired_streams


@second_opinion("simulation", "streams.paired_streams")
def test_twins_share_labels_and_the_law_of_their_attributes():
    mixture = TESTBED["NSGT"]
    first, second = paired_streams(mixture, seed=1, n=4000)
    np.testing.assert_array_equal(first.X, mixture.sample(1, 4000).X)
    np.testing.assert_array_equal(first.y, second.y)
    for label in (0, 1):  # about the known centre at each time
        t = np.flatnonzero(first.y == label)
        centre = mixture.components[label].at(t.astype(float)).mean
        a, b = (stream.X[t] - centre for stream in (first, second))
        assert abs(b.mean(axis=0)).max() < 4 * np.sqrt(2.5 / t.size)
        for deviations in (np.cov(b.T), np.cov(a.T)):
            assert np.linalg.eigvalsh(deviations) == pytest.approx([1.0, 2.5], rel=0.15)
        assert abs(np.corrcoef(a.T, b.T)[:2, 2:]).max() < 4 / np.sqrt(t.size)


def test_noise_makes_the_second_twin_worse():
    first, second = paired_streams(TESTBED["NSGT"], n=2000, noise=3.0)
    errors = [prequential(learners.NaiveBayes(), s).loss.mean() for s in (first, second)]
    assert errors[1] > errors[0] + 0.05


def test_twins_of_what_is_no_mixture_are_refused():
    with pytest.raises(TypeError, match="mixture must be a DriftingMixture; got 3"):
        paired_streams(3)
    with pytest.raises(ValueError, match="noise must be finite and >= 0; got -1"):
        paired_streams(TESTBED["NSGT"], noise=-1)
