"""Random numbers inside kernels: a generator whose state is an array, so that learners can hold it.

A numpy generator cannot be stacked or copied as part of a state. This one is SplitMix64 (Steele,
Lea and Flood 2014): a counter and a hash of it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import pdtr

from repro import seeds
from repro.kernels.compiling import kernel

__all__ = ["poisson", "poisson_table", "start", "uniform"]

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
BITS_30, BITS_27, BITS_31, BITS_11 = (np.uint64(bits) for bits in (30, 27, 31, 11))


def start(seed: int, *names: str) -> NDArray[np.uint64]:
    """A generator, shape (1,), for the part of an experiment that `seed` and `names` identify."""
    return np.array([seeds.integer(seed, *names)], dtype=np.uint64)


@kernel
def uniform(rng):  # type: ignore[no-untyped-def]
    """A uniform number in [0, 1) with 53 random bits."""
    rng[0] += STEP
    z = rng[0]
    z = (z ^ (z >> BITS_30)) * FIRST
    z = (z ^ (z >> BITS_27)) * SECOND
    return np.float64((z ^ (z >> BITS_31)) >> BITS_11) * 2.0**-53


def poisson_table(rate: float) -> NDArray[np.float64]:
    """P(X <= k), k = 0, 1, ..., for X ~ Poisson(`rate`), until it rounds to 1; shape (K,)."""
    return _cumulative(rate).copy()


@lru_cache
def _cumulative(rate: float) -> NDArray[np.float64]:
    cumulative = pdtr(np.arange(int(rate + 40 * np.sqrt(rate) + 40)), rate)
    return np.asarray(cumulative[: np.searchsorted(cumulative, 1 - 2.0**-53) + 1])


@kernel
def poisson(rng, table):  # type: ignore[no-untyped-def]
    """A Poisson number by inversion of the distribution function in `table`."""
    u, k = uniform(rng), 0
    while k < table.size - 1 and u >= table[k]:
        k += 1
    return k
