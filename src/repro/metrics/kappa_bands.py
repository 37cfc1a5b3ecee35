r"""Block bootstrap of kappa: bands and standard errors for steps that depend on each other.

Every kappa is a function of weighted means over steps. A resample keeps all steps in their order
and weights each block of consecutive steps by the number of times it is drawn, Poisson(1). So each
step keeps its previous label, and a curve stays a curve.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from repro._checks import (
    as_memory,
    check_choice,
    check_count,
    check_inside,
    check_rng,
    equivalent_window,
)
from repro.metrics._kappa import (
    ROUNDING,
    as_label_pair,
    running_majority,
    weighted_kappas,
)
from repro.metrics.block_errors import block_standard_error, default_block

__all__ = ["kappa_band", "kappa_standard_error"]

MOST = 10**6  # resamples
MEASURES = ("kappa", "kappa_majority", "kappa_temporal", "kappa_combined")


def kappa_band(
    y: ArrayLike,
    y_pred: ArrayLike,
    measure: str,
    rng: np.random.Generator,
    alpha: float | None = None,
    window: int | None = None,
    *,
    block: int | None = None,
    confidence: float = 0.95,
    n_resamples: int = 400,
    points: int = 500,
) -> pd.DataFrame:
    """Pointwise confidence band of a kappa along the stream, from a block bootstrap.

    The result has the index `t`, the steps. The column `value` holds the measure on the stream,
    `low` and `high` are quantiles of the resampled values, and `standard_error` is their standard
    deviation. With neither `alpha` nor `window` there is one row, for the whole stream. Rows where
    the measure is nan are nan. The majority's predictions are those made on the stream itself.

    Parameters
    ----------
    y, y_pred, alpha, window : arguments of the measure, as in `kappa`.
    measure : "kappa", "kappa_majority", "kappa_temporal" or "kappa_combined".
    rng : generator of the resamples.
    block : number of steps in a block. By default it is `block_length` of the influence of the
        steps on the measure, but at least the square root of n, since `block_length` misses weak
        dependence over long stretches, and at most a tenth of the steps an estimate rests on.
    confidence : share of the resampled values between `low` and `high`, in (0, 1).
    n_resamples : number of resamples, at least 2.
    points : number of steps in the result, evenly spaced; all if there are fewer.

    Künsch (1989), Annals of Statistics 17, 1217-1241 for blocks; Hanley and MacGibbon (2006),
    Comput. Methods Programs Biomed. 83, 57-62 for the Poisson numbers. Raises ValueError as `kappa`
    does, for an unknown `measure`, a `confidence` outside (0, 1), and numbers that are too small.

    >>> labels = np.arange(1000) // 10 % 2
    >>> rng = np.random.default_rng(1)
    >>> kappa_band(labels, labels, "kappa_temporal", rng)[["low", "value", "high"]].values.tolist()
    [[1.0, 1.0, 1.0]]
    """
    true, predicted, k = as_label_pair(y, y_pred)
    check_choice(measure, MEASURES, name="measure")
    memory, n = as_memory(alpha, window, true.size), true.size
    check_rng(rng)
    confidence = check_inside(confidence, name="confidence")
    n_resamples = check_count(n_resamples, name="n_resamples", least=2, most=MOST)
    count = min(n, check_count(points, name="points"))
    if block is None:
        used = min(n, memory[1], equivalent_window(memory[0]))
        block = default_block(_influence(true, predicted, k, measure), int(used))
    block = min(n, check_count(block, name="block"))
    whole = alpha is None and window is None
    at = np.array([n - 1]) if whole else np.linspace(0, n - 1, count).round().astype(np.int64)
    arrays = true, predicted, running_majority(true, k, *memory), k
    value = _pick(weighted_kappas(*arrays, np.ones(n), *memory, at), measure)
    draws = np.empty((n_resamples, at.size))
    for r in range(n_resamples):
        weights = np.repeat(rng.poisson(1.0, -(-n // block)).astype(np.float64), block)[:n]
        draws[r] = _pick(weighted_kappas(*arrays, weights, *memory, at), measure)
    return _as_band(at, value, draws, confidence)


def kappa_standard_error(
    y: ArrayLike, y_pred: ArrayLike, measure: str, block: int | None = None
) -> float:
    r"""Standard error of a kappa of a whole stream, without resampling.

    .. math:: \frac{1}{n} \sqrt{\sum_b \Bigl(\sum_{t \in b} u_t\Bigr)^2}

    over blocks b of consecutive steps, where :math:`u_t` is the influence of step t: the derivative
    of the measure with respect to the weight of t, times n. The standard error of `kappa_band`
    tends to it. With blocks of one step it holds for independent steps; for `kappa` it is then the
    standard error of Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72.

    It is nan where the measure is nan. For "kappa_combined" it is 0 where the measure is 0 because
    one of its parts is negative.

    Parameters
    ----------
    y, y_pred, measure, block : as in `kappa_band`, with the same errors.

    >>> round(kappa_standard_error([0, 1] * 50, [0, 1] * 40 + [1, 0] * 10, "kappa", block=1), 3)
    0.08
    """
    true, predicted, k = as_label_pair(y, y_pred)
    influence = _influence(true, predicted, k, check_choice(measure, MEASURES, name="measure"))
    if block is not None:
        block = check_count(block, name="block")
    return block_standard_error(influence, block) if np.isfinite(influence).all() else float("nan")


def _influence(
    y: NDArray[np.int64], y_pred: NDArray[np.int64], k: int, measure: str
) -> NDArray[np.float64]:
    """Return the influence of each step on the measure of the whole stream (n,); its sum is 0."""
    if measure == "kappa_combined":
        parts = [_influence(y, y_pred, k, part) for part in ("kappa", "kappa_temporal")]
        one, other = _pick(_whole(y, y_pred, k), "kappa"), _pick(_whole(y, y_pred, k), MEASURES[2])
        if not (one > 0 and other > 0):
            return np.zeros(y.size) * one * other
        return (other * parts[0] + one * parts[1]) / (2 * np.sqrt(one * other))
    missed = (y != y_pred).astype(np.float64)
    if measure == "kappa":
        shares, predicted = (np.bincount(labels, minlength=k) / y.size for labels in (y, y_pred))
        wrong = 1 + shares @ predicted - predicted[y] - shares[y_pred]
        return _of_ratio(missed, wrong, 0)
    baseline = running_majority(y, k, 1.0, y.size) if measure == "kappa_majority" else np.roll(y, 1)
    return _of_ratio(missed, (y != baseline).astype(np.float64), 1)


def _of_ratio(
    missed: NDArray[np.float64], wrong: NDArray[np.float64], first: int
) -> NDArray[np.float64]:
    """Return the influence of each step, from `first` on, on 1 - mean(missed) / mean(wrong)."""
    error, base = (float(x[first:].sum()) / x.size for x in (missed, wrong))
    if base <= ROUNDING:
        return np.full(missed.size, np.nan)
    influence = (error / base * wrong - missed) / base
    influence[:first] = 0.0
    return influence


def _whole(y: NDArray[np.int64], y_pred: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    majority, at = running_majority(y, k, 1.0, y.size), np.array([y.size - 1])
    return weighted_kappas(y, y_pred, majority, k, np.ones(y.size), 1.0, y.size, at)


def _pick(values: NDArray[np.float64], measure: str) -> NDArray[np.float64]:
    if measure != "kappa_combined":
        return values[MEASURES.index(measure)]
    return np.sqrt(np.maximum(0, values[0]) * np.maximum(0, values[2]))


def _as_band(
    at: NDArray[np.int64], value: NDArray[np.float64], draws: NDArray[np.float64], confidence: float
) -> pd.DataFrame:
    band = np.full((3, at.size), np.nan)
    has_draws = np.isfinite(value) & (np.isfinite(draws).sum(axis=0) > 1)
    tails = [(1 - float(confidence)) / 2, (1 + float(confidence)) / 2]
    if has_draws.any():
        band[:2, has_draws] = np.nanquantile(draws[:, has_draws], tails, axis=0)
        band[2, has_draws] = np.nanstd(draws[:, has_draws], axis=0, ddof=1)
    columns = {"value": value, "low": band[0], "high": band[1], "standard_error": band[2]}
    return pd.DataFrame(columns, index=pd.Index(at, name="t"))
