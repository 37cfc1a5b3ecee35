"""Label delays: a fixed or random number of examples, or a time.

The delay of an example is the number of further examples that are predicted before its label is
learned: one number for all, or an array (n,). 0 is the usual case: the label follows its own
prediction. A label whose delay ends after the stream never arrives; inf or any large number
means never.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import LONGEST, MOST_STEPS, as_numbers, check_count, check_number, shown

__all__ = ["as_waits", "delay_by_time", "random_delay", "schedule"]


def random_delay(n: int, mean: float, seed: int = 0) -> NDArray[np.int64]:
    """Geometric delays 0, 1, ... of `n` examples with mean `mean`; shape (n,).

    Parameters
    ----------
    n : number of examples.
    mean : mean delay in examples.
    seed : seed of the delays.

    >>> random_delay(20_000, mean=30).mean().round(-1)
    np.float64(30.0)
    """
    p = 1 / (1 + check_number(mean, name="mean", least=0))
    draws = seeds.generator(seed, "delay").geometric(p, check_count(n, name="n", most=MOST_STEPS))
    return np.asarray(draws - 1, dtype=np.int64)


def delay_by_time(times: ArrayLike, wait: float) -> NDArray[np.int64]:
    """Delays of examples at `times` (n,) whose labels arrive a time `wait` later; shape (n,).

    The label of example *i* is known before example *j* > i is predicted if ``times[i] + wait <=
    times[j]``. Raises ValueError if times decrease.

    >>> delay_by_time([0, 1, 2, 10, 11], wait=2).tolist()
    [1, 1, 0, 1, 0]
    """
    moments = as_numbers(times, name="times")
    wrong = ~np.isfinite(moments)
    wrong[1:] |= moments[1:] < moments[:-1]
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"times must be finite and never decrease; got {moments[first]} at index {first}"
        )
    wait = check_number(wait, name="wait", least=0)
    index = np.arange(moments.size)
    with np.errstate(over="ignore"):  # infinite: never
        known_at = np.searchsorted(moments, moments + wait, side="left")
    return np.maximum(known_at, index + 1) - index - 1


def schedule(n: int, delay: ArrayLike = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order in which `n` labels arrive, and the number that have arrived after each prediction.

    Both have shape (n,). The label of example *i* arrives after the prediction of example i +
    `delay` (i + `delay[i]`); labels that arrive together are in the order of their examples.
    Labels that would arrive after the end of the stream come last in the order and are not
    counted. Raises ValueError unless delays are whole numbers >= 0 (integers or floats; inf is
    never), one for all or one per example.

    >>> order, after = schedule(4, [2, 0, 0, 0])
    >>> order.tolist(), after.tolist()
    ([1, 0, 2, 3], [0, 1, 3, 4])
    """
    n = check_count(n, name="n", most=MOST_STEPS)
    index, waits = np.arange(n), as_waits(n, delay)
    if waits.ndim == 0:  # already in order
        return index, np.clip(index - waits + 1, 0, n)
    arrival = index + waits
    order = np.argsort(arrival, kind="stable")
    return order, np.searchsorted(arrival[order], index, "right")


def as_waits(n: int, delay: ArrayLike) -> NDArray[np.int64]:
    """`delay`, one or (n,), as integers of at most 2**62; larger ones would overflow in sums.

    Raises ValueError as `schedule` does.
    """
    try:
        delays = np.asarray(delay)
    except ValueError:
        delays = np.asarray("ragged")
    if delays.ndim == 0:
        number = delays.item()
        if isinstance(number, bool) or not isinstance(number, int | float) or not _is_whole(number):
            raise ValueError(f"delay must be a whole number >= 0; got {shown(delay)}")
        return np.asarray(int(min(number, LONGEST)), dtype=np.int64)
    if delays.dtype.kind == "O":  # integers beyond 64 bits, perhaps
        listed = delays.ravel().tolist()
        delays = np.array([min(v, LONGEST) if type(v) is int else np.nan for v in listed])
    number_like = delays.dtype.kind in "iuf" and delays.shape == (n,)
    if not number_like or not ((delays >= 0) & (delays == np.floor(delays))).all():
        rule = f"delay must be a whole number >= 0, or {n} of them"
        raise ValueError(f"{rule}; got {_shown(delays, delay)}")
    wide = delays.astype(np.float64 if delays.dtype.kind == "f" else np.uint64)
    return np.minimum(wide, wide.dtype.type(LONGEST)).astype(np.int64)


def _is_whole(number: float) -> bool:
    return number >= 0 and (number == float("inf") or number == int(number))


def _shown(delays: NDArray[np.generic], delay: ArrayLike) -> str:
    return shown(delay) if delays.size < 10 else f"an array of shape {delays.shape}"
