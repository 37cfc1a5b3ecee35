"""Speed of the learners: time of the processor, one learner at a time, on a few streams."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from leagues.learners import STREAMS, Entry
from leagues.tables import read, write
from repro import Stream, prequential

__all__ = ["BUDGET", "COLUMNS", "STREAMS_TIMED", "measure", "per_second"]

COLUMNS = ["learner", "stream", "version", "n", "seconds"]
STREAMS_TIMED = ("NSGT", "LED", "Waveform")
LEAST, BUDGET, ROUNDS = 100, 0.3, 3  # examples; seconds of one round; rounds


def measure(
    path: Path, entries: Sequence[Entry], *, fresh: bool = False, budget: float = BUDGET
) -> None:
    """Time those of `entries` that have no row in `path`, and write each there when it is done.

    A round runs the first examples of a stream, as many as take `budget` seconds, at least 100.
    The time is that of the processor, so that other programs on the machine hardly count, without
    compilation; the least of three rounds counts.
    """
    for entry in entries:
        known = read(path, COLUMNS)
        own = known[(known["learner"] == entry.name) & (known["version"] == entry.version)]
        if len(own) and not fresh:
            continue
        rows = [row for name in STREAMS_TIMED if (row := _timed(entry, name, budget))]
        others = known[known["learner"] != entry.name]
        frames = [others, pd.DataFrame(rows, columns=COLUMNS)]
        both = pd.concat([frame for frame in frames if len(frame)])
        write(path, both.sort_values(["learner", "stream"]))
        print(entry.name, flush=True)


def per_second(times: pd.DataFrame) -> pd.Series:
    """Examples per second of each learner: one over the mean time of an example on the streams.

    Learners that lack one of the streams are left out.
    """
    each = (times["seconds"] / times["n"]).groupby(times["learner"])
    return 1 / each.mean()[each.size() == len(STREAMS_TIMED)]


def _timed(entry: Entry, name: str, budget: float) -> dict[str, object]:
    """A row of the table; empty if the learner fails on the stream."""
    stream = STREAMS[name].sample(seed=0)
    model = entry.on(stream.schema.n_classes)
    try:
        pilot = _seconds(model, stream.take(range(LEAST)))  # compiles, too
        pilot = min(pilot, _seconds(model, stream.take(range(LEAST))))
        n = min(max(LEAST, int(LEAST * budget / max(pilot, 1e-6))), len(stream))
        part = stream.take(range(n))
        least = min(_seconds(model, part) for _ in range(ROUNDS))
    except Exception:  # its run says why
        return {}
    return dict(zip(COLUMNS, (entry.name, name, entry.version, n, least), strict=True))


def _seconds(model: object, stream: Stream) -> float:
    begin = time.process_time()
    prequential(model, stream, proba=False)
    return time.process_time() - begin
