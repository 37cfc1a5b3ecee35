"""Tests of changes under dependence: plain loops, least squares, and streams with known drifts."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from test_dependence import autoregression

from repro import seeds, streams
from repro.learners import NaiveBayes
from repro.statistics import changed_columns, cut_blocks, drift_test, mean_changes
from repro.statistics.changes import find_changes, scores_of_losses, scores_of_means
from repro.statistics.drift import cross_losses, extra_error
from repro.statistics.estimates import LEVEL
from repro.streams import SEA, LabelChain, Stream, sudden


def test_the_scores_of_means_are_the_cusums_of_a_plain_loop():
    rng = seeds.generator(3, "test")
    means = rng.normal(size=(9, 2))
    z = (means - means.mean(axis=0)) / means.std(axis=0)
    expected = [
        max(abs(z[:s, j].sum()) / np.sqrt(s * (9 - s) / 9) for j in (0, 1)) for s in range(2, 8)
    ]
    np.testing.assert_allclose(scores_of_means(means)(np.arange(9)[np.newaxis])[0], expected)


def test_the_scores_of_losses_are_those_of_least_squares():
    """Row and column effects fitted off the diagonal with numpy, then means of pairs in a loop."""
    rng, m = seeds.generator(4, "test"), 7
    losses = rng.random((m, m))
    pairs = [(b, c) for b in range(m) for c in range(m) if b != c]
    design = np.zeros((len(pairs), 2 * m))
    for i, (b, c) in enumerate(pairs):
        design[i, b] = design[i, m + c] = 1
    values = np.array([losses[pair] for pair in pairs])
    left = dict(zip(pairs, values - design @ np.linalg.lstsq(design, values)[0], strict=True))
    for s, score in zip(range(2, 6), scores_of_losses(losses)(np.arange(m)[None])[0], strict=True):
        apart = [left[b, c] for b, c in pairs if (b < s) != (c < s)]
        same = [left[b, c] for b, c in pairs if (b < s) == (c < s)]
        expected = (np.mean(apart) - np.mean(same)) * np.sqrt(s * (m - s) / m)
        assert score == pytest.approx(expected, abs=1e-12)


def test_two_jumps_of_a_mean_are_found_where_they_are():
    rng = seeds.generator(5, "test")
    means = rng.normal(size=(30, 1)) + np.repeat([0, 8, 16], 10)[:, np.newaxis]
    found = find_changes(scores_of_means(means), 30, rng, level=0.05)
    assert found.blocks == (10, 20)
    assert found.p_value == 1 / 1000


def test_only_the_column_that_jumps_is_named():
    rng = seeds.generator(6, "test")
    means = rng.normal(size=(30, 5))
    means[15:, 3] += 6
    assert np.flatnonzero(changed_columns(means, rng) <= 0.05).tolist() == [3]


def test_extra_error_is_the_difference_between_models_of_both_sides():
    losses = np.full((6, 6), 0.1)
    losses[:3, 3:] = losses[3:, :3] = 0.4
    cost, error, _ = extra_error(losses, 0, 3, 6)
    assert cost == pytest.approx(0.3)
    assert error == pytest.approx(0, abs=1e-12)


def test_cross_losses_are_those_of_models_that_learned_one_block():
    stream = SEA(n=400).sample(seed=1)
    blocks = cut_blocks(400, memory=1.0)
    losses = cross_losses(stream, [0, 1, 2], blocks)
    both = np.r_[blocks.starts[2] : blocks.stops[2], blocks.starts[5] : blocks.stops[5]]
    online = NaiveBayes().online(stream.schema)
    for i in both[:50]:
        online.learn_one(stream.X[i], stream.y[i])
    wrong = [online.predict_one(stream.X[i]) != stream.y[i] for i in both[50:]]
    assert losses[2, 5] == pytest.approx(np.mean(wrong))


# --- the test of drift


@pytest.mark.parametrize("phi", [0.9, 0.99])
def test_slow_attributes_that_say_nothing_are_not_taken_for_drift(phi):
    chain = LabelChain.two_classes(0.6, 0.8, distance=1.5, n=4000)
    rng, wrong = seeds.generator(7, "test"), 0
    for seed in range(100):
        drawn = chain.sample(seed)
        X = np.column_stack([drawn.X, autoregression(phi, 4000, rng)])
        drift = drift_test(Stream(X, drawn.y), rng, orders=199)
        wrong += any(aspect.found for aspect in drift.aspects.values())
    assert wrong <= 100 * (LEVEL + 2 * (LEVEL * (1 - LEVEL) / 100) ** 0.5)


@pytest.mark.parametrize("seed", range(5))
def test_a_sudden_drift_of_the_concept_is_found_where_it_is(seed):
    drawn = sudden(SEA(7.0), SEA(9.5), at=5000, n=10_000).sample(seed)
    drift = drift_test(drawn, seeds.generator(seed, "test"))
    assert [p for p in drift.concept.positions if abs(p - 5000) <= 250]
    assert not drift.attributes.found


@pytest.mark.parametrize("name", ["NSGR", "NSLC", "NSPC-A", "NSCX"])
def test_drift_of_the_testbed_is_found(name):
    drift = drift_test(streams.TESTBED[name].sample(0), seeds.generator(0, "test"))
    assert drift.concept.p_value <= 0.05


def test_a_change_of_the_concept_alone_is_told_from_one_of_the_labels():
    """The two classes exchange their attributes; their shares and those of x stay 1/2."""
    rng = seeds.generator(11, "test")
    y = rng.integers(0, 2, 6000)
    side = np.where(np.arange(6000) < 3000, y, 1 - y)
    drift = drift_test(Stream((side + rng.normal(size=6000))[:, None], y), rng)
    assert drift.concept.positions == (3000,)
    assert not drift.labels.found
    assert not drift.attributes.found


def test_too_few_blocks_are_said_to_tell_nothing():
    chain = LabelChain.two_classes(0.5, 0.995, n=1000)
    drift = drift_test(chain.sample(0), seeds.generator(0, "test"))
    assert all(np.isnan(aspect.p_value) for aspect in drift.aspects.values())


def test_the_p_value_is_the_share_of_all_orders_that_are_as_extreme():
    """Of four blocks: all 24 orders by enumeration, against many random ones."""
    means = np.array([0.1, 0.4, 2.0, 1.5])[:, None]
    every = np.array(list(permutations(range(4))))
    tops = scores_of_means(means)(every).max(axis=1)
    share = np.mean(tops >= tops[0] - 1e-12)
    found = mean_changes(means, seeds.generator(12, "test"), orders=20_000).p_value
    assert found == pytest.approx(share, abs=0.01)


def test_one_column_is_a_vector():
    rng = seeds.generator(13, "test")
    means = rng.normal(size=12)
    one, other = (mean_changes(m, seeds.generator(1, "test")) for m in (means, means[:, None]))
    assert one == other


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda rng: mean_changes([1.0, 2.0, 3.0], rng), "means must have at least 4 blocks"),
        (lambda rng: mean_changes([0.0] * 9, rng, level=1.5), "level must lie in"),
        (lambda rng: changed_columns([0.0] * 9, rng, 0), "orders must be"),
        (lambda rng: drift_test(SEA(n=99).sample(0), rng, period=-1), "period must be"),
    ],
)
def test_wrong_arguments_are_named(call, match):
    with pytest.raises(ValueError, match=match):
        call(seeds.generator(0, "test"))


def test_a_table_is_no_stream():
    with pytest.raises(TypeError, match="stream must be"):
        drift_test([[0.0]], seeds.generator(0, "test"))
