"""The seed of an evaluation sets all random numbers of a model, and changes no learned state."""

from __future__ import annotations

import importlib
import inspect
import random

import numpy as np
import pytest
from river import base, compose, dummy, ensemble, forest, preprocessing, tree
from sklearn.linear_model import SGDClassifier
from sklearn.neural_network import MLPClassifier

from repro import holdout, prequential
from repro._seeding import _has_learned
from repro.detectors import DDM
from repro.interop import seeded, to_river
from repro.learners import DriftRetraining, LeveragingBag, NaiveBayes, NearestNeighbors, OzaBag
from repro.streams import SEA, Schema, Stream

RNG = np.random.default_rng(4)
LABELS = RNG.integers(0, 2, 80)
TWO = Stream(RNG.normal(size=(80, 2)) + LABELS[:, None], LABELS)
LONG = SEA(threshold=8).sample(seed=1, n=1500)
BAG = LeveragingBag(NearestNeighbors(window=30), n_members=3, rate=1.0)


def shares(model, seed, stream=TWO):
    return prequential(model, stream, seed).proba


def taught(model, n=40):
    for x, y in zip(TWO.X[:n], TWO.y[:n], strict=True):
        model.learn_one(dict(enumerate(x)), int(y))
    return model


def bag(**seed):
    return ensemble.BaggingClassifier(tree.HoeffdingTreeClassifier(5, 9), n_models=3, **seed)


# --- ours in river's protocol


@pytest.mark.parametrize("learner", [BAG, OzaBag(NaiveBayes(), 3)], ids=repr)
def test_a_learner_exported_to_river_is_seeded_like_the_learner_itself(learner):
    """Equal runs for equal seeds, different runs for different seeds."""
    model, runs = to_river(learner, LONG.schema), {}
    for seed in (0, 1, 2):
        runs[seed] = prequential(model, LONG, seed)
        np.testing.assert_allclose(runs[seed].proba, shares(learner, seed, LONG), rtol=1e-14)
    assert (runs[0].proba != runs[1].proba).any()
    tests = [holdout(m, LONG, LONG, every=700, seed=1).error for m in (model, learner)]
    np.testing.assert_array_equal(*tests)


def test_alarms_pass_through_rivers_protocol():
    learner = DriftRetraining(NaiveBayes(), DDM(warm_start=5))
    stream = Stream(np.arange(40.0)[:, None], [0] * 20 + [1] * 20)
    expected = prequential(learner, stream).alarms
    assert expected.size
    for batch in (1, 4):
        ours = prequential(learner, stream, batch=batch).alarms
        theirs = prequential(to_river(learner, stream.schema), stream, batch=batch).alarms
        np.testing.assert_array_equal(theirs, ours)


def test_a_seed_that_was_given_stays():
    model = to_river(BAG, TWO.schema, seed=5)
    for seed in (1, 2):
        np.testing.assert_allclose(shares(model, seed), shares(BAG, 5), rtol=1e-14)
    assert seeded(model, 1).seed == 5


def test_outside_of_evaluation_the_default_seed_is_0():
    model, online = taught(to_river(BAG, TWO.schema)), BAG.online(TWO.schema, 0)
    for x, y in zip(TWO.X[:40], TWO.y[:40], strict=True):
        online.learn_one(x, y)
    for x in TWO.X[40:]:
        given = model.predict_proba_one(dict(enumerate(x)))
        assert list(given.values()) == online.predict_proba_one(x).tolist()


def test_a_learner_of_ours_that_has_learned_is_not_seeded():
    """It keeps its trees and its random numbers: all seeds give the same run."""
    model = taught(to_river(BAG, TWO.schema))
    rest, online = TWO.take(range(40, 80)), BAG.online(TWO.schema)
    for x, y in zip(TWO.X[:40], TWO.y[:40], strict=True):
        online.learn_one(x, y)
    expected = []
    for x, y in zip(rest.X, rest.y, strict=True):
        expected.append(online.predict_one(x))
        online.learn_one(x, y)
    for seed in (0, 1):
        assert prequential(model, rest, seed).y_pred.tolist() == expected
    with pytest.raises(AttributeError, match="seed must be set before the first example"):
        model.seed = 3


def test_our_learners_inside_rivers_models_are_seeded():
    """In a list, behind a scaler, in a bag: each seed gives one run, other seeds give others."""
    wrapped = to_river(BAG, TWO.schema)
    voting = ensemble.VotingClassifier([wrapped, wrapped.clone()])
    pipeline = preprocessing.StandardScaler() | wrapped.clone()
    for model in (voting, pipeline):
        first, again, other = (shares(model, seed) for seed in (1, 1, 2))
        np.testing.assert_array_equal(first, again)
        assert (first != other).any()
    members = seeded(voting, 1).models
    assert members[0].seed != members[1].seed


def test_its_repr_shows_all_settings():
    schema = Schema((0, 3), 2)
    model = to_river(BAG, schema, features=("a", "b"), labels=("no", "yes"), seed=3)
    again = eval(repr(model))
    assert repr(again) == repr(model)
    assert again._get_params() == model._get_params()
    variants = [
        model,
        to_river(OzaBag(NaiveBayes()), schema, features=("a", "b"), labels=("no", "yes"), seed=3),
        to_river(BAG, Schema((0, 4), 2), features=("a", "b"), labels=("no", "yes"), seed=3),
        to_river(BAG, schema, features=("b", "a"), labels=("no", "yes"), seed=3),
        to_river(BAG, schema, features=("a", "b"), labels=("yes", "no"), seed=3),
        to_river(BAG, schema, features=("a", "b"), labels=("no", "yes"), seed=4),
        to_river(BAG, schema, features=("a", "b"), labels=("no", "yes")),
    ]
    assert len({repr(variant) for variant in variants}) == len(variants)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("NB", TWO.schema), TypeError, "learner must be one of repro.learners, .* got 'NB'"),
        ((BAG, TWO), TypeError, "schema must be a Schema, such as stream.schema; got Stream"),
        ((BAG, Schema(3, 2)), ValueError, "schema.nominal must hold whole numbers; got 3"),
        ((BAG, Schema(("a",), 2)), ValueError, "schema.nominal must be a whole number >= 0"),
        ((BAG, Schema((0,), 0)), ValueError, "schema.n_classes must be a whole number >= 1; got 0"),
    ],
)
def test_arguments_that_cannot_be_exported_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        to_river(*arguments)


@pytest.mark.parametrize("names", [5, "ab", [[], {}], ("a", "a")])
def test_invalid_names_are_refused(names):
    with pytest.raises(ValueError, match="features must hold 3 different names; got"):
        to_river(BAG, LONG.schema, features=names)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda m: m.predict_one(5), r"x must be a dictionary of \[0, 1\]; got 5"),
        (lambda m: m.predict_one({0: 1.0, 1: "a"}), "x must hold 2 finite numbers; got"),
        (lambda m: m.predict_one({0: 1.0, 1: 10**400}), "x must hold 2 finite numbers; got"),
        (lambda m: m.learn_one({0: 1.0, 1: 1.0}, []), r"y must be one of \(0, 1\); got \[\]"),
        (lambda m: m.learn_one({0: 1.0, 1: 1.0}, 1, "a"), "w must be finite and >= 0; got"),
    ],
)
def test_the_input_of_an_exported_learner_is_checked(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(to_river(NaiveBayes(), TWO.schema))


# --- models of other libraries


def test_a_pretrained_model_without_a_seed_keeps_what_it_learned():
    """Its random numbers restart from the seed: equal seeds, equal runs."""
    rest = TWO.take(range(40, 80))
    model = taught(bag())
    expected = [model.predict_one(dict(enumerate(x))) for x in rest.X]
    assert prequential(model, rest, delay=1000).y_pred.tolist() == expected
    first, again, other = (shares(model, seed, rest) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    np.testing.assert_array_equal(*(shares(taught(bag(seed=7)), seed, rest) for seed in (1, 2)))


def test_models_in_a_list_are_seeded():
    """Two lists built separately run alike with the same seed."""
    runs = [
        shares(ensemble.VotingClassifier([forest.ARFClassifier(2), bag()]), seed)
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).any()


def test_numbers_drawn_in_a_constructor_come_from_the_seed_too():
    """A hasher of attributes draws its salt in the constructor."""
    hashers, x = [preprocessing.FeatureHasher(100) for _ in range(2)], dict.fromkeys("abcdef", 1.0)
    first, again = (seeded(hasher, 1).transform_one(x) for hasher in hashers)
    assert first == again != seeded(hashers[0], 2).transform_one(x)


class Part:
    """A part without a seed, which draws from the generator of the whole model."""

    def __init__(self, rng):
        self.seed, self._rng = None, rng


class Whole:
    """A model whose seed was set."""

    def __init__(self, seed):
        self.seed, self._rng = seed, random.Random(seed)
        self.part = Part(self._rng)

    def predict_one(self, x):
        return self.part._rng.randrange(2)

    def learn_one(self, x, y):
        pass


def test_a_generator_whose_seed_was_set_is_not_restarted():
    by_hand = random.Random(3)
    expected = [by_hand.randrange(2) for _ in range(80)]
    for seed in (1, 2):
        assert prequential(Whole(3), TWO, seed).y_pred.tolist() == expected
    forests = [shares(forest.ARFClassifier(2, seed=3), seed) for seed in (1, 2)]
    np.testing.assert_array_equal(*forests)


@pytest.mark.parametrize("model", [SGDClassifier("log_loss"), MLPClassifier((3,))], ids=str)
def test_a_fitted_sklearn_model_continues_from_the_seed(model):
    model.partial_fit(TWO.X[:40], TWO.y[:40], classes=[0, 1])
    rest = TWO.take(range(40, 80))
    first, again = (shares(model, 1, rest) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(first[0], model.predict_proba(rest.X[:1])[0])


class Generator:
    """A model of your own with a generator of numpy."""

    def __init__(self):
        self.seed = None
        self.rng = np.random.default_rng()

    def predict_one(self, x):
        return int(self.rng.integers(2))

    def learn_one(self, x, y):
        pass


def test_numpys_generators_start_from_the_seed():
    first, again, other = (
        prequential(Generator(), TWO, seed).y_pred.tolist() for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


PACKAGES = "drift dummy ensemble facto forest imblearn linear_model misc multiclass naive_bayes"
PACKAGES += " neighbors rules tree"


def classifiers(parent=base.Classifier):
    """Every classifier of river."""
    for name in PACKAGES.split():
        importlib.import_module(f"river.{name}")
    for kind in parent.__subclasses__():
        if kind.__module__.startswith("river.") and not inspect.isabstract(kind):
            yield kind
        yield from classifiers(kind)


@pytest.mark.parametrize(
    "kind", sorted(set(classifiers()), key=str), ids=lambda kind: kind.__name__
)
def test_a_river_model_that_has_learned_is_recognised(kind):
    if "Zstd" in kind.__name__ or kind.__module__ == "river.imblearn.random":
        pytest.skip("it needs another Python, or has no parameters for tests")
    for parameters in kind._unit_test_params():
        model = kind(**parameters)
        assert not _has_learned(model)
        assert not _has_learned(model.clone())
        try:
            taught(model)
        except Exception:  # it needs texts or other input
            continue
        if kind is ensemble.VotingClassifier:  # its clone keeps the learned models in its list
            continue
        assert _has_learned(model)
        assert _has_learned(preprocessing.StandardScaler() | model)


def test_a_pipeline_that_has_learned_is_recognised():
    model = compose.Pipeline(preprocessing.StandardScaler(), dummy.NoChangeClassifier())
    assert not _has_learned(model)
    assert _has_learned(taught(model, 2))
