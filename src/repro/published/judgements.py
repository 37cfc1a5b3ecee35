r"""Judgements of sentences by their quantifier: mean, every, some, usually, magnitude.

Each function takes margins, which are positive where the sentence is true, and returns what they
say. A margin is an exact number or comes with a standard error. All tests have the level
:math:`\alpha = 0.05`, half of it on each side: a sentence at the edge of being true is called true
in at most 2.5 % of the cases, and false in at most 2.5 %.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import as_floats, check_number, check_text
from repro.published.margins import (
    Margins,
    as_margins,
    known_margins,
    margin_text,
    mean_margins,
    verdict_on_all,
)
from repro.published.verdict import verdicts
from repro.published.words import (
    DIFFERS,
    DOES_NOT_HOLD,
    HOLDS,
    LEVEL,
    NOT_REFUTED,
    NOT_RUN,
    UNDECIDED,
)
from repro.statistics.differences import spread
from repro.statistics.estimates import Floats, PointEstimate, student_quantile
from repro.statistics.shares import share_interval

__all__ = [
    "QUANTIFIERS",
    "Judgement",
    "judge_every",
    "judge_magnitude",
    "judge_mean",
    "judge_some",
    "judge_usually",
]

#: What a sentence speaks of, one function for each.
QUANTIFIERS = ("mean", "every", "some", "usually", "magnitude")
COARSE = 0.1  # of the published number: an estimate less precise than this cannot confirm it


class Judgement(NamedTuple):
    """What the numbers say of a sentence with this quantifier."""

    quantifier: str
    evidence: str
    verdict: str


def judge_mean(margin: ArrayLike | Margins | None, what: str) -> Judgement:
    r"""Judge a sentence about means, such as "A is more accurate than B and C".

    The sentence *holds* if the mean of each part is significantly above 0,
    :math:`\bar m_i - t_{1-\alpha/2,\,\nu_i}\ \text{s.e.}_i > 0` for all *i*. It *does not hold* if
    one of the *k* parts is significantly below 0,
    :math:`\bar m_i + t_{1-\alpha/(2k),\,\nu_i}\ \text{s.e.}_i < 0`. Otherwise it *cannot be told*.
    This is the rule of `estimated_claim`. Shown is the part with the lowest upper bound if the
    sentence does not hold, else that with the lowest lower bound.

    Parameters
    ----------
    margin : of each run, shape (runs,), or (runs, parts) for a sentence with several parts; or
        `Margins` of the parts. With fewer than two runs, or None where the data are missing, the
        sentence cannot be told.
    what : what the margin is, for the evidence.

    Raises ValueError for other shapes.

    >>> judge_mean([0.3, 0.2, 0.4], "A - B")
    Judgement(quantifier='mean', evidence='A - B: +0.300 ± 0.058', verdict='holds')
    """
    check_text(what, name="what")
    if margin is None:
        return Judgement("mean", what, UNDECIDED)
    if not isinstance(margin, PointEstimate):
        runs = as_floats(margin, name="margin")
        if runs.ndim not in (1, 2) or 0 in runs.shape:
            raise ValueError(f"margin must have shape (runs,) or (runs, parts); got {runs.shape}")
        if len(runs) < 2:
            return Judgement("mean", f"{what}: too few runs", UNDECIDED)
        margin = mean_margins(runs)
    margins = as_margins(margin, name="margin")
    verdict, k = verdict_on_all(margins), np.size(margins.value)
    low, high = margins.interval()[0], margins.interval(LEVEL / k)[1]
    decides = _text(margins, _least(high if verdict == DOES_NOT_HOLD else low))
    of_parts = f"deciding one of {k} parts: " if k > 1 else ""
    return Judgement("mean", f"{what}: {of_parts}{decides}", verdict)


def judge_every(margins: ArrayLike | Margins | None, what: str) -> Judgement:
    r"""Judge a sentence about every case, which one counterexample refutes.

    The sentence *does not hold* if one of the *k* cases is below 0. A case with a standard error
    must be so significantly, :math:`\hat m_i + t_{1-\alpha/(2k),\,\nu_i}\ \text{s.e.}_i < 0`, with
    Bonferroni's correction. Otherwise the sentence is *not refuted*: cases cannot show that it is
    true of all others. A margin of 0 is no counterexample. Cases that are nan are left out, and
    without any case the sentence *cannot be told*. Shown is the case with the lowest upper bound.

    Parameters
    ----------
    margins : of each case, shape (cases,), if they are exact; else `Margins`. None where the data
        are missing.
    what : what a case and its margin are, for the evidence.

    >>> judge_every([0.5, 0.25, 1.0], "3 - expected distance").evidence
    '3 - expected distance: not refuted in 3 cases; deciding case +0.25'
    >>> judge_every([0.5, -0.01, 1.0], "3 - expected distance")[1:]
    ('3 - expected distance: refuted in 1 of 3 cases; deciding case -0.01', 'does not hold')
    """
    cases = known_margins(margins, what)
    if cases is None:
        return Judgement("every", what, UNDECIDED)
    k = np.size(cases.value)
    high = cases.interval(LEVEL / k)[1]
    refuted = int((high < 0).sum())
    outcome = f"refuted in {refuted} of" if refuted else "not refuted in"
    evidence = f"{what}: {outcome} {_counted(k)}; deciding case {_text(cases, _least(high))}"
    return Judgement("every", evidence, DOES_NOT_HOLD if refuted else NOT_REFUTED)


def judge_some(margins: ArrayLike | Margins | None, what: str) -> Judgement:
    r"""Judge a sentence about some case, which one example shows.

    The sentence *holds* if one of the *k* cases is significantly above 0,
    :math:`\hat m_i - t_{1-\alpha/(2k),\,\nu_i}\ \text{s.e.}_i > 0`, with Bonferroni's correction.
    It *does not hold* in the cases at hand if all of them are significantly below 0,
    :math:`\hat m_i + t_{1-\alpha/2,\,\nu_i}\ \text{s.e.}_i < 0`; no correction is needed, since all
    must be. Otherwise it *cannot be told*. Cases that are nan are left out. Shown is the case with
    the highest of the bounds that decide.

    Parameters
    ----------
    margins : of each case, shape (cases,), if they are exact; else `Margins`. None where the data
        are missing.
    what : what a case and its margin are, for the evidence.

    >>> judge_some(Margins([0.5, 0.1], [0.1, 0.1]), "gain")[1:]
    ('gain: shown by 1 of 2 cases; deciding case +0.50 ± 0.10', 'holds')
    """
    cases = known_margins(margins, what)
    if cases is None:
        return Judgement("some", what, UNDECIDED)
    k = np.size(cases.value)
    above, high = cases.interval(LEVEL / k)[0], cases.interval()[1]
    shown, is_refuted = int((above > 0).sum()), bool((high < 0).all())
    verdict = HOLDS if shown else DOES_NOT_HOLD if is_refuted else UNDECIDED
    best = _text(cases, _least(-(high if is_refuted else above), unknown=np.inf))
    evidence = f"{what}: shown by {shown} of {_counted(k)}; deciding case {best}"
    return Judgement("some", evidence, verdict)


def judge_usually(margins: ArrayLike | None, what: str) -> Judgement:
    r"""Judge a sentence about most cases, by the share of cases with a positive margin.

    The sentence *holds* if the exact binomial interval of the share at 95 % lies above one half,
    and *does not hold* if it lies below,

    .. math:: B^{-1}_{\alpha/2}(x,\ k - x + 1) > \tfrac12 \quad\text{or}\quad
              B^{-1}_{1-\alpha/2}(x + 1,\ k - x) < \tfrac12,

    for *x* positive margins of *k*, with the quantiles of the beta distribution (Clopper and
    Pearson 1934, Biometrika 26, 404-413). Otherwise it *cannot be told*, as always with fewer than
    six cases. In a tie, a margin of 0, the sentence is not true. Cases that are nan are left out.

    Parameters
    ----------
    margins : of each case, shape (cases,); the cases must be independent. None where the data are
        missing.
    what : what a case and its margin are, for the evidence.

    >>> judge_usually([0.1, 0.2, 0.3, 0.0, 0.1, 0.2, 0.1, 0.4, 0.1, 0.2], "gain")[1:]
    ('gain: positive in 9 of 10 cases, 1 tie; share 0.55 to 1.00', 'holds')
    """
    cases = known_margins(margins, what)
    if cases is None:
        return Judgement("usually", what, UNDECIDED)
    margin = np.asarray(cases.value)
    k, x, ties = margin.size, int((margin > 0).sum()), int((margin == 0).sum())
    low, high = share_interval(x, k)
    verdict = HOLDS if low > 0.5 else DOES_NOT_HOLD if high < 0.5 else UNDECIDED
    tied = f", {ties} tie{'s' * (ties > 1)}" if ties else ""
    evidence = f"{what}: positive in {x} of {_counted(k)}{tied}; share {low:.2f} to {high:.2f}"
    return Judgement("usually", evidence, verdict)


def judge_magnitude(
    estimate: ArrayLike | Margins | None, published: float, what: str, *, step: float
) -> Judgement:
    r"""Judge a sentence that states a number, by the one rule of `repro.published.verdict`.

    The sentence *does not hold* if one of the *k* estimates differs from the published number at
    the level :math:`\alpha / k`, so that an exact one does unless it rounds to it. It *holds* if
    none differs and each could have been told from the number, with
    :math:`t_{1-\alpha/2}\,\text{s.e.}` within a tenth of the published number or half of `step`,
    whichever is larger. Otherwise the estimates are too coarse, and it *cannot be told*.

    Parameters
    ----------
    estimate : our number or numbers, shape (k,), if they are exact; else `Margins`. None where the
        data are missing.
    published : the number of the paper; of a range, its middle.
    what : what the number is, for the evidence.
    step : step to which the published number is rounded; of a range, its width.

    >>> judge_magnitude(Margins(2.153, 0.002), 2.5, "double to triple", step=1.0)[1:]
    ('double to triple: 2.1530 ± 0.0020, published 2.5 (2 to 3)', 'holds')
    """
    published = check_number(published, name="published")
    step = check_number(step, name="step", least=0)
    cases = known_margins(estimate, what, name="estimate")
    if cases is None:
        return Judgement("magnitude", what, UNDECIDED)
    ours, error, df = (np.asarray(values) for values in cases)
    difference = ours - published
    bound = spread([error**2], [df], step=step, level=LEVEL / ours.size).resolution
    by_case = verdicts(difference, bound)
    reach = np.where(error == 0, 0.0, student_quantile(df) * error)
    coarse = reach > max(COARSE * abs(published), step / 2)
    verdict = UNDECIDED if coarse.any() or (by_case == NOT_RUN).any() else HOLDS
    verdict = DOES_NOT_HOLD if (by_case == DIFFERS).any() else verdict
    worst = int(np.argmax(np.abs(difference) - bound))
    stated = f"published {published:.4g}"
    stated += f" ({published - step / 2:.4g} to {published + step / 2:.4g})" if step else ""
    return Judgement("magnitude", f"{what}: {_text(cases, worst, sign=False)}, {stated}", verdict)


def _least(bounds: Floats, unknown: float = -np.inf) -> int:
    """Which bound is lowest; one that is nan counts as `unknown`."""
    return int(np.argmin(np.where(np.isnan(bounds), unknown, bounds)))


def _text(margins: Margins, i: int, *, sign: bool = True) -> str:
    estimate, error = (float(np.asarray(values)[i]) for values in margins[:2])
    return margin_text(estimate, error, sign=sign)


def _counted(k: int) -> str:
    return f"{k} case{'s' * (k > 1)}"
