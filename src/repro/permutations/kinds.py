"""Arguments of permutations: their kinds and strengths, lengths, and orders."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import (
    LONGEST,
    MOST_STEPS,
    as_array,
    check_choice,
    check_count,
    check_probability,
    shown,
)
from repro.kernels.compiling import kernel

__all__ = ["STRENGTHS", "as_order", "as_strength", "check_length", "check_strength", "check_swaps"]

#: The name of the strength of each kind; a random order has none.
STRENGTHS = {"time": "p", "speed": "p", "shape": "k", "random": None, "mallows": "dispersion"}
RULE = "order must be a 1-d array of integers with each of 0..n-1 once"


def check_strength(
    kind: str, n: int, *, p: float | None, k: int | None, dispersion: float | None = None
) -> None:
    """Raise ValueError unless only the strength that `kind` takes is given, inside its range.

    Parameters
    ----------
    kind : a key of `STRENGTHS`.
    n : number of examples, >= 1.
    p : probability in [0, 1], for time and speed only; None stands for its default.
    k : number of swaps, 0 <= k < 2n, for shape only; None stands for its default.
    dispersion : in [0, 1], for mallows only, which needs it.
    """
    strength = STRENGTHS[check_choice(kind, STRENGTHS, name="kind")]
    for name, value in {"p": p, "k": k, "dispersion": dispersion}.items():
        if value is not None and name != strength:
            raise ValueError(f"{name} must be None for the kind {kind}; got {shown(value)}")
    if p is not None:
        p = check_probability(p, name="p")
    check_swaps(k, n)
    if strength == "dispersion":
        dispersion = check_probability(dispersion, name="dispersion")  # type: ignore[arg-type]


def as_strength(kind: str, n: int, p: float | None, k: int | None) -> tuple[int, float, int]:
    """Return `n`, `p` and `k` for a closed form, with the defaults 1/2 and n.

    The kinds are those of `STRENGTHS` but mallows; for the arguments see `check_strength`.
    """
    check_choice(kind, [name for name in STRENGTHS if name != "mallows"], name="kind")
    n = check_count(n, name="n", most=LONGEST)
    check_strength(kind, n, p=p, k=k)
    return n, 0.5 if p is None else float(p), check_swaps(k, n)


def check_length(n: int) -> int:
    """Return `n` if it is a number of examples that an order may have."""
    return check_count(n, name="n", most=MOST_STEPS)


def check_swaps(k: int | None, n: int) -> int:
    """Return the number of swaps `k` of an order of `n` positions; `n` if it is None."""
    return n if k is None else check_count(k, name="k", least=0, most=2 * n - 1)


def as_order(order: ArrayLike) -> NDArray[np.int64]:
    """Return `order` as an array (n,) of the integers 0..n-1, each once, n >= 1.

    Raises ValueError for anything else, such as floats, booleans, masked values or duplicates.
    """
    array = as_array(order)
    is_number = array.dtype.kind in "biuf"
    if not is_number and array.size:
        raise ValueError(f"{RULE}; got {shown(order)}")
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{RULE}; got shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{RULE}; got dtype {array.dtype}")
    # uint64 wraps around to negative numbers, which are refused.
    indices = array.astype(np.int64, copy=False)
    first = _first_fault(indices, np.zeros(indices.size, np.bool_))
    if first < indices.size:
        why = "a second" if 0 <= indices[first] < indices.size else "the value"
        raise ValueError(f"{RULE}; got {why} {array[first]} at index {first}")
    return indices


@kernel
def _first_fault(order, seen):  # type: ignore[no-untyped-def]
    """The first index of a value outside 0..n-1 or seen before; n if there is none."""
    for i in range(order.size):
        if order[i] < 0 or order[i] >= order.size or seen[order[i]]:
            return i
        seen[order[i]] = True
    return order.size
