"""Tasks on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from repro._folders import install_command
from repro.studies.job import Batch
from repro.studies.messages import Message, messages_of, work
from repro.studies.task import Outcome, failure_of

__all__ = ["run_on_cluster"]


def run_on_cluster(batches: Sequence[Batch], scheduler: str | None) -> Iterator[Outcome]:
    """Run the tasks on the Dask cluster at the address `scheduler`.

    Raises ImportError and ValueError where the package or the address is missing. A task whose
    worker dies is run again by the cluster, as often as its `allowed-failures` say.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        how = install_command("dask")
        raise ImportError(f'backend="dask" needs distributed, not installed: {how}') from error
    if scheduler is None:
        raise ValueError('scheduler must be the address of a Dask scheduler for "dask"; got None')
    messages, returned = messages_of(batches)
    with Client(scheduler, set_as_default=False) as client:
        shared: dict[int, Any] = {}
        futures = {_submitted(client, message, shared): message for message in messages}
        done = as_completed([*futures], loop=client.loop)
        yield from returned.sorted_out(o for f in done for o in _outcomes(f, futures.pop(f)))
    yield from returned.outcomes()


def _outcomes(future: Any, message: Message) -> list[Outcome]:
    if (error := future.exception()) is None:
        return list(future.result())
    return [Outcome(sent.number, None, failure_of(error)) for sent in message.jobs]


def _submitted(client: Any, message: Message, shared: dict[int, Any]) -> Any:
    """The future of a message; the data that messages share are sent once."""
    data = []
    for sent in message.jobs:
        if sent.data is not None and id(sent.data) not in shared:
            shared[id(sent.data)] = client.scatter([sent.data], hash=False)[0]
        data.append(shared.get(id(sent.data)))
    bare = message._replace(jobs=tuple(sent._replace(data=None) for sent in message.jobs))
    return client.submit(_work_with, bare, data, pure=False)


def _work_with(message: Message, data: Sequence[Any]) -> list[Outcome]:
    pairs = zip(message.jobs, data, strict=True)
    return work(message._replace(jobs=tuple(sent._replace(data=d) for sent, d in pairs)))
