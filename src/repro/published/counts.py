"""Counts of verdicts, and in words, from the rows of tables; without numpy and pandas."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from repro.published.words import (
    CELLS,
    CLAIMS,
    DIFFERS,
    KINDS,
    LEVEL,
    NOT_REFUTED,
    TOO_COARSE,
    TOO_FEW,
)

__all__ = [
    "AFTER_HOLM",
    "Counts",
    "counts_by_kind",
    "read_rows",
    "summary_of_cells",
    "summary_of_claims",
]

AFTER_HOLM = "differs after Holm"

Row = Mapping[str, str]
IF_ANY = (NOT_REFUTED, TOO_COARSE, TOO_FEW)  # verdicts that are not counted where there are none
NO_NOTES: Mapping[str, str] = MappingProxyType({})


class Counts(NamedTuple):
    """Counts of the cells of one kind."""

    verdicts: Counter[str]
    with_p: int  #: cells that chance can make differ
    after_holm: int  #: cells that differ after Holm's correction

    @property
    def by_chance(self) -> float:
        """How many of these cells at most would differ on average if all were equal in truth."""
        return LEVEL * self.with_p


def counts_by_kind(rows: Iterable[Mapping[str, Any]]) -> dict[str, Counts]:
    """The counts of each kind of published number, in the order of `KINDS`; cells always.

    `rows` have a verdict and, where known, the kind, p and differs after Holm: as values or, from
    a file, as texts.
    """
    kinds: dict[str, list[Mapping[str, Any]]] = {"cell": []}
    for row in rows:
        kind = row.get("kind")
        is_cell = kind in (None, "") or kind != kind  # nan where several tables are one
        kinds.setdefault("cell" if is_cell else str(kind), []).append(row)
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise ValueError(f"kind must be one of {list(KINDS)}; got {unknown[0]!r}")
    words = (row["verdict"] for held in kinds.values() for row in held)
    if wrong := [word for word in words if word not in CELLS]:
        raise ValueError(f"verdict must be one of {list(CELLS)}; got {wrong[0]!r}")
    return {kind: _counts(kinds[kind]) for kind in KINDS if kind in kinds}


def _counts(rows: list[Mapping[str, Any]]) -> Counts:
    verdicts = Counter(str(row["verdict"]) for row in rows)
    with_p = sum(str(row.get("p", "")) not in ("", "nan", "None") for row in rows)
    after_holm = sum(str(row.get(AFTER_HOLM, "")) == "True" for row in rows)
    return Counts(verdicts, with_p, after_holm)


def summary_of_cells(rows: Iterable[Row]) -> list[str]:
    """The counts of a table of numbers: ``cells: 52 agree, 1 differs, 18 not run``.

    Constants are counted apart. Behind the number that differs stands how many of the cells at
    most do so by chance, and how many do after Holm's correction.
    """
    lines = []
    for kind, counts in counts_by_kind(rows).items():
        notes = f"at most {counts.by_chance:.1f} by chance, {counts.after_holm} after Holm"
        note = {DIFFERS: f" ({notes})"} if counts.with_p else {}
        if kind == "cell" or counts.verdicts:
            lines.append(f"{KINDS[kind]}: {_counted(counts.verdicts, CELLS, note)}")
    return lines


def summary_of_claims(rows: Sequence[Row]) -> list[str]:
    """The counts of a ledger: ``claims: 5 hold, 1 does not hold, 2 cannot be told``.

    Rows that the column "own" marks as our questions are counted apart from those of the paper. A
    sentence that was judged with several numbers of permutations counts once, with its last row.
    """
    counted = {_sentence(i, row): row for i, row in enumerate(rows)}.values()
    ours = Counter(row["verdict"] for row in counted if row.get("own"))
    papers = Counter(row["verdict"] for row in counted if not row.get("own"))
    lines = [f"claims: {_counted(papers, CLAIMS)}"]
    return [*lines, f"own questions: {_counted(ours, CLAIMS)}"] if ours else lines


def read_rows(path: Path, words: Mapping[str, str]) -> list[dict[str, str]]:
    """The rows of the file `path`; raises ValueError unless all verdicts are among `words`."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if unknown := [word for row in rows if (word := row.get("verdict", "")) not in words]:
        raise ValueError(f"verdict must be one of {list(words)}; got {unknown[0]!r}")
    return rows


def _sentence(i: int, row: Row) -> object:
    """What the rows of one sentence have in common; otherwise the number of the row."""
    return (row.get("section"), row.get("sentence")) if row.get("permutations") else i


def _counted(
    counts: Mapping[str, int], words: Mapping[str, str], notes: Mapping[str, str] = NO_NOTES
) -> str:
    """``3 hold, 1 does not hold``; some verdicts only where there are any, some with a note."""
    listed = [(counts[one], one, one if counts[one] == 1 else words[one]) for one in words]
    shown = [each for each in listed if each[0] or each[1] not in IF_ANY]
    return ", ".join(f"{n} {word}{notes.get(one, '')}" for n, one, word in shown)
