"""Expected neighbour distances as the paper prints them, with their faults."""

from __future__ import annotations

from repro.permutations.kinds import as_strength

__all__ = ["printed_neighbor_distance"]


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
