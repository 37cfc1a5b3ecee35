"""A learner that grows with its schema equals one that knew the whole schema from the start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from repro import detectors, seeds
from repro.learners import (
    DriftRetraining,
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingOptionTree,
    HoeffdingTree,
    Learner,
    LeveragingBag,
    LinearSVM,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    NoChange,
    OzaBag,
    OzaBagAdwin,
    TemporalCorrection,
    TemporallyAugmented,
)
from repro.learners.growth import growth_of, inherit, inherit_array
from repro.learners.verbs import implements, learn, votes
from repro.streams import Schema

FULL = Schema((0, 3, 0, 4, 2, 0), 4)
# The schema grows at these examples; the attributes of each step are the first ones of FULL.
STEPS = {
    0: Schema((0,), 1),
    40: Schema((0, 2), 2),
    400: Schema((0, 2, 0), 2),
    700: Schema((0, 2, 0, 2), 2),
    1100: Schema((0, 3, 0, 4), 2),
    1500: Schema((0, 3, 0, 4, 2), 3),
    2100: FULL,
}
N = 3000


def growing_stream(seed, n=N, steps=STEPS):
    """(X, y) with labels and codes of each step's schema, and zeros for attributes yet to come."""
    (rng,) = seeds.spawn(seed, 1)
    X, y = np.zeros((n, FULL.n_features)), np.zeros(n, int)
    schema = steps[0]
    for t in range(n):
        schema = steps.get(t, schema)
        y[t] = rng.integers(schema.n_classes)
        turn = (t // 600) % 2  # drifts, for detectors and alternates
        for j, values in enumerate(schema.nominal):
            signal = (y[t] + turn * (j + 1)) % FULL.n_classes
            noise = rng.random() < 0.3
            if values == 0:
                X[t, j] = round(rng.normal(0.8 * signal, 1.0), 2)
            else:
                X[t, j] = rng.integers(values) if noise else signal % values
    return X, y


def steps_of(learner, seed, steps=STEPS, n=N):
    """(grown step by step, known from the start, x, y, number of classes) of each example."""
    X, y = growing_stream(seed, n, steps)
    whole, part = learner.online(FULL, seed=seed), learner.online(steps[0], seed=seed)
    for t in range(n):
        if t in steps and t:
            part.grow(steps[t])
        schema = part.schema
        yield t, part, whole, X[t], X[t, : schema.n_features], int(y[t]), schema.n_classes
        part.learn_one(X[t, : schema.n_features], int(y[t]))
        whole.learn_one(X[t], int(y[t]))


# A bound below `tau` always splits: the range log2 K of the gain does not matter then.
ALWAYS = {"grace_period": 25, "tau": 100.0}
TREES = [
    HoeffdingTree(**ALWAYS),
    HoeffdingTree("mc", **ALWAYS),
    HoeffdingAdaptiveTree(**ALWAYS, adwin_delta=0.3),
    HoeffdingOptionTree(**ALWAYS, secondary_delta=1 - 1e-12),
]
TREE, ADAPTIVE = TREES[0], TREES[2]
SAME_VOTES = [
    Majority(),
    NoChange(),
    NaiveBayes(),
    NearestNeighbors(k=3, window=200),
    NearestNeighbors(k=2, window=100, scale=False),
    *TREES,
    OzaBag(ADAPTIVE, n_members=2),
    OzaBagAdwin(TREE, n_members=2, delta=0.5),
    LeveragingBag(NearestNeighbors(window=30), n_members=2),
    DynamicWeightedMajority(TREE, period=20, max_members=4),
    DriftRetraining(NearestNeighbors(window=50), detectors.DDM(warm_start=5)),
    DriftRetraining(TREE, detectors.RandomAlarms(0.01)),
]


def votes_of(online, x):
    online.predict_one(x)
    return online._votes


@pytest.mark.parametrize("learner", SAME_VOTES, ids=repr)
@pytest.mark.parametrize("seed", [1, 2])
def test_votes_are_those_of_the_whole_schema_at_every_example(learner, seed):
    """Until the last step, a nominal attribute yet to come has the density (n + 1) x 1/(n + 1).

    That is 1 but for rounding.
    """
    for t, part, whole, x, short, _, k in steps_of(learner, seed):
        expected, found = votes_of(whole, x), votes_of(part, short)
        tolerance = 1e-12 if t < max(STEPS) else 0
        np.testing.assert_allclose(found, expected[:k], rtol=tolerance, err_msg=f"example {t}")
        assert not expected[k:].any()
    assert part.counts == whole.counts
    assert part.drift_detected == whole.drift_detected
    if learner in TREES:
        np.testing.assert_array_equal(part.state.header, whole.state.header)
        for field in part.state.nodes.dtype.names:
            nodes = (online.state.nodes[: online.counts["nodes"]] for online in (part, whole))
            np.testing.assert_array_equal(*(part[field] for part in nodes), err_msg=field)


TEMPORAL = [
    TemporallyAugmented(TREE, lags=2),
    TemporallyAugmented(TemporalCorrection(NaiveBayes(), alpha=0.9)),
    TemporalCorrection(NaiveBayes(), alpha=0.9),
]


@pytest.mark.parametrize("learner", TEMPORAL, ids=repr)
@pytest.mark.parametrize("seed", [1, 2])
def test_learners_with_previous_labels_grow_too(learner, seed):
    """Their labels are attributes whose values grow with the classes, or counts that fade.

    Where a learner has no opinion the classes get equal shares, so those that exist are compared.
    """
    for t, part, whole, x, short, _, k in steps_of(learner, seed):
        expected, found = whole.predict_proba_one(x)[:k], part.predict_proba_one(short)
        if t < max(STEPS):
            np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-9, atol=1e-300)
        else:
            np.testing.assert_array_equal(found, expected, err_msg=f"example {t}")


# --- where the whole schema changes what is predicted before it is there


@pytest.mark.parametrize(
    ("learner", "start", "differs"),
    [
        (NaiveBayes(exact=True), Schema((0, 2), 2), True),
        (NaiveBayes(), Schema((0, 2), 2), False),
        (LinearSVM(), Schema((0, 2), 1), False),
    ],
    ids=repr,
)
def test_the_votes_agree_once_the_schema_is_whole(learner, start, differs):
    """With `exact`, values that no example has shown yet count, so the votes differ before.

    The only plane of one class says "never" of all others, so an SVM grows exactly from there.
    """
    steps = {0: start, 50: FULL}
    wrong = np.zeros(600, bool)
    for t, part, whole, x, short, _, k in steps_of(learner, 3, steps, 600):
        wrong[t] = not np.allclose(votes_of(part, short), votes_of(whole, x)[:k], rtol=1e-12)
    assert (wrong[:50].any(), wrong[50:].any()) == (differs, False)


def test_the_planes_of_two_classes_stay_and_a_third_follows_from_the_number_of_examples():
    """A third plane is exact where all attributes were 0: one step per example, to 1 / rate."""
    for n, rate in [(3, 0.01), (250, 0.01), (9, 0.3)]:
        online = LinearSVM(learning_rate=rate, l2=0.1).online(Schema((0, 0), 2))
        whole = LinearSVM(learning_rate=rate, l2=0.1).online(Schema((0, 0), 4))
        zeros = LinearSVM(learning_rate=rate, l2=0.1).online(Schema((0, 0), 4))
        for t in range(n):
            x, y = [t % 7 - 3.0, 0.5], t % 5 % 2
            online.learn_one(x, y)
            whole.learn_one(x, y)
            zeros.learn_one([0.0, 0.0], y)
        online.grow(Schema((0, 0), 4))
        np.testing.assert_array_equal(online.state.weights[:2], whole.state.weights[:2])
        np.testing.assert_array_equal(online.state.bias[:2], whole.state.bias[:2])
        np.testing.assert_allclose(online.state.bias[2:], zeros.state.bias[2:], rtol=1e-12)
        assert not online.state.weights[2:].any()


def examples_until_the_split(learner, schema):
    """Examples of one attribute that separates two classes well, until the root splits."""
    online = learner.online(schema)
    for t in range(2000):
        if online.counts["nodes"] > 1:
            return t
        online.learn_one([t % 2 * 5 + t % 11 * 0.1, t % 3], t % 2)
    return None


@pytest.mark.parametrize("kind", [HoeffdingTree, HoeffdingAdaptiveTree, HoeffdingOptionTree])
def test_a_third_class_known_from_the_start_delays_splits_and_a_second_does_not(kind):
    """The range of the gain is log2 K, so the bound is met with (log2 K)^2 times the examples."""
    learner = kind(grace_period=10, tau=0.0)
    two, four = (examples_until_the_split(learner, Schema((0, 0), k)) for k in (2, 4))
    assert four > 2 * two
    online, whole = learner.online(Schema((0, 0), 1)), learner.online(Schema((0, 0), 2))
    for t in range(two + 100):
        if t == two // 2:
            online.grow(Schema((0, 0), 2))
        x, y = [t % 2 * 5 + t % 11 * 0.1, t % 3], t % 2 if t >= two // 2 else 0
        online.learn_one(x, y)
        whole.learn_one(x, y)
        known = online.schema.n_classes
        np.testing.assert_array_equal(votes_of(online, x), votes_of(whole, x)[:known])


# --- attributes in other places


@pytest.mark.parametrize(
    "learner",
    [NaiveBayes(), NearestNeighbors(window=50), LinearSVM(), *TREES],
    ids=lambda learner: type(learner).__name__,
)
def test_new_attributes_may_come_between_the_old_ones(learner):
    X, y = growing_stream(4, 900, {0: Schema((0, 2, 0), 2), 450: FULL._replace(n_classes=2)})
    schema = FULL._replace(n_classes=2)
    order = [3, 1, 4, 0, 2, 5]  # where the new schema has each attribute of FULL
    mixed = np.argsort(order)
    nominal = tuple(schema.nominal[j] for j in mixed)
    columns, old = np.sort([order[j] for j in range(3)]), sorted(range(3), key=order.__getitem__)
    part = learner.online(Schema(tuple((0, 2, 0)[j] for j in old), 2), seed=4)
    whole = learner.online(Schema(nominal, 2), seed=4)
    for t in range(len(y)):
        if t == 450:
            part.grow(Schema(nominal, 2), columns)
        x = X[t][mixed]
        part.learn_one(x if t >= 450 else x[columns], int(y[t]))
        whole.learn_one(x, int(y[t]))
        if t >= 450:
            np.testing.assert_array_equal(votes_of(part, x), votes_of(whole, x))


# --- memory


@pytest.mark.parametrize("kind", [HoeffdingTree, HoeffdingAdaptiveTree, HoeffdingOptionTree])
@pytest.mark.parametrize("memory", [30_000, 60_000])
def test_a_tree_that_runs_out_of_memory_gives_up_its_newest_nodes_and_goes_on(kind, memory):
    if kind is HoeffdingAdaptiveTree:
        memory *= 10  # its nodes have windows
    learner = kind(grace_period=20, tau=100.0, memory=memory)
    X, y = growing_stream(5, 2000, {0: Schema((0, 2), 2)})
    online = learner.online(Schema((0, 2), 2), seed=5)
    for t in range(2000):
        online.learn_one(X[t, :2], int(y[t]))
    before = online.state
    online.grow(FULL)
    state = online.state
    assert len(state.nodes) < before.header[0] <= len(before.nodes)
    assert_consistent(state)
    assert online.state_bytes <= memory + 5000  # settings, scratch and one window
    X, y = growing_stream(6, 2000, {0: FULL})
    for t in range(2000):
        online.learn_one(X[t], int(y[t]))
        assert np.isfinite(online.predict_proba_one(X[t])).all()
    assert_consistent(state)
    assert online.state_bytes <= memory + 5000


def assert_consistent(tree):
    """Every node but the root has one parent above it; slots and their owners agree."""
    nodes = tree.nodes[: tree.header[0]]
    split = np.flatnonzero(nodes["n_children"])
    np.testing.assert_array_equal(np.flatnonzero(nodes["attribute"] >= 0), split)
    below = [
        b
        for i in split
        for b in range(nodes["child"][i], sum(nodes[i][["child", "n_children"]].item()))
    ]
    links = [name for name in ("alternate", "option") if name in nodes.dtype.names]
    below += [i for name in links for i in nodes[name] if i > 0]
    assert len(set(below)) == len(below)
    assert set(below) <= set(range(1, nodes.size))
    assert (nodes["child"][split] > split).all()
    owners = np.flatnonzero(nodes["slot"] >= 0)
    np.testing.assert_array_equal(tree.owner[nodes["slot"][owners]], owners)


def test_an_option_whose_branches_no_longer_fit_is_given_up():
    """At some size the last record of a chain fits and its branches do not."""
    X, y = growing_stream(10, 1000, {0: Schema((0, 2), 2)})
    for memory in range(11_000, 13_250, 250):
        learner = HoeffdingOptionTree(grace_period=10, secondary_delta=0.99, memory=memory, tau=9.0)
        online = learner.online(Schema((0, 2), 2))
        for t in range(1000):
            online.learn_one(X[t, :2], int(y[t]))
        online.grow(Schema((0, 2, 0, 0), 2))
        nodes = online.state.nodes[: online.state.header[0]]
        options = nodes["option"][nodes["option"] > 0]
        assert (nodes["attribute"][options] >= 0).all()
        assert_consistent(online.state)


def test_the_most_promising_leaves_keep_their_statistics():
    """Those whose majority class gets the most weight wrong."""
    codes = Schema((4,) * 5, 2)
    online = HoeffdingTree(grace_period=10, tau=100.0, memory=40_000).online(codes)
    (rng,) = seeds.spawn(7, 1)
    for x in rng.integers(4, size=(1500, 5)):
        online.learn_one(x, int(x.sum() % 3 == 0))
    old = online.state
    online.grow(Schema((4,) * 7, 2))
    new = online.state
    k = new.header[0]
    wrong = new.counts[:k].sum(axis=1) - new.counts[:k].max(axis=1)
    had = (new.nodes["n_children"][:k] == 0) & (old.nodes["slot"][:k] >= 0)
    has = new.nodes["slot"][:k] >= 0
    assert has.sum() == new.owner.size < had.sum()
    assert wrong[has].min() >= wrong[had & ~has].max()


def test_a_leaf_in_place_of_a_subtree_has_the_weights_of_its_leaves():
    online = HoeffdingTree(grace_period=20, tau=100.0, memory=12_000).online(Schema((0, 2), 2))
    X, y = growing_stream(7, 600, {0: Schema((0, 2), 2)})
    for t in range(600):
        online.learn_one(X[t, :2], int(y[t]))

    def at_leaves(tree):
        used = slice(tree.header[0])
        return tree.counts[used][tree.nodes["n_children"][used] == 0].sum(axis=0)

    before = at_leaves(online.state)
    online.grow(Schema((0, 2, 0, 0, 0), 2))
    np.testing.assert_allclose(at_leaves(online.state), before, rtol=1e-12)


# --- learners of your own


class CentroidState(NamedTuple):
    """Sums of the attributes, and weights of the classes."""

    sums: np.ndarray  # (K, d)
    weights: np.ndarray  # (K,)


@dataclass(frozen=True)
class Centroid(Learner):
    """The class of the nearest mean, by default rules only."""

    paper: ClassVar[str] = "this test"

    def start(self, schema, seed=0):
        K = schema.n_classes
        return CentroidState(np.zeros((K, schema.n_features)), np.zeros(K))


@implements(votes, CentroidState)
def _centroid_votes(state, x, out):
    out[:] = 0.0
    for k in range(out.size):
        if state.weights[k] > 0:
            distance = 0.0
            for j in range(x.size):
                distance += (x[j] - state.sums[k, j] / state.weights[k]) ** 2
            out[k] = 1 / (1 + distance)


@implements(learn, CentroidState)
def _centroid_learn(state, x, y, weight):
    state.weights[y] += weight
    for j in range(x.size):
        state.sums[y, j] += weight * x[j]


OWN = [Centroid(), OzaBag(Centroid(), n_members=2), TemporallyAugmented(Centroid())]


@pytest.mark.parametrize("learner", OWN, ids=repr)
def test_a_learner_of_yours_grows_by_the_default_rule(learner):
    """Also where it has as many attributes, with the last label, as classes, before and after."""
    steps = {0: Schema((0,), 2), 300: Schema((0, 3, 0), 4), 500: FULL}
    for _, part, whole, x, short, _, k in steps_of(learner, 8, steps, 700):
        expected, found = whole.predict_proba_one(x)[:k], part.predict_proba_one(short)
        np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-12)


def test_an_axis_of_attributes_follows_the_columns_and_any_other_keeps_the_lower_indices():
    old, new = Schema((0, 0, 0), 2), Schema((0,) * 5, 2)
    growth = growth_of(old, new, [0, 2, 4])
    array = np.full((5, 7), -1)
    inherit_array(array, np.arange(6).reshape(3, 2), growth)
    np.testing.assert_array_equal(array[[0, 2, 4], :2], [[0, 1], [2, 3], [4, 5]])
    assert (array == -1).sum() == 35 - 6
    with pytest.raises(TypeError, match="state must have as many axes as before, 1; got 2"):
        inherit_array(array, np.zeros(3), growth)


def test_detectors_of_other_libraries_go_on():
    class Counter:
        def __init__(self):
            self.n, self.drift_detected = 0, False

        def update(self, loss):
            self.n += 1
            self.drift_detected = self.n % 40 == 0

    learner = DriftRetraining(NaiveBayes(), Counter())
    for t, part, whole, x, short, _, k in steps_of(learner, 9, {0: Schema((0,), 2), 60: FULL}, 150):
        assert part.drift_detected == whole.drift_detected == (t > 0 and t % 40 == 0)
        np.testing.assert_allclose(votes_of(part, short), votes_of(whole, x)[:k], rtol=1e-12)


# --- errors

HAD = Schema((0, 3), 2)


@pytest.mark.parametrize(
    ("schema", "columns", "message"),
    [
        (Schema((0, 3), 1), None, r"schema.n_classes must be >= 2; got 1"),
        (Schema((0,), 2), None, r"schema.nominal must have >= 2 attributes; got 1"),
        (Schema((0, 2), 2), None, r"schema.nominal\[1\] must have >= 3 values; got 2"),
        (Schema((0, 0), 2), None, r"schema.nominal\[1\] must have >= 3 values; got 0"),
        (Schema((2, 3), 2), None, r"schema.nominal\[0\] must be 0, numeric as before; got 2"),
        (Schema((0, 0, 3), 2), [0, 0], r"columns must hold 2 rising positions 0..2; got \[0, 0\]"),
        (Schema((0, 0, 3), 2), [1, 3], r"columns must hold 2 rising positions 0..2; got \[1, 3\]"),
        (Schema((0, 0, 3), 2), [-1, 2], r"columns must hold 2 rising positions"),
        (Schema((0, 0, 3), 2), [2], r"columns must hold 2 rising positions"),
        (Schema((0, 0, 3), 2), [0.5, 2], r"columns must hold 2 rising positions"),
        (Schema((0, 0, 3), 2), [[0], [1, 2]], r"columns must hold 2 rising positions"),
        (Schema((0,) * 2000 + (3,), 2), [0, 2000], r"memory must hold one leaf at least"),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_schema_that_does_not_contain_the_old_one_is_refused_and_nothing_is_lost(
    schema, columns, message, wrapped
):
    tree = HoeffdingTree(memory=30_000)
    online = (TemporallyAugmented(tree) if wrapped else tree).online(HAD)
    online.learn_one([1.5, 2], 1)
    with pytest.raises(ValueError, match=message):
        online.grow(schema, columns)
    assert online.schema == HAD
    online.learn_one([1.5, 2], 1)
    assert online.predict_one([1.5, 2]) == 1
    with pytest.raises(TypeError, match="schema must be a Schema"):
        online.grow((0, 3))


def test_the_same_schema_changes_nothing():
    online = NaiveBayes().online(HAD)
    state = online.state
    online.grow(HAD)
    assert online.state is state


def test_a_state_of_another_kind_cannot_grow():
    growth = growth_of(HAD, Schema((0, 3), 3))
    with pytest.raises(TypeError, match="state must be of one kind for both schemas"):
        inherit(Majority().start(HAD), NaiveBayes().start(HAD), growth)
