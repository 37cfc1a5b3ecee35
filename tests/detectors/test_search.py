"""The parameter at which runs have the wanted mean length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from repro.detectors._search import CLOSE, between


@given(st.floats(0.01, 0.99), st.booleans(), st.booleans())
def test_between_is_the_inverse_of_a_monotone_function(share, falls, is_positive):
    """For lengths that grow or fall with the parameter, on positive and on other ranges."""
    least, most = (0.5, 40.0) if is_positive else (-3.0, 5.0)
    sign = -1 if falls else 1

    def mean_length(value):
        return np.exp(sign * value / 10)

    target = mean_length(least) ** share * mean_length(most) ** (1 - share)
    found = between(mean_length, target, least, most)
    wanted = sign * 10 * np.log(target)
    assert abs(found - wanted) <= 2 * CLOSE * max(abs(found), abs(wanted)) + 1e-12
    assert mean_length(found) >= target or found == pytest.approx(wanted)


def test_a_length_that_the_bounds_do_not_reach_is_refused():
    with pytest.raises(ValueError, match=r"arl0 must lie in 1..4, which the bounds reach; got 5"):
        between(lambda value: value, 5, 1, 4)
