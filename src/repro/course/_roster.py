"""The participants of a course, as a learning platform lists them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from repro._reading import reading
from repro.course.students import normalised

__all__ = ["Roster"]


class Roster:
    """A table with a row per participant; one of its columns has the ids that students write.

    Any list that a platform exports will do: Moodle's participants or grades, Canvas's gradebook.
    The column of ids is the one that holds most of the ids in the notebooks.

    Parameters
    ----------
    path : a CSV file with a header
    ids : the ids in the notebooks

    Raises FileNotFoundError without the file, ValueError if it is no table, or no column has an id.
    """

    def __init__(self, path: Path, ids: set[str]) -> None:
        if not path.is_file():
            raise FileNotFoundError(f"roster must be a CSV file; got {str(path)!r}")
        with reading(path, name="roster", what="a CSV file"):
            # Numbers such as 007 are texts: the platform must read back what it has written.
            self.table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
        columns = {name: [_plain(v) for v in self.table[name]] for name in self.table}
        found = {name: len(ids & set(values)) for name, values in columns.items()}
        best = max(found, key=lambda name: found[name], default="")
        if not found.get(best):
            rule = "roster must have a column with the ids that students wrote"
            raise ValueError(f"{rule}; got columns {[*columns]}, and ids {sorted(ids)[:5]}")
        self._ids = columns[best]

    def __contains__(self, student: str) -> bool:
        return _plain(student) in self._ids

    def with_points(self, points: pd.DataFrame, ids: Mapping[str, str]) -> pd.DataFrame:
        """The table with a column for each sheet and their sum; empty without points.

        Where an id stands in several notebooks of a sheet, the best one counts.

        Parameters
        ----------
        points : a row per student, a column per sheet
        ids : the id of each student of `points`
        """
        by_id = points.groupby([_plain(ids[name]) for name in points.index]).max()
        kept = by_id.reindex(self._ids)
        kept["sum"] = kept.sum(axis=1, min_count=1)
        kept.index = self.table.index
        return pd.concat([self.table, kept], axis=1)


def _plain(text: str) -> str:
    return normalised(text) if text.strip() else ""
