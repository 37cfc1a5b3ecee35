r"""Orders around the original one, more or less far from it: the Mallows model.

.. math:: P(\text{order}) = \phi^{d} / Z,\quad Z = \prod_{m=1}^{n} (1 + \phi + \dots + \phi^{m-1})

where :math:`\phi` is the `dispersion` and :math:`d` the Kendall distance of the order, which is its
number of inversions. The model is that of Mallows (1957), Non-null ranking models I. Orders are
drawn by repeated insertion (Doignon, Pekeč and Regenwetter 2004), and the parameter is that of Lu
and Boutilier (2014), Effective sampling and learning for Mallows models with pairwise-preference
data.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import check_probability
from repro.kernels.compiling import kernel
from repro.permutations.kinds import check_length

__all__ = ["expected_kendall", "mallows_permutation"]


def mallows_permutation(n: int, dispersion: float, seed: int = 0) -> NDArray[np.int64]:
    r"""An order whose probability falls by the factor `dispersion` with each inversion.

    Position i is inserted into the order of the positions 0..i-1 so that v of them follow it, with
    probability proportional to ``dispersion ** v``. The result has shape (n,).

    Parameters
    ----------
    n : number of examples, >= 1.
    dispersion : in [0, 1]; 0 gives the original order, 1 makes all orders equally likely.
    seed : seed of the random numbers, >= 0.

    Raises ValueError for an argument outside its range.

    >>> mallows_permutation(10, dispersion=0.5).tolist()
    [0, 2, 4, 1, 3, 8, 6, 9, 5, 7]
    """
    uniform = seeds.generator(seed, "permutation", "mallows").random(check_length(n))
    dispersion = check_probability(dispersion, name="dispersion")
    order = np.arange(n, dtype=np.int64)
    place = order.copy()
    if dispersion > 0:
        _insert(uniform, math.log(dispersion), place)
        _merge_insertions(place, order, np.empty_like(place), np.empty_like(order))
    return order


def expected_kendall(n: int, dispersion: float) -> float:
    r"""Expected Kendall distance of `mallows_permutation`, exact.

    .. math:: E(d) = \sum_{m=1}^{n} \left(\frac{\phi}{1-\phi} - \frac{m \phi^m}{1-\phi^m}\right)

    where :math:`\phi` is the `dispersion`; for 1 it is :math:`n(n-1)/4`. Arguments and errors are
    those of `mallows_permutation`.

    >>> expected_kendall(10, 0.0), expected_kendall(10, 1.0)
    (0.0, 22.5)
    """
    m = np.arange(1, check_length(n) + 1, dtype=np.float64)
    dispersion = check_probability(dispersion, name="dispersion")
    if dispersion == 0:
        return 0.0
    rate = -math.log(dispersion)
    # The sum is that of h(rate) - m h(m rate), h(x) = 1 / (exp(x) - 1) - 1 / x, without the poles.
    return float(n * _without_pole(np.array([rate]))[0] - m @ _without_pole(m * rate))


def _without_pole(x: NDArray[np.float64]) -> NDArray[np.float64]:
    r""":math:`1 / (e^x - 1) - 1 / x` for x >= 0; by its series where the poles nearly cancel."""
    series = -1 / 2 + x / 12 - x**3 / 720 + x**5 / 30240 - x**7 / 1209600
    far = np.maximum(x, 0.1)
    with np.errstate(over="ignore"):
        return np.where(x < 0.1, series, 1 / np.expm1(far) - 1 / far)


@kernel
def _insert(uniform, log_dispersion, place):  # type: ignore[no-untyped-def]
    """Subtract from ``place[i]`` a geometric number truncated to 0..i, drawn by inversion."""
    for i in range(place.size):
        if log_dispersion == 0:
            later = int(uniform[i] * (i + 1))
        else:
            power = (i + 1) * log_dispersion
            share = np.expm1(power) if power > -40 else -1.0  # which it rounds to
            later = int(np.log1p(uniform[i] * share) / log_dispersion)
        place[i] -= min(later, i)


@kernel
def _merge_insertions(place, order, half_place, half_order):  # type: ignore[no-untyped-def]
    """Sort the elements `order`, (n,), by their place after all of them have been inserted.

    At the start ``place[i]`` is the place of element i right after its own insertion. Runs of
    elements are merged in pairs, as in a merge sort; `place` then holds the place of each element
    after the last insertion of its run, and increases within the run. Each element of the left run
    moves by the number of elements of the right run that end up before it. The last two arrays,
    (n,), are scratch.
    """
    width = 1
    while width < order.size:
        for left in range(0, order.size - width, 2 * width):
            middle, end = left + width, min(left + 2 * width, order.size)
            start = middle
            while start > left and place[start - 1] >= place[middle]:
                start -= 1
            for i in range(start, middle):
                half_place[i], half_order[i] = place[i], order[i]
            i, j = start, middle
            while i < middle:
                out, before = i + j - middle, j - middle
                if j < end and place[j] <= half_place[i] + before:
                    place[out], order[out] = place[j], order[j]
                    j += 1
                else:
                    place[out], order[out] = half_place[i] + before, half_order[i]
                    i += 1
        width *= 2
