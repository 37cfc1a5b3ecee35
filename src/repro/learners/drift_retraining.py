"""Retraining at drifts: a learner is replaced when a detector raises an alarm on its errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import settle
from repro.detectors.detector import DRIFT, WARNING, Detector, update
from repro.detectors.foreign import check_detector
from repro.kernels.states import copy_into, member, state_bytes
from repro.learners._members import check_base, members_bytes, start_members
from repro.learners.growth import Growth, inherit, inherit_parts
from repro.learners.learner import Learner, counts
from repro.learners.verbs import (
    alarmed,
    implements,
    learn,
    learn_predicted,
    predicted,
    restart,
    votes,
)
from repro.streams.stream import Schema

__all__ = ["DriftRetraining"]

# Entries of `counters`: which learner is in use; whether the other one has learned; whether the
# last example raised an alarm; number of alarms; the label predicted last.
IN_USE, GROWING, ALARM, ALARMS, PREDICTED = range(5)


class DriftRetrainingState(NamedTuple):
    """Two learners: one in use, and one that may replace it."""

    pair: Any  # 2 stacked states of the base learner
    fresh: Any  # one that has learned nothing
    detector: Any
    counters: NDArray[np.int64]  # (5,)
    scratch: NDArray[np.float64]  # (K,)


@dataclass(frozen=True)
class DriftRetraining(Learner):
    """A learner that is replaced when `detector` raises an alarm on its errors.

    The detector gets the loss of each example before the example is learned. While it warns, a
    second learner learns too; when a warning passes without an alarm, the second learner is reset.
    At an alarm the second learner, trained since the warning began, takes over (without a warning
    it is untrained), and it learns the example of the alarm. The detector may be one of another
    library, see `repro.detectors.ForeignDetector`; it is then called from Python.

    >>> from repro import detectors
    >>> from repro.learners import NaiveBayes
    >>> DriftRetraining(NaiveBayes(), detectors.DDM())
    DriftRetraining(base=NaiveBayes(exact=False),
        detector=DDM(warm_start=30, warning_threshold=2.0, drift_threshold=3.0))
    """

    base: Learner
    detector: Detector

    paper: ClassVar[str] = "Gama, Medas, Castillo and Rodrigues (2004), SBIA, 286-295"
    randomised: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_base(self.base)
        try:
            settle(self, detector=check_detector(self.detector))
        except ValueError as error:
            raise TypeError(str(error)) from None

    def start(self, schema: Schema, seed: int = 0) -> DriftRetrainingState:
        """A learner and its replacement, both of which have learned nothing."""
        pair, fresh = start_members(self.base, schema, seed, 2)
        return DriftRetrainingState(
            pair=pair,
            fresh=fresh,
            detector=self.detector.start(seeds.integer(seed, "detector")),
            counters=np.zeros(5, np.int64),
            scratch=np.zeros(schema.n_classes),
        )


@state_bytes.register
def _bytes(state: DriftRetrainingState) -> int:
    others = tuple(state._replace(pair=(), fresh=(), detector=()))
    return state_bytes(others) + state_bytes(state.detector) + members_bytes(state.pair, 2)


@counts.register
def _counts(state: DriftRetrainingState) -> dict[str, int]:
    inside = counts(member(state.pair, state.counters[IN_USE]))
    return {"alarms": int(state.counters[ALARMS]), **inside}


@inherit.register
def _inherit(state: DriftRetrainingState, old: Any, growth: Growth) -> None:
    inherit_parts(state, old, growth, {"pair": 2})


@implements(votes, DriftRetrainingState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    votes(member(state.pair, state.counters[IN_USE]), x, out)
    state.counters[PREDICTED] = predicted(out)


@implements(learn, DriftRetrainingState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    votes(state, x, state.scratch)
    learn_predicted(state, x, y, weight)


@implements(learn_predicted, DriftRetrainingState)
def _learn_predicted(state, x, y, weight):  # type: ignore[no-untyped-def]
    counters = state.counters
    level = update(state.detector, 1.0 if counters[PREDICTED] != y else 0.0)
    counters[ALARM] = level == DRIFT
    if level == DRIFT:
        counters[IN_USE] = 1 - counters[IN_USE]
        counters[ALARMS] += 1
    if level == WARNING:
        counters[GROWING] = 1
    elif level == DRIFT or counters[GROWING] == 1:
        restart(member(state.pair, 1 - counters[IN_USE]), state.fresh)
        counters[GROWING] = 0
    for m in range(2):
        if m == counters[IN_USE] or level == WARNING:
            learn(member(state.pair, m), x, y, weight)


@implements(alarmed, DriftRetrainingState)
def _alarmed(state):  # type: ignore[no-untyped-def]
    return state.counters[ALARM] == 1


@implements(restart, DriftRetrainingState)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    for m in range(2):
        restart(member(state.pair, m), fresh.fresh)
    copy_into(state.detector, fresh.detector)
    state.counters[:] = 0
