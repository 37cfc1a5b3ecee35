"""The schedule of a prequential run: when labels arrive, and which examples go together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro.streams.label_delay import as_waits, schedule

__all__ = ["Schedule", "delay_to_block_end", "schedule_of"]


class Schedule(NamedTuple):
    """When the labels of n examples arrive, and what happens between predictions."""

    delay: ArrayLike  #: of the labels, as `repro.streams.label_delay` takes it
    order: NDArray[np.int64]  #: (n,) the examples in the order in which their labels arrive
    known: NDArray[np.int64]  #: (n,) how many labels have arrived after each prediction
    block: int  #: examples that are predicted before any of them is learned
    every: int | None  #: examples between two readings of the learner's size; None: no readings


def schedule_of(n: int, delay: ArrayLike, batch: int, every: int | None) -> Schedule:
    """The schedule of `n` examples.

    Parameters
    ----------
    n : length of the stream.
    delay, batch, every : as in `repro.prequential`.
    """
    block = min(batch, n + 1)  # no label arrives beyond n
    if block > 1:
        delay = delay_to_block_end(n, delay, block)
    return Schedule(delay, *schedule(n, delay), block, every)


def delay_to_block_end(n: int, delay: ArrayLike, block: int) -> NDArray[np.int64]:
    """The delays (n,) of labels that arrive only at the end of a block of `block` examples."""
    index = np.arange(n)
    arrival = index + np.minimum(as_waits(n, delay), n)
    return arrival + block - 1 - arrival % block - index
