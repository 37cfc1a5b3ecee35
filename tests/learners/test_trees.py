"""Trees: their splits, their memory bounds, and how they follow drifts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import entropy, norm

from repro import TESTBED, prequential
from repro.learners import HoeffdingAdaptiveTree, HoeffdingOptionTree, HoeffdingTree, Majority
from repro.learners._normal import normal_probability
from repro.learners._statistics import observe, statistics
from repro.learners._tree import best_gain, branch_weights
from repro.streams import Schema, Stream

TREES = [HoeffdingTree, HoeffdingAdaptiveTree, HoeffdingOptionTree]
every_tree = pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.__name__)
EAGER = {"grace_period": 50, "delta": 0.05, "tau": 0.3}


def boxes(n: int, seed: int = 0) -> Stream:
    """Class 1 in two opposite quadrants: no single split has a gain, but two levels do."""
    rng = np.random.default_rng(seed)
    X = rng.uniform([-0.9, -1.0], [1.1, 1.0], (n, 2))
    return Stream(X, (X[:, 0] > 0) ^ (X[:, 1] > 0))


def cells(n: int, seed: int = 0) -> Stream:
    """Each of 36 squares has a random class: there is always more to split."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 6, (n, 2))
    return Stream(X, rng.integers(0, 5, (6, 6))[*X.astype(int).T], n_classes=5)


def jump(n: int, seed: int = 0) -> Stream:
    """The label is the sign of one attribute, and of another in the second half."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where(np.arange(n) < n // 2, X[:, 0] > 0, X[:, 1] < 0)
    return Stream(X, y, drifts=[n // 2])


# --- splits


def split_by_hand(X, y, nominal, K):
    """(gain, threshold) of each attribute by definition, with scipy's normals and entropies."""

    def bits(weights):
        weights = np.asarray(weights, dtype=float)
        return entropy(weights, base=2) if weights.sum() > 0 else 0.0

    def gain(branches):
        totals = np.array([sum(b) for b in branches])
        if (totals > 0.01 * totals.sum()).sum() < 2:
            return -np.inf
        after = sum(t * bits(b) for t, b in zip(totals, branches, strict=True)) / totals.sum()
        return bits(np.bincount(y, minlength=K)) - after

    def below(column, threshold):
        if not column.size or threshold < column.min():
            return 0.0
        if threshold >= column.max():
            return float(column.size)
        return column.size * norm.cdf(threshold, column.mean(), column.std(ddof=1))

    results = []
    for j in [*np.flatnonzero(np.array(nominal) == 0), *np.flatnonzero(nominal)]:
        column = X[:, j]
        if nominal[j]:
            branches = [np.bincount(y[column == v], minlength=K) for v in range(nominal[j])]
            results.append((gain(branches), np.nan))
            continue
        candidates = np.linspace(column.min(), column.max(), 12)[1:-1]
        left = [[below(column[y == k], t) for k in range(K)] for t in candidates]
        sizes = np.bincount(y, minlength=K)
        gains = [gain([one, sizes - one]) for one in left]
        results.append((max(gains), candidates[int(np.argmax(gains))]))
    return results


@pytest.mark.parametrize("seed", range(5))
def test_the_best_split_is_the_one_of_highest_gain_by_definition(seed):
    rng = np.random.default_rng(seed)
    K, nominal = 3, (0, 4, 0, 2)
    y, codes = rng.integers(0, K, 300), rng.integers(0, 4, 300)
    X = np.column_stack(
        [
            rng.normal(y, 2),
            codes,
            rng.normal(size=300) - y,
            (y + rng.integers(0, 3, 300)) % 2,
        ]
    )
    stats = statistics(Schema(nominal, K), ranges=True)
    for x, label in zip(X, y, strict=True):
        observe(stats, 0, x, label, 1.0, True)
    before = entropy(np.bincount(y), base=2)
    best, threshold, gain, second = best_gain(stats, 0, before, np.zeros((2, K)))
    expected = split_by_hand(X, y, nominal, K)
    gains = [g for g, _ in expected]
    assert best == int(np.argmax(gains))
    np.testing.assert_allclose([gain, second], sorted(gains)[-1:-3:-1], rtol=1e-9)
    np.testing.assert_allclose(threshold, expected[best][1], rtol=1e-9)


def test_the_normal_distribution_equals_scipys_to_the_last_bit():
    """SciPy uses the same source. The error function of the C library differs."""
    rng = np.random.default_rng(0)
    z = np.r_[np.linspace(-37, 37, 9_999), rng.normal(size=9_999), 0.0, np.inf, -np.inf, -1.0, 1.0]
    np.testing.assert_array_equal([normal_probability(value) for value in z], ndtr(z))


def test_thresholds_equal_those_that_moa_prints():
    """range / 11 * i + low, in this order: 2.682420000000001 and not 2.68242."""
    low, high = -3.07, 3.257662
    thresholds = [(high - low) / 11 * i + low for i in range(1, 11)]
    others = [low + (high - low) * i / 11 for i in range(1, 11)]
    assert (thresholds[9], others[9]) == (2.682420000000001, 2.68242)
    y = np.r_[np.zeros(200), np.ones(20)].astype(int)
    x = np.r_[np.linspace(low, 2.6, 200), np.linspace(2.75, high, 20)]
    stats = statistics(Schema((0,), 2), ranges=True)
    for value, label in zip(x, y, strict=True):
        observe(stats, 0, np.array([value]), label, 1.0, True)
    _, threshold, _, _ = best_gain(stats, 0, entropy([200, 20], base=2), np.zeros((2, 2)))
    assert threshold == thresholds[9]


def test_of_thresholds_with_equal_gain_the_first_is_taken():
    """Classes at 0 to 1.5 and at 8 to 11: all thresholds from 2 to 7 gain 1 bit."""
    stats = statistics(Schema((0,), 2), ranges=True)
    for value in np.linspace(0, 1.5, 40):
        observe(stats, 0, np.array([value]), 0, 1.0, True)
        observe(stats, 0, np.array([2 * value + 8]), 1, 1.0, True)
    assert best_gain(stats, 0, 1.0, np.zeros((2, 2)))[:3] == (0, 2.0, 1.0)


def test_of_attributes_with_equal_gain_the_last_is_split():
    """The same attribute three times, with noise before, between and after."""
    stream = boxes(400)
    X = np.column_stack([stream.y, stream.X[:, 0], stream.y, stream.y, stream.X[:, 1]])
    online = HoeffdingTree(**EAGER).online(Schema((0,) * 5, 2))
    for x, y in zip(X, stream.y, strict=True):
        online.learn_one(x, int(y))
    assert online.state.nodes[0]["column"] == 3


@pytest.mark.parametrize("scale", [1.0, 2.0**-20, 2.0**-40, 2.0**-60, 2.0**60])
def test_the_weights_of_branches_are_those_of_the_normal_distribution_in_any_unit(scale):
    """A density of 1e18 leaves no digits for the weight of a class."""
    rng = np.random.default_rng(3)
    y, stats = np.arange(300) % 2, statistics(Schema((0,), 2), ranges=True)
    x = rng.normal(y, 0.7)
    for value, label in zip(x, y, strict=True):
        observe(stats, 0, np.array([scale * value]), label, 1.0, True)
    for threshold in np.quantile(x, [0.05, 0.4, 0.8]):
        parts = np.empty((2, 2))
        for branch in range(2):
            branch_weights(stats, 0, 0, scale * threshold, branch, parts[branch])
        share = [norm.cdf(threshold, x[y == k].mean(), x[y == k].std(ddof=1)) for k in range(2)]
        inside = [x[y == k].min() <= threshold < x[y == k].max() for k in range(2)]
        expected = np.where(inside, 150 * np.array(share), 150 * (threshold >= x.mean()))
        np.testing.assert_allclose(parts, [expected, 150 - expected], atol=1e-7)
        assert (parts >= 0).all()


def test_the_majority_of_an_empty_leaf_is_not_counted_as_right():
    """MOA's adaptive leaves count the first example of class 0 only for naive Bayes."""
    online = HoeffdingTree().online(Schema((0,), 2))
    for (x, y), majority, bayes in [((1.0, 0), 0, 1), ((5.0, 1), 0, 1), ((1.0, 0), 1, 2)]:
        online.learn_one([x], y)
        node = online.state.nodes[0]
        assert (node["majority_right"], node["bayes_right"]) == (majority, bayes)


@every_tree
def test_a_level_near_0_has_a_bound_and_a_tie_is_broken_below_tau(tree):
    """1 / delta overflows there; its logarithm is 737."""
    stream = jump(2_000)
    held = prequential(tree(delta=1e-320, tau=0.0), stream).state_bytes
    split = prequential(tree(delta=1e-320, tau=1.0), stream).state_bytes
    assert split > held


def test_a_constant_attribute_is_never_split():
    X = np.column_stack([np.full(2000, 3.0), np.random.default_rng(0).normal(size=2000)])
    stream = Stream(X, X[:, 1] > 0)
    online = HoeffdingTree(**EAGER).online(stream.schema)
    for x, y in zip(stream.X, stream.y, strict=True):
        online.learn_one(x, y)
    nodes = online.state.nodes[: online.counts["nodes"]]
    assert set(nodes["attribute"]) == {-1, 1}


@every_tree
def test_where_all_attributes_are_constant_the_tree_stays_a_leaf(tree):
    online = tree(**EAGER).online(Schema((0, 3), 2))
    for i in range(1000):
        online.learn_one([1.0, 2.0], i % 2)
    assert online.counts["nodes"] == 1
    np.testing.assert_allclose(online.predict_proba_one([1.0, 2.0]), [0.5, 0.5], atol=0.1)


@every_tree
def test_a_pure_stream_is_never_split(tree):
    online = tree(**EAGER).online(Schema((0,), 2))
    for x in np.random.default_rng(1).normal(size=(1000, 1)):
        online.learn_one(x, 1)
    assert online.counts["nodes"] == 1


def test_the_first_split_is_made_as_soon_as_the_hoeffding_bound_allows_it():
    """A perfect attribute gains 1 bit, the other almost 0."""
    rng = np.random.default_rng(2)
    y = np.arange(4000) % 2
    X = np.column_stack([y + 0.01 * rng.normal(size=4000), rng.normal(size=4000)])
    for delta in (1e-7, 1e-30, 1e-120):
        needed = np.log(1 / delta) / 2  # sqrt(ln(1 / delta) / 2n) < 1
        online = HoeffdingTree(delta=delta, tau=0.0, grace_period=10).online(Schema((0, 0), 2))
        examples = 0
        while online.counts["nodes"] == 1:
            online.learn_one(X[examples], int(y[examples]))
            examples += 1
        assert needed <= examples <= 1.3 * needed + 20


def test_nominal_attributes_split_into_all_their_values():
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, 5, 3000), rng.normal(size=3000)])
    stream = Stream(X, (X[:, 0] == 2) | (X[:, 0] == 4), [5, 0])
    run = prequential(HoeffdingTree(leaf="mc"), stream, every=3000)
    assert (run.growth["nodes"][-1], run.growth["leaves"][-1], run.growth["depth"][-1]) == (6, 5, 1)
    assert run.loss[-1000:].sum() == 0


@every_tree
def test_trees_learn_an_exclusive_or(tree):
    run = prequential(tree(), boxes(20_000))
    assert run.loss[-2000:].mean() < 0.1


@pytest.mark.parametrize("leaf", ["mc", "nb"])
def test_adaptive_leaves_are_not_worse_than_both_others(leaf):
    stream = TESTBED["NSGT"].sample(seed=1)
    errors = {
        kind: prequential(HoeffdingTree(leaf=kind), stream).error for kind in ("mc", "nb", "nba")
    }
    assert errors["nba"] < min(errors["mc"], errors["nb"]) + 0.01
    assert prequential(HoeffdingTree(leaf=leaf), stream).error == errors[leaf]


# --- bounds


@every_tree
@pytest.mark.parametrize("memory", [20_000, 60_000])
def test_a_tree_stays_within_its_memory_and_keeps_learning(tree, memory):
    stream = cells(30_000)
    run = prequential(tree(memory=memory, **EAGER), stream, every=1000)
    assert run.growth["state_bytes"].max() <= memory + 1000  # settings and scratch
    assert run.loss[-3000:].mean() < prequential(Majority(), stream).loss[-3000:].mean()
    unbounded = prequential(tree(**EAGER), stream, every=1000)
    assert unbounded.growth["state_bytes"].max() > 60_000  # the bound was active


def test_slots_go_to_the_most_promising_leaves():
    """With two slots, pure leaves lose their slot to leaves that still err."""
    stream = boxes(20_000, seed=4)
    slots = HoeffdingTree(memory=1200, **EAGER).start(stream.schema).owner.size
    run = prequential(HoeffdingTree(memory=1200, **EAGER), stream, every=20_000)
    assert run.growth["learning leaves"][-1] <= slots <= 4
    assert run.growth["nodes"][-1] <= 2 * slots


@every_tree
def test_memory_too_small_for_a_leaf_is_refused(tree):
    with pytest.raises(ValueError, match=r"memory must hold one leaf at least, \d+ bytes; got 100"):
        prequential(tree(memory=100), boxes(10))


@every_tree
def test_more_values_than_an_index_can_count_are_refused(tree):
    """Indices have 32 bits: with one value more, the last would be counted as the first."""
    for nominal in [(2**32,), (2**31, 0, 2**31)]:
        with pytest.raises(ValueError, match=r"must be 4294967295 values at most.* got 4294967296"):
            tree().start(Schema(nominal, 2))


@every_tree
def test_bad_settings_are_refused(tree):
    for settings, message in (
        ({"leaf": "nbb"}, "leaf must be one of mc, nb, nba; got 'nbb'"),
        ({"grace_period": 0}, "grace_period must be a whole number >= 1; got 0"),
        ({"delta": 0.0}, r"delta must lie in \(0, 1\); got 0.0"),
        ({"tau": -1}, "tau must be finite and >= 0; got -1"),
        ({"memory": 1.5}, "memory must be a whole number >= 1; got 1.5"),
    ):
        with pytest.raises(ValueError, match=message):
            tree(**settings)


# --- change


def test_an_adaptive_tree_recovers_from_a_drift_better_than_a_plain_tree():
    stream = jump(20_000)
    plain, adaptive = (
        prequential(tree(), stream) for tree in (HoeffdingTree, HoeffdingAdaptiveTree)
    )
    after = slice(11_000, 13_000)
    assert adaptive.loss[after].mean() < 0.6 * plain.loss[after].mean()
    assert ((adaptive.alarms > 10_000) & (adaptive.alarms < 11_000)).any()


def test_alternates_are_switched_to_or_dropped_and_leave_no_gaps():
    """The nodes reached from the root and from alternates are all nodes in use."""
    stream = jump(20_000, seed=5)
    online = HoeffdingAdaptiveTree(**EAGER).online(stream.schema, seed=2)
    switched = 0
    for x, y in zip(stream.X, stream.y, strict=True):
        online.learn_one(x, y)
        now = online.counts["alternates switched"]
        if now > switched:
            switched = now
            assert reachable(online.state) == set(range(online.counts["nodes"]))
    assert switched > 0
    owners = online.state.owner[: online.state.header[1]]
    held = online.state.nodes["slot"][: online.counts["nodes"]]
    assert sorted(held[held >= 0]) == sorted(np.flatnonzero(np.isin(np.arange(owners.size), held)))
    assert all(owners[slot] == node for node, slot in enumerate(held) if slot >= 0)


def reachable(state):
    waiting, found = [0], set()
    while waiting:
        index = waiting.pop()
        found.add(index)
        node = state.nodes[index]
        waiting += range(node["child"], node["child"] + node["n_children"])
        waiting += [node["alternate"]] if node["alternate"] > 0 else []
    return found


def test_no_example_reaches_more_leaves_than_allowed():
    stream = jump(10_000, seed=6)
    for most in (1, 2, 5):
        online = HoeffdingOptionTree(max_paths=most, **EAGER).online(stream.schema)
        for x, y in zip(stream.X, stream.y, strict=True):
            online.learn_one(x, y)
        counts = [leaves_of(online.state, x) for x in stream.X[:500]]
        assert max(counts) <= most
        assert (online.counts["options"] > 0) == (most > 1)
    assert max(counts) > 1


def leaves_of(state, x):
    waiting, leaves = [0], 0
    while waiting:
        node = split = state.nodes[waiting.pop()]
        leaves += node["attribute"] < 0
        while split["attribute"] >= 0:
            waiting.append(split["child"] + int(x[split["column"]] > split["threshold"]))
            if split["option"] == 0:
                break
            split = state.nodes[split["option"]]
    return leaves


def test_an_option_tree_with_one_path_is_a_hoeffding_tree():
    stream = boxes(8000, seed=7)
    one = prequential(HoeffdingOptionTree(max_paths=1, **EAGER), stream)
    np.testing.assert_array_equal(one.y_pred, prequential(HoeffdingTree(**EAGER), stream).y_pred)
