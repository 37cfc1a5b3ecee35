"""A report on a log of predictions: how good were they, and did that change?"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro import __version__, seeds
from repro._checks import check_count
from repro.interop import PredictionLog, read_predictions
from repro.judge._predictions import course, tables, words
from repro.judge._predictions.facts import Facts, facts_of
from repro.judge.report import Report

__all__ = ["predictions"]

SHORTEST = 50  # examples below which nothing is said


def predictions(
    source: str | Path | pd.DataFrame,
    *,
    label: str,
    predicted: str | Iterable[str],
    time: str | None = None,
    label_time: str | None = None,
    score: str | Iterable[str] | None = None,
    model: str | None = None,
    groups: str | Iterable[str] = (),
    positive: Any = None,
    separator: str = ",",
    seed: int = 0,
) -> Report:
    """Judge a log of predictions: for models that are deployed, or written in another language.

    No model is needed. The report has the error with its band, kappas, balanced accuracy, recall
    and precision of each class, ranking and calibration where there are scores, changes of the
    error, alarms of detectors, a comparison where there are several models, delays of labels, and
    groups of rows. Standard errors and tests allow for losses that depend on each other.

    Parameters
    ----------
    source, label, predicted, time, label_time, score, model, groups, positive, separator : the log
        and its columns, as in `repro.interop.read_predictions`.
    seed : of random orders and of simulated losses.

    Everything runs on this machine; nothing is sent anywhere. Raises what reading raises, and
    ValueError for fewer than 50 examples and for labels of one class.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 4000)
    >>> p = np.where(rng.random(4000) < np.repeat([0.9, 0.7], 2000), y, 1 - y)
    >>> report = predictions(pd.DataFrame({"y": y, "p": p}), label="y", predicted="p")
    >>> said = report.verdicts.set_index("question")["verdict"]
    >>> said["Does the error of p change?"]
    'changes near example 2,000 (± 100)'
    """
    seed = check_count(seed, name="seed", least=0)
    options: dict[str, Any] = {
        "label": label,
        "predicted": _plain(predicted),
        "time": time,
        "label_time": label_time,
        "score": _plain(score),
        "model": model,
        "groups": _plain(groups),
        "positive": positive,
        "separator": separator,
    }
    log = read_predictions(source, **options)
    _check_judgeable(log)
    facts = facts_of(log)
    changes = course.changes_of(facts, seeds.generator(seed, "judge", "orders"))
    calibrated, groups_found = tables.calibrations(facts), course.groups_of(facts)
    sections = [
        tables.read_section(facts),
        tables.error_section(facts),
        tables.class_section(facts),
        *([tables.score_section(facts, calibrated)] if log.scores else []),
        course.change_section(facts, changes),
        course.alarm_section(facts, seed),
        *([course.compare_section(facts)] if len(log.predictions) > 1 else []),
        *([course.group_section(facts, groups_found)] if log.groups else []),
        *([course.delay_section(facts, log.delays)] if log.delays is not None else []),
    ]
    verdicts = words.answers(facts, changes, calibrated, groups_found)
    said = words.summary(facts, verdicts)
    about, table = _settings(facts, seed), tables.main_table(facts)
    title, call = f"The predictions of {log.name}", _call(source, options, seed)
    return Report(title, said, verdicts, table, tuple(sections), *call, about)


def _settings(facts: Facts, seed: int) -> dict[str, str]:
    log = facts.log
    return {
        "log": f"{log.name}: {len(log):,} examples, {len(log.labels)} classes",
        "block": f"{facts.block:,} examples",
        "seed": str(seed),
        "repro": __version__,
        "numpy": np.__version__,
    }


def _plain(names: Any) -> Any:
    """`names` as a tuple, so that an iterator is read once; a single name and None as they are."""
    if names is None or isinstance(names, str):
        return names
    try:
        return tuple(names)
    except TypeError:
        return names


def _check_judgeable(log: PredictionLog) -> None:
    if len(log) < SHORTEST:
        raise ValueError(f"source must have at least {SHORTEST} examples; got {len(log)}")
    if (log.counts > 0).sum() < 2:
        only = log.labels[int(log.counts.argmax())]
        raise ValueError(f"label must hold two classes or more; got {only} in all rows")


def _call(source: Any, options: dict[str, Any], seed: int) -> tuple[str, str]:
    """The call of this report in Python, and as a command if its source is a file."""
    arguments = {k: v for k, v in options.items() if v is not None and v != ()}
    if arguments["separator"] == ",":  # as without it
        del arguments["separator"]
    arguments |= {"seed": seed} if seed else {}
    is_path = isinstance(source, str | Path)
    first = repr(str(source)) if is_path else "<your table>"
    listed = ", ".join([first, *(f"{k}={v!r}" for k, v in arguments.items())])
    call = f"from repro import judge\n\njudge.predictions({listed})"
    if not is_path or seed:
        return call, ""
    command = ["python", "-m", "repro", "judge", "predictions", str(source)]
    for k, v in arguments.items():
        command += [f"--{k.replace('_', '-')}", ",".join(v) if isinstance(v, tuple) else str(v)]
    return call, shlex.join(command)
