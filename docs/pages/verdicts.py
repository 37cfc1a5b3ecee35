"""The rows of ``data/results``: published numbers and claims of all notebooks, with verdicts."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pages.places import NotebookPlaces
from repro.published.counts import counts_by_kind
from repro.published.words import DIFFERS, KINDS

__all__ = ["CHOSE_NONE", "Claim", "Notebook", "is_explained", "kind_of", "notebooks"]

HELD_OUT = ("cell", "constant")  # kinds of numbers that chose no setting
CHOSE_NONE = "chose no setting"


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper with its verdict; `key` is its name in ``data/published``."""

    key: str
    row: dict[str, str]

    @property
    def is_own(self) -> bool:
        """Whether the question is ours, and not a sentence of the paper."""
        return bool(self.row["own"])


@dataclass(frozen=True)
class Notebook:
    """A notebook and its tables of verdicts; a notebook without them has no rows."""

    path: Path
    root: Path

    @cached_property
    def places(self) -> NotebookPlaces:
        """The places on its page."""
        return NotebookPlaces(self.path)

    @property
    def name(self) -> str:
        """A short name for menus: "3 Drift detection"."""
        number, _, words = self.path.stem.partition("_")
        return f"{int(number)} {words.replace('_', ' ').capitalize()}"

    @cached_property
    def cells(self) -> list[dict[str, str]]:
        """The published numbers beside ours."""
        return self._rows("cells")

    @cached_property
    def claims(self) -> list[Claim]:
        """The ledger; a sentence that is judged several times has several rows."""
        rows = self._rows("claims")
        keys = self._keys({row["sentence"] for row in rows})
        return [Claim(keys[row["sentence"]], row) for row in rows]

    @property
    def paper(self) -> str:
        """The paper whose sentences are judged."""
        return next((claim.row["paper"] for claim in self.claims if not claim.is_own), "")

    @property
    def counts_of_cells(self) -> Counter[str]:
        """Verdicts on published numbers that no choice of ours has seen."""
        kinds = counts_by_kind(self.cells)
        held_out = (counts.verdicts for kind, counts in kinds.items() if kind in HELD_OUT)
        return sum(held_out, Counter())

    @property
    def held_out_that_differ(self) -> list[dict[str, str]]:
        """The rows of `counts_of_cells` that differ."""
        differ = (row for row in self.cells if row["verdict"] == DIFFERS)
        return [row for row in differ if kind_of(row) == CHOSE_NONE]

    @property
    def counts_of_claims(self) -> Counter[str]:
        """Verdicts on sentences of the paper; one with several rows counts with its last."""
        last = {claim.key: claim.row["verdict"] for claim in self.claims if not claim.is_own}
        return Counter(last.values())

    def _rows(self, kind: str) -> list[dict[str, str]]:
        path = self.root / "data" / "results" / f"{self.path.name[:2]}_{kind}.csv"
        return list(_read(path)) if path.is_file() else []

    def _keys(self, sentences: set[str]) -> dict[str, str]:
        """Sentence to key, from the file of ``data/published`` that has these sentences."""
        for path in sorted((self.root / "data" / "published").glob("*_claims.csv")):
            keys = {row["sentence"]: row["key"] for row in _read(path)}
            if sentences <= keys.keys():
                return keys
        raise ValueError(f"data/published must have the sentences of {self.path.stem}; got none")


def kind_of(row: Mapping[str, str]) -> str:
    """How a published number is counted, in words."""
    kind = row.get("kind") or "cell"
    return CHOSE_NONE if kind in HELD_OUT else KINDS[kind]


def is_explained(row: Mapping[str, str]) -> bool:
    """Whether a number that differs has a known cause; else its reason says what was excluded."""
    return not row["reason"].startswith("not explained")


def notebooks(root: Path) -> list[Notebook]:
    """The numbered notebooks below `root`, in order."""
    paths = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    finished = [
        path for path in paths if not path.name.endswith((".FAILED.ipynb", ".running.ipynb"))
    ]
    return [Notebook(path, root) for path in finished]


def _read(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
