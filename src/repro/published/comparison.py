"""One call that sets any table of published numbers beside its reproduction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import pandas as pd

from repro._checks import check_choice, check_text
from repro.published.accuracies import ScenarioAccuracies
from repro.published.delays import DetectionDelays
from repro.published.files import file_names, read_file
from repro.published.means import MeanErrors
from repro.published.text import TextNumbers
from repro.published.verdict import NO_REASONS, explained

__all__ = ["compare", "read"]


class PublishedNumbers(Protocol):
    """How a file of published numbers is read and compared."""

    @property
    def name(self) -> str:
        """The name of the file."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that name a cell."""

    def read(self) -> pd.DataFrame:
        """One row per cell, with the columns `keys` and the published numbers."""

    def judged(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The published numbers beside those in `frame`, with the column verdict."""


TABLES: tuple[PublishedNumbers, ...] = (
    MeanErrors("testbed_table3", streams="dataset", factor=100.0, decimals=2, n_runs=10),
    DetectionDelays("estimators_table2", n_runs=10, step=1.0),
    DetectionDelays("estimators_table3", n_runs=10, step=1.0),
    ScenarioAccuracies("scenarios_table3", part="test_task", decimals=2, within=0.05),
    ScenarioAccuracies("scenarios_table4", part="base_set", decimals=2, within=0.05),
)


def read(name: str) -> pd.DataFrame:
    """The published numbers of the file `name`, one row per cell.

    The columns are those that name a cell, such as stream and learner, and the numbers. A file
    that `compare` does not know is returned as it is. Raises ValueError for an unknown name.
    """
    check_text(name, name="name")
    known = _comparable()
    return known[name].read() if name in known else read_file(name)


def compare(
    name: str, frame: pd.DataFrame, *, reasons: Mapping[Any, str] = NO_REASONS
) -> pd.DataFrame:
    """Every published number of the file `name` beside its reproduction.

    The result has one row per published number, in the published order and units. Its columns are
    those that name a cell, then published, reproduced, s.e., difference, s.e. of difference,
    resolution, verdict and reason. The *resolution* is the smallest difference that could have
    been seen: a cell *differs* if its difference is larger, and *agrees* otherwise; a true
    difference as large as the resolution is seen in about half of all experiments. Of cells that
    are equal in truth, 5 % differ by chance. `repro.published.verdict` states the rule. A cell
    with fewer than two runs, or without a number, is *not run*.

    A table of delays has more columns: published s.e., published missed, missed, runs,
    false-alarm runs, p of misses, and resolution of missed: how many more or fewer of our runs
    than the published share would have to miss for the cell to differ. A table of scenarios has
    the column judged by: a cell agrees within the spread of the runs, or else within 0.05, since
    the paper gives neither the number of its runs nor their spread.

    Parameters
    ----------
    name : file in ``data/published``, without ``.csv``.
    frame : our numbers. For a table of mean errors a sweep with the columns stream, learner and
        error; for a table of delays the result of `delays_of`; for a table of scenarios one row
        per run and cell with the columns assignment, classifier, scenario, test_task or base_set,
        and accuracy; for the numbers of a text (``*_text``) the columns quantity and reproduced,
        and where a number is not exact s.e. and df, the degrees of freedom of its standard error.
    reasons : why a cell differs, by the columns that name it: (stream, learner), (stream, learner,
        estimator), (assignment, classifier, scenario, test_task) or quantity; shown only in cells
        that differ, which are otherwise "not explained".

    Raises ValueError for an unknown file and for a frame without these columns.

    >>> frame = pd.DataFrame({"quantity": ["examples of Elec2"], "reproduced": [45312.0]})
    >>> cells = compare("temporal_text", frame).set_index("quantity")
    >>> cells.loc["examples of Elec2", ["published", "resolution", "verdict"]]
    published     45312.0
    resolution        0.5
    verdict        agrees
    Name: examples of Elec2, dtype: object
    """
    known = _comparable()
    numbers = known[check_choice(name, known, name="name")]
    result = numbers.judged(frame)
    return result.assign(reason=explained(result, [*numbers.keys], reasons))


def _comparable() -> dict[str, PublishedNumbers]:
    texts: list[PublishedNumbers] = [
        TextNumbers(name) for name in file_names() if name.endswith("_text")
    ]
    return {numbers.name: numbers for numbers in (*TABLES, *texts)}
