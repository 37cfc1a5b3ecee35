"""The order of the pages in the menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pages.verdicts import Notebook

__all__ = ["contents"]

#: Pages with a place of their own; every other page of docs/ is listed below "More".
PLACED = {
    "Verdicts": [
        ("Numbers", "cells"),
        ("Claims", "claims"),
        ("What the counts say", "docs/verdicts"),
    ],
    "Library": [
        ("How to use it", "README"),
        ("Which test, and when", "docs/which_test"),
        ("What a report can tell", "docs/judging"),
        ("Learners and detectors", "docs/learners"),
        ("In river, in scikit-learn", "docs/in_river_and_sklearn"),
        ("Reference", "reference/index"),
        ("Conformance with MOA", "docs/conformance"),
        ("Reliability", "docs/reliability"),
        ("Speed", "benchmarks/README"),
        ("Architecture", "docs/architecture"),
        ("When a kernel misbehaves", "docs/kernels"),
    ],
    "Teaching": [("Exercises", "docs/teaching"), ("Explorer", "explore")],
    "More": [
        ("How to cite", "cite"),
        ("How to contribute", "CONTRIBUTING"),
        ("Changes", "CHANGELOG"),
        ("Versions", "versions"),
        ("Security", "SECURITY"),
    ],
}


def contents(notebooks: Sequence[Notebook], pages: Iterable[Path]) -> str:
    """The hidden tables of contents of the front page, which make the menu."""
    there = {path.with_suffix("").as_posix() for path in pages if path.suffix != ".png"}
    groups = {"Notebooks": [(n.name, f"notebooks/{n.path.stem}") for n in notebooks], **PLACED}
    placed = {page for entries in groups.values() for _, page in entries}
    exercises = sorted(p for p in there if p.startswith("notebooks/exercises/"))
    others = sorted(p for p in there - placed if p.startswith("docs/"))
    groups["Teaching"] = groups["Teaching"] + [("", page) for page in exercises]
    groups["More"] = [("", page) for page in others] + groups["More"]
    return "\n".join(
        _menu(title, [entry for entry in entries if entry[1] in there])
        for title, entries in groups.items()
    )


def _menu(title: str, entries: list[tuple[str, str]]) -> str:
    if not entries:
        return ""
    lines = "\n".join(f"{name} <{page}>" if name else page for name, page in entries)
    return f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines}\n```\n"
