"""Seasons of labels and of attributes: cycles of a fixed number of examples."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import median_filter
from scipy.stats import rankdata

from repro._checks import as_array, as_labels, as_losses, check_flag

__all__ = ["MOST_LABELS", "season", "seasons"]

HARMONICS = 4  # of a season that decide its length
COARSE = 200  # lengths of a season that are tried before those between them
MOST_LABELS = 2**17  # or numbers, among which a season is looked for
NEIGHBOURS = 101  # frequencies that say how strong a frequency is by chance, at most
LEAST_NEIGHBOURS = 11
SEASONAL = 0.001  # probability of a season in labels that have none
SAFETY = 1.5  # times the critical ratio, since the median is an estimate
CLASSES = 5  # the largest ones, in which a season is looked for
MOST_SEASONS = 3  # of an attribute that are looked for
ROUNDING = 1e-12  # of the largest number: what is smaller is none


def season(y: ArrayLike) -> int:
    r"""Length of the strongest season of the labels `y` (n,) in examples; 0 if there is none.

    The periodogram of each of the largest classes is divided by its median over neighbouring
    frequencies, which follows the smooth spectrum of runs of labels; of the frequencies at which
    that is too much for chance, the lowest with half of the largest power, or more, counts. Without
    a season, a ratio exceeds r with a probability of :math:`2^{-r}`, and the largest of M ratios
    with M times that at most. Periods of more than a tenth of the stream are not looked at. The
    periodogram knows whole numbers of cycles; of the lengths between the neighbouring ones, that
    with the largest power in its first four harmonics is taken. Neighbouring lengths p are hard to
    tell apart where :math:`p^2` is many times n.

    >>> rng = np.random.default_rng(0)
    >>> hour = np.arange(4800) % 24
    >>> season((rng.random(4800) < 0.3 + 0.2 * (hour < 12)).astype(int))
    24
    >>> season(rng.integers(0, 2, 4800))
    0
    """
    return next(iter(_seasons(_indicators(as_labels(y, name="y")[:MOST_LABELS]), 1)), 0)


def seasons(values: ArrayLike, *, nominal: bool | None = None) -> tuple[int, ...]:
    """Lengths of the seasons of an attribute (n,) in examples, the strongest first; three at most.

    As `season`, of the values themselves if they are labels, otherwise of their ranks and of the
    distances of these from the middle. By default arrays of integers are labels; `nominal` says it
    of others. What is found is subtracted, as means of equal places in the season, before the next
    is looked for; so one whose length is no whole number has both whole numbers beside it.

    >>> t = np.arange(4800)
    >>> seasons(np.sin(2 * np.pi * t / 24) + np.random.default_rng(0).normal(size=4800))
    (24,)
    >>> seasons(1.0 * (t % 24)), seasons(1.0 * t)
    ((24,), ())
    """
    array = as_array(values)
    if array.dtype.kind not in "iu" or array.ndim != 1 or not array.size:
        array = as_losses(values, name="values")
    part = array[:MOST_LABELS]
    if array.dtype.kind in "iu" if nominal is None else check_flag(nominal, name="nominal"):
        return tuple(_seasons(_indicators(part), MOST_SEASONS))
    ranks = rankdata(part) / part.size - 0.5
    return tuple(_seasons([ranks, np.abs(ranks)], MOST_SEASONS))


def _indicators(labels: NDArray[np.integer]) -> list[NDArray[np.float64]]:
    """Of the largest classes, without one that all labels are of."""
    classes, counts = np.unique(labels, return_counts=True)
    largest = np.argsort(-counts, kind="stable")[:CLASSES]
    return [1.0 * (labels == classes[c]) for c in largest if counts[c] < labels.size]


def _seasons(series: list[NDArray[np.float64]], most: int) -> Iterator[int]:
    """Lengths of the strongest seasons of several series (n,) together."""
    for _ in range(most):
        series = [x - x.mean() for x in series]
        if not (period := _strongest(series)):
            return
        yield period
        phase = np.arange(series[0].size) % period
        size = np.bincount(phase)
        rest = [x - (np.bincount(phase, x) / size)[phase] for x in series]
        # What rounding leaves of a series that is nothing but its season is no season.
        pairs = zip(rest, series, strict=True)
        series = [x * (np.abs(x).max() > ROUNDING * np.abs(old).max()) for x, old in pairs]


def _strongest(series: list[NDArray[np.float64]]) -> int:
    """Length of the strongest season of several centred series; 0 if there is none."""
    n = series[0].size if series else 0
    first, last = 10, n // 2  # frequencies, in cycles along the part
    if last - first < 2 * NEIGHBOURS:
        return 0
    critical = SAFETY * log(len(series) * (last - first) / SEASONAL, 2)
    best, cycles, strongest = 0.0, 0, series[0]
    taper = np.hanning(n)  # so that a jump has no lines
    for x in series:
        power = np.abs(np.fft.rfft(x * taper)[:last]) ** 2
        power[power <= critical * np.maximum(_around(power), 1e-300)] = 0.0
        if (most := float(power[first:].max())) > best:
            best, strongest = most, x
            # A value that comes once in a season has the same power in all harmonics.
            cycles = first + int((power[first:] >= most / 2).argmax())
    return _whole_period(strongest, cycles) if best else 0


def _around(power: NDArray[np.float64]) -> NDArray[np.float64]:
    """Median of `power` over neighbouring frequencies, fewer of them where they are low.

    A trend, or dependence over many examples, has a power that falls steeply there.
    """
    medians, at = np.empty_like(power), 1
    while at < power.size:
        size = min(NEIGHBOURS, max(LEAST_NEIGHBOURS, at // 3 * 2 + 1))
        stop = power.size if size == NEIGHBOURS else min(power.size, at + max(1, at // 2))
        low, high = max(1, at - size // 2), min(power.size, stop + size // 2)
        medians[at:stop] = median_filter(power[low:high], size, mode="reflect")[
            at - low : stop - low
        ]
        at = stop
    medians[0] = np.inf
    return medians


def _whole_period(x: NDArray[np.float64], cycles: int) -> int:
    """The period of `x` (n,), about ``n / cycles``, whose first harmonics have most power."""
    shortest, longest = max(2, x.size // (cycles + 1)), -(-x.size // (cycles - 1))

    def power(period: int) -> float:
        whole = np.append(x, np.zeros(-x.size % period))
        profile = whole.reshape(-1, period).sum(axis=0)
        return float((np.abs(np.fft.rfft(profile)[1 : 1 + HARMONICS]) ** 2).sum())

    step = max(1, (longest - shortest) // COARSE)
    near = max(range(shortest, longest + 1, step), key=power)
    return max(range(max(shortest, near - step), min(longest, near + step) + 1), key=power)
