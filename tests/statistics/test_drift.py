"""Tests of changes under dependence: plain loops, least squares, and streams with known drifts."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from opinions import second_opinion
from scipy.stats import rankdata
from test_dependence import autoregression

from repro import seeds, streams
from repro.learners import NaiveBayes
from repro.statistics import changed_columns, cut_blocks, drift_test, mean_changes, season
from repro.statistics._change_scores import column_scores, scores_of_losses, scores_of_means
from repro.statistics.changes import find_changes
from repro.statistics.cross_losses import Ranks, best_losses, cross_losses, extra_error
from repro.statistics.estimates import LEVEL
from repro.streams import SEA, LabelChain, Stream, sudden


def windows(m, width):
    """Each split of `m` blocks with the blocks before and after it in a window."""
    return [(range(max(0, s - width), s), range(s, min(m, s + width))) for s in range(2, m - 1)]


def test_the_scores_of_means_are_those_of_a_plain_loop():
    rng = seeds.generator(3, "test")
    means = rng.normal(size=(9, 2))
    z = (means - means.mean(axis=0)) / means.std(axis=0)
    splits, distances = scores_of_means(means)(np.arange(9)[np.newaxis])
    for i, width in enumerate((9, 4, 2)):
        for (before, after), got in zip(windows(9, width), splits[0, i], strict=True):
            root = np.sqrt(len(before) * len(after) / (len(before) + len(after)))
            gap = z[list(before)].mean(axis=0) - z[list(after)].mean(axis=0)
            assert got == pytest.approx(root * np.abs(gap).max())
    expected = [max(abs(np.mean(z[k:, j] * z[:-k, j])) for j in (0, 1)) for k in (1, 2, 4)]
    np.testing.assert_allclose(distances[0], expected)


def test_a_column_has_the_scores_that_it_has_alone():
    rng = seeds.generator(10, "test")
    means, orders = rng.normal(size=(9, 3)), rng.permuted(np.tile(np.arange(9), (5, 1)), axis=1)
    of_splits, of_columns, distances = column_scores(means, orders)
    alone = [column_scores(means[:, [j]], orders) for j in range(3)]
    np.testing.assert_allclose(of_splits, np.max([one[0] for one in alone], axis=0), rtol=1e-12)
    for j, (splits, columns, apart) in enumerate(alone):
        np.testing.assert_allclose(of_columns[:, :, j], splits.max(axis=2), rtol=1e-12)
        np.testing.assert_allclose(of_columns[:, :, j], columns[:, :, 0], rtol=1e-12)
        np.testing.assert_allclose(distances[:, :, j], apart[:, :, 0], rtol=1e-12)


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
    splits, distances = scores_of_losses(losses)(np.arange(m)[np.newaxis])
    for i, width in enumerate((7, 2)):
        for (before, after), score in zip(windows(m, width), splits[0, i], strict=True):
            inside = [pair for pair in pairs if {*pair} <= {*before, *after}]
            apart = [left[b, c] for b, c in inside if (b in before) != (c in before)]
            same = [left[b, c] for b, c in inside if (b in before) == (c in before)]
            root = np.sqrt(len(before) * len(after) / (len(before) + len(after)))
            assert score == pytest.approx(root * (np.mean(apart) - np.mean(same)), abs=1e-12)
    expected = [abs(np.mean([left[b, c] for b, c in pairs if abs(b - c) == k])) for k in (1, 2)]
    np.testing.assert_allclose(distances[0], expected)


def test_two_jumps_of_a_mean_are_found_where_they_are():
    rng = seeds.generator(5, "test")
    means = rng.normal(size=(30, 1)) + np.repeat([0, 8, 16], 10)[:, np.newaxis]
    found = find_changes(scores_of_means(means), 30, rng, level=0.05)
    assert found.blocks == (10, 20)
    assert found.p_value == 1 / 1000
    assert not found.unplaced


@second_opinion("known truth", "statistics.changed_columns")
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


def exclusive_or(seed, n=6000, *, turns=False):
    """The label is the exclusive or of two signs, or its opposite in the second half."""
    X = seeds.generator(seed, "xor").normal(size=(n, 2))
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0)
    return Stream(X, (y ^ (turns and np.arange(n) >= n // 2)).astype(int))


def test_kernel_least_squares_see_attributes_together_and_are_taken_where_they_err_less():
    blocks = cut_blocks(6000, memory=1.0)
    of_xor, of_sea = exclusive_or(1), SEA(n=6000).sample(seed=1)
    bayes = cross_losses(of_xor, [0, 1], blocks).mean()
    name, losses = best_losses(of_xor, [0, 1], blocks)
    assert (name, best_losses(of_sea, [0, 1, 2], blocks)[0]) == (
        "kernel least squares",
        "naive Bayes",
    )
    assert losses.mean() < 0.1 < 0.4 < bayes


def test_ranks_among_a_column_are_those_of_scipy():
    """Also of numbers that do not stand in it, and of ones below and above all."""
    column = seeds.generator(5, "test").integers(0, 30, 200) / 10
    for numbers in (column, np.array([-1.0, 0.55, 1.2, 9.0])):
        joined = [rankdata([*column, number])[-1] for number in numbers]
        ties = np.array([np.count_nonzero(column == number) for number in numbers])
        below = np.array(joined) - 1 - ties / 2  # the rank of one more has half of its equals below
        np.testing.assert_allclose(Ranks(column).of(numbers), (below + ties / 2) / 200 - 0.5)


def test_the_choice_of_a_learner_ignores_the_order_of_blocks_and_units():
    stream, rng = exclusive_or(2, turns=True), seeds.generator(8, "test")
    blocks = cut_blocks(6000, memory=1.0)
    order = rng.permutation(blocks.n)
    rows = (order[:, None] * blocks.length + np.arange(blocks.length)).reshape(-1)
    name, losses = best_losses(stream, [0, 1], blocks)
    other = Stream(np.exp(stream.X[rows] / 100), stream.y[rows])
    assert best_losses(other, [0, 1], blocks)[0] == name
    again = best_losses(other, [0, 1], blocks)[1]
    np.testing.assert_allclose(again, losses[np.ix_(order, order)], atol=2 / blocks.length)


def test_nominal_attributes_are_seen_together_too():
    rng = seeds.generator(9, "test")
    X = rng.integers(0, 2, (6000, 2))
    stream = Stream(X.astype(float), X[:, 0] ^ X[:, 1], np.array([2, 2]))
    name, losses = best_losses(stream, [0, 1], cut_blocks(6000, memory=1.0))
    assert (name, losses.max()) == ("kernel least squares", 0)


# --- the test of drift


@pytest.mark.parametrize("seed", range(5))
def test_a_concept_of_two_attributes_together_is_seen_to_turn(seed):
    drift = drift_test(exclusive_or(seed, turns=True), seeds.generator(seed, "test"))
    assert drift.learner == "kernel least squares"
    assert [p for p in drift.concept.positions if abs(p - 3000) <= 300]
    assert not drift.labels.found


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


def clocks(kind, rng, n=4800):
    """Labels that are coin flips, noise, and attributes that follow a clock."""
    t = np.arange(2 * n)
    if kind == "a row of twenty is missing":
        t = t[rng.random(2 * n) > 0.05]
    t = t[:n]
    attributes = {
        "hour and weekday": [t % 24, t // 24 % 7],
        "a row of twenty is missing": [t % 24],
        "moon": [np.sin(2 * np.pi * t / 29.53)],
        "temperature": [3 * np.sin(2 * np.pi * t / 48) + autoregression(0.9, n, rng)],
        "spread": [rng.normal(size=n) * np.where(t % 30 < 15, 1, 3)],
    }[kind]
    X = np.column_stack([*attributes, rng.normal(size=n)]).astype(float)
    return Stream(X, rng.integers(0, 2, n))


CLOCKS = ["hour and weekday", "a row of twenty is missing", "moon", "temperature", "spread"]


@pytest.mark.parametrize("kind", CLOCKS)
def test_an_attribute_that_follows_a_clock_is_not_said_to_drift(kind):
    """At most 5 % of the streams, up to two binomial standard errors."""
    rng, wrong, draws = seeds.generator(12, kind), 0, 60
    for _ in range(draws):
        drift = drift_test(clocks(kind, rng), rng, orders=199)
        assert drift.seasons[0]
        wrong += any(aspect.found for aspect in drift.aspects.values())
    assert wrong <= draws * (LEVEL + 2 * (LEVEL * (1 - LEVEL) / draws) ** 0.5)


@pytest.mark.parametrize("kind", ["a row of twenty is missing", "moon"])
def test_labels_that_follow_a_clock_are_not_said_to_drift(kind):
    """Of 48 labels nearly all follow the clock; it has no whole number of examples."""
    rng, wrong, draws, n = seeds.generator(15, kind), 0, 60, 4800
    for _ in range(draws):
        t = np.arange(2 * n)[rng.random(2 * n) > 0.05 * (kind != "moon")][:n]
        y = (np.sin(2 * np.pi * t / (29.53 if kind == "moon" else 48)) > 0) ^ (rng.random(n) < 0.02)
        stream = Stream(rng.normal(size=(n, 1)), y.astype(int))
        drift = drift_test(stream, rng, period=season(stream.y), orders=199)
        wrong += any(aspect.found for aspect in drift.aspects.values())
    assert wrong <= draws * (LEVEL + 2 * (LEVEL * (1 - LEVEL) / draws) ** 0.5)


def test_a_drift_of_an_attribute_with_a_season_is_found():
    """By half of its standard deviation; the clock beside it stays as it was."""
    rng, late = seeds.generator(13, "test"), np.arange(4800) >= 2400
    t = np.arange(4800)
    warmer = np.sin(2 * np.pi * t / 24) + rng.normal(size=4800) + 0.6 * late
    drift = drift_test(Stream(np.column_stack([warmer, t % 24]), rng.integers(0, 2, 4800)), rng)
    assert drift.attributes.which == (0,)
    assert any(abs(p - 2400) <= 240 for p in drift.attributes.positions)


def test_seasons_of_too_few_turns_leave_an_attribute_untested():
    """Eleven turns cannot be told from a drift that comes and goes."""
    t = np.arange(4400)
    wave = np.sin(2 * np.pi * t / 400)
    rng = seeds.generator(14, "test")
    drift = drift_test(Stream(np.column_stack([wave, rng.normal(size=4400)]), t % 2), rng)
    assert (drift.slow, drift.attributes.found) == ((0,), False)
    again = drift_test(
        Stream(np.column_stack([wave, rng.normal(size=4400)]), t % 2), rng, seasons=[(400,), ()]
    )
    assert (again.slow, again.seasons) == ((0,), ((400,), ()))


def test_the_attribute_and_the_class_that_change_are_named_and_no_other():
    rng, n = seeds.generator(11, "test"), 6000
    late = np.arange(n) >= n // 2
    y = np.where(rng.random(n) < np.where(late, 0.2, 0.5), 2, rng.integers(0, 2, n))
    X = rng.normal(size=(n, 3))
    X[late, 1] += 1
    drift = drift_test(Stream(X, y), rng)
    assert (drift.attributes.which, drift.labels.which) == ((1,), (0, 1, 2))
    calm = drift_test(Stream(X[~late], y[~late]), rng)
    assert (calm.attributes.which, calm.labels.which) == ((), ())


@second_opinion("known truth", "statistics.drift_test")
@pytest.mark.parametrize("seed", range(5))
def test_a_sudden_drift_of_the_concept_is_found_where_it_is(seed):
    drawn = sudden(SEA(7.0), SEA(9.5), at=5000, n=10_000).sample(seed)
    drift = drift_test(drawn, seeds.generator(seed, "test"))
    assert [p for p in drift.concept.positions if abs(p - 5000) <= 250]
    assert not drift.attributes.found


@second_opinion("known truth", "statistics.drift_test")
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


def turns(n, regimes, seed, turn):
    """Two concepts that take turns: `turn` maps the attributes to those that decide the label."""
    rng = np.random.default_rng(seed)
    X, second = rng.normal(size=(n, 2)), np.arange(n) * regimes // n % 2
    y = np.where(second, turn(X), X[:, 0]) + 0.3 * rng.normal(size=n) > 0
    return Stream(X, y.astype(int))


@pytest.mark.parametrize("regimes", [2, 3, 5, 6, 8, 10, 20])
@pytest.mark.parametrize("n", [6000, 30_000])
def test_concepts_that_take_turns_are_found(n, regimes):
    """The boundary turns by a right angle; the attributes and the label shares stay as they are."""
    drifts = [
        drift_test(turns(n, regimes, seed, lambda X: X[:, 1]), seeds.generator(seed, "test"))
        for seed in range(5)
    ]
    assert all(drift.concept.found for drift in drifts)
    if regimes <= 3:
        places = [n * (i + 1) // regimes for i in range(regimes - 1)]
        assert all(np.allclose(drift.concept.positions, places, atol=n // 40) for drift in drifts)
    assert not any(drift.concept.unplaced for drift in drifts if regimes <= 3)


def test_means_that_take_turns_are_found_and_said_to_have_no_place():
    rng = seeds.generator(14, "test")
    means = rng.normal(size=40) + 3.0 * (np.arange(40) // 2 % 2)
    changes = mean_changes(means, rng)
    assert changes.unplaced
    assert changes.p_value <= 0.01


@second_opinion("simulation", "statistics.mean_changes")
@pytest.mark.parametrize("kind", ["independent", "heavy tails", "runs", "groups"])
def test_without_a_drift_one_is_seen_as_rarely_as_the_level_says(kind):
    rng, wrong = seeds.generator(15, "test", kind), 0
    for _ in range(200):
        means = {
            "independent": lambda: rng.normal(size=(30, 2)),
            "heavy tails": lambda: rng.standard_cauchy(size=(30, 2)),
            "runs": lambda: rng.integers(0, 2, size=(30, 3)) / 2.0,  # many ties
            "groups": lambda: np.repeat(rng.normal(size=(30, 1)), 4, axis=1),
        }[kind]()
        changes = mean_changes(means, rng, orders=199)
        wrong += bool(changes.blocks) or changes.unplaced
    assert wrong <= 200 * (LEVEL + 2 * (LEVEL * (1 - LEVEL) / 200) ** 0.5)


def test_a_drift_is_found_where_its_p_value_is_at_most_the_level():
    """The p-value is that of one test times three, as the level is shared by three."""
    y = seeds.generator(1, "test", "level").random(4000) < np.repeat([0.5, 0.55], 2000)
    stream = Stream(np.zeros((4000, 1)), y.astype(int))
    p_value = drift_test(stream, np.random.default_rng(0), orders=199).labels.p_value
    assert 0.01 < p_value < 0.9
    for level, is_found in ((0.99 * p_value, False), (1.01 * p_value, True)):
        drift = drift_test(stream, np.random.default_rng(0), level=level, orders=199)
        assert drift.labels.found == is_found


def test_too_few_blocks_are_said_to_tell_nothing():
    chain = LabelChain.two_classes(0.5, 0.995, n=1000)
    drift = drift_test(chain.sample(0), seeds.generator(0, "test"))
    assert all(np.isnan(aspect.p_value) for aspect in drift.aspects.values())


@second_opinion("enumeration", "statistics.mean_changes")
def test_the_p_value_is_the_share_of_all_orders_that_are_as_extreme():
    """Of four blocks: all 24 orders by enumeration, against many random ones."""
    means = np.array([0.1, 0.4, 2.0, 1.5])[:, None]
    every = np.array(list(permutations(range(4))))
    splits, distances = scores_of_means(means)(every)
    scores = np.hstack([splits.max(axis=2), distances])
    tops = ((scores - scores.mean(axis=0)) / scores.std(axis=0)).max(axis=1)
    share = np.mean(tops >= tops[0] - 1e-12)
    found = mean_changes(means, seeds.generator(12, "test"), orders=20_000).p_value
    assert found == pytest.approx(share, abs=0.01)


def test_one_column_is_a_vector():
    rng = seeds.generator(13, "test")
    means = rng.normal(size=12)
    one, other = (mean_changes(m, seeds.generator(1, "test")) for m in (means, means[:, None]))
    assert one == other


@pytest.mark.parametrize("size", [1e-300, 1e-14, 1e300, 1.7e308])
def test_changes_do_not_depend_on_the_unit_of_the_means(size):
    jump = np.r_[np.zeros(10), np.ones(10)] + np.arange(20) % 2 * 0.25 - 0.625
    one, other = (mean_changes(m, seeds.generator(1, "test")) for m in (jump, size * jump))
    assert one == other
    assert one.blocks == (10,)
    columns = np.column_stack([jump, np.cos(np.arange(20))])
    p = [changed_columns(m, seeds.generator(2, "test")) for m in (columns, size * columns)]
    np.testing.assert_array_equal(*p)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda rng: mean_changes([1.0, 2.0, 3.0], rng), "means must have at least 4 blocks"),
        (lambda rng: mean_changes([0.0] * 9, rng, level=1.5), "level must lie in"),
        (lambda rng: changed_columns([0.0] * 9, rng, 0), "orders must be"),
        (lambda rng: drift_test(SEA(n=99).sample(0), rng, period=-1), "period must be"),
        (
            lambda rng: drift_test(SEA(n=99).sample(0), rng, seasons=[(24,)]),
            "seasons must have one entry for each of 3 attributes",
        ),
        (
            lambda rng: drift_test(SEA(n=99).sample(0), rng, seasons=[(0,), (), ()]),
            "seasons must be",
        ),
        (
            lambda rng: drift_test(SEA(n=99).sample(0), rng, seasons=[np.array(5)] * 3),
            "seasons must have one",
        ),
        (lambda rng: drift_test(SEA(n=99).sample(0), rng, seasons=5), "seasons must have one"),
        (
            lambda rng: drift_test(SEA(n=99).sample(0), rng, seasons=[5, 5, 5]),
            r"a collection of lengths; got \[5, 5, 5\]",
        ),
    ],
)
def test_wrong_arguments_are_named(call, match):
    with pytest.raises(ValueError, match=match):
        call(seeds.generator(0, "test"))


def test_a_table_is_no_stream():
    with pytest.raises(TypeError, match="stream must be"):
        drift_test([[0.0]], seeds.generator(0, "test"))
