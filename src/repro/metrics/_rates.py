"""Compiled counts of the classes: how many examples of each, and how many of them are right."""

from __future__ import annotations

import numpy as np

from repro.kernels.compiling import kernel
from repro.kernels.fading import fade_pair

__all__ = ["count_step", "fade_rates", "mean_recall_curves", "means_of", "rate_curves"]
__all__ += ["take_step"]


@kernel
def fade_rates(hits, totals, alpha):  # type: ignore[no-untyped-def]
    """Fade the counts (k,) in place; the rate of a class that is long gone stays as it is."""
    for c in range(totals.size):
        hits[c], totals[c] = fade_pair(hits[c], totals[c], alpha)


@kernel
def count_step(hits, totals, c, is_hit, sign):  # type: ignore[no-untyped-def]
    """Count an example of class `c`, `sign` times."""
    totals[c] += sign
    hits[c] += sign * is_hit


@kernel
def means_of(hits, totals):  # type: ignore[no-untyped-def]
    """Arithmetic and geometric mean of the rates of the classes that have examples."""
    classes, total, product, exponent = 0, 0.0, 1.0, 0
    for c in range(totals.size):
        if totals[c] > 0.0:
            rate = hits[c] / totals[c]
            classes += 1
            total += rate
            product *= rate
            if 0.0 < product < 1e-150:  # the product of many rates would be 0
                product *= 1e150
                exponent += 1
    if classes == 0:
        return np.nan, np.nan
    scale = 10.0 ** (-150.0 * exponent / classes)
    return total / classes, product ** (1.0 / classes) * scale


@kernel
def take_step(of, other, i, alpha, window, hits, totals):  # type: ignore[no-untyped-def]
    """Fade the counts, count step `i`, and take out the step that leaves the window."""
    if alpha < 1.0:
        fade_rates(hits, totals, alpha)
    count_step(hits, totals, of[i], of[i] == other[i], 1.0)
    j = i - window
    if j >= 0:
        count_step(hits, totals, of[j], of[j] == other[j], -1.0)


@kernel
def rate_curves(of, other, alpha, window, hits, totals, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n, k) with the share of the examples of each class of `of` that equal `other`.

    `hits` and `totals` (k,) are 0 at the beginning.
    """
    for i in range(of.size):
        take_step(of, other, i, alpha, window, hits, totals)
        for c in range(totals.size):
            out[i, c] = hits[c] / totals[c] if totals[c] > 0.0 else np.nan


@kernel
def mean_recall_curves(y, y_pred, alpha, window, hits, totals, out):  # type: ignore[no-untyped-def]
    """Fill `out` (n, 2) with the arithmetic and the geometric mean of the recalls at each step."""
    for i in range(y.size):
        take_step(y, y_pred, i, alpha, window, hits, totals)
        out[i, 0], out[i, 1] = means_of(hits, totals)
