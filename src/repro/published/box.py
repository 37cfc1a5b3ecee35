"""The verdicts of a notebook in about ten lines, for its first page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from repro import _folders
from repro._checks import as_list
from repro.published.counts import read_rows, summary_of_cells, summary_of_claims
from repro.published.words import CELLS, CLAIMS, DIFFERS, DOES_NOT_HOLD, NOT_EXPLAINED

__all__ = ["VerdictBox", "verdict_box"]

Row = Mapping[str, str]

#: Columns of a table of numbers that name a cell.
NAMES = ["stream", "dataset", "data set", "learner", "estimator", "assignment", "classifier"]
NAMES += ["scenario", "part", "test_task", "base_set", "quantity"]
MOST = 3  # reasons in a box, and names before each
LONGEST = 110  # letters of a quoted sentence in a box


class VerdictBox:
    """About ten lines of Markdown with the verdicts of a notebook."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = as_list(lines, str, name="lines", rule="a list of texts")

    def __repr__(self) -> str:
        return "\n".join(self.lines)

    def _repr_markdown_(self) -> str:
        return "\n".join(f"> {line}" for line in self.lines)


def verdict_box(number: str, folder: Path | None = None) -> VerdictBox:
    """The verdicts of a notebook in about ten lines, from its files ``NN_cells`` and ``NN_claims``.

    The runner shows it at the top of a notebook once the last cell has run. It holds the counts
    of `repro verdicts`, and the first numbers that differ and sentences that do not hold, with
    their reasons.

    Parameters
    ----------
    number : of the notebook, such as "01".
    folder : that holds ``data/results``; by default that of this run.

    >>> verdict_box("99")
    No verdicts yet: run all cells, then this one again.
    """
    if not (isinstance(number, str) and len(number) == 2 and number.isdecimal()):
        raise ValueError(f"number must be two digits, as in '01'; got {number!r}")
    results = (folder or _folders.output()) / "data" / "results"
    cells, claims = (results / f"{number}_{name}.csv" for name in ("cells", "claims"))
    lines = []
    if cells.is_file():
        rows = read_rows(cells, CELLS)
        differ = [row for row in rows if row["verdict"] == DIFFERS]
        lines += _listed(summary_of_cells(rows), _with_reasons(differ, _name))
    if claims.is_file():
        rows = read_rows(claims, CLAIMS)
        last = {(row["section"], row["sentence"]): row for row in rows}.values()
        fail = [r for r in last if r["verdict"] == DOES_NOT_HOLD and not r.get("own")]
        lines += _listed(summary_of_claims(rows), _with_reasons(fail, _quoted))
    if not lines:
        return VerdictBox(["No verdicts yet: run all cells, then this one again."])
    files = " and ".join(f"`{path.name}`" for path in (cells, claims) if path.is_file())
    meaning = "[what the words mean](../docs/verdicts.md)"
    return VerdictBox([f"**Verdicts of this run**, from {files} ({meaning})", "", *lines])


def _listed(counts: Sequence[str], reasons: Iterator[str]) -> list[str]:
    """The counts as a list, with the reasons below the first."""
    first, *others = [f"- {count}" for count in counts]
    return [first, *(f"  - {reason}" for reason in reasons), *others]


def _with_reasons(rows: Sequence[Row], named: Callable[[Row], str]) -> Iterator[str]:
    """``names: reason`` for the first reasons; those that are explained come first."""
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(row.get("reason") or NOT_EXPLAINED, []).append(named(row))
    ordered = sorted(by_reason, key=lambda reason: reason.startswith(NOT_EXPLAINED))
    for reason in ordered[:MOST]:
        names = by_reason[reason]
        more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
        yield f"{', '.join(names[:MOST])}{more}: {reason}"
    if rest := sum(len(by_reason[reason]) for reason in ordered[MOST:]):
        yield f"and {rest} more, each with its reason in the table"


def _name(row: Row) -> str:
    return " ".join(row[column] for column in NAMES if row.get(column))


def _quoted(row: Row) -> str:
    words = row["sentence"]
    return f"“{words if len(words) <= LONGEST else words[:LONGEST].rsplit(' ', 1)[0] + ' …'}”"
