"""Independent repeats from one stream: parts that take turns, in place of permutations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import MOST_STEPS, check_count

__all__ = ["interleaved_parts"]


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
    check_count(n, name="n", most=MOST_STEPS)
    groups = -(-n // check_count(parts, name="parts", most=n))
    rng = seeds.generator(seed, "permutation", "parts")
    dealt = rng.permuted(np.arange(groups * parts).reshape(groups, parts), axis=1)
    return [part[part < n] for part in dealt.T]
