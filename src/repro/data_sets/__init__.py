"""Real data sets: what they are, where they lie, and getting them; verified or not at all.

Nothing here knows of streams; `repro.streams.load` makes one of a data set.
"""

from repro.data_sets.description import Description
from repro.data_sets.errors import DataCorrupt, DataNotFound
from repro.data_sets.registry import available, describe, fetch, locate, names, verify

__all__ = [
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
