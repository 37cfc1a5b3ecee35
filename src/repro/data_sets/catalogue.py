"""The entries of data/sources.toml: each data set with its files, checksums and addresses."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from repro import _folders
from repro._checks import check_choice
from repro.data_sets.description import Description

__all__ = ["LARGEST", "DataCorrupt", "DataFile", "DataNotFound", "DataSet", "Download"]
__all__ += ["catalogue", "data_set", "from_table"]

LARGEST = 200_000_000  # bytes; the largest data set has 80 MB unpacked

OF_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


class DataCorrupt(ValueError):
    """A file or a download has a wrong checksum. It was not used."""


class DataNotFound(FileNotFoundError):
    """A data set was not found and not downloaded. The message says how to get it."""


@dataclass(frozen=True)
class Download:
    """An address, and how to convert the download into our file; see data/sources.toml."""

    url: str
    file: str = ""
    sha256: str = ""
    member: str = ""
    rows_after: str | None = None
    separator: str = ","
    classes: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the file as a browser saves it."""
        return self.file or self.url.rsplit("/", 1)[-1]


@dataclass(frozen=True)
class DataFile:
    """A file in our format, with the checksums of the file and of its unpacked content."""

    name: str
    sha256: str
    size: int = 0
    content: str = ""
    content_size: int = LARGEST
    header: bool = True
    downloads: tuple[Download, ...] = ()


@dataclass(frozen=True)
class DataSet:
    """One data set of data/sources.toml."""

    name: str
    title: str
    source: str
    licence: str
    order: str
    missing: str
    examples: int
    labels: tuple[str, ...]
    caveats: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    labels_content: str = ""
    content: str = ""
    stand_in: str = ""
    files: tuple[DataFile, ...] = ()

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the columns of X; empty for images, whose pixels have no names."""
        return tuple(c for c in self.columns[:-1] if c not in self.ignored)

    def describe(self) -> Description:
        """The part that is shown to users."""
        return Description(
            self.name,
            self.title,
            self.examples,
            self.source,
            self.licence,
            self.order,
            self.missing,
            self.caveats,
            self.attributes,
            self.labels,
        )


@cache
def catalogue() -> Mapping[str, DataSet]:
    """All data sets by name, from the checkout or else from the installed package."""
    root = _folders.checkout()
    source = root / "data" / "sources.toml" if root else resources.files("repro") / "sources.toml"
    tables = tomllib.loads(source.read_text(encoding="utf-8"))
    return MappingProxyType({name: from_table(name, table) for name, table in tables.items()})


def data_set(name: str) -> DataSet:
    """The data set called `name`; ValueError that lists all names if there is none."""
    return catalogue()[check_choice(name, catalogue(), name="name")]


def from_table(name: str, table: Mapping[str, Any]) -> DataSet:
    """A data set from its table in the file."""
    files = tuple(_file(entry) for entry in table.get("files", ()))
    return DataSet(name, **{**_tuples(table), "files": files})


def _file(entry: Mapping[str, Any]) -> DataFile:
    downloads = tuple(Download(**d) for d in entry.get("downloads", ()))
    for download in downloads:
        address = urlsplit(download.url)
        if address.scheme != "https" and address.hostname not in OF_THIS_MACHINE:
            raise ValueError(f"url must begin with https:// in sources.toml; got {download.url!r}")
    return DataFile(**{**entry, "downloads": downloads})


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}
