"""Streams of ours, and the descriptions they are drawn from, as datasets of river.

This module imports river, which need not be installed; other modules import it when needed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, TypeAlias

from river.datasets import base

from repro.streams.description import StreamDescription
from repro.streams.stream import Schema, Stream

__all__ = ["RiverDescription", "RiverStream"]

ROWS = 10_000  # of a stream that are lists at a time
Example: TypeAlias = "tuple[dict[str, Any], Any]"


class RiverStream(base.Dataset):
    """A stream of arrays.

    Examples are dictionaries with the columns of `Stream.to_frame`; values and labels have their
    names where these are known.

    Parameters
    ----------
    stream
        The stream, of this package.

    """

    def __init__(self, stream: Stream) -> None:
        super().__init__(  # type: ignore[no-untyped-call]
            n_samples=len(stream), **_kinds(stream.schema)
        )
        self.stream = stream

    def __iter__(self) -> Iterator[Example]:
        yield from _examples(self.stream)

    @property
    def _repr_content(self) -> dict[str, str]:
        content: dict[str, str] = super()._repr_content
        return {**content, "Name": self.stream.name or content["Name"]}


class RiverDescription(base.SyntheticDataset):
    """A generator, of as many examples as its description says, the same for the same seed.

    Parameters
    ----------
    description
        The description of the stream, of this package.
    seed
        Seed of the examples.

    """

    def __init__(self, description: StreamDescription, seed: int = 0) -> None:
        super().__init__(  # type: ignore[no-untyped-call]
            n_samples=description.n, **_kinds(description.schema)
        )
        self.description, self.seed = description, seed

    def __iter__(self) -> Iterator[Example]:
        yield from _examples(self.description.sample(self.seed))

    @property
    def _repr_content(self) -> dict[str, str]:
        content: dict[str, str] = super()._repr_content
        return {**content, "Name": self.description.name}


def _kinds(schema: Schema) -> dict[str, Any]:
    task = base.BINARY_CLF if schema.n_classes == 2 else base.MULTI_CLF
    return {"task": task, "n_features": schema.n_features, "n_classes": schema.n_classes}


def _examples(stream: Stream) -> Iterator[Example]:
    frame = stream.to_frame(truth=False)
    *names, _ = frame
    for start in range(0, len(frame), ROWS):
        part = frame.iloc[start : start + ROWS]
        *columns, labels = (part[name].tolist() for name in frame)
        rows = map(zip, itertools.repeat(names), zip(*columns, strict=True))
        yield from zip(map(dict, rows), labels, strict=True)  # no line of Python per example
