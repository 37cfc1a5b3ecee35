"""How deep a learner falls at a drift, and how long it takes to recover."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import as_losses, check_count, check_fraction

__all__ = ["Recovery", "recovery"]


class Recovery(NamedTuple):
    """Outcome of a recovery analysis; durations are in examples.

    `maximum_loss` is a share of the accuracy that was to be had. `duration` is nan when the
    learner never left the level of the old concept, infinite when it never reached the new one.
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

    >>> recovery([0.0, 0.5, 0.2, 0.0], [0.0] * 4, [0.0] * 4, position=1)
    Recovery(maximum_loss=0.5, duration=2.0)
    """
    curves = [1 - as_losses(c, name=n) for c, n in ((error, "error"), (old, "old"), (new, "new"))]
    if len({c.size for c in curves}) > 1:
        raise ValueError(f"old and new must be as long as error; got {[c.size for c in curves]}")
    check_fraction(share, name="share")
    if check_count(position, name="position", least=0) >= curves[0].size:
        raise ValueError(f"position must lie in 0..{curves[0].size - 1}; got {position}")
    drifting, before, after = (c[position:] for c in curves)
    reachable = np.minimum(before, after)
    with np.errstate(invalid="ignore", divide="ignore"):
        lost = np.where(reachable > 0, (reachable - drifting) / reachable, 0.0)
    fallen = np.flatnonzero(drifting < share * before)
    if not fallen.size:
        return Recovery(float(max(lost.max(), 0.0)), float("nan"))
    back = np.flatnonzero(drifting[fallen[0] :] >= share * after[fallen[0] :])
    return Recovery(float(lost.max()), float(back[0]) if back.size else float("inf"))
