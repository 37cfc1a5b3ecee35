"""The strength of a permutation that gives a wanted average neighbour distance."""

from __future__ import annotations

import math
from collections.abc import Callable

from repro._checks import LONGEST, check_choice, check_count, check_number, shown
from repro.permutations.expected import expected_neighbor_distance

__all__ = ["strength_for"]

SCANNED = 64  # up to this length every k is tried: with n = 3 the distance does not always rise
HALVINGS = 200  # more than any search needs
ROUNDING = 1e-12
Function = Callable[[float], float]


def strength_for(kind: str, n: int, distance: float) -> float | int:
    """The p or k for which the expected average neighbour distance is `distance`.

    The inverse of `expected_neighbor_distance`. For time there are two such p: few long blocks and
    many short ones. The larger p is returned, as in the paper: with many blocks the distance of a
    single order hardly differs from the expected one. For speed p and 1 - p are equivalent, and the
    one of at most 0.5 is returned. Both are found to about 1e-12. For shape the result is the whole
    number k whose expected distance is nearest to `distance`, the smallest if there are several.

    Parameters
    ----------
    kind : "time", "speed" or "shape".
    n : number of examples, >= 2.
    distance : the wanted average neighbour distance, from 1 to the greatest expected one.

    Raises ValueError for an argument outside its range; for `distance` the error names the range.

    >>> p = strength_for("speed", 503, 2.5)
    >>> round(p, 4), round(expected_neighbor_distance("speed", 503, p), 4)
    (0.0117, 2.5)
    >>> strength_for("shape", 503, 2.0)
    412
    """
    check_choice(kind, ("time", "speed", "shape"), name="kind")
    n = check_count(n, name="n", least=2, most=LONGEST)
    distance = check_number(distance, name="distance")
    if kind == "shape":
        return _swaps(n, distance)

    def expected(p: float) -> float:
        return expected_neighbor_distance(kind, n, p)

    strongest = 0.5 if kind == "speed" else _maximum(expected)
    _check_reachable(distance, expected(strongest), f"p = {strongest:.6g} for n = {n}")
    if distance == 1:
        return 0.0 if kind == "speed" else 1.0
    return _root(expected, distance, 0.0 if kind == "speed" else 1.0, strongest)


def _check_reachable(distance: float, most: float, where: str) -> None:
    # For n = 2 the rounded maximum may be below 1, and elsewhere below the same one by another way.
    if not 1 <= distance <= max(1.0, most) * (1 + ROUNDING):
        rule = f"distance must lie in [1, {most:.10g}], with the maximum at {where}"
        raise ValueError(f"{rule}; got {shown(distance)}")


def _maximum(expected: Function) -> float:
    """The p for which a concave function of p in [0, 1] is greatest, by thirds of log p."""
    low, high = math.log(1e-20), 0.0
    for _ in range(HALVINGS):
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        if expected(math.exp(left)) < expected(math.exp(right)):
            low = left
        else:
            high = right
    return math.exp((low + high) / 2)


def _root(expected: Function, distance: float, weak: float, strong: float) -> float:
    """The p between `weak` and `strong` with this distance, which rises from one to the other."""
    for _ in range(HALVINGS):
        middle = (weak + strong) / 2
        if expected(middle) < distance:
            weak = middle
        else:
            strong = middle
    return strong


def _swaps(n: int, distance: float) -> int:
    """The k with the nearest distance: by trying all, or between two by halving."""

    def expected(k: int) -> float:
        return expected_neighbor_distance("shape", n, k=k)

    low, high = 0, 2 * n - 1
    strongest = max(range(2 * n), key=expected) if n <= SCANNED else high
    _check_reachable(distance, expected(strongest), f"k = {strongest} for n = {n}")
    while n > SCANNED and high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if expected(middle) < distance else (low, middle)
    return min(range(low, high + 1), key=lambda k: abs(expected(k) - distance))
