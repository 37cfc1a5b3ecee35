"""A stored result equals a fresh run: after an edit of anything it uses, a task runs again."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import types
import warnings
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from river import naive_bayes
from sklearn.naive_bayes import GaussianNB

import repro
from repro import TESTBED, Stream, interop, sweep
from repro.kernels import installed, sources
from repro.kernels.identity import identify, identity
from repro.kernels.sources import Unidentified
from repro.learners import Majority, NaiveBayes, NoChange, OzaBag
from repro.streams import LED, sudden
from repro.streams.stream import Schema

STREAM = {"S": Stream([[0.0]] * 4, [0, 1, 1, 1])}  # always predicting 1 has error 0.25


def stored(cache: Path) -> int:
    return len(list(cache.rglob("*.joblib")))


def cell(code: str, name: str = "cell") -> ModuleType:
    """A notebook whose cells have run: code without a file."""
    module = ModuleType(name)
    sys.modules[name] = module
    exec(textwrap.dedent(code), vars(module))
    return module


# Each model predicts VALUE. An edit changes it from 0 to 1, and the error from 0.75 to 0.25.
HEAD = """
    import functools, types
    import numpy as np
    class Base:
        def predict_one(self, x):
            return self.label()
        def learn_one(self, x, y):
            pass
"""
KINDS = {
    "method": """
        class Model(Base):
            def label(self):
                return VALUE
        model = Model()
    """,
    "class attribute": """
        class Model(Base):
            answer = VALUE
            def label(self):
                return self.answer
        model = Model()
    """,
    "property": """
        class Model(Base):
            @property
            def answer(self):
                return VALUE
            def label(self):
                return self.answer
        model = Model()
    """,
    "cached property": """
        class Model(Base):
            @functools.cached_property
            def answer(self):
                return VALUE
            def label(self):
                return self.answer
        model = Model()
    """,
    "static method": """
        class Model(Base):
            @staticmethod
            def label():
                return VALUE
        model = Model()
    """,
    "class method": """
        class Model(Base):
            @classmethod
            def label(cls):
                return VALUE
        model = Model()
    """,
    "default argument": """
        class Model(Base):
            def label(self, answer=VALUE):
                return answer
        model = Model()
    """,
    "keyword default": """
        class Model(Base):
            def label(self, *, answer=VALUE):
                return answer
        model = Model()
    """,
    "decorated method": """
        def always(function):
            @functools.wraps(function)
            def wrapper(*args):
                return VALUE
            return wrapper
        class Model(Base):
            @always
            def label(self):
                return 7
        model = Model()
    """,
    "what a decorator wraps": """
        def plain(function):
            @functools.wraps(function)
            def wrapper(*args):
                return function(*args)
            return wrapper
        class Model(Base):
            @plain
            def label(self):
                return VALUE
        model = Model()
    """,
    "helper function": """
        def helper():
            return VALUE
        class Model(Base):
            def label(self):
                return helper()
        model = Model()
    """,
    "helper of a helper": """
        def inner():
            return VALUE
        def helper():
            return inner()
        class Model(Base):
            def label(self):
                return helper()
        model = Model()
    """,
    "global constant": """
        ANSWER = VALUE
        class Model(Base):
            def label(self):
                return ANSWER
        model = Model()
    """,
    "global array": """
        ANSWER = np.array([VALUE])
        class Model(Base):
            def label(self):
                return int(ANSWER[0])
        model = Model()
    """,
    "function held as attribute": """
        class Model(Base):
            def __init__(self, rule):
                self.label = rule
        def rule():
            return VALUE
        model = Model(rule)
    """,
    "lambda": """
        class Model(Base):
            pass
        model = Model()
        model.label = lambda: VALUE
    """,
    "closure": """
        def make(answer):
            def rule():
                return answer
            return rule
        class Model(Base):
            pass
        model = Model()
        model.label = make(VALUE)
    """,
    "partial": """
        class Model(Base):
            pass
        model = Model()
        model.label = functools.partial(int, VALUE)
    """,
    "models in a list": """
        class One(Base):
            def __init__(self, answer):
                self.answer = answer
            def __repr__(self):
                return "One()"
        class Model(Base):
            def __init__(self, models):
                self.models = models
            def label(self):
                return self.models[0].answer
        model = Model([One(VALUE)])
    """,
    "short repr": """
        class Model(Base):
            def __init__(self):
                self.answer = VALUE
            def __repr__(self):
                return "Model()"
            def label(self):
                return self.answer
        model = Model()
    """,
    "base class": """
        class Middle(Base):
            def label(self):
                return VALUE
        class Model(Middle):
            pass
        model = Model()
    """,
    "inside a comprehension": """
        class Model(Base):
            def label(self):
                return [VALUE for _ in range(1)][0]
        model = Model()
    """,
    "slots": """
        class Model(Base):
            __slots__ = ("answer",)
            def __init__(self):
                self.answer = VALUE
            def label(self):
                return self.answer
        model = Model()
    """,
    "set of constants": """
        class Model(Base):
            def label(self):
                return int(1 in {VALUE, 5})
        model = Model()
    """,
    "function of a pipeline": """
        from river import base, compose
        def feature(x):
            return {"a": VALUE}
        class Last(base.Classifier):
            def predict_one(self, x):
                return x["a"]
            def learn_one(self, x, y):
                pass
        model = compose.Pipeline(compose.FuncTransformer(feature), Last())
    """,
    "function of numba": """
        import numba
        @numba.njit
        def helper():
            return VALUE
        @numba.njit
        def compiled():
            return helper()
        class Model(Base):
            def label(self):
                return compiled()
        model = Model()
    """,
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_edit_of_any_kind_of_code_of_yours_is_run(tmp_path, kind):
    """Code that is not edited does not run again."""
    errors, files = [], []
    for value in ("0", "0", "1"):
        code = textwrap.dedent(HEAD) + textwrap.dedent(KINDS[kind]).replace("VALUE", value)
        table = sweep({"m": cell(code).model}, STREAM, [0], cache=tmp_path)
        assert table["failure"].tolist() == [""]
        errors.append(table["error"].item())
        files.append(stored(tmp_path))
    assert errors == [0.75, 0.75, 0.25]
    assert files == [1, 1, 2]


@pytest.mark.parametrize(
    "use",
    [
        "import one\nrule = lambda: one.rule()",
        "import one as other\nrule = lambda: other.rule()",
        "from one import rule",
        "from one import ANSWER\nrule = lambda: ANSWER",
        "import two\nrule = lambda: two.one.rule()",
        "from two import again as rule",
        "import two\nrule = lambda: getattr(two, 'aga' + 'in')()",
        "def rule():\n    import one\n    return one.rule()",
        "def rule():\n    from two import again\n    return again()",
        "import pack\nrule = lambda: pack.inner.rule()",
        "from pack.inner import rule",
        "import sys, one\nrule = one.Kept(one).rule",
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_edit_of_a_module_of_yours_is_run(tmp_path, monkeypatch, use, jobs):
    """By any way of importing it, and also in workers that imported it before the edit."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "pack").mkdir()
    errors = []
    for value in ("0", "1"):
        rule = f"ANSWER = {value}\ndef rule():\n    return ANSWER\n#{value}{value}\n"
        rule += "class Kept:\n    def __init__(self, m):\n        self.m = m\n"
        rule += "    def rule(self):\n        return self.m.rule()\n"
        (tmp_path / "one.py").write_text(rule * (1 + int(value)))
        (tmp_path / "two.py").write_text("import one\ndef again():\n    return one.rule()\n")
        (tmp_path / "pack" / "inner.py").write_text("from two import again as rule\n")
        (tmp_path / "pack" / "__init__.py").write_text("from pack import inner\n")
        for name in ("one", "two", "pack", "pack.inner"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        code = HEAD + textwrap.indent(use, "    ") + "\n"
        code += "    class Model(Base):\n        def label(self):\n            return rule()\n"
        model = cell(code + "    model = Model()\n").model
        table = sweep({"m": model}, STREAM, [0, 1], cache=tmp_path / "c", jobs=jobs)
        errors.append(table["error"].tolist())
    assert errors == [[0.75, 0.75], [0.25, 0.25]]


OLD_AND_NEW = """
    import sys, time
    from pathlib import Path
    import mine
    from repro import Stream, sweep
    stream = {"S": Stream([[0.0]] * 4, [0, 1, 1, 1])}
    def run(jobs):
        table = sweep({"m": mine.Model()}, stream, [jobs, 9], jobs=jobs, cache="cache")
        return table["error"].tolist()
    print(run(1), run(2))
    Path("mine.py").write_text(Path("mine.py").read_text().replace("return 0", "return 1"))
    print(run(1), run(2))
"""


def test_a_result_is_stored_under_the_code_that_ran_not_the_code_on_disk(tmp_path):
    """A module is edited while Python runs the old one; then Python starts again."""
    code = "class Model:\n    def predict_one(self, x):\n        return 0\n"
    (tmp_path / "mine.py").write_text(code + "    def learn_one(self, x, y):\n        pass\n")
    (tmp_path / "run.py").write_text(textwrap.dedent(OLD_AND_NEW))
    paths = [str(tmp_path), str(Path(repro.__file__).parents[1])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    for expected in ("[0.75, 0.75] [0.75, 0.75]", "[0.25, 0.25] [0.25, 0.25]"):
        done = subprocess.run(
            [sys.executable, "run.py"], cwd=tmp_path, env=environment, capture_output=True,
            text=True, check=True, timeout=300,
        )  # fmt: skip
        assert done.stdout.splitlines() == [expected] * 2, done.stderr
        assert "run here" not in done.stderr


# --- kernels of yours

KERNEL = """
    from typing import NamedTuple
    import numba
    import numpy as np
    from repro.learners import Learner
    from repro.learners.verbs import implements, learn, votes

    ANSWER = CONSTANT
    class State(NamedTuple):
        count: np.ndarray
    class Mine(Learner):
        def start(self, schema, seed=0):
            return State(np.zeros(1))
    @numba.njit
    def chosen():
        return HELPER + ANSWER
    @implements(votes, State)
    def _votes(state, x, out):
        out[:] = 0.0
        out[chosen()] = 1.0
    @implements(learn, State)
    def _learn(state, x, y, weight):
        state.count[0] += weight
    mine = Mine()
"""


@pytest.mark.parametrize("edited", ["HELPER", "CONSTANT"])
def test_an_edit_of_a_kernels_helper_or_constant_is_run(tmp_path, edited):
    errors = []
    for value in ("0", "0", "1"):
        code = KERNEL.replace(edited, value).replace("HELPER", "0").replace("CONSTANT", "0")
        errors.append(sweep({"m": cell(code).mine}, STREAM, [0], cache=tmp_path)["error"].item())
    assert errors == [0.75, 0.75, 0.25]
    assert stored(tmp_path) == 2


def test_a_kernel_whose_helper_changed_after_it_compiled_is_run_and_not_stored(tmp_path, capsys):
    """numba keeps the old helper; a new process would compile the new one."""
    module = cell(KERNEL.replace("HELPER", "0").replace("CONSTANT", "0"))
    sweep({"m": module.mine}, STREAM, [0], cache=tmp_path)
    exec("import numba\n@numba.njit\ndef chosen():\n    return 1\n", vars(module))
    for _ in range(2):
        table = sweep({"m": module.mine}, STREAM, [0], cache=tmp_path)
        assert table["error"].item() == 0.75
        assert "may have changed after it compiled" in capsys.readouterr().err
    assert stored(tmp_path) == 1


# --- settings and state


class Terse:
    """A concept of yours whose repr does not show its settings."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "Terse()"

    def sample(self, seed: int = 0) -> Stream:
        return Stream([[0.0]] * 4, np.full(4, self.value), n_classes=2)


def to_river(learner, **settings):
    return interop.to_river(learner, Schema((0,), 2), **settings)


def learned(model, label: int):
    for _ in range(3):
        model.learn_one({0: 0.0}, label)
    return model


def fitted(label: int) -> GaussianNB:
    return GaussianNB().partial_fit([[0.0]], [label], classes=[0, 1])


DIFFERENT = {
    "learned": (learned(to_river(Majority()), 0), learned(to_river(Majority()), 1)),
    "fresh or learned": (to_river(Majority()), learned(to_river(Majority()), 1)),
    "labels": (to_river(Majority(), labels=(0, 1)), to_river(Majority(), labels=(1, 0))),
    "features": (to_river(Majority()), to_river(Majority(), features=("a",))),
    "river's state": (naive_bayes.GaussianNB(), learned(naive_bayes.GaussianNB(), 1)),
    "sklearn's state": (fitted(0), fitted(1)),
    "sklearn fresh": (GaussianNB(), fitted(1)),
    "masks": tuple(np.ma.masked_array([1.0, 2.0], mask) for mask in ([0, 1], [1, 0])),
    "order of a dictionary": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "type of a number": (1, 1.0),
    "concepts": (
        sudden(LED(), LED(noise=0.2), at=5, n=9),
        sudden(LED(), LED(noise=0.3), at=5, n=9),
    ),
    "a base inside": (OzaBag(NaiveBayes()), OzaBag(NaiveBayes(exact=True))),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_things_that_behave_differently_have_different_keys(name):
    first, second = DIFFERENT[name]
    assert identity(first) != identity(second)
    assert identity(first) == identity(first)


def test_seeds_of_a_bag_in_river_have_different_keys(tmp_path):
    """Each bag keeps its seed, in one sweep and in sweeps of their own."""
    stream = {"S": TESTBED["NSCX"].sample(seed=0, n=600)}
    bag = OzaBag(NaiveBayes(), n_members=2)
    schema = stream["S"].schema
    models = {str(s): interop.to_river(bag, schema, seed=s) for s in range(4)}
    together = sweep(models, stream, [0], cache=tmp_path)["error"].tolist()
    alone = [
        sweep({"m": model}, stream, [0], cache=tmp_path / name)["error"].item()
        for name, model in models.items()
    ]
    assert together == alone
    assert len(set(together)) > 1


def test_a_stream_of_yours_is_identified_by_its_draw(tmp_path):
    """The arrays decide, also for code that reads a file or has an incomplete repr."""
    path = tmp_path / "labels.txt"

    @dataclass(frozen=True)
    class FromFile:
        path: str

        def sample(self, seed: int = 0) -> Stream:
            return Stream([[0.0]] * 4, [int(c) for c in Path(self.path).read_text()], n_classes=2)

    errors = []
    for text in ("0111", "0111", "0000"):
        path.write_text(text)
        streams = {"f": FromFile(str(path)), "t": Terse(int(text[1]))}
        table = sweep({"N": NoChange()}, streams, [0], cache=tmp_path / "c")
        errors.append(table["error"].tolist())
    assert errors == [[0.25, 0.25], [0.25, 0.25], [0.0, 0.0]]
    assert stored(tmp_path / "c") == 3  # both streams of the last sweep draw the same


def test_a_stream_whose_draws_differ_is_run_and_not_stored(tmp_path):
    calls = []

    class Random:
        def sample(self, seed=0):
            calls.append(seed)
            return Stream([[0.0]] * 4, [len(calls) % 2] * 4, n_classes=2)

    for _ in range(3):
        table = sweep({"M": Majority()}, {"R": Random()}, [0], cache=tmp_path)
        assert table["failure"].item() == ""
    assert stored(tmp_path) == 0


# --- objects without a certain key


class Locked:
    """A model that works but cannot be pickled, since it holds a lock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __deepcopy__(self, memo):
        return Locked()

    def predict_one(self, x):
        return 1

    def learn_one(self, x, y):
        pass


class Reads(Locked):
    def __init__(self) -> None:
        self.lock = None

    def predict_one(self, x):
        return int(open(Path(__file__).parent / "nowhere").read()) if x[0] else 1


@pytest.mark.parametrize("model", [Locked(), Reads()], ids=["lock", "file"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_without_a_key_is_run_and_not_stored_with_one_note(tmp_path, capsys, model, jobs):
    learners = {"odd": model, "M": Majority()}
    for _ in range(2):
        table = sweep(learners, STREAM, [0, 1], jobs=jobs, cache=tmp_path)
        assert table["failure"].tolist() == [""] * 4
        assert table["error"].tolist()[:2] == [0.25, 0.25]
        assert capsys.readouterr().err.count("stores no results of learner 'odd'") == 1
    assert stored(tmp_path) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_lambdas_and_closures_do_not_stop_a_sweep(tmp_path, jobs):
    def local():
        class Model:
            answer = staticmethod(lambda: 1)

            def predict_one(self, x):
                return self.answer()

            def learn_one(self, x, y):
                pass

        return Model()

    table = sweep({"l": local(), "M": Majority()}, STREAM, [0, 1], jobs=jobs, cache=tmp_path)
    assert table["failure"].tolist() == [""] * 4
    assert table["error"].tolist()[:2] == [0.25, 0.25]


def test_fresh_runs_all_again_and_replaces_stored_results(tmp_path):
    sweep({"M": Majority()}, STREAM, [0], cache=tmp_path)
    (path,) = tmp_path.rglob("*.joblib")
    before = path.stat().st_mtime_ns
    sweep({"M": Majority()}, STREAM, [0], cache=tmp_path)
    assert path.stat().st_mtime_ns == before
    sweep({"M": Majority()}, STREAM, [0], cache=tmp_path, fresh=True)
    assert path.stat().st_mtime_ns > before
    with pytest.raises(ValueError, match="fresh must be True or False; got 1"):
        sweep({"M": Majority()}, STREAM, [0], cache=tmp_path, fresh=1)


# --- the code of this package

REACHED = """
    import json, sys
    import numpy as np
    from river import naive_bayes
    from sklearn.linear_model import SGDClassifier
    from repro import Stream, TESTBED, interop, learners, streams, sweep
    from repro.detectors import DDM
    stream = Stream([[0.0]] * 6, [0, 1, 1, 1, 0, 0])
    models = {
        "b": interop.to_river(learners.NoChange(), stream.schema),
        "c": SGDClassifier(),
        "d": learners.TemporallyAugmented(learners.NoChange()),
    }
    drawn = streams.sudden(streams.LED(), streams.LED(), at=3, n=6)
    for given in ((models, {"S": stream}), ({"N": learners.NoChange()}, {"T": drawn})):
        table = sweep(*given, [0], cache="cache")
        assert not table["failure"].any(), table
    print(json.dumps([n for n in sys.modules if n.startswith("repro.")]))
"""


def in_copy(folder: Path, code: str) -> subprocess.CompletedProcess:
    """Run `code` on a copy of the package in `folder`."""
    if not (folder / "repro").is_dir():
        shutil.copytree(Path(repro.__file__).parent, folder / "repro")
    environment = {**os.environ, "PYTHONPATH": str(folder), "REPRO_CACHE": str(folder / "cache")}
    return subprocess.run(
        [sys.executable, "-"], input=textwrap.dedent(code), cwd=folder, env=environment,
        capture_output=True, text=True, check=True, timeout=600,
    )  # fmt: skip


def test_an_edit_of_every_module_that_a_run_reaches_changes_every_key(tmp_path):
    done = in_copy(tmp_path, REACHED)
    reached = {name.removeprefix("repro.") for name in json.loads(done.stdout.splitlines()[-1])}
    read = sources.read(Path(repro.__file__).parent)
    keyed = set(sources.closure("evaluation._tasks", read))
    some = {
        "_checks.limits",
        "evaluation._compiled",
        "evaluation._foreign",
        "evaluation._temporal",
        "interop._river_classifier",
        "learners.temporally_augmented",
        "streams.label_delay",
    }
    senders = {"evaluation.sweep", "evaluation._arguments", "evaluation._workers"}
    assert some <= reached
    assert reached - keyed == senders  # they start tasks, and decide no result
    reached -= senders
    digest = sources.code("evaluation._tasks")
    for name in sorted(reached):
        edited = read | {name: read[name] + b"\n"}
        assert digest_of(edited) != digest, name
    assert digest_of(read) == digest


def digest_of(read: dict[str, bytes]) -> str:
    before = dict(sources._SOURCES)
    try:
        sources._SOURCES.clear()
        sources._SOURCES.update(read)
        return sources.code.__wrapped__("evaluation._tasks")
    finally:
        sources._SOURCES.clear()
        sources._SOURCES.update(before)


LATE = """
    from repro import Stream, learners, prequential, sweep
    class Late(learners.Learner):
        pass
    stream = Stream([[0.0]] * 4, [0, 1, 1, 1])
    def run():
        table = sweep({"N": learners.NoChange()}, {"S": stream}, [0], cache="results")
        print(table["error"].item())
    run()
"""
EDIT = """
    from pathlib import Path
    import repro
    path = Path(repro.__file__).parent / "evaluation" / "run.py"
    old = 'y_pred != stream.y'
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, 'y_pred == stream.y'))
    run()
"""


def test_after_an_edit_of_the_package_a_running_python_stores_nothing(
    tmp_path,
):
    done = in_copy(tmp_path, LATE + EDIT)
    assert done.stdout.split() == ["0.25", "0.25"]
    assert "repro.evaluation.run was edited since Python started; start it again" in done.stderr
    assert stored(tmp_path / "results") == 1
    path = tmp_path / "repro" / "evaluation" / "_compiled.py"
    assert "stream.y[at]" in path.read_text()
    path.write_text(path.read_text().replace("stream.y[at]", "1 - stream.y[at]"))
    assert in_copy(tmp_path, LATE).stdout.split() == ["0.5"]
    assert stored(tmp_path / "results") == 2


@pytest.mark.parametrize(
    ("place", "name", "other"),
    [
        ("evaluation._schedule", "as_waits", lambda n, delay: n),
        ("evaluation._runner", "BLOCK", 3),
        ("learners.baselines.NoChange", "start", lambda self, schema, seed=0: 1 / 0),
    ],
)
def test_a_patched_package_is_run_and_not_stored(tmp_path, capsys, monkeypatch, place, name, other):
    table = sweep({"N": NoChange()}, STREAM, [0], cache=tmp_path)
    assert (stored(tmp_path), capsys.readouterr().err) == (1, "")
    monkeypatch.setattr(f"repro.{place}.{name}", other)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        again = sweep({"N": NoChange()}, STREAM, [0], cache=tmp_path)
    assert "was replaced" in capsys.readouterr().err
    assert stored(tmp_path) == 1
    assert (name == "BLOCK") == (again["error"].item() == table["error"].item())


def test_versions_of_python_and_of_packages_count():
    found = sources.versions("evaluation._tasks")
    assert found[0] == sys.version
    assert {text.split()[0] for text in found[1:]} >= {"numpy", "numba", "joblib", "scikit-learn"}


@pytest.mark.parametrize(
    ("module", "package"), [("sklearn", "scikit-learn"), ("dateutil", "python-dateutil")]
)
def test_a_package_is_found_by_a_module_of_another_name(module, package):
    found = installed.distribution(module)
    assert metadata.packages_distributions()[module] == [package]
    assert (found[0], found[1]) == (package, metadata.version(package))


@pytest.mark.parametrize("module", ["no_such_module", "repro_no_such"])
def test_a_module_that_nobody_installed_has_no_package(module):
    assert installed.distribution(module) is None


def test_imports_are_found_wherever_they_stand():
    source = b"""
import a.b, c
from d import e
def f(x=__import__("not one")):
    if x:
        import g
    elif x > 1:
        import h
    else:
        with open(x) as y:
            from i.j import k
    try:
        import l
    except ValueError:
        import m
    else:
        import n
    finally:
        import o
    match x:
        case 1:
            import p
    for _ in x:
        while x:
            async def q():
                import r
class S:
    def t(self):
        import u
"""
    expected = {"a.b", "c", "d", "d.e", "g", "h", "i.j", "i.j.k", *"lmnopru"}
    assert sources._imports(source) == expected


def test_a_module_within_a_compiled_one_counts_as_that_package(monkeypatch):
    """Such a part has no file. One that is put into an installed package in Python is yours."""
    inside = [name for name in sys.modules if name.startswith("river._river_rust.")]
    assert inside
    assert {sources.origin(name) for name in inside} == {sources.origin("river")}
    for name in ("river.mine", "mine"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        assert sources.origin(name) is None


def test_installed_packages_count_by_version_and_files_and_yours_by_code(tmp_path):
    import river

    name, version, files = sources.origin("river")
    assert (name, version) == ("river", river.__version__)
    assert len(files) == 64
    assert sources.origin("json") == ("python",)
    assert sources.origin("__main__") is None
    assert sources.origin(__name__) is None
    assert not identify(naive_bayes.GaussianNB()).has_code_of_yours
    assert identify(Terse(1)).has_code_of_yours


@pytest.mark.parametrize(
    ("thing", "reason"),
    [
        (threading.Lock(), "cannot pickle"),
        ((i for i in range(2)), "cannot pickle"),
        (lambda path: open(path).read(), "uses 'open', whose result may change"),  # noqa: SIM115
        (lambda: os.environ["A"], "uses 'environ', whose result may change"),
        (sys.modules["__main__"], "uses the module __main__ as a whole"),
    ],
)
def test_an_object_without_identity_gives_the_reason(thing, reason):
    with pytest.raises(Unidentified, match=reason):
        identity(thing)


def test_an_object_that_is_pickled_by_name_is_not_identified():
    class Named:
        def __reduce__(self):
            return "THE_ONE"

    Named.__module__ = __name__
    with pytest.raises(Unidentified):
        identity(Named())


def test_equal_constants_have_the_same_identity():
    """Whether or not they are one object: a worker's copy of a function has its own constants."""
    pair = tuple(range(2))
    assert identity([pair, pair]) == identity([pair, tuple(range(2))])


def test_all_of_a_stream_counts_in_its_identity():
    stream = STREAM["S"]
    same = replace(stream)
    assert identity(stream) == identity(same)
    assert identity(stream) != identity(replace(stream, drifts=(2,)))
