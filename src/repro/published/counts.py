"""Counts of verdicts, and in words, from the rows of tables; without numpy and pandas."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from repro.published.words import (
    AGREES,
    CELLS,
    CLAIMS,
    DIFFERS,
    DOES_NOT_HOLD,
    HOLDS,
    KINDS,
    LEVEL,
    NOT_REFUTED,
    NOT_RUN,
    TOO_COARSE,
    TOO_FEW,
)

__all__ = [
    "AFTER_HOLM",
    "Counts",
    "columns_of_cells",
    "columns_of_claims",
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
    #: cells shown to be within the margin, by verdict; None where this is not known
    equivalent: Counter[str] | None
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
    known = [row for row in rows if str(row.get("equivalent", "")) in ("True", "False")]
    shown = Counter(str(row["verdict"]) for row in known if str(row["equivalent"]) == "True")
    return Counts(verdicts, with_p, shown if known else None, after_holm)


def summary_of_cells(rows: Iterable[Row]) -> list[str]:
    """The counts of a table of numbers: ``cells: 52 agree, 1 differs, 18 not run``.

    Constants are counted apart. Behind the number that differs stands how many of the cells at
    most do so by chance, and how many do after Holm's correction.
    """
    lines = []
    for kind, counts in counts_by_kind(rows).items():
        notes = f"at most {counts.by_chance:.1f} by chance, {counts.after_holm} after Holm"
        note = {}
        if counts.with_p and counts.equivalent is not None:
            notes += f", {counts.equivalent[DIFFERS]} within the margin"
            note[AGREES] = f" ({counts.equivalent[AGREES]} equivalent)"
        if counts.with_p:
            note[DIFFERS] = f" ({notes})"
        if kind == "cell" or counts.verdicts:
            lines.append(f"{KINDS[kind]}: {_counted(counts.verdicts, CELLS, note)}")
    return lines


def summary_of_claims(rows: Sequence[Row]) -> list[str]:
    """The counts of a ledger: ``claims: 5 hold, 1 does not hold, 2 cannot be told``.

    Rows that the column "own" marks as our questions are counted apart from those of the paper. A
    sentence that was judged with several numbers of permutations counts once, with its last row.
    Each sentence that is tested, and true or false at the edge, is decided wrongly in 2.5 %.
    """
    papers, ours, tested = _of_claims(rows)
    by_chance = f" (at most {LEVEL / 2 * tested:.1f} decided wrongly by chance)" if tested else ""
    lines = [f"claims: {_counted(papers, CLAIMS)}{by_chance}"]
    return [*lines, f"own questions: {_counted(ours, CLAIMS)}"] if ours else lines


def columns_of_cells(rows: Iterable[Row]) -> dict[str, str]:
    """The counts of a table of numbers, by the names of columns; those of settings come last."""
    kinds = counts_by_kind(rows)
    cells, nothing = kinds["cell"], Counts(Counter(), 0, None, 0)
    fitted, constants = (kinds.get(kind, nothing).verdicts for kind in ("fitted", "constant"))
    missed = kinds.get("missed", nothing).verdicts
    is_exact = cells.with_p == 0
    equivalent = None if is_exact else cells.equivalent
    return {
        "agree": str(cells.verdicts[AGREES]),
        "of these equivalent": "–" if equivalent is None else str(equivalent[AGREES]),
        "too coarse": str(cells.verdicts[TOO_COARSE]),
        "differ": str(cells.verdicts[DIFFERS]),
        "of these within the margin": "–" if equivalent is None else str(equivalent[DIFFERS]),
        "by chance at most": "–" if is_exact else f"{cells.by_chance:.1f}",
        "after Holm": "–" if is_exact else str(cells.after_holm),
        "not run": str(cells.verdicts[NOT_RUN]),
        "missed by both": str(missed.total()),
        "constants: agree, differ": _pair(constants, AGREES, DIFFERS),
        "chose a setting: agree, too coarse, differ": _pair(fitted, AGREES, TOO_COARSE, DIFFERS),
    }


def columns_of_claims(rows: Sequence[Row]) -> dict[str, str]:
    """The counts of a ledger, by the names of columns."""
    papers, ours, tested = _of_claims(rows)
    counts = {CLAIMS[word]: str(papers[word]) for word in CLAIMS if word != TOO_FEW}
    decided = {"decided wrongly by chance at most": f"{LEVEL / 2 * tested:.1f}"}
    return counts | decided | {"own questions: hold or not refuted, do not": _own(ours)}


def _own(ours: Counter[str]) -> str:
    return f"{ours[HOLDS] + ours[NOT_REFUTED]}, {ours[DOES_NOT_HOLD]}"


def _pair(counts: Counter[str], *words: str) -> str:
    return ", ".join(str(counts[word]) for word in words) if counts else "–"


def _of_claims(rows: Sequence[Row]) -> tuple[Counter[str], Counter[str], int]:
    """Verdicts on the sentences of the paper, and on ours; how many of the paper's are tests.

    A sentence with several numbers of permutations counts once, with its last row. Its verdict is
    a test, not arithmetic, if the evidence has a standard error or counts cases.
    """
    counted = {_sentence(i, row): row for i, row in enumerate(rows)}.values()
    papers = [row for row in counted if not row.get("own")]
    ours = Counter(row["verdict"] for row in counted if row.get("own"))
    tested = sum(
        " ± " in row.get("evidence", "") or row.get("quantifier") == "usually" for row in papers
    )
    return Counter(row["verdict"] for row in papers), ours, tested


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
