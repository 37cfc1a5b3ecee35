"""Errors of data sets."""

from __future__ import annotations

__all__ = ["DataCorrupt", "DataNotFound"]


class DataCorrupt(ValueError):
    """A file or a download has a wrong checksum. It was not used."""


class DataNotFound(FileNotFoundError):
    """A data set was not found and not downloaded. The message says how to get it."""
