"""Alarms at random: the baseline that a detector has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import capped, check_count, check_probability
from repro.detectors.detector import CONTROL, DRIFT, Detector, implements, update
from repro.kernels import random
from repro.kernels.random import uniform

__all__ = ["RandomAlarms"]


class RandomState(NamedTuple):
    """Number of values since the last alarm, a generator, and settings."""

    seen: NDArray[np.int64]  # (1,)
    rng: NDArray[np.uint64]  # (1,)
    p: float
    warmup: int


@dataclass(frozen=True)
class RandomAlarms(Detector):
    """Alarm with probability `p` at each value, independent of the values.

    There is no alarm at the first `warmup` - 1 values, nor at as many values after each alarm, as
    with `DDM`: with `p` = 1 every `warmup`-th value is an alarm. On labels that depend on earlier
    labels, such alarms raise the accuracy of a learner that restarts at each of them.

    >>> RandomAlarms(p=1).alarms([0] * 100).tolist()
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
        """Return a state that has seen no value; the alarms depend on `seed`."""
        rng = random.start(seed, "random alarms")
        return RandomState(np.zeros(1, np.int64), rng, float(self.p), capped(self.warmup))


@implements(update, RandomState)
def _update(state, value):  # type: ignore[no-untyped-def]
    state.seen[0] += 1
    if state.seen[0] < state.warmup or uniform(state.rng) >= state.p:
        return CONTROL
    state.seen[0] = 0
    return DRIFT
