"""Do labels depend on the labels before them? A test against their random orders."""

from __future__ import annotations

from fractions import Fraction
from math import comb, perm
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from repro._checks import as_labels

__all__ = ["Dependence", "label_dependence"]

NAN = float("nan")


class Dependence(NamedTuple):
    """Share of labels that equal the label before, its expectation in random order, and a test."""

    p_per: float
    expected: float
    standard_error: float
    z: float
    p_value: float


def label_dependence(y: ArrayLike) -> Dependence:
    r"""Test whether labels depend on the labels before them.

    If all n! orders of the labels are equally likely, and :math:`n_c` labels are of class c, then

    .. math:: E[p_{per}] = \sum_c \frac{n_c (n_c - 1)}{n (n - 1)}

    and the number of runs has the exact variance of Mood (1940), Annals of Mathematical Statistics
    11, 367-392. z is (p_per - expected) / standard_error. p_value is two-sided, from the gamma
    distribution with the exact skewness, which is large for rare classes, and with half a step
    (1 / 2(n - 1)) for continuity; it tends to that of the normal distribution. Both are nan where
    all orders are the same: for one class, or fewer than 3 labels.
    `y` holds labels 0..K-1 and has shape (n,). Raises ValueError for invalid labels.

    >>> label_dependence([0, 0, 0, 0, 1, 1, 1, 1]).z > 2
    True
    """
    labels = as_labels(y)
    n = labels.size
    counts = np.unique(labels, return_counts=True)[1].astype(np.float64)
    if n < 2:
        return Dependence(*[float("nan")] * 5)
    observed = float(np.mean(labels[1:] == labels[:-1]))
    squares, cubes = float((counts**2).sum()), float((counts**3).sum())
    expected = (squares - n) / (n * (n - 1))
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    error = np.sqrt(max(variance, 0.0)) / (n - 1)
    if not error > 0:
        return Dependence(observed, expected, float(error), NAN, NAN)
    z = (observed - expected) / error
    from scipy.stats import pearson3  # here: slow to import

    farther = max(0.0, abs(z) - 0.5 / (n - 1) / error)
    skewness = _skewness([int(count) for count in counts], float(error * (n - 1)))
    tail = pearson3.sf(farther, skewness * np.sign(z))  # a mirrored gamma below the mean
    return Dependence(observed, expected, float(error), float(z), float(min(1.0, 2 * tail)))


def _skewness(counts: list[int], error: float) -> float:
    """Of the number of equal neighbours over all orders, whose standard deviation is `error`.

    From the moments, in whole numbers: one, two or three pairs of neighbours are equal that overlap
    or do not, with the probabilities of draws without replacement.
    """
    n = sum(counts)
    two, three, four, five, six = ([perm(m, k) for m in counts] for k in (2, 3, 4, 5, 6))
    squares = sum(a * a for a in two)

    def expected(ways: int, favourable: int, drawn: int) -> Fraction:
        return Fraction(ways * favourable, perm(n, drawn)) if ways > 0 else Fraction(0)

    one = expected(n - 1, sum(two), 2)
    apart = sum(four) + sum(two) ** 2 - squares
    pairs = expected(2 * (n - 2), sum(three), 3) + expected((n - 2) * (n - 3), apart, 4)
    partly = sum(five) + sum(three) * sum(two) - sum(map(mul, three, two))
    apart = sum(six) + 3 * (sum(four) * sum(two) - sum(map(mul, four, two)))
    apart += sum(two) ** 3 - 3 * sum(two) * squares + 2 * sum(a**3 for a in two)
    triples = expected(n - 3, sum(four), 4) + expected((n - 3) * (n - 4), partly, 5)
    triples += expected(comb(max(n - 3, 0), 3), apart, 6)
    third = one + 3 * pairs + 6 * triples - 3 * one * (one + pairs) + 2 * one**3
    return float(third) / error**3
