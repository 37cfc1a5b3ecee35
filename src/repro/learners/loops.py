"""Compiled loops over examples, for the state of any learner."""

from __future__ import annotations

from repro.kernels.compiling import kernel
from repro.learners.verbs import alarmed, as_shares, learn, learn_predicted, predicted, votes

__all__ = [
    "learn_block",
    "learn_weighted_block",
    "predict_block",
    "shares_block",
    "test_then_train",
    "test_then_train_delayed",
]


@kernel
def test_then_train(  # type: ignore[no-untyped-def]
    state, X, y, y_pred, scratch, shares, is_alarm
):
    """Predict each of the examples `X` (n, d), then learn it with its label in `y` (n,).

    `scratch` has shape (K,). The loop fills `y_pred` (n,), `shares` (n, K) unless it is (0, K), and
    `is_alarm` (n,): whether learning the example raised an alarm.
    """
    for i in range(y.size):
        votes(state, X[i], scratch)
        _record(i, y_pred, scratch, shares)
        learn_predicted(state, X[i], y[i], 1.0)
        is_alarm[i] = alarmed(state)


@kernel
def test_then_train_delayed(  # type: ignore[no-untyped-def]
    state, X, y, start, stop, order, arrivals, y_pred, scratch, shares, is_alarm
):
    """Predict the examples `start` to `stop`, and learn labels as they arrive.

    As `test_then_train`, with all examples of a stream in the arrays; `order` (n,) and `arrivals`
    (n,) are those of `repro.streams.label_delay.schedule`, and `is_alarm` is in the order in which
    labels arrive.
    """
    learned = arrivals[start - 1] if start > 0 else 0
    for i in range(start, stop):
        votes(state, X[i], scratch)
        _record(i, y_pred, scratch, shares)
        while learned < arrivals[i]:
            learn(state, X[order[learned]], y[order[learned]], 1.0)
            is_alarm[learned] = alarmed(state)
            learned += 1


@kernel
def _record(i, y_pred, scratch, shares):  # type: ignore[no-untyped-def]
    y_pred[i] = predicted(scratch)
    if shares.shape[0] > 0:
        for k in range(scratch.size):
            shares[i, k] = scratch[k]
        as_shares(shares[i])


@kernel
def learn_block(state, X, y):  # type: ignore[no-untyped-def]
    """Learn the examples `X` (m, d) with the labels `y` (m,)."""
    for i in range(y.size):
        learn(state, X[i], y[i], 1.0)


@kernel
def learn_weighted_block(state, X, y, weights):  # type: ignore[no-untyped-def]
    """Learn the examples `X` (m, d) with the labels `y` (m,) and `weights` (m,) >= 0.

    An example of weight 0 changes nothing.
    """
    for i in range(y.size):
        if weights[i] > 0.0:
            learn(state, X[i], y[i], weights[i])


@kernel
def predict_block(state, X, y_pred, scratch):  # type: ignore[no-untyped-def]
    """Fill `y_pred` (m,) with the predicted labels of the examples `X` (m, d).

    `scratch` has shape (K,).
    """
    for i in range(y_pred.size):
        votes(state, X[i], scratch)
        y_pred[i] = predicted(scratch)


@kernel
def shares_block(state, X, shares):  # type: ignore[no-untyped-def]
    """Fill `shares` (m, K) with the shares of the votes for the examples `X` (m, d)."""
    for i in range(X.shape[0]):
        votes(state, X[i], shares[i])
        as_shares(shares[i])
