"""Compare an answer with the right value, and say in words how it differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import shown

__all__ = ["bare", "holds", "items_in", "numbers_in", "same", "short", "unlike"]

# Slips that any number can suffer, each with what it does to the right value.
SLIPS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "that is 100 times the answer: give a share of 1, not percent": lambda value: 100 * value,
    "the sign is the other way round": lambda value: -value,
    "that is 1 minus the answer: accuracy and error are mixed up": lambda value: 1 - value,
}


def numbers_in(answer: Any) -> NDArray[np.float64] | None:
    """The numbers of an array, list, series or number; None if it holds anything else."""
    try:
        array = np.asarray(answer)
        return array.astype(np.float64) if array.dtype.kind in "biuf" else None
    except (TypeError, ValueError):  # lists of unequal lengths, objects
        return None


def bare(letter: str) -> str:
    """The letter of an option as it is compared: a capital, without a full stop or a bracket."""
    return letter.strip().rstrip(".)").upper()


def holds(truth: Any) -> bool:
    """Whether `truth` is true; TypeError for what is neither, such as an array of several."""
    try:
        return bool(truth)
    except Exception:
        raise TypeError(f"truth must be True or False; got {shown(truth)}") from None


def items_in(answer: Any) -> list[Any] | None:
    """The items of a set, list, array, series or index; None for anything else."""
    if isinstance(answer, str | Mapping) or not np.iterable(answer):
        return None
    return list(answer)


def short(argument: Any) -> str:
    """The text of an argument in a message: of long arrays the ends."""
    text = np.array2string(np.asarray(argument), threshold=6, edgeitems=2, separator=", ")
    return " ".join(text.split())


def unlike(
    name: str,
    answer: Any,
    value: Any,
    within: float | None = None,
    mistakes: Mapping[str, Any] | None = None,
) -> str:
    """How the numbers of `answer` differ from `value`, in words; empty if they do not.

    Parameters
    ----------
    name : what the answer is called
    answer : a number, or numbers in a list, tuple, array or series
    value : the right number or numbers; nan equals nan
    within : largest difference that is right, such as half a digit where answers are rounded; by
        default numbers must agree to a relative 1e-6
    mistakes : common mistakes in words, each with the value it leads to
    """
    right = np.asarray(value, dtype=np.float64)
    got = numbers_in(answer)
    if got is None:
        return f"{name} must hold numbers; got {shown(answer)}"
    if right.size == got.size == 1:
        got = got.reshape(right.shape)
    kind = "one number" if right.ndim == 0 else f"numbers of shape {right.shape}"
    if got.shape != right.shape:
        return f"{name} must be {kind}; got shape {got.shape}" + _named(got, within, mistakes)
    near = _near(got, right, within)
    if near.all():
        return ""
    first = tuple(int(i) for i in np.argwhere(~near)[0])
    where = f"{name}[{', '.join(map(str, first))}]" if first else name
    text = f"{where} must be {right[first]:.6g}; got {got[first]:.6g}"
    others = int((~near).sum()) - 1
    text += f", and {others} more differ" if others else ""
    slips = {slip: change(right) for slip, change in SLIPS.items()} if right.ndim == 0 else {}
    return text + _named(got, within, {**(mistakes or {}), **slips})


def same(answer: Any, value: Any) -> bool:
    """Whether an answer of whole numbers, texts or truth values equals `value`.

    Lists, tuples and arrays are alike, so are 3 and 3.0; texts are compared without surrounding
    spaces and in lower case; a set is equal in any order.
    """
    if isinstance(value, str):
        return isinstance(answer, str) and answer.strip().lower() == value.lower()
    items = items_in(answer)
    if isinstance(value, set | frozenset):
        try:
            return items is not None and set(map(_plain, items)) == set(map(_plain, value))
        except TypeError:  # items that no set can hold
            return False
    if isinstance(value, list | tuple | np.ndarray):
        return items is not None and len(items) == len(value) and all(map(same, items, value))
    try:
        return bool(np.ndim(answer) == 0 and answer == value)
    except (TypeError, ValueError):
        return False


def _plain(item: Any) -> Any:
    return item.strip().lower() if isinstance(item, str) else item


def _near(
    got: NDArray[np.float64], right: NDArray[np.float64], within: float | None
) -> NDArray[np.bool_]:
    """Whether each number of `got` is close enough."""
    if within is None:
        return np.isclose(got, right, rtol=1e-6, atol=1e-9, equal_nan=True)
    return np.isclose(got, right, rtol=0, atol=within * (1 + 1e-6), equal_nan=True)


def _named(
    got: NDArray[np.float64], within: float | None, mistakes: Mapping[str, Any] | None
) -> str:
    """The first of the `mistakes` that leads to `got`, as the end of a message."""
    for mistake, value in (mistakes or {}).items():
        wrong = np.asarray(value, dtype=np.float64)
        if wrong.shape == got.shape and _near(got, wrong, within).all():
            return f": {mistake}"
    return ""
