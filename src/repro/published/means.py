"""Published tables of mean errors beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from repro._checks import check_frame
from repro.published.files import read_file
from repro.published.verdict import Means, compared, spread_of_means

__all__ = ["MeanErrors", "beside", "summary"]


@dataclass(frozen=True)
class MeanErrors:
    """A published table of mean errors, with one row per stream and one column per learner.

    The paper gives no spread of its runs, so they are taken to spread as ours do.
    """

    name: str  #: of the file in ``data/published``
    streams: str  #: column with the names of the streams
    factor: float  #: an error of 1 in the units of the table
    decimals: int  #: of the printed numbers
    n_runs: int  #: runs behind each mean

    keys = ("stream", "learner")

    def read(self) -> pd.DataFrame:
        """One row per cell: stream, learner, published."""
        wide = read_file(self.name).rename(columns={self.streams: "stream"})
        return wide.melt("stream", var_name="learner", value_name="published")

    def judged(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Every cell beside the mean of its runs in the sweep `frame`, with its verdict."""
        columns = ["learner", "stream", "error"]
        frame = check_frame(frame, columns, name="frame", numbers=["error"])
        runs = summary(frame.assign(error=self.factor * frame["error"]), [*self.keys], "error")
        return beside(self.read(), runs, n_runs=self.n_runs, step=10.0**-self.decimals)


def summary(frame: pd.DataFrame, keys: list[str], column: str) -> pd.DataFrame:
    """Mean, standard deviation and number of the runs of each cell with at least two."""
    runs = frame.dropna(subset=column).set_index(keys)[column].groupby(keys)
    found = runs.agg(["mean", "std", "size"])
    return found[found["size"] >= 2]


def beside(
    published: pd.DataFrame, runs: pd.DataFrame, *, n_runs: int, step: float
) -> pd.DataFrame:
    """The published means beside those of our runs, with their verdicts.

    Parameters
    ----------
    published : columns that name a cell, and published, a mean without its spread.
    runs : the `summary` of our runs.
    n_runs : runs behind each published mean; they are taken to spread as ours do.
    step : to which the published means are rounded.
    """
    cells = pd.MultiIndex.from_frame(published.drop(columns="published"))
    mean, deviation, n = runs.reindex(cells).to_numpy(np.float64).T
    unknown = np.full(len(published), np.nan)
    theirs = Means(published["published"].to_numpy(), unknown, np.full(len(published), n_runs))
    found = spread_of_means(theirs, Means(mean, deviation, n), step=step)
    return published.assign(**compared(theirs.mean, mean, deviation / np.sqrt(n), found))
