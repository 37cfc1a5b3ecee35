r"""Two neighbours followed back through random swaps: the exact expectation for shape.

The order after k swaps holds at place m the example that is found by following place m back, swap
by swap. Two places (a, b) followed back change as two particles on a path of n places do when a
random edge of the path exchanges what is at its ends. With :math:`f_0(a, b) = |a - b|`, one swap is

.. math:: f_{k+1} = (1 - c) f_k + c P f_k,\quad c = m / (n - 1),\quad m = \min(4, n - 1)

where P averages over m edges: those at a and b, at most four, and enough others to make m, which
change nothing. So :math:`f_k = \sum_j \text{Binomial}(k, c)(j)\, P^j f_0`, all terms are positive,
and about sixty matter, since :math:`kc < 10`. Within J moves nothing farther away than J places is
felt. On a longer path all neighbours in the middle have the same value, so a path of 2J + 4 places
is enough.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["expected_total"]

TAIL = 1e-19  # weight below which the remaining terms do not matter
MOST_MOVES = 100  # more than the terms that matter for k < 2n, of any n
MOST_PLACES = 2 * MOST_MOVES + 4


def expected_total(n: int, k: int) -> float:
    """Expected total neighbour distance after `k` swaps of `n` >= 2 examples."""
    weights = _binomial(k, min(4, n - 1) / (n - 1))
    totals, middle, places = _totals(min(n, MOST_PLACES))
    beyond = (n - places) * middle
    return float(weights @ (totals + beyond)[: weights.size])


def _binomial(k: int, c: float) -> NDArray[np.float64]:
    """Probabilities of 0, 1, ... successes in `k` trials until the rest is below `TAIL`."""
    if c == 1:
        return np.eye(1, k + 1, k)[0]
    weights = [math.exp(k * math.log1p(-c))]
    while (j := len(weights)) <= min(k, MOST_MOVES) and (weights[-1] > TAIL or j < k * c):
        weights.append(weights[-1] * (k - j + 1) / j * c / (1 - c))
    return np.array(weights)


@lru_cache(maxsize=64)
def _totals(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Sums of P^j f_0 over the neighbours of a path, and its values in the middle.

    Returns both for j = 0..`MOST_MOVES`, and the number of places, `n`.
    """
    f = np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(np.float64)
    totals, middle = [], []
    for _ in range(MOST_MOVES + 1):
        neighbors = np.diagonal(f, 1)
        totals.append(neighbors.sum())
        middle.append(neighbors[(n - 1) // 2])
        f = _moved(f)
    return np.array(totals), np.array(middle), n


def _moved(f: NDArray[np.float64]) -> NDArray[np.float64]:
    """P f: the mean of `f`, (n, n), after a swap at one of the edges at a and b.

    A swap at an edge of a alone moves a, and one at the edge between a and b exchanges the two,
    which changes nothing, as `f` is symmetric.
    """
    n = len(f)
    m = min(4, n - 1)
    change = np.zeros_like(f)
    change[1:] += f[:-1] - f[1:]  # a moves down; the diagonal of f is 0 and never used
    change[:-1] += f[1:] - f[:-1]
    change[:, 1:] += f[:, :-1] - f[:, 1:]
    change[:, :-1] += f[:, 1:] - f[:, :-1]
    i = np.arange(n - 1)
    for a, b in ((i, i + 1), (i + 1, i)):
        # The edge between a and b was counted twice above, as if it moved one onto the other.
        change[a, b] += 2 * f[a, b]
    np.fill_diagonal(change, 0)
    return f + change / m
