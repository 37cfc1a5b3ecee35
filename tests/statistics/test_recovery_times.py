"""The time until losses are back after a drift: known curves, and the level of what is said."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion

from repro.statistics import recovery_time

N, AT = 8000, 4000
T = np.arange(N - AT)
CURVES = {
    "step": (np.where(T < 180, 0.4, 0.0), 180),
    "short step": (np.where(T < 70, 0.3, 0.0), 70),
    "decay": (0.3 * np.exp(-T / 100), 100 * np.log(0.3 / 0.02)),
}


def losses(curve, rng, draws=10, base=0.1):
    rates = np.r_[np.full(AT, base), base + curve]
    return (rng.random((draws, N)) < rates).astype(float)


@second_opinion("simulation", "statistics.recovery_time")
@pytest.mark.parametrize("name", CURVES)
def test_the_time_lies_in_its_interval_in_nine_of_ten_cases(name):
    curve, truth = CURVES[name]
    inside, times = 0, []
    for seed in range(60):
        rng = np.random.default_rng([seed, 1])
        found = recovery_time(losses(curve, rng), AT, rng)
        inside += found.low <= truth <= found.high
        times.append(found.examples)
        assert found.rises()
    assert inside >= 60 * 0.95 - 3 * (60 * 0.95 * 0.05) ** 0.5
    assert np.median(times) == pytest.approx(truth, rel=0.15)


def test_losses_that_do_not_rise_are_said_to_as_rarely_as_promised():
    said = 0
    for seed in range(200):
        rng = np.random.default_rng([seed, 2])
        said += recovery_time(losses(0 * T, rng, draws=5), AT, rng).rises()
    assert said <= 200 * 0.05 + 2 * (200 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize(("left", "says"), [(0.0, "yes"), (0.05, "no"), (0.02, "cannot tell")])
def test_what_is_left_at_the_end_decides_whether_it_is_back(left, says):
    curve = np.where(T < 200, 0.3, left)
    rng = np.random.default_rng(3)
    found = recovery_time(losses(curve, rng, draws=20), AT, rng)
    assert found.returns(0.02) == says


@second_opinion("known truth", "statistics.recovery_time")
def test_exact_losses_give_exact_numbers():
    exact = np.zeros((6, 1000))
    exact[:, 500:600] = 1.0
    found = recovery_time(exact, 500, np.random.default_rng(0), margin=0.01)
    assert found.rise.value == 1.0
    assert found.scale in (30, 100)
    assert found.left.value == 0.0
    assert 600 - 500 <= found.examples <= 103  # a bin of two per cent
    never = np.zeros((6, 1000))
    never[:, 500:] = 1.0
    assert np.isinf(recovery_time(never, 500, np.random.default_rng(0)).examples)


def test_the_old_concept_before_the_start_does_not_count():
    mixed = np.zeros((5, 900))
    mixed[:, :300] = 1.0
    found = recovery_time(mixed, 600, np.random.default_rng(0), start=300)
    assert found.rise.value == 0.0


def test_one_draw_has_no_p_value_and_few_draws_no_interval():
    one = recovery_time(np.zeros((1, 100)), 50, np.random.default_rng(0))
    assert np.isnan(one.p_value)
    assert one.returns(0.02) == "cannot tell"
    four = recovery_time(np.zeros((4, 100)), 50, np.random.default_rng(0))
    assert np.isnan([four.low, four.high]).all()


@pytest.mark.parametrize(
    ("excess", "options", "rule"),
    [
        ([0.0, 1.0], {}, "shape"),
        ([[0.0, np.nan]], {}, "at most 1e"),
        (np.full((2, 10), 1e308), {}, "at most 1e"),
        (np.zeros((2, 10)), {"at": 10}, "at must"),
        (np.zeros((2, 10)), {"start": 5}, "start must"),
        (np.zeros((2, 10)), {"stop": 11}, "stop must"),
        (np.zeros((2, 10)), {"margin": -1}, "margin must"),
        (np.zeros((2, 10)), {"level": 1.0}, "level must"),
    ],
)
def test_wrong_arguments_are_named(excess, options, rule):
    at = options.pop("at", 5)
    with pytest.raises(ValueError, match=rule):
        recovery_time(excess, at, np.random.default_rng(0), **options)
