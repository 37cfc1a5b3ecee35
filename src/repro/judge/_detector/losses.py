"""Losses on which detectors are judged: independent ones, and those of a learner."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import seeds as _seeds
from repro.evaluation.sweep import sweep
from repro.judge._detector.positions import Moved, shift_of
from repro.papers import drift_detection as paper
from repro.streams.composition import Composition
from repro.streams.incremental import incremental
from repro.streams.led import LED
from repro.streams.random_tree import RandomTree
from repro.streams.sea import SEA

__all__ = ["AT", "AT_REAL", "FALL", "INDEPENDENT", "KINDS", "REAL", "SHUFFLED", "SIZES"]
__all__ += ["TOLERANCE", "Group", "calibration_losses", "drifts_of"]
__all__ += ["independent_losses", "learner_losses", "level_of", "shifts_of", "shuffled_losses"]

INDEPENDENT, REAL, SHUFFLED = "independent losses", "losses of a learner", "the same, shuffled"
KINDS = "sudden", "gradual", "incremental", "none"
TOLERANCE = 10_000  # an alarm detects a change until so many examples after its end
WIDTH = 2_000  # a slow change lasts from so many examples before its middle until as many after

SIZES = (0.1, 0.15), (0.1, 0.2), (0.2, 0.4)  # error rates before and after a change
LEVELS = 0.1, 0.2  # error rates without a change
AT, N = 10_000, 20_000  # change and end of a run of independent losses
STRETCH = 100  # examples of one concept, during a gradual change of independent losses
PER_SEED = 2  # runs of independent losses for each seed

MOST_SHIFT, MOST_SHIFT_REAL = 8_000, 16_000  # examples by which a change may come later
FALL = "fall"  # the kind of a change to a smaller error rate
HELD, HELD_REPEATS = 2, 5  # seeds for calibration, for each seed; and runs of independent losses

LEARNER = "NBA"
AT_REAL, N_REAL = 32_000, 64_000
BETWEEN: dict[str, Any] = {"at": AT_REAL, "width": 2 * WIDTH, "n": N_REAL}
INCREMENTAL = {
    "LED": incremental(LED(noise=0.1), LED(noise=0.2), **BETWEEN),
    "RT": incremental(RandomTree(noise=0.0), RandomTree(noise=0.2), **BETWEEN),
    "SEA": incremental(SEA(threshold=7.0), SEA(threshold=9.5), **BETWEEN),
}


class Group(NamedTuple):
    """What a group of runs is: where its losses are from, kind of the change, stream or size."""

    losses: str
    kind: str
    name: str


def drifts_of(group: Group) -> tuple[list[Any], int]:
    """The drifts of each run of `group`, and the number of its examples; not moved."""
    at, n = (AT, N) if group.losses == INDEPENDENT else (AT_REAL, N_REAL)
    slow = [(at - WIDTH, at + WIDTH)]
    return {"sudden": [at], FALL: [at], "none": []}.get(group.kind, slow), n


def level_of(group: Group) -> str:
    """The stream, or the error rate before a change: what a detector is calibrated for."""
    return group.name.partition(" to ")[0]


def shifts_of(group: Group, seeds: Sequence[int]) -> list[int]:
    """By how many examples the change of each run of `group` comes later; 0 without a change."""
    repeats = PER_SEED if group.losses == INDEPENDENT else 1
    if group.kind == "none":
        return [0] * (repeats * len(seeds))
    if group.losses == INDEPENDENT:
        numbers = product(seeds, range(repeats))
        return [shift_of(seed, MOST_SHIFT, *group, str(i)) for seed, i in numbers]
    return [shift_of(seed, MOST_SHIFT_REAL, f"{group.kind}, {group.name}") for seed in seeds]


def independent_losses(
    seeds: Sequence[int],
    kinds: Sequence[str] = KINDS,
    *,
    moved: bool = False,
    repeats: int = PER_SEED,
) -> dict[Group, list[NDArray[np.uint8]]]:
    """Independent 0/1 losses whose error rises from one rate to another, falls, or stays.

    With `moved` the change of each run comes later by its `shifts_of`.

    A gradual change alternates between the two rates in stretches of 100 examples, the later the
    more often at the second. With alternation example by example, independent losses would be the
    same as those of an incremental change.
    """
    changes = [(kind, *size) for kind, size in product(KINDS[:3], SIZES)]
    changes += [("none", level, level) for level in LEVELS]
    changes += [(FALL, high, low) for low, high in SIZES]
    losses = {}
    for kind, before, after in (change for change in changes if change[0] in kinds):
        name = f"{before} to {after}" if after != before else f"{before}"
        group = Group(INDEPENDENT, kind, name)
        numbers = list(product(seeds, range(repeats)))
        rngs = [_seeds.generator(seed, "judge", *group, str(i)) for seed, i in numbers]
        shifts = shifts_of(group, seeds) if moved and kind != "none" else [0] * len(rngs)
        pairs = zip(rngs, shifts, strict=True)
        losses[group] = [_losses(kind, before, after, rng, shift) for rng, shift in pairs]
    return losses


def _losses(
    kind: str, before: float, after: float, rng: np.random.Generator, shift: int
) -> NDArray[np.uint8]:
    n, at = N + shift, AT + shift
    t = np.arange(n)
    share: NDArray[np.float64] = (t >= at).astype(np.float64)
    if kind in ("gradual", "incremental"):
        share = np.clip((t - at) / (2 * WIDTH) + 0.5, 0, 1)
    if kind == "gradual":
        stretches = rng.random(-(-n // STRETCH))
        share = (np.repeat(stretches, STRETCH)[:n] < share).astype(np.float64)
    return (rng.random(n) < before + (after - before) * share).astype(np.uint8)


def learner_losses(
    seeds: Sequence[int],
    *,
    kinds: Sequence[str] = KINDS,
    moved: bool = False,
    jobs: int = 1,
    cache: str | Path | None = None,
) -> dict[Group, list[NDArray[np.uint8]]]:
    """Losses of a Hoeffding tree on streams with a sudden, gradual, incremental or no change.

    With `moved` the change of each run comes later by its `shifts_of`, and SEA has losses without
    a change as well.
    """
    league: dict[str, Any] = {
        **paper.LEAGUE,
        **{f"incremental, {k}": s for k, s in INCREMENTAL.items()},
    }
    if moved:  # every stream is calibrated for
        league["none, SEA"] = Composition([SEA(threshold=7.0)], at=[], n=N_REAL)
    streams: dict[str, Any] = {n: s for n, s in league.items() if n.partition(",")[0] in kinds}
    if moved:
        changes = {n: s for n, s in streams.items() if not n.startswith("none")}
        streams |= {name: Moved(s, MOST_SHIFT_REAL, name) for name, s in changes.items()}
    learner = {LEARNER: paper.LEARNERS[LEARNER]}
    folder = None if cache is None else Path(cache) / "sweep"
    measures = {"loss": lambda loss: loss.astype(np.uint8)}
    table = sweep(learner, streams, seeds, jobs=jobs, measures=measures, cache=folder)
    runs = table.groupby("stream", sort=False)["loss"].agg(list)
    losses = {Group(REAL, *name.split(", ")): runs[name] for name in streams}
    return {group: losses[group] for kind in KINDS for group in losses if group.kind == kind}


def calibration_losses(
    seeds: Sequence[int], *, jobs: int = 1, cache: str | Path | None = None
) -> dict[Group, list[NDArray[np.uint8]]]:
    """Losses without a change on which detectors are calibrated, of both sources.

    They are of other seeds than those of the report, several for each of `seeds`: a rate that is
    measured on the losses it was calibrated on is too good, and a rare alarm needs many losses.
    """
    numbers = product(seeds, range(HELD))
    others = [_seeds.integer(seed, "judge", "calibration", str(i)) for seed, i in numbers]
    of_learner = learner_losses(others, kinds=["none"], moved=True, jobs=jobs, cache=cache)
    return {**of_learner, **independent_losses(others, kinds=["none"], repeats=HELD_REPEATS)}


def shuffled_losses(
    losses: dict[Group, list[NDArray[np.uint8]]], seeds: Sequence[int]
) -> dict[Group, list[NDArray[np.uint8]]]:
    """The losses of a learner without a change, each run in random order."""
    shuffled = {}
    for group, runs in losses.items():
        if group.kind == "none":
            rngs = [_seeds.generator(seed, "judge", SHUFFLED, group.name) for seed in seeds]
            pairs = zip(rngs, runs, strict=True)
            shuffled[group._replace(losses=SHUFFLED)] = [rng.permutation(run) for rng, run in pairs]
    return shuffled
