"""How likely a test is to see a difference."""

from __future__ import annotations

import numpy as np
from scipy.stats import nct, t

__all__ = ["paired_power"]


def paired_power(effect: float, deviation: float, seeds: int, confidence: float = 0.95) -> float:
    r"""Power of the two-sided paired t-test over `seeds` differences.

    .. math:: P(|T| > t_{1-\alpha/2,\,k-1}),\quad
              T \sim t_{k-1}(\sqrt k\,\delta / \sigma)\ \text{noncentral}

    `effect` is the difference in truth, `deviation` the standard deviation of the difference of a
    run; no spread at all sees every difference but 0.

    >>> round(paired_power(1.0, 1.0, 10), 3)
    0.803
    """
    if seeds < 2:
        return 0.0
    if deviation == 0:
        return float(effect != 0)
    bound, shift = t.isf((1 - confidence) / 2, seeds - 1), effect / deviation * np.sqrt(seeds)
    both = nct.sf(bound, seeds - 1, shift) + nct.cdf(-bound, seeds - 1, shift)
    return float(np.nan_to_num(both, nan=1.0))  # nan where scipy's series ends: far from 0
