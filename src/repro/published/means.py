"""Published tables of mean errors beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from repro._checks import check_frame
from repro.published.files import read_file
from repro.published.verdict import Means, spread_of_means, verdicts

__all__ = ["MeanErrors"]


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
        result = self.read()
        ours = self._reproduced(frame).reindex(pd.MultiIndex.from_frame(result[[*self.keys]]))
        mean, deviation, n = ours.to_numpy(np.float64).T
        unknown = np.full(len(result), np.nan)
        theirs = Means(result["published"].to_numpy(), unknown, np.full(len(result), self.n_runs))
        found = spread_of_means(theirs, Means(mean, deviation, n), step=10.0**-self.decimals)
        difference = mean - theirs.mean
        return result.assign(
            **{
                "reproduced": mean,
                "s.e.": deviation / np.sqrt(n),
                "difference": difference,
                "s.e. of difference": found.standard_error,
                "resolution": found.resolution,
                "verdict": verdicts(difference, found.resolution),
            }
        )

    def _reproduced(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Mean, standard deviation and number of the runs of each cell with at least two."""
        errors = self.factor * frame.dropna(subset="error").set_index([*self.keys])["error"]
        ours = errors.groupby([*self.keys]).agg(["mean", "std", "size"])
        return ours[ours["size"] >= 2]
