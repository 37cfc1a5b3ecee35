"""How many seeds or examples a comparison of two learners needs, from a pilot of real runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from repro._checks import as_matrix, check_inside, check_number, shown
from repro.evaluation.sweep import sweep
from repro.judge.planned import Plan
from repro.statistics.estimates import Floats

__all__ = ["plan"]


def plan(
    effect: float,
    pilot: Any,
    learners: Iterable[Any] | None = None,
    seeds: int | Iterable[int] = 30,
    *,
    power: float = 0.8,
    confidence: float = 0.95,
    jobs: int = 1,
    cache: str | Path | None = None,
) -> Plan:
    """Plan a comparison: how many seeds or examples show a difference of `effect`.

    The spread comes from real runs, so that it has the dependence of the losses in it, the drift
    and what the two learners have in common. Two comparisons are planned: the paired t-test over
    seeds, and one stream that is looked at any time (`repro.statistics.compare_anytime`). Tests of
    up to 200 seeds are planned from resamples of the runs, if there are 30 or more: their means are
    often skewed.

    Parameters
    ----------
    effect : difference of mean losses to be seen, > 0: .01 is a point of error.
    pilot : a stream, on whose draws the learners run; or their losses, a pair (loss_a, loss_b) of
        arrays of shape (runs, n) from 0 to 1 on the same examples, of at least two runs.
    learners : the two, if the pilot is a stream.
    seeds : of the draws of that stream.
    power : wanted probability to see the difference, in (0, 1).
    confidence : of the comparisons, in (0, 1).
    jobs, cache : as in `repro.sweep`.

    Raises ValueError for arguments out of range and for runs whose mean differences are all equal,
    which show no spread to plan with, and TypeError for a stream without two learners.

    >>> rng = np.random.default_rng(0)
    >>> losses = rng.random((2, 50, 1000)) < 0.2
    >>> found = plan(0.01, losses)
    >>> 20 < found.seeds < 40, found.seeds_between[0] < found.seeds < found.seeds_between[1]
    (True, True)
    """
    effect = check_number(effect, name="effect", above=0)
    power = check_inside(power, name="power")
    confidence = check_inside(confidence, name="confidence")
    if hasattr(pilot, "sample"):
        loss_a, loss_b = _run(pilot, learners, seeds, jobs, cache)
    else:
        loss_a, loss_b = _given(pilot)
    made = Plan(effect, power, confidence, loss_a - loss_b)
    if not made.deviation:
        same = f"the mean difference is {made.differences.mean():.4g} in all {len(loss_a)}"
        raise ValueError(f"pilot must have runs that differ, or more of them; {same}")
    return made


def _run(stream: Any, learners: Any, seeds: Any, jobs: int, cache: Any) -> tuple[Floats, Floats]:
    two = list(learners) if learners is not None else []
    if len(two) != 2:
        raise TypeError(
            f"learners must be two, for a pilot that is a stream; got {shown(learners)}"
        )
    names = {"A": two[0], "B": two[1]}
    options: dict[str, Any] = {"jobs": jobs, "cache": cache, "measures": {"loss": np.asarray}}
    table = sweep(names, {"pilot": stream}, seeds, **options).sort_values("seed")
    losses = [np.stack(table.loc[table["learner"] == name, "loss"].to_list()) for name in names]
    return _given(losses)


def _given(pilot: Any) -> tuple[Floats, Floats]:
    rule = "pilot must be a stream, or a pair (loss_a, loss_b) of arrays of one shape (runs, n)"
    try:
        first, second = pilot
    except (TypeError, ValueError):
        raise ValueError(f"{rule}; got {shown(pilot)}") from None
    a, b = (as_matrix(loss, name=f"pilot[{i}]") for i, loss in enumerate((first, second)))
    if a.shape != b.shape or len(a) < 2:
        raise ValueError(f"{rule}, of at least two runs; got {a.shape} and {b.shape}")
    for i, values in enumerate((a, b)):
        if values.min() < 0 or values.max() > 1:
            wrong = values[(values < 0) | (values > 1)][0]
            raise ValueError(f"pilot[{i}] must lie in [0, 1]; got {wrong:g}")
    return a, b
