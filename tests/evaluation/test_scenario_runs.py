"""Learners through scenarios: equal to loops by hand, and what is refused."""

from __future__ import annotations

import pickle
import threading
import time

import numpy as np
import pytest
from river import naive_bayes
from sklearn.linear_model import SGDClassifier

from repro import evaluate_scenario, evaluate_scenarios, learners, prequential, seeds, streams
from repro.interop.adapting import adapt
from repro.scenarios import SCENARIOS, Scenario, Tasks

every_scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)


def blobs(n=35, n_classes=3):
    """Three Gaussian classes in two dimensions."""
    rng = seeds.generator(5)
    y = rng.permutation(np.repeat(np.arange(n_classes), n))
    return rng.normal(size=(len(y), 2)) + 3.0 * np.stack([y == 1, y == 2], axis=1), y


X, Y = blobs()


class Fake:
    """A model with `partial_fit`, without `classes`, that notes its batches."""

    def __init__(self):
        self.batches = []

    def partial_fit(self, X, y):
        self.batches.append((X, y))
        self.fitted_ = True

    def predict(self, X):
        return np.zeros(len(X), int)


class Memory(Fake):
    """It knows each sample by heart, with the label of its latest presentation."""

    def predict(self, X):
        known = {tuple(x): label for X, y in self.batches for x, label in zip(X, y, strict=True)}
        return np.array([known.get(tuple(x), 0) for x in X])


class Constant(Fake):
    def __init__(self, label):
        super().__init__()
        self.label = label

    def predict(self, X):
        return np.full(len(X), self.label)


def seen(scenario, sizes=None):
    """Tasks that are tested with the samples that were learned."""
    tasks = scenario.build(X, Y, "021", sizes=sizes)
    tests = {}
    for base_set in scenario.base_sets:
        task = next(i for i in range(len(tasks)) if base_set.presented(i) is not None)
        batch, label = tasks.batches[task], base_set.presented(task)
        kind = dict(zip(scenario.base_set_names, (0, 2, 1), strict=False))[base_set.name]
        class_of = {tuple(x): k for x, k in zip(X, Y, strict=True)}
        chosen = [class_of[tuple(x)] == kind for x in batch.X]
        assert set(batch.y[chosen]) == {label}
        tests[base_set.name] = batch.X[chosen]
    return Tasks(tasks.base_sets, tasks.batches, tests, name=tasks.name)


@pytest.mark.parametrize(
    "model",
    [learners.NaiveBayes(), naive_bayes.GaussianNB(), SGDClassifier(random_state=1)],
    ids=lambda m: type(m).__module__.partition(".")[0],
)
def test_a_run_equals_a_loop_by_hand(model):
    tasks = SCENARIOS["SEP"].build(X, Y, "021")
    run = evaluate_scenario(model, tasks, seed=3, batch=1)
    ours = isinstance(model, learners.Learner)
    online = model.online(tasks.schema, 3) if ours else adapt(model, tasks.schema, 3)
    for t, batch in enumerate(tasks.batches):
        order = seeds.generator(3, "batch", f"T{t + 1}").permutation(len(batch))
        for x, y in zip(batch.X[order], batch.y[order], strict=True):
            online.learn_one(x, int(y))
        for b, samples in enumerate(tasks.tests.values()):
            y_pred = np.array([online.predict_one(x) for x in samples])
            assert run.shares[t, b].tolist() == [np.mean(y_pred == k) for k in (0, 1)]
    assert run.sizes.tolist() == [5, 5, 5]


def test_a_model_gets_each_batch_in_one_call_and_the_original_stays_as_it_was():
    tasks, model = SCENARIOS["INC"].build(X, Y, "021"), Fake()
    given = []
    model.partial_fit = lambda X, y: given.append((X, y))
    evaluate_scenario(model, tasks, seed=1)
    assert model.batches == []
    assert [len(y) for _, y in given] == [60, 60]
    for batch, (rows, labels) in zip(tasks.batches, given, strict=True):
        pairs = [sorted(np.column_stack(p).tolist()) for p in ((batch.X, batch.y), (rows, labels))]
        assert pairs[0] == pairs[1]
    given.clear()
    evaluate_scenario(model, tasks, seed=1, batch=25)
    assert [len(y) for _, y in given] == [25, 25, 10, 25, 25, 10]


def test_a_model_is_told_of_all_labels_although_a_task_has_one():
    class Told(Fake):
        told = ()

        def partial_fit(self, X, y, classes=None):
            Told.told = (*Told.told, classes)
            super().partial_fit(X, y)

    evaluate_scenario(Told(), SCENARIOS["ADD"].build(X, Y, "021"))
    assert [None if c is None else c.tolist() for c in Told.told] == [[0, 1], None]


@every_scenario
@pytest.mark.parametrize("sizes", [None, {"C10": 10, "C02": 20, "C01": 30, "C21": 30, "C12": 30}])
def test_a_classifier_that_is_right_after_the_last_task_has_the_ideal_accuracy(scenario, sizes):
    names = scenario.base_set_names
    run = evaluate_scenario(Memory(), seen(scenario, sizes and {n: sizes[n] for n in names}))
    np.testing.assert_allclose(run.task_accuracies[-1], run.ideal_accuracy)
    assert run.accuracies[-1].tolist() == [1.0] * len(names)
    assert run.continual.excess_forgetting == 0
    assert run.continual.retention == run.continual.acquisition == 1
    changes = scenario.name in ("INC", "SEP")
    assert run.continual.relabel == 1 if changes else np.isnan(run.continual.relabel)
    assert (run.continual.backward_transfer < 0) == changes


def test_base_sets_tell_apart_what_t1_does_not():
    """In INC the ideal classifier and one that always answers label 2 have the same T1, 1/2."""
    tasks = seen(SCENARIOS["INC"])
    ideal, second = (evaluate_scenario(model, tasks) for model in (Memory(), Constant(1)))
    assert ideal.task_accuracies[1, 0] == second.task_accuracies[1, 0] == 0.5
    assert ideal.accuracies[1].tolist() == [1, 1, 1]
    assert second.accuracies[1].tolist() == [0, 1, 0]


def test_the_table_has_a_column_per_base_set_and_per_task():
    run = evaluate_scenario(Constant(0), SCENARIOS["SEP"].build(X, Y, "021"))
    assert run.table.columns.tolist() == ["C10", "C02", "C12", "T1", "T2"]
    assert run.table.loc["T1"].tolist() == [1.0, 0.0, 1.0, 1.0, 1 / 3]
    assert run.table.loc["T2"].tolist() == [1.0, 0.0, 0.0, 1.0, 1 / 3]
    assert repr(run) == "ScenarioRun('SEP', T1=1.000, T2=0.333)"
    assert pickle.loads(pickle.dumps(run)).table.equals(run.table)


def test_base_sets_are_weighted_by_their_test_samples():
    tests = {"C10": X[:1], "C02": X[:3]}
    batches = [streams.Stream(X[:2], [k, k], n_classes=2) for k in (0, 1)]
    run = evaluate_scenario(Constant(1), Tasks(("C10", "C02"), batches, tests))
    assert run.task_accuracies.tolist() == [[0.0, 0.75]] * 2


def test_the_seed_decides_the_order_of_a_batch():
    """A learner that repeats the last label shows the last example of each batch."""
    tasks = Scenario(("C12", "C21")).build(X, Y, "01")
    ends = [
        evaluate_scenario(learners.NoChange(), tasks, seed).shares[:, 0, 0] for seed in range(20)
    ]
    again = evaluate_scenario(learners.NoChange(), tasks, 3).shares[:, 0, 0]
    assert {tuple(end) for end in ends} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    np.testing.assert_array_equal(ends[3], again)


def test_a_single_task_of_three_gives_the_error_of_a_holdout():
    """Three labels, three tasks, and a learner of this package with many members."""
    scenario = Scenario(["C100", "C020", "C003"])
    tasks = scenario.build(X, Y, "012")
    run = evaluate_scenario(learners.NearestNeighbors(window=200), tasks)
    assert run.shares.shape == (3, 3, 3)
    assert run.accuracies[-1].min() > 0.5
    assert run.task_accuracies.shape == (3, 3)


def test_errors_of_a_model_are_raised_as_they_are():
    class Faulty(Fake):
        def partial_fit(self, X, y):
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        evaluate_scenario(Faulty(), SCENARIOS["ADD"].build(X, Y, "021"))


@pytest.mark.parametrize("label", [2, -1, 0.5, "a"])
def test_labels_that_the_scenario_does_not_have_are_refused(label):
    with pytest.raises(ValueError, match=r"learner must predict labels 0..1; got"):
        evaluate_scenario(Constant(label), SCENARIOS["ADD"].build(X, Y, "021"))


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (learners.TemporallyAugmented(learners.NaiveBayes()), "learner must not need previous lab"),
        (object(), "learner must be one of repro.learners, have predict_one"),
    ],
)
def test_learners_that_cannot_be_tested_so_are_refused(learner, message):
    with pytest.raises(TypeError, match=message):
        evaluate_scenario(learner, SCENARIOS["ADD"].build(X, Y, "021"))


def test_the_optimal_classifier_needs_the_optimal_labels_of_the_test_samples():
    with pytest.raises(ValueError, match="tasks of evaluate_scenario, must know its optimal"):
        evaluate_scenario(learners.BayesOptimal(), SCENARIOS["ADD"].build(X, Y, "021"))


def test_bad_arguments_are_refused():
    tasks = SCENARIOS["ADD"].build(X, Y, "021")
    with pytest.raises(TypeError, match=r"tasks must be Tasks, such as scenario\.build"):
        evaluate_scenario(Fake(), SCENARIOS["ADD"])
    with pytest.raises(ValueError, match="batch must be a whole number >= 1; got 0"):
        evaluate_scenario(Fake(), tasks, batch=0)
    with pytest.raises(ValueError, match="seed must be a whole number >= 0; got -1"):
        evaluate_scenario(Fake(), tasks, -1)


def test_tests_leave_no_trace():
    """What a compiled learner predicts after T2 equals a prequential run over the same order."""
    tasks = SCENARIOS["SEP"].build(X, Y, "021")
    run = evaluate_scenario(learners.NoChange(), tasks, seed=2)
    order = seeds.generator(2, "batch", "T2").permutation(len(tasks.batches[1]))
    last = prequential(learners.NoChange(), tasks.batches[1].take(np.append(order, 0))).y_pred[-1]
    assert run.shares[1, :, last].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("backend", ["processes", "threads"])
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_a_study_is_its_runs_one_by_one(jobs, backend):
    """With five processes each learner has one of its own."""
    models = {"SGD": SGDClassifier(), "NB": learners.NaiveBayes()}
    some = {name: SCENARIOS[name] for name in ("SEP", "ADD")}
    named = {"first": "021", "second": {"C10": 2, "C02": 1, "C12": 0}}
    chosen = {"first": some, "second": {"SEP": some["SEP"]}}
    for name, scenarios in chosen.items():
        assignments = {name: named[name]}
        found = evaluate_scenarios(
            models,
            X,
            Y,
            assignments,
            [3, 1],
            scenarios=scenarios,
            jobs=jobs,
            backend=backend,
            fresh=True,
            test_share=0.3,
        )
        expected = [(m, sc, name, s) for m in models for sc in scenarios for s in (3, 1)]
        assert [*found] == expected
        for key, run in found.items():
            tasks = some[key.scenario].build(X, Y, named[name], key.seed, test_share=0.3)
            alone = evaluate_scenario(models[key.learner], tasks, key.seed)
            assert np.array_equal(run.shares, alone.shares)
            assert np.array_equal(run.sizes, alone.sizes)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"learners": [SGDClassifier()]}, ValueError, "learners must map names to learners"),
        ({"learners": {}}, ValueError, "learners must map names to learners, at least one"),
        ({"learners": {"a": 1}}, TypeError, r"learners\['a'\]: learner must be one of"),
        ({"assignments": "021"}, TypeError, r"assignments must be a list of texts"),
        ({"assignments": []}, ValueError, "assignments must hold at least one"),
        ({"assignments": ["022"]}, ValueError, "must name each class once; got 2 twice"),
        ({"assignments": ["029"]}, ValueError, "got 9"),
        ({"assignments": ["021", "021"]}, ValueError, "assignments must hold each value once"),
        ({"seeds": []}, ValueError, "seeds must be .*at least one; got"),
        ({"seeds": 0}, ValueError, "seeds must be a whole number >= 1; got 0"),
        ({"seeds": [0, 0]}, ValueError, r"seeds must be .*different.*; got \[0, 0\]"),
        ({"seeds": [-1]}, ValueError, "seeds must be .* got -1"),
        ({"scenarios": {"ADD": "ADD"}}, TypeError, "scenarios must map names to scenarios"),
        ({"jobs": 0}, ValueError, "jobs must be .* got 0"),
        ({"jobs": 10**30}, ValueError, "jobs must be .* got 1000000"),
        ({"backend": "thread"}, ValueError, "backend must be .*threads.* got 'thread'"),
        ({"sizes": [1]}, ValueError, "sizes must be whole numbers"),
    ],
)
def test_a_study_refuses(given, error, message):
    usual = {"learners": {"N": learners.NoChange()}, "X": X, "y": Y}
    with pytest.raises(error, match=message):
        evaluate_scenarios(**usual | given)


class Nearest(Fake):
    """The label of the nearest mean, with a setting that changes nothing."""

    def __init__(self, setting=0):
        super().__init__()
        self.setting = setting

    def predict(self, X):
        seen = np.concatenate([X for X, _ in self.batches])
        labels = np.concatenate([y for _, y in self.batches])
        means = [seen[labels == k].mean(axis=0) for k in np.unique(labels)]
        return np.argmin([np.linalg.norm(X - mean, axis=1) for mean in means], axis=0)


def study(folder, seeds=(0,), model=None, **changes):
    """Runs of two learners; the second is code of this file, and has a version."""
    models = {"NB": learners.NaiveBayes(), "N": model or Nearest()}
    some = {name: SCENARIOS[name] for name in ("SEP", "ADD")}
    given = {"X": X, "assignments": ["021"], "scenarios": some, "cache": folder}
    given |= {"keys": {"N": "1"}} | changes
    return evaluate_scenarios(models, y=Y, seeds=seeds, **given)


def stored(folder):
    """The stored runs and when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.rglob("*.run")}


def test_a_stored_run_is_not_made_again_and_equals_a_fresh_one(tmp_path):
    first, files = study(tmp_path), stored(tmp_path)
    assert len(files) == 4
    again = study(tmp_path)
    in_workers = study(tmp_path, jobs=2)
    assert stored(tmp_path) == files
    fresh = study(tmp_path, fresh=True)
    assert all(time > files[name] for name, time in stored(tmp_path).items())
    for key, run in first.items():
        for other in (again[key], in_workers[key], fresh[key]):
            np.testing.assert_array_equal(other.shares, run.shares)
            np.testing.assert_array_equal(other.sizes, run.sizes)
            assert other.scenario == run.scenario


def test_workers_store_what_this_process_finds(tmp_path):
    """Each model of this file is sent by value."""
    study(tmp_path, jobs=2, seeds=(0, 1))
    files = stored(tmp_path)
    study(tmp_path, seeds=(0, 1))
    assert stored(tmp_path) == files
    assert len(files) == 8


@pytest.mark.parametrize(
    ("changes", "n_new"),
    [
        ({"model": Nearest(1)}, 2),
        ({"X": X + 1e-9}, 4),
        ({"assignments": {"021": "120"}}, 4),
        ({"test_share": 0.3}, 4),
        ({"seeds": [1]}, 4),
        ({"scenarios": {"SEP": SCENARIOS["INC"], "ADD": SCENARIOS["ADD"]}}, 2),
    ],
    ids=lambda changes: next(iter(changes)) if isinstance(changes, dict) else "",
)
def test_whatever_decides_a_run_makes_it_run_again(tmp_path, changes, n_new):
    study(tmp_path)
    study(tmp_path, **changes)
    assert len(stored(tmp_path)) == 4 + n_new


def test_a_study_that_was_stopped_goes_on(tmp_path):
    class Stops(Nearest):
        def predict(self, X):
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        study(tmp_path, model=Stops())
    files = stored(tmp_path)
    assert len(files) == 1  # of the learner before it
    study(tmp_path)
    assert stored(tmp_path).items() > files.items()


def test_an_error_ends_the_other_threads_after_the_run_that_they_make(tmp_path):
    """A thread cannot be ended from outside, and would go on in the background."""
    calls = []

    class Stops(Fake):
        def predict(self, X):
            calls.append(threading.current_thread())
            if len(calls) == 1:
                raise RuntimeError("stopped")
            time.sleep(0.2)
            return super().predict(X)

    with pytest.raises(RuntimeError, match="stopped"):
        study(tmp_path, seeds=range(4), model=Stops(), jobs=2, backend="threads")
    n_before = -1
    while n_before < len(calls):  # until nobody has called for a second
        n_before = len(calls)
        time.sleep(1)
    assert len(calls) <= 5  # two of a run; without the rule 13


def test_user_code_without_a_version_is_run_each_time(tmp_path, capsys):
    for _ in range(2):
        assert len(study(tmp_path, keys={})) == 4
        assert len(stored(tmp_path)) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "learner 'N' has user code, test_scenario_runs.Nearest, and runs each time" in said
    study(tmp_path)
    assert len(stored(tmp_path)) == 4
    study(tmp_path, keys={"N": "2"})
    assert len(stored(tmp_path)) == 6


@pytest.mark.parametrize("keys", [{"other": "1"}, {"N": 1}, {"N": ""}, "N", {"N": None}])
def test_keys_that_fit_no_name_or_are_no_texts_are_refused(tmp_path, keys):
    with pytest.raises(ValueError, match="keys must"):
        study(tmp_path, keys=keys)
    assert stored(tmp_path) == {}
