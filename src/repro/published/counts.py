"""Counts of verdicts, and which of them stand when a whole table is judged at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from repro.published.words import CELLS, DIFFERS, KINDS, LEVEL

__all__ = ["AFTER_HOLM", "Counts", "counts_by_kind", "differs_after_holm"]

AFTER_HOLM = "differs after Holm"
#: A p-value of a discrete test may equal its bound, but for rounding errors.
TIE = 1 + 1e-9


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


def differs_after_holm(p: Sequence[float], verdicts: Sequence[str]) -> list[bool]:
    r"""Holm-corrected verdicts at family-wise level 5 %.

    Holm (1979), Scandinavian Journal of Statistics 6, 65-70: of *m* p-values, sorted, the *i*-th
    differs if :math:`p_{(j)} \le 0.05 / (m - j + 1)` for all :math:`j \le i`. Then the probability
    that any cell differs by chance is at most 5 %, however the cells depend on each other. Cells
    from the same runs do, so Benjamini and Hochberg's procedure is not used. An exact number, whose
    p is nan, keeps its verdict.

    >>> differs_after_holm([0.01, 0.04, 0.03, float("nan")], ["differs"] * 4)
    [True, False, False, True]
    """
    stands = [word == DIFFERS for word in verdicts]
    ranked = sorted((value, i) for i, value in enumerate(p) if value == value)
    still = True
    for rank, (value, i) in enumerate(ranked):
        still = still and value <= LEVEL / (len(ranked) - rank) * TIE
        stands[i] = stands[i] and still
    return stands
