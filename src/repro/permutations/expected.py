r"""Expected neighbour distances of the permutations: exact, and as the paper prints them.

For shape, two neighbours are followed back through random swaps. The order after k swaps holds at
place m the example that is found by following place m back, swap by swap. Two places (a, b)
followed back change as two particles on a path of n places do when a random edge of the path
exchanges what is at its ends. With :math:`f_0(a, b) = |a - b|`, one swap is

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

from repro.permutations.kinds import as_strength

__all__ = ["expected_neighbor_distance", "printed_neighbor_distance"]

TAIL = 1e-19  # weight below which the remaining terms do not matter
MOST_MOVES = 100  # more than the terms that matter for k < 2n, of any n
MOST_PLACES = 2 * MOST_MOVES + 4


def expected_neighbor_distance(
    kind: str, n: int, p: float | None = None, k: int | None = None
) -> float:
    r"""Expected average neighbour distance (AND) after a permutation of `n` examples, exact.

    With :math:`q = 1 - p` and :math:`G(p) = (1 - q^n) / p`, the expected total distance is

    - time: :math:`n - 1 + 2n - 2(n-1)p - 2 G(p)`. In the paper's Proposition 4 the number of splits
      is binomial with n - 1 trials, and :math:`E[1 / (\text{splits} + 1)] = G(p) / n`.
    - speed: :math:`(n-1) u + 3 [(n+1)(1 - u) - A(p) - A(q) + u] + 2S`, where :math:`u = p^n + q^n`
      is the probability that all or none are lifted, :math:`A(p) = G(p) - n q^n` the expected first
      lifted position (0 if there is none), and :math:`S = \sum_{j=1}^{n-1} q^j p^{n-j}` the
      probability that the lifted positions are the last ones, but not all. Only then is the first
      lifted position greater than the last of the others.
    - shape: the original places of two neighbours are followed back through the swaps. They are a
      pair of particles that exchange places with their neighbours; see above.
    - random: :math:`(n-1)(n+1)/3`, the paper's Proposition 10.

    The result is the total divided by n - 1, to about 1e-12, and nan for a single example. Compare
    `printed_neighbor_distance`, the printed formulas, which are approximate for time and speed
    and a bound for shape.

    Parameters
    ----------
    kind : "time", "speed", "shape" or "random".
    n : number of examples, >= 1.
    p : probability of a split (time) or of lifting (speed), in [0, 1]; 0.5 if None.
    k : number of swaps (shape), 0 <= k < 2n; n if None.

    Raises ValueError for an argument outside its range, and for a `p` or `k` that the kind does not
    take.

    >>> [round(expected_neighbor_distance(kind, 503), 3) for kind in ("time", "speed", "shape")]
    [1.996, 2.988, 2.145]
    """
    n, p, k = as_strength(kind, n, p, k)
    if n == 1:
        return float("nan")
    if kind == "time":
        return _time(n, p)
    if kind == "speed":
        return _speed(n, p)
    return expected_total(n, k) / (n - 1) if kind == "shape" else (n + 1) / 3


def _time(n: int, p: float) -> float:
    return 1 + 2 * (n - (n - 1) * p - _geometric_sum(p, n)) / (n - 1)


def _speed(n: int, p: float) -> float:
    q = 1 - p
    none, all_ = _power(p, n), _power(q, n)  # probabilities that none and all are lifted
    one = none + all_
    firsts = _geometric_sum(p, n) - n * none + _geometric_sum(q, n) - n * all_
    # S, from the larger of its two ends: a geometric sum with the ratio 1 - gap.
    low, high = min(p, q), max(p, q)
    gap = (high - low) / high
    suffix = _power(low, n) * (1 - gap) * _geometric_sum(gap, n - 1)
    return one + (3 * ((n + 1) * (1 - one) - firsts + one) + 2 * suffix) / (n - 1)


def _geometric_sum(p: float, n: int) -> float:
    """Sum of (1 - p)**j over j = 0..n-1, to full precision also for a small `p`."""
    if p == 0:
        return float(n)
    return -math.expm1(n * math.log1p(-p)) / p if p < 1 else 1.0


def _power(p: float, n: int) -> float:
    """(1 - p)**n to full precision."""
    return math.exp(n * math.log1p(-p)) if p < 1 else 0.0


def printed_neighbor_distance(
    kind: str, n: int, p: float | None = None, k: int | None = None
) -> float:
    r"""Expected average neighbour distance of `n` examples, as Žliobaitė (2014) prints it.

    - time: :math:`1 + 2np (n - np - 1) / ((np + 1)(n - 1))`, Proposition 3. It takes np for the
      number of splits, which has the mean (n - 1)p, and the reciprocal of a mean for the mean of a
      reciprocal.
    - speed: :math:`3(n + 1)/(n - 1) - 3 / (p(1 - p)(n - 1))`, Proposition 5. It leaves out terms
      that matter for small np: the result may be below 1, the least that an order has, and it is
      -inf for p = 0 and 1.
    - shape: :math:`1 + 2k/(n - 1) - (k/n)^2 / 2`, Proposition 8: an upper bound. (For fixed k the
      paper adds a limit below 1, which contradicts its Proposition 9; the formula tends to 1.)
    - random: :math:`(n + 1)/3`, Proposition 10, which is exact.

    The result is nan for a single example. Arguments and errors are those of
    `expected_neighbor_distance`, which is exact.

    >>> round(printed_neighbor_distance("speed", 50, p=0.01), 2)
    -3.06
    """
    n, p, k = as_strength(kind, n, p, k)
    if n == 1:
        return float("nan")
    if kind == "time":
        return 1 + 2 * n * p * (n - n * p - 1) / ((n * p + 1) * (n - 1))
    if kind == "speed":
        share = p * (1 - p) * (n - 1)
        return 3 * (n + 1) / (n - 1) - (3 / share if share else float("inf"))
    return 1 + 2 * k / (n - 1) - (k / n) ** 2 / 2 if kind == "shape" else (n + 1) / 3


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
