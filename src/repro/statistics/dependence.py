r"""How long the examples of a stream depend on each other, and what follows from it.

Examples that follow each other share their run of labels, their weather, their day. Their
dependence has a length: the correlation time

.. math:: \tau = 1 + 2 \sum_{k \ge 1} \rho(k)

the number of consecutive examples that say as much about a mean as one independent example does.
Of a stationary stream, stretches of several correlation times with a gap of one between them are
nearly exchangeable: in any order they would be as likely. Drift is what makes their order matter.
"""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

from repro._checks import (
    as_array,
    as_losses,
    check_count,
    check_flag,
    check_number,
    check_probability,
    check_rng,
    shown,
)
from repro.metrics.batch_means import batch_means
from repro.statistics.estimates import PointEstimate

__all__ = ["FEWEST", "TIMES", "Blocks", "correlation_time", "cut_blocks", "examples_needed"]
__all__ += ["variance_inflation"]

STRETCHES = 4  # in each the mean is its own, so that a drift does not look like dependence
LONGEST = 2**16  # examples of a stretch that are looked at
ROUNDING = 1e-12  # of the largest number: smaller differences are none
TIMES = 5  # correlation times in a block, of which one is the gap
MOST, FEWEST = 40, 8  # blocks of a stream; with fewer a test has no power
SHORTEST = 50  # examples of a block, for a learner to learn from


class Blocks(NamedTuple):
    """Stretches ``starts[b]:stops[b]`` of a stream, in order; what lies between them is the gap."""

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    length: int
    memory: float  # the correlation time that they are made for

    @property
    def n(self) -> int:
        """Number of blocks."""
        return int(self.starts.size)


def correlation_time(values: ArrayLike, *, nominal: bool | None = None) -> float:
    r"""Correlation time of labels or of numbers (n,), at least 1.

    Autocorrelations are those of the indicators of all values together if `values` are labels, and
    of the numbers otherwise. By default labels are arrays of integers; `nominal` says it of others.
    They are summed in pairs up to the first pair that is not positive (Geyer 1992, Statistical
    Science 7, 473-483), in four stretches, each with a mean of its own. The result is their median,
    so that one sudden drift changes it little.

    >>> correlation_time(np.arange(4000) // 10 % 2) < correlation_time(np.arange(4000) // 50 % 2)
    True
    """
    array = as_array(values)
    if array.dtype.kind not in "iu" or array.ndim != 1 or not array.size:
        array = as_losses(values, name="values")
    labels = array.dtype.kind in "iu" if nominal is None else check_flag(nominal, name="nominal")
    parts = [part[: min(part.size, LONGEST)] for part in np.array_split(array, STRETCHES)]
    return float(np.median([_time(part, labels) for part in parts if part.size]))


def _time(part: NDArray[Any], labels: bool) -> float:
    covariance = _covariance(part, labels)
    if covariance[0] <= 1e-12:
        return 1.0
    rho = covariance / covariance[0]
    pairs = rho[0 : rho.size // 2 * 2 : 2] + rho[1 : rho.size // 2 * 2 : 2]
    quiet = np.flatnonzero(pairs <= 0)
    stop = int(quiet[0]) if quiet.size else pairs.size
    return max(1.0, float(2 * pairs[:stop].sum() - 1))


def _covariance(part: NDArray[Any], labels: bool) -> NDArray[np.float64]:
    """Autocovariances of the numbers, or of the indicators of all labels together."""
    total, m = np.zeros(part.size), part.size
    kinds = np.unique(part) if labels else [None]
    for kind in kinds:
        series = _scaled(part.astype(np.float64)) if kind is None else 1.0 * (part == kind)
        centred = series - series.mean()
        if kind is None:
            centred = _scaled(centred) if np.abs(centred).max() > ROUNDING else 0.0 * centred
        transform = np.fft.rfft(centred, 2 * m)
        total += np.fft.irfft(np.abs(transform) ** 2, 2 * m)[:m]
    return total / m


def _scaled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers over a power of two, the largest about 1: squares are neither infinite nor 0."""
    return np.asarray(np.ldexp(values, -np.frexp(np.abs(values).max())[1]))


def cut_blocks(
    n: int,
    memory: float,
    most: int = MOST,
    *,
    seasons: Collection[int] = (),
    rng: np.random.Generator | None = None,
) -> Blocks:
    """Cut `n` examples into blocks for a correlation time of `memory`; there may be too few.

    A block has at least five correlation times. Before every block but the first, one correlation
    time (a quarter of the block at most) is left out.

    With `seasons`, lengths in examples, each block begins at a random place of its stretch, drawn
    with `rng`: later by a number from 0 to p - 1 for each season of length p. So each season has an
    independent phase in each block, whether it fits into the blocks or not; a block is a whole
    number of the longest. A stretch has five correlation times and twice the sum of the seasons at
    least, and a block is what of it chance and the gap leave. If that makes fewer than eight
    blocks, they do not begin at random places.

    >>> blocks = cut_blocks(1000, memory=10.0)
    >>> blocks.n, blocks.length, blocks.starts[:3].tolist(), blocks.stops[:3].tolist()
    (20, 50, [0, 60, 110], [50, 100, 150])
    """
    n = check_count(n, name="n")
    most = check_count(most, name="most")
    is_many = isinstance(seasons, Collection) and getattr(seasons, "ndim", 1) > 0
    if isinstance(seasons, str) or not is_many:
        raise ValueError(f"seasons must be lengths in examples; got {shown(seasons)}")
    later = [check_count(season, name="seasons") for season in seasons]
    if check_number(memory, name="memory", least=0) > n:
        raise ValueError(f"memory must be at most n, {n}; got {memory}")
    gap = int(np.ceil(memory)) if memory > 1.5 else 0
    length = max(int(np.ceil(TIMES * memory)), -(-n // most), SHORTEST)
    longest = max(later, default=1)
    if later and n // max(length, 2 * sum(later) + gap) >= FEWEST:
        length = max(length, 2 * sum(later) + gap)
    else:
        whole, later = -(-length // longest) * longest, []
        length = whole if n // whole >= FEWEST else length
    gap = min(gap, length // 4)
    starts = np.arange(0, max(n - length + 1, 0), length)
    if not later:
        return Blocks(starts + np.where(starts > 0, gap, 0), starts + length, length, memory)
    rng = check_rng(rng)
    starts = starts + gap + np.sum([rng.integers(0, p, starts.size) for p in later], axis=0)
    size = length - gap - sum(later)
    return Blocks(starts, starts + size - size % longest, length, memory)


def variance_inflation(loss: ArrayLike, memory: float) -> PointEstimate:
    r"""Variance of the mean of 0/1 losses (n,) over that of independent losses.

    .. math:: f = \frac{L\, \mathrm{Var}(\bar\ell_b)}{p (1 - p)}

    from the means of blocks of length L, several correlation times `memory` each. At least 1; it is
    1 exactly if all losses are equal.

    >>> from repro.streams import LabelChain
    >>> chain = LabelChain.two_classes(0.5, no_change=0.9, n=4000)  # its correlation time is 9
    >>> round(variance_inflation(chain.sample(0).y, memory=9.0).value, 1)
    9.1
    """
    losses = as_losses(loss, name="loss")
    if len(losses) < 2:
        raise ValueError("loss must hold at least two losses; got one")
    p, blocks = float(losses.mean()), max(2, cut_blocks(len(losses), memory).n)
    if not 0 < p < 1:
        return PointEstimate(1.0)
    means = batch_means(losses, blocks)
    factor = means.var(ddof=1) * len(losses) / blocks / (p * (1 - p))
    error = float(factor * (2 / (blocks - 1)) ** 0.5)
    return PointEstimate(max(1.0, float(factor)), error, blocks - 1)


def examples_needed(p: float, precision: float, inflation: float = 1.0) -> int:
    r"""Examples after which an error rate of `p` is known to ± `precision` in 95 of 100 cases.

    .. math:: n = \lceil f\, p (1 - p)\, (z_{0.975} / d)^2 \rceil

    with the normal quantile z, the precision d, and the `variance_inflation` f of dependent losses.

    >>> examples_needed(0.2, 0.01), examples_needed(0.2, 0.01, inflation=3)
    (6147, 18440)
    """
    p = check_probability(p, name="p")
    precision = check_number(precision, name="precision", above=0)
    inflation = check_number(inflation, name="inflation", least=0)
    with np.errstate(over="ignore", invalid="ignore"):
        count = inflation * p * (1 - p) * (norm.ppf(0.975) / precision) ** 2
    if not count < np.inf:
        raise ValueError(f"precision must give a finite number of examples; got {precision}")
    return ceil(count)
