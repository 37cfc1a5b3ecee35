"""A log of predictions, of any model in any language: labels, predictions, scores, times, groups.

Labels and predictions are compared as texts. A whole number may be written with decimals that are
zeros, as ``1`` and ``1.0``; ``01`` and ``1`` are two classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import as_list, shown
from repro._folders import install_command

__all__ = ["Delays", "Group", "PredictionLog", "read_predictions"]

WHOLE = re.compile(r"(-?(?:0|[1-9]\d*))\.0+")
QUARTERS = 4  # groups of a column of numbers
MOST_VALUES = 20  # numbers that are groups of their own
MOST_GROUPS = 200
Labels = NDArray[np.int64]


class Group(NamedTuple):
    """A column that divides the rows: the number of each row's group, and the groups' names."""

    codes: Labels
    names: tuple[str, ...]


class Delays(NamedTuple):
    """How late the labels of a log came."""

    waits: NDArray[np.float64]  #: time from the prediction to the label, (n,)
    unit: str  #: of `waits`: "s" for dates, empty for numbers
    examples: Labels  #: that were predicted before the label came, (n,)


@dataclass(frozen=True, eq=False)
class PredictionLog:
    """Labels and the predictions of them in the order of time; `read_predictions` makes it."""

    name: str
    labels: tuple[str, ...]  #: names of the classes 0..K-1
    y: Labels  #: shape (n,)
    predictions: Mapping[str, Labels]  #: of each model, shape (n,)
    #: of each model that has them, shape (n,): of the class `positive` of two classes, otherwise of
    #: the class that is predicted
    scores: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    positive: int | None = None  #: the class that the scores are of; None with several classes
    delays: Delays | None = None  #: of the labels, where their times are known
    groups: Mapping[str, Group] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return int(self.y.size)

    @property
    def losses(self) -> dict[str, NDArray[np.float64]]:
        """0/1 losses of each model, (n,)."""
        return {m: (p != self.y).astype(np.float64) for m, p in self.predictions.items()}

    @property
    def counts(self) -> Labels:
        """Number of examples of each class, (K,)."""
        return np.bincount(self.y, minlength=len(self.labels))


def read_predictions(
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
) -> PredictionLog:
    """Read a log of predictions; rows without a label or a prediction are left out and counted.

    Parameters
    ----------
    source : path of a CSV file (also as .gz) or a Parquet file, or a DataFrame.
    label : column of the labels.
    predicted : column of the predictions; several columns for several models, which are called
        after them.
    time : column of the times of the predictions, numbers or dates. Rows are put in its order;
        without it they are taken to be in the order of time.
    label_time : column of the times at which the labels came; needs `time`.
    score : column of the score for each column of `predicted`. With two classes it is that of the
        class `positive`, higher where that is more likely; with more, that of the class predicted.
    model : column that names the model of each row, for files with a row per model and example. All
        models must have the same examples: equal labels (and times) in the same order.
    groups : columns that divide the rows. A column of many different numbers is cut into quarters.
    positive : the class that the scores are of. By default the one whose predictions have the
        higher scores.

    Raises FileNotFoundError if there is no file, TypeError and ValueError for other arguments, for
    columns that are not there or hold something else, and for a log without rows.

    >>> table = pd.DataFrame({"y": ["a", "b", "b"], "p": ["a", "b", "a"], "t": [3, 1, 2]})
    >>> log = read_predictions(table, label="y", predicted="p", time="t")
    >>> log.labels, log.y.tolist(), log.losses["p"].tolist()
    (('a', 'b'), [1, 1, 0], [0.0, 1.0, 0.0])
    """
    models = _names(predicted, "predicted")
    scored = [] if score is None else _names(score, "score")
    if score is not None and len(scored) != len(models):
        rule = f"score must name as many columns as predicted, {len(models)}"
        raise ValueError(f"{rule}; got {len(scored)}")
    if model is not None and len(models) > 1:
        raise ValueError(f"predicted must name one column if model is given; got {len(models)}")
    if label_time is not None and time is None:
        raise ValueError("time must be given with label_time; got None")
    by: list[str] = list(
        as_list([groups] if isinstance(groups, str) else groups, name="groups", rule="names")
    )
    single = {"label": label, "time": time, "label_time": label_time, "model": model}
    roles = [(k, v) for k, v in single.items() if v is not None]
    roles += [("predicted", m) for m in models] + [("score", s) for s in scored]
    frame, name = _table(source, [*roles, *(("groups", g) for g in by)], text=[label, *models])
    notes: list[str] = []
    frame = _complete(frame, roles, notes)
    if time is not None:
        frame = _in_order(frame, time, notes)
    if label_time is not None:
        frame[label_time] = _times(frame[label_time], "label_time")
    if model is not None:
        frame, models, scored = _side_by_side(frame, label, models[0], scored, time, model)
    y, predictions, labels = _classes(frame, label, models)
    columns = {m: _scores(frame[s]) for m, s in zip(models, scored, strict=False)}
    target = _positive(positive, labels, y, predictions, columns, notes) if columns else None
    late = label_time is not None and time is not None
    delays = _delays(frame[time], frame[label_time]) if late else None
    divided = {g: _group(frame[g], g) for g in by}
    return PredictionLog(
        name, labels, y, predictions, columns, target, delays, divided, tuple(notes)
    )


def _names(value: Any, name: str) -> list[str]:
    names = (
        [value] if isinstance(value, str) else as_list(value, name=name, rule="names of columns")
    )
    if not names or not all(isinstance(n, str) for n in names) or len({*names}) < len(names):
        raise ValueError(f"{name} must name columns, each once; got {shown(value)}")
    return list(names)


def _table(source: Any, roles: list[tuple[str, Any]], text: list[str]) -> tuple[pd.DataFrame, str]:
    """The columns that are asked for, and a name for the log."""
    wanted = [column for _, column in roles]
    if isinstance(source, pd.DataFrame):
        _check_columns(roles, list(source.columns))
        return source[[*dict.fromkeys(wanted)]].reset_index(drop=True), "the log"
    if not isinstance(source, str | Path):
        rule = "source must be the path of a CSV or Parquet file, or a DataFrame"
        raise TypeError(f"{rule}; got {shown(source)}")
    path = Path(source)
    if not path.is_file():
        raise FileNotFoundError(f"source must be a CSV or Parquet file; got {shown(str(source))}")
    stem = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    try:
        if path.suffix == ".parquet":
            return _parquet(path, roles, wanted), stem
        _check_columns(roles, list(pd.read_csv(path, nrows=0, encoding="utf-8-sig").columns))
        types = dict.fromkeys(text, "category")
        how: dict[str, Any] = {"usecols": [*dict.fromkeys(wanted)], "dtype": types}
        return pd.read_csv(path, encoding="utf-8-sig", low_memory=False, **how), stem
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        rule = "source must be a CSV file with a header"
        raise ValueError(f"{rule}; got {path}: {reason}") from error


def _parquet(path: Path, roles: list[tuple[str, Any]], wanted: list[str]) -> pd.DataFrame:
    try:
        from pyarrow import ArrowInvalid, parquet
    except ImportError as error:
        how = install_command("data")
        raise ImportError(f"Parquet needs pyarrow, which is not installed: {how}") from error
    try:
        _check_columns(roles, parquet.read_schema(path).names)
    except ArrowInvalid as error:
        raise ValueError(f"source must be a Parquet file; got {path}: {error}") from error
    return pd.read_parquet(path, columns=[*dict.fromkeys(wanted)])


def _check_columns(roles: list[tuple[str, Any]], there: list[Any]) -> None:
    used: dict[Any, str] = {}
    for role, column in roles:
        if column not in there:
            listed = ", ".join(map(str, there[:20])) + (" ..." if len(there) > 20 else "")
            raise ValueError(f"{role} must name a column of {listed}; got {shown(column)}")
        other = used.setdefault(column, role)
        if role != other and "groups" not in (role, other):
            raise ValueError(f"{role} must be another column than {other}; got {shown(column)}")


def _complete(frame: pd.DataFrame, roles: list[tuple[str, Any]], notes: list[str]) -> pd.DataFrame:
    """The rows that have all they need."""
    kept = np.ones(len(frame), dtype=bool)
    for role, column in roles:
        missing = frame[column].isna().to_numpy()
        if missing.any():
            notes.append(f"{missing.sum():,} rows without {role} ({column}) were left out")
        kept &= ~missing
    if not kept.any():
        raise ValueError(
            f"source must have rows with all of {', '.join(r for r, _ in roles)}; got 0"
        )
    return frame if kept.all() else frame[kept].reset_index(drop=True)


def _times(column: pd.Series, name: str) -> pd.Series:
    """Numbers as they are, dates as times."""
    if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
        return column
    try:
        return pd.to_datetime(column, utc=True, format="mixed")
    except (ValueError, TypeError, OverflowError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"{name} must hold numbers or dates; got {reason}") from error


def _in_order(frame: pd.DataFrame, time: str, notes: list[str]) -> pd.DataFrame:
    times = _times(frame[time], "time")
    frame = frame.assign(**{time: times})
    if not times.is_monotonic_increasing:
        frame = frame.sort_values(time, kind="stable", ignore_index=True)
        notes.append("the rows were not in the order of time and were put in it")
    ties = int(frame[time].duplicated().sum())
    if ties:
        notes.append(f"{ties:,} rows have the time of an earlier one; they keep their order")
    return frame


def _side_by_side(
    frame: pd.DataFrame, label: str, predicted: str, scored: list[str], time: str | None, model: str
) -> tuple[pd.DataFrame, list[str], list[str]]:
    """A row per example from a row per model and example."""
    parts = {
        str(k): p.reset_index(drop=True) for k, p in frame.groupby(model, sort=False, observed=True)
    }
    first, *others = parts
    base = parts[first]
    shared = [label] + ([time] if time else [])
    for other in others:
        part = parts[other]
        if len(part) != len(base) or not all(
            (part[c].astype(str) == base[c].astype(str)).all() for c in shared
        ):
            rule = f"the rows of each model must have the same {' and '.join(shared)} in one order"
            sizes = f"{len(base):,} rows of {first} and {len(part):,} of {other}"
            raise ValueError(f"{rule} (judge models with other examples alone); got {sizes}")
    table = base.drop(columns=[predicted, model, *scored])
    names = [f"score of {m}" for m in parts] if scored else []
    for i, (m, part) in enumerate(parts.items()):
        table[m] = part[predicted]
        if scored:
            table[names[i]] = part[scored[0]]
    return table, list(parts), names


def _classes(
    frame: pd.DataFrame, label: str, models: list[str]
) -> tuple[Labels, dict[str, Labels], tuple[str, ...]]:
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
    codes, values = pd.factorize(column)
    names = []
    for value in values:
        text = str(value).strip()
        whole = WHOLE.fullmatch(text)
        names.append(whole[1] if whole else text)
    return codes.astype(np.int64), names


def _rank(name: str) -> tuple[bool, float, str]:
    """Numbers by size, then texts."""
    try:
        value = float(name)
    except ValueError:
        return True, 0.0, name
    return not np.isfinite(value), value if np.isfinite(value) else 0.0, name


def _scores(column: pd.Series) -> NDArray[np.float64]:
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
    if not (good := np.isfinite(numbers)).all():
        row = int(good.argmin())
        raise ValueError(f"score must hold finite numbers; got {shown(column.iloc[row])}")
    return numbers


def _positive(
    positive: Any,
    labels: tuple[str, ...],
    y: Labels,
    predictions: Mapping[str, Labels],
    scores: Mapping[str, NDArray[np.float64]],
    notes: list[str],
) -> int | None:
    """The class that the scores are of."""
    if positive is not None:
        name = WHOLE.sub(r"\1", str(positive))
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
            notes.append(
                f"scores are taken as those of {labels[high]}, whose predictions have more"
            )
            return high
    notes.append(f"scores are taken as those of {labels[1]} (give positive otherwise)")
    return 1


def _delays(times: pd.Series, label_times: pd.Series) -> Delays:
    """Waiting times, and how many examples are predicted while a label is awaited."""
    dates = [pd.api.types.is_datetime64_any_dtype(column) for column in (times, label_times)]
    if dates[0] != dates[1]:
        raise ValueError("label_time must be of the kind of time, dates or numbers; got the other")
    a, b = (pd.to_datetime(c, utc=True) if dates[0] else c for c in (times, label_times))
    waits = (b - a).dt.total_seconds() if dates[0] else b - a
    later = np.searchsorted(a.to_numpy(), b.to_numpy(), side="right")
    delays = np.maximum(later - 1 - np.arange(len(a)), 0)
    unit = "s" if dates[0] else ""
    return Delays(waits.to_numpy(dtype=np.float64), unit, delays.astype(np.int64))


def _group(column: pd.Series, name: str) -> Group:
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
    return Group(np.asarray(codes, dtype=np.int64), tuple(names))
