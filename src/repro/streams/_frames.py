"""Streams as tables of pandas or polars, and other libraries' tables as those of pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import check_choice, check_flag, check_kind
from repro._folders import install_command
from repro.data_sets.description import Description

__all__ = ["as_frame", "as_pandas"]

TRUTH = ("drift", "optimal", "bayes_risk")


def as_frame(stream: Any, truth: bool, backend: str) -> Any:
    """One row per example, see `Stream.to_frame`."""
    check_flag(truth, name="truth")
    check_choice(backend, ("pandas", "polars"), name="backend")
    about = stream.provenance or Description("", "")
    values = {use.name: use.values for use in about.columns}
    columns: dict[str, Any] = {}
    for j, name in enumerate(_names(about.attributes, stream.schema.n_features)):
        count, column = stream.schema.nominal[j], stream.X[:, j]
        known = values.get(name, ())
        names = known if len(known) == count else range(count)
        columns[name] = _named(column, names) if count else column
    classes = about.labels if len(set(about.labels)) == stream.n_classes else None
    columns["y"] = _named(stream.y, classes) if classes else stream.y
    if truth:
        columns["drift"] = np.isin(np.arange(len(stream)), stream.drifts).astype(int)
        if (best := stream.optimal) is not None:
            columns["optimal"] = _named(best, classes) if classes else best
        if stream.bayes_risk is not None:
            columns["bayes_risk"] = stream.bayes_risk
    return pd.DataFrame(columns) if backend == "pandas" else _as_polars(columns)


def _names(attributes: Sequence[str], d: int) -> Sequence[str]:
    """Names of the columns of X: x0.. if some are unknown, or are those of other columns."""
    if len({*attributes, "y", *TRUTH}) < d + 1 + len(TRUTH) or len(attributes) != d:
        return [f"x{j}" for j in range(d)]
    return attributes


def _named(codes: NDArray[Any], names: Sequence[Any]) -> pd.Categorical:
    """The values with these codes. Ordered, so that a value keeps its code when it is read."""
    return pd.Categorical.from_codes(codes.astype(np.int64), pd.Index(names), ordered=True)


def _as_polars(columns: dict[str, Any]) -> Any:
    try:
        import polars
    except ImportError as error:
        how = "python -m pip install polars"
        raise ImportError(
            f"backend 'polars' needs polars, which is not installed: {how}"
        ) from error
    named = {name: column for name, column in columns.items() if isinstance(column, pd.Categorical)}
    for name, column in named.items():
        texts = [str(value) for value in column.categories]
        columns[name] = polars.Series(np.array(texts)[column.codes], dtype=polars.Enum(texts))
    return polars.DataFrame(columns)


def as_pandas(frame: Any) -> pd.DataFrame:
    """`frame`, or what its ``to_pandas()`` gives; TypeError for what is no DataFrame."""
    converted = frame
    if hasattr(frame, "to_pandas") and not isinstance(frame, type):
        try:
            converted = frame.to_pandas()
        except ImportError as error:
            kind, how = type(frame).__module__.partition(".")[0], install_command("data")
            raise ImportError(f"a frame of {kind} needs pyarrow to be read: {how}") from error
    return check_kind(converted, pd.DataFrame, name="frame", rule="a DataFrame")
