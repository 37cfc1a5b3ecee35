"""Online bagging: each member learns each example with a random Poisson weight."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_inside, check_number, shown
from repro.detectors.adwin import ADWIN, adwin_mean, adwin_rose
from repro.kernels import random
from repro.kernels.compiling import kernel
from repro.kernels.states import member, stacked, state_bytes
from repro.learners._members import check_base, check_members, members_bytes, start_members
from repro.learners.growth import Growth, inherit, inherit_parts
from repro.learners.learner import Learner, counts
from repro.learners.verbs import (
    alarmed,
    implements,
    learn,
    learn_predicted,
    predicted,
    restart,
    total_weight,
    votes,
)
from repro.streams.stream import Schema

__all__ = ["LeveragingBag", "OzaBag", "OzaBagAdwin"]

LARGEST_RATE = 1_000  # drawing a Poisson number takes time proportional to it


class BaggingState(NamedTuple):
    """M members, and a window over the errors of each member where they are watched."""

    members: Any  # M stacked states of the base learner
    fresh: Any  # one that has learned nothing
    windows: Any  # M stacked states of ADWIN
    fresh_window: Any
    rng: NDArray[np.uint64]  # (1,)
    poisson: NDArray[np.float64]  # distribution of the weights
    counters: NDArray[np.int64]  # (2,) members replaced so far; whether one was replaced just now
    scratch: NDArray[np.float64]  # (K,) votes of one member
    labels: NDArray[np.int64]  # (M,) what each member predicted last, where errors are watched
    n_members: int
    watched: bool


@dataclass(frozen=True)
class Bag(Learner):
    """What the bags below have in common: a base learner and a number of members."""

    base: Learner
    n_members: int = 10

    randomised: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_base(self.base)
        check_members(self.n_members, name="n_members")

    @abstractmethod
    def _rate_and_delta(self) -> tuple[float, float | None]:
        """Mean of the weights; confidence of the windows, None where no errors are watched."""

    def start(self, schema: Schema, seed: int = 0) -> BaggingState:
        """Untrained members."""
        n_members = int(self.n_members)
        rate, delta = self._rate_and_delta()
        members, fresh = start_members(self.base, schema, seed, n_members)
        window = ADWIN(delta if delta is not None else ADWIN.delta).start()
        return BaggingState(
            members=members,
            fresh=fresh,
            windows=stacked([window], n_members),
            fresh_window=window,
            rng=random.start(seed, "bagging"),
            poisson=random.poisson_table(rate),
            counters=np.zeros(2, np.int64),
            scratch=np.zeros(schema.n_classes),
            labels=np.zeros(n_members, np.int64),
            n_members=n_members,
            watched=delta is not None,
        )


@dataclass(frozen=True)
class OzaBag(Bag):
    r"""Online bagging of `n_members` learners.

    Member *m* learns each example with weight :math:`k_m \sim \text{Poisson}(1)`, and skips it
    when the weight is 0. As the stream grows this approaches bagging. A prediction adds the vote
    shares of all members.

    >>> from repro.learners import NaiveBayes
    >>> OzaBag(NaiveBayes())
    OzaBag(base=NaiveBayes(exact=False), n_members=10)
    """

    paper: ClassVar[str] = "Oza (2005), IEEE SMC, 2340-2345"

    def _rate_and_delta(self) -> tuple[float, float | None]:
        return 1.0, None


@dataclass(frozen=True)
class OzaBagAdwin(Bag):
    r"""Online bagging that replaces its worst member when the error of a member rises.

    As `OzaBag`; in addition, an ADWIN (confidence `delta`) per member holds its errors on examples
    that it has just learned. When an ADWIN drops its older errors and its mean is higher after
    that, the bag raises an alarm: the member with the highest mean restarts with a new window.

    >>> from repro.learners import NaiveBayes
    >>> OzaBagAdwin(NaiveBayes())
    OzaBagAdwin(base=NaiveBayes(exact=False), n_members=10, delta=0.002)
    """

    delta: float = 0.002

    paper: ClassVar[str] = (
        "Oza (2005), IEEE SMC, 2340-2345; Bifet, Holmes, Pfahringer, Kirkby and Gavaldà (2009), "
        "KDD, 139-148"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_inside(self.delta, name="delta")

    def _rate_and_delta(self) -> tuple[float, float | None]:
        return 1.0, self.delta


@dataclass(frozen=True)
class LeveragingBag(Bag):
    r"""`OzaBagAdwin` with larger weights: :math:`k_m \sim \text{Poisson}` (`rate`).

    >>> from repro.learners import NaiveBayes
    >>> LeveragingBag(NaiveBayes())
    LeveragingBag(base=NaiveBayes(exact=False), n_members=10, rate=6.0, delta=0.002)
    """

    rate: float = 6.0
    delta: float = 0.002

    paper: ClassVar[str] = "Bifet, Holmes and Pfahringer (2010), ECML PKDD, 135-150"

    def __post_init__(self) -> None:
        super().__post_init__()
        if check_number(self.rate, name="rate", above=0) > LARGEST_RATE:
            raise ValueError(f"rate must be at most {LARGEST_RATE}; got {shown(self.rate)}")
        check_inside(self.delta, name="delta")

    def _rate_and_delta(self) -> tuple[float, float | None]:
        return float(self.rate), self.delta


@state_bytes.register
def _bytes(state: BaggingState) -> int:
    others = state._replace(members=(), fresh=())
    return state_bytes(tuple(others)) + members_bytes(state.members, state.n_members)


@counts.register
def _counts(state: BaggingState) -> dict[str, int]:
    inside = [counts(member(state.members, m)) for m in range(state.n_members)]
    totals = {name: sum(one[name] for one in inside) for name in inside[0]}
    return {"members": state.n_members, "replaced": int(state.counters[0]), **totals}


@inherit.register
def _inherit(state: BaggingState, old: Any, growth: Growth) -> None:
    inherit_parts(state, old, growth, {"members": state.n_members})


@implements(votes, BaggingState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    out[:] = 0.0
    for m in range(state.n_members):
        votes(member(state.members, m), x, state.scratch)
        if state.watched:
            state.labels[m] = predicted(state.scratch)
        total = total_weight(state.scratch)
        if total > 0:
            for k in range(out.size):
                out[k] += state.scratch[k] / total


@implements(learn, BaggingState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    changed = False
    for m in range(state.n_members):
        times = random.poisson(state.rng, state.poisson)
        if times > 0:
            learn(member(state.members, m), x, y, weight * times)
        changed |= state.watched and _rose_after(state, m, x, y, True)
    _replace_worst(state, changed)


@implements(learn_predicted, BaggingState)
def _learn_predicted(state, x, y, weight):  # type: ignore[no-untyped-def]
    changed = False
    for m in range(state.n_members):
        times = random.poisson(state.rng, state.poisson)
        if times > 0:
            learn_predicted(member(state.members, m), x, y, weight * times)
        changed |= state.watched and _rose_after(state, m, x, y, times > 0)
    _replace_worst(state, changed)


@kernel
def _rose_after(state, m, x, y, anew):  # type: ignore[no-untyped-def]
    """Whether the error of member `m` rose by this example; `anew`: ask it for its label again."""
    if anew:  # else it has not learned since it was asked
        votes(member(state.members, m), x, state.scratch)
        state.labels[m] = predicted(state.scratch)
    wrong = 1.0 if state.labels[m] != y else 0.0
    return adwin_rose(member(state.windows, m), wrong)


@kernel
def _replace_worst(state, changed):  # type: ignore[no-untyped-def]
    state.counters[1] = changed
    if changed:
        worst = _worst(state)
        restart(member(state.members, worst), state.fresh)
        restart(member(state.windows, worst), state.fresh_window)
        state.counters[0] += 1


@kernel
def _worst(state):  # type: ignore[no-untyped-def]
    worst, highest = 0, -1.0
    for m in range(state.n_members):
        mean = adwin_mean(member(state.windows, m))
        if mean > highest:
            worst, highest = m, mean
    return worst


@implements(alarmed, BaggingState)
def _alarmed(state):  # type: ignore[no-untyped-def]
    return state.counters[1] == 1


@implements(restart, BaggingState, inline=False)
def _restart(state, fresh):  # type: ignore[no-untyped-def]
    """Restart everything but the random numbers, which must not repeat."""
    for m in range(state.n_members):
        restart(member(state.members, m), fresh.fresh)
        restart(member(state.windows, m), fresh.fresh_window)
    state.counters[:] = 0
