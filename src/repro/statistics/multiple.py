"""Paired tests over repeats, and their p-values when there are several of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import wilcoxon

from repro._checks import as_floats, check_count, check_inside
from repro.statistics.estimates import LEVEL, Floats

__all__ = ["LEAST_PAIRS", "holm", "rejected_by_holm", "signed_rank"]

LEAST_PAIRS = 6  #: with fewer pairs the two-sided test cannot reject at .05
#: A p-value of a discrete test may equal its bound, but for rounding errors.
TIE = 1 + 1e-9


def holm(p: ArrayLike) -> Floats:
    r"""p-values (m,) corrected for their number, by Holm's method.

    .. math:: \tilde p_{(i)} = \min\bigl(1, \max_{j \le i}\,(m - j + 1)\,p_{(j)}\bigr)

    of the sorted p-values, however the tests depend on each other: the probability that any true
    hypothesis is rejected is at most the level. nan are no tests; they stay nan and do not count.
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    values = as_floats(p, name="p")
    if values.ndim != 1:
        raise ValueError(f"p must have shape (m,); got shape {values.shape}")
    if (outside := values[(values < 0) | (values > 1)]).size:
        raise ValueError(f"p must lie in [0, 1] or be nan; got {outside[0]}")
    order = np.argsort(values)[: int(np.isfinite(values).sum())]
    corrected = np.full(values.shape, np.nan)
    factors = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(1, np.maximum.accumulate(factors * values[order]))
    return corrected


def rejected_by_holm(p: ArrayLike, level: float = LEVEL) -> NDArray[np.bool_]:
    """Which of the p-values (m,) are at most `level` after Holm's correction; nan are not.

    A p-value may exceed its bound by a rounding error, since those of discrete tests may equal it.

    >>> rejected_by_holm([0.01, 0.04, 0.03, float("nan")]).tolist()
    [True, False, False, False]
    """
    return np.asarray(holm(p) <= check_inside(level, name="level") * TIE)


def signed_rank(differences: ArrayLike, least: int = LEAST_PAIRS) -> float:
    """p-value of Wilcoxon's signed-rank test that `differences` (n,) are symmetric about 0.

    Two-sided, by `scipy.stats.wilcoxon`; nan are left out. It is nan with fewer than `least`
    differences, which could not be significant, and 1 if all are 0. Wilcoxon (1945), Biometrics
    Bulletin 1, 80-83.

    >>> signed_rank([0.3, 0.1, 0.4, 0.2, 0.5, 0.6])
    0.03125
    """
    values = as_floats(differences, name="differences")
    if values.ndim != 1:
        raise ValueError(f"differences must have shape (n,); got shape {values.shape}")
    kept = values[~np.isnan(values)]
    if kept.size < check_count(least, name="least"):
        return float("nan")
    return float(wilcoxon(kept).pvalue) if kept.any() else 1.0
