"""Alarms of detectors on many runs of losses: in processes, stored, with failures in one line."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.detectors.foreign import as_detector
from repro.judge._detector_work import Failure, Runs, Work, perform

__all__ = ["Alarms", "run_detectors", "slow_ones"]

SAMPLE = 400  # losses that tell how fast a detector is
PER_SEED = 1_660_000  # losses of a report for each seed
LONG = 360.0  # seconds in one process

Alarms = list[NDArray[np.int64]]


def run_detectors(
    detectors: Mapping[str, Any],
    losses: Mapping[Any, Runs],
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
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

    >>> from repro.detectors import Random
    >>> alarms, failures = run_detectors({"all": Random(1, warmup=1)}, {"none": [[0, 1, 0]]})
    >>> alarms["all", "none"][0].tolist(), failures
    ([0, 1, 2], {})
    """
    groups = {key: [np.asarray(run, np.uint8) for run in runs] for key, runs in losses.items()}
    works = {(name, key): Work(d, key) for name, d in detectors.items() for key in groups}
    found = perform(alarms_on, works, groups, jobs=jobs, cache=cache)
    failures: dict[str, str] = {}
    for (name, _), result in found.items():
        if isinstance(result, Failure):
            failures.setdefault(name, result.text)
    return {key: alarms for key, alarms in found.items() if key[0] not in failures}, failures


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


def alarms_on(detector: Any, runs: Runs) -> Alarms:
    """The alarms of `detector` on each of the `runs`."""
    own = as_detector(detector)
    return [own.alarms(run.astype(np.float64), seed=i) for i, run in enumerate(runs)]
