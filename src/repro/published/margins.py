"""Margins with standard errors: positive where a sentence is true."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import as_floats, check_text, shown
from repro.published.words import DOES_NOT_HOLD, HOLDS, LEVEL, UNDECIDED
from repro.statistics.estimates import PointEstimate, mean_estimate

__all__ = ["Margins", "as_margins", "known_margins", "margin_text", "mean_margins"]
__all__ += ["verdict_on_all"]

MOST_PLACES = 9  # of a number in the evidence; longer ones are written with an exponent


#: A `PointEstimate` of the cases or parts of a sentence: positive where the sentence is true.
Margins = PointEstimate


def mean_margins(runs: ArrayLike) -> Margins:
    r"""The mean margin of each case over the runs, :math:`\bar m \pm s / \sqrt n`.

    `runs` has shape (runs,) for one case, or (runs, cases). The standard error has n - 1 degrees
    of freedom, so there must be two runs. A case with a run that is not finite is nan.

    >>> mean_margins([[1.0, 2.0], [3.0, 2.0]])
    PointEstimate(value=array([2., 2.]), standard_error=array([1., 0.]), df=1)
    """
    each = as_floats(runs, name="runs")
    each = each[:, None] if each.ndim == 1 else each
    if each.ndim != 2 or len(each) < 2 or not each.shape[1]:
        rule = "runs must have shape (runs,) or (runs, cases) with two runs or more"
        raise ValueError(f"{rule}; got shape {each.shape}")
    each = np.where(np.isfinite(each).all(axis=0), each, np.nan)
    return mean_estimate(each)


def as_margins(numbers: ArrayLike | Margins, *, name: str) -> Margins:
    """Return `numbers` as margins with three float arrays of the shape (cases,).

    An array holds exact margins. Raises ValueError for anything that is not a vector of numbers
    with standard errors >= 0 and degrees of freedom > 0, one for all or one for each.
    """
    margins = numbers if isinstance(numbers, PointEstimate) else Margins(numbers)
    estimate = np.atleast_1d(as_floats(margins.value, name=name))
    if estimate.ndim != 1 or not estimate.size:
        raise ValueError(f"{name} must have shape (cases,); got shape {estimate.shape}")
    error = as_floats(margins.standard_error, name=f"standard_error of {name}")
    df = as_floats(margins.df, name=f"df of {name}")
    for values, label, right in (
        (error, "standard_error", ~(error < 0)),  # nan where the case cannot be told
        (df, "df", df > 0),
    ):
        if values.shape not in ((), estimate.shape) or not right.all():
            rule = f"{label} of {name} must be {'>=' if label == 'standard_error' else '>'} 0"
            raise ValueError(f"{rule}, one for all or one per case; got {shown(values)}")
    full = (np.broadcast_to(values, estimate.shape) for values in (estimate, error, df))
    return Margins(*full)


def known_margins(
    numbers: ArrayLike | Margins | None, what: str, *, name: str = "margins"
) -> Margins | None:
    """The cases that can be told, those that are not nan; None if there are none.

    `what` they are, for the evidence, must be a text.
    """
    check_text(what, name="what")
    if numbers is None:
        return None
    margins = numbers if isinstance(numbers, PointEstimate) else Margins(numbers)
    if not as_floats(margins.value, name=name).size:
        return None
    cases = as_margins(margins, name=name)
    told = ~np.isnan(np.asarray(cases.value) + np.asarray(cases.standard_error))
    return Margins(*(np.asarray(values)[told] for values in cases)) if told.any() else None


def verdict_on_all(margins: Margins) -> str:
    r"""The verdict on a sentence that is true if all its parts are.

    It *holds* if :math:`\hat m_i - t_{1-\alpha/2}\,\text{s.e.}_i > 0` for all parts, and *does not
    hold* if :math:`\hat m_i + t_{1-\alpha/(2k)}\,\text{s.e.}_i < 0` for one of the k parts.
    """
    low, _ = margins.interval()
    _, high = margins.interval(LEVEL / low.size)
    verdict = HOLDS if (low > 0).all() else UNDECIDED
    return DOES_NOT_HOLD if (high < 0).any() else verdict


def margin_text(estimate: float, standard_error: float, *, sign: bool = True) -> str:
    """A number with its standard error to two significant digits; an exact one to four.

    >>> margin_text(0.01234, 0.00196), margin_text(12345.6, 789.0), margin_text(2 / 3, 0.0)
    ('+0.0123 ± 0.0020', '+12350 ± 790', '+0.6667')
    """
    plus = "+" if sign else ""
    if not standard_error > 0 or not np.isfinite([estimate, standard_error]).all():
        return f"{estimate:{plus}.4g}"
    places = 1 - int(f"{standard_error:.1e}".partition("e")[2])
    if abs(places) > MOST_PLACES:
        return f"{estimate:{plus}.3g} ± {standard_error:.2g}"
    numbers = (round(float(value), places) for value in (estimate, standard_error))
    shown_places = max(places, 0)
    mean, error = (
        f"{value:{mark}.{shown_places}f}" for value, mark in zip(numbers, (plus, ""), strict=True)
    )
    return f"{mean} ± {error}"
