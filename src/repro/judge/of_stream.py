"""A report on your stream: is it learnable, does it depend on itself, does it drift?"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro import __version__, seeds
from repro._checks import as_list, check_count, check_flag
from repro.interop.prediction_log import PredictionLog
from repro.judge._predictions.facts import facts_of
from repro.judge._predictions.tables import class_section
from repro.judge._stream.comparison import choose, compare
from repro.judge._stream.drift import drift_of, drift_section
from repro.judge._stream.labels import (
    advise,
    copies_in,
    describe,
    kappa_section,
    label_section,
)
from repro.judge._stream.learners import learner_sections
from repro.judge._stream.source import Source, read_source, source_section
from repro.judge._stream.traps import trap_section
from repro.judge._stream.trial import detector_section
from repro.judge._stream.warmth import sizes, warm
from repro.judge._stream.words import Answers, words_on
from repro.judge.report import Report
from repro.judge.section import Section
from repro.statistics.attributes import attribute_checks
from repro.streams.stream import Stream

__all__ = ["stream"]

SHORTEST = 50  # examples below which nothing can be said about learners


def stream(
    source: str | Path | pd.DataFrame | Stream,
    *,
    label: str | int | None = None,
    time: str | int | None = None,
    nominal: Iterable[str | int] = (),
    missing: str | None = None,
    jobs: int = 1,
    quick: bool = False,
    seed: int = 0,
    cache: str | Path | None = None,
) -> Report:
    """Judge a stream: what was read, what accuracy on it means, who learns it best, does it drift.

    Parameters
    ----------
    source : path of a CSV or Parquet file, a DataFrame, or a `Stream`.
    label, time, nominal, missing : of a table, as in `Stream.from_frame`. For its other options
        make a `Stream` with it, or with `repro.streams.read_csv`.
    jobs : number of processes for the comparison of learners and the streams without drift.
    quick : fewer learners; streams without drift are tried only where drift is found, as they are
        for a stream of more than 2 million numbers.
    seed : of random orders, of places, and of learners that draw numbers.
    cache : folder of stored results; default the cache of the checkout.

    A million examples with 20 attributes take about a minute on two cores, with drift or without,
    and 1.1 GB of memory, seven times that of the attributes; each worker holds the stream once.
    Everything runs on this machine; nothing is sent anywhere. All learners of `repro.learners` take
    part, with their defaults. Where the stream is long, those that hold many models or examples are
    left out and attributes are compared on a part of each block; the report says so.
    Raises TypeError and ValueError for arguments of the wrong kind, and what reading raises.

    >>> from repro.streams import LabelChain
    >>> chain = LabelChain.two_classes(majority=0.5, no_change=0.9, n=2000)
    >>> report = stream(chain.sample(seed=2), jobs=1, quick=True)
    >>> report.verdicts.set_index("question").at["Is there drift?", "verdict"]
    'none seen'
    """
    jobs = check_count(jobs, name="jobs", least=-1)
    check_flag(quick, name="quick")
    seed = check_count(seed, name="seed", least=0)
    options: dict[str, Any] = {
        "label": label,
        "time": time,
        "nominal": tuple(as_list(nominal, name="nominal", rule="a list of names of columns")),
        "missing": missing,
    }
    read = read_source(source, **options)
    call = _call(source, options, quick, seed)
    settings = _settings(read, seed, quick)
    n = len(read.stream)
    if not read.varies or n < SHORTEST:
        return _nothing(read, call, settings)
    answers, parts = _answers(read, jobs, quick, seed, cache)
    summary, verdicts = words_on(read, answers)
    return Report(
        f"The stream {read.name}",
        summary,
        verdicts,
        answers.comparison.table,
        tuple(parts),
        *call,
        settings,
    )


def _answers(
    read: Source, jobs: int, quick: bool, seed: int, cache: str | Path | None
) -> tuple[Answers, list[Section]]:
    stream = read.stream
    rngs = {part: seeds.generator(seed, "judge", part) for part in ("bands", "orders", "starts")}
    labels = describe(stream.y)
    learners = choose(stream, quick)
    compared = compare(stream, learners, jobs=jobs, seed=seed, cache=cache)
    y_pred = compared.predictions[compared.best].astype(np.int64)
    advice = advise(stream.y, y_pred)
    facts = facts_of(PredictionLog(read.name, read.labels, stream.y, {compared.best: y_pred}))
    how: dict[str, Any] = {"quick": quick, "jobs": jobs, "cache": cache}
    drift, trial = drift_of(stream, labels.season, rngs["orders"], seed, **how)
    best = learners[compared.best]
    warming, warmth = warm(stream, best, compared, rngs["starts"], seed)
    estimates, factor = sizes(compared, stream, labels.time)
    copies, checks = copies_in(stream), attribute_checks(stream)
    answers = Answers(labels, copies, checks, compared, facts, drift, warmth, factor)
    parts = [
        source_section(read),
        trap_section(read, checks, copies),
        kappa_section(stream, compared, advice, copies, rngs["bands"]),
        class_section(facts),
        label_section(labels, read.step),
        *learner_sections(read, compared),
        drift_section(read, drift, compared),
        detector_section(stream, rngs["orders"]),
    ]
    if trial is not None:
        parts.append(trial.section)
    return answers, [*parts, warming, estimates]


def _nothing(read: Source, call: tuple[str, str], settings: dict[str, str]) -> Report:
    """The report on labels of one class, or on too few examples."""
    n = len(read.stream)
    why = f"There are only {n} examples, and a learner is judged on {SHORTEST} or more."
    if not read.varies:
        only = read.labels[int(read.counts.argmax())]
        why = f"There is nothing to predict: all {n:,} labels are {only}."
    row = {"question": "Can it be learned?", "verdict": "nothing to judge", "evidence": why}
    verdicts = pd.DataFrame([row])
    shares = {"examples": read.counts, "share [%]": 100 * read.counts / n}
    table = pd.DataFrame(shares, pd.Index(read.labels, name="class"))
    parts = (source_section(read),)
    return Report(f"The stream {read.name}", why, verdicts, table, parts, *call, settings)


def _call(source: Any, options: dict[str, Any], quick: bool, seed: int) -> tuple[str, str]:
    """The call of this report in Python, and as a command if its source is a file."""
    arguments = {name: value for name, value in options.items() if value not in (None, ())}
    arguments |= ({"quick": True} if quick else {}) | ({"seed": seed} if seed else {})
    is_path = isinstance(source, str | Path)
    yours = "<your table>" if hasattr(source, "columns") else "<your stream>"
    first = repr(str(source)) if is_path else yours
    call = ", ".join([first, *(f"{name}={value!r}" for name, value in arguments.items())])
    words = ["python", "-m", "repro", "judge", "stream", str(source)]
    for name, value in arguments.items():
        values = value if isinstance(value, tuple) else (value,)
        words += [f"--{name}"] if value is True else [f"--{name}", ",".join(map(str, values))]
    return f"from repro import judge\n\njudge.stream({call})", shlex.join(words) if is_path else ""


def _settings(read: Source, seed: int, quick: bool) -> dict[str, str]:
    stream = read.stream
    return {
        "stream": f"{read.name}: {len(stream):,} examples, {stream.schema.n_features} attributes, "
        f"{stream.schema.n_classes} classes",
        "seed": str(seed),
        "quick": "yes" if quick else "no",
        "repro": __version__,
        "numpy": np.__version__,
    }
