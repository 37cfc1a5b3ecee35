"""Alarms and calibrations of detectors on many runs of losses: stored, failures in one line."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import _folders
from repro.detectors.foreign import as_detector
from repro.detectors.recorded import Fit, Runs, alarms_of_groups, fit_task
from repro.studies.engine import perform
from repro.studies.task import Part, Task
from repro.studies.versions import NO_KEYS

__all__ = ["Alarms", "Search", "Work", "fit_detectors", "run_detectors", "run_work", "seconds_for"]

SAMPLE = 400  # losses that warm a detector up, and of which it sees at least so many again
ENOUGH = 0.05  # seconds that a detector is timed for, at least

Alarms = list[NDArray[np.int64]]


class Search(NamedTuple):
    """A parameter that is searched for a target rate of alarms."""

    make: Callable[[float], Any]
    target: float  # losses per alarm
    bounds: tuple[float, float]
    losses: str  # key of the losses


class Work(NamedTuple):
    """A detector, and the groups of runs that it is run on."""

    detector: Any
    groups: Mapping[Any, Runs]


def run_work(
    work: Mapping[Any, Work],
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
    keys: Mapping[Any, str] = NO_KEYS,
) -> tuple[dict[Any, dict[Any, Alarms]], dict[Any, str]]:
    """Return the alarms of each piece of `work` by group, and why others failed.

    The alarms are those of ``detector.alarms(run, seed=i)`` for the *i*-th run of a group. They are
    stored as soon as they are computed. What fails is in the second dictionary with the reason in
    one line, and the rest goes on.

    Parameters
    ----------
    work : by any key.
    jobs : number of processes, -1 for one per core; results do not depend on it.
    cache : folder of stored alarms; default the cache of the checkout.
    keys : key of the work with user code -> version of that code.
    """
    # One list for all that run on the same groups: it is identified, and sent to workers, once.
    flat = {id(g): [run for runs in g.values() for run in runs] for _, g in work.values()}
    tasks = []
    for key, (detector, groups) in work.items():
        settings = detector, tuple(len(group) for group in groups.values())
        tasks.append(_task(key, alarms_of_groups, settings, flat[id(groups)], keys))
    alarms: dict[Any, dict[Any, Alarms]] = {}
    failures: dict[Any, str] = {}
    listed = list(work)
    for number, result, failure, _ in _performed(tasks, "detectors", jobs, cache):
        key = listed[number]
        if failure is not None:
            failures[key] = failure.text
            continue
        groups, left = work[key].groups, iter(result["alarms"])
        alarms[key] = {name: [next(left) for _ in runs] for name, runs in groups.items()}
    return {key: alarms[key] for key in work if key in alarms}, failures


def run_detectors(
    detectors: Mapping[str, Any],
    losses: Mapping[Any, Runs],
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
    keys: Mapping[str, str] = NO_KEYS,
) -> tuple[dict[tuple[str, Any], Alarms], dict[str, str]]:
    """`run_work` of each of the `detectors` on all `losses`: alarms by name and group.

    Parameters
    ----------
    detectors : name -> anything that `repro.detectors.as_detector` takes.
    losses : key -> losses of several runs, arrays of zeros and ones.
    jobs, cache, keys : as in `run_work`.

    >>> from repro.detectors import RandomAlarms
    >>> alarms, failures = run_detectors({"all": RandomAlarms(1, warmup=1)}, {"none": [[0, 1, 0]]})
    >>> alarms["all", "none"][0].tolist(), failures
    ([0, 1, 2], {})
    """
    groups = {key: [np.asarray(run, np.uint8) for run in runs] for key, runs in losses.items()}
    work = {name: Work(detector, groups) for name, detector in detectors.items()}
    alarms, failures = run_work(work, jobs=jobs, cache=cache, keys=keys)
    return {(name, key): runs for name, of in alarms.items() for key, runs in of.items()}, failures


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
    jobs, cache : as in `run_work`.
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
            fits[listed[number]] = Fit(result["value"], result["found"], tuple(result["counts"]))
    return {key: fits[key] for key in searches if key in fits}, failures


def _task(
    key: Any, function: Callable[..., Any], settings: Any, runs: Runs, keys: Mapping[Any, str]
) -> Task:
    """A task; `settings` and `runs` decide its result."""
    name = str(getattr(key, "detector", key))
    parts = Part(f"detector {name!r}", settings, keys.get(key, keys.get(name, ""))), Part("", runs)
    fields = ("value", "found", "counts") if function is fit_task else ("alarms",)
    return Task(f"detector={name!r}", function, settings, runs, parts, fields)


def _performed(tasks: list[Task], desc: str, jobs: int, cache: str | Path | None) -> Any:
    return perform(tasks, Path(cache or _folders.cache()) / "judge", jobs=jobs, desc=desc)


def seconds_for(detector: Any) -> float:
    """CPU seconds that a detector needs for a loss; nan if it fails."""
    losses = np.tile([0.0, 0, 0, 1], SAMPLE // 4)
    try:
        adapted = as_detector(detector)
        adapted.alarms(losses)  # compiles, and fills caches
        n, begin = 0, time.process_time()
        while time.process_time() - begin < ENOUGH:
            adapted.alarms(losses)
            n += losses.size
            losses = np.tile(losses, 2)
    except Exception:  # its run will say why
        return float("nan")
    return (time.process_time() - begin) / n
