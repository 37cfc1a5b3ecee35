r"""Blocks of a stream that are long enough to be exchangeable, though its examples depend.

Examples that follow each other share their run of labels, their weather, their day. Their
dependence has a length: the correlation time

.. math:: \tau = 1 + 2 \sum_{k \ge 1} \rho(k)

the number of consecutive examples that say as much about a mean as one independent example does.
Of a stationary stream, stretches of several correlation times with a gap of one between them are
nearly exchangeable: in any order they would be as likely. Drift is what makes their order matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEWEST", "TIMES", "Blocks", "correlation_time", "cut"]

STRETCHES = 4  # in each the mean is its own, so that a drift does not look like dependence
LONGEST = 2**16  # examples of a stretch that are looked at
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

    def means(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means of `columns` (n, c) over each block, shape (blocks, c)."""
        pairs = zip(self.starts, self.stops, strict=True)
        return np.array([columns[a:b].mean(axis=0) for a, b in pairs]).reshape(self.n, -1)


def correlation_time(values: NDArray[Any], *, whole: bool | None = None) -> float:
    r"""Correlation time of labels or of numbers (n,), at least 1.

    Autocorrelations are those of the indicators of all values together if `values` are labels, and
    of the numbers otherwise. By default labels are arrays of integers; `whole` says it of others.
    They are summed in pairs up to the first pair that is not positive (Geyer 1992, Statistical
    Science 7, 473-483), in four stretches, each with a mean of its own. The result is their median,
    so that one sudden drift changes it little.

    >>> correlation_time(np.arange(4000) // 10 % 2) < correlation_time(np.arange(4000) // 50 % 2)
    True
    """
    parts = [part[: min(part.size, LONGEST)] for part in np.array_split(values, STRETCHES)]
    labels = values.dtype.kind in "iu" if whole is None else whole
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
        series = part.astype(np.float64) if kind is None else (part == kind).astype(np.float64)
        transform = np.fft.rfft(series - series.mean(), 2 * m)
        total += np.fft.irfft(np.abs(transform) ** 2, 2 * m)[:m]
    return total / m


def cut(n: int, memory: float, period: int = 0, most: int = MOST) -> Blocks:
    """Cut `n` examples into blocks for a correlation time of `memory`; there may be too few.

    A block has at least five correlation times, and is a whole number of periods long where a
    `period` is known and there are enough of them. Before every block but the first, one
    correlation time (a quarter of the block at most) is left out.

    >>> blocks = cut(1000, memory=10.0)
    >>> blocks.n, blocks.length, blocks.starts[:3].tolist(), blocks.stops[:3].tolist()
    (20, 50, [0, 60, 110], [50, 100, 150])
    """
    length = max(int(np.ceil(TIMES * memory)), -(-n // most), SHORTEST)
    whole = -(-length // period) * period if period else length
    if period and n // whole >= FEWEST:
        length = whole
    gap = min(int(np.ceil(memory)), length // 4) if memory > 1.5 else 0
    starts = np.arange(0, max(n - length + 1, 0), length)
    stops = starts + length
    return Blocks(starts + np.where(starts > 0, gap, 0), stops, length, memory)
