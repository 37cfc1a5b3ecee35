"""Claims of the papers, judged by margins that are positive where the claim is true."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_floats, as_list, check_frame, check_number, check_text, shown
from repro.published.margins import Margins, verdict_on_all
from repro.published.words import UNDECIDED
from repro.statistics.estimates import mean_estimate

__all__ = ["Claim", "claim", "claims", "equivalence_margin", "error_differences", "estimated_claim"]


class Claim(NamedTuple):
    """A sentence of a paper, the numbers that decide it, and what they say."""

    claim: str
    evidence: str
    verdict: str


def claim(text: str, margin: ArrayLike | None, what: str) -> Claim:
    r"""Judge a sentence by a margin that is positive in every run if the sentence is true.

    `estimated_claim` judges the mean of each part over the runs, with its standard error and
    runs - 1 degrees of freedom. Without a margin, or with fewer than two runs, the claim cannot be
    told. The evidence shows the part that is nearest to failing.

    Parameters
    ----------
    text : the sentence.
    margin : shape (runs,), or (runs, parts) for a sentence with several parts, such as one
        comparison with each other learner. None where the data are missing.
    what : what the margin is, for the evidence.

    >>> claim("A is worse than B", [0.3, 0.2, 0.4], "error of A - error of B").verdict
    'holds'
    >>> claim("A equals B", None, "needs B")
    Claim(claim='A equals B', evidence='needs B', verdict='cannot be told')
    """
    check_text(text, name="text")
    check_text(what, name="what")
    if margin is None:
        return Claim(text, what, UNDECIDED)
    parts = as_floats(margin, name="margin")
    parts = parts[:, None] if parts.ndim == 1 else parts
    if parts.ndim != 2 or 0 in parts.shape:
        raise ValueError(f"margin must have shape (runs,) or (runs, parts); got {parts.shape}")
    n = len(parts)
    if n < 2 or not np.isfinite(parts).all():
        return Claim(text, f"{what}: too few runs", UNDECIDED)
    mean = mean_estimate(parts)
    return estimated_claim(text, mean.value, mean.standard_error, what, df=mean.df)


def estimated_claim(
    text: str,
    estimates: ArrayLike,
    standard_error: ArrayLike,
    what: str,
    *,
    df: ArrayLike = np.inf,
) -> Claim:
    r"""Judge a sentence by margins that come with standard errors.

    The sentence *holds* if every part is significantly above 0,

    .. math:: \hat m_i - t_{1 - \alpha/2,\,\nu_i}\ \text{s.e.}_i > 0 \quad\text{for all } i,

    with :math:`\alpha = 0.05`. It *does not hold* if one part is significantly below 0,

    .. math:: \hat m_i + t_{1 - \alpha/(2k),\,\nu_i}\ \text{s.e.}_i < 0 \quad\text{for some } i,

    where Bonferroni's correction for the number *k* of parts keeps the level. Otherwise it *cannot
    be told*. A sentence whose margins are 0 in truth is decided in at most 5 % of the cases. The
    first test needs no correction: all parts must pass (Berger 1982, Technometrics 24, 295-300).

    Parameters
    ----------
    text : the sentence.
    estimates : margins, positive where the sentence is true; shape (parts,). A part that is nan
        cannot be told.
    standard_error : of each estimate, shape (parts,); 0 for an exact one.
    what : what the margins are, for the evidence.
    df : degrees of freedom of each standard error, or one number for all.

    >>> estimated_claim("A exceeds B", [0.3], [0.1], "A - B")
    Claim(claim='A exceeds B', evidence='A - B: +0.30 ± 0.10', verdict='holds')
    >>> estimated_claim("A exceeds B", [0.3], [0.1], "A - B", df=2).verdict
    'cannot be told'
    """
    check_text(text, name="text")
    check_text(what, name="what")
    mean = np.atleast_1d(as_floats(estimates, name="estimates"))
    error = np.atleast_1d(as_floats(standard_error, name="standard_error"))
    if mean.ndim != 1 or mean.shape != error.shape or not mean.size:
        rule = f"standard_error must have one value per estimate, {mean.shape}"
        raise ValueError(f"{rule}; got {error.shape}")
    nu = as_floats(df, name="df")
    if nu.shape not in ((), mean.shape) or not (nu > 0).all():
        raise ValueError(f"df must be positive, one for all or one per estimate; got {shown(df)}")
    margins = Margins(mean, error, np.broadcast_to(nu, mean.shape))
    low, _ = margins.interval()
    worst = int(np.argmin(np.where(np.isnan(low), -np.inf, low)))
    return Claim(text, f"{what}: {mean[worst]:+.2f} ± {error[worst]:.2f}", verdict_on_all(margins))


def error_differences(
    errors: pd.DataFrame, *, worse: str | list[str], better: str | list[str]
) -> NDArray[np.float64]:
    """The margin of the claim "`worse` has a higher error than `better`", for each pair and run.

    The result has shape (runs, pairs): each of `worse` minus each of `better`.

    Parameters
    ----------
    errors : one row per run, one column per learner.
    worse, better : name of a column, or a list of names.
    """
    sides = {"worse": worse, "better": better}
    names = {side: _columns(columns, name=side) for side, columns in sides.items()}
    numbers = [*names["worse"], *names["better"]]
    errors = check_frame(errors, numbers, name="errors", numbers=numbers)
    high, low = (errors[names[side]].to_numpy(np.float64) for side in sides)
    return (high[:, :, None] - low[:, None, :]).reshape(len(errors), high.shape[1] * low.shape[1])


def _columns(columns: str | list[str], *, name: str) -> list[str]:
    """`columns` as a list of names of columns, at least one."""
    names = [columns] if isinstance(columns, str) else columns
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise ValueError(f"{name} must be a column's name or a list of them; got {shown(columns)}")
    return names


def equivalence_margin(difference: ArrayLike, bound: float) -> NDArray[np.float64]:
    """The margin of the claim "the mean of `difference` lies between -bound and bound".

    `difference` has shape (runs,), the result (runs, 2): one part for each bound. Runs cannot show
    that two things are equal, but they can show that they differ by less than `bound`.
    """
    d = as_floats(difference, name="difference")
    if d.ndim != 1:
        raise ValueError(f"difference must have shape (runs,); got {d.shape}")
    bound = check_number(bound, name="bound", least=0)
    return np.stack([bound - d, bound + d], axis=1)


def claims(rows: Iterable[Claim]) -> pd.DataFrame:
    """The judged claims as a frame: claim, evidence, verdict."""
    judged = as_list(rows, Claim, name="rows", rule="claims")
    return pd.DataFrame(judged, columns=Claim._fields)
