"""One call that sets any table of published numbers beside its reproduction."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

import pandas as pd

from repro._checks import check_choice, check_frame, check_mapping, check_text
from repro.published.counts import AFTER_HOLM, counts_by_kind
from repro.published.delays import DetectionDelays
from repro.published.files import file_names, read_file
from repro.published.means import MeanErrors, ScenarioAccuracies, TextNumbers
from repro.published.settings import fitted
from repro.published.words import CELLS, DIFFERS, KINDS, NOT_EXPLAINED, TOO_COARSE
from repro.statistics.multiple import rejected_by_holm

__all__ = ["compare", "count_verdicts", "read"]

NO_REASONS: Mapping[Any, str] = MappingProxyType({})


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
    ScenarioAccuracies("scenarios_table3", part="test_task", decimals=2),
    ScenarioAccuracies("scenarios_table4", part="base_set", decimals=2),
)


def read(name: str) -> pd.DataFrame:
    """The published numbers of the file `name`, one row per cell.

    The columns are those that name a cell, such as stream and learner, and the numbers. A file
    that `compare` does not know is returned as it is. Raises ValueError for an unknown name.
    """
    check_text(name, name="name")
    comparable = _comparable()
    return comparable[name].read() if name in comparable else read_file(name)


def compare(
    name: str, frame: pd.DataFrame, *, reasons: Mapping[Any, str] = NO_REASONS
) -> pd.DataFrame:
    """Every published number of the file `name` beside its reproduction.

    The result has one row per published number, in the published order and units. Its columns are
    those that name a cell, then published, reproduced, s.e., difference, s.e. of difference,
    resolution, p, equivalent, verdict, differs after Holm and reason. The *resolution* is the
    smallest difference that could have been seen: a cell *differs* if its difference is larger; a
    true difference as large as the resolution is seen in about half of all experiments. Otherwise
    it *agrees*, or is *too coarse to tell* if the resolution is worse than a tenth of the published
    number (half a point of an error in percent). Two one-sided tests say which cells are
    *equivalent*: their difference is shown to be within this margin. Of cells that are equal in
    truth, at most 5 % differ by chance; p is the level at which a cell would just differ. The
    column differs after Holm tells which cells differ if all of the table are to have the level
    5 % together.
    `repro.published.verdict` states the rule. A cell with fewer than two runs, or without a
    number, is *not run*.

    A table of mean errors is also judged by the excess over the learner Optimal, where the frame
    has it: its columns are difference of excess and resolution of excess. A table of delays has
    more columns: published s.e., published missed, published false-alarm runs, missed, runs,
    false-alarm runs, p of misses, p of false alarms, and resolution of missed: how many more or
    fewer of our runs than the published share would have to miss for the cell to differ. A table of
    scenarios is judged as if each number came from one more run of ours, since the paper gives
    neither the number of its runs nor their spread. The column kind is "cell" for a number that no
    choice of ours has seen, "fitted" for one that helped to choose a setting (`settings`),
    "missed" for a change that all runs missed on both sides, and "constant" for a number of a text
    that needs no learner and no stream.

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
        that differ, which are otherwise "not explained". Where a cell is too coarse to tell, the
        reason says whether more runs of ours would tell.

    Raises ValueError for an unknown file and for a frame without these columns.

    >>> frame = pd.DataFrame({"quantity": ["examples of Elec2"], "reproduced": [45312.0]})
    >>> cells = compare("temporal_text", frame).set_index("quantity")
    >>> cells.loc["examples of Elec2", ["published", "resolution", "verdict"]]
    published     45312.0
    resolution        0.5
    verdict        agrees
    Name: examples of Elec2, dtype: object
    """
    comparable = _comparable()
    numbers = comparable[check_choice(name, comparable, name="name")]
    result = numbers.judged(frame)
    kind = result["kind"] if "kind" in result else pd.Series("cell", result.index)
    result["kind"] = kind.mask(fitted(name, result), "fitted")
    is_left = result["p"].isna() | rejected_by_holm(result["p"])  # an exact number has no p
    result[AFTER_HOLM] = (result["verdict"] == DIFFERS) & is_left
    why = _explained(result, [*numbers.keys], reasons)
    return result.drop(columns="limit", errors="ignore").assign(reason=why)


def count_verdicts(cells: pd.DataFrame) -> pd.DataFrame:
    """How many cells have each verdict, and how many of them differ by chance at most.

    The result has a row for each kind: cells, and where there are any constants and numbers that
    were used to choose a setting. Its columns are the number of cells, each verdict, "differ by
    chance", the number of cells that would differ on average if all were equal in truth, and
    "differ after Holm". Exact numbers do not differ by chance.

    Parameters
    ----------
    cells : the result of `compare`, or several under each other; the column kind is optional.

    >>> frame = pd.DataFrame({"quantity": ["examples of Elec2"], "reproduced": [45312.0]})
    >>> count_verdicts(compare("temporal_text", frame))[["number", "agree", "differ", "not run"]]
               number  agree  differ  not run
    cells           3      0       0        3
    constants      12      1       0       11
    """
    check_frame(cells, ["verdict"], name="cells")
    try:
        kinds = counts_by_kind(cells.to_dict("records"))
    except ValueError as error:
        raise ValueError(f"cells: {error}") from None
    rows = [
        {"number": counts.verdicts.total()}
        | {many: counts.verdicts[one] for one, many in CELLS.items()}
        | {"differ by chance": counts.by_chance, "differ after Holm": counts.after_holm}
        for counts in kinds.values()
    ]
    return pd.DataFrame(rows, index=[KINDS[kind] for kind in kinds])


def _explained(comparison: pd.DataFrame, keys: list[str], reasons: Mapping[Any, str]) -> list[str]:
    """Why each row of `comparison` differs or is too coarse to tell; "" for the other rows."""
    check_mapping(reasons, name="reasons", rule="cells to reasons")
    cells = comparison[keys].itertuples(index=False, name=None)
    is_coarse = comparison["verdict"] == TOO_COARSE
    limits = comparison.get("limit", pd.Series("", comparison.index)).where(is_coarse, "")
    return [
        reasons.get(cell if len(cell) > 1 else cell[0], NOT_EXPLAINED) if word == DIFFERS else limit
        for cell, word, limit in zip(cells, comparison["verdict"], limits, strict=True)
    ]


def _comparable() -> dict[str, PublishedNumbers]:
    texts: list[PublishedNumbers] = [
        TextNumbers(name) for name in file_names() if name.endswith("_text")
    ]
    return {numbers.name: numbers for numbers in (*TABLES, *texts)}
