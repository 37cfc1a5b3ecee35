"""The schedule of a prequential run: when labels arrive, and which examples go together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro.streams.label_delay import as_waits, schedule

__all__ = ["Schedule", "blockwise", "delay_to_block_end", "schedule_of"]


@dataclass(frozen=True, eq=False)
class Schedule:
    """When the labels of n examples arrive, and what happens between predictions."""

    n: int  #: number of examples
    delay: ArrayLike  #: of the labels, as `repro.streams.label_delay` takes it
    block: int  #: examples that are predicted before any of them is learned

    @property
    def prompt(self) -> bool:
        """Whether each label arrives right after the prediction of its own example."""
        return np.ndim(self.delay) == 0 and self.delay == 0

    @property
    def order(self) -> NDArray[np.int64]:
        """(n,) the examples in the order in which their labels arrive."""
        return self._arrivals[0]

    @property
    def known(self) -> NDArray[np.int64]:
        """(n,) how many labels have arrived after each prediction."""
        return self._arrivals[1]

    @cached_property
    def _arrivals(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return schedule(self.n, self.delay)


def schedule_of(n: int, delay: ArrayLike, batch: int) -> Schedule:
    """The schedule of `n` examples.

    Parameters
    ----------
    n : length of the stream.
    delay, batch : as in `repro.prequential`.

    Raises ValueError unless the delays are whole numbers >= 0, one or `n`.
    """
    return blockwise(n, as_waits(n, delay), min(batch, n + 1))  # no label arrives beyond n


def blockwise(n: int, waits: NDArray[np.int64], block: int) -> Schedule:
    """The schedule of `n` examples in blocks of `block`; `waits` is made by `as_waits`."""
    return Schedule(n, delay_to_block_end(n, waits, block) if block > 1 else waits, block)


def delay_to_block_end(n: int, delay: ArrayLike, block: int) -> NDArray[np.int64]:
    """The delays (n,) of labels that arrive only at the end of a block of `block` examples."""
    index = np.arange(n)
    arrival = index + np.minimum(as_waits(n, delay), n)
    return arrival + block - 1 - arrival % block - index
