"""Which learners are as good as the best, over several runs on the same streams."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import wilcoxon

from repro._checks import check_inside, shown

__all__ = ["as_good_as_best"]


def as_good_as_best(errors: ArrayLike, alpha: float = 0.05) -> NDArray[np.bool_]:
    """The learner with the least mean error, and all not significantly different from it.

    `errors` has shape (runs, learners), a row holding the errors on the same stream; the result
    has shape (learners,). Each learner is compared with the best by Wilcoxon's signed-rank test
    (two-sided, exact for up to 50 runs without ties), without correction for the number of
    comparisons, as the bold entries of paper 1's Table 3 were found. A learner with the same error
    as the best in every run is as good; with fewer than 6 runs nothing can be significant at .05.

    A learner that has a missing error (nan) is left out: False. Raises ValueError for an `alpha`
    outside (0, 1), and for errors that are no table of numbers.

    >>> as_good_as_best([[0.1, 0.2, 0.1]] * 10).tolist()
    [True, False, True]
    """
    try:
        given = np.asarray(errors)
        if given.dtype.kind == "c":
            raise TypeError(given.dtype)
        table = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"errors must hold numbers; got {shown(errors)}") from error
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"errors must have shape (runs, learners), none 0; got {table.shape}")
    check_inside(alpha, name="alpha")
    known: NDArray[np.bool_] = np.isfinite(table.sum(axis=0))
    if not known.any():
        return known
    best = int(np.argmin(np.where(known, table.mean(axis=0), np.inf)))
    differences = table - table[:, [best]]
    good = [
        known[j] and (not d.any() or wilcoxon(d).pvalue >= alpha)
        for j, d in enumerate(differences.T)
    ]
    return np.array(good)
