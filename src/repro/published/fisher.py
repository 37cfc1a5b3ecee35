"""Numbers of runs, such as those that missed a change: ours against the published, by Fisher."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

from repro.published.words import LEVEL

__all__ = ["RUNS_LEVEL", "RunsTest", "fisher", "runs_test"]

#: Of each test of numbers of runs; the test of delays gets what the others leave of `LEVEL`.
RUNS_LEVEL = LEVEL / 4


class RunsTest(NamedTuple):
    """What Fisher's test says of one cell."""

    p: float  #: nan without runs
    level: float  #: probability that the test rejects equal shares, given the sum of both sides
    resolution: float  #: least excess or lack of our runs with which the cell differs


class Fisher(NamedTuple):
    """Fisher's test given how many runs of both sides together have the property."""

    p: NDArray[np.float64]  #: for each number of runs on our side, shape (ours + 1,)
    level: float  #: probability of a p-value of at most `RUNS_LEVEL`


def runs_test(count: float, runs: float, published: float, n_runs: int) -> RunsTest:
    """Test whether `count` of our `runs` have the same share in truth as `published` of `n_runs`.

    >>> found = runs_test(6, 10, 0, 10)
    >>> round(found.p, 4), round(found.level, 4), found.resolution
    (0.0108, 0.0108, 6.0)
    """
    if not runs >= 1:
        return RunsTest(np.nan, 0.0, np.nan)
    n, a, b = int(runs), int(count), int(published)
    test = fisher(a + b, n, n_runs)
    expected = n * b / n_runs
    seen = [abs(k - expected) for k in range(n + 1) if fisher(k + b, n, n_runs).p[k] <= RUNS_LEVEL]
    return RunsTest(float(test.p[a]), test.level, min(seen, default=np.nan))


@cache
def fisher(both: int, ours: int, theirs: int) -> Fisher:
    """Fisher's exact test, two-sided, given the number `both` of runs on the two sides together.

    Its p-value is the probability of all splits that are at most as likely as the one observed.
    """
    probability = hypergeom(ours + theirs, ours, both).pmf(np.arange(ours + 1))
    at_most = probability <= probability[:, None] * (1 + 1e-7)  # equal up to rounding errors
    p = np.minimum((at_most * probability).sum(axis=1), 1.0)
    return Fisher(p, float(probability[p <= RUNS_LEVEL].sum()))
