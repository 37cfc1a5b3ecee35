"""Dynamic weighted majority: experts lose weight when they err, and light ones are removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import LONGEST, check_count, check_flag, check_fraction
from repro.kernels.compiling import kernel
from repro.kernels.states import member, state_bytes
from repro.learners._members import check_base, check_members, start_members
from repro.learners.growth import Growth, inherit, inherit_parts
from repro.learners.learner import Learner, counts
from repro.learners.verbs import implements, learn, predicted, restart, votes
from repro.streams.stream import Schema

__all__ = ["DynamicWeightedMajority"]

USED, SEEN, CREATED, RESCALE = range(4)  # entries of `counters`


class DynamicWeightedMajorityState(NamedTuple):
    """Slots for experts; the first ones of `order` are in use, from the oldest to the newest."""

    members: Any  # stacked states of the base learner
    fresh: Any  # one that has learned nothing
    weights: NDArray[np.float64]  # (slots,)
    order: NDArray[np.int64]  # (slots,) all slots
    counters: NDArray[np.int64]  # (4,) slots in use, examples, experts created; 1: rescale
    scratch: NDArray[np.float64]  # (2, K) votes of one expert, votes of all
    period: int
    beta: float
    theta: float


@dataclass(frozen=True)
class DynamicWeightedMajority(Learner):
    r"""Dynamic weighted majority.

    Each expert votes for one class with its weight. At every `period`-th example, the weight of an
    expert that errs is multiplied by `beta`, all weights are divided by the largest, experts below
    `theta` are removed, and if the weighted vote was wrong, a new expert of weight 1 is added. All
    experts learn every example.

    With ``rescale=False`` the weights are not divided. No weight grows then,

    .. math:: w_i = \beta^{\text{errors of } i \text{ at every period-th example}} \le 1,

    so a new expert outweighs the old ones: the ensemble follows a drift sooner, and errs more often
    where nothing changes. The newest expert is never removed for its weight.

    The paper does not bound the number of experts. Here `max_members` bounds it: when it is
    reached, a new expert replaces the lightest one (the oldest of equals). Without rescaling, where
    at least two are needed, the oldest leaves at the next `period`-th example.

    Raises TypeError for a base that is no learner of ours, ValueError for settings out of range.

    >>> from repro.learners import NaiveBayes
    >>> DynamicWeightedMajority(NaiveBayes(), period=25)
    DynamicWeightedMajority(base=NaiveBayes(exact=False), period=25, beta=0.5, theta=0.01,
                            max_members=100, rescale=True)
    """

    base: Learner
    period: int = 50
    beta: float = 0.5
    theta: float = 0.01
    max_members: int = 100
    rescale: bool = True

    paper: ClassVar[str] = "Kolter and Maloof (2007), JMLR 8, 2755-2790"

    def __post_init__(self) -> None:
        check_base(self.base)
        check_count(self.period, name="period", most=LONGEST)
        check_fraction(self.beta, name="beta")
        check_fraction(self.theta, name="theta")
        check_members(self.max_members, name="max_members")
        check_flag(self.rescale, name="rescale")
        if not self.rescale:
            check_count(self.max_members, name="max_members", least=2)

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
            counters=np.array([1, 0, 1, int(self.rescale)]),
            scratch=np.zeros((2, schema.n_classes)),
            period=int(self.period),
            beta=float(self.beta),
            theta=float(self.theta),
        )


@state_bytes.register
def _bytes(state: DynamicWeightedMajorityState) -> int:
    used = sum(state_bytes(member(state.members, m)) for m in state.order[: state.counters[USED]])
    return state_bytes(tuple(state._replace(members=(), fresh=()))) + used


@counts.register
def _counts(state: DynamicWeightedMajorityState) -> dict[str, int]:
    return {"members": int(state.counters[USED]), "created": int(state.counters[CREATED])}


@inherit.register
def _inherit(state: DynamicWeightedMajorityState, old: Any, growth: Growth) -> None:
    """All slots: one that is not in use still holds random numbers, which must not repeat."""
    inherit_parts(state, old, growth, {"members": state.order.size})


@implements(votes, DynamicWeightedMajorityState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    out[:] = 0.0
    if state.counters[SEEN] == 0:
        return  # an expert votes for some class even before it has seen one
    for i in range(state.counters[USED]):
        m = state.order[i]
        votes(member(state.members, m), x, state.scratch[0])
        out[predicted(state.scratch[0])] += state.weights[m]


@implements(learn, DynamicWeightedMajorityState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.counters[SEEN] += 1
    if state.counters[SEEN] % state.period == 0:
        _update_experts(state, x, y)
    for i in range(state.counters[USED]):
        learn(member(state.members, state.order[i]), x, y, weight)


@kernel
def _update_experts(state, x, y):  # type: ignore[no-untyped-def]
    """Reweigh the experts by their votes on `x`, remove light ones, add one after an error."""
    together, heaviest = state.scratch[1], 0.0
    together[:] = 0.0
    for i in range(state.counters[USED]):
        m = state.order[i]
        votes(member(state.members, m), x, state.scratch[0])
        vote = predicted(state.scratch[0])
        if vote != y:
            state.weights[m] *= state.beta
        together[vote] += state.weights[m]
        heaviest = max(heaviest, state.weights[m])
    if state.counters[RESCALE]:
        for i in range(state.counters[USED]):
            state.weights[state.order[i]] /= heaviest
    elif state.counters[USED] == state.order.size:
        _remove(state, 0)
    spared = 0 if state.counters[RESCALE] else 1  # the newest; with rescaling some weight is 1
    i = 0
    while i < state.counters[USED] - spared:
        if state.weights[state.order[i]] < state.theta:
            _remove(state, i)
        else:
            i += 1
    if predicted(together) != y:
        _add(state)


@kernel
def _remove(state, i):  # type: ignore[no-untyped-def]
    """Remove the i-th expert; its slot moves behind all that are in use."""
    slot = state.order[i]
    for j in range(i, state.counters[USED] - 1):
        state.order[j] = state.order[j + 1]
    state.counters[USED] -= 1
    state.order[state.counters[USED]] = slot


@kernel
def _add(state):  # type: ignore[no-untyped-def]
    """Add an expert of weight 1, in place of the lightest where there is no free slot."""
    if state.counters[USED] == state.order.size:
        lightest = 0
        for i in range(state.order.size):
            if state.weights[state.order[i]] < state.weights[state.order[lightest]]:
                lightest = i
        _remove(state, lightest)
    slot = state.order[state.counters[USED]]
    restart(member(state.members, slot), state.fresh)
    state.weights[slot] = 1.0
    state.counters[USED] += 1
    state.counters[CREATED] += 1


@implements(restart, DynamicWeightedMajorityState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    """One expert again; the others are restarted when they are added."""
    state.counters[USED], state.counters[SEEN], state.counters[CREATED] = 1, 0, 1
    restart(member(state.members, state.order[0]), state.fresh)
    state.weights[state.order[0]] = 1.0
