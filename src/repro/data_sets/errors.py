"""What can be wrong with a data set."""

from __future__ import annotations

__all__ = ["DataCorrupt", "DataNotFound"]


class DataCorrupt(ValueError):
    """A file or a download is not what its checksum says; nothing of it was used."""


class DataNotFound(FileNotFoundError):
    """A data set is in no folder and was not downloaded; the message says how to get it."""
