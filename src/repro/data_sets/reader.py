"""Verified files of data sets, from a local folder or a download.

Of the folders that are looked through only the last one, the user's cache, is written to.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import platformdirs
from numpy.typing import NDArray

from repro import _folders
from repro.data_sets import _content, _downloads
from repro.data_sets.catalogue import (
    LARGEST,
    DataCorrupt,
    DataFile,
    DataNotFound,
    DataSet,
    Download,
)

__all__ = ["content", "digits", "find", "is_original"]


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


def find(file: DataFile) -> Found | None:
    """The first file with our name, or with the name and format of one of its sources."""
    forms: list[tuple[str, Download | None]] = [(file.name, None)]
    if file.content:  # unpacked by a user or a browser
        forms.append((file.name.removesuffix(".gz"), None))
    forms += [(d.name, d) for d in file.downloads if d.name != file.name]
    for folder in _looked_through():
        for name, download in forms:
            if (folder / name).is_file():
                return Found(folder / name, download)
    return None


def is_original(file: DataFile) -> bool:
    """Whether the file that is there has our name and checksum; its text is not unpacked."""
    copy = find(file)
    return copy is not None and copy.download is None and _content.is_exact(copy.read(), file)


def content(source: DataSet, file: DataFile, *, download: bool = True) -> bytes:
    """Content of `file`, downloaded if it is missing or if the copy in our cache is damaged.

    Raises DataNotFound with the ways to get it, DataCorrupt for a user's file with a wrong
    checksum, OSError if the disk is full.
    """
    copy, damage = find(file), ""
    if copy is not None:
        try:
            return _content.verified(copy.read(), source, file, copy.download, where=copy.path)
        except DataCorrupt as error:
            damage = f"{error}; it was not read"
            if copy.path.parent != _cache() or not download:
                advice = "remove it, or put the right one in its place"
                raise DataCorrupt(f"{damage}: {advice}") from None
    if _offline() or not download:
        why = "REPRO_OFFLINE is set: no downloads" if download else "nothing was downloaded"
        raise DataNotFound(_how_to_get(source, file, damage or why))
    try:
        path = _downloads.fetch(source, file, _cache())
    except DataNotFound as error:
        raise DataNotFound(_how_to_get(source, file, f"tried:\n{error}")) from error
    return _content.verified(path.read_bytes(), source, file, where=path)


def digits(source: DataSet) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """scikit-learn's digits as X (n, 64) and y (n,), verified by the checksum of `source`."""
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise DataNotFound(
            "digits comes with scikit-learn, which is not installed; get it with\n"
            f"  {_folders.install_command('networks')}"
        ) from error
    X, y = load_digits(return_X_y=True)
    content = X.astype(np.uint8).tobytes() + y.astype(np.uint8).tobytes()
    if _content.sha256(content) != source.content:
        raise DataCorrupt("scikit-learn's digits must be the 1797 images we know; got others")
    return X, y


def _how_to_get(source: DataSet, file: DataFile, why_not: str) -> str:
    folders = ", ".join(map(str, _looked_through()))
    forms = dict.fromkeys(d.name for d in file.downloads if d.name != file.name)
    or_forms = f" (or {', '.join(forms)} from an address in data/sources.toml)" if forms else ""
    agreed = "" if source.describe().states_licence else " (add --yes where it cannot ask)"
    without = "there is no stand-in for this set"
    if source.stand_in:
        without = f"{source.stand_in}; in a notebook -p stand_in True"
    ways = [
        f"the data set {source.name} is missing: {file.name} is in none of {folders}; get it so:",
        f"  1. with a connection: python -m repro data fetch {source.name}{agreed}",
        f"  2. put {file.name}{or_forms} into data/raw or a folder of REPRO_DATA",
        f"  3. without it: {without}",
        why_not,
    ]
    return "\n".join(ways)


def _offline() -> bool:
    """Whether ``REPRO_OFFLINE`` forbids downloads."""
    return os.environ.get("REPRO_OFFLINE", "0") not in ("", "0")


def _cache() -> Path:
    """The user's cache, shared by all checkouts; `python -m repro data fetch` writes to it."""
    return Path(platformdirs.user_cache_dir("repro", appauthor=False)) / "data"


def _looked_through() -> list[Path]:
    """Folders in which data sets are looked for, in this order."""
    named = os.environ.get("REPRO_DATA", "").split(os.pathsep)
    raw = (_folders.checkout() or Path.cwd()) / "data" / "raw"
    return [*(Path(name).expanduser() for name in named if name), raw, _cache()]
