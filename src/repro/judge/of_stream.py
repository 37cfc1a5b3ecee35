"""A report on your stream: is it learnable, does it depend on itself, does it drift?"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro import __version__, seeds
from repro._checks import check_count, check_flag
from repro.judge import (
    _stream_drift,
    _stream_kappa,
    _stream_labels,
    _stream_learners,
    _stream_source,
    _stream_summary,
    _stream_warmth,
)
from repro.judge._stream_blocks import FEWEST
from repro.judge._stream_source import Source
from repro.judge._stream_summary import Answers
from repro.judge._stream_tests import detect
from repro.judge.report import Report
from repro.judge.section import Section
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
    jobs : number of processes for the comparison of learners.
    quick : fewer learners, and no simulation of drift-free streams.
    seed : of random orders, of places, and of learners that draw numbers.
    cache : folder of stored results; default the cache of the checkout.

    Everything runs on this machine; nothing is sent anywhere. Where the stream is long, the slow
    learners are left out and attributes are compared on a part of each block; the report says so.
    Raises TypeError and ValueError for arguments of the wrong kind, and what reading raises.

    >>> from repro.streams import LabelChain
    >>> chain = LabelChain.two_classes(majority=0.5, no_change=0.9, n=2000)
    >>> report = stream(chain.sample(seed=2), jobs=1, quick=True)
    >>> report.verdicts.set_index("question").at["Is there drift?", "verdict"]
    'none seen'
    """
    check_count(jobs, name="jobs", least=-1)
    check_flag(quick, name="quick")
    check_count(seed, name="seed", least=0)
    options: dict[str, Any] = {
        "label": label,
        "time": time,
        "nominal": tuple(nominal),
        "missing": missing,
    }
    read = _stream_source.read(source, **options)
    call = _call(source, options, quick, seed)
    settings = _settings(read, seed, quick)
    n = len(read.stream)
    if not read.varies or n < SHORTEST:
        return _nothing(read, call, settings)
    found, parts = _answers(read, jobs, quick, seed, cache)
    summary, verdicts = _stream_summary.words(read, found)
    return Report(
        f"The stream {read.name}",
        summary,
        verdicts,
        found.comparison.table,
        tuple(parts),
        *call,
        settings,
    )


def _answers(
    read: Source, jobs: int, quick: bool, seed: int, cache: str | Path | None
) -> tuple[Answers, list[Section]]:
    stream = read.stream
    rngs = {part: seeds.generator(seed, "judge", part) for part in ("bands", "orders", "starts")}
    labels = _stream_labels.describe(stream.y)
    learners = _stream_learners.choose(stream, quick)
    compared = _stream_learners.compare(stream, learners, jobs=jobs, seed=seed, cache=cache)
    advice = _stream_kappa.advise(stream.y, compared.predictions[compared.best])
    drift = detect(stream, rngs["orders"], period=labels.season)
    best = learners[compared.best]
    warm, steps = _stream_warmth.warm(stream, best, compared, rngs["starts"], seed)
    estimates, factor = _stream_warmth.sizes(compared, stream, labels.time)
    found = Answers(labels, compared, advice, drift, steps, factor)
    parts = [
        _stream_source.section(read),
        _stream_kappa.section(stream, compared, advice, rngs["bands"]),
        _stream_labels.section(labels, read.step),
        *_stream_learners.sections(read, compared),
        *_stream_drift.sections(read, drift, compared, rngs["orders"]),
    ]
    if not quick and drift.labels.blocks.n >= FEWEST:
        error = compared.table.at["naive Bayes", "error [%]"] / 100
        parts.append(_stream_drift.trial(read, error, seed))
    return found, [*parts, warm, estimates]


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
    parts = (_stream_source.section(read),)
    return Report(f"The stream {read.name}", why, verdicts, table, parts, *call, settings)


def _call(source: Any, options: dict[str, Any], quick: bool, seed: int) -> tuple[str, str]:
    """The call of this report in Python, and as a command if its source is a file."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    given |= ({"quick": True} if quick else {}) | ({"seed": seed} if seed else {})
    is_path = isinstance(source, str | Path)
    first = repr(str(source)) if is_path else "table" if hasattr(source, "columns") else "stream"
    call = ", ".join([first, *(f"{name}={value!r}" for name, value in given.items())])
    words = ["python", "-m", "repro", "judge", "stream", str(source)]
    for name, value in given.items():
        values = value if isinstance(value, tuple) else (value,)
        words += [f"--{name}"] if value is True else [f"--{name}", ",".join(map(str, values))]
    return f"repro.judge.stream({call})", shlex.join(words) if is_path else ""


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
