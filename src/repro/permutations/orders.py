"""Random orders that change one thing about a stream, or everything, and parts that take turns.

Žliobaitė (2014), Controlled permutations for testing adaptive learning models, Sec. 3. An order is
an index array: ``X[order], y[order]`` is the permuted stream. ``order[i]`` is the original position
of the example that is now in position i; both are counted from 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import MOST_STEPS, check_count, check_probability
from repro.kernels.compiling import kernel
from repro.permutations.kinds import check_length, check_swaps

__all__ = [
    "interleaved_parts",
    "random_permutation",
    "shape_permutation",
    "speed_permutation",
    "time_permutation",
]

BLOCK = 2**16  # swaps drawn at once, so that they stay in the processor's cache


def time_permutation(n: int, p: float = 0.5, seed: int = 0) -> NDArray[np.int64]:
    """Split the positions 0..n-1 into blocks and reverse the order of the blocks: sudden drift.

    There is a split after each position but the last with probability `p`, independently. Within
    a block the order is kept. Žliobaitė (2014), Algorithm 1. The result has shape (n,).

    Parameters
    ----------
    n : number of examples, >= 1.
    p : probability of a split, in [0, 1]; 0 gives the original order, 1 the reverse.
    seed : seed of the random numbers, >= 0.

    Raises ValueError for an argument outside its range.

    >>> time_permutation(10, p=0.3).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    split = _draws("time", seed, check_length(n) - 1) < check_probability(p, name="p")
    order = np.empty(n, np.int64)
    _reverse_blocks(split, order)
    return order


def speed_permutation(n: int, p: float = 0.5, seed: int = 0) -> NDArray[np.int64]:
    """Move a random part of the positions 0..n-1 to the end: recurring concepts.

    Each position is lifted with probability `p`, independently. The lifted ones follow the others,
    and both keep their order. Žliobaitė (2014), Algorithm 2. The result has shape (n,).

    Parameters
    ----------
    n, seed : as in `time_permutation`, with the same errors.
    p : probability of lifting a position, in [0, 1]; 0 and 1 give the original order.

    >>> speed_permutation(10, p=0.3).tolist()
    [0, 2, 3, 4, 5, 7, 8, 9, 1, 6]
    """
    lifted = _draws("speed", seed, check_length(n)) < check_probability(p, name="p")
    return np.concatenate([np.flatnonzero(~lifted), np.flatnonzero(lifted)]).astype(np.int64)


def shape_permutation(n: int, k: int | None = None, seed: int = 0) -> NDArray[np.int64]:
    """Swap random neighbours `k` times, one pair after the other: gradual drift.

    Each swap takes one of the n - 1 pairs of neighbouring places, all equally likely. (The paper
    selects an example that has a right neighbour.) Žliobaitė (2014), Algorithm 3. The result has
    shape (n,). With n = 1 there is nothing to swap.

    Parameters
    ----------
    n, seed : as in `time_permutation`, with the same errors.
    k : number of swaps, 0 <= k < 2n; n if None. The limit is the paper's: the order stays local.

    >>> shape_permutation(10, k=3).tolist()
    [0, 2, 1, 3, 5, 4, 6, 8, 7, 9]
    """
    n = check_length(n)
    left = check_swaps(k, n) if n > 1 else 0
    rng = seeds.generator(seed, "permutation", "shape")
    order = np.arange(n, dtype=np.int64)
    while left:
        _swap(rng.integers(0, n - 1, min(left, BLOCK)), order)
        left -= min(left, BLOCK)
    return order


def random_permutation(n: int, seed: int = 0) -> NDArray[np.int64]:
    """The positions 0..n-1 in random order, all orders equally likely; shape (n,).

    >>> random_permutation(10).tolist()
    [5, 8, 1, 3, 6, 0, 4, 2, 9, 7]
    """
    rng = seeds.generator(seed, "permutation", "random")
    return rng.permutation(check_length(n)).astype(np.int64, copy=False)


def _draws(kind: str, seed: int, n: int) -> NDArray[np.float64]:
    """`n` uniform numbers in [0, 1), which are below p with probability p, also at p = 0 and 1."""
    return seeds.generator(seed, "permutation", kind).random(n)


@kernel
def _reverse_blocks(split, order):  # type: ignore[no-untyped-def]
    """Fill `order`, (n,), with the blocks that end where `split`, (n - 1,), is true, last first."""
    n, end, filled = order.size, order.size, 0
    for last in range(n - 2, -2, -1):
        if last < 0 or split[last]:  # a block begins after `last`
            for i in range(last + 1, end):
                order[filled] = i
                filled += 1
            end = last + 1


@kernel
def _swap(places, order):  # type: ignore[no-untyped-def]
    for i in places:
        order[i], order[i + 1] = order[i + 1], order[i]


def interleaved_parts(n: int, parts: int = 10, seed: int = 0) -> list[NDArray[np.int64]]:
    """Deal the positions 0..n-1 to `parts` streams that each run along the whole stream.

    Of every `parts` consecutive positions each part gets one, in random order; the last, shorter
    group is dealt to parts chosen at random. ``stream.take(part)`` is a stream with the same
    changes at the same relative times, and about n / `parts` examples. If the examples of a stream
    are independent given their time, the parts are independent streams, which permutations are not:
    `paired_test` is then exact up to normality, however long the memory of the learners. It speaks
    of streams as short as the parts, where drift is faster and a learner sees fewer examples.

    Parameters
    ----------
    n : number of examples.
    parts : number of parts, G, at most n.
    seed : seed of the random numbers, >= 0.

    The result holds G arrays of increasing positions; their lengths differ by at most one. Raises
    ValueError for an argument outside its range.

    >>> [part.tolist() for part in interleaved_parts(7, parts=2)]
    [[0, 3, 4, 6], [1, 2, 5]]
    """
    n = check_count(n, name="n", most=MOST_STEPS)
    parts = check_count(parts, name="parts", most=n)
    groups = -(-n // parts)
    rng = seeds.generator(seed, "permutation", "parts")
    dealt = rng.permuted(np.arange(groups * parts).reshape(groups, parts), axis=1)
    return [part[part < n] for part in dealt.T]
