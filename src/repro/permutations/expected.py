"""Exact expected neighbour distances of the controlled permutations, for every length."""

from __future__ import annotations

import math

from repro.permutations._interchange import expected_total
from repro.permutations.kinds import as_strength

__all__ = ["expected_neighbor_distance"]


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
      pair of particles that exchange places with their neighbours; see `_interchange`.
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
