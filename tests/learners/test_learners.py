"""Learners against slow references, and every learner against the contract of learners."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from opinions import second_opinion
from scipy.spatial.distance import cdist
from scipy.special import softmax
from scipy.stats import norm
from sklearn.linear_model import SGDClassifier

from repro import detectors, learners, prequential, registry
from repro.learners import (
    DriftRetraining,
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingOptionTree,
    HoeffdingTree,
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
from repro.streams import Schema, Stream

pytestmark = pytest.mark.contract

# Small settings: a few hundred examples make trees split, replace members and raise alarms.
TREE = HoeffdingTree(grace_period=20, delta=0.05, tau=0.2)
LEARNERS = [
    Majority(),
    NoChange(),
    NaiveBayes(),
    NaiveBayes(exact=True),
    LinearSVM(),
    NearestNeighbors(k=1, window=60),
    NearestNeighbors(k=5, window=40, scale=False),
    TREE,
    HoeffdingTree(leaf="mc", grace_period=20, delta=0.05, memory=100_000),
    HoeffdingAdaptiveTree(grace_period=20, delta=0.05, tau=0.2, adwin_delta=0.5),
    HoeffdingOptionTree(grace_period=20, delta=0.05, tau=0.2),
    OzaBag(NaiveBayes(), n_members=3),
    OzaBagAdwin(TREE, n_members=3, delta=0.5),
    LeveragingBag(NearestNeighbors(window=30), n_members=2),
    DynamicWeightedMajority(NaiveBayes(), period=5, rescale=False),
    DynamicWeightedMajority(NaiveBayes(), period=5),
    DriftRetraining(NaiveBayes(), detectors.DDM(warm_start=5)),
    DriftRetraining(TREE, detectors.RandomAlarms(0.05)),
    TemporallyAugmented(NaiveBayes(), lags=2),
    TemporalCorrection(TREE, alpha=0.9),
]
KINDS = {type(learner) for learner in LEARNERS}
LEARNERS += [one for one in registry.learners().values() if type(one) not in KINDS]  # new classes
every_learner = pytest.mark.parametrize("learner", LEARNERS, ids=repr)


def make(n: int, d: int, K: int, nominal: tuple[int, ...] = (), seed: int = 1) -> Stream:
    """Overlapping classes; d numeric attributes, then nominal ones that depend on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, K, n)
    numeric = rng.normal(size=(n, d)) + 0.7 * y[:, None] * (np.arange(d) % 2 + 0.5)
    codes = [(y + rng.integers(0, 2, n) + rng.integers(0, V, n) // 2) % V for V in nominal]
    X = np.column_stack([numeric, *codes]) if d + len(codes) else np.zeros((n, 1))
    return Stream(X, y, [0] * d + list(nominal), n_classes=K)


STREAMS = {
    "two numeric": make(300, 2, 2),
    "nominal only": make(300, 0, 3, (2, 5, 3)),
    "mixed, five classes": make(300, 3, 5, (2, 4)),
    "one class": make(60, 2, 1),
    "wide": make(200, 30, 23, (7,) * 11),
    "one example": make(1, 2, 2),
}
every_stream = pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)


# --- the contract of every learner


@second_opinion("compiled run", "learners.OnlineLearner")
@every_learner
@every_stream
def test_online_twin_and_compiled_run_agree_step_by_step(learner, stream):
    run, online = prequential(learner, stream, seed=3), learner.online(stream.schema, seed=3)
    for i, (x, y) in enumerate(zip(stream.X, stream.y, strict=True)):
        assert online.predict_one(x) == run.y_pred[i]
        np.testing.assert_array_equal(online.predict_proba_one(x), run.proba[i])
        assert online.learn_one(x, int(y)) is None
    assert online.state_bytes == run.state_bytes


@every_learner
def test_an_example_predicted_just_before_is_learned_as_any_other(learner):
    """A delay of 0 for each example takes the loop that predicts and learns apart."""
    first, second = make(800, 2, 3, (3,)), make(800, 2, 3, (3,), seed=2)
    X, y = np.vstack([first.X, second.X]), np.r_[first.y, 2 - second.y]
    drifting = Stream(X, y, first.nominal, n_classes=3)
    together = prequential(learner, drifting, seed=3)
    apart = prequential(learner, drifting, seed=3, delay=np.zeros(len(y), int))
    assert np.array_equal(together.proba, apart.proba)
    assert together.alarms.tolist() == apart.alarms.tolist()
    assert together.state_bytes == apart.state_bytes


@every_learner
def test_before_any_label_it_predicts_class_0_with_equal_shares(learner):
    online = learner.online(Schema((0, 3), 4))
    assert online.predict_one([0.3, 2]) == 0
    np.testing.assert_allclose(online.predict_proba_one([0.3, 2]), 0.25)


@every_learner
@every_stream
def test_shares_sum_to_one_and_the_largest_is_predicted(learner, stream):
    run = prequential(learner, stream)
    np.testing.assert_allclose(run.proba.sum(axis=1), 1.0)
    np.testing.assert_array_equal(run.proba.argmax(axis=1), run.y_pred)


GROWING = (HoeffdingTree, HoeffdingAdaptiveTree, HoeffdingOptionTree, DynamicWeightedMajority)


@every_learner
def test_the_state_does_not_grow_with_the_stream(learner):
    """Except for trees, up to their `memory`: see test_trees.py. The number of experts varies."""
    inner = getattr(learner, "base", learner)
    short, long = (make(n, 2, 3, (4,)) for n in (50, 5000))
    sizes = [prequential(learner, stream).state_bytes for stream in (short, long)]
    if not isinstance(inner, GROWING) and not isinstance(learner, GROWING):
        assert sizes[0] == sizes[1]
    assert sizes[1] < 2e6


@every_learner
def test_predicting_changes_nothing_and_neither_does_a_weight_of_zero(learner):
    stream = STREAMS["mixed, five classes"]
    plain, disturbed = (learner.online(stream.schema) for _ in range(2))
    for x, y in zip(stream.X, stream.y, strict=True):
        plain.learn_one(x, y)
        disturbed.predict_one(x)
        disturbed.learn_one(x, (y + 1) % 5, weight=0.0)
        disturbed.learn_one(x, y)
        shares = [online.predict_proba_one(stream.X[-1]) for online in (plain, disturbed)]
        np.testing.assert_array_equal(*shares)


@every_learner
def test_a_description_is_frozen_compared_by_value_prints_itself_and_names_a_paper(learner):
    assert dataclasses.is_dataclass(learner)
    assert eval(repr(learner), {**vars(detectors), **vars(learners)}) == learner
    with pytest.raises(dataclasses.FrozenInstanceError):
        learner.anything = 1
    assert len(learner.paper) > 10


@every_learner
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([0.0], 0, r"x must hold 2 finite numbers; got \[0.0\]"),
        ([0.0, np.nan], 0, "x must hold 2 finite numbers"),
        ([0.0, 3.0], 0, r"x\[1\] must be a code 0..2; got 3.0"),
        ([0.0, 0.5], 0, r"x\[1\] must be a code 0..2; got 0.5"),
        ([0.0, 1.0], 2, r"y must be a label 0..1; got 2"),
        ([0.0, 1.0], -1, "y must be a whole number >= 0; got -1"),
    ],
)
def test_a_bad_example_is_refused_and_changes_nothing(learner, x, y, message):
    online = learner.online(Schema((0, 3), 2))
    online.learn_one([1.0, 2.0], 1)
    before = online.predict_proba_one([0.5, 2.0])
    with pytest.raises(ValueError, match=message):
        online.learn_one(x, y)
    np.testing.assert_array_equal(online.predict_proba_one([0.5, 2.0]), before)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_an_invalid_weight_is_refused(weight):
    with pytest.raises(ValueError, match="weight must be finite and >= 0; got"):
        Majority().online(Schema((0,), 2)).learn_one([0.0], 0, weight)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: LinearSVM(learning_rate=0), "learning_rate must be finite and > 0; got 0"),
        (lambda: LinearSVM(l2=-1), "l2 must be finite and >= 0; got -1"),
        (lambda: LinearSVM(learning_rate=np.nan), "learning_rate must be finite and > 0; got nan"),
        (lambda: NearestNeighbors(k=0), "k must be a whole number >= 1; got 0"),
        (lambda: NearestNeighbors(window=2.5), "window must be a whole number >= 1; got 2.5"),
        (lambda: NearestNeighbors(scale=1), "scale must be True or False; got 1"),
    ],
)
def test_bad_settings_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


# A rule for every setting, by its name: valid values, invalid values, and the message.
NUMBERS = [None, "1", float("nan"), float("inf"), [0.5], {}, True, 1j]
LEVEL = ([0.5, 1e-320, np.float32(0.25)], [0, 1, -0.1, 1.5, 9], r"must lie in \(0, 1\)")
SHARE = ([0.5, 1, 1e-320], [0, -0.1, 1.5], r"must lie in \(0, 1\]")
COUNT = ([1, 7, np.int8(3)], [0, -1, 2.5, 3.0, 10**30], "must (be|fit)")
RULES = {
    "delta": LEVEL,
    "adwin_delta": LEVEL,
    "switch_delta": LEVEL,
    "secondary_delta": LEVEL,
    "beta": SHARE,
    "theta": SHARE,
    "alpha": SHARE,
    "tau": ([0, 0.5, 3.0], [-0.1], "must be finite and >= 0"),
    "l2": ([0, 0.5, 3.0], [-0.1], "must be finite and >= 0"),
    "learning_rate": ([1e-300, 0.5, 3.0], [0, -0.1], "must be finite and > 0"),
    "rate": ([1e-300, 6, 1_000], [0, -0.1, 1_000.5], "must be (finite and > 0|at most 1000)"),
    "leaf": (["mc", "nb", "nba"], ["", "MC", 0, np.array(["mc", "nb"])], "must be one of"),
    "scale": ([True, False], [0, 1, "yes"], "must be True or False"),
    "exact": ([True, False], [0, 1, "yes"], "must be True or False"),
    "rescale": ([True, False], [0, 1, "yes"], "must be True or False"),
    "memory": ([100_000, 2**25], [0, -1, 2.5, 10**30], "must (be|fit)"),
    **dict.fromkeys(("grace_period", "k", "window", "n_members", "max_members"), COUNT),
    **dict.fromkeys(("period", "max_paths"), COUNT),
    "lags": ([1, 7], [0, -1, 2.5], "must be"),
}
SETTINGS = [
    (learner, field.name)
    for learner in {type(learner): learner for learner in LEARNERS}.values()
    for field in dataclasses.fields(learner)
    if field.name not in ("base", "detector")
]


def test_every_learner_of_the_library_is_tested():
    classes = {thing for thing in vars(learners).values() if isinstance(thing, type)}
    described = {c for c in classes if dataclasses.is_dataclass(c)}
    abstract = {learners.Learner, learners.BayesOptimal}
    assert {type(learner) for learner in LEARNERS} == described - abstract


@pytest.mark.parametrize(
    ("learner", "name"), SETTINGS, ids=lambda x: x if isinstance(x, str) else type(x).__name__
)
def test_every_setting_has_a_rule_that_holds(learner, name):
    """Otherwise a bound of nan, an empty window or a share above 1 would stay unnoticed."""
    good, bad, rule = RULES[name]
    for value in good:
        dataclasses.replace(learner, **{name: value}).online(Schema((0, 3), 3)).learn_one([0, 1], 1)
    kinds = () if name in ("leaf", "scale", "exact", "rescale") else NUMBERS
    for value in [*bad, *kinds]:
        with pytest.raises(ValueError, match=f"^{name} {rule}.*; got "):
            dataclasses.replace(learner, **{name: value})


def test_members_that_exceed_memory_are_refused_at_once():
    many = OzaBag(HoeffdingTree(), n_members=5_000_000)
    with pytest.raises(ValueError, match="base must fit into memory 5000000 times; got Hoeffding"):
        many.online(Schema((0,), 2))
    with pytest.raises(ValueError, match=r"window must fit into .* memory; got 100000000"):
        NearestNeighbors(window=10**8).online(Schema((0,) * 1_000, 2))


# --- the definition of each learner


def test_majority_and_no_change_by_hand():
    stream = Stream(np.zeros((6, 1)), [1, 0, 0, 1, 1, 0])
    assert prequential(Majority(), stream).y_pred.tolist() == [0, 1, 0, 0, 0, 1]
    assert prequential(NoChange(), stream).y_pred.tolist() == [0, 1, 0, 0, 1, 1]


def naive_bayes_shares(X, y, x, nominal, K, exact):
    """The definition on the whole history, as sums of scipy's log densities."""
    joint = np.full(K, -np.inf)
    for k in np.unique(y):
        seen = X[y == k]
        joint[k] = np.log(len(seen) / len(X))
        for j, V in enumerate(nominal):
            column = seen[:, j]
            sd = column.std(ddof=1) if len(column) > 1 else 0.0
            if V:
                values = V if exact else column.max() + 1
                joint[k] += np.log(((column == x[j]).sum() + 1) / (len(column) + values))
            elif sd > 0:
                joint[k] += norm.logpdf(x[j], column.mean(), sd)
            elif x[j] != column.mean():
                joint[k] = -np.inf
    possible = joint.max() > (-np.inf if exact else np.log(5e-324))
    return softmax(joint) if possible else np.full(K, 1 / K)


@second_opinion("brute force", "learners.NaiveBayes")
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", ["two numeric", "nominal only", "mixed, five classes"])
def test_naive_bayes_equals_its_definition_on_the_whole_history(name, exact):
    stream = STREAMS[name]
    shares = prequential(NaiveBayes(exact=exact), stream).proba
    for i in range(1, len(stream)):
        now = stream.X[:i], stream.y[:i], stream.X[i], stream.schema.nominal, stream.n_classes
        np.testing.assert_allclose(
            shares[i], naive_bayes_shares(*now, exact), rtol=1e-7, atol=1e-12
        )


def test_naive_bayes_without_spread_has_density_one_at_the_mean_and_none_elsewhere():
    online = NaiveBayes().online(Schema((0,), 2))
    for x, y in [(1.0, 0), (1.0, 0), (2.0, 1)]:
        online.learn_one([x], y)
    np.testing.assert_allclose(online.predict_proba_one([1.0]), [1, 0])
    np.testing.assert_allclose(online.predict_proba_one([2.0]), [0, 1])
    np.testing.assert_allclose(online.predict_proba_one([1.5]), [0.5, 0.5])  # no class has votes


def test_naive_bayes_weighs_a_density_against_the_one_without_spread():
    """Class 0 has N(2; 2, 2), class 1 density 1: the constant factor of the normal matters."""
    online = NaiveBayes().online(Schema((0,), 2))
    for x, y in [(1.0, 0), (3.0, 0), (2.0, 1), (2.0, 1)]:
        online.learn_one([x], y)
    density = norm.pdf(2.0, 2.0, np.sqrt(2))
    shares = [density / (density + 1), 1 / (density + 1)]
    np.testing.assert_allclose(online.predict_proba_one([2.0]), shares)


def test_only_exact_naive_bayes_has_votes_where_every_product_of_densities_underflows():
    """200 attributes: every density is below 1e-308, but their ratio is known."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = 1e3 * rng.normal(size=(400, 200)) + 250 * y[:, None]
    assert prequential(NaiveBayes(exact=True), Stream(X, y)).loss[200:].mean() < 0.2
    assert (prequential(NaiveBayes(), Stream(X, y)).proba[200:] == 0.5).all()


def test_an_integer_weight_is_that_many_examples_for_naive_bayes_and_majority():
    stream = STREAMS["mixed, five classes"]
    for learner in (NaiveBayes(), Majority()):
        once, often = (learner.online(stream.schema) for _ in range(2))
        for i, (x, y) in enumerate(zip(stream.X[:100], stream.y[:100], strict=True)):
            once.learn_one(x, y, weight=1 + i % 4)
            for _ in range(1 + i % 4):
                often.learn_one(x, y)
        shares = [o.predict_proba_one(stream.X[200]) for o in (once, often)]
        np.testing.assert_allclose(*shares, rtol=1e-9)


@second_opinion("scikit-learn", "learners.LinearSVM")
def test_linear_svm_without_penalty_equals_sklearns_for_two_classes():
    stream = STREAMS["two numeric"]
    ours = prequential(LinearSVM(l2=0.0, learning_rate=0.05), stream)
    theirs = sklearn_svm(stream.X, stream.y, 0.05)
    np.testing.assert_array_equal(ours.y_pred[1:], (theirs > 0)[:-1])


def test_linear_svm_is_one_against_the_rest_in_more_classes():
    stream = STREAMS["mixed, five classes"]
    ours = prequential(LinearSVM(l2=0.0), stream)
    margins = np.column_stack([sklearn_svm(stream.X, stream.y == k, 0.01) for k in range(5)])
    np.testing.assert_array_equal(ours.y_pred[1:], margins[:-1].argmax(axis=1))


def sklearn_svm(X, y, rate):
    """Margin of the next example after each update."""
    settings = {"loss": "hinge", "penalty": None, "learning_rate": "constant", "eta0": rate}
    model, margins = SGDClassifier(**settings), []
    for i in range(len(X)):
        model.partial_fit(X[[i]], [int(y[i])], classes=[0, 1])
        margins.append(float(model.decision_function(X[[min(i + 1, len(X) - 1)]])[0]))
    return np.array(margins)


def test_linear_svm_shrinks_its_weights_by_its_formula():
    rate, l2 = 0.1, 0.5
    online = LinearSVM(learning_rate=rate, l2=l2).online(Schema((0,), 2))
    w = b = 0.0
    for t, (x, s) in enumerate([(1.0, 1), (2.0, -1), (30.0, 1), (0.5, -1)], start=1):
        hit = s * (w * x + b) < 1
        w = (1 - rate * l2 / t) * w + (rate * s * x if hit else 0)
        b += rate * s if hit else 0
        online.learn_one([x], (s + 1) // 2)
    assert online.state.weights[0, 0] == pytest.approx(w)
    assert online.state.bias[0] == pytest.approx(b)


def test_the_lowest_of_equal_margins_wins():
    """After one example of class 0, classes 1 and 2 have equal margins."""
    online = LinearSVM().online(Schema((0,), 3))
    online.learn_one([1.0], 0)
    assert online.predict_one([1.0]) == 0
    assert online.predict_one([-5.0]) == 1


def test_the_step_of_a_linear_svm_is_proportional_to_the_weight():
    """From zero weights the first step is learning rate x weight x example x (+1 for class 1)."""
    online = LinearSVM(learning_rate=0.1).online(Schema((0, 0), 2))
    online.learn_one([2.0, -1.0], 1, weight=3.0)
    np.testing.assert_allclose(online.state.weights, [[0.6, -0.3]])
    np.testing.assert_allclose(online.state.bias, [0.3])


def test_a_neighbor_has_as_many_votes_as_its_weight():
    online = NearestNeighbors(k=3).online(Schema((0,), 3))
    for x, y, weight in [(0.0, 0, 1.0), (0.1, 1, 2.5), (0.2, 0, 0.5), (9.0, 2, 50.0)]:
        online.learn_one([x], y, weight)
    np.testing.assert_allclose(online.predict_proba_one([0.1]), [1.5 / 4, 2.5 / 4, 0])
    assert online.predict_one([0.1]) == 1


def neighbor_votes(X, y, x, nominal, K, k, scale):
    """The definition: all distances with scipy, sorted, with ties of the k-th."""
    nominal = np.array(nominal)
    numeric = nominal == 0
    span = np.ptp(X[:, numeric], axis=0) if scale else np.ones(numeric.sum())
    used = span > 0
    columns = X[:, numeric][:, used] / span[used], x[None, numeric][:, used] / span[used]
    squared = cdist(*columns, "sqeuclidean")[:, 0] if used.any() else np.zeros(len(X))
    squared = squared + (X[:, ~numeric] != x[~numeric]).sum(axis=1)
    reach = np.sort(squared)[min(k, len(X)) - 1]
    return np.bincount(y[squared <= reach * (1 + 1e-12)], minlength=K)


@second_opinion("brute force", "learners.NearestNeighbors")
@pytest.mark.parametrize("name", ["two numeric", "nominal only", "mixed, five classes"])
@pytest.mark.parametrize(("k", "window", "scale"), [(1, 30, True), (3, 50, True), (7, 20, False)])
def test_nearest_neighbors_equals_its_definition_on_the_window(name, k, window, scale):
    stream = STREAMS[name]
    shares = prequential(NearestNeighbors(k=k, window=window, scale=scale), stream).proba
    for i in range(1, len(stream)):
        past = slice(max(0, i - window), i)
        args = stream.X[past], stream.y[past], stream.X[i], stream.schema.nominal
        counts = neighbor_votes(*args, stream.n_classes, k, scale)
        np.testing.assert_allclose(shares[i], counts / counts.sum())


def test_the_range_follows_the_window_when_an_extreme_leaves_it():
    """An outlier widens the range until it leaves the window; then distances are as before."""
    X = np.array([[0.0, 0.0], [1.0, 1.0], [1000.0, 0.5], [0.1, 0.9], [0.9, 0.1], [0.5, 0.5]])
    stream = Stream(np.vstack([X, X[::-1]]), np.arange(12) % 2)
    ours = prequential(NearestNeighbors(window=3), stream).proba
    for i in range(1, 12):
        past = slice(max(0, i - 3), i)
        args = stream.X[past], stream.y[past], stream.X[i], (0, 0), 2, 1, True
        counts = neighbor_votes(*args)
        np.testing.assert_allclose(ours[i], counts / counts.sum())


def test_a_constant_attribute_is_ignored():
    stream = STREAMS["two numeric"]
    padded = Stream(np.column_stack([stream.X, np.full(len(stream), 7.0)]), stream.y)
    a, b = (prequential(NearestNeighbors(window=30), s).y_pred for s in (stream, padded))
    np.testing.assert_array_equal(a, b)


def test_scaling_makes_the_unit_of_an_attribute_irrelevant():
    stream = STREAMS["two numeric"]
    rescaled = Stream(stream.X * [1024.0, 1 / 1024], stream.y)
    learner = NearestNeighbors(k=3, window=50)
    a, b = (prequential(learner, s).y_pred for s in (stream, rescaled))
    np.testing.assert_array_equal(a, b)
