"""Columns of a log of predictions as arrays: classes, scores, delays, groups.

Labels and predictions are compared as texts. A whole number may be written with decimals that are
zeros, as ``1`` and ``1.0``; ``01`` and ``1`` are two classes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import shown
from repro.interop.prediction_log import LabelDelays, RowGroups

__all__ = ["classes_of", "delays_of", "group_of", "positive_of", "scores_of"]

WHOLE = re.compile(r"(-?(?:0|[1-9]\d*))\.0+")
QUARTERS = 4  # groups of a column of numbers
MOST_VALUES = 20  # numbers that are groups of their own
MOST_GROUPS = 200
Labels = NDArray[np.int64]


def classes_of(
    frame: pd.DataFrame, label: str, models: list[str]
) -> tuple[Labels, dict[str, Labels], tuple[str, ...]]:
    """Labels, predictions of each of the `models`, and the names of all classes."""
    coded = {column: _texts(frame[column]) for column in (label, *models)}
    for m in models:
        if not {*coded[m][1]} & {*coded[label][1]}:
            a, b = (shown(coded[c][1][0]) for c in (m, label))
            raise ValueError(f"predicted must hold labels; got {a} and the like, not {b}")
    found = {name for _, names in coded.values() for name in names}
    n = len(frame)
    if len(found) > max(20, n // 2):
        raise ValueError(f"label must hold classes; got {len(found):,} values in {n:,} rows")
    labels = tuple(sorted(found, key=_rank))
    places = {name: i for i, name in enumerate(labels)}
    arrays = {
        column: np.array([places[name] for name in names], dtype=np.int64)[codes]
        for column, (codes, names) in coded.items()
    }
    return arrays[label], {m: arrays[m] for m in models}, labels


def _texts(column: pd.Series) -> tuple[Labels, list[str]]:
    """The number of each row's text, and the texts."""
    try:
        codes, values = pd.factorize(column)
    except TypeError as error:
        what = f"{column.name} must hold classes, as texts or numbers"
        raise TypeError(f"{what}; got {shown(column.iloc[0])}") from error
    return codes.astype(np.int64), [_text(value) for value in values]


def _text(value: Any) -> str:
    """A label as it is compared."""
    text = str(value).strip()
    whole = WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _rank(name: str) -> tuple[bool, float, str]:
    """Numbers by size, then texts."""
    try:
        value = float(name)
    except ValueError:
        return True, 0.0, name
    return not np.isfinite(value), value if np.isfinite(value) else 0.0, name


def scores_of(column: pd.Series) -> NDArray[np.float64]:
    """A column of finite numbers."""
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
    if not (good := np.isfinite(numbers)).all():
        row = int(good.argmin())
        raise ValueError(f"score must hold finite numbers; got {shown(column.iloc[row])}")
    return numbers


def positive_of(
    positive: Any,
    labels: tuple[str, ...],
    y: Labels,
    predictions: Mapping[str, Labels],
    scores: Mapping[str, NDArray[np.float64]],
    notes: list[str],
) -> int | None:
    """The class that the scores are of."""
    if positive is not None:
        name = _text(positive)
        if name not in labels or len(labels) != 2:
            rule = f"positive must be one of two classes, which are {', '.join(labels)}"
            raise ValueError(f"{rule}; got {shown(positive)}")
        return labels.index(name)
    if len(labels) != 2:
        return None
    for m, score in scores.items():
        is_one = predictions[m] == 1
        if 0 < is_one.sum() < is_one.size:
            high = int(score[is_one].mean() >= score[~is_one].mean())
            whose = "whose predictions have the higher scores"
            notes.append(f"scores are taken as those of {labels[high]}, {whose}")
            return high
    notes.append(f"scores are taken as those of {labels[1]} (give positive otherwise)")
    return 1


def delays_of(times: pd.Series, label_times: pd.Series) -> LabelDelays:
    """Waiting times, and how many examples are predicted while a label is awaited."""
    dates = [pd.api.types.is_datetime64_any_dtype(column) for column in (times, label_times)]
    if dates[0] != dates[1]:
        raise ValueError("label_time must be of the kind of time, dates or numbers; got the other")
    a, b = (pd.to_datetime(c, utc=True) if dates[0] else c for c in (times, label_times))
    waits = (b - a).dt.total_seconds() if dates[0] else b - a
    later = np.searchsorted(a.to_numpy(), b.to_numpy(), side="right")
    delays = np.maximum(later - 1 - np.arange(len(a)), 0)
    unit = "s" if dates[0] else ""
    return LabelDelays(waits.to_numpy(dtype=np.float64), unit, delays.astype(np.int64))


def group_of(column: pd.Series, name: str) -> RowGroups:
    """The groups of a column: its values, or quarters of many numbers; missing is a group."""
    numbers = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if numbers and column.nunique() > MOST_VALUES:
        column = pd.qcut(column, QUARTERS, duplicates="drop")
        codes = column.cat.codes.to_numpy(dtype=np.int64)
        names = [f"{i.left:.4g} to {i.right:.4g}" for i in column.cat.categories]
    else:
        codes, values = pd.factorize(column, sort=False)
        names = [str(value) for value in values]
    if len(names) > MOST_GROUPS:
        rule = f"groups must be columns of at most {MOST_GROUPS} values"
        raise ValueError(f"{rule}; got {len(names):,} of {name}")
    if (codes < 0).any():
        codes, names = np.where(codes < 0, len(names), codes), [*names, "missing"]
    return RowGroups(np.asarray(codes, dtype=np.int64), tuple(names))
