"""Argument checks shared by every module; each names the argument, the rule and the value."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "NO_NUMBERS",
    "as_labels",
    "as_losses",
    "as_matrix",
    "as_number",
    "as_numbers",
    "check_choice",
    "check_count",
    "check_flag",
    "check_fraction",
    "check_inside",
    "check_number",
    "check_probability",
    "check_rng",
    "has_masked",
    "is_whole",
    "shown",
]

NUMERIC = "biufO"  # numpy's kinds of numbers, and objects, which may be numbers
NO_NUMBERS = (bool, np.bool_, np.timedelta64)  # numpy counts a duration among the integers
MOST_CHARACTERS = 200  # of a value in a message


def as_losses(values: ArrayLike, *, name: str = "loss") -> NDArray[np.float64]:
    """Return `values` as a finite, non-empty float array of shape (n,)."""
    sequence = as_numbers(values, name=name)
    with np.errstate(over="ignore", invalid="ignore"):
        total = sequence.sum()  # finite only if every term is; needs no temporary array
    if not np.isfinite(total) and not np.isfinite(sequence).all():
        first = int(np.flatnonzero(~np.isfinite(sequence))[0])
        raise ValueError(f"{name} must be finite; got {sequence[first]} at index {first}")
    return sequence


def as_numbers(values: ArrayLike, *, name: str) -> NDArray[np.float64]:
    """Return `values` as a non-empty float array of shape (n,), finite or not."""
    _refuse_masked(values, name)
    try:
        given = np.asarray(values)
        if given.dtype.kind not in NUMERIC:
            raise TypeError(given.dtype)
        sequence = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold numbers; got {_kind(values)}") from error
    if sequence.ndim != 1 or sequence.size == 0:
        raise ValueError(f"{name} must be a non-empty 1-d array; got shape {sequence.shape}")
    return sequence


def as_number(value: Any, *, name: str) -> float:
    """Return one number of a series, such as a loss, as a finite float; True is 1.0.

    The rule of `as_losses` for values that come one by one. A float16 becomes a float, since it
    would lower the precision of a sum that it is added to.
    """
    if isinstance(value, float) and isfinite(value):  # the usual case
        return float(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, Real | np.bool_) or isinstance(value, np.timedelta64):
        raise ValueError(f"{name} must be a number; got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise ValueError(f"{name} must be finite; got {shown(value)}")
    return number


def as_matrix(
    values: ArrayLike, *, name: str = "X", copy: bool | None = None
) -> NDArray[np.float64]:
    """Return `values` as a finite, C-ordered float array of shape (n, d) with n, d >= 1.

    `copy` is numpy's: None copies if necessary, True always.
    """
    _refuse_masked(values, name)
    try:
        given = np.asarray(values)
        if given.dtype.kind not in NUMERIC:
            raise TypeError(given.dtype)
        matrix = np.array(given, dtype=np.float64, order="C", copy=copy)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold numbers; got {_kind(values)}") from error
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"{name} must have shape (n, d) with n, d >= 1; got {matrix.shape}")
    if not np.isfinite(matrix).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(matrix))[0])
        value = matrix[row, column]
        raise ValueError(f"{name} must be finite; got {value} in row {row}, column {column}")
    return matrix


def as_labels(
    values: ArrayLike, *, n_classes: int | None = None, name: str = "y"
) -> NDArray[np.int64]:
    """Return `values` as integer class labels 0..K-1 of shape (n,), n >= 1."""
    _refuse_masked(values, name)
    try:
        labels = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must be a non-empty 1-d array; got {_kind(values)}") from error
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(f"{name} must be a non-empty 1-d array; got shape {labels.shape}")
    rule = f"{name} must hold integer labels 0..K-1 (encode others with np.unique)"
    if labels.dtype.kind not in "biuf":
        raise ValueError(f"{rule}; got {shown(labels.tolist()[0])} at index 0")
    if labels.dtype.kind == "f":
        labels = labels.astype(np.float64)  # float16 cannot represent the bound
    # Checked before the cast, since nan, infinities and 1e300 have no 64-bit integer value.
    wrong = ~((labels >= 0) & (labels < 2.0**63) & (labels == np.floor(labels)))
    if n_classes is not None:
        wrong |= labels >= n_classes
        rule = rule.replace("K-1", f"{n_classes - 1}")
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"{rule}; got {labels[first]} at index {first}")
    return labels.astype(np.int64)


def has_masked(values: Any) -> bool:
    """Whether a masked array, or a list of its elements, holds a masked value."""
    listed = isinstance(values, list | tuple) and any(v is np.ma.masked for v in values)
    return listed or bool(np.ma.is_masked(values))


def is_whole(value: Any) -> bool:
    """Whether `value` is an integer, of Python or of numpy."""
    return isinstance(value, Integral) and not isinstance(value, NO_NUMBERS)


def _refuse_masked(values: Any, name: str) -> None:
    if has_masked(values):
        raise ValueError(f"{name} must hold no masked values; got {shown(values)}")


def check_fraction(value: float, *, name: str) -> float:
    """Return `value` if it lies in (0, 1]."""
    if not _is_number(value) or not 0 < value <= 1:
        raise ValueError(f"{name} must lie in (0, 1]; got {shown(value)}")
    return float(value)


def check_inside(value: float, *, name: str) -> float:
    """Return `value` if it lies in (0, 1), as a significance level does."""
    if not _is_number(value) or not 0 < value < 1:
        raise ValueError(f"{name} must lie in (0, 1); got {shown(value)}")
    return float(value)


def check_probability(value: float, *, name: str) -> float:
    """Return `value` if it lies in [0, 1]."""
    if not _is_number(value) or not 0 <= value <= 1:
        raise ValueError(f"{name} must lie in [0, 1]; got {shown(value)}")
    return float(value)


def check_count(value: int, *, name: str, least: int = 1, most: int | None = None) -> int:
    """Return `value` if it is a whole number of at least `least`, and at most `most`.

    A count is an integer, of Python or of numpy. A float is refused even if it is whole: some
    arguments take 1 as a window and 1.0 as a fading factor.

    Parameters
    ----------
    value : the value to check
    name : the name of the argument, for the message
    least : smallest value accepted
    most : largest value accepted; None for no limit
    """
    if not is_whole(value) or value < least:
        raise ValueError(f"{name} must be a whole number >= {least}; got {shown(value)}")
    if most is not None and value > most:
        raise ValueError(f"{name} must be at most {most}; got {shown(value)}")
    return int(value)


def check_rng(rng: Any, *, name: str = "rng") -> np.random.Generator:
    """Return `rng` if it is one of numpy's generators."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"{name} must be a numpy.random.Generator; got {shown(rng)}")
    return rng


def check_flag(value: bool, *, name: str) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False; got {shown(value)}")
    return value


def check_number(
    value: float, *, name: str, least: float | None = None, above: float | None = None
) -> float:
    """Return `value` if it is finite and at least `least`, or above `above`.

    Parameters
    ----------
    value : the value to check
    name : the name of the argument, for the message
    least : smallest value accepted; None for no limit
    above : largest value refused; None for no limit
    """
    rule = "finite"
    rule += f" and >= {float(least):g}" if least is not None else ""
    rule += f" and > {float(above):g}" if above is not None else ""
    if isinstance(value, np.floating):
        value = value.item()  # a float16 would round `least` for the comparison
    low = (least is not None and _is_number(value) and value < least) or (
        above is not None and _is_number(value) and value <= above
    )
    if not _is_number(value) or not _is_finite(value) or low:
        raise ValueError(f"{name} must be {rule}; got {shown(value)}")
    return float(value)


def check_choice(value: str, choices: Iterable[str], *, name: str) -> str:
    """Return `value` if it is one of `choices`."""
    choices = list(choices)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}; got {shown(value)}")
    return value


def shown(value: Any) -> str:
    """The text of `value` in an error message: on one line, cut after 200 characters."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an integer of more than 4300 digits, or a faulty __repr__
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} ..."


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, NO_NUMBERS)


def _is_finite(value: Any) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # an integer above the largest float
        return False


def _kind(values: Any) -> str:
    try:
        first = np.asarray(values, dtype=object).ravel()[:1].tolist()
    except ValueError:
        first = [values]
    return f"dtype {shown(first)}"
