"""What is odd about the attributes of a stream: labels in other words, row numbers, copies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import check_kind
from repro.streams.stream import Stream

__all__ = ["AttributeChecks", "attribute_checks"]

MOST = 2**18  # examples that are looked at for the labels
BINS = 256  # of an attribute of numbers


class AttributeChecks(NamedTuple):
    """What `attribute_checks` finds; attributes are given by their columns."""

    #: accuracy of each attribute alone on the second half, learned from the first, shape (d,)
    alone: NDArray[np.float64]
    #: the same of the label of the next example, shape (d,)
    ahead: NDArray[np.float64]
    majority: float  #: accuracy of the most frequent label of the first half, on the second
    persistence: float  #: share of labels that equal the one before
    rising: tuple[int, ...]  #: attributes that rise, or fall, with every example
    constant: tuple[int, ...]  #: attributes of one value
    equal: tuple[tuple[int, int], ...]  #: pairs of attributes that are equal in all examples


def attribute_checks(stream: Stream) -> AttributeChecks:
    """Look for attributes that hold the label, number the rows, are constant or are copies.

    An attribute alone predicts the most frequent label of its value or, for numbers, of its bin of
    256 with equally many examples, and of the whole first half where that has no example of the
    bin. An attribute that holds the label of the next example gives it away to a learner that
    remembers. At most 262,144 evenly spaced examples are looked at for this; all are for the rest.

    Raises TypeError for what is not a `Stream`.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 2000)
    >>> X = np.column_stack([np.arange(2000.0), 5.0 - 3 * y, rng.random(2000), np.ones(2000)])
    >>> checks = attribute_checks(Stream(X, y))
    >>> checks.alone.round(1).tolist(), checks.rising, checks.constant
    ([0.5, 1.0, 0.5, 0.5], (0,), (3,))
    """
    check_kind(stream, Stream, name="stream")
    X, n = stream.X, len(stream)
    rows = np.arange(n) if n <= MOST else np.linspace(0, n - 1, MOST).astype(np.int64)
    y, half = stream.y[rows], rows.size // 2
    columns = range(X.shape[1])
    nominal = stream.schema.nominal
    alone = [_accuracy(X[rows, j], y, half, nominal[j]) for j in columns]
    before = rows[rows < n - 1]
    later, middle = stream.y[before + 1], before.size // 2
    ahead = [_accuracy(X[before, j], later, middle, nominal[j]) for j in columns]
    most = int(np.bincount(y[:half]).argmax()) if half else 0
    majority = float(np.mean(y[half:] == most))
    steps = (np.diff(X[:, j]) for j in columns)
    rising = [bool(n > 2 and ((d > 0).all() or (d < 0).all())) for d in steps]
    constant = [bool((X[:, j] == X[0, j]).all()) for j in columns]
    return AttributeChecks(
        np.array(alone),
        np.array(ahead),
        majority,
        float(np.mean(stream.y[1:] == stream.y[:-1])) if n > 1 else float("nan"),
        tuple(j for j in columns if rising[j]),
        tuple(j for j in columns if constant[j]),
        tuple(_equal(X, [j for j in columns if not constant[j]])),
    )


def _accuracy(x: NDArray[np.float64], y: NDArray[np.int64], half: int, values: int) -> float:
    """Accuracy of one attribute on the second half, learned from the first."""
    if not half:
        return float("nan")
    if values:
        codes = x.astype(np.int64)
    else:
        edges = np.unique(np.quantile(x[:half], np.linspace(0, 1, BINS + 1)[1:-1]))
        # Both sides of an edge: a value that is an edge may be one that many examples have.
        codes = np.searchsorted(edges, x, side="left") + np.searchsorted(edges, x, side="right")
    K, size = int(y.max()) + 1, int(codes.max()) + 1
    if size * K > 10**8:  # as many values as examples: nothing to learn
        return float("nan")
    counts = np.bincount(codes[:half] * K + y[:half], minlength=size * K).reshape(size, K)
    said = np.where(counts.any(axis=1), counts.argmax(axis=1), counts.sum(axis=0).argmax())
    return float(np.mean(said[codes[half:]] == y[half:]))


def _equal(X: NDArray[np.float64], columns: list[int]) -> list[tuple[int, int]]:
    """Pairs of equal `columns`, each with the first that it equals."""
    first: dict[int, int] = {}
    pairs = []
    for j in columns:
        key = int(pd.util.hash_array(np.ascontiguousarray(X[:, j])).sum(dtype=np.uint64))
        if key in first and np.array_equal(X[:, first[key]], X[:, j]):
            pairs.append((first[key], j))
        else:
            first.setdefault(key, j)
    return pairs
