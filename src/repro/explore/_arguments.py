"""Arguments of the views: runs or losses, and the true drifts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import as_floats, as_list, as_losses, as_positions
from repro.evaluation import Run

__all__ = ["as_bayes", "as_drifts", "losses_of", "thinned"]


def losses_of(run: Any, *, name: str) -> NDArray[np.float64]:
    """The losses (n,) of a `Run`, or those given."""
    return as_losses(run.loss if isinstance(run, Run) else run, name=name)


def as_drifts(drifts: Iterable[int], n: int) -> list[int]:
    """Return `drifts` as a list of positions in a stream of `n` examples."""
    given: list[Any] = as_list(drifts, name="drifts", rule="a list of positions")
    return sorted(as_positions(given, n, name="drifts").tolist()) if given else []


def as_bayes(bayes: Any, n: int) -> NDArray[np.float64] | None:
    """Return the Bayes error (n,) of each example; None if it is not known."""
    if bayes is None:
        return None
    error = as_floats(bayes, name="bayes")
    if error.shape != (n,):
        raise ValueError(f"bayes must have one number per loss, {n}; got shape {error.shape}")
    return error


def thinned(n: int) -> dict[str, Any]:
    """Which of `n` values of an error to draw: about 1000, without the first, which are 0 or 1.

    >>> thinned(10_000)
    {'start': 50, 'every': 10}
    """
    return {"start": min(50, n // 20), "every": max(1, n // 1000)}
