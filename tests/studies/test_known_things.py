"""What is known has a key that says all of it, and no more; it is the same in every process."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
import threading
import warnings
from dataclasses import replace
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
import river
from river import base, compose, linear_model, naive_bayes, preprocessing
from river_version import since_25
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB

import repro
from repro import TESTBED, Stream, interop
from repro.evaluation._kinds import runner_of
from repro.learners import HoeffdingTree, Majority, NaiveBayes, OzaBag
from repro.streams import LED, sudden
from repro.streams.stream import Schema
from repro.studies.identity import identify

STREAM = Stream([[0.0]] * 4, [0, 1, 1, 1])


def to_river(learner, **settings):
    return interop.to_river(learner, Schema((0,), 2), **settings)


def learned(model, label):
    for _ in range(3):
        model.learn_one({0: 0.0}, label)
    return model


def fitted(label):
    return GaussianNB().partial_fit([[0.0]], [label], classes=[0, 1])


def changed(stream, **fields):
    return replace(stream, **fields)


DIFFERENT = {
    "learned": (learned(to_river(Majority()), 0), learned(to_river(Majority()), 1)),
    "fresh or learned": (to_river(Majority()), learned(to_river(Majority()), 1)),
    "labels": (to_river(Majority(), labels=(0, 1)), to_river(Majority(), labels=(1, 0))),
    "features": (to_river(Majority()), to_river(Majority(), features=("a",))),
    "seeds": (to_river(OzaBag(NaiveBayes()), seed=0), to_river(OzaBag(NaiveBayes()), seed=1)),
    "river's state": (naive_bayes.GaussianNB(), learned(naive_bayes.GaussianNB(), 1)),
    "river's settings": (linear_model.Perceptron(l2=0.0), linear_model.Perceptron(l2=0.1)),
    "river's classes": (linear_model.Perceptron(), linear_model.ALMAClassifier()),
    "order of a pipeline": (
        compose.Pipeline(preprocessing.StandardScaler(), preprocessing.MinMaxScaler()),
        compose.Pipeline(preprocessing.MinMaxScaler(), preprocessing.StandardScaler()),
    ),
    "scikit-learn's state": (fitted(0), fitted(1)),
    "scikit-learn fresh": (GaussianNB(), fitted(1)),
    "scikit-learn's settings": (SGDClassifier(alpha=0.1), SGDClassifier(alpha=0.2)),
    "masks": tuple(np.ma.masked_array([1.0, 2.0], mask) for mask in ([0, 1], [1, 0])),
    "order of a dictionary": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "type of a number": (1, 1.0),
    "zeros": (0.0, -0.0),
    "truth and one": (True, 1),
    "list or tuple": ([1, 2], (1, 2)),
    "sets": ({1, 2}, {1, 3}),
    "set or frozen set": ({1, 2}, frozenset({1, 2})),
    "numbers of an array": (np.zeros(3), np.ones(3)),
    "types of an array": (np.zeros(3), np.zeros(3, np.float32)),
    "shapes": (np.zeros((2, 3)), np.zeros((3, 2))),
    "positions of drifts": tuple(sudden(LED(), LED(noise=0.2), at=at, n=9) for at in (4, 5)),
    "concepts": tuple(sudden(LED(), LED(noise=noise), at=5, n=9) for noise in (0.2, 0.3)),
    "lengths": tuple(sudden(LED(), LED(noise=0.2), at=5, n=n) for n in (9, 10)),
    "a base inside": (OzaBag(NaiveBayes()), OzaBag(NaiveBayes(exact=True))),
    "classes of ours": (NaiveBayes(), HoeffdingTree()),
    "drifts of a stream": (STREAM, changed(STREAM, drifts=(2,))),
    "functions": (np.mean, np.median),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_things_that_behave_differently_have_different_keys(name):
    first, second = (identify(thing) for thing in DIFFERENT[name])
    assert first.digest != second.digest
    assert (first.user_code, second.user_code) == ("", "")


EQUAL = {
    "learners": (lambda: OzaBag(NaiveBayes(), n_members=3)),
    "description": lambda: sudden(LED(), LED(noise=0.2), at=5, n=9),
    "testbed": lambda: TESTBED["NSPC-A"],
    "stream": lambda: Stream([[0.0]] * 4, [0, 1, 1, 1]),
    "river": lambda: runner_of(learned(naive_bayes.GaussianNB(), 1)).identified(),
    "pipeline of river": lambda: preprocessing.StandardScaler() | linear_model.Perceptron(),
    "scikit-learn": lambda: fitted(1),
    "ours as river's": lambda: learned(to_river(Majority()), 1),
    "sets": lambda: [{"a", "b", "c", "d"}, frozenset({"a", "b", "c", "d"}), {("a", 1), ("b", 2)}],
    "array": lambda: np.arange(6.0).reshape(2, 3),
    "function": lambda: np.mean,
    "pairs": lambda: [tuple(range(2)), tuple(range(2))],
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_things_have_equal_keys(name):
    first, second = EQUAL[name](), EQUAL[name]()
    assert identify(first) == identify(second) == identify(first)
    assert identify(first).user_code == ""
    assert identify(cloudpickle.loads(cloudpickle.dumps(first))).digest == identify(first).digest


def test_equal_things_have_equal_keys_in_another_process(tmp_path):
    """Whatever the order of its sets."""
    code = "import sys, cloudpickle; from repro.studies.identity import identify\n"
    code += "things = cloudpickle.load(open(sys.argv[1], 'rb'))\n"
    code += "print(*(identify(thing).digest for thing in things))"
    things = [make() for make in EQUAL.values()]
    (tmp_path / "things").write_bytes(cloudpickle.dumps(things))
    here = [identify(thing).digest for thing in things]
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "things")],
            capture_output=True, text=True, check=True, timeout=300,
            env={"PYTHONPATH": str(Path(repro.__file__).parents[1]), "PYTHONHASHSEED": seed},
        )  # fmt: skip
        assert done.stdout.split() == here


def test_what_a_description_remembers_is_not_part_of_its_key():
    used = TESTBED["NSCX"]
    before = identify(used).digest
    used.sample(seed=0)
    assert identify(used).digest == before


def classifiers():
    """Every classifier of river, with the settings of its own tests."""
    for module in pkgutil.walk_packages(river.__path__, "river."):
        try:
            importlib.import_module(module.name)
        except ImportError:  # it needs a package that is not here
            continue
    waiting = [base.Classifier]
    found = {}
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("river.") and not inspect.isabstract(kind):
            found[f"{kind.__module__}.{kind.__name__}"] = kind
    for name in sorted(found):
        for settings in found[name]._unit_test_params():
            try:
                yield name, found[name](**settings)
            except (TypeError, RuntimeError, ImportError):  # river does not test it so
                continue


@since_25
def test_every_classifier_of_river_is_known_or_says_why_not():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        identities = [identify(runner_of(model).identified()) for _, model in classifiers()]
    assert len(identities) > 40
    unknown = [identity for identity in identities if identity.user_code]
    assert all(identity.digest for identity in identities)
    assert len(unknown) <= 0.05 * len(identities), unknown


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        (threading.Lock(), "it cannot be pickled: "),
        ((i for i in range(2)), "it cannot be pickled: "),
        (lambda: 1, "the function test_known_things.<lambda>"),
        (sys.modules["__main__"], "the module __main__"),
        ([np], "the module numpy"),
        (learned, "the function test_known_things.learned"),
        (type("Mine", (), {})(), "test_known_things.Mine"),
        (compose.FuncTransformer(np.load), "the function numpy.load"),
        (compose.FuncTransformer(Path), f"the class {Path.__module__}.Path"),
    ],
)
def test_a_thing_that_is_not_known_says_why(thing, reason):
    assert reason in identify(thing).user_code


def test_a_thing_that_is_nested_too_deeply_says_so():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert "nested too deeply" in identify(deep).user_code
