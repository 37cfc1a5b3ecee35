"""Published tables of mean errors beside their reproduction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd

from repro._checks import check_choice, check_frame
from repro.published.verdict import BOUND, NOTHING, explained, read_file

__all__ = ["TABLES", "PublishedTable", "compare", "read"]


@dataclass(frozen=True)
class PublishedTable:
    """How a published table of mean errors is to be read: a row a stream, a column a learner."""

    streams: str  #: the column that holds the streams' names
    factor: float  #: what an error of 1 is in the units of the table
    decimals: int  #: to which the table is rounded
    n_runs: int  #: runs behind each mean


#: The tables that `compare` knows, by the name of their file in ``data/published``.
TABLES = MappingProxyType({"testbed_table3": PublishedTable("dataset", 100.0, 2, 10)})


def read(name: str) -> pd.DataFrame:
    """The published table `name`, one row per cell: stream, learner, published."""
    wide = read_file(check_choice(name, TABLES, name="name"))
    wide = wide.rename(columns={TABLES[name].streams: "stream"})
    return wide.melt("stream", var_name="learner", value_name="published")


def compare(
    name: str, table: pd.DataFrame, *, reasons: Mapping[tuple[str, str], str] = NOTHING
) -> pd.DataFrame:
    r"""Every cell of the published table `name` beside its reproduction in the sweep `table`.

    With the mean :math:`\bar e` and standard deviation *s* of the *n* reproduced runs, a published
    mean *p* of *m* runs, taken to spread as ours do, and its rounding step *r*,

    .. math:: \text{s.e.} = s / \sqrt n, \qquad
              \text{s.e.}_\Delta = \sqrt{s^2 (1/n + 1/m) + r^2 / 12},

    and a cell *agrees* when :math:`|\bar e - p| \le 2\,\text{s.e.}_\Delta`, else it *differs*; with
    equal truths about one cell in twenty differs by chance.

    `table` has the columns learner, stream, seed and error of `repro.sweep`. The result has, in
    the published order and units, the columns stream, learner, published, reproduced, s.e.,
    difference, s.e. of difference, verdict and reason. A cell without two finished runs is
    *not run*. `reasons` says of (stream, learner) why a cell differs; it is shown only there.
    """
    how, result = TABLES[check_choice(name, TABLES, name="name")], read(name)
    columns = ["learner", "stream", "error"]
    table = check_frame(table, columns, name="table", numbers=["error"])
    runs = table.dropna(subset="error").groupby(["stream", "learner"])["error"]
    ours = pd.DataFrame({"mean": runs.mean(), "sd": runs.std(), "n": runs.size()})
    ours = ours[ours["n"] >= 2].reindex(pd.MultiIndex.from_frame(result[["stream", "learner"]]))
    mean, sd, n = (ours[column].to_numpy() for column in ("mean", "sd", "n"))
    result["reproduced"] = how.factor * mean
    result["s.e."] = how.factor * sd / np.sqrt(n)
    result["difference"] = result["reproduced"] - result["published"]
    variance = (how.factor * sd) ** 2 * (1 / n + 1 / how.n_runs) + 10.0 ** (-2 * how.decimals) / 12
    result["s.e. of difference"] = np.sqrt(variance)
    within = result["difference"].abs() <= BOUND * result["s.e. of difference"]
    verdicts = np.where(within, "agrees", "differs")
    result["verdict"] = np.where(np.isnan(mean), "not run", verdicts)
    result["reason"] = explained(result, ["stream", "learner"], reasons)
    return result
