"""Recovery analysis: how far accuracy falls at a drift, and how long the recovery takes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_count, check_fraction, shown

__all__ = ["Recovery", "recovery"]


class Recovery(NamedTuple):
    """Result of a recovery analysis; the duration is in examples.

    `maximum_loss` is a share of the attainable accuracy; it is negative for a learner that was
    always above that accuracy. `duration` is nan if the learner never fell below the level of the
    old concept, infinite if it never reached the level of the new one, and otherwise at least 1.
    """

    maximum_loss: float
    duration: float


def recovery(
    error: ArrayLike,
    error_before: ArrayLike,
    error_after: ArrayLike,
    drift_at: int,
    *,
    share: float = 0.95,
) -> Recovery:
    r"""Measure the fall and the recovery of a learner whose concept changes at `drift_at`.

    The three error curves are aligned in time, and are of the same learner and estimator. With the
    accuracies :math:`S_C, S_A, S_B = 1 - \text{error},
    \text{error before}, \text{error after}`, from `drift_at` on,

    .. math:: \text{maximum loss} = \max_t \frac{S(t) - S_C(t)}{S(t)},
              \quad S(t) = \min(S_A(t), S_B(t))

    and the duration is :math:`t_2 - t_1`, where :math:`t_1` is the first time at which
    :math:`S_C < \text{share} \cdot S_A`, and :math:`t_2 > t_1` the first at which
    :math:`S_C \ge \text{share} \cdot S_B`. Shaker and Hüllermeier (2015), Neurocomputing 150.

    A learner that falls from the level of an easy concept to that of a harder one, and no further,
    has the duration 1: it has recovered one example after it fell. The maximum leaves out times at
    which S is not above 0; if no time is left, it is nan.

    Parameters
    ----------
    error : error curve on the stream that drifts, shape (n,).
    error_before, error_after : error curves on streams that keep the old or the new concept
        throughout, (n,).
    drift_at : index of the first example of the new concept.
    share : share of an accuracy that counts as reaching it, in (0, 1].

    Raises ValueError for curves that are empty, not finite or of different length, for `drift_at`
    outside them, and for a `share` outside (0, 1].

    >>> recovery([0.0, 0.5, 0.2, 0.0], [0.0] * 4, [0.0] * 4, drift_at=1)
    Recovery(maximum_loss=0.5, duration=2.0)
    >>> recovery([0.0, 0.3, 0.3], [0.0] * 3, [0.3] * 3, drift_at=0).duration
    1.0
    """
    by_name = {"error": error, "error_before": error_before, "error_after": error_after}
    curves = [1 - as_losses(curve, name=name) for name, curve in by_name.items()]
    if len({c.size for c in curves}) > 1:
        rule = "error_before and error_after must be as long as error"
        raise ValueError(f"{rule}; got {[c.size for c in curves]}")
    share = check_fraction(share, name="share")
    if check_count(drift_at, name="drift_at", least=0) >= curves[0].size:
        raise ValueError(f"drift_at must lie in 0..{curves[0].size - 1}; got {shown(drift_at)}")
    drifting, before, after = (c[drift_at:] for c in curves)
    return Recovery(
        _maximum_loss(drifting, np.minimum(before, after)),
        _duration(drifting < share * before, drifting >= share * after),
    )


def _maximum_loss(drifting: NDArray[np.float64], reachable: NDArray[np.float64]) -> float:
    is_above = reachable > 0
    with np.errstate(over="ignore"):
        lost = (reachable[is_above] - drifting[is_above]) / reachable[is_above]
    return float(lost.max()) if lost.size else float("nan")


def _duration(fallen: NDArray[np.bool_], back: NDArray[np.bool_]) -> float:
    """Return the number of examples from the first `fallen` to the first `back` after it."""
    if not fallen.any():
        return float("nan")
    start = int(fallen.argmax())
    later = np.flatnonzero(back[start + 1 :])
    return float(later[0] + 1) if later.size else float("inf")
