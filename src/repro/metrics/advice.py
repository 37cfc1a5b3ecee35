"""Advice on which kappa to report for a stream, and why, after the recommendations of paper 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import check_inside, shown
from repro.metrics._kappa import as_label_pair
from repro.metrics.baselines import Baselines, baselines
from repro.metrics.kappa import kappa, kappa_combined, kappa_majority, kappa_temporal
from repro.metrics.kappa_bands import kappa_standard_error
from repro.metrics.label_dependence import Dependence, label_dependence

__all__ = ["KappaAdvice", "kappa_advice"]

NAN = float("nan")
AGAINST = {
    "kappa": (kappa, "the same predictions in random order"),
    "kappa_majority": (kappa_majority, "the most frequent label so far"),
    "kappa_temporal": (kappa_temporal, "the previous label"),
    "kappa_combined": (kappa_combined, "random order and the previous label"),
}


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
    y, y_pred, k = as_label_pair(stream.y, run.y_pred)
    numbers, dependence = baselines(y, y_pred), label_dependence(y)
    meaningful, verdicts = _judged(numbers, dependence, level)
    frame = pd.DataFrame(_rows(y, y_pred, numbers)).set_index("measure")
    frame["meaningful"] = frame.index.isin(meaningful)
    frame["why"] = [verdicts[measure] for measure in frame.index]
    best = meaningful[0] if meaningful else ""
    least = _chance_error(y, y_pred, k) if best == "kappa" else 0.0
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


def _chance_error(y: NDArray[np.int64], y_pred: NDArray[np.int64], k: int) -> float:
    """Standard deviation of kappa over all orders of the predictions, of `k` labels."""
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
