"""Verified files of data sets, from a local folder or a download."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from repro._folders import install_command
from repro.data_sets import _content, _downloads, _locations
from repro.data_sets._catalogue import DataFile, DataSet
from repro.data_sets.errors import DataCorrupt, DataNotFound

__all__ = ["content", "digits"]


def content(source: DataSet, file: DataFile, *, download: bool = True) -> bytes:
    """Content of `file`, downloaded if it is missing or if the copy in our cache is damaged.

    Raises DataNotFound with the ways to get it, DataCorrupt for a user's file with a wrong
    checksum, OSError if the disk is full.
    """
    found, damage = _locations.find(file), ""
    if found is not None:
        try:
            return _content.verified(found.read(), source, file, found.download, where=found.path)
        except DataCorrupt as error:
            damage = f"{error}; it was not read"
            if found.path.parent != _locations.downloads() or not download:
                advice = "remove it, or put the right one in its place"
                raise DataCorrupt(f"{damage}: {advice}") from None
    if _locations.offline() or not download:
        why = "REPRO_OFFLINE is set: no downloads" if download else "nothing was downloaded"
        raise DataNotFound(_how_to_get(source, file, damage or why))
    try:
        path = _downloads.fetch(source, file)
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
            f"  {install_command('networks')}"
        ) from error
    X, y = load_digits(return_X_y=True)
    content = X.astype(np.uint8).tobytes() + y.astype(np.uint8).tobytes()
    if _content.sha256(content) != source.content:
        raise DataCorrupt("scikit-learn's digits must be the 1797 images we know; got others")
    return X, y


def _how_to_get(source: DataSet, file: DataFile, why_not: str) -> str:
    folders = ", ".join(map(str, _locations.folders()))
    forms = dict.fromkeys(d.name for d in file.downloads if d.name != file.name)
    or_forms = f" (or {', '.join(forms)} from an address in data/sources.toml)" if forms else ""
    ways = [
        f"the data set {source.name} is missing: {file.name} is in none of {folders}; get it so:",
        f"  1. with a connection: python -m repro data fetch {source.name}",
        f"  2. put {file.name}{or_forms} into data/raw or a folder of REPRO_DATA",
        f"  3. without it: {source.stand_in or 'there is no stand-in for this set'}",
        why_not,
    ]
    return "\n".join(ways)
