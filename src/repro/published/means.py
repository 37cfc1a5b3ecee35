"""Published tables of mean errors beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from repro._checks import check_frame
from repro.published.files import read_file
from repro.published.verdict import Means, compared, spread_of_means
from repro.published.words import AGREES, DIFFERS, LEVEL, NOT_RUN

__all__ = ["MeanErrors", "beside", "excess", "summary"]

OPTIMAL = "Optimal"
HALF = LEVEL / 2  # of each of two tests
HALF_A_POINT = 0.5  # of error in percent


@dataclass(frozen=True)
class MeanErrors:
    """A published table of mean errors, with one row per stream and one column per learner.

    The paper gives no spread of its runs, so they are taken to spread as ours do.

    All learners of a paper saw the same streams. A difficult draw raises the error of a learner
    and of the optimal classifier alike, and hardly changes the *excess* of one over the other. So
    a cell is judged twice where the table and the runs have the learner Optimal: the mean error
    and the mean excess, at 2.5 % each. It differs if one of the two does, and its p-value is twice
    the smaller one. The excess is not judged where Optimal has the same error in all runs. A cell
    is too coarse to tell if both resolutions are worse than half a point.
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
        """Every cell beside the mean of its runs in the sweep `frame`, with its verdict.

        The columns difference of excess and resolution of excess are nan where it is not judged.
        """
        columns = ["learner", "stream", "error"]
        frame = check_frame(frame, columns, name="frame", numbers=["error"])
        frame = frame.assign(error=self.factor * frame["error"])
        published, step = self.read(), 10.0**-self.decimals
        rule = partial(beside, n_runs=self.n_runs, points=HALF_A_POINT)
        runs = summary(frame, [*self.keys], "error")
        varies = runs.loc[runs["std"] > 0].index
        ours = summary(excess(frame, "error", ["stream", "seed"]), [*self.keys], "error")
        has_draws = ours.index.get_level_values(0).isin(
            [s for s, name in varies if name == OPTIMAL]
        )
        theirs = excess(published, "published", ["stream"])
        of_excess = rule(theirs, ours[has_draws], step=np.sqrt(2) * step, level=HALF)
        level = np.where(of_excess["verdict"] == NOT_RUN, LEVEL, HALF)
        return _both(rule(published, runs, step=step, level=level), of_excess)


def _both(of_error: pd.DataFrame, of_excess: pd.DataFrame) -> pd.DataFrame:
    """The comparison of the errors with that of the excess beside it, and the verdict of both."""
    words = np.stack([of_error["verdict"], of_excess["verdict"]])
    is_judged = words[1] != NOT_RUN
    verdict = np.where(is_judged & (words == AGREES).any(axis=0), AGREES, words[0])
    p = np.fmin(of_error["p"], of_excess["p"])
    both = {
        "difference of excess": of_excess["difference"],
        "resolution of excess": of_excess["resolution"],
        "p": np.where(is_judged, np.minimum(2 * p, 1.0), of_error["p"]),
        "verdict": np.where((words == DIFFERS).any(axis=0), DIFFERS, verdict),
    }
    return of_error.drop(columns=["p", "verdict"]).assign(**both)


def excess(frame: pd.DataFrame, column: str, on: list[str]) -> pd.DataFrame:
    """`frame` with `column` minus that of the learner Optimal in the same rows of `on`.

    The result is nan for Optimal itself, and where Optimal is missing or a column of `on` is.
    """
    if not {*on} <= {*frame.columns}:
        return frame.assign(**{column: np.nan})
    optimal = frame.loc[frame["learner"] == OPTIMAL, [*on, column]].drop_duplicates(on)
    least = frame[on].merge(optimal, on=on, how="left")[column].to_numpy(np.float64)
    is_other = (frame["learner"] != OPTIMAL).to_numpy()
    return frame.assign(**{column: np.where(is_other, frame[column] - least, np.nan)})


def summary(frame: pd.DataFrame, keys: list[str], column: str) -> pd.DataFrame:
    """Mean, standard deviation and number of the runs of each cell with at least two."""
    runs = frame.dropna(subset=column).set_index(keys)[column].groupby(keys)
    found = runs.agg(["mean", "std", "size"])
    return found[found["size"] >= 2]


def beside(
    published: pd.DataFrame,
    runs: pd.DataFrame,
    *,
    n_runs: int,
    step: float,
    level: ArrayLike = LEVEL,
    points: float | None = None,
) -> pd.DataFrame:
    """The published means beside those of our runs, with their verdicts.

    Parameters
    ----------
    published : columns that name a cell, and published, a mean without its spread.
    runs : the `summary` of our runs.
    n_runs : runs behind each published mean; they are taken to spread as ours do.
    step : to which the published means are rounded.
    level : probability that equal means differ by chance, one for all or one per cell.
    points : the worst resolution with which a cell agrees; None for a tenth of the published mean.
    """
    cells = pd.MultiIndex.from_frame(published.drop(columns="published"))
    mean, deviation, n = runs.reindex(cells).to_numpy(np.float64).T
    unknown = np.full(len(published), np.nan)
    theirs = Means(published["published"].to_numpy(), unknown, np.full(len(published), n_runs))
    found = spread_of_means(theirs, Means(mean, deviation, n), step=step, level=level)
    columns = compared(theirs.mean, mean, deviation / np.sqrt(n), found, points=points)
    return published.assign(**columns)
