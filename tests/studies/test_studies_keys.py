"""Keys of stored results: an edit runs again what it can change, and nothing else."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from river import naive_bayes
from sklearn.linear_model import SGDClassifier

import repro
from repro import TESTBED, Stream, evaluate_scenarios, learners, streams, sweep
from repro.detectors import ADWIN, PageHinkley
from repro.judge._detector.references import REFERENCES
from repro.judge._detector.runs import Search, fit_detectors, run_detectors
from repro.judge._stream.trial import trial_on
from repro.kernels import sources
from repro.studies import code
from repro.studies.code import Code
from repro.studies.keys import Keys
from repro.studies.task import Part

SOURCES = sources.read(Path(repro.__file__).parent)
X, Y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
SMALL = Stream([[0.0], [1.0]] * 6, [0, 1, 1, 1, 0, 0] * 2)
LOSSES = {"a": [np.tile([0, 0, 1], 50).astype(np.uint8)]}
DRIFTING = streams.sudden(streams.LED(), streams.LED(noise=0.2), at=30, n=60)

#: One call of each user of the engine, and of each kind of learner, stream and detector.
CALLS = {
    "naive Bayes": lambda: sweep({"a": learners.NaiveBayes()}, {"s": TESTBED["NSGT"]}, [0]),
    "bag of trees": lambda: sweep(
        {"a": learners.OzaBag(learners.HoeffdingTree(), n_members=2)}, {"s": DRIFTING}, [0]
    ),
    "retraining": lambda: sweep(
        {"a": learners.DriftRetraining(learners.NaiveBayes(), PageHinkley())}, {"s": SMALL}, [0]
    ),
    "previous labels": lambda: sweep(
        {"a": learners.TemporallyAugmented(learners.NaiveBayes())}, {"s": SMALL}, [0]
    ),
    "optimum": lambda: sweep({"a": learners.BayesOptimal()}, {"s": TESTBED["NSPC-A"]}, [0]),
    "scikit-learn": lambda: sweep({"a": SGDClassifier()}, {"s": SMALL}, [0]),
    "river": lambda: sweep({"a": naive_bayes.GaussianNB()}, {"s": SMALL}, [0]),
    "permuted": lambda: sweep(
        {"a": learners.NoChange()}, {"s": streams.Permuted(SMALL, "time")}, [0]
    ),
    "scenario": lambda: evaluate_scenarios({"a": learners.NaiveBayes()}, X, Y, ["021"], [0]),
    "detector": lambda: run_detectors({"a": ADWIN()}, LOSSES),
    "fit": lambda: fit_detectors(
        {"a": Search(REFERENCES["reference DDM"].make, 50.0, (1.0, 4.0), "a")}, LOSSES
    ),
    "drift-free": lambda: trial_on(streams.SEA(n=4000).sample(), 0, 0),
}
CALLERS = "evaluation.sweep", "evaluation.scenario", "judge._detector.runs", "judge._stream.trial"


def task_of(name, monkeypatch):
    """The first task that a call gives to the engine."""
    taken = []

    def take(tasks, *arguments, **options):
        taken.extend(tasks)
        raise StopIteration

    for caller in CALLERS:
        module = importlib.import_module(f"repro.{caller}")
        monkeypatch.setattr(module, "perform", take)
    with pytest.raises((StopIteration, RuntimeError)):
        CALLS[name]()
    monkeypatch.undo()
    return taken[0]


@pytest.fixture(params=CALLS)
def task(request, monkeypatch):
    return task_of(request.param, monkeypatch)


def reach(task):
    keys = Keys()
    key = keys.of(task)
    assert key.text, keys.notes
    return key.reach


def digest_with(modules, name, source):
    return Code(SOURCES | {name: source}).digest(modules)


WHAT_RUNS = """
import sys, cloudpickle, gc, json
from numba.core.dispatcher import Dispatcher
task = cloudpickle.load(open(sys.argv[1], "rb"))
task.function(task.settings, task.data)  # imports at the first use
ran = set()
def note(frame, event, argument):
    ran.add(frame.f_globals.get("__name__") or "")
sys.setprofile(note)
task.function(task.settings, task.data)
sys.setprofile(None)
def compiled(kernel):
    return kernel.overloads or getattr(getattr(kernel, "linked", None), "overloads", {})
kernels = [thing for thing in gc.get_objects() if Dispatcher in type(thing).__mro__]
assert kernels
ran |= {kernel.py_func.__module__ or "" for kernel in kernels if compiled(kernel)}
print(json.dumps(sorted(n for n in ran if n.startswith("repro."))))
"""


def test_a_task_reaches_every_module_whose_code_runs(task):
    """By another route: what Python executes while the task runs, and the kernels it compiled."""
    with tempfile.NamedTemporaryFile() as file:
        cloudpickle.dump(task, file)
        file.flush()
        done = subprocess.run(
            [sys.executable, "-c", WHAT_RUNS, file.name],
            capture_output=True, text=True, check=True, timeout=300, cwd=Path(__file__).parent,
        )  # fmt: skip
    ran = {name.removeprefix("repro.") for name in json.loads(done.stdout.splitlines()[-1])}
    assert len(ran) > 3
    assert ran - {*reach(task).modules} == set()


def test_an_edit_that_can_change_a_number_changes_the_keys_of_the_tasks_that_reach_it(task):
    reached = reach(task).modules
    before = Code(SOURCES).digest(reached)
    for name, source in SOURCES.items():
        after = digest_with(reached, name, source + b"\nEDITED = 1\n")
        is_around = any(module.startswith(f"{name}.".lstrip(".")) for module in reached)
        assert (after != before) == (name in reached or is_around), name


@pytest.mark.parametrize("name", ["naive Bayes", "scikit-learn", "detector", "scenario"])
def test_siblings_and_what_stands_above_change_no_key(name, monkeypatch):
    reached = {*reach(task_of(name, monkeypatch)).modules}
    above = "figures", "judge", "tables", "runner", "course", "explore", "published", "results"
    assert not {module for module in reached if module.partition(".")[0] in above}
    siblings = {"streams.read_csv", "streams.led", "learners.bagging", "learners.hoeffding_tree"}
    siblings |= {"detectors.ddm", "metrics.kappa", "metrics.estimators", "permutations.orders"}
    assert not siblings & reached
    assert len(reached) < 80


class Reworded(ast.NodeTransformer):
    """Other docstrings, no annotations of functions, no comments."""

    def _text(self, node):
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            node.body[0] = ast.Expr(ast.Constant("Other words."))
        return node

    visit_Module = visit_ClassDef = _text

    def visit_FunctionDef(self, node):
        node.returns = None
        return self._text(node)

    def visit_arg(self, node):
        return ast.arg(node.arg)


@pytest.mark.parametrize("name", SOURCES)
def test_docstrings_comments_and_annotations_do_not_count(name):
    source = SOURCES[name]
    tree = ast.fix_missing_locations(Reworded().visit(ast.parse(source)))
    reworded = ast.unparse(tree).encode() + b"\n# a comment\n"
    assert code.of_source(reworded).digest == code.of_source(source).digest
    assert code.of_source(source + b"\nEDITED = 1\n").digest != code.of_source(source).digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x=1): return x", "def f(x=2): return x"),
        ("class A:\n    x: int = 1", "class A:\n    x: int = 2"),
        ("class A:\n    x: int = 1", "class A:\n    x: ClassVar[int] = 1"),
        ("class A:\n    x: int\n    y: int", "class A:\n    y: int\n    x: int"),
        ("class A:\n    x: int", "class A:\n    pass"),
        ("@f\ndef g(): pass", "def g(): pass"),
        ("from a import b", "from c import b"),
        ("x = 'text'", "x = 'other'"),
        ("def f(a, /, b): pass", "def f(a, b): pass"),
        ("async def f(): pass", "def f(): pass"),
        ("if a:\n    x = 1\nelse:\n    x = 2", "if a:\n    x = 1\nelse:\n    x = 3"),
        ("try:\n    f()\nexcept A:\n    x = 1", "try:\n    f()\nexcept B:\n    x = 1"),
        ("x = 1.0", "x = 1"),
        ("x = -0.0", "x = 0.0"),
        ("del x", "x"),
    ],
)
def test_what_decides_a_number_counts(one, other):
    assert code.of_source(one.encode()).digest != code.of_source(other.encode()).digest


def test_no_code_below_the_reports_reads_docstrings_or_annotations():
    """Else they would decide numbers, and had to count."""
    above = "judge", "course", "explore", "runner"
    readers = [
        name
        for name, source in SOURCES.items()
        if name.partition(".")[0] not in above and name not in ("studies.namespace",)
        for word in (b"__doc__", b"get_type_hints", b"__annotations__", b"getdoc")
        if word in source
    ]
    assert readers == []


def test_names_are_not_taken_from_the_package_of_a_wing():
    """A key covers what `__init__` does beside imports, and not what it imports."""
    known = code.loaded()
    packages = {name.rpartition(".")[0] for name in known.sources if "." in name}
    for package in packages:
        assert code.of_package(known.sources[package]) == "", package


def test_imports_are_followed_wherever_they_stand():
    source = b"""
import a.b, c
from d import e
def f(x=1):
    if x:
        import g
    else:
        with open(x) as y:
            from i.j import k
    try:
        import l
    except ValueError:
        import m
    finally:
        import o
    match x:
        case 1:
            import p
    async def q():
        import r
class S:
    def t(self):
        import u
if TYPE_CHECKING:
    import not_this
"""
    expected = {("a.b", ""), ("c", ""), ("d", "e"), ("i.j", "k"), *((n, "") for n in "glmopru")}
    assert code.of_source(source).imports == expected


def test_a_name_from_a_package_leads_to_the_module_that_defines_it():
    tree = {
        "": b"", "wing": b"from repro.wing.one import f\nfrom repro.wing.two import g",
        "wing.one": b"from repro.wing.base import h", "wing.two": b"", "wing.base": b"",
        "user": b"from repro.wing import f", "other": b"from repro import wing",
    }  # fmt: skip
    known = Code(tree)
    assert known.reached(["user"]) == ("user", "wing.base", "wing.one")
    assert known.reached(["other"]) == ("other", "wing", "wing.base", "wing.one", "wing.two")


def test_the_key_of_a_result_does_not_depend_on_names_or_on_other_tasks(monkeypatch):
    first = task_of("naive Bayes", monkeypatch)
    keys = Keys()
    keys.of(task_of("bag of trees", monkeypatch))
    assert keys.of(first).text == Keys().of(first).text


def test_each_number_and_text_has_a_key_of_its_own(monkeypatch):
    """Also in its place: tasks that differ only in a number or a text share the rest of the key."""
    task, keys = task_of("naive Bayes", monkeypatch), Keys()
    things = [0, 1, -1, 2**70, 10**5000, "1", "0x1", "'1'", "", True, 1.0, -1.0, None, np.int64(1)]

    def of(*more, to=keys):
        return to.of(replace(task, parts=(*task.parts, *(Part("", thing) for thing in more)))).text

    pairs = [(a, b) for a in things for b in things]
    texts = [of(), *map(of, things), *(of(*pair) for pair in pairs)]
    assert len(set(texts)) == len(texts)
    assert "" not in texts
    assert [of(*pair, to=Keys()) for pair in pairs] == texts[-len(pairs) :]
    named = replace(task, parts=(*task.parts, Part("seed", 1, "v1")))
    assert keys.of(named).text not in texts
