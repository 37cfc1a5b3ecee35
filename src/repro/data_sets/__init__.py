"""Real data sets: their descriptions, locations and downloads. Only verified files are read.

`repro.streams.load` turns a data set into a stream.
"""

from repro.data_sets.catalogue import DataCorrupt, DataNotFound
from repro.data_sets.description import ColumnUse, Description
from repro.data_sets.registry import available, describe, fetch, locate, names, verify

__all__ = [
    "ColumnUse",
    "DataCorrupt",
    "DataNotFound",
    "Description",
    "available",
    "describe",
    "fetch",
    "locate",
    "names",
    "verify",
]
