"""Distances of an order from the original one: Žliobaitė (2014), Sec. 4.1.

Total and average neighbour distance (TND and AND) say how far an order moves neighbours apart; nine
others are known for ranks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from repro.kernels.compiling import kernel
from repro.permutations.kinds import as_order

__all__ = ["distances", "neighbor_distance", "total_neighbor_distance"]

BITS = 32  # a sum of squares is added up in two halves, since it may exceed 64 bits
HALF = 2**BITS - 1


def total_neighbor_distance(order: ArrayLike) -> int:
    r"""Total neighbour distance (TND): original distances of the examples that are neighbours now.

    .. math:: D = \sum_{i=1}^{n-1} |j_i - j_{i+1}|

    where :math:`j` is `order`, shape (n,), each of 0..n-1 once. D is n - 1 for the original order
    and for its reverse, more for any other order, and 0 for a single example. Žliobaitė (2014),
    Definition 1. Raises ValueError if `order` is no permutation of 0..n-1.

    >>> total_neighbor_distance([0, 2, 1, 3])
    5
    """
    return int(_total(as_order(order)))


def neighbor_distance(order: ArrayLike) -> float:
    r"""Average neighbour distance (AND), :math:`d = D / (n - 1)`, where D is the total one.

    It is 1 if all neighbours stay neighbours, and nan for a single example, which has none.
    Žliobaitė (2014), Definition 2. `order` and errors are those of `total_neighbor_distance`.

    >>> round(neighbor_distance([0, 2, 1, 3]), 4)
    1.6667
    """
    indices = as_order(order)
    return int(_total(indices)) / (indices.size - 1) if indices.size > 1 else float("nan")


@kernel
def _total(order):  # type: ignore[no-untyped-def]
    total = 0
    for i in range(order.size - 1):
        total += abs(order[i + 1] - order[i])
    return total


def distances(order: ArrayLike) -> dict[str, int]:
    r"""Nine distances of `order` from the original order, by name.

    With :math:`\pi(i)` for ``order[i]``, counted from 0:

    - kendall: inversions, the number of pairs i < j with :math:`\pi(j) < \pi(i)`
    - precede: the same
    - spearman: :math:`\sum_i (\pi(i) - i)^2`
    - position: :math:`\sum_i |\pi(i) - i|`
    - adjacent: original neighbours that are separated, n - 1 minus the number of i with
      :math:`|\pi(i+1) - \pi(i)| = 1`
    - exchange: exchanges of any two examples that restore the original order, n minus the number
      of cycles
    - hamming: examples that moved, the number of i with :math:`\pi(i) \ne i`
    - rising_sequences: one less than there are, the number of i with
      :math:`\pi^{-1}(i) > \pi^{-1}(i+1)`
    - runs: one less than there are, the number of i with :math:`\pi(i) > \pi(i+1)`

    All are 0 for the original order, never negative, and exact for every n. The paper prints them
    up to constants, and three of them otherwise: its adjacent distance sums over all pairs i < j,
    which gives the constant -(n - 1) for every order; its hamming distance counts the examples that
    did not move; its rising sequences and runs are negative.

    Kendall takes a time of :math:`O(n \log n)`, all others O(n), and memory is O(n). `order` has
    shape (n,) and holds each of 0..n-1 once; anything else raises ValueError.

    >>> distance = distances([4, 5, 6, 7, 0, 1, 2, 3])
    >>> distance["kendall"], distance["adjacent"], distance["runs"]
    (16, 1, 1)
    """
    indices = as_order(order)
    n = indices.size
    inverse = np.empty(n, np.int64)
    inverse[indices] = np.arange(n)
    sums = np.zeros(4, np.int64)
    _add_moves(indices, sums)
    high, low, position, moved = sums.tolist()
    inversions = int(_inversions(indices.copy(), np.empty(n, np.int64)))
    return {
        "kendall": inversions,
        "precede": inversions,
        "spearman": (high << BITS) + low,
        "position": position,
        "adjacent": int(_separated(indices)),
        "exchange": n - int(_cycles(indices, np.zeros(n, np.bool_))),
        "hamming": moved,
        "rising_sequences": int(_descents(inverse)),
        "runs": int(_descents(indices)),
    }


@kernel
def _add_moves(order, sums):  # type: ignore[no-untyped-def]
    """Add the squares (their upper and their lower halves), the distances, and a 1 per move."""
    for i in range(order.size):
        move = abs(order[i] - i)
        sums[0] += (move * move) >> BITS
        sums[1] += (move * move) & HALF
        sums[2] += move
        sums[3] += move > 0


@kernel
def _separated(order):  # type: ignore[no-untyped-def]
    count = 0
    for i in range(order.size - 1):
        count += abs(order[i + 1] - order[i]) != 1
    return count


@kernel
def _descents(order):  # type: ignore[no-untyped-def]
    count = 0
    for i in range(order.size - 1):
        count += order[i] > order[i + 1]
    return count


@kernel
def _cycles(order, seen):  # type: ignore[no-untyped-def]
    count = 0
    for i in range(order.size):
        count += not seen[i]
        while not seen[i]:
            seen[i] = True
            i = order[i]
    return count


@kernel
def _inversions(order, left):  # type: ignore[no-untyped-def]
    """Inversions, counted by a merge sort of `order`; `left`, (n,), is scratch."""
    count, width = 0, 1
    while width < order.size:
        for start in range(0, order.size - width, 2 * width):
            middle, end = start + width, min(start + 2 * width, order.size)
            if order[middle - 1] < order[middle]:
                continue
            for i in range(width):
                left[i] = order[start + i]
            i, j = 0, middle
            for out in range(start, end):
                if i == width:
                    break
                if j < end and order[j] < left[i]:
                    order[out] = order[j]
                    count += width - i
                    j += 1
                else:
                    order[out] = left[i]
                    i += 1
        width *= 2
    return count
