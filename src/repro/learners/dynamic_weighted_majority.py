"""Dynamic weighted majority: experts lose weight when they err, and leave when they are light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_count, check_fraction
from repro.kernels.compiling import kernel
from repro.kernels.states import member, state_bytes
from repro.learners._members import check_base, check_members, start_members
from repro.learners.learner import Learner, census
from repro.learners.verbs import implements, learn, restart, votes
from repro.streams.stream import Schema

__all__ = ["DynamicWeightedMajority"]

USED, SEEN, CREATED = range(3)


class DynamicWeightedMajorityState(NamedTuple):
    """Places for experts; the first of `order` are in use, from the oldest to the newest."""

    members: Any  # stacked states of the base learner
    fresh: Any  # one that has learned nothing
    weights: NDArray[np.float64]  # (places,)
    order: NDArray[np.int64]  # (places,) all places
    tally: NDArray[np.int64]  # (3,) places in use, examples seen, experts ever made
    room: NDArray[np.float64]  # (2, K) votes of one expert, votes of all
    period: int
    beta: float
    theta: float


@dataclass(frozen=True)
class DynamicWeightedMajority(Learner):
    r"""Dynamic weighted majority.

    Experts vote for one class each, with their weights. At every `period`-th example: the weight of
    an expert that errs is multiplied by `beta`; weights are divided by the largest; experts below
    `theta` leave; and when all together erred, a new expert of weight 1 begins. All experts learn
    every example.

    The paper sets no bound to their number. Here `max_members` is one, and beyond it the lightest
    gives way (the oldest of the lightest).

    >>> from repro.learners import NaiveBayes
    >>> DynamicWeightedMajority(NaiveBayes(), period=25)
    DynamicWeightedMajority(base=NaiveBayes(exact=False), period=25, beta=0.5, theta=0.01,
                            max_members=100)
    """

    base: Learner
    period: int = 50
    beta: float = 0.5
    theta: float = 0.01
    max_members: int = 100

    paper: ClassVar[str] = "Kolter and Maloof (2007), JMLR 8, 2755-2790"

    def __post_init__(self) -> None:
        check_base(self.base)
        check_count(self.period, name="period", most=LONGEST)
        check_fraction(self.beta, name="beta")
        check_fraction(self.theta, name="theta")
        check_members(self.max_members, name="max_members")

    def start(self, schema: Schema, seed: int = 0) -> DynamicWeightedMajorityState:
        """One expert."""
        members, fresh = start_members(self.base, schema, seed, self.max_members)
        weights = np.zeros(int(self.max_members))
        weights[0] = 1.0
        return DynamicWeightedMajorityState(
            members=members,
            fresh=fresh,
            weights=weights,
            order=np.arange(int(self.max_members)),
            tally=np.array([1, 0, 1]),
            room=np.zeros((2, schema.n_classes)),
            period=int(self.period),
            beta=float(self.beta),
            theta=float(self.theta),
        )


@state_bytes.register
def _bytes(state: DynamicWeightedMajorityState) -> int:
    used = sum(state_bytes(member(state.members, m)) for m in state.order[: state.tally[USED]])
    return state_bytes(tuple(state._replace(members=(), fresh=()))) + used


@census.register
def _census(state: DynamicWeightedMajorityState) -> dict[str, int]:
    return {"members": int(state.tally[USED]), "created": int(state.tally[CREATED])}


@implements(votes, DynamicWeightedMajorityState, inline=False)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    out[:] = 0.0
    if state.tally[SEEN] == 0:
        return  # an expert has to vote for some class, and has seen none
    for i in range(state.tally[USED]):
        m = state.order[i]
        votes(member(state.members, m), x, state.room[0])
        out[state.room[0].argmax()] += state.weights[m]


@implements(learn, DynamicWeightedMajorityState, inline=False)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.tally[SEEN] += 1
    if state.tally[SEEN] % state.period == 0:
        _review(state, x, y)
    for i in range(state.tally[USED]):
        learn(member(state.members, state.order[i]), x, y, weight)


@kernel
def _review(state, x, y):  # type: ignore[no-untyped-def]
    """Weigh the experts by their votes on `x`, dismiss the light ones, hire one if all erred."""
    together, heaviest = state.room[1], 0.0
    together[:] = 0.0
    for i in range(state.tally[USED]):
        m = state.order[i]
        votes(member(state.members, m), x, state.room[0])
        vote = state.room[0].argmax()
        if vote != y:
            state.weights[m] *= state.beta
        together[vote] += state.weights[m]
        heaviest = max(heaviest, state.weights[m])
    for i in range(state.tally[USED]):
        state.weights[state.order[i]] /= heaviest
    i = 0
    while i < state.tally[USED]:
        if state.weights[state.order[i]] < state.theta:
            _dismiss(state, i)
        else:
            i += 1
    if together.argmax() != y:
        _hire(state)


@kernel
def _dismiss(state, i):  # type: ignore[no-untyped-def]
    """The i-th expert leaves; its place comes behind all that are in use."""
    place = state.order[i]
    for j in range(i, state.tally[USED] - 1):
        state.order[j] = state.order[j + 1]
    state.tally[USED] -= 1
    state.order[state.tally[USED]] = place


@kernel
def _hire(state):  # type: ignore[no-untyped-def]
    if state.tally[USED] == state.order.size:
        lightest = 0
        for i in range(state.order.size):
            if state.weights[state.order[i]] < state.weights[state.order[lightest]]:
                lightest = i
        _dismiss(state, lightest)
    place = state.order[state.tally[USED]]
    restart(member(state.members, place), state.fresh)
    state.weights[place] = 1.0
    state.tally[USED] += 1
    state.tally[CREATED] += 1


@implements(restart, DynamicWeightedMajorityState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    """One expert again; the others are restarted when they are hired."""
    state.tally[USED], state.tally[SEEN], state.tally[CREATED] = 1, 0, 1
    restart(member(state.members, state.order[0]), state.fresh)
    state.weights[state.order[0]] = 1.0
