"""Compiled loops over examples, for any state of a learner."""

from __future__ import annotations

from repro.kernels.compiling import kernel
from repro.learners.learner import as_shares, predicted
from repro.learners.verbs import alarmed, learn, votes

__all__ = ["count_errors", "learn_block", "test_then_train"]


@kernel
def test_then_train(  # type: ignore[no-untyped-def]
    state, X, y, start, stop, order, known, y_pred, out, shares, fired
):
    """Predict the examples `start` to `stop`, and learn labels as they arrive.

    `order`, `known`: see `repro.streams.label_delay.schedule`. Filled: `y_pred` (n,), `shares`
    (n, K) or (0, K), and `fired` (n,), whether learning the label raised an alarm.
    """
    learned = known[start - 1] if start > 0 else 0
    for i in range(start, stop):
        votes(state, X[i], out)
        y_pred[i] = predicted(out)
        if shares.shape[0] > 0:
            for k in range(out.size):
                shares[i, k] = out[k]
            as_shares(shares[i])
        while learned < known[i]:
            learn(state, X[order[learned]], y[order[learned]], 1.0)
            fired[learned] = alarmed(state)
            learned += 1


@kernel
def learn_block(state, X, y, start, stop):  # type: ignore[no-untyped-def]
    """Learn the examples `start` to `stop`."""
    for i in range(start, stop):
        learn(state, X[i], y[i], 1.0)


@kernel
def count_errors(state, X, y, out):  # type: ignore[no-untyped-def]
    """Number of the examples `X` (m, d) that are not predicted as their labels `y` (m,)."""
    wrong = 0
    for i in range(y.size):
        votes(state, X[i], out)
        wrong += predicted(out) != y[i]
    return wrong
