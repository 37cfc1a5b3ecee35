"""Which data sets there are, where they lie, and whether they are what they should be."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from repro.data_sets import _locations, _reader
from repro.data_sets._catalogue import DataSet, catalogue, data_set
from repro.data_sets.description import Description

__all__ = ["available", "describe", "fetch", "locate", "names", "verify"]


def names() -> tuple[str, ...]:
    """Names of the data sets that `load` knows.

    >>> names()[:4]
    ('elec2', 'kdd99', 'ozone', 'ozone_eighthr')
    """
    return tuple(catalogue())


def describe(name: str) -> Description:
    """What is known of the data set `name`, without reading or downloading it.

    >>> describe("elec2").attributes[:3]
    ('date', 'day', 'period')

    Raises ValueError for an unknown name.
    """
    return data_set(name).describe()


def available(name: str) -> bool:
    """Whether `load` needs no download for the data set `name`; nothing is verified yet.

    >>> available("digits")
    True

    Raises ValueError for an unknown name.
    """
    source = data_set(name)
    if source.content:  # it comes with scikit-learn
        return find_spec("sklearn") is not None
    return all(_locations.find(file) for file in source.files)


def locate(name: str) -> tuple[Path, ...]:
    """The files of the data set `name` that are there, found by their names alone.

    >>> locate("digits")
    ()

    Raises ValueError for an unknown name.
    """
    found = [_locations.find(file) for file in data_set(name).files]
    return tuple(place.path for place in found if place)


def fetch(name: str) -> None:
    """Download what is missing of the data set `name` into the user's cache, and verify all of it.

    Raises ValueError for an unknown name, DataNotFound where no address has it, DataCorrupt for a
    file of yours with another checksum, OSError where there is no room; nothing half-written stays.

    >>> fetch("digits")
    """
    _check(data_set(name), download=True)


def verify(name: str) -> None:
    """Compare every file of the data set `name` with its checksum; nothing is downloaded.

    Raises ValueError for an unknown name, DataNotFound if it is not there, DataCorrupt if a file
    has another checksum.

    >>> verify("digits")
    """
    _check(data_set(name), download=False)


def _check(source: DataSet, *, download: bool) -> None:
    if source.content:
        _reader.digits(source)
    for file in source.files:
        _reader.content(source, file, download=download)
