"""How far an order moves neighbours apart: TND and AND of Žliobaitė (2014), Sec. 4.1."""

from __future__ import annotations

from numpy.typing import ArrayLike

from repro.kernels.compiling import kernel
from repro.permutations._arguments import as_order

__all__ = ["neighbor_distance", "total_neighbor_distance"]


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
