"""Published accuracies of classifiers in scenarios beside their reproduction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from repro._checks import check_frame
from repro.published.files import read_file
from repro.published.means import beside, summary
from repro.published.verdict import too_coarse, verdicts
from repro.published.words import DIFFERS

__all__ = ["ScenarioAccuracies"]


@dataclass(frozen=True)
class ScenarioAccuracies:
    """A published table of accuracies: one row per assignment, classifier, scenario and part.

    The paper says neither how many runs are behind a number nor how they spread. A cell is judged
    by the verdict rule first, as if the number came from one run that spreads as ours do. It agrees
    also if it is `within` of ours. The column "judged by" says which of the two rules decided, and
    the resolution is that of the more lenient one. The p-value of a cell that is `within` is 1.
    A cell that only the spread of our runs lets agree is too coarse to tell.
    """

    name: str  #: of the file in ``data/published``
    part: str  #: column with the names of the base sets, or of the tasks tested
    decimals: int  #: of the printed numbers
    within: float  #: difference that is accepted whatever the spread

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
        runs = summary(frame, [*self.keys], "accuracy")
        step = 10.0**-self.decimals
        result = beside(self.read(), runs, n_runs=1, step=step)
        is_far, is_near = result["verdict"] == DIFFERS, result["difference"].abs() <= self.within
        is_wide = too_coarse(result["published"], result["resolution"], points=self.within)
        lenient = np.maximum(result["resolution"], self.within)
        lenient = lenient.where(result["resolution"].notna())
        result["p"] = result["p"].mask(is_near, 1.0)
        result["resolution"] = lenient
        result["verdict"] = verdicts(result["difference"], lenient, is_wide & ~is_near)
        by_rule = is_far | (is_wide & is_near)
        rule = np.where(by_rule, f"within {self.within:g}", "spread of the runs")
        return result.assign(**{"judged by": np.where(result["verdict"] == "not run", "", rule)})
