r"""The scores of an order of blocks that `find_changes` tests: how much it looks like changes."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from repro.kernels.compiling import kernel

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
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The scores of the columns of `means`: (R, widths, splits), (R, widths, c), (R, distances, c).

    The first are the largest of all columns, the second the largest of all splits.
    """
    # In units of its largest number, by a power of two, a column of any size is finite and exact.
    exponent = np.frexp(np.abs(means[orders[0]]).max(axis=0))[1]
    means = np.ldexp(means, -exponent)
    part = means[orders[0]]
    spread = part.std(axis=0)
    z = (means - part.mean(axis=0)) / np.where(spread > 1e-12, spread, np.inf)
    (R, m), c = orders.shape, means.shape[1]
    windows, apart = _windows(m), _distances(m)
    of_splits = np.zeros((R, *windows.shape[:2]))
    of_columns, distances = np.zeros((R, len(windows), c)), np.zeros((R, apart.size, c))
    _score_columns(
        np.ascontiguousarray(z), orders, windows, apart, np.zeros((m + 1, c)),
        of_splits, of_columns, distances,
    )  # fmt: skip
    return of_splits, of_columns, distances


@kernel
def _score_columns(  # type: ignore[no-untyped-def]
    z, orders, windows, apart, sums, of_splits, of_columns, distances
):
    R, m = orders.shape
    c = z.shape[1]
    for r in range(R):
        order = orders[r]
        for i in range(m):
            for j in range(c):
                sums[i + 1, j] = sums[i, j] + z[order[i], j]
        for w in range(windows.shape[0]):
            for s in range(windows.shape[1]):
                start, split, end = windows[w, s]
                a, b = split - start, end - split
                weight = np.sqrt(a * b / (a + b))
                for j in range(c):
                    before = (sums[split, j] - sums[start, j]) / a
                    score = abs(before - (sums[end, j] - sums[split, j]) / b) * weight
                    of_splits[r, w, s] = max(of_splits[r, w, s], score)
                    of_columns[r, w, j] = max(of_columns[r, w, j], score)
        for k in range(apart.size):
            pairs = m - apart[k]
            for i in range(pairs):
                for j in range(c):
                    product = z[order[i], j] * z[order[i + apart[k]], j]
                    distances[r, k, j] += product / pairs
            for j in range(c):
                distances[r, k, j] = abs(distances[r, k, j])


def scores_of_means(means: NDArray[np.float64]) -> Scores:
    r"""Scores of changes of the means (blocks, c): the largest of all columns.

    .. math:: \sqrt{\frac{a b}{a + b}}\, |\bar z_{before} - \bar z_{after}|
              \qquad \frac{1}{m - \ell} \bigl|\sum_i z_i z_{i + \ell}\bigr|

    for a blocks before and b after a split in a window, and for blocks a distance :math:`\ell`
    apart; the columns z have mean 0 and standard deviation 1 over the m blocks.
    """

    def scores(orders: Indices) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        of_splits, _, distances = column_scores(means, orders)
        return of_splits, distances.max(axis=2)

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
        part, d = orders[0], np.zeros(losses.shape)
        d[np.ix_(part, part)] = _interaction(losses[np.ix_(part, part)])
        R, m = orders.shape
        windows, apart = _windows(m), _distances(m)
        splits, distances = np.zeros((R, *windows.shape[:2])), np.zeros((R, apart.size))
        _score_losses(d, orders, windows, apart, np.zeros((m + 1, m + 1)), splits, distances)
        return splits, distances

    return scores


@kernel
def _score_losses(d, orders, windows, apart, sums, splits, distances):  # type: ignore[no-untyped-def]
    R, m = orders.shape
    for r in range(R):
        order = orders[r]
        for i in range(m):
            total = 0.0
            for j in range(m):
                total += d[order[i], order[j]]
                sums[i + 1, j + 1] = sums[i, j + 1] + total
        for w in range(windows.shape[0]):
            for s in range(windows.shape[1]):
                start, split, end = windows[w, s]
                a, b = split - start, end - split
                across = _inside(sums, start, split, split, end) / (a * b)
                within = _inside(sums, start, split, start, split)
                within += _inside(sums, split, end, split, end)
                within /= a * (a - 1) + b * (b - 1)
                splits[r, w, s] = (across - within) * np.sqrt(a * b / (a + b))
        for k in range(apart.size):
            pairs = m - apart[k]
            for i in range(pairs):
                distances[r, k] += d[order[i], order[i + apart[k]]] / pairs
            distances[r, k] = abs(distances[r, k])


@kernel
def _inside(sums, a, b, c, e):  # type: ignore[no-untyped-def]
    """The sum of the rows `a` to `b` and columns `c` to `e`."""
    return sums[b, e] - sums[a, e] - sums[b, c] + sums[a, c]


def _windows(m: int) -> Indices:
    """Start, split and end (widths, splits, 3) of windows: all `m` blocks, then ever fewer."""
    s = np.arange(LEAST, m - LEAST + 1)
    widths = m, *(2**k for k in range(m.bit_length(), 0, -1) if 2 * 2**k < m)
    parts = [(np.maximum(s - width, 0), s, np.minimum(s + width, m)) for width in widths]
    return np.ascontiguousarray(np.moveaxis(np.array(parts), 1, 2))


def _distances(m: int) -> Indices:
    """Distances between blocks at which their likeness is looked at: 1, 2, 4, ... below m / 2."""
    return np.array([2**k for k in range(m.bit_length()) if 2 * 2**k < m], np.int64)


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
