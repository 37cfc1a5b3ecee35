"""Sweeps: the table does not depend on how it is run, and finished tasks are never lost."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, NamedTuple

import numba.core.caching
import numpy as np
import pandas as pd
import pytest
from river import ensemble, naive_bayes
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.tree import DecisionTreeClassifier

from repro import TESTBED, Stream, metrics, prequential, seeds, sweep
from repro.detectors import DDM
from repro.evaluation._prequential_task import n_bytes, pack, unpack
from repro.learners import (
    BayesOptimal,
    DriftRetraining,
    Learner,
    LinearSVM,
    Majority,
    NaiveBayes,
    NoChange,
    TemporallyAugmented,
)
from repro.learners.verbs import implements, learn, votes

LEARNERS = {"NB": NaiveBayes(), "SVM": LinearSVM(), "Optimal": BayesOptimal()}
STREAMS = {name: TESTBED[name] for name in ("NSGT", "NSPC-A")}
EXACT = ["learner", "stream", "seed", "n", "error", "n_alarms", "failure"]


def run(cache: Path, **changes) -> pd.DataFrame:
    settings = {"learners": LEARNERS, "streams": STREAMS, "seeds": range(2), "cache": cache}
    return sweep(**settings | changes)


def finished(cache: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.run")}


def test_every_task_is_the_prequential_run_of_its_learner_stream_and_seed(tmp_path):
    table = run(tmp_path)
    assert list(zip(table["learner"], table["stream"], table["seed"], strict=True)) == [
        (a, b, s) for a in LEARNERS for b in STREAMS for s in range(2)
    ]
    for row in table.itertuples():
        stream = STREAMS[row.stream].sample(seed=row.seed)
        own = seeds.integer(row.seed, "learner")
        assert row.error == prequential(LEARNERS[row.learner], stream, own).error
        assert row.n == 10_001


def test_the_table_does_not_depend_on_the_number_of_workers(tmp_path):
    one, two = (run(tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2))
    pd.testing.assert_frame_equal(one[EXACT], two[EXACT])


def test_a_second_sweep_runs_nothing_and_gives_the_same_table(tmp_path):
    first, before = run(tmp_path), finished(tmp_path)
    pd.testing.assert_frame_equal(first, run(tmp_path))
    assert finished(tmp_path) == before


@pytest.mark.parametrize(
    ("changes", "new"),
    [
        ({"seeds": range(3)}, 6),
        ({"learners": LEARNERS | {"NB": LinearSVM(learning_rate=0.5)}}, 4),
        ({"learners": {"another name": NaiveBayes()}}, 0),
        ({"streams": STREAMS | {"NSGT": TESTBED["NSGT-F"]}}, 6),
    ],
)
def test_a_change_runs_only_the_tasks_that_it_affects(tmp_path, changes, new):
    run(tmp_path)
    before = finished(tmp_path)
    run(tmp_path, **changes)
    after = finished(tmp_path)
    assert len(after) - len(before) == new
    assert {path: after[path] for path in before} == before


def test_a_new_measure_is_computed_from_stored_results(tmp_path):
    run(tmp_path)
    before = finished(tmp_path)
    table = run(tmp_path, measures={"late": lambda loss: loss[9000:].mean(), "loss": np.asarray})
    assert finished(tmp_path) == before
    assert table["late"].iloc[0] == table["loss"].iloc[0][9000:].mean()
    assert "error" not in table


def test_a_label_measure_gets_labels_and_predictions(tmp_path):
    table = run(tmp_path, label_measures={"kappa": metrics.kappa, "y": lambda y, y_pred: y})
    assert "error" in table
    for row in table.itertuples():
        stream = STREAMS[row.stream].sample(seed=row.seed)
        one = prequential(LEARNERS[row.learner], stream, seeds.integer(row.seed, "learner"))
        assert row.kappa == metrics.kappa(stream.y, one.y_pred)
        np.testing.assert_array_equal(row.y, stream.y)


def test_a_file_that_cannot_be_read_is_run_again(tmp_path, capsys):
    table = run(tmp_path)
    path = sorted(finished(tmp_path))[0]
    path.write_bytes(path.read_bytes()[:20])
    pd.testing.assert_frame_equal(table[EXACT], run(tmp_path)[EXACT])
    assert "is damaged; runs again" in capsys.readouterr().err


@dataclass
class Fails:
    """A model that fails to learn while the marker file exists."""

    marker: str

    def predict_one(self, x):
        return 0

    def learn_one(self, x, y):
        if Path(self.marker).exists():
            raise ZeroDivisionError("no such thing")


class SaysSoMany:
    """A model whose label does not fit into a byte."""

    def predict_one(self, x):
        return 256

    def learn_one(self, x, y):
        pass


def test_a_label_out_of_range_is_refused_and_not_cut_to_a_byte(tmp_path):
    streams = {"S": Stream(np.zeros((5, 1)), np.zeros(5, int), n_classes=2)}
    with pytest.warns(RuntimeWarning, match=r"predict labels 0\.\.1; got 256 for example 0"):
        table = run(tmp_path, learners={"many": SaysSoMany()}, streams=streams, seeds=[0])
    assert table["error"].isna().all()


def test_a_failing_task_is_reported_and_tried_again_and_the_others_go_on(tmp_path):
    marker = tmp_path / "marker"
    marker.touch()
    learners = {"M": Majority(), "bad": Fails(str(marker)), "N": NoChange()}
    streams = {"S": Stream(np.zeros((5, 1)), [0, 1, 1, 0, 1])}
    with pytest.warns(RuntimeWarning, match="task failed: learner='bad', stream='S', seed=7: Zero"):
        table = run(tmp_path / "c", learners=learners, streams=streams, seeds=[7])
    failure = table.set_index("learner")["failure"]
    assert failure["M"] == failure["N"] == ""
    assert failure["bad"].startswith("ZeroDivisionError: no such thing")
    assert table["error"].isna().tolist() == [False, True, False]
    marker.unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = run(tmp_path / "c", learners=learners, streams=streams, seeds=[7])
    assert not again["error"].isna().any()


def test_foreign_models_are_stored_by_their_content(tmp_path):
    stream = {"S": TESTBED["NSGT"].sample(seed=0, n=300)}
    models = {"river": naive_bayes.GaussianNB(), "sklearn": SGDClassifier()}
    models["bag"] = ensemble.BaggingClassifier(naive_bayes.GaussianNB(), n_models=2)
    first = run(tmp_path, learners=models, streams=stream, seeds=[0])
    before = finished(tmp_path)
    fresh = {"river": naive_bayes.GaussianNB(), "sklearn": SGDClassifier()}
    fresh["bag"] = models["bag"].clone()  # unseeded, it has a generator of its own
    pd.testing.assert_frame_equal(first, run(tmp_path, learners=fresh, streams=stream, seeds=[0]))
    assert finished(tmp_path) == before
    run(tmp_path, learners={"sklearn": SGDClassifier(alpha=0.5)}, streams=stream, seeds=[0])
    assert len(finished(tmp_path)) == len(before) + 1


def test_a_dask_cluster_of_two_workers_gives_the_same_table(tmp_path):
    from distributed import LocalCluster

    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with LocalCluster(**settings, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        far = run(tmp_path / "far", backend="dask", scheduler=address)
    pd.testing.assert_frame_equal(far[EXACT], run(tmp_path / "near")[EXACT])
    assert len(finished(tmp_path / "far")) == 12


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"learners": {}}, ValueError, "learners must map names to learners, at least one; got"),
        ({"learners": [NaiveBayes()]}, ValueError, "learners must map names to learners"),
        (
            {"learners": {"M": Majority(), "tree": DecisionTreeClassifier()}},
            TypeError,
            r"learners\['tree'\]: learner must .* fit but no partial_fit",
        ),
        (
            {"learners": {"r": SGDRegressor()}},
            TypeError,
            "learner must be a classifier; got SGDReg",
        ),
        ({"learners": {"c": NaiveBayes}}, TypeError, "must be an instance, not the class"),
        ({"measures": np.mean}, ValueError, "measures must map names to functions; got <function"),
        ({"label_measures": {"a": 1}}, ValueError, r"label_measures must map names to functions"),
        ({"streams": {}}, ValueError, "streams must map names to streams, at least one; got"),
        ({"streams": {"S": 3}}, TypeError, r"streams\['S'\] must be a description"),
        ({"seeds": 0}, ValueError, "seeds must be a whole number >= 1; got 0"),
        ({"seeds": []}, ValueError, "seeds must be .*at least one; got"),
        ({"seeds": [-1]}, ValueError, "seeds must be a whole number >= 0; got -1"),
        ({"seeds": [1, 1]}, ValueError, r"seeds must be .*different.*; got \[1, 1\]"),
        ({"seeds": [0.5]}, ValueError, "seeds must be a whole number >= 0; got 0.5"),
        ({"jobs": 1.5}, ValueError, "jobs must be a whole number >= 1; got 1.5"),
        ({"jobs": 0}, ValueError, "jobs must be a whole number >= 1; got 0"),
        ({"jobs": 1001}, ValueError, "jobs must be at most 1000; got 1001"),
        ({"backend": "threads"}, ValueError, "backend must be one of processes, dask; got"),
        ({"backend": "dask"}, ValueError, "scheduler must be the address of a Dask scheduler"),
    ],
)
def test_bad_arguments_are_refused_before_anything_runs(tmp_path, changes, error, message):
    with pytest.raises(error, match=message):
        run(tmp_path, **changes)
    assert finished(tmp_path) == {}


@pytest.mark.parametrize("part", ["X", "y", "optimal"])
def test_a_stream_of_arrays_is_known_by_its_content(tmp_path, part):
    stream = TESTBED["NSGT"].sample(seed=0, n=300)
    changed = np.array(getattr(stream, part))
    changed[5] = 1 - changed[5]
    other = replace(stream, **{part: changed}, drifts=())
    for given, n in [(stream, 3), (other, 6), (replace(stream), 6)]:
        run(tmp_path, streams={"S": given}, seeds=[0])
        assert len(finished(tmp_path)) == n


# --- code of your own


class StubbornState(NamedTuple):
    """A state that holds only one label."""

    label: np.ndarray


@dataclass(frozen=True)
class Stubborn(Learner):
    """Always the same label."""

    label: int = 0

    paper: ClassVar[str] = "this test"

    def start(self, schema, seed=0):
        return StubbornState(np.full(1, self.label))


@implements(votes, StubbornState)
def _votes(state, x, out):
    out[:] = 0.0
    out[state.label[0]] = 1.0


@implements(learn, StubbornState)
def _learn(state, x, y, weight):
    pass


def test_a_learner_of_yours_is_swept_like_ours(tmp_path):
    stream = TESTBED["NSGT"].sample(seed=0, n=300)
    learners = {"zero": Stubborn(), "one": Stubborn(1)}
    table = run(tmp_path, learners=learners, streams={"S": stream}, jobs=2)
    ones = stream.y.mean()
    np.testing.assert_allclose(table["error"], [ones, ones, 1 - ones, 1 - ones])


def test_nothing_compiled_with_code_of_yours_is_kept_on_disk(monkeypatch):
    """numba does not notice edits of your kernels, so it would load outdated code from disk."""
    saved = []
    cache = numba.core.caching.FunctionCache
    monkeypatch.setattr(cache, "save_overload", lambda self, sig, data: saved.append(str(sig)))

    class FreshState(NamedTuple):
        held: tuple

    class Fresh(Learner):
        def start(self, schema, seed=0):
            return FreshState((Majority().start(schema),))

    implements(votes, FreshState)(_held_votes)
    implements(learn, FreshState)(_held_learn)
    assert prequential(Fresh(), Stream([[0.0], [1.0]], [0, 1])).error == 0.5
    assert [sig for sig in saved if "FreshState" in sig] == []


def _held_votes(state, x, out):
    votes(state.held[0], x, out)


def _held_learn(state, x, y, weight):
    learn(state.held[0], x, y, weight)


NOTEBOOK = """
    from typing import NamedTuple
    import numpy as np
    from repro import Stream, sweep
    from repro.learners import Learner
    from repro.learners.verbs import implements, learn, votes

    class State(NamedTuple):
        count: np.ndarray

    class Mine(Learner):
        def start(self, schema, seed=0):
            return State(np.zeros(1))

    @implements(votes, State)
    def _votes(state, x, out):
        out[:] = 0.0
        out[0] = 1.0

    @implements(learn, State)
    def _learn(state, x, y, weight):
        state.count[0] += weight

    stream = Stream([[0.0]] * 4, [0, 1, 1, 1])
    table = sweep({"mine": Mine()}, {"S": stream}, range(2), jobs=JOBS, cache="cache")
"""


def test_a_learner_from_a_notebook_is_sent_to_workers_with_its_kernels(tmp_path):
    """Code without a file, in the module ``__main__``, which a worker cannot import."""
    code = textwrap.dedent(NOTEBOOK).replace("JOBS", "2") + "print(list(table['error']))"
    done = subprocess.run(
        [sys.executable, "-"], input=code, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[0.75, 0.75]", done.stderr


def test_the_learner_inside_a_wrapper_is_part_of_the_key(tmp_path):
    """scikit-learn prints changed settings only, and nothing that a model has learned."""
    stream = {"s": Stream(np.c_[np.arange(60.0)], np.arange(60) % 2)}
    bases = {
        "a": TemporallyAugmented(SGDClassifier()),
        "b": TemporallyAugmented(SGDClassifier(alpha=1e-3)),
        "c": TemporallyAugmented(Majority()),
        "d": DriftRetraining(Majority(), DDM()),
        "e": DriftRetraining(Majority(), DDM(drift_threshold=4.0)),
    }
    for base in (bases, bases):
        sweep(base, stream, [0], cache=tmp_path)
        assert len(list(tmp_path.rglob("*.run"))) == len(bases)


# --- runs that are too long to be stored


@pytest.fixture
def short_store(monkeypatch):
    """No labels fit into the store."""
    monkeypatch.setattr(sys.modules["repro.evaluation.sweep"], "MOST_STORED", 0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_of_long_runs_the_measures_are_stored_and_a_line_says_so(
    tmp_path, capsys, monkeypatch, jobs
):
    asked = {"measures": {"error": np.mean}, "label_measures": {"kappa": metrics.kappa}}
    short = run(tmp_path / "short", **asked)
    monkeypatch.setattr(sys.modules["repro.evaluation.sweep"], "MOST_STORED", 0)
    for _ in range(2):
        table = run(tmp_path / "long", jobs=jobs, **asked)
        columns = [*EXACT, "kappa"]
        pd.testing.assert_frame_equal(table[columns], short[columns])
        said = capsys.readouterr().err
        assert said.count("\n") == 2
        assert "runs on 'NSGT' are too long to be stored; their measures are" in said
    files = finished(tmp_path / "long")
    assert len(files) == 12
    assert all(path.stat().st_size < 1000 for path in files)
    run(tmp_path / "long", label_measures={"kappa": metrics.kappa_temporal})
    assert len(finished(tmp_path / "long")) == 24


def test_a_measure_of_the_users_makes_a_long_run_run_each_time(tmp_path, capsys, short_store):
    asked = {"learners": {"M": Majority()}, "streams": {"S": STREAMS["NSGT"]}, "seeds": [0]}
    for _ in range(2):
        table = run(tmp_path, measures={"late": lambda loss: loss[9000:].mean()}, **asked)
        assert 0 < table["late"].item() < 1
        assert "measure 'late' has user code" in capsys.readouterr().err
    assert finished(tmp_path) == {}


def test_a_measure_whose_value_cannot_be_stored_is_given_and_not_stored(tmp_path, short_store):
    asked = {"learners": {"M": Majority()}, "streams": {"S": STREAMS["NSGT"]}, "seeds": [0]}
    table = run(tmp_path, measures={"frame": pd.DataFrame}, **asked)
    assert len(table["frame"].item()) == 10_001
    assert finished(tmp_path) == {}


@pytest.mark.parametrize("n_classes", [1, 2, 3, 4, 5, 16, 17, 256, 257, 70_000])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 1000])
def test_labels_come_out_of_their_bits_as_they_went_in(n_classes, n):
    y = seeds.generator(n, str(n_classes)).integers(n_classes, size=n)
    packed = pack(y, n_classes)
    assert packed.nbytes == n_bytes(n, n_classes) or n_classes > 256
    np.testing.assert_array_equal(unpack(packed, n, n_classes), y)


def test_a_number_of_seeds_means_that_many(tmp_path):
    pd.testing.assert_frame_equal(run(tmp_path, seeds=2)[EXACT], run(tmp_path, seeds=[0, 1])[EXACT])
