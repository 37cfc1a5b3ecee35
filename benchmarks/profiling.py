"""Part `profile`: where the time goes, of each learner on each stream that misses a target.

The whole run is taken apart: what a call costs before its first example; learning alone, on a
state of its own; and predicting, which is the rest
(with what temporal learners do to the arrays). Beside stand what a loop costs that only
counts classes, what naive Bayes costs when nothing is done but its arithmetic, and, for trees,
what looking for splits takes: one look at each leaf that learns, times the looks at so many
examples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import tables
from cases import CASES
from timing import clock

import data
from repro import Stream, prequential
from repro.kernels.compiling import kernel
from repro.kernels.states import member
from repro.learners import Learner, Majority, Temporal
from repro.learners._tree import find_split
from repro.learners.verbs import learn

REPEATS = 0.1  # seconds of each measurement


def measure(results: pd.DataFrame) -> pd.DataFrame:
    """One row per stream and learner that misses a target in `results`, times in nanoseconds."""
    rows = []
    missed = tables.missed(results)
    for (stream_name, name), _ in missed.groupby(["stream", "learner"], sort=False):
        stream = data.make(stream_name)
        if stream is None:
            continue
        print(f"  {stream_name}: {name}", flush=True)
        chosen = (results["stream"] == stream_name) & (results["learner"] == name)
        part = data.first(stream, int(results.loc[chosen, "n"].iloc[0]))
        key = {"stream": stream_name, "learner": name, "n": len(part)}
        rows.append({**key, **_wanted(results[chosen], name), **_times(CASES[name].ours, part)})
    return pd.DataFrame(rows)


def _wanted(part: pd.DataFrame, name: str) -> dict[str, float]:
    """What the others took, and what ours may take for that."""
    case, rates = CASES[name], tables.rates_by_round(part)
    moa, river = 1e9 / rates["MOA"].median(), 1e9 / rates["river"].median()
    wanted = np.nanmin([moa / case.least_moa, river / case.least_river])
    return {"moa": moa, "river": river, "wanted": wanted}


def _times(learner: Learner | Temporal, stream: Stream) -> dict[str, float]:
    n, one = len(stream), stream.take([0])
    whole = _clock(lambda: prequential(learner, stream, proba=False)) / n
    call = _clock(lambda: prequential(learner, one, proba=False)) / n
    loop = _clock(lambda: prequential(Majority(), stream, proba=False)) / n
    learner = learner.base if isinstance(learner, Temporal) else learner
    begun = _clock(lambda: _learn_all(learner.start(stream.schema), stream.X[:1], stream.y[:1]))
    state = learner.start(stream.schema)
    _learn_all(state, stream.X, stream.y)
    again = _clock(lambda: _learn_all(learner.start(stream.schema), stream.X, stream.y))
    learning = max(0.0, again - begun) / n
    times = {"whole": whole, "call": call, "learning": learning}
    times |= {"predicting": max(0.0, whole - call - learning), "counting": loop}
    bayes = _arithmetic(stream) if "Bayes" in repr(learner) or "'nb" in repr(learner) else np.nan
    return times | {"bayes": bayes, "splits": _splits(learner, state)}


def _clock(function: Any) -> float:
    function()
    return 1e9 * clock(function, REPEATS)


def _splits(learner: Learner, state: Any) -> float:
    """Nanoseconds per example that go into looking for splits; nan without trees."""
    tree, base, copies = state, learner, 1.0
    if hasattr(learner, "n_members"):
        tree, base = member(state.members, 0), learner.base
        copies = learner.n_members * getattr(learner, "rate", 1.0)
    if not hasattr(base, "grace_period"):
        return float("nan")
    looks = _look_everywhere(tree)
    return copies * _clock(lambda: _look_everywhere(tree)) / max(1, looks) / base.grace_period


def _arithmetic(stream: Stream) -> float:
    """Nanoseconds of one naive Bayes vote, for the classes there are, with nothing around it."""
    X, K = stream.X, len(np.unique(stream.y))
    rng = np.random.default_rng(0)
    centres, factors, out = rng.random((K, X.shape[1])), rng.random((K, X.shape[1])), np.zeros(K)
    nominal = np.array(stream.schema.nominal) > 0
    counts = rng.random((X.shape[1], max(1, *stream.schema.nominal), K))
    inverses = rng.random((X.shape[1], K))
    numeric, columns = np.flatnonzero(~nominal), np.flatnonzero(nominal)
    arrays = numeric, columns, centres, factors, counts, inverses, out
    return _clock(lambda: _bayes_only(X, *arrays)) / len(X)


@kernel
def _learn_all(state, X, y):  # type: ignore[no-untyped-def]
    for i in range(y.size):
        learn(state, X[i], y[i], 1.0)


@kernel
def _look_everywhere(tree):  # type: ignore[no-untyped-def]
    looks = 0
    for slot in range(tree.header[1]):
        leaf = tree.owner[slot]
        if leaf >= 0 and tree.nodes[leaf].slot == slot and tree.nodes[leaf].attribute < 0:
            find_split(tree, leaf)
            looks += 1
    return looks


@kernel
def _bayes_only(  # type: ignore[no-untyped-def]
    X, numeric, columns, centres, factors, counts, inverses, out
):
    total = 0.0
    for i in range(X.shape[0]):
        for k in range(out.size):
            distance = 0.0
            for j in range(numeric.size):
                step = X[i, numeric[j]] - centres[k, j]
                distance += step * step * factors[k, j]
            out[k] = np.exp(-distance) if numeric.size > 0 else 1.0
        for j in range(columns.size):
            row, inverse = counts[columns[j], int(X[i, columns[j]])], inverses[columns[j]]
            for k in range(out.size):
                out[k] *= (row[k] + 1.0) * inverse[k]
        total += out[0]
    return total
