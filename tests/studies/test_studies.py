"""The engine of runs: each of its users keeps what it may, loses nothing, and survives kills."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import repro
from repro.studies.engine import perform
from repro.studies.job import Job, run_in_threads
from repro.studies.keys import Key
from repro.studies.store import Store
from repro.studies.task import Part, Task

# Each user of the engine, in a module of the user's. `model` and `detector` are given by the test.
USERS = """
    import sys, os, time, signal
    from pathlib import Path
    import numpy as np
    from repro import Stream, evaluate_scenarios, learners, sweep
    from repro.detectors import PageHinkley
    from repro.judge._detector.runs import Search, fit_detectors, run_detectors

    X, Y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
    STREAM = Stream([[0.0], [1.0]] * 6, [0, 1, 1, 1, 0, 0] * 2)
    LOSSES = {"a": [np.repeat([0, 1, 0, 1], 150).astype(np.uint8)] * 2}

    def make(threshold):
        return PageHinkley(0.1, threshold)

    def sweeps(cache, jobs=1, model=None, n=3, **keys):
        given = {"a": learners.NoChange()} | ({"mine": model} if model else {})
        table = sweep(given, {"s": STREAM}, range(n), jobs=jobs, cache=cache, **keys)
        return table["error"].tolist()

    def scenarios(cache, jobs=1, model=None, n=3, **keys):
        given = {"a": learners.NoChange()} | ({"mine": model} if model else {})
        how = {"jobs": jobs, "cache": cache, **keys}
        runs = evaluate_scenarios(given, X, Y, ["021"], range(n), **how)
        return [run.task_accuracies.tolist() for run in runs.values()]

    def detectors(cache, jobs=1, model=None, n=3, **keys):
        given = {f"a{i}": PageHinkley(0.1, 2.0 + i) for i in range(n)}
        given |= {"mine": model} if model else {}
        alarms, failures = run_detectors(given, LOSSES, jobs=jobs, cache=cache, **keys)
        return [[run.tolist() for run in runs] for runs in alarms.values()], failures

    def fits(cache, jobs=1, model=None, n=3, **keys):
        import repro.judge._detector.references as references
        search = references.page_hinkley
        given = {i: Search(search, 100.0 + i, (1.0, 60.0), "a") for i in range(n)}
        given |= {"mine": Search(model, 100.0, (1.0, 60.0), "a")} if model else {}
        found, failures = fit_detectors(given, LOSSES, jobs=jobs, cache=cache, **keys)
        return [list(fit) for fit in found.values()], failures

    class Model:
        # a learner, a detector, and a function that makes a detector
        drift_detected = False
        def predict_one(self, x):
            self.before()
            return 1
        def learn_one(self, x, y):
            self.before()
        def update(self, x):
            self.before()
        def __call__(self, threshold):
            self.before()
            return make(threshold)
        def before(self):
            pass
"""
#: A user of the engine -> a file of the package that decides its numbers, an edit of it.
EDITS = {
    "sweeps": ("evaluation/_compiled.py", "X[at], stream.y[at]", "X[at], 1 - stream.y[at]"),
    "scenarios": ("evaluation/scenario_run.py", "counts / sizes", "1 - counts / sizes"),
    "detectors": ("detectors/recorded.py", "seed=i) for i, run", "seed=i) + 999 for i, run"),
    "fits": (
        "detectors/recorded.py",
        "**fit_on(*search, runs)._asdict()",
        '"value": 9.0, "found": 9.0, "counts": (9,)',
    ),
}
# The labels are stored, not the loss: a sweep is edited where they are made.
EDITS["sweeps"] = ("evaluation/_compiled.py", "X, y = stream.X[at], stream.y[at]",
                   "X, y = stream.X[at], 1 - stream.y[at]")  # fmt: skip
every_user = pytest.mark.parametrize("user", EDITS)
#: Where a test takes half a minute: continuous integration tries two of the users.
some_users = pytest.mark.parametrize(
    "user",
    [
        *(pytest.param(user, marks=pytest.mark.long) for user in ("scenarios", "detectors")),
        "sweeps",
        "fits",
    ],
)


def started(folder: Path, code: str, **settings) -> subprocess.Popen:
    """A Python that runs `code` after USERS, in `folder`."""
    (folder / "users.py").write_text(textwrap.dedent(USERS))
    paths = [str(folder), str(Path(repro.__file__).parents[1])]
    if (folder / "copy").is_dir():
        paths.insert(0, str(folder / "copy"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "REPRO_PROGRESS": "0"}
    if (folder / "copy").is_dir():
        environment["REPRO_CACHE"] = str(folder / "kernels")
    (folder / "code.py").write_text("from users import *\nimport users\n" + textwrap.dedent(code))
    return subprocess.Popen(
        [sys.executable, "code.py"], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings,
    )  # fmt: skip


def ran(folder: Path, code: str) -> tuple[object, str]:
    """What `code` prints in its last line, as JSON, and what it says on stderr."""
    process = started(folder, code)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return json.loads(out.splitlines()[-1]), err


def stored(cache: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.run")}


# --- edits


@pytest.mark.slow
@some_users
def test_an_edit_of_the_package_while_workers_start_stores_nothing_wrong(tmp_path, user):
    """The workers load the edited file, and then it is put back."""
    shutil.copytree(Path(repro.__file__).parent, tmp_path / "copy" / "repro")
    name, old, new = EDITS[user]
    path = tmp_path / "copy" / "repro" / name
    source = path.read_text()
    assert source.count(old) == 1
    code = f"""
        import json, joblib
        path = Path({str(path)!r})
        source, make_pool = path.read_text(), joblib.Parallel.__init__
        def edits(self, *arguments, **options):
            path.write_text(source.replace({old!r}, {new!r}))
            make_pool(self, *arguments, **options)
        joblib.Parallel.__init__ = edits
        found = {user}("cache", jobs=2)
        path.write_text(source)
        print(json.dumps(found))
    """
    edited, said = ran(tmp_path, code)
    assert "run here, one by one: workers have other code" in said
    assert stored(tmp_path / "cache") == {}
    again, _ = ran(tmp_path, f"import json; print(json.dumps({user}('cache')))")
    empty, said = ran(tmp_path, f"import json; print(json.dumps({user}('empty')))")
    assert said == ""
    assert edited == again == empty
    assert len(stored(tmp_path / "cache")) == len(stored(tmp_path / "empty")) >= 3
    path.write_text(source.replace(old, new))
    other, _ = ran(tmp_path, f"import json; print(json.dumps({user}('cache')))")
    assert other != empty


# --- user code


@every_user
def test_user_code_runs_each_time_unless_it_has_a_version(tmp_path, user):
    code = f"""
        import json
        calls = []
        class Mine(Model):
            def before(self):
                calls.append(1)
        def n_calls(**keys):
            calls.clear()
            found = {user}("cache", model=Mine(), **keys)
            return len(calls), json.dumps(found)
        named = {{"keys": {{"mine": "v1"}}}}
        first, second = n_calls(), n_calls()
        assert first == second and first[0] > 0
        third, fourth, fifth = n_calls(**named), n_calls(**named), n_calls(keys={{"mine": "v2"}})
        assert third == fifth == first
        assert fourth == (0, first[1])
        print(json.dumps(first[0]))
    """
    _, said = ran(tmp_path, code)
    lines = [line for line in said.splitlines() if "has user code" in line]
    assert len(lines) == 2
    assert "'mine' has user code" in lines[0]
    assert lines[0].endswith("runs each time unless keys name its version")


# --- kills

KILLER = """
    import json
    class Mine(Model):
        def before(self):
            mark = Path("once")
            if {once} and mark.exists():
                return
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@every_user
def test_a_task_that_kills_its_worker_once_is_run_again(tmp_path, user):
    code = textwrap.dedent(KILLER).format(once=True) + textwrap.dedent(f"""
        found = {user}("cache", jobs=2, model=Mine())
        print(json.dumps([found, {user}("other", model=Mine())]))
    """)
    (found, alone), said = ran(tmp_path, code)
    assert found == alone
    assert "repro: a worker was killed; running then:" in said
    assert "mine" in said


@pytest.mark.slow
@some_users
def test_a_task_that_always_kills_its_worker_fails_and_the_others_go_on(tmp_path, user):
    code = textwrap.dedent(KILLER).format(once=False) + textwrap.dedent(f"""
        import warnings
        warnings.simplefilter("ignore")
        try:
            found = {user}("cache", jobs=2, model=Mine(), n=2)
        except RuntimeError as error:
            found = str(error)
        print(json.dumps(found))
    """)
    found, said = ran(tmp_path, code)
    assert "mine" in said
    assert "was killed 2 times" in json.dumps(found) or user == "sweeps"
    if user == "sweeps":
        assert [value == value for value in found] == [True] * 2 + [False] * 2
    if user != "scenarios":  # which raise the first failure
        assert len(stored(tmp_path / "cache")) == 2


@pytest.mark.slow
@some_users
def test_a_call_that_is_killed_goes_on_where_it_was(tmp_path, user):
    code = f"""
        import json
        class Slow(Model):
            def before(self):
                time.sleep(.002)
        given = [Slow()] if "{user}" in ("sweeps", "scenarios") else []
        model = Slow() if given else None
        n = {{"sweeps": 12, "scenarios": 3}}.get("{user}", 200)
        keys = {{"mine": "1"}} if given else {{}}
        print(json.dumps({user}("cache", jobs=2, model=model, n=n, keys=keys)))
    """
    process = started(tmp_path, code, start_new_session=True)
    cache, deadline = tmp_path / "cache", time.monotonic() + 200
    while len(stored(cache)) < 5 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    before = stored(cache)
    assert len(before) >= 5
    ran(tmp_path, code)
    after = stored(cache)
    assert {path: after[path] for path in before} == before
    ran(tmp_path, code)
    assert stored(cache) == after


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="asks /proc which processes there are")
def test_workers_end_with_a_process_that_is_killed(tmp_path):
    code = """
        class Slow(Model):
            def before(self):
                Path(f"worker {os.getpid()}").touch()
                time.sleep(60)
        sweeps(None, jobs=2, model=Slow())
    """
    process = started(tmp_path, code)
    deadline = time.monotonic() + 100
    while len(workers := list(tmp_path.glob("worker *"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    ids = [int(path.name.split()[1]) for path in workers]
    assert all(_runs(number) for number in ids), ids
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()  # ends when the last worker has closed what it inherited
    deadline = time.monotonic() + 20
    while any(_runs(number) for number in ids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(ids) == 2
    assert [number for number in ids if _runs(number)] == []


def _runs(number):
    """Whether there is such a process; one that has ended and that nobody has asked for is none."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_a_worker_of_dask_that_is_killed_loses_only_what_it_ran(tmp_path):
    code = """
        import json
        from distributed import LocalCluster
        class Mine(Model):
            def before(self):
                mark = Path("once").absolute()
                if not mark.exists():
                    mark.touch()
                    os.kill(os.getpid(), signal.SIGKILL)
        if __name__ == "__main__":
            # One worker: with it go the data that it was sent.
            settings = {"n_workers": 1, "threads_per_worker": 1, "processes": True}
            with LocalCluster(**settings, dashboard_address=None) as cluster:
                address = cluster.scheduler_address
                given = {"a": learners.NoChange(), "mine": Mine()}
                far = {"backend": "dask", "scheduler": address, "keys": {"mine": "1"}}
                table = sweep(given, {"s": STREAM}, range(3), cache="cache", **far)
            print(json.dumps([table["error"].tolist(), table["failure"].tolist()]))
    """
    (errors, failures), _ = ran(tmp_path, code)
    assert failures == [""] * 6
    assert errors == [errors[0]] * 3 + [0.5] * 3
    assert len(stored(tmp_path / "cache")) == 6


# --- the store

RESULT = {
    "n": 3,
    "text": "a",
    "none": None,
    "nan": float("nan"),
    "list": [np.arange(3), np.zeros((0,)), [1.5, "b"]],
    "array": np.arange(6, dtype=np.uint8).reshape(2, 3),
    "empty": np.zeros((2, 0, 3)),
    "truth": np.array([True, False]),
    "scalar": np.float64(2.5),
}


def equal(one, other):
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and (one == other).all()
    if isinstance(one, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return one == other or (one != one and other != other)


def test_a_result_is_found_as_it_was_stored(tmp_path):
    store = Store(tmp_path)
    assert store.load("ab12", ()) is None
    assert "ab12" not in store
    store.save("ab12", RESULT)
    assert "ab12" in store
    found = store.load("ab12", [*RESULT])
    assert found.keys() == RESULT.keys()
    assert all(equal(RESULT[name], found[name]) for name in RESULT)
    found["array"][0, 0] = 9  # it is a copy


@pytest.mark.parametrize("where", [0, 40, 200, -1])
@pytest.mark.parametrize("change", ["flip", "cut"])
def test_a_file_that_is_damaged_is_removed_with_a_line(tmp_path, capsys, where, change):
    store = Store(tmp_path)
    store.save("ab12", RESULT)
    content = bytearray(store.path("ab12").read_bytes())
    if change == "flip":
        content[where] ^= 1
    else:
        del content[where:]
    store.path("ab12").write_bytes(content)
    assert store.load("ab12", ()) is None
    assert capsys.readouterr().err == "repro: ab12.run is damaged; runs again\n"
    assert "ab12" not in store


def test_a_file_of_another_task_or_without_a_value_is_removed_with_a_line(tmp_path, capsys):
    store = Store(tmp_path)
    store.save("ab12", RESULT)
    store.path("ab12").rename(store.path("ab99"))
    assert store.load("ab99", ()) is None
    assert "is the result of another task; runs again" in capsys.readouterr().err
    store.save("ab12", {"n": 1})
    assert store.load("ab12", ("n", "y")) is None
    assert "has no y; runs again" in capsys.readouterr().err


@pytest.mark.parametrize("value", [object(), {1, 2}, np.array([object()]), 1j, b"bytes"])
def test_only_data_are_stored(tmp_path, value):
    with pytest.raises(TypeError, match="a stored"):
        Store(tmp_path).save("ab12", {"value": value})
    assert stored(tmp_path) == {}


def test_nothing_in_a_store_is_unpickled(tmp_path, monkeypatch):
    import pickle

    store = Store(tmp_path)
    store.save("ab12", RESULT)
    monkeypatch.setattr(pickle, "loads", None)
    monkeypatch.setattr(pickle, "load", None)
    assert store.load("ab12", ()) is not None
    source = (Path(repro.__file__).parent / "studies" / "store.py").read_text()
    assert "pickle" not in source.split('"""')[2]


def test_without_a_folder_to_write_to_a_task_is_run_and_not_stored(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.touch()
    for _ in range(2):
        (outcome,) = perform([task_of_repro()], blocked)
        assert outcome.result["alarms"][0].tolist() == []
        said = f"repro: 1 of 1 results could not be stored in {blocked}; the next call"
        assert capsys.readouterr().err.startswith(said)
    for _ in range(2):
        next(perform([task_of_repro()], tmp_path / "folder"))
        assert capsys.readouterr().err == ""


def task_of_repro() -> Task:
    from repro.detectors import DDM
    from repro.detectors.recorded import alarms_of_groups

    runs = [np.zeros(10, np.uint8)]
    parts = Part("detector 'a'", DDM()), Part("", runs)
    return Task("a", alarms_of_groups, (DDM(), (1,)), runs, parts, ("alarms",))


# --- threads


def draws(settings, data):
    """Two numbers of the generator that all of Python shares."""
    first = random.random()
    time.sleep(0.01)
    return {"first": first, "second": random.random()}


class Foreign:
    """The reach of a task with a model of another package."""

    tops = frozenset({"other"})
    is_whole = False

    def is_unchanged(self):
        return False


def test_models_that_draw_from_the_shared_generator_draw_the_same_in_threads(tmp_path):
    task = Task("a", draws, None, None, (), ())
    jobs = [Job(i, task, Key("", Foreign()), Store(tmp_path)) for i in range(8)]
    before = random.getstate()
    results = [o.result for o in run_in_threads([[job] for job in jobs], 4)]
    assert results == [jobs[0].run().result] * 8
    assert random.getstate() == before
