"""Published means, accuracies of scenarios and numbers of a text beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from repro._checks import check_frame, shown
from repro.published.files import read_file
from repro.published.verdict import compared, limits
from repro.published.words import AGREES, DIFFERS, LEVEL, NOT_RUN
from repro.statistics.differences import Means, spread, spread_of_means

__all__ = ["MeanErrors", "ScenarioAccuracies", "TextNumbers", "beside", "excess", "summary"]

OPTIMAL = "Optimal"
HALF = LEVEL / 2  # of each of two tests
HALF_A_POINT = 0.5  # of error in percent
FIVE_POINTS = 0.05  # of accuracy: a worse resolution says nothing


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
    equal = of_error["equivalent"] | (of_excess["equivalent"] & is_judged)
    both = {
        "equivalent": equal,
        "difference of excess": of_excess["difference"],
        "resolution of excess": of_excess["resolution"],
        "p": np.where(is_judged, np.minimum(2 * p, 1.0), of_error["p"]),
        "verdict": np.where((words == DIFFERS).any(axis=0), DIFFERS, verdict),
    }
    return of_error.drop(columns=["p", "equivalent", "verdict"]).assign(**both)


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
    cells = runs.agg(["mean", "std", "size"])
    return cells[cells["size"] >= 2]


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
    cell_spread = spread_of_means(theirs, Means(mean, deviation, n), step=step, level=level)
    columns = compared(theirs.mean, mean, deviation / np.sqrt(n), cell_spread, points=points)
    any_number = Means(mean, deviation, np.full(len(published), np.inf))
    best = spread_of_means(theirs, any_number, step=step, level=level)
    columns["limit"] = limits(theirs.mean, cell_spread, best, points=points)
    return published.assign(**columns)


@dataclass(frozen=True)
class ScenarioAccuracies:
    """A published table of accuracies: one row per assignment, classifier, scenario and part.

    The paper says neither how many runs are behind a number nor how they spread. So a number is
    judged as one more run of ours: it differs if it lies outside the prediction interval of our
    runs. Its tables do not say whether they are rounded or cut off, so a printed *p* stands for
    the numbers from p - 0.005 to p + 0.01, and the difference is taken from the middle of these.
    A cell is too coarse to tell if its resolution is worse than 0.05.
    """

    name: str  #: of the file in ``data/published``
    part: str  #: column with the names of the base sets, or of the tasks tested
    decimals: int  #: of the printed numbers

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that name a cell."""
        return ("assignment", "classifier", "scenario", self.part)

    def read(self) -> pd.DataFrame:
        """One row per cell: assignment, classifier, scenario, the part, published."""
        table = read_file(self.name).rename(columns={"accuracy": "published"})
        return table[[*self.keys, "published"]]

    def judged(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Every cell beside the mean of its runs in `frame`, with its verdict.

        `frame` has one row per run and cell: assignment, classifier, scenario, the part, accuracy.
        """
        frame = check_frame(frame, [*self.keys, "accuracy"], name="frame", numbers=["accuracy"])
        runs, printed = summary(frame, [*self.keys], "accuracy"), self.read()
        step = 10.0**-self.decimals
        middle = printed.assign(published=printed["published"] + step / 4)
        result = beside(middle, runs, n_runs=1, step=1.5 * step, points=FIVE_POINTS)
        return result.assign(published=printed["published"])


@dataclass(frozen=True)
class TextNumbers:
    """Numbers printed in a text, each with its `decimals` and the section it is from.

    The file has the columns quantity, published, decimals, section and kind (`KINDS`). The
    published numbers are taken as exact, apart from their rounding.
    """

    name: str  #: of the file in ``data/published``

    keys = ("quantity",)

    def read(self) -> pd.DataFrame:
        """One row per number: quantity, section, kind, decimals, published."""
        columns = ["quantity", "section", "kind", "decimals", "published"]
        return read_file(self.name)[columns].astype({"published": float})

    def judged(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Every number beside its reproduction in `frame`, with its verdict.

        `frame` has the columns quantity and reproduced. Columns s.e. and df, the degrees of
        freedom of the standard error, are optional: without them a number is exact, and its
        standard error is known exactly.
        """
        result = self.read()
        ours = _reproduced(frame).reindex(result["quantity"])
        reproduced, error, df = ours.to_numpy(np.float64).T
        published = result["published"].to_numpy()
        step = 10.0 ** -result["decimals"].to_numpy(np.float64)
        cell_spread = spread([error**2], [df], step=step)
        return result.assign(**compared(published, reproduced, error, cell_spread))


def _reproduced(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns reproduced, s.e. and df of `frame`, by quantity."""
    rows = check_frame(frame, ["quantity", "reproduced"], name="frame")
    rows = rows.assign(**{n: v for n, v in {"s.e.": 0.0, "df": np.inf}.items() if n not in rows})
    numbers = ["reproduced", "s.e.", "df"]
    rows = check_frame(rows, name="frame", numbers=numbers)
    if rows["quantity"].duplicated().any():
        twice = shown(rows.loc[rows["quantity"].duplicated(), "quantity"].iloc[0])
        raise ValueError(f"frame must have one row per quantity; got {twice} twice")
    if (rows["s.e."] < 0).any() or (rows["df"] <= 0).any():
        raise ValueError(f"frame must have s.e. >= 0 and df > 0; got {shown(rows[numbers])}")
    return rows.set_index("quantity")[numbers]
