"""Reading a log of predictions of any model, in any language, from a file or a table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from repro._checks import as_list, shown
from repro.interop._log_columns import classes_of, delays_of, group_of, positive_of, scores_of
from repro.interop._log_table import as_times, complete_rows, in_order, side_by_side, table_of
from repro.interop.prediction_log import PredictionLog

__all__ = ["read_predictions"]


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
    separator: str = ",",
) -> PredictionLog:
    """Read a log of predictions; rows without a label or a prediction are left out and counted.

    Parameters
    ----------
    source : path of a CSV file (also as .gz) or a Parquet file, or a DataFrame.
    label : column of the labels.
    predicted : column of the predictions; several columns for several models, which are called
        after them.
    time : column of the times of the predictions: numbers, or dates like 2026-01-31 23:59:59. Rows
        are put in its order; without it they are taken to be in the order of time.
    label_time : column of the times at which the labels came; needs `time`.
    score : column of the score for each column of `predicted`. With two classes it is that of the
        class `positive`, higher where that is more likely; with more, that of the class predicted.
    model : column that names the model of each row, for files with a row per model and example. All
        models must have the same examples: equal labels (and times) in the same order.
    groups : columns that divide the rows. A column of many different numbers is cut into quarters.
    positive : the class that the scores are of. By default the one whose predictions have the
        higher scores.
    separator : what stands between the fields of a CSV file, one character.

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
    listed = [*roles, *(("groups", g) for g in by)]
    frame, name = table_of(source, listed, [label, *models], separator)
    notes: list[str] = []
    frame = complete_rows(frame, roles, notes)
    if time is not None:
        frame = in_order(frame, time, notes)
    if label_time is not None:
        frame[label_time] = as_times(frame[label_time], "label_time")
    if model is not None:
        frame, models, scored = side_by_side(frame, label, models[0], scored, time, model)
    y, predictions, labels = classes_of(frame, label, models)
    columns = {m: scores_of(frame[s]) for m, s in zip(models, scored, strict=False)}
    target = positive_of(positive, labels, y, predictions, columns, notes) if columns else None
    late = label_time is not None and time is not None
    delays = delays_of(frame[time], frame[label_time]) if late else None
    divided = {g: group_of(frame[g], g) for g in by}
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
