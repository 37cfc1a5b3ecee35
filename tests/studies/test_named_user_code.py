"""User code that the user names is stored under its version, by every user of the engine."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from repro import Stream, evaluate_scenarios, judge, sweep
from repro.judge._detector.runs import Search, fit_detectors, run_detectors
from repro.learners import Majority, NoChange

STREAM = Stream([[0.0], [1.0]] * 30, [0, 1, 1, 1, 0, 0] * 10)
X, Y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
LOSSES = {"a": [np.tile([0, 0, 1], 50).astype(np.uint8)]}
calls: list[str] = []


class Mine:
    """A model of the user's, which counts its runs."""

    def __init__(self, label=1):
        self.label, self.started = label, False

    def predict_one(self, x):
        if not self.started:
            calls.append("run")
            self.started = True
        return self.label

    def learn_one(self, x, y):
        pass


class Watch:
    """A detector of the user's, which alarms at every loss above its threshold."""

    def __init__(self, threshold=0.5):
        self.threshold, self.drift_detected = threshold, False

    def update(self, x):
        if not calls or calls[-1] is not self:
            calls.append(self)
        self.drift_detected = x > self.threshold


class Drawn:
    """A stream of the user's."""

    def __init__(self, label=1):
        self.label = label

    def sample(self, seed=0):
        calls.append("draw")
        return Stream([[0.0]] * 4, np.full(4, self.label), n_classes=2)


def of_sweep(thing, cache, keys):
    table = sweep({"mine": thing, "M": Majority()}, {"S": STREAM}, [0], cache=cache, keys=keys)
    assert table["failure"].tolist() == ["", ""]


def of_stream(thing, cache, keys):
    table = sweep({"N": NoChange()}, {"mine": thing, "S": STREAM}, [0], cache=cache, keys=keys)
    assert table["failure"].tolist() == ["", ""]


def of_scenarios(thing, cache, keys):
    learners = {"mine": thing, "M": Majority()}
    evaluate_scenarios(learners, X, Y, ["021"], [0], cache=cache, keys=keys)


def of_detectors(thing, cache, keys):
    assert run_detectors({"mine": thing}, LOSSES, cache=cache, keys=keys)[1] == {}


def of_fits(thing, cache, keys):
    search = Search(lambda value: Watch(thing.threshold), 3.0, (0.0, 1.0), "a")
    fit_detectors({"mine": search}, LOSSES, cache=cache, keys=keys)


def of_judge(thing, cache, keys):
    how = {"references": [], "seeds": 1, "jobs": 1, "quick": True, "cache": cache, "keys": keys}
    judge.learner({"mine": thing}, {"S": STREAM}, **how)


USERS = {
    "sweep": (of_sweep, Mine, Mine(0)),
    "stream of a sweep": (of_stream, Drawn, Drawn(0)),
    "scenarios": (of_scenarios, Mine, Mine(0)),
    "detectors": (of_detectors, Watch, Watch(0.7)),
    "calibration": (of_fits, Watch, Watch(0.7)),
    "judge": (of_judge, Mine, Mine(0)),
}


def runs(user, thing, cache, keys):
    """How many runs of user code a call makes."""
    calls.clear()
    user(thing, cache, keys)
    return len(calls)


def stored(cache: Path):
    return len(list(cache.rglob("*.run")))


@pytest.mark.parametrize("name", USERS)
def test_without_a_version_user_code_runs_each_time(name, tmp_path, capsys):
    """It is not stored, and one line says so."""
    user, make, _ = USERS[name]
    first, kept = runs(user, make(), tmp_path, {}), stored(tmp_path)
    assert first > 0
    assert "'mine'" in capsys.readouterr().err
    assert runs(user, make(), tmp_path, {}) == first
    lines = capsys.readouterr().err.splitlines()
    said = [line for line in lines if "has user code" in line]
    assert len({*said} if name == "judge" else said) == 1  # a report has several sweeps
    assert stored(tmp_path) == kept


@pytest.mark.parametrize("name", USERS)
def test_a_version_stores_and_another_runs_again(name, tmp_path, capsys):
    """Other settings of the same class run again under the same version."""
    user, make, other = USERS[name]
    first = runs(user, make(), tmp_path, {"mine": "v1"})
    again = runs(user, make(), tmp_path, {"mine": "v1"})
    assert first > again
    assert "has user code" not in capsys.readouterr().err
    kept = stored(tmp_path)
    assert runs(user, make(), tmp_path, {"mine": "v2"}) == first
    assert stored(tmp_path) > kept
    assert runs(user, other, tmp_path, {"mine": "v1"}) == first
    assert runs(user, make(), tmp_path, {"mine": "v1"}) == again
    assert runs(user, make(), tmp_path, {"mine": "v2"}) == again


@pytest.mark.parametrize("name", ["sweep", "stream of a sweep", "scenarios", "judge"])
@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"minne": "v1"}, "keys must be names of .*; got 'minne'"),
        ({"mine": 3}, "keys must map names to versions .*; got 3 for 'mine'"),
        ({"mine": " "}, "keys must map names to versions"),
        ("v1", "keys must map names to versions"),
    ],
)
def test_a_key_that_names_nothing_is_refused(name, keys, message, tmp_path):
    user, make, _ = USERS[name]
    with pytest.raises(ValueError, match=message):
        user(make(), tmp_path, keys)


def test_a_key_of_known_things_changes_nothing(tmp_path):
    tables = [
        sweep({"N": NoChange()}, {"S": STREAM}, [0], cache=tmp_path, keys=keys)
        for keys in ({}, {"N": "v1"}, {})
    ]
    assert tables[0].equals(tables[2])
    assert stored(tmp_path) == 2  # under the version too


class Locked(Mine):
    """It works, but cannot be pickled, since it holds a lock."""

    def __init__(self, label=1):
        super().__init__(label)
        self.lock = threading.Lock()

    def __deepcopy__(self, memo):
        return Locked(self.label)


@pytest.mark.parametrize("keys", [{}, {"mine": "v1"}])
@pytest.mark.parametrize("jobs", [1, 2])
def test_settings_that_cannot_be_pickled_run_each_time_and_say_so(tmp_path, capsys, keys, jobs):
    for _ in range(2):
        models = {"mine": Locked(), "M": Majority()}
        table = sweep(models, {"S": STREAM}, [0], cache=tmp_path, keys=keys, jobs=jobs)
        assert table["failure"].tolist() == ["", ""]
        said = capsys.readouterr().err
        assert "learner 'mine' has user code, it cannot be pickled" in said
        assert ("unless keys name its version" in said) == (keys == {})
    assert stored(tmp_path) == 1


def test_a_stream_whose_draws_differ_runs_each_time(tmp_path):
    class Random:
        def sample(self, seed=0):
            calls.append("draw")
            return Stream([[0.0]] * 4, [len(calls) % 2] * 4, n_classes=2)

    calls.clear()
    errors = [
        sweep({"M": Majority()}, {"R": Random()}, [0], cache=tmp_path)["error"].item()
        for _ in range(3)
    ]
    assert errors == [0.25, 0.0, 0.25]
    assert stored(tmp_path) == 0
