"""Sums, largest and shares of class weights agree with numpy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from repro.learners.verbs import as_shares, predicted, total_weight

WEIGHTS = arrays(np.float64, st.integers(1, 8), elements=st.floats(0, 1e300) | st.integers(0, 3))


@given(WEIGHTS)
def test_total_is_the_sum_from_the_first_to_the_last(weights):
    assert total_weight(weights) == np.cumsum(weights)[-1]


@given(WEIGHTS)
def test_predicted_is_the_first_of_the_largest(weights):
    assert predicted(weights) == np.argmax(weights)


@given(WEIGHTS)
def test_shares_are_the_weights_over_their_sum(weights):
    shares = weights.copy()
    as_shares(shares)
    equal = np.full(weights.size, 1 / weights.size)
    assert shares.tolist() == (weights / total_weight(weights) if weights.any() else equal).tolist()
    assert shares.sum() == pytest.approx(1)
