"""Real data sets as streams.

A set is looked for in the folders of ``REPRO_DATA`` (separated like ``PATH``), in ``data/raw`` and
in the user's cache. A missing set is downloaded, unless ``REPRO_OFFLINE=1``. Addresses and
checksums are in ``data/sources.toml``; a file with a wrong checksum is not read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from repro._checks import as_list, check_flag
from repro.data_sets import reader
from repro.data_sets.catalogue import DataCorrupt, DataSet, data_set
from repro.data_sets.description import Description
from repro.data_sets.registry import available
from repro.streams import _real_tables
from repro.streams._column_codes import fill_last
from repro.streams.stream import Stream

__all__ = ["load"]


def load(name: str, *, features: Iterable[str] | None = None, labels_only: bool = False) -> Stream:
    """The data set `name` in its original order, with its `Description`.

    Labels are coded 0..K-1 in the order of ``.provenance.labels``, nominal attributes 0..V-1 in
    the order of their values. A missing value is replaced by the previous value of its attribute,
    or by 0 if there is none; no future value is used.

    Parameters
    ----------
    name : elec2, kdd99, ozone (one-hour peak), ozone_eighthr, covtype, covtype_labels, chess,
        luxembourg, mnist (60 000 training images), mnist_test or digits.
    features : names of the attributes to load, in this order; the names are in
        ``data_sets.describe(name).attributes``. Default all.
    labels_only : X is one constant column. For Covertype the small file of labels is enough.

    Raises TypeError for features of another kind, ValueError for an unknown name or feature,
    DataNotFound with the ways to get a missing set, DataCorrupt for a file with a wrong checksum.

    >>> load("elec2", features=["day", "period", "nswdemand", "vicdemand", "transfer"])
    ... # doctest: +SKIP
    Stream('elec2', n=45312, n_features=5, n_classes=2)
    """
    source = data_set(name)
    if check_flag(labels_only, name="labels_only"):
        if features is not None:
            raise ValueError("features must not be given with labels_only=True; got both")
        return _labels(source)
    attributes = _choose(source, features)
    if not source.columns:
        X, y = reader.digits(source) if source.content else _images(source)
        return _stream(source, X, y, source.describe())
    table = _table(source)
    if not attributes:
        return _stream(source, np.zeros((len(table.y), 1)), table.y, source.describe())
    columns = {a: source.attributes.index(a) for a in attributes}
    X = table.matrix(list(columns.values()))
    nominal = [table.cardinality(j) if a in source.nominal else 0 for a, j in columns.items()]
    description = replace(source.describe(), attributes=attributes, n_filled=fill_last(X))
    return _stream(source, X, table.y, description, nominal)


def _stream(
    source: DataSet,
    X: NDArray[np.float64],
    y: NDArray[np.int64],
    description: Description,
    nominal: list[int] | None = None,
) -> Stream:
    if len(y) != source.examples:
        raise DataCorrupt(f"{source.name} must have {source.examples} examples; got {len(y)}")
    codes = None if nominal is None else np.array(nominal, dtype=np.int64)
    n_classes = len(source.labels)
    return Stream(X, y, codes, n_classes, name=source.name, provenance=description)


def _choose(source: DataSet, features: Iterable[str] | None) -> tuple[str, ...]:
    if features is None:
        return source.attributes
    rule = "a list of names"
    listed = [features] if isinstance(features, str) else features
    attributes = tuple(as_list(listed, str, name="features", rule=rule))
    unknown = [name for name in attributes if name not in source.attributes]
    if unknown or not attributes or len(set(attributes)) < len(attributes):
        names = ", ".join(source.attributes) or f"None: those of {source.name} have no names"
        raise ValueError(f"features must be different names among {names}; got {attributes!r}")
    return attributes


def _labels(source: DataSet) -> Stream:
    """One constant column. Covertype's labels come from their own file if that is available."""
    if source.name == "covtype" and (available("covtype_labels") or not available("covtype")):
        y = load("covtype_labels").y
    elif source.columns:
        y = _table(source).y
    else:
        y = load(source.name).y
    description = replace(source.describe(), attributes=())
    return _stream(source, np.zeros((len(y), 1)), y, description)


def _table(source: DataSet) -> _real_tables.Table:
    (file,) = source.files
    # A stored copy was made from this very file, so its text need not be unpacked.
    if reader.is_original(file):
        table = _real_tables.load_cached(source, file)
        if table is not None:
            return table
    content = reader.content(source, file)
    if (table := _real_tables.load_cached(source, file)) is None:
        table = _real_tables.parse(content, source, file)
        _real_tables.store_cached(table, source, file)
    return table


def _images(source: DataSet) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    pixels, labels = (reader.content(source, file) for file in source.files)
    return _real_tables.images(pixels, labels)
