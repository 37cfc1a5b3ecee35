r"""The rule of every verdict on a published number.

A reproduced number *differs* from a published one when their difference exceeds the `resolution`,
the smallest difference that could have been seen,

.. math:: |\bar x - p| > \sqrt{t_{1-\alpha/2,\,\nu}^2\, v + z_{1-\alpha/2}^2\, r^2 / 12},
          \qquad v = \sum_i v_i,

with the variances :math:`v_i` of the two means and the step *r* to which the published number is
rounded, at the level :math:`\alpha = 0.05`: `repro.statistics.differences` has the degrees of
freedom. If both numbers are the same in truth, 5 % of the cells differ by chance. Exact numbers,
with all :math:`v_i = 0`, agree if and only if ours rounds to the published one.

The *p-value* of a cell is the level :math:`\alpha` at which its difference would equal the
resolution: the cell differs if and only if p < 0.05. An exact number has none, because chance has
no part in it.

A cell that does not differ *agrees*, unless it is *too coarse to tell*: its resolution is worse
than the margin, a tenth of the published number, or half a point where the number is an error in
percent. Nothing finer than the printed step is asked for.

"Agrees" is the lack of a difference that would have been seen. Two numbers are shown to be
*equivalent* if their difference is significantly below the margin *m* on either side, by two
one-sided tests at :math:`\alpha` (Schuirmann 1987, J. Pharmacokin. Biopharm. 15, 657-680):

.. math:: |\bar x - p| + \sqrt{t_{1-\alpha,\,\nu}^2\, v + z_{1-\alpha}^2\, r^2 / 12} \le m.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro.published.words import AGREES, DIFFERS, LIMITED, MORE_RUNS, NOT_RUN, TOO_COARSE
from repro.statistics.differences import Spread
from repro.statistics.estimates import Floats

__all__ = ["compared", "equivalent", "limits", "too_coarse", "verdicts"]

ROUNDING_ERROR = 1e-9  # relative; the floating-point error of a difference may not decide
FINE_SHARE = 0.1  # of the published number; a resolution that is worse is too coarse to tell


def too_coarse(
    published: ArrayLike,
    resolution: ArrayLike,
    *,
    step: ArrayLike = 0.0,
    points: float | None = None,
) -> NDArray[np.bool_]:
    """Whether so little could have been seen that a cell that does not differ says nothing.

    Parameters
    ----------
    published : the published numbers, shape (cells,).
    resolution : of each cell, in the same units.
    step : to which the published numbers are rounded; nothing finer is asked for.
    points : the worst resolution that is fine, in the units of the numbers. None for a tenth of
        the published number.

    >>> too_coarse([4.0, 0.2, 30.0], 0.4).tolist(), too_coarse([4.0, 30.0], 0.4, points=0.5).any()
    ([False, True, False], np.False_)
    """
    worst = _margin(published, step, points)
    return np.asarray(np.asarray(resolution) > worst, dtype=np.bool_)


def equivalent(
    published: ArrayLike, difference: ArrayLike, spread: Spread, *, points: float | None = None
) -> NDArray[np.bool_]:
    """Whether the difference of each cell is shown to be within the margin of `too_coarse`."""
    reach = spread.reach(np.minimum(2 * spread.level, 1.0))  # of each one-sided test
    far = np.abs(difference) + reach
    return np.asarray(far <= _margin(published, spread.step, points), dtype=np.bool_)


def limits(
    published: ArrayLike, spread: Spread, best: Spread, *, points: float | None = None
) -> NDArray[np.str_]:
    """Why a cell is too coarse to tell, and "" where it is not.

    `best` is its spread if we had any number of runs: where that is too coarse, too, the published
    side limits it.
    """
    now, then = (
        too_coarse(published, each.resolution, step=each.step, points=points)
        for each in (spread, best)
    )
    return np.where(now, np.where(then, LIMITED, MORE_RUNS), "")


def _margin(published: ArrayLike, step: ArrayLike, points: float | None) -> Floats:
    fine = FINE_SHARE * np.abs(published) if points is None else points
    return np.asarray(np.maximum(fine, step) * (1 + ROUNDING_ERROR), dtype=np.float64)


def verdicts(
    difference: ArrayLike, resolution: ArrayLike, is_coarse: ArrayLike = False
) -> NDArray[np.str_]:
    """*differs* where |difference| exceeds the resolution, *not run* where one of them is nan.

    The other cells agree, or are too coarse to tell where `is_coarse`.

    >>> verdicts([0.1, -0.3, np.nan], 0.2).tolist()
    ['agrees', 'differs', 'not run']
    """
    size, bound = np.abs(difference), np.asarray(resolution) * (1 + ROUNDING_ERROR)
    words = np.where(size <= bound, np.where(is_coarse, TOO_COARSE, AGREES), DIFFERS)
    return np.where(np.isnan(size) | np.isnan(bound), NOT_RUN, words)


def compared(
    published: Floats,
    reproduced: Floats,
    standard_error: Floats,
    spread: Spread,
    *,
    points: float | None = None,
) -> dict[str, ArrayLike]:
    """The columns of a comparison from reproduced to verdict, each of shape (cells,).

    `points` is that of `too_coarse`.
    """
    difference, resolution = reproduced - published, spread.resolution
    is_coarse = too_coarse(published, resolution, step=spread.step, points=points)
    return {
        "reproduced": reproduced,
        "s.e.": standard_error,
        "difference": difference,
        "s.e. of difference": spread.standard_error,
        "resolution": resolution,
        "p": spread.p(difference),
        "equivalent": equivalent(published, difference, spread, points=points),
        "verdict": verdicts(difference, resolution, is_coarse),
    }
