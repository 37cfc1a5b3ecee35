r"""The scores of an order of blocks that `find_changes` tests: how much it looks like changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEAST", "Scores", "column_scores", "scores_of_losses", "scores_of_means"]

LEAST = 2  # blocks before and after a change

Indices = NDArray[np.int64]


class Scores(Protocol):
    """Statistics of orders (R, m) of the same m blocks; large where the blocks change.

    They are of each width of a window at each split, (R, widths, m - 3), and of each distance
    between blocks, (R, distances).
    """

    def __call__(self, orders: Indices, /) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...


def column_scores(
    means: NDArray[np.float64], orders: Indices
) -> tuple[Iterator[NDArray[np.float64]], Iterator[NDArray[np.float64]]]:
    """The scores of each column of `means`: (R, splits, c) for each width, (R, c) a distance."""
    # In units of its largest number, by a power of two, a column of any size is finite and exact.
    exponent = np.frexp(np.abs(means[orders[0]]).max(axis=0))[1]
    means = np.ldexp(means, -exponent)
    part = means[orders[0]]
    spread = part.std(axis=0)
    z = ((means - part.mean(axis=0)) / np.where(spread > 1e-12, spread, np.inf))[orders]
    sums = np.concatenate([np.zeros_like(z[:, :1]), z.cumsum(axis=1)], axis=1)

    def cusum(start: Indices, split: Indices, end: Indices) -> NDArray[np.float64]:
        a, b = ((y - x)[:, np.newaxis] for x, y in ((start, split), (split, end)))
        gap = (sums[:, split] - sums[:, start]) / a - (sums[:, end] - sums[:, split]) / b
        return np.asarray(np.abs(gap) * np.sqrt(a * b / (a + b)))

    m = orders.shape[1]
    splits = (cusum(*window) for window in _windows(m))
    return splits, (np.abs((z[:, k:] * z[:, :-k]).mean(axis=1)) for k in _distances(m))


def scores_of_means(means: NDArray[np.float64]) -> Scores:
    r"""Scores of changes of the means (blocks, c): the largest of all columns.

    .. math:: \sqrt{\frac{a b}{a + b}}\, |\bar z_{before} - \bar z_{after}|
              \qquad \frac{1}{m - \ell} \bigl|\sum_i z_i z_{i + \ell}\bigr|

    for a blocks before and b after a split in a window, and for blocks a distance :math:`\ell`
    apart; the columns z have mean 0 and standard deviation 1 over the m blocks.
    """

    def scores(orders: Indices) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        splits, distances = column_scores(means, orders)
        each = [split.max(axis=2) for split in splits]
        return np.stack(each, axis=1), np.stack([d.max(axis=1) for d in distances], axis=1)

    return scores


def scores_of_losses(losses: NDArray[np.float64]) -> Scores:
    r"""Scores of changes of what is learned, from `losses` (b, c): learned on b, tested on c.

    .. math:: \sqrt{\frac{a b}{a + b}} \bigl(\overline{d}_{across} - \overline{d}_{within}\bigr)
              \qquad \bigl|\overline{d}_{\ell}\bigr|

    where d are the losses without the means of their rows and columns (how well block b teaches,
    how hard block c is): across a split and on the same side of it, with a blocks before and b
    after it in a window; and of pairs a distance :math:`\ell` apart. The first is large if models
    from the other side predict worse than models from the same side do, on the same examples.
    """

    def scores(orders: Indices) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        part = orders[0]
        d = np.zeros(losses.shape)
        d[np.ix_(part, part)] = _interaction(losses[np.ix_(part, part)])
        m, ordered = part.size, d[orders[:, :, None], orders[:, None, :]]
        apart = [
            np.abs(np.diagonal(ordered, k, axis1=1, axis2=2).mean(axis=1)) for k in _distances(m)
        ]
        sums = np.zeros((len(orders), m + 1, m + 1))
        sums[:, 1:, 1:] = ordered.cumsum(1).cumsum(2)

        def inside(a: Indices, b: Indices, c: Indices, e: Indices) -> NDArray[np.float64]:
            return np.asarray(sums[:, b, e] - sums[:, a, e] - sums[:, b, c] + sums[:, a, c])

        splits = []
        for start, split, end in _windows(m):
            a, b = split - start, end - split
            across = inside(start, split, split, end) / (a * b)
            within = inside(start, split, start, split) + inside(split, end, split, end)
            within /= a * (a - 1) + b * (b - 1)
            splits.append((across - within) * np.sqrt(a * b / (a + b)))
        return np.stack(splits, axis=1), np.stack(apart, axis=1)

    return scores


def _windows(m: int) -> list[tuple[Indices, Indices, Indices]]:
    """Start, split and end (splits,) of windows: all `m` blocks, then ever fewer to a side."""
    s = np.arange(LEAST, m - LEAST + 1)
    widths = m, *(2**k for k in range(m.bit_length(), 0, -1) if 2 * 2**k < m)
    return [(np.maximum(s - width, 0), s, np.minimum(s + width, m)) for width in widths]


def _distances(m: int) -> list[int]:
    """Distances between blocks at which their likeness is looked at: 1, 2, 4, ... below m / 2."""
    return [2**k for k in range(m.bit_length()) if 2 * 2**k < m]


def _interaction(losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Symmetric part of what is left of `losses` (m, m) without row and column means.

    The diagonal, where a model is tested on what it learned, is left out and 0.
    """
    m, off = len(losses), ~np.eye(len(losses), dtype=bool)
    d = np.where(off, losses, 0.0)
    # Least squares of d_bc = r_b + c_c off the diagonal, in closed form.
    total = d.sum() / (m * (m - 1))
    R, C = d.sum(axis=1) - (m - 1) * total, d.sum(axis=0) - (m - 1) * total
    rows, columns = (((m - 1) * u + v) / (m * (m - 2)) for u, v in ((R, C), (C, R)))
    left = np.where(off, d - total - rows[:, np.newaxis] - columns, 0.0)
    return np.asarray((left + left.T) / 2)
