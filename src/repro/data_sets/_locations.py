"""Folders in which data sets are looked for. Only the last one, the user's cache, is written to."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import NamedTuple

from repro import _folders
from repro.data_sets._catalogue import LARGEST, DataFile, Download
from repro.data_sets.errors import DataCorrupt

__all__ = ["Found", "downloads", "find", "folders", "offline"]


class Found(NamedTuple):
    """A file found by its name, not yet verified; and the download whose format it has."""

    path: Path
    download: Download | None

    def read(self) -> bytes:
        """The bytes of the file; DataCorrupt if it is larger than any data set."""
        size = self.path.stat().st_size
        if size > LARGEST:
            raise DataCorrupt(f"{self.path} must have less than {LARGEST} bytes; got {size}")
        return self.path.read_bytes()


def offline() -> bool:
    """Whether ``REPRO_OFFLINE`` forbids downloads."""
    return os.environ.get("REPRO_OFFLINE", "0") not in ("", "0")


def downloads() -> Path:
    """The user's cache, shared by all checkouts; `python -m repro data fetch` writes to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in a notebook pooch asks for widgets, which are not used
        import pooch

    return Path(pooch.os_cache("repro")) / "data"


def folders() -> list[Path]:
    """Folders in which data sets are looked for, in this order."""
    named = os.environ.get("REPRO_DATA", "").split(os.pathsep)
    raw = (_folders.checkout() or Path.cwd()) / "data" / "raw"
    return [*(Path(name).expanduser() for name in named if name), raw, downloads()]


def find(file: DataFile) -> Found | None:
    """The first file with our name, or with the name and format of one of its sources."""
    forms: list[tuple[str, Download | None]] = [(file.name, None)]
    if file.content:  # unpacked by a user or a browser
        forms.append((file.name.removesuffix(".gz"), None))
    forms += [(d.name, d) for d in file.downloads if d.name != file.name]
    for folder in folders():
        for name, download in forms:
            if (folder / name).is_file():
                return Found(folder / name, download)
    return None
