"""Models of other libraries: which are accepted, their outputs, and copies of the arrays."""

from __future__ import annotations

import numpy as np
import pytest
from river import (
    anomaly,
    base,
    cluster,
    compose,
    dummy,
    ensemble,
    forest,
    linear_model,
    multiclass,
    multioutput,
    naive_bayes,
    preprocessing,
    tree,
)
from sklearn.cluster import MiniBatchKMeans
from sklearn.linear_model import SGDClassifier, SGDOneClassSVM, SGDRegressor
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from repro import TESTBED, holdout, prequential, sweep
from repro.interop._from_sklearn import rows_as_shares
from repro.interop.adapting import adapt, check_learner
from repro.learners import (
    BayesOptimal,
    HoeffdingTree,
    NaiveBayes,
    NoChange,
    TemporalCorrection,
    TemporallyAugmented,
)
from repro.streams import SEA, Stream

RNG = np.random.default_rng(9)
LABELS = RNG.integers(0, 2, 60)
TWO = Stream(RNG.normal(size=(60, 2)) + LABELS[:, None], LABELS)


# --- labels


class Says:
    """A river model that predicts `label` at example 17, and 0 before."""

    def __init__(self, label):
        self.label, self.seen = label, 0

    def predict_one(self, x):
        self.seen += 1
        return self.label if self.seen > 17 else 0

    def learn_one(self, x, y):
        pass


class SaysInBlocks:
    """The same in scikit-learn's protocol, which is called from the second example on."""

    first = 16

    def __init__(self, label):
        self.label, self.seen = label, 0

    def predict(self, X):
        said = np.zeros(len(X), dtype=object)
        for i in range(len(X)):
            said[i] = self.label if self.seen + i >= self.first else 0
        self.seen += len(X)
        return said

    def partial_fit(self, X, y, classes=None):
        pass


IMPOSSIBLE = [256, -1, 2, 0.5, np.nan, np.inf, "1", (0, True), 10**400, np.array([1, 0])]


@pytest.mark.parametrize("kind", [Says, SaysInBlocks])
@pytest.mark.parametrize("label", IMPOSSIBLE, ids=lambda label: repr(label)[:12])
@pytest.mark.parametrize("proba", [True, False])
def test_a_label_outside_the_schema_is_refused(kind, label, proba):
    """256 cut to a byte would be 0, a valid label."""
    rule = r"learner must predict labels 0..1; got .* for example"
    with pytest.raises(ValueError, match=rf"{rule} 17$") as caught:
        prequential(kind(label), TWO, proba=proba)
    assert not hasattr(caught.value, "__notes__")  # the example is named once
    with pytest.raises(ValueError, match=rule):
        holdout(kind(label), TWO, TWO, every=60)


@pytest.mark.parametrize("kind", [Says, SaysInBlocks])
def test_in_chunks_an_example_has_its_number_in_the_whole_stream(kind):
    chunks = (TWO.take(range(i, i + 10)) for i in range(0, 30, 10))
    with pytest.raises(ValueError, match=r"got 256 for example 17$"):
        prequential(kind(256), chunks)


def test_a_label_outside_the_schema_fails_the_task_of_a_sweep(tmp_path):
    with pytest.warns(RuntimeWarning, match=r"learner must predict labels 0..1; got 256"):
        table = sweep({"a": Says(256)}, {"s": TWO}, [0], cache=tmp_path)
    assert np.isnan(table["error"][0])
    assert "labels 0..1; got 256 for example 17" in table["failure"][0]


@pytest.mark.parametrize("kind", [Says, SaysInBlocks])
@pytest.mark.parametrize(
    ("label", "taken"), [(None, 0), (True, 1), (np.True_, 1), (1.0, 1), (np.int8(1), 1)]
)
def test_whole_numbers_of_any_type_are_labels_and_none_is_class_0(kind, label, taken):
    assert prequential(kind(label), TWO).y_pred.tolist() == [0] * 17 + [taken] * 43


class Shares(Says):
    """A model that always gives `label` as its shares."""

    def predict_one(self, x):
        return 0

    def predict_proba_one(self, x):
        return self.label


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({256: 1.0}, ValueError, r"labels 0..1; got 256 for example 0"),
        ({0: "all"}, ValueError, r"each class a number as its share; got 'all' for example 0"),
        ([0.5, 0.5], TypeError, r"predict_proba_one must return a dictionary of shares; got \[0.5"),
    ],
)
def test_invalid_shares_are_refused(given, error, message):
    with pytest.raises(error, match=message):
        prequential(Shares(given), TWO)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({0: 1, 1: 3}, [0.25, 0.75]),
        ({1: 0.2, 7: 0.0, "x": None}, [0, 1]),
        ({}, [0.5, 0.5]),
        ({0: np.nan, 1: 0.5}, [0.5, 0.5]),
        ({0: np.inf, 1: 0.5}, [0.5, 0.5]),
        ({0: -1.0, 1: 2.0}, [0.5, 0.5]),
        ({0: 1e308, 1: 1e308}, [0.5, 0.5]),
        ({False: 0.5, True: 1.5}, [0.25, 0.75]),
    ],
)
def test_shares_are_finite_and_of_sum_1(given, expected):
    """In both forms: for one row, and for many rows."""
    np.testing.assert_allclose(prequential(Shares(given), TWO).proba, [expected] * 60)
    row = [[float(given.get(k) or 0.0) for k in (0, 1)]]
    np.testing.assert_allclose(rows_as_shares(np.array(row)), [expected])


# --- which models are accepted

TWICE = preprocessing.StandardScaler() | preprocessing.MinMaxScaler() | naive_bayes.GaussianNB()


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (linear_model.LinearRegression(), "a classifier; got LinearRegression, a regressor"),
        (preprocessing.StandardScaler() | linear_model.LinearRegression(), "Pipeline, a regressor"),
        (cluster.KMeans(), "a classifier; got KMeans, a clusterer"),
        (
            multioutput.ClassifierChain(linear_model.LogisticRegression()),
            "got ClassifierChain, a multi-label classifier",
        ),
        (SGDRegressor(), "a classifier; got SGDRegressor, a regressor"),
        (MiniBatchKMeans(), "a classifier; got MiniBatchKMeans, a clusterer"),
        (SGDOneClassSVM(), "a classifier; got SGDOneClassSVM, a outlier detector"),
        (TemporallyAugmented(SGDRegressor()), "a classifier; got SGDRegressor"),
        (DecisionTreeClassifier(), "got DecisionTreeClassifier, which has fit but no partial_fit"),
        (make_pipeline(GaussianNB()), "got Pipeline, which has fit but no partial_fit"),
        (preprocessing.StandardScaler(), "StandardScaler, which has learn_one but no predict_one"),
        (anomaly.HalfSpaceTrees(), "got HalfSpaceTrees, which has learn_one but no predict_one"),
        (NaiveBayes().online(TWO.schema), "must be NaiveBayes.* itself; got its online form"),
        (
            TemporalCorrection(NaiveBayes()).online(TWO.schema),
            "must be TemporalCorrection.* itself; got its online form",
        ),
        (GaussianNB, "learner must be an instance, not the class; got GaussianNB"),
        (object(), "got object$"),
        (None, "got NoneType$"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_unsupported_object_is_refused_before_anything_runs(learner, message):
    for refuse in (
        lambda: check_learner(learner),
        lambda: prequential(learner, TWO),
        lambda: holdout(learner, TWO, TWO, every=20),
    ):
        with pytest.raises(TypeError, match=message):
            refuse()


def test_classifiers_of_all_kinds_are_accepted():
    """Also models whose library declares no kind."""
    mine = type("Mine", (linear_model.LogisticRegression,), {})()
    for learner in (Says(0), SaysInBlocks(0), mine, BernoulliNB(), BayesOptimal(), HoeffdingTree()):
        assert check_learner(learner) is None
    for model in (tree.HoeffdingTreeClassifier(), forest.ARFClassifier(), TWICE):
        assert check_learner(model) is None


def test_a_description_must_be_sampled_first():
    for given in (TESTBED["NSGT"], SEA(), SEA):
        message = r"stream must be a Stream .*: draw one with \.sample\(seed\)"
        with pytest.raises(TypeError, match=message):
            prequential(NoChange(), given)
        with pytest.raises(TypeError, match=r"test must be a Stream .*\.sample\(seed\)"):
            holdout(NoChange(), TWO, given)


def test_an_unsupported_stream_is_shown_in_one_line():
    with pytest.raises(TypeError, match=r"got \(array.*\.\.\."):
        prequential(NoChange(), (TWO.X, TWO.y))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"proba": np.ones(2)}, "proba must be True or False; got"),
        ({"proba": 1}, "proba must be True or False; got 1"),
        ({"seed": -1}, "seed must be a whole number >= 0; got -1"),
        ({"seed": "a"}, "seed must be a whole number >= 0; got 'a'"),
        ({"batch": 0}, "batch must be a whole number >= 1; got 0"),
        ({"batch": 2.0}, "batch must be a whole number >= 1; got 2.0"),
        ({"every": []}, r"every must be a whole number >= 1; got \[\]"),
    ],
)
@pytest.mark.parametrize("learner", [NoChange(), GaussianNB(), BayesOptimal()], ids=str)
def test_options_are_checked_for_every_kind_of_learner(learner, options, message):
    with pytest.raises(ValueError, match=message):
        prequential(learner, TWO, **options)


@pytest.mark.parametrize("options", [{"seed": -1}, {"batch": 0}, {"batch": None}, {"seed": None}])
def test_the_options_of_a_holdout_are_checked(options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be a whole number"):
        holdout(NoChange(), TWO, TWO, every=10, **options)


def test_a_model_without_labels_and_shares_is_refused():
    class Nothing(Says):
        def predict_one(self, x):
            raise NotImplementedError

    class RiversNothing(base.Classifier):
        def learn_one(self, x, y):
            pass

    for model, proba in [(Nothing(0), True), (RiversNothing(), True), (RiversNothing(), False)]:
        with pytest.raises(TypeError, match=r"predict labels or probabilities; got \w*Nothing"):
            prequential(model, TWO, proba=proba)


def test_a_model_that_cannot_be_copied_is_refused():
    model = Says(0)
    model.lock = (i for i in range(3))
    with pytest.raises(TypeError, match=r"copy.deepcopy can copy; got Says \(cannot pickle"):
        prequential(model, TWO)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((NaiveBayes(), TWO.schema), TypeError, "model must be one of another library; got"),
        ((GaussianNB(), TWO), TypeError, "schema must be a Schema, such as stream.schema; got"),
        ((GaussianNB(), TWO.schema, -1), ValueError, "seed must be a whole number >= 0; got -1"),
    ],
)
def test_arguments_that_cannot_be_adapted_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        adapt(*arguments)


# --- models without shares


@pytest.mark.parametrize(
    "model",
    [
        multiclass.OneVsOneClassifier(linear_model.LogisticRegression()),
        ensemble.VotingClassifier(
            [linear_model.PAClassifier(), dummy.NoChangeClassifier()], use_probabilities=False
        ),
    ],
    ids=str,
)
def test_rivers_models_without_probabilities_give_one_vote(model):
    """Their predict_proba_one raises NotImplementedError."""
    run = prequential(model, TWO)
    np.testing.assert_array_equal(run.proba, np.eye(2)[run.y_pred])
    np.testing.assert_array_equal(run.y_pred, prequential(model, TWO, proba=False).y_pred)


def test_a_model_that_predicts_the_largest_share_is_asked_once(monkeypatch):
    """River's default `predict_one` is the label with the largest share."""
    calls = []
    for model, asked in [
        (naive_bayes.GaussianNB(), 60),
        (preprocessing.StandardScaler() | naive_bayes.GaussianNB(), 60),
        (tree.HoeffdingTreeClassifier(), 60),
    ]:
        kind = type(model["GaussianNB"] if isinstance(model, compose.Pipeline) else model)
        calls.clear()
        original = kind.predict_proba_one
        with monkeypatch.context() as patch:
            patch.setattr(
                kind,
                "predict_proba_one",
                lambda self, x, original=original, **k: calls.append(1) or original(self, x, **k),
            )
            run = prequential(model, TWO)
        assert len(calls) == asked
        np.testing.assert_array_equal(run.y_pred, prequential(model, TWO, proba=False).y_pred)


# --- pretrained models


def test_a_fitted_sklearn_model_predicts_from_the_first_example():
    fitted = GaussianNB().fit(TWO.X, TWO.y)
    run = prequential(fitted, TWO, delay=1000)
    np.testing.assert_array_equal(run.y_pred, fitted.predict(TWO.X))
    np.testing.assert_allclose(run.proba, fitted.predict_proba(TWO.X))
    river = naive_bayes.GaussianNB()
    for x, y in zip(TWO.X, TWO.y, strict=True):
        river.learn_one(dict(enumerate(x)), int(y))
    expected = [river.predict_one(dict(enumerate(x))) for x in TWO.X]
    assert prequential(river, TWO, delay=1000).y_pred.tolist() == expected


THREE = RNG.integers(0, 3, 90)
CLASSES = Stream(RNG.normal(size=(90, 2)) + THREE[:, None], THREE)


def test_shares_are_in_the_columns_of_their_classes():
    """Fitted with the classes 0 and 2 of three: class 1 has share 0."""
    some = THREE != 1
    fitted = GaussianNB().fit(CLASSES.X[some], THREE[some])
    run = prequential(fitted, CLASSES, delay=1000)
    np.testing.assert_allclose(run.proba[:, [0, 2]], fitted.predict_proba(CLASSES.X))
    np.testing.assert_array_equal(run.proba[:, 1], 0)
    seen = CLASSES.take(some)
    theirs, expected = GaussianNB().fit(CLASSES.X[some], THREE[some]), []
    for x, y in zip(seen.X, seen.y, strict=True):
        expected.append(theirs.predict([x])[0])
        theirs.partial_fit([x], [y])
    assert prequential(fitted, seen).y_pred.tolist() == expected
    message = r"can learn only the classes that it was fitted with, \[0, 2\]; got label 1"
    with pytest.raises(ValueError, match=message):
        prequential(fitted, CLASSES)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            np.where(LABELS, "UP", "DOWN"),
            r"learner.classes_ must hold integer labels 0..K-1 .*DOWN",
        ),
        (LABELS + 1, r"learner.classes_ must hold integer labels 0..1 .*; got 2 at index 1"),
    ],
)
def test_fitted_classes_outside_the_schema_are_refused_at_once(labels, message):
    with pytest.raises(ValueError, match=message):
        prequential(GaussianNB().fit(TWO.X, labels), TWO)


def test_a_model_of_several_outputs_is_refused():
    two = MultiOutputClassifier(SGDClassifier("log_loss")).fit(TWO.X, np.c_[LABELS, LABELS])
    with pytest.raises(ValueError, match=r"learner.classes_ must be a non-empty 1-d array"):
        prequential(two, TWO)


class Columns(SaysInBlocks):
    """A model that gives `label` as its shares for any input."""

    fitted_ = True

    def __init__(self, label):
        super().__init__(label)
        self.fitted_ = True

    def predict(self, X):
        return np.zeros(len(X), int)

    def predict_proba(self, X):
        return self.label


@pytest.mark.parametrize("given", [[[1.0]], [["a", "b"]], [[1.0], [0.5, 0.5]], None])
def test_shares_with_other_columns_than_the_classes_are_refused(given):
    with pytest.raises(ValueError, match=r"must give one number per class, \[0, 1\]; got"):
        prequential(Columns(given), TWO)


def test_predictions_of_another_shape_are_refused():
    for said in (np.zeros((1, 1)), [[1], [1, 2]], None, 1):
        column = type("Column", (Columns,), {"predict": lambda self, X, said=said: said})
        with pytest.raises(ValueError, match=r"one label per example, shape \(1,\); got"):
            prequential(column(None), TWO)


def test_partial_fit_gets_the_classes_once_if_it_takes_them():
    asked = []

    class Watches(SaysInBlocks):
        def partial_fit(self, X, y, **more):
            asked.append(list(more))

    class Bare(SaysInBlocks):
        def partial_fit(self, X, y):
            pass

    prequential(Watches(0), TWO)
    assert asked == [["classes"]] + [[]] * 59
    assert prequential(Bare(0), TWO).y_pred.sum() == 0


# --- models cannot change the arrays


class Vandal(SaysInBlocks):
    """A model that overwrites its input."""

    def predict(self, X):
        X[:] = -1.0
        return np.zeros(len(X), int)

    def predict_proba(self, X):
        X[:] = -1.0
        return np.full((len(X), 2), 0.5)

    def partial_fit(self, X, y, classes=None):
        X[:], y[:] = -1.0, 0


class RiverVandal(Says):
    def predict_one(self, x):
        x.clear()
        return 0

    def predict_proba_one(self, x):
        x.clear()
        return {0: 1.0}

    def learn_one(self, x, y):
        x.clear()


@pytest.mark.parametrize("model", [Vandal(0), RiverVandal(0)], ids=["sklearn", "river"])
@pytest.mark.parametrize("batch", [1, 7])
def test_a_model_that_writes_into_its_input_changes_no_stream(model, batch):
    stream, before = Stream(TWO.X, TWO.y), (TWO.X.copy(), TWO.y.copy())
    prequential(model, stream, batch=batch)
    holdout(model, stream, stream, every=20, batch=batch)
    np.testing.assert_array_equal(stream.X, before[0])
    np.testing.assert_array_equal(stream.y, before[1])
