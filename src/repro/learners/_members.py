"""Members of ensembles: checks, starting states, and memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from repro import seeds
from repro._checks import check_count, check_fits, installed_memory, shown
from repro.kernels.compiling import kernel
from repro.kernels.dispatch import is_interpreted
from repro.kernels.states import has_large, member, stacked, state_bytes
from repro.learners.learner import Learner
from repro.learners.verbs import restart
from repro.streams.stream import Schema

__all__ = ["check_base", "check_members", "members_bytes", "start_members"]


def check_base(base: Learner) -> None:
    """Raise TypeError unless `base` is a `Learner`: of this package, or your own with kernels."""
    if not isinstance(base, Learner):
        name = base.__name__ if isinstance(base, type) else type(base).__name__
        raise TypeError(f"base must be an instance of a repro.learners.Learner; got {name}")


def check_members(n: int, *, name: str) -> None:
    """Check a number of members; each takes more than a thousand bytes."""
    check_fits(1024 * check_count(n, name=name), name=name, value=n)


def start_members(base: Learner, schema: Schema, seed: int, n: int) -> tuple[Any, Any]:
    """(stacked states of `n` learners, a state that learns nothing, for restarts).

    Parameters
    ----------
    base : the learner of all members.
    schema : of the stream.
    seed : each member of a randomised learner gets its own seed, drawn from this one.
    n : number of members.

    Raises ValueError if the states do not fit into memory, TypeError for a base that calls a
    detector of another library.
    """
    n = int(n)  # products of numpy's small integers overflow
    first = base.start(schema, seeds.integer(seed, "member", "0"))
    if is_interpreted(first):
        rule = "base must be compiled, without a detector of another library"
        raise TypeError(f"{rule}; got {shown(base)}")
    if n * _largest(first) > installed_memory():
        raise ValueError(f"base must fit into memory {n} times; got {shown(base)}")
    others = range(1, n + 1 if base.randomised else 1)
    states = [first, *(base.start(schema, seeds.integer(seed, "member", str(m))) for m in others)]
    fresh = states[-1]
    # Scanning large arrays for non-zeros can cost more than a short run.
    members = stacked(states[:n], n, large=not has_large(fresh))
    if not has_large(fresh):
        return members, fresh
    if len(states) == 1:
        _begin_all(members, fresh, n)
        return members, fresh
    for m in range(n):
        _begin(member(members, m), states[m])
    return members, fresh


def _largest(state: Any) -> int:
    """Bytes of the largest array in `state`; the total that is reserved need not fit."""
    sizes = (_largest(p) if isinstance(p, tuple) else np.asarray(p).nbytes for p in state)
    return max(sizes, default=0)


@kernel
def _begin(state, fresh):  # type: ignore[no-untyped-def]
    restart(state, fresh)


@kernel
def _begin_all(members, fresh, n):  # type: ignore[no-untyped-def]
    for m in range(n):
        restart(member(members, m), fresh)


def members_bytes(members: Any, n: int) -> int:
    """Memory that `n` stacked states use, in bytes."""
    return sum(state_bytes(member(members, m)) for m in range(n))
