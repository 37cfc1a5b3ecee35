"""Runs of the learners on the streams, packed for the page as bits and numbers in base64."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.recorded import LEARNERS, STREAMS, STRENGTHS, Change, Recorded, changes
from repro import seeds
from repro.evaluation.prequential import prequential
from repro.explore.boundary import boundary, concept_at
from repro.streams import DriftingMixture, Permuted, Stream

__all__ = ["record"]

SEED = 0  #: of all streams, learners and orders
EVERY = 100  # examples from one drawing of the boundary to the next
MOST_DRIFTS = 100  # a stream with more drifts is one that drifts all the time
PAIRS, PAIR_LENGTH = 200, 1000  # equally good learners, and their losses
GAP = 65_535  #: stands for a point that is not there


def record(
    n: int, names: Mapping[str, Recorded] = STREAMS, learners: Mapping[str, Recorded] = LEARNERS
) -> dict[str, Any]:
    """All that the page needs to know, as JSON: streams of `n` examples, and what was predicted.

    Parameters
    ----------
    n : number of examples.
    names : the streams, by name.
    learners : the learners, by name.
    """
    return {
        "n": n,
        "every": EVERY,
        "strengths": {kind: [0, *_within(values, n)] for kind, values in STRENGTHS.items()},
        "draws": _draws(n),
        "pairs": {"count": PAIRS, "n": PAIR_LENGTH, "losses": pack_bits(equal_pairs().ravel())},
        "learners": {
            a: {"code": given.code, "about": given.about} for a, given in learners.items()
        },
        "streams": {b: _stream(given, n, learners) for b, given in names.items()},
    }


def equal_pairs() -> NDArray[np.bool_]:
    """Losses of pairs of learners that both err on 20 % of the examples, (pairs, 2, n)."""
    return seeds.generator(SEED, "equal pairs").random((PAIRS, 2, PAIR_LENGTH)) < 0.2


def run_key(change: Change) -> str:
    """The name of a change in the page: ``"late 0"``, ``"time 0.01"``.

    >>> run_key(Change("time", 1.0))
    'time 1'
    """
    return f"{change.kind} {change.strength:g}"


def changed(stream: Stream, change: Change) -> tuple[Stream, int]:
    """The `stream` after a `change`, and the delay of its labels."""
    kind, strength = change
    if kind == "late":
        return stream, int(strength)
    name = {"k": int(strength)} if kind == "shape" else {"p": strength}
    return Permuted(stream, kind, **name).sample(seed=SEED), 0


def _within(values: tuple[float, ...], n: int) -> list[float]:
    """The strengths that are possible with `n` examples: fewer than 2n swaps."""
    return [value for value in values if value < 2 * n]


def _stream(given: Recorded, n: int, learners: Mapping[str, Recorded]) -> dict[str, Any]:
    stream = given.made.sample(seed=SEED, n=n)
    low, high = stream.X.min(axis=0), stream.X.max(axis=0)
    times = np.arange(0, n, EVERY)
    lines = [pack_points(boundary(given.made, int(t), low, high), low, high) for t in times]
    wanted = [change for change in changes() if change.strength < 2 * n]
    parts = {run_key(change): _runs(stream, change, learners) for change in wanted}
    return {
        "code": f"{given.code}.sample(seed={SEED}, n={n})",
        "about": given.about,
        "low": low.tolist(),
        "high": high.tolist(),
        "y": pack_bits(stream.y),
        "points": pack_points(stream.X, low, high),
        "bayes": pack(_bayes_error(given.made, times), "float64"),
        "boundary": lines,
        "drifts": {key: drifts for key, (drifts, _) in parts.items()},
        "runs": {key: runs for key, (_, runs) in parts.items()},
    }


def _runs(
    stream: Stream, change: Change, learners: Mapping[str, Recorded]
) -> tuple[list[int], dict[str, str]]:
    """The drifts of the changed stream, and the predictions of each learner on it."""
    permuted, delay = changed(stream, change)
    runs = {
        name: prequential(given.made, permuted, SEED, delay=delay, proba=False).y_pred
        for name, given in learners.items()
    }
    drifts = list(permuted.drifts) if len(permuted.drifts) <= MOST_DRIFTS else []
    return drifts, {name: pack_bits(y_pred) for name, y_pred in runs.items()}


def _draws(n: int) -> dict[str, str]:
    """The random numbers that `repro.permutations` makes the orders of `n` examples from."""
    rng = {kind: seeds.generator(SEED, "permutation", kind) for kind in ("time", "speed", "shape")}
    return {
        "time": pack(rng["time"].random(n - 1), "float64"),
        "speed": pack(rng["speed"].random(n), "float64"),
        "shape": pack(rng["shape"].integers(0, n - 1, 2 * n - 1), "uint16"),
    }


def _bayes_error(description: Any, times: NDArray[np.int64]) -> NDArray[np.float64]:
    """The lowest error that any learner can reach at each of the `times` (m,); shape (m,)."""
    parts = [concept_at(description, int(t)) for t in times]
    known = {id(part): part for part in parts}
    errors = {key: _error(part, times) for key, part in known.items()}
    return np.array([errors[id(part)][i] for i, part in enumerate(parts)])


def _error(concept: Any, times: NDArray[np.int64]) -> NDArray[np.float64]:
    if isinstance(concept, DriftingMixture):
        return concept.bayes_error(times).error
    return np.full(times.size, concept.bayes_error())


def pack(values: ArrayLike, dtype: str) -> str:
    """The `values` as little-endian numbers of the `dtype`, such as "float64", in base64.

    >>> pack([1, 2], "uint16")
    'AQACAA=='
    """
    numbers = np.asarray(values).astype(np.dtype(dtype).newbyteorder("<"))
    return b64encode(numbers.tobytes()).decode()


def pack_bits(labels: NDArray[np.integer[Any] | np.bool_]) -> str:
    """Labels 0 and 1 (n,), eight in a byte, the first in its highest bit.

    >>> pack_bits(np.array([1, 0, 0, 0, 0, 0, 0, 1]))
    'gQ=='
    """
    return pack(np.packbits(labels.astype(bool)), "uint8")


def pack_points(points: NDArray[np.float64], low: ArrayLike, high: ArrayLike) -> str:
    """Points (n, 2) inside a frame from `low` to `high`, to a 65 534th of its size; nan is a gap.

    For drawing only: no number that the page states is computed from them.

    >>> pack_points(np.array([[0.0, 1.0], [np.nan, np.nan]]), (0.0, 0.0), (1.0, 1.0))
    'AAD+//////8='
    """
    low, high = np.asarray(low), np.asarray(high)
    shares = np.clip((points - low) / (high - low), 0, 1) * (GAP - 1)
    return pack(np.where(np.isnan(shares), GAP, np.round(shares)), "uint16")
