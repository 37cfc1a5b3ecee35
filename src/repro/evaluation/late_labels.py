"""Learners x streams x seeds where labels come late, or for a share of the examples only."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import _folders
from repro import seeds as randomness
from repro._checks import as_seeds, check_count, check_flag, check_number, shown
from repro.evaluation._arguments import (
    MEASURES,
    NO_MEASURES,
    Measures,
    as_jobs,
    as_measures,
    check_models,
    model_part,
)
from repro.evaluation._kinds import runner_of
from repro.evaluation._prequential_task import (
    FIELDS,
    Settings,
    forget_draws,
    labels_in,
    run_task,
    values_of,
)
from repro.evaluation._runner import Cost, Outcome, Runner, Session, Trainee, schedule_of
from repro.evaluation._runner import Part as StreamPart
from repro.streams.stream import Schema, Stream
from repro.studies.engine import perform
from repro.studies.task import Outcome as Finished
from repro.studies.task import Part, Task
from repro.studies.versions import NO_KEYS, as_keys

__all__ = ["label_waits", "late_sweep"]


def label_waits(n: int, delay: int = 0, share: float = 1.0, seed: int = 0) -> NDArray[np.int64]:
    """Delays of `n` labels, each of which arrives with the probability `share`; shape (n,).

    Parameters
    ----------
    n : number of examples.
    delay : of the labels that arrive, in examples, as in `prequential`.
    share : of the examples whose label arrives, in (0, 1]; the others never do.
    seed : of the choice of the examples.

    >>> label_waits(8, delay=2, share=0.5).tolist()
    [8, 2, 8, 2, 8, 8, 2, 2]
    """
    n = check_count(n, name="n")
    delay = check_count(delay, name="delay", least=0)
    _check_share(share)
    arrives = randomness.generator(seed, "labels").random(n) < share
    return np.where(arrives, min(delay, n), n).astype(np.int64)


def _check_share(share: float) -> float:
    value = check_number(share, name="share", least=0)
    if not 0 < value <= 1:
        raise ValueError(f"share must lie in (0, 1]; got {shown(share)}")
    return value


@dataclass(frozen=True)
class LateRunner(Runner):
    """A learner whose labels come late; everything else is that of its `base`."""

    base: Runner
    delay: int
    share: float

    def session(self, schema: Schema, *, seed: int, proba: bool, every: int | None) -> Session:
        return LateSession(
            self.base.session(schema, seed=seed, proba=proba, every=every),
            lambda n: label_waits(n, self.delay, self.share, seed),
        )

    def start(self, schema: Schema, *, seed: int, batch: int = 1) -> Trainee:
        return self.base.start(schema, seed=seed, batch=batch)

    def identified(self) -> Any:
        return self.base.identified()


@dataclass(frozen=True)
class LateSession(Session):
    """A session that is fed a whole stream, whose labels wait."""

    base: Session
    waits: Callable[[int], NDArray[np.int64]]

    def feed(self, part: StreamPart) -> Outcome:
        n = len(part.stream)
        return self.base.feed(StreamPart(part.stream, schedule_of(n, self.waits(n), 1)))

    def cost(self) -> Cost:
        return self.base.cost()


def late_sweep(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    seeds: int | Iterable[int] = 10,
    *,
    delay: int = 0,
    share: float = 1.0,
    measures: Measures = MEASURES,
    label_measures: Measures = NO_MEASURES,
    jobs: int = 1,
    cache: str | Path | None = None,
    fresh: bool = False,
    keys: Mapping[str, str] = NO_KEYS,
) -> pd.DataFrame:
    """`repro.sweep` with labels that arrive `delay` examples late, and only for a `share` of them.

    All learners get the labels of the same examples, chosen with the seed of the run.

    Parameters
    ----------
    learners, streams, seeds, measures, label_measures, jobs, cache, fresh, keys : as in `sweep`.
    delay : the label of example i is learned after the prediction of example i + delay.
    share : of the examples whose label arrives, in (0, 1]; labels of the others never do.

    Returns the frame of `sweep` without the column of alarms.

    >>> from repro import TESTBED
    >>> from repro.learners import NoChange
    >>> streams = {"NSGT": TESTBED["NSGT"]}
    >>> late_sweep({"N": NoChange()}, streams, 1, delay=10).n.item()
    10001
    """
    check_models(learners, streams)
    delay = check_count(delay, name="delay", least=0)
    late = delay, _check_share(share)
    check_flag(fresh, name="fresh")
    both = as_measures(measures, label_measures)
    versions = as_keys(keys, {"learners": learners, "streams": streams})
    names = list(product(learners, streams, as_seeds(seeds)))
    tasks = [*_tasks(learners, streams, names, late, versions)]
    # Learners on the same draw run one after the other: a worker keeps its latest draw.
    order = sorted(range(len(tasks)), key=lambda i: names[i][1:])
    how: dict[str, Any] = {"jobs": as_jobs(jobs, "processes"), "fresh": fresh, "desc": "sweep"}
    how |= {"batches": [[i] for i in order], "unit": "task"}
    rows: list[dict[str, Any]] = [{}] * len(tasks)
    try:
        for outcome in perform(tasks, cache or _folders.cache() / "sweep", **how):
            rows[outcome.number] = _row(outcome, both)
    finally:
        forget_draws()
    columns = ("learner", "stream", "seed")
    return pd.DataFrame(
        dict(zip(columns, name, strict=True)) | row for name, row in zip(names, rows, strict=True)
    )


def _row(outcome: Finished, measures: tuple[Measures, Measures]) -> dict[str, Any]:
    """The columns of a task after its name."""
    _, result, failure, _ = outcome
    text = "" if failure is None else f"{failure.text} ({failure.place})"
    if result is None:
        names = [*measures[0], *measures[1], *FIELDS[5:]]
        return {"n": 0, **dict.fromkeys(names, np.nan), "failure": text}
    values = values_of(labels_in(result), *measures)
    return {"n": result["n"], **values, **{k: result[k] for k in FIELDS[5:]}, "failure": text}


def _tasks(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    names: list[tuple[str, str, int]],
    late: tuple[int, float],
    versions: Mapping[str, str],
) -> Iterator[Task]:
    """A task for each of the `names` of a learner, a stream and a seed."""
    call = uuid.uuid4().hex  # a worker keeps its latest draw: that of another call is another one
    runners = {name: runner_of(learner) for name, learner in learners.items()}
    models = {name: model_part(name, runner, versions) for name, runner in runners.items()}
    for learner, name, seed in names:
        stream = streams[name]
        is_data = isinstance(stream, Stream)
        runner = LateRunner(runners[learner], *late)
        draw = f"{call} {name} {seed}"
        settings = Settings(runner, None if is_data else stream, draw, seed)
        of_stream = Part(f"stream {name!r}", stream, versions.get(name, ""))
        parts = models[learner], of_stream, Part("", seed), Part("", late)
        text = f"learner={learner!r}, stream={name!r}, seed={seed}"
        yield Task(text, run_task, settings, stream if is_data else None, parts, FIELDS)
