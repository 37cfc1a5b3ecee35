"""Weights of classes: their sum, the class with the most, their shares.

Functions of this package, since numba would compile its own `sum` and `argmax` anew for each
learner, with all that they can do, and could not inline them.
"""

from __future__ import annotations

from repro.kernels.compiling import kernel

__all__ = ["as_shares", "predicted", "total_weight"]


@kernel
def total_weight(weights):  # type: ignore[no-untyped-def]
    """The sum of `weights` (K,), added from the first to the last."""
    total = 0.0
    for k in range(weights.size):
        total += weights[k]
    return total


@kernel
def predicted(weights):  # type: ignore[no-untyped-def]
    """The class with the most of `weights` (K,), votes or counts; the lowest of equals."""
    best, most = 0, weights[0]
    for k in range(1, weights.size):
        if weights[k] > most:
            best, most = k, weights[k]
    return best


@kernel
def as_shares(votes):  # type: ignore[no-untyped-def]
    """Divide `votes` (K,) by their sum, in place; equal shares when it is 0."""
    total = total_weight(votes)
    for k in range(votes.size):
        votes[k] = votes[k] / total if total > 0 else 1.0 / votes.size
