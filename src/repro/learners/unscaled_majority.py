"""Dynamic weighted majority whose weights are never rescaled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from repro._checks import LONGEST, check_count, check_fraction
from repro.kernels.compiling import kernel
from repro.kernels.states import member, state_bytes
from repro.learners._members import check_base, check_members
from repro.learners.dynamic_weighted_majority import DynamicWeightedMajority
from repro.learners.learner import Learner, counts
from repro.learners.verbs import implements, learn, restart, votes
from repro.streams.stream import Schema

__all__ = ["UnscaledMajority"]

USED, SEEN, CREATED = range(3)  # entries of `counters` of a dynamic weighted majority


class UnscaledMajorityState(NamedTuple):
    """The state of a `DynamicWeightedMajority`."""

    majority: Any


@dataclass(frozen=True)
class UnscaledMajority(Learner):
    r"""`DynamicWeightedMajority` without its step "divide all weights by the largest".

    At every `period`-th example, the weight of an expert that errs is multiplied by `beta`, experts
    below `theta` are removed, except the newest, and if the weighted vote was wrong, a new expert
    of weight 1 is added. Old experts have lost weight by then, and no division gives it back: the
    newest expert outweighs them,

    .. math:: w_i = \beta^{\text{errors of } i \text{ at every period-th example}} \le 1 .

    So it follows a drift sooner, and errs more often where nothing changes. Cervantes et al. (2018)
    do not say how weights are rescaled; their numbers agree better with this learner. Notebook 1
    runs it from here; it is not one of the learners of the library.

    With `max_members` experts, at least two, the oldest leaves.

    Raises ValueError for settings out of range.

    >>> from repro.learners import NaiveBayes
    >>> UnscaledMajority(NaiveBayes()).period
    50
    """

    base: Learner
    period: int = 50
    beta: float = 0.5
    theta: float = 0.01
    max_members: int = 100

    paper: ClassVar[str] = "Kolter and Maloof (2007), JMLR 8, 2755-2790; weights not rescaled"

    def __post_init__(self) -> None:
        check_base(self.base)
        check_count(self.period, name="period", most=LONGEST)
        check_fraction(self.beta, name="beta")
        check_fraction(self.theta, name="theta")
        check_members(self.max_members, name="max_members")
        check_count(self.max_members, name="max_members", least=2)

    def start(self, schema: Schema, seed: int = 0) -> UnscaledMajorityState:
        """One expert."""
        settings = self.base, self.period, self.beta, self.theta, self.max_members
        return UnscaledMajorityState(DynamicWeightedMajority(*settings).start(schema, seed))


@state_bytes.register
def _bytes(state: UnscaledMajorityState) -> int:
    return state_bytes(state.majority)


@counts.register
def _counts(state: UnscaledMajorityState) -> dict[str, int]:
    return counts(state.majority)


@implements(votes, UnscaledMajorityState, inline=False)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    votes(state.majority, x, out)


@implements(learn, UnscaledMajorityState, inline=False)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    experts = state.majority
    experts.counters[SEEN] += 1
    if experts.counters[SEEN] % experts.period == 0:
        _update_experts(experts, x, y)
    for i in range(experts.counters[USED]):
        learn(member(experts.members, experts.order[i]), x, y, weight)


@kernel
def _update_experts(state, x, y):  # type: ignore[no-untyped-def]
    """Reweigh the experts by their votes on `x`, remove light ones, add one after an error."""
    together = state.scratch[1]
    together[:] = 0.0
    for i in range(state.counters[USED]):
        m = state.order[i]
        votes(member(state.members, m), x, state.scratch[0])
        vote = state.scratch[0].argmax()
        if vote != y:
            state.weights[m] *= state.beta
        together[vote] += state.weights[m]
    used, kept = state.counters[USED], 0
    for i in range(used):
        m = state.order[i]
        has_room = i > 0 or used < state.order.size
        if i == used - 1 or (has_room and state.weights[m] >= state.theta):
            state.order[i], state.order[kept] = state.order[kept], m
            kept += 1
    if together.argmax() != y:
        slot = state.order[kept]
        restart(member(state.members, slot), state.fresh)
        state.weights[slot] = 1.0
        state.counters[CREATED] += 1
        kept += 1
    state.counters[USED] = kept


@implements(restart, UnscaledMajorityState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    restart(state.majority, fresh.majority)
