"""How deep a learner falls at a drift, and how long it takes to recover."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, check_count, check_fraction, shown

__all__ = ["Recovery", "recovery"]


class Recovery(NamedTuple):
    """Outcome of a recovery analysis; durations are in examples.

    `maximum_loss` is a share of the accuracy that was to be had, negative for a learner that was
    above it at all times. `duration` is nan when the learner never left the level of the old
    concept, infinite when it never reached the new one, and otherwise at least 1.
    """

    maximum_loss: float
    duration: float


def recovery(
    error: ArrayLike, old: ArrayLike, new: ArrayLike, position: int, *, share: float = 0.95
) -> Recovery:
    r"""Recovery analysis of a learner whose concept changes at `position`.

    Three error curves of shape (n,), aligned in time, of the same learner and estimator: `error`
    on the stream that drifts, `old` and `new` on streams that stay with one concept throughout.
    With the accuracies :math:`S_C, S_A, S_B = 1 - \text{error}, \text{old}, \text{new}`, from
    `position` on,

    .. math:: \text{maximum loss} = \max_t \frac{S(t) - S_C(t)}{S(t)},
              \quad S(t) = \min(S_A(t), S_B(t))

    and the duration is :math:`t_2 - t_1`, where :math:`t_1` is the first time at which
    :math:`S_C < \text{share} \cdot S_A`, and :math:`t_2 > t_1` the first at which
    :math:`S_C \ge \text{share} \cdot S_B`. Shaker and Hüllermeier (2015), Neurocomputing 150.

    A learner that falls from the level of an easy concept to that of a harder one, and no further,
    has the duration 1: it is back one example after it fell. Times at which S is not above 0, where
    no accuracy was to be had, are left out of the maximum, which is nan without any other.

    Raises ValueError for curves that are empty, not finite or not equally long, for a `position`
    outside them, and for a `share` outside (0, 1].

    >>> recovery([0.0, 0.5, 0.2, 0.0], [0.0] * 4, [0.0] * 4, position=1)
    Recovery(maximum_loss=0.5, duration=2.0)
    >>> recovery([0.0, 0.3, 0.3], [0.0] * 3, [0.3] * 3, position=0).duration
    1.0
    """
    curves = [1 - as_losses(c, name=n) for c, n in ((error, "error"), (old, "old"), (new, "new"))]
    if len({c.size for c in curves}) > 1:
        raise ValueError(f"old and new must be as long as error; got {[c.size for c in curves]}")
    check_fraction(share, name="share")
    if check_count(position, name="position", least=0) >= curves[0].size:
        raise ValueError(f"position must lie in 0..{curves[0].size - 1}; got {shown(position)}")
    drifting, before, after = (c[position:] for c in curves)
    return Recovery(
        _maximum_loss(drifting, np.minimum(before, after)),
        _duration(drifting < share * before, drifting >= share * after),
    )


def _maximum_loss(drifting: NDArray[np.float64], reachable: NDArray[np.float64]) -> float:
    known = reachable > 0
    with np.errstate(over="ignore"):
        lost = (reachable[known] - drifting[known]) / reachable[known]
    return float(lost.max()) if lost.size else float("nan")


def _duration(fallen: NDArray[np.bool_], back: NDArray[np.bool_]) -> float:
    """From the first time that is `fallen` to the first that is `back`, of those after it."""
    if not fallen.any():
        return float("nan")
    start = int(fallen.argmax())
    later = np.flatnonzero(back[start + 1 :])
    return float(later[0] + 1) if later.size else float("inf")
