"""Learners of ours as classifiers of scikit-learn."""

from __future__ import annotations

import copy
import pickle
import sys
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from repro import detectors, prequential, registry
from repro.interop import to_sklearn
from repro.learners import (
    DriftRetraining,
    HoeffdingTree,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    OnlineLearner,
    OzaBag,
    TemporalCorrection,
    TemporallyAugmented,
)
from repro.streams import Schema, Stream

TREE = HoeffdingTree(grace_period=20)

# --- scikit-learn's own checks

WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
AT_LEAVES = "a leaf counts once per example, not per unit of weight, which vote was right"
DRAWN = "each example draws its Poisson numbers once, whatever its weight"
IN_ORDER = "the order of labels matters: a label of weight 3 does not follow itself"

#: Why a learner fails a check, by the name of its class.
REASONS = {
    "HoeffdingTree": {WEIGHTS: AT_LEAVES},
    "HoeffdingAdaptiveTree": {WEIGHTS: AT_LEAVES},
    "HoeffdingOptionTree": {WEIGHTS: AT_LEAVES},
    "OzaBag": {WEIGHTS: DRAWN},
    "OzaBagAdwin": {WEIGHTS: DRAWN},
    "LeveragingBag": {WEIGHTS: DRAWN},
    "TemporallyAugmented": {WEIGHTS: IN_ORDER},
    "TemporalCorrection": {WEIGHTS: IN_ORDER},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.learners())
def test_scikit_learns_checks_pass_but_for_those_with_a_reason(name):
    """A check that passes although its failure is expected fails here too."""
    learner, reasons = registry.learners()[name], REASONS.get(name, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks provoke warnings
        results = check_estimator(
            to_sklearn(learner), expected_failed_checks=reasons, on_skip=None, on_fail=None
        )
    said = {r["check_name"]: repr(r["exception"]) for r in results if r["status"] == "failed"}
    assert said == {}
    assert {r["check_name"] for r in results if r["status"] == "xfail"} == set(reasons)
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}  # needs a setting before SciPy is imported


# --- predictions


class EveryHundredth:
    """A detector of another library."""

    drift_detected, seen = False, 0

    def __repr__(self):
        return "EveryHundredth()"  # without the address, which differs between test processes

    def update(self, x):
        self.seen += 1
        self.drift_detected = self.seen % 100 == 0


LEARNERS = [
    NaiveBayes(),
    NearestNeighbors(k=3, window=50),
    TREE,
    OzaBag(TREE, n_members=3),
    DriftRetraining(TREE, detectors.DDM()),
    DriftRetraining(NaiveBayes(), EveryHundredth()),
    TemporallyAugmented(TREE, lags=2),
    TemporalCorrection(TREE),
]
by_learner = pytest.mark.parametrize("learner", LEARNERS, ids=str)


def mixed(n=400, seed=0):
    """A numeric and a nominal attribute and three classes, one of them rare; it drifts."""
    rng = np.random.default_rng(seed)
    X = np.c_[rng.normal(size=n), rng.integers(0, 3, n)]
    y = ((X[:, 0] > 0) ^ (X[:, 1] == 1) ^ (np.arange(n) > n // 2)).astype(int)
    y[rng.random(n) < 0.1] = 2
    return Stream(X, y, nominal=[0, 3])


def as_table(stream):
    """The attributes with texts in place of codes."""
    kinds = pd.Categorical.from_codes(stream.X[:, 1].astype(int), ["red", "green", "blue"])
    return pd.DataFrame({"size": stream.X[:, 0], "color": kinds})


def one_by_one(learner, schema, X, y, seed=0, weights=None):
    """The online form after it has learned the rows one by one."""
    online = learner.online(schema, seed)
    for x, label, weight in zip(X, y, np.ones(len(y)) if weights is None else weights, strict=True):
        online.learn_one(x, label, weight)
    return online


@by_learner
def test_predictions_are_those_of_the_learner_that_went_through_the_rows(learner):
    stream = mixed()
    names = np.array(["no", "rare", "yes"])[[0, 2, 1]]  # sorted: no, rare, yes are codes 0, 2, 1
    schema = Schema((0, 4), 3)  # one more value, for what is not known
    labels = np.array([0, 2, 1])[stream.y]
    online = one_by_one(learner, schema, stream.X[:300], labels[:300], seed=4)
    model = to_sklearn(learner, random_state=4)
    table, given = as_table(stream), np.array(["no", "yes", "rare"])[stream.y]
    model.fit(table[:300], given[:300])
    shares = [online.predict_proba_one(x) for x in stream.X[300:]]
    np.testing.assert_array_equal(model.predict_proba(table[300:]), shares)
    predicted = [online.predict_one(x) for x in stream.X[300:]]
    assert model.predict(table[300:]).tolist() == [["no", "rare", "yes"][k] for k in predicted]
    assert model.classes_.tolist() == sorted(names)
    assert model.online_.counts == online.counts


@by_learner
def test_rows_learned_in_parts_equal_rows_learned_at_once(learner):
    stream = mixed()
    whole, parts = to_sklearn(learner), to_sklearn(learner)
    whole.fit(stream.X, stream.y)
    for start in range(0, 400, 100):
        part = slice(start, start + 100)
        parts.partial_fit(stream.X[part], stream.y[part], classes=[0, 1, 2])
    np.testing.assert_array_equal(parts.predict_proba(stream.X), whole.predict_proba(stream.X))
    whole.fit(stream.X[:50], stream.y[:50])  # forgets
    fresh = to_sklearn(learner).fit(stream.X[:50], stream.y[:50])
    np.testing.assert_array_equal(whole.predict_proba(stream.X), fresh.predict_proba(stream.X))


@by_learner
def test_a_prequential_run_of_the_classifier_is_that_of_the_learner(learner):
    """And so it is on nominal attributes, whose spare value changes nothing that is known."""
    stream = mixed(150)
    model = to_sklearn(learner, nominal=[1])
    model.partial_fit(as_codes(stream), stream.y[:3], classes=[0, 1, 2], sample_weight=[1, 1, 1])
    online = one_by_one(learner, stream.schema, as_codes(stream), stream.y[:3])
    for x, y in zip(stream.X, stream.y, strict=True):
        np.testing.assert_array_equal(model.predict_proba([x])[0], online.predict_proba_one(x))
        model.partial_fit([x], [y])
        online.learn_one(x, y)
    numeric = Stream(stream.X, stream.y)
    ours, theirs = prequential(learner, numeric), prequential(to_sklearn(learner), numeric)
    np.testing.assert_array_equal(ours.y_pred[1:], theirs.y_pred[1:])


def as_codes(stream):
    """Three rows that show all codes in order, so that `fit` gives each code itself."""
    return np.c_[stream.X[:3, 0], [0.0, 1.0, 2.0]]


@by_learner
def test_weights_are_the_learners_and_zeros_change_nothing(learner):
    stream = mixed(200)
    weights = np.random.default_rng(1).integers(0, 3, 200).astype(float)
    model = to_sklearn(learner).fit(stream.X, stream.y, sample_weight=weights)
    online = one_by_one(learner, Schema((0, 0), 3), stream.X, stream.y, weights=weights)
    shares = [online.predict_proba_one(x) for x in stream.X]
    np.testing.assert_array_equal(model.predict_proba(stream.X), shares)
    kept = weights > 0
    other = to_sklearn(learner).fit(stream.X[kept], stream.y[kept], sample_weight=weights[kept])
    np.testing.assert_array_equal(other.predict_proba(stream.X), shares)


def test_a_whole_weight_is_as_many_examples_where_the_learner_only_counts():
    stream = mixed(100)
    weights = np.arange(100) % 4
    model = to_sklearn(Majority()).fit(stream.X, stream.y, sample_weight=weights)
    repeated = to_sklearn(Majority()).fit(stream.X.repeat(weights, 0), stream.y.repeat(weights))
    shares = repeated.predict_proba(stream.X)
    np.testing.assert_array_equal(model.predict_proba(stream.X), shares)


def test_the_seed_is_that_of_prequential_and_none_draws_another_one():
    stream, bag = mixed(200), OzaBag(TREE, n_members=2)
    # Not 1: other tests leave the shared generator, from which None draws, with that seed.
    states = np.random.RandomState(20_311), np.random.RandomState(20_311)
    shares = [
        to_sklearn(bag, random_state=seed).fit(stream.X, stream.y).predict_proba(stream.X)
        for seed in (3, 3, 4, None, None, *states)
    ]
    assert (shares[0] == shares[1]).all()
    assert (shares[5] == shares[6]).all()
    different = [shares[i] for i in (0, 2, 3, 4, 5)]
    assert len({part.tobytes() for part in different}) == 5


# --- tables


def test_missing_and_unknown_values_are_one_spare_value():
    stream = mixed()
    table = as_table(stream)
    model = to_sklearn(TREE).fit(table, stream.y)
    assert model.online_.schema == Schema((0, 4), 3)
    online = one_by_one(TREE, Schema((0, 4), 3), stream.X, stream.y)
    for unknown in ("pink", None, np.nan, 7):
        odd = pd.DataFrame({"size": [0.3], "color": pd.Series([unknown], dtype=object)})
        np.testing.assert_array_equal(
            model.predict_proba(odd)[0], online.predict_proba_one([0.3, 3])
        )
    table.loc[:99, "color"] = None
    model.fit(table, stream.y)  # missing values can be learned
    coded = np.c_[stream.X[:, 0], np.where(np.arange(400) < 100, 3, stream.X[:, 1])]
    online = one_by_one(TREE, Schema((0, 4), 3), coded, stream.y)
    shares = [online.predict_proba_one(x) for x in coded]
    np.testing.assert_array_equal(model.predict_proba(table), shares)


@pytest.mark.parametrize(
    ("column", "size"),
    [
        (pd.Series(["b", "a", "b"]), 3),
        (pd.Series(["b", "a", None], dtype=object), 3),
        (pd.Series([True, False, True]), 3),
        (pd.Series([True, None, True], dtype="boolean"), 2),
        (pd.Series(pd.Categorical([3, 1, 3], categories=[1, 2, 3])), 4),
        (pd.Series([1, 0, 1]), 0),
        (pd.Series([1.5, 0, 1], dtype="Float64"), 0),
    ],
    ids=lambda x: str(getattr(x, "dtype", x)),
)
def test_the_type_of_a_column_says_whether_it_is_nominal(column, size):
    X = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": column})
    model = to_sklearn(NaiveBayes()).fit(X, [0, 1, 0])
    assert model.online_.schema.nominal == (0, size)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert model.predict(X).shape == (3,)


@pytest.mark.parametrize("nominal", [["color"], [1], (1,), np.array([1]), pd.Index(["color"])])
def test_nominal_columns_can_be_named(nominal):
    table = as_table(mixed()).assign(color=mixed().X[:, 1])
    model = to_sklearn(TREE, nominal=nominal).fit(table, mixed().y)
    assert model.online_.schema.nominal == (0, 4)
    again = clone(model).fit(table, mixed().y)
    np.testing.assert_array_equal(again.predict_proba(table), model.predict_proba(table))


def test_an_array_is_numeric_unless_its_nominal_columns_are_named():
    stream = mixed()
    assert to_sklearn(TREE).fit(stream.X, stream.y).online_.schema.nominal == (0, 0)
    model = to_sklearn(TREE, nominal=[1]).fit(stream.X * [1, 100] - [0, 7], stream.y)
    assert model.online_.schema.nominal == (0, 4)
    texts = np.array([["0.5", "a"], ["1.5", "b"]], dtype=object)
    model = to_sklearn(NaiveBayes(), nominal=[1]).fit(texts, [0, 1])
    assert model.predict(texts.tolist()).tolist() == [0, 1]
    assert model.predict([["0.5", "c"]]).tolist() == [0]


@pytest.mark.parametrize(
    ("nominal", "got"), [("color", "'color'"), (1, "1"), (None, "None"), ({1}, "{1}")]
)
def test_nominal_must_be_a_list(nominal, got):
    table = as_table(mixed())
    with pytest.raises(ValueError, match=f'nominal must be "auto" or a list .*; got {got}'):
        to_sklearn(TREE, nominal=nominal).fit(table, mixed().y)


@pytest.mark.parametrize("column", ["weight", 2, -1, True, 1.0, None])
def test_nominal_must_hold_columns(column):
    table = as_table(mixed())
    rule = r"nominal must hold names of columns or positions 0\.\.1; got"
    with pytest.raises(ValueError, match=rule):
        to_sklearn(TREE, nominal=[column]).fit(table, mixed().y)


@pytest.mark.parametrize("time", [pd.Timestamp("2020-01-01"), pd.Timedelta("1h")])
def test_times_are_refused_unless_they_are_named_as_nominal(time):
    table = as_table(mixed()).assign(when=time)
    rule = "X must hold numbers, texts, categories or truth values; got .* in column 'when'"
    with pytest.raises(ValueError, match=rule):
        to_sklearn(TREE).fit(table, mixed().y)
    model = to_sklearn(TREE, nominal=["color", "when"]).fit(table, mixed().y)
    assert model.online_.schema.nominal == (0, 4, 2)


def test_after_a_table_with_texts_an_array_is_coded_too():
    """Otherwise its numbers would be codes out of range."""
    stream = mixed()
    model = to_sklearn(TREE).fit(as_table(stream), stream.y)
    with pytest.warns(UserWarning, match="valid feature names"):
        shares = model.predict_proba(np.array([[0.3, 1e9]]))
    online = one_by_one(TREE, Schema((0, 4), 3), stream.X, stream.y)
    np.testing.assert_array_equal(shares[0], online.predict_proba_one([0.3, 3]))


# --- growth

grows = pytest.mark.skipif(not hasattr(OnlineLearner, "grow"), reason="a schema cannot grow yet")


@grows
@by_learner
def test_new_labels_may_come_later(learner):
    stream = mixed()
    first = stream.y < 2
    model = to_sklearn(learner).partial_fit(stream.X[first], stream.y[first])
    online = one_by_one(learner, Schema((0, 0), 2), stream.X[first], stream.y[first])
    assert model.classes_.tolist() == [0, 1]
    model.partial_fit(stream.X, stream.y - (stream.y == 2) * 7)  # -5 sorts before 0 and 1
    assert model.classes_.tolist() == [-5, 0, 1]
    online.grow(Schema((0, 0), 3))
    for x, y in zip(stream.X, stream.y, strict=True):
        online.learn_one(x, y)
    shares = np.array([online.predict_proba_one(x) for x in stream.X])
    np.testing.assert_array_equal(model.predict_proba(stream.X), shares[:, [2, 0, 1]])
    predicted = [online.predict_one(x) for x in stream.X]
    assert model.predict(stream.X).tolist() == np.array([0, 1, -5])[predicted].tolist()


@grows
def test_new_values_of_nominal_columns_may_come_later():
    stream = mixed()
    table = as_table(stream).astype({"color": object})
    model = to_sklearn(TREE)
    early = (table["color"] != "green").to_numpy()
    model.partial_fit(table[early], stream.y[early], classes=[0, 1, 2])
    order = {name: code for code, name in enumerate(table["color"][early].unique())} | {"green": 3}
    assert model.online_.schema == Schema((0, 3), 3)
    coded = np.c_[stream.X[:, 0], table["color"].map(order)]
    online = one_by_one(TREE, Schema((0, 3), 3), coded[early], stream.y[early])
    model.partial_fit(table, stream.y)
    online.grow(Schema((0, 4), 3))
    for x, y in zip(coded, stream.y, strict=True):
        online.learn_one(x, y)
    shares = [online.predict_proba_one(x) for x in coded]
    np.testing.assert_array_equal(model.predict_proba(table), shares)


# --- settings


def test_settings_inside_the_learner_can_be_read_and_changed():
    model = to_sklearn(DriftRetraining(OzaBag(TREE), detectors.DDM()))
    found = model.get_params()
    assert found["learner__base__base__grace_period"] == 20
    assert found["learner__detector__warning_threshold"] == 2.0
    assert set(model.get_params(deep=False)) == {"learner", "nominal", "random_state"}
    assert set(clone(model).set_params(**found).get_params()) == set(found)
    model.set_params(learner__base__base__leaf="mc", learner__detector__warning_threshold=1.5)
    tree = HoeffdingTree(grace_period=20, leaf="mc")
    assert model.learner == DriftRetraining(OzaBag(tree), detectors.DDM(warning_threshold=1.5))
    model.set_params(learner__base__exact=True, learner__base=NaiveBayes(), random_state=2)
    assert model.learner.base == NaiveBayes(exact=True)
    assert model.random_state == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learner__grace": 3}, "learner must get settings of OzaBag, .*; got 'grace'"),
        (
            {"learner__base__grace": 3},
            "learner__base must get settings of HoeffdingTree, .*; got 'grace'",
        ),
        (
            {"learner__base__leaf__x": 3},
            r"learner__base__leaf must get settings of str, \[\]; got 'x'",
        ),
        ({"learner__n_members": 0}, "learner__n_members must be a whole number >= 1; got 0"),
        ({"learner__base__leaf": "nbb"}, "learner__base__leaf must be .*; got 'nbb'"),
        ({"trees": 3}, "Invalid parameter 'trees'"),
    ],
)
def test_a_wrong_setting_is_named_and_changes_nothing(settings, message):
    model = to_sklearn(OzaBag(TREE))
    with pytest.raises(ValueError, match=message):
        model.set_params(random_state=7, **settings)
    assert model.learner == OzaBag(TREE)


def test_a_wrong_kind_of_setting_is_named():
    with pytest.raises(TypeError, match=r"learner__base must be an instance of .*; got int"):
        to_sklearn(OzaBag(TREE)).set_params(learner__base=3)


# --- errors


@pytest.mark.parametrize("learner", [NaiveBayes, 3, None, "tree"])
def test_only_learners_of_ours_are_taken(learner):
    with pytest.raises(TypeError, match=r"learner must be one of repro\.learners; got"):
        to_sklearn(learner)
    with pytest.raises(TypeError, match=r"learner must be one of repro\.learners; got"):
        to_sklearn(TREE).set_params(learner=learner).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(("seed", "got"), [(-1, "-1"), (1.5, "1.5"), ("a", "'a'"), ([1], r"\[1\]")])
def test_a_wrong_random_state_is_named(seed, got):
    with pytest.raises(ValueError, match=f"random_state must be a whole number >= 0.*; got {got}"):
        to_sklearn(TREE, random_state=seed).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("classes", [1, (None, None), [[0, 1], [1, 0]], ["a", 1.5, None]])
def test_wrong_classes_are_named(classes):
    with pytest.raises(ValueError, match="classes must hold labels; got"):
        to_sklearn(TREE).partial_fit([[0.0], [1.0]], [0, 1], classes=classes)


def test_a_missing_scikit_learn_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "repro.interop._sklearn_classifier", None)
    with pytest.raises(ImportError, match=r"to_sklearn needs scikit-learn.*: .*install.*models"):
        to_sklearn(TREE)


REFUSED = [
    ({"sample_weight": [1, -2, 1]}, "sample_weight must be >= 0.*; got -2"),
    ({"sample_weight": [0, 0, 0]}, "sample_weight must be >= 0, and not always zero; got only"),
    (
        {"sample_weight": [1, 1]},
        r"sample_weight must have one weight per row of X, 3; got .*\(2,\)",
    ),
    ({"X": [[0.0], [np.nan], [1.0]]}, "NaN"),
    ({"X": [0.0, 1.0, 2.0]}, "2D array|does not contain any features"),
    ({"y": [0, 1]}, "inconsistent numbers of samples"),
    ({"y": [0.5, 1.2, 0.1]}, "Unknown label type"),
]


@pytest.mark.parametrize("changed", REFUSED, ids=str)
@pytest.mark.parametrize("again", ["fit", "partial_fit"])
def test_rows_that_are_refused_change_nothing(changed, again):
    model = to_sklearn(TREE).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    before = model.predict_proba([[0.5], [1.5]])
    given, message = {"X": [[0.0], [1.0], [1.0]], "y": [0, 1, 1]} | changed[0], changed[1]
    with pytest.raises(ValueError, match=message):
        getattr(model, again)(**given)
    np.testing.assert_array_equal(model.predict_proba([[0.5], [1.5]]), before)
    assert model.n_features_in_ == 1


def test_partial_fit_refuses_other_columns_and_labels_outside_of_classes():
    model = to_sklearn(TREE).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    with pytest.raises(ValueError, match=r"has 2 features, but .* expecting 1"):
        model.partial_fit([[0.0, 1.0]], [0])
    for some in (model, clone(model)):
        with pytest.raises(ValueError, match=r"y must hold labels of classes, \[0, 1\]; got .*2"):
            some.partial_fit([[0.0]], [2], classes=[0, 1])
    assert model.classes_.tolist() == [0, 1]


def test_before_the_first_row_there_are_no_classes():
    model = to_sklearn(TREE)
    assert not hasattr(model, "classes_")
    for ask in (model.predict, model.predict_proba):
        with pytest.raises(NotFittedError):
            ask([[0.0]])


# --- scikit-learn's tools


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["copy", "pickle"]
)
@by_learner
def test_copies_and_pickles_go_on_learning_and_are_small(learner, again):
    stream = mixed()
    model = to_sklearn(learner).fit(stream.X[:200], stream.y[:200])
    other = again(model)
    for one in (other, model):
        one.partial_fit(stream.X[200:], stream.y[200:])
    np.testing.assert_array_equal(other.predict_proba(stream.X), model.predict_proba(stream.X))
    if "EveryHundredth" not in str(learner):
        assert len(pickle.dumps(model)) < 2**21


@pytest.mark.parametrize(
    "learner", [TREE, TemporalCorrection(TREE)], ids=lambda one: type(one).__name__
)
def test_a_memory_mapped_pickle_goes_on_learning(learner, tmp_path):
    stream = mixed()
    model = to_sklearn(learner).fit(stream.X[:200], stream.y[:200])
    joblib.dump(model, tmp_path / "model")
    mapped = joblib.load(tmp_path / "model", mmap_mode="r")
    for one in (model, mapped):
        one.partial_fit(stream.X[200:], stream.y[200:])
    np.testing.assert_array_equal(mapped.predict_proba(stream.X), model.predict_proba(stream.X))


def test_searches_and_scores_use_the_settings():
    stream = mixed()
    search = GridSearchCV(
        to_sklearn(OzaBag(TREE, n_members=2)),
        {"learner__base__grace_period": [20, 10**6], "learner__base__leaf": ["mc", "nba"]},
        cv=TimeSeriesSplit(3),
    ).fit(as_table(stream), stream.y)
    grid = search.cv_results_["params"]
    assert [len(grid), search.best_estimator_.learner.base.leaf in ("mc", "nba")] == [4, True]
    for setting, score in zip(grid, search.cv_results_["mean_test_score"], strict=True):
        model = clone(search.estimator).set_params(**setting)
        scores = cross_val_score(model, as_table(stream), stream.y, cv=TimeSeriesSplit(3))
        assert scores.mean() == pytest.approx(score)
    assert len({round(score, 6) for score in search.cv_results_["mean_test_score"]}) > 1


def test_it_stands_in_pipelines_and_ensembles():
    stream, table = mixed(), as_table(mixed())
    model = to_sklearn(TREE)
    assert is_classifier(model)
    numbers = make_pipeline(StandardScaler(), model).fit(stream.X, stream.y)
    scaler = StandardScaler().fit(stream.X)
    online = one_by_one(TREE, Schema((0, 0), 3), scaler.transform(stream.X), stream.y)
    shares = [online.predict_proba_one(x) for x in scaler.transform(stream.X)]
    np.testing.assert_array_equal(numbers.predict_proba(stream.X), shares)
    columns = ColumnTransformer([("s", StandardScaler(), ["size"])], remainder="passthrough")
    inside = make_pipeline(columns.set_output(transform="pandas"), model).fit(table, stream.y)
    assert inside[-1].online_.schema.nominal == (0, 4)
    for whole in (
        CalibratedClassifierCV(model, cv=2),
        VotingClassifier([("t", model), ("b", to_sklearn(NaiveBayes()))], voting="soft"),
    ):
        shares = whole.fit(stream.X, stream.y).predict_proba(stream.X)
        np.testing.assert_allclose(shares.sum(axis=1), 1)
