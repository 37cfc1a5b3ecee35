"""Datasets of river, and other examples that are dictionaries with labels, as streams."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from repro._checks import check_count, check_fits, shown
from repro.streams._column_codes import kinds_of
from repro.streams._column_plan import ColumnRules
from repro.streams._columns import arrays_of
from repro.streams.stream import Stream

__all__ = ["from_river"]

ROWS = 100_000  # examples that are dictionaries at a time
SEVERAL = (Mapping, list, tuple, set)  # labels of several outputs


def from_river(
    dataset: Iterable[tuple[Mapping[Any, Any], Any]],
    n: int | None = None,
    *,
    nominal: Iterable[str | int] = (),
    missing: str = "last",
    timestamps: str = "drop",
    name: str | None = None,
) -> Stream:
    """The examples of a river dataset, or of any other iterable of (dict, label), as a stream.

    Values become numbers as in `Stream.from_frame`: texts and bools are nominal, labels are coded
    in numeric or alphabetic order, and examples whose label is None are left out. What is done with
    each feature is in `provenance`. A feature that is absent from an example is missing there.

    Parameters
    ----------
    dataset : of river, what ``river.stream.iter_csv`` and the like give, or a list.
    n : number of examples from the first on; None takes all. A dataset without end needs it.
    nominal : names of more nominal features.
    missing, timestamps : what becomes of missing values and timestamps, see `Stream.from_frame`.
    name : name of the stream; default that of the dataset's class, none for another iterable.

    Raises TypeError for what cannot be iterated over; ValueError for examples or labels of another
    kind, such as those of a regression, for a dataset without end, and for wrong options.

    >>> examples = [({"size": 1.5, "colour": "red"}, "no"), ({"size": 2, "colour": "blue"}, "yes")]
    >>> stream = from_river([*examples, ({"colour": "red"}, "no")])
    >>> stream.X.tolist(), stream.y.tolist(), stream.provenance.labels
    ([[1.5, 1.0], [2.0, 0.0], [2.0, 1.0]], [0, 1, 0], ('no', 'yes'))
    """
    is_named = hasattr(dataset, "n_samples") and not isinstance(dataset, type)
    title = (type(dataset).__name__ if is_named else "") if name is None else name
    rules = ColumnRules(
        *("y", None, nominal, (), missing, timestamps),
        name=title,
        source="dataset",
        labelled="dataset must have labels",
    )
    _check_end(dataset, n)
    parts = list(_parts(_checked(dataset, n)))
    features = list(dict.fromkeys(key for X, _ in parts for key in X))
    names = [str(feature) for feature in features]
    while rules.label in names:
        rules = replace(rules, label=f"{rules.label}_")
    rules.check_names([*names, rules.label])
    tables = [
        X.reindex(columns=features).set_axis(names, axis="columns").assign(**{rules.label: y})
        for X, y in parts
    ]
    rows, kinds = kinds_of(tables, [*names, rules.label])
    return Stream._adopt(arrays_of(tables, kinds, rows, rules))


def _check_end(dataset: Any, n: int | None) -> None:
    """Raise ValueError for a wrong `n`, for None without an end, and for another task."""
    task = getattr(dataset, "task", "classification")
    if isinstance(task, str) and not task.endswith("classification"):
        raise ValueError(f"dataset must be one for classification; got one for {task.lower()}")
    if n is not None:
        n = check_count(n, name="n", most=sys.maxsize)
        return
    is_synthetic = any(kind.__name__ == "SyntheticDataset" for kind in type(dataset).__mro__)
    samples = getattr(dataset, "n_samples", 0)
    if samples == float("inf") or (is_synthetic and samples is None):
        got = type(dataset).__name__
        raise ValueError(f"n must be given for a dataset without end; got None for {got}")


def _parts(examples: Iterator[tuple[Any, Any]]) -> Iterator[tuple[pd.DataFrame, list[Any]]]:
    n = 0
    while part := list(itertools.islice(examples, ROWS)):
        X = pd.DataFrame([x for x, _ in part], index=range(len(part)))
        n += len(part)
        check_fits(16 * n * (X.shape[1] + 2), name="dataset", value=f"{n} examples or more")
        yield X, [y for _, y in part]


def _checked(dataset: Any, n: int | None) -> Iterator[tuple[Any, Any]]:
    rule = "dataset must be one of river, or an iterable of (dict, label)"
    try:
        examples = itertools.islice(dataset, n)
    except TypeError:
        raise TypeError(f"{rule}; got {shown(dataset)}") from None
    for i, example in enumerate(examples):
        if not isinstance(example, tuple | list) or len(example) != 2:
            raise ValueError(f"{rule}; got {shown(example)} as example {i}")
        x, y = example
        if not isinstance(x, Mapping):
            raise ValueError(f"{rule}; got {shown(x)} as the features of example {i}")
        if isinstance(y, SEVERAL):
            raise ValueError(f"{rule}; got {shown(y)} as the label of example {i}")
        yield x, y
