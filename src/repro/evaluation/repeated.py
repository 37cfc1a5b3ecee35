"""A learner on permutations or parts of one stream, its errors mapped to the original order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_list, as_positions, check_count
from repro.evaluation.prequential import prequential
from repro.permutations.significance import block_errors
from repro.streams.stream import Stream, check_stream

__all__ = ["repeated_errors"]


def repeated_errors(
    learner: Any, stream: Stream, orders: Iterable[ArrayLike], blocks: int = 20, seed: int = 0
) -> NDArray[np.float64]:
    """Error of `learner` by repeat on one stream, and by block of its original order.

    The tests of `repro.permutations` compare two learners by the difference of their arrays.

    Parameters
    ----------
    learner : anything that `prequential` takes.
    stream : the examples in their original order.
    orders : R index arrays, at least one: permutations of the stream, or `interleaved_parts` of it.
        The run takes ``stream.take(order)``.
    blocks : number of stretches of the original order, B, of equal length.
    seed : run r seeds the learner's own randomness with ``seed + r``.

    The result has shape (R, B). Errors are those of `prequential`, and of
    `repro.permutations.block_errors`.

    >>> from repro import TESTBED, learners, permutations
    >>> stream = TESTBED["NSGT"].sample(n=100)
    >>> orders = [permutations.time_permutation(100, seed=r) for r in range(3)]
    >>> repeated_errors(learners.NoChange(), stream, orders, blocks=5).shape
    (3, 5)
    """
    check_stream(stream)
    seed = check_count(seed, name="seed", least=0)
    n = len(stream)
    listed: list[ArrayLike] = as_list(orders, name="orders", rule="a list of index arrays")
    positions = [as_positions(order, n, name="orders") for order in listed]
    if not positions:
        raise ValueError("orders must hold at least one index array; got none")
    losses = (
        prequential(learner, stream.take(order), seed + r, proba=False).loss
        for r, order in enumerate(positions)
    )
    return np.array([block_errors(*run, blocks, n) for run in zip(losses, positions, strict=True)])
