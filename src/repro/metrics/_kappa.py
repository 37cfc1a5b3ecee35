"""Shared parts of the kappa measures: pairs of labels, and compiled curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, check_count, shown
from repro.kernels.compiling import compiled, kernel
from repro.kernels.fading import fade, fade_all, faded_sum, faded_weight

__all__ = [
    "ROUNDING",
    "as_label",
    "as_label_pair",
    "baseline_curves",
    "kappa_curve",
    "relative_curve",
    "running_majority",
    "weighted_kappas",
]

ROUNDING = 2.0**-53  # an accuracy above 1 - ROUNDING is 1 in double precision


def as_label_pair(
    y: ArrayLike, y_pred: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return `y` and `y_pred` as labels of equal length, and a bound that is above all of them."""
    (true, most), (predicted, other) = (
        _as_labels(v, name) for v, name in ((y, "y"), (y_pred, "y_pred"))
    )
    if true.size != predicted.size:
        raise ValueError(f"y_pred must be as long as y, {true.size}; got {predicted.size}")
    k = max(most, other) + 1
    if k > 1000:  # few classes may have large labels; only their equality matters, so renumber
        both = np.concatenate([true, predicted])
        names, codes = np.unique(both, return_inverse=True)
        true, predicted, k = codes[: true.size], codes[true.size :], names.size
    return true, predicted, k


def _as_labels(labels: ArrayLike, name: str) -> tuple[NDArray[np.int64], int]:
    """Return `as_labels` and the largest label; an array of labels is read once, and not copied."""
    plain = type(labels) is np.ndarray  # a masked array may hide its largest label
    whole = plain and labels.dtype == np.int64 and labels.ndim == 1  # type: ignore[union-attr]
    if whole and labels.size and labels.flags.c_contiguous:  # type: ignore[union-attr]
        most = int(labels.view(np.uint64).max())  # type: ignore[union-attr]
        if most < 2**63:  # negative labels are above, read without their sign
            return labels, most  # type: ignore[return-value]
    checked = as_labels(labels, name=name)
    return checked, int(checked.max())


def as_label(label: int, n_classes: int, name: str) -> int:
    """Return `label` as an integer; whole floats and booleans count, as in arrays of labels."""
    if isinstance(label, bool | np.bool_ | float | np.floating) and float(label).is_integer():
        label = int(label)
    if check_count(label, name=name, least=0) >= n_classes:
        raise ValueError(f"{name} must lie in 0..{n_classes - 1}; got {shown(label)}")
    return int(label)


@compiled
def kappa_curve(y, y_pred, k, alpha, window, curve):  # type: ignore[no-untyped-def]
    """Fill `curve` (n,) with kappa at each step; labels are below `k`."""
    missed = 0.0
    labels, predictions = np.zeros(k), np.zeros(k)
    for i in range(y.size):
        if alpha < 1.0:
            missed = fade(missed, alpha)
            for c in range(k):
                labels[c] = fade(labels[c], alpha)
                predictions[c] = fade(predictions[c], alpha)
        labels[y[i]] += 1.0
        predictions[y_pred[i]] += 1.0
        missed += y[i] != y_pred[i]
        if i >= window:
            labels[y[i - window]] -= 1.0
            predictions[y_pred[i - window]] -= 1.0
            missed -= y[i - window] != y_pred[i - window]
        # Weight of the pairs of a label and a prediction that differ. Subtracting the equal pairs
        # from 1 would lose digits where almost all pairs are equal.
        differ = weight = predicted = 0.0
        for c in range(k):
            differ += labels[c] * predicted + predictions[c] * weight
            weight += labels[c]
            predicted += predictions[c]
        is_defined = differ > ROUNDING * weight * weight
        curve[i] = 1.0 - weight * missed / differ if is_defined else np.nan


@kernel
def relative_curve(y, y_pred, baseline, lag, first, alpha, window, curve):  # type: ignore[no-untyped-def]
    """Fill `curve` (n,) with the share of the errors of `baseline` that is avoided.

    At step i the baseline predicts ``baseline[i - lag]``. Steps before `first` are left out.
    """
    missed = wrong = weight = 0.0
    for i in range(min(first, y.size)):
        curve[i] = np.nan
    for i in range(first, y.size):
        missed = faded_sum(y[i] != y_pred[i], missed, alpha)
        wrong = faded_sum(y[i] != baseline[i - lag], wrong, alpha)
        weight = faded_weight(weight, alpha)
        if i - window >= first:
            missed -= y[i - window] != y_pred[i - window]
            wrong -= y[i - window] != baseline[i - window - lag]
            weight -= 1.0
        curve[i] = 1.0 - missed / wrong if wrong > ROUNDING * weight else np.nan


@compiled
def running_majority(y, k, alpha, window):  # type: ignore[no-untyped-def]
    """Return the most frequent label before each step (n,): the lowest of equals, 0 at step 0."""
    majority, labels = np.empty(y.size, np.int64), np.zeros(k)
    for i in range(y.size):
        best = 0
        for c in range(1, k):
            if labels[c] > labels[best]:
                best = c
        majority[i] = best
        if alpha < 1.0:
            fade_all(labels, alpha)
        labels[y[i]] += 1.0
        if i >= window:
            labels[y[i - window]] -= 1.0
    return majority


@compiled
def baseline_curves(y, y_pred, majority, k, alpha, window):  # type: ignore[no-untyped-def]
    """Return the curves p_maj, p_m, p_per and p_ran, shape (4, n)."""
    curves, labels, predictions = np.empty((4, y.size)), np.zeros(k), np.zeros(k)
    # Of the steps after the first: majority is right, no change is right, number of steps.
    ahead = same = later = 0.0
    for i in range(y.size):
        for c in range(k):
            labels[c] = fade(labels[c], alpha)
            predictions[c] = fade(predictions[c], alpha)
        labels[y[i]] += 1.0
        predictions[y_pred[i]] += 1.0
        if i >= 1:
            ahead = faded_sum(y[i] == majority[i], ahead, alpha)
            same = faded_sum(y[i] == y[i - 1], same, alpha)
            later = faded_weight(later, alpha)
        j = i - window
        if j >= 0:
            labels[y[j]] -= 1.0
            predictions[y_pred[j]] -= 1.0
        if j >= 1:
            ahead -= y[j] == majority[j]
            same -= y[j] == y[j - 1]
            later -= 1.0
        weight = most = equal = 0.0
        for c in range(k):
            weight += labels[c]
            most = max(most, labels[c])
            equal += labels[c] * predictions[c]
        curves[0, i] = most / weight
        curves[1, i] = ahead / later
        curves[2, i] = same / later
        curves[3, i] = equal / (weight * weight)
    return curves


@compiled
def weighted_kappas(y, y_pred, majority, k, weights, alpha, window, at):  # type: ignore[no-untyped-def]
    """Return kappa against chance, majority and no change at the steps `at`, (3, len(at)).

    Step i counts ``weights[i]`` times.
    """
    out, labels, predictions = np.full((3, at.size), np.nan), np.zeros(k), np.zeros(k)
    missed, later, row = np.zeros(1), np.zeros(4), 0
    for i in range(y.size):
        for totals in (labels, predictions, missed, later):
            fade_all(totals, alpha)
        _add(y, y_pred, majority, i, weights[i], labels, predictions, missed, later)
        if i >= window:
            j = i - window
            _add(y, y_pred, majority, j, -weights[j], labels, predictions, missed, later)
        while row < at.size and at[row] == i:
            differ = weight = predicted = 0.0
            for c in range(k):
                differ += labels[c] * predicted + predictions[c] * weight
                weight += labels[c]
                predicted += predictions[c]
            if differ > ROUNDING * weight * weight:
                out[0, row] = 1 - weight * missed[0] / differ
            for m in range(2):
                if later[2 + m] > ROUNDING * later[0]:
                    out[1 + m, row] = 1 - later[1] / later[2 + m]
            row += 1
    return out


@compiled
def _add(y, y_pred, majority, i, weight, labels, predictions, missed, later):  # type: ignore[no-untyped-def]
    """Count step i `weight` times."""
    labels[y[i]] += weight
    predictions[y_pred[i]] += weight
    missed[0] += weight * (y[i] != y_pred[i])
    if i >= 1:
        later[0] += weight
        later[1] += weight * (y[i] != y_pred[i])
        later[2] += weight * (y[i] != majority[i])
        later[3] += weight * (y[i] != y[i - 1])
