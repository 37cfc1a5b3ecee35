"""When labels arrive: after a fixed number of examples, after random ones, or after a time.

A delay says of each example how many further examples are predicted before its label is learned:
one number for all, or an array (n,). 0 is the usual case, the label comes with the prediction.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import check_count, check_number

__all__ = ["delay_by_time", "random_delay", "schedule"]


def random_delay(n: int, mean: float, seed: int = 0) -> NDArray[np.int64]:
    """Geometric delays of `n` examples, 0, 1, ... with the given `mean`; shape (n,).

    >>> random_delay(20_000, mean=30).mean().round(-1)
    np.float64(30.0)
    """
    check_number(mean, name="mean", least=0)
    draws = seeds.generator(seed, "delay").geometric(1 / (1 + mean), check_count(n, name="n"))
    return np.asarray(draws - 1, dtype=np.int64)


def delay_by_time(times: ArrayLike, wait: float) -> NDArray[np.int64]:
    """Delays of examples at `times` (n,) whose labels arrive a time `wait` later; shape (n,).

    The label of example *i* is known when example *j* is predicted if ``times[i] + wait <=
    times[j]``, j > i. Raises ValueError unless times never decrease.

    >>> delay_by_time([0, 1, 2, 10, 11], wait=2).tolist()
    [1, 1, 0, 1, 0]
    """
    moments = np.asarray(times, dtype=np.float64)
    if moments.ndim != 1 or not np.isfinite(moments).all() or (np.diff(moments) < 0).any():
        raise ValueError(f"times must be finite and never decrease; got {times!r}")
    check_number(wait, name="wait", least=0)
    index = np.arange(moments.size)
    known_at = np.searchsorted(moments, moments + wait, side="left")
    return np.maximum(known_at, index + 1) - index - 1


def schedule(n: int, delay: ArrayLike = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`order`, in which `n` labels arrive, and how many have arrived `after` each prediction.

    The label of example *i* arrives after the prediction of example i + `delay` (i + `delay[i]`);
    of those that arrive together the older comes first. Both have shape (n,); labels that would
    arrive after the end of the stream are the last of `order` and never count. Raises ValueError
    unless delays are whole numbers >= 0, one for all or one for each example.

    >>> order, after = schedule(4, [2, 0, 0, 0])
    >>> order.tolist(), after.tolist()
    ([1, 0, 2, 3], [0, 1, 3, 4])
    """
    delays = np.asarray(delay)
    index = np.arange(n)
    if delays.ndim == 0:  # nothing needs to be sorted
        wait = check_count(delays.item(), name="delay", least=0)
        return index, np.clip(index - wait + 1, 0, n)
    whole = delays.dtype.kind in "iuf" and bool((delays % 1 == 0).all())
    if delays.shape != (n,) or not whole or (delays < 0).any():
        raise ValueError(f"delay must be a whole number >= 0, or {n} of them; got {_shown(delays)}")
    arrival = index + delays.astype(np.int64)
    order = np.argsort(arrival, kind="stable")
    return order, np.searchsorted(arrival[order], index, "right")


def _shown(delays: NDArray[np.generic]) -> str:
    return f"{delays!r}" if delays.size < 10 else f"an array of shape {delays.shape}"
