"""Results side by side: reproduced beside published, and detectors beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from repro._checks import MOST_DECIMALS, as_floats, check_count, check_frame, check_values
from repro.metrics.detection import DetectionReport

__all__ = ["beside_published", "delay_text", "delays_beside_published", "reports_table"]


def beside_published(comparison: pd.DataFrame, decimals: int = 2) -> pd.DataFrame:
    """`published.compare` as a matrix of texts: ``reproduced | published``.

    The matrix has a row per stream and a column per learner, both in the published order. A cell
    that differs ends in an exclamation mark. A cell that was not run has a dash for the reproduced
    number.
    """
    numbers = ["reproduced", "published"]
    comparison = _check_comparison(comparison, ["stream", "learner"], numbers)
    decimals = check_count(decimals, name="decimals", least=0, most=MOST_DECIMALS)
    texts = [
        f"{'–' if row.verdict == 'not run' else f'{row.reproduced:.{decimals}f}'} | "
        f"{row.published:.{decimals}f}{' !' if row.verdict == 'differs' else ''}"
        for row in comparison.itertuples()
    ]
    matrix = comparison.assign(text=texts).pivot(index="stream", columns="learner", values="text")
    return matrix.loc[comparison["stream"].unique(), comparison["learner"].unique()]


def delays_beside_published(comparison: pd.DataFrame) -> pd.DataFrame:
    """`published.compare` of delays as a matrix of texts: ``reproduced | published``.

    The matrix has a row per estimator and a column per stream and learner, in the published order.
    Each number is the mean delay ± its standard error, with the number of missed runs in
    parentheses if there are any. It is "miss" if all runs missed, and a dash if there are no runs.
    A cell that differs ends in an exclamation mark.
    """
    mine = ["reproduced", "s.e.", "missed"]
    public = ["published", "published s.e.", "published missed"]
    comparison = _check_comparison(comparison, ["estimator", "stream", "learner"], mine + public)
    ours, theirs = comparison[mine].to_numpy(float), comparison[public].to_numpy(float)
    texts = [
        f"{_delay(*our)} | {_delay(*their)}{' !' if verdict == 'differs' else ''}"
        for our, their, verdict in zip(ours, theirs, comparison["verdict"], strict=True)
    ]
    table = comparison.assign(text=texts)
    matrix = table.pivot(index="estimator", columns=["stream", "learner"], values="text")
    order = pd.MultiIndex.from_frame(table[["stream", "learner"]].drop_duplicates())
    return matrix.loc[comparison["estimator"].unique(), order]


def delay_text(delays: ArrayLike) -> str:
    """Mean ± standard error of the finite `delays`, then the number of missed runs in parentheses.

    A missed run has the delay nan or infinity. The text is "miss" if all runs missed.

    >>> delay_text([90, 100, 110, float("inf")]), delay_text([float("nan")])
    ('100 ± 6 (1)', 'miss')
    """
    values = as_floats(delays, name="delays")
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "miss"
    with np.errstate(over="ignore", invalid="ignore"):  # of delays near the largest number
        error = finite.std(ddof=1) / np.sqrt(finite.size) if finite.size > 1 else np.nan
        mean = finite.mean()
    return _delay(float(mean), float(error), values.size - finite.size)


def reports_table(reports: Mapping[Any, DetectionReport]) -> pd.DataFrame:
    """Detection reports as one table: a row per report, a column per measure and its ± s.e.

    Keys that are tuples become an index of several levels. The measures are those of
    `repro.metrics.detection_report`; counts are means per run.

    >>> from repro.metrics import detection_report
    >>> report = detection_report([[150, 420], [430]], drifts=[400], n=1000)
    >>> reports_table({"A": report})[["false_alarms", "mtd", "mtd ± s.e."]]
    measure  false_alarms   mtd  mtd ± s.e.
    A                 0.5  25.0         5.0
    """
    check_values(reports, DetectionReport, name="reports", rule="names to DetectionReports")
    rows = {}
    for key, report in reports.items():
        columns = report.table["detector"], report.table["± s.e."].add_suffix(" ± s.e.")
        order = [name for pair in zip(*(c.index for c in columns), strict=True) for name in pair]
        rows[key] = pd.concat(columns)[order]
    return pd.DataFrame(rows).T


def _check_comparison(
    comparison: pd.DataFrame, keys: list[str], numbers: list[str]
) -> pd.DataFrame:
    """Return `comparison` if it has these columns and one row per cell of the matrix."""
    columns = [*keys, *numbers, "verdict"]
    comparison = check_frame(comparison, columns, name="comparison", numbers=numbers)
    if comparison.duplicated(keys).any():
        twice = comparison.loc[comparison.duplicated(keys), keys].iloc[0].tolist()
        raise ValueError(f"comparison must have one row per {', '.join(keys)}; got {twice} twice")
    if comparison[keys].isna().any(axis=None):
        raise ValueError(f"comparison must have no missing {', '.join(keys)}; got nan")
    return comparison


def _delay(mean: float, error: float, missed: float) -> str:
    if np.isnan(mean):
        return "–" if np.isnan(missed) else "miss"
    spread = "" if np.isnan(error) else f" ± {error:.0f}"
    return f"{mean:.0f}{spread}{f' ({missed:.0f})' if missed else ''}"
