"""Tasks on a Dask cluster."""

from __future__ import annotations

import logging
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from repro._folders import install_command
from repro._progress import progress
from repro.studies.job import Batch
from repro.studies.messages import Message, messages_of, work
from repro.studies.task import Outcome, failure_of

__all__ = ["run_on_cluster"]

PATIENCE = 5  # seconds until a scheduler must have answered
IN_FLIGHT = 2000  # tasks that the cluster has at a time; each costs the client 16 kB
LIMIT = "distributed.scheduler.no-workers-timeout"  # of Dask's configuration; None is no limit


def run_on_cluster(batches: Sequence[Batch], scheduler: str | None) -> Iterator[Outcome]:
    """Run the tasks on the Dask cluster at the address `scheduler`.

    Raises ImportError and ValueError where the package or the address is missing, ConnectionError
    where nobody answers there. A cluster without a worker is waited for, as long as Dask's setting
    `LIMIT` says. A task whose worker dies is run again by the cluster, as often as its
    `allowed-failures` say.
    """
    try:
        from distributed import CancelledError, Client
    except ImportError as error:
        how = install_command("dask")
        raise ImportError(f'backend="dask" needs distributed, not installed: {how}') from error
    if not scheduler:
        rule = 'scheduler must be the address of a Dask scheduler for "dask"'
        raise ValueError(f"{rule}; got {scheduler!r}")
    messages, returned = messages_of(batches)
    with _unlogged(), _connected(Client, scheduler) as client:
        _wait_for_worker(client, scheduler)
        try:
            yield from returned.sorted_out(_finished(client, messages))
        except (OSError, CancelledError) as error:
            raise _gone(scheduler, str(error) or type(error).__name__) from error
    yield from returned.outcomes()


@contextmanager
def _unlogged() -> Iterator[None]:
    """Let the client log nothing: each try to connect has a traceback there, and errors here."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _connected(client: Callable[..., Any], scheduler: str) -> Any:
    """A `client` of the scheduler; raises ConnectionError if that does not answer."""
    try:
        _knock(scheduler)  # a client that finds nobody tries for longer, and complains at its end
        connected = client(scheduler, set_as_default=False, timeout=PATIENCE)
    except Exception as error:
        rule = "scheduler must be the address of a running Dask scheduler, such as tcp://host:8786"
        is_late = isinstance(error, TimeoutError)
        why = f"no answer within {PATIENCE} s" if is_late else str(error)
        raise ConnectionError(f"{rule}; got {scheduler!r}: {why}") from None
    return connected


def _gone(scheduler: str, why: str) -> ConnectionError:
    what = f"the Dask scheduler at {scheduler} is gone or has dropped the tasks"
    return ConnectionError(f"{what}: {why}")


def _wait_for_worker(client: Any, scheduler: str) -> None:
    """Wait until the cluster has a worker, and show that we wait."""
    import dask

    if _has_workers(client, scheduler):
        return
    text = f"the scheduler at {scheduler} has no workers"
    print(f"repro: {text}; waiting for one", file=sys.stderr)
    limit = dask.utils.parse_timedelta(dask.config.get(LIMIT, None))
    began = time.monotonic()
    with progress(None, desc="waiting for a Dask worker", bar_format="{desc} {elapsed}") as bar:
        while not _has_workers(client, scheduler):
            if limit is not None and time.monotonic() - began > limit:
                raise ConnectionError(f"{text}, and none came within {limit:g} s ({LIMIT})")
            time.sleep(0.1)
            bar.update()


def _has_workers(client: Any, scheduler: str) -> bool:
    known = client.scheduler_info()
    if "workers" not in known:  # of a client that has lost its scheduler
        raise _gone(scheduler, "the connection has ended")
    return bool(known["workers"])


def _finished(client: Any, messages: Sequence[Message]) -> Iterator[Outcome]:
    """The outcomes as they come; a message is sent when there is room for it in flight."""
    from distributed import as_completed

    room = max(IN_FLIGHT, 2 * sum(client.nthreads().values()))
    waiting, shared, futures = iter(messages), dict[int, Any](), dict[Any, Message]()
    done = as_completed(loop=client.loop)

    def send(n: int) -> None:
        for message in islice(waiting, n):
            future = _submitted(client, message, shared)
            futures[future] = message
            done.add(future)

    send(room)
    for future in done:
        yield from _outcomes(future, futures.pop(future))
        send(1)


def _knock(address: str) -> None:
    """Raise OSError unless a scheduler answers at `address`, ValueError if that is none."""
    from distributed.comm.addressing import get_address_host_port, parse_address

    protocol, _ = parse_address(address)
    if protocol in {"tcp", "tls"}:
        with socket.create_connection(get_address_host_port(address), PATIENCE) as line:
            if protocol == "tcp":  # here a scheduler speaks first, and a client waits for ever
                line.recv(1)


def _outcomes(future: Any, message: Message) -> list[Outcome]:
    if (error := future.exception()) is None:
        return list(future.result())
    return [Outcome(sent.number, None, failure_of(error)) for sent in message.jobs]


def _submitted(client: Any, message: Message, shared: dict[int, Any]) -> Any:
    """The future of a message; the data that messages share are sent once."""
    data = []
    for sent in message.jobs:
        if sent.data is not None and id(sent.data) not in shared:
            # A task, and not scattered: what was scattered is lost with the worker that holds it.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
                shared[id(sent.data)] = client.submit(_as_it_is, sent.data, pure=False)
        data.append(shared.get(id(sent.data)))
    bare = message._replace(jobs=tuple(sent._replace(data=None) for sent in message.jobs))
    return client.submit(_work_with, bare, data, pure=False)


def _as_it_is(data: Any) -> Any:
    return data


def _work_with(message: Message, data: Sequence[Any]) -> list[Outcome]:
    pairs = zip(message.jobs, data, strict=True)
    return work(message._replace(jobs=tuple(sent._replace(data=d) for sent, d in pairs)))
