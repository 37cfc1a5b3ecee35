"""Rejection rates: type-I error and power by their definition."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy.stats import nct, t

from repro.permutations import DifferenceTest, block_test, paired_test, rejection_rates


@second_opinion("closed form", "permutations.rejection_rates")
def test_a_right_test_rejects_at_its_level_and_with_the_power_of_students_test():
    rng = np.random.default_rng(5)
    for shift in (0.0, 0.8):
        draws = rng.normal(shift, 1, size=(2000, 1, 12))
        row = rejection_rates(draws, {"block": block_test}, level=0.1).loc["block"]
        critical, centre = t.ppf(0.95, 11), shift * np.sqrt(12)
        power = nct.sf(critical, 11, centre) + nct.cdf(-critical, 11, centre)
        assert row["rejected"] == pytest.approx(power, abs=4 * np.sqrt(power * (1 - power) / 2000))
        assert row["variance_ratio"] == pytest.approx(1, abs=0.15)
        assert row["difference"] == pytest.approx(shift, abs=0.03)


def test_the_numbers_of_three_draws():
    answers = iter([(1.0, 0.5, 0.01), (2.0, 0.5, 0.04), (3.0, 2.0, np.nan)])

    def test(_):
        difference, error, p_value = next(answers)
        return DifferenceTest(difference, error, 1.0, p_value)

    row = rejection_rates(np.zeros((3, 1, 1)), {"own": test}, level=0.02).loc["own"]
    assert row[["difference", "sd"]].tolist() == pytest.approx([2, 1])
    assert row["standard_error"] == pytest.approx(np.sqrt((0.25 + 0.25 + 4) / 3))
    assert row["variance_ratio"] == pytest.approx(1.5)
    assert row["rejected"] == pytest.approx(1 / 3)
    assert row["rejected_standard_error"] == pytest.approx(np.sqrt(2 / 27))


def test_the_paired_test_is_wrong_for_repeats_that_share_their_examples():
    rng = np.random.default_rng(6)
    draws = rng.normal(size=(300, 1, 10)) + 0.1 * rng.normal(size=(300, 10, 10))
    rates = rejection_rates(draws)
    assert list(rates.index) == ["paired", "block", "crossed"]
    assert rates.loc["paired", "rejected"] > 0.7
    assert rates.loc["paired", "variance_ratio"] < 0.05
    assert (rates.loc[["block", "crossed"], "rejected"] < 0.1).all()


def test_draws_that_are_all_equal_have_no_variance_ratio():
    assert np.isnan(rejection_rates(np.zeros((3, 2, 2))).loc["paired", "variance_ratio"])


def test_wrong_arguments_are_refused():
    rule = r"differences must have shape \(draws, repeats, blocks\) with 2 draws or more; got \(3,"
    with pytest.raises(ValueError, match=rule):
        rejection_rates([0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\); got 1"):
        rejection_rates(np.zeros((2, 2, 2)), level=1)
    with pytest.raises(TypeError, match="tests must map names to functions; got 3"):
        rejection_rates(np.zeros((2, 2, 2)), {"a": 3})
    with pytest.raises(ValueError, match="differences must be finite"):
        rejection_rates(np.full((2, 2, 2), np.nan), {"paired": paired_test})
