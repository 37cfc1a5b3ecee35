"""Parts of a stream: what a session of a learner is fed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from repro._progress import progress
from repro.evaluation._schedule import Schedule
from repro.streams.stream import Stream

__all__ = ["Part", "block_starts"]

WAIT = 3.0  # seconds


class Part(NamedTuple):
    """A whole stream, or examples of a longer one after those whose labels may still arrive.

    Rows before `start` have been predicted, and the session has learned as many of them as
    `schedule` lets arrive until then.
    """

    stream: Stream
    schedule: Schedule  #: of the rows
    start: int = 0  #: first row to predict
    offset: int = 0  #: index of the first row in the whole stream, a multiple of the block
    bar: Any = None  #: progress bar of the whole run; None for a whole stream


def block_starts(part: Part, step: int, name: str) -> Iterable[int]:
    """First row of each block of `step`, with a progress bar labelled `name`.

    Blocks are counted along the whole stream, so the first one of a part may begin before its
    `start`, and before its first row.
    """
    n, start = part.schedule.n, part.start
    starts = range(start - (part.offset + start) % step, n, step)
    if part.bar is not None:
        return _counted(starts, part, step, name)
    return _watched(starts, step, name)


def _watched(starts: range, step: int, name: str) -> Iterator[int]:
    """With a bar after `WAIT` seconds: to set one up can take longer than the run."""
    begin = time.monotonic()
    for done, first in enumerate(starts):
        if time.monotonic() - begin > WAIT:
            options = {"initial": done, "total": len(starts), "unit_scale": step, "delay": 0}
            yield from progress(starts[done:], desc=name[:40], **options)
            return
        yield first


def _counted(starts: range, part: Part, step: int, name: str) -> Iterator[int]:
    part.bar.set_description(name[:40], refresh=False)
    for first in starts:
        yield first
        part.bar.update(min(first + step, part.schedule.n) - max(first, part.start))
