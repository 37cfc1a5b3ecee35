"""What a user of a Dask cluster is told: wrong addresses, no workers, a scheduler that stops."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import socket
import threading

import dask
import pytest
from distributed import Client, LocalCluster

from repro import Stream, learners, sweep
from repro.studies import cluster as of_studies
from repro.studies.store import Store

STREAM = Stream([[0.0], [1.0]] * 6, [0, 1, 1, 1, 0, 0] * 2)


def far(address, cache=None, n=2):
    given = {"a": learners.NoChange(), "b": learners.Majority()}
    return sweep(given, {"s": STREAM}, n, backend="dask", scheduler=address, cache=cache)


@pytest.fixture
def silent():
    """The address of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def closed():
    """An address of this machine where nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("address", ["nonsense", "tcp://", "http://127.0.0.1:1", "127.0.0.1:x"])
def test_what_is_no_address_is_said_in_one_line(address, capfd):
    with pytest.raises(ConnectionError, match="must be the address of a running") as caught:
        far(address)
    assert repr(address) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_an_address_where_nobody_listens_is_said_in_one_line(capfd):
    address = closed()
    with pytest.raises(ConnectionError, match="refused") as caught:
        far(address)
    assert repr(address) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_a_server_that_does_not_answer_is_left_after_a_while(silent, monkeypatch, capfd):
    monkeypatch.setattr(of_studies, "PATIENCE", 0.5)
    with pytest.raises(ConnectionError, match=r"no answer within 0\.5 s"):
        far(silent)
    assert "Traceback" not in capfd.readouterr().err


class Hint(io.StringIO):
    """Takes what is said, and does something when a line says `wanted`."""

    def __init__(self, wanted, action):
        super().__init__()
        self.wanted, self.action = wanted, action

    def write(self, text):
        if self.wanted in text and self.action:
            action, self.action = self.action, None
            action()
        return super().write(text)


LOCAL = {"threads_per_worker": 1, "processes": False, "dashboard_address": None}


def test_without_workers_a_sweep_says_so_and_waits(tmp_path):
    with LocalCluster(n_workers=0, **LOCAL) as cluster:
        said = Hint("has no workers; waiting", lambda: cluster.scale(1))
        with contextlib.redirect_stderr(said):
            table = far(cluster.scheduler_address, tmp_path)
    assert said.getvalue().count("has no workers; waiting for one\n") == 1
    assert said.action is None
    near = sweep({"a": learners.NoChange(), "b": learners.Majority()}, {"s": STREAM}, 2)
    assert table["error"].tolist() == near["error"].tolist()


def test_a_scheduler_that_stops_is_said_and_costs_no_result(tmp_path):
    with LocalCluster(n_workers=1, **LOCAL) as cluster:
        address = cluster.scheduler_address
        far(address, tmp_path, n=1)
    stored = {path: path.read_bytes() for path in tmp_path.rglob("*.run")}
    assert len(stored) == 2
    with LocalCluster(n_workers=0, **LOCAL) as cluster:
        address = cluster.scheduler_address
        said = Hint("has no workers; waiting", cluster.close)
        with (
            contextlib.redirect_stderr(said),
            pytest.raises(ConnectionError, match=f"the Dask scheduler at {address} is gone or"),
        ):
            far(address, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.run")} == stored


def restart(cluster):
    with Client(cluster.scheduler_address, set_as_default=False) as other:
        other.restart(wait_for_workers=False)


def test_a_scheduler_may_be_restarted_before_the_first_worker_comes(tmp_path):
    with LocalCluster(n_workers=0, **LOCAL) as cluster:

        def restart_and_help():
            restart(cluster)
            cluster.scale(1)

        said = Hint("has no workers; waiting", restart_and_help)
        with contextlib.redirect_stderr(said):
            table = far(cluster.scheduler_address, tmp_path)
    assert said.action is None
    assert (table["failure"] == "").all()


def test_a_scheduler_that_is_restarted_is_said(tmp_path, monkeypatch):
    with LocalCluster(n_workers=1, **LOCAL) as cluster:
        submitted = of_studies._submitted

        def submitted_late(client, message, shared):
            future = submitted(client, message, shared)
            if message.jobs[0].number == 3:
                restart(cluster)
            return future

        monkeypatch.setattr(of_studies, "_submitted", submitted_late)
        with pytest.raises(ConnectionError, match="gone or has dropped the tasks"):
            far(cluster.scheduler_address, tmp_path)


def test_a_sweep_waits_as_long_as_dask_is_told_to(tmp_path):
    with (
        dask.config.set({of_studies.LIMIT: "1s"}),
        LocalCluster(n_workers=0, **LOCAL) as cluster,
        pytest.raises(ConnectionError, match=r"has no workers, and none came within 1 s \(distri"),
    ):
        far(cluster.scheduler_address, tmp_path)


def test_tasks_are_sent_as_others_finish(tmp_path, monkeypatch):
    submitted, in_flight = of_studies._submitted, []

    def counted(client, message, shared):
        in_flight.append(len([f for f in client.futures if f.startswith("_work_with")]))
        return submitted(client, message, shared)

    monkeypatch.setattr(of_studies, "_submitted", counted)
    monkeypatch.setattr(of_studies, "IN_FLIGHT", 3)
    with LocalCluster(n_workers=1, **LOCAL) as cluster:
        table = far(cluster.scheduler_address, tmp_path, n=10)
    assert len(in_flight) > 10
    assert 2 <= max(in_flight) <= 3
    assert (table["failure"] == "").all()


def test_results_of_workers_without_the_callers_disk_are_stored(tmp_path, monkeypatch):
    save = Store.save

    def save_here(store, key, result):
        if threading.current_thread() is not threading.main_thread():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        save(store, key, result)

    monkeypatch.setattr(Store, "save", save_here)
    with LocalCluster(n_workers=1, **LOCAL) as cluster:
        table = far(cluster.scheduler_address, tmp_path)
    assert (table["failure"] == "").all()
    assert len([*tmp_path.rglob("*.run")]) == 4
