"""Label delays: one number for all agrees with one per example; a huge delay means never."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import prequential
from repro.learners import Majority, NoChange
from repro.metrics import kappa_temporal
from repro.streams import Stream, label_delay

NEVER = [2**62, 2**63 - 1, 2**63, 2**64, 2**70, 10**400, 1e18, 1e300, np.inf, np.float32(1e30)]
Y = np.array([1, 0, 1, 1, 0, 1, 1, 1])
STREAM = Stream(np.zeros((8, 1)), Y)


@given(st.integers(1, 40), st.integers(0, 50))
def test_a_number_for_all_is_that_number_for_each(n, delay):
    each = label_delay.schedule(n, np.full(n, delay))
    for same in (delay, float(delay), np.uint8(delay), [float(delay)] * n):
        for one, other in zip(label_delay.schedule(n, same), each, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("never", NEVER, ids=repr)
def test_a_label_that_never_arrives_is_never_learned(never):
    order, after = label_delay.schedule(8, never)
    assert (order.tolist(), after.tolist()) == (list(range(8)), [0] * 8)
    for waits in ([never] * 8, [never, *[0] * 7]):
        order, after = label_delay.schedule(8, waits)
        assert sorted(order) == list(range(8))
        assert after.tolist() == ([0] * 8 if waits[1] else list(range(8)))
        assert waits[1] or order[-1] == 0
    assert prequential(NoChange(), STREAM, delay=never).y_pred.tolist() == [0] * 8
    assert prequential(Majority(), STREAM, delay=[never] * 8).y_pred.tolist() == [0] * 8


def test_kappa_temporal_is_undefined_if_labels_never_arrive():
    for never in (8, 2**63, 2**70):
        assert np.isnan(kappa_temporal(Y, Y, delay=never))
        assert np.isnan(kappa_temporal(Y, Y, alpha=0.9, delay=never)).all()


@second_opinion("brute force", "streams.delay_by_time")
@given(
    st.lists(st.floats(0, 20), min_size=1, max_size=40).map(sorted), st.sampled_from([0, 1, 2.5])
)
def test_delays_by_time_agree_with_counting(times, wait):
    """Label i is known when j is predicted if times[i] + wait <= times[j]."""
    _, after = label_delay.schedule(len(times), label_delay.delay_by_time(times, wait))
    for j in range(1, len(times)):
        known = sum(times[i] + wait <= times[j] for i in range(j))
        assert after[j - 1] == known


def test_an_endless_wait_means_never():
    assert (label_delay.delay_by_time([0, 1e308], 1.7e308) >= [1, 0]).all()
    assert not label_delay.schedule(3, label_delay.delay_by_time([0, 1, 2], 1e300))[1][:-1].any()
    assert label_delay.random_delay(5, 1e300).min() > 10**15


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: label_delay.schedule(0), "n must be a whole number >= 1; got 0"),
        (lambda: label_delay.schedule(10**9), "n must be at most 100000000; got 1000000000"),
        (lambda: label_delay.schedule(3, -np.inf), "delay must be a whole number >= 0; got -inf"),
        (lambda: label_delay.schedule(3, np.nan), "delay must be a whole number >= 0; got nan"),
        (lambda: label_delay.schedule(3, True), "delay must be a whole number >= 0; got True"),
        (lambda: label_delay.schedule(3, "1"), "delay must be a whole number >= 0; got '1'"),
        (lambda: label_delay.schedule(3, [1, [2], 3]), "delay must be a whole number >= 0; got"),
        (lambda: label_delay.schedule(2, [1, 2**70, 3]), "delay must be .*, or 2 of them; got"),
        (lambda: label_delay.schedule(2, [None, 2**70]), "delay must be .*, or 2 of them; got"),
        (lambda: label_delay.schedule(2, [-(2**70), 1]), "delay must be .*, or 2 of them; got"),
        (lambda: label_delay.schedule(2, ["a", "b"]), "delay must be .*, or 2 of them; got"),
        (lambda: label_delay.random_delay(10**12, 1), "n must be at most 100000000; got"),
        (lambda: label_delay.random_delay(3, np.inf), "mean must be finite and >= 0; got inf"),
        (
            lambda: label_delay.delay_by_time([0, 2, 1], 1),
            "times must be finite .*; got 1.0 at index 2",
        ),
        (lambda: label_delay.delay_by_time([0, np.nan], 1), "times must be .*; got nan at index 1"),
        (lambda: label_delay.delay_by_time("abc", 1), "times must hold numbers; got"),
        (lambda: label_delay.delay_by_time([0], -1), "wait must be finite and >= 0; got -1"),
    ],
)
def test_wrong_delays_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
