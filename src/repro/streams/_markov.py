"""Markov chains of labels with the priors `pi` (K,) and the transitions `A` (K, K)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

__all__ = ["best_accuracy", "most_frequent_accuracy", "on_line", "power", "stationary", "walk"]

FEW = 1_000  # up to this power the rows keep the sum 1 to ten digits or more


def stationary(A: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distribution pi = pi A, (K,)."""
    equations = np.vstack([A.T - np.eye(len(A)), np.ones(len(A))])
    pi = np.linalg.lstsq(equations, np.append(np.zeros(len(A)), 1.0), rcond=None)[0]
    return np.maximum(pi, 0) / np.maximum(pi, 0).sum()


def walk(
    pi: NDArray[np.float64], A: NDArray[np.float64], u: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Labels of a chain that starts in `pi`, each from one of the uniform numbers `u` (n,)."""
    last = len(A) - 1
    rows = [np.cumsum(row).searchsorted(u, side="right") for row in A]
    nexts = np.minimum(np.column_stack(rows), last).tolist()
    label = min(int(np.cumsum(pi).searchsorted(u[0], side="right")), last)
    labels = [label]
    for options in nexts[1:]:
        label = options[label]
        labels.append(label)
    return np.array(labels, dtype=np.int64)


def power(A: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """`A` to the power of `steps`; high powers are normalised, because of rounding."""
    return np.linalg.matrix_power(A, steps) if steps <= FEW else _normalised_power(A, steps)


def _normalised_power(A: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    result = np.eye(len(A))
    while steps:
        if steps % 2:
            result = result @ A
            result /= result.sum(axis=1, keepdims=True)
        A = A @ A
        A /= A.sum(axis=1, keepdims=True)
        steps //= 2
    return result


def most_frequent_accuracy(pi: NDArray[np.float64], A: NDArray[np.float64], window: int) -> float:
    """Accuracy of the most frequent of the last `window` labels, summed over all sequences."""
    K = len(A)
    sequences = np.indices((K,) * window).reshape(window, -1)
    weights = pi[sequences[0]] * A[sequences[:-1], sequences[1:]].prod(axis=0)
    counts = (sequences == np.arange(K)[:, np.newaxis, np.newaxis]).sum(axis=1)
    return float(weights @ A[sequences[-1], counts.argmax(axis=0)])


def on_line(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Positions of `means` (K, d) along the line they lie on, (K,); ValueError without a line."""
    centred = means - means.mean(axis=0)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    if (sizes[1:] > 1e-9 * max(sizes[0], 1e-300)).any():
        raise ValueError(f"means must lie on a line for an exact error; got {means.tolist()}")
    return np.asarray(centred @ directions[0])


def best_accuracy(weights: NDArray[np.float64], means: NDArray[np.float64]) -> float:
    """Accuracy of the best decision between unit Gaussians on a line; both arguments (K,)."""
    classes = [k for k in range(len(weights)) if weights[k] > 0]
    right = 0.0
    for k in classes:
        low, high = -np.inf, np.inf
        for j in classes:
            gap, ratio = means[k] - means[j], np.log(weights[j] / weights[k])
            if gap:  # the classes are equally likely at this point
                bound = (means[k] + means[j]) / 2 + ratio / gap
                low, high = (max(low, bound), high) if gap > 0 else (low, min(high, bound))
            elif ratio > 0 or (ratio == 0 and j < k):
                high = -np.inf  # class j has the same mean and is preferred everywhere
        right += weights[k] * max(0.0, ndtr(high - means[k]) - ndtr(low - means[k]))
    return float(right)
