"""Estimates along one stream, computed again by plain loops over its blocks."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion
from scipy.stats import t as student

from repro import seeds
from repro.metrics import batch_means, block_length, block_standard_error, default_block
from repro.statistics import compare_groups, error_changes, estimate_along


def losses(n, seed):
    """Losses that stay the same for some examples, and a group for each."""
    rng = seeds.generator(seed, "series")
    return np.repeat(rng.random(n // 5) < 0.3, 5) * 1.0, rng.integers(0, 3, n)


@second_opinion("brute force", "statistics.estimate_along metrics.block_standard_error")
@pytest.mark.parametrize(("n", "block"), [(100, 10), (105, 10), (60, 60), (60, 99), (50, 1)])
def test_an_estimate_along_a_stream_has_the_error_of_its_blocks(n, block):
    loss, _ = losses(n, 0)
    influence = loss - loss.mean()
    blocks = [influence[i : i + block] for i in range(0, n, block)]
    expected = sum(sum(b) ** 2 for b in blocks) ** 0.5 / n
    estimate = estimate_along(loss.mean(), influence, block)
    np.testing.assert_allclose(estimate.standard_error, expected, rtol=1e-12, atol=1e-15)
    assert (estimate.value, estimate.df) == (loss.mean(), len(blocks) - 1)


@pytest.mark.parametrize("unit", [1e300, 1e-300, 2.0**-40])
def test_the_error_of_blocks_does_not_depend_on_the_unit(unit):
    loss, _ = losses(100, 1)
    plain = block_standard_error(loss - loss.mean(), 7)
    scaled = block_standard_error((loss - loss.mean()) * unit, 7)
    np.testing.assert_allclose(scaled / unit, plain, rtol=1e-12)
    assert block_standard_error(np.zeros(9), 2) == 0


@second_opinion("brute force", "metrics.default_block")
def test_a_default_block_is_the_best_one_within_its_bounds():
    for n in (9, 40, 90, 400):
        loss, _ = losses(5 * n, n)
        least, most = int((5 * n) ** 0.5), 5 * n // 10
        expected = max(1, min(most, max(block_length(loss), least)))
        assert default_block(loss) == expected
        assert default_block(loss, used=n) == max(1, min(n // 10, max(block_length(loss), least)))
    assert default_block([np.nan, 1.0]) == 1


@second_opinion("brute force", "metrics.batch_means")
@pytest.mark.parametrize(("n", "batches"), [(20, 20), (47, 5), (100, 7)])
def test_batch_means_are_those_of_equal_stretches(n, batches):
    x = seeds.generator(0, "batches").random((n, 2))
    longer = n % batches  # the first stretches have one example more
    start, expected = 0, []
    for i in range(batches):
        stop = start + n // batches + (i < longer)
        expected.append([sum(column) / (stop - start) for column in x[start:stop].T])
        start = stop
    np.testing.assert_allclose(batch_means(x, batches), expected, rtol=1e-12)
    np.testing.assert_allclose(batch_means(x[:, 0], batches), np.array(expected)[:, 0], rtol=1e-12)


@second_opinion("brute force", "statistics.compare_groups")
@pytest.mark.parametrize(("n", "block"), [(200, 10), (203, 7)])
def test_groups_are_compared_by_the_sums_of_their_blocks(n, block):
    loss, groups = losses(5 * n // 5, 2)
    groups = groups[: loss.size]
    frame = compare_groups(loss, groups, block)
    n, ps = loss.size, []
    for g in range(3):
        inside = groups == g
        mean, rest = loss[inside].mean(), loss[~inside].mean()
        parts = []
        for i in range(0, n, block):
            total = 0.0
            for t in range(i, min(n, i + block)):
                if inside[t]:
                    total += (loss[t] - mean) / inside.sum()
                else:
                    total -= (loss[t] - rest) / (n - inside.sum())
            parts.append(total)
        held = B = sum(inside[i : i + block].any() for i in range(0, n, block))
        error = (B / (B - 1) * sum(part**2 for part in parts)) ** 0.5
        variance = sum((x - loss.mean()) ** 2 for x in loss) / n
        error = max(error, (variance * (1 / inside.sum() + 1 / (~inside).sum())) ** 0.5)
        row = frame.loc[g]
        assert (row["n"], row["blocks"]) == (inside.sum(), held)
        numbers = ["mean", "rest", "difference", "difference_standard_error"]
        np.testing.assert_allclose(
            row[numbers].astype(float), [mean, rest, mean - rest, error], rtol=1e-9
        )
        ps.append(2 * student.sf(abs(mean - rest) / error, held - 1))
    order, worst, holm = np.argsort(ps), 0.0, [0.0] * 3
    for k, g in enumerate(order):
        worst = max(worst, min(1.0, (3 - k) * ps[g]))
        holm[g] = worst
    np.testing.assert_allclose(frame["p_value"], holm, rtol=1e-9)


@pytest.mark.parametrize("error", [0.01, 0.05])
@pytest.mark.parametrize("n_groups", [2, 20])
def test_a_group_without_errors_is_not_better_if_errors_are_rare(n_groups, error):
    rng, told = seeds.generator(0, "rare"), 0
    for _ in range(100):
        loss = (rng.random(1000) < error) * 1.0
        told += (compare_groups(loss, rng.integers(0, n_groups, 1000))["p_value"] <= 0.05).any()
    assert told <= 11  # of 100 at 5 %; more with a probability of .4 %


@second_opinion("known truth", "statistics.error_changes")
def test_a_change_of_the_error_is_found_where_it_is_and_none_where_there_is_none():
    found = []
    for seed in range(60):
        rng = seeds.generator(seed, "changes")
        loss = (rng.random(3000) < 0.2) * 1.0
        found.append(len(error_changes(loss, rng, orders=200).positions) > 0)
        if seed < 10:
            jump = (rng.random(3000) < np.repeat([0.1, 0.4], [1800, 1200])) * 1.0
            (position,) = error_changes(jump, rng, orders=200).positions
            assert abs(position - 1800) <= 200
    assert sum(found) <= 8  # of 60 at 5 %; more with a probability of .2 %
