"""Streams like the one at hand but without drift, and what tests say of each."""

# A module of its own: the keys of stored runs cover what it reaches.

from __future__ import annotations

from bisect import bisect
from typing import Any, NamedTuple

import numpy as np

from repro import seeds
from repro.detectors.adwin import ADWIN
from repro.detectors.ddm import DDM
from repro.detectors.eddm import EDDM
from repro.evaluation.prequential import prequential
from repro.learners.naive_bayes import NaiveBayes
from repro.statistics.drift import drift_test
from repro.streams.stream import Stream

__all__ = ["DETECTORS", "Drawn", "answers_on", "answers_without_drift", "without_drift"]

DETECTORS = {"DDM": DDM(), "EDDM": EDDM(), "ADWIN": ADWIN()}


class Drawn(NamedTuple):
    """A stream without drift: its seasons and length, and the seed and number that decide it."""

    season: int
    n: int
    seed: int
    number: int
    seasons: (
        tuple[tuple[int, ...], ...] | None
    )  # of each attribute of the stream that it is drawn from


def answers_without_drift(drawn: Drawn, stream: Stream) -> dict[str, Any]:
    """What tests say of a stream that is `drawn` from `stream`; see `answers_on`."""
    rng = seeds.generator(drawn.seed, "judge", "without drift", str(drawn.number))
    made = without_drift(stream, drawn.season, drawn.n, rng)
    return answers_on(made, drawn.season, drawn.seed, drawn.number, drawn.seasons)


def answers_on(
    stream: Stream,
    season: int,
    seed: int,
    number: int,
    seasons: tuple[tuple[int, ...], ...] | None = None,
) -> dict[str, Any]:
    """What tests say of `stream`, the one of this `number`, with the seasons of its attributes.

    Returns
    -------
    ``p_value``: the least of the drift test; 1 where it could not be made. ``alarms``: their number
    by the drift test, and by each of `DETECTORS` on the losses of naive Bayes.
    """
    rng = seeds.generator(seed, "judge", "orders", str(number))
    drift = drift_test(stream, rng, period=season, seasons=seasons)
    alarms = [sum(len(a.positions) + a.unplaced for a in drift.aspects.values())]
    loss = prequential(NaiveBayes(), stream, proba=False).loss
    alarms += [len(detector.alarms(loss)) for detector in DETECTORS.values()]
    p_value = np.nanmin([1.0, *(a.p_value for a in drift.aspects.values())])
    return {"p_value": float(p_value), "alarms": np.array(alarms)}


def without_drift(stream: Stream, season: int, n: int, rng: np.random.Generator) -> Stream:
    """`n` examples of `stream` in an order that has its dependence, but no drift.

    With a `season` the order is that of whole seasons, at random. Otherwise runs of equal labels
    follow each other: the class of the next by the transitions between runs of the stream, the run
    at random among those of its class, each before one comes again. Examples stay with their
    attributes, and in their order within a season or a run.
    """
    if season and len(stream) >= 2 * season:
        whole = len(stream) // season
        order = np.concatenate([rng.permutation(whole) for _ in range(-(-n // (whole * season)))])
        return stream.take((order[:, None] * season + np.arange(season)).reshape(-1)[:n])
    y = stream.y
    starts = np.flatnonzero(np.r_[True, y[1:] != y[:-1]])
    stops, kinds = np.r_[starts[1:], y.size], y[starts]
    K = int(y.max()) + 1
    after = np.bincount(kinds[:-1] * K + kinds[1:], minlength=K * K).reshape(K, K).astype(float)
    after[after.sum(axis=1) == 0] = np.bincount(kinds, minlength=K)  # the last class of the stream
    after /= after.sum(axis=1, keepdims=True)
    following = after.cumsum(axis=1).tolist()
    lengths = (stops - starts).tolist()
    left: list[list[int]] = [[] for _ in range(K)]
    kind, runs, size = int(rng.choice(kinds)), [], 0
    for u in rng.random(n):  # a run has an example or more
        if not left[kind]:
            left[kind] = rng.permutation(np.flatnonzero(kinds == kind)).tolist()
        runs.append(left[kind].pop())
        size += lengths[runs[-1]]
        if size >= n:
            break
        kind = min(bisect(following[kind], u), K - 1)  # a sum may end below 1
    return stream.take(np.concatenate([np.arange(starts[r], stops[r]) for r in runs])[:n])
