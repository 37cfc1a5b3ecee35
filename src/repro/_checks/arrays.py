"""Checks of arrays: losses, attributes, labels; each names the argument, the rule and the value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks.numbers import shown

__all__ = ["as_array", "as_labels", "as_losses", "as_matrix", "as_numbers", "as_positions"]
__all__ += ["has_masked"]

NUMERIC = "biufO"  # numpy's kinds of numbers, and objects, which may be numbers


def as_array(values: Any) -> NDArray[Any]:
    """`values` as a numpy array; an array of None if they are masked or have no common shape."""
    try:
        return np.asarray(None if has_masked(values) else values)
    except (TypeError, ValueError, OverflowError):
        return np.array(None)


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
        array = np.asarray(values)
        if array.dtype.kind not in NUMERIC:
            raise TypeError(array.dtype)
        sequence = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold numbers; got {_kind(values)}") from error
    if sequence.ndim != 1 or sequence.size == 0:
        raise ValueError(f"{name} must be a non-empty 1-d array; got shape {sequence.shape}")
    return sequence


def as_matrix(
    values: ArrayLike, *, name: str = "X", copy: bool | None = None
) -> NDArray[np.float64]:
    """Return `values` as a finite, C-ordered float array of shape (n, d) with n, d >= 1.

    `copy` is numpy's: None copies if necessary, True always.
    """
    _refuse_masked(values, name)
    try:
        array = np.asarray(values)
        if array.dtype.kind not in NUMERIC:
            raise TypeError(array.dtype)
        matrix = np.array(array, dtype=np.float64, order="C", copy=copy)
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


def as_positions(values: ArrayLike, n: int, *, name: str) -> NDArray[np.int64]:
    """Return `values` as an array (m,) of different integers of 0..n-1, m >= 1."""
    array = as_array(values)
    is_array = array.dtype.kind in "iu" and array.ndim == 1 and array.size > 0
    if not is_array or array.min() < 0 or array.max() >= n:
        raise ValueError(f"{name} must hold integers of 0..{n - 1}; got {shown(values)}")
    positions = array.astype(np.int64, copy=False)
    if (twice := np.bincount(positions) > 1).any():
        raise ValueError(f"{name} must hold no position twice; got {int(twice.argmax())} twice")
    return positions


def has_masked(values: Any) -> bool:
    """Whether a masked array, or a list of its elements, holds a masked value."""
    listed = isinstance(values, list | tuple) and any(v is np.ma.masked for v in values)
    return listed or bool(np.ma.is_masked(values))


def _refuse_masked(values: Any, name: str) -> None:
    if has_masked(values):
        raise ValueError(f"{name} must hold no masked values; got {shown(values)}")


def _kind(values: Any) -> str:
    try:
        first = np.asarray(values, dtype=object).ravel()[:1].tolist()
    except ValueError:
        first = [values]
    return f"dtype {shown(first)}"
