"""Installed code and ours, patched in memory: it runs as it is, and stored results stay true."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import math
import re
import subprocess
import sys
import types
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import sklearn.naive_bayes
from numpy.testing._private import utils
from river import naive_bayes, proba
from river.naive_bayes.base import BaseNB
from river_version import since_25

from repro import Stream, prequential, seeds, sweep
from repro.learners import NaiveBayes, NoChange, TemporallyAugmented
from repro.streams import LED, sudden
from repro.studies import memory
from repro.studies.namespace import names_in

RNG = np.random.default_rng(3)
DATA = Stream(RNG.normal(size=(30, 2)), RNG.integers(0, 2, 30))
DRAWN = sudden(LED(), LED(noise=0.3), at=20, n=40)

#: What is run: a model of each kind, on data and on draws.
CALLS = {
    "river": (naive_bayes.GaussianNB(), DATA),
    "scikit-learn": (sklearn.naive_bayes.GaussianNB(), DATA),
    "ours": (NoChange(), DATA),
    "ours, temporal": (TemporallyAugmented(NaiveBayes()), DATA),
    "ours on draws": (NaiveBayes(), DRAWN),
    "river on draws": (naive_bayes.GaussianNB(), DRAWN),
}


def ones(*args, **named):
    return 1


class Patch(pytest.MonkeyPatch):
    """What a patch uses; `undo` undoes all."""

    def __init__(self):
        super().__init__()
        self.last = contextlib.ExitStack()

    def undo(self):
        super().undo()
        self.last.close()

    def bases(self, kind, *bases):
        """Give a class other bases."""
        before = kind.__bases__
        self.last.callback(setattr, kind, "__bases__", before)
        kind.__bases__ = bases

    def cell(self, function, value):
        """Put another function into the closure of a function."""
        cell = next(c for c in function.__closure__ if callable(c.cell_contents))
        self.last.callback(setattr, cell, "cell_contents", cell.cell_contents)
        cell.cell_contents = value

    def rolled(self, array):
        """Change an array in place."""
        before = array.copy()
        self.last.callback(lambda: np.copyto(array, before))
        array[:] = np.roll(array, 1, axis=0)


def of(path):
    """What stands at a dotted path of modules and attributes."""
    found = importlib.import_module(path.partition(".")[0])
    for part in path.split(".")[1:]:
        if not hasattr(found, part):
            importlib.import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    return found


def to(path, value):
    """A patch that puts `value` at a path."""
    return lambda patch: patch.setattr(of(path.rpartition(".")[0]), path.rpartition(".")[2], value)


def added(path, value):
    """A patch that adds `value` at a path where there is nothing."""
    where, _, name = path.rpartition(".")
    return lambda patch: patch.setattr(of(where), name, value, raising=False)


def code_of(path, other):
    """A patch of the code inside a function."""
    return lambda patch: patch.setattr(of(path), "__code__", other.__code__)


def mocked(path, **options):
    """A patch made by `unittest.mock`."""

    def apply(patch):
        made = mock.patch(path, **options)
        made.start()
        patch.last.callback(made.stop)

    return apply


SAYS_ONE = {"predict_one": ones, "predict_proba_one": lambda x: {1: 1.0}}
GNB = "river.naive_bayes.gaussian.GaussianNB"
BASE = "river.naive_bayes.base.BaseNB"
SK = "sklearn.naive_bayes"


class Louder(BaseNB):
    def joint_log_likelihood(self, x):
        return {1: 0.0}

    def predict_one(self, x):
        return 1


IN_RIVER = {
    "function": to(f"{GNB}.predict_one", lambda self, x: 1),
    "lambda on a base": to(f"{BASE}.predict_proba_one", lambda self, x: {1: 1.0}),
    "partial": to(f"{GNB}.joint_log_likelihood", functools.partial(dict, {1: 0.0})),
    "partial method": to(f"{GNB}.predict_one", functools.partialmethod(ones)),
    "Mock": to(f"{GNB}.predict_one", mock.Mock(return_value=1)),
    "MagicMock": to(f"{GNB}.predict_one", mock.MagicMock(return_value=1)),
    "mock.patch": mocked("river.naive_bayes.GaussianNB.predict_one", return_value=1),
    "mock.patch with a specification": mocked(
        "river.naive_bayes.GaussianNB.predict_one", autospec=True, return_value=1
    ),
    "mock.patch of a module": mocked("river.naive_bayes.base.special.logsumexp", return_value=9.0),
    "__code__": code_of(f"{GNB}.joint_log_likelihood", lambda self, x: {1: 0.0}),
    "__code__ of a base": code_of(f"{BASE}.predict_proba_one", lambda self, x: {1: 1.0}),
    "__defaults__": lambda p: p.setattr(GaussianDistribution.__init__, "__defaults__", (1, 9.0)),
    "method that overrides a base": added(f"{GNB}.predict_proba_one", lambda self, x: {1: 1.0}),
    "__getattribute__": added(
        f"{GNB}.__getattribute__",
        lambda self, name: SAYS_ONE.get(name) or object.__getattribute__(self, name),
    ),
    "property": to(f"{GNB}.predict_one", property(lambda self: ones)),
    "code of a property": lambda p: p.setattr(
        GaussianDistribution.mu.fget, "__code__", (lambda self: 9.0).__code__
    ),
    "bases": lambda p: p.bases(GNB_CLASS, Louder, *GNB_CLASS.__bases__),
    "static method": to(f"{GNB}.predict_one", staticmethod(ones)),
    "class attribute": added(f"{GNB}.class_counts", {1: 5}),
    "module function": to("river.naive_bayes.gaussian.proba", proba.base),
    "module's name of a class": to("river.naive_bayes.gaussian.proba.Gaussian", mock.Mock),
    "module's name of a module": to("river.naive_bayes.base.math", types.SimpleNamespace(exp=ones)),
    "builtin put into a module": added("river.naive_bayes.gaussian.sum", lambda values: 0.0),
    "method of a class of another module": to("river.proba.gaussian.Gaussian.update", ones),
    "init": to(f"{GNB}.__init__", lambda self: self.__dict__.update(class_counts={1: 1})),
    "deletion": lambda p: p.delattr(GNB_CLASS, "joint_log_likelihood"),
}
GNB_CLASS = naive_bayes.GaussianNB
GaussianDistribution = proba.Gaussian

BELOW_RIVER = {
    "builtins": to("builtins.sum", lambda *args: 0.0),
    "math": to("math.log", lambda *args: 0.0),
    "scipy": to("scipy.special.logsumexp", lambda *args: 9.0),
    "a class of Python": to("collections.Counter.update", lambda *args, **named: None),
    "numpy": to("numpy.array", np.zeros_like),
}
IN_SKLEARN = {
    "function": to(f"{SK}.GaussianNB.predict", lambda self, X: np.ones(len(X), int)),
    "base": to(f"{SK}._BaseNB.predict", lambda self, X: np.ones(len(X), int)),
    "__code__": code_of(f"{SK}._BaseNB.predict", lambda self, X: X[:, 0] > -9),
    "__code__ of a static method": code_of(
        f"{SK}.GaussianNB._update_mean_variance",
        lambda n, mu, var, X, sample_weight=None: (mu, var),
    ),
    "__kwdefaults__ in place": lambda p: p.setitem(
        of("sklearn.utils.validation.check_array").__kwdefaults__, "ensure_min_samples", 10**6
    ),
    "closure": lambda p: p.cell(
        of(f"{SK}.GaussianNB.partial_fit"), lambda self, X, y, c=None: self
    ),
    "Mock": to(f"{SK}.GaussianNB.predict", mock.Mock(return_value=np.ones(1, int))),
    "module function": to("sklearn.utils.validation.check_array", mock.Mock(side_effect=KeyError)),
    "function of another module": to("sklearn.base.clone", ones),
    "function of the interface": to(
        f"{SK}.check_is_fitted", mock.Mock(side_effect=ZeroDivisionError)
    ),
    "numpy": to("numpy.log", lambda a, **named: 0.0 * a),
    "numpy's average": to("numpy.mean", lambda a, axis=None, **named: np.zeros(a.shape[1])),
    "numpy, mocked": mocked("numpy.var", side_effect=ZeroDivisionError),
}
OURS = {
    "method": to("repro.learners.NoChange.start", lambda self, schema, seed=0: 1 / 0),
    "partial": to("repro.learners.NoChange.start", functools.partial(ones, 1)),
    "mock": mocked("repro.learners.NoChange.start", side_effect=ZeroDivisionError),
    "added method": added("repro.learners.NoChange.__len__", lambda self: 0),
    "added method of the state": added("repro.learners.baselines.Last.__bool__", ones),
    "module function": to("repro.evaluation._runner.as_waits", lambda n, delay: n),
    "module constant": to("repro.evaluation._compiled.BLOCK", 3),
    "function that evaluation calls": to("repro.evaluation._runner.run_of", lambda *a, **n: 1 / 0),
    "loop": to("repro.evaluation._compiled.test_then_train", mock.Mock(side_effect=KeyError)),
    "__code__": code_of("repro.evaluation._runner.block_starts", lambda part, step, desc: [0]),
    "class attribute": to("repro.learners.NoChange.paper", "mine"),
    "base class": added("repro.learners.learner.Learner.start", ones),
    "dispatch": to("repro.evaluation._compiled.runnable", mock.Mock(side_effect=ZeroDivisionError)),
    "seeds": to("repro.seeds.integer", lambda *args: 1),
    "numpy": to("numpy.empty", np.ones),
}
ON_DRAWS = {
    "method of a stream": to("repro.streams.led.LED.sample", ones),
    "table of a stream": lambda p: p.setattr(
        of("repro.streams.led"), "SEGMENTS", np.roll(of("repro.streams.led").SEGMENTS, 1)
    ),
    "table changed in place": lambda p: p.rolled(of("repro.streams.led").SEGMENTS),
    "seeds": to("repro.seeds.generator", lambda *args: np.random.default_rng(1)),
}
IN_TEMPORAL = {
    "__kwdefaults__": lambda p: p.setitem(
        of("repro.learners._statistics.statistics").__kwdefaults__, "ranges", True
    ),
    "wrapped learner": to("repro.learners.naive_bayes.NaiveBayes.start", ones),
}
TABLES = {
    "river": IN_RIVER | BELOW_RIVER,
    "scikit-learn": IN_SKLEARN,
    "ours": OURS,
    "ours, temporal": IN_TEMPORAL,
    "ours on draws": ON_DRAWS,
    "river on draws": ON_DRAWS,
}


def run_alone(model, stream):
    """The error of a run that nothing stores, or the kind of its failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            draw = stream if isinstance(stream, Stream) else stream.sample(seed=0)
            return prequential(model, draw, seeds.integer(0, "learner")).error
        except Exception as error:
            return type(error).__name__


def swept(model, stream, cache):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (row,) = sweep({"m": model}, {"S": stream}, [0], cache=cache).itertuples()
    return row.failure.partition(":")[0] or row.error, row.seconds


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """No line about kernels that are compiled, which comes in the first process only."""
    monkeypatch.setenv("REPRO_PROGRESS", "0")


def files(cache: Path):
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.run")}


# Old versions of river hold their tests: pytest changes them when it imports them.
NO_TESTS = {"river": [since_25]}
PATCHED = [
    pytest.param(call, name, marks=NO_TESTS.get(call, []))
    for call, table in TABLES.items()
    for name in table
]


@pytest.mark.parametrize(("call", "name"), PATCHED)
def test_what_was_patched_runs_and_what_was_stored_is_found_again(call, name, tmp_path, capsys):
    model, stream = CALLS[call]
    before, kept = swept(model, stream, tmp_path), files(tmp_path)
    assert len(kept) == 1
    patch = Patch()
    try:
        TABLES[call][name](patch)
        capsys.readouterr()
        alone = run_alone(model, stream)
        found = swept(model, stream, tmp_path)
    finally:
        patch.undo()
    assert found[0] == alone
    assert files(tmp_path) == kept
    said = capsys.readouterr().err
    assert re.fullmatch(r"repro: \S+ was (replaced|added); results are not stored\n", said)
    assert swept(model, stream, tmp_path) == before
    assert capsys.readouterr().err == ""


# --- objects that were changed, of installed classes and ours


def changed(thing, **attributes):
    for name, value in attributes.items():
        object.__setattr__(thing, name, value)
    return thing


class Odd(naive_bayes.GaussianNB):
    def joint_log_likelihood(self, x):
        return {1: 0.0}


class Fresh:
    """A model of the user's whose copy is one of river."""

    def predict_one(self, x):
        return 1

    def learn_one(self, x, y):
        pass

    def __deepcopy__(self, memo):
        return naive_bayes.GaussianNB()


OBJECTS = {
    "method put on a model of river": lambda: changed(
        naive_bayes.GaussianNB(), joint_log_likelihood=lambda x: {1: 0.0}
    ),
    "mock put on a model of river": lambda: changed(
        naive_bayes.GaussianNB(), predict_proba_one=mock.Mock(return_value={1: 1.0})
    ),
    "function of numpy put on a model of river": lambda: changed(
        naive_bayes.GaussianNB(), joblib_one=np.size
    ),
    "method put on a model of scikit-learn": lambda: changed(
        sklearn.naive_bayes.GaussianNB(), predict=lambda X: np.ones(len(X), int)
    ),
    "class assigned": lambda: changed(naive_bayes.GaussianNB(), __class__=Odd),
    "subclass": Odd,
    "class made with type()": type(
        "GaussianNB", (naive_bayes.GaussianNB,), {"predict_proba_one": lambda self, x: {1: 1.0}}
    ),
    "class made with type() under a known name": type(
        "GaussianNB",
        (naive_bayes.GaussianNB,),
        {"__module__": GNB.rpartition(".")[0], "predict_proba_one": lambda self, x: {1: 1.0}},
    ),
    "method put on a learner of ours": lambda: changed(
        NoChange(), start=lambda schema, seed=0: NaiveBayes().start(schema, seed)
    ),
    "set of objects": lambda: changed(naive_bayes.GaussianNB(), mine={Odd()}),
    "copy of another class": Fresh,
}


@pytest.mark.parametrize("name", OBJECTS)
def test_a_changed_object_is_not_taken_for_one_as_it_was(name, tmp_path, capsys):
    """With user code it runs each time."""
    for plain in (naive_bayes.GaussianNB(), sklearn.naive_bayes.GaussianNB(), NoChange()):
        swept(plain, DATA, tmp_path)
    kept, model = files(tmp_path), OBJECTS[name]()
    capsys.readouterr()
    assert swept(model, DATA, tmp_path)[0] == run_alone(model, DATA)
    assert capsys.readouterr().err.count("learner 'm' has user code") == 1
    assert files(tmp_path) == kept


CHANGED = {
    "field": lambda: changed(LED(), noise=0.4),
    "attribute beside the fields": lambda: changed(LED(), mine=1),
    "method": lambda: changed(
        LED(), sample=lambda *args, **named: LED(noise=0.4).sample(*args, **named)
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_description_is_not_taken_for_one_as_it_was(name, tmp_path):
    for stream in (LED(), CHANGED[name]()):
        sweep({"m": NoChange()}, {"S": sudden(stream, stream, at=20, n=40)}, [0], cache=tmp_path)
    assert len(files(tmp_path)) == (1 if name == "method" else 2)


WHILE = """
import math
import river.naive_bayes.gaussian as module
class Model:
    def predict_one(self, x):
        {} = lambda *args: {}
        return 1
    def learn_one(self, x, y):
        pass
"""
PATCHES = {
    "a method": ("module.GaussianNB.joint_log_likelihood", "{1: 0.0}"),
    "what all code computes with": ("math.log", "0.0"),
}


@pytest.mark.parametrize("patch", PATCHES)
@pytest.mark.parametrize("place", ["before", "after"])
def test_a_patch_by_a_model_in_the_same_sweep_is_seen(place, patch, tmp_path, monkeypatch, capsys):
    """What ran after it is not stored; what ran before it is."""
    monkeypatch.setattr(GNB_CLASS, "joint_log_likelihood", GNB_CLASS.joint_log_likelihood)
    monkeypatch.setattr(math, "log", math.log)
    names = {"__name__": "cell"}
    exec(WHILE.format(*PATCHES[patch]), names)
    models = {"patches": names["Model"](), "river": naive_bayes.GaussianNB()}
    if place == "after":
        models = dict(reversed(models.items()))
    table = sweep(models, {"S": DATA}, [0], cache=tmp_path).set_index("learner")
    patched = run_alone(naive_bayes.GaussianNB(), DATA)
    monkeypatch.undo()
    plain = run_alone(naive_bayes.GaussianNB(), DATA)
    assert table["error"]["river"] == (patched if place == "before" else plain)
    assert len(files(tmp_path)) == (place == "after")
    assert swept(naive_bayes.GaussianNB(), DATA, tmp_path)[0] == plain
    assert len(files(tmp_path)) == 1


IMPORTED_FIRST = """
import sys
import distributed
from numpy.testing._private import utils
{patch}
from repro import Stream, learners, sweep

stream = Stream([[0.0], [1.0]] * 6, [0, 1, 1, 1, 0, 0] * 2)
sweep({{"a": learners.NoChange()}}, {{"s": stream}}, 1, cache=sys.argv[1])
"""
SAID_OF = {
    "": "",
    "from fractions import Fraction; utils.np_dist = Fraction(1)": "utils.np_dist was replaced",
    "utils.np_dist = len": "utils.np_dist was replaced",
}


@pytest.mark.skipif(not hasattr(utils, "np_dist"), reason="numpy keeps no distribution before 2.4")
@pytest.mark.parametrize("patch", SAID_OF)
def test_what_depends_on_which_package_came_first_was_not_replaced(tmp_path, patch):
    """With distributed comes another metadata finder, from which numpy takes what it keeps."""
    script = IMPORTED_FIRST.format(patch=patch)
    command = [sys.executable, "-c", script, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert SAID_OF[patch] in said
    assert len([*tmp_path.rglob("*.run")]) == (patch == "")
    assert ("replaced" in said) == (patch != "")


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"{}", None])
def test_what_a_fresh_python_said_is_asked_again_if_its_file_is_damaged(
    damage, tmp_path, monkeypatch
):
    monkeypatch.setenv("REPRO_CACHE", str(tmp_path))
    monkeypatch.setattr(memory, "_known", {})
    said = memory._reference(["repro.seeds"])
    (path,) = tmp_path.rglob("fresh/*.json")
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] + b"\xff" + whole[-8:] if damage is None else damage)
    monkeypatch.setattr(memory, "_known", {})
    assert memory._reference(["repro.seeds"]) == said
    assert path.read_bytes() == whole


def test_what_python_writes_into_a_class_as_it_goes_replaces_nothing():
    """A look at annotations leaves another name in each version of Python."""
    module = types.ModuleType("some")
    exec("import abc\nclass A:\n  x: int = 1\nclass B: pass\nclass C(abc.ABC): pass", vars(module))
    before = names_in(module)
    for kind in module.A, module.B, module.C:
        assert inspect.get_annotations(kind) == kind.__annotations__
        assert not isinstance(before, kind)
    assert names_in(module) == before
    module.B.run = len
    assert names_in(module) != before
