"""Checks of alarms, shared by the measures of detection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import has_masked, shown

__all__ = ["as_alarms", "as_runs"]


def as_alarms(alarms: Any, n: int | None = None) -> NDArray[np.int64]:
    """Return the `alarms` of one run if they are increasing indices, below `n` if `n` is given."""
    several = "" if n is None else f" in 0..{n - 1}, or one such sequence a run"
    rule = f"alarms must be increasing indices{several}"
    try:
        given = np.asarray("masked" if has_masked(alarms) else alarms)
    except ValueError as error:
        raise ValueError(f"{rule}; got {shown(alarms)}") from error
    if given.size == 0 and given.ndim == 1:
        return np.zeros(0, np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise ValueError(f"{rule}; got dtype {given.dtype} of shape {given.shape}")
    most = np.iinfo(np.int64).max if n is None else n - 1
    wrong = (given < 0) | (given > most) | np.append(False, given[1:] <= given[:-1])
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"{rule}; got {given[first]} at index {first}")
    return given.astype(np.int64)


def as_runs(alarms: Any, n: int) -> tuple[list[Any], list[NDArray[np.int64]]]:
    """Return the names and the alarms of runs: of one, of a sequence, or of a mapping by name."""
    if isinstance(alarms, Mapping):
        names, runs = list(alarms), list(alarms.values())
    else:
        given = list(alarms) if np.iterable(alarms) else [[alarms]]
        runs = given if given and all(_is_sequence(run) for run in given) else [given]
        names = list(range(len(runs)))
    if not runs:
        raise ValueError("alarms must hold at least one run; got none")
    return names, [as_alarms(run, n) for run in runs]


def _is_sequence(run: Any) -> bool:
    return np.iterable(run) and not isinstance(run, str | bytes | Mapping)
