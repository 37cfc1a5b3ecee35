"""Checks of the fields of a `Stream`; each names the argument, the rule and the value."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_array, as_losses, check_count, shown

__all__ = [
    "as_drifts",
    "as_nominal",
    "as_order",
    "as_risk",
    "as_widths",
    "check_length",
    "count_classes",
]

BLOCK = 10_000  # rows checked at once: larger arrays cause page faults
ROUNDING = 1e-9  # a risk may be outside its range by this much


def count_classes(y: NDArray[np.int64]) -> int:
    """Number of classes in `y`, whose labels must be 0..K-1 without a gap."""
    present = np.unique(y)
    if present[-1] != present.size - 1:
        absent = int(np.flatnonzero(present != np.arange(present.size))[0])
        raise ValueError(
            f"y must hold every label 0..K-1 when n_classes is not given; got labels up to "
            f"{present[-1]} without {absent}"
        )
    return int(present.size)


def as_nominal(nominal: ArrayLike | None, X: NDArray[np.float64]) -> NDArray[np.int64]:
    """Number of values of each attribute, 0 for a numeric one, checked against the codes in `X`."""
    d = X.shape[1]
    counts = np.zeros(d, np.int64) if nominal is None else as_array(nominal)
    whole = counts.dtype.kind in "iu"
    if counts.shape != (d,) or not whole or (counts < 0).any():
        raise ValueError(
            f"nominal must hold {d} whole numbers, 0 or the number of values; got {nominal!r}"
        )
    coded = np.flatnonzero(counts)
    parts = (X[i : i + BLOCK, coded] for i in range(0, len(X), BLOCK)) if coded.size else ()
    if all(((p >= 0) & (p < counts[coded]) & (p == np.floor(p))).all() for p in parts):
        return counts.astype(np.int64)
    for j in coded:
        column = X[:, j]
        wrong = (column < 0) | (column >= counts[j]) | (column != np.floor(column))
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"X must hold codes 0..{counts[j] - 1} in the nominal column {j}; "
                f"got {column[first]} in row {first}"
            )
    return counts.astype(np.int64)


def as_drifts(drifts: Sequence[int], n: int) -> tuple[int, ...]:
    """Positions of drifts in a stream of `n` examples, in order."""
    with suppress(TypeError):  # one number, which is refused below
        drifts = tuple(drifts)
    positions = as_array(drifts)
    right = positions.ndim == 1 and positions.dtype.kind in "iuf"
    right = right and bool((positions[1:] > positions[:-1]).all())
    right = right and bool(((positions > 0) & (positions < n)).all())
    if not right or not (positions == np.floor(positions)).all():
        raise ValueError(f"drifts must be increasing positions in 1..{n - 1}; got {drifts!r}")
    return tuple(int(p) for p in positions)


def as_widths(widths: Sequence[int], n: int) -> tuple[int, ...]:
    """Duration of each of `n` drifts in examples; all 0 by default."""
    try:
        entries = tuple(widths)
    except TypeError as error:
        rule = f"widths must have one entry per drift, {n}, or none"
        raise ValueError(f"{rule}; got {widths!r}") from error
    if len(entries) not in (0, n):
        raise ValueError(f"widths must have one entry per drift, {n}, or none; got {len(entries)}")
    return tuple(check_count(w, name="widths", least=0) for w in entries) or (0,) * n


def check_length(truth: ArrayLike | None, n: int, name: str) -> None:
    """Raise ValueError unless `truth` is None or has one value per example."""
    if truth is not None and (shape := as_array(truth).shape) != (n,):
        raise ValueError(f"{name} must have one value per example, {n}; got shape {shape}")


def as_risk(bayes_risk: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """A copy of `bayes_risk`, (n,), each at most the risk 1 - 1/K of a random guess."""
    risk = as_losses(bayes_risk, name="bayes_risk").copy()
    most = 1 - 1 / n_classes
    wrong = (risk < -ROUNDING) | (risk > most + ROUNDING)
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        rule = f"bayes_risk must lie in [0, {most:.4g}], as for {n_classes} classes"
        raise ValueError(f"{rule}; got {risk[first]} at index {first}")
    return risk


def as_order(order: ArrayLike, n: int) -> NDArray[np.generic]:
    """`order` as indices of `n` examples or as a mask; it selects at least one."""
    selection = as_array(order)
    is_mask = selection.dtype == np.bool_ and selection.shape == (n,)
    is_index = selection.ndim == 1 and selection.dtype.kind in "iu"
    some = bool(selection.any()) if is_mask else selection.size > 0
    if not (is_mask or is_index) or not some:
        rule = f"order must hold indices of examples, -{n}..{n - 1}, or be a mask of {n} examples"
        raise ValueError(f"{rule}, and select at least one; got {shown(order)}")
    if is_index and (selection.min() < -n or selection.max() >= n):
        wrong = selection[(selection < -n) | (selection >= n)][0]
        raise ValueError(f"order must hold indices of examples, -{n}..{n - 1}; got {wrong}")
    return selection
