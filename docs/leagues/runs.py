"""The runs of the league: which are missing, in which order they run, and where they are kept."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from leagues.learners import STREAMS, Entry
from leagues.standings import COLUMNS, merged, missing
from leagues.tables import read, write
from repro import prequential, sweep

__all__ = ["Batch", "batches", "make", "run", "seconds_per_seed"]

PILOT = 100  # examples, to put the fast learners first


class Batch(NamedTuple):
    """Runs that one sweep makes: the learners on the streams, with one seed."""

    learners: dict[str, Any]
    streams: tuple[str, ...]
    seed: int


def run(
    path: Path,
    entries: Sequence[Entry],
    seeds: int,
    *,
    cap: float,
    examples: int | None = None,
    **options: Any,
) -> None:
    """Make all runs that are missing in `path`, and write them there after each sweep.

    Parameters
    ----------
    path : of the table.
    entries : learners.
    seeds : number of seeds.
    cap : seconds; only the first seed of a learner that takes longer for one.
    examples : only so many of each stream, the first.
    options : of `repro.sweep`: backend, scheduler, jobs, fresh.
    """
    versions = {entry.name: entry.version for entry in entries}
    alone = options["backend"] == "processes" and options["jobs"] == 1
    for batch in batches(path, entries, seeds, cap=cap, alone=alone, fresh=options["fresh"]):
        make(path, batch, versions, examples, **options)


def make(
    path: Path,
    batch: Batch,
    versions: Mapping[str, str],
    examples: int | None = None,
    **options: Any,
) -> None:
    """Make the runs of `batch` and put them into the table at `path`."""
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # failures are rows of the table
        chosen: dict[str, Any] = {name: STREAMS[name] for name in batch.streams}
        if examples is not None:
            chosen = {k: s.sample(seed=batch.seed).take(range(examples)) for k, s in chosen.items()}
        table = sweep(batch.learners, chosen, [batch.seed], **options)
    table = table.assign(version=table["learner"].map(versions))
    write(path, merged(read(path, COLUMNS), table))
    failed, seconds = int((table["failure"] != "").sum()), time.perf_counter() - begin
    done = f"seed {batch.seed}  {len(table):4d} runs  {failed} failed  {seconds:7.1f} s"
    print(f"{done}  {', '.join(batch.learners)}", flush=True)


def batches(
    path: Path,
    entries: Sequence[Entry],
    seeds: int,
    *,
    cap: float,
    alone: bool = True,
    fresh: bool = False,
) -> Iterator[Batch]:
    """The sweeps that are left to do: seed by seed, in each the fast learners first.

    Parameters
    ----------
    path, entries, seeds, cap : as in `run`.
    alone : one learner in each sweep, so that its rows are written as soon as it has finished. A
        cluster gets all learners of a seed at once, and the cache of the sweep keeps what finished.
    fresh : also those whose rows are there.
    """
    for seed in range(seeds):
        waiting = []
        runs = read(path, COLUMNS)
        cost = {entry.name: seconds_per_seed(runs, entry) for entry in entries}
        for entry in sorted(entries, key=lambda entry: cost[entry.name]):
            names = list(STREAMS)
            if not fresh:
                names = missing(runs, entry.name, names, seed, entry.version)
            if seed == 0 or cost[entry.name] <= cap:
                waiting += _parts(entry, names, seed)
        yield from waiting if alone else _joined(waiting)


def _parts(entry: Entry, names: Sequence[str], seed: int) -> Iterator[Batch]:
    """One batch for streams of two classes, one for the others: the models may differ."""
    for several in (False, True):
        chosen = [name for name in names if (STREAMS[name].schema.n_classes > 2) == several]
        if chosen:
            model = entry.on(3 if several else 2)
            yield Batch({entry.name: model}, tuple(chosen), seed)


def _joined(waiting: Sequence[Batch]) -> Iterator[Batch]:
    """Batches on the same streams as one."""
    for names, group in groupby(sorted(waiting, key=lambda b: b.streams), lambda b: b.streams):
        together = list(group)
        models = {name: model for batch in together for name, model in batch.learners.items()}
        yield Batch(models, names, together[0].seed)


def seconds_per_seed(runs: pd.DataFrame, entry: Entry) -> float:
    """Time of `entry` on all streams: of its runs, else extrapolated from a few examples."""
    own = runs[(runs["learner"] == entry.name) & (runs["failure"] == "")]
    if own["stream"].nunique() == len(STREAMS):
        return float(own.groupby("stream")["seconds"].min().sum())
    total, examples = 0.0, 0
    for name in ("SEA", "LED"):
        stream = STREAMS[name].sample(seed=0, n=PILOT)
        try:
            model = entry.on(stream.schema.n_classes)
            total += prequential(model, stream, proba=False).seconds
        except Exception:  # it will fail in its run, which says why
            continue
        examples += PILOT
    return total / max(examples, 1) * sum(stream.n for stream in STREAMS.values())
