"""Alarms of one run: delay and false alarms on a stream with one drift, and checks of alarms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, has_masked, shown

__all__ = ["FirstDetection", "as_runs", "first_detection"]


class FirstDetection(NamedTuple):
    """Delay of the first alarm from the drift on (nan without one); number of alarms before."""

    delay: float
    false_alarms: int


def first_detection(alarms: ArrayLike, drift_at: int) -> FirstDetection:
    """Return the delay of the detection and the number of false alarms, for a drift at `drift_at`.

    `alarms` are increasing indices. The first alarm at or after `drift_at` detects the drift,
    however late it is, with the delay (index - drift_at). Alarms before it are false, as Gama,
    Sebastião and Rodrigues (2013) count them in Table 3; alarms after it are repetitions.
    `detection_report` without a `tolerance` agrees, and also counts the repetitions.

    Raises ValueError for `drift_at` that is not a whole number >= 0, and for alarms that are not
    increasing indices.

    >>> first_detection([150, 420, 430], drift_at=400)
    FirstDetection(delay=20.0, false_alarms=1)
    >>> first_detection([150], drift_at=400)
    FirstDetection(delay=nan, false_alarms=1)
    """
    drift_at = check_count(drift_at, name="drift_at", least=0)
    indices = as_alarms(list(alarms) if np.iterable(alarms) else [alarms])  # as in the report
    before = int((indices < drift_at).sum())
    delay = int(indices[before]) - drift_at if before < indices.size else np.nan
    return FirstDetection(float(delay), before)


def as_alarms(alarms: Any, n: int | None = None) -> NDArray[np.int64]:
    """Return the `alarms` of one run if they are increasing indices, below `n` if there is one."""
    several = "" if n is None else f" in 0..{n - 1}, or one such sequence a run"
    rule = f"alarms must be increasing indices{several}"
    try:
        indices = np.asarray("masked" if has_masked(alarms) else alarms)
    except ValueError as error:
        raise ValueError(f"{rule}; got {shown(alarms)}") from error
    if indices.size == 0 and indices.ndim == 1:
        return np.zeros(0, np.int64)
    if indices.ndim != 1 or indices.dtype.kind not in "iu":
        raise ValueError(f"{rule}; got dtype {indices.dtype} of shape {indices.shape}")
    most = np.iinfo(np.int64).max if n is None else n - 1
    wrong = (indices < 0) | (indices > most) | np.append(False, indices[1:] <= indices[:-1])
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"{rule}; got {indices[first]} at index {first}")
    return indices.astype(np.int64)


def as_runs(alarms: Any, n: int) -> tuple[list[Any], list[NDArray[np.int64]]]:
    """Return the names and the alarms of runs: of one, of a sequence, or of a mapping by name."""
    if isinstance(alarms, Mapping):
        names, runs = list(alarms), list(alarms.values())
    else:
        listed = list(alarms) if np.iterable(alarms) else [[alarms]]
        runs = listed if listed and all(_is_sequence(run) for run in listed) else [listed]
        names = list(range(len(runs)))
    if not runs:
        raise ValueError("alarms must hold at least one run; got none")
    return names, [as_alarms(run, n) for run in runs]


def _is_sequence(run: Any) -> bool:
    return np.iterable(run) and not isinstance(run, str | bytes | Mapping)
