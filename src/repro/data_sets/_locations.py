"""Where data sets may lie. Only the last of these places, the user's cache, is ever written to."""

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
    """A file by its name alone, still unverified, and the download in whose form it is."""

    path: Path
    download: Download | None

    def read(self) -> bytes:
        """Its bytes, unless there are more than any data set has."""
        size = self.path.stat().st_size
        if size > LARGEST:
            raise DataCorrupt(f"{self.path} must have less than {LARGEST} bytes; got {size}")
        return self.path.read_bytes()


def offline() -> bool:
    """Whether ``REPRO_OFFLINE`` forbids downloads."""
    return os.environ.get("REPRO_OFFLINE", "0") not in ("", "0")


def downloads() -> Path:
    """The user's cache, shared by all checkouts; what `python -m repro data fetch` fills."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in a notebook it would ask for widgets, to no use here
        import pooch

    return Path(pooch.os_cache("repro")) / "data"


def folders() -> list[Path]:
    """Where data sets are looked for, in this order."""
    named = os.environ.get("REPRO_DATA", "").split(os.pathsep)
    raw = (_folders.checkout() or Path.cwd()) / "data" / "raw"
    return [*(Path(name).expanduser() for name in named if name), raw, downloads()]


def find(file: DataFile) -> Found | None:
    """The first file that has our name for it, or one of a source in the form it is published."""
    forms: list[tuple[str, Download | None]] = [(file.name, None)]
    if file.content:  # unpacked by hand, or by a browser
        forms.append((file.name.removesuffix(".gz"), None))
    forms += [(d.name, d) for d in file.downloads if d.name != file.name]
    for folder in folders():
        for name, download in forms:
            if (folder / name).is_file():
                return Found(folder / name, download)
    return None
