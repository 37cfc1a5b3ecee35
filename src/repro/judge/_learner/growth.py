"""How memory and time of a learner grow along a stream."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro.evaluation.prequential import prequential
from repro.interop.adapting import adapt
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.streams.stream import Stream

__all__ = ["LONGEST", "Growth", "growth_along"]

LONGEST = 10_000  # examples
PARTS = 20


class Growth(NamedTuple):
    """Memory and time of a learner after each part of a stream; nan where it is unknown."""

    examples: NDArray[np.int64]  # learned, (parts,)
    size: NDArray[np.float64]  # bytes after each part
    seconds: NDArray[np.float64]  # for predicting and learning an example of the part


def growth_along(learner: Any, stream: Stream, seed: int) -> Growth:
    """The growth of `learner` along the first 10 000 examples of `stream`.

    A model of another library is pickled after each part; sizes are nan if it cannot be. All is nan
    for a learner that fails, and for one that needs the whole stream at once.
    """
    edges = np.linspace(0, min(len(stream), LONGEST), PARTS + 1).astype(np.int64)
    edges = np.unique(edges)
    parts = [stream.take(np.arange(a, b)) for a, b in pairwise(edges)]
    unknown = np.full(len(parts), np.nan)
    if isinstance(learner, Temporal):
        return Growth(edges[1:], unknown, unknown)
    of_kind = _of_ours if isinstance(learner, Learner) else _of_another
    try:
        size, seconds = of_kind(learner, parts, seed)
    except Exception:  # its runs say why
        return Growth(edges[1:], unknown, unknown)
    return Growth(edges[1:], size, seconds / np.diff(edges))


Costs = tuple[NDArray[np.float64], NDArray[np.float64]]


def _of_ours(learner: Learner, parts: list[Stream], seed: int) -> Costs:
    stamps: list[float] = []

    def stamped() -> Iterator[Stream]:
        for part in parts:  # asked for when the one before it is done
            stamps.append(time.perf_counter())
            yield part

    prequential(learner, parts[0], seed, proba=False)  # compiles
    run = prequential(learner, stamped(), seed, every=len(parts[0]))
    stamps.append(time.perf_counter())
    growth = run.growth or {}
    ends = np.cumsum([len(part) for part in parts])
    return np.interp(ends, growth["examples"], growth["state_bytes"]), np.diff(stamps)


def _of_another(learner: Any, parts: list[Stream], seed: int) -> Costs:
    model = adapt(learner, parts[0].schema, seed)
    size, seconds = np.full(len(parts), np.nan), np.empty(len(parts))
    for i, part in enumerate(parts):
        begin = time.perf_counter()
        if i:  # before its first label a model may have nothing to predict with
            model.predict(part.X)
        model.learn(part.X, part.y, np.arange(len(part)), 1)
        seconds[i] = time.perf_counter() - begin
        try:
            size[i] = len(pickle.dumps(model.model))
        except Exception:  # it cannot be pickled
            size[i] = np.nan
    return size, seconds
