"""Advice on which kappa to report for a stream, and why, after the recommendations of paper 3."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm
from operator import mul
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, check_inside, shown
from repro.metrics._kappa import as_label_pair
from repro.metrics.baselines import Baselines, baselines
from repro.metrics.kappa import kappa, kappa_combined, kappa_majority, kappa_temporal
from repro.metrics.kappa_bands import kappa_standard_error

__all__ = ["Dependence", "KappaAdvice", "kappa_advice", "label_dependence"]

NAN = float("nan")
AGAINST = {
    "kappa": (kappa, "the same predictions in random order"),
    "kappa_majority": (kappa_majority, "the most frequent label so far"),
    "kappa_temporal": (kappa_temporal, "the previous label"),
    "kappa_combined": (kappa_combined, "random order and the previous label"),
}


class Dependence(NamedTuple):
    """Share of labels that equal the label before, its expectation in random order, and a test."""

    p_per: float
    expected: float
    standard_error: float
    z: float
    p_value: float


def label_dependence(y: ArrayLike) -> Dependence:
    r"""Test whether labels depend on the labels before them.

    If all n! orders of the labels are equally likely, and :math:`n_c` labels are of class c, then

    .. math:: E[p_{per}] = \sum_c \frac{n_c (n_c - 1)}{n (n - 1)}

    and the number of runs has the exact variance of Mood (1940), Annals of Mathematical Statistics
    11, 367-392. z is (p_per - expected) / standard_error. p_value is two-sided, from the gamma
    distribution with the exact skewness, which is large for rare classes, and with half a step
    (1 / 2(n - 1)) for continuity; it tends to that of the normal distribution. Both are nan where
    all orders are the same: for one class, or fewer than 3 labels.
    `y` holds labels 0..K-1 and has shape (n,). Raises ValueError for invalid labels.

    >>> label_dependence([0, 0, 0, 0, 1, 1, 1, 1]).z > 2
    True
    """
    labels = as_labels(y)
    n = labels.size
    counts = np.unique(labels, return_counts=True)[1].astype(np.float64)
    if n < 2:
        return Dependence(*[float("nan")] * 5)
    observed = float(np.mean(labels[1:] == labels[:-1]))
    squares, cubes = float((counts**2).sum()), float((counts**3).sum())
    expected = (squares - n) / (n * (n - 1))
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    error = np.sqrt(max(variance, 0.0)) / (n - 1)
    if not error > 0:
        return Dependence(observed, expected, float(error), NAN, NAN)
    z = (observed - expected) / error
    from scipy.stats import pearson3  # here: slow to import

    farther = max(0.0, abs(z) - 0.5 / (n - 1) / error)
    skewness = _skewness([int(count) for count in counts], float(error * (n - 1)))
    tail = pearson3.sf(farther, skewness * np.sign(z))  # a mirrored gamma below the mean
    return Dependence(observed, expected, float(error), float(z), float(min(1.0, 2 * tail)))


def _skewness(counts: list[int], error: float) -> float:
    """Of the number of equal neighbours over all orders, whose standard deviation is `error`.

    From the moments, in whole numbers: one, two or three pairs of neighbours are equal that overlap
    or do not, with the probabilities of draws without replacement.
    """
    n = sum(counts)
    two, three, four, five, six = ([perm(m, k) for m in counts] for k in (2, 3, 4, 5, 6))
    squares = sum(a * a for a in two)

    def expected(ways: int, favourable: int, drawn: int) -> Fraction:
        return Fraction(ways * favourable, perm(n, drawn)) if ways > 0 else Fraction(0)

    one = expected(n - 1, sum(two), 2)
    apart = sum(four) + sum(two) ** 2 - squares
    pairs = expected(2 * (n - 2), sum(three), 3) + expected((n - 2) * (n - 3), apart, 4)
    partly = sum(five) + sum(three) * sum(two) - sum(map(mul, three, two))
    apart = sum(six) + 3 * (sum(four) * sum(two) - sum(map(mul, four, two)))
    apart += sum(two) ** 3 - 3 * sum(two) * squares + 2 * sum(a**3 for a in two)
    triples = expected(n - 3, sum(four), 4) + expected((n - 3) * (n - 4), partly, 5)
    triples += expected(comb(max(n - 3, 0), 3), apart, 6)
    third = one + 3 * pairs + 6 * triples - 3 * one * (one + pairs) + 2 * one**3
    return float(third) / error**3


@dataclass(frozen=True, eq=False)
class KappaAdvice:
    """Result of `kappa_advice`: the measure to report, the reasons, and the numbers.

    Attributes
    ----------
    measure : "kappa", "kappa_majority", "kappa_temporal" or "kappa_combined".
    text : the facts about the stream, the measure that follows, and the result of the run.
    frame : one row per measure; columns `baseline` (in words), `baseline_accuracy`, `accuracy` of
        the run over the same steps, `value`, `standard_error`, `meaningful` and `why`.
    """

    measure: str
    text: str
    frame: pd.DataFrame

    def __str__(self) -> str:
        return self.text


def kappa_advice(stream: Any, run: Any, level: float = 0.01) -> KappaAdvice:
    r"""Say which kappa is meaningful for `run` on `stream`, and why.

    The rule, after paper 3, Sec. 4.2 to 4.5, excludes each measure on which a classifier that
    ignores the attributes can be above 0. Of the measures left, `measure` is the first named here:

    - Labels do not depend on earlier labels: "kappa" and "kappa_majority". On "kappa_temporal" the
      majority classifier is above 0 unless all classes are equally large (Proposition 6).
    - Labels depend on earlier labels, and the previous label is right more often than the largest
      class: "kappa_temporal" and "kappa_combined". On "kappa" the no-change classifier is above 0
      (Proposition 7).
    - Labels depend on earlier labels, but the largest class is right at least as often as the
      previous label: "kappa_combined" and "kappa_majority". On each of the other two measures one
      of the two baselines is above 0.
    - Labels are constant: no measure.

    Parameters
    ----------
    stream : any object with labels `y` (n,), such as a `Stream`.
    run : any object with predictions `y_pred` (n,), such as a `Run`.
    level : significance level of the test `label_dependence`, in (0, 1).

    Standard errors are from `kappa_standard_error`. Where the few hits on a rare class show no
    spread, that of kappa is too small; so whether kappa differs from 0 is told by the larger one of
    it and the standard error of kappa in random order,

    .. math:: \frac{1}{1 - p_e} \sqrt{\frac{p_e + p_e^2 -
              \sum_c a_c b_c (a_c + b_c)}{n - 1}},\qquad p_e = \sum_c a_c b_c,

    with the shares a of the labels and b of the predictions. Raises ValueError as `kappa` does,
    and for a `level` outside (0, 1).

    >>> from types import SimpleNamespace as Some
    >>> labels = [0] * 30 + [1] * 30 + [0] * 30
    >>> advice = kappa_advice(Some(y=labels), Some(y_pred=[0, *labels[:-1]]))
    >>> advice.measure, float(advice.frame.loc["kappa_temporal", "value"])
    ('kappa_temporal', 0.0)
    """
    level = check_inside(level, name="level")
    for name, thing, part in (("stream", stream, "y"), ("run", run, "y_pred")):
        if not hasattr(thing, part):
            raise ValueError(f"{name} must have labels in `{part}`; got {shown(thing)}")
    if np.size(run.y_pred) != np.size(stream.y):
        rule = f"run must have one prediction per example of stream, {np.size(stream.y)}"
        raise ValueError(f"{rule}; got {np.size(run.y_pred)}")
    y, y_pred, _ = as_label_pair(stream.y, run.y_pred)
    numbers, dependence = baselines(y, y_pred), label_dependence(y)
    meaningful, verdicts = _judged(numbers, dependence, level)
    frame = pd.DataFrame(_rows(y, y_pred, numbers)).set_index("measure")
    frame["meaningful"] = frame.index.isin(meaningful)
    frame["why"] = [verdicts[measure] for measure in frame.index]
    best = meaningful[0] if meaningful else ""
    least = _chance_error(y, y_pred) if best == "kappa" else 0.0
    text = f"{_situation(y, numbers, dependence)} {_recommendation(meaningful, frame, least)}"
    return KappaAdvice(best, text, frame)


def _rows(y: NDArray[Any], y_pred: NDArray[Any], numbers: Baselines) -> list[dict[str, Any]]:
    all_steps, later = (float(np.mean(y[i:] == y_pred[i:])) if y.size > i else NAN for i in (0, 1))
    baseline = [numbers.p_ran, numbers.p_m, numbers.p_per, NAN]
    return [
        {
            "measure": name,
            "baseline": words,
            "baseline_accuracy": p,
            "accuracy": all_steps if name == "kappa" else later,
            "value": function(y, y_pred),
            "standard_error": kappa_standard_error(y, y_pred, name),
        }
        for (name, (function, words)), p in zip(AGAINST.items(), baseline, strict=True)
    ]


def _judged(
    numbers: Baselines, dependence: Dependence, level: float
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the meaningful measures, the best first, and the reason for each measure."""
    chance, majority, temporal, combined = AGAINST
    if numbers.p_maj == 1:
        return (), dict.fromkeys(AGAINST, "the labels are constant: any baseline is right")
    if not dependence.p_value < level:
        return (chance, majority), {
            chance: "labels show no dependence: random order is a fair baseline",
            majority: "labels show no dependence: the majority is the strongest baseline",
            temporal: "a majority classifier can be above 0 where labels do not depend",
            combined: "no stricter than kappa where labels do not depend",
        }
    if numbers.p_per > numbers.p_maj:
        return (temporal, combined), {
            chance: "the no-change classifier is above 0",
            majority: "the no-change classifier is above 0",
            temporal: "the previous label is the strongest baseline",
            combined: "above 0 only if random order and the previous label are both beaten",
        }
    return (combined, majority), {
        chance: "the no-change classifier can be above 0 where labels depend",
        majority: "the majority is the strongest baseline",
        temporal: "a majority classifier is above 0: classes are not equally large",
        combined: "above 0 only if random order and the previous label are both beaten",
    }


def _situation(y: NDArray[Any], numbers: Baselines, dependence: Dependence) -> str:
    classes, codes = np.unique(y, return_inverse=True)
    k = classes.size
    if k == 1:
        return "All labels are of one class."
    successors = np.unique(codes[:-1] * k + codes[1:], return_counts=True)
    most = np.zeros(k)
    np.maximum.at(most, successors[0] // k, successors[1])
    first_order = most.sum() / (y.size - 1)
    return (
        f"The largest of {k} classes holds {numbers.p_maj:.4f} of the labels. A label equals the "
        f"one before it in {dependence.p_per:.4f} of the steps, and would in "
        f"{dependence.expected:.4f} if their order were random (z = {dependence.z:.1f}). The best "
        f"rule that knows the previous label only would, in hindsight, be right in "
        f"{first_order:.4f}."
    )


def _chance_error(y: NDArray[np.int64], y_pred: NDArray[np.int64]) -> float:
    """Standard deviation of kappa over all orders of the predictions."""
    k = 1 + int(max(y.max(), y_pred.max()))
    a, b = (np.bincount(labels, minlength=k) / labels.size for labels in (y, y_pred))
    by_chance = float(a @ b)
    variance = by_chance + by_chance**2 - float((a * b) @ (a + b))
    return float(max(variance, 0.0) / (y.size - 1)) ** 0.5 / (1 - by_chance)


def _recommendation(meaningful: tuple[str, ...], frame: pd.DataFrame, least: float) -> str:
    """The measure, and what it says of the run; a difference of 1.96 times `least` is chance."""
    if not meaningful:
        return "No measure is meaningful: there is nothing to predict."
    best = frame.loc[meaningful[0]]
    value, error = float(best["value"]), float(best["standard_error"])
    margin = 1.96 * max(error, least)
    verdict = "cannot be told from"
    if abs(value) > margin or value == 1:
        verdict = "is better than" if value > 0 else "is worse than"
    elif meaningful[0] == "kappa_combined" and value == 0:
        verdict = "is no better than"
    others = [f"{name} ({why})" for name, why in frame["why"].items() if name not in meaningful]
    is_chance = 1.96 * error < abs(value) <= margin
    spread = f"± {error:.4f} (s.e.{f'; ± {least:.4f} by chance alone' * is_chance})"
    return (
        f"Report {meaningful[0]}: {best['why']}. Not {' nor '.join(others)}. "
        f"By it the run, {value:.4f} {spread}, {verdict} {best['baseline']}."
    )
