"""What the measures of detection share: the check of alarms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import shown

__all__ = ["as_alarms"]


def as_alarms(alarms: Any, n: int | None = None) -> NDArray[np.int64]:
    """Return the `alarms` of one run if they are increasing indices, below `n` if it is given."""
    several = "" if n is None else f" in 0..{n - 1}, or one such sequence a run"
    rule = f"alarms must be increasing indices{several}"
    try:
        given = np.asarray(alarms)
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
