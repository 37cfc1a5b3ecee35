"""One detector on several estimates of the same losses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, is_whole, shown
from repro.detectors.detector import Detector, check_detector
from repro.detectors.estimates import Estimate

__all__ = ["watch"]


def watch(
    loss: ArrayLike, estimates: Mapping[str, Estimate], detector: Detector, *, start: int = 0
) -> dict[str, NDArray[np.int64]]:
    """Alarms of `detector` on each of the `estimates` of the losses (n,), as indices, by name.

    The estimates see all losses. The detector begins at the index `start`, counted from the end
    if negative, and sees nothing of what was before: `start` is where the monitoring of a learner
    that has learned begins. With 0 each result is that of ``Monitor(estimate, detector)``.
    Algorithm 4 and Section 5 of Gama, Sebastião and Rodrigues (2013), Machine Learning 90.

    Raises ValueError for a `start` outside -n..n-1, and unless `estimates` are estimates by name
    and `detector` is a detector.

    >>> from repro.detectors import FadingEstimate, PageHinkley, SlidingEstimate
    >>> loss = [0, 0, 0, 1] * 1000 + [1, 1] * 1000
    >>> both = {"faded": FadingEstimate(0.997), "sliding": SlidingEstimate(1000)}
    >>> {k: a.tolist() for k, a in watch(loss, both, PageHinkley(0.1, 100)).items()}
    {'faded': [4439], 'sliding': [4668]}
    """
    losses = as_losses(loss)
    named = isinstance(estimates, Mapping)
    if not named or not all(isinstance(e, Estimate) for e in estimates.values()):
        raise ValueError(f"estimates must map names to estimates; got {shown(estimates)}")
    check_detector(detector)
    n = losses.size
    if not is_whole(start) or not -n <= start < n:
        raise ValueError(f"start must lie in {-n}..{n - 1}; got {shown(start)}")
    first = int(start) % n
    curves = {name: estimate.along(losses)[first:] for name, estimate in estimates.items()}
    return {name: detector.alarms(curve) + first for name, curve in curves.items()}
