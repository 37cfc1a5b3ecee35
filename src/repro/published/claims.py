"""Sentences of the papers, judged by margins that are positive where the sentence is true."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_floats, as_list, check_frame, check_number, check_text, shown
from repro.published.verdict import BOUND

__all__ = ["Claim", "claim", "claims", "estimated", "margin", "within"]


class Claim(NamedTuple):
    """A sentence of a paper, the numbers that decide it, and what they say."""

    claim: str
    evidence: str
    verdict: str


def claim(text: str, margin: ArrayLike | None, what: str) -> Claim:
    r"""Judge the sentence `text` by a `margin` that is positive in every run if it is true.

    `margin` has shape (runs,), or (runs, parts) for a sentence with several parts, such as one
    comparison with each other learner. With the mean and standard error of each part over runs:
    it *holds* when every mean is more than 2 s.e. above 0, it *does not hold* when one is more
    than 2 s.e. below 0, and otherwise it *cannot be told*; neither can it without a margin
    (None), or with fewer than two runs. `what` says what the margin is, for the evidence, which
    shows the part that is nearest to failing.

    >>> claim("A is worse than B", [0.3, 0.2, 0.4], "error of A - error of B").verdict
    'holds'
    >>> claim("A equals B", None, "needs B")
    Claim(claim='A equals B', evidence='needs B', verdict='cannot be told')
    """
    check_text(text, name="text")
    check_text(what, name="what")
    if margin is None:
        return Claim(text, what, "cannot be told")
    parts = as_floats(margin, name="margin")
    parts = parts[:, None] if parts.ndim == 1 else parts
    if parts.ndim != 2 or 0 in parts.shape:
        raise ValueError(f"margin must have shape (runs,) or (runs, parts); got {parts.shape}")
    if len(parts) < 2 or not np.isfinite(parts).all():
        return Claim(text, f"{what}: too few runs", "cannot be told")
    with np.errstate(over="ignore", invalid="ignore"):  # of margins near the largest number
        errors = parts.std(axis=0, ddof=1) / np.sqrt(len(parts))
        return estimated(text, parts.mean(axis=0), errors, what)


def estimated(text: str, estimates: ArrayLike, errors: ArrayLike, what: str) -> Claim:
    """Judge the sentence `text` as `claim` does, by `estimates` that have `errors` of their own.

    Both have shape (parts,): margins, positive where the sentence is true, and their standard
    errors, 0 for what is exact. A part that is nan cannot be told.

    >>> estimated("A exceeds B", [0.3], [0.1], "A - B")
    Claim(claim='A exceeds B', evidence='A - B: +0.30 ± 0.10', verdict='holds')
    """
    check_text(text, name="text")
    check_text(what, name="what")
    mean = np.atleast_1d(as_floats(estimates, name="estimates"))
    error = np.atleast_1d(as_floats(errors, name="errors"))
    if mean.ndim != 1 or mean.shape != error.shape or not mean.size:
        raise ValueError(
            f"errors must have one value per estimate, {mean.shape}; got {error.shape}"
        )
    with np.errstate(over="ignore", invalid="ignore"):  # inf - inf cannot be told
        low, high = mean - BOUND * error, mean + BOUND * error
    verdict = "holds" if (low > 0).all() else "cannot be told"
    verdict = "does not hold" if (high < 0).any() else verdict
    worst = int(np.argmin(np.where(np.isnan(low), -np.inf, low)))
    return Claim(text, f"{what}: {mean[worst]:+.2f} ± {error[worst]:.2f}", verdict)


def margin(
    errors: pd.DataFrame, *, worse: str | list[str], better: str | list[str]
) -> NDArray[np.float64]:
    """Error of each of `worse` minus that of each of `better`, run by run.

    `errors` has a row per run and a column per learner; the result has shape (runs, pairs) and is
    what `claim` wants for "worse has a higher error than better".
    """
    sides = {"worse": worse, "better": better}
    names = {side: _columns(given, name=side) for side, given in sides.items()}
    wanted = [*names["worse"], *names["better"]]
    errors = check_frame(errors, wanted, name="errors", numbers=wanted)
    high, low = (errors[names[side]].to_numpy(np.float64) for side in sides)
    return (high[:, :, None] - low[:, None, :]).reshape(len(errors), high.shape[1] * low.shape[1])


def _columns(given: str | list[str], *, name: str) -> list[str]:
    """`given` as a list of columns' names, at least one."""
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise ValueError(f"{name} must be a column's name or a list of them; got {shown(given)}")
    return names


def within(difference: ArrayLike, bound: float) -> NDArray[np.float64]:
    """The margin of "the mean of `difference` (runs,) lies in -bound..bound"; shape (runs, 2).

    Two one-sided comparisons: that something is equal cannot be shown, but that it differs by
    less than `bound` can.
    """
    d = as_floats(difference, name="difference")
    if d.ndim != 1:
        raise ValueError(f"difference must have shape (runs,); got {d.shape}")
    check_number(bound, name="bound", least=0)
    return np.stack([bound - d, bound + d], axis=1)


def claims(rows: Iterable[Claim]) -> pd.DataFrame:
    """The judged claims as a frame: claim, evidence, verdict."""
    judged = as_list(rows, Claim, name="rows", rule="claims")
    return pd.DataFrame(judged, columns=Claim._fields)
