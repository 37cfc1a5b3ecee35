"""Learners that do not differ significantly from the best, over runs on the same streams."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_inside, shown

__all__ = ["not_worse_than_best"]


def not_worse_than_best(errors: ArrayLike, level: float = 0.05) -> NDArray[np.bool_]:
    """Return which learners have the least mean error or do not differ significantly from it.

    `errors` has shape (runs, learners), and each row holds the errors on the same stream; the
    result has shape (learners,). Wilcoxon's signed-rank test at level `level` compares each learner
    with the best (two-sided, exact for up to 50 runs without ties). There is no correction for the
    number of comparisons, as in the bold entries of paper 1's Table 3. A learner with the same
    error as the best in every run is as good. With fewer than 6 runs no difference can be
    significant at .05.

    A learner with a missing error (nan) is False. Raises ValueError for a `level` outside (0, 1),
    and for errors that are not a table of numbers.

    >>> not_worse_than_best([[0.1, 0.2, 0.1]] * 10).tolist()
    [True, False, True]
    """
    try:
        values = np.asarray(errors)
        if values.dtype.kind == "c":
            raise TypeError(values.dtype)
        table = values.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"errors must hold numbers; got {shown(errors)}") from error
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"errors must have shape (runs, learners), both >= 1; got {table.shape}")
    level = check_inside(level, name="level")
    is_finite: NDArray[np.bool_] = np.isfinite(table.sum(axis=0))
    if not is_finite.any():
        return is_finite
    from scipy.stats import wilcoxon  # here: slow to import

    best = int(np.argmin(np.where(is_finite, table.mean(axis=0), np.inf)))
    differences = table - table[:, [best]]
    good = [
        is_finite[j] and (not d.any() or wilcoxon(d).pvalue >= level)
        for j, d in enumerate(differences.T)
    ]
    return np.array(good)
