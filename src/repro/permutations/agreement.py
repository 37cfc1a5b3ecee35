"""Do repeated runs agree: on the ranking of all learners, and on the winner of each pair."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_array, as_losses, as_matrix

__all__ = ["kendall_w", "rank_disagreement", "rankings", "switch_probability"]


def rankings(errors: ArrayLike) -> NDArray[np.float64]:
    """Return the rank of each learner in each run: 1 for the least error, ties get their mean rank.

    `errors` has shape (runs, learners), and so has the result. Raises ValueError for errors that
    are not a table of finite numbers.

    >>> rankings([[0.1, 0.3, 0.3]]).tolist()
    [[1.0, 2.5, 2.5]]
    """
    from scipy.stats import rankdata  # here: slow to import

    return np.asarray(rankdata(as_matrix(errors, name="errors"), axis=1), dtype=np.float64)


def kendall_w(errors: ArrayLike) -> float:
    r"""Return Kendall's coefficient of concordance of the rankings, corrected for ties.

    .. math:: W = \frac{12 \sum_j (R_j - \bar R)^2}
                       {m^2 (k^3 - k) - m \sum_r \sum_g (t_{rg}^3 - t_{rg})}

    for m runs and k learners, with the sum of ranks :math:`R_j` of learner j, and groups of
    :math:`t_{rg}` tied learners in run r. It is 1 if all runs rank the learners alike, and has
    expectation 1/m if all rankings are independent and equally likely. `errors` has shape
    (runs, learners). W is nan for one run, for one learner, and where all learners tie in every
    run. Kendall and Babington Smith (1939), Annals of Mathematical Statistics 10, 275-287.

    >>> kendall_w([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.3, 0.2]]).__round__(3)
    0.778
    """
    ranks = rankings(errors)
    m, k = ranks.shape
    ties = sum(float((t**3 - t).sum()) for t in (_sizes_of_ties(row) for row in ranks))
    largest = m**2 * (k**3 - k) - m * ties
    if m < 2 or k < 2 or not largest:
        return float("nan")
    totals = ranks.sum(axis=0)
    return float(12 * ((totals - totals.mean()) ** 2).sum() / largest)


def switch_probability(differences: ArrayLike, original: ArrayLike) -> float:
    r"""Return how often a repeat names another winner than the original run.

    .. math:: \frac{1}{R} \sum_r \frac{|\mathrm{sign}(d_r) - \mathrm{sign}(d^0_r)|}{2}

    A tie in one of the two runs counts as half a switch, a tie in both as none.

    Parameters
    ----------
    differences : error of one learner minus that of another in each repeat; shape (R,).
    original : the same difference in the original order; one number, or one per repeat.

    Raises ValueError for differences that are not finite numbers, and for another number of
    originals.

    >>> switch_probability([0.1, -0.1, 0.0, 0.2], original=0.3)
    0.375
    """
    repeats = as_losses(differences, name="differences")
    single: Any = [original]
    first = as_losses(single if as_array(original).ndim == 0 else original, name="original")
    if first.size not in (1, repeats.size):
        raise ValueError(f"original must be one number or {repeats.size}; got {first.size}")
    return float(np.abs(np.sign(repeats) - np.sign(first)).mean() / 2)


def rank_disagreement(differences: ArrayLike) -> float:
    r"""Return the probability that two different repeats, drawn at random, name different winners.

    .. math:: \binom{R}{2}^{-1} \sum_{r < s} \frac{|\mathrm{sign}(d_r) - \mathrm{sign}(d_s)|}{2}

    A tie in one of the two counts as half. `differences` has shape (R,), as in
    `switch_probability`. The result is nan for a single repeat.

    >>> rank_disagreement([0.1, -0.1, 0.2, 0.3])
    0.5
    """
    signs = np.sign(as_losses(differences, name="differences"))
    wins, losses = int((signs > 0).sum()), int((signs < 0).sum())
    ties, pairs = signs.size - wins - losses, signs.size * (signs.size - 1) / 2
    return (wins * losses + ties * (wins + losses) / 2) / pairs if pairs else float("nan")


def _sizes_of_ties(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.unique(ranks, return_counts=True)[1].astype(np.float64)
