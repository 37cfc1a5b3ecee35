"""A stream: examples in time order, and the truth about them if it is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_labels, as_matrix, check_count, check_kind, check_text, settle, shown
from repro.data_sets.description import Description
from repro.streams._column_plan import ColumnRules
from repro.streams._columns import Arrays, arrays_of_frame
from repro.streams._stream_fields import (
    as_drifts,
    as_nominal,
    as_order,
    as_risk,
    as_widths,
    check_length,
    count_classes,
)
from repro.streams._stream_views import as_frame, as_html, columns_of

__all__ = ["Schema", "Stream", "check_schema", "check_stream"]


class Schema(NamedTuple):
    """What a learner must know about a stream before the first example.

    `nominal` has one entry per attribute: 0 for a numeric one, else the number of its values,
    coded 0..V-1. Labels are 0..n_classes-1.
    """

    nominal: tuple[int, ...]
    n_classes: int

    @property
    def n_features(self) -> int:
        """Number of attributes, d."""
        return len(self.nominal)


@dataclass(frozen=True, eq=False, repr=False)
class Stream:
    """Examples in time order, with the truth about them if it is known.

    Parameters
    ----------
    X : (n, d) finite numbers; nominal attributes hold the codes 0..V-1.
    y : (n,) integer labels 0..K-1.
    nominal : (d,) 0 for a numeric attribute, else its number of values; default all numeric.
    n_classes : K; by default the number of labels in `y`, which must be 0..K-1 without a gap.
    drifts : positions of the drifts, in order: the first example of a new concept, or the middle
        of a drift that takes longer.
    widths : (keyword) duration of each of the `drifts` in examples, 0 for a sudden one; default
        all sudden.
    bayes_risk : (n,) error probability of the best prediction for each example,
        ``1 - max_k P(k | x, t)``, between 0 and 1 - 1/K; None if unknown.
    optimal : (n,) the Bayes-optimal label of each example; None if unknown.
    name : name of the stream in tables and figures.
    provenance : origin, licence, names and caveats of a data set; None for other streams.

    Arrays are copied, so that a later change of them does not change the stream. Raises TypeError
    for a name or provenance of the wrong kind, ValueError for a wrong value.

    >>> stream = Stream([[0.0], [1.5], [0.5]], [0, 1, 0])
    >>> stream
    Stream(n=3, n_features=1, n_classes=2)
    >>> stream.schema
    Schema(nominal=(0,), n_classes=2)
    """

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    nominal: NDArray[np.int64] | None = None
    n_classes: int | None = None
    drifts: Sequence[int] = ()
    bayes_risk: NDArray[np.float64] | None = field(default=None, kw_only=True)
    optimal: NDArray[np.int64] | None = field(default=None, kw_only=True)
    widths: Sequence[int] = field(default=(), kw_only=True)
    name: str = field(default="", kw_only=True)
    provenance: Description | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.n_classes is not None:
            settle(self, n_classes=check_count(self.n_classes, name="n_classes"))
        X = as_matrix(self.X, copy=True)
        y = as_labels(self.y, n_classes=self.n_classes)
        if len(X) != len(y):
            raise ValueError(f"y must have one label per row of X, {len(X)}; got {len(y)}")
        settle(
            self,
            X=X,
            y=y,
            n_classes=self.n_classes or count_classes(y),
            nominal=as_nominal(self.nominal, X),
            drifts=(drifts := as_drifts(self.drifts, len(y))),
            widths=as_widths(self.widths, len(drifts)),
        )
        for name in ("bayes_risk", "optimal"):
            check_length(getattr(self, name), len(y), name)
        if self.bayes_risk is not None:
            settle(self, bayes_risk=as_risk(self.bayes_risk, self.schema.n_classes))
        if self.optimal is not None:
            settle(self, optimal=as_labels(self.optimal, n_classes=self.n_classes, name="optimal"))
        check_text(self.name, name="name")
        if self.provenance is not None:
            check_kind(self.provenance, Description, name="provenance")

    def _repr_html_(self) -> str:
        return as_html(self)

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        n, d = self.X.shape
        return f"Stream({name}n={n}, n_features={d}, n_classes={self.n_classes})"

    @property
    def schema(self) -> Schema:
        """Kinds of the attributes and number of classes."""
        return Schema(tuple(int(v) for v in np.asarray(self.nominal)), int(self.n_classes or 1))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        label: str | int,
        *,
        time: str | int | None = None,
        nominal: Iterable[str | int] = (),
        drop: Iterable[str | int] = (),
        missing: str = "last",
        timestamps: str = "drop",
        max_values: int = 100,
        name: str = "",
    ) -> Stream:
        """The rows of a table as a stream; what is done with each column is in `provenance`.

        Parameters
        ----------
        frame : one row per example, of pandas, or of another library with ``to_pandas()``.
        label : name of the column of classes: texts, bools or whole numbers. They are coded 0..K-1
            in numeric or alphabetic order; ``provenance.labels`` has their names. Rows without a
            label are left out.
        time : name of the column that orders the rows, of numbers, timestamps or texts such as
            ``2026-01-31 23:59:59``; rows without a time are left out. None keeps the order.
        nominal : names of more nominal attributes, such as numbers that are codes. Texts,
            categories and bools are nominal without it. Values are coded like labels; ordered
            categories keep their order, also those that do not occur.
        drop : names of columns to leave out.
        missing : what a missing or infinite value becomes. "last": the last value of its column; if
            there is none yet, 0, or a value of its own if nominal. "own": a value of its own if
            nominal, else as "last". "drop": the row is left out.
        timestamps : what becomes of timestamps, `time` among them. "drop": no attribute;
            "seconds": the seconds since the first; "calendar": hour of the day and day of the
            week, in UTC if zones are given.
        max_values : a column of more different texts, as identifiers have, is left out.
        name : name of the stream.

        A column with one value or none is left out. Raises TypeError for a wrong kind of argument,
        ValueError for a wrong name or option, columns of the same name, an empty table, no
        attribute, and a label of fractions, of one class or of more than 1000.

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"size": [1.5, None, 2.0], "colour": ["red", "blue", "red"]})
        >>> stream = Stream.from_frame(frame.assign(answer=["no", "yes", "no"]), "answer")
        >>> stream.X.tolist(), stream.y.tolist(), stream.provenance.labels
        ([[1.5, 1.0], [1.5, 0.0], [2.0, 1.0]], [0, 1, 0], ('no', 'yes'))
        >>> print(stream.provenance.columns[0])
        size: number, 1 missing: replaced by the last one known
        """
        rules = ColumnRules(label, time, nominal, drop, missing, timestamps, max_values, name=name)
        return cls._adopt(arrays_of_frame(frame, rules))

    @classmethod
    def _adopt(cls, arrays: Arrays) -> Stream:
        """The stream of checked arrays that nobody else holds, without a copy of them."""
        defaults = {f.name: f.default for f in fields(cls)}
        return settle(cls.__new__(cls), **defaults | arrays._asdict())

    def _with(self, **values: object) -> Stream:
        """This stream with `values` that fit and that nobody else holds, without a copy of them."""
        return settle(copy(self), **values)

    def take(self, order: ArrayLike) -> Stream:
        """The examples at the indices `order`, with their truth; drift positions are dropped.

        `order` may be a permutation, a part or a sample of the indices, or a boolean mask with one
        value per example. It must select at least one example.
        """
        selection = as_order(order, len(self))
        truth = {"bayes_risk": self.bayes_risk, "optimal": self.optimal}
        parts = {name: None if v is None else v[selection] for name, v in truth.items()}
        parts |= {"X": self.X[selection], "y": self.y[selection], "nominal": np.array(self.nominal)}
        return self._with(drifts=(), widths=(), **parts)

    def select(self, features: Sequence[str]) -> Stream:
        """The stream with only the attributes `features`, named as in `provenance`.

        Raises ValueError for an unknown name, for no name, and for a stream without names.
        """
        return replace(self, **columns_of(self, features))

    def to_frame(self, *, truth: bool = True, backend: str = "pandas") -> Any:
        """One row per example: attributes, label y, `drift`, and the truth if it is known.

        `drift` is 1 at each position of a drift; ``truth=False`` leaves it and the truth out.
        Attributes are called as in `provenance`, else x0.. . Nominal ones are ordered categories
        (Enum with the `backend` "polars"), by name if known, else by code. Labels are too if they
        have names. `from_frame` reads the same examples again, but leaves out constant attributes.

        >>> stream = Stream([[0.5, 1], [1.5, 0]], [1, 0], [0, 3])
        >>> frame = stream.to_frame(truth=False)
        >>> list(frame), frame["x1"].tolist(), frame["x1"].cat.categories.tolist()
        (['x0', 'x1', 'y'], [1, 0], [0, 1, 2])
        """
        return as_frame(self, truth, backend)


def check_stream(stream: Any, *, name: str = "stream") -> Stream:
    """Return `stream` if it is a Stream."""
    if isinstance(stream, Stream):
        return stream
    rule = f"{name} must be a Stream (of arrays: Stream(X, y))"
    if hasattr(stream, "sample"):
        kind = stream.__name__ if isinstance(stream, type) else type(stream).__name__
        raise TypeError(f"{rule}; got the description {kind}: draw one with .sample(seed)")
    raise TypeError(f"{rule}; got {shown(stream)}")


def check_schema(schema: Any, *, name: str = "schema") -> Schema:
    """Return `schema` if it is a Schema of whole numbers."""
    if not isinstance(schema, Schema):
        raise TypeError(f"{name} must be a Schema, such as stream.schema; got {schema!r}")
    try:
        nominal = tuple(schema.nominal)
    except TypeError:
        raise ValueError(
            f"{name}.nominal must hold whole numbers; got {schema.nominal!r}"
        ) from None
    counts = (check_count(values, name=f"{name}.nominal", least=0) for values in nominal)
    return Schema(tuple(counts), check_count(schema.n_classes, name=f"{name}.n_classes"))
