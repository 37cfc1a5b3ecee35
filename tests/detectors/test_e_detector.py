"""The e-detector against its definition, and its promise on losses without a change."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion

from repro.detectors import EDetector, e_detector
from repro.seeds import generator

SHARES = 0.01 * 2.0 ** np.arange(7)


def sum_of_products(x, rate):
    """The sum over all starts of the product of bets since then, a mean over the shares."""
    factors = 1 + SHARES[:, None] / rate * (np.asarray(x) - rate)
    return np.array(
        [
            sum(factors[:, j : t + 1].prod(axis=1).mean() for j in range(t + 1))
            for t in range(len(x))
        ]
    )


@second_opinion("brute force", "detectors.EDetector")
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.9])
def test_the_statistic_is_the_sum_of_all_bets_that_were_ever_begun(rate):
    x = generator(1, "e-detector", str(rate)).random(40)
    found = EDetector(rate, run_length=1e300).statistics(x)
    np.testing.assert_allclose(found, sum_of_products(x, rate), rtol=1e-12)


@second_opinion("brute force", "detectors.e_detector")
def test_it_alarms_where_the_statistic_reaches_the_run_length_and_begins_anew():
    x = np.repeat([0.0, 1.0], [50, 60])
    first = int(np.argmax(sum_of_products(x, 0.2) >= 100))
    again = first + 1 + int(np.argmax(sum_of_products(x[first + 1 :], 0.2) >= 100))
    assert e_detector(x, 0.2, 100)[:2].tolist() == [first, again]


def drifting(rng, n):
    """The mean given the past is .1 at each time; the size of an error is .3, then .1, ..."""
    size = np.where(np.arange(n) // 100 % 2, 0.1, 0.3)
    return size * (rng.random(n) < 0.1 / size)


def after_the_past(rng, n):
    """The variance depends on the value before, the mean .1 does not."""
    x, u = np.zeros(n), rng.random(n)
    for i in range(1, n):
        x[i] = float(u[i] < 0.1) if x[i - 1] < 0.05 else 0.1
    return x


@second_opinion("simulation", "detectors.EDetector")
@pytest.mark.parametrize("draw", [lambda rng, n: rng.random(n) < 0.1, drifting, after_the_past])
def test_the_promised_run_length_is_kept(draw):
    promised, n = 200, 5_000
    rng = generator(2, "promise", getattr(draw, "__name__", ""))
    firsts = [EDetector(0.1, promised).alarms(draw(rng, n))[:1] for _ in range(400)]
    waited = np.array([a[0] + 1 if a.size else n for a in firsts])
    assert waited.mean() + 3 * waited.std() / 20 > promised
    assert waited.mean() < 3 * promised  # and it is not kept by never alarming


def test_a_learned_rate_is_the_empirical_bernstein_bound():
    x = generator(3, "warm-up").random(60)
    detector = EDetector(warm_up=50, risk=0.1, run_length=1e300)
    log, part = np.log(2 / 0.1), x[:50]
    rate = part.mean() + np.sqrt(2 * part.var(ddof=1) * log / 50) + 7 * log / (3 * 49)
    online = detector.online()
    for value in x[:49]:
        online.update(value)
    assert np.isnan(online.rate)
    for value in x[49:]:
        online.update(value)
    assert online.rate == pytest.approx(min(rate, 1.0))
    found = detector.statistics(x)
    assert (found[:50] == 0).all()
    np.testing.assert_allclose(found[50:], sum_of_products(x[50:], min(rate, 1.0)))


def test_a_learned_rate_lets_small_rises_pass_and_finds_large_ones():
    rng = generator(4, "rise")
    before = rng.random(3000) < 0.1
    assert EDetector().alarms(before).size == 0
    for after, found in ((0.11, False), (0.4, True)):
        alarms = EDetector().alarms(np.append(before, rng.random(500) < after))
        assert (alarms.size > 0) is found


def test_constant_losses_and_values_outside_the_unit_interval():
    assert EDetector().alarms(np.zeros(2000)).size == 0
    assert EDetector().alarms(np.ones(2000)).size == 0  # the learned rate is 1: nothing is above it
    wild = EDetector(0.1).statistics([1e308, -1e308, 1e308])
    assert not np.isnan(wild).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rate": 0.0}, r"rate must lie in \(0, 1\); got 0.0"),
        ({"rate": 1}, r"rate must lie in \(0, 1\); got 1"),
        ({"risk": 1.0}, r"risk must lie in \(0, 1\); got 1.0"),
        ({"run_length": 0.5}, "run_length must be finite and >= 1; got 0.5"),
        ({"warm_up": 1}, "warm_up must be .* 2.*; got 1"),
    ],
)
def test_settings_out_of_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        EDetector(**arguments)
