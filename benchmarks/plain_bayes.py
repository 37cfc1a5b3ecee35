"""Plain loops for naive Bayes, and for naive Bayes that is retrained at drifts.

The numeric and the nominal columns of a stream are taken apart once, before its first example.
Several models are rows of the same arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from repro import Stream
from repro.kernels.compiling import kernel
from repro.kernels.states import blank

LOG_SQRT_2_PI = 0.5 * np.log(2 * np.pi)
STABLE, WARNING, DRIFT = range(3)


class Bayes(NamedTuple):
    """S models for K classes, d numeric and c nominal attributes with V values in all."""

    weights: np.ndarray  # (S, K)
    peak: np.ndarray  # (S, K) log densities of the numeric attributes at their means
    mean: np.ndarray  # (S, K, d)
    squares: np.ndarray  # (S, K, d)
    precision: np.ndarray  # (S, K, d)
    counts: np.ndarray  # (S, V, K) of the values of nominal attributes
    shown: np.ndarray  # (S, c, K) number of values: the highest code shown, plus 1
    inverse: np.ndarray  # (S, c, K) 1 / (weight + shown)
    first: np.ndarray  # (c + 1,) where the values of each nominal attribute begin in `counts`


def columns(stream: Stream) -> tuple[np.ndarray, np.ndarray]:
    """Numeric columns (n, d), and codes of the nominal ones (n, c) as integers."""
    nominal = np.array(stream.schema.nominal) > 0
    n, d, c = len(stream), nominal.size - nominal.sum(), nominal.sum()
    X = np.empty((n, d)) if c else stream.X
    codes = np.empty((n, c), np.int64)
    if c:
        _take_apart(stream.X, np.flatnonzero(~nominal), np.flatnonzero(nominal), X, codes)
    return X, codes


@kernel
def _take_apart(whole, numeric, nominal, X, codes):
    for i in range(whole.shape[0]):
        for j in range(numeric.size):
            X[i, j] = whole[i, numeric[j]]
        for j in range(nominal.size):
            codes[i, j] = int(whole[i, nominal[j]])


def empty(stream: Stream, S: int) -> Bayes:
    """Many trees need few of their slots; zeros of numpy would clear huge pages for the first."""
    values = np.array([v for v in stream.schema.nominal if v], dtype=np.int64)
    K, c, first = stream.n_classes, values.size, np.append(0, values.cumsum())
    numbers, shown = blank((3, S, K, stream.X.shape[1] - c)), blank((2, S, c, K))
    return Bayes(*blank((2, S, K)), *numbers, blank((S, first[-1], K)), *shown, first)


@kernel
def densities(b, s, prior, x, codes, out):
    """Prior x densities of model `s`; a class that it has not seen has none."""
    highest = 0.0
    for k in range(out.size):
        out[k] = -np.inf
        if prior[k] > 0 and b.weights[s, k] > 0:
            total = 0.0
            for j in range(x.size):
                step = x[j] - b.mean[s, k, j]
                if b.precision[s, k, j] > 0:
                    total += step * step * b.precision[s, k, j]
                elif step != 0:
                    total = np.inf
                    break
            out[k] = b.peak[s, k] - 0.5 * total
            highest = max(highest, out[k] - 600)
    for k in range(out.size):
        if x.size > 0:
            out[k] = prior[k] * np.exp(out[k] - highest) if out[k] > -np.inf else 0.0
        else:
            out[k] = prior[k] if out[k] > -np.inf else 0.0
    for j in range(codes.size):
        row = b.first[j] + codes[j]
        counts, inverse = b.counts[s, row], b.inverse[s, j]
        for k in range(out.size):
            out[k] *= (counts[k] + 1.0) * inverse[k]


@kernel
def observe(b, s, x, codes, c, weight):
    """Let model `s` learn an example of class `c`."""
    total = b.weights[s, c] + weight
    b.weights[s, c] = total
    if x.size > 0:
        for j in range(x.size):
            step = x[j] - b.mean[s, c, j]
            b.mean[s, c, j] = x[j] if total == weight else b.mean[s, c, j] + weight * step / total
            b.squares[s, c, j] += weight * step * (x[j] - b.mean[s, c, j])
        b.peak[s, c] = constants(total, b.squares[s, c], b.precision[s, c])
    count_codes(b, s, codes, c, weight, total)


@kernel
def count_codes(b, s, codes, c, weight, total):
    for j in range(codes.size):
        b.counts[s, b.first[j] + codes[j], c] += weight
        b.shown[s, j, c] = max(b.shown[s, j, c], codes[j] + 1.0)
        b.inverse[s, j, c] = 1.0 / (total + b.shown[s, j, c])


@kernel
def constants(count, squares, precision):
    """Fill `precision`; the log density at the means, with one logarithm for many factors."""
    peak, product = 0.0, 1.0
    for j in range(squares.size):
        precision[j] = 0.0
        if count > 1 and squares[j] > 0:
            precision[j] = (count - 1) / squares[j]
            peak -= LOG_SQRT_2_PI
            product *= precision[j]
            if not 1e-30 < product < 1e30:
                peak += 0.5 * np.log(product)
                product = 1.0
    return peak + 0.5 * np.log(product)


@kernel
def forget(b, s):
    b.weights[s], b.peak[s] = 0.0, 0.0
    b.mean[s], b.squares[s], b.precision[s] = 0.0, 0.0, 0.0
    b.counts[s], b.shown[s], b.inverse[s] = 0.0, 0.0, 0.0


def naive_bayes(stream: Stream) -> np.ndarray:
    y_pred, votes = np.empty(len(stream), np.int64), np.zeros(stream.n_classes)
    _naive_bayes(*columns(stream), stream.y, y_pred, empty(stream, 1), votes)
    return y_pred


@kernel
def _naive_bayes(X, codes, y, y_pred, b, votes):
    for i in range(y.size):
        densities(b, 0, b.weights[0], X[i], codes[i], votes)
        y_pred[i] = votes.argmax()
        observe(b, 0, X[i], codes[i], y[i], 1.0)


def drift_retraining(stream: Stream, early: bool) -> np.ndarray:
    """Replaced at the alarms of DDM, or of EDDM if `early`."""
    y_pred, votes = np.empty(len(stream), np.int64), np.zeros(stream.n_classes)
    seen, lowest = np.zeros(7), np.full(2, np.inf)
    _drift_retraining(
        *columns(stream), stream.y, y_pred, empty(stream, 2), votes, early, seen, lowest
    )
    return y_pred


@kernel
def _drift_retraining(X, codes, y, y_pred, b, votes, early, seen, lowest):
    used, growing = 0, False
    for i in range(y.size):
        densities(b, used, b.weights[used], X[i], codes[i], votes)
        y_pred[i] = votes.argmax()
        is_error = y_pred[i] != y[i]
        level = _eddm(is_error, seen) if early else _ddm(is_error, seen, lowest)
        if level == WARNING:
            observe(b, 1 - used, X[i], codes[i], y[i], 1.0)
            growing = True
        elif level == DRIFT:
            used = 1 - used
        if level == DRIFT or (level == STABLE and growing):
            forget(b, 1 - used)
            growing = False
        observe(b, used, X[i], codes[i], y[i], 1.0)


@kernel
def _ddm(is_error, seen, lowest):
    """`seen` are number and sum of the losses; `lowest` rate and deviation."""
    seen[0] += 1
    seen[1] += is_error
    n = seen[0]
    if n < 29:
        return STABLE
    p = seen[1] / n
    s = np.sqrt(max(p * (1 - p), 0.0) / n)
    if p + s <= lowest[0] + lowest[1]:
        lowest[0], lowest[1] = p, s
    if p + s > lowest[0] + 3.0 * lowest[1]:
        seen[:] = 0.0
        lowest[:] = np.inf
        return DRIFT
    return WARNING if p + s > lowest[0] + 2.0 * lowest[1] else STABLE


@kernel
def _eddm(is_error, seen):
    """`seen`: losses, the last error, errors, mean and squares of distances, largest, level."""
    seen[0] += 1
    if not is_error:
        return int(seen[6])
    seen[2] += 1
    distance = seen[0] - seen[1]
    seen[1] = seen[0]
    before = distance - seen[3]
    seen[3] += before / seen[2]
    seen[4] += before * (distance - seen[3])
    if seen[0] < 30:
        return STABLE
    reach = seen[3] + 2 * np.sqrt(seen[4] / seen[2])
    seen[5] = max(seen[5], reach)
    if seen[2] > 30 and reach < 0.9 * seen[5]:
        seen[:] = 0.0
        return DRIFT
    seen[6] = WARNING if seen[2] > 30 and reach < 0.95 * seen[5] else STABLE
    return int(seen[6])
