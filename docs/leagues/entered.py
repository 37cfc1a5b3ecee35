"""Learners that entered with a file of predictions."""

from __future__ import annotations

import math

import pandas as pd

from leagues.learners import entries
from leagues.markdown import table
from leagues.standings import COLUMNS

__all__ = ["entered_part", "renamed", "with_entries"]


def with_entries(runs: pd.DataFrame, entered: pd.DataFrame) -> pd.DataFrame:
    """`runs` and the entries by file, of which neither time nor memory is known."""
    if not len(entered):
        return runs
    rows = renamed(entered).assign(failure="", seconds=math.nan, state_bytes=math.nan)
    return pd.concat([runs, rows[COLUMNS]], ignore_index=True)


def renamed(entered: pd.DataFrame) -> pd.DataFrame:
    """`entered`, where a name that is taken gets that of who made the entry."""
    taken = entered["learner"].isin([entry.name for entry in entries()])
    by_whom = entered["learner"] + " by " + entered["by"]
    return entered.assign(learner=entered["learner"].where(~taken, by_whom))


def entered_part(entered: pd.DataFrame) -> str:
    """Who entered by file, with what, and whether it was run again."""
    if not len(entered):
        return "No learner has entered with a file of predictions yet."
    shown = ["learner", "by", "version", "origin", "parameters", "hardware", "code", "round"]
    shown.append("flags")
    groups = entered.groupby(shown, sort=False)["seed"].nunique()
    rows = [[*map(str, key), str(count)] for key, count in groups.items()]
    return table(["learner", "by", "library", *shown[3:], "seeds"], rows, left=len(shown))
