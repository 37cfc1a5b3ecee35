"""What the kappa measures share: labels in pairs, memory, and compiled curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, check_count, check_fraction, shown
from repro.kernels.compiling import NEGLIGIBLE, compiled, kernel

__all__ = [
    "ROUNDING",
    "as_label_pair",
    "as_memory",
    "baseline_curves",
    "kappa_curve",
    "relative_curve",
    "running_majority",
    "weighted_kappas",
]

ROUNDING = 2.0**-53  # accuracies less than this below 1 are 1 in double precision


def as_label_pair(
    y: ArrayLike, y_pred: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """`y` and `y_pred` as labels of equal length, and a number that all of them are below."""
    (true, most), (predicted, other) = (
        _as_labels(v, name) for v, name in ((y, "y"), (y_pred, "y_pred"))
    )
    if true.size != predicted.size:
        raise ValueError(f"y_pred must be as long as y, {true.size}; got {predicted.size}")
    k = max(most, other) + 1
    if k > 1000:  # names of few classes, perhaps: what counts is which labels are equal
        both = np.concatenate([true, predicted])
        names, codes = np.unique(both, return_inverse=True)
        true, predicted, k = codes[: true.size], codes[true.size :], names.size
    return true, predicted, k


def as_memory(alpha: float | None, window: int | None, n: int) -> tuple[float, int]:
    """Fading factor and window of n steps: the one that is not given forgets nothing."""
    if alpha is not None and window is not None:
        both = f"{shown(alpha)}, {shown(window)}"
        raise ValueError(f"only one of alpha and window must be given; got {both}")
    alpha = 1.0 if alpha is None else check_fraction(alpha, name="alpha")
    return alpha, n if window is None else min(n, check_count(window, name="window"))


def _as_labels(labels: ArrayLike, name: str) -> tuple[NDArray[np.int64], int]:
    """`as_labels` and the largest; what is that already is looked through once, and not copied."""
    plain = type(labels) is np.ndarray  # the largest of a masked array is not that of its data
    whole = plain and labels.dtype == np.int64 and labels.ndim == 1  # type: ignore[union-attr]
    if whole and labels.size and labels.flags.c_contiguous:  # type: ignore[union-attr]
        most = int(labels.view(np.uint64).max())  # type: ignore[union-attr]
        if most < 2**63:  # as it is for all but negative labels
            return labels, most  # type: ignore[return-value]
    checked = as_labels(labels, name=name)
    return checked, int(checked.max())


@compiled
def kappa_curve(y, y_pred, k, alpha, window, curve):  # type: ignore[no-untyped-def]
    """Kappa into `curve` (n,), of labels below `k`."""
    missed = 0.0
    labels, predictions = np.zeros(k), np.zeros(k)
    for i in range(y.size):
        if alpha < 1.0:
            missed *= alpha
            for c in range(k):
                labels[c] = labels[c] * alpha if labels[c] > NEGLIGIBLE else 0.0
                predictions[c] = predictions[c] * alpha if predictions[c] > NEGLIGIBLE else 0.0
        labels[y[i]] += 1.0
        predictions[y_pred[i]] += 1.0
        missed += y[i] != y_pred[i]
        if i >= window:
            labels[y[i - window]] -= 1.0
            predictions[y_pred[i - window]] -= 1.0
            missed -= y[i - window] != y_pred[i - window]
        # Pairs of a label and a prediction that differ. One minus the pairs that are equal would
        # lose its digits where almost all are.
        differ = weight = predicted = 0.0
        for c in range(k):
            differ += labels[c] * predicted + predictions[c] * weight
            weight += labels[c]
            predicted += predictions[c]
        known = differ > ROUNDING * weight * weight
        curve[i] = 1.0 - weight * missed / differ if known else np.nan


@kernel
def relative_curve(y, y_pred, baseline, lag, first, alpha, window, curve):  # type: ignore[no-untyped-def]
    """Share of the errors of `baseline`, `lag` steps later, that is avoided, from `first` on."""
    missed = wrong = weight = 0.0
    for i in range(min(first, y.size)):
        curve[i] = np.nan
    for i in range(first, y.size):
        missed = (missed * alpha if missed > NEGLIGIBLE else 0.0) + (y[i] != y_pred[i])
        wrong = (wrong * alpha if wrong > NEGLIGIBLE else 0.0) + (y[i] != baseline[i - lag])
        weight = weight * alpha + 1.0
        if i - window >= first:
            missed -= y[i - window] != y_pred[i - window]
            wrong -= y[i - window] != baseline[i - window - lag]
            weight -= 1.0
        curve[i] = 1.0 - missed / wrong if wrong > ROUNDING * weight else np.nan


@compiled
def running_majority(y, k, alpha, window):  # type: ignore[no-untyped-def]
    """The most frequent label before each step (n,), the lowest of equals; class 0 at step 0."""
    majority, labels = np.empty(y.size, np.int64), np.zeros(k)
    for i in range(y.size):
        best = 0
        for c in range(1, k):
            if labels[c] > labels[best]:
                best = c
        majority[i] = best
        if alpha < 1.0:
            for c in range(k):
                labels[c] = labels[c] * alpha if labels[c] > NEGLIGIBLE else 0.0
        labels[y[i]] += 1.0
        if i >= window:
            labels[y[i - window]] -= 1.0
    return majority


@compiled
def baseline_curves(y, y_pred, majority, k, alpha, window):  # type: ignore[no-untyped-def]
    """p_maj, p_m, p_per and p_ran, shape (4, n)."""
    curves, labels, predictions = np.empty((4, y.size)), np.zeros(k), np.zeros(k)
    ahead = same = later = 0.0  # of the steps after the first: right by majority, by no change
    for i in range(y.size):
        for c in range(k):
            labels[c] = labels[c] * alpha if labels[c] > NEGLIGIBLE else 0.0
            predictions[c] = predictions[c] * alpha if predictions[c] > NEGLIGIBLE else 0.0
        labels[y[i]] += 1.0
        predictions[y_pred[i]] += 1.0
        if i >= 1:
            ahead = ahead * alpha + (y[i] == majority[i])
            same = same * alpha + (y[i] == y[i - 1])
            later = later * alpha + 1.0
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
    """Kappa against chance, majority and no change, (3, len(at)), with weighted steps."""
    out, labels, predictions = np.full((3, at.size), np.nan), np.zeros(k), np.zeros(k)
    sums, later, place = np.zeros(1), np.zeros(4), 0
    for i in range(y.size):
        for c in range(k):
            labels[c] *= alpha
            predictions[c] *= alpha
        sums[0] *= alpha
        for c in range(4):
            later[c] *= alpha
        _add(y, y_pred, majority, i, weights[i], labels, predictions, sums, later)
        if i >= window:
            j = i - window
            _add(y, y_pred, majority, j, -weights[j], labels, predictions, sums, later)
        while place < at.size and at[place] == i:
            differ = weight = predicted = 0.0
            for c in range(k):
                differ += labels[c] * predicted + predictions[c] * weight
                weight += labels[c]
                predicted += predictions[c]
            if differ > ROUNDING * weight * weight:
                out[0, place] = 1 - weight * sums[0] / differ
            for m in range(2):
                if later[2 + m] > ROUNDING * later[0]:
                    out[1 + m, place] = 1 - later[1] / later[2 + m]
            place += 1
    return out


@compiled
def _add(y, y_pred, majority, i, weight, labels, predictions, sums, later):  # type: ignore[no-untyped-def]
    labels[y[i]] += weight
    predictions[y_pred[i]] += weight
    sums[0] += weight * (y[i] != y_pred[i])
    if i >= 1:
        later[0] += weight
        later[1] += weight * (y[i] != y_pred[i])
        later[2] += weight * (y[i] != majority[i])
        later[3] += weight * (y[i] != y[i - 1])
