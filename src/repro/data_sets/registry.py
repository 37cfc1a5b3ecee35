"""The data sets: names, descriptions, locations, downloads and verification."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from repro.data_sets import reader
from repro.data_sets.catalogue import DataSet, catalogue, data_set
from repro.data_sets.description import Description

__all__ = ["available", "describe", "fetch", "locate", "names", "verify"]


def names() -> tuple[str, ...]:
    """Names of the data sets that `load` knows.

    >>> names()[:4]
    ('elec2', 'kdd99', 'ozone', 'ozone_eighthr')
    """
    return tuple(catalogue())


def describe(name: str) -> Description:
    """Description of the data set `name`; nothing is read or downloaded.

    >>> describe("elec2").attributes[:3]
    ('date', 'day', 'period')

    Raises ValueError for an unknown name.
    """
    return data_set(name).describe()


def available(name: str) -> bool:
    """Whether all files of the data set `name` are on this machine; they are not verified.

    >>> available("digits")
    True

    Raises ValueError for an unknown name.
    """
    source = data_set(name)
    if source.content:  # it comes with scikit-learn
        return find_spec("sklearn") is not None
    return all(reader.find(file) for file in source.files)


def locate(name: str) -> tuple[Path, ...]:
    """Paths of the files of the data set `name` on this machine; they are not verified.

    >>> locate("digits")
    ()

    Raises ValueError for an unknown name.
    """
    copies = [reader.find(file) for file in data_set(name).files]
    return tuple(copy.path for copy in copies if copy)


def fetch(name: str) -> None:
    """Download the missing files of the data set `name` into the user's cache; verify all files.

    Raises ValueError for an unknown name, DataNotFound if no address has it, DataCorrupt for a
    file of the user with a wrong checksum, OSError if the disk is full; no partial file is left.

    >>> fetch("digits")
    """
    _check(data_set(name), download=True)


def verify(name: str) -> None:
    """Compare every file of the data set `name` with its checksum; nothing is downloaded.

    Raises ValueError for an unknown name, DataNotFound if a file is missing, DataCorrupt if a file
    has a wrong checksum.

    >>> verify("digits")
    """
    _check(data_set(name), download=False)


def _check(source: DataSet, *, download: bool) -> None:
    if source.content:
        reader.digits(source)
    for file in source.files:
        reader.content(source, file, download=download)
