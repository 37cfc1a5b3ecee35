"""Tests for repeats on one stream: against scipy, and by the law of the model they assume."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy.stats import kstest, ttest_1samp

from repro.permutations import (
    block_errors,
    block_test,
    crossed_test,
    interleaved_parts,
    paired_test,
    speed_permutation,
)

TABLE = np.random.default_rng(4).normal(0.1, 1, size=(7, 11))
EVERY_TEST = pytest.mark.parametrize("test", [paired_test, block_test, crossed_test])


def drawn(rng, repeats, blocks, deviations):
    """Differences of mean 0 under the crossed model with these sds of a, b and e."""
    a, b, e = (
        s * rng.normal(size=size)
        for s, size in zip(deviations, ((repeats, 1), (1, blocks), (repeats, blocks)), strict=True)
    )
    return a + b + e


# --- errors by block


@second_opinion("brute force", "permutations.block_errors")
def test_losses_go_back_to_their_blocks():
    loss = np.random.default_rng(0).random(50)
    for seed in range(5):
        order = speed_permutation(50, seed=seed)
        expected = loss.reshape(5, 10).mean(axis=1)
        np.testing.assert_allclose(block_errors(loss[order], order, blocks=5), expected)


def test_lengths_of_blocks_differ_by_at_most_one():
    """With distinct powers of two as losses the sums name their members."""
    for n in range(1, 12):
        for blocks in range(1, n + 1):
            member = [block_errors(np.eye(n)[i], range(n), blocks) > 0 for i in range(n)]
            sizes = np.sum(member, axis=0)
            assert sizes.sum() == n
            assert np.ptp(sizes) <= 1
            assert (np.diff(np.argmax(member, axis=1)) >= 0).all()


def test_a_part_of_a_stream_fills_the_blocks_of_the_whole():
    assert block_errors([1.0, 0.0, 0.5], [7, 0, 1], blocks=2, n=8).tolist() == [0.25, 1.0]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ([0, 0], "order must hold no position twice; got 0 twice"),
        ([0], "order must have one position per loss, 2; got 1"),
        *(
            (wrong, r"order must hold integers of 0\.\.1; got")
            for wrong in ([0, 2], [-1, 0], [0.0, 1.0], [True, False], [[0, 1]], [], "ab", None)
        ),
    ],
)
def test_a_wrong_order_is_refused(order, message):
    with pytest.raises(ValueError, match=message):
        block_errors([0.5, 0.5], order, blocks=1)


def test_blocks_without_examples_are_refused():
    with pytest.raises(ValueError, match="blocks must be at most 2; got 3"):
        block_errors([0.5, 0.5], [0, 1], blocks=3)
    with pytest.raises(
        ValueError, match="blocks must hold an example of the run each; got none in"
    ):
        block_errors([0.5, 0.5], [0, 1], blocks=2, n=4)


# --- the tests


@second_opinion("scipy", "permutations.block_test permutations.paired_test")
def test_paired_and_block_test_are_students_test_of_the_rows_and_of_the_columns():
    for test, axis in ((paired_test, 1), (block_test, 0)):
        result, expected = test(TABLE), ttest_1samp(TABLE.mean(axis=axis), 0)
        assert result.p_value == pytest.approx(expected.pvalue)
        assert result.df == expected.df
        assert result.difference / result.standard_error == pytest.approx(expected.statistic)


def test_the_crossed_test_is_the_block_test_unless_permutations_have_effects():
    balanced = TABLE - TABLE.mean(axis=1, keepdims=True)
    assert crossed_test(balanced) == pytest.approx(block_test(balanced))


@pytest.mark.parametrize("shape", [(2, 2), (3, 4), (5, 7), (10, 10)])
@pytest.mark.parametrize("test", [paired_test, block_test, crossed_test])
def test_equal_differences_have_no_test(test, shape):
    """Rounding would leave a spread, and with it a p-value of 1e-33."""
    result = test(np.full(shape, 0.1))
    assert result.difference == pytest.approx(0.1)
    assert result.standard_error == 0
    assert np.isnan(result.p_value)


@second_opinion("closed form", "permutations.crossed_test")
def test_the_crossed_test_is_the_corrected_resampled_test_with_its_estimated_correlation():
    """Nadeau and Bengio: variance s^2 (1 / R + rho / (1 - rho)), s^2 over repeats."""
    table = TABLE + 2 * np.arange(7)[:, np.newaxis]
    repeats, blocks = table.shape
    rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    of_rest = (rest**2).sum() / ((repeats - 1) * (blocks - 1))
    shared = (table.mean(axis=0).var(ddof=1) - of_rest / repeats) / blocks  # covariance of repeats
    s2 = table.mean(axis=1).var(ddof=1)
    rho = shared / (shared + s2)
    expected = s2 * (1 / repeats + rho / (1 - rho))
    assert crossed_test(table).standard_error ** 2 == pytest.approx(expected)


@pytest.mark.parametrize("deviations", [(0.5, 1, 1), (1, 1, 0.5), (3, 0.2, 1)])
def test_the_variance_of_the_crossed_test_is_that_of_the_mean(deviations):
    """Where the effect of permutations is far from 0, its truncation at 0 does not matter."""
    a, b, e = deviations
    rng = np.random.default_rng(1)
    squares = [
        crossed_test(drawn(rng, 20, 20, deviations)).standard_error ** 2 for _ in range(2000)
    ]
    expected = a**2 / 20 + b**2 / 20 + e**2 / 400
    assert np.mean(squares) == pytest.approx(expected, rel=4 * np.std(squares) / expected / 44)


@second_opinion(
    "simulation",
    "permutations.block_test permutations.crossed_test permutations.paired_test",
)
@pytest.mark.parametrize(
    ("test", "deviations"),
    [
        (paired_test, (1, 0, 1)),
        (block_test, (0, 1, 1)),
        (crossed_test, (2, 2, 1)),
        (crossed_test, (1, 3, 0.5)),
    ],
)
def test_p_values_are_uniform_where_the_model_holds(test, deviations):
    rng = np.random.default_rng(2)
    p_values = [test(drawn(rng, 10, 12, deviations)).p_value for _ in range(2000)]
    assert kstest(p_values, "uniform").statistic < 1.95 / np.sqrt(2000)  # level .001


def test_the_paired_test_fails_where_repeats_share_their_blocks():
    rng = np.random.default_rng(3)
    p_values = np.array([paired_test(drawn(rng, 10, 12, (0, 1, 0.5))).p_value for _ in range(400)])
    assert (p_values < 0.05).mean() > 0.5


@EVERY_TEST
def test_signs_and_units_of_the_differences(test):
    result, mirrored = test(TABLE), test(-100 * TABLE)
    assert mirrored.difference == pytest.approx(-100 * result.difference)
    assert mirrored.standard_error == pytest.approx(100 * result.standard_error)
    assert mirrored[2:] == pytest.approx(result[2:])


@EVERY_TEST
def test_equal_predictions_have_no_p_value(test):
    result = test(np.zeros((4, 5)))
    assert result[:2] == (0, 0)
    assert np.isnan(result.p_value)


@pytest.mark.parametrize(
    ("test", "differences", "message"),
    [
        (paired_test, [[0.1, 0.2]], "differences must have at least 2 repeats; got 1"),
        (block_test, [[0.1], [0.2]], "differences must have at least 2 blocks; got 1"),
        (crossed_test, [[0.1, 0.2]], "differences must have at least 2 repeats; got 1"),
        (crossed_test, [[0.1], [0.2]], "differences must have at least 2 blocks; got 1"),
        (block_test, [0.1, 0.2], r"differences must have shape \(n, d\) with n, d >= 1; got"),
        (crossed_test, [[1e99, 0], [0, 0]], "differences must be at most 1e.60 in size; got 1e.99"),
        (block_test, [[0.1, np.nan]], "differences must be finite; got nan in row 0, column 1"),
    ],
)
def test_wrong_differences_are_refused(test, differences, message):
    with pytest.raises(ValueError, match=message):
        test(differences)


def test_a_single_run_has_a_block_test():
    assert block_test(TABLE[:1]).p_value == pytest.approx(ttest_1samp(TABLE[0], 0).pvalue)


# --- parts


@second_opinion("stated rule", "permutations.interleaved_parts")
@pytest.mark.parametrize(("n", "parts"), [(1, 1), (7, 2), (20, 5), (23, 5), (23, 23)])
def test_each_part_has_one_of_every_group_of_positions(n, parts):
    dealt = interleaved_parts(n, parts, seed=3)
    assert len(dealt) == parts
    assert sorted(np.concatenate(dealt)) == list(range(n))
    for part in dealt:
        assert (np.diff(part) > 0).all()
        groups = (part // parts).tolist()
        assert groups in (list(range(n // parts)), list(range(-(-n // parts))))


@second_opinion("enumeration", "permutations.interleaved_parts")
def test_all_ways_to_deal_are_equally_likely():
    """Three positions to three parts: six ways."""
    ways = [tuple(int(p[0]) for p in interleaved_parts(3, 3, seed)) for seed in range(600)]
    counts = np.unique(ways, axis=0, return_counts=True)[1]
    assert counts.size == 6
    assert abs(counts - 100).max() < 4 * np.sqrt(600 * 5 / 36)


def test_more_parts_than_examples_are_refused():
    with pytest.raises(ValueError, match="parts must be at most 3; got 4"):
        interleaved_parts(3, 4)
