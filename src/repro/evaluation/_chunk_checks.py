"""Checks of a stream that comes in chunks: every chunk must be coded like the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from repro._checks import shown
from repro.streams.stream import Schema, Stream, check_stream

__all__ = ["Coding", "check_chunks", "check_coding", "coding_of"]


class Coding(NamedTuple):
    """What the numbers in a chunk mean; the names are empty where they are not known."""

    schema: Schema
    attributes: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]  #: (name, values) of the nominal attributes


def coding_of(chunk: Stream) -> Coding:
    """The coding of `chunk`, with the names in its description."""
    about = chunk.provenance
    if about is None:
        return Coding(chunk.schema, (), (), ())
    values = tuple((use.name, use.values) for use in about.columns if use.values)
    return Coding(chunk.schema, about.attributes, about.labels, values)


def check_coding(coding: Coding, first: Coding, *, name: str) -> None:
    """Raise ValueError unless the chunk called `name` is coded like the `first` one.

    Names are compared where both know them.
    """
    new, old = coding.schema, first.schema
    if new.n_features != old.n_features:
        rule = f"{name} must have {old.n_features} attributes, as chunk 0"
        raise ValueError(f"{rule}; got {new.n_features}")
    for j, (given, wanted) in enumerate(zip(new.nominal, old.nominal, strict=True)):
        if given != wanted:
            raise ValueError(f"{name} must have nominal[{j}] = {wanted}, as chunk 0; got {given}")
    if new.n_classes != old.n_classes:
        rule = f"{name} must have n_classes = {old.n_classes}, as chunk 0"
        raise ValueError(f"{rule}; got {new.n_classes} (Stream takes n_classes as an argument)")
    for what in ("attributes", "labels", "values"):
        given, wanted = getattr(coding, what), getattr(first, what)
        if given and wanted and given != wanted:
            rule = f"{name} must have the {what} of chunk 0, {shown(wanted)}, in this order"
            raise ValueError(f"{rule}; got {shown(given)}")


def check_chunks(stream: Any) -> None:
    """Raise TypeError unless `stream` is an iterable that may hold chunks."""
    no_chunks = (str, bytes, Mapping, np.ndarray)
    is_pair = isinstance(stream, list | tuple) and stream and not isinstance(stream[0], Stream)
    is_other = isinstance(stream, no_chunks) or hasattr(stream, "sample")
    if is_pair or is_other or not isinstance(stream, Iterable):
        check_stream(stream)
