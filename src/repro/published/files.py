"""The files of published numbers: ``data/published`` of a checkout, else beside these modules."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import pandas as pd

from repro import _folders
from repro._checks import check_choice

__all__ = ["file_names", "paper_file", "papers_with", "read_file"]


def file_names() -> list[str]:
    """The names of the files, without ``.csv``, sorted."""
    return sorted(
        file.name.removesuffix(".csv")
        for file in _folder().iterdir()
        if file.name.endswith(".csv") and not file.name.startswith(".")
    )


def papers_with(suffix: str) -> list[str]:
    """The papers that have a file with this end of its name, such as "_claims"."""
    return [name.removesuffix(suffix) for name in file_names() if name.endswith(suffix)]


def paper_file(name: str, suffix: str) -> str:
    """The name of the paper's file with this end; ValueError with the papers that have one."""
    return check_choice(name, papers_with(suffix), name="name") + suffix


def read_file(name: str) -> pd.DataFrame:
    """The file called `name` as it is; ValueError with the names there are for any other."""
    check_choice(name, file_names(), name="name")
    with (_folder() / f"{name}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, dtype={"section": str, "assignment": str})


@cache
def _folder() -> Traversable:
    root = _folders.checkout()
    return (
        root / "data" / "published" if root else resources.files("repro") / "published" / "numbers"
    )
