"""A stream by some attributes, for notebooks, and as a table; tables as those of pandas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import check_choice, check_flag, check_kind
from repro._folders import install_command
from repro.data_sets.description import Description

__all__ = ["as_frame", "as_html", "as_pandas", "columns_of"]

MOST_SHOWN = 8  # classes and drifts
TRUTH = ("drift", "optimal", "bayes_risk")


def columns_of(stream: Any, features: Sequence[str]) -> dict[str, Any]:
    """The fields of `stream` that change if it has only the attributes `features`."""
    about = stream.provenance or Description("", "")
    names = about.attributes
    if isinstance(features, str) or not isinstance(features, Sequence) or not features:
        raise ValueError(f"features must be a list of at least one name; got {features!r}")
    if unknown := [name for name in features if name not in names]:
        choices = ", ".join(names) or "none are known"
        raise ValueError(f"features must be names of attributes ({choices}); got {unknown[0]!r}")
    columns = [names.index(name) for name in features]
    about = replace(about, attributes=tuple(features))
    return {
        "X": stream.X[:, columns],
        "nominal": np.asarray(stream.nominal)[columns],
        "provenance": about,
    }


def as_html(stream: Any) -> str:
    """The table of a `Stream`: its size, classes with their shares, drifts, and its truth."""
    kinds = np.asarray(stream.nominal) > 0
    arrays = {"Bayes risk": stream.bayes_risk, "optimal labels": stream.optimal}
    truth = ", ".join(name for name, values in arrays.items() if values is not None)
    rows = {
        "examples": f"{len(stream):,}",
        "attributes": f"{(~kinds).sum()} numeric, {kinds.sum()} nominal",
        "classes": _classes(stream),
        "drifts": _listed([f"{position:,}" for position in stream.drifts]) or "none known",
        "truth": truth or "unknown",
    }
    cells = "".join(f"<tr><th>{key}</th><td>{escape(text)}</td></tr>" for key, text in rows.items())
    return f"<table><caption>{escape(stream.name or 'Stream')}</caption>{cells}</table>"


def _classes(stream: Any) -> str:
    counts = np.bincount(stream.y, minlength=stream.n_classes)
    labels = getattr(stream.provenance, "labels", ())
    names = labels if len(labels) == len(counts) else [str(k) for k in range(len(counts))]
    shares = counts / len(stream)
    return _listed([f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True)])


def _listed(items: list[str]) -> str:
    more = len(items) - MOST_SHOWN
    return ", ".join(items[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def as_frame(stream: Any, truth: bool, backend: str) -> Any:
    """One row per example, see `Stream.to_frame`."""
    check_flag(truth, name="truth")
    check_choice(backend, ("pandas", "polars"), name="backend")
    about = stream.provenance or Description("", "")
    values = {use.name: use.values for use in about.columns}
    columns: dict[str, Any] = {}
    for j, name in enumerate(_names(about.attributes, stream.schema.n_features)):
        count, column = stream.schema.nominal[j], stream.X[:, j]
        texts = values.get(name, ())
        names = texts if len(texts) == count else range(count)
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
