"""Learners of ours among river's: its own checks, and names that come as they like."""

import copy
import pickle

import numpy as np
import pytest
from river_version import IS_OLD, since_25

from repro import prequential, registry
from repro.interop import to_river
from repro.learners import (
    HoeffdingTree,
    LinearSVM,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    OzaBag,
)
from repro.streams import Schema, Stream

pytest.importorskip("river")
from river import base, checks, compose, evaluate, metrics, preprocessing
from river import stream as river_stream


@pytest.mark.parametrize("learner", registry.learners().values(), ids=registry.learners())
def test_a_learner_passes_all_of_rivers_checks(learner):
    model = to_river(learner)
    found = list(checks.yield_checks(model))
    assert len(found) > (30 if IS_OLD else 50)
    for check in found:
        check(model.clone())


@since_25
def test_rivers_checks_fail_where_they_should(monkeypatch):
    """A predicted label that was never learned, or a share too few: the checks see it."""
    model = to_river(NaiveBayes())
    wrong = lambda self, x: {"a label": 0.5}  # noqa: E731
    monkeypatch.setattr(type(model), "predict_proba_one", wrong)
    failed = []
    for check in checks.yield_checks(model):
        try:
            check(model.clone())
        except AssertionError:
            failed.append(check.__name__)
    assert {"check_predict_proba_one", "check_classifier_tracks_seen_labels"} <= set(failed)


# a: numeric; colour: nominal, its values come one after the other; late: from example 40 on
def examples(n=120, seed=0):
    rng = np.random.default_rng(seed)
    for i in range(n):
        x = {
            "a": float(rng.normal()),
            "colour": ("red", "green", "blue")[rng.integers(1 + i // 30 % 3)],
        }
        if i >= 40:
            x["late"] = float(rng.normal())
        yield x, ("no", "yes", "maybe")[int((x["a"] > 0) + (i >= 60 and x["colour"] == "green"))]


SMALL = {"grace_period": 20, "delta": 0.05, "tau": 0.2}


@pytest.mark.parametrize(
    "learner",
    [NaiveBayes(), NearestNeighbors(window=30), HoeffdingTree(leaf="nb", **SMALL), Majority()],
    ids=repr,
)
def test_names_that_come_late_change_nothing(learner):
    """The same predictions as with the schema of the whole stream; here no score of a split, which
    depends on the number of classes, comes before the last class."""
    schema, colours = Schema((0, 4, 0), 3), ["red", "green", "blue"]
    labels = list(dict.fromkeys(y for _, y in examples()))
    known = learner.online(schema)
    model = to_river(learner)
    met = []
    for x, y in examples():
        if y in met and set(x) == set(model._names.features):
            row = [x["a"], colours.index(x["colour"]), x.get("late", 0.0)]
            assert model.predict_one(x) == labels[known.predict_one(row)]
        row = [x["a"], colours.index(x["colour"]), x.get("late", 0.0)]
        known.learn_one(row, labels.index(y))
        model.learn_one(x, y)
        met.append(y)
    assert len(model._names.features) == 3
    assert len(met) == 120


def test_a_model_without_a_schema_runs_like_the_learner_on_arrays():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 3))
    stream = Stream(X, (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int))
    tree = HoeffdingTree(**SMALL)
    run = prequential(tree, stream)
    model, told = to_river(tree), []
    for row, y in zip(X, stream.y, strict=True):
        x = dict(zip("abc", row.tolist(), strict=True))
        told.append(model.predict_one(x))
        model.learn_one(x, int(y))
    assert told[0] is None
    labels = list(dict.fromkeys(stream.y.tolist()))  # in the order of their appearance
    same = prequential(tree, Stream(X, [labels.index(y) for y in stream.y]))
    assert told[1:] == [labels[k] for k in same.y_pred[1:]]
    assert np.mean(run.loss) < 0.3


def test_a_feature_that_is_absent_counts_as_zero_and_none_as_the_last_value():
    pairs = [({"a": 1.0, "b": 2.0}, 0), ({"a": 3.0, "b": 1.0}, 1), ({"a": 2.0, "b": 5.0}, 0)]
    models = [to_river(NaiveBayes()) for _ in range(3)]
    for x, y in pairs * 3:
        for model in models:
            model.learn_one(x, y)
    zero, gap, last = {"a": 0.0, "b": 1.0}, {"b": 1.0}, {"a": None, "b": 1.0}
    assert models[0].predict_proba_one(zero) == models[1].predict_proba_one(gap)
    repeated = {"a": 2.0, "b": 1.0}
    for value in (None, float("nan"), np.float32("nan")):
        asked = models[2].predict_proba_one({"a": value, "b": 1.0})
        assert asked == models[0].predict_proba_one(repeated)
    models[0].learn_one(zero, 1)
    models[1].learn_one(gap, 1)
    assert models[0].predict_proba_one(repeated) == models[1].predict_proba_one(repeated)
    models[2].learn_one(last, 1)


def test_a_prediction_changes_nothing():
    model = to_river(HoeffdingTree(**SMALL))
    assert (model.predict_one({"a": 1.0}), model.predict_proba_one({"a": 1.0})) == (None, {})
    for x, y in examples():
        model.learn_one(x, y)
    twin = pickle.loads(pickle.dumps(model))
    plain = model.predict_proba_one({"a": 1.0, "colour": "red", "late": 0.0})
    new = {"a": 1.0, "colour": "red", "late": 0.0, "never met": 7.0, "nor this": "text"}
    assert model.predict_proba_one(new) == plain
    model.predict_one({"a": 1.0, "colour": "violet"})
    assert model._online.schema == twin._online.schema
    for x, y in examples():
        for each in (model, twin):
            each.learn_one(x, y)
        model.predict_one(new)
    for x, _ in examples():
        assert model.predict_proba_one(x) == twin.predict_proba_one(x)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (
            {"a": "red", "colour": "red"},
            "no",
            r"x\['a'\] must be a finite number, as before; got 'red'",
        ),
        ({"a": float("inf"), "colour": "red"}, "no", r"x\['a'\] must be a finite number"),
        ({"a": 1.0, "colour": ["red"]}, "no", r"x\['colour'\] must be a number or a nominal value"),
        ({"a": 1.0, "colour": "red", "new": {}}, "no", r"x\['new'\] must be a number or a nominal"),
        (
            {"a": 1.0, "colour": "red", "new": 1 / 3 * float("inf")},
            "no",
            r"x\['new'\] must be a fin",
        ),
        ({"a": 1.0, "colour": "red"}, None, "y must be a label"),
        ({"a": 1.0, "colour": "red"}, ["no"], "y must be a label"),
        ([1.0, "red"], "no", "x must be a dictionary"),
    ],
)
def test_what_is_no_example_is_refused_and_leaves_no_trace(x, y, message):
    model = to_river(NaiveBayes())
    for one, label in examples(30):
        model.learn_one(one, label)
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match=message):
        model.learn_one(x, y)
    with pytest.raises(ValueError, match="w must be"):
        model.learn_one({"a": 1.0, "colour": "pink", "new": 1.0}, "label", w=-1)
    model.learn_one({"a": 1.0, "colour": "pink", "new": 1.0}, "label", w=0)
    assert pickle.dumps(model) == before


def test_numbers_as_labels_and_values_without_end_are_bounded():
    model = to_river(NaiveBayes())
    for i in range(1000):
        model.learn_one({"id": f"user {i}"}, i)
    with pytest.raises(ValueError, match=r"at most 1000 labels; got one more, 0\.5"):
        model.learn_one({"id": "user 1"}, 0.5)
    other = to_river(NaiveBayes())
    for i in range(1500):
        other.learn_one({"id": f"user {i}"}, i % 2)
    size = other.state_bytes
    for i in range(500):
        other.learn_one({"id": f"stranger {i}"}, i % 2)
    assert other.state_bytes == size


def test_copies_clones_and_pickles_go_their_own_way():
    model = to_river(OzaBag(HoeffdingTree(**SMALL), n_members=3))
    pairs = list(examples())
    for x, y in pairs[:80]:
        model.learn_one(x, y)
    twins = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    assert len(pickle.dumps(model)) < 5_000_000
    for x, y in pairs[80:]:
        shares = model.predict_proba_one(x)
        assert [twin.predict_proba_one(x) for twin in twins] == [shares] * 2
        for one in (model, *twins):
            one.learn_one(x, y)
    assert model.clone().predict_one(pairs[0][0]) is None


def test_labels_given_without_a_schema_are_known_from_the_start():
    model = to_river(Majority(), labels=("up", "down"))
    assert model.predict_one({}) == "up"
    assert model.predict_proba_one({}) == {"up": 0.5, "down": 0.5}
    model.learn_one({}, "sideways")
    assert model.predict_one({}) == "sideways"
    with pytest.raises(ValueError, match=r"labels must hold different names; got \('a', 'a'\)"):
        to_river(Majority(), labels=("a", "a"))
    with pytest.raises(ValueError, match="features must be given with a schema"):
        to_river(Majority(), features=("a",))


def test_a_model_works_in_rivers_pipelines_and_loop():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 4)) * [1, 10, 100, 1000]
    data = list(river_stream.iter_array(X, X[:, 0] > 0))
    model = compose.Pipeline(preprocessing.StandardScaler(), to_river(LinearSVM()))
    assert isinstance(model["RiverClassifier"], base.Classifier)
    score = evaluate.progressive_val_score(data, model, metrics.Accuracy())
    raw = evaluate.progressive_val_score(data, to_river(LinearSVM()), metrics.Accuracy())
    assert score.get() > 0.85 > raw.get()
