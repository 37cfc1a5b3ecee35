"""Verdicts of a smaller profile that contradict the paper's: too few runs to tell."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from repro import _folders, provenance
from repro.published.summary import read_rows
from repro.published.words import CLAIMS, TOO_FEW, UNDECIDED

__all__ = ["committed_verdicts", "contradicts", "without_contradictions"]

NAMES = ("paper", "section", "sentence", "permutations")


def without_contradictions(frame: pd.DataFrame) -> pd.DataFrame:
    """The ledger `frame`, with `TOO_FEW` in place of verdicts that fewer runs turned around.

    It changes nothing in a run with the paper's parameters, outside of a run, on stand-ins, whose
    verdicts are about other data, and where there is no committed ledger.
    """
    profile = provenance.current().get("Profile", "paper")
    if profile == "paper" or "stand-in" in profile:
        return frame
    known = committed_verdicts()
    words = [
        TOO_FEW if contradicts(row["verdict"], known.get(_key(row))) else row["verdict"]
        for row in frame.to_dict("records")
    ]
    return frame.assign(verdict=words)


def contradicts(verdict: str, committed: str | None) -> bool:
    """Whether a decided `verdict` differs from the one that more runs gave."""
    return committed is not None and verdict not in (UNDECIDED, committed)


def committed_verdicts() -> dict[Hashable, str]:
    """The verdict of each sentence in the ledgers of ``data/results``; none without a checkout."""
    root = _folders.checkout()
    paths = sorted((root / "data" / "results").glob("*_claims.csv")) if root else []
    return {_key(row): row["verdict"] for path in paths for row in read_rows(path, CLAIMS)}


def _key(row: Mapping[str, Any]) -> Hashable:
    """What names a row of a ledger; a file holds all of it as texts."""
    return tuple(
        str(row.get(name, "")) for name in ("paper", "section", "sentence", "permutations")
    )
