"""Alarms at random: what any detector has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import capped, check_count, check_probability
from repro.detectors.detector import CONTROL, DRIFT, Detector, implements, update
from repro.kernels import random
from repro.kernels.random import uniform

__all__ = ["Random"]


class RandomState(NamedTuple):
    """Values since the last alarm, and a generator."""

    seen: NDArray[np.int64]  # (1,)
    rng: NDArray[np.uint64]  # (1,)
    p: float
    warmup: int


@dataclass(frozen=True)
class Random(Detector):
    """An alarm with probability `p` at each value, whatever the values are.

    The first `warmup` - 1 values, and as many after each alarm, raise none, as with `DDM`: `p` = 1
    is an alarm at every `warmup`-th value. On labels that depend on those before them, such alarms
    raise the accuracy of a learner that starts anew at each.

    >>> Random(p=1).alarms([0] * 100).tolist()
    [29, 59, 89]
    """

    p: float
    warmup: int = 30

    paper: ClassVar[str] = "Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), ML 98, 455-482"
    randomised: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_probability(self.p, name="p")
        check_count(self.warmup, name="warmup")

    def start(self, seed: int = 0) -> RandomState:
        """Nothing seen; `seed` decides on the alarms."""
        rng = random.start(seed, "random alarms")
        return RandomState(np.zeros(1, np.int64), rng, float(self.p), capped(self.warmup))


@implements(update, RandomState)
def _update(state, value):  # type: ignore[no-untyped-def]
    state.seen[0] += 1
    if state.seen[0] < state.warmup or uniform(state.rng) >= state.p:
        return CONTROL
    state.seen[0] = 0
    return DRIFT
