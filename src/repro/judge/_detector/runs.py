"""Alarms and calibrations of detectors on many runs of losses: stored, failures in one line."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import _folders
from repro.detectors.foreign import as_detector
from repro.detectors.recorded import Fit, Runs, alarms_task, fit_task
from repro.studies.engine import perform
from repro.studies.task import Part, Task
from repro.studies.versions import NO_KEYS

__all__ = ["Alarms", "Search", "fit_detectors", "run_detectors", "slow_ones"]

SAMPLE = 400  # losses that tell how fast a detector is
PER_SEED = 1_660_000  # losses of a report for each seed
LONG = 360.0  # seconds in one process


Alarms = list[NDArray[np.int64]]


class Search(NamedTuple):
    """A parameter that is searched for a target rate of alarms."""

    make: Callable[[float], Any]
    target: float  # losses per alarm
    bounds: tuple[float, float]
    losses: str  # key of the losses


def run_detectors(
    detectors: Mapping[str, Any],
    losses: Mapping[Any, Runs],
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
    keys: Mapping[str, str] = NO_KEYS,
) -> tuple[dict[tuple[str, Any], Alarms], dict[str, str]]:
    """Return the alarms of each detector on each group of runs, and why detectors failed.

    The alarms are those of ``detector.alarms(run, seed=i)`` for the *i*-th run of the group. They
    are stored as soon as they are computed. A detector that fails on any group has no alarms: it is
    in the second dictionary with the reason in one line, and the others go on.

    Parameters
    ----------
    detectors : name -> anything that `repro.detectors.as_detector` takes.
    losses : key -> losses of several runs, arrays of zeros and ones.
    jobs : number of processes, -1 for one per core; results do not depend on it.
    cache : folder of stored alarms; default the cache of the checkout.
    keys : name of a detector with user code -> version of that code, as in `repro.sweep`.

    >>> from repro.detectors import RandomAlarms
    >>> alarms, failures = run_detectors({"all": RandomAlarms(1, warmup=1)}, {"none": [[0, 1, 0]]})
    >>> alarms["all", "none"][0].tolist(), failures
    ([0, 1, 2], {})
    """
    groups = {key: [np.asarray(run, np.uint8) for run in runs] for key, runs in losses.items()}
    pairs = [(name, key) for name in detectors for key in groups]
    tasks = [_task(name, alarms_task, detectors[name], groups[key], keys) for name, key in pairs]
    alarms: dict[tuple[str, Any], Alarms] = {}
    failures: dict[str, str] = {}
    for number, result, failure, _ in _performed(tasks, "detectors", jobs, cache):
        if failure is not None:
            failures[pairs[number][0]] = failure.text
        else:
            alarms[pairs[number]] = result["alarms"]
    good = [pair for pair in pairs if pair[0] not in failures]
    return {pair: alarms[pair] for pair in good}, failures


def fit_detectors(
    searches: Mapping[Any, Search],
    losses: Mapping[str, Runs],
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
    keys: Mapping[Any, str] = NO_KEYS,
) -> tuple[dict[Any, Fit], dict[Any, str]]:
    """Return the `Fit` of each search by its key, and why searches failed.

    Parameters
    ----------
    searches : by any key.
    losses : runs without a drift.
    jobs, cache : as in `run_detectors`.
    keys : key of a search with user code -> version of that code.
    """
    tasks = [_task(k, fit_task, s[:3], losses[s.losses], keys) for k, s in searches.items()]
    fits: dict[Any, Fit] = {}
    failures: dict[Any, str] = {}
    listed = list(searches)
    for number, result, failure, _ in _performed(tasks, "calibration", jobs, cache):
        if failure is not None:
            failures[listed[number]] = failure.text
        else:
            fits[listed[number]] = Fit(result["value"], result["found"])
    return {key: fits[key] for key in searches if key in fits}, failures


def _task(
    key: Any, function: Callable[..., Any], settings: Any, runs: Runs, keys: Mapping[Any, str]
) -> Task:
    """A task; `settings` and `runs` decide its result."""
    name = str(getattr(key, "detector", key))
    parts = Part(f"detector {name!r}", settings, keys.get(key, keys.get(name, ""))), Part("", runs)
    fields = ("alarms",) if function is alarms_task else ("value", "found")
    return Task(f"detector={name!r}", function, settings, runs, parts, fields)


def _performed(tasks: list[Task], desc: str, jobs: int, cache: str | Path | None) -> Any:
    return perform(tasks, Path(cache or _folders.cache()) / "judge", jobs=jobs, desc=desc)


def slow_ones(detectors: Mapping[str, Any], n_seeds: int) -> list[str]:
    """A line on each detector with which a report takes more than three minutes.

    Parameters
    ----------
    detectors : by name.
    n_seeds : number of seeds of the report.
    """
    lines = []
    for name, detector in detectors.items():
        begin = time.perf_counter()
        with suppress(Exception):  # its run will say why
            as_detector(detector).alarms(np.tile([0.0, 0, 0, 1], SAMPLE // 4))
        seconds = (time.perf_counter() - begin) / SAMPLE
        if (total := seconds * PER_SEED * n_seeds) > LONG:
            rule = f"a report on {name} takes about {total / 60:.0f} minutes of one process"
            why = f"it needs {1000 * seconds:.2g} ms for each loss"
            lines.append(f"{rule}, since {why}; what is finished is stored, and continued")
    return lines
