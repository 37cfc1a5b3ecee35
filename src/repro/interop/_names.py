"""Names in place of numbers: from the dictionaries of river to the rows and labels of a schema.

`GivenNames` knows all names from the start, `MetNames` takes them as they come.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping
from decimal import Decimal
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from repro.streams.stream import Schema

__all__ = ["MOST_LABELS", "MOST_VALUES", "GivenNames", "MetNames"]

MOST_LABELS = 1_000  #: a stream of more is taken for one of numbers to be predicted
MOST_VALUES = 1_000  #: of a nominal attribute; all that come later count as one value


class Absent:
    """In place of the value of a nominal attribute that an example does not have."""


class GivenNames:
    """The names of a schema that is known from the start."""

    def __init__(self, schema: Schema, features: tuple[Any, ...], labels: tuple[Any, ...]) -> None:
        self.schema, self.features, self.order = schema, features, labels
        self.labels = {label: k for k, label in enumerate(labels)}

    def row(self, x: Mapping[Hashable, Any]) -> list[Any]:
        """The values of the example `x` in the order of the schema."""
        try:
            return [x[name] for name in self.features]
        except (IndexError, KeyError, TypeError):
            pass
        names = list(self.features)
        if not isinstance(x, Mapping):
            raise ValueError(f"x must be a dictionary of {names}; got {x!r}")
        raise ValueError(f"x must hold {names}; got none for {[n for n in names if n not in x]}")

    careful_row = complete_row = row

    def meeting(self, x: Mapping[Hashable, Any], y: Any) -> GivenNames:
        """The same names; raises ValueError unless `x` and `y` have them."""
        if not isinstance(y, Hashable) or y not in self.labels:
            raise ValueError(f"y must be one of {tuple(self.labels)}; got {y!r}")
        self.row(x)
        return self

    def learned(self, row: list[Any]) -> None:
        """Nothing: every example has all its values."""


class MetNames:
    """The names and values that a stream has shown so far, and the schema that they make.

    Names that are new in one example are sorted, so their order in the dictionary does not matter.
    The first value of an attribute decides whether it is numeric or nominal. Values of a nominal
    attribute get codes in the order of their appearance; the code after the last is for all values
    that are not known.
    """

    def __init__(self, labels: tuple[Any, ...] = ()) -> None:
        self.order = labels
        self.labels = {label: k for k, label in enumerate(labels)}
        self.features: list[Any] = []
        self._codes: list[dict[Any, int] | None] = []  # of each feature; None: it is numeric
        self._nominal: list[int] = []  # the positions of nominal features
        self._known: set[Any] = set()
        self._begun = False
        self._last: list[float] = []  # the row of the last example learned

    @property
    def schema(self) -> Schema:
        """The schema of what was met: two classes at least, a spare code for unknown values."""
        nominal = tuple(0 if codes is None else len(codes) + 1 for codes in self._codes)
        return Schema(nominal, max(2, len(self.labels)))

    def row(self, x: Mapping[Hashable, Any]) -> list[Any]:
        """The values of an example that has all names and only values that are known.

        Raises KeyError or TypeError for another one; numbers are not checked.
        """
        values = [x[name] for name in self.features]
        for j in self._nominal:
            values[j] = self._codes[j][values[j]]  # type: ignore[index]
        return values

    def complete_row(self, x: Mapping[Hashable, Any]) -> list[Any]:
        """`row`; raises KeyError too for an example with more names."""
        if len(x) != len(self.features):
            raise KeyError
        return self.row(x)

    def careful_row(self, x: Mapping[Hashable, Any]) -> list[float]:
        """The values of any example `x`. Names that are not known do not count."""
        if not isinstance(x, Mapping):
            raise ValueError(f"x must be a dictionary; got {x!r}")
        return [self._as_number(x, j) for j in range(len(self.features))]

    def meeting(self, x: Mapping[Hashable, Any], y: Any) -> MetNames:
        """The names after the example `x` of the label `y`; these, if it shows nothing new.

        Raises ValueError for what is no example.
        """
        self._check_label(y)
        self.careful_row(x)
        new = {name: x[name] for name in x.keys() - self._known if not _is_missing(x[name])}
        nominal = {name: _is_nominal(name, value) for name, value in new.items()}
        if y in self.labels and not new and not self._has_new_values(x):
            return self
        met = copy.deepcopy(self)
        for name in _sorted(new):
            met._add(name, nominal[name])
        for j in met._nominal:
            codes, value = met._codes[j], x.get(met.features[j], Absent)
            if not _is_missing(value) and len(codes) < MOST_VALUES:  # type: ignore[arg-type]
                codes.setdefault(value, len(codes))  # type: ignore[union-attr, arg-type]
        if y not in met.labels:
            met.labels[y], met.order = len(met.order), (*met.order, y)
        met._begun = True
        return met

    def learned(self, row: list[float]) -> None:
        """Remember the row of the example that was learned last."""
        self._last = row

    def _add(self, name: Any, is_nominal: bool) -> None:
        if is_nominal:
            self._nominal.append(len(self.features))
        self._codes.append(({Absent: 0} if self._begun else {}) if is_nominal else None)
        self.features.append(name)
        self._known.add(name)
        self._last.append(0.0)

    def _has_new_values(self, x: Mapping[Hashable, Any]) -> bool:
        pairs = ((self._codes[j], x.get(self.features[j], Absent)) for j in self._nominal)
        return any(
            value not in codes and len(codes) < MOST_VALUES and not _is_missing(value)  # type: ignore[operator, arg-type]
            for codes, value in pairs
        )

    def _as_number(self, x: Mapping[Hashable, Any], j: int) -> float:
        name, codes = self.features[j], self._codes[j]
        value = x.get(name, Absent)
        if _is_missing(value):
            return self._last[j]
        if codes is not None:
            return float(codes.get(_hashable(name, value), len(codes)))
        if value is Absent:
            return 0.0
        if not isinstance(value, Real | Decimal | np.bool_) or not isfinite(value):
            raise ValueError(f"x[{name!r}] must be a finite number, as before; got {value!r}")
        return float(value)

    def _check_label(self, y: Any) -> None:
        if not isinstance(y, Hashable) or _is_missing(y):
            raise ValueError(f"y must be a label, of any kind that can be a key; got {y!r}")
        if y not in self.labels and len(self.labels) >= MOST_LABELS:
            rule = f"y must be one of at most {MOST_LABELS} labels; got one more"
            raise ValueError(f"{rule}, {y!r}: a number to be predicted is no label")


def _is_missing(value: Any) -> bool:
    return value is None or pd.isna(value) is True


def _is_nominal(name: Hashable, value: Any) -> bool:
    if isinstance(value, Real | Decimal) and not isinstance(value, bool):
        if not isfinite(value):
            raise ValueError(f"x[{name!r}] must be a finite number; got {value!r}")
        return False
    _hashable(name, value)
    return True


def _hashable(name: Hashable, value: Any) -> Any:
    if not isinstance(value, Hashable):
        raise ValueError(f"x[{name!r}] must be a number or a nominal value; got {value!r}")
    return value


def _sorted(names: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(names)
    except TypeError:  # of several kinds
        return sorted(names, key=lambda name: (type(name).__name__, repr(name)))
