"""One task of a sweep: a learner along one draw of a stream; its result is the labels, packed.

Labels take as few bits as their number needs: 1, 2, 4 or 8 bits each, or whole integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro.evaluation._runner import Runner, schedule_of
from repro.streams.stream import Stream

__all__ = ["FIELDS", "Settings", "forget_draws", "labels_in", "n_bytes", "run_task", "values_of"]

FIELDS = "n", "n_classes", "y", "y_pred", "n_alarms", "seconds", "state_bytes"  #: of a result
Measures = Mapping[str, Callable[..., Any]]


class Settings(NamedTuple):
    """What a task runs."""

    runner: Runner
    stream: Any  # a description; None where the task gets its Stream as data
    draw: str  # what the draw is, for other tasks on the same
    seed: int
    measures: tuple[Measures, Measures] | None = None  # instead of labels, where they are too many


class Labels(NamedTuple):
    """True and predicted labels, (n,) each."""

    y: NDArray[np.int64]
    y_pred: NDArray[np.int64]


_last: dict[str, Stream] = {}  # the latest draw of this process


def run_task(settings: Settings, data: Stream | None) -> dict[str, Any]:
    """Run the learner, and return labels and counts, or measures in place of the labels."""
    stream = data if data is not None else _drawn(settings)
    learner_seed = seeds.integer(settings.seed, "learner")
    schedule = schedule_of(len(stream), 0, 1)
    run = settings.runner.run(stream, schedule, seed=learner_seed, proba=False, every=None)
    labels = Labels(stream.y, np.asarray(run.y_pred, np.int64))
    K = int(stream.n_classes or 1)
    result: dict[str, Any] = {"n": len(stream), "n_classes": K}
    if settings.measures is None:
        result |= {name: pack(part, K) for name, part in labels._asdict().items()}
    else:
        result["values"] = [*values_of(labels, *settings.measures).values()]
    return result | {
        "n_alarms": len(run.alarms),
        "seconds": float(run.seconds),
        "state_bytes": float(run.state_bytes),
    }


def _drawn(settings: Settings) -> Stream:
    stream = _last.get(settings.draw)
    if stream is None:  # a worker of Dask may have several threads: `_last` may change at any time
        stream = settings.stream.sample(seed=settings.seed)
        _last.clear()
        _last[settings.draw] = stream
    return stream


def forget_draws() -> None:
    """Free the memory of the latest draw."""
    _last.clear()


def labels_in(result: Mapping[str, Any]) -> Labels:
    """The labels of a stored result."""
    n, K = result["n"], result["n_classes"]
    return Labels(unpack(result["y"], n, K), unpack(result["y_pred"], n, K))


def values_of(labels: Labels, measures: Measures, label_measures: Measures) -> dict[str, Any]:
    """The value of each measure of the losses, and of each of the labels."""
    loss = (labels.y != labels.y_pred).astype(np.float64)
    values = {name: measure(loss) for name, measure in measures.items()}
    return values | {name: measure(*labels) for name, measure in label_measures.items()}


def n_bytes(n: int, n_classes: int) -> int:
    """Size of n packed labels of 0..n_classes-1."""
    bits = _bits(n_classes)
    return -(-n * bits // 8)


def pack(labels: NDArray[np.integer], n_classes: int) -> NDArray[np.unsignedinteger]:
    """The labels, (n,) of 0..n_classes-1, several to a byte.

    >>> pack(np.array([1, 0, 1, 1]), 2), pack(np.array([3, 0, 2]), 4)
    (array([13], dtype=uint8), array([35], dtype=uint8))
    """
    bits = _bits(n_classes)
    if bits >= 8:
        return labels.astype(f"u{bits // 8}")
    per_byte = 8 // bits
    padded = np.zeros((-(-len(labels) // per_byte), per_byte), np.uint8)
    padded.reshape(-1)[: len(labels)] = labels
    shifted = padded << (bits * np.arange(per_byte, dtype=np.uint8))
    return np.bitwise_or.reduce(shifted, axis=1).astype(np.uint8)


def unpack(packed: NDArray[np.unsignedinteger], n: int, n_classes: int) -> NDArray[np.int64]:
    """The n labels that were packed; the inverse of `pack`.

    >>> unpack(np.array([35], np.uint8), 3, 4)
    array([3, 0, 2])
    """
    bits = _bits(n_classes)
    if bits >= 8:
        return packed.astype(np.int64)
    shifts = bits * np.arange(8 // bits, dtype=np.uint8)
    parts = (packed[:, None] >> shifts) & np.uint8((1 << bits) - 1)
    return parts.reshape(-1)[:n].astype(np.int64)


def _bits(n_classes: int) -> int:
    return next(bits for bits in (1, 2, 4, 8, 16, 32, 64) if n_classes <= 1 << bits)
