"""Prequential runs: against loops by hand, with foreign models, and with learners of your own.

The learners defined here do what the next ones of the library will: raise alarms, hold several
learners of any kind, and replace one by another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload
from opinions import second_opinion
from river import dummy, ensemble, evaluate, metrics, naive_bayes, neighbors, preprocessing, tree
from river import linear_model as river_linear
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB

from repro import TESTBED, learners, prequential
from repro.interop import adapt, seeded, to_river
from repro.learners import Learner, LinearSVM, Majority, NaiveBayes, NearestNeighbors, NoChange
from repro.learners.verbs import alarmed, implements, learn, votes
from repro.metrics import prequential_error
from repro.streams import Schema, Stream

RNG = np.random.default_rng(20181807)
LABELS = RNG.integers(0, 3, 150)
NUMERIC = Stream(RNG.normal(size=(150, 2)) + LABELS[:, None], LABELS)
MIXED = Stream(np.c_[NUMERIC.X, (LABELS + RNG.integers(0, 2, 150)) % 4], LABELS, [0, 0, 4])
BASES = [Majority(), NoChange(), NaiveBayes(), LinearSVM(), NearestNeighbors(k=3, window=20)]
every_base = pytest.mark.parametrize("base", BASES, ids=repr)


# --- delay


def test_a_late_label_is_learned_late():
    """With a delay of 2 the last label known at example i is that of example i - 3."""
    stream = Stream(np.zeros((8, 1)), [1, 0, 1, 1, 0, 0, 1, 0])
    assert prequential(NoChange(), stream).y_pred.tolist() == [0, 1, 0, 1, 1, 0, 0, 1]
    assert prequential(NoChange(), stream, delay=1).y_pred.tolist() == [0, 0, 1, 0, 1, 1, 0, 0]
    assert prequential(NoChange(), stream, delay=2).y_pred.tolist() == [0, 0, 0, 1, 0, 1, 1, 0]
    assert prequential(NoChange(), stream, delay=100).y_pred.tolist() == [0] * 8


@pytest.mark.parametrize("delay", [0, 1, 7])
@pytest.mark.parametrize("model", [*BASES, naive_bayes.GaussianNB(), BernoulliNB()], ids=str)
def test_every_kind_of_learner_waits_for_its_labels(model, delay):
    """Against a loop with a queue of the examples whose labels have not arrived."""
    ours = isinstance(model, Learner)
    online = model.online(MIXED.schema) if ours else adapt(model, MIXED.schema)
    expected, waiting = [], []
    for x, y in zip(MIXED.X, MIXED.y, strict=True):
        expected.append(online.predict_one(x))
        waiting.append((x, int(y)))
        if len(waiting) > delay:
            online.learn_one(*waiting.pop(0))
    assert prequential(model, MIXED, delay=delay).y_pred.tolist() == expected


@pytest.mark.parametrize("delay", [-1, 1.5, None])
def test_an_invalid_delay_is_refused(delay):
    with pytest.raises(ValueError, match="delay must be a whole number >= 0; got"):
        prequential(NoChange(), NUMERIC, delay=delay)


def test_a_run_of_several_blocks_equals_one_run():
    """Blocks only serve the progress bar: state and delays carry over."""
    y = np.arange(25_000) % 3
    run = prequential(NoChange(), Stream(np.zeros((25_000, 1)), y), delay=3)
    np.testing.assert_array_equal(run.y_pred[4:], y[:-4])


# --- contents of a run


def test_losses_shares_and_cost():
    run = prequential(NaiveBayes(), NUMERIC)
    np.testing.assert_array_equal(run.loss, run.y_pred != NUMERIC.y)
    assert run.error == run.loss.mean() == prequential_error(run.loss)[-1]
    np.testing.assert_allclose(run.proba.sum(axis=1), 1)
    assert run.alarms.size == 0
    assert 0 < run.seconds < 5
    assert run.state_bytes > 0
    assert repr(run).startswith(f"Run(n=150, error={run.error:.4f}, alarms=0, seconds=")


@pytest.mark.parametrize("model", [NaiveBayes(), naive_bayes.GaussianNB(), BernoulliNB()], ids=str)
def test_without_shares_the_rest_is_the_same(model):
    run, bare = (prequential(model, NUMERIC, proba=proba) for proba in (True, False))
    np.testing.assert_array_equal(run.y_pred, bare.y_pred)
    assert bare.proba is None


@second_opinion("known truth", "learners.BayesOptimal")
def test_the_optimal_classifier_reaches_the_optimal_loss():
    """Its number of errors has the mean and the spread that the risks of the examples give."""
    stream = TESTBED["NSCX"].sample(seed=5)
    loss, risk = prequential(learners.BayesOptimal(), stream).loss, stream.bayes_risk
    assert abs(loss.sum() - risk.sum()) < 4 * np.sqrt((risk * (1 - risk)).sum())


def test_the_optimal_classifier_needs_optimal_labels():
    with pytest.raises(ValueError, match="stream must know its optimal labels for BayesOptimal"):
        prequential(learners.BayesOptimal(), NUMERIC)


# --- models of other libraries

RIVER = [
    naive_bayes.GaussianNB(),
    tree.HoeffdingTreeClassifier(grace_period=20),
    neighbors.KNNClassifier(engine=neighbors.LazySearch(window_size=30)),
    preprocessing.StandardScaler() | river_linear.SoftmaxRegression(),
    dummy.NoChangeClassifier(),
]
SKLEARN = [BernoulliNB(), SGDClassifier(random_state=1), SGDClassifier("log_loss", random_state=1)]


@pytest.mark.parametrize("model", RIVER, ids=lambda model: type(model).__name__)
def test_river_models_run_as_in_a_loop(model):
    ours, theirs = prequential(model, MIXED), model.clone()
    for i, (x, y) in enumerate(zip(MIXED.X, MIXED.y, strict=True)):
        example = {0: x[0], 1: x[1], 2: int(x[2])}
        label, shares = theirs.predict_one(example), theirs.predict_proba_one(example)
        assert ours.y_pred[i] == (0 if label is None else label)
        # River 0.22 gives a share to None before the first example: no label, which counts as 0.
        shares = {0 if k is None else k: share for k, share in shares.items()}
        total = sum(shares.values())
        expected = [shares.get(k, 0.0) / total if total else 1 / 3 for k in range(3)]
        np.testing.assert_allclose(ours.proba[i], expected, atol=1e-12)
        theirs.learn_one(example, int(y))


@pytest.mark.parametrize("model", SKLEARN, ids=str)
def test_sklearn_models_run_as_in_a_loop(model):
    ours = prequential(model, NUMERIC)
    theirs = type(model)(**model.get_params())
    predicted, shares = [0], [[1 / 3] * 3]
    for x, y in zip(NUMERIC.X, NUMERIC.y, strict=True):
        if len(predicted) > 1:
            predicted.append(theirs.predict([x])[0])
            if hasattr(theirs, "predict_proba"):
                shares.append(theirs.predict_proba([x])[0])
            else:
                shares.append(np.eye(3)[predicted[-1]])
        else:
            predicted.append(0)
        theirs.partial_fit([x], [y], classes=[0, 1, 2])
    np.testing.assert_array_equal(ours.y_pred, predicted[1:])
    np.testing.assert_allclose(ours.proba, shares)


@pytest.mark.parametrize("model", [*RIVER, *SKLEARN], ids=str)
def test_foreign_models_are_not_changed(model):
    before = repr(vars(model))
    first, second = (prequential(model, NUMERIC).y_pred for _ in range(2))
    assert repr(vars(model)) == before
    np.testing.assert_array_equal(first, second)


def unseeded():
    forest = ensemble.BaggingClassifier(tree.HoeffdingTreeClassifier(grace_period=10), n_models=3)
    return [
        forest,
        preprocessing.StandardScaler()
        | neighbors.KNNClassifier(engine=neighbors.SWINN(5, warm_up=50)),
        SGDClassifier("log_loss"),
    ]


@pytest.mark.parametrize("which", range(3))
def test_the_randomness_of_foreign_models_comes_from_the_seed(which):
    """Two models built separately run alike with the same seed, nested generators included."""
    runs = [prequential(unseeded()[which], NUMERIC, seed).proba for seed in (1, 1)]
    np.testing.assert_array_equal(*runs)


def test_another_seed_gives_another_run_and_a_seed_that_was_set_stays():
    forest = unseeded()[0]
    a, b = (prequential(forest, NUMERIC, seed).proba for seed in (1, 2))
    assert (a != b).any()
    pipeline = seeded(unseeded()[1], 7)
    assert isinstance(pipeline["KNNClassifier"].engine.seed, int)
    assert seeded(SGDClassifier(random_state=3), 7).random_state == 3
    assert seeded(ensemble.BaggingClassifier(naive_bayes.GaussianNB(), seed=4), 7).seed == 4
    assert seeded(SGDClassifier(), 7).random_state != seeded(SGDClassifier(), 8).random_state


class Silent:
    """A model without a prediction and without shares before it learns."""

    seed = random_state = None
    label = None

    def predict_one(self, x):
        return self.label

    def learn_one(self, x, y):
        self.label = y


def test_no_prediction_means_class_0_and_no_shares_mean_one_vote():
    run = prequential(Silent(), Stream(np.zeros((3, 1)), [2, 1, 0]))
    assert run.y_pred.tolist() == [0, 2, 1]
    np.testing.assert_array_equal(run.proba, np.eye(3)[[0, 2, 1]])
    model = seeded(Silent(), 3)
    assert isinstance(model.seed, int)
    assert isinstance(model.random_state, int)
    assert model.seed != model.random_state


class Particular:
    """A model that needs integer codes, and whose votes do not sum to 1."""

    def predict_one(self, x):
        return 2

    def predict_proba_one(self, x):
        assert [type(value) for value in x.values()] == [float, float, int]
        return {0: 2.0, 2: 6.0, 1: None}

    def learn_one(self, x, y):
        assert type(y) is int


def test_examples_come_as_dictionaries_and_votes_become_shares():
    run = prequential(Particular(), MIXED)
    np.testing.assert_allclose(run.proba, np.tile([0.25, 0.0, 0.75], (len(MIXED), 1)))


def test_partial_fit_gets_all_classes_at_once():
    """As scikit-learn requires, also for classes that come later."""
    stream = Stream(np.ones((4, 2)), [2, 2, 0, 2], n_classes=5)
    assert prequential(BernoulliNB(), stream).y_pred.tolist() == [0, 2, 2, 2]


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (BernoulliNB, "learner must be an instance, not the class; got BernoulliNB"),
        (NaiveBayes, "learner must be an instance, not the class; got NaiveBayes"),
        ("NB", "learner must be one of repro.learners, have predict_one and learn_one"),
        (None, "got NoneType"),
        (dummy.StatisticRegressor, "learner must be an instance"),
    ],
)
def test_an_unsupported_learner_is_refused(learner, message):
    with pytest.raises(TypeError, match=message):
        prequential(learner, NUMERIC)


@pytest.mark.parametrize("stream", [(NUMERIC.X, NUMERIC.y), None, TESTBED["NSGT"]])
def test_an_unsupported_stream_is_refused(stream):
    with pytest.raises(TypeError, match=r"stream must be a Stream \(of arrays: Stream\(X, y\)\)"):
        prequential(NoChange(), stream)


# --- our learners elsewhere


@every_base
def test_our_learners_run_in_rivers_evaluation(base):
    labels, features = ("a", "b", "c"), ("x", "y", "kind")
    model = to_river(base, MIXED.schema, features=features, labels=labels)
    rows = [
        (dict(zip(features, x, strict=True)), labels[y])
        for x, y in zip(MIXED.X, MIXED.y, strict=True)
    ]
    accuracy = evaluate.progressive_val_score(rows, model, metrics.Accuracy())
    assert accuracy.get() == pytest.approx(1 - prequential(base, MIXED).error)
    shares = model.predict_proba_one(rows[0][0])
    assert set(shares) == set(labels)
    assert sum(shares.values()) == pytest.approx(1)


def test_our_learners_work_in_rivers_pipelines_and_ensembles():
    """Behind a scaler: equal to scaling first. Two clones that vote: equal to one learner."""
    rows = [(dict(enumerate(x)), int(y)) for x, y in zip(NUMERIC.X, NUMERIC.y, strict=True)]
    model = to_river(LinearSVM(), NUMERIC.schema)
    pipeline = preprocessing.StandardScaler() | model
    scaler, scaled = preprocessing.StandardScaler(), []
    for x, _ in rows:
        scaler.learn_one(x)
        scaled.append(list(scaler.transform_one(x).values()))
    accuracy = evaluate.progressive_val_score(rows, pipeline, metrics.Accuracy()).get()
    assert accuracy == pytest.approx(1 - prequential(LinearSVM(), Stream(scaled, NUMERIC.y)).error)
    alike = [to_river(NoChange(), NUMERIC.schema).clone() for _ in range(2)]
    voting = ensemble.VotingClassifier(alike, use_probabilities=False)
    accuracy = evaluate.progressive_val_score(rows, voting, metrics.Accuracy()).get()
    assert accuracy == pytest.approx(1 - prequential(NoChange(), NUMERIC).error)


def test_a_learner_exported_to_river_runs_here_unchanged():
    """Exported and adapted again: the same run."""
    model = to_river(NaiveBayes(), NUMERIC.schema)
    np.testing.assert_array_equal(
        prequential(model, NUMERIC).y_pred, prequential(NaiveBayes(), NUMERIC).y_pred
    )


def test_the_names_of_attributes_and_labels_are_checked():
    schema = Schema((0, 0), 2)
    with pytest.raises(ValueError, match="features must hold 2 different names; got"):
        to_river(NoChange(), schema, features=("a", "a"))
    with pytest.raises(ValueError, match="labels must hold 2 different names; got"):
        to_river(NoChange(), schema, labels=("a",))
    model = to_river(NoChange(), schema, features=("a", "b"))
    with pytest.raises(ValueError, match=r"x must hold \['a', 'b'\]; got none for \['b'\]"):
        model.predict_one({"a": 1.0})
    with pytest.raises(ValueError, match=r"y must be one of \(0, 1\); got 2"):
        model.learn_one({"a": 1.0, "b": 0.0}, 2)


# --- learners of your own, through the kernels


class StartledState(NamedTuple):
    """The last label, and whether it differs from the one before."""

    last: np.ndarray
    surprise: np.ndarray


@dataclass(frozen=True)
class Startled(Learner):
    """The no-change classifier with an alarm at every change of the label."""

    paper: ClassVar[str] = "this test"

    def start(self, schema, seed=0):
        return StartledState(np.full(1, -1), np.zeros(1, np.bool_))


@implements(votes, StartledState)
def _startled_votes(state, x, out):
    out[:] = 0.0
    if state.last[0] >= 0:
        out[state.last[0]] = 1.0


@implements(learn, StartledState)
def _startled_learn(state, x, y, weight):
    state.surprise[0] = state.last[0] >= 0 and state.last[0] != y
    state.last[0] = y


@implements(alarmed, StartledState)
def _startled_alarmed(state):
    return state.surprise[0]


@pytest.mark.parametrize("delay", [0, 2])
def test_alarms_carry_the_index_of_the_example_whose_learning_raised_them(delay):
    stream = Stream(np.zeros((8, 1)), [0, 0, 1, 1, 1, 0, 1, 1])
    run = prequential(Startled(), stream, delay=delay)
    assert run.alarms.tolist() == [i for i in (2, 5, 6) if i < 8 - delay]
    np.testing.assert_array_equal(run.y_pred, prequential(NoChange(), stream, delay=delay).y_pred)
    online = Startled().online(stream.schema)
    alarms = [
        i for i, y in enumerate(stream.y) if online.learn_one([0.0], y) or online.drift_detected
    ]
    assert alarms == [2, 5, 6]


class CommitteeState(NamedTuple):
    """Several states of one type, and scratch for their votes."""

    members: tuple
    scratch: np.ndarray


@dataclass(frozen=True)
class Committee(Learner):
    """Member m learns every n-th example from the m-th on, with weight 2; one vote per member."""

    base: Learner
    n_members: int = 3

    paper: ClassVar[str] = "this test"

    def start(self, schema, seed=0):
        members = tuple(self.base.start(schema, seed) for _ in range(self.n_members))
        return CommitteeState(members, np.zeros(schema.n_classes + 1))


@implements(votes, CommitteeState)
def _committee_votes(state, x, out):
    out[:] = 0.0
    scratch = state.scratch[: out.size]
    for member in state.members:
        votes(member, x, scratch)
        out[scratch.argmax()] += 1.0


@implements(learn, CommitteeState)
def _committee_learn(state, x, y, weight):
    turn = int(state.scratch[-1])
    for m, member in enumerate(state.members):
        if m == turn:
            learn(member, x, y, 2 * weight)
    state.scratch[-1] = (turn + 1) % len(state.members)


@pytest.mark.parametrize("base", [Startled(), NearestNeighbors(k=3, window=20)], ids=repr)
def test_an_ensemble_takes_any_base(base):
    """Equal to three online learners in a list."""
    run = prequential(Committee(base), MIXED)
    members = [base.online(MIXED.schema) for _ in range(3)]
    for i, (x, y) in enumerate(zip(MIXED.X, MIXED.y, strict=True)):
        counts = np.bincount([member.predict_one(x) for member in members], minlength=3)
        np.testing.assert_allclose(run.proba[i], counts / 3)
        members[i % 3].learn_one(x, y, 2.0)


def test_the_memory_of_an_ensemble_is_that_of_its_members_and_its_own():
    learner = Committee(Startled(), 2)
    assert learner.online(NUMERIC.schema).state_bytes == 2 * (8 + 1) + 4 * 8


def restore(target, source):
    """Make the state `target` equal to `source`; compiled only."""


@overload(restore)
def _restore(target, source):
    if isinstance(target, types.Array):

        def copy(target, source):
            target[...] = source

        return copy
    if isinstance(target, types.BaseTuple) and len(target) > 0:

        def recurse(target, source):
            restore(target[0], source[0])
            restore(target[1:], source[1:])

        return recurse
    return lambda target, source: None


class RetrainedState(NamedTuple):
    """Two learners, their initial state, which of them is in use, and the errors in a row."""

    pair: tuple
    fresh: tuple
    now: np.ndarray  # (3,) the one in use, errors in a row, whether it was replaced just now
    scratch: np.ndarray


@dataclass(frozen=True)
class Retrained(Learner):
    """After `patience` errors in a row, a learner trained only on these replaces the first."""

    base: Learner
    patience: int = 2

    paper: ClassVar[str] = "this test"

    def start(self, schema, seed=0):
        pair = self.base.start(schema, seed), self.base.start(schema, seed)
        now = np.array([0, 0, 0, self.patience])
        scratch = np.zeros(schema.n_classes)
        return RetrainedState(pair, self.base.start(schema, seed), now, scratch)


@implements(votes, RetrainedState)
def _retrained_votes(state, x, out):
    votes(state.pair[state.now[0]], x, out)


@implements(learn, RetrainedState)
def _retrained_learn(state, x, y, weight):
    used, other = state.pair[state.now[0]], state.pair[1 - state.now[0]]
    votes(used, x, state.scratch)
    state.now[2] = 0
    if state.scratch.argmax() == y:
        state.now[1] = 0
        restore(other, state.fresh)
    else:
        state.now[1] += 1
        learn(other, x, y, weight)
    learn(used, x, y, weight)
    if state.now[1] == state.now[3]:
        restore(used, state.fresh)
        state.now[0] = 1 - state.now[0]
        state.now[1], state.now[2] = 0, 1


@implements(alarmed, RetrainedState)
def _retrained_alarmed(state):
    return state.now[2] == 1


@pytest.mark.parametrize("base", [LinearSVM(), Committee(NoChange(), 2)], ids=repr)
def test_a_wrapper_replaces_a_learner_at_a_drift(base):
    """A small drift-triggered retraining: equal to a loop that makes new online learners."""
    flipped = Stream(
        np.r_[MIXED.X, MIXED.X], np.r_[MIXED.y, (MIXED.y + 1) % 3], MIXED.nominal, drifts=[150]
    )
    run = prequential(Retrained(base), flipped)
    used, other, errors = base.online(flipped.schema), base.online(flipped.schema), 0
    alarms = []
    for i, (x, y) in enumerate(zip(flipped.X, flipped.y, strict=True)):
        predicted = used.predict_one(x)
        assert run.y_pred[i] == predicted
        if predicted == y:
            errors, other = 0, base.online(flipped.schema)
        else:
            errors += 1
            other.learn_one(x, y)
        used.learn_one(x, y)
        if errors == 2:
            used, other, errors = other, base.online(flipped.schema), 0
            alarms.append(i)
    assert run.alarms.tolist() == alarms
    assert alarms


def test_a_state_without_kernels_says_which_verb_is_missing():
    class Bare(NamedTuple):
        a: np.ndarray

    @dataclass(frozen=True)
    class Unfinished(Learner):
        def start(self, schema, seed=0):
            return Bare(np.zeros(1))

    with pytest.raises(TypingError, match="votes"):
        prequential(Unfinished(), NUMERIC)


def test_a_second_kernel_for_a_state_is_refused():
    """Compiled code keeps the first kernel, so a second one would run only in some places."""
    with pytest.raises(ValueError, match="no kernel for 'votes' yet; got StartledState"):
        implements(votes, StartledState)(_startled_votes.py_func)
