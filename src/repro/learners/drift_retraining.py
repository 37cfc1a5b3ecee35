"""Retraining at drifts: a detector watches the errors of a learner, and has it replaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro.detectors.detector import DRIFT, WARNING, Detector, update
from repro.kernels.states import copy_into, member, state_bytes
from repro.learners._members import check_base, members_bytes, start_members
from repro.learners.learner import Learner, census
from repro.learners.verbs import alarmed, implements, learn, restart, votes
from repro.streams.stream import Schema

__all__ = ["DriftRetraining"]

IN_USE, GROWING, ALARM, ALARMS = range(4)


class DriftRetrainingState(NamedTuple):
    """Two learners, one in use and one that may replace it."""

    pair: Any  # 2 stacked states of the base learner
    fresh: Any  # one that has learned nothing
    detector: Any
    tally: NDArray[np.int64]  # (4,) the one in use; whether the other one has learned; alarms
    room: NDArray[np.float64]  # (K,)


@dataclass(frozen=True)
class DriftRetraining(Learner):
    """A learner that is replaced when its errors make `detector` signal a drift.

    The detector gets the loss of each example before it is learned. As long as it warns, a second
    learner learns along; a warning that passes is forgotten, and the second learner with it. At a
    drift the second one, which learned since the warning began, takes over (without a warning
    before, one that has learned nothing). The example of the drift is learned by it.

    >>> from repro import detectors
    >>> from repro.learners import NaiveBayes
    >>> DriftRetraining(NaiveBayes(), detectors.DDM())
    DriftRetraining(base=NaiveBayes(exact=False), detector=DDM(minimum=30, warning=2.0, drift=3.0))
    """

    base: Learner
    detector: Detector

    paper: ClassVar[str] = "Gama, Medas, Castillo and Rodrigues (2004), SBIA, 286-295"
    randomised: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_base(self.base)
        if not isinstance(self.detector, Detector):
            raise TypeError(
                "detector must be an instance of a repro.detectors.Detector, such as DDM(); "
                f"got {self.detector!r}"
            )

    def start(self, schema: Schema, seed: int = 0) -> DriftRetrainingState:
        """A learner and its replacement, both of which have learned nothing."""
        pair, fresh = start_members(self.base, schema, seed, 2)
        return DriftRetrainingState(
            pair=pair,
            fresh=fresh,
            detector=self.detector.start(seeds.integer(seed, "detector")),
            tally=np.zeros(4, np.int64),
            room=np.zeros(schema.n_classes),
        )


@state_bytes.register
def _bytes(state: DriftRetrainingState) -> int:
    others = tuple(state._replace(pair=(), fresh=(), detector=()))
    return state_bytes(others) + state_bytes(state.detector) + members_bytes(state.pair, 2)


@census.register
def _census(state: DriftRetrainingState) -> dict[str, int]:
    inside = census(member(state.pair, state.tally[IN_USE]))
    return {"alarms": int(state.tally[ALARMS]), **inside}


@implements(votes, DriftRetrainingState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    votes(member(state.pair, state.tally[IN_USE]), x, out)


@implements(learn, DriftRetrainingState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    tally = state.tally
    votes(member(state.pair, tally[IN_USE]), x, state.room)
    level = update(state.detector, 1.0 if state.room.argmax() != y else 0.0)
    other = member(state.pair, 1 - tally[IN_USE])
    if level == WARNING:
        learn(other, x, y, weight)
        tally[GROWING] = 1
    elif level == DRIFT:
        tally[IN_USE] = 1 - tally[IN_USE]
        restart(member(state.pair, 1 - tally[IN_USE]), state.fresh)
        tally[GROWING] = 0
        tally[ALARMS] += 1
    elif tally[GROWING] == 1:
        restart(other, state.fresh)
        tally[GROWING] = 0
    tally[ALARM] = level == DRIFT
    learn(member(state.pair, tally[IN_USE]), x, y, weight)


@implements(alarmed, DriftRetrainingState)
def _alarmed(state):  # type: ignore[no-untyped-def]
    return state.tally[ALARM] == 1


@implements(restart, DriftRetrainingState)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    for m in range(2):
        restart(member(state.pair, m), fresh.fresh)
    copy_into(state.detector, fresh.detector)
    state.tally[:] = 0
